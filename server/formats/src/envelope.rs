//! The `*** Begin Patch` … `*** End Patch` envelope.

use crate::batch::{Change, Edit, Format, Hints, Over};
use crate::hunk::{Hunk, kind};
use crate::place::Place;
use crate::reader::Reader;
use crate::unified;

const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";
const ADD: &str = "*** Add File:";
const DELETE: &str = "*** Delete File:";
const UPDATE: &str = "*** Update File:";
const MOVE: &str = "*** Move to:";
const END_OF_FILE: &str = "*** End of File";

/// Takes the envelope that starts on the next line, if one does.
pub(crate) fn read(reader: &mut Reader<'_>) -> bool {
    let first = reader.lines.at;
    let line = reader.lines.text(first).unwrap_or_default().trim();
    let is_stray = line == END || [ADD, DELETE, UPDATE].iter().any(|it| line.starts_with(it));
    if is_stray {
        reader.wrong(reader.lines.place(first), format!("expected `{BEGIN}` above: this belongs into an envelope"));
        reader.taken_to(first + 1);
    }
    if line != BEGIN {
        return is_stray;
    }
    let mut body = Body { reader, at: first + 1 };
    body.sections(first);
    let end = body.at;
    reader.taken_to(end);
    true
}

/// The lines between the two ends, read one after the other.
struct Body<'r, 'a> {
    reader: &'r mut Reader<'a>,
    at: usize,
}

impl<'a> Body<'_, 'a> {
    fn sections(&mut self, first: usize) {
        let mut count = 0;
        loop {
            let Some(line) = self.line() else {
                let message = format!("expected `{END}` to close the envelope that line {} opens", first + 1);
                return self.wrong(self.at, message);
            };
            let place = self.reader.lines.place(self.at);
            self.at += 1;
            if line.trim() == END {
                if count == 0 {
                    self.wrong(self.at - 1, format!("expected `{ADD}`, `{UPDATE}` or `{DELETE}` in the envelope"));
                }
                return;
            }
            if line.trim().is_empty() {
                continue;
            }
            count += 1;
            if let Some(name) = self.named(line, ADD) {
                self.add(name, place);
            } else if let Some(name) = self.named(line, DELETE) {
                self.found(name, place, Change::Delete { expected: None });
            } else if let Some(name) = self.named(line, UPDATE) {
                self.update(name, place);
            } else {
                if line.trim() == BEGIN {
                    return self
                        .wrong(self.at - 1, format!("expected `{END}` above: envelopes do not stand in each other"));
                }
                self.wrong(self.at - 1, format!("expected `{ADD}`, `{UPDATE}`, `{DELETE}` or `{END}`"));
                self.skip();
            }
        }
    }

    /// The path behind `header`; an empty one where it is wrong.
    fn named(&mut self, line: &'a str, header: &str) -> Option<&'a str> {
        let name = line.trim().strip_prefix(header)?.trim();
        if name.is_empty() {
            self.wrong(self.at - 1, format!("expected a path behind `{header}`"));
        }
        Some(name)
    }

    fn add(&mut self, name: &str, place: Place) {
        let mut content = String::new();
        while let Some(line) = self.line().filter(|it| !it.starts_with("***")) {
            let whole = self.reader.lines.whole(self.at).unwrap_or_default();
            match whole.strip_prefix('+') {
                Some(added) => content.push_str(added),
                // Empty lines in front of the next section part it off.
                None if line.is_empty() && self.is_gap() => break,
                None => {
                    self.wrong(self.at, "expected `+` in front of each line of the new file");
                    return self.skip();
                }
            }
            self.at += 1;
        }
        self.skip_gap();
        self.found(name, place, Change::Create { content, over: Over::Nothing });
    }

    fn update(&mut self, name: &str, place: Place) {
        let header = self.at - 1;
        let mut to = None;
        if let Some(line) = self.line().filter(|it| it.trim().starts_with(MOVE)) {
            self.at += 1;
            to = self.named(line, MOVE).map(str::to_owned);
        }
        let mut edits = Vec::new();
        let mut is_right = true;
        while let Some(line) = self.line().filter(|it| !is_header(it)) {
            if line.is_empty() && self.is_gap() {
                self.skip_gap();
                continue;
            }
            match self.hunk() {
                Some(edit) => edits.push(edit),
                None => is_right = false,
            }
        }
        match to {
            _ if !is_right => {}
            Some(to) => self.found(name, place, Change::Rename { to, edits }),
            None if edits.is_empty() => self.wrong(header, "expected at least one hunk, or `*** Move to:`, below"),
            None => self.found(name, place, Change::Edit(edits)),
        }
    }

    /// One hunk: lines `@@ CONTEXT`, then what is kept, removed and added.
    fn hunk(&mut self) -> Option<Edit> {
        let first = self.at;
        let mut hints = Hints::default();
        while let Some(context) = self.line().and_then(|it| it.strip_prefix("@@")) {
            if let Some(range) = unified::range(context) {
                hints.at_line = range.hint();
            } else if context.starts_with('@') {
                self.wrong(self.at, "a combined diff has no single old text: expected `@@`");
                self.skip();
                return None;
            } else if !context.trim().is_empty() {
                hints.narrow.push(context.trim().to_owned());
            }
            self.at += 1;
        }
        let mut hunk = Hunk::default();
        let mut changes = false;
        while let Some(line) = self.line().filter(|it| !is_header(it) && !it.starts_with("@@")) {
            if line.is_empty() {
                if self.is_gap() {
                    break;
                }
                // Each of them has lost the space in front of it.
                while self.line().is_some_and(str::is_empty) {
                    hunk.push(self.reader.lines.whole(self.at).unwrap_or_default());
                    self.at += 1;
                }
                continue;
            }
            let whole = self.reader.lines.whole(self.at).unwrap_or_default();
            if line.trim_end() == END_OF_FILE {
                hints.at_end = true;
                self.at += 1;
                break;
            }
            if !hunk.push(whole) {
                self.wrong(self.at, "expected a line that starts with a space, `-` or `+`, or `@@`");
                self.skip();
                return None;
            }
            changes |= kind(whole).is_some_and(|it| it.0 != ' ');
            self.at += 1;
        }
        let last = self.at.max(first + 1) - 1;
        self.skip_gap();
        let place = self.reader.lines.places(first, last);
        if hunk.is_empty() || !changes {
            self.wrong_at(place, "expected lines that start with `-` or `+` in the hunk");
            return None;
        }
        if hunk.old_lines == 0 {
            self.wrong_at(place, "the hunk adds lines and says not where: expected lines of the file around them");
            return None;
        }
        Some(hunk.edit(place, hints))
    }

    /// Whether the empty lines from here on only part this hunk from what comes next.
    fn is_gap(&self) -> bool {
        let mut lines = (self.at..).map_while(|it| self.reader.lines.text(it));
        lines.find(|it| !it.is_empty()).is_none_or(|it| is_header(it) || it.starts_with("@@"))
    }

    fn skip_gap(&mut self) {
        while self.line().is_some_and(str::is_empty) {
            self.at += 1;
        }
    }

    /// Skips to the next section.
    fn skip(&mut self) {
        while self.line().is_some_and(|it| !is_header(it)) {
            self.at += 1;
        }
    }

    fn line(&self) -> Option<&'a str> {
        // Nothing of an envelope stands behind the fence that it stands in.
        self.reader.lines.text(self.at).filter(|_| !self.reader.lines.closes_fence(self.at))
    }

    fn found(&mut self, name: &str, place: Place, change: Change) {
        if !name.is_empty() {
            self.reader.found(Format::Envelope, name.to_owned(), place, change);
        }
    }

    fn wrong(&mut self, line: usize, message: impl Into<String>) {
        let place = self.reader.lines.place(line);
        self.wrong_at(place, message);
    }

    fn wrong_at(&mut self, place: Place, message: impl Into<String>) {
        self.reader.wrong(place, message);
    }
}

/// Whether a line starts another section or ends the envelope.
fn is_header(line: &str) -> bool {
    let line = line.trim_end();
    [ADD, DELETE, UPDATE].iter().any(|it| line.starts_with(it)) || line == END || line == BEGIN
}
