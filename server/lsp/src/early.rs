//! Changes of documents that are not open. Some editors send each message from a task of its own (Helix 25.01 does), so that
//! the first change of a document can overtake its opening.

use std::collections::{HashMap, HashSet};

use tower_lsp::ls_types::TextDocumentContentChangeEvent;

use crate::uri_key::UriKey;

/// How many documents are remembered: such a change waits for an opening that is on its way. An editor with more of them is
/// at fault in another manner.
const REMEMBERED: usize = 64;

/// The changes that came too early.
#[derive(Debug, Default)]
pub(crate) struct Early {
    changes: HashMap<UriKey, Change>,
    /// What was open at some time: a change of it may belong to that time.
    closed: HashSet<UriKey>,
}

#[derive(Debug)]
struct Change {
    version: i32,
    /// `None` where more than one came.
    events: Option<Vec<TextDocumentContentChangeEvent>>,
}

/// What has overtaken the opening of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Overtook {
    Nothing,
    /// Its first change.
    First(Vec<TextDocumentContentChangeEvent>),
    /// Something of which the place is not known.
    Again,
}

impl Early {
    /// A change of a document that is not open.
    pub(crate) fn came(&mut self, key: &UriKey, version: i32, events: &[TextDocumentContentChangeEvent]) {
        let is_full = self.changes.len() >= REMEMBERED;
        match self.changes.get_mut(key) {
            Some(it) => it.events = None,
            None if is_full => {}
            None => {
                self.changes.insert(key.clone(), Change { version, events: Some(events.to_vec()) });
            }
        }
    }

    /// The document is opened at `version`: what goes on from there has overtaken it. What does not is of another time.
    pub(crate) fn opened(&mut self, key: &UriKey, version: i32) -> Overtook {
        let was_open = self.closed.contains(key);
        match self.changes.remove(key) {
            Some(Change { version: next, events: Some(events) })
                if version.checked_add(1) == Some(next) && !was_open =>
            {
                Overtook::First(events)
            }
            Some(Change { version: next, events }) if events.is_none() || version.checked_add(1) == Some(next) => {
                Overtook::Again
            }
            _ => Overtook::Nothing,
        }
    }

    /// The document is closed.
    pub(crate) fn closed(&mut self, key: &UriKey) {
        self.changes.remove(key);
        self.closed.insert(key.clone());
    }
}
