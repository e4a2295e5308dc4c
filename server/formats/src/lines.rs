//! The lines of a text, and the Markdown fences among them.

use crate::place::Place;

/// One line.
#[derive(Clone, Copy, Debug)]
struct Line<'a> {
    /// Its first byte.
    start: usize,
    /// With its line break.
    whole: &'a str,
}

/// A fence that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fence {
    mark: u8,
    len: usize,
    /// How many characters of white space it is indented by: those of its lines are the list's, not theirs.
    indent: usize,
}

/// All lines, the one that is next, and the fence they stand in.
#[derive(Debug)]
pub(crate) struct Lines<'a> {
    lines: Vec<Line<'a>>,
    /// The number of the next line, from 0.
    pub(crate) at: usize,
    /// The fence it stands in.
    pub(crate) fence: Option<Fence>,
    len: usize,
}

impl<'a> Lines<'a> {
    pub(crate) fn of(text: &'a str) -> Self {
        // A byte order mark is no part of the first line.
        let body = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut start = text.len() - body.len();
        let lines = body
            .split_inclusive('\n')
            .map(|whole| {
                let line = Line { start, whole };
                start += whole.len();
                line
            })
            .collect();
        Self { lines, at: 0, fence: None, len: text.len() }
    }

    pub(crate) fn count(&self) -> usize {
        self.lines.len()
    }

    /// The line without its break and without the indentation of its fence. `None` past the end.
    pub(crate) fn text(&self, number: usize) -> Option<&'a str> {
        self.whole(number).map(|it| it.strip_suffix('\n').map_or(it, |it| it.strip_suffix('\r').unwrap_or(it)))
    }

    /// The same with its break.
    pub(crate) fn whole(&self, number: usize) -> Option<&'a str> {
        let line = self.lines.get(number)?;
        let indent = self.fence.map_or(0, |it| it.indent);
        let blank = line.whole.bytes().take(indent).take_while(|it| matches!(it, b' ' | b'\t')).count();
        Some(&line.whole[blank..])
    }

    /// The line's bytes without its break; past the end, the end of the text.
    pub(crate) fn place(&self, number: usize) -> Place {
        self.lines.get(number).map_or(Place::new(self.len, self.len), |it| {
            Place::new(it.start, it.start + it.whole.trim_end_matches(['\n', '\r']).len())
        })
    }

    /// From the start of the line `first` to the end of the line `last`.
    pub(crate) fn places(&self, first: usize, last: usize) -> Place {
        self.place(first).to(self.place(last))
    }

    /// The line that holds the byte `at`.
    pub(crate) fn number_of(&self, at: usize) -> usize {
        self.lines.partition_point(|it| it.start <= at).saturating_sub(1)
    }

    /// Where the line starts.
    pub(crate) fn start(&self, number: usize) -> usize {
        self.place(number).start
    }

    /// Takes the next line as prose: a fence that it opens is open, one that it closes is closed.
    pub(crate) fn pass(&mut self) {
        let Some(line) = self.lines.get(self.at) else { return };
        match (self.fence, fence(line.whole)) {
            (None, Some((fence, _))) => self.fence = Some(fence),
            (Some(open), Some((closing, info))) if closes(open, closing, info) => self.fence = None,
            _ => {}
        }
        self.at += 1;
    }

    /// Whether the line closes the fence that is open.
    pub(crate) fn closes_fence(&self, number: usize) -> bool {
        let found = self.lines.get(number).and_then(|it| fence(it.whole));
        self.fence.zip(found).is_some_and(|(open, (closing, info))| closes(open, closing, info))
    }

    /// Whether the line opens or closes a fence.
    pub(crate) fn is_fence(&self, number: usize) -> bool {
        self.lines.get(number).is_some_and(|it| fence(it.whole).is_some())
    }

    pub(crate) fn is_blank(&self, number: usize) -> bool {
        self.lines.get(number).is_some_and(|it| it.whole.trim().is_empty())
    }
}

fn closes(open: Fence, closing: Fence, info: &str) -> bool {
    open.mark == closing.mark && closing.len >= open.len && info.is_empty()
}

/// The fence that a line is, and the words behind it.
fn fence(line: &str) -> Option<(Fence, &str)> {
    let bare = line.trim_start_matches([' ', '\t']);
    let mark = *bare.as_bytes().first().filter(|it| matches!(it, b'`' | b'~'))?;
    let len = bare.bytes().take_while(|it| *it == mark).count();
    let info = bare[len..].trim();
    let is_fence = len >= 3 && !(mark == b'`' && info.contains('`'));
    is_fence.then_some((Fence { mark, len, indent: line.len() - bare.len() }, info))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_takes_its_indentation_from_its_lines() {
        let mut lines = Lines::of("a\n  ```rust\n  x\n    y\r\n z\n  ```\n  b");
        lines.pass();
        lines.pass();
        assert_eq!((2..5).map(|it| lines.text(it).unwrap()).collect::<Vec<_>>(), ["x", "  y", "z"]);
        assert_eq!(lines.whole(3), Some("  y\r\n"));
        assert!(lines.closes_fence(5));
        (0..4).for_each(|_| lines.pass());
        assert_eq!((lines.fence, lines.text(6), lines.text(7)), (None, Some("  b"), None));
    }

    #[test]
    fn what_closes_a_fence_is_as_long_and_bare() {
        let mut lines = Lines::of("````\n```\n~~~~\n```` x\n`````\n");
        lines.pass();
        assert_eq!((1..5).map(|it| lines.closes_fence(it)).collect::<Vec<_>>(), [false, false, false, true]);
        assert!(fence("``` a`b").is_none() && fence("``").is_none() && fence("").is_none());
    }

    #[test]
    fn places_are_bytes_of_the_text() {
        let lines = Lines::of("ä\r\nb");
        assert_eq!(
            (lines.place(0), lines.place(1), lines.place(2)),
            (Place::new(0, 2), Place::new(4, 5), Place::new(5, 5))
        );
        assert_eq!((0..5).map(|it| lines.number_of(it)).collect::<Vec<_>>(), [0, 0, 0, 0, 1]);
        assert_eq!(Place::new(4, 5).line_and_column("ä\r\nb"), (1, 0));
        assert_eq!(Place::new(5, 5).line_and_column("ä\r\rbc"), (2, 1));
    }
}
