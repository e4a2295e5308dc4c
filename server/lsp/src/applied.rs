//! The batches that were applied, kept so that a person can have one taken back. Only what each made of which text is kept:
//! whether that still stands is found out in whatever text there is.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::apply::Change;
use crate::uri_key::UriKey;

/// How many are kept, and how much text they may hold together, in bytes. The oldest go first.
const BATCHES: usize = 100;
const BYTES: usize = 64 << 20;

/// One batch, or a part of one, that was applied at once.
#[derive(Clone, Debug)]
pub(crate) struct AppliedBatch {
    pub id: String,
    pub agent: String,
    pub label: Option<String>,
    /// What it changed, each document once.
    pub changes: Vec<Arc<Change>>,
}

impl AppliedBatch {
    /// What it changed in `key`.
    pub(crate) fn change(&self, key: &UriKey) -> Option<&Arc<Change>> {
        self.changes.iter().find(|it| it.seen.key == *key)
    }

    fn bytes(&self) -> usize {
        self.changes.iter().map(|it| it.seen.text.len().0 + it.result.len().0).sum()
    }
}

/// All of them, oldest first.
#[derive(Default)]
pub(crate) struct AppliedBatches(Mutex<VecDeque<AppliedBatch>>);

impl AppliedBatches {
    fn all(&self) -> MutexGuard<'_, VecDeque<AppliedBatch>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps what was applied, if it changed anything.
    pub(crate) fn add(&self, mut batch: AppliedBatch) {
        batch.changes.retain(|it| !it.edits.is_empty());
        if batch.changes.is_empty() {
            return;
        }
        let mut all = self.all();
        all.push_back(batch);
        let mut bytes: usize = all.iter().map(AppliedBatch::bytes).sum();
        while all.len() > BATCHES || bytes > BYTES {
            let Some(oldest) = all.pop_front() else { return };
            bytes -= oldest.bytes();
        }
    }

    /// Those that changed this document, newest first.
    pub(crate) fn of(&self, key: &UriKey) -> Vec<AppliedBatch> {
        self.all().iter().rev().filter(|it| it.change(key).is_some()).cloned().collect()
    }

    /// All parts of the batch of this id, newest first.
    pub(crate) fn parts(&self, id: &str) -> Vec<AppliedBatch> {
        self.all().iter().rev().filter(|it| it.id == id).cloned().collect()
    }

    /// Forgets this change: it was taken back.
    pub(crate) fn forget(&self, change: &Arc<Change>) {
        let mut all = self.all();
        all.iter_mut().for_each(|it| it.changes.retain(|it| !Arc::ptr_eq(it, change)));
        all.retain(|it| !it.changes.is_empty());
    }
}
