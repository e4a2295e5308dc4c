//! How the edits of refused batches stand with the text there is now: found again each time, never tracked.

use std::sync::Arc;

use agent_edit_engine::{Conflict, Edit, FindReplace, Hint, Kind, Line, LineReplace, Span, Text};

use crate::known_conflicts::Circumstances;
use crate::pending::{Failed, PendingBatch, PendingDocument};
use crate::planning::{Planned, Task};
use crate::positions::lines_of;
use crate::refusal::Refusal;
use crate::server::Server;
use crate::snapshot::{self, Seen};

/// One pending edit the person is shown, in one document at one moment.
#[derive(Clone, Debug)]
pub(crate) struct Standing {
    /// Its batch.
    pub batch: Arc<PendingBatch>,
    /// The document's position in the request.
    pub document: usize,
    /// The edit's position in the request.
    pub number: usize,
    pub edit: Edit,
    pub verdict: Verdict,
}

/// How it stands.
#[derive(Clone, Debug)]
pub(crate) enum Verdict {
    /// It fails. The edits it speaks of are numbered as in the request.
    Conflict(Conflict),
    /// It has failed before, so, and would match now, here.
    Applicable { before: Failed, place: Span },
}

/// The edits to be shown in `seen`, in the order of batches and edits.
pub(crate) async fn of_document(server: &Server, seen: &Seen) -> Result<Vec<Standing>, Refusal> {
    let mut standings = vec![];
    for batch in server.pending.of(&seen.key) {
        standings.extend(of_batch(server, batch, seen).await?);
    }
    Ok(standings)
}

/// The edits of one batch to be shown in `seen`.
pub(crate) async fn of_batch(server: &Server, batch: Arc<PendingBatch>, seen: &Seen) -> Result<Vec<Standing>, Refusal> {
    let Some(document) = batch.document(&seen.key) else { return Ok(vec![]) };
    let conflicts = conflicts(server, &batch, document, seen).await?;
    let mut standings = vec![];
    for pending in &document.edits {
        let verdict = match conflicts.iter().find(|it| it.edit == pending.number) {
            Some(conflict) => Verdict::Conflict(conflict.clone()),
            None => match document.failed.get(&pending.number) {
                Some(before) => Verdict::Applicable {
                    before: before.clone(),
                    place: place_alone(&batch, &pending.edit, seen).await?,
                },
                None => continue,
            },
        };
        let (number, edit) = (pending.number, pending.edit.clone());
        standings.push(Standing { batch: batch.clone(), document: document.number, number, edit, verdict });
    }
    Ok(standings)
}

/// What is wrong with the edits left in one document, numbered as in the request. It is looked for again
/// only where some document has changed since: the texts beside it are looked into too.
pub(crate) async fn conflicts(
    server: &Server,
    batch: &PendingBatch,
    document: &PendingDocument,
    seen: &Seen,
) -> Result<Arc<[Conflict]>, Refusal> {
    let revision = server.documents.now().latest_with(&seen.key, seen.revision());
    let (batch_id, document_key, edits_left) = (batch.id.clone(), seen.key.clone(), document.edits.len());
    let now = revision.map(|revision| Circumstances { revision, batch_id, document: document_key, edits_left });
    if let Some(known) = now.as_ref().and_then(|it| server.known_conflicts.under(it)) {
        return Ok(known);
    }
    let beside = snapshot::beside(server, std::slice::from_ref(seen));
    let task = Task { seen: vec![seen.clone()], edits: vec![document.engine_edits()], beside, options: batch.options };
    let conflicts = task.run(|_, planned| planned.err().unwrap_or_default()).await?;
    let numbers: Vec<_> = document.edits.iter().map(|it| it.number).collect();
    let conflicts: Arc<[_]> = conflicts.into_iter().map(|it| renumbered(it, &numbers)).collect();
    let failed = conflicts.iter().map(|it| (it.edit, Failed { label: it.label.clone(), kind: it.kind.name() }));
    server.pending.failed(&batch.id, &seen.key, failed.collect());
    if let Some(now) = now {
        server.known_conflicts.keep(now, conflicts.clone());
    }
    Ok(conflicts)
}

/// The engine counts the edits that are left; people, agents and commands count those of the request.
fn renumbered(mut conflict: Conflict, numbers: &[usize]) -> Conflict {
    let number = |edit: &mut usize| *edit = numbers.get(*edit).copied().unwrap_or(*edit);
    number(&mut conflict.edit);
    match &mut conflict.kind {
        Kind::Overlap { with } | Kind::MixedKinds { with } => number(with),
        _ => {}
    }
    for hint in &mut conflict.hints {
        match hint {
            Hint::Consumed { edit } | Hint::DependsOn { edit } => number(edit),
            _ => {}
        }
    }
    conflict
}

/// The lines an edit would change if nothing else of its batch were done.
async fn place_alone(batch: &PendingBatch, edit: &Edit, seen: &Seen) -> Result<Span, Refusal> {
    let (edits, beside) = (vec![Arc::new([edit.clone()]) as Arc<[Edit]>], vec![]);
    let task = Task { seen: vec![seen.clone()], edits, beside, options: batch.options };
    let first = |planned: Planned| {
        planned.ok().and_then(|it| it.first().and_then(|it| it.edits.replacements().first().map(|it| it.span)))
    };
    let span = task.run(move |_, planned| first(planned)).await?;
    Ok(span.map_or_else(|| home(edit, &seen.text), |it| lines_of(&seen.text, it)))
}

impl Standing {
    /// Whether the lines that it counts, if any, are those of `seen`.
    pub(crate) fn counts_lines_of(&self, seen: &Seen) -> bool {
        self.batch.document(&seen.key).is_some_and(|it| it.counts_lines_of(&self.edit, &seen.text))
    }

    /// Where the person is to look, at least one place.
    pub(crate) fn places(&self, text: &Text) -> Vec<Span> {
        match &self.verdict {
            Verdict::Applicable { place, .. } => vec![*place],
            Verdict::Conflict(conflict) => match (conflict.kind.places(), &conflict.candidate) {
                ([], Some(candidate)) => vec![candidate.base],
                ([], None) => vec![home(&self.edit, text)],
                (places, _) => places.iter().map(|it| it.base).collect(),
            },
        }
    }
}

/// The line an edit would have gone to, else the first.
fn home(edit: &Edit, text: &Text) -> Span {
    let line = match edit {
        Edit::FindReplace(FindReplace { at_line, .. }) => at_line.unwrap_or_default(),
        Edit::LineReplace(LineReplace { from, .. }) => *from,
        Edit::LineInsert(insert) => insert.from,
    };
    text.line_content(Line(line.0.min(text.line_count() - 1)))
}
