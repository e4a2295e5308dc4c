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

#[cfg(test)]
mod tests {
    use std::str::FromStr;

    use agent_edit_engine::Text;
    use serde_json::{Value, json};
    use tower_lsp::ls_types::Uri;

    use super::{Documents, OpenDocument};

    /// What becomes of `file:///a`, at version 3, and `file:///b`, at version 1, both of which hold `old`.
    #[track_caller]
    fn check(edit: Value, expected: Result<&[(&str, &str)], &str>) {
        let mut documents = Documents::default();
        for (uri, version) in [("file:///a", 3), ("file:///b", 1)] {
            documents.put(Uri::from_str(uri).unwrap(), OpenDocument { text: Text::new("old"), version });
        }
        let edited = documents.edited(serde_json::from_value(json!({"edit": edit})).unwrap());
        let texts = edited
            .as_ref()
            .map(|all| all.iter().map(|(uri, it)| (uri.as_str(), it.document.text.as_str())).collect::<Vec<_>>());
        match (texts, expected) {
            (Ok(texts), Ok(expected)) => assert_eq!(texts, expected),
            (Err(reason), Err(expected)) => assert!(reason.contains(expected), "{reason}"),
            (texts, _) => panic!("{texts:?}"),
        }
    }

    fn to_new(uri: &str, version: Value) -> Value {
        let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 3}});
        json!({"textDocument": {"uri": uri, "version": version}, "edits": [{"range": range, "newText": "new"}]})
    }

    #[test]
    fn an_edit_is_made_in_all_documents_or_in_none() {
        let a = to_new("file:///a", json!(3));
        let both = [a.clone(), to_new("file:///b", json!(1))];
        check(json!({"documentChanges": both}), Ok(&[("file:///a", "new"), ("file:///b", "new")]));
        let stale = [a.clone(), to_new("file:///b", json!(2))];
        check(json!({"documentChanges": stale}), Err("file:///b is at version 1"));
        check(json!({"documentChanges": [a, to_new("file:///c", json!(1))]}), Err("file:///c is not open"));
    }

    #[test]
    fn an_edit_for_no_known_version_is_not_made() {
        check(json!({"documentChanges": [to_new("file:///a", Value::Null)]}), Err("is at version 3"));
        let changes = json!({"file:///a": to_new("", Value::Null)["edits"]});
        check(json!({"changes": changes}), Err("documentChanges"));
        check(json!({}), Err("documentChanges"));
    }
}
