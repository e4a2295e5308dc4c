//! What became of the author's old lines in the region, and what the region has around them.

use std::ops::Range;

use crate::conflict::Mark;
use crate::diagnosis::alignment::Aligned;
use crate::diagnosis::region::Region;
use crate::indent::{IndentMap, Unit, indent_of};
use crate::rows::Row;

/// A line without its white space.
pub(super) fn said(row: &Row<'_>) -> String {
    row.text.split_whitespace().collect()
}

/// The line of the region that an old line became, if any, and how the two compare.
pub(super) type Partner = Option<(usize, Mark)>;

/// What became of each old line, and which lines are the region's own.
pub(super) fn ours(aligned: &[Aligned], old: usize) -> (Vec<Partner>, Vec<Range<usize>>) {
    let mut partners = vec![None; old];
    let mut extras = vec![0..0; old + 1];
    let mut at = 0;
    for it in aligned {
        match (it.old, it.there) {
            (Some(line), Some(there)) => (partners[line], at) = (Some((there, it.mark)), line + 1),
            (Some(line), None) => at = line + 1,
            (None, Some(there)) if extras[at].is_empty() => extras[at] = there..there + 1,
            (None, Some(there)) => extras[at].end = there + 1,
            (None, None) => {}
        }
    }
    // Old lines in front that the region does not reach up to do not part its first lines from what comes behind them.
    let first = partners.iter().position(Option::is_some).unwrap_or(0);
    if extras[first].is_empty() {
        extras.swap(0, first);
    }
    (partners, extras)
}

/// Where the author's indentation goes: as the lines say that are the same, else as all do, else as all but the first do,
/// which may have been quoted from its middle.
pub(super) fn indents<'a>(
    old: &[Row<'a>],
    new: &[Row<'a>],
    there: &[Row<'a>],
    partners: &[Partner],
) -> Option<IndentMap<'a>> {
    let pairs = |wanted: fn(Mark) -> bool, skip: usize| {
        let lines = old.iter().zip(partners).skip(skip).filter(|it| !it.0.is_blank());
        let both = lines.filter_map(|(row, it)| it.filter(|it| wanted(it.1)).map(|it| (row, &there[it.0])));
        both.map(|(a, b)| (indent_of(a), indent_of(b))).collect::<Vec<_>>()
    };
    let same = |it| matches!(it, Mark::Same | Mark::Whitespace);
    let any = |_| true;
    let tries = [pairs(same, 0), pairs(same, 1), pairs(any, 0), pairs(any, 1)];
    let written = || old.iter().chain(new).copied();
    tries
        .iter()
        .filter(|it| !it.is_empty())
        .find_map(|it| IndentMap::between(it, written(), || Unit::of(there.iter().copied())))
}

/// What stands in front of `old` on its first line and behind it on its last, where it was quoted from the middle of them.
pub(super) fn around<'a>(
    old: &[Row<'a>],
    there: &[Row<'a>],
    partners: &[Partner],
    region: &Region,
    map: Option<&IndentMap<'_>>,
) -> (&'a str, &'a str) {
    let row_of = |line: usize| partners.get(line).copied().flatten().map(|it| &there[it.0]);
    let (Some(first), Some(last)) = (old.first(), old.last()) else { return ("", "") };
    if old.len() == 1 && there.len() == 1 {
        let (row, extent) = (there[0].text, region.extent);
        let (front, behind) = (&row[..extent.start.0], &row[extent.end.0..]);
        return (if front.trim().is_empty() { "" } else { front }, behind.trim_end());
    }
    let front = row_of(0).and_then(|it| it.text.strip_suffix(first.text)).unwrap_or("");
    let carried = map.and_then(|it| it.carry(first.indent()));
    let indented = front.trim().is_empty() && carried.is_some_and(|it| it == format!("{front}{}", first.indent()));
    let behind = row_of(old.len() - 1).and_then(|it| it.text.strip_prefix(last.text)).unwrap_or("");
    (if indented { "" } else { front }, behind.trim_end())
}
