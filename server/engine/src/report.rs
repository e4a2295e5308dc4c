//! The bounded text an agent reads: every failing edit in it, the details as far as there is room.

use crate::applied::Change;
use crate::batch::Document;
use crate::conflict::Conflict;
use crate::escape::plain;
use crate::plan::DocumentPlan;
use crate::sentence::sentences;

/// How many characters a report has at most.
pub const REPORT_LIMIT: usize = 3_000;

/// How many characters of a document's name are shown: its end says more than its start.
const NAME_LIMIT: usize = 60;

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
    let lines: Vec<Entry> = conflicts.iter().map(|it| Entry::of(documents, it)).collect();
    let room = REPORT_LIMIT - head.chars().count();
    match share(&lines, room) {
        Some(share) => lines.iter().fold(head, |text, it| text + "\n" + &it.shown(share)),
        None => head + &numbers(documents, conflicts, room),
    }
}

/// One failing edit: where it stands in the batch, and what is said of it, the most useful first.
struct Entry {
    position: String,
    details: Vec<String>,
}

impl Entry {
    fn of(documents: &[Document<'_>], conflict: &Conflict) -> Self {
        let several = documents.len() > 1;
        let name = if several { format!("{} ", name(documents[conflict.document].name)) } else { String::new() };
        let position = format!("{name}edit {}: {}", conflict.edit + 1, conflict.kind.name());
        let mut details = vec![conflict.label.clone()];
        details.extend(sentences(conflict));
        Self { position, details }
    }

    /// It in at most `share` characters, or as many as the position takes.
    fn shown(&self, share: usize) -> String {
        let mut text = self.position.clone();
        let mut left = share.saturating_sub(len(&text));
        for (index, detail) in self.details.iter().enumerate() {
            let joint = if index == 0 { " " } else { "; " };
            let needed = len(joint) + len(detail);
            if needed > left {
                break;
            }
            left -= needed;
            text.push_str(joint);
            text.push_str(detail);
        }
        text
    }
}

/// The largest share of the room that every entry may have; `None` where not even the positions fit.
fn share(entries: &[Entry], room: usize) -> Option<usize> {
    let needed = |share: usize| entries.iter().map(|it| 1 + len(&it.shown(share))).sum::<usize>();
    if needed(0) > room {
        return None;
    }
    let (mut fits, mut too_much) = (0, room + 1);
    while too_much - fits > 1 {
        let middle = fits.midpoint(too_much);
        if needed(middle) <= room { fits = middle } else { too_much = middle }
    }
    Some(fits)
}

/// The failing edits by number, document by document: `#2: 1-5, 9`.
fn numbers(documents: &[Document<'_>], conflicts: &[Conflict], room: usize) -> String {
    let mut text = String::new();
    for (index, document) in documents.iter().enumerate() {
        let failing: Vec<usize> = conflicts.iter().filter(|it| it.document == index).map(|it| it.edit + 1).collect();
        if failing.is_empty() {
            continue;
        }
        if documents.len() == 1 {
            text.push_str("\nedits ");
        } else {
            text.push_str(&format!("\n#{}:", index + 1));
            // The name only where all numbers fit beside it.
            if room > 2_500 && documents.len() < 10 {
                text = text.trim_end_matches(':').to_owned() + &format!(" {}: ", name(document.name));
            }
        }
        text.push_str(&ranges(&failing));
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
fn name(name: &str) -> String {
    let shown = plain(name);
    let skip = len(&shown).saturating_sub(NAME_LIMIT);
    if skip == 0 { shown } else { "…".chars().chain(shown.chars().skip(skip + 1)).collect() }
}

fn len(text: &str) -> usize {
    text.chars().count()
}

/// What was applied, in one line: `3 edits applied (2 find/replace, 1 line replace) in src/a.rs`.
#[must_use]
pub fn status(documents: &[Document<'_>], plans: &[DocumentPlan]) -> String {
    let applied: Vec<_> = plans.iter().flat_map(|it| &it.applied).collect();
    let count = |wanted: fn(&Change) -> bool| applied.iter().filter(|it| wanted(&it.change)).count();
    let kinds = [
        (count(|it| matches!(it, Change::FindReplace { .. })), "find/replace"),
        (count(|it| matches!(it, Change::Replace { .. })), "line replace"),
        (count(|it| matches!(it, Change::Insert { .. })), "line insert"),
    ];
    let kinds: Vec<_> = kinds.iter().filter(|it| it.0 > 0).map(|(count, kind)| format!("{count} {kind}")).collect();
    let place = match documents {
        [one] => name(one.name),
        several => format!("{} documents", several.len()),
    };
    let unchanged = applied.iter().filter(|it| it.no_change).count();
    let note = if unchanged == 0 { String::new() } else { format!(", {unchanged} without a change") };
    let edits = if applied.len() == 1 { "edit" } else { "edits" };
    format!("{} {edits} applied ({}) in {place}{note}", applied.len(), kinds.join(", "))
}
