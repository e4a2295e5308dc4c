//! A long day at the editor in a minute: typing, batches, quick fixes, discarding, closing, reopening, refusals, silence,
//! and the end of either side. What must hold does so after each step, and all of it whenever there is rest.
//!
//! The same seed makes the same steps; what has arrived by then is up to the machine.
//! `AGENT_EDIT_SEED=7 AGENT_EDIT_SOAK_STEPS=100000 cargo test -p agent-edit --test soak` has another day, and a longer one.

#[path = "soak/agent.rs"]
mod agent;
#[path = "soak/day.rs"]
mod day;
#[path = "soak/marks.rs"]
mod marks;
#[path = "soak/rest.rs"]
mod rest;

use std::env;

use fake_editor::Character;

use crate::day::Day;

#[test]
fn a_day_in_an_editor_that_answers_first() {
    check(Character::AnswersFirst, "push");
}

#[test]
fn a_day_in_an_editor_that_changes_first() {
    check(Character::ChangesFirst, "push");
}

#[test]
fn a_day_in_an_editor_that_tells_in_pieces() {
    check(Character::InPieces, "push");
}

#[test]
fn a_day_in_an_editor_that_asks_for_diagnostics() {
    check(Character::AnswersFirst, "pull");
}

fn check(character: Character, diagnostics: &str) {
    let number = |name: &str| env::var(name).ok().map(|it| it.parse().unwrap_or_else(|_| panic!("{name} is a number")));
    let (seed, steps) = (number("AGENT_EDIT_SEED").unwrap_or(1), number("AGENT_EDIT_SOAK_STEPS").unwrap_or(800));
    // Shown where the test fails.
    println!("{character:?}, {diagnostics}, AGENT_EDIT_SEED={seed} AGENT_EDIT_SOAK_STEPS={steps}");
    let outcomes = Day::new(character, diagnostics, seed).run(steps);
    println!("{outcomes:?}");
    // Else the steps are badly mixed, and nothing was tried.
    for it in ["applied", "EDIT_CONFLICT", "STALE_BASE", "NOT_APPLIED"] {
        assert!(steps < 800 || outcomes.contains_key(it), "no {it} among {outcomes:?}");
    }
}
