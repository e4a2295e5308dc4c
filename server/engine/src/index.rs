//! A text without its white space and typography, and the way back: what every tolerant tier searches, made once a
//! revision and patched where the text is.

use std::ops::Range;

use crate::fold::{fold, is_space};
use crate::steps;
use crate::text::Span;

/// How many bytes of text lie between two checkpoints: a walk on every look-up against memory for each of them.
const STRIDE: usize = 512;

/// A text's skeleton: its characters folded, all white space left out.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    skeleton: Vec<u8>,
    /// Where each block of text starts. Invariant: the first is at 0, none stands inside a character.
    checkpoints: Vec<Checkpoint>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Checkpoint {
    /// Bytes of text in front.
    text: usize,
    /// Bytes of skeleton in front.
    skeleton: usize,
}

impl Index {
    pub(crate) fn of(text: &str) -> Self {
        let mut index = Self { skeleton: Vec::with_capacity(text.len()), checkpoints: Vec::new() };
        index.append(text, Checkpoint::default());
        index.skeleton.shrink_to_fit();
        index
    }

    pub(crate) fn skeleton(&self) -> &[u8] {
        &self.skeleton
    }

    /// The skeleton of a text that is no document.
    pub(crate) fn skeleton_of(text: &str) -> Vec<u8> {
        let mut skeleton = Vec::with_capacity(text.len());
        push_skeleton(text, &mut skeleton);
        skeleton
    }

    /// The way back from the skeleton to `text`, for ranges asked for in order.
    pub(crate) fn locator<'a>(&'a self, text: &'a str) -> Locator<'a> {
        let cursor = Cursor { index: self, text, at: 0, shown: 0 };
        Locator { start: cursor, last: cursor }
    }

    /// Makes this the index of `text`, in which `len` bytes have taken the place of `span`.
    pub(crate) fn splice(&mut self, text: &str, span: Span, len: usize) {
        let first = self.checkpoints.partition_point(|it| it.text < span.start.0).saturating_sub(1);
        let rest = self.checkpoints.partition_point(|it| it.text <= span.end.0);
        let kept = self.checkpoints[first];
        let old = self.checkpoints.get(rest).copied();
        let until = old.map_or(text.len(), |it| it.text + len - span.len());
        let mut anew = Self { skeleton: Vec::new(), checkpoints: Vec::new() };
        let end = anew.append(&text[..until], kept);
        let replaced = kept.skeleton..old.map_or(self.skeleton.len(), |it| it.skeleton);
        self.skeleton.splice(replaced, anew.skeleton);
        if let Some(old) = old {
            for it in &mut self.checkpoints[rest..] {
                it.text = it.text + end.text - old.text;
                it.skeleton = it.skeleton + end.skeleton - old.skeleton;
            }
        }
        self.checkpoints.splice(first..rest, anew.checkpoints);
    }

    /// Appends the blocks of `text` from `at` on; answers where it ends.
    fn append(&mut self, text: &str, mut at: Checkpoint) -> Checkpoint {
        loop {
            self.checkpoints.push(at);
            let end = block_end(text, at.text);
            let block = &text[at.text..end];
            steps::count(block.len());
            let len = self.skeleton.len();
            push_skeleton(block, &mut self.skeleton);
            at = Checkpoint { text: end, skeleton: at.skeleton + self.skeleton.len() - len };
            if end == text.len() {
                return at;
            }
        }
    }
}

/// Finds where ranges of a skeleton stand in its text. Asked in order it walks the text once at most.
pub(crate) struct Locator<'a> {
    start: Cursor<'a>,
    last: Cursor<'a>,
}

impl Locator<'_> {
    /// Where `range`, not empty, stands: from the first character it shows to the last. `None` where it cuts a character
    /// that folds to several.
    pub(crate) fn locate(&mut self, range: Range<usize>) -> Option<Span> {
        let first = self.start.covering(range.start)?;
        let last = self.last.covering(range.end - 1)?;
        (first.shown.start == range.start && last.shown.end == range.end)
            .then(|| Span::new(first.text.start, last.text.end))
    }
}

#[derive(Clone, Copy)]
struct Cursor<'a> {
    index: &'a Index,
    text: &'a str,
    at: usize,
    shown: usize,
}

/// One character: where it stands, and where its folded form does in the skeleton.
struct Shown {
    text: Range<usize>,
    shown: Range<usize>,
}

impl Cursor<'_> {
    /// The character that shows byte `wanted` of the skeleton.
    fn covering(&mut self, wanted: usize) -> Option<Shown> {
        if wanted < self.shown || wanted - self.shown > STRIDE {
            let checkpoints = &self.index.checkpoints;
            let block = checkpoints[checkpoints.partition_point(|it| it.skeleton <= wanted) - 1];
            (self.at, self.shown) = (block.text, block.skeleton);
        }
        for c in self.text[self.at..].chars() {
            steps::count(c.len_utf8());
            let (text, shown) = (self.at + c.len_utf8(), self.shown + folded_len(c));
            if wanted < shown {
                return Some(Shown { text: self.at..text, shown: self.shown..shown });
            }
            (self.at, self.shown) = (text, shown);
        }
        None
    }
}

fn block_end(text: &str, start: usize) -> usize {
    text.floor_char_boundary((start + STRIDE).min(text.len()))
}

fn push_skeleton(text: &str, skeleton: &mut Vec<u8>) {
    for c in text.chars() {
        if c.is_ascii() {
            if !is_space(c) {
                skeleton.push(c as u8);
            }
        } else if !is_space(c) {
            fold(c, |it| skeleton.extend_from_slice(it.encode_utf8(&mut [0; 4]).as_bytes()));
        }
    }
}

fn folded_len(c: char) -> usize {
    if c.is_ascii() {
        return usize::from(!is_space(c));
    }
    let mut len = 0;
    if !is_space(c) {
        fold(c, |it| len += it.len_utf8());
    }
    len
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_the_skeleton_shows_is_located() {
        let text = "“a… b\u{200b}c";
        let index = Index::of(text);
        assert_eq!(index.skeleton(), b"\"a...bc");
        let located = |range| index.locator(text).locate(range).map(|it| &text[it.range()]);
        assert_eq!(located(1..5), Some("a…"));
        assert_eq!(located(5..7), Some("b\u{200b}c"));
        assert_eq!(located(1..3), None, "cuts the ellipsis");
        assert_eq!(located(3..6), None, "cuts the ellipsis");
    }

    fn texts() -> impl Strategy<Value = String> {
        prop::collection::vec(
            prop::sample::select(vec!["a", "b ", "\n", "\r", "\r\n", "…", "é", "e\u{301}", "🚀", "\t"]),
            0..900,
        )
        .prop_map(|it| it.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn a_patched_index_is_the_one_made_anew(text in texts(), put in texts(), cut in (0.0..1.0f64, 0.0..1.0f64)) {
            let at = |share: f64| text.floor_char_boundary((text.len() as f64 * share) as usize);
            let span = Span::new(at(cut.0.min(cut.1)), at(cut.0.max(cut.1)));
            let mut index = Index::of(&text);
            let mut after = text.clone();
            after.replace_range(span.range(), &put);
            index.splice(&after, span, put.len());
            let anew = Index::of(&after);
            prop_assert_eq!(index.skeleton(), anew.skeleton());
            let mut in_order = index.locator(&after);
            for start in 0..index.skeleton().len() {
                let range = start..(start + 1).max(index.skeleton().len().min(start + 700));
                prop_assert_eq!(in_order.locate(range.clone()), anew.locator(&after).locate(range));
            }
        }
    }
}
