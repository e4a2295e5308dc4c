//! The person at the editor: opens, types, closes; and how the server is told of it.

use std::ops::Range;

use serde_json::{Value, json};

use crate::character::Character;
use crate::document::{Document, Telling};
use crate::editor::Editor;
use crate::positions::{is_between, position};

impl Editor {
    /// Opens a document.
    #[track_caller]
    pub fn open(&mut self, uri: &str, text: &str) {
        assert!(!self.documents.contains_key(uri), "{uri} is open");
        let document = self.setup.character.opened(text, self.setup.encoding);
        self.open_as(uri, document);
    }

    pub(crate) fn open_as(&mut self, uri: &str, document: Document) {
        let item = json!({"uri": uri, "languageId": "text", "version": document.version, "text": document.last_told()});
        self.documents.insert(uri.to_owned(), document);
        self.notify("textDocument/didOpen", json!({"textDocument": item}));
    }

    /// Tells what is untold, then closes a document.
    #[track_caller]
    pub fn close(&mut self, uri: &str) {
        self.tell(uri);
        let document = self.documents.remove(uri).unwrap_or_else(|| panic!("{uri} is not open"));
        self.closed.insert(uri.to_owned(), document.version);
        self.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
    }

    /// The text of an open document.
    #[track_caller]
    #[must_use]
    pub fn text(&self, uri: &str) -> &str {
        &self.document(uri).text
    }

    /// The version of an open document.
    #[track_caller]
    #[must_use]
    pub fn version(&self, uri: &str) -> i64 {
        self.document(uri).version
    }

    /// Whether the server has been told all that was done to a document.
    #[track_caller]
    #[must_use]
    pub fn is_told(&self, uri: &str) -> bool {
        self.document(uri).is_told()
    }

    /// The URIs of the open documents.
    #[must_use]
    pub fn uris(&self) -> Vec<String> {
        self.documents.keys().cloned().collect()
    }

    #[track_caller]
    fn document(&self, uri: &str) -> &Document {
        self.documents.get(uri).unwrap_or_else(|| panic!("{uri} is not open"))
    }

    #[track_caller]
    pub(crate) fn document_mut(&mut self, uri: &str) -> &mut Document {
        self.documents.get_mut(uri).unwrap_or_else(|| panic!("{uri} is not open"))
    }

    /// Types: `new_text` instead of the bytes of `span`, both ends moved back to a place between characters.
    #[track_caller]
    pub fn type_over(&mut self, uri: &str, span: Range<usize>, new_text: &str) {
        self.type_many(uri, &[(span, new_text)]);
    }

    /// Types in front of the first occurrence of `mark`.
    #[track_caller]
    pub fn type_before(&mut self, uri: &str, mark: &str, new_text: &str) {
        let at = self.text(uri).find(mark).unwrap_or_else(|| panic!("{mark:?} is not in {uri}"));
        self.type_over(uri, at..at, new_text);
    }

    /// Types in several places at once, sorted and disjoint: one `didChange` of several content changes.
    #[track_caller]
    pub fn type_many(&mut self, uri: &str, typed: &[(Range<usize>, &str)]) {
        let telling =
            if self.setup.character == Character::ChangesFirst { Telling::FromTheStart } else { Telling::FromTheEnd };
        self.typed(uri, typed, telling);
    }

    /// Types, and tells the server the whole text.
    #[track_caller]
    pub fn type_whole(&mut self, uri: &str, span: Range<usize>, new_text: &str) {
        self.typed(uri, &[(span, new_text)], Telling::Whole);
    }

    #[track_caller]
    fn typed(&mut self, uri: &str, typed: &[(Range<usize>, &str)], telling: Telling) {
        let document = self.document_mut(uri);
        let back = |mut at: usize| {
            while !is_between(&document.text, at) {
                at -= 1;
            }
            at
        };
        let replacements: Vec<_> =
            typed.iter().map(|(span, new_text)| (back(span.start)..back(span.end), (*new_text).to_owned())).collect();
        document.change(&replacements, telling);
        // What an application has not told yet goes first, and with it whatever is typed now.
        if !self.applications.iter().any(|it| it.keeps_back(uri)) {
            self.tell(uri);
        }
    }

    /// Tells the server whatever it has not been told of a document.
    #[track_caller]
    pub fn tell(&mut self, uri: &str) {
        match self.setup.character {
            Character::InPieces => {
                if let Some(it) = self.document_mut(uri).tell_rest() {
                    self.did_change(uri, it);
                }
            }
            Character::AnswersFirst | Character::ChangesFirst => while self.tell_one(uri) {},
        }
    }

    /// Tells the server the oldest change it has not been told of a document, and whether there was one.
    #[track_caller]
    pub(crate) fn tell_one(&mut self, uri: &str) -> bool {
        let change = self.document_mut(uri).tell_one();
        let told = change.is_some();
        if let Some(it) = change {
            self.did_change(uri, it);
        }
        told
    }

    fn did_change(&mut self, uri: &str, (version, content): (i64, Vec<Value>)) {
        let document = json!({"uri": uri, "version": version});
        self.notify("textDocument/didChange", json!({"textDocument": document, "contentChanges": content}));
    }

    /// The position of a byte of a document.
    #[track_caller]
    #[must_use]
    pub fn position(&self, uri: &str, at: usize) -> Value {
        position(self.text(uri), self.setup.encoding, at)
    }
}
