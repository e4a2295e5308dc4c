//! Conflicts in the editor: pinned as diagnostics, with actions that resolve them.

use fake_editor::{Character, Editor, batch, document};
use serde_json::{Value, json};

const SERVER: &str = env!("CARGO_BIN_EXE_agent-edit");
const A: &str = "file:///a.txt";
const B: &str = "file:///b.txt";
const TEXT: &str = "fn one() {\n    let x = 1;\n    print(x);\n}\n\nfn two() {\n    let x = 1;\n    show(x);\n}\n";

fn editor(character: Character) -> Editor {
    let mut editor = Editor::start(SERVER, character);
    editor.open(A, TEXT);
    editor.open(B, "red\n");
    editor
}

/// Sends a batch that is refused, and waits until its conflicts stand in the editor.
#[track_caller]
fn refuse(editor: &mut Editor, params: Value, conflicts: usize) -> Value {
    let id = editor.agent_edit(params);
    let answer = editor.answer(id);
    assert_eq!(answer["error"]["data"]["code"], "EDIT_CONFLICT", "{answer}");
    wait_for_conflicts(editor, conflicts);
    answer["error"]["data"].clone()
}

#[track_caller]
fn wait_for_conflicts(editor: &mut Editor, count: usize) {
    editor.wait_until(|it| it.diagnostics(A).len() == count);
}

#[track_caller]
fn at(editor: &Editor, mark: &str) -> std::ops::Range<usize> {
    let at = editor.text(A).find(mark).unwrap_or_else(|| panic!("{mark:?} is not there"));
    at..at
}

#[test]
fn a_conflict_is_pinned_where_the_edit_most_likely_goes() {
    for character in Character::ALL {
        let mut editor = editor(character);
        let data =
            refuse(&mut editor, batch(A, &[("    let x = 1;\n    prnt(x);", "    let x = 2;\n    prnt(x);")]), 1);
        let pinned = &editor.diagnostics(A)[0];
        assert_eq!(pinned["code"], "not-found", "{pinned}");
        assert_eq!(pinned["data"], json!({"batchId": data["batchId"], "edit": 0}), "{pinned}");
        assert_eq!(pinned["range"]["start"]["line"], 1, "{pinned}");
        assert_eq!(editor.text(A), TEXT);
        editor.finish();
    }
}

#[test]
fn an_ambiguous_edit_is_pinned_at_each_place() {
    let mut editor = editor(Character::AnswersFirst);
    refuse(&mut editor, batch(A, &[("    let x = 1;", "    let x = 2;")]), 2);
    let lines: Vec<_> = editor.diagnostics(A).iter().map(|it| it["range"]["start"]["line"].clone()).collect();
    assert_eq!(lines, [1, 6]);
    editor.finish();
}

#[test]
fn apply_here_merges_the_edit_into_the_place_and_settles_it() {
    for character in Character::ALL {
        let mut editor = editor(character);
        refuse(&mut editor, batch(A, &[("    let x = 1;", "    let x = 2;")]), 2);
        let second = at(&editor, "let x = 1;\n    show");
        let answer = editor.run_action(A, second, "Apply edit 1 here");
        assert!(answer.get("error").is_none(), "{answer}");
        while editor.advance() {}
        assert_eq!(editor.text(A), TEXT.replace("let x = 1;\n    show", "let x = 2;\n    show"));
        wait_for_conflicts(&mut editor, 0);
        editor.finish();
    }
}

#[test]
fn apply_here_keeps_what_the_document_says_otherwise() {
    let mut editor = editor(Character::ChangesFirst);
    // The agent remembers `prnt` and wants another name: its change goes in, the document's spelling stays.
    let remembered = "fn one() {\n    let x = 1;\n    prnt(x);";
    refuse(&mut editor, batch(A, &[(remembered, &remembered.replace("one", "uno"))]), 1);
    let here = at(&editor, "let x = 1;\n    print");
    let answer = editor.run_action(A, here, "Apply edit 1 here");
    assert!(answer.get("error").is_none(), "{answer}");
    while editor.advance() {}
    assert_eq!(editor.text(A), TEXT.replace("one", "uno"));
    wait_for_conflicts(&mut editor, 0);
    editor.finish();
}

#[test]
fn where_an_edit_does_not_merge_the_title_says_what_is_lost() {
    let mut editor = editor(Character::ChangesFirst);
    // Both sides have changed the same number.
    refuse(&mut editor, batch(A, &[("    let x = 7;\n    print(x);", "    let x = 2;\n    print(x);")]), 1);
    let here = at(&editor, "let x = 1;\n    print");
    let answer = editor.run_action(A, here, "Replace lines 2–3 with edit 1");
    assert!(answer.get("error").is_none(), "{answer}");
    while editor.advance() {}
    assert_eq!(editor.text(A), TEXT.replace("let x = 1;\n    print", "let x = 2;\n    print"));
    wait_for_conflicts(&mut editor, 0);
    editor.finish();
}

#[test]
fn apply_to_all_places_changes_each() {
    for character in Character::ALL {
        let mut editor = editor(character);
        refuse(&mut editor, batch(A, &[("    let x = 1;", "    let x = 2;")]), 2);
        let first = at(&editor, "let x");
        let answer = editor.run_action(A, first, "Apply edit 1 to all 2 places");
        assert!(answer.get("error").is_none(), "{answer}");
        while editor.advance() {}
        assert_eq!(editor.text(A), TEXT.replace("x = 1", "x = 2"));
        wait_for_conflicts(&mut editor, 0);
        editor.finish();
    }
}

#[test]
fn apply_the_edits_that_match_keeps_the_conflicts() {
    for character in Character::ALL {
        let mut editor = editor(character);
        let params = json!({"documents": [
            document(A, &[("print(x)", "print(x, x)"), ("    let x = 1;", "    let x = 2;"), ("show(x)", "show(x, x)")]),
            document(B, &[("red", "blue")]),
        ]});
        refuse(&mut editor, params, 2);
        let first = at(&editor, "let x");
        let answer = editor.run_action(A, first, "Apply the 3 edits that match");
        assert!(answer.get("error").is_none(), "{answer}");
        while editor.advance() {}
        assert_eq!(editor.text(A), TEXT.replace("print(x)", "print(x, x)").replace("show(x)", "show(x, x)"));
        assert_eq!(editor.text(B), "blue\n");
        wait_for_conflicts(&mut editor, 2);
        editor.finish();
    }
}

#[test]
fn discarding_drops_one_edit_or_all() {
    let mut editor = editor(Character::InPieces);
    refuse(&mut editor, batch(A, &[("    let x = 1;", "2"), ("}\n", "3")]), 4);
    let first = at(&editor, "let x");
    let answer = editor.run_action(A, first.clone(), "Discard edit 1");
    assert!(answer.get("error").is_none(), "{answer}");
    wait_for_conflicts(&mut editor, 2);
    let brace = at(&editor, "}\n");
    let answer = editor.run_action(A, brace, "Discard all conflicts");
    assert!(answer.get("error").is_none(), "{answer}");
    wait_for_conflicts(&mut editor, 0);
    assert_eq!(editor.code_actions(A, first), Vec::<Value>::new());
    assert_eq!(editor.text(A), TEXT);
    editor.finish();
}

#[test]
fn an_edit_that_a_looser_matching_finds_is_offered_with_it() {
    for character in Character::ALL {
        let mut editor = editor(character);
        refuse(&mut editor, batch(A, &[("let x = 1;\nprint(x);", "let x = 2;\nprint(x);")]), 1);
        let pinned = editor.diagnostics(A)[0]["range"]["start"]["line"].as_u64().unwrap();
        let line: usize = TEXT.split_inclusive('\n').take(usize::try_from(pinned).unwrap()).map(str::len).sum();
        let answer = editor.run_action(A, line..line, "Apply with tolerant matching");
        assert!(answer.get("error").is_none(), "{answer}");
        while editor.advance() {}
        assert_eq!(editor.text(A), TEXT.replace("let x = 1;\n    print", "let x = 2;\n    print"));
        wait_for_conflicts(&mut editor, 0);
        editor.finish();
    }
}

#[test]
fn pending_batches_are_listed_and_a_command_takes_a_batch() {
    let mut editor = editor(Character::ChangesFirst);
    let data = refuse(&mut editor, batch(A, &[("    let x = 1;", "    let x = 2;")]), 2);
    let id = editor.execute("agentEdit.conflicts", json!([]));
    let listed = editor.answer(id);
    assert!(listed["result"].to_string().contains(data["batchId"].as_str().unwrap()), "{listed}");
    let id = editor.execute("agentEdit.apply", json!([batch(A, &[("fn one", "fn uno")])]));
    let answer = editor.answer(id);
    assert_eq!(answer["result"]["applied"], true, "{answer}");
    let id = editor.execute("agentEdit.nonsense", json!([]));
    assert!(editor.answer(id)["error"]["code"].is_i64());
    let id = editor.execute("agentEdit.applyHere", json!([{"batchId": "nonsense"}]));
    assert!(editor.answer(id)["error"]["code"].is_i64());
    wait_for_conflicts(&mut editor, 0);
    editor.finish();
}

#[test]
fn a_new_batch_of_the_agent_replaces_its_conflicts_and_nobody_elses() {
    let mut editor = editor(Character::AnswersFirst);
    let by = |agent: &str, mut params: Value| {
        params["agent"] = json!(agent);
        params
    };
    refuse(&mut editor, by("one", batch(A, &[("    let x = 1;", "2")])), 2);
    refuse(&mut editor, by("two", batch(A, &[("    prant(x);", "3")])), 3);
    let id = editor.agent_edit(by("one", batch(A, &[("fn one", "fn uno")])));
    let answer = editor.answer(id);
    assert_eq!(answer["result"]["applied"], true, "{answer}");
    wait_for_conflicts(&mut editor, 1);
    refuse(&mut editor, by("two", batch(A, &[("    let x = 1;", "2")])), 2);
    editor.finish();
}

#[test]
fn conflicts_move_with_the_text() {
    let mut editor = editor(Character::ChangesFirst);
    refuse(&mut editor, batch(A, &[("    let x = 1;", "    let x = 2;")]), 2);
    editor.type_over(A, 0..0, "// typed\n// typed\n");
    editor.wait_until(|it| {
        it.diagnostics(A).iter().map(|it| it["range"]["start"]["line"].clone()).eq([json!(3), json!(8)])
    });
    // One of the two places is gone: the edit fits the other.
    let other = at(&editor, "    let x = 1;\n    show");
    editor.type_over(A, other.start..other.start + 15, "    ");
    editor.wait_until(|it| it.diagnostics(A).len() == 1);
    editor.finish();
}

#[test]
fn conflicts_that_an_editor_drops_as_too_late_are_shown_all_the_same() {
    let mut editor = editor(Character::ChangesFirst);
    let id = editor.agent_edit(batch(A, &[("    let x = 1;", "    let x = 2;")]));
    // Behind all of them, so that they are the same conflicts for the new version.
    let end = TEXT.len();
    editor.type_over(A, end..end, "// typed\n");
    assert_eq!(editor.answer(id)["error"]["data"]["code"], "EDIT_CONFLICT");
    wait_for_conflicts(&mut editor, 2);
    // The same for there being none any more.
    let batch_id = json!({"batchId": "b1"});
    let id = editor.execute("agentEdit.discardAll", json!([batch_id]));
    editor.type_over(A, end..end, "// again\n");
    assert!(editor.answer(id)["error"].is_null());
    wait_for_conflicts(&mut editor, 0);
    editor.finish();
}

#[test]
fn an_action_on_a_text_that_has_moved_on_never_lands_elsewhere() {
    for character in [Character::AnswersFirst, Character::ChangesFirst] {
        let mut editor = editor(character);
        refuse(&mut editor, batch(A, &[("    let x = 1;", "    let x = 2;")]), 2);
        let second = at(&editor, "let x = 1;\n    show");
        let actions = editor.code_actions(A, second);
        let action = actions.iter().find(|it| it["title"].as_str().unwrap().starts_with("Apply edit 1 here")).unwrap();
        // The person types before the action is run, and again before its edit arrives.
        editor.type_over(A, 0..0, "// typed\n");
        let id = editor.execute(action["command"]["command"].as_str().unwrap(), action["command"]["arguments"].clone());
        editor.hold_until(|it| it.unanswered() == 0 || !it.applications().is_empty());
        editor.type_over(A, 0..0, "// again\n");
        let answer = editor.answer(id);
        while editor.advance() {}
        assert_eq!(editor.text(A), format!("// again\n// typed\n{TEXT}"), "{answer}");
        let _ = editor.take_messages();
        editor.finish();
    }
}

#[test]
fn conflicts_outlive_closing() {
    let mut editor = editor(Character::AnswersFirst);
    refuse(&mut editor, batch(A, &[("    let x = 1;", "    let x = 2;")]), 2);
    editor.close(A);
    editor.open(A, TEXT);
    editor.type_before(A, "fn one", "\n");
    editor.wait_until(|it| {
        it.diagnostics(A).iter().map(|it| it["range"]["start"]["line"].clone()).eq([json!(2), json!(7)])
    });
    editor.finish();
}
