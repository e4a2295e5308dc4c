//! The open documents, as the editor has them. Only didOpen, didChange, didSave and didClose write.
//!
//! One plain mutex around one map: its critical sections are short and hold no await, and a batch can look at several
//! documents at one moment, which a map with a lock a shard could not give.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use agent_edit_engine::{Byte, Span, Text};
use tower_lsp::ls_types::{Range, TextDocumentContentChangeEvent, Uri};

use crate::early::{Early, Overtook};
use crate::expectation::Expected;
use crate::positions::{self, Encoding, Misfit};
use crate::uri_key::UriKey;

/// A moment at which a document was opened, changed or closed: no two are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Revision(u64);

/// An open document.
#[derive(Clone, Debug)]
pub(crate) struct OpenDocument {
    /// The client's own spelling.
    pub uri: Uri,
    /// The client's own count.
    pub version: i32,
    /// What the editor has, as long as the condition is good.
    pub text: Text,
    /// Whether `text` can be relied on.
    pub condition: Condition,
    /// The moment `text` came to be.
    pub revision: Revision,
    /// The text that the editor last told it has saved, by its moment.
    pub saved: Option<Revision>,
}

/// Whether we know what the editor has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// We do.
    Good,
    /// A change did not fit, for this reason: only a whole text brings it back.
    Lost(String),
    /// The editor was asked to apply a batch and has neither done so nor refused: it still may.
    Unsettled,
}

/// What the rest of the server must know of a notification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Noted {
    /// It was taken.
    Taken,
    /// It was taken before and is now lost, for this reason: to be said to the person, once.
    NowLost(String),
    /// It is not about a document we know.
    Unknown,
}

/// The rules by which texts are taken from the client.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    /// What the character of a position counts.
    pub encoding: Encoding,
    /// Whether the client's lines end at a lone `\r`. Where they do not, they end at `\n` alone.
    pub counts_lone_cr: bool,
}

/// All open documents.
#[derive(Default)]
pub(crate) struct Documents {
    state: Mutex<State>,
}

/// What is behind the mutex: the open documents, and what is expected of documents, open or not.
#[derive(Default)]
pub(crate) struct State {
    open: HashMap<UriKey, OpenDocument>,
    expected: HashMap<UriKey, Expected>,
    /// Files that the editor may keep changed and unsaved where we cannot see it, with what they held on disk.
    unseen: HashMap<UriKey, Text>,
    early: Early,
    revisions: u64,
}

impl Documents {
    /// All documents at one moment. Not to be held across an await.
    pub(crate) fn now(&self) -> MutexGuard<'_, State> {
        // Nothing under this lock can leave the map half changed, so a panic elsewhere is no reason to give up.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// didOpen. Opening what is open already replaces it.
    pub(crate) fn open(&self, uri: Uri, version: i32, content: &str, reading: Reading) -> Noted {
        let mut state = self.now();
        let key = UriKey::of(uri.as_str());
        let revision = state.next_revision();
        let text = Text::new(content);
        state.arrived(&key, &text);
        state.unseen.remove(&key);
        let condition = condition_of(content, reading);
        let noted = noted(&condition);
        state.open.insert(key.clone(), OpenDocument { uri, version, text, condition, revision, saved: None });
        match state.early.opened(&key, version) {
            Overtook::Nothing => noted,
            Overtook::First(changes) => state.change(&key, version.saturating_add(1), &changes, reading),
            Overtook::Again => state.lose(&key, "a change of it came before it was opened"),
        }
    }

    /// didChange. The version is taken as it comes: it is the client's.
    pub(crate) fn change(
        &self,
        uri: &Uri,
        version: i32,
        changes: &[TextDocumentContentChangeEvent],
        reading: Reading,
    ) -> Noted {
        self.now().change(&UriKey::of(uri.as_str()), version, changes, reading)
    }

    /// didSave: the file holds what the document does.
    pub(crate) fn saved(&self, uri: &Uri) {
        if let Some(document) = self.now().open.get_mut(&UriKey::of(uri.as_str())) {
            document.saved = Some(document.revision);
        }
    }

    /// didClose.
    pub(crate) fn close(&self, uri: &Uri) -> Noted {
        let mut state = self.now();
        let key = UriKey::of(uri.as_str());
        state.next_revision();
        if let Some(expected) = state.expected.get(&key) {
            expected.closed();
        }
        state.early.closed(&key);
        if state.open.remove(&key).is_some() { Noted::Taken } else { Noted::Unknown }
    }

    /// A notification about this document could not be read at all.
    pub(crate) fn lose(&self, uri: &str, reason: &str) -> Noted {
        self.now().lose(&UriKey::of(uri), reason)
    }

    /// The editor still may apply what it was asked to: no batch may touch the document before it changes.
    pub(crate) fn unsettle(&self, key: &UriKey, since: Revision) {
        if let Some(document) = self.now().open.get_mut(key)
            && document.revision == since
            && document.condition == Condition::Good
        {
            document.condition = Condition::Unsettled;
        }
    }

    /// The editor has changed this document or still may, shows nothing of it, and the file still holds `on_disk`.
    pub(crate) fn out_of_sight(&self, key: &UriKey, on_disk: Text) {
        let mut state = self.now();
        if !state.open.contains_key(key) {
            state.unseen.insert(key.clone(), on_disk);
        }
    }
}

impl State {
    /// What the file of this key held when the editor was to change it out of sight, if that is all we know.
    pub(crate) fn unseen(&self, key: &UriKey) -> Option<&Text> {
        self.unseen.get(key)
    }

    /// The same for all such files, in no order.
    pub(crate) fn all_unseen(&self) -> impl Iterator<Item = (&UriKey, &Text)> {
        self.unseen.iter()
    }

    /// The open document of this key.
    pub(crate) fn get(&self, key: &UriKey) -> Option<&OpenDocument> {
        self.open.get(key)
    }

    /// The last change of any document, if this one is open and still at `revision`.
    pub(crate) fn latest_with(&self, key: &UriKey, revision: Option<Revision>) -> Option<Revision> {
        let now = self.get(key).filter(|it| Some(it.revision) == revision);
        now.map(|_| Revision(self.revisions))
    }

    /// All of them, in no order.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&UriKey, &OpenDocument)> {
        self.open.iter()
    }

    /// Compares every text of `key` with what is expected, until that is forgotten. Its lane lets only one batch do so.
    pub(crate) fn expect(&mut self, key: UriKey, expected: Expected) {
        self.expected.insert(key, expected);
    }

    /// Stops watching `key`.
    pub(crate) fn forget(&mut self, key: &UriKey) {
        self.expected.remove(key);
    }

    fn change(
        &mut self,
        key: &UriKey,
        version: i32,
        changes: &[TextDocumentContentChangeEvent],
        reading: Reading,
    ) -> Noted {
        let Some(document) = self.open.get_mut(key) else {
            self.early.came(key, version, changes);
            return Noted::Unknown;
        };
        let is_whole = changes.first().is_some_and(|it| it.range.is_none());
        if version < document.version && !is_whole {
            let reason = format!("its change to version {version} came after that to version {}", document.version);
            return self.lose(key, &reason);
        }
        document.version = version;
        let known_lost = matches!(document.condition, Condition::Lost(_));
        for change in changes {
            let revision = self.next_revision();
            let document = self.open.get_mut(key).expect("it was there, and is not taken away here");
            document.take(change, reading);
            document.revision = revision;
            if document.condition == Condition::Good {
                let text = document.text.clone();
                self.arrived(key, &text);
            }
        }
        match &self.open[key].condition {
            Condition::Lost(_) if known_lost => Noted::Taken,
            condition => noted(condition),
        }
    }

    fn lose(&mut self, key: &UriKey, reason: &str) -> Noted {
        let revision = self.next_revision();
        let Some(document) = self.open.get_mut(key) else { return Noted::Unknown };
        document.revision = revision;
        if matches!(document.condition, Condition::Lost(_)) {
            return Noted::Taken;
        }
        document.condition = Condition::Lost(reason.to_owned());
        noted(&document.condition)
    }

    fn arrived(&self, key: &UriKey, text: &Text) {
        if let Some(expected) = self.expected.get(key) {
            expected.compare(text);
        }
    }

    fn next_revision(&mut self) -> Revision {
        self.revisions += 1;
        Revision(self.revisions)
    }
}

impl OpenDocument {
    fn take(&mut self, change: &TextDocumentContentChangeEvent, reading: Reading) {
        let Some(range) = change.range else {
            self.text = Text::new(&change.text);
            self.condition = condition_of(&change.text, reading);
            return;
        };
        if matches!(self.condition, Condition::Lost(_)) {
            return;
        }
        match changed(&self.text, range, &change.text, reading) {
            Ok((text, start)) => {
                self.text = text;
                // A `\r` can only be left alone where it is new, or where what stood behind it has changed.
                let behind_cr = Span::new(start.0.saturating_sub(1), start.0);
                let may_be_alone =
                    change.text.contains('\r') || self.text.slice(behind_cr).is_some_and(|it| it == "\r");
                self.condition = match may_be_alone {
                    true => condition_of(self.text.as_str(), reading),
                    false => Condition::Good,
                };
            }
            Err(misfit) => {
                let at = range.start.line.saturating_add(1);
                self.condition = Condition::Lost(format!("a change at line {at} has {}", misfit.message()));
            }
        }
    }
}

/// `text` with `new_text` in place of `range`, and where that starts.
fn changed(text: &Text, range: Range, new_text: &str, reading: Reading) -> Result<(Text, Byte), Misfit> {
    let fits = "a range that fits the text stands between characters";
    if reading.counts_lone_cr {
        let span = positions::span(text, range, reading.encoding)?;
        return Ok((text.replaced(span, new_text).expect(fits), span.start));
    }
    let end = usize::try_from(range.end.line).unwrap_or(usize::MAX);
    if end != text.line_count() || range.end.character > 0 {
        let span = positions::span_by_newlines(text, range, reading.encoding)?;
        return Ok((text.replaced(span, new_text).expect(fits), span.start));
    }
    // To Neovim the last line ends in a line break, too, where the document does not.
    let at_end = |text: &Text, length: usize| Span::new(text.len().0 - length, text.len().0);
    let text = text.replaced(at_end(text, 0), "\n").expect(fits);
    let span = positions::span_by_newlines(&text, range, reading.encoding)?;
    let text = text.replaced(span, new_text).expect(fits);
    let ends_in = |it: &&str| text.slice(at_end(&text, it.len().min(text.len().0))).is_some_and(|end| end == **it);
    let length = ["\r\n", "\n"].iter().find(|it| ends_in(it)).map_or(0, |it| it.len());
    Ok((text.replaced(at_end(&text, length), "").expect(fits), span.start))
}

fn condition_of(content: &str, reading: Reading) -> Condition {
    if !reading.counts_lone_cr && has_lone_cr(content) {
        let reason = "it holds a carriage return without a line feed, which this editor does not count as a line break";
        return Condition::Lost(reason.to_owned());
    }
    Condition::Good
}

fn has_lone_cr(content: &str) -> bool {
    let bytes = content.as_bytes();
    content.match_indices('\r').any(|(at, _)| bytes.get(at + 1) != Some(&b'\n'))
}

fn noted(condition: &Condition) -> Noted {
    match condition {
        Condition::Lost(reason) => Noted::NowLost(reason.clone()),
        Condition::Good | Condition::Unsettled => Noted::Taken,
    }
}

#[cfg(test)]
mod tests {
    use tower_lsp::ls_types::{Position, Range};

    use super::*;

    const READING: Reading = Reading { encoding: Encoding::Utf16, counts_lone_cr: true };

    fn uri() -> Uri {
        "file:///w/a.rs".parse().unwrap()
    }

    fn change(from: (u32, u32), to: (u32, u32), text: &str) -> TextDocumentContentChangeEvent {
        let position = |(line, character)| Position { line, character };
        let range = Some(Range { start: position(from), end: position(to) });
        TextDocumentContentChangeEvent { range, range_length: None, text: text.to_owned() }
    }

    fn whole(text: &str) -> TextDocumentContentChangeEvent {
        TextDocumentContentChangeEvent { range: None, range_length: None, text: text.to_owned() }
    }

    fn opened(content: &str) -> Documents {
        let documents = Documents::default();
        assert_eq!(documents.open(uri(), 1, content, READING), Noted::Taken);
        documents
    }

    #[track_caller]
    fn check(content: &str, changes: &[TextDocumentContentChangeEvent], expected: &str) {
        let documents = opened(content);
        assert_eq!(documents.change(&uri(), 2, changes, READING), Noted::Taken);
        let state = documents.now();
        let document = state.get(&UriKey::of("file:///w/a.rs")).unwrap();
        assert_eq!((document.text.as_str(), document.version), (expected, 2));
        assert_eq!(document.condition, Condition::Good);
    }

    #[track_caller]
    fn check_lost(content: &str, changed: TextDocumentContentChangeEvent) {
        let documents = opened(content);
        let noted = documents.change(&uri(), 2, &[changed, whole("late")][..1], READING);
        assert!(matches!(noted, Noted::NowLost(_)), "{noted:?}");
        let again = documents.change(&uri(), 3, &[change((0, 0), (0, 0), "x")], READING);
        assert_eq!(again, Noted::Taken, "it is said once");
        assert!(matches!(condition(&documents), Condition::Lost(_)));
        assert_eq!(documents.change(&uri(), 4, &[whole("whole")], READING), Noted::Taken);
        assert_eq!(condition(&documents), Condition::Good);
    }

    fn condition(documents: &Documents) -> Condition {
        documents.now().get(&UriKey::of("file:///w/a.rs")).unwrap().condition.clone()
    }

    #[test]
    fn changes_are_made_one_after_the_other() {
        check("ab\ncd", &[change((0, 1), (1, 1), "-"), change((0, 2), (0, 3), "!")], "a-!");
        check("a🚀b\r\n", &[change((0, 3), (0, 99), "")], "a🚀\r\n");
        check("x", &[whole("y"), change((0, 1), (0, 1), "z")], "yz");
        check("a\rb", &[change((1, 0), (1, 0), "-")], "a\r-b");
        check("", &[change((0, 0), (0, 0), "new\n"), change((1, 0), (1, 0), "line")], "new\nline");
    }

    #[test]
    fn a_change_that_does_not_fit_loses_the_document_until_it_is_sent_whole() {
        check_lost("ab", change((1, 0), (1, 0), "x"));
        check_lost("a🚀b", change((0, 2), (0, 3), "x"));
        check_lost("ab", change((0, 2), (0, 1), "x"));
        check_lost("ab\ncd", change((0, 0), (7, 0), "x"));
    }

    #[test]
    fn a_version_is_taken_as_it_comes() {
        let documents = opened("a");
        documents.change(&uri(), -7, &[whole("b")], READING);
        assert_eq!(documents.now().get(&UriKey::of("file:///w/a.rs")).unwrap().version, -7);
    }

    #[test]
    fn a_change_that_was_overtaken_loses_the_document() {
        let documents = opened("a");
        documents.change(&uri(), 3, &[change((0, 1), (0, 1), "b")], READING);
        documents.change(&uri(), 3, &[change((0, 1), (0, 1), "b")], READING);
        assert_eq!(condition(&documents), Condition::Good, "a version may come again");
        let noted = documents.change(&uri(), 2, &[change((0, 0), (0, 0), "x")], READING);
        assert!(matches!(noted, Noted::NowLost(_)), "{noted:?}");
    }

    #[test]
    fn a_change_that_overtakes_the_opening_of_its_document_is_made_once_it_is_open() {
        let documents = Documents::default();
        assert_eq!(documents.change(&uri(), 1, &[change((0, 1), (0, 1), "b")], READING), Noted::Unknown);
        assert_eq!(documents.open(uri(), 0, "a", READING), Noted::Taken);
        let open = documents.now().get(&UriKey::of("file:///w/a.rs")).unwrap().clone();
        assert_eq!((open.text.as_str(), open.version), ("ab", 1));
        assert_eq!(documents.change(&uri(), 2, &[change((0, 2), (0, 2), "c")], READING), Noted::Taken);
    }

    #[test]
    fn what_may_be_of_an_earlier_time_loses_the_document() {
        let documents = opened("a");
        documents.close(&uri());
        documents.change(&uri(), 2, &[change((0, 1), (0, 1), "b")], READING);
        assert!(matches!(documents.open(uri(), 1, "a", READING), Noted::NowLost(_)));
        documents.close(&uri());
        assert_eq!(documents.open(uri(), 1, "a", READING), Noted::Taken, "it is forgotten with that");
    }

    #[test]
    fn lines_the_client_counts_differently_lose_the_document() {
        let reading = Reading { counts_lone_cr: false, ..READING };
        let documents = Documents::default();
        assert!(matches!(documents.open(uri(), 1, "a\rb", reading), Noted::NowLost(_)));
        assert_eq!(documents.open(uri(), 1, "a\r\nb", reading), Noted::Taken);
        assert_eq!(documents.change(&uri(), 2, &[change((0, 0), (0, 0), "x\r\n")], reading), Noted::Taken);
        let noted = documents.change(&uri(), 3, &[change((0, 0), (0, 0), "x\r")], reading);
        assert!(matches!(noted, Noted::NowLost(_)));
    }

    #[test]
    fn what_neovim_says_is_read_by_its_own_lines() {
        let reading = Reading { counts_lone_cr: false, ..READING };
        let check = |content: &str, changed, expected: &str| {
            let documents = Documents::default();
            documents.open(uri(), 1, content, reading);
            documents.change(&uri(), 2, &[changed], reading);
            assert_eq!(documents.now().get(&UriKey::of("file:///w/a.rs")).unwrap().text.as_str(), expected);
            assert_eq!(condition(&documents), Condition::Good);
        };
        // Its last line ends, though the document does not.
        check("a\nb", change((1, 1), (2, 0), "\nc\n"), "a\nb\nc");
        check("a\nb", change((1, 0), (2, 0), ""), "a");
        check("a\r\nb", change((1, 1), (2, 0), "\r\nc\r\n"), "a\r\nb\r\nc");
        check("a\nb\n", change((1, 1), (2, 0), "\nc\n"), "a\nb\nc\n");
        // A carriage return is a column.
        check("a\r\nb\n", change((0, 1), (0, 2), ""), "a\nb\n");
        check("a\nb\n", change((0, 1), (0, 1), "\r"), "a\r\nb\n");
        check("a\r\nb\n", change((0, 2), (0, 2), "\nc\r"), "a\r\nc\r\nb\n");
        check("🚀\r\nb\n", change((0, 2), (0, 2), "x"), "🚀x\r\nb\n");
        let documents = Documents::default();
        documents.open(uri(), 1, "a\r\nb", reading);
        documents.change(&uri(), 2, &[change((0, 2), (1, 0), " ")], reading);
        assert!(matches!(condition(&documents), Condition::Lost(_)), "one that is alone is not forgiven");
    }

    #[test]
    fn an_unsettled_document_is_settled_by_its_next_change() {
        let documents = opened("a");
        let key = UriKey::of("file:///w/a.rs");
        let revision = documents.now().get(&key).unwrap().revision;
        documents.unsettle(&key, revision);
        assert_eq!(condition(&documents), Condition::Unsettled);
        documents.change(&uri(), 2, &[change((0, 0), (0, 0), "x")], READING);
        assert_eq!(condition(&documents), Condition::Good);
        documents.unsettle(&key, revision);
        assert_eq!(condition(&documents), Condition::Good, "it has moved on since");
    }
}
