//! Files that the editor changes and does not show: what they hold is not known until they are seen again.

use fake_editor::{Character, Editor, Folder, Reaction, Setup, batch};
use serde_json::{Value, json};

const SERVER: &str = env!("CARGO_BIN_EXE_agent-edit");

fn in_folder(folder: &Folder) -> Editor {
    Editor::start_with(SERVER, Setup { folders: vec![folder.uri("")], ..Setup::new(Character::AnswersFirst) })
}

fn apply(editor: &mut Editor, uri: &str, old: &str, new: &str) -> Value {
    let id = editor.agent_edit(batch(uri, &[(old, new)]));
    editor.answer(id)
}

#[test]
fn an_edit_nobody_saw_is_believed_and_no_other_is_put_on_top_of_it() {
    let folder = Folder::new("out-of-sight");
    folder.write("a.rs", "one\n");
    let uri = folder.uri("a.rs");
    let mut editor = in_folder(&folder);
    editor.react(Reaction::Lie);
    let believed = apply(&mut editor, &uri, "one", "two");
    assert_eq!(believed["result"]["applied"], true, "{believed}");

    let refused = apply(&mut editor, &uri, "one", "three");
    assert_eq!(refused["error"]["data"]["code"], "NOT_APPLIED", "{refused}");
    assert_eq!(refused["error"]["data"]["uri"], json!(uri), "{refused}");

    // Saved, it is seen again.
    folder.write("a.rs", "two\n");
    let applied = apply(&mut editor, &uri, "two", "three");
    assert_eq!(applied["result"]["applied"], true, "{applied}");
    assert_eq!(editor.text(&uri), "three\n");
    editor.finish();
}

#[test]
fn what_a_person_may_have_left_out_is_not_believed() {
    let folder = Folder::new("out-of-sight-reviewed");
    folder.write("a.rs", "one\n");
    let uri = folder.uri("a.rs");
    let mut editor = in_folder(&folder);
    editor.react(Reaction::Lie);
    let mut params = batch(&uri, &[("one", "two")]);
    params["mode"] = json!("review");
    let id = editor.agent_edit(params);
    let answer = editor.answer(id);
    assert_eq!(answer["error"]["data"]["code"], "CONTENT_MODIFIED", "{answer}");
    assert_eq!(answer["error"]["data"]["diverged"], json!([{"uri": uri, "state": "unknown"}]), "{answer}");
    // It may be there all the same.
    let refused = apply(&mut editor, &uri, "one", "three");
    assert_eq!(refused["error"]["data"]["code"], "NOT_APPLIED", "{refused}");
    editor.open(&uri, "one\n");
    let applied = apply(&mut editor, &uri, "one", "three");
    assert_eq!(applied["result"]["applied"], true, "{applied}");
    editor.finish();
}

#[test]
fn opening_the_file_shows_what_became_of_it() {
    let folder = Folder::new("out-of-sight-opened");
    folder.write("a.rs", "one\n");
    let uri = folder.uri("a.rs");
    let mut editor = in_folder(&folder);
    editor.react(Reaction::Lie);
    apply(&mut editor, &uri, "one", "two");
    editor.open(&uri, "two\n");
    let applied = apply(&mut editor, &uri, "two", "three");
    assert_eq!(applied["result"]["applied"], true, "{applied}");
    assert_eq!(editor.text(&uri), "three\n");
    editor.finish();
}
