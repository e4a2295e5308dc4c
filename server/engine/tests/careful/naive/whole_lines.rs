//! Tiers 2 and 3: windows of whole lines.

use agent_edit_engine::Matching;

use super::text::{Line, SPACE, is_open, lines, same_breaks};
use super::{Becomes, LineLike, Place, Wanted};

/// Tier 2: white space at line ends, and how lines end.
pub(super) fn trimmed(document: &str, wanted: Wanted<'_>) -> Vec<Place> {
    windows(document, wanted, |window, old| {
        let same =
            |(a, b): (&Line<'_>, &Line<'_>)| a.content.trim_end_matches(SPACE) == b.content.trim_end_matches(SPACE);
        window.iter().zip(old).all(same).then(|| Shift { from: String::new(), to: String::new() })
    })
}

/// Tier 3: all lines are moved by the same white space; what tier 2 ignores does not count here either.
pub(super) fn shifted(document: &str, wanted: Wanted<'_>) -> Vec<Place> {
    windows(document, wanted, |window, old| {
        let (from, to) = (common_indent(old), common_indent(window));
        let same = |(a, b): (&Line<'_>, &Line<'_>)| {
            a.is_blank() && b.is_blank()
                || !a.is_blank()
                    && !b.is_blank()
                    && a.content.trim_end_matches(SPACE)[to.len()..] == b.content.trim_end_matches(SPACE)[from.len()..]
        };
        window.iter().zip(old).all(same).then_some(Shift { from, to })
    })
}

/// From the indentation all lines of `oldText` share to what all lines of the window share.
struct Shift {
    from: String,
    to: String,
}

fn common_indent(of: &[Line<'_>]) -> String {
    let indents: Vec<&str> = of.iter().filter(|it| !it.is_blank()).map(Line::indent).collect();
    let first = indents.first().copied().unwrap_or_default();
    let shared = (0..=first.len()).rev().find(|&it| indents.iter().all(|indent| indent.starts_with(&first[..it])));
    first[..shared.unwrap_or(0)].to_owned()
}

fn windows(document: &str, wanted: Wanted<'_>, same: impl Fn(&[Line<'_>], &[Line<'_>]) -> Option<Shift>) -> Vec<Place> {
    let (standing, old) = (lines(document), lines(wanted.old));
    if old.iter().all(Line::is_blank) {
        return Vec::new();
    }
    let closed = old[old.len() - 1].is_terminated();
    let mut places = Vec::new();
    for window in standing.windows(old.len()) {
        let Some(shift) = same(window, &old) else { continue };
        let last = window[window.len() - 1];
        let mut new = same_breaks(wanted.new);
        let mut end = last.end;
        if !closed {
            end = last.start + last.content.len();
        } else if !last.is_terminated() {
            // The final line break that both carry is taken off both.
            if wanted.matching != Matching::Lenient || new.pop() != Some('\n') {
                continue;
            }
        }
        // Tabs for spaces are more than a shift to one reader, and a shift to another.
        // So is whether an end without a line break, at the start of a line, is a line.
        let certain = shift.from.ends_with(&shift.to) || shift.to.ends_with(&shift.from);
        let certain = certain && (closed || !old[old.len() - 1].is_blank()) && !is_open(wanted.new);
        places.push(Place {
            span: window[0].start..end,
            certain,
            becomes: becomes(&new, &old, window, &shift, wanted.matching),
        });
    }
    places
}

fn becomes(new: &str, old: &[Line<'_>], window: &[Line<'_>], shift: &Shift, matching: Matching) -> Becomes {
    let moved = |line: &str| match line.strip_prefix(shift.from.as_str()) {
        Some(rest) if !line.trim_matches(SPACE).is_empty() => format!("{}{rest}", shift.to),
        _ => line.to_owned(),
    };
    if matching == Matching::Tolerant {
        let lines: Vec<String> = new.split('\n').map(moved).collect();
        return Becomes::Exactly(lines.join("\n"));
    }
    let indent = |line: &Line<'_>| match line.indent().strip_prefix(shift.from.as_str()) {
        Some(rest) => Some(format!("{}{rest}", shift.to)),
        None => Some(line.indent().to_owned()),
    };
    if is_open(new) { Becomes::Open } else { Becomes::Lines(like(new, old, window, indent)) }
}

/// `new`, with the lines it shares with `old` in front and behind as they stand in `window`.
pub(super) fn like(
    new: &str,
    old: &[Line<'_>],
    window: &[Line<'_>],
    indent: impl Fn(&Line<'_>) -> Option<String>,
) -> Vec<LineLike> {
    let new: Vec<Line<'_>> = lines(new).into_iter().filter(|it| !it.is_blank()).collect();
    let old: Vec<Line<'_>> = old.iter().filter(|it| !it.is_blank()).copied().collect();
    let window: Vec<Line<'_>> = window.iter().filter(|it| !it.is_blank()).copied().collect();
    let shorter = new.len().min(old.len());
    let head = (0..shorter).take_while(|&it| new[it].content == old[it].content).count();
    let tail = (0..shorter - head)
        .take_while(|&it| new[new.len() - 1 - it].content == old[old.len() - 1 - it].content)
        .count();
    let line = |at: usize| {
        if at < head {
            return LineLike::Bytes(window[at].content.to_owned());
        }
        if at >= new.len() - tail {
            return LineLike::Bytes(window[window.len() - (new.len() - at)].content.to_owned());
        }
        let words = super::text::tokens(new[at].content).into_iter().map(|it| it.1.to_owned()).collect();
        LineLike::Words { indent: indent(&new[at]), words }
    };
    (0..new.len()).map(line).collect()
}
