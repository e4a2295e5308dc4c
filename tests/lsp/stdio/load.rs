//! Much at once: typing and batches by the thousand, an editor that does not answer, an editor that goes away.

use fake_editor::{Character, Editor, Folder, Random, Setup, batch, document};
use serde_json::json;

const SERVER: &str = env!("CARGO_BIN_EXE_agent-edit");

#[test]
fn ten_thousand_changes_and_five_hundred_batches() {
    let mut random = Random::new(1);
    let mut editor = Editor::start(SERVER, Character::ChangesFirst);
    let uris = ["file:///a.txt", "file:///b.txt"];
    for uri in uris {
        editor.open(uri, &(0..40).map(|it| format!("line {it} of it\n")).collect::<String>());
    }
    let mut ids = vec![];
    for round in 0..500 {
        for _ in 0..20 {
            let uri = *random.pick(&uris);
            let at = random.below(editor.text(uri).len() + 1);
            // As much is taken out as is put in, so that the document stays small.
            editor.type_over(uri, at..(at + 1).min(editor.text(uri).len()), random.pick::<&str>(&["x", "y\n", " "]));
        }
        editor.type_over(uris[0], 0..0, &format!("<{round}>"));
        ids.push(editor.agent_edit(batch(uris[0], &[(&format!("<{round}>"), "")])));
        while editor.receive_one() {}
        editor.advance();
    }
    let mut applied = 0;
    for id in ids {
        let answer = editor.answer(id);
        applied += usize::from(answer["result"]["applied"] == true);
        assert!(answer["result"]["applied"] == true || answer["error"]["data"]["code"].is_string(), "{answer}");
    }
    println!("{applied} of 500 batches met the text they were made for");
    let _ = editor.take_messages();
    editor.finish();
}

#[test]
fn three_thousand_requests_while_the_editor_answers_nothing() {
    const DOCUMENTS: usize = 60;
    const EACH: usize = 50;
    let mut editor = Editor::start(SERVER, Character::AnswersFirst);
    let uris: Vec<_> = (0..DOCUMENTS).map(|it| format!("file:///{it}.txt")).collect();
    for uri in &uris {
        editor.open(uri, "start\nend\n");
    }
    editor.open("file:///typed.txt", "");
    let mut ids = vec![];
    for _ in 0..EACH {
        for uri in &uris {
            ids.push(editor.agent_edit(batch(uri, &[("end", "x\nend")])));
        }
    }
    // The server goes on reading: one edit is asked for of each document, typing arrives, another document is served.
    editor.hold_until(|it| it.applications().len() == DOCUMENTS);
    for _ in 0..500 {
        editor.type_over("file:///typed.txt", 0..0, "y");
    }
    editor.type_over("file:///typed.txt", 0..0, "z");
    let id = editor.agent_edit(json!({
        "mode": "preview", "documents": [document("file:///typed.txt", &[("zy", "z")])],
    }));
    editor.hold_until(|it| it.unanswered() == ids.len());
    let answer = editor.answered(id).expect("only that one was answered");
    assert_eq!(answer["result"]["applied"], false, "{answer}");
    assert_eq!(editor.applications().len(), DOCUMENTS, "no second edit of a document before the first has settled");

    for id in ids {
        let answer = editor.answer(id);
        assert_eq!(answer["result"]["applied"], true, "{answer}");
    }
    while editor.advance() {}
    for uri in &uris {
        assert_eq!(editor.text(uri), format!("start\n{}end\n", "x\n".repeat(EACH)));
    }
    editor.finish();
}

#[test]
fn an_editor_that_dies_mid_batch_leaves_nothing_half_done() {
    for character in Character::ALL {
        for steps in 0..3 {
            let folder = Folder::new(&format!("dies-{character:?}-{steps}"));
            let setup = Setup { folders: vec![folder.uri("")], ..Setup::new(character) };
            let mut editor = Editor::start_with(SERVER, setup);
            folder.write("closed.txt", "on the disk\n");
            folder.write("open.txt", "as saved\n");
            editor.open(&folder.uri("open.txt"), "as typed\n");
            editor.agent_edit(json!({"documents": [
                document(&folder.uri("open.txt"), &[("typed", "edited")]),
                document(&folder.uri("closed.txt"), &[("disk", "desk")]),
            ]}));
            editor.agent_edit(batch(&folder.uri("open.txt"), &[("as", "is")]));
            editor.hold_until(|it| !it.applications().is_empty());
            for _ in 0..steps {
                editor.advance();
            }
            assert_eq!(editor.die(), 1, "no shutdown was asked for");
            assert_eq!(folder.read("closed.txt"), "on the disk\n");
            assert_eq!(folder.read("open.txt"), "as saved\n");
        }
    }
}
