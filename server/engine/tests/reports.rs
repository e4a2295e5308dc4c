//! Whole reports of telling failures, one file each in `reports/`: documents, edits, and what an agent then reads.
//!
//! `REPORTS=write cargo test -p agent-edit-engine --test reports` writes them anew, to be read in review. In the files `⟦1b⟧` stands for a
//! character by its number and `⟦×50⟧` in front of a line repeats it.

use std::fs;
use std::path::{Path, PathBuf};

use agent_edit_engine::{
    Document, Edit, FindReplace, Line, LineInsert, LineReplace, Matching, Options, REPORT_LIMIT, Text, plan, report,
};

#[test]
fn reports_read_as_they_were_reviewed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reports");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 30);
    let changed: Vec<String> = files.iter().filter_map(|it| check(it)).collect();
    assert!(changed.is_empty(), "{}", changed.join("\n\n"));
}

/// What differs, if anything.
fn check(file: &Path) -> Option<String> {
    let content = fs::read_to_string(file).expect("the file was just listed");
    let (case, expected) = content.split_once("=== report\n").expect("a file ends with its report");
    let found = Case::of(case).report();
    assert!(found.chars().count() <= REPORT_LIMIT);
    if std::env::var_os("REPORTS").is_some_and(|it| it == "write") {
        fs::write(file, format!("{case}=== report\n{found}\n")).expect("the file can be written");
        return None;
    }
    let name = file.file_name().expect("a file has a name").to_string_lossy().into_owned();
    (expected.trim_end() != found).then(|| format!("{name}\nexpected:\n{expected}\nfound:\n{found}"))
}

#[derive(Default)]
struct Case {
    options: Options,
    /// Name, text and edits of each document.
    documents: Vec<(String, Text, Vec<Edit>)>,
}

impl Case {
    fn of(content: &str) -> Self {
        let mut case = Self::default();
        for section in content.split("=== ").skip(1) {
            let (head, body) = section.split_once('\n').expect("a section has a head");
            let words: Vec<&str> = head.split_whitespace().collect();
            let text = unpacked(body);
            let line = text.strip_suffix('\n').unwrap_or(&text).to_owned();
            match words[..] {
                ["matching", "tolerant"] => case.options.matching = Matching::Tolerant,
                ["matching", "lenient"] => case.options.matching = Matching::Lenient,
                ["document", name] => case.documents.push((name.to_owned(), Text::new(&text), Vec::new())),
                ["find"] => case.push(Edit::FindReplace(FindReplace { old_text: line, ..FindReplace::default() })),
                ["find", "all", count] => case.push(Edit::FindReplace(FindReplace {
                    old_text: line,
                    replace_all: true,
                    expected_occurrences: Some(count.parse().expect("a count")),
                    ..FindReplace::default()
                })),
                ["insert", at] => case.push(Edit::LineInsert(LineInsert { from: number(at), new_text: text })),
                ["lines", from, to] => case.push(Edit::LineReplace(LineReplace {
                    from: number(from),
                    to: number(to),
                    new_text: text,
                    expected_text: None,
                })),
                ["put"] => match case.last() {
                    Edit::FindReplace(it) => it.new_text = line,
                    Edit::LineReplace(_) | Edit::LineInsert(_) => panic!("a line edit puts its own text"),
                },
                ["expect"] => match case.last() {
                    Edit::LineReplace(it) => it.expected_text = Some(text),
                    Edit::FindReplace(_) | Edit::LineInsert(_) => panic!("only replaced lines are expected"),
                },
                _ => panic!("no such section: {head}"),
            }
        }
        case
    }

    fn push(&mut self, edit: Edit) {
        self.documents.last_mut().expect("a document comes before its edits").2.push(edit);
    }

    fn last(&mut self) -> &mut Edit {
        self.documents.last_mut().and_then(|it| it.2.last_mut()).expect("an edit comes before what belongs to it")
    }

    fn report(&self) -> String {
        let document = |(name, text, edits): &'_ (String, Text, Vec<Edit>)| (name.clone(), text.clone(), edits.clone());
        let owned: Vec<_> = self.documents.iter().map(document).collect();
        let documents: Vec<_> =
            owned.iter().map(|(name, text, edits)| Document { name, text, edits: edits.as_slice() }).collect();
        match plan(&documents, &self.options) {
            Ok(_) => "applied".to_owned(),
            Err(conflicts) => report(&documents, &conflicts),
        }
    }
}

fn number(line: &str) -> Line {
    Line(line.parse::<usize>().expect("a line") - 1)
}

/// The text a section stands for.
fn unpacked(body: &str) -> String {
    let mut text = String::new();
    for line in body.split_inclusive('\n') {
        match line.strip_prefix("⟦×").and_then(|it| it.split_once('⟧')) {
            Some((count, line)) => text.push_str(&characters(line).repeat(count.parse().expect("a count"))),
            None => text.push_str(&characters(line)),
        }
    }
    text
}

fn characters(line: &str) -> String {
    let mut parts = line.split('⟦');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (code, rest) = part.split_once('⟧').expect("a bracket is closed");
        text.push(u32::from_str_radix(code, 16).ok().and_then(char::from_u32).expect("a character by its number"));
        text.push_str(rest);
    }
    text
}
