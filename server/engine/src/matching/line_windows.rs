//! Tiers 2 and 3: whole lines, compared without the white space at their ends, then without a uniform shift.

use super::query::{Exhausted, Query};
use crate::fit::{Endings, with_endings_of};
use crate::fold::is_plain_space;
use crate::rows::{Row, final_break, rows};
use crate::text::Span;

pub(crate) fn find_trimmed(query: &Query<'_>, visit: &mut dyn FnMut(Span)) -> Result<(), Exhausted> {
    for_each_window(query, |span, place| {
        if query.rows().iter().zip(place).all(|(a, b)| a.trimmed() == b.trimmed()) {
            visit(span);
        }
    })
}

pub(crate) fn fit_trimmed(query: &Query<'_>, span: Span) -> Option<String> {
    let place: Vec<_> = rows(&query.text()[span.range()]).collect();
    let new: Vec<_> = rows(query.new).collect();
    Some(with_endings_of(&place, query.rows(), &new, Endings::near(query.text(), span)))
}

pub(crate) fn find_shifted(query: &Query<'_>, visit: &mut dyn FnMut(Span)) -> Result<(), Exhausted> {
    for_each_window(query, |span, place| {
        if Shift::between(query.rows(), place).is_some() {
            visit(span);
        }
    })
}

pub(crate) fn fit_shifted(query: &Query<'_>, span: Span) -> Option<String> {
    let place: Vec<_> = rows(&query.text()[span.range()]).collect();
    let shift = Shift::between(query.rows(), &place)?;
    let moved: Vec<(String, &str)> = rows(query.new).map(|row| (shift.moved(&row), row.line_break)).collect();
    let new: Vec<_> = moved.iter().map(|(text, line_break)| Row { text, line_break }).collect();
    let old_moved: Vec<String> = query.rows().iter().map(|row| shift.moved(row)).collect();
    let old: Vec<_> = old_moved.iter().zip(query.rows()).map(|(text, it)| Row { text, ..*it }).collect();
    Some(with_endings_of(&place, &old, &new, Endings::near(query.text(), span)))
}

/// Visits the lines around every core that are as many as those of `old`, blank where they are blank.
fn for_each_window(query: &Query<'_>, mut visit: impl FnMut(Span, &[Row<'_>])) -> Result<(), Exhausted> {
    let mut place = Vec::new();
    for core in query.cores() {
        if let Some(span) = window(query, *core) {
            query.spend(span.len() + query.old.len())?;
            place.clear();
            place.extend(rows(&query.text()[span.range()]));
            let alike = |(a, b): (&Row<'_>, &Row<'_>)| a.is_blank() == b.is_blank();
            if place.len() == query.rows().len() && query.rows().iter().zip(&place).all(alike) {
                visit(span, &place);
            }
        }
    }
    Ok(())
}

/// The lines that hold `core` and nothing else, with as many blank ones around it as `old` has.
fn window(query: &Query<'_>, core: Span) -> Option<Span> {
    let text = query.text();
    let inside = |c: char| is_plain_space(c) && !matches!(c, '\n' | '\r');
    let blank_front = query.rows().iter().take_while(|it| it.is_blank()).count();
    let blank_behind = query.rows().iter().rev().take_while(|it| it.is_blank()).count();

    let mut front = text[..core.start.0].trim_end_matches(inside);
    for _ in 0..blank_front {
        front = front.strip_suffix(Some(final_break(front)).filter(|it| !it.is_empty())?)?.trim_end_matches(inside);
    }
    let starts_line = front.is_empty() || front.ends_with(['\n', '\r']) || front == "\u{feff}";

    let mut behind = text[core.end.0..].trim_start_matches(inside);
    for _ in 0..blank_behind {
        behind = rest_after_break(behind)?.trim_start_matches(inside);
    }
    let ends_line = behind.is_empty() || behind.starts_with(['\n', '\r']);
    if !final_break(query.old).is_empty() {
        behind = rest_after_break(behind)?;
    }
    (starts_line && ends_line).then(|| Span::new(front.len(), text.len() - behind.len()))
}

fn rest_after_break(text: &str) -> Option<&str> {
    match crate::rows::break_len(text) {
        0 => None,
        len => Some(&text[len..]),
    }
}

/// A uniform shift: every line starts with `written` in `old` and with `stands` instead in the document.
struct Shift<'a> {
    written: &'a str,
    stands: &'a str,
    /// What all lines of `old` start with.
    common: &'a str,
}

impl<'a> Shift<'a> {
    fn between(old: &[Row<'a>], place: &[Row<'a>]) -> Option<Self> {
        let mut pairs = old.iter().zip(place).filter(|(a, _)| !a.is_blank()).map(|(a, b)| (a.indent(), b.indent()));
        let (written, stands) = pairs.clone().next()?;
        let shared = written.bytes().rev().zip(stands.bytes().rev()).take_while(|(a, b)| a == b).count();
        let (written, stands) = (&written[..written.len() - shared], &stands[..stands.len() - shared]);
        let one_way = written.is_empty() || stands.is_empty();
        let uniform = pairs.all(|(a, b)| match (a.strip_prefix(written), b.strip_prefix(stands)) {
            (Some(a), Some(b)) => a == b,
            _ => false,
        });
        let bodies = old.iter().zip(place).all(|(a, b)| a.body() == b.body());
        let common = old.iter().filter(|it| !it.is_blank()).map(Row::indent).reduce(common_prefix)?;
        (one_way && uniform && bodies).then_some(Self { written, stands, common })
    }

    /// A line of the author's, moved to its place. What is indented less than all of `old` stays as written.
    fn moved(&self, row: &Row<'_>) -> String {
        match row.text.strip_prefix(self.written) {
            Some(rest) if !row.is_blank() && row.text.starts_with(self.common) => format!("{}{rest}", self.stands),
            _ => row.text.to_owned(),
        }
    }
}

fn common_prefix<'a>(a: &'a str, b: &'a str) -> &'a str {
    &a[..a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count()]
}
