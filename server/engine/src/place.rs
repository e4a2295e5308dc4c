//! Where one find/replace edit goes, and what it puts there; or what is wrong with it.

use crate::batch::{FindReplace, Matching, Options};
use crate::conflict::{Kind, Place};
use crate::edit_set::{EditSet, Replacement};
use crate::fit::Breaks;
use crate::matching::{Found, Query, Strategy, TIERS, Tier, fit_exact};
use crate::placeholder::placeholder;
use crate::text::{Line, Span};
use crate::working::Working;

const BOM: &str = "\u{feff}";

/// What one find/replace edit comes to.
#[derive(Debug)]
pub(crate) struct Placed {
    /// In the text it was looked up in.
    pub(crate) edits: EditSet,
    /// The first match.
    pub(crate) first: Span,
    pub(crate) strategy: Strategy,
    pub(crate) occurrences: usize,
    /// How many bytes the matches are together.
    pub(crate) replaced: usize,
    /// Nothing is other than it was.
    pub(crate) no_change: bool,
}

/// Looks `edit` up in `working`. `scanned` is the one place where it stands exactly, where that is known already.
pub(crate) fn place(
    working: &Working<'_>,
    edit: &FindReplace,
    options: &Options,
    scanned: Option<Span>,
) -> Result<Placed, Kind> {
    let (old, new) = without_bom(working, edit);
    if old.is_empty() {
        return fill(working, new);
    }
    if let Some(line) = placeholder(old, new).filter(|_| !options.allow_placeholders) {
        return Err(Kind::Placeholder { line });
    }
    let scanned = scanned.filter(|it| it.len() == old.len());
    if let Some((span, lines)) = scanned.and_then(|span| Some((span, working.text().lines_around(span)?))) {
        let exact = &TIERS[0];
        let found = Found { count: 1, first: vec![span], disjoint: vec![span], inside: (0, None) };
        choose(working, edit, exact, found)?;
        let there = Span::new(span.start.0 - lines.start, span.end.0 - lines.start);
        let put = fit_exact(&lines.content, there, new, options.line_endings, &Breaks::default());
        return within_limits(working, Placed::new(exact, vec![Replacement::new(span, put)], |_| old), options);
    }
    let query = Query::new(working, (old, new), options.matching, options.line_endings);
    let window = edit.at_line.map(|line| line_window(working, line));
    for tier in tiers(options.matching) {
        let found = tier.look(&query, edit.replace_all, window).map_err(|_| Kind::Repetitive)?;
        if found.count == 0 {
            continue;
        }
        let chosen = choose(working, edit, tier, found)?;
        if let Some(placed) = fitted(&query, tier, &chosen) {
            return within_limits(working, placed, options);
        }
    }
    Err(Kind::NotFound)
}

/// The tiers that `matching` uses.
pub(crate) fn tiers(matching: Matching) -> impl Iterator<Item = &'static Tier> {
    TIERS.iter().filter(move |it| it.least <= matching)
}

/// Both texts without a BOM where the document has one: it takes no part.
pub(crate) fn without_bom<'a>(working: &Working<'_>, edit: &'a FindReplace) -> (&'a str, &'a str) {
    let (old, new) = (edit.old_text.as_str(), edit.new_text.as_str());
    match old.strip_prefix(BOM).filter(|_| working.text().starts_with_bom()) {
        Some(old) => (old, new.strip_prefix(BOM).unwrap_or(new)),
        None => (old, new),
    }
}

/// An empty document is filled by an edit that seeks nothing.
fn fill(working: &Working<'_>, new: &str) -> Result<Placed, Kind> {
    let text = working.as_str();
    if !text.strip_prefix(BOM).unwrap_or(text).is_empty() {
        return Err(Kind::EmptyOldText);
    }
    let first = Span::new(text.len(), text.len());
    Ok(Placed::new(&TIERS[0], vec![Replacement::new(first, new)], |_| ""))
}

/// Where `line` of the base stands now; a place that no match starts in where the base has no such line.
fn line_window(working: &Working<'_>, line: Line) -> Span {
    let base = working.base();
    let (start, mut end) = (base.line_start(line), base.line_start(Line(line.0.saturating_add(1))));
    if line.0 + 1 == base.line_count() {
        // The last line holds its own end.
        end.0 += 1;
    }
    let now = working.carried(Span { start, end: end.min(base.len()).max(start) });
    Span { start: now.start, end: now.end.max(crate::text::Byte(now.start.0 + usize::from(start < end))) }
}

/// Which of the matches the edit speaks of.
fn choose(working: &Working<'_>, edit: &FindReplace, tier: &Tier, found: Found) -> Result<Vec<Span>, Kind> {
    let count = if edit.replace_all { found.disjoint.len() } else { found.count };
    let places = || found.first.iter().map(|it| place_of(working, *it)).collect();
    if let Some(expected) = edit.expected_occurrences.filter(|it| *it != count) {
        return Err(Kind::CountMismatch { expected, found: count, strategy: tier.strategy, places: places() });
    }
    match found.inside {
        _ if edit.replace_all => Ok(found.disjoint),
        (1, Some(span)) => Ok(vec![span]),
        // An edit that changes nothing does so wherever it goes.
        _ if count == 1 || edit.old_text == edit.new_text => Ok(found.first[..1].to_vec()),
        _ => Err(Kind::Ambiguous { strategy: tier.strategy, count, places: places() }),
    }
}

pub(crate) fn place_of(working: &Working<'_>, span: Span) -> Place {
    Place { base: working.to_base(span), working_line: working.line_of(span.start) }
}

fn fitted(query: &Query<'_>, tier: &Tier, spans: &[Span]) -> Option<Placed> {
    let there = |span: Span| &query.text()[span.range()];
    let put = |span| if query.old == query.new { Some(there(span).to_owned()) } else { (tier.fit)(query, span) };
    // One after the other, so that only one text is there that is not shared.
    let mut replacements: Vec<Replacement> = Vec::with_capacity(spans.len());
    for span in spans {
        let put = put(*span)?;
        let same = replacements.last().filter(|it| *it.text == *put);
        let text = same.map_or_else(|| put.as_str().into(), |it| it.text.clone());
        replacements.push(Replacement { span: *span, text });
    }
    Some(Placed::new(tier, replacements, there))
}

impl Placed {
    /// What `tier` puts in each place, of which there is one at least; `there` is what stands in them.
    fn new<'a>(tier: &Tier, replacements: Vec<Replacement>, there: impl Fn(Span) -> &'a str) -> Self {
        Self {
            first: replacements[0].span,
            strategy: tier.strategy,
            occurrences: replacements.len(),
            replaced: replacements.iter().map(|it| it.span.len()).sum(),
            no_change: replacements.iter().all(|it| there(it.span) == &*it.text),
            edits: EditSet::new(replacements).expect("matches that are replaced together do not overlap"),
        }
    }
}

fn within_limits(working: &Working<'_>, placed: Placed, options: &Options) -> Result<Placed, Kind> {
    let len = working.text().len().0;
    let starts = if working.text().starts_with_bom() { BOM.len() } else { 0 };
    let body = Span::new(starts, len);
    if options.partial_only && placed.first == body {
        return Err(Kind::WholeDocument);
    }
    if placed.edits.result_len(len) > options.output_limit {
        return Err(Kind::OutputLimit { limit: options.output_limit });
    }
    Ok(placed)
}
