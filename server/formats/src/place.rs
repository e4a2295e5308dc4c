//! Where something stands in the text that was read, and what is wrong there.

use std::ops::Range;

/// A stretch of the text, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Its first byte.
    pub start: usize,
    /// The byte after its last.
    pub end: usize,
}

impl Place {
    /// From `start` up to `end`.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// As a range of bytes.
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// The line it starts on and the characters in front of it there, both from 0. LF, CRLF and CR end lines.
    pub fn line_and_column(self, text: &str) -> (usize, usize) {
        let front = &text[..self.start];
        let breaks = front.bytes().filter(|it| *it == b'\n').count();
        let lone = front.match_indices('\r').filter(|(at, _)| text.as_bytes().get(at + 1) != Some(&b'\n')).count();
        let line_start = front.rfind(['\n', '\r']).map_or(0, |it| it + 1);
        (breaks + lone, front[line_start..].chars().count())
    }

    pub(crate) fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// What is wrong with a text that is meant to be a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where.
    pub place: Place,
    /// What is wrong and what was expected: a sentence without its end.
    pub message: String,
}

impl Problem {
    pub(crate) fn new(place: Place, message: impl Into<String>) -> Self {
        Self { place, message: message.into() }
    }
}
