//! The stretches of a text that hold most of a needle's words, rare words counting for more, in one pass over its words.

use std::ops::Range;

use crate::diagnosis::features::{Features, words};

/// How many stretches are looked at closely: texts repeat themselves, the more so the less is sought.
fn most(needle: usize) -> usize {
    (600 / needle.max(1)).clamp(6, 32)
}

/// How many occurrences of the needle's words are looked at in any text; in a large one it is a share of its words.
const ENOUGH: usize = 4_096;

/// How many words are looked at in one go.
const BLOCK: usize = 16;

/// The stretches of words that cover most of `needle`, the best first, none of them overlapping.
pub(crate) fn windows(features: &Features, needle: &str) -> Vec<Range<usize>> {
    let text = features.words();
    let sought = Sought::of(needle, features);
    let (hits, weights) = (sought.hits(text), sought.weights(text.len()));
    // Room for lines that were put between.
    let room = if needle.contains(['\n', '\r']) { 32 } else { 8 };
    let width = sought.count + sought.count / 3 + room;
    let mut best = disjoint(&hits, &sought.words, &weights, width);
    best.sort_unstable_by_key(|it| (std::cmp::Reverse(it.score), it.first));
    let floor = best.first().map_or(0, |it| it.score / 3 * 2);
    let best = best.into_iter().take(most(sought.count)).take_while(|it| it.score >= floor);
    best.map(|it| it.first..it.last + 1).collect()
}

/// The words of a needle that tell where it may stand.
struct Sought {
    words: Vec<SoughtWord>,
    /// How many words the needle has, those that tell nothing counted too.
    count: usize,
}

struct SoughtWord {
    hash: u16,
    /// How often it stands in the needle.
    needed: u32,
    /// How often it stands in the text.
    found: usize,
}

impl Sought {
    /// The rare ones: words that stand everywhere cost time and tell little.
    fn of(needle: &str, features: &Features) -> Self {
        let mut hashes: Vec<u16> = words(needle).map(|it| it.hash).collect();
        let count = hashes.len();
        hashes.sort_unstable();
        let word = |it: &[u16]| SoughtWord { hash: it[0], needed: it.len() as u32, found: features.count(it[0]) };
        let mut words: Vec<SoughtWord> = hashes.chunk_by(|a, b| a == b).map(word).collect();
        words.sort_by_key(|it| (it.found, it.hash));
        let enough = ENOUGH.max(features.words().len() / 128);
        let mut hits = 0;
        let telling = words.iter().take_while(|it| {
            let first = hits == 0;
            hits += it.found;
            first || hits <= enough
        });
        let telling = telling.count();
        words.truncate(telling);
        Self { words, count }
    }

    fn hits(&self, text: &[u16]) -> Vec<Hit> {
        let mut present = WordSet::default();
        let mut numbers = vec![0; 1 << 16];
        for (number, word) in self.words.iter().enumerate() {
            present.insert(word.hash);
            numbers[usize::from(word.hash)] = number as u32;
        }
        let mut hits = Vec::new();
        for (block, hashes) in text.chunks(BLOCK).enumerate() {
            // Few blocks hold one: most are passed by without a branch for each word.
            if !hashes.iter().fold(false, |any, hash| any | present.holds(*hash)) {
                continue;
            }
            for (at, hash) in hashes.iter().enumerate().filter(|it| present.holds(*it.1)) {
                hits.push(Hit { at: (block * BLOCK + at) as u32, word: numbers[usize::from(*hash)] });
            }
        }
        hits
    }

    /// ln(1 + words of the text / occurrences), in thousandths: whole numbers add up the same in any order.
    fn weights(&self, text: usize) -> Vec<u64> {
        let weight = |found: usize| ((1.0 + text as f64 / found.max(1) as f64).ln() * 1_000.0) as u64;
        self.words.iter().map(|it| weight(it.found)).collect()
    }
}

/// Which words are sought, small enough to stay in the nearest cache.
struct WordSet([u64; (1 << 16) / 64]);

impl Default for WordSet {
    fn default() -> Self {
        Self([0; (1 << 16) / 64])
    }
}

impl WordSet {
    fn insert(&mut self, hash: u16) {
        self.0[usize::from(hash >> 6)] |= 1 << (hash & 63);
    }

    fn holds(&self, hash: u16) -> bool {
        self.0[usize::from(hash >> 6)] >> (hash & 63) & 1 == 1
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
fn disjoint(hits: &[Hit], words: &[SoughtWord], weights: &[u64], width: usize) -> Vec<Scored> {
    let mut best: Vec<Scored> = Vec::new();
    let mut inside = vec![0_u32; words.len()];
    let (mut score, mut left) = (0, 0);
    for hit in hits {
        let word = hit.word as usize;
        inside[word] += 1;
        score += if inside[word] <= words[word].needed { weights[word] } else { 0 };
        // What leaves at the left: what is too far away, and what stands there more often than needed.
        loop {
            let front = hits[left];
            let word = front.word as usize;
            let surplus = inside[word] > words[word].needed;
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
            windows(&features, needle).iter().map(|it| &text[features.span(text, it.clone()).range()]).collect();
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
        assert_eq!(found[0].len(), 50_000);
        let lines = "if x return y\n".repeat(50_000) + "if x return z\n";
        let found = windows(&Features::of(&lines), "if x return z");
        assert_eq!(found[0].end, 200_004);
    }
}
