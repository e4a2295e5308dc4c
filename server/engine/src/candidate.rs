//! The region a failing edit most likely meant: found by its words in the base, compared line by line in the working text.

use crate::conflict::{Candidate, CandidateLine, Mark};
use crate::departure::departure;
use crate::features::{Features, words};
use crate::likeness::is_generic;
use crate::region::{Needle, Region, around, cover};
use crate::rows::{row_end, row_start};
use crate::text::Span;
use crate::word_windows::windows;
use crate::working::Working;

/// How alike a region of several lines must be to be shown at all. Measured: texts of the same kind that have nothing to do
/// with each other come up to this, blocks of which a third was rewritten start there.
const ALIKE: f32 = 0.58;

/// How alike a single line must be: one word of a few is much of it.
const LINE_ALIKE: f32 = 0.5;

/// Or so little, where so much of what was sought stands in it.
const WHOLE: (f32, f32) = (0.3, 0.85);

/// How many of the latest edits, and how much of what each put there, are looked through beside the base.
const LATELY: (usize, usize) = (32, 1 << 14);

/// The most similar region of the working text, however little that is.
pub(crate) fn most_similar(working: &Working<'_>, needle: &Needle<'_>) -> Option<Region> {
    let mut best: Option<Region> = None;
    for there in in_base(working, needle.text).into_iter().chain(in_new(working, needle.text)) {
        let Some(region) = around(working.as_str(), needle, there) else { continue };
        if best.as_ref().is_none_or(|it| it.similarity() < region.similarity()) {
            best = Some(region);
        }
    }
    best
}

/// Where the needle's words stand in the base, carried to where that is now.
fn in_base(working: &Working<'_>, needle: &str) -> Vec<Span> {
    let base = working.base();
    let found = windows(base.features(), needle).into_iter();
    found.map(|it| working.carried(base.features().span(base.as_str(), it))).collect()
}

/// Where they stand in what earlier edits wrote.
fn in_new(working: &Working<'_>, needle: &str) -> Vec<Span> {
    let text = working.as_str();
    let put = working.put_lately(LATELY.0).into_iter().filter(|it| it.len() <= LATELY.1);
    let found = put.flat_map(|it| {
        let (start, end) = (row_start(text, it.start.0), row_end(text, it.end.0));
        let piece = &text[start..end];
        let features = Features::of(piece);
        let moved = move |span: Span| Span::new(span.start.0 + start, span.end.0 + start);
        let found = windows(&features, needle).into_iter();
        found.map(|it| moved(features.span(piece, it))).collect::<Vec<_>>()
    });
    found.collect()
}

/// Whether a person would point there.
pub(crate) fn is_convincing(text: &str, needle: &Needle<'_>, region: &Region) -> bool {
    let alike = if needle.rows.len() == 1 { LINE_ALIKE } else { ALIKE };
    let enough = region.similarity() >= alike || (region.similarity() >= WHOLE.0 && region.found(needle) >= WHOLE.1);
    enough && is_distinctive(text, needle, region)
}

/// Whether more than lines that stand everywhere is shared.
fn is_distinctive(text: &str, needle: &Needle<'_>, region: &Region) -> bool {
    region.aligned.iter().any(|it| {
        let (Some(old), Some(there)) = (it.old, it.there) else { return false };
        let (old, there) = (needle.rows[old].text, &text[region.rows[there].range()]);
        let said = |line: &str| words(line).map(|it| it.hash).collect::<Vec<_>>();
        let said_there = said(there);
        !is_generic(old) && !is_generic(there) && said(old).iter().any(|it| said_there.contains(it))
    })
}

/// The lines that `span` of the working text touches, compared with `needle`.
pub(crate) fn at(working: &Working<'_>, needle: &Needle<'_>, span: Span) -> Region {
    // A text that ends with its last line does not touch the line behind it.
    let content = &working.as_str()[span.range()];
    let lines = content.strip_suffix('\n').map_or(content, |it| it.strip_suffix('\r').unwrap_or(it));
    cover(working.as_str(), needle, Span::new(span.start.0, span.start.0 + lines.len()))
}

/// The region as fact.
pub(crate) fn described(working: &Working<'_>, needle: &Needle<'_>, region: &Region) -> Candidate {
    let text = working.as_str();
    let departs = departure(working, needle, region);
    let lines = region.aligned.iter().map(|it| {
        let line = match (it.there, it.old) {
            (Some(there), _) => &text[region.rows[there].range()],
            (None, Some(old)) => needle.rows[old].text,
            (None, None) => "",
        };
        let column = departs.filter(|_| it.mark != Mark::Same).map_or(0, |it| it.column);
        CandidateLine { mark: it.mark, text: excerpt(line, column) }
    });
    Candidate {
        base: whole_lines(working, region.span()),
        working_line: working.line_of(region.span().start),
        similarity: region.similarity(),
        lines: lines.collect(),
        departs,
    }
}

/// The lines of the base that `span` of the working text was.
fn whole_lines(working: &Working<'_>, span: Span) -> Span {
    let base = working.base().as_str();
    let was = working.to_base(span);
    let start = row_start(base, was.start.0);
    // An insertion in front of a line is no part of the line before.
    let last = if !was.is_empty() && base[..was.end.0].ends_with('\n') { was.end.0 - 1 } else { was.end.0 };
    Span::new(start, row_end(base, last.max(start)).max(start))
}

/// A line, or at most [`CandidateLine::LIMIT`] characters of it around `column`.
pub(crate) fn excerpt(line: &str, column: usize) -> String {
    if line.len() <= CandidateLine::LIMIT {
        return line.to_owned();
    }
    let mut chars = line.char_indices();
    let from = column.saturating_sub(CandidateLine::LIMIT / 2);
    let start = if from == 0 { 0 } else { chars.nth(from).map_or(0, |it| it.0) };
    let rest = &line[start..];
    let end = rest.char_indices().nth(CandidateLine::LIMIT).map_or(rest.len(), |it| it.0);
    rest[..end].to_owned()
}
