//! Why an edit fails: the candidate, and every hint that holds, each from evidence.

use crate::batch::{Document, Edit};
use crate::conflict::{Conflict, Kind};
use crate::sentence::label;
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
    let _ = (working, failed);
    let this: &Edit = &documents[index].edits[edit];
    Conflict { document: index, edit, label: label(this), kind, candidate: None, hints: Vec::new() }
}
