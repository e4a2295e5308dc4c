//! What a batch has changed is saved by the editor, if the agent asks for it and the editor does so.

use fake_editor::{Character, Editor, Folder, Saves, Setup, batch};
use serde_json::{Value, json};

const SERVER: &str = env!("CARGO_BIN_EXE_agent-edit");

fn started(folder: &Folder, character: Character, saves: Option<Saves>) -> Editor {
    let folders = vec![folder.uri("")];
    Editor::start_with(SERVER, Setup { folders, saves, ..Setup::new(character) })
}

#[track_caller]
fn saved(editor: &mut Editor, uri: &str, edit: (&str, &str)) -> Value {
    let mut params = batch(uri, &[edit]);
    params["save"] = true.into();
    let id = editor.agent_edit(params);
    let answer = editor.answer(id);
    assert_eq!(answer["result"]["applied"], true, "{answer}");
    answer["result"]["documents"][0].clone()
}

#[test]
fn it_is_saved_and_that_is_said() {
    for character in [Character::AnswersFirst, Character::ChangesFirst, Character::InPieces] {
        let folder = Folder::new("saved");
        folder.write("a.rs", "one\ntwo\n");
        let mut editor = started(&folder, character, Some(Saves::Well));
        editor.open(&folder.uri("a.rs"), "one\ntwo\nunsaved\n");
        let result = saved(&mut editor, &folder.uri("a.rs"), ("two", "2"));
        assert_eq!((&result["saved"], &result["warnings"]), (&json!(true), &Value::Null), "{result}");
        assert_eq!(folder.read("a.rs"), "one\n2\nunsaved\n");
        editor.finish();
    }
}

#[test]
fn what_saving_makes_of_the_text_is_told() {
    let folder = Folder::new("formatted");
    folder.write("a.rs", "one\ntwo");
    let mut editor = started(&folder, Character::AnswersFirst, Some(Saves::Formatted));
    editor.open(&folder.uri("a.rs"), "one\ntwo");
    let result = saved(&mut editor, &folder.uri("a.rs"), ("two", "2"));
    assert_eq!(result["saved"], true, "{result}");
    assert_eq!(result["warnings"][0]["code"], "changed-on-save", "{result}");
    assert_eq!(folder.read("a.rs"), "one\n2\n");
    editor.finish();
}

#[test]
fn what_was_not_saved_is_applied_all_the_same_and_that_is_told() {
    for saves in [Saves::Never, Saves::Fails] {
        let folder = Folder::new("unsaved");
        folder.write("a.rs", "one\ntwo\n");
        let mut editor = started(&folder, Character::AnswersFirst, Some(saves));
        editor.open(&folder.uri("a.rs"), "one\ntwo\n");
        let result = saved(&mut editor, &folder.uri("a.rs"), ("two", "2"));
        assert_eq!(
            (&result["saved"], &result["warnings"][0]["code"]),
            (&json!(false), &json!("not-saved")),
            "{result}"
        );
        assert_eq!((editor.text(&folder.uri("a.rs")), &*folder.read("a.rs")), ("one\n2\n", "one\ntwo\n"));
        editor.finish();
    }
}

#[test]
fn who_does_not_save_is_not_asked_to() {
    let folder = Folder::new("who");
    let mut editor = started(&folder, Character::AnswersFirst, None);
    editor.open(&folder.uri("a.rs"), "one\n");
    for save in [true, false] {
        let mut params = batch(&folder.uri("a.rs"), &[("one", "1")]);
        params["save"] = save.into();
        let id = editor.agent_edit(params);
        let answer = editor.answer(id);
        assert_eq!(answer["error"]["data"]["code"], "UNSUPPORTED_FEATURE", "{answer}");
    }
    assert_eq!(editor.text(&folder.uri("a.rs")), "one\n");
    editor.finish();
}
