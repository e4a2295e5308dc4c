//! What is refused before anything is looked at, and every code a refusal can have.

use fake_editor::{Character, Editor, FEATURES, Folder, Setup, batch, document};
use serde_json::{Value, json};

const SERVER: &str = env!("CARGO_BIN_EXE_agent-edit");
const A: &str = "file:///a.txt";

fn opened(setup: Setup) -> Editor {
    let mut editor = Editor::start_with(SERVER, setup);
    editor.open(A, "one\ntwo\n");
    editor
}

fn editor() -> Editor {
    opened(Setup::new(Character::AnswersFirst))
}

/// `params` is refused with this code, and everything is as it was.
#[track_caller]
fn check(editor: &mut Editor, params: Value, code: i64, name: &str) -> Value {
    let id = editor.agent_edit(params);
    let answer = editor.answer(id);
    assert_eq!(answer["error"]["code"], code, "{answer}");
    let named = answer["error"]["data"]["code"].as_str().unwrap_or_default();
    assert_eq!(named, name, "{answer}");
    assert_eq!(editor.text(A), "one\ntwo\n");
    answer["error"].clone()
}

#[test]
fn a_field_that_is_wrong_or_missing_is_named_by_its_path() {
    let mut editor = editor();
    let with = |edit: Value| json!({"documents": [{"textDocument": {"uri": A}, "edits": [edit]}]});
    for (params, path) in [
        (json!({}), "documents"),
        (json!({"documents": 1}), "documents"),
        (json!({"documents": []}), "documents"),
        (json!({"documents": [{"edits": []}]}), "documents[0]"),
        (json!({"documents": [{"textDocument": {"uri": 7}, "edits": []}]}), "documents[0].textDocument.uri"),
        (json!({"documents": [{"textDocument": {"uri": A}, "edits": []}]}), "documents[0].edits"),
        (json!({"documents": [document(A, &[("a", "b")]), document(A, &[("a", "b")])]}), "documents[1]"),
        (with(json!({"oldText": "one", "newText": 3})), "documents[0].edits[0].newText"),
        (with(json!({"oldText": "one"})), "documents[0].edits[0]"),
        (with(json!({"newText": "one"})), "documents[0].edits[0]"),
        (with(json!({"from": -1, "newText": "one"})), "documents[0].edits[0].from"),
        (with(json!({"from": 1.5, "newText": "one"})), "documents[0].edits[0].from"),
        (with(json!({"oldText": "one", "newText": "1", "replaceAll": "yes"})), "documents[0].edits[0].replaceAll"),
        (json!({"matching": "fuzzy", "documents": [document(A, &[("a", "b")])]}), "matching"),
        (with(json!({"oldText": "one", "newText": "1", "atLine": null})), "documents[0].edits[0].atLine"),
        (with(json!({"from": 4_294_967_296_u64, "newText": "one"})), "documents[0].edits[0].from"),
        (with(json!(["one", "1", true, null, null, null, null, null])), "documents[0].edits[0]"),
        (json!([[], null, null, null, null, null, null, null, null]), "params"),
        (json!({"matching": {"exact": null}, "documents": [document(A, &[("a", "b")])]}), "matching"),
        (json!({"mode": 1, "documents": [document(A, &[("a", "b")])]}), "mode"),
    ] {
        let error = check(&mut editor, params.clone(), -32602, "");
        assert!(error["message"].as_str().unwrap().contains(path), "{path} is not named: {error}, for {params}");
    }
    editor.finish();
}

#[test]
fn a_text_that_stands_in_another_open_document_is_told_by_its_uri() {
    let mut editor = editor();
    editor.open("file:///b.txt", "three\nlet four = 4;\n");
    let error = check(&mut editor, batch(A, &[("let four = 4;", "x")]), -32803, "EDIT_CONFLICT");
    let hints = error["data"]["failures"][0]["hints"].as_array().unwrap();
    let elsewhere = hints.iter().find(|it| it["kind"] == "elsewhere").unwrap();
    assert_eq!((&elsewhere["uri"], &elsewhere["lines"]), (&json!("file:///b.txt"), &json!([1])), "{error}");
    assert!(error["message"].as_str().unwrap().contains("b.txt, at line 2"), "{error}");
    editor.finish();
}

#[test]
fn a_batch_that_asks_for_no_answer_is_not_applied() {
    let mut editor = editor();
    editor.notify("workspace/agentEdit", batch(A, &[("one", "1")]));
    let arguments = json!([batch(A, &[("two", "2")])]);
    editor.notify("workspace/executeCommand", json!({"command": "agentEdit.apply", "arguments": arguments}));
    check(&mut editor, batch(A, &[("three", "3")]), -32803, "EDIT_CONFLICT");
    editor.finish();
}

#[test]
fn unknown_fields_are_ignored() {
    let mut editor = editor();
    let mut params = batch(A, &[("one", "1")]);
    params["colour"] = json!("blue");
    params["documents"][0]["weight"] = json!([1]);
    params["documents"][0]["edits"][0]["why"] = json!({});
    let id = editor.agent_edit(params);
    let answer = editor.answer(id);
    assert_eq!(answer["result"]["applied"], true, "{answer}");
    editor.finish();
}

#[test]
fn a_field_of_a_feature_that_was_not_negotiated_is_refused_even_as_the_default() {
    let edit = |field: &str, value: Value| {
        let mut params = batch(A, &[("one", "1")]);
        params["documents"][0]["edits"][0][field] = value;
        params
    };
    let request = |field: &str, value: Value| {
        let mut params = batch(A, &[("one", "1")]);
        params[field] = value;
        params
    };
    let mut hash = batch(A, &[("one", "1")]);
    hash["documents"][0]["expectedBaseSha256"] = json!("0".repeat(64));
    let line = json!({"documents": [{"textDocument": {"uri": A}, "edits": [{"from": 0, "newText": "x\n"}]}]});
    let fields = [
        ("replaceAll", "replace_all", edit("replaceAll", json!(false))),
        ("expectedBaseSha256", "expected_base_sha256", hash),
        ("from", "line_edits", line),
        ("matching", "tolerant_match", request("matching", json!("tolerant"))),
        ("matching", "tolerant_match", request("matching", json!("exact"))),
        ("mode", "preview", request("mode", json!("preview"))),
        ("anchoring", "original_anchoring", request("anchoring", json!("sequential"))),
        ("partialOnly", "policy", request("partialOnly", json!(false))),
        ("save", "save", request("save", json!(true))),
    ];
    for features in [None, Some(vec![])] {
        let mut editor = opened(Setup { features, ..Setup::new(Character::ChangesFirst) });
        for (field, feature, params) in fields.clone() {
            let error = check(&mut editor, params, -32602, "UNSUPPORTED_FEATURE");
            let message = error["message"].as_str().unwrap();
            assert!(
                message.contains(field) && message.contains(feature),
                "{field} and {feature} are not named: {error}"
            );
        }
        // Without any negotiation, exact find/replace works.
        let id = editor.agent_edit(batch(A, &[("one", "1")]));
        let answer = editor.answer(id);
        assert_eq!(answer["result"]["applied"], true, "{answer}");
        editor.finish();
    }
}

#[test]
fn the_features_of_both_sides_are_told() {
    let editor = editor();
    let told = editor.capabilities["experimental"]["agentEdit"].clone();
    assert_eq!(told["version"], 1, "{told}");
    let features: Vec<_> = told["features"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    for it in ["expected_base_sha256", "tolerant_match", "replace_all", "line_edits", "preview"] {
        assert!(features.contains(&it), "{it} is not among {features:?}");
    }
    assert!(features.iter().all(|it| FEATURES.contains(it)), "{features:?}");
    assert!(told["limits"].is_object(), "{told}");
    editor.finish();
}

#[test]
fn limits_are_named_with_their_value() {
    let mut editor = editor();
    let many: Vec<_> = (0..101).map(|it| document(&format!("file:///{it}.txt"), &[("a", "b")])).collect();
    let error = check(&mut editor, json!({"documents": many}), -32803, "LIMIT_EXCEEDED");
    assert!(error["message"].as_str().unwrap().contains("100"), "{error}");
    let error = check(&mut editor, batch(A, &[("a", "b"); 1_001]), -32803, "LIMIT_EXCEEDED");
    assert!(error["message"].as_str().unwrap().contains("1000"), "{error}");
    // A message may be as long as the texts of a batch, so of these two limits it is the one that is met.
    let error = check(&mut editor, batch(A, &[("one", &"x".repeat(64 << 20))]), -32600, "");
    assert!(error["message"].as_str().unwrap().contains(&(64 << 20).to_string()), "{error}");
    editor.finish();
}

#[cfg(unix)]
#[test]
fn documents_that_are_not_open_are_read_from_the_workspace_only() {
    let (inside, outside) = (Folder::new("inside"), Folder::new("outside"));
    inside.write("good.txt", "good one\n");
    inside.write("latin.txt", [b'a', 0xE9, b'\n']);
    outside.write("secret.txt", "secret\n");
    std::fs::create_dir(inside.path().join("folder")).unwrap();
    let setup = Setup { folders: vec![inside.uri("")], ..Setup::new(Character::AnswersFirst) };
    let mut editor = opened(setup);
    std::os::unix::fs::symlink(outside.path().join("secret.txt"), inside.path().join("link.txt")).unwrap();
    let outside_name = outside.path().file_name().unwrap().to_str().unwrap();
    let around = inside.uri(&format!("../{outside_name}/secret.txt"));
    for (uri, name) in [
        (inside.uri("none.txt"), "NOT_FOUND"),
        (inside.uri("latin.txt"), "NOT_UTF8"),
        (inside.uri("folder"), "NOT_A_FILE"),
        (outside.uri("secret.txt"), "OUTSIDE_WORKSPACE"),
        (inside.uri("link.txt"), "OUTSIDE_WORKSPACE"),
        (around, "OUTSIDE_WORKSPACE"),
    ] {
        // Another document of the batch, which is all right, stays as it is.
        let params = json!({"documents": [document(A, &[("one", "1")]), document(&uri, &[("secret", "x")])]});
        let error = check(&mut editor, params, -32803, name);
        assert!(error["message"].as_str().unwrap().contains(uri.rsplit('/').next().unwrap()), "{error}");
    }
    let id = editor.agent_edit(batch(&inside.uri("good.txt"), &[("good", "better")]));
    let answer = editor.answer(id);
    assert_eq!(answer["result"]["applied"], true, "{answer}");
    assert_eq!(editor.text(&inside.uri("good.txt")), "better one\n");
    assert_eq!(inside.read("good.txt"), "good one\n", "saving is the person's");
    assert_eq!(outside.read("secret.txt"), "secret\n");
    editor.finish();
}

#[test]
fn a_file_of_every_character_is_changed_through_the_editor() {
    for character in Character::ALL {
        let folder = Folder::new(&format!("file-{character:?}"));
        folder.write("closed.txt", "\u{feff}one\r\ntwo\r\n");
        let mut editor = opened(Setup { folders: vec![folder.uri("")], ..Setup::new(character) });
        let uri = folder.uri("closed.txt");
        let id =
            editor.agent_edit(json!({"documents": [document(A, &[("one", "1")]), document(&uri, &[("two", "2\n3")])]}));
        let answer = editor.answer(id);
        assert_eq!(answer["result"]["applied"], true, "{answer}");
        assert_eq!(answer["result"]["documents"][1]["textDocument"]["version"], Value::Null, "{answer}");
        while editor.advance() {}
        assert_eq!(editor.text(&uri), "one\r\n2\r\n3\r\n", "the mark is kept beside the text");
        editor.finish();
    }
}

#[test]
fn a_hundred_stale_documents_are_facts_under_a_short_message() {
    let mut editor = editor();
    let document = |number: usize| {
        let uri = format!("file:///{}/{number}.txt", "deep/".repeat(20));
        editor.open(&uri, "one\n");
        let edits = [json!({"oldText": "one", "newText": "1"})];
        json!({"textDocument": {"uri": uri, "version": 7}, "expectedBaseSha256": "0".repeat(64), "edits": edits})
    };
    let documents: Vec<_> = (0..100).map(document).collect();
    let error = check(&mut editor, json!({"documents": documents}), -32801, "STALE_BASE");
    assert_eq!(error["data"]["documents"].as_array().unwrap().len(), 100);
    assert_eq!(error["message"].as_str().unwrap().chars().count(), 3_000);
    editor.finish();
}

#[test]
fn a_report_is_bounded_and_every_failing_edit_is_a_fact() {
    let mut editor = editor();
    let edits: Vec<_> = (0..1_000).map(|it| (format!("missing {it} {}", "x".repeat(50)), String::new())).collect();
    let edits: Vec<_> = edits.iter().map(|it| (it.0.as_str(), it.1.as_str())).collect();
    let error = check(&mut editor, batch(A, &edits), -32803, "EDIT_CONFLICT");
    assert_eq!(error["data"]["failures"].as_array().unwrap().len(), 1_000);
    editor.finish();
}
