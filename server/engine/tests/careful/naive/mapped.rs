//! Tier 5: line by line, how much white space stands in front, inside and behind; blank lines.

use agent_edit_engine::Matching;

use super::text::{Line, is_open, lines, same_breaks, tokens};
use super::whole_lines::like;
use super::{Becomes, LineLike, Place, Wanted};

/// Tier 5.
pub(super) fn mapped(document: &str, wanted: Wanted<'_>) -> Vec<Place> {
    let all_old = lines(wanted.old);
    let filled = |lines: &[Line<'_>]| lines.iter().filter(|it| !it.is_blank()).count();
    let (standing, old_lines) = (lines(document), all_old.iter().filter(|it| !it.is_blank()));
    let old: Vec<Line<'_>> = old_lines.copied().collect();
    if old.is_empty() {
        return Vec::new();
    }
    // Blank lines around the text may be missing or added; what becomes of them is left open.
    let bare = filled(&all_old[..1]) == 1 && filled(&all_old[all_old.len() - 1..]) == 1;
    let closed = all_old[all_old.len() - 1].is_terminated();
    let standing: Vec<Line<'_>> = standing.into_iter().filter(|it| !it.is_blank()).collect();
    let mut places = Vec::new();
    for window in standing.windows(old.len()) {
        let same = |(a, b): (&Line<'_>, &Line<'_>)| words(a) == words(b);
        if !window.iter().zip(&old).all(same) {
            continue;
        }
        // How wide a tab is depends on the document's unit, which is left open.
        let possible: Vec<bool> = (1..=16).map(|unit| keeps_depth(window, &old, unit)).collect();
        if !possible.contains(&true) {
            continue;
        }
        let last = window[window.len() - 1];
        let mut new = same_breaks(wanted.new);
        let mut end = if closed { last.end } else { last.start + last.content.len() };
        if closed && bare && !last.is_terminated() {
            if wanted.matching != Matching::Lenient || new.pop() != Some('\n') {
                continue;
            }
            end = last.end;
        }
        let certain =
            bare && !possible.contains(&false) && !is_open(&document[window[0].start..end]) && !is_open(wanted.old);
        let indent = |line: &Line<'_>| indent_of(line, &old, window);
        let like = like(&new, &old, window, indent);
        // An indentation that no line of the old text has may be one that cannot be told.
        let told = !like.iter().any(|it| matches!(it, LineLike::Words { indent: None, .. }));
        let becomes = if bare && !is_open(&new) { Becomes::Lines(like) } else { Becomes::Open };
        let certain = certain && told && !is_open(wanted.new);
        places.push(Place { span: window[0].start..end, certain, becomes });
    }
    places
}

fn words<'a>(line: &Line<'a>) -> Vec<&'a str> {
    tokens(line.content).into_iter().map(|it| it.1).collect()
}

/// How wide a tab is depends on the document's unit, which is left open.
pub(super) fn keeps_depth_in_every_unit(window: &[Line<'_>], old: &[Line<'_>]) -> bool {
    (1..=16).all(|unit| keeps_depth(window, old, unit))
}

/// Equal indents stay equal, deeper ones deeper.
fn keeps_depth(window: &[Line<'_>], old: &[Line<'_>], unit: usize) -> bool {
    let pairs: Vec<(usize, usize)> =
        window.iter().zip(old).map(|(a, b)| (width(b.indent(), unit), width(a.indent(), unit))).collect();
    pairs.iter().all(|a| pairs.iter().all(|b| a.0.cmp(&b.0) == a.1.cmp(&b.1)))
}

fn width(indent: &str, unit: usize) -> usize {
    indent.chars().fold(0, |at, c| if c == '\t' { (at / unit + 1) * unit } else { at + 1 })
}

/// What stands in the document where `oldText` has the indentation of `line`, if all its lines agree.
fn indent_of(line: &Line<'_>, old: &[Line<'_>], window: &[Line<'_>]) -> Option<String> {
    let pairs = old.iter().zip(window).filter(|(it, _)| it.indent() == line.indent());
    let mut there: Vec<&str> = pairs.map(|(_, it)| it.indent()).collect();
    there.dedup();
    if let [one] = there[..] { Some(one.to_owned()) } else { None }
}
