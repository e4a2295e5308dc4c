//! A text as a column of its words, each two bytes wide: what the search for a candidate reads instead of the text.

use std::ops::Range;

use crate::text::Span;

/// How many words lie between two known offsets: a short walk against memory for each.
const STRIDE: usize = 64;

/// From how many words on it is worth to know beforehand how often each occurs.
const LARGE: usize = 1 << 13;

/// What words stand in a text, in order. Made once a revision.
#[derive(Debug)]
pub(crate) struct Features {
    words: Vec<u16>,
    /// Where every [`STRIDE`]th word starts, in bytes.
    starts: Vec<usize>,
    /// How often each word occurs, in a large text.
    counts: Option<Vec<u32>>,
}

impl Features {
    pub(crate) fn of(text: &str) -> Self {
        let mut features = Self { words: Vec::new(), starts: Vec::new(), counts: None };
        for word in words(text) {
            if features.words.len().is_multiple_of(STRIDE) {
                features.starts.push(word.range.start);
            }
            features.words.push(word.hash);
        }
        features.words.shrink_to_fit();
        features.counts = (features.words.len() >= LARGE).then(|| counted(&features.words));
        features
    }

    /// The words, each by its hash.
    pub(crate) fn words(&self) -> &[u16] {
        &self.words
    }

    /// How often a word with that hash occurs.
    pub(crate) fn count(&self, hash: u16) -> usize {
        match &self.counts {
            Some(counts) => counts[usize::from(hash)] as usize,
            None => self.words.iter().filter(|it| **it == hash).count(),
        }
    }

    /// Where the words `range`, not empty, stand in `text`, of which these are the features.
    pub(crate) fn span(&self, text: &str, range: Range<usize>) -> Span {
        Span { start: self.word(text, range.start).start, end: self.word(text, range.end - 1).end }
    }

    fn word(&self, text: &str, index: usize) -> Span {
        let mut walk = Words { text, at: self.starts[index / STRIDE] };
        let found = walk.nth(index % STRIDE).expect("the text holds the words that were counted in it");
        Span::new(found.range.start, found.range.end)
    }
}

fn counted(words: &[u16]) -> Vec<u32> {
    let mut counts = vec![0; 1 << 16];
    for word in words {
        counts[usize::from(*word)] += 1;
    }
    counts
}

/// One word: where it stands, in bytes, and its hash, which upper and lower case share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) range: Range<usize>,
    pub(crate) hash: u16,
}

/// The words of `text`: runs of letters and digits, parted where a small letter meets a capital one, so that
/// `max_retries` and `maxRetries` share theirs. In scripts without spaces each character is a word.
pub(crate) fn words(text: &str) -> Words<'_> {
    Words { text, at: 0 }
}

/// Iterates over the words of a text.
pub(crate) struct Words<'a> {
    text: &'a str,
    at: usize,
}

impl Iterator for Words<'_> {
    type Item = Word;

    fn next(&mut self) -> Option<Word> {
        let bytes = self.text.as_bytes();
        let start = self.start(bytes)?;
        let mut hash = 0x811c_9dc5_u32;
        let mut small = false;
        self.at = start;
        while let Some(byte) = bytes.get(self.at).copied() {
            if byte.is_ascii_alphanumeric() {
                if small && byte.is_ascii_uppercase() {
                    break;
                }
                small = byte.is_ascii_lowercase();
                hash = step(hash, u32::from(byte | 0x20));
                self.at += 1;
                continue;
            }
            if byte.is_ascii() {
                break;
            }
            let c = char_at(self.text, self.at);
            let alone = stands_alone(c);
            if !c.is_alphanumeric() || (alone && self.at > start) {
                break;
            }
            hash = c.to_lowercase().fold(hash, |hash, it| step(hash, u32::from(it)));
            small = c.is_lowercase();
            self.at += c.len_utf8();
            if alone {
                break;
            }
        }
        Some(Word { range: start..self.at, hash: (hash ^ (hash >> 16)) as u16 })
    }
}

impl Words<'_> {
    fn start(&self, bytes: &[u8]) -> Option<usize> {
        let mut at = self.at;
        loop {
            let byte = *bytes.get(at)?;
            if byte.is_ascii() {
                if byte.is_ascii_alphanumeric() {
                    return Some(at);
                }
                at += 1;
            } else {
                let c = char_at(self.text, at);
                if c.is_alphanumeric() {
                    return Some(at);
                }
                at += c.len_utf8();
            }
        }
    }
}

/// FNV-1a: short, the same everywhere, good enough for two bytes.
fn step(hash: u32, value: u32) -> u32 {
    (hash ^ value).wrapping_mul(0x0100_0193)
}

fn char_at(text: &str, at: usize) -> char {
    text[at..].chars().next().expect("only asked for inside the text")
}

/// Kana and ideographs.
fn stands_alone(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found: Vec<_> = words(text).map(|it| &text[it.range]).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn words_are_runs_of_letters_and_digits() {
        check("let max_retries = f(2);", &["let", "max", "retries", "f", "2"]);
        check("maxRetries HTTPServer v2x", &["max", "Retries", "HTTPServer", "v2x"]);
        check("日本語 café 🚀x", &["日", "本", "語", "café", "x"]);
        check(" \u{2028}=+ ", &[]);
    }

    #[test]
    fn case_does_not_part_words() {
        let hashes = |text: &str| words(text).map(|it| it.hash).collect::<Vec<_>>();
        assert_eq!(hashes("MAX_RÉTRIES"), hashes("max rétries"));
        assert_ne!(hashes("retries"), hashes("retires"));
    }

    #[test]
    fn words_are_found_again_in_the_text() {
        let text: String = (0..300).map(|it| format!("«w{it}»\n")).collect();
        let features = Features::of(&text);
        for at in [0, 63, 64, 299] {
            assert_eq!(&text[features.span(&text, at..at + 1).range()], format!("w{at}"));
        }
        assert_eq!(features.span(&text, 1..300).end.0, text.len() - 3);
        let hash = features.words()[7];
        assert_eq!((features.count(hash), Features::of(&text.repeat(30)).count(hash)), (1, 30));
    }
}
