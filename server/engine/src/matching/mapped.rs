//! Tiers 5 to 7: line by line, with the indentation carried over; white space, then typography, then spacing ignored.

use super::query::{Exhausted, Query};
use super::windows::Block;
use crate::fold::{fold, is_plain_space, is_space, is_word};
use crate::indent::{IndentMap, indent_of};
use crate::kept::{is_blank, kept};
use crate::rows::{Row, row_end, row_start, rows};
use crate::text::Span;

/// How a tier compares lines.
#[derive(Clone, Copy)]
struct Reading {
    /// Whether two lines are the same, white space in front and behind aside.
    alike: fn(&str, &str) -> bool,
    /// Whether a line may be missing or added.
    is_blank: fn(&Row<'_>) -> bool,
}

const TOKENS: Reading = Reading { alike: same_tokens, is_blank: |row| row.is_blank() };
const FOLDED: Reading = Reading { alike: same_folded, is_blank };
const SPACED: Reading = Reading { alike: same_but_for_spacing, is_blank: |row| row.is_blank() };

pub(crate) fn find_mapped(query: &Query<'_>, visit: &mut dyn FnMut(Span)) -> Result<(), Exhausted> {
    find_lines(query, TOKENS, visit)
}

pub(crate) fn fit_mapped(query: &Query<'_>, span: Span) -> Option<String> {
    fit(query, span, TOKENS)
}

pub(crate) fn find_typography(query: &Query<'_>, visit: &mut dyn FnMut(Span)) -> Result<(), Exhausted> {
    find_anywhere(query, FOLDED, visit)
}

pub(crate) fn fit_typography(query: &Query<'_>, span: Span) -> Option<String> {
    fit(query, span, FOLDED)
}

pub(crate) fn find_spacing(query: &Query<'_>, visit: &mut dyn FnMut(Span)) -> Result<(), Exhausted> {
    find_anywhere(query, SPACED, visit)
}

pub(crate) fn fit_spacing(query: &Query<'_>, span: Span) -> Option<String> {
    fit(query, span, SPACED)
}

/// The same tokens, with a run of white space where there is one.
fn same_tokens(a: &str, b: &str) -> bool {
    let tokens = |text| str::split(text, is_plain_space).filter(|it| !it.is_empty());
    tokens(a).eq(tokens(b))
}

/// The same once typography is folded, with a run of any white space where there is one.
fn same_folded(a: &str, b: &str) -> bool {
    let folded = |text: &str| {
        let mut out = String::new();
        text.chars().for_each(|c| fold(c, |it| out.push(it)));
        out
    };
    same_tokens(&folded(a), &folded(b))
}

/// The same characters, with white space there or not beside punctuation, but never between two words.
fn same_but_for_spacing(a: &str, b: &str) -> bool {
    let spaced = |text: &str| {
        let mut out: Vec<(char, bool)> = Vec::new();
        let mut space = false;
        for c in text.chars() {
            if is_plain_space(c) {
                space = true;
            } else {
                let between_words = out.last().is_some_and(|it| is_word(it.0)) && is_word(c);
                out.push((c, space && between_words));
                space = false;
            }
        }
        out
    };
    spaced(a) == spaced(b)
}

fn find_lines(query: &Query<'_>, reading: Reading, visit: &mut dyn FnMut(Span)) -> Result<(), Exhausted> {
    let block = Block::trimmed(query);
    block.each(query, |span, place| {
        if Pairs::of(&block.rows, place, reading).is_some_and(|it| it.is_mapped()) {
            visit(span);
        }
        Ok(())
    })
}

/// Whole lines where the core stands alone on them, else the core itself, in the middle of a line.
fn find_anywhere(query: &Query<'_>, reading: Reading, visit: &mut dyn FnMut(Span)) -> Result<(), Exhausted> {
    if !query.old.chars().any(is_word) {
        return Ok(());
    }
    let block = Block::trimmed(query);
    let bare = !query.old.starts_with(is_space) && !query.old.ends_with(is_space);
    for core in query.cores() {
        let lines = block.around(query, *core);
        query.spend(lines.map_or(core.len(), |it| it.len()) + query.old.len())?;
        let as_lines = lines.filter(|span| {
            let place: Vec<_> = rows(&query.text()[span.range()]).collect();
            Pairs::of(&block.rows, &place, reading).is_some_and(|it| it.is_mapped())
        });
        let as_part = || {
            let place: Vec<_> = rows(&query.text()[core.range()]).collect();
            let pairs = Pairs::of(&block.rows, &place, reading).filter(|_| bare)?;
            pairs.inside_line().is_mapped().then_some(*core)
        };
        if let Some(span) = as_lines.or_else(as_part) {
            visit(span);
        }
    }
    Ok(())
}

fn fit(query: &Query<'_>, span: Span, reading: Reading) -> Option<String> {
    let text = query.text();
    let block = Block::trimmed(query);
    let there = &text[span.range()];
    let place: Vec<_> = rows(there).collect();
    let new: Vec<_> = rows(block.new_for(there)).collect();
    let mut pairs = Pairs::of(&block.rows, &place, reading)?;
    let starts_line = row_start(text, span.start.0) == span.start.0 || text[..span.start.0] == *"\u{feff}";
    let whole = starts_line && (there.ends_with(['\n', '\r']) || row_end(text, span.end.0) == span.end.0);
    if !whole || !pairs.is_mapped() {
        pairs = pairs.inside_line();
    }
    let written = block.rows.iter().chain(&new).copied();
    let map = IndentMap::between(&pairs.indents, written, || query.unit(span))?;
    kept(&place, &block.rows, &new, &map, query.breaks.near(text, span))
}

/// The indentations of lines that are the same.
struct Pairs<'a> {
    indents: Vec<(&'a str, &'a str)>,
}

impl<'a> Pairs<'a> {
    fn of(old: &[Row<'a>], place: &[Row<'a>], reading: Reading) -> Option<Self> {
        let mut there = place.iter().filter(|it| !(reading.is_blank)(it));
        let mut indents = Vec::with_capacity(old.len());
        for row in old.iter().filter(|it| !(reading.is_blank)(it)) {
            let stands = there.next()?;
            if !(reading.alike)(row.text, stands.text) {
                return None;
            }
            indents.push((indent_of(row), indent_of(stands)));
        }
        there.next().is_none().then_some(Self { indents })
    }

    /// Without the first, which starts in the middle of a line and says nothing of indentation.
    fn inside_line(mut self) -> Self {
        if self.indents.len() > 1 {
            self.indents.remove(0);
        }
        self
    }

    fn is_mapped(&self) -> bool {
        IndentMap::between(&self.indents, std::iter::empty(), || None).is_some()
    }
}
