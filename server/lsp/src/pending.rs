//! The batches that were refused, kept until they are replaced, applied or discarded. Only the edits are kept: where they
//! would go and what is wrong with them is found again in whatever text there is.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use agent_edit_engine::{Edit, Options, Text};
use tower_lsp::ls_types::{Diagnostic, Uri};

use crate::batch::{Batch, BatchDocument};
use crate::operations;
use crate::protocol::Failure;
use crate::uri_key::UriKey;

/// A refused batch: what is left of it.
#[derive(Clone, Debug)]
pub(crate) struct PendingBatch {
    pub id: String,
    pub agent: String,
    pub label: Option<String>,
    pub options: Options,
    pub documents: Vec<PendingDocument>,
    /// What is said of its file operations, of which nothing is kept; empty where it had none.
    pub dropped: String,
}

/// What is left of a refused batch in one document.
#[derive(Clone, Debug)]
pub(crate) struct PendingDocument {
    /// Its position in the request.
    pub number: usize,
    /// As the agent spelt it.
    pub uri: Uri,
    pub key: UriKey,
    pub edits: Vec<PendingEdit>,
    /// The text whose lines the edits count, where any of them does.
    pub base: Option<Text>,
    /// The edits that have failed at some time, and how they did last: they are the ones the person is shown.
    pub failed: BTreeMap<usize, Failed>,
}

/// How an edit failed.
#[derive(Clone, Debug)]
pub(crate) struct Failed {
    /// The edit's short name.
    pub label: String,
    /// The kind of the conflict, by its name.
    pub kind: &'static str,
}

/// One edit that has not been applied.
#[derive(Clone, Debug)]
pub(crate) struct PendingEdit {
    /// Its position in the request.
    pub number: usize,
    pub edit: Edit,
}

impl PendingBatch {
    /// What is left of it in `key`.
    pub(crate) fn document(&self, key: &UriKey) -> Option<&PendingDocument> {
        self.documents.iter().find(|it| it.key == *key)
    }

    /// The documents in which something of it is left.
    pub(crate) fn keys(&self) -> Vec<UriKey> {
        self.documents.iter().map(|it| it.key.clone()).collect()
    }

    /// How many edits are left of it.
    pub(crate) fn edit_count(&self) -> usize {
        self.documents.iter().map(|it| it.edits.len()).sum()
    }
}

impl PendingDocument {
    /// Its edits, as the engine takes them.
    pub(crate) fn engine_edits(&self) -> Arc<[Edit]> {
        self.edits.iter().map(|it| it.edit.clone()).collect()
    }

    /// Whether the lines that `edit` counts, if any, are those of `text`: in another text they are others.
    pub(crate) fn counts_lines_of(&self, edit: &Edit, text: &Text) -> bool {
        !counts_lines(edit) || self.base.as_ref() == Some(text)
    }

    /// The edit of this number.
    pub(crate) fn edit(&self, number: usize) -> Option<&Edit> {
        self.edits.iter().find(|it| it.number == number).map(|it| &it.edit)
    }
}

/// All refused batches.
#[derive(Default)]
pub(crate) struct Pending {
    state: Mutex<State>,
    /// Held while conflicts are looked for and published, so that what is newer is published later.
    pub publishing: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct State {
    /// Shared with whoever looks at one, since its texts may be large.
    batches: VecDeque<Arc<PendingBatch>>,
    /// What the editor shows of ours.
    published: HashMap<UriKey, Published>,
    /// How often each document has changed: whoever waits for quiet sees whether there was any.
    changes: HashMap<UriKey, u64>,
}

/// What the editor shows of ours in a document.
struct Published {
    /// The spelling it is published under.
    uri: Uri,
    /// The version it is published for, if for any.
    version: Option<i32>,
    diagnostics: Vec<Diagnostic>,
}

impl Pending {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a batch that was refused for `failures`, in place of what its agent left pending in its documents, and
    /// `limit` batches in all. Returns the documents whose conflicts are others now.
    pub(crate) fn add(&self, id: &str, batch: &Batch, failures: &[Failure], limit: usize) -> Vec<UriKey> {
        let keys: Vec<_> = batch.documents.iter().map(|it| it.key.clone()).collect();
        let mut touched = self.replace(&batch.agent, &keys);
        touched.extend(keys);
        self.state().batches.push_back(Arc::new(pending(id, batch, failures)));
        touched.extend(self.keep_latest(limit));
        touched.sort();
        touched.dedup();
        touched
    }

    /// Drops the oldest batches beyond `limit`, and returns their documents.
    pub(crate) fn keep_latest(&self, limit: usize) -> Vec<UriKey> {
        let mut state = self.state();
        let beyond = state.batches.len().saturating_sub(limit);
        state.batches.drain(..beyond).flat_map(|it| it.keys()).collect()
    }

    /// Remembers the texts whose lines the edits of a batch count.
    pub(crate) fn counted_in(&self, id: &str, texts: Vec<(UriKey, Text)>) {
        for (key, text) in texts {
            if let Some(document) = self.state().document_mut(id, &key)
                && document.edits.iter().any(|it| counts_lines(&it.edit))
            {
                document.base = Some(text);
            }
        }
    }

    /// Drops what `agent` has pending in these documents, and returns those where that was anything.
    pub(crate) fn replace(&self, agent: &str, keys: &[UriKey]) -> Vec<UriKey> {
        let mut touched = vec![];
        self.keep(|batch, document| {
            let goes = batch.agent == agent && keys.contains(&document.key);
            touched.extend(goes.then(|| document.key.clone()));
            !goes
        });
        touched
    }

    /// Drops these edits of a batch in one document.
    pub(crate) fn remove(&self, id: &str, key: &UriKey, numbers: &[usize]) {
        if let Some(document) = self.state().document_mut(id, key) {
            document.edits.retain(|it| !numbers.contains(&it.number));
            document.failed.retain(|number, _| !numbers.contains(number));
        }
        self.keep(|_, _| true);
    }

    /// Drops a whole batch, and returns its documents.
    pub(crate) fn remove_batch(&self, id: &str) -> Vec<UriKey> {
        let keys = self.get(id).map(|it| it.keys()).unwrap_or_default();
        self.state().batches.retain(|it| it.id != id);
        keys
    }

    /// Drops the documents that `keeps` does not want, and with them what is left empty.
    fn keep(&self, mut keeps: impl FnMut(&PendingBatch, &PendingDocument) -> bool) {
        let mut state = self.state();
        for batch in &mut state.batches {
            let goes: Vec<_> = batch.documents.iter().map(|it| it.edits.is_empty() || !keeps(batch, it)).collect();
            if goes.contains(&true) {
                let mut goes = goes.into_iter();
                Arc::make_mut(batch).documents.retain(|_| goes.next() == Some(false));
            }
        }
        // Edits that match are kept for the sake of those that do not.
        state.batches.retain(|it| it.documents.iter().any(|it| !it.failed.is_empty()));
    }

    /// Remembers that these edits have failed.
    pub(crate) fn failed(&self, id: &str, key: &UriKey, failed: BTreeMap<usize, Failed>) {
        if let Some(document) = self.state().document_mut(id, key) {
            document.failed.extend(failed);
        }
    }

    /// The batch of this id.
    pub(crate) fn get(&self, id: &str) -> Option<Arc<PendingBatch>> {
        self.state().batches.iter().find(|it| it.id == id).cloned()
    }

    /// The batches with edits in this document, oldest first.
    pub(crate) fn of(&self, key: &UriKey) -> Vec<Arc<PendingBatch>> {
        self.state().batches.iter().filter(|it| it.document(key).is_some()).cloned().collect()
    }

    /// All of them, oldest first.
    pub(crate) fn all(&self) -> Vec<Arc<PendingBatch>> {
        self.state().batches.iter().cloned().collect()
    }

    /// The documents in which anything is pending, or was and is still shown.
    pub(crate) fn keys(&self) -> BTreeSet<UriKey> {
        let state = self.state();
        let pending = state.batches.iter().flat_map(|it| it.keys());
        pending.chain(state.published.keys().cloned()).collect()
    }

    /// Whether anything is pending in this document, or was and is still shown.
    pub(crate) fn concerns(&self, key: &UriKey) -> bool {
        let state = self.state();
        state.published.contains_key(key) || state.batches.iter().any(|it| it.document(key).is_some())
    }

    /// The spelling under which something of this document is published, else the agent's.
    pub(crate) fn uri(&self, key: &UriKey) -> Option<Uri> {
        let state = self.state();
        let published = state.published.get(key).map(|it| it.uri.clone());
        published.or_else(|| state.batches.iter().find_map(|it| it.document(key)).map(|it| it.uri.clone()))
    }

    /// Takes note of what is published; false where the editor shows just that already. What is for a version is published
    /// again for another one: some editors drop what comes too late.
    pub(crate) fn publish(&self, key: &UriKey, uri: &Uri, version: Option<i32>, diagnostics: &[Diagnostic]) -> bool {
        let mut state = self.state();
        let shown = match diagnostics {
            [] => state.published.remove(key),
            some => {
                let published = Published { uri: uri.clone(), version, diagnostics: some.to_vec() };
                state.published.insert(key.clone(), published)
            }
        };
        match shown {
            Some(shown) => shown.diagnostics != diagnostics || shown.version != version,
            None => !diagnostics.is_empty(),
        }
    }

    /// A change of the document: its number.
    pub(crate) fn changed(&self, key: &UriKey) -> u64 {
        let mut state = self.state();
        let changes = state.changes.entry(key.clone()).or_default();
        *changes += 1;
        *changes
    }

    /// Whether the change of this number is still the last.
    pub(crate) fn is_quiet_since(&self, key: &UriKey, change: u64) -> bool {
        self.state().changes.get(key) == Some(&change)
    }
}

impl State {
    /// What is left of a batch in one document, to be changed.
    fn document_mut(&mut self, id: &str, key: &UriKey) -> Option<&mut PendingDocument> {
        let batch = self.batches.iter_mut().find(|it| it.id == id && it.document(key).is_some())?;
        Arc::make_mut(batch).documents.iter_mut().find(|it| it.key == *key)
    }
}

fn counts_lines(edit: &Edit) -> bool {
    match edit {
        Edit::FindReplace(it) => it.at_line.is_some(),
        Edit::LineReplace(_) | Edit::LineInsert(_) => true,
    }
}

fn pending(id: &str, batch: &Batch, failures: &[Failure]) -> PendingBatch {
    let document = |it: &BatchDocument| {
        let failed = failures.iter().filter(|failure| failure.document == it.number);
        PendingDocument {
            number: it.number,
            uri: it.uri.parse().expect("from_proto lets no other URI through"),
            key: it.key.clone(),
            edits: it.edits.iter().cloned().enumerate().map(|(number, edit)| PendingEdit { number, edit }).collect(),
            base: None,
            failed: failed.map(|it| (it.edit, Failed { label: it.label.clone(), kind: it.kind })).collect(),
        }
    };
    PendingBatch {
        id: id.to_owned(),
        agent: batch.agent.clone(),
        label: batch.label.clone(),
        options: batch.options,
        documents: batch.documents.iter().map(document).collect(),
        dropped: operations::dropped(&batch.file_operations()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::features::Agreed;
    use crate::from_proto;
    use crate::settings::Settings;

    fn batch(agent: &str, uris: &[&str]) -> Batch {
        let edits = json!([{"oldText": "a", "newText": "b"}, {"oldText": "c", "newText": "d"}]);
        let documents: Vec<Value> =
            uris.iter().map(|uri| json!({"textDocument": {"uri": uri}, "edits": edits})).collect();
        from_proto::batch(json!({"agent": agent, "documents": documents}), &Agreed::default(), &Settings::default())
            .unwrap()
    }

    fn failure(document: usize, edit: usize) -> Failure {
        Failure {
            uri: String::new(),
            document,
            edit,
            label: "find".to_owned(),
            kind: "not-found",
            message: String::new(),
            strategy: None,
            count: None,
            locations: None,
            lines: None,
            candidate: None,
            hints: vec![],
        }
    }

    fn ids(pending: &Pending) -> Vec<String> {
        pending.all().iter().map(|it| it.id.clone()).collect()
    }

    #[test]
    fn an_agents_next_batch_replaces_its_conflicts_in_that_document_only() {
        let pending = Pending::default();
        pending.add("b1", &batch("x", &["f:a", "f:b"]), &[failure(0, 0), failure(1, 1)], 9);
        pending.add("b2", &batch("y", &["f:a"]), &[failure(0, 0)], 9);
        let touched = pending.add("b3", &batch("x", &["f:a"]), &[failure(0, 0)], 9);
        assert_eq!(touched, [UriKey::of("f:a")]);
        assert_eq!(ids(&pending), ["b1", "b2", "b3"]);
        assert!(pending.get("b1").unwrap().document(&UriKey::of("f:a")).is_none());
        assert_eq!(pending.replace("x", &[UriKey::of("f:b")]), [UriKey::of("f:b")]);
        assert_eq!(ids(&pending), ["b2", "b3"]);
    }

    #[test]
    fn a_batch_goes_with_its_last_conflict() {
        let pending = Pending::default();
        pending.add("b1", &batch("x", &["f:a"]), &[failure(0, 1)], 9);
        pending.remove("b1", &UriKey::of("f:a"), &[0]);
        assert_eq!(ids(&pending), ["b1"]);
        pending.remove("b1", &UriKey::of("f:a"), &[1]);
        assert!(ids(&pending).is_empty());
    }

    #[test]
    fn the_oldest_batch_goes_first() {
        const LIMIT: usize = 3;
        let pending = Pending::default();
        for number in 0..=LIMIT {
            let uri = format!("f:{number}");
            let touched = pending.add(&format!("b{number}"), &batch("x", &[&uri]), &[failure(0, 0)], LIMIT);
            let expected = if number == LIMIT { 2 } else { 1 };
            assert_eq!(touched.len(), expected);
        }
        assert_eq!(ids(&pending)[0], "b1");
        assert_eq!(pending.all().len(), LIMIT);
        assert_eq!(pending.keep_latest(1), [UriKey::of("f:1"), UriKey::of("f:2")]);
        assert_eq!(ids(&pending), ["b3"]);
    }

    #[test]
    fn what_is_shown_already_is_not_published_again() {
        let (pending, key) = (Pending::default(), UriKey::of("f:a"));
        let diagnostics = [Diagnostic { message: "m".to_owned(), ..Diagnostic::default() }];
        let uri: Uri = "f:a".parse().unwrap();
        assert!(!pending.publish(&key, &uri, None, &[]));
        assert!(pending.publish(&key, &uri, None, &diagnostics));
        assert!(!pending.publish(&key, &uri, None, &diagnostics));
        assert!(pending.publish(&key, &uri, None, &[]));
    }

    #[test]
    fn what_is_for_a_version_is_published_again_for_another() {
        let (pending, key) = (Pending::default(), UriKey::of("f:a"));
        let diagnostics = [Diagnostic { message: "m".to_owned(), ..Diagnostic::default() }];
        let uri: Uri = "f:a".parse().unwrap();
        assert!(pending.publish(&key, &uri, Some(1), &diagnostics));
        assert!(!pending.publish(&key, &uri, Some(1), &diagnostics));
        assert!(pending.publish(&key, &uri, Some(2), &diagnostics));
    }
}
