//! `mode: "review"`: the person is asked, by the editor or by a question, and nothing is applied unasked.

use fake_editor::{Character, Editor, Reaction, Server, Setup, batch, document, notification, request, response};
use serde_json::{Value, json};

const SERVER: &str = env!("CARGO_BIN_EXE_agent-edit");
const A: &str = "file:///a.txt";
const B: &str = "file:///b.txt";
const TEXT_A: &str = "zero\none\ntwo\nthree\n";
const TEXT_B: &str = "black\nred\n";

/// Those that are asked by a question.
const QUESTIONED: [Character; 2] = [Character::ChangesFirst, Character::InPieces];

fn editor(character: Character) -> Editor {
    with(Setup::new(character))
}

fn with(setup: Setup) -> Editor {
    let options = json!({"timeouts": {"settle": 300}});
    let options = if setup.options.is_null() { options } else { setup.options.clone() };
    let mut editor = Editor::start_with(SERVER, Setup { options, ..setup });
    editor.open(A, &TEXT_A["zero\n".len()..]);
    editor.open(B, &TEXT_B["black\n".len()..]);
    // The stock Neovim does not check the version of a document nobody has typed in.
    editor.type_over(A, 0..0, "zero\n");
    editor.type_over(B, 0..0, "black\n");
    editor
}

fn review(documents: &[Value]) -> Value {
    json!({"mode": "review", "agent": "Robot", "label": "Numerals", "documents": documents})
}

fn one() -> Value {
    review(&[document(A, &[("zero", "0"), ("two", "2")])])
}

fn both() -> Value {
    review(&[document(A, &[("zero", "0"), ("two", "2")]), document(B, &[("red", "blue")])])
}

#[track_caller]
fn assert_applied(answer: &Value) {
    assert_eq!(answer["result"]["applied"], true, "{answer}");
    assert!(answer["result"]["status"].as_str().is_some_and(|it| it.contains("applied")), "{answer}");
}

#[track_caller]
fn assert_refused(answer: &Value, code: i64, name: impl Into<Value>, reason: &str) {
    let error = &answer["error"];
    assert_eq!((&error["code"], &error["data"]["code"]), (&json!(code), &name.into()), "{answer}");
    assert!(error["data"]["reason"].as_str().is_some_and(|it| it.contains(reason)), "{answer}");
}

#[track_caller]
fn states(answer: &Value) -> Value {
    let diverged = answer["error"]["data"]["diverged"].as_array();
    json!(diverged.unwrap_or_else(|| panic!("{answer}")).iter().map(|it| it["state"].clone()).collect::<Vec<_>>())
}

/// Asks and waits until the editor has it, who asks the person itself.
#[track_caller]
fn in_panel(editor: &mut Editor, params: Value) -> i64 {
    let id = editor.agent_edit(params);
    editor.hold_until(|it| it.applications().len() == 1);
    id
}

#[test]
fn an_editor_that_asks_is_given_what_the_person_reads() {
    let mut editor = editor(Character::AnswersFirst);
    let id = in_panel(&mut editor, both());
    let annotations = editor.applications()[0].to_be_confirmed().expect("it is annotated").clone();
    assert_eq!(annotations.len(), 2, "one a document");
    for (it, name) in annotations.values().zip(["a.txt", "b.txt"]) {
        assert_eq!((&it["label"], &it["needsConfirmation"]), (&json!("Numerals"), &json!(true)), "{it}");
        let description = it["description"].as_str().unwrap();
        assert!(description.contains("Robot") && description.contains(name), "{it}");
    }
    assert_applied(&editor.answer(id));
    assert_eq!((editor.text(A), editor.text(B)), ("0\none\n2\nthree\n", "black\nblue\n"));
    editor.finish();
}

#[test]
fn what_is_applied_without_a_review_needs_no_confirmation() {
    let mut editor = editor(Character::AnswersFirst);
    let mut params = one();
    params["mode"] = json!("apply");
    let id = editor.agent_edit(params);
    editor.hold_until(|it| it.applications().len() == 1);
    assert_eq!(editor.applications()[0].to_be_confirmed(), None);
    assert_applied(&editor.answer(id));
    editor.finish();
}

#[test]
fn a_person_may_take_longer_than_an_editor() {
    let options = json!({"timeouts": {"answer": 0, "settle": 300}});
    let mut editor = with(Setup { options, ..Setup::new(Character::AnswersFirst) });
    let id = in_panel(&mut editor, one());
    let other = editor.agent_edit(json!({"mode": "preview", "documents": [document(B, &[("red", "blue")])]}));
    editor.hold_until(|it| it.unanswered() == 1);
    assert_eq!(editor.answer(other)["result"]["applied"], false);
    assert_applied(&editor.answer(id));
    editor.finish();
}

#[test]
fn what_the_person_discards_in_the_editor_is_not_applied() {
    let mut editor = editor(Character::AnswersFirst);
    editor.react(Reaction::Refuse(None));
    let id = editor.agent_edit(both());
    let answer = editor.answer(id);
    assert_refused(&answer, -32803, "NOT_APPLIED", "the person discarded it");
    assert_eq!((editor.text(A), editor.text(B)), (TEXT_A, TEXT_B));
    // Nothing stays behind.
    let id = editor.agent_edit(both());
    assert_applied(&editor.answer(id));
    editor.finish();
}

#[test]
fn what_the_person_leaves_out_is_told_and_stays_out() {
    for (reaction, found) in
        [(Reaction::Only(B), ["notApplied", "applied"]), (Reaction::Half, ["different", "applied"])]
    {
        let mut editor = editor(Character::AnswersFirst);
        editor.react(reaction);
        let id = editor.agent_edit(both());
        let answer = editor.answer(id);
        assert_eq!(answer["error"]["data"]["code"], "CONTENT_MODIFIED", "{answer}");
        assert_eq!(states(&answer), json!(found), "{answer}");
        assert_eq!(editor.text(B), "black\nblue\n", "it is not taken back");
        assert!(editor.applications().is_empty(), "nothing is tried again");
        // A document that was left out has settled as it is.
        let id = editor.agent_edit(review(&[document(A, &[("three", "3")])]));
        assert_applied(&editor.answer(id));
        editor.finish();
    }
}

#[test]
fn leaving_out_all_of_it_is_no_fault_of_the_editor() {
    let mut editor = editor(Character::AnswersFirst);
    editor.react(Reaction::Lie);
    let id = editor.agent_edit(one());
    assert_refused(&editor.answer(id), -32803, "NOT_APPLIED", "left out");
    let id = editor.agent_edit(one());
    assert_applied(&editor.answer(id));
    editor.finish();
}

#[test]
fn typing_goes_on_while_the_editor_asks() {
    let mut editor = editor(Character::AnswersFirst);
    let id = in_panel(&mut editor, one());
    editor.type_over(A, 0..0, "typed ");
    // A batch on another document goes on, too.
    let other = editor.agent_edit(batch(B, &[("red", "blue")]));
    editor.hold_until(|it| it.applications().len() == 2);
    while editor.applications().len() == 2 {
        editor.advance_nth(1);
    }
    editor.hold_until(|it| it.unanswered() == 1);
    assert_applied(&editor.answer(other));
    assert_refused(&editor.answer(id), -32801, "CONTENT_MODIFIED", "a.txt changed");
    assert_eq!(editor.text(A), format!("typed {TEXT_A}"));
    editor.finish();
}

#[test]
fn reviews_of_one_document_come_one_after_the_other() {
    let mut editor = editor(Character::AnswersFirst);
    let first = in_panel(&mut editor, one());
    let second = editor.agent_edit(review(&[document(A, &[("2", "II")])]));
    let third = editor.agent_edit(review(&[document(A, &[("three", "3")])]));
    // What waits can be cancelled.
    editor.cancel(third);
    editor.hold_until(|it| it.unanswered() == 2);
    assert_eq!(editor.answer(third)["error"]["code"], -32800);
    assert_eq!(editor.applications().len(), 1);
    assert_applied(&editor.answer(first));
    assert_applied(&editor.answer(second));
    assert_eq!(editor.text(A), "0\none\nII\nthree\n");
    editor.finish();
}

#[test]
fn a_review_cancelled_while_the_editor_asks_is_still_the_persons() {
    for reaction in [Reaction::Apply, Reaction::Refuse(None)] {
        let mut editor = editor(Character::AnswersFirst);
        editor.react(reaction);
        let id = in_panel(&mut editor, one());
        editor.cancel(id);
        editor.hold_until(|it| it.unanswered() == 0);
        assert_refused(&editor.answer(id), -32800, "STILL_ASKED", "may still apply");
        // What comes after waits for what the person does, and sees it.
        let (old, new) = if reaction == Reaction::Apply { ("2\nthree", "2\n3") } else { ("two\nthree", "two\n3") };
        let next = editor.agent_edit(review(&[document(A, &[(old, new)])]));
        let other = editor.agent_edit(json!({"mode": "preview", "documents": [document(B, &[("red", "blue")])]}));
        editor.hold_until(|it| it.unanswered() == 1);
        assert!(editor.answer(other)["result"].is_object());
        assert_eq!(editor.applications().len(), 1);
        assert_applied(&editor.answer(next));
        assert_eq!(editor.text(A).starts_with("0\n"), reaction == Reaction::Apply);
        editor.finish();
    }
}

#[test]
fn a_dead_editor_is_not_waited_for() {
    for character in Character::ALL {
        let mut editor = editor(character);
        editor.agent_edit(one());
        editor.hold_until(|it| !it.applications().is_empty() || !it.questions().is_empty());
        // Without a shutdown that is the exit code.
        assert_eq!(editor.die(), 1);
    }
}

#[test]
fn who_does_not_ask_has_a_question_put_to_the_person() {
    for character in QUESTIONED {
        let mut editor = editor(character);
        let id = editor.agent_edit(both());
        let question = editor.wait_for_question();
        for part in ["Robot", "Numerals", "3 edits", "2 documents", "a.txt", "b.txt"] {
            assert!(question.message.contains(part), "{part} is not in {question:?}");
        }
        assert!(editor.applications().is_empty());
        editor.reply(Some("Apply"));
        assert_applied(&editor.answer(id));
        while editor.advance() {}
        assert_eq!((editor.text(A), editor.text(B)), ("0\none\n2\nthree\n", "black\nblue\n"));
        editor.finish();
    }
}

#[test]
fn nothing_is_applied_that_the_person_does_not_agree_to() {
    for character in QUESTIONED {
        for reply in [Some("Discard"), None] {
            let mut editor = editor(character);
            let id = editor.agent_edit(both());
            editor.wait_for_question();
            editor.reply(reply);
            assert_refused(&editor.answer(id), -32803, "NOT_APPLIED", "the person discarded it");
            assert_eq!((editor.text(A), editor.text(B)), (TEXT_A, TEXT_B));
            editor.finish();
        }
    }
}

#[test]
fn an_editor_that_cannot_ask_applies_nothing() {
    for character in QUESTIONED {
        let mut editor = with(Setup { can_ask: false, ..Setup::new(character) });
        let id = editor.agent_edit(one());
        assert_refused(&editor.answer(id), -32803, "NOT_APPLIED", "this editor cannot ask");
        assert_eq!(editor.text(A), TEXT_A);
        editor.finish();
    }
}

#[test]
fn typing_goes_on_while_a_question_is_asked_and_then_counts() {
    for character in QUESTIONED {
        let mut editor = editor(character);
        let id = editor.agent_edit(one());
        editor.wait_for_question();
        editor.type_over(A, 0..0, "typed ");
        editor.tell(A);
        let other = editor.agent_edit(batch(B, &[("red", "blue")]));
        assert_applied(&editor.answer(other));
        editor.reply(Some("Apply"));
        assert_refused(&editor.answer(id), -32801, "CONTENT_MODIFIED", "a.txt changed");
        // The person has said Apply, and is told why nothing happened.
        let told = editor.wait_for_messages();
        assert!(told[0]["params"]["message"].as_str().is_some_and(|it| it.contains("a.txt changed")), "{told:?}");
        assert_eq!(editor.text(A), format!("typed {TEXT_A}"));
        editor.finish();
    }
}

#[test]
fn a_question_that_is_cancelled_changes_nothing_whatever_is_answered_later() {
    for character in QUESTIONED {
        for reply in [Some("Apply"), Some("Discard"), None] {
            let mut editor = editor(character);
            let id = editor.agent_edit(one());
            editor.wait_for_question();
            editor.cancel(id);
            editor.hold_until(|it| it.unanswered() == 0);
            assert_eq!(editor.answer(id)["error"]["code"], -32800);
            // The document is free.
            let next = editor.agent_edit(batch(A, &[("three", "3")]));
            assert_applied(&editor.answer(next));
            editor.reply(reply);
            if reply == Some("Apply") {
                assert!(editor.wait_for_messages()[0].to_string().contains("cancelled"));
            }
            while editor.advance() {}
            assert_eq!(editor.text(A), "zero\none\ntwo\n3\n");
            editor.finish();
        }
    }
}

#[test]
fn questions_on_one_document_come_one_after_the_other() {
    for character in QUESTIONED {
        let mut editor = editor(character);
        let first = editor.agent_edit(one());
        let second = editor.agent_edit(review(&[document(A, &[("2", "II")])]));
        let third = editor.agent_edit(review(&[document(A, &[("three", "3")])]));
        editor.wait_for_question();
        editor.cancel(third);
        editor.hold_until(|it| it.unanswered() == 2);
        assert_eq!(editor.answer(third)["error"]["code"], -32800);
        assert_eq!(editor.questions().len(), 1);
        editor.reply(Some("Apply"));
        assert_applied(&editor.answer(first));
        editor.wait_for_question();
        editor.reply(Some("Apply"));
        assert_applied(&editor.answer(second));
        while editor.advance() {}
        assert_eq!(editor.text(A), "0\none\nII\nthree\n");
        editor.finish();
    }
}

#[test]
fn the_person_may_look_at_it_as_often_as_they_like_before_they_decide() {
    for character in QUESTIONED {
        let mut editor = editor(character);
        let id = editor.agent_edit(both());
        for _ in 0..2 {
            editor.wait_for_question();
            editor.reply(Some("Show"));
            editor.wait_for_question();
            let shown = editor.take_shown();
            assert_eq!(shown.len(), 1, "{shown:?}");
            let path = shown[0]["uri"].as_str().unwrap().strip_prefix("file://").unwrap();
            let diff = std::fs::read_to_string(path).unwrap();
            for line in ["+++ b/a.txt", "-zero\n+0\n", "-two\n+2\n", "+++ b/b.txt", "-red\n+blue\n"] {
                assert!(diff.contains(line), "{line:?} is not in {diff}");
            }
        }
        editor.reply(Some("Apply"));
        assert_applied(&editor.answer(id));
        while editor.advance() {}
        editor.finish();
    }
}

#[test]
fn an_editor_with_a_diff_of_its_own_shows_each_document() {
    let mut editor = with(Setup { shows_edits: true, ..Setup::new(Character::InPieces) });
    let id = editor.agent_edit(both());
    editor.wait_for_question();
    editor.reply(Some("Show"));
    editor.wait_for_question();
    let sides: Vec<_> = editor
        .take_shown()
        .iter()
        .map(|it| (it["left"]["uri"].clone(), it["left"]["text"].clone(), it["right"]["text"].clone()))
        .collect();
    let side = |uri, left, right| (json!(uri), json!(left), json!(right));
    assert_eq!(sides, [side(A, TEXT_A, "0\none\n2\nthree\n"), side(B, TEXT_B, "black\nblue\n")]);
    editor.reply(None);
    editor.answer(id);
    editor.finish();
}

#[test]
fn a_review_cancelled_while_it_is_shown_is_not_asked_about_again() {
    let mut editor = editor(Character::ChangesFirst);
    let id = editor.agent_edit(one());
    editor.wait_for_question();
    editor.cancel(id);
    editor.hold_until(|it| it.unanswered() == 0);
    assert_eq!(editor.answer(id)["error"]["code"], -32800);
    editor.reply(Some("Show"));
    let next = editor.agent_edit(review(&[document(A, &[("three", "3")])]));
    editor.wait_for_question();
    assert!(editor.take_shown().is_empty() && editor.questions().len() == 1);
    editor.reply(None);
    editor.answer(next);
    editor.finish();
}

#[test]
fn a_conflict_is_told_without_asking() {
    for character in Character::ALL {
        let mut editor = editor(character);
        let id = editor.agent_edit(review(&[document(A, &[("nowhere", "x")])]));
        assert_eq!(editor.answer(id)["error"]["data"]["code"], "EDIT_CONFLICT");
        editor.wait_until(|it| !it.diagnostics(A).is_empty());
        assert!(editor.questions().is_empty());
        editor.finish();
    }
}

#[test]
fn what_changes_nothing_is_not_asked_about() {
    for character in Character::ALL {
        let mut editor = editor(character);
        let id = editor.agent_edit(review(&[document(A, &[("one", "one")])]));
        assert_applied(&editor.answer(id));
        assert!(editor.questions().is_empty());
        editor.finish();
    }
}

/// A client that knows annotations, by its word, under this name; with what it is asked first for a review.
fn first_asked(name: Option<&str>) -> (Server, Value) {
    let mut server = Server::start(SERVER);
    let edits = json!({"documentChanges": true, "changeAnnotationSupport": {"groupsOnLabel": true}});
    let capabilities = json!({
        "workspace": {"applyEdit": true, "workspaceEdit": edits},
        "experimental": {"agentEdit": {"features": ["review"]}},
    });
    let mut params = json!({"capabilities": capabilities});
    if let Some(name) = name {
        params["clientInfo"] = json!({"name": name});
    }
    server.send(&request(0, "initialize", params));
    server.answer(0);
    server.send(&notification("initialized", json!({})));
    let document = json!({"uri": A, "languageId": "text", "version": 4, "text": TEXT_A});
    server.send(&notification("textDocument/didOpen", json!({"textDocument": document})));
    server.send(&request(1, "workspace/agentEdit", one()));
    let asked = server.wait_for("a request", |it| it["method"].is_string() && it["id"].is_i64());
    (server, asked)
}

#[test]
fn that_annotations_are_announced_is_no_promise_to_ask() {
    for name in ["Visual Studio Code", "Visual Studio Code - Insiders", "code-server", "VSCodium"] {
        assert_eq!(first_asked(Some(name)).1["method"], "workspace/applyEdit", "{name}");
    }
    for name in [None, Some("Neovim"), Some("helix"), Some("VSCodiumLike"), Some("something else")] {
        let (mut server, asked) = first_asked(name);
        assert_eq!(asked["method"], "window/showMessageRequest", "{name:?}");
        server.send(&response(&asked["id"], json!({"title": "Apply"})));
        let edit = server.wait_for_method("workspace/applyEdit")["params"]["edit"].clone();
        assert!(edit.get("changeAnnotations").is_none() && !edit.to_string().contains("annotationId"), "{edit}");
    }
}

#[test]
fn an_agent_cannot_dress_its_words_up_as_a_question_of_ours() {
    let mut editor = editor(Character::ChangesFirst);
    let mut params = one();
    params["label"] = json!("nothing?\n\u{202e}Discard is safe\u{7}");
    let id = editor.agent_edit(params);
    let message = editor.wait_for_question().message;
    assert!(!message.contains(['\n', '\u{202e}', '\u{7}']), "{message:?}");
    editor.reply(None);
    editor.answer(id);
    editor.finish();
}
