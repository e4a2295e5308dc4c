//! The corpus of cases through the built server: ours always, others by `AGENT_EDIT_CASES` (files or folders, separated
//! as in `PATH`). To see every case that is not right:
//! `AGENT_EDIT_CASES=file.jsonl cargo test -p agent-edit --test cases -- --nocapture`.

use std::env;
use std::io::{Write, stdout};
use std::path::Path;

use fake_editor::cases::{Case, Floors, LENIENT, OWN, TOLERANT, Table, read, run};
use fake_editor::{Character, Editor};

#[test]
fn our_own_cases() {
    check("ours", &own(), "tolerant", &OWN);
}

#[test]
fn other_cases_with_tolerant_matching() {
    check("tolerant", &given(), "tolerant", &TOLERANT);
}

#[test]
fn other_cases_with_lenient_matching() {
    check("lenient", &given(), "lenient", &LENIENT);
}

/// Runs `cases` under editors of every character in turn, each with one server for all of its cases; those with a lone
/// `\r` under the one that counts it as the protocol does.
#[track_caller]
fn check(name: &str, cases: &[Case], matching: &str, floors: &Floors) {
    let mut table = Table::default();
    for (nth, character) in Character::ALL.into_iter().enumerate() {
        let mut editor = Editor::start(env!("CARGO_BIN_EXE_agent-edit"), character);
        let turn = |at: usize, it: &Case| if it.has_lone_cr() { 0 } else { at % Character::ALL.len() };
        for (_, case) in cases.iter().enumerate().filter(|(at, it)| turn(*at, it) == nth) {
            let verdict = run(&mut editor, case, matching);
            table.add(case, &verdict);
        }
        editor.finish();
    }
    println!("{name}\n{table}");
    say(&format!("{name}: {}", table.summary()));
    let broken = floors.broken(&table);
    assert!(broken.is_empty(), "{name}: broken floors\n- {}", broken.join("\n- "));
}

fn own() -> Vec<Case> {
    let cases =
        read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/cases"))).expect("our own cases can be read");
    assert!(cases.len() >= 40, "only {} cases of our own were found", cases.len());
    cases
}

fn given() -> Vec<Case> {
    match env::var_os("AGENT_EDIT_CASES") {
        Some(paths) => env::split_paths(&paths).flat_map(|it| read(&it).unwrap_or_else(|it| panic!("{it}"))).collect(),
        None => {
            say("!!! AGENT_EDIT_CASES is not set: only our own cases are run");
            vec![]
        }
    }
}

/// Says it even where the test harness keeps back what a passing test prints.
fn say(what: &str) {
    writeln!(stdout(), "{what}").expect("standard output can be written");
}
