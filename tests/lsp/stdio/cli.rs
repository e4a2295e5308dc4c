//! The command line as a person or a script uses it: files before, files after, what is printed, the exit code.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

fn project(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    folder
}

/// Runs `agent-edit` in `folder` with `input` on standard input.
fn run(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_agent-edit"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn batch(documents: Value) -> Value {
    json!({"matching": "tolerant", "documents": documents})
}

fn edit(uri: &str, edits: Value) -> Value {
    json!({"textDocument": {"uri": uri}, "edits": edits})
}

struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Ran {
    #[track_caller]
    fn said(self, code: i32, out: &[&str], err: &[&str]) -> Self {
        assert_eq!(self.code, Some(code), "\n{}\n{}", self.out, self.err);
        for part in out {
            assert!(self.out.contains(part), "{part:?} is not in\n{}", self.out);
        }
        for part in err {
            assert!(self.err.contains(part), "{part:?} is not in\n{}", self.err);
        }
        assert!(!self.out.contains('\x1b') && !self.err.contains('\x1b'), "styles where there is no terminal");
        self
    }
}

fn apply(folder: &TempDir, options: &[&str], batch: &Value) -> Ran {
    apply_text(folder, options, &batch.to_string())
}

fn apply_text(folder: &TempDir, options: &[&str], batch: &str) -> Ran {
    let output = run(folder.path(), &[&["apply", "-"], options].concat(), batch);
    Ran {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

#[track_caller]
fn holds(folder: &TempDir, files: &[(&str, &str)]) {
    for (name, content) in files {
        assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), *content, "{name}");
    }
    let mut rest: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().file_name()).collect();
    rest.retain(|it| it.to_string_lossy().starts_with('.'));
    assert!(rest.is_empty(), "left behind: {rest:?}");
}

#[test]
fn a_batch_lands_in_all_its_files_and_they_stay_what_they_are() {
    let folder = project(&[("a.rs", "fn a() {\r\n    one();\r\n}\r\n"), ("b.txt", "\u{feff}first\nsecond")]);
    let batch = batch(json!([
        edit("a.rs", json!([{"oldText": "one();\n}\n", "newText": "two();\n}\n"}])),
        edit("b.txt", json!([{"from": 0, "to": 0, "newText": "1st"}, {"from": 2, "newText": "third"}])),
    ]));
    let ran = apply(&folder, &[], &batch);
    ran.said(0, &["--- a/a.rs\n+++ b/a.rs\n", "-    one();", "+    two();", "3 edits applied"], &[""]);
    holds(&folder, &[("a.rs", "fn a() {\r\n    two();\r\n}\r\n"), ("b.txt", "\u{feff}1st\nsecond\nthird")]);
}

#[test]
fn one_edit_that_fails_holds_all_files_back_and_is_drawn_and_reported() {
    let files = [("a.txt", "one\ntwo\nthree\n"), ("b.txt", "same\nsame\n")];
    let folder = project(&files);
    let batch = batch(json!([
        edit("a.txt", json!([{"oldText": "two", "newText": "2"}])),
        edit("b.txt", json!([{"oldText": "same", "newText": "other"}])),
    ]));
    apply(&folder, &[], &batch).said(1, &[""], &["warning[ambiguous]", "--> b.txt:1:1", "1 | same", "2 | same"]);
    holds(&folder, &files);

    apply(&folder, &["--preview"], &batch).said(1, &[""], &["warning[ambiguous]", "--> b.txt:1:1", "2 | same"]);

    let ran = apply(&folder, &["--json"], &batch).said(1, &[], &[]);
    let error: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&error["code"], &error["data"]["code"]), (&json!(-32803), &json!("EDIT_CONFLICT")));
    assert_eq!(error["data"]["failures"][0]["kind"], "ambiguous");
    holds(&folder, &files);
}

#[test]
fn a_preview_shows_and_writes_nothing() {
    let files = [("a.txt", "one\ntwo\n")];
    let folder = project(&files);
    let batch = batch(json!([edit("a.txt", json!([{"oldText": "two", "newText": "2"}]))]));
    apply(&folder, &["--preview"], &batch).said(0, &["-two\n", "+2\n"], &[""]);
    holds(&folder, &files);
    let ran = apply(&folder, &["--preview", "--json"], &batch).said(0, &[], &[]);
    let result: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(result["applied"], false);
    assert!(result["documents"][0]["textEdits"].is_array());
    holds(&folder, &files);
}

#[test]
fn a_batch_comes_from_a_file_and_its_paths_start_at_the_root() {
    let folder = project(&[("deep/root/a.txt", "one\n"), ("batch.json", "")]);
    let batch = batch(json!([edit("a.txt", json!([{"oldText": "one", "newText": "1"}]))]));
    fs::write(folder.path().join("batch.json"), batch.to_string()).unwrap();
    let output = run(folder.path(), &["apply", "batch.json", "--root", "deep/root", "--json"], "");
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["applied"], true);
    holds(&folder, &[("deep/root/a.txt", "1\n")]);
}

#[cfg(unix)]
#[test]
fn a_link_inside_the_root_is_followed_and_stays_a_link() {
    let folder = project(&[("real.txt", "one\n")]);
    let link = folder.path().join("link.txt");
    std::os::unix::fs::symlink("real.txt", &link).unwrap();
    let batch = batch(json!([edit("link.txt", json!([{"oldText": "one", "newText": "1"}]))]));
    apply(&folder, &[], &batch).said(0, &[], &[]);
    holds(&folder, &[("real.txt", "1\n")]);
    assert!(fs::symlink_metadata(link).unwrap().is_symlink());
}

#[test]
fn a_base_that_is_not_the_one_expected_is_refused() {
    let files = [("a.txt", "one\n")];
    let folder = project(&files);
    let mut document = edit("a.txt", json!([{"oldText": "one", "newText": "1"}]));
    document["expectedBaseSha256"] = json!("0".repeat(64));
    apply(&folder, &[], &batch(json!([document]))).said(1, &[""], &["agent-edit: ", "a.txt"]);
    holds(&folder, &files);
}

#[test]
fn what_cannot_be_used_is_one_clear_line() {
    let folder = project(&[("a.txt", "one\n"), ("sub/b.txt", "one\n")]);
    fs::write(folder.path().join("binary"), [0x7f, b'E', 0xff, 0]).unwrap();
    let on = |uri: &str| batch(json!([edit(uri, json!([{"oldText": "one", "newText": "1"}]))])).to_string();
    let cases = [
        ("{\n  \"documents\": [,]\n}".to_owned(), "line 2 column 17"),
        ("[]".to_owned(), "expected an object"),
        (json!({"documents": 1}).to_string(), "documents: "),
        (json!({"matching": "fuzzy", "documents": [edit("a.txt", json!([]))]}).to_string(), "matching: "),
        (batch(json!([edit("a.txt", json!([{"oldText": 1, "newText": "1"}]))])).to_string(), "documents[0].edits[0]"),
        (batch(json!([])).to_string(), "documents"),
        (on("missing.txt"), "missing.txt: no such file"),
        (on("binary"), "binary: it is not UTF-8 text"),
        (on("sub"), "sub: it is not a regular file"),
        (on("../a.txt"), "../a.txt: "),
        (on("http://example.org/a.txt"), "not a file: URI"),
        (on("\u{1b}[2Ja.txt"), "␛[2Ja.txt: no such file"),
    ];
    for (batch, told) in cases {
        let ran = apply_text(&folder, &[], &batch).said(2, &[""], &["agent-edit: ", told]);
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        assert_eq!(ran.out, "");
    }
    let outside = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    apply_text(&folder, &[], &on(outside.to_str().unwrap())).said(2, &[""], &["lies outside", "--root"]);
    let output = run(folder.path(), &["apply", "missing.json"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("missing.json: no such file"));
    assert_eq!(run(folder.path(), &["apply"], "").status.code(), Some(2), "usage");
}

#[test]
fn files_are_created_renamed_and_deleted_with_the_texts() {
    let start = [("a.rs", "mod old;\n"), ("old.rs", "fn f() {}\n"), ("gone.rs", "x\n"), ("kept.rs", "\u{feff}one\r\n")];
    let folder = project(&start);
    let entries = batch(json!([
        edit("a.rs", json!([{"oldText": "old", "newText": "new"}])),
        {"create": {"uri": "docs/re ad.md", "content": "# New\n"}},
        {"create": {"uri": "kept.rs", "content": "two\n", "overwrite": true}},
        {"rename": {"oldUri": "old.rs", "newUri": "new.rs"}},
        {"delete": {"uri": "gone.rs"}},
    ]));
    let shown = ["+# New", "+++ b/docs/re ad.md", "rename to new.rs", "deleted file mode", "-x", "+\u{feff}two"];
    let status =
        "1 file would be created, 1 file would be overwritten, 1 file would be renamed, 1 file would be deleted";
    apply(&folder, &["--preview"], &entries).said(0, &[&shown[..], &[status]].concat(), &[]);
    holds(&folder, &start);
    let status = "in a.rs; 1 file created, 1 file overwritten, 1 file renamed, 1 file deleted";
    apply(&folder, &[], &entries).said(
        0,
        &["+# New", "new file", "renamed old.rs to new.rs", "deleted gone.rs", "+mod new;", status],
        &[],
    );
    let rest = [("docs/re ad.md", "# New\n"), ("kept.rs", "\u{feff}two\r\n"), ("new.rs", "fn f() {}\n")];
    holds(&folder, &[&[("a.rs", "mod new;\n")], &rest[..]].concat());
    assert!(!folder.path().join("old.rs").exists() && !folder.path().join("gone.rs").exists());
}

#[test]
fn an_operation_that_is_not_possible_leaves_all_files_as_they_are() {
    let folder = project(&[("a.rs", "one\n"), ("b.rs", "two\n"), (".git/config", "[core]\n")]);
    for (entry, told) in [
        (json!({"create": {"uri": "b.rs", "content": ""}}), "there is such a file"),
        (json!({"delete": {"uri": "none.rs"}}), "there is no such file"),
        (json!({"rename": {"oldUri": "b.rs", "newUri": "a.rs"}}), "the same file as documents[0]"),
        (json!({"create": {"uri": "../outside.rs", "content": ""}}), "no workspace folder"),
        (json!({"create": {"uri": ".git/hooks/x", "content": ""}}), "Git's own"),
        (json!({"delete": {"uri": ".git/config"}}), "Git's own"),
    ] {
        let entries = batch(json!([edit("a.rs", json!([{"oldText": "one", "newText": "1"}])), entry]));
        apply(&folder, &[], &entries).said(2, &[], &[told]);
        assert_eq!(fs::read_to_string(folder.path().join("a.rs")).unwrap(), "one\n");
        assert_eq!(fs::read_to_string(folder.path().join(".git/config")).unwrap(), "[core]\n");
    }
    let entries = batch(json!([
        edit("a.rs", json!([{"oldText": "missing", "newText": "1"}])),
        {"delete": {"uri": "b.rs"}},
    ]));
    apply(&folder, &[], &entries).said(1, &[], &["Its file operation (1 delete) was not done"]);
    assert_eq!(fs::read_to_string(folder.path().join("b.rs")).unwrap(), "two\n");
}

#[test]
fn what_is_applied_is_saved() {
    let folder = project(&[("a.rs", "one\n")]);
    let mut entries = batch(json!([
        edit("a.rs", json!([{"oldText": "one", "newText": "1"}])), {"create": {"uri": "b.rs", "content": "two\n"}},
    ]));
    entries["save"] = json!(true);
    let ran = apply(&folder, &["--json"], &entries).said(0, &[], &[]);
    let result: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&result["documents"][0]["saved"], &result["documents"][1]["saved"]), (&json!(true), &json!(true)));
    holds(&folder, &[("a.rs", "1\n"), ("b.rs", "two\n")]);
}

#[test]
fn a_document_cannot_act_on_the_terminal() {
    let folder = project(&[("a.txt", "\u{1b}[2Jone \u{202e}\n\u{1b}]0;title\u{7}two\n")]);
    let hit = batch(json!([edit("a.txt", json!([{"oldText": "one", "newText": "1"}]))]));
    apply(&folder, &["--preview"], &hit).said(0, &["␛[2Jone <U+202E>", "␛]0;title␇two"], &[]);
    let miss = batch(json!([edit("a.txt", json!([{"oldText": "\u{1b}[2Jtwo \u{202e}\n", "newText": "1"}]))]));
    apply(&folder, &[], &miss).said(1, &[], &[]);
}

#[test]
fn the_demo_shows_the_whole_way() {
    let folder = project(&[]);
    let output = run(folder.path(), &["demo"], "");
    let ran = Ran {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    };
    let shown = [
        "exact ",
        "line-trimmed ",
        "indentation-flexible ",
        "whitespace-normalized ",
        "4 edits applied",
        "warning[not-found]",
        "warning[ambiguous]",
        "warning[placeholder]",
        "warning[count-mismatch]",
        "the cursor on web/cart.ts:19",
        "> Apply edit 1 here",
        "+    return Math.round(cents);",
        "the unsaved line is kept",
        "3 of 4 conflicts are left",
    ];
    let ran = ran.said(0, &shown, &[]);
    assert_eq!(ran.err, "");
    holds(&folder, &[]);
}

#[test]
fn help_teaches() {
    let folder = project(&[]);
    let help = |arguments: &[&str]| String::from_utf8(run(folder.path(), arguments, "").stdout).unwrap();
    assert!(help(&["--help"]).contains("agent-edit demo"));
    let text = help(&["apply", "--help"]);
    assert!(text.contains("Exit codes:"));
    let example = &text[text.find("  {").unwrap()..text.find("  It is applied").unwrap()];
    let files =
        project(&[("src/rates.py", "SURCHARGE = 0.12\nkilo\nkilo\n"), ("web/cart.ts", "1\n2\n3\n4\n5\n6\n7\n")]);
    apply_text(&files, &[], example).said(0, &[], &[]);
    holds(
        &files,
        &[
            ("src/rates.py", "SURCHARGE = 0.14\nkg\nkg\n"),
            ("web/cart.ts", "before the first line\n1\n2\n3\ninstead of lines 4 to 6\n7\n"),
        ],
    );
}
