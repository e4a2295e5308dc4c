//! Where one find/replace edit goes, and what it puts there; or what is wrong with it.

use crate::batch::{FindReplace, Matching, Options};
use crate::conflict::{Kind, Place};
use crate::edit_set::{EditSet, Replacement};
use crate::fit::Breaks;
use crate::joined::Joined;
use crate::matching::{Found, Query, Strategy, TIERS, Tier, fit_exact};
use crate::placeholder::placeholder;
use crate::text::{BOM, Line, Span};
use crate::working::Working;

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
    /// How many bytes are put in their place.
    pub(crate) content: usize,
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
        let found = Found { count: 1, first: vec![span], disjoint: 1, inside: (0, None) };
        choose(working, edit, exact, &found)?;
        let there = Span::new(span.start.0 - lines.start, span.end.0 - lines.start);
        let put = fit_exact(&lines.content, there, new, options.line_endings, &Breaks::default());
        return within_limits(working, Placed::one(exact, span, old, &put), options);
    }
    let query = Query::new(working, (old, new), options.matching, options.line_endings);
    let window = edit.at_line.map(|line| line_window(working, line));
    for tier in tiers(options.matching) {
        let found = tier.look(&query, window).map_err(|_| Kind::Repetitive)?;
        if found.count == 0 {
            continue;
        }
        let chosen = choose(working, edit, tier, &found)?;
        if let Some(placed) = fitted(&query, tier, chosen) {
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
    working.without_bom(&edit.old_text, &edit.new_text)
}

/// An empty document is filled by an edit that seeks nothing.
fn fill(working: &Working<'_>, new: &str) -> Result<Placed, Kind> {
    let text = working.as_str();
    if !text.strip_prefix(BOM).unwrap_or(text).is_empty() {
        return Err(Kind::EmptyOldText);
    }
    let first = Span::new(text.len(), text.len());
    Ok(Placed::one(&TIERS[0], first, "", new))
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

/// The matches an edit speaks of.
#[derive(Clone, Copy)]
enum Chosen {
    One(Span),
    All,
}

fn choose(working: &Working<'_>, edit: &FindReplace, tier: &Tier, found: &Found) -> Result<Chosen, Kind> {
    let count = if edit.replace_all { found.disjoint } else { found.count };
    let places = || found.first.iter().map(|it| place_of(working, *it)).collect();
    if let Some(expected) = edit.expected_occurrences.filter(|it| *it != count) {
        return Err(Kind::CountMismatch { expected, found: count, strategy: tier.strategy, places: places() });
    }
    match found.inside {
        _ if edit.replace_all => Ok(Chosen::All),
        (1, Some(span)) => Ok(Chosen::One(span)),
        // An edit that changes nothing does so wherever it goes.
        _ if count == 1 || edit.old_text == edit.new_text => Ok(Chosen::One(found.first[0])),
        _ => Err(Kind::Ambiguous { strategy: tier.strategy, count, places: places() }),
    }
}

pub(crate) fn place_of(working: &Working<'_>, span: Span) -> Place {
    Place { base: working.to_base(span), working_line: working.line_of(span.start) }
}

fn fitted(query: &Query<'_>, tier: &Tier, chosen: Chosen) -> Option<Placed> {
    let there = |span: Span| &query.text()[span.range()];
    let put = |span| if query.old == query.new { Some(there(span).to_owned()) } else { (tier.fit)(query, span) };
    match chosen {
        Chosen::One(span) => Some(Placed::one(tier, span, there(span), &put(span)?)),
        Chosen::All => {
            let mut all = Placed::none(tier);
            let mut joined = Joined::default();
            let mut fits = true;
            let visited = tier.each_disjoint(query, &mut |span| match put(span).filter(|_| fits) {
                Some(put) => {
                    all.count(span, there(span), &put);
                    joined.push(query.text(), span, &put);
                }
                None => fits = false,
            });
            (visited.is_ok() && fits).then(|| all.with(joined.finish()))
        }
    }
}

impl Placed {
    fn none(tier: &Tier) -> Self {
        Self {
            edits: EditSet::default(),
            first: Span::default(),
            strategy: tier.strategy,
            occurrences: 0,
            replaced: 0,
            content: 0,
            no_change: true,
        }
    }

    /// `put` in place of `there`, which is `span`.
    fn one(tier: &Tier, span: Span, there: &str, put: &str) -> Self {
        let mut placed = Self::none(tier);
        placed.count(span, there, put);
        placed.with(vec![Replacement::new(span, put)])
    }

    fn count(&mut self, span: Span, there: &str, put: &str) {
        if self.occurrences == 0 {
            self.first = span;
        }
        self.occurrences += 1;
        self.replaced += span.len();
        self.content += put.len();
        self.no_change &= there == put;
    }

    fn with(self, replacements: Vec<Replacement>) -> Self {
        let edits = EditSet::new(replacements).expect("matches that are replaced together do not overlap");
        Self { edits, ..self }
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
