//! The open documents of the editor. An edit of several is made in all of them or in none, and so is what it does with files.

use std::collections::BTreeMap;

use tower_lsp::ls_types::{
    AnnotatedTextEdit, ApplyWorkspaceEditParams, DocumentChangeOperation, DocumentChanges, OneOf, ResourceOp,
    TextDocumentEdit, TextEdit, Uri,
};

use super::open_document::{Edited, OpenDocument};

/// What an edit comes to, before any of it is done.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// The documents it changes.
    pub(crate) texts: Vec<(Uri, Edited)>,
    /// What it does with files then, in order.
    pub(crate) operations: Vec<FileOperation>,
}

/// What is to be done with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FileOperation {
    Create { uri: Uri, content: String },
    Rename { old: Uri, new: Uri },
    Delete { uri: Uri },
}

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
    pub(crate) fn edited(&self, params: ApplyWorkspaceEditParams) -> Result<Outcome, String> {
        let changes: Vec<_> = match params.edit.document_changes {
            Some(DocumentChanges::Edits(edits)) => edits.into_iter().map(DocumentChangeOperation::Edit).collect(),
            Some(DocumentChanges::Operations(operations)) => operations,
            None => return Err("this editor takes `documentChanges` alone".to_owned()),
        };
        let mut outcome = Outcome::default();
        for change in changes {
            match change {
                DocumentChangeOperation::Op(ResourceOp::Create(it)) => {
                    outcome.operations.push(FileOperation::Create { uri: it.uri, content: String::new() });
                }
                DocumentChangeOperation::Op(ResourceOp::Rename(it)) => {
                    outcome.operations.push(FileOperation::Rename { old: it.old_uri, new: it.new_uri });
                }
                DocumentChangeOperation::Op(ResourceOp::Delete(it)) => {
                    outcome.operations.push(FileOperation::Delete { uri: it.uri });
                }
                DocumentChangeOperation::Edit(edit) => match outcome.operations.last_mut() {
                    // The content of the file that was just created.
                    Some(FileOperation::Create { uri, content }) if *uri == edit.text_document.uri => {
                        content.extend(edit.edits.into_iter().map(|it| plain(it).new_text));
                    }
                    _ => outcome.texts.push(self.one_edited(edit)?),
                },
            }
        }
        Ok(outcome)
    }

    fn one_edited(&self, edit: TextDocumentEdit) -> Result<(Uri, Edited), String> {
        let asked = edit.text_document;
        let open = self.get(&asked.uri).ok_or_else(|| format!("{} is not open", asked.uri.as_str()))?;
        if asked.version != Some(open.version) {
            return Err(format!("{} is at version {}", asked.uri.as_str(), open.version));
        }
        let edits: Vec<TextEdit> = edit.edits.into_iter().map(plain).collect();
        Ok((asked.uri, open.edited(&edits)?))
    }
}

fn plain(edit: OneOf<TextEdit, AnnotatedTextEdit>) -> TextEdit {
    match edit {
        OneOf::Left(edit) => edit,
        OneOf::Right(annotated) => annotated.text_edit,
    }
}

#[cfg(test)]
mod tests {
    use std::str::FromStr;

    use agent_edit_engine::Text;
    use serde_json::{Value, json};
    use tower_lsp::ls_types::Uri;

    use super::{Documents, FileOperation, OpenDocument};

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
            .map(|all| all.texts.iter().map(|(uri, it)| (uri.as_str(), it.document.text.as_str())).collect::<Vec<_>>());
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
    fn what_is_to_be_done_with_files_is_told_with_the_content_of_new_ones() {
        let start = json!({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}});
        let content = json!({"textDocument": {"uri": "file:///new", "version": null},
            "edits": [{"range": start, "newText": "new\n"}]});
        let changes = json!([
            to_new("file:///a", json!(3)),
            {"kind": "create", "uri": "file:///new"}, content, {"kind": "create", "uri": "file:///empty"},
            {"kind": "rename", "oldUri": "file:///c", "newUri": "file:///d"}, {"kind": "delete", "uri": "file:///e"},
        ]);
        let mut documents = Documents::default();
        let uri = |it: &str| Uri::from_str(it).unwrap();
        documents.put(uri("file:///a"), OpenDocument { text: Text::new("old"), version: 3 });
        let params = serde_json::from_value(json!({"edit": {"documentChanges": changes}})).unwrap();
        let outcome = documents.edited(params).unwrap();
        assert_eq!(outcome.texts.len(), 1);
        let expected = [
            FileOperation::Create { uri: uri("file:///new"), content: "new\n".to_owned() },
            FileOperation::Create { uri: uri("file:///empty"), content: String::new() },
            FileOperation::Rename { old: uri("file:///c"), new: uri("file:///d") },
            FileOperation::Delete { uri: uri("file:///e") },
        ];
        assert_eq!(outcome.operations, expected);
    }

    #[test]
    fn an_edit_for_no_known_version_is_not_made() {
        check(json!({"documentChanges": [to_new("file:///a", Value::Null)]}), Err("is at version 3"));
        let changes = json!({"file:///a": to_new("", Value::Null)["edits"]});
        check(json!({"changes": changes}), Err("documentChanges"));
        check(json!({}), Err("documentChanges"));
    }
}
