//! What the server sends, sorted and checked.

use serde_json::{Value, json};

use crate::character::Character;
use crate::editor::Editor;
use crate::positions::span;
use crate::rpc::{Kind, kind, response, response_error};
use crate::text_edits::replacements;

/// The codes of diagnostics: the kinds of conflict, and what has ceased to be one.
const CODES: [&str; 13] = [
    "applicable",
    "not-found",
    "ambiguous",
    "repetitive",
    "empty-old-text",
    "out-of-range",
    "content-mismatch",
    "count-mismatch",
    "overlap",
    "mixed-kinds",
    "whole-document",
    "placeholder",
    "output-limit",
];

impl Editor {
    pub(crate) fn handle(&mut self, message: &Value) {
        match kind(message).expect("it was checked on arrival") {
            Kind::Response { id } => self.handle_answer(&id, message),
            Kind::Request { id, method } => self.handle_request(&id, &method, &message["params"]),
            Kind::Notification { method } => self.handle_notification(&method, message),
        }
    }

    fn handle_answer(&mut self, id: &Value, message: &Value) {
        let asked = id.as_i64().and_then(|id| self.asked.remove(&id).map(|method| (id, method)));
        let Some((id, method)) = asked else {
            return self.complain(format!("an answer that nobody waits for: {message}"));
        };
        if method == "workspace/agentEdit" {
            self.check_outcome(message);
        }
        self.answers.insert(id, message.clone());
    }

    fn handle_request(&mut self, id: &Value, method: &str, params: &Value) {
        match method {
            "workspace/applyEdit" => self.asked_to_apply(id, params),
            "window/showMessageRequest" => self.asked_the_person(id, params),
            "workspace/configuration" => {
                let section = |it: &Value| it["section"].as_str().and_then(|it| self.setup.settings.get(it)).cloned();
                let items = params["items"].as_array().cloned().unwrap_or_default();
                let answers: Vec<_> = items.iter().map(|it| section(it).unwrap_or_default()).collect();
                self.server.send(&response(id, json!(answers)));
            }
            "workspace/diagnostic/refresh" if self.setup.character == Character::AnswersFirst => {
                self.refreshes += 1;
                self.server.send(&response(id, Value::Null));
            }
            "agentEdit/save" if self.setup.saves.is_some() => self.asked_to_save(id, params),
            "agentEdit/showEdit" if self.setup.shows_edits => {
                self.shown.push(params.clone());
                self.server.send(&response(id, Value::Null));
            }
            "window/showDocument" => {
                self.shown.push(params.clone());
                self.server.send(&response(id, json!({"success": true})));
            }
            "window/workDoneProgress/create" => self.asked_to_show_progress(id, &params["token"]),
            "client/registerCapability" | "client/unregisterCapability" => {
                self.server.send(&response(id, Value::Null));
            }
            _ => {
                self.complain(format!("a request it does not know: {method} {params}"));
                self.server.send(&response_error(id, -32601, "no such method"));
            }
        }
    }

    fn handle_notification(&mut self, method: &str, message: &Value) {
        match method {
            "textDocument/publishDiagnostics" if self.pulls() => {
                self.complain(format!("diagnostics that it would ask for: {message}"));
            }
            "textDocument/publishDiagnostics" => self.published(&message["params"]),
            "window/showMessage" | "window/logMessage" => self.messages.push(message.clone()),
            "$/progress" => self.progressed(&message["params"]),
            _ => self.complain(format!("a notification it does not know: {message}")),
        }
    }

    /// What it was asked to show, and shows: the parameters of `agentEdit/showEdit` and `window/showDocument`.
    pub fn take_shown(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.shown)
    }

    pub(crate) fn check_pulled(&mut self, uri: &str, items: &[Value]) {
        for it in items {
            if let Err(fault) = self.check_diagnostic(uri, &Value::Null, it) {
                self.complain(format!("{fault}: {it}"));
            }
        }
    }

    fn published(&mut self, params: &Value) {
        let (Some(uri), Some(all)) = (params["uri"].as_str(), params["diagnostics"].as_array()) else {
            return self.complain(format!("diagnostics without uri or list: {params}"));
        };
        for it in all {
            if let Err(fault) = self.check_diagnostic(uri, &params["version"], it) {
                self.complain(format!("{fault}: {it}"));
            }
        }
        let is_late = |version: i64| self.documents.get(uri).is_some_and(|it| it.version != version);
        if self.setup.character == Character::ChangesFirst && params["version"].as_i64().is_some_and(is_late) {
            return;
        }
        self.diagnostics.insert(uri.to_owned(), all.clone());
    }

    fn check_diagnostic(&self, uri: &str, version: &Value, it: &Value) -> Result<(), String> {
        if it["source"] != "agent-edit" {
            return Err("a diagnostic of somebody else".to_owned());
        }
        if !it["code"].as_str().is_some_and(|it| CODES.contains(&it)) {
            return Err("a diagnostic with an unknown code".to_owned());
        }
        if !it["severity"].as_u64().is_some_and(|it| (1..=4).contains(&it)) {
            return Err("a diagnostic without severity".to_owned());
        }
        if it["message"].as_str().is_none_or(|it| it.trim().is_empty()) {
            return Err("a diagnostic without message".to_owned());
        }
        if !it["data"]["batchId"].is_string() || !it["data"]["edit"].is_u64() {
            return Err("a diagnostic whose data does not say which edit of which batch".to_owned());
        }
        let announced =
            self.setup.character.capabilities(self.setup.encoding)["textDocument"]["publishDiagnostics"].clone();
        if it.get("relatedInformation").is_some() && announced["relatedInformation"] != true {
            return Err("related information, which is not shown".to_owned());
        }
        if version.is_i64() && announced["versionSupport"] != true {
            return Err(format!("version {version}, which is not looked at"));
        }
        let Some(document) = self.documents.get(uri) else { return Ok(()) };
        let fits = |text: &str| span(text, self.setup.encoding, &it["range"]).is_ok();
        let fits = match version.as_i64() {
            Some(version) => document.told(version)?.is_none_or(fits),
            None => document.any_told(fits),
        };
        if fits { Ok(()) } else { Err(format!("a diagnostic outside the text of version {version}")) }
    }

    /// Checks an edit against the texts the server was told.
    pub(crate) fn check_edit(&mut self, edit: &Value) {
        if edit.get("changes").is_some() {
            self.complain(format!("unversioned changes, though documentChanges are understood: {edit}"));
        }
        if let Err(fault) = self.check_annotations(edit) {
            self.complain(format!("{fault}: {edit}"));
        }
        if let Err(fault) = self.check_operations(edit) {
            self.complain(format!("{fault}: {edit}"));
        }
        let entries = edit["documentChanges"].as_array().cloned().unwrap_or_default();
        if entries.is_empty() {
            self.complain(format!("an edit without documentChanges: {edit}"));
        }
        let mut seen: Vec<&str> = vec![];
        for entry in entries.iter().filter(|it| !it["kind"].is_string()) {
            if let Err(fault) = self.check_entry(entry, &seen) {
                self.complain(format!("{fault}: {entry}"));
            }
            seen.extend(entry["textDocument"]["uri"].as_str());
        }
    }

    /// Annotations are for who announced to know them, and then for all edits, each of which needs confirmation.
    fn check_annotations(&self, edit: &Value) -> Result<(), String> {
        let entries = edit["documentChanges"].as_array().cloned().unwrap_or_default();
        let edits = entries.iter().filter_map(|it| it["edits"].as_array()).flatten();
        let edits: Vec<_> = edits.chain(entries.iter().filter(|it| it["kind"].is_string())).collect();
        let Some(annotations) = edit.get("changeAnnotations") else {
            return match edits.iter().any(|it| it.get("annotationId").is_some()) {
                true => Err("the name of an annotation that is not there".to_owned()),
                false => Ok(()),
            };
        };
        let announced = self.setup.character.capabilities(self.setup.encoding);
        if !announced["workspace"]["workspaceEdit"]["changeAnnotationSupport"].is_object() {
            return Err("annotations, which are not looked at".to_owned());
        }
        let is_whole = |it: &Value| {
            let annotation = it["annotationId"].as_str().map(|it| &annotations[it]);
            annotation.is_some_and(|it| it["label"].is_string() && it["needsConfirmation"] == true)
        };
        if edits.iter().all(|it| is_whole(it)) {
            Ok(())
        } else {
            Err("an edit that asks for no confirmation".to_owned())
        }
    }

    fn check_entry(&self, entry: &Value, seen: &[&str]) -> Result<(), String> {
        let uri = entry["textDocument"]["uri"].as_str().ok_or("an edit of no document")?;
        if seen.contains(&uri) {
            return Err("a document twice in one edit".to_owned());
        }
        let version = entry["textDocument"].get("version").ok_or("an edit whose version is left out")?;
        match (self.documents.get(uri), version.as_i64()) {
            (None, None) => Ok(()),
            (None, Some(version)) if self.closed.get(uri).is_some_and(|it| version <= *it) => Ok(()),
            (None, Some(_)) => Err("an edit with a version for a document that is not open".to_owned()),
            // It may have been opened while the edit was on its way.
            (Some(document), None) if document.version <= 1 => Ok(()),
            (Some(_), None) => Err("an edit without a version for an open document".to_owned()),
            (Some(document), Some(version)) => match document.told(version)? {
                Some(text) => replacements(text, self.setup.encoding, &entry["edits"]).map(drop),
                None => Ok(()),
            },
        }
    }

    /// What holds for every answer to a batch.
    fn check_outcome(&mut self, message: &Value) {
        let (result, error) = (&message["result"], &message["error"]);
        if error.is_object() {
            let text = error["message"].as_str().unwrap_or_default();
            if text.is_empty() || text.chars().count() > 3_000 {
                self.complain(format!("a report of {} characters: {message}", text.chars().count()));
            }
            let code = error["code"].as_i64();
            let named = error["data"]["code"].is_string();
            if matches!(code, Some(-32803 | -32801)) && !named {
                self.complain(format!("an error without data.code: {message}"));
            }
        } else if !result["batchId"].is_string() || !result["applied"].is_boolean() || !result["status"].is_string() {
            self.complain(format!("a result without batchId, applied or status: {message}"));
        }
    }
}
