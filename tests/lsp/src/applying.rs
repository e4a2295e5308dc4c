//! `workspace/applyEdit`, step by step: what may happen in between decides whether a server is right.

use std::collections::VecDeque;

use serde_json::{Value, json};

use crate::character::Character;
use crate::document::Telling;
use crate::editor::Editor;
use crate::operating::{Operation, path_of, split};
use crate::rpc::{response, response_error};
use crate::text_edits::{Replacement, replacements};

/// What the editor does with an edit it is asked to apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reaction {
    /// Applies it.
    Apply,
    /// Answers `applied: false`, with this reason.
    Refuse(Option<&'static str>),
    /// Answers with a JSON-RPC error.
    Fail,
    /// Never answers, and changes nothing.
    Silence,
    /// Applies what it is to do with this document, and says `applied: true`: the person has unticked the others.
    Only(&'static str),
    /// Says `applied: true`, and changes nothing.
    Lie,
    /// Applies the first replacement of each document only, and says `applied: true`.
    Half,
    /// Applies it, and never tells of the change before something else is told. Files it creates it does not show.
    Mute,
    /// Applies its text edits and so many of its file operations, then fails.
    StopAfter(usize),
}

/// An edit the server has asked for, and what is still to be done with it, in order.
#[derive(Clone, Debug)]
pub struct Application {
    id: Value,
    edit: Value,
    reaction: Reaction,
    /// The documents it has changed.
    changed: Vec<String>,
    steps: VecDeque<Step>,
}

#[derive(Clone, Debug)]
enum Step {
    Decide,
    Answer(Value),
    /// Tells the first piece of what each document does not know yet.
    TellOne,
    TellRest,
}

impl Application {
    /// Whether it has changed this document and the server has not been told.
    pub(crate) fn keeps_back(&self, uri: &str) -> bool {
        self.changed.iter().any(|it| it == uri) && self.steps.iter().any(|it| matches!(it, Step::TellRest))
    }

    /// The annotations of its edits, if the person is to confirm each of them: an id and what it stands for.
    #[must_use]
    pub fn to_be_confirmed(&self) -> Option<&serde_json::Map<String, Value>> {
        self.edit["changeAnnotations"].as_object()
    }

    /// Whether it waits to be applied.
    #[must_use]
    pub fn is_fresh(&self) -> bool {
        matches!(self.steps.front(), Some(Step::Decide))
    }
}

/// What an editor makes of the documents of an edit.
struct Outcome {
    answer: Value,
    changes: Vec<(String, Vec<Replacement>)>,
    operations: Vec<Operation>,
}

impl Outcome {
    fn refused(answer: Value, changes: Vec<(String, Vec<Replacement>)>) -> Self {
        Self { answer, changes, operations: vec![] }
    }
}

impl Editor {
    pub(crate) fn asked_to_apply(&mut self, id: &Value, params: &Value) {
        let reaction = self.reactions.pop_front().unwrap_or(Reaction::Apply);
        self.check_edit(&params["edit"]);
        self.applications.push_back(Application {
            id: id.clone(),
            edit: params["edit"].clone(),
            reaction,
            changed: vec![],
            steps: VecDeque::from([Step::Decide]),
        });
    }

    /// The edits it has been asked to apply and is not done with, oldest first.
    #[must_use]
    pub fn applications(&self) -> Vec<&Application> {
        self.applications.iter().collect()
    }

    /// Does the next step of the oldest edit it is not done with, and says whether there was one.
    #[track_caller]
    pub fn advance(&mut self) -> bool {
        !self.applications.is_empty() && {
            self.advance_nth(0);
            true
        }
    }

    /// Does the next step of the `nth` edit it is not done with.
    #[track_caller]
    pub fn advance_nth(&mut self, nth: usize) {
        let mut it = self.applications.remove(nth).expect("there are so many");
        match it.steps.pop_front().expect("what has no more steps is gone") {
            Step::Decide => self.decide(&mut it),
            Step::Answer(answer) => self.server.send(&answer),
            Step::TellOne => {
                for uri in &it.changed {
                    self.tell_one(uri);
                }
            }
            Step::TellRest => {
                // Closed meanwhile, it has been told.
                for uri in it.changed.iter().filter(|it| self.documents.contains_key(*it)).cloned().collect::<Vec<_>>()
                {
                    self.tell(&uri);
                }
            }
        }
        if !it.steps.is_empty() {
            self.applications.insert(nth, it);
        }
    }

    /// Applies or refuses, and plans the rest.
    fn decide(&mut self, it: &mut Application) {
        let answer = |result: Value| Step::Answer(response(&it.id, result));
        let applied = json!({"applied": true});
        match it.reaction {
            Reaction::Refuse(Some(reason)) => {
                it.steps.push_back(answer(json!({"applied": false, "failureReason": reason})));
            }
            Reaction::Refuse(None) => it.steps.push_back(answer(json!({"applied": false}))),
            Reaction::Fail => it.steps.push_back(Step::Answer(response_error(&it.id, -32603, "the editor is ill"))),
            Reaction::Silence => {}
            Reaction::Lie => it.steps.push_back(answer(applied)),
            Reaction::Apply | Reaction::Half | Reaction::Mute | Reaction::Only(_) | Reaction::StopAfter(_) => {
                let mut outcome = self.outcome(&it.edit);
                if let Reaction::Only(kept) = it.reaction {
                    outcome.changes.retain(|it| it.0 == kept);
                    outcome.operations.retain(|it| it.uri() == kept);
                }
                for (uri, mut replacements) in outcome.changes {
                    if it.reaction == Reaction::Half {
                        replacements.truncate(1);
                    }
                    let telling = self.setup.character.telling();
                    self.document_mut(&uri).change(&replacements, telling);
                    it.changed.push(uri);
                }
                for (nth, operation) in outcome.operations.iter().enumerate() {
                    let done = match it.reaction {
                        Reaction::StopAfter(count) if nth == count => Err("the editor stops".to_owned()),
                        reaction => self.operate(operation, reaction != Reaction::Mute),
                    };
                    match done {
                        Ok(changed) => it.changed.extend(changed),
                        Err(reason) => {
                            outcome.answer = json!({"applied": false, "failureReason": reason});
                            break;
                        }
                    }
                }
                let answer = answer(outcome.answer);
                it.steps.extend(match self.setup.character {
                    _ if it.reaction == Reaction::Mute => vec![answer],
                    Character::AnswersFirst => vec![answer, Step::TellRest],
                    Character::ChangesFirst => vec![Step::TellRest, answer],
                    Character::InPieces => vec![Step::TellOne, answer, Step::TellRest],
                });
            }
        }
    }

    /// What it would do, by its character, with the documents as they are now.
    fn outcome(&mut self, edit: &Value) -> Outcome {
        let mut changes = vec![];
        let (entries, operations) = split(edit);
        for (nth, entry) in entries.iter().enumerate() {
            let Some(uri) = entry["textDocument"]["uri"].as_str() else { continue };
            if !self.documents.contains_key(uri) && !self.open_file(uri) {
                return Outcome::refused(json!({"applied": false, "failureReason": "no such file"}), changes);
            }
            if let Some(stale) = self.refuses(nth, uri, &entry["textDocument"]["version"]) {
                match stale {
                    Stale::Skip => continue,
                    Stale::RefuseAll => return Outcome::refused(json!({"applied": false}), vec![]),
                    Stale::RefuseRest => {
                        let answer =
                            json!({"applied": false, "failedChange": nth, "failureReason": "document has changed"});
                        return Outcome::refused(answer, changes);
                    }
                }
            }
            match replacements(&self.documents[uri].text, self.setup.encoding, &entry["edits"]) {
                Ok(it) => changes.push((uri.to_owned(), it)),
                // On a text it was not made for, which its character did not notice; else it was complained of already.
                Err(_) => {
                    return Outcome::refused(json!({"applied": false, "failureReason": "bad edit"}), vec![]);
                }
            }
        }
        Outcome { answer: json!({"applied": true}), changes, operations }
    }

    fn refuses(&self, nth: usize, uri: &str, version: &Value) -> Option<Stale> {
        let theirs = version.as_i64()?;
        let ours = self.documents[uri].version;
        match self.setup.character {
            Character::AnswersFirst => (theirs != ours).then_some(Stale::RefuseAll),
            Character::ChangesFirst => (theirs != ours).then_some(Stale::RefuseRest),
            Character::InPieces => (nth == 0 && theirs > 0 && ours > theirs).then_some(Stale::Skip),
        }
    }

    /// Opens a file of the disk in the background, and says whether there was one.
    pub(crate) fn open_file(&mut self, uri: &str) -> bool {
        let Some(text) = path_of(uri).and_then(|it| std::fs::read_to_string(it).ok()) else {
            return false;
        };
        // A byte order mark is kept beside the text.
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let document = self.setup.character.opened(text, self.setup.encoding);
        self.open_as(uri, document);
        true
    }
}

enum Stale {
    /// The document is skipped, and all is said to be well.
    Skip,
    /// Nothing is changed.
    RefuseAll,
    /// What stands before it is changed.
    RefuseRest,
}

impl Character {
    pub(crate) fn telling(self) -> Telling {
        match self {
            Self::AnswersFirst => Telling::FromTheEnd,
            Self::ChangesFirst => Telling::FromTheStart,
            Self::InPieces => Telling::OneByOne,
        }
    }
}
