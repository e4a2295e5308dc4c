//! One immutable state of one document. The only file that names the rope.

use std::sync::{Arc, OnceLock};

use ropey::{Rope, RopeBuilder};

use crate::diagnosis::features::Features;
use crate::edit_set::EditSet;
use crate::index::Index;

/// A byte order mark. In front of a text it is kept, and no part of what stands there.
pub(crate) const BOM: &str = "\u{feff}";

/// An offset into a text, in UTF-8 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Byte(pub usize);

/// A line of a text, counted from 0. Lines end in `\n`, `\r\n` or a lone `\r`, and in nothing else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Line(pub usize);

/// A half-open range of a text, in UTF-8 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// The first byte.
    pub start: Byte,
    /// One past the last byte.
    pub end: Byte,
}

impl Span {
    /// The span `start..end`, in bytes.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Self {
        debug_assert!(start <= end, "a span does not end before it starts");
        Self { start: Byte(start), end: Byte(end) }
    }

    /// Its length in bytes.
    #[must_use]
    pub fn len(self) -> usize {
        self.end.0 - self.start.0
    }

    /// Whether it holds no byte.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The same range for indexing a string.
    #[must_use]
    pub fn range(self) -> std::ops::Range<usize> {
        self.start.0..self.end.0
    }
}

/// Lines `first..=last` of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lines {
    /// The first line.
    pub first: Line,
    /// The last line, inclusive.
    pub last: Line,
}

/// Above so many bytes lines are read in the whole text, which is made but once.
const LONG: usize = 64 << 10;

/// Bytes of a text.
pub(crate) struct Excerpt {
    /// Where they start in it.
    pub(crate) start: usize,
    pub(crate) content: String,
}

/// One immutable state of one document. Cloning is cheap; what is made of it is made once, when first asked for, and
/// shared by all clones.
#[derive(Clone, Debug)]
pub struct Text {
    rope: Rope,
    whole: Arc<OnceLock<String>>,
    index: Arc<OnceLock<Index>>,
    features: Arc<OnceLock<Features>>,
}

impl Text {
    /// The text `content`.
    #[must_use]
    pub fn new(content: &str) -> Self {
        Self::from_rope(Rope::from_str(content))
    }

    fn from_rope(rope: Rope) -> Self {
        Self { rope, whole: Arc::default(), index: Arc::default(), features: Arc::default() }
    }

    /// The whole text, contiguous.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.whole.get_or_init(|| self.rope.to_string())
    }

    /// What the tolerant tiers search.
    pub(crate) fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::of(self.as_str()))
    }

    /// That, where somebody asked for it already.
    pub(crate) fn made_index(&self) -> Option<&Index> {
        self.index.get()
    }

    /// What the search for a candidate reads.
    pub(crate) fn features(&self) -> &Features {
        self.features.get_or_init(|| Features::of(self.as_str()))
    }

    pub(crate) fn starts_with_bom(&self) -> bool {
        self.rope.get_char(0) == Some('\u{feff}')
    }

    /// Its length in bytes.
    #[must_use]
    pub fn len(&self) -> Byte {
        Byte(self.rope.len_bytes())
    }

    /// Whether it holds no byte.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rope.len_bytes() == 0
    }

    /// How many lines LSP counts: one more than there are line breaks.
    #[must_use]
    pub fn line_count(&self) -> usize {
        self.rope.len_lines()
    }

    /// Where `line` starts; the end of the text for a line past the last.
    #[must_use]
    pub fn line_start(&self, line: Line) -> Byte {
        if line.0 >= self.rope.len_lines() {
            return self.len();
        }
        Byte(self.rope.line_to_byte(line.0))
    }

    /// The line that holds `offset`; the last line for an offset past the end.
    #[must_use]
    pub fn line_of(&self, offset: Byte) -> Line {
        Line(self.rope.byte_to_line(offset.0.min(self.rope.len_bytes())))
    }

    /// The bytes of `line` without its line break; empty for a line past the last.
    #[must_use]
    pub fn line_content(&self, line: Line) -> Span {
        let start = self.line_start(line);
        let end = self.line_start(Line(line.0.saturating_add(1)));
        let ends_with = |end: usize, byte: u8| end > start.0 && self.rope.byte(end - 1) == byte;
        let mut content = end.0;
        if ends_with(content, b'\n') {
            content -= 1;
        }
        if ends_with(content, b'\r') {
            content -= 1;
        }
        Span::new(start.0, content)
    }

    /// A copy of the bytes of `span`; `None` where it leaves the text or cuts a character.
    #[must_use]
    pub fn slice(&self, span: Span) -> Option<String> {
        Some(self.rope.get_byte_slice(span.range())?.to_string())
    }

    /// The bytes of `span`, which may cut characters: those are whole in it.
    pub(crate) fn excerpt(&self, span: Span) -> Excerpt {
        let start = self.rope.char_to_byte(self.rope.byte_to_char(span.start.0));
        let last = self.rope.byte_to_char(span.end.0);
        let cut = self.rope.char_to_byte(last) < span.end.0;
        let end = self.rope.char_to_byte(last + usize::from(cut));
        Excerpt { start, content: self.rope.byte_slice(start..end).to_string() }
    }

    /// The lines that hold `span`, with the line breaks in front of them and behind. `None` where they are very long.
    pub(crate) fn lines_around(&self, span: Span) -> Option<Excerpt> {
        let start = self.line_start(self.line_of(span.start)).0.saturating_sub("\r\n".len());
        let end = self.line_start(Line(self.line_of(span.end).0 + 1)).0;
        (end - start < LONG).then(|| self.excerpt(Span::new(start, end)))
    }

    /// The text with `span` replaced by `content`; `None` where the span leaves the text or cuts a character.
    #[must_use]
    pub fn replaced(&self, span: Span, content: &str) -> Option<Self> {
        let start = self.rope.try_byte_to_char(span.start.0).ok()?;
        let end = self.rope.try_byte_to_char(span.end.0).ok()?;
        if self.rope.char_to_byte(start) != span.start.0 || self.rope.char_to_byte(end) != span.end.0 {
            return None;
        }
        let mut rope = self.rope.clone();
        rope.try_remove(start..end).ok()?;
        rope.try_insert(start, content).ok()?;
        Some(Self::from_rope(rope))
    }
}

/// Above so many replacements a text is put together anew: each of them costs a walk down the rope.
const MANY: usize = 1_000;

impl Text {
    /// The text with every replacement of `edits` made.
    #[must_use]
    pub fn edited(&self, edits: &EditSet) -> Self {
        if edits.replacements().len() > MANY {
            let mut anew = RopeBuilder::new();
            edits.pieces(self.as_str()).for_each(|it| anew.append(it));
            return Self::from_rope(anew.finish());
        }
        // From the end, so that none moves another.
        let made = |text: Self, it: &crate::edit_set::Replacement| text.replaced(it.span, &it.text);
        edits.replacements().iter().rev().try_fold(self.clone(), made).expect("edits are made for this text")
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.rope == other.rope
    }
}

impl Eq for Text {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_where_lsp_breaks_them_and_nowhere_else() {
        let text = Text::new("a\rb\nc\r\nd\u{2028}e\u{b}f\u{c}g\u{85}h\u{2029}i");
        assert_eq!(text.line_count(), 4, "another crate switched on ropey's unicode_lines");
        assert_eq!(text.line_start(Line(3)), Byte(7));
        assert_eq!(text.line_of(Byte(6)), Line(2));
        assert_eq!((Text::new("").line_count(), Text::new("a\n").line_count()), (1, 2));
    }

    #[test]
    fn a_line_is_given_without_its_break() {
        let text = Text::new("a\r\n\r\r\nbc\n\nd");
        let lines: Vec<_> =
            (0..text.line_count()).map(|line| text.slice(text.line_content(Line(line))).unwrap()).collect();
        assert_eq!(lines, ["a", "", "", "bc", "", "d"]);
        assert!(text.line_content(Line(99)).is_empty());
    }

    #[test]
    fn a_replacement_must_fit_the_characters() {
        let text = Text::new("a🚀b");
        assert_eq!(text.replaced(Span::new(1, 5), "x").unwrap().as_str(), "axb");
        assert_eq!(text.replaced(Span::new(1, 3), "x"), None);
        assert_eq!(text.replaced(Span::new(1, 9), "x"), None);
        assert_eq!(text.as_str(), "a🚀b");
    }
}
