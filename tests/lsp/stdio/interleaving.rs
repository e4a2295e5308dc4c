//! Whatever typing and batches come in between each other: both sides have one text, no typed character is lost, every
//! batch is answered once, and what it is answered is true.
//!
//! Every character typed, and every character a batch brings in, is another one, so that each can be looked for.
//! `AGENT_EDIT_SEED=7 cargo test -p agent-edit --test interleaving` runs one seed again.

use std::collections::{BTreeMap, BTreeSet};
use std::env;

use fake_editor::{Character, Editor, Encoding, Random, Reaction, Setup, is_between};
use serde_json::{Value, json};

const STEPS: usize = 90;

#[test]
fn an_editor_that_answers_first_and_its_server_agree() {
    check(Character::AnswersFirst);
}

#[test]
fn an_editor_that_changes_first_and_its_server_agree() {
    check(Character::ChangesFirst);
}

#[test]
fn an_editor_that_tells_in_pieces_and_its_server_agree() {
    check(Character::InPieces);
}

fn check(character: Character) {
    let seeds = match env::var("AGENT_EDIT_SEED") {
        Ok(it) => {
            let seed = it.parse().expect("AGENT_EDIT_SEED is a number");
            seed..seed + 1
        }
        Err(_) => 0..if character == Character::InPieces { 6 } else { 12 },
    };
    let mut outcomes = BTreeMap::<String, usize>::new();
    for seed in seeds.clone() {
        // Shown where the test fails.
        println!("{character:?}, AGENT_EDIT_SEED={seed}");
        let encoding = Encoding::ALL[usize::try_from(seed).expect("a small number") % 3];
        for (outcome, count) in Session::new(character, encoding, seed).run() {
            *outcomes.entry(outcome).or_default() += count;
        }
    }
    println!("{outcomes:?}");
    // Else the steps are badly mixed, and nothing was tried. That an editor refuses while nobody types is rare here, and
    // has its own tests.
    let tried = |it: &str| outcomes.get(it).is_some_and(|it| *it > 0);
    assert!(
        seeds.end - seeds.start == 1
            || ["applied", "EDIT_CONFLICT", "STALE_BASE", "CONTENT_MODIFIED"].iter().all(|it| tried(it))
    );
}

/// One editor with one server, what was typed and what was asked.
struct Session {
    random: Random,
    character: Character,
    editor: Editor,
    /// Documents as the agent last read them.
    read: BTreeMap<String, String>,
    typed: BTreeSet<char>,
    next_typed: char,
    next_brought: char,
    batches: BTreeMap<i64, Batch>,
    /// How many batches came out how.
    outcomes: BTreeMap<String, usize>,
}

/// A batch under way: the characters it brings into each document.
struct Batch {
    brings: Vec<(String, Vec<char>)>,
}

impl Session {
    fn new(character: Character, encoding: Encoding, seed: u64) -> Self {
        // Neovim says it applied what it skipped: it is waited for in vain, not longer than a test can wait.
        let settle = if character == Character::InPieces { 1_000 } else { 2_000 };
        let options = json!({"timeouts": {"settle": settle}});
        let setup = Setup { encoding, options, ..Setup::new(character) };
        let mut session = Self {
            random: Random::new(seed),
            character,
            editor: Editor::start_with(env!("CARGO_BIN_EXE_agent-edit"), setup),
            read: BTreeMap::new(),
            typed: BTreeSet::new(),
            next_typed: '\u{F0000}',
            next_brought: '\u{100000}',
            batches: BTreeMap::new(),
            outcomes: BTreeMap::new(),
        };
        for (name, text) in [("a", "one 🚀 two\nthree\r\n\r\nfour"), ("b", ""), ("c", "x = é\n\ty = x\n    z = y\n")]
        {
            let uri = format!("file:///{name}.txt");
            session.editor.open(&uri, text);
            session.read.insert(uri.clone(), text.to_owned());
            // The stock Neovim does not check version 0, which no server can mend.
            session.type_something(&uri);
        }
        session
    }

    fn run(mut self) -> BTreeMap<String, usize> {
        for _ in 0..STEPS {
            self.step();
        }
        self.editor.react_as_usual();
        while !self.batches.is_empty() {
            self.decide();
            if !self.editor.advance() {
                self.editor.receive();
            }
            self.judge();
        }
        while self.editor.advance() {}
        for uri in self.editor.uris() {
            // A document that has not come to rest refuses batches until it changes.
            self.type_something(&uri);
        }
        let all: String = self.editor.uris().iter().map(|it| self.editor.text(it)).collect();
        for typed in &self.typed {
            assert_eq!(all.matches(*typed).count(), 1, "{typed:?} was typed once: {all:?}");
        }
        // Typing may be shown as a conflict, a refusal as a message; neither is what this is about.
        let _ = self.editor.take_messages();
        self.editor.finish();
        self.outcomes
    }

    fn step(&mut self) {
        let uri = self.random.pick(&self.editor.uris()).clone();
        match self.random.below(13) {
            0..=1 => self.type_something(&uri),
            2..=4 => self.send_batch(&uri),
            5..=6 => {
                if self.random.below(5) == 0 {
                    self.editor.react(*self.random.pick(&[
                        Reaction::Refuse(None),
                        Reaction::Refuse(Some("no")),
                        Reaction::Fail,
                    ]));
                }
            }
            7..=9 => {
                let open = self.editor.applications().len();
                if open > 0 {
                    let nth = self.random.below(open);
                    self.editor.advance_nth(nth);
                }
            }
            10 => self.decide(),
            _ => {
                let told = self.editor.uris().iter().all(|it| self.editor.is_told(it));
                let asks = !self.editor.questions().is_empty();
                if self.batches.is_empty() || !self.editor.applications().is_empty() || asks || !told {
                    self.editor.receive_one();
                } else {
                    // It is the server's turn.
                    self.editor.receive();
                }
                self.judge();
            }
        }
    }

    /// The person answers a question, if there is one.
    fn decide(&mut self) {
        if !self.editor.questions().is_empty() {
            self.editor.reply(*self.random.pick(&[Some("Apply"), Some("Apply"), Some("Discard"), None]));
        }
    }

    /// In one place or in several, over something or not, told by ranges or as a whole.
    fn type_something(&mut self, uri: &str) {
        let text = self.editor.text(uri).to_owned();
        let mut places: Vec<_> = (0..=self.random.below(3)).map(|_| self.random.below(text.len() + 1)).collect();
        places.sort_unstable();
        for place in &mut places {
            while !is_between(&text, *place) {
                *place -= 1;
            }
        }
        places.dedup();
        let mut typed = vec![];
        for (nth, &start) in places.iter().enumerate() {
            let room = places.get(nth + 1).copied().unwrap_or(text.len()) - start;
            let mut end = start + if self.random.below(4) == 0 { room.min(self.random.below(6)) } else { 0 };
            while !is_between(&text, end) {
                end -= 1;
            }
            self.forget(&text[start..end]);
            // Neovim and Helix do not count a lone `\r` as a line break, and nothing is edited where one stands.
            let lone = if self.character == Character::AnswersFirst { "\r" } else { "" };
            let breaks = *self.random.pick(&["", "", "\n", "\r\n", lone, " "]);
            typed.push((start..end, format!("{}{breaks}", self.next_typed)));
            self.typed.insert(self.next_typed);
            self.next_typed = next(self.next_typed);
        }
        let typed: Vec<_> = typed.iter().map(|(span, it)| (span.clone(), it.as_str())).collect();
        match typed.as_slice() {
            [(span, new_text)] if self.random.below(5) == 0 => self.editor.type_whole(uri, span.clone(), new_text),
            _ => self.editor.type_many(uri, &typed),
        }
    }

    /// What is typed over is gone, whoever wrote it.
    fn forget(&mut self, text: &str) {
        for gone in text.chars() {
            self.typed.remove(&gone);
            for batch in self.batches.values_mut() {
                for (_, brings) in &mut batch.brings {
                    brings.retain(|it| *it != gone);
                }
            }
        }
    }

    /// Edits made for the text the agent last read, which may be another by now, or that the server does not know yet.
    fn send_batch(&mut self, uri: &str) {
        let mut uris = vec![uri.to_owned()];
        if self.random.below(3) == 0 {
            uris = self.editor.uris();
        }
        let mut brings = vec![];
        let mut documents = vec![];
        for uri in uris {
            if self.random.below(4) > 0 {
                self.read.insert(uri.clone(), self.editor.text(&uri).to_owned());
            }
            let text = self.read[&uri].clone();
            let edits = self.edits(&text);
            let mut document = json!({"uri": uri});
            if self.random.below(6) == 0 {
                document["version"] = json!(self.editor.version(&uri));
            }
            documents
                .push(json!({"textDocument": document, "edits": edits.iter().map(|it| &it.1).collect::<Vec<_>>()}));
            brings.push((uri, edits.iter().map(|it| it.0).collect()));
        }
        let matching = *self.random.pick(&["exact", "tolerant"]);
        let mode = *self.random.pick(&["apply", "apply", "review"]);
        let id = self.editor.agent_edit(json!({"documents": documents, "matching": matching, "mode": mode}));
        self.batches.insert(id, Batch { brings });
    }

    /// Edits of different lines, each keeping what it finds and bringing in one new character, before or behind it.
    fn edits(&mut self, text: &str) -> Vec<(char, Value)> {
        let mut lines: Vec<_> = text.split_inclusive('\n').filter(|it| !it.trim().is_empty()).collect();
        let mut edits = vec![];
        for _ in 0..=self.random.below(3) {
            // An empty document is filled; elsewhere that is a conflict.
            let line = if lines.is_empty() { "" } else { lines.remove(self.random.below(lines.len())) };
            let old = if self.random.below(2) == 0 { line } else { line.trim() };
            let brought = self.next_brought;
            self.next_brought = next(brought);
            let new = if self.random.below(2) == 0 { format!("{brought}{old}") } else { format!("{old}{brought}\n") };
            edits.push((brought, json!({"oldText": old, "newText": new})));
            if lines.is_empty() {
                break;
            }
        }
        edits
    }

    /// Takes the answers that have come, and holds the editor's text against them.
    fn judge(&mut self) {
        for id in self.batches.keys().copied().collect::<Vec<_>>() {
            let Some(answer) = self.editor.answered(id) else { continue };
            let batch = self.batches.remove(&id).expect("it is one of them");
            let applied = answer["result"]["applied"] == true;
            let outcome =
                if applied { "applied" } else { answer["error"]["data"]["code"].as_str().unwrap_or("no code") };
            *self.outcomes.entry(outcome.to_owned()).or_default() += 1;
            // What Helix and Neovim changed before they refused is taken back, unless it was typed into meanwhile.
            let may_be_half =
                self.character != Character::AnswersFirst && !answer["error"]["data"]["diverged"].is_null();
            let mut there = vec![];
            for (uri, brings) in batch.brings {
                let text = self.editor.text(&uri);
                there.extend(brings.iter().map(|it| text.matches(*it).count()));
            }
            let (none, all) = (there.iter().all(|it| *it == 0), there.iter().all(|it| *it == 1));
            let right = if applied { all } else { none || may_be_half && !all };
            assert!(right, "what the batch brings in stands so often: {there:?}, after {answer}");
        }
    }
}

fn next(it: char) -> char {
    char::from_u32(it as u32 + 1).expect("there are 65,534 in the plane")
}
