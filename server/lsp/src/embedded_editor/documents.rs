//! The open documents of the editor. An edit of several is made in all of them or in none.

use std::collections::BTreeMap;

use tower_lsp::ls_types::{
    AnnotatedTextEdit, ApplyWorkspaceEditParams, DocumentChanges, OneOf, TextDocumentEdit, TextEdit, Uri,
};

use super::open_document::{Edited, OpenDocument};

#[derive(Debug, Default)]
pub(crate) struct Documents(BTreeMap<Uri, OpenDocument>);

impl Documents {
    pub(crate) fn get(&self, uri: &Uri) -> Option<&OpenDocument> {
        self.0.get(uri)
    }

    pub(crate) fn put(&mut self, uri: Uri, document: OpenDocument) {
        self.0.insert(uri, document);
    }

    /// What the server's edit makes of the documents; nothing is changed yet.
    ///
    /// # Errors
    /// Why it cannot be made, in the words of the answer to the server.
    pub(crate) fn edited(&self, params: ApplyWorkspaceEditParams) -> Result<Vec<(Uri, Edited)>, String> {
        let Some(DocumentChanges::Edits(documents)) = params.edit.document_changes else {
            return Err("this editor takes `documentChanges` of text edits alone".to_owned());
        };
        documents.into_iter().map(|it| self.one_edited(it)).collect()
    }

    fn one_edited(&self, edit: TextDocumentEdit) -> Result<(Uri, Edited), String> {
        let asked = edit.text_document;
        let open = self.get(&asked.uri).ok_or_else(|| format!("{} is not open", asked.uri.as_str()))?;
        if asked.version != Some(open.version) {
            return Err(format!("{} is at version {}", asked.uri.as_str(), open.version));
        }
        let plain = |it: OneOf<TextEdit, AnnotatedTextEdit>| match it {
            OneOf::Left(edit) => edit,
            OneOf::Right(annotated) => annotated.text_edit,
        };
        let edits: Vec<TextEdit> = edit.edits.into_iter().map(plain).collect();
        Ok((asked.uri, open.edited(&edits)?))
    }
}
