//! Edits that name lines, numbered by the base whatever the others do.

use crate::applied::{Applied, Change};
use crate::batch::{Edit, LineInsert, LineReplace, Options};
use crate::conflict::Kind;
use crate::edit_set::{EditSet, Replacement};
use crate::fit::push_break;
use crate::matching::Strategy;
use crate::placeholder::placeholder;
use crate::rows::{break_len, final_break, row_start, rows};
use crate::text::{BOM, Byte, Line, Lines, Span, Text};

/// What one line edit comes to.
pub(crate) struct LineChange {
    pub(crate) replacement: Replacement,
    pub(crate) applied: Applied,
    /// The lines of the base it takes up; for an insert the gap in front of `from`.
    taken: Taken,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Taken {
    Lines(Lines),
    Gap(Line),
}

impl LineChange {
    /// Whether two edits take up the same lines or the same gap, or one inserts inside what the other replaces.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        match (self.taken, other.taken) {
            (Taken::Lines(a), Taken::Lines(b)) => a.first <= b.last && b.first <= a.last,
            (Taken::Gap(a), Taken::Gap(b)) => a == b,
            (Taken::Lines(lines), Taken::Gap(gap)) | (Taken::Gap(gap), Taken::Lines(lines)) => {
                lines.first < gap && gap <= lines.last
            }
        }
    }
}

/// The lines of a base as line edits count them: a line break at the end of the text starts no further line. A last line
/// without a line break is taken to have one, past the end of the text, until all edits are put together.
pub(crate) struct BaseLines<'a> {
    base: &'a Text,
    /// How many there are.
    pub(crate) count: usize,
    /// The line break that the last line lacks; empty where it has one.
    lacking: &'a str,
}

impl<'a> BaseLines<'a> {
    pub(crate) fn of(base: &'a Text) -> Self {
        let text = base.as_str();
        let is_empty = text.is_empty() || text == BOM;
        let terminated = is_empty || !final_break(text).is_empty();
        let lacking = if terminated { "" } else { above(text, text.len()).unwrap_or("\n") };
        Self { base, count: base.line_count() - usize::from(terminated), lacking }
    }

    /// What `edit` comes to, or what is wrong with it; `None` where it is no line edit.
    pub(crate) fn change(&self, edit: &Edit, options: &Options) -> Option<Result<LineChange, Kind>> {
        match edit {
            Edit::FindReplace(_) => None,
            Edit::LineReplace(it) => Some(self.replace(it, options)),
            Edit::LineInsert(it) => Some(self.insert(it)),
        }
    }

    fn replace(&self, edit: &LineReplace, options: &Options) -> Result<LineChange, Kind> {
        let lines = Lines { first: edit.from, last: edit.to };
        if edit.to < edit.from || edit.to.0 >= self.count {
            return Err(Kind::OutOfRange { lines, line_count: self.count });
        }
        let there = &self.base.as_str()[self.start(edit.from).0..self.start(Line(edit.to.0 + 1)).0];
        if let Some(expected) = &edit.expected_text {
            expect(lines, there, expected)?;
        }
        if options.partial_only && (lines.first.0, lines.last.0 + 1) == (0, self.count) {
            return Err(Kind::WholeDocument);
        }
        if let Some(line) = placeholder(there, &edit.new_text).filter(|_| !options.allow_placeholders) {
            return Err(Kind::Placeholder { line });
        }
        let change =
            Change::Replace { lines, removed_lines: rows(there).count(), inserted_lines: rows(&edit.new_text).count() };
        Ok(self.made(lines.first, Line(lines.last.0 + 1), &edit.new_text, change, Taken::Lines(lines)))
    }

    fn insert(&self, edit: &LineInsert) -> Result<LineChange, Kind> {
        if edit.from.0 > self.count {
            let lines = Lines { first: edit.from, last: edit.from };
            return Err(Kind::OutOfRange { lines, line_count: self.count });
        }
        let change = Change::Insert { from: edit.from, inserted_lines: rows(&edit.new_text).count() };
        Ok(self.made(edit.from, edit.from, &edit.new_text, change, Taken::Gap(edit.from)))
    }

    /// `new` in place of the lines from `from` up to `end`.
    fn made(&self, from: Line, end: Line, new: &str, change: Change, taken: Taken) -> LineChange {
        let text = self.base.as_str();
        let (start, stop) = (self.start(from), self.start(end));
        let there = &text[start.0..stop.0];
        let ending = first_break(&text[start.0..]).or_else(|| above(text, start.0)).unwrap_or("\n");
        // A text without lines has no ending to take on.
        let put = if self.count == 0 { new.to_owned() } else { terminated(&text[..start.0], new, ending) };
        let no_change = there == put || (end.0 == self.count && there == put.strip_suffix(ending).unwrap_or(&put));
        let past_end = |line: Line| if line.0 == self.count { self.lacking.len() } else { 0 };
        LineChange {
            replacement: Replacement::new(Span::new(start.0 + past_end(from), stop.0 + past_end(end)), put),
            applied: Applied { change, no_change, strategy: Strategy::Lines, occurrences: 1 },
            taken,
        }
    }

    /// Where a line starts; a BOM is no part of the first.
    pub(crate) fn start(&self, line: Line) -> Byte {
        match line.0 {
            0 if self.base.as_str().starts_with(BOM) => Byte(BOM.len()),
            _ => self.base.line_start(line),
        }
    }

    /// All changes as one set: they speak of the base, in any order, and do not overlap.
    pub(crate) fn together<'b>(&self, changes: impl IntoIterator<Item = &'b LineChange>) -> EditSet {
        let mut sorted: Vec<_> = changes.into_iter().map(|it| it.replacement.clone()).collect();
        sorted.sort_by_key(|it| (it.span.start, it.span.end));
        let mut joined: Vec<Replacement> = Vec::new();
        for it in sorted {
            match joined.last_mut().filter(|last| last.span.end == it.span.start) {
                Some(last) => {
                    *last = Replacement::new(
                        Span { start: last.span.start, end: it.span.end },
                        [&*last.text, &*it.text].concat(),
                    );
                }
                None => joined.push(it),
            }
        }
        if let Some(last) = joined.last_mut() {
            self.keep_open_end(last);
        }
        EditSet::new(joined).expect("line edits that overlap were refused")
    }

    /// The document's last line stays unterminated where it was.
    fn keep_open_end(&self, last: &mut Replacement) {
        let text = self.base.as_str();
        if self.lacking.is_empty() || last.span.end.0 <= text.len() {
            return;
        }
        let mut put = last.text.to_string();
        put.truncate(put.len() - final_break(&put).len());
        let start = if last.span.start.0 > text.len() {
            if !last.text.is_empty() {
                put.insert_str(0, self.lacking);
            }
            text.len()
        } else if last.text.is_empty() {
            last.span.start.0 - final_break(&text[..last.span.start.0]).len()
        } else {
            last.span.start.0
        };
        *last = Replacement::new(Span::new(start, text.len()), put);
    }
}

/// The lines must hold what the author expects, line endings and trailing white space aside.
fn expect(lines: Lines, there: &str, expected: &str) -> Result<(), Kind> {
    let mut want = rows(expected);
    for (offset, stands) in rows(there).enumerate() {
        if want.next().map_or("", |it| it.trimmed()) != stands.trimmed() {
            return Err(Kind::ContentMismatch { lines, differs: Line(lines.first.0 + offset) });
        }
    }
    if want.any(|it| !it.is_blank()) {
        return Err(Kind::ContentMismatch { lines, differs: Line(lines.last.0 + 1) });
    }
    Ok(())
}

fn first_break(text: &str) -> Option<&str> {
    let at = memchr::memchr2(b'\n', b'\r', text.as_bytes())?;
    Some(&text[at..at + break_len(&text[at..])])
}

/// The last line break in front of `at`, which may end the line above or stand further off.
fn above(text: &str, at: usize) -> Option<&str> {
    Some(final_break(&text[..row_start(text, at)])).filter(|it| !it.is_empty())
}

/// The lines of `text`, each ended by `ending`, to stand behind `front`.
fn terminated(front: &str, text: &str, ending: &str) -> String {
    let last = &front[front.len() - final_break(front).len()..];
    let mut out = last.to_owned();
    for row in rows(text) {
        out.push_str(row.text);
        push_break(&mut out, ending);
    }
    out.split_off(last.len())
}
