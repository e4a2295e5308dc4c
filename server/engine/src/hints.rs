//! What is known of an old text that is not there. Adding a hint is one function and one line.

use crate::batch::{Document, Edit};
use crate::conflict::{Hint, Mark};
use crate::features::{Features, words};
use crate::likeness::is_generic;
use crate::matching::Strategy;
use crate::placeholder::is_elision;
use crate::region::{Needle, Region};
use crate::rows::{row_end, row_start, rows};
use crate::sought::{Reading, Sought, stands};
use crate::text::{Byte, Line, Span, Text};
use crate::working::Working;

/// One failing edit and what was found of it.
pub(crate) struct Case<'a> {
    pub(crate) documents: &'a [Document<'a>],
    pub(crate) index: usize,
    pub(crate) edit: usize,
    pub(crate) working: &'a Working<'a>,
    pub(crate) old: &'a str,
    pub(crate) new: &'a str,
    /// The edits of this document that failed before.
    pub(crate) failed: &'a [usize],
    pub(crate) sought: &'a Option<Sought>,
    pub(crate) needle: &'a Needle<'a>,
    pub(crate) region: &'a Option<Region>,
}

/// In the order of the spec.
const HINTS: &[fn(&Case<'_>) -> Option<Hint>] = &[
    representation,
    elision,
    line_numbers,
    escapes,
    case,
    markers,
    first_line,
    already_applied,
    consumed,
    depends_on,
    elsewhere,
];

/// Every hint that holds.
pub(crate) fn hints(case: &Case<'_>) -> Vec<Hint> {
    HINTS.iter().filter_map(|hint| hint(case)).collect()
}

/// White space, line endings or typography: a looser tier finds it.
fn representation(case: &Case<'_>) -> Option<Hint> {
    let it = case.sought.as_ref().filter(|it| it.reading == Reading::AsWritten)?;
    let line = case.working.line_of(it.first.start);
    match it.strategy {
        Strategy::LineTrimmed if differs_in_endings(case.old, &case.working.as_str()[it.first.range()]) => {
            Some(Hint::LineEndings { line })
        }
        Strategy::Typography => Some(Hint::Typography { line }),
        Strategy::LineNumbers | Strategy::Escaped | Strategy::Fenced | Strategy::Elided => None,
        strategy => Some(Hint::Whitespace { line, strategy }),
    }
}

fn differs_in_endings(a: &str, b: &str) -> bool {
    rows(a).map(|it| it.text).eq(rows(b).map(|it| it.text))
}

fn elision(case: &Case<'_>) -> Option<Hint> {
    let stands = |line: &str| stands_as_line(case.working.as_str(), line).next().is_some();
    rows(case.old).any(|it| is_elision(it.text) && !stands(it.body())).then_some(Hint::Elision)
}

fn line_numbers(case: &Case<'_>) -> Option<Hint> {
    crate::matching::unnumbered(case.old).map(|_| Hint::LineNumbers)
}

fn escapes(case: &Case<'_>) -> Option<Hint> {
    let it = case.sought.as_ref()?;
    let unescaped = it.reading == Reading::Unescaped || it.strategy == Strategy::Escaped;
    unescaped.then(|| Hint::Escapes { line: case.working.line_of(it.first.start) })
}

/// Every line of the region says the same in other letters.
fn case(case: &Case<'_>) -> Option<Hint> {
    let region = case.region.as_ref().filter(|_| case.sought.is_none())?;
    let text = case.working.as_str();
    let alike = |it: &crate::alignment::Aligned| {
        let (Some(old), Some(there)) = (it.old, it.there) else { return false };
        let row = region.rows[there];
        let part = Span { start: row.start.max(region.extent.start), end: row.end.min(region.extent.end) };
        it.mark != Mark::Changed || lower(case.needle.rows[old].text).eq(lower(&text[part.range()]))
    };
    let changed = region.aligned.iter().any(|it| it.mark == Mark::Changed);
    (changed && region.aligned.iter().all(alike))
        .then(|| Hint::Case { line: case.working.line_of(region.span().start) })
}

fn lower(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|it| !it.is_whitespace()).flat_map(char::to_lowercase)
}

fn markers(case: &Case<'_>) -> Option<Hint> {
    const MARKS: &[&str] =
        &["<<<<<<<", "=======", ">>>>>>>", "|||||||", "------- SEARCH", "+++++++ REPLACE", "@@ ", "*** ", "```", "~~~"];
    let is_diff = case.sought.as_ref().is_some_and(|it| it.reading == Reading::Diff);
    let is_marker = |line: &str| MARKS.iter().any(|it| line.starts_with(it));
    let stands = |line: &str| stands_as_line(case.working.as_str(), line).next().is_some();
    let marked = || rows(case.old).any(|it| is_marker(it.body()) && !stands(it.body()));
    let fenced = case.sought.as_ref().is_some_and(|it| it.strategy == Strategy::Fenced);
    (is_diff || fenced || marked()).then_some(Hint::Markers)
}

fn first_line(case: &Case<'_>) -> Option<Hint> {
    if case.sought.is_some() || case.needle.rows.iter().filter(|it| !it.is_blank()).count() < 2 {
        return None;
    }
    let first = case.needle.rows.iter().find(|it| !is_generic(it.text))?;
    // A look at the words spares a look through the text.
    let features = case.working.base().features();
    if case.working.is_base() && words(first.text).any(|it| features.count(it.hash) == 0) {
        return None;
    }
    let text = case.working.as_str();
    let lines: Vec<Line> =
        stands_as_line(text, first.body()).take(5).map(|it| case.working.line_of(Byte(it))).collect();
    (!lines.is_empty()).then_some(Hint::FirstLine { lines })
}

/// Where `body` stands as a line of its own, white space around it aside; the offsets of its first character.
fn stands_as_line<'a>(text: &'a str, body: &'a str) -> impl Iterator<Item = usize> + 'a {
    let blank = |c: char| c.is_whitespace() && !matches!(c, '\n' | '\r');
    let places = if body.is_empty() { None } else { Some(memchr::memmem::find_iter(text.as_bytes(), body.as_bytes())) };
    places.into_iter().flatten().filter(move |at| {
        let front = text[..*at].trim_end_matches(blank);
        let behind = text[at + body.len()..].trim_start_matches(blank);
        (front.is_empty() || front.ends_with(['\n', '\r'])) && (behind.is_empty() || behind.starts_with(['\n', '\r']))
    })
}

/// The new text stands where the old one would be, and says something that the old one does not.
fn already_applied(case: &Case<'_>) -> Option<Hint> {
    /// How many letters a text has at least that stands somewhere by more than chance.
    const TELLING: usize = 16;
    let said = |text: &str| text.split_whitespace().collect::<String>();
    let letters = case.new.chars().filter(|it| it.is_alphanumeric()).count();
    if case.sought.is_some() || letters < 4 || rows(case.new).all(|it| is_generic(it.text)) {
        return None;
    }
    if said(case.old).contains(&said(case.new)) {
        return None;
    }
    let start = match case.region {
        Some(region) => stands_at(case.working.as_str(), case.new, region.span())?,
        None if letters < TELLING => return None,
        None => stands(case.working, case.new).filter(|it| it.count == 1)?.first.start,
    };
    Some(Hint::AlreadyApplied { line: case.working.line_of(start) })
}

/// Where `sought` stands so that it touches `there`, white space aside.
fn stands_at(text: &str, sought: &str, there: Span) -> Option<Byte> {
    let start = row_start(text, there.start.0.saturating_sub(sought.len()));
    let end = row_end(text, (there.end.0 + sought.len()).min(text.len()));
    let here = Text::new(&text[start..end]);
    let place = stands(&Working::new(&here), sought)?;
    let (from, to) = (place.first.start.0 + start, place.first.end.0 + start);
    (from <= there.end.0 && there.start.0 <= to).then_some(Byte(from))
}

/// The old text stood in the base.
fn consumed(case: &Case<'_>) -> Option<Hint> {
    let base = Working::new(case.working.base());
    let step = case.working.consumed_by(|| stands(&base, case.old).map(|it| it.first))?;
    // Steps are the edits that did not fail, in order.
    let edit = (0..case.edit).filter(|it| case.failed.binary_search(it).is_err()).nth(step)?;
    Some(Hint::Consumed { edit })
}

/// An edit that failed would have put it there.
fn depends_on(case: &Case<'_>) -> Option<Hint> {
    /// How many bytes of the failed edits' texts are looked through, the nearest first.
    const ENOUGH: usize = 1 << 20;
    let edits = case.documents[case.index].edits;
    let mut seen = 0;
    let puts_it = |edit: &&usize| match &edits[**edit] {
        Edit::FindReplace(it) => it.new_text.contains(case.old.trim()),
        Edit::LineReplace(_) | Edit::LineInsert(_) => false,
    };
    let near = case.failed.iter().rev().take_while(|edit| {
        seen += match &edits[**edit] {
            Edit::FindReplace(it) => it.new_text.len(),
            Edit::LineReplace(_) | Edit::LineInsert(_) => 0,
        };
        seen <= ENOUGH
    });
    let mut near = near.filter(|_| !case.old.trim().is_empty());
    near.find(puts_it).map(|edit| Hint::DependsOn { edit: *edit })
}

/// It stands in another document of the batch, once.
fn elsewhere(case: &Case<'_>) -> Option<Hint> {
    let others = case.documents.iter().enumerate().filter(|(index, _)| *index != case.index);
    let mut found = others.filter_map(|(document, it)| {
        if !may_hold(it.text.features(), case.old) {
            return None;
        }
        let place = stands(&Working::new(it.text), case.old).filter(|it| it.count == 1)?;
        Some(Hint::Elsewhere { document, line: it.text.line_of(place.first.start) })
    });
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// Whether a text may hold `sought`, which starts and ends between words or inside one.
fn may_hold(features: &Features, sought: &str) -> bool {
    let sought: Vec<_> = words(sought).collect();
    let whole = sought.get(1..sought.len().saturating_sub(1)).unwrap_or_default();
    !sought.is_empty() && whole.iter().all(|it| features.count(it.hash) > 0)
}

/// The line that is most alike, where it clearly is and no region is.
pub(crate) fn closest_line(working: &Working<'_>, needle: &Needle<'_>, region: &Region) -> Option<Hint> {
    const CLEARLY: f32 = 0.75;
    /// `hooks:` and `</div>` stand everywhere.
    const LETTERS: usize = 10;
    let text = working.as_str();
    let alike = |it: &crate::alignment::Aligned| {
        let (old, there) = (it.old?, it.there?);
        let row = &text[region.rows[there].range()];
        let old = needle.rows[old].text;
        let says_something = row.chars().filter(|it| it.is_alphanumeric()).count() >= LETTERS;
        (says_something && !is_generic(old) && !is_generic(row))
            .then(|| (crate::likeness::alike(old, row), region.rows[there]))
    };
    let best = region.aligned.iter().filter_map(alike).max_by(|a, b| a.0.total_cmp(&b.0))?;
    let line = working.line_of(best.1.start);
    (best.0 >= CLEARLY).then(|| Hint::ClosestLine { line, text: crate::candidate::excerpt(&text[best.1.range()], 0) })
}
