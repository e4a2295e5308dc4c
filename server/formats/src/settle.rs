//! What the hints of an edit come to in a document: one line, or nothing.

use crate::batch::{Hints, Replace};

/// What the hints of an edit come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Settled {
    /// The edit is to be looked up; among several places, the one that starts on this line, from 0.
    Look {
        /// The only line that all hints agree on; nothing where there is none.
        at_line: Option<usize>,
    },
    /// The old text is whole lines, and stands there as a part of longer ones alone: on this line first.
    InsideLine {
        /// From 0.
        line: usize,
    },
    /// The old text is the end of the document, and stands there elsewhere alone.
    NotAtEnd,
}

/// Lines above an edit that are looked up. More than a few are no hint any more.
const NARROWING: usize = 8;

/// What the hints of `edit` come to in `document`. They only ever choose among the places where the old text stands:
/// which those are, and whether one is enough, is not decided here. Linear in both texts.
pub fn settle(document: &str, edit: &Replace) -> Settled {
    let Hints { whole_lines, at_line, narrow, at_end } = &edit.hints;
    let is_plain = !whole_lines && narrow.is_empty() && !at_end;
    if is_plain || edit.old_text.is_empty() {
        return Settled::Look { at_line: *at_line };
    }
    let document_rows: Vec<&str> = rows(document).collect();
    let old_rows: Vec<&str> = rows(&edit.old_text).map(str::trim_end).collect();
    let mut places = windows(&document_rows, &old_rows);
    if places.is_empty() {
        return match document.find(&*edit.old_text).filter(|_| *whole_lines) {
            Some(at) => Settled::InsideLine {
                line: rows(&document[..at]).count().saturating_sub(usize::from(!starts_line(document, at))),
            },
            None => Settled::Look { at_line: *at_line },
        };
    }
    if *at_end {
        let last = document_rows.iter().rposition(|it| !it.trim().is_empty()).map_or(0, |it| it + 1);
        places.retain(|it| it + old_rows.len() >= last);
        if places.is_empty() {
            return Settled::NotAtEnd;
        }
    }
    let hinted = at_line.filter(|it| places.contains(it));
    let only = || (places.len() == 1).then(|| places[0]);
    Settled::Look { at_line: hinted.or_else(only).or_else(|| narrowed(&document_rows, narrow, &places)) }
}

fn starts_line(text: &str, at: usize) -> bool {
    at == 0 || text[..at].ends_with(['\n', '\r'])
}

/// The lines of a text without what ends them: LF, CRLF or CR. A break at the end starts no further line.
fn rows(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = memchr::memchr2(b'\n', b'\r', rest.as_bytes()).unwrap_or(rest.len());
        let row = &rest[..end];
        let broken = &rest[end..];
        rest = broken.strip_prefix("\r\n").or_else(|| broken.get(1..)).unwrap_or_default();
        Some(row)
    })
}

/// Where the rows `sought` stand in `text`, white space at their ends aside: Knuth, Morris and Pratt's search.
fn windows(text: &[&str], sought: &[&str]) -> Vec<usize> {
    let mut borders = vec![0];
    for row in sought.iter().skip(1) {
        let mut border = borders[borders.len() - 1];
        while border > 0 && sought[border] != *row {
            border = borders[border - 1];
        }
        borders.push(border + usize::from(sought[border] == *row));
    }
    let mut found = Vec::new();
    let mut matched = 0;
    for (number, row) in text.iter().map(|it| it.trim_end()).enumerate() {
        while matched > 0 && sought.get(matched) != Some(&row) {
            matched = borders[matched - 1];
        }
        matched += usize::from(sought.get(matched) == Some(&row));
        if matched == sought.len() {
            found.push(number + 1 - matched);
        }
    }
    found
}

/// The only one of `places` in the scope of the lines `above`; where there is none, the only one below them.
fn narrowed(rows: &[&str], above: &[String], places: &[usize]) -> Option<usize> {
    if above.is_empty() || above.len() > NARROWING {
        return None;
    }
    let mut scope = 0..rows.len();
    for line in above {
        let number = scope.start + only_row(&rows[scope.clone()], line.trim())?;
        scope = number + 1..scope_end(rows, number, scope.end);
    }
    let only = |within: std::ops::Range<usize>| {
        let mut found = places.iter().filter(|it| within.contains(it));
        let first = found.next();
        (first.copied(), found.next().is_some())
    };
    match only(scope.clone()) {
        (Some(place), false) => Some(place),
        (Some(_), true) => None,
        (None, _) => match only(scope.start..rows.len()) {
            (place, false) => place,
            (_, true) => None,
        },
    }
}

/// The only row that is `line`; where none is, the only one that starts with it.
fn only_row(rows: &[&str], line: &str) -> Option<usize> {
    let only = |fits: &dyn Fn(&str) -> bool| {
        let mut found = rows.iter().enumerate().filter(|it| fits(it.1.trim())).map(|it| it.0);
        (found.next(), found.next().is_some())
    };
    match only(&|it| it == line) {
        (None, _) => match only(&|it| it.starts_with(line)) {
            (found, false) => found,
            (_, true) => None,
        },
        (found, false) => found,
        (_, true) => None,
    }
}

/// The row that ends what `number` opens: the next that is indented no deeper, brackets aside.
fn scope_end(rows: &[&str], number: usize, end: usize) -> usize {
    let indent = |row: &str| row.len() - row.trim_start().len();
    let ends = |row: &str| {
        !row.trim().is_empty() && indent(row) <= indent(rows[number]) && !row.trim_start().starts_with(['{', '(', ')'])
    };
    (number + 1..end).find(|it| ends(rows[*it])).unwrap_or(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = "\
class A:
    def run(self):
        go(1)
        stop()

    def walk(self):
        go(1)
        stop()

class B(A):
    def run(self):
        go(1)
        stop()
";

    #[track_caller]
    fn check(document: &str, old: &str, hints: Hints, expected: Settled) {
        let edit = Replace { old_text: old.to_owned(), hints, ..Replace::default() };
        assert_eq!(settle(document, &edit), expected);
    }

    fn whole(at_line: Option<usize>, narrow: &[&str], at_end: bool) -> Hints {
        Hints { whole_lines: true, at_line, narrow: narrow.iter().map(|it| (*it).to_owned()).collect(), at_end }
    }

    fn look(at_line: impl Into<Option<usize>>) -> Settled {
        Settled::Look { at_line: at_line.into() }
    }

    #[test]
    fn what_stands_above_chooses_one_place_or_none() {
        let check = |narrow: &[&str], expected: Option<usize>| {
            check(DOCUMENT, "        go(1)\n", whole(None, narrow, false), look(expected))
        };
        check(&[], None);
        check(&["class B(A):"], Some(11));
        check(&["class B"], Some(11));
        check(&["class A:"], None);
        check(&["class A:", "def walk(self):"], Some(6));
        check(&["class A:", "    def run(self):"], Some(2));
        check(&["class B(A):", "def run(self):"], Some(11));
        // It stands twice, or nowhere: it says nothing.
        check(&["def run(self):"], None);
        check(&["class C:"], None);
        check(&["class B(A):", "def walk(self):"], None);
        check(&["class A:"; 9], None);
    }

    #[test]
    fn a_line_that_opens_nothing_narrows_to_what_is_below() {
        check("import a\nx\nimport b\nx\n", "x\n", whole(None, &["import b"], false), look(3));
        check("import a\nx\nimport b\nx\n", "x\n", whole(None, &["import a"], false), look(None));
    }

    #[test]
    fn a_line_number_chooses_where_the_text_stands_and_nowhere_else() {
        check(DOCUMENT, "        go(1)\n", whole(Some(6), &[], false), look(6));
        check(DOCUMENT, "        go(1)\n", whole(Some(5), &[], false), look(None));
        check(DOCUMENT, "        go(1)\n", whole(Some(5), &["class B"], false), look(11));
        check(DOCUMENT, "    def walk(self):\r\n", whole(Some(99), &[], false), look(5));
        // What does not stand there may be found by looking past white space, and then the line may count.
        check(DOCUMENT, "\tgo(1)\n", whole(Some(6), &[], false), look(6));
        check(DOCUMENT, "", whole(Some(6), &[], false), look(6));
        check("a a\n", "a", Hints { at_line: Some(0), ..Hints::default() }, look(0));
    }

    #[test]
    fn whole_lines_are_no_parts_of_longer_ones() {
        check("max = 1\n", "x = 1\n", whole(None, &[], false), Settled::InsideLine { line: 0 });
        check("a\r\nmax = 1\r\ny\n", "x = 1\r\n", whole(None, &[], false), Settled::InsideLine { line: 1 });
        check("        go(1)\n", "    go(1)\n", whole(None, &[], false), Settled::InsideLine { line: 0 });
        check("a\nb = 1 + 2\n", "b = 1", whole(None, &[], false), Settled::InsideLine { line: 1 });
        check("max = 1\nx = 1\n", "x = 1\n", whole(None, &[], false), look(1));
        check("a\rb\rb = 1\r", "b\n", whole(None, &[], false), look(1));
    }

    #[test]
    fn the_end_of_a_document_is_at_its_end() {
        check("a\nb\na\n", "a\n", whole(None, &[], true), look(2));
        check("a\nb\na", "a\n", whole(None, &[], true), look(2));
        check("a\nb\na\n\n", "a\n", whole(None, &[], true), look(2));
        check("a\nb\n", "a\n", whole(None, &[], true), Settled::NotAtEnd);
    }

    #[test]
    fn windows_overlap() {
        assert_eq!(windows(&["a", "a", "a ", "b", "a", "a"], &["a", "a"]), [0, 1, 4]);
        assert_eq!(windows(&["a", "b", "a", "b", "a", "c"], &["a", "b", "a", "c"]), [2]);
        assert_eq!(windows(&[], &["a"]), [0; 0]);
    }
}
