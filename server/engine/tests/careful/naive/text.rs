//! Lines and words as the specification counts them.

/// A line of a text: `text[start..end]`, of which `text[start..content]` is in front of the line break.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) content: &'a str,
}

impl Line<'_> {
    pub(crate) fn is_blank(&self) -> bool {
        self.content.trim_matches(SPACE).is_empty()
    }

    pub(crate) fn is_terminated(&self) -> bool {
        self.start + self.content.len() < self.end
    }

    pub(crate) fn indent(&self) -> &str {
        &self.content[..self.content.len() - self.content.trim_start_matches(SPACE).len()]
    }
}

/// White space on a line; all others are typography.
pub(crate) const SPACE: [char; 4] = [' ', '\t', '\u{b}', '\u{c}'];

/// The lines of `text`; nothing stands behind a last line break.
pub(crate) fn lines(text: &str) -> Vec<Line<'_>> {
    let mut start = 0;
    let split = crate::samples::split_lines(text).into_iter().map(|line| {
        let content = crate::samples::without_last_break(line);
        start += line.len();
        Line { start: start - line.len(), end: start, content }
    });
    split.collect()
}

/// How many line breaks `text` holds.
pub(crate) fn breaks(text: &str) -> usize {
    lines(text).iter().filter(|it| it.is_terminated()).count()
}

/// `text` with every line break as `\n`.
pub(crate) fn same_breaks(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// Maximal runs without white space, with where they start.
pub(crate) fn tokens(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut start = 0;
    for part in text.split([' ', '\t', '\u{b}', '\u{c}', '\n', '\r']) {
        if !part.is_empty() {
            found.push((start, part));
        }
        start += part.len() + 1;
    }
    found
}

/// Whether `text` holds what is white space, or nothing at all, to typography alone: what is a token or a blank line then
/// is left open.
pub(crate) fn is_open(text: &str) -> bool {
    text.contains(['\u{a0}', '\u{feff}', '\u{200b}'])
}
