//! Documents saved because the server asks for it.

use std::fs;

use serde_json::{Value, json};

use crate::editor::{Editor, Saves};
use crate::operating::path_of;
use crate::rpc::{response, response_error};

impl Editor {
    pub(crate) fn asked_to_save(&mut self, id: &Value, params: &Value) {
        if self.setup.saves == Some(Saves::Silent) {
            return;
        }
        if self.setup.saves == Some(Saves::Fails) {
            return self.server.send(&response_error(id, -32603, "the disk is full"));
        }
        let documents = params["textDocuments"].as_array().cloned().unwrap_or_default();
        let mut saved = vec![];
        for document in &documents {
            let uri = document["uri"].as_str().expect("a document has a URI").to_owned();
            if !self.documents.contains_key(&uri) {
                self.complain(format!("{uri} is to be saved and not open"));
            } else if document["version"] != self.version(&uri) {
                self.complain(format!("{document} is to be saved, it has version {}", self.version(&uri)));
            } else if !matches!(self.setup.saves, Some(Saves::Never | Saves::Refuses)) {
                self.save(&uri);
            }
            saved.push(self.setup.saves != Some(Saves::Refuses));
        }
        self.server.send(&response(id, json!({"saved": saved})));
        if self.setup.saves != Some(Saves::Late) {
            return;
        }
        for uri in documents.iter().filter_map(|it| it["uri"].as_str()) {
            self.tell(uri);
            self.notify("textDocument/didSave", json!({"textDocument": {"uri": uri}}));
        }
    }

    fn save(&mut self, uri: &str) {
        if self.setup.saves == Some(Saves::Formatted) && !self.text(uri).ends_with('\n') {
            let end = self.text(uri).len();
            self.type_over(uri, end..end, "\n");
        }
        if self.setup.saves == Some(Saves::Late) {
            let end = self.text(uri).len();
            let telling = self.setup.character.telling();
            self.document_mut(uri).change(&[(end..end, "\n".to_owned())], telling);
        }
        if let Some(path) = path_of(uri) {
            fs::write(path, self.text(uri)).expect("the file can be written");
        }
        if self.setup.saves == Some(Saves::Late) {
            return;
        }
        let params = json!({"textDocument": {"uri": uri}});
        self.notify("textDocument/didSave", params);
    }
}
