//! Through the editor, all or nothing: what it applied of a batch it did not apply as a whole is taken back.

mod operations;
mod reviewed;
mod round;

use agent_edit_engine::{EditSet, Replacement, Span, Text};

use crate::apply::round::{Answer, Found, Manner, Round, outdated, round};
use crate::documents::Condition;
use crate::operations::{Action, FileChange};
use crate::protocol::{DivergedDocument, DivergedState};
use crate::refusal::Refusal;
use crate::server::Server;
use crate::snapshot::{Origin, Seen};

pub(crate) use crate::apply::operations::asked;
pub(crate) use crate::apply::reviewed::{Review, apply_if_confirmed};

/// What is to be changed in one document.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    /// The document as the change was computed for it.
    pub seen: Seen,
    /// From its text to the result.
    pub edits: EditSet,
    /// The result.
    pub result: Text,
}

/// Has the editor make all of `changes`, and returns when each document has been seen to hold its result. A change that
/// changes nothing is not sent. The caller holds the lanes of the documents.
///
/// To be run to its end: once the request is out, only watching tells what became of it.
pub(crate) async fn apply(server: &Server, changes: Vec<Change>, label: Option<String>) -> Result<(), Refusal> {
    apply_all(server, changes, vec![], label).await
}

/// The same, and what is to be done with files.
pub(crate) async fn apply_all(
    server: &Server,
    changes: Vec<Change>,
    operations: Vec<FileChange>,
    label: Option<String>,
) -> Result<(), Refusal> {
    let (changes, operations) = (what_changes(server, changes)?, operations::in_order(operations));
    let work = Work { changes: &changes, operations: &operations };
    let manner = Manner { label, review: None };
    let steps = work.steps(server.profile().skips_in_silence);
    if steps.len() > 1
        && let Some(found) = outdated(server, &changes).await
    {
        let outcome = Round { found, operated: vec![], answer: Answer::Unasked };
        return Err(refusal(&work.parts(&outcome), reason(server, &Answer::Unasked)));
    }
    let mut outcome = Round { found: vec![], operated: vec![], answer: Answer::Unneeded };
    for step in steps {
        let Round { found, operated, answer } = round(server, step.changes, step.operations, &manner).await;
        let ends = found.iter().chain(&operated).any(|it| it.state != DivergedState::Applied);
        outcome.found.extend(found);
        outcome.operated.extend(operated);
        outcome.answer = answer;
        if ends {
            break;
        }
    }
    if work.is_done(&outcome) {
        return Ok(());
    }
    outcome.found.resize(changes.len(), Found::UNTOUCHED);
    outcome.operated.resize(operations.len(), Found::UNTOUCHED);
    let mut reason = reason(server, &outcome.answer);
    if is_over(server, &outcome) && take_back(server, work, &mut outcome, manner.label).await {
        reason.push_str("; what it had applied was taken back");
    }
    Err(refusal(&work.parts(&outcome), reason))
}

/// What the editor is to do, at once or in steps.
#[derive(Clone, Copy, Debug)]
struct Work<'a> {
    changes: &'a [Change],
    operations: &'a [FileChange],
}

impl<'a> Work<'a> {
    /// Where each document has to be asked for by itself, files come last, when all texts are known to be right.
    fn steps(self, one_by_one: bool) -> Vec<Self> {
        if self.changes.is_empty() && self.operations.is_empty() {
            return vec![];
        }
        if !one_by_one {
            return vec![self];
        }
        let texts = self.changes.chunks(1).map(|changes| Self { changes, operations: &[] });
        let files = (!self.operations.is_empty()).then_some(Self { changes: &[], operations: self.operations });
        texts.chain(files).collect()
    }

    fn is_done(&self, outcome: &Round) -> bool {
        let all = outcome.found.iter().chain(&outcome.operated);
        all.clone().count() == self.changes.len() + self.operations.len()
            && all.clone().all(|it| it.state == DivergedState::Applied)
    }

    /// What became of each of its parts.
    fn parts(&self, outcome: &Round) -> Vec<Part<'a>> {
        let change = |(change, found): (&'a Change, &Found)| Part {
            name: &change.seen.name,
            uri: change.seen.uri.as_str(),
            operation: None,
            found: *found,
        };
        let operation = |(operation, found): (&'a FileChange, &Found)| Part {
            name: &operation.place().name,
            uri: operation.place().uri.as_str(),
            operation: Some(operation.kind()),
            found: *found,
        };
        let changes = self.changes.iter().zip(&outcome.found).map(change);
        changes.chain(self.operations.iter().zip(&outcome.operated).map(operation)).collect()
    }
}

/// What became of one document or one file.
#[derive(Clone, Copy, Debug)]
struct Part<'a> {
    name: &'a str,
    uri: &'a str,
    operation: Option<&'static str>,
    found: Found,
}

/// Those of `changes` that change anything, for an editor that takes edits.
fn what_changes(server: &Server, changes: Vec<Change>) -> Result<Vec<Change>, Refusal> {
    let changes: Vec<_> = changes.into_iter().filter(|it| !it.edits.is_empty()).collect();
    if changes.is_empty() || server.profile().applies_edits {
        return Ok(changes);
    }
    let reason = "this editor does not take edits: it does not announce workspace.applyEdit".to_owned();
    Err(Refusal::NotApplied { reason, uri: None })
}

/// Whether what has not been applied will not be any more: else taking back the rest could be what tears it apart.
fn is_over(server: &Server, outcome: &Round) -> bool {
    match outcome.answer {
        Answer::Unasked | Answer::Declined | Answer::Refused(_) => true,
        Answer::Applied => {
            server.profile().skips_in_silence && outcome.found.iter().any(|it| it.state == DivergedState::Different)
        }
        Answer::Unneeded | Answer::Silence(_) => false,
    }
}

/// Has the editor undo what it has applied, the last first, wherever nobody has changed it since. Says whether it undid
/// any of it. Where a file is deleted, all stays: the rest belongs to that.
async fn take_back(server: &Server, work: Work<'_>, outcome: &mut Round, label: Option<String>) -> bool {
    let is_deleted = |(operation, found): (&FileChange, &Found)| {
        matches!(operation.action, Action::Delete { .. }) && found.state == DivergedState::Applied
    };
    if work.operations.iter().zip(&outcome.operated).any(is_deleted) {
        return false;
    }
    let mut any = false;
    let manner = Manner { label: label.map(|it| format!("Taken back: {it}")), review: None };
    let operated = work.operations.iter().zip(&mut outcome.operated);
    for (operation, found) in operated.rev().filter(|it| it.1.state == DivergedState::Applied) {
        let Some(back) = operations::inverse(server, operation).await else { continue };
        found.taken_back(round(server, &[], &[back], &manner).await.operated[0].state);
        any |= found.state == DivergedState::NotApplied;
    }
    let changed = work.changes.iter().zip(&mut outcome.found);
    for (change, found) in changed.rev().filter(|it| it.1.state == DivergedState::Applied) {
        let Some(back) = back(server, change) else { continue };
        found.taken_back(round(server, &[back], &[], &manner).await.found[0].state);
        any |= found.state == DivergedState::NotApplied;
    }
    any
}

impl Found {
    /// What taking it back has come to.
    fn taken_back(&mut self, back: DivergedState) {
        self.state = match back {
            DivergedState::Applied => DivergedState::NotApplied,
            DivergedState::NotApplied => DivergedState::Applied,
            other => other,
        };
        // That it has changed was our doing.
        self.moved = false;
    }
}

/// The change that undoes `change`; `None` where the document is not, or not known to be, what that has made of it.
fn back(server: &Server, change: &Change) -> Option<Change> {
    let state = server.documents.now();
    let now = state.get(&change.seen.key).filter(|it| it.condition == Condition::Good && it.text == change.result)?;
    let origin = Origin::Open { version: now.version, revision: now.revision };
    let seen = Seen { uri: now.uri.clone(), text: now.text.clone(), origin, ..change.seen.clone() };
    Some(Change { seen, edits: inverse(&change.edits, &change.seen.text), result: change.seen.text.clone() })
}

/// What makes `base` of the text that `edits` make of it.
fn inverse(edits: &EditSet, base: &Text) -> EditSet {
    let (mut removed, mut added) = (0, 0);
    let back = edits.replacements().iter().map(|it| {
        let start = it.span.start.0 - removed + added;
        removed += it.span.len();
        added += it.text.len();
        let text = base.slice(it.span).expect("a replacement stands between characters of its base");
        Replacement::new(Span::new(start, start + it.text.len()), text)
    });
    EditSet::new(back.collect()).expect("what was in order is so the other way round")
}

/// What is to be said of a batch that was not applied as a whole.
fn refusal(parts: &[Part<'_>], reason: String) -> Refusal {
    if parts.iter().any(|it| it.found.state != DivergedState::NotApplied) {
        return Refusal::ContentModified { reason, diverged: Some(diverged(parts)) };
    }
    match parts.iter().find(|it| it.found.moved) {
        Some(part) => {
            let reason = format!("{} changed while the batch was being applied; {reason}", part.name);
            Refusal::ContentModified { reason, diverged: None }
        }
        None => Refusal::NotApplied { reason, uri: None },
    }
}

fn diverged(parts: &[Part<'_>]) -> Vec<DivergedDocument> {
    let document =
        |it: &Part<'_>| DivergedDocument { uri: it.uri.to_owned(), operation: it.operation, state: it.found.state };
    parts.iter().map(document).collect()
}

fn reason(server: &Server, answer: &Answer) -> String {
    match answer {
        Answer::Unasked => "the editor was not asked".to_owned(),
        Answer::Declined => "the editor refused and gave no reason".to_owned(),
        Answer::Refused(reason) => reason.clone(),
        Answer::Silence(patience) => format!("the editor did not answer within {patience:?}"),
        Answer::Applied | Answer::Unneeded => {
            let settle = server.profile().timeouts.settle;
            format!("the editor said it applied the edit, but did not show its result within {settle:?}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inverse_makes_the_base_of_the_result() {
        let check = |base: &str, replacements: &[(usize, usize, &str)]| {
            let replacement =
                |&(start, end, text): &(usize, usize, &str)| Replacement::new(Span::new(start, end), text);
            let edits = EditSet::new(replacements.iter().map(replacement).collect()).unwrap();
            assert_eq!(inverse(&edits, &Text::new(base)).apply(&edits.apply(base)), base);
        };
        check("one two three", &[(0, 3, "1"), (4, 4, "and "), (7, 13, "")]);
        check("a🚀b\r\n", &[(1, 5, "é"), (6, 8, "\n")]);
        check("", &[(0, 0, "new\n")]);
        check("ab", &[(0, 1, ""), (1, 1, "x"), (1, 2, "")]);
    }
}
