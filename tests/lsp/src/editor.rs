//! The fake editor: opens, types, asks, and does what the server wants of it, in its own [`Character`].
//!
//! It is driven by one thread and does nothing by itself: what arrives is handled while [`Editor::answer`] and its like
//! wait, or by [`Editor::receive`]. It checks all it gets, and complains at its [`finish`](Editor::finish).

use std::collections::{BTreeMap, VecDeque};
use std::thread;

use serde_json::{Value, json};

use crate::applying::{Application, Reaction};
use crate::character::Character;
use crate::document::Document;
use crate::positions::Encoding;
use crate::progress::{Creating, Progress};
use crate::questions::Question;
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

/// How an editor saves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Saves {
    /// As it is told.
    Well,
    /// After it has put the document's last line in order: it ends with a line break.
    Formatted,
    /// Not, though it says so.
    Never,
    /// Not, and it says so by an error.
    Fails,
    /// Not, and it says so.
    Refuses,
    /// As `Formatted`, and it tells of the change after its answer.
    Late,
    /// It does nothing and says nothing.
    Silent,
}

/// How an editor is set up.
#[derive(Clone, Debug)]
pub struct Setup {
    /// How it behaves.
    pub character: Character,
    /// The position encoding it offers, the only one.
    pub encoding: Encoding,
    /// The features it names; `None`: it knows nothing of agents.
    pub features: Option<Vec<&'static str>>,
    /// How it saves when it is asked to, if it does.
    pub saves: Option<Saves>,
    /// What it announces to do with files; `None`: all.
    pub operations: Option<Vec<&'static str>>,
    /// It shows documents that have no file.
    pub shows_virtual: bool,
    /// It opens diffs of its own.
    pub shows_edits: bool,
    /// The URIs of its workspace folders.
    pub folders: Vec<String>,
    /// `initializationOptions`.
    pub options: Value,
    /// The settings of the person, by section.
    pub settings: Value,
    /// Whether it puts questions to the person.
    pub can_ask: bool,
    /// What it does when it is to show a progress that nobody has asked for.
    pub creating: Creating,
}

impl Setup {
    /// The usual one of `character`: its encoding, all features, no folder.
    #[must_use]
    pub fn new(character: Character) -> Self {
        Self {
            character,
            encoding: character.encoding(),
            features: Some(FEATURES.to_vec()),
            saves: None,
            operations: None,
            shows_virtual: false,
            shows_edits: false,
            folders: vec![],
            options: Value::Null,
            settings: Value::Null,
            can_ask: true,
            creating: Creating::Agree,
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
    /// The last versions of documents it has closed: what was sent for them may still come.
    pub(crate) closed: BTreeMap<String, i64>,
    pub(crate) applications: VecDeque<Application>,
    pub(crate) reactions: VecDeque<Reaction>,
    pub(crate) diagnostics: BTreeMap<String, Vec<Value>>,
    /// The ids of the diagnostics it has asked for.
    pub(crate) result_ids: BTreeMap<String, String>,
    pub(crate) refreshes: usize,
    pub(crate) messages: Vec<Value>,
    pub(crate) questions: VecDeque<Question>,
    pub(crate) progress: BTreeMap<String, Progress>,
    pub(crate) unanswered_creations: usize,
    pub(crate) shown: Vec<Value>,
    pub(crate) asked: BTreeMap<i64, String>,
    pub(crate) answers: BTreeMap<i64, Value>,
    pub(crate) complaints: Vec<String>,
    pub(crate) next_id: i64,
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
            closed: BTreeMap::new(),
            applications: VecDeque::new(),
            reactions: VecDeque::new(),
            diagnostics: BTreeMap::new(),
            result_ids: BTreeMap::new(),
            refreshes: 0,
            messages: vec![],
            questions: VecDeque::new(),
            progress: BTreeMap::new(),
            unanswered_creations: 0,
            shown: vec![],
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
        if self.setup.shows_virtual {
            capabilities["workspace"]["textDocumentContent"] = json!({"dynamicRegistration": true});
        }
        if let Some(operations) = &self.setup.operations {
            capabilities["workspace"]["workspaceEdit"]["resourceOperations"] = json!(operations);
        }
        if let Some(features) = &self.setup.features {
            capabilities["experimental"] = json!({"agentEdit": {"features": features, "showEdit": self.setup.shows_edits, "save": self.setup.saves.is_some()}});
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

    /// The diagnostics of a document as last published or asked for.
    #[must_use]
    pub fn diagnostics(&self, uri: &str) -> Vec<Value> {
        self.diagnostics.get(uri).cloned().unwrap_or_default()
    }

    /// How often it was told to ask for diagnostics again.
    #[must_use]
    pub fn refreshes(&self) -> usize {
        self.refreshes
    }

    /// Whether it is set up to ask for diagnostics.
    pub(crate) fn pulls(&self) -> bool {
        self.setup.options["diagnostics"] == "pull"
    }

    /// What the server has shown or logged since it was last asked.
    pub fn take_messages(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.messages)
    }

    /// Handles all there is until the server has shown or logged something.
    #[track_caller]
    pub fn wait_for_messages(&mut self) -> Vec<Value> {
        self.wait_until(|it| !it.messages.is_empty());
        self.take_messages()
    }

    /// How it will react to the next `workspace/applyEdit` to come that has no reaction yet.
    pub fn react(&mut self, reaction: Reaction) {
        self.reactions.push_back(reaction);
    }

    /// Forgets the reactions that no edit has come for.
    pub fn react_as_usual(&mut self) {
        self.reactions.clear();
    }

    /// The person sets something else, by section.
    pub fn configure(&mut self, settings: Value) {
        self.setup.settings = settings;
        self.notify("workspace/didChangeConfiguration", json!({"settings": null}));
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
        for (token, it) in std::mem::take(&mut self.progress) {
            if it.is_begun() && !it.is_ended() {
                self.complain(format!("the progress {token} has no end: {it:?}"));
            }
        }
        for question in std::mem::take(&mut self.questions) {
            self.complain(format!("nobody answered {question:?}"));
        }
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

    /// Its server is killed. Panics with every complaint so far.
    #[track_caller]
    pub fn kill(mut self) {
        self.at_rest = true;
        assert!(!self.server.stderr().contains("panicked"), "a panic:\n{}", self.server.stderr());
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
