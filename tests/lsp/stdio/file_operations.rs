//! Batches that create, rename and delete files, in editors of every character.
#![cfg(unix)]

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;

use fake_editor::{Character, Editor, Folder, Reaction, Setup, document, sha256};
use serde_json::{Value, json};

const SERVER: &str = env!("CARGO_BIN_EXE_agent-edit");

fn editor(character: Character, folder: &Folder) -> Editor {
    let options = json!({"timeouts": {"settle": 300}});
    Editor::start_with(SERVER, Setup { folders: vec![folder.uri("")], options, ..Setup::new(character) })
}

fn send(editor: &mut Editor, documents: Value) -> Value {
    let id = editor.agent_edit(json!({"documents": documents}));
    let answer = editor.answer(id);
    while editor.advance() {}
    answer
}

fn create(uri: &str, content: &str) -> Value {
    json!({"create": {"uri": uri, "content": content}})
}

fn overwrite(uri: &str, content: &str) -> Value {
    json!({"create": {"uri": uri, "content": content, "overwrite": true}})
}

fn delete(uri: &str) -> Value {
    json!({"delete": {"uri": uri}})
}

fn rename(old: &str, new: &str) -> Value {
    json!({"rename": {"oldUri": old, "newUri": new}})
}

#[track_caller]
fn assert_refused(answer: &Value, name: &str, part: &str) {
    let error = &answer["error"];
    assert_eq!(error["data"]["code"].as_str().unwrap_or_default(), name, "{answer}");
    assert!(error["message"].as_str().unwrap_or_default().contains(part), "{part:?} is not said: {answer}");
}

#[test]
fn text_edits_and_file_operations_are_one_batch() {
    for character in Character::ALL {
        let folder = Folder::new(&format!("one-batch-{character:?}"));
        folder.write("a.rs", "mod old;\n");
        folder.write("old.rs", "fn f() {}\n");
        folder.write("gone.rs", "fn g() {}\n");
        let mut editor = editor(character, &folder);
        let [a, old, gone, new, made] = ["a.rs", "old.rs", "gone.rs", "sub/new.rs", "made.rs"].map(|it| folder.uri(it));
        editor.open(&a, "mod old;\n");
        editor.open(&gone, "fn g() {}\n");
        let content = "\u{feff}fn h() {}\r\n";
        let batch = json!([delete(&gone), document(&a, &[("old", "new")]), rename(&old, &new), create(&made, content)]);
        let answer = send(&mut editor, batch);
        let result = &answer["result"];
        assert_eq!(result["applied"], true, "{character:?}: {answer}");
        let status = "1 edit applied (1 find/replace) in a.rs; 1 file created, 1 file renamed, 1 file deleted";
        assert_eq!(result["status"], status);
        assert_eq!(editor.text(&a), "mod new;\n");
        assert_eq!(editor.text(&made), content);
        assert_eq!(folder.read("made.rs"), "", "saving is the person's");
        assert_eq!(folder.read("sub/new.rs"), "fn f() {}\n");
        assert!(!folder.path().join("old.rs").exists() && !folder.path().join("gone.rs").exists());
        assert_eq!(
            result["documents"],
            json!([
                {
                    "textDocument": {"uri": gone, "version": null},
                    "baseSha256": sha256("fn g() {}\n"), "appliedEdits": [{"kind": "delete"}],
                },
                {
                    "textDocument": {"uri": a, "version": result["documents"][1]["textDocument"]["version"]},
                    "baseSha256": sha256("mod old;\n"), "sha256": sha256("mod new;\n"),
                    "appliedEdits": [{
                        "kind": "find/replace", "lineNumber": 0, "findLength": 3, "replacedLength": 3,
                        "contentLength": 3,
                    }],
                },
                {
                    "textDocument": {"uri": new, "version": null},
                    "baseSha256": sha256("fn f() {}\n"), "sha256": sha256("fn f() {}\n"),
                    "appliedEdits": [{"kind": "rename", "oldUri": old}],
                },
                {
                    "textDocument": {"uri": made, "version": null},
                    "sha256": sha256(content), "appliedEdits": [{"kind": "create", "contentLength": 12}],
                },
            ])
        );
        editor.finish();
    }
}

#[test]
fn an_open_document_is_renamed_with_its_file() {
    for character in Character::ALL {
        let folder = Folder::new(&format!("renamed-{character:?}"));
        folder.write("a.rs", "one");
        let mut editor = editor(character, &folder);
        let (old, new) = (folder.uri("a.rs"), folder.uri("b.rs"));
        editor.open(&old, "one");
        let answer = send(&mut editor, json!([rename(&old, &new)]));
        assert_eq!(answer["result"]["status"], "1 file renamed", "{character:?}: {answer}");
        assert_eq!((editor.uris(), editor.text(&new).trim_end()), (vec![new.clone()], "one"));
        let answer = send(&mut editor, json!([document(&new, &[("one", "two")])]));
        assert_eq!(answer["result"]["applied"], true, "{answer}");
        editor.finish();
    }
}

#[test]
fn what_is_not_possible_is_refused_before_anything_happens() {
    let (folder, outside) = (Folder::new("refused"), Folder::new("refused-outside"));
    for (name, text) in [("a.rs", "one\n"), ("b.rs", "two\n"), ("dirty.rs", "three\n"), ("locked.rs", "four\n")] {
        folder.write(name, text);
    }
    outside.write("secret", "secret\n");
    for it in [".git/hooks", "dir", "sealed"] {
        fs::create_dir_all(folder.path().join(it)).unwrap();
    }
    folder.write(".git/config", "[core]\n");
    folder.write("sealed/f.rs", "");
    fs::set_permissions(folder.path().join("locked.rs"), Permissions::from_mode(0o444)).unwrap();
    fs::set_permissions(folder.path().join("sealed"), Permissions::from_mode(0o555)).unwrap();
    symlink(outside.path(), folder.path().join("way-out")).unwrap();
    symlink(outside.path().join("none"), folder.path().join("dangling")).unwrap();
    symlink("b.rs", folder.path().join("link.rs")).unwrap();
    assert!(Command::new("mkfifo").arg(folder.path().join("pipe")).status().unwrap().success());
    let around = folder.uri(&format!("../{}/new", outside.path().file_name().unwrap().to_str().unwrap()));
    let uri = |name: &str| folder.uri(name);

    for character in Character::ALL {
        let mut editor = editor(character, &folder);
        editor.open(&uri("a.rs"), "one\n");
        editor.open(&uri("dirty.rs"), "three\nand unsaved\n");
        editor.open(&uri("unsaved.rs"), "never saved\n");
        for (entry, name, part) in [
            (create(&uri("b.rs"), "x"), "EXISTS", "there is such a file"),
            (create(&uri("unsaved.rs"), "x"), "EXISTS", "never saved"),
            (create(&uri("dir"), "x"), "EXISTS", "a folder"),
            (create(&uri("pipe"), "x"), "EXISTS", "special file"),
            (create(&uri("dangling"), "x"), "EXISTS", "a link"),
            (create(&uri("dangling/x"), "x"), "OUTSIDE_WORKSPACE", "leads nowhere"),
            (create(&uri("way-out/x"), "x"), "OUTSIDE_WORKSPACE", "way-out"),
            (create(&uri("way-out/deep/x"), "x"), "OUTSIDE_WORKSPACE", "links"),
            (create(&around, "x"), "OUTSIDE_WORKSPACE", "links"),
            (create(&uri("%2e%2e/x"), "x"), "OUTSIDE_WORKSPACE", "links"),
            (create(&uri(".git/hooks/post-commit"), "x"), "OUTSIDE_WORKSPACE", "Git's own"),
            (create(&uri("%2Egit/hooks/post-commit"), "x"), "OUTSIDE_WORKSPACE", "Git's own"),
            (create(&uri("sealed/x"), "x"), "READ_ONLY", "folder"),
            (create(&uri("b.rs/x"), "x"), "NOT_A_FILE", "folder"),
            (create("untitled:x", "x"), "NOT_FOUND", "does not name a file"),
            (overwrite(&uri("dir"), "x"), "NOT_A_FILE", "regular"),
            (overwrite(&uri("pipe"), "x"), "NOT_A_FILE", "regular"),
            (overwrite(&uri("way-out/secret"), "x"), "OUTSIDE_WORKSPACE", "links"),
            (delete(&uri("none.rs")), "NOT_FOUND", "no such file"),
            (delete(&uri("dir")), "NOT_A_FILE", "regular"),
            (delete(&uri("pipe")), "NOT_A_FILE", "regular"),
            (delete(&uri("link.rs")), "NOT_A_FILE", "link"),
            (delete(&uri("way-out/secret")), "OUTSIDE_WORKSPACE", "links"),
            (delete(&uri(".git/config")), "OUTSIDE_WORKSPACE", "Git's own"),
            (delete(&uri("locked.rs")), "READ_ONLY", "read-only"),
            (delete(&uri("sealed/f.rs")), "READ_ONLY", "folder"),
            (delete(&uri("dirty.rs")), "NOT_APPLIED", "unsaved changes"),
            (delete(&uri("d%69rty.rs")), "NOT_APPLIED", "unsaved changes"),
            (delete(&uri("unsaved.rs")), "NOT_APPLIED", "never saved"),
            (rename(&uri("none.rs"), &uri("x")), "NOT_FOUND", "no such file"),
            (rename(&uri("b.rs"), &uri("locked.rs")), "EXISTS", "there is such a file"),
            (rename(&uri("b.rs"), &uri("unsaved.rs")), "EXISTS", "never saved"),
            (rename(&uri("b.rs"), &uri("way-out/x")), "OUTSIDE_WORKSPACE", "links"),
            (rename(&uri("b.rs"), &uri(".git/x")), "OUTSIDE_WORKSPACE", "Git's own"),
            (rename(&uri("dirty.rs"), &uri("x")), "NOT_APPLIED", "unsaved changes"),
            (rename(&uri("dir"), &uri("x")), "NOT_A_FILE", "regular"),
        ] {
            // What else the batch asks for is all right, and not done.
            let batch = json!([document(&uri("a.rs"), &[("one", "1")]), create(&uri("fine.rs"), "fine"), entry]);
            let answer = send(&mut editor, batch);
            assert_refused(&answer, name, part);
            assert!(editor.applications().is_empty() && !folder.path().join("fine.rs").exists(), "{answer}");
            assert_eq!(editor.text(&uri("a.rs")), "one\n");
        }
        editor.finish();
    }
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
    fs::set_permissions(folder.path().join("sealed"), Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_file_has_one_entry_by_whatever_name() {
    let folder = Folder::new("one-entry");
    folder.write("a.rs", "one\n");
    fs::create_dir(folder.path().join("sub")).unwrap();
    symlink("sub", folder.path().join("alias")).unwrap();
    symlink("a.rs", folder.path().join("link.rs")).unwrap();
    let mut editor = editor(Character::AnswersFirst, &folder);
    let uri = |name: &str| folder.uri(name);
    let edit = |name: &str| document(&uri(name), &[("one", "1")]);
    for entries in [
        json!([edit("a.rs"), delete(&uri("a.rs"))]),
        json!([edit("link.rs"), delete(&uri("a.rs"))]),
        json!([edit("link.rs"), rename(&uri("%61.rs"), &uri("b.rs"))]),
        json!([overwrite(&uri("link.rs"), "x"), delete(&uri("a.rs"))]),
        json!([rename(&uri("a.rs"), &uri("b.rs")), create(&uri("a.rs"), "x")]),
        json!([create(&uri("sub/x"), "x"), create(&uri("alias/x"), "y")]),
        json!([create(&uri("x"), "x"), create(&uri("x/y"), "y")]),
    ] {
        let answer = send(&mut editor, entries.clone());
        let message = answer["error"]["message"].as_str().unwrap_or_default();
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        assert!(message.contains("documents[0]") && message.contains("documents[1]"), "{entries}: {answer}");
    }
    assert_eq!(folder.read("a.rs"), "one\n");
    editor.finish();
}

#[test]
fn a_file_that_is_open_under_another_name_is_refused_by_that() {
    let folder = Folder::new("other-name");
    folder.write("a.rs", "one\n");
    symlink("a.rs", folder.path().join("link.rs")).unwrap();
    let mut editor = editor(Character::AnswersFirst, &folder);
    editor.open(&folder.uri("link.rs"), "one\nunsaved\n");
    let answer = send(&mut editor, json!([delete(&folder.uri("a.rs"))]));
    assert_refused(&answer, "NOT_APPLIED", "link.rs, which is open");
    assert_eq!(folder.read("a.rs"), "one\n");
    editor.finish();
}

#[test]
fn an_existing_file_gets_its_new_content_as_an_edit_that_can_be_undone() {
    for character in Character::ALL {
        let folder = Folder::new(&format!("overwrite-{character:?}"));
        folder.write("closed.rs", "\u{feff}one\r\ntwo\r\n");
        let mut editor = editor(character, &folder);
        let (open, closed, new) = (folder.uri("open.rs"), folder.uri("closed.rs"), folder.uri("new.rs"));
        editor.open(&open, "unsaved\nkept\n");
        let batch =
            json!([overwrite(&open, "typed\nkept\n"), overwrite(&closed, "one\n2\n"), overwrite(&new, "new\n")]);
        let answer = send(&mut editor, batch);
        assert_eq!(answer["result"]["status"], "1 file created, 2 files overwritten", "{answer}");
        let applied = json!([{"kind": "create", "contentLength": 11, "overwritten": true}]);
        assert_eq!(answer["result"]["documents"][0]["appliedEdits"], applied, "{answer}");
        assert_eq!(editor.text(&open), "typed\nkept\n");
        assert_eq!(editor.text(&closed), "one\r\n2\r\n", "its own line endings, and the mark beside them");
        assert_eq!(folder.read("closed.rs"), "\u{feff}one\r\ntwo\r\n", "saving is the person's");
        assert_eq!(editor.text(&new), "new\n");
        editor.finish();
    }
}

#[test]
fn a_new_content_that_leaves_code_out_is_a_conflict_and_nothing_is_done() {
    let folder = Folder::new("placeholder");
    folder.write("a.rs", "fn a() {}\nfn b() {}\n");
    let mut editor = editor(Character::AnswersFirst, &folder);
    let (a, new) = (folder.uri("a.rs"), folder.uri("new.rs"));
    let batch = json!([create(&new, "x"), overwrite(&a, "fn a() {}\n// ... existing code ...\n")]);
    let answer = send(&mut editor, batch);
    assert_refused(&answer, "EDIT_CONFLICT", "Its file operation (1 create) was not done and is not kept.");
    assert_eq!(answer["error"]["data"]["failures"][0]["document"], 1, "{answer}");
    assert_eq!(answer["error"]["data"]["operationsNotDone"], json!([0]), "{answer}");
    assert!(!folder.path().join("new.rs").exists());
    editor.finish();
}

#[test]
fn of_a_refused_batch_the_edits_that_match_can_be_applied_and_its_operations_are_gone() {
    let folder = Folder::new("pending");
    folder.write("gone.rs", "x\n");
    let mut editor = editor(Character::AnswersFirst, &folder);
    let a = folder.uri("a.rs");
    editor.open(&a, "one\ntwo\n");
    let batch = json!([delete(&folder.uri("gone.rs")), document(&a, &[("one", "1"), ("three", "3")])]);
    let answer = send(&mut editor, batch);
    assert_refused(&answer, "EDIT_CONFLICT", "Its file operation (1 delete) was not done");
    editor.wait_until(|it| !it.diagnostics(&a).is_empty());
    let answer = editor.run_action(&a, 0..1, "Apply the 1 edit that match");
    assert_eq!(answer["result"]["applied"], true, "{answer}");
    let status = answer["result"]["status"].as_str().unwrap();
    assert!(status.contains("Its file operation (1 delete) was not done"), "{answer}");
    while editor.advance() {}
    assert_eq!(editor.text(&a), "1\ntwo\n");
    assert_eq!(folder.read("gone.rs"), "x\n");
    editor.finish();
}

#[test]
fn a_preview_shows_what_becomes_of_files_and_does_nothing() {
    let folder = Folder::new("preview");
    folder.write("gone.rs", "x\n");
    folder.write("old.rs", "y\n");
    fs::write(folder.path().join("binary"), [0xFF, 0]).unwrap();
    let mut editor = editor(Character::AnswersFirst, &folder);
    let uri = |name: &str| folder.uri(name);
    let entries = json!([
        create(&uri("new.rs"), "a\nb\n"),
        delete(&uri("gone.rs")),
        delete(&uri("binary")),
        rename(&uri("old.rs"), &uri("sub/new.rs")),
    ]);
    let id = editor.agent_edit(json!({"documents": entries, "mode": "preview"}));
    let answer = editor.answer(id);
    let result = &answer["result"];
    assert_eq!(result["applied"], false, "{answer}");
    let status = "1 file would be created, 1 file would be renamed, 2 files would be deleted";
    assert_eq!(result["status"], status, "{answer}");
    let diffs: Vec<_> = (0..4).map(|it| result["documents"][it]["diff"].as_str().unwrap()).collect();
    assert_eq!(
        diffs,
        [
            "diff --git a/new.rs b/new.rs\nnew file mode 100644\n--- /dev/null\n+++ b/new.rs\n@@ -0,0 +1,2 @@\n+a\n+b\n",
            "diff --git a/gone.rs b/gone.rs\ndeleted file mode 100644\n--- a/gone.rs\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n",
            "diff --git a/binary b/binary\ndeleted file\nBinary files a/binary and /dev/null differ\n",
            "diff --git a/old.rs b/sub/new.rs\nsimilarity index 100%\nrename from old.rs\nrename to sub/new.rs\n",
        ]
    );
    assert!(folder.path().join("gone.rs").exists() && !folder.path().join("new.rs").exists());
    editor.finish();
}

#[test]
fn a_fence_holds_for_a_file_that_is_to_go() {
    let folder = Folder::new("fence");
    folder.write("a.rs", "one\n");
    let mut editor = editor(Character::ChangesFirst, &folder);
    let (a, b) = (folder.uri("a.rs"), folder.uri("b.rs"));
    let fenced = |sha256: &str| json!([{"delete": {"uri": a, "expectedBaseSha256": sha256}}]);
    assert_refused(&send(&mut editor, fenced(&sha256("two\n"))), "STALE_BASE", "a.rs");
    let moved = json!([{"rename": {"oldUri": a, "newUri": b, "expectedBaseSha256": sha256("two\n")}}]);
    assert_refused(&send(&mut editor, moved), "STALE_BASE", "a.rs");
    let answer = send(&mut editor, fenced(&sha256("one\n")));
    assert_eq!(answer["result"]["applied"], true, "{answer}");
    editor.finish();
}

#[test]
fn an_editor_that_stops_in_the_middle_is_made_to_take_back_what_it_can() {
    for character in Character::ALL {
        let folder = Folder::new(&format!("stops-{character:?}"));
        folder.write("a.rs", "one\n");
        folder.write("old.rs", "two\n");
        folder.write("gone.rs", "three\n");
        let mut editor = editor(character, &folder);
        let uri = |name: &str| folder.uri(name);
        editor.open(&uri("a.rs"), "one\n");
        let batch = json!([
            document(&uri("a.rs"), &[("one", "1")]),
            create(&uri("new.rs"), "new\n"),
            rename(&uri("old.rs"), &uri("moved.rs")),
            delete(&uri("gone.rs")),
        ]);
        // Neovim is asked for its documents one by one, and for the files then.
        if character == Character::InPieces {
            editor.react(Reaction::Apply);
        }
        editor.react(Reaction::StopAfter(2));
        let answer = send(&mut editor, batch);
        assert_refused(&answer, "NOT_APPLIED", "the editor stops; what it had applied was taken back");
        assert_eq!(editor.text(&uri("a.rs")), "one\n", "{character:?}");
        assert_eq!((folder.read("old.rs"), folder.read("gone.rs")), ("two\n".to_owned(), "three\n".to_owned()));
        assert!(!folder.path().join("new.rs").exists() && !folder.path().join("moved.rs").exists());
        editor.finish();
    }
}

#[test]
fn what_cannot_be_taken_back_is_told_file_by_file() {
    for character in Character::ALL {
        let folder = Folder::new(&format!("half-{character:?}"));
        for name in ["a.rs", "one.rs", "two.rs"] {
            folder.write(name, "one\n");
        }
        let mut editor = editor(character, &folder);
        let uri = |name: &str| folder.uri(name);
        editor.open(&uri("a.rs"), "one\n");
        if character == Character::InPieces {
            editor.react(Reaction::Apply);
        }
        editor.react(Reaction::StopAfter(1));
        let edit = document(&uri("a.rs"), &[("one", "1")]);
        let answer = send(&mut editor, json!([edit, delete(&uri("one.rs")), delete(&uri("two.rs"))]));
        assert_refused(&answer, "CONTENT_MODIFIED", "one.rs was deleted.");
        let state = |name: &str, state: &str| json!({"uri": uri(name), "operation": "delete", "state": state});
        let diverged = json!([
            {"uri": uri("a.rs"), "state": "applied"}, state("one.rs", "applied"), state("two.rs", "notApplied"),
        ]);
        assert_eq!(answer["error"]["data"]["diverged"], diverged, "{answer}");
        assert_eq!(editor.text(&uri("a.rs")), "1\n", "the rest belongs to what is gone");
        editor.finish();
    }
}

#[test]
fn a_stale_text_stops_what_is_to_be_done_with_files() {
    for character in Character::ALL {
        let folder = Folder::new(&format!("stale-{character:?}"));
        folder.write("gone.rs", "one\n");
        let mut editor = editor(character, &folder);
        let a = folder.uri("a.rs");
        editor.open(&a, "one\n");
        editor.type_over(&a, 0..0, "zero\n");
        let id =
            editor.agent_edit(json!({"documents": [delete(&folder.uri("gone.rs")), document(&a, &[("one", "1")])]}));
        editor.hold_until(|it| it.applications().len() == 1);
        editor.type_over(&a, 0..0, "typed ");
        let answer = editor.answer(id);
        assert_eq!(answer["error"]["code"], -32801, "{character:?}: {answer}");
        while editor.advance() {}
        assert_eq!(editor.text(&a), "typed zero\none\n");
        assert_eq!(folder.read("gone.rs"), "one\n");
        editor.finish();
    }
}

#[test]
fn an_editor_that_lies_is_found_out_by_the_disk() {
    for character in Character::ALL {
        let folder = Folder::new(&format!("lies-{character:?}"));
        folder.write("gone.rs", "one\n");
        let mut editor = editor(character, &folder);
        for entry in [create(&folder.uri("new.rs"), "x"), delete(&folder.uri("gone.rs"))] {
            editor.react(Reaction::Lie);
            assert_refused(&send(&mut editor, json!([entry])), "NOT_APPLIED", "did not show its result");
        }
        assert_eq!(folder.read("gone.rs"), "one\n");
        editor.finish();
    }
}

#[test]
fn a_file_the_editor_creates_and_does_not_show_takes_no_further_edits() {
    let folder = Folder::new("unshown");
    let mut editor = editor(Character::InPieces, &folder);
    let new = folder.uri("new.rs");
    editor.react(Reaction::Mute);
    let answer = send(&mut editor, json!([create(&new, "one\n")]));
    assert_eq!(answer["result"]["applied"], true, "{answer}");
    for entry in [overwrite(&new, "two\n"), delete(&new)] {
        assert_refused(&send(&mut editor, json!([entry])), "NOT_APPLIED", "cannot be seen");
    }
    folder.write("new.rs", "one\n");
    let answer = send(&mut editor, json!([document(&new, &[("one", "two")])]));
    assert_eq!(answer["result"]["applied"], true, "{answer}");
    editor.finish();
}

#[test]
fn a_file_that_comes_to_be_while_the_editor_is_asked_keeps_every_character() {
    for character in Character::ALL {
        let folder = Folder::new(&format!("race-{character:?}"));
        let mut editor = editor(character, &folder);
        let new = folder.uri("new.rs");
        let id = editor.agent_edit(json!({"documents": [create(&new, "agent's\n")]}));
        editor.hold_until(|it| it.applications().len() == 1);
        folder.write("new.rs", "the person's\n");
        let answer = editor.answer(id);
        while editor.advance() {}
        assert_refused(&answer, "CONTENT_MODIFIED", "is neither what it was nor what it was to be");
        assert_eq!(folder.read("new.rs"), "the person's\n", "{character:?}");
        editor.finish();
    }
}

#[test]
fn an_editor_that_does_not_announce_an_operation_is_not_asked_for_it() {
    let folder = Folder::new("not-announced");
    folder.write("a.rs", "one\n");
    let features = Some(fake_editor::FEATURES.to_vec());
    let operations = Some(vec!["create"]);
    let setup = Setup { folders: vec![folder.uri("")], features, operations, ..Setup::new(Character::AnswersFirst) };
    let mut editor = Editor::start_with(SERVER, setup);
    let (a, b) = (folder.uri("a.rs"), folder.uri("b.rs"));
    for (entry, kind) in [(delete(&a), "`delete`"), (rename(&a, &b), "`rename`")] {
        assert_refused(&send(&mut editor, json!([entry])), "NOT_APPLIED", kind);
    }
    assert_eq!(folder.read("a.rs"), "one\n");
    let answer = send(&mut editor, json!([create(&b, "two\n"), overwrite(&a, "1\n")]));
    assert_eq!(answer["result"]["applied"], true, "{answer}");
    editor.finish();
}

#[test]
fn names_that_have_to_be_escaped_are_found() {
    for character in Character::ALL {
        let folder = Folder::new(&format!("escaped-{character:?}"));
        folder.write("a b.rs", "one\n");
        let mut editor = editor(character, &folder);
        let batch =
            json!([rename(&folder.uri("a%20b.rs"), &folder.uri("%C3%A9%23.rs")), create(&folder.uri("n%25.rs"), "")]);
        let answer = send(&mut editor, batch);
        assert_eq!(answer["result"]["applied"], true, "{answer}");
        assert_eq!((folder.read("é#.rs"), folder.read("n%.rs")), ("one\n".to_owned(), String::new()));
        editor.finish();
    }
}

#[test]
fn a_person_who_is_asked_reads_what_is_to_become_of_files() {
    let folder = Folder::new("reviewed");
    folder.write("gone.rs", "one\n");
    for reply in ["Discard", "Apply"] {
        let mut editor = editor(Character::ChangesFirst, &folder);
        let batch = json!([delete(&folder.uri("gone.rs")), create(&folder.uri("new.rs"), "x")]);
        let id = editor.agent_edit(json!({"documents": batch, "mode": "review", "agent": "Claude"}));
        let question = editor.wait_for_question();
        assert_eq!(question.message, "Apply what Claude asks for? delete gone.rs, create new.rs");
        editor.reply(Some(reply));
        let answer = editor.answer(id);
        assert_eq!(answer["result"]["applied"] == true, reply == "Apply", "{answer}");
        assert_eq!(folder.path().join("gone.rs").exists(), reply == "Discard");
        while editor.advance() {}
        editor.finish();
    }
}

#[test]
fn what_the_person_leaves_out_of_an_edit_to_be_confirmed_is_told() {
    let folder = Folder::new("confirmed");
    folder.write("gone.rs", "one\n");
    let mut editor = editor(Character::AnswersFirst, &folder);
    let a = folder.uri("a.rs");
    editor.open(&a, "one\n");
    let batch = json!([document(&a, &[("one", "1")]), delete(&folder.uri("gone.rs"))]);
    let kept: &'static str = Box::leak(a.clone().into_boxed_str());
    editor.react(Reaction::Only(kept));
    let id = editor.agent_edit(json!({"documents": batch, "mode": "review"}));
    let answer = editor.answer(id);
    while editor.advance() {}
    assert_refused(&answer, "CONTENT_MODIFIED", "gone.rs was not deleted.");
    assert_eq!((editor.text(&a), folder.read("gone.rs").as_str()), ("1\n", "one\n"));
    editor.finish();
}
