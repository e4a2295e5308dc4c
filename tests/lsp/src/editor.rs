//! The fake editor: opens, types, asks, and does what the server wants of it, in its own [`Character`].
//!
//! It is driven by one thread and does nothing by itself: what arrives is handled while [`Editor::answer`] and its like
//! wait, or by [`Editor::receive`]. It checks all it gets, and complains at its [`finish`](Editor::finish).

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;
use std::thread;

use serde_json::{Value, json};

use crate::applying::{Application, Reaction};
use crate::character::Character;
use crate::document::{Document, Telling};
use crate::positions::{Encoding, is_between, position, range};
use crate::rpc::{notification, request};
use crate::server::{Output, Server};
use crate::sha256::sha256;

/// Every feature of `workspace/agentEdit`.
pub const FEATURES: [&str; 11] = [
    "expected_base_sha256",
    "tolerant_match",
    "lenient_match",
    "replace_all",
    "line_edits",
    "original_anchoring",
    "policy",
    "preview",
    "review",
    "resource_operations",
    "save",
];

/// How an editor is set up.
#[derive(Clone, Debug)]
pub struct Setup {
    /// How it behaves.
    pub character: Character,
    /// The position encoding it offers, the only one.
    pub encoding: Encoding,
    /// The features it names; `None`: it knows nothing of agents.
    pub features: Option<Vec<&'static str>>,
    /// The URIs of its workspace folders.
    pub folders: Vec<String>,
    /// `initializationOptions`.
    pub options: Value,
}

impl Setup {
    /// The usual one of `character`: its encoding, all features, no folder.
    #[must_use]
    pub fn new(character: Character) -> Self {
        Self {
            character,
            encoding: character.encoding(),
            features: Some(FEATURES.to_vec()),
            folders: vec![],
            options: Value::Null,
        }
    }
}

/// A fake editor with its server.
#[derive(Debug)]
pub struct Editor {
    pub(crate) server: Server,
    pub(crate) setup: Setup,
    /// What the server said it can.
    pub capabilities: Value,
    pub(crate) documents: BTreeMap<String, Document>,
    pub(crate) applications: VecDeque<Application>,
    pub(crate) reactions: VecDeque<Reaction>,
    pub(crate) diagnostics: BTreeMap<String, Vec<Value>>,
    pub(crate) messages: Vec<Value>,
    pub(crate) asked: BTreeMap<i64, String>,
    pub(crate) answers: BTreeMap<i64, Value>,
    pub(crate) complaints: Vec<String>,
    next_id: i64,
    at_rest: bool,
}

impl Editor {
    /// Starts the server `binary` under an editor of this character.
    #[must_use]
    pub fn start(binary: &str, character: Character) -> Self {
        Self::start_with(binary, Setup::new(character))
    }

    /// Starts the server `binary` under an editor set up like this, and shakes hands.
    #[must_use]
    #[track_caller]
    pub fn start_with(binary: &str, setup: Setup) -> Self {
        let server = Server::start_with(binary, &["lsp"], Output::Read);
        let mut editor = Self {
            server,
            setup,
            capabilities: Value::Null,
            documents: BTreeMap::new(),
            applications: VecDeque::new(),
            reactions: VecDeque::new(),
            diagnostics: BTreeMap::new(),
            messages: vec![],
            asked: BTreeMap::new(),
            answers: BTreeMap::new(),
            complaints: vec![],
            next_id: 1,
            at_rest: false,
        };
        editor.shake_hands();
        editor
    }

    #[track_caller]
    fn shake_hands(&mut self) {
        let mut capabilities = self.setup.character.capabilities(self.setup.encoding);
        if let Some(features) = &self.setup.features {
            capabilities["experimental"] = json!({"agentEdit": {"features": features}});
        }
        let folders: Vec<_> = self.setup.folders.iter().map(|it| json!({"uri": it, "name": it})).collect();
        let id = self.request(
            "initialize",
            json!({
                "processId": std::process::id(),
                "clientInfo": self.setup.character.info(),
                "rootUri": self.setup.folders.first(),
                "workspaceFolders": folders,
                "capabilities": capabilities,
                "initializationOptions": self.setup.options,
            }),
        );
        let answer = self.answer(id);
        self.capabilities = answer["result"]["capabilities"].clone();
        let encoding = self.capabilities["positionEncoding"].as_str().unwrap_or("utf-16");
        assert_eq!(encoding, self.setup.encoding.name(), "the only encoding that was offered is not the one chosen");
        self.notify("initialized", json!({}));
    }

    /// Opens a document.
    #[track_caller]
    pub fn open(&mut self, uri: &str, text: &str) {
        assert!(!self.documents.contains_key(uri), "{uri} is open");
        let document = Document::open(text, self.setup.character.first_version(), self.setup.encoding);
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
        self.documents.remove(uri).unwrap_or_else(|| panic!("{uri} is not open"));
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

    /// Asks the server something, and says under which id.
    pub fn request(&mut self, method: &str, params: Value) -> i64 {
        let id = self.next_id;
        self.next_id += 1;
        self.asked.insert(id, method.to_owned());
        self.server.send(&request(id, method, params));
        id
    }

    /// Tells the server something.
    pub fn notify(&mut self, method: &str, params: Value) {
        self.server.send(&notification(method, params));
    }

    /// Sends a batch. Neovim tells what it keeps back before it asks anything.
    pub fn agent_edit(&mut self, params: Value) -> i64 {
        if self.setup.character == Character::InPieces {
            for uri in self.uris() {
                self.tell(&uri);
            }
        }
        self.request("workspace/agentEdit", params)
    }

    /// Runs a command.
    pub fn execute(&mut self, command: &str, arguments: Value) -> i64 {
        self.request("workspace/executeCommand", json!({"command": command, "arguments": arguments}))
    }

    /// The code actions at these bytes of a document, with the diagnostics that touch them as context.
    #[track_caller]
    pub fn code_actions(&mut self, uri: &str, span: Range<usize>) -> Vec<Value> {
        let wanted = range(self.text(uri), self.setup.encoding, span);
        let touching: Vec<_> = self.diagnostics(uri).into_iter().filter(|it| touch(&it["range"], &wanted)).collect();
        let context = json!({"diagnostics": touching, "triggerKind": 1});
        let document = json!({"uri": uri});
        let id = self
            .request("textDocument/codeAction", json!({"textDocument": document, "range": wanted, "context": context}));
        let answer = self.answer(id);
        let actions = match &answer["result"] {
            Value::Array(actions) => actions.clone(),
            Value::Null if answer["error"].is_null() => vec![],
            _ => panic!("no code actions: {answer}"),
        };
        for action in &actions {
            if !action["title"].is_string() || !action["command"]["command"].is_string() || action.get("edit").is_some()
            {
                self.complain(format!("a code action that is not a title and a command alone: {action}"));
            }
        }
        actions
    }

    /// Runs the code action whose title starts like this, one of those at `span`, and gives the command's answer.
    #[track_caller]
    pub fn run_action(&mut self, uri: &str, span: Range<usize>, title: &str) -> Value {
        let actions = self.code_actions(uri, span);
        let action = actions.iter().find(|it| it["title"].as_str().is_some_and(|it| it.starts_with(title)));
        let titles: Vec<_> = actions.iter().map(|it| &it["title"]).collect();
        let command = &action.unwrap_or_else(|| panic!("no action {title:?} among {titles:?}"))["command"];
        let name = command["command"].as_str().expect("it was checked");
        let id = self.execute(name, command["arguments"].clone());
        self.answer(id)
    }

    /// Asks that a request be given up.
    pub fn cancel(&mut self, id: i64) {
        self.notify("$/cancelRequest", json!({"id": id}));
    }

    /// Handles all there is until this request is answered.
    #[track_caller]
    pub fn answer(&mut self, id: i64) -> Value {
        self.wait_until(|it| it.answers.contains_key(&id));
        self.answers.remove(&id).expect("it was waited for")
    }

    /// The answer to this request, if it has come.
    pub fn answered(&mut self, id: i64) -> Option<Value> {
        self.answers.remove(&id)
    }

    /// Handles what arrives, and does what the server wants of it, until `holds`.
    #[track_caller]
    pub fn wait_until(&mut self, holds: impl Fn(&Self) -> bool) {
        while !holds(self) {
            if !self.advance() {
                self.receive();
            }
        }
    }

    /// Handles what arrives until `holds`, and leaves undone what the server wants of it.
    #[track_caller]
    pub fn hold_until(&mut self, holds: impl Fn(&Self) -> bool) {
        while !holds(self) {
            self.receive();
        }
    }

    /// Waits for one message and handles it.
    #[track_caller]
    pub fn receive(&mut self) {
        let message = self.server.receive();
        self.handle(&message);
    }

    /// Handles one message if one is there, and says whether one was.
    #[track_caller]
    pub fn receive_one(&mut self) -> bool {
        let message = self.server.try_receive();
        if let Some(it) = &message {
            self.handle(it);
        }
        message.is_some()
    }

    /// How many requests wait for an answer.
    #[must_use]
    pub fn unanswered(&self) -> usize {
        self.asked.len()
    }

    /// The diagnostics of a document as last published.
    #[must_use]
    pub fn diagnostics(&self, uri: &str) -> Vec<Value> {
        self.diagnostics.get(uri).cloned().unwrap_or_default()
    }

    /// What the server has shown or logged since it was last asked.
    pub fn take_messages(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.messages)
    }

    /// How it will react to the next `workspace/applyEdit` to come that has no reaction yet.
    pub fn react(&mut self, reaction: Reaction) {
        self.reactions.push_back(reaction);
    }

    /// Forgets the reactions that no edit has come for.
    pub fn react_as_usual(&mut self) {
        self.reactions.clear();
    }

    /// The position of a byte of a document.
    #[track_caller]
    #[must_use]
    pub fn position(&self, uri: &str, at: usize) -> Value {
        position(self.text(uri), self.setup.encoding, at)
    }

    /// The process under it, to do to it what no editor does.
    pub fn server(&mut self) -> &mut Server {
        &mut self.server
    }

    pub(crate) fn complain(&mut self, of: impl Into<String>) {
        self.complaints.push(of.into());
    }

    /// Asks the server whether it holds the editor's text of a document, and panics where it does not.
    #[track_caller]
    pub fn assert_in_sync(&mut self, uri: &str) {
        self.tell(uri);
        let digest = sha256(self.text(uri));
        let id = self.request(
            "workspace/agentEdit",
            json!({"mode": "preview", "agent": "sync check", "documents": [{
                "textDocument": {"uri": uri, "version": self.version(uri)}, "expectedBaseSha256": digest,
                "edits": [{"from": 0, "newText": "in sync?\n"}],
            }]}),
        );
        let answer = self.answer(id);
        let theirs = &answer["result"]["documents"][0]["baseSha256"];
        assert!(*theirs == digest, "{uri} has drifted: the editor has {:?}, the server says {answer}", self.text(uri));
    }

    /// Does all that is left to do, shuts the server down, and panics with every complaint.
    #[track_caller]
    pub fn finish(mut self) {
        self.wait_until(|it| it.asked.is_empty());
        while self.advance() {}
        for uri in self.uris() {
            if self.setup.features.as_ref().is_some_and(|it| it.contains(&"preview")) {
                self.assert_in_sync(&uri);
            }
        }
        let id = self.request("shutdown", Value::Null);
        let answer = self.answer(id);
        if answer.get("result") != Some(&Value::Null) {
            self.complain(format!("shutdown was answered by {answer}"));
        }
        self.notify("exit", Value::Null);
        match self.server.exit_code() {
            Some(0) => {}
            it => self.complain(format!("after shutdown and exit, the exit code is {it:?}")),
        }
        for message in self.server.unread() {
            self.handle(&message);
        }
        if self.server.stderr().contains("panicked") {
            self.complain(format!("a panic:\n{}", self.server.stderr()));
        }
        self.at_rest = true;
        for (id, answer) in std::mem::take(&mut self.answers) {
            self.complain(format!("nobody read the answer to {id}: {answer}"));
        }
        for message in self.take_messages() {
            self.complain(format!("nobody read {message}"));
        }
        for it in std::mem::take(&mut self.applications) {
            self.complain(format!("an edit was left undone: {it:?}"));
        }
        for it in std::mem::take(&mut self.reactions) {
            self.complain(format!("no edit came to react to by {it:?}"));
        }
        assert!(self.complaints.is_empty(), "the editor complains:\n- {}", self.complaints.join("\n- "));
    }

    /// Leaves without a word: the server's input ends. Gives the server, whose end is to be seen, and panics with every
    /// complaint so far.
    #[track_caller]
    pub fn die(mut self) -> i32 {
        self.at_rest = true;
        self.server.close_input();
        let code = self.server.exit_code();
        assert!(!self.server.stderr().contains("panicked"), "a panic:\n{}", self.server.stderr());
        assert!(self.complaints.is_empty(), "the editor complains:\n- {}", self.complaints.join("\n- "));
        code.expect("no signal ended it")
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        assert!(self.at_rest || thread::panicking(), "an editor ends by finish() or die(), so that it can complain");
    }
}

/// Whether two ranges have a place in common.
fn touch(one: &Value, other: &Value) -> bool {
    let at = |it: &Value| (it["line"].as_u64(), it["character"].as_u64());
    at(&one["start"]) <= at(&other["end"]) && at(&other["start"]) <= at(&one["end"])
}
