//! What is done in a day, step by step.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::thread;

use fake_editor::{Character, Editor, Folder, Random, Reaction, Setup, notification, span};
use serde_json::{Value, json};

use crate::agent::{self, EVERYWHERE, Made, Read};
use crate::marks::{Marks, place_to_type, without_agents};

/// How many documents there are.
const DOCUMENTS: usize = 20;
/// How many steps there are from rest to rest.
const STRETCH: u64 = 40;

/// A day at one editor, with a server after the other.
pub(crate) struct Day {
    pub(crate) random: Random,
    pub(crate) setup: Setup,
    /// The disk. Its URIs are those of the documents.
    folder: Folder,
    /// There is none only while one goes and the next comes.
    editor: Option<Editor>,
    /// What each document would hold if there were no agents.
    pub(crate) persons: BTreeMap<String, String>,
    /// Documents as the agents last read them.
    read: BTreeMap<String, Read>,
    pub(crate) marks: Marks,
    asked: BTreeMap<i64, Asked>,
    /// The batches that this server has applied.
    applied: Vec<Value>,
    /// Documents of which a change did not reach the server in one piece.
    pub(crate) lost: BTreeSet<String>,
    /// Since the last rest the editor may have done what leaves documents unsettled.
    pub(crate) odd: bool,
    /// The memory of the server at rest, in KiB, since it was started.
    pub(crate) memory: Vec<usize>,
    outcomes: BTreeMap<String, usize>,
    /// What was done last, told where the day ends badly.
    diary: VecDeque<String>,
}

/// A request under way.
enum Asked {
    Batch {
        /// All of its documents.
        uris: Vec<String>,
        /// The characters it brings into each that was open.
        brings: Vec<(String, Vec<char>)>,
    },
    /// It may change any document.
    Command,
}

impl Drop for Day {
    fn drop(&mut self) {
        if thread::panicking() {
            self.diary.iter().for_each(|it| println!("{it}"));
        }
    }
}

impl Day {
    pub(crate) fn new(character: Character, diagnostics: &str, seed: u64) -> Self {
        let folder = Folder::new(&format!("soak-{character:?}-{diagnostics}"));
        // Short, so that silence costs little; who is slower than that for once has done something odd, and that is all.
        let timeouts = json!({"answer": 150, "settle": 100});
        let options = json!({"timeouts": timeouts, "diagnostics": diagnostics, "settings": {"diagnoseDelay": 2}});
        let setup = Setup { options, folders: vec![folder.uri("")], ..Setup::new(character) };
        let mut day = Self {
            random: Random::new(seed),
            setup,
            folder,
            editor: None,
            persons: BTreeMap::new(),
            read: BTreeMap::new(),
            marks: Marks::default(),
            asked: BTreeMap::new(),
            applied: vec![],
            lost: BTreeSet::new(),
            odd: false,
            memory: vec![],
            outcomes: BTreeMap::new(),
            diary: VecDeque::new(),
        };
        for number in 0..DOCUMENTS {
            let line_break = if number % 3 == 0 { "\r\n" } else { "\n" };
            let text = text(number).replace('\n', line_break);
            day.folder.write(&name(number), &text);
            day.persons.insert(day.folder.uri(&name(number)), text);
        }
        day.start();
        day
    }

    pub(crate) fn editor(&mut self) -> &mut Editor {
        self.editor.as_mut().expect("there is one between steps")
    }

    fn note(&mut self, what: String) {
        self.diary.push_back(what);
        if self.diary.len() > 40 {
            self.diary.pop_front();
        }
    }

    pub(crate) fn count(&mut self, outcome: &str) {
        *self.outcomes.entry(outcome.to_owned()).or_default() += 1;
    }

    pub(crate) fn run(mut self, steps: u64) -> BTreeMap<String, usize> {
        for step in 1..=steps {
            self.step();
            self.assert_nothing_of_the_persons_is_lost();
            if step % STRETCH == 0 {
                self.rest();
                self.perhaps_end();
            }
        }
        self.rest();
        self.discard_everything();
        self.editor.take().expect("there is one between steps").finish();
        std::mem::take(&mut self.outcomes)
    }

    /// Starts a server and opens half of the documents.
    fn start(&mut self) {
        self.editor = Some(Editor::start_with(env!("CARGO_BIN_EXE_agent-edit"), self.setup.clone()));
        self.memory.clear();
        for number in 0..DOCUMENTS {
            if self.random.below(2) == 0 {
                self.open(&self.folder.uri(&name(number)));
            }
        }
    }

    fn open(&mut self, uri: &str) {
        let text = self.on_disk(uri);
        self.editor().open(uri, &text);
    }

    fn on_disk(&self, uri: &str) -> String {
        self.folder.read(uri.rsplit('/').next().expect("a URI has a last part"))
    }

    /// The person saves.
    fn save(&mut self, uri: &str) {
        let text = self.editor().text(uri).to_owned();
        self.folder.write(uri.rsplit('/').next().expect("a URI has a last part"), text);
    }

    fn step(&mut self) {
        self.judge();
        let uri = self.random.pick(&self.persons.keys().cloned().collect::<Vec<_>>()).clone();
        let is_open = self.editor().uris().contains(&uri);
        // An edit on its way to a document is for the one that was open, or for the file: no version tells the editor of
        // another. What comes for a document that is gone, VS Code and Helix refuse.
        let is_late = !self.editor().applications().is_empty();
        let is_asked = is_late || self.asked.values().any(|it| it.may_change(&uri));
        let may_close = !is_asked || self.setup.character != Character::InPieces;
        match self.random.below(44) {
            0..=7 if is_open => self.type_something(&uri),
            0..=13 => self.send_batch(&uri),
            14..=16 => self.do_as_the_editor_likes(),
            17..=24 => {
                let open = self.editor().applications().len();
                if open > 0 {
                    let nth = self.random.below(open);
                    self.editor().advance_nth(nth);
                }
            }
            25..=27 => self.fix_something(),
            28 => self.discard_something(),
            29 if is_open && may_close => {
                self.editor().tell(&uri);
                self.save(&uri);
                self.editor().close(&uri);
                self.lost.remove(&uri);
            }
            29..=30 if !is_open && !is_asked => self.open(&uri),
            31 if !self.asked.is_empty() => {
                let ids: Vec<_> = self.asked.keys().copied().collect();
                let id = *self.random.pick(&ids);
                self.editor().cancel(id);
            }
            32 if is_open && self.random.below(3) == 0 => {
                // A change that nobody can read.
                let document = json!({"uri": uri});
                let params = json!({"textDocument": document, "contentChanges": [{"text": "nothing of this"}]});
                self.editor().server().send(&notification("textDocument/didChange", params));
                self.lost.insert(uri);
            }
            33 => {
                let severity = *self.random.pick(&["error", "warning", "information", "hint"]);
                let limits = json!({"pendingBatches": 3 + self.random.below(20)});
                self.editor().configure(json!({"agentEdit": {"severity": severity, "limits": limits}}));
            }
            34..=37 => self.fix_something(),
            38 if !self.applied.is_empty() => {
                let batch_id = self.random.pick(&self.applied).clone();
                let id = self.editor().execute("agentEdit.revert", json!([{"batchId": batch_id}]));
                self.note(format!("revert {id} {batch_id}"));
                self.asked.insert(id, Asked::Command);
            }
            _ => while self.random.below(4) > 0 && self.editor().receive_one() {},
        }
    }

    pub(crate) fn type_something(&mut self, uri: &str) {
        let text = self.editor().text(uri).to_owned();
        let mut places: Vec<_> = (0..=self.random.below(2)).map(|_| self.random.below(text.len() + 1)).collect();
        places.iter_mut().for_each(|it| *it = place_to_type(&text, *it));
        places.sort_unstable();
        places.dedup();
        let mut typed = vec![];
        for (nth, &start) in places.iter().enumerate() {
            let room = places.get(nth + 1).copied().unwrap_or(text.len()) - start;
            let over = if self.random.below(5) == 0 { room.min(self.random.below(12)) } else { 0 };
            let end = place_to_type(&text, start + over).max(start);
            self.forget(&text[start..end]);
            typed.push((
                start..end,
                format!("{}{}", self.marks.typed(), self.random.pick(&["", "", "\n", "\r\n", " "])),
            ));
        }
        self.note(format!("typing {typed:?} in {uri}"));
        let typed: Vec<_> = typed.iter().map(|(span, it)| (span.clone(), it.as_str())).collect();
        match typed.as_slice() {
            [(span, new_text)] if self.lost.remove(uri) || self.random.below(5) == 0 => {
                self.editor().type_whole(uri, span.clone(), new_text);
            }
            _ => self.editor().type_many(uri, &typed),
        }
        let now = without_agents(self.editor().text(uri));
        self.persons.insert(uri.to_owned(), now);
    }

    /// What is typed over is gone, whoever wrote it.
    fn forget(&mut self, text: &str) {
        for asked in self.asked.values_mut() {
            if let Asked::Batch { brings, .. } = asked {
                brings.iter_mut().for_each(|it| it.1.retain(|it| !text.contains(*it)));
            }
        }
    }

    fn send_batch(&mut self, uri: &str) {
        let mut uris = vec![uri.to_owned()];
        let all: Vec<_> = self.persons.keys().cloned().collect();
        while self.random.below(3) == 0 {
            let other = self.random.pick(&all).clone();
            if !uris.contains(&other) {
                uris.push(other);
            }
        }
        let open = self.editor().uris();
        let mut read = vec![];
        for uri in uris.clone() {
            if self.random.below(5) > 0 || !self.read.contains_key(&uri) {
                let text = if open.contains(&uri) { self.editor().text(&uri).to_owned() } else { self.on_disk(&uri) };
                let version = open.contains(&uri).then(|| self.editor().version(&uri));
                self.read.insert(uri.clone(), Read { uri: uri.clone(), text, version });
            }
            read.push(self.read[&uri].clone());
        }
        let Made { params, mut brings } = agent::batch(&mut self.random, &mut self.marks, read);
        // What the editor opens for it, it may say to have changed without having done so.
        brings.retain(|it| open.contains(&it.0));
        self.note(format!("batch {params}"));
        let id = match params["mode"].is_null() && self.random.below(6) == 0 {
            true => self.editor().execute("agentEdit.apply", json!([params])),
            false => self.editor().agent_edit(params),
        };
        self.asked.insert(id, Asked::Batch { uris, brings });
    }

    fn do_as_the_editor_likes(&mut self) {
        let reaction = match self.random.below(24) {
            0..=1 => Reaction::Refuse(None),
            2..=3 => Reaction::Refuse(Some("no")),
            4 => Reaction::Fail,
            5 => Reaction::Silence,
            6 => Reaction::Lie,
            7 => Reaction::Half,
            8 => Reaction::Mute,
            _ => return,
        };
        self.odd |= matches!(reaction, Reaction::Silence | Reaction::Lie | Reaction::Half | Reaction::Mute);
        self.editor().react(reaction);
    }

    /// Runs a quick fix of a conflict, but none that says that it overwrites something.
    fn fix_something(&mut self) {
        let shown: Vec<_> = self.editor().uris();
        let shown: Vec<_> = shown.into_iter().filter(|it| !self.editor().diagnostics(it).is_empty()).collect();
        if shown.is_empty() {
            return;
        }
        let uri = self.random.pick(&shown).clone();
        // What a batch has brought in is looked for first, then what is made of what it has not.
        if self.asked.values().any(|it| it.may_change(&uri)) {
            return;
        }
        let diagnostics = self.editor().diagnostics(&uri);
        let diagnostic = self.random.pick(&diagnostics);
        let encoding = self.setup.encoding;
        // The text may have moved on.
        let Ok(span) = span(self.editor().text(&uri), encoding, &diagnostic["range"]) else { return };
        let actions = self.editor().code_actions(&uri, span);
        self.judge();
        let discards = self.random.below(4) == 0;
        let is_wanted = |it: &str| if discards { it.starts_with("Discard") } else { it.starts_with("Apply") };
        let actions: Vec<_> = actions.iter().filter(|it| it["title"].as_str().is_some_and(is_wanted)).collect();
        if actions.is_empty() {
            return;
        }
        let action = (*self.random.pick(&actions)).clone();
        if self.random.below(4) == 0 {
            self.type_something(&uri);
        }
        let command = action["command"]["command"].as_str().expect("the editor has checked it");
        let id = self.editor().execute(command, action["command"]["arguments"].clone());
        self.note(format!("quick fix {id} in {uri}: {action}"));
        self.asked.insert(id, Asked::Command);
    }

    fn discard_something(&mut self) {
        let shown: Vec<_> = self.editor().uris();
        let shown: Vec<_> = shown.iter().flat_map(|it| self.editor().diagnostics(it)).collect();
        if !shown.is_empty() {
            let batch_id = self.random.pick(&shown)["data"]["batchId"].clone();
            let id = self.editor().execute("agentEdit.discardAll", json!([{"batchId": batch_id}]));
            self.asked.insert(id, Asked::Command);
        }
    }

    /// Ends the server, or the editor, or both as they should; then another day begins where this one ended.
    fn perhaps_end(&mut self) {
        let kind = self.random.below(15);
        if kind > 2 {
            return;
        }
        if kind > 0 {
            // In the middle of things.
            for _ in 0..STRETCH / 4 {
                self.step();
            }
        }
        for uri in self.editor().uris() {
            self.save(&uri);
        }
        self.assert_nothing_of_the_persons_is_lost();
        self.asked.clear();
        self.applied.clear();
        self.lost.clear();
        let editor = self.editor.take().expect("there is one between steps");
        match kind {
            0 => editor.finish(),
            1 => assert_eq!(editor.die(), 1, "the end of the input without shutdown"),
            _ => editor.kill(),
        }
        self.count("restart");
        self.start();
    }

    /// Whether nothing is under way.
    pub(crate) fn is_quiet(&self) -> bool {
        self.asked.is_empty()
    }

    /// Takes the answers that have come, and holds the editor's text against them.
    pub(crate) fn judge(&mut self) {
        for id in self.asked.keys().copied().collect::<Vec<_>>() {
            let Some(answer) = self.editor().answered(id) else { continue };
            let (result, error) = (&answer["result"], &answer["error"]);
            let named = error["data"]["code"].as_str();
            let is_applied = result["applied"] == true;
            // It has not waited for ever, and what comes later it cannot know.
            let in_vain = answer.to_string().contains(" within ");
            self.odd |= in_vain;
            let outcome = match self.asked.remove(&id).expect("it is one of them") {
                Asked::Command if result["documents"].is_array() => "reverted".to_owned(),
                Asked::Command if is_applied => "fixed".to_owned(),
                Asked::Command => named.unwrap_or("discarded").to_owned(),
                Asked::Batch { brings, .. } => {
                    self.applied.extend(is_applied.then(|| result["batchId"].clone()));
                    let open = self.editor().uris();
                    let brings = brings.into_iter().filter(|it| open.contains(&it.0));
                    let texts: Vec<_> = brings.map(|it| (self.editor().text(&it.0).to_owned(), it.1)).collect();
                    let mut there = texts.iter().flat_map(|(text, marks)| marks.iter().map(|it| text.contains(*it)));
                    let half = in_vain || !error["data"]["diverged"].is_null();
                    let right = if is_applied { there.all(|it| it) } else { half || !there.any(|it| it) };
                    assert!(right, "that is not what the text says: {answer}");
                    if is_applied {
                        "applied"
                    } else {
                        named.unwrap_or(if error.is_null() { "shown" } else { "cancelled" })
                    }
                    .to_owned()
                }
            };
            let code = error["code"].as_i64();
            assert!(error.is_null() || named.is_some() || code == Some(-32800), "an error without a name: {answer}");
            self.note(format!("answer {answer}"));
            self.count(&outcome);
        }
    }

    /// What the person wrote stands in every open document as it was written, and nothing else but what agents brought in.
    fn assert_nothing_of_the_persons_is_lost(&mut self) {
        for uri in self.editor().uris() {
            let now = without_agents(self.editor().text(&uri));
            let merged = self.asked.values().any(|it| matches!(it, Asked::Command));
            if merged && now.split_whitespace().eq(self.persons[&uri].split_whitespace()) {
                // A quick fix may bring the agent's indentation along.
                self.persons.insert(uri, now);
                continue;
            }
            assert_eq!(now, self.persons[&uri], "{uri}");
        }
    }
}

impl Asked {
    fn may_change(&self, uri: &str) -> bool {
        match self {
            Self::Batch { uris, .. } => uris.iter().any(|it| it == uri),
            Self::Command => true,
        }
    }
}

fn name(number: usize) -> String {
    format!("{number:02}.txt")
}

/// A document like others and unlike them.
fn text(number: usize) -> String {
    let mut text = format!("// document {number}\n");
    for line in 0..5 + number * 2 {
        let indent = "    ".repeat(line % 3);
        text.push_str(&format!("{indent}let value_{line} = compute(\"é 🚀 {number}\", {line} - {number});\n"));
        if line % 4 == 1 {
            text.push_str(&format!("{indent}{EVERYWHERE}\n\n"));
        }
    }
    text
}
