//! Tiers 2 and 3: whole lines, compared without the white space at their ends, then without a uniform shift.

use super::query::{Exhausted, Query};
use super::windows::Block;
use crate::batch::Matching;
use crate::fit::with_endings_of;
use crate::indent::IndentMap;
use crate::kept::kept;
use crate::rows::{Row, rows};
use crate::text::Span;

pub(crate) fn find_trimmed(query: &Query<'_>, visit: &mut dyn FnMut(Span)) -> Result<(), Exhausted> {
    find(query, visit, |old, place| old.iter().zip(place).all(|(a, b)| a.trimmed() == b.trimmed()))
}

pub(crate) fn find_shifted(query: &Query<'_>, visit: &mut dyn FnMut(Span)) -> Result<(), Exhausted> {
    find(query, visit, |old, place| {
        old.iter().zip(place).all(|(a, b)| a.body() == b.body()) && IndentMap::shift(&indents(old, place)).is_some()
    })
}

fn find(
    query: &Query<'_>,
    visit: &mut dyn FnMut(Span),
    alike: impl Fn(&[Row<'_>], &[Row<'_>]) -> bool,
) -> Result<(), Exhausted> {
    let block = Block::whole(query);
    block.each(query, |span, place| {
        if place.len() == block.rows.len() && alike(&block.rows, place) {
            visit(span);
        }
        Ok(())
    })
}

pub(crate) fn fit(query: &Query<'_>, span: Span) -> Option<String> {
    let block = Block::whole(query);
    let there = &query.text()[span.range()];
    let place: Vec<_> = rows(there).collect();
    let new: Vec<_> = rows(block.new_for(there)).collect();
    let map = IndentMap::shift(&indents(&block.rows, &place))?;
    let endings = query.breaks.near(query.text(), span);
    if query.matching == Matching::Lenient {
        return kept(&place, &block.rows, &new, &map, endings);
    }
    let moved = |row: &Row<'_>| match row.is_blank() {
        true => Some(row.text.to_owned()),
        false => Some(map.carry(row.indent())? + &row.text[row.indent().len()..]),
    };
    let all_moved = |rows: &[Row<'_>]| rows.iter().map(moved).collect::<Option<Vec<_>>>();
    let (old_moved, new_moved) = (all_moved(&block.rows)?, all_moved(&new)?);
    let with_text = |(text, row)| -> Row<'_> { row_of(text, row) };
    let old: Vec<_> = old_moved.iter().zip(&block.rows).map(with_text).collect();
    let new: Vec<_> = new_moved.iter().zip(&new).map(with_text).collect();
    Some(with_endings_of(&place, &old, &new, endings))
}

fn row_of<'a>(text: &'a String, row: &Row<'a>) -> Row<'a> {
    Row { text, line_break: row.line_break }
}

fn indents<'a>(old: &[Row<'a>], place: &[Row<'a>]) -> Vec<(&'a str, &'a str)> {
    old.iter().zip(place).filter(|(a, _)| !a.is_blank()).map(|(a, b)| (a.indent(), b.indent())).collect()
}
