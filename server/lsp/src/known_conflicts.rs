//! Conflicts that have been found and would be found again the same, since nothing they depend on has changed.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use agent_edit_engine::Conflict;

use crate::documents::Revision;
use crate::uri_key::UriKey;

/// What the conflicts of one batch in one document depend on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Circumstances {
    /// The last of all documents: the others are looked into too.
    pub revision: Revision,
    pub batch_id: String,
    pub document: UriKey,
    /// The edits left of a batch in a document only become fewer, so that their number says which.
    pub edits_left: usize,
}

/// What is known of the documents as they are.
#[derive(Default)]
pub(crate) struct KnownConflicts {
    conflicts: Mutex<HashMap<Circumstances, Arc<[Conflict]>>>,
}

impl KnownConflicts {
    fn all(&self) -> MutexGuard<'_, HashMap<Circumstances, Arc<[Conflict]>>> {
        self.conflicts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Those that were found under these circumstances.
    pub(crate) fn under(&self, circumstances: &Circumstances) -> Option<Arc<[Conflict]>> {
        self.all().get(circumstances).cloned()
    }

    /// Keeps what was found, and nothing of what has passed.
    pub(crate) fn keep(&self, circumstances: Circumstances, conflicts: Arc<[Conflict]>) {
        let mut all = self.all();
        all.retain(|it, _| it.revision == circumstances.revision);
        all.insert(circumstances, conflicts);
    }
}
