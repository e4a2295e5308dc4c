//! Answers of agents, one file each in `answers/`: the text, and what is read from it.
//!
//! `ANSWERS=write cargo test -p agent-edit-formats --test answers` writes what is read anew, to be looked through in review.
//! In the files `⟦d⟧` stands for a carriage return.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use agent_edit_formats::{Change, Edit, EditKind, Hints, Over, read};

const RESULT: &str = "⟦read as⟧\n";

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/answers");
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).expect("it is a folder").map(|it| it.expect("it can be read").path()).collect();
    files.sort();
    assert!(files.len() >= 60);
    files
}

#[test]
fn answers_are_read_as_they_were_reviewed() {
    let changed: Vec<String> = files().iter().filter_map(|it| check(it)).collect();
    assert!(changed.is_empty(), "{}", changed.join("\n\n"));
}

/// What differs, if anything.
fn check(file: &Path) -> Option<String> {
    let content = fs::read_to_string(file).expect("the file was just listed");
    let (answer, expected) = content.split_once(RESULT).unwrap_or((&content, ""));
    let found = read_as(&answer.replace("⟦d⟧", "\r"));
    if std::env::var_os("ANSWERS").is_some_and(|it| it == "write") {
        fs::write(file, format!("{answer}{RESULT}{found}")).expect("the file can be written");
        return None;
    }
    let name = file.file_name().expect("a file has a name").to_string_lossy().into_owned();
    (expected != found).then(|| format!("{name}\nexpected:\n{expected}\nfound:\n{found}"))
}

/// Line breaks of the answer are those of the texts in it, and make no difference else.
#[test]
fn answers_are_read_the_same_with_other_line_breaks() {
    for file in files() {
        let content = fs::read_to_string(&file).unwrap();
        let (answer, _) = content.split_once(RESULT).unwrap();
        if !answer.contains("⟦d⟧") {
            assert_eq!(
                read_as(answer),
                read_as(&answer.replace('\n', "\r\n")).replace("⟦d⟧", ""),
                "{}",
                file.display()
            );
        }
    }
}

/// The same answer behind prose, and in front of some.
#[test]
fn answers_are_found_in_prose() {
    for file in files() {
        let content = fs::read_to_string(&file).unwrap();
        let (answer, expected) = content.split_once(RESULT).unwrap();
        let is_prose_certain = expected.starts_with("batch") && !answer.starts_with(' ') && answer.ends_with('\n');
        if is_prose_certain && !answer.contains("⟦d⟧") {
            let (Ok(Some(alone)), Ok(Some(amid))) =
                (read(answer), read(&format!("I did it.\n\n{answer}\nThat is all.\n")))
            else {
                panic!("{}", file.display());
            };
            assert_eq!(alone.documents.len(), amid.documents.len(), "{}", file.display());
            let texts = |it: &agent_edit_formats::Batch| {
                edits(&it.documents[0].change).iter().map(|it| it.kind.clone()).collect::<Vec<_>>()
            };
            assert_eq!(texts(&alone), texts(&amid), "{}", file.display());
        }
    }
}

fn edits(change: &Change) -> &[Edit] {
    match change {
        Change::Edit(edits) | Change::Rename { edits, .. } => edits,
        Change::Create { .. } | Change::Delete { .. } => &[],
    }
}

fn read_as(text: &str) -> String {
    let mut out = String::new();
    let at = |place: agent_edit_formats::Place| {
        let ((first, _), (last, _)) =
            (place.line_and_column(text), agent_edit_formats::Place::new(place.end, place.end).line_and_column(text));
        if first == last { format!("line {}", first + 1) } else { format!("lines {}-{}", first + 1, last + 1) }
    };
    match read(text) {
        Ok(None) => out.push_str("no batch\n"),
        Err(problems) => {
            out.push_str("problems\n");
            for problem in problems {
                let (line, column) = problem.place.line_and_column(text);
                writeln!(out, "{}:{}: {}", line + 1, column + 1, problem.message).expect("a string takes everything");
            }
        }
        Ok(Some(batch)) => {
            writeln!(out, "batch: {}", batch.format.name()).expect("a string takes everything");
            for document in &batch.documents {
                let what = match &document.change {
                    Change::Edit(_) => "edit".to_owned(),
                    Change::Create { over, .. } => match over {
                        Over::Nothing => "create",
                        Over::Empty => "create or fill",
                        Over::Anything => "write",
                    }
                    .to_owned(),
                    Change::Delete { .. } => "delete".to_owned(),
                    Change::Rename { to, .. } => format!("rename to {to:?}:"),
                };
                writeln!(out, "{what} {:?}, {}", document.name, at(document.place)).expect("a string takes everything");
                match &document.change {
                    Change::Create { content, .. } => lines(&mut out, '+', content),
                    Change::Delete { expected: Some(expected) } => lines(&mut out, '-', expected),
                    _ => {}
                }
                edits(&document.change).iter().for_each(|it| edit(&mut out, &at(it.place), it));
            }
        }
    }
    out
}

fn edit(out: &mut String, at: &str, edit: &Edit) {
    match &edit.kind {
        EditKind::Replace(it) => {
            let Hints { whole_lines, at_line, narrow, at_end } = &it.hints;
            let mut facts = vec![if *whole_lines { "replace lines" } else { "replace text" }.to_owned()];
            facts.extend(it.replace_all.then(|| "everywhere".to_owned()));
            facts.extend(it.expected_occurrences.map(|it| format!("{it} times")));
            facts.extend(at_line.map(|it| format!("at line {}", it + 1)));
            facts.extend(narrow.iter().map(|it| format!("below {it:?}")));
            facts.extend(at_end.then(|| "at the end".to_owned()));
            writeln!(out, "  {at}: {}", facts.join(", ")).expect("a string takes everything");
            lines(out, '-', &it.old_text);
            lines(out, '+', &it.new_text);
        }
        EditKind::Lines { from, to, new_text, expected_text } => {
            writeln!(out, "  {at}: replace the lines {}-{}", from + 1, to + 1).expect("a string takes everything");
            lines(out, '-', expected_text.as_deref().unwrap_or_default());
            lines(out, '+', new_text);
        }
        EditKind::Insert { from, new_text } => {
            writeln!(out, "  {at}: insert before line {}", from + 1).expect("a string takes everything");
            lines(out, '+', new_text);
        }
    }
}

fn lines(out: &mut String, sign: char, text: &str) {
    for line in text.split_inclusive('\n') {
        let (line, end) = line.strip_suffix('\n').map_or((line, "⟦no line break⟧"), |it| (it, ""));
        writeln!(out, "    {sign}{}{end}", line.replace('\r', "⟦d⟧")).expect("a string takes everything");
    }
}
