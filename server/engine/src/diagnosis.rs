//! Why an edit fails: the candidate, and every hint that holds, each from evidence.

pub(crate) mod alignment;
mod candidate;
mod departure;
pub(crate) mod features;
mod hints;
pub(crate) mod likeness;
mod readings;
pub(crate) mod region;
mod sought;
mod word_windows;

use hints::{Case, closest_line, hints};
use readings::{Reading, readings};
use region::{Needle, Region};
use sought::{seek, seek_by_all};

use crate::batch::{Document, Edit, FindReplace, LineReplace};
use crate::conflict::{Candidate, Conflict, Hint, Kind};
use crate::place::without_bom;
use crate::sentence::label;
use crate::text::{Lines, Span};
use crate::working::Working;

/// The conflict of edit `edit` of document `index`, which failed in `working` after the edits in `failed` had.
pub(crate) fn diagnose(
    documents: &[Document<'_>],
    index: usize,
    working: &Working<'_>,
    edit: usize,
    kind: Kind,
    failed: &[usize],
) -> Conflict {
    let this: &Edit = &documents[index].edits[edit];
    let (candidate, hints) = match (this, &kind) {
        (Edit::FindReplace(it), Kind::NotFound | Kind::Repetitive) => {
            not_found(documents, (index, edit), working, it, failed)
        }
        (
            Edit::FindReplace(it),
            Kind::Overlap { .. } | Kind::WholeDocument | Kind::Placeholder { .. } | Kind::OutputLimit { .. },
        ) => (its_place(working, it), Vec::new()),
        (Edit::LineReplace(it), Kind::ContentMismatch { lines, .. }) => mismatch(working, it, *lines),
        _ => (None, Vec::new()),
    };
    Conflict { document: index, edit, label: label(this), kind, candidate, hints }
}

fn not_found(
    documents: &[Document<'_>],
    (index, edit): (usize, usize),
    working: &Working<'_>,
    this: &FindReplace,
    failed: &[usize],
) -> (Option<Candidate>, Vec<Hint>) {
    let (old, new) = without_bom(working, this);
    let sought = seek(working, old);
    let (reading, text) = match &sought {
        Some(it) => (it.reading, it.text.clone()),
        None => most_telling(working, old),
    };
    let needle = Needle::of(&text);
    let (region, closest) = match &sought {
        Some(it) => (Some(candidate::at(working, &needle, it.first)), None),
        None => pointed_at(working, &needle),
    };
    let (sought, region) = (sought.as_ref(), region.as_ref());
    let case = Case { documents, index, edit, working, old, new, failed, sought, reading, needle: &needle, region };
    let mut hints = hints(&case);
    hints.extend(closest);
    (region.map(|it| candidate::described(working, &needle, it)), hints)
}

/// The reading of `old` that resembles the document most.
fn most_telling(working: &Working<'_>, old: &str) -> (Reading, String) {
    let alike = |text: &str| candidate::most_similar(working, &Needle::of(text)).map_or(0.0, |it| it.similarity());
    let mut best = (Reading::AsWritten, old.to_owned());
    let mut most = None;
    for (reading, text) in readings(old) {
        let similarity = alike(&text);
        if similarity > *most.get_or_insert_with(|| alike(old)) {
            (best, most) = ((reading, text), Some(similarity));
        }
    }
    best
}

/// The region a person would point at, or else the line that is clearly alike.
fn pointed_at(working: &Working<'_>, needle: &Needle<'_>) -> (Option<Region>, Option<Hint>) {
    match candidate::most_similar(working, needle) {
        Some(it) if candidate::is_convincing(working.as_str(), needle, &it) => (Some(it), None),
        Some(it) => (None, closest_line(working, needle, &it)),
        None => (None, None),
    }
}

/// Where an edit goes that may not be applied for another reason than its text.
fn its_place(working: &Working<'_>, this: &FindReplace) -> Option<Candidate> {
    let (old, _) = without_bom(working, this);
    let sought = seek_by_all(working, old).filter(|it| it.count == 1)?;
    let needle = Needle::of(&sought.text);
    Some(candidate::described(working, &needle, &candidate::at(working, &needle, sought.first)))
}

/// The lines asked for, and where the expected text stands instead.
fn mismatch(working: &Working<'_>, this: &LineReplace, lines: Lines) -> (Option<Candidate>, Vec<Hint>) {
    let expected = this.expected_text.as_deref().unwrap_or_default();
    let base = working.base();
    let span = Span { start: base.line_start(lines.first), end: base.line_content(lines.last).end };
    let needle = Needle::of(expected);
    let candidate = candidate::described(working, &needle, &candidate::at(working, &needle, span));
    let elsewhere = seek_by_all(working, expected).filter(|it| it.count == 1);
    let hint = elsewhere.map(|it| Hint::Whitespace { line: working.line_of(it.first.start), strategy: it.strategy });
    (Some(candidate), hint.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use crate::{Document, Edit, FindReplace, Mark, Options, Text, plan};

    #[test]
    fn a_candidate_ends_where_what_was_sought_ends() {
        let text = Text::new("a\r\n  b\r\n\r\nc\r\n");
        let old_text = "a\r\n  b\r\n".to_owned();
        let edits =
            [Edit::FindReplace(FindReplace { old_text, new_text: "a\n// ...\n".to_owned(), ..FindReplace::default() })];
        let conflicts = plan(&[Document { name: "a", text: &text, edits: &edits }], &Options::default()).unwrap_err();
        let candidate = conflicts[0].candidate.as_ref().unwrap();
        assert_eq!(&text.as_str()[candidate.base.range()], "a\r\n  b");
        assert!(candidate.lines.iter().all(|it| it.mark == Mark::Same), "{:?}", candidate.lines);
    }
}
