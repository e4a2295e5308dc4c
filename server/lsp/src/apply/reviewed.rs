//! Through an editor that asks the person itself: each edit needs confirmation, and what the person makes of it stays.

use std::collections::HashMap;

use tokio_util::sync::CancellationToken;
use tower_lsp::ls_types::{
    AnnotatedTextEdit, ChangeAnnotation, DocumentChangeOperation, DocumentChanges, OneOf, ResourceOp, TextDocumentEdit,
    WorkspaceEdit,
};

use crate::apply::operations::in_order;
use crate::apply::round::{Answer, Manner, round};
use crate::apply::{Change, Part, Work, diverged, what_changes};
use crate::operations::FileChange;
use crate::protocol::DivergedState;
use crate::refusal::Refusal;
use crate::server::Server;

/// What the editor is to ask the person.
#[derive(Clone, Debug)]
pub(crate) struct Review {
    /// What the person is asked about, and under what the editor groups its parts.
    pub label: String,
    /// Who asks.
    pub agent: String,
    /// Cancelled as soon as the person has been asked.
    pub answered: CancellationToken,
}

/// As [`apply_all`](super::apply_all), if the person confirms it, who may leave out some of it. Nothing is tried again or
/// taken back.
pub(crate) async fn apply_if_confirmed(
    server: &Server,
    changes: Vec<Change>,
    operations: Vec<FileChange>,
    review: Review,
) -> Result<(), Refusal> {
    let (changes, operations) = (what_changes(server, changes)?, in_order(operations));
    if changes.is_empty() && operations.is_empty() {
        return Ok(());
    }
    let manner = Manner { label: Some(review.label.clone()), review: Some(review) };
    let outcome = round(server, &changes, &operations, &manner).await;
    let work = Work { changes: &changes, operations: &operations };
    if work.is_done(&outcome) { Ok(()) } else { Err(refusal(&work.parts(&outcome), &outcome.answer)) }
}

fn refusal(parts: &[Part<'_>], answer: &Answer) -> Refusal {
    if parts.iter().any(|it| it.found.state != DivergedState::NotApplied) {
        let reason = "not all of it was confirmed, or a document changed while the person was asked".to_owned();
        return Refusal::ContentModified { reason, diverged: Some(diverged(parts)) };
    }
    match parts.iter().find(|it| it.found.moved) {
        Some(part) => {
            let reason = format!("{} changed before the person had confirmed the edit", part.name);
            Refusal::ContentModified { reason, diverged: None }
        }
        None => Refusal::NotApplied { reason: reason(answer), uri: None },
    }
}

fn reason(answer: &Answer) -> String {
    match answer {
        Answer::Declined => "the person discarded it".to_owned(),
        Answer::Refused(reason) => reason.clone(),
        _ => "the person left out all of it".to_owned(),
    }
}

impl Review {
    /// `edit` as one that needs confirmation. Each document has an annotation of its own.
    pub(crate) fn annotated(&self, edit: WorkspaceEdit) -> WorkspaceEdit {
        let mut annotations = HashMap::new();
        let document_changes = edit.document_changes.map(|changes| match changes {
            DocumentChanges::Edits(edits) => {
                DocumentChanges::Edits(edits.into_iter().map(|it| self.annotated_edit(it, &mut annotations)).collect())
            }
            DocumentChanges::Operations(operations) => DocumentChanges::Operations(
                operations.into_iter().map(|it| self.annotated_operation(it, &mut annotations)).collect(),
            ),
        });
        WorkspaceEdit { document_changes, change_annotations: Some(annotations), ..edit }
    }

    fn annotated_edit(&self, edit: TextDocumentEdit, annotations: &mut Annotations) -> TextDocumentEdit {
        let id = self.annotation(edit.text_document.uri.as_str(), annotations);
        let annotated = |it| {
            let (OneOf::Left(text_edit) | OneOf::Right(AnnotatedTextEdit { text_edit, .. })) = it;
            OneOf::Right(AnnotatedTextEdit { text_edit, annotation_id: id.clone() })
        };
        TextDocumentEdit { edits: edit.edits.into_iter().map(annotated).collect(), ..edit }
    }

    fn annotated_operation(
        &self,
        operation: DocumentChangeOperation,
        annotations: &mut Annotations,
    ) -> DocumentChangeOperation {
        match operation {
            DocumentChangeOperation::Edit(edit) => {
                DocumentChangeOperation::Edit(self.annotated_edit(edit, annotations))
            }
            DocumentChangeOperation::Op(mut operation) => {
                let (uri, id) = match &mut operation {
                    ResourceOp::Create(it) => (&it.uri, &mut it.annotation_id),
                    ResourceOp::Rename(it) => (&it.new_uri, &mut it.annotation_id),
                    ResourceOp::Delete(it) => (&it.uri, &mut it.annotation_id),
                };
                *id = Some(self.annotation(uri.as_str(), annotations));
                DocumentChangeOperation::Op(operation)
            }
        }
    }

    /// The name of the annotation for this document.
    fn annotation(&self, uri: &str, annotations: &mut Annotations) -> String {
        let name = uri.rsplit('/').next().unwrap_or(uri);
        let annotation = ChangeAnnotation {
            label: self.label.clone(),
            needs_confirmation: Some(true),
            description: Some(format!("{}, in {name}", self.agent)),
        };
        annotations.insert(uri.to_owned(), annotation);
        uri.to_owned()
    }
}

type Annotations = HashMap<String, ChangeAnnotation>;
