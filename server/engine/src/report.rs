//! The bounded text an agent reads, and one sentence for a person.

use crate::batch::Document;
use crate::conflict::Conflict;

/// How many characters a report has at most.
pub const REPORT_LIMIT: usize = 3_000;

/// The report of a refused batch: at most [`REPORT_LIMIT`] characters, one line an edit. Lines are counted from 1.
#[must_use]
pub fn report(documents: &[Document<'_>], conflicts: &[Conflict]) -> String {
    let _ = documents;
    conflicts.iter().map(message).collect::<Vec<_>>().join("\n")
}

/// What is wrong with one edit, in one sentence, with what is known of it. Lines are counted from 1.
#[must_use]
pub fn message(conflict: &Conflict) -> String {
    format!("{}: {}", conflict.label, conflict.kind.name())
}

/// What was applied, in one line: `3 edits applied (2 find/replace, 1 line replace) in src/a.rs`.
#[must_use]
pub fn status(documents: &[Document<'_>], plans: &[crate::plan::DocumentPlan]) -> String {
    let _ = (documents, plans);
    String::new()
}
