//! The bounded text an agent reads: every failing edit in it, the details as far as there is room.

use crate::applied::Change;
use crate::batch::Document;
use crate::conflict::Conflict;
use crate::escape::plain;
use crate::plan::DocumentPlan;
use crate::sentence::{place, sentences};

/// How many characters a report has at most.
pub const REPORT_LIMIT: usize = 3_000;

/// How many characters of a document's name are shown, from its end, which says more than its start; where room is short,
/// fewer, and in the end the document's number.
const NAME_LIMITS: [usize; 3] = [60, 24, 0];

/// How many characters beside its position an edit should have before names are shortened.
const WORTH: usize = 48;

/// How many things are said of one edit: a region may have more lines than anybody reads.
const DETAILS: usize = 40;

/// The report of a refused batch: at most [`REPORT_LIMIT`] characters, one line an edit, every failing edit in it. Edits and
/// lines are counted from 1. Where room is short, details go first, the same for all; where there is none for a line each,
/// the edits are named by number.
#[must_use]
pub fn report(documents: &[Document<'_>], conflicts: &[Conflict]) -> String {
    let edits: usize = documents.iter().map(|it| it.edits.len()).sum();
    let head = format!(
        "Nothing was changed: {} of {edits} {} not fit.",
        conflicts.len(),
        if conflicts.len() == 1 { "edits does" } else { "edits do" }
    );
    let room = REPORT_LIMIT - len(&head);
    for limit in NAME_LIMITS {
        let entries: Vec<Entry> = conflicts.iter().map(|it| Entry::of(documents, it, limit)).collect();
        let wanted = if limit > 0 { WORTH } else { 0 };
        if let Some(share) = share(&entries, room, wanted) {
            return entries.iter().fold(head, |text, it| text + "\n" + &it.shown(share));
        }
    }
    head + &numbers(documents, conflicts, room)
}

/// One failing edit: where it stands in the batch, and what is said of it, the most useful first.
struct Entry {
    position: String,
    /// Where in the document, for an edit of which nothing else can be said.
    place: Option<String>,
    details: Vec<String>,
}

impl Entry {
    fn of(documents: &[Document<'_>], conflict: &Conflict, limit: usize) -> Self {
        let name = match (documents, limit) {
            ([_], _) => String::new(),
            (_, 0) => format!("#{} ", conflict.document + 1),
            (all, limit) => name(all[conflict.document].name, limit) + " ",
        };
        let position = format!("{name}edit {}: {}", conflict.edit + 1, conflict.kind.name());
        let mut details = vec![conflict.label.clone()];
        details.extend(sentences(conflict).take(DETAILS));
        Self { position, place: place(conflict), details }
    }

    /// It in at most `share` characters beside its position.
    fn shown(&self, share: usize) -> String {
        let mut text = self.position.clone();
        let mut left = share;
        let mut push = |joint: &str, detail: &str| {
            let needed = len(joint) + len(detail);
            let fits = needed <= left;
            if fits {
                left -= needed;
                text.push_str(joint);
                text.push_str(detail);
            }
            fits
        };
        let first: usize = self.details.iter().take(2).map(|it| 2 + len(it)).sum();
        if first > share {
            // No room for the reason: where it is comes before what it is called.
            if let Some(place) = &self.place {
                push(" ", place);
            }
            push(" ", &self.details[0]);
            return text;
        }
        for (index, detail) in self.details.iter().enumerate() {
            if !push(if index == 0 { " " } else { "; " }, detail) {
                break;
            }
        }
        text
    }
}

/// The largest share of the room that every entry may have beside its position; `None` where it is less than `wanted`.
fn share(entries: &[Entry], room: usize, wanted: usize) -> Option<usize> {
    let needed = |share: usize| entries.iter().map(|it| 1 + len(&it.shown(share))).sum::<usize>();
    let positions: usize = entries.iter().map(|it| 1 + len(&it.position)).sum();
    if positions > room || (positions + wanted * entries.len() > room && needed(wanted) > room) {
        return None;
    }
    let (mut fits, mut too_much) = (0, room + 1);
    while too_much - fits > 1 {
        let middle = fits.midpoint(too_much);
        if needed(middle) <= room { fits = middle } else { too_much = middle }
    }
    Some(fits)
}

/// The failing edits by number, document by document: `#2: 1-5,9`.
fn numbers(documents: &[Document<'_>], conflicts: &[Conflict], room: usize) -> String {
    let mut text = String::from(if documents.len() == 1 { "" } else { " By document (#), in the batch's order:" });
    for conflicts in conflicts.chunk_by(|a, b| a.document == b.document) {
        let failing: Vec<usize> = conflicts.iter().map(|it| it.edit + 1).collect();
        match documents {
            [_] => text.push_str("\nedits "),
            _ => text.push_str(&format!("\n#{}: ", conflicts[0].document + 1)),
        }
        text.push_str(&ranges(&failing));
    }
    if len(&text) > room {
        // More edits than a batch may have.
        text = text.chars().take(room - 1).collect::<String>() + "…";
    }
    text
}

fn ranges(numbers: &[usize]) -> String {
    let mut parts: Vec<(usize, usize)> = Vec::new();
    for number in numbers {
        match parts.last_mut().filter(|it| it.1 + 1 == *number) {
            Some(last) => last.1 = *number,
            None => parts.push((*number, *number)),
        }
    }
    let shown = |(from, to): &(usize, usize)| if from == to { from.to_string() } else { format!("{from}-{to}") };
    parts.iter().map(shown).collect::<Vec<_>>().join(",")
}

/// The end of a document's name, on one line.
fn name(name: &str, limit: usize) -> String {
    let shown = plain(name);
    let skip = len(&shown).saturating_sub(limit);
    if skip == 0 { shown } else { "…".chars().chain(shown.chars().skip(skip + 1)).collect() }
}

fn len(text: &str) -> usize {
    text.chars().count()
}

/// Whether a plan was carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    /// It was.
    Applied,
    /// It was only asked for.
    Previewed,
}

/// What was applied, in one line: `3 edits applied (2 find/replace, 1 line replace) in src/a.rs`; of a preview, what would be.
#[must_use]
pub fn status(documents: &[Document<'_>], plans: &[DocumentPlan], done: Done) -> String {
    let applied: Vec<_> = plans.iter().flat_map(|it| &it.applied).collect();
    let count = |wanted: fn(&Change) -> bool| applied.iter().filter(|it| wanted(&it.change)).count();
    let kinds = [
        (count(|it| matches!(it, Change::FindReplace { .. })), "find/replace"),
        (count(|it| matches!(it, Change::Replace { .. })), "line replace"),
        (count(|it| matches!(it, Change::Insert { .. })), "line insert"),
    ];
    let kinds: Vec<_> = kinds.iter().filter(|it| it.0 > 0).map(|(count, kind)| format!("{count} {kind}")).collect();
    let place = match documents {
        [one] => name(one.name, NAME_LIMITS[0]),
        several => format!("{} documents", several.len()),
    };
    let unchanged = applied.iter().filter(|it| it.no_change).count();
    let note = if unchanged == 0 { String::new() } else { format!(", {unchanged} without a change") };
    let edits = if applied.len() == 1 { "edit" } else { "edits" };
    let done = match done {
        Done::Applied => "applied",
        Done::Previewed => "would be applied",
    };
    format!("{} {edits} {done} ({}) in {place}{note}", applied.len(), kinds.join(", "))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::conflict::{Candidate, CandidateLine, Hint, Kind, Mark};
    use crate::sentence::label;
    use crate::{Edit, FindReplace, Line, Span, Text};

    fn hostile() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "let x = 1;",
            "\n",
            "\r",
            "\u{1b}[31m",
            "\u{202e}",
            "\u{2028}",
            "🚀",
            "e\u{301}",
            "\"",
            "edit 3: not-found",
            "\u{0}",
        ]);
        prop::collection::vec(piece, 0..30).prop_map(|it| it.concat())
    }

    /// Which edits a report names: by a line each, or by number.
    fn named(report: &str, conflicts: &[Conflict], alone: bool) -> Vec<(usize, usize)> {
        let lines: Vec<&str> = report.lines().skip(1).collect();
        if lines.len() == conflicts.len() && !lines[0].starts_with("edits ") && !lines[0].starts_with("#1: ") {
            let names =
                |(line, it): (&&str, &Conflict)| line.contains(&format!("edit {}: {}", it.edit + 1, it.kind.name()));
            return lines.iter().zip(conflicts).filter(|it| names(*it)).map(|(_, it)| (it.document, it.edit)).collect();
        }
        let mut found = Vec::new();
        for line in lines {
            let (document, ranges) = if alone {
                (1, line.strip_prefix("edits ").unwrap())
            } else {
                let (document, ranges) = line[1..].split_once(": ").unwrap();
                (document.parse().unwrap(), ranges)
            };
            for range in ranges.split(',') {
                let (from, to) = range.split_once('-').unwrap_or((range, range));
                found.extend((from.parse().unwrap()..=to.parse().unwrap()).map(|it: usize| (document - 1, it - 1)));
            }
        }
        found
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(96))]

        #[test]
        fn every_failing_edit_is_in_a_bounded_report(
            names in prop::collection::vec(hostile(), 1..100),
            texts in prop::collection::vec(hostile(), 1..8),
            failing in prop::collection::btree_set(0_usize..1_000, 1..1_000),
        ) {
            let text = Text::new("a\n");
            let edit = |at: usize| Edit::FindReplace(FindReplace { old_text: texts[at % texts.len()].clone(), ..FindReplace::default() });
            let each = 1_000_usize.div_ceil(names.len());
            let edits: Vec<Edit> = (0..each).map(edit).collect();
            let documents: Vec<_> = names.iter().map(|name| Document { name, text: &text, edits: &edits }).collect();
            let conflict = |at: &usize| {
                let said = texts[at % texts.len()].clone();
                let lines = vec![CandidateLine { mark: [Mark::Changed, Mark::Missing, Mark::Extra][at % 3], text: said.clone() }; at % 4];
                let candidate = Candidate { base: Span::new(0, 1), working_line: Line(*at), similarity: 0.5, lines, departs: None };
                Conflict {
                    document: at / each,
                    edit: at % each,
                    label: label(&edits[at % each]),
                    kind: Kind::NotFound,
                    candidate: Some(candidate).filter(|_| at.is_multiple_of(2)),
                    hints: vec![Hint::ClosestLine { line: Line(*at), text: said }; at % 3],
                }
            };
            let conflicts: Vec<Conflict> = failing.iter().map(conflict).collect();
            let report = report(&documents, &conflicts);
            prop_assert!(report.chars().count() <= REPORT_LIMIT);
            let breaks_out = |it: char| it != '\n' && (it.is_control() || "\u{2028}\u{202e}".contains(it));
            prop_assert!(!report.contains(breaks_out));
            let all: Vec<_> = conflicts.iter().map(|it| (it.document, it.edit)).collect();
            prop_assert_eq!(named(&report, &conflicts, names.len() == 1), all, "{}", report);
        }
    }

    #[test]
    fn a_report_of_more_edits_than_a_batch_may_have_is_bounded_too() {
        let text = Text::new("a\n");
        let edits = vec![Edit::FindReplace(FindReplace::default()); 20_000];
        let documents = [Document { name: "a", text: &text, edits: &edits }];
        let conflict = |edit| Conflict {
            document: 0,
            edit,
            label: String::new(),
            kind: Kind::NotFound,
            candidate: None,
            hints: Vec::new(),
        };
        let conflicts: Vec<_> = (0..20_000).step_by(2).map(conflict).collect();
        assert!(report(&documents, &conflicts).chars().count() <= REPORT_LIMIT);
    }
}
