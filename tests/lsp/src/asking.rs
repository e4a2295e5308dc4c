//! What the editor asks of the server: batches, code actions, commands.

use std::ops::Range;

use serde_json::{Value, json};

use crate::character::Character;
use crate::editor::Editor;
use crate::positions::range;
use crate::rpc::{notification, request};

impl Editor {
    /// Asks the server something, and says under which id.
    pub fn request(&mut self, method: &str, params: Value) -> i64 {
        let id = self.next_id;
        self.next_id += 1;
        self.asked.insert(id, method.to_owned());
        if let Some(token) = params.get("workDoneToken") {
            self.expect_progress(token);
        }
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

    /// Asks for the diagnostics of a document, and says whether they are others than it had.
    #[track_caller]
    pub fn pull(&mut self, uri: &str) -> bool {
        let id = self.ask_for_diagnostics(uri);
        let report = self.answer(id)["result"].clone();
        match report["kind"].as_str() {
            Some("unchanged") => {
                assert!(report["resultId"].as_str().is_some_and(|it| self.result_ids[uri] == it), "{report}");
                false
            }
            Some("full") => {
                let items = report["items"].as_array().unwrap_or_else(|| panic!("no items: {report}")).clone();
                self.check_pulled(uri, &items);
                self.result_ids.extend(report["resultId"].as_str().map(|it| (uri.to_owned(), it.to_owned())));
                self.diagnostics.insert(uri.to_owned(), items);
                true
            }
            _ => panic!("no report: {report}"),
        }
    }

    /// The same without waiting, and without taking note of the answer.
    pub fn ask_for_diagnostics(&mut self, uri: &str) -> i64 {
        let document = json!({"uri": uri});
        let mut params = json!({"textDocument": document, "identifier": "agent-edit"});
        if let Some(id) = self.result_ids.get(uri) {
            params["previousResultId"] = json!(id);
        }
        self.request("textDocument/diagnostic", params)
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
}

/// Whether two ranges have a place in common.
fn touch(one: &Value, other: &Value) -> bool {
    let at = |it: &Value| (it["line"].as_u64(), it["character"].as_u64());
    at(&one["start"]) <= at(&other["end"]) && at(&other["start"]) <= at(&one["end"])
}
