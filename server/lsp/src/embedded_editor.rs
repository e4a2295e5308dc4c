//! A small editor for the command line: it starts the server in a process of its own and speaks the real protocol with
//! it over stdio, as any editor does. Its documents are copies in memory; what is done with them is its owner's business.

mod connection;
mod documents;
mod open_document;

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use agent_edit_engine::Text;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tower_lsp::jsonrpc::Error;
use tower_lsp::ls_types::{
    ApplyWorkspaceEditParams, ApplyWorkspaceEditResponse, CodeAction, CodeActionOrCommand, Diagnostic,
    PublishDiagnosticsParams, TextEdit, Uri,
};

use self::connection::Connection;
pub(crate) use self::connection::Fault;
use self::documents::Documents;
pub(crate) use self::documents::{FileOperation, Outcome};
use self::open_document::Edited;
pub(crate) use self::open_document::{OpenDocument, position, span};

/// How long the server may take for one thing: more than the largest batch needs on a slow machine.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long diagnostics may take, which nothing depends on.
const DIAGNOSTICS_PATIENCE: Duration = Duration::from_secs(10);

/// What this editor can do of `workspace/agentEdit`. Not `review`: it has nobody to ask.
const FEATURES: [&str; 10] = [
    "expected_base_sha256",
    "tolerant_match",
    "lenient_match",
    "replace_all",
    "line_edits",
    "original_anchoring",
    "policy",
    "preview",
    "resource_operations",
    "save",
];

/// Brings what an edit comes to to the disk, all of it or nothing; an error is the reason for the server.
type Save = Box<dyn FnMut(&Outcome) -> Result<(), String>>;

/// Who does that.
struct Saver(Save);

impl fmt::Debug for Saver {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("Saver")
    }
}

/// An editor with its server.
#[derive(Debug)]
pub(crate) struct EmbeddedEditor {
    connection: Connection,
    last_id: i64,
    documents: Documents,
    diagnostics: BTreeMap<Uri, Vec<Diagnostic>>,
    /// Without one, nothing is done with files.
    saver: Option<Saver>,
}

impl EmbeddedEditor {
    /// Starts the server and opens the folder `root` in it.
    pub(crate) fn start(root: &Uri) -> Result<Self, Fault> {
        let program = std::env::current_exe().map_err(Fault::NotStarted)?;
        let connection = Connection::start(Command::new(program).arg("lsp"))?;
        let (documents, diagnostics) = (Documents::default(), BTreeMap::new());
        let mut editor = Self { connection, last_id: 0, documents, diagnostics, saver: None };
        editor.initialize(root)?;
        Ok(editor)
    }

    /// Has every edit brought to the disk by `save` before it is made in the documents.
    pub(crate) fn save_with(&mut self, save: impl FnMut(&Outcome) -> Result<(), String> + 'static) {
        self.saver = Some(Saver(Box::new(save)));
    }

    fn initialize(&mut self, root: &Uri) -> Result<(), Fault> {
        let params = json!({
            "processId": std::process::id(),
            "clientInfo": {"name": "agent-edit", "version": env!("CARGO_PKG_VERSION")},
            "rootUri": root,
            "workspaceFolders": [{"uri": root, "name": "root"}],
            "capabilities": {
                "general": {"positionEncodings": ["utf-8"]},
                "workspace": {
                    "applyEdit": true,
                    "workspaceEdit": {
                        "documentChanges": true,
                        "resourceOperations": ["create", "rename", "delete"],
                        "failureHandling": "transactional",
                    },
                },
                "textDocument": {
                    "publishDiagnostics": {"relatedInformation": true, "versionSupport": true, "dataSupport": true},
                    "codeAction": {
                        "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}},
                        "dataSupport": true,
                        "isPreferredSupport": true,
                    },
                },
                "experimental": {"agentEdit": {"features": FEATURES, "save": true}},
            },
        });
        let answer = self.request("initialize", params)?.map_err(|error| Fault::Garbled(error.message.into_owned()))?;
        if answer["capabilities"]["positionEncoding"] != "utf-8" {
            return Err(Fault::Garbled("it does not count in the position encoding agreed on".to_owned()));
        }
        self.notify("initialized", json!({}));
        Ok(())
    }

    /// Opens a document with its text, which need not be what a file holds.
    pub(crate) fn open(&mut self, uri: Uri, text: &str) {
        let document = OpenDocument { text: Text::new(text), version: 1 };
        let item = json!({"uri": uri, "languageId": language(&uri), "version": document.version, "text": text});
        self.documents.put(uri, document);
        self.notify("textDocument/didOpen", json!({"textDocument": item}));
    }

    /// Changes a document as a person does who types.
    pub(crate) fn type_text(&mut self, uri: &Uri, edit: TextEdit) -> Result<(), String> {
        let edited = self.documents.get(uri).ok_or("the document is not open")?.edited(&[edit])?;
        self.change(uri.clone(), edited);
        Ok(())
    }

    pub(crate) fn document(&self, uri: &Uri) -> Option<&OpenDocument> {
        self.documents.get(uri)
    }

    /// What the server last published for `uri`.
    pub(crate) fn diagnostics(&self, uri: &Uri) -> &[Diagnostic] {
        self.diagnostics.get(uri).map_or(&[], Vec::as_slice)
    }

    /// How many edits have diagnostics in `uri`.
    pub(crate) fn edits_in_conflict(&self, uri: &Uri) -> usize {
        let mut edits: Vec<_> = self.diagnostics(uri).iter().filter_map(|it| edit_of(it)?.as_u64()).collect();
        edits.sort_unstable();
        edits.dedup();
        edits.len()
    }

    /// Hands a batch to the server, as an agent's request.
    pub(crate) fn agent_edit(&mut self, params: Value) -> Result<Result<Value, Error>, Fault> {
        self.request("workspace/agentEdit", params)
    }

    /// What can be done about `diagnostic`.
    pub(crate) fn code_actions(&mut self, uri: &Uri, diagnostic: &Diagnostic) -> Result<Vec<CodeAction>, Fault> {
        let params = json!({
            "textDocument": {"uri": uri},
            "range": diagnostic.range,
            "context": {"diagnostics": [diagnostic]},
        });
        let answer = self.request("textDocument/codeAction", params)?;
        let answer = answer.map_err(|error| Fault::Garbled(error.message.into_owned()))?;
        let actions: Option<Vec<CodeActionOrCommand>> = understood(answer)?;
        Ok(actions
            .unwrap_or_default()
            .into_iter()
            .filter_map(|it| match it {
                CodeActionOrCommand::CodeAction(action) => Some(action),
                CodeActionOrCommand::Command(_) => None,
            })
            .collect())
    }

    /// Does what `action` says.
    pub(crate) fn execute(&mut self, action: CodeAction) -> Result<Result<Value, Error>, Fault> {
        let command = action.command.ok_or_else(|| Fault::Garbled(format!("{:?} carries no command", action.title)))?;
        let params = json!({"command": command.command, "arguments": command.arguments.unwrap_or_default()});
        self.request("workspace/executeCommand", params)
    }

    /// Waits until every failing edit of a refused batch, as its error names them, is pinned by a diagnostic.
    pub(crate) fn await_conflicts(&mut self, failures: &[Value]) -> Result<(), Fault> {
        self.hear_until("the diagnostics of the conflicts", |editor| {
            failures.iter().all(|failure| {
                editor.diagnostics.iter().any(|(uri, published)| {
                    failure["uri"] == uri.as_str() && published.iter().any(|it| edit_of(it) == Some(&failure["edit"]))
                })
            })
        })
    }

    /// Waits until the server has taken back what it published for the edit of `diagnostic`.
    pub(crate) fn await_resolved(&mut self, uri: &Uri, diagnostic: &Diagnostic) -> Result<(), Fault> {
        self.hear_until("the end of a diagnostic", |editor| {
            !editor.diagnostics(uri).iter().any(|it| edit_of(it) == edit_of(diagnostic))
        })
    }

    fn hear_until(&mut self, waiting_for: &str, enough: impl Fn(&Self) -> bool) -> Result<(), Fault> {
        let since = Instant::now();
        while !enough(self) {
            let message = self.connection.receive(waiting_for, since, DIAGNOSTICS_PATIENCE)?;
            self.hear(message)?;
        }
        Ok(())
    }

    /// Ends the server as the protocol says.
    pub(crate) fn close(mut self) -> Result<(), Fault> {
        let _ = self.request("shutdown", Value::Null)?;
        self.notify("exit", Value::Null);
        let since = Instant::now();
        loop {
            match self.connection.receive("its end", since, PATIENCE) {
                Ok(_) => {}
                Err(Fault::Died { .. }) => return Ok(()),
                Err(fault) => return Err(fault),
            }
        }
    }

    /// Asks the server, and serves it until it has answered.
    fn request(&mut self, method: &str, params: Value) -> Result<Result<Value, Error>, Fault> {
        self.last_id += 1;
        let mut message = json!({"jsonrpc": "2.0", "id": self.last_id, "method": method});
        if !params.is_null() {
            message["params"] = params;
        }
        self.connection.send(message);
        let (since, waiting_for) = (Instant::now(), format!("its answer to {method}"));
        loop {
            let mut message = self.connection.receive(&waiting_for, since, PATIENCE)?;
            if message.get("method").is_some() || message["id"] != self.last_id {
                self.hear(message)?;
            } else if let Some(error) = message.get_mut("error") {
                return Ok(Err(understood(error.take())?));
            } else {
                return Ok(Ok(message["result"].take()));
            }
        }
    }

    fn notify(&self, method: &str, params: Value) {
        let mut message = json!({"jsonrpc": "2.0", "method": method});
        if !params.is_null() {
            message["params"] = params;
        }
        self.connection.send(message);
    }

    /// What the server says or asks by itself.
    fn hear(&mut self, mut message: Value) -> Result<(), Fault> {
        let params = message["params"].take();
        match (message["method"].as_str().unwrap_or_default(), message.get("id").cloned()) {
            ("textDocument/publishDiagnostics", None) => {
                let published: PublishDiagnosticsParams = understood(params)?;
                self.diagnostics.insert(published.uri, published.diagnostics);
            }
            ("workspace/applyEdit", Some(id)) => {
                let answer = self.apply_edit(understood(params)?);
                self.answer(&id, &answer);
            }
            ("agentEdit/save", Some(id)) => {
                let documents = params["textDocuments"].as_array().map_or(0, Vec::len);
                self.answer(&id, &json!({"saved": vec![self.saver.is_some(); documents]}));
            }
            ("workspace/configuration", Some(id)) => {
                let items = params["items"].as_array().map_or(0, Vec::len);
                self.answer(&id, &vec![Value::Null; items]);
            }
            (method, Some(id)) => {
                let error = json!({"code": -32601, "message": format!("this editor has no {method}")});
                self.connection.send(json!({"jsonrpc": "2.0", "id": id, "error": error}));
            }
            (_, None) => {}
        }
        Ok(())
    }

    fn answer(&self, id: &Value, result: &impl Serialize) {
        self.connection.send(json!({"jsonrpc": "2.0", "id": id, "result": result}));
    }

    /// Makes all of an edit or none of it, on the disk first, and tells the server of the change before it answers.
    fn apply_edit(&mut self, params: ApplyWorkspaceEditParams) -> ApplyWorkspaceEditResponse {
        let outcome = self.documents.edited(params).and_then(|outcome| match &mut self.saver {
            Some(saver) => (saver.0)(&outcome).map(|()| outcome),
            None if outcome.operations.is_empty() => Ok(outcome),
            None => Err("this editor changes no files".to_owned()),
        });
        match outcome {
            Ok(Outcome { texts, operations }) => {
                for (uri, edited) in texts {
                    self.change(uri, edited);
                }
                for operation in operations {
                    if let FileOperation::Create { uri, content } = operation {
                        self.open(uri, &content);
                    }
                }
                ApplyWorkspaceEditResponse { applied: true, failure_reason: None, failed_change: None }
            }
            Err(reason) => {
                ApplyWorkspaceEditResponse { applied: false, failure_reason: Some(reason), failed_change: None }
            }
        }
    }

    fn change(&mut self, uri: Uri, edited: Edited) {
        let document = json!({"uri": uri, "version": edited.document.version});
        self.documents.put(uri, edited.document);
        self.notify("textDocument/didChange", json!({"textDocument": document, "contentChanges": edited.changes}));
    }
}

/// Which edit of its document's batch a diagnostic speaks of.
pub(crate) fn edit_of(diagnostic: &Diagnostic) -> Option<&Value> {
    diagnostic.data.as_ref().map(|it| &it["edit"])
}

fn understood<T: DeserializeOwned>(value: Value) -> Result<T, Fault> {
    serde_json::from_value(value).map_err(|error| Fault::Garbled(error.to_string()))
}

fn language(uri: &Uri) -> String {
    let path = uri.path().as_str();
    Path::new(path).extension().map_or_else(|| "plaintext".to_owned(), |it| it.to_string_lossy().into_owned())
}
