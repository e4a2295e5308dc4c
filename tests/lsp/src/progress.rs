//! Work that is shown as it is done: `$/progress`, checked against the protocol as it comes.

use serde_json::{Value, json};

use crate::editor::Editor;
use crate::rpc::{response, response_error};

/// What an editor does with `window/workDoneProgress/create`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Creating {
    /// Agrees.
    Agree,
    /// Answers with an error.
    Fail,
    /// Never answers.
    Silence,
}

/// One progress: what it was told, in order.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// The values of `$/progress`.
    pub told: Vec<Value>,
    /// Whether the server has made it up.
    pub is_created: bool,
}

impl Progress {
    /// Whether it has begun.
    #[must_use]
    pub fn is_begun(&self) -> bool {
        !self.told.is_empty()
    }

    /// Whether it has ended.
    #[must_use]
    pub fn is_ended(&self) -> bool {
        self.told.last().is_some_and(|it| it["kind"] == "end")
    }
}

impl Editor {
    /// A request carries this token: from now on it may be told of.
    pub(crate) fn expect_progress(&mut self, token: &Value) {
        self.progress.insert(token.to_string(), Progress::default());
    }

    pub(crate) fn asked_to_show_progress(&mut self, id: &Value, token: &Value) {
        if self.progress.contains_key(&token.to_string()) {
            self.complain(format!("a token that is taken: {token}"));
        }
        match self.setup.creating {
            Creating::Agree => {
                self.progress.insert(token.to_string(), Progress { is_created: true, told: vec![] });
                self.server.send(&response(id, Value::Null));
            }
            Creating::Fail => self.server.send(&response_error(id, -32603, "no progress today")),
            Creating::Silence => self.unanswered_creations += 1,
        }
    }

    pub(crate) fn progressed(&mut self, params: &Value) {
        let (token, value) = (params["token"].to_string(), params["value"].clone());
        let Some(progress) = self.progress.get_mut(&token) else {
            return self.complain(format!("a progress that nobody has agreed to: {params}"));
        };
        let is_right = match value["kind"].as_str() {
            Some("begin") => !progress.is_begun() && value["title"].as_str().is_some_and(|it| !it.is_empty()),
            Some("report" | "end") => progress.is_begun() && !progress.is_ended(),
            _ => false,
        };
        progress.told.push(value);
        if !is_right {
            self.complain(format!("a progress out of order: {params}"));
        }
    }

    /// What it has been told of the progress with this token, or else of all.
    #[must_use]
    pub fn progress(&self, token: Option<&Value>) -> Vec<Progress> {
        let wanted = token.map(Value::to_string);
        let all = self.progress.iter().filter(|it| wanted.as_ref().is_none_or(|wanted| wanted == it.0));
        all.map(|it| it.1.clone()).filter(Progress::is_begun).collect()
    }

    /// How often it was to show a progress and has not answered.
    #[must_use]
    pub fn unanswered_creations(&self) -> usize {
        self.unanswered_creations
    }

    /// The person cancels the only work that is shown.
    #[track_caller]
    pub fn cancel_progress(&mut self) {
        let running: Vec<_> =
            self.progress.iter().filter(|it| it.1.is_begun() && !it.1.is_ended()).map(|it| it.0.clone()).collect();
        assert_eq!(running.len(), 1, "{:?}", self.progress);
        let token: Value = serde_json::from_str(&running[0]).expect("it was a token");
        self.notify("window/workDoneProgress/cancel", json!({"token": token}));
    }
}
