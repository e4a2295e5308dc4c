//! What a batch has changed is saved by the editor, if the agent asks for it and the editor does so.

use fake_editor::{Character, Editor, Folder, Saves, Setup, batch};
use serde_json::{Value, json};

const SERVER: &str = env!("CARGO_BIN_EXE_agent-edit");

fn started(folder: &Folder, character: Character, saves: Option<Saves>) -> Editor {
    let folders = vec![folder.uri("")];
    let options = json!({"timeouts": {"answer": 500, "settle": 300}});
    Editor::start_with(SERVER, Setup { folders, saves, options, ..Setup::new(character) })
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
    for (saves, why) in [
        (Saves::Never, "the editor said so, and the file does not hold it"),
        (Saves::Fails, "the editor failed: the disk is full"),
        (Saves::Refuses, "the editor did not save it"),
        (Saves::Silent, "the editor did not answer in time"),
    ] {
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
        assert_eq!((&result["warnings"][0]["message"], result["warnings"][0].get("edit")), (&json!(why), None));
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

#[test]
fn a_change_by_saving_that_is_told_late_is_waited_for() {
    for character in Character::ALL {
        let folder = Folder::new(&format!("late-{character:?}"));
        folder.write("a.rs", "one\ntwo");
        let mut editor = started(&folder, character, Some(Saves::Late));
        editor.open(&folder.uri("a.rs"), "one\ntwo");
        let result = saved(&mut editor, &folder.uri("a.rs"), ("two", "2"));
        assert_eq!(result["saved"], true, "{result}");
        assert_eq!(result["warnings"][0]["code"], "changed-on-save", "{result}");
        assert_eq!(folder.read("a.rs"), "one\n2\n");
        editor.finish();
    }
}

#[test]
fn a_file_that_was_created_is_saved() {
    for character in Character::ALL {
        let folder = Folder::new(&format!("created-{character:?}"));
        folder.write("old.rs", "two\n");
        let mut editor = started(&folder, character, Some(Saves::Well));
        let [new, old, moved] = ["sub/n ew.rs", "old.rs", "moved.rs"].map(|it| folder.uri(it).replace(' ', "%20"));
        let create = json!({"create": {"uri": new, "content": "one\n"}});
        let rename = json!({"rename": {"oldUri": old, "newUri": moved}});
        let id = editor.agent_edit(json!({"documents": [create, rename], "save": true}));
        let answer = editor.answer(id);
        let documents = &answer["result"]["documents"];
        assert_eq!((&documents[0]["saved"], documents[1].get("saved")), (&json!(true), None), "{answer}");
        assert_eq!((folder.read("sub/n ew.rs"), folder.read("moved.rs")), ("one\n".to_owned(), "two\n".to_owned()));
        editor.finish();
    }
}

#[test]
fn outside_of_the_workspace_the_editor_has_to_tell_that_it_saved() {
    for (saves, expected) in [(Saves::Well, true), (Saves::Never, false)] {
        let (folder, outside) = (Folder::new("inside"), Folder::new("outside"));
        outside.write("a.rs", "one\n");
        let mut editor = started(&folder, Character::ChangesFirst, Some(saves));
        editor.open(&outside.uri("a.rs"), "one\n");
        let result = saved(&mut editor, &outside.uri("a.rs"), ("one", "1"));
        assert_eq!(result["saved"], expected, "{result}");
        editor.finish();
    }
}
