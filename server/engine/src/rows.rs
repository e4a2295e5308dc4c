//! A text as its lines, each in its parts: indentation, what stands there, white space behind, line break.

use crate::fold::is_plain_space;
use crate::steps;

/// One line of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row<'a> {
    /// It without its line break.
    pub(crate) text: &'a str,
    /// `\n`, `\r\n`, `\r`, or nothing at the end of the text.
    pub(crate) line_break: &'a str,
}

impl<'a> Row<'a> {
    /// The white space in front; all of a blank line.
    pub(crate) fn indent(&self) -> &'a str {
        &self.text[..self.text.len() - self.text.trim_start_matches(is_plain_space).len()]
    }

    /// It without white space in front and behind.
    pub(crate) fn body(&self) -> &'a str {
        self.text.trim_matches(is_plain_space)
    }

    /// It without white space behind.
    pub(crate) fn trimmed(&self) -> &'a str {
        self.text.trim_end_matches(is_plain_space)
    }

    pub(crate) fn is_blank(&self) -> bool {
        self.text.chars().all(is_plain_space)
    }

    /// Its length in bytes, line break included.
    pub(crate) fn len(&self) -> usize {
        self.text.len() + self.line_break.len()
    }
}

/// The lines of `text`. A line break at its end starts no further line.
pub(crate) fn rows(text: &str) -> Rows<'_> {
    Rows { rest: text }
}

/// Iterates over the lines of a text.
#[derive(Clone)]
pub(crate) struct Rows<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Rows<'a> {
    type Item = Row<'a>;

    fn next(&mut self) -> Option<Row<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let end = memchr::memchr2(b'\n', b'\r', self.rest.as_bytes()).unwrap_or(self.rest.len());
        steps::count(end + 1);
        let (text, rest) = self.rest.split_at(end);
        let (line_break, rest) = rest.split_at(break_len(rest));
        self.rest = rest;
        Some(Row { text, line_break })
    }
}

/// How long the line break is that `text` starts with, in bytes.
pub(crate) fn break_len(text: &str) -> usize {
    match text.as_bytes() {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

/// The line break that `text` ends with; empty where it does not.
pub(crate) fn final_break(text: &str) -> &str {
    let len = match text.as_bytes() {
        [.., b'\r', b'\n'] => 2,
        [.., b'\r' | b'\n'] => 1,
        _ => 0,
    };
    &text[text.len() - len..]
}

/// Where the line that holds `offset` starts, in bytes.
pub(crate) fn row_start(text: &str, offset: usize) -> usize {
    let at = memchr::memrchr2(b'\n', b'\r', &text.as_bytes()[..offset]).map_or(0, |it| it + 1);
    steps::count(offset - at);
    at
}

/// Where the line that holds `offset` ends, in bytes, its line break left out.
pub(crate) fn row_end(text: &str, offset: usize) -> usize {
    let at = memchr::memchr2(b'\n', b'\r', &text.as_bytes()[offset..]).map_or(text.len(), |it| offset + it);
    steps::count(at - offset);
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_its_lines() {
        let parts: Vec<_> = rows("a\r\n\n \rb").map(|it| (it.text, it.line_break)).collect();
        assert_eq!(parts, [("a", "\r\n"), ("", "\n"), (" ", "\r"), ("b", "")]);
        assert_eq!((rows("").count(), rows("a\n").count(), rows("\u{2028}").count()), (0, 1, 1));
    }
}
