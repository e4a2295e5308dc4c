//! When there is rest: everything is answered, both sides hold the same, and what is shown is what is pending.

use std::collections::BTreeSet;
use std::fs;

use fake_editor::Editor;
use serde_json::{Value, json};

use crate::day::Day;

impl Day {
    /// Lets all that is under way come to its end, and checks what must hold then.
    pub(crate) fn rest(&mut self) {
        self.editor().react_as_usual();
        self.judge();
        while !self.is_quiet() {
            if !self.editor().advance() {
                self.editor().receive();
            }
            self.judge();
        }
        while self.editor().advance() {}
        for uri in self.editor().uris() {
            if self.odd || self.lost.contains(&uri) {
                // A document that has not come to rest refuses batches until it changes.
                self.lost.remove(&uri);
                let mark = self.marks.typed().to_string();
                self.editor().type_whole(&uri, 0..0, &mark);
                self.persons.get_mut(&uri).expect("it has every document").insert_str(0, &mark);
            }
        }
        self.odd = false;
        for uri in self.editor().uris() {
            self.editor().assert_in_sync(&uri);
        }
        assert_eq!(self.editor().unanswered(), 0);
        let pending = self.pending();
        self.wait_until_shown(&pending);
        // That documents were lost, and nothing else, which the editor has looked at.
        let _ = self.editor().take_messages();
        self.assert_memory_is_flat();
    }

    /// What the server says is pending.
    fn pending(&mut self) -> Vec<Value> {
        let id = self.editor().execute("agentEdit.conflicts", json!([]));
        self.editor().answer(id)["result"].as_array().cloned().unwrap_or_default()
    }

    /// Each open document shows every failing edit, and nothing of what is not pending.
    fn wait_until_shown(&mut self, pending: &[Value]) {
        let batches: BTreeSet<_> = pending.iter().map(|it| it["batchId"].to_string()).collect();
        let failures = |it: &Value| it["failures"].as_array().cloned().unwrap_or_default();
        let failing: BTreeSet<_> = pending
            .iter()
            .flat_map(|batch| failures(batch).into_iter().map(|it| named(&it["uri"], &batch["batchId"], &it["edit"])))
            .collect();
        let is_shown = |it: &Editor| {
            it.uris().iter().all(|uri| {
                let all = it.diagnostics(uri);
                let name = |it: &Value| named(&json!(uri), &it["data"]["batchId"], &it["data"]["edit"]);
                let shown: BTreeSet<_> = all.iter().map(name).collect();
                all.iter().all(|it| batches.contains(&it["data"]["batchId"].to_string()))
                    && failing.iter().filter(|it| *it.0 == *json!(uri).to_string()).all(|it| shown.contains(it))
            })
        };
        if self.setup.options["diagnostics"] == "pull" {
            for uri in self.editor().uris() {
                self.editor().pull(&uri);
            }
            assert!(is_shown(self.editor()), "what is pending is not what is shown: {pending:?}");
        }
        self.editor().wait_until(is_shown);
    }

    pub(crate) fn discard_everything(&mut self) {
        for batch in self.pending() {
            let id = self.editor().execute("agentEdit.discardAll", json!([{"batchId": batch["batchId"]}]));
            assert!(self.editor().answer(id)["error"].is_null());
        }
        assert!(self.pending().is_empty());
        self.wait_until_shown(&[]);
    }

    /// After a while a server needs no more than it did.
    fn assert_memory_is_flat(&mut self) {
        let process = self.editor().server().id();
        let Ok(status) = fs::read_to_string(format!("/proc/{process}/status")) else { return };
        let resident =
            status.lines().find_map(|it| it.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB")?.parse().ok());
        self.memory.push(resident.expect("Linux gives it in kB"));
        if let (Some(warm), Some(now)) = (self.memory.get(3), self.memory.last()) {
            assert!(*now < warm * 2 + (16 << 10), "from rest to rest it took so many KiB: {:?}", self.memory);
        }
    }
}

/// An edit of a document, by which it is told from all others.
fn named(uri: &Value, batch: &Value, edit: &Value) -> (String, String, String) {
    (uri.to_string(), batch.to_string(), edit.to_string())
}
