//! The stretches of a text that hold most of a needle's words, rare words counting for more, in one pass over its words.

use std::ops::Range;

use crate::features::{Features, WordSet, words};

/// How many stretches are looked at closely: texts repeat themselves, the more so the less is sought.
fn most(needle: usize) -> usize {
    (600 / needle.max(1)).clamp(6, 32)
}

/// A stretch of words, and how much of the needle it covers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Window {
    pub(crate) words: Range<usize>,
    /// The share of the needle's words that stand there, each by its weight, 0 to 1.
    pub(crate) coverage: f32,
}

/// The stretches that cover most of `needle`, the best first, none of them overlapping.
pub(crate) fn windows(features: &Features, needle: &str) -> Vec<Window> {
    let sought = Sought::of(needle);
    if sought.needs.is_empty() {
        return Vec::new();
    }
    let hits = sought.hits(features.words());
    let weights = sought.weights(&hits, features.words().len());
    let whole: u64 = weights.iter().zip(&sought.needs).map(|(weight, need)| weight * u64::from(*need)).sum();
    // Room for lines that were put between.
    let room = if needle.contains(['\n', '\r']) { 32 } else { 8 };
    let width = sought.count + sought.count / 3 + room;
    let mut best = disjoint(&hits, &sought.needs, &weights, width);
    let mut chosen: Vec<Window> = Vec::new();
    let mut floor = 0;
    while chosen.len() < most(sought.count) {
        let Some(top) = best.iter().max_by_key(|it| (it.score, std::cmp::Reverse(it.first))).copied() else { break };
        floor = floor.max(top.score / 5 * 3);
        if top.score == 0 || top.score < floor {
            break;
        }
        best.retain(|it| it.last < top.first || top.last < it.first);
        chosen.push(Window { words: top.first..top.last + 1, coverage: (top.score as f64 / whole as f64) as f32 });
    }
    chosen
}

/// The words of a needle: each one once, and how often it is needed.
struct Sought {
    present: WordSet,
    /// For each hash the number of its word, counted from 1.
    numbers: Vec<u32>,
    needs: Vec<u32>,
    count: usize,
}

impl Sought {
    fn of(needle: &str) -> Self {
        let mut sought = Self { present: WordSet::default(), numbers: vec![0; 1 << 16], needs: Vec::new(), count: 0 };
        for word in words(needle) {
            let number = &mut sought.numbers[usize::from(word.hash)];
            if *number == 0 {
                sought.needs.push(0);
                *number = sought.needs.len() as u32;
                sought.present.insert(word.hash);
            }
            sought.needs[*number as usize - 1] += 1;
            sought.count += 1;
        }
        sought
    }

    fn hits(&self, text: &[u16]) -> Vec<Hit> {
        let mut hits = Vec::new();
        for (at, hash) in text.iter().enumerate() {
            if self.present.holds(*hash) {
                hits.push(Hit { at: at as u32, word: self.numbers[usize::from(*hash)] - 1 });
            }
        }
        hits
    }

    /// ln(1 + words of the text / occurrences), in thousandths: whole numbers add up the same in any order.
    fn weights(&self, hits: &[Hit], text: usize) -> Vec<u64> {
        let mut found = vec![0_u32; self.needs.len()];
        for hit in hits {
            found[hit.word as usize] += 1;
        }
        let weight = |found: &u32| ((1.0 + text as f64 / f64::from((*found).max(1))).ln() * 1_000.0) as u64;
        found.iter().map(weight).collect()
    }
}

/// A word of the needle in the text.
#[derive(Clone, Copy)]
struct Hit {
    at: u32,
    word: u32,
}

#[derive(Clone, Copy)]
struct Scored {
    score: u64,
    first: usize,
    last: usize,
}

/// Slides a window of `width` words over the hits; of those that overlap the best one is kept.
fn disjoint(hits: &[Hit], needs: &[u32], weights: &[u64], width: usize) -> Vec<Scored> {
    let mut best: Vec<Scored> = Vec::new();
    let mut inside = vec![0_u32; needs.len()];
    let (mut score, mut left) = (0, 0);
    for hit in hits {
        let word = hit.word as usize;
        inside[word] += 1;
        score += if inside[word] <= needs[word] { weights[word] } else { 0 };
        // What leaves at the left: what is too far away, and what stands there more often than needed.
        loop {
            let front = hits[left];
            let word = front.word as usize;
            let surplus = inside[word] > needs[word];
            if !surplus && ((hit.at - front.at) as usize) < width {
                break;
            }
            score -= if surplus { 0 } else { weights[word] };
            inside[word] -= 1;
            left += 1;
        }
        let scored = Scored { score, first: hits[left].at as usize, last: hit.at as usize };
        match best.last_mut().filter(|it| scored.first <= it.last) {
            Some(last) => {
                if last.score < score {
                    *last = scored;
                }
            }
            None => best.push(scored),
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, needle: &str, expected: &[&str]) {
        let features = Features::of(text);
        let found: Vec<_> =
            windows(&features, needle).iter().map(|it| &text[features.span(text, it.words.clone()).range()]).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn the_stretch_with_most_of_the_words_is_found() {
        let filler = "lorem ipsum dolor sit amet\n".repeat(40);
        let text = format!("{filler}let total = price * count;\n{filler}");
        check(&text, "let total = cost * count", &["let total = price * count"]);
        check(&text, "nothing alike", &[]);
        check("", "a", &[]);
        check("a b", "", &[]);
    }

    #[test]
    fn rare_words_count_for_more() {
        let text = format!("unique\n{}", "if x return y\n".repeat(50));
        check(&text, "unique if x", &["unique\nif x"]);
        let apart = format!("unique\n{}", "lorem\n".repeat(30) + &"if x\n".repeat(50));
        check(&apart, "unique if x", &["unique"]);
    }

    #[test]
    fn repetition_takes_one_pass() {
        let text = "a ".repeat(100_000);
        let found = windows(&Features::of(&text), &"a ".repeat(50_000));
        assert_eq!(found[0].words.len(), 50_000);
    }
}
