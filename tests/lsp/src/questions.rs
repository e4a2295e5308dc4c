//! What the server asks the person, by `window/showMessageRequest`.

use serde_json::{Value, json};

use crate::editor::Editor;
use crate::rpc::{response, response_error};

/// A question that waits for the person.
#[derive(Clone, Debug)]
pub struct Question {
    id: Value,
    /// Its text.
    pub message: String,
    /// What may be answered.
    pub actions: Vec<String>,
}

impl Editor {
    pub(crate) fn asked_the_person(&mut self, id: &Value, params: &Value) {
        if !self.setup.can_ask {
            return self.server.send(&response_error(id, -32601, "MethodNotFound"));
        }
        let actions = params["actions"].as_array().cloned().unwrap_or_default();
        let actions: Vec<_> = actions.iter().filter_map(|it| it["title"].as_str()).map(str::to_owned).collect();
        let message = params["message"].as_str().unwrap_or_default().to_owned();
        if message.is_empty() || actions.is_empty() || !params["type"].is_u64() {
            self.complain(format!("a question that is none: {params}"));
        }
        self.questions.push_back(Question { id: id.clone(), message, actions });
    }

    /// The questions that wait for the person, oldest first.
    #[must_use]
    pub fn questions(&self) -> Vec<&Question> {
        self.questions.iter().collect()
    }

    /// Handles what arrives until the person is asked something, and says what.
    #[track_caller]
    pub fn wait_for_question(&mut self) -> Question {
        self.hold_until(|it| !it.questions.is_empty());
        self.questions[0].clone()
    }

    /// The person answers the oldest question; `None` closes it.
    #[track_caller]
    pub fn reply(&mut self, title: Option<&str>) {
        let question = self.questions.pop_front().expect("there is a question");
        if let Some(title) = title {
            assert!(question.actions.iter().any(|it| it == title), "no {title} among {question:?}");
        }
        self.server.send(&response(&question.id, title.map_or(Value::Null, |it| json!({"title": it}))));
    }
}
