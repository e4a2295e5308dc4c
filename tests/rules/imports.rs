//! Who may know what: the walls of `docs/architecture.md`, read off the sources.

use std::fs;
use std::path::{Path, PathBuf};

/// A word and the only places, below `server`, whose code may hold it.
const WORDS: [(&str, &[&str]); 13] = [
    // The engine holds texts and edits: no protocol, no input and output, no clock, no threads.
    ("tower_lsp", &["lsp/src"]),
    ("serde", &["lsp/src"]),
    // The formats are texts in and batches out; some of them are JSON.
    (
        "serde_json",
        &[
            "lsp/src",
            "formats/src/batch.rs",
            "formats/src/json",
            "formats/src/params.rs",
            "formats/src/reader.rs",
            "formats/src/write/json.rs",
        ],
    ),
    ("jsonc_parser", &["formats/src/json"]),
    ("tokio", &["lsp/src"]),
    ("async", &["lsp/src"]),
    ("std::fs", &["lsp/src"]),
    ("std::io", &["lsp/src"]),
    ("std::thread", &["lsp/src"]),
    ("std::time", &["lsp/src"]),
    // The embedded editor is a client: it has positions of its own.
    ("Position", &["lsp/src/positions.rs", "lsp/src/from_proto.rs", "lsp/src/to_proto.rs", "lsp/src/embedded_editor"]),
    ("ropey", &["engine/src/text.rs"]),
    ("cap_std", &["lsp/src/files", "lsp/src/cli"]),
];

/// What reads and writes the wire. A message's envelope is the transport's own.
const WIRE: [&str; 2] = ["lsp/src/protocol", "lsp/src/transport/message.rs"];

#[test]
fn a_word_stands_only_where_it_belongs() {
    for (word, places) in WORDS {
        let strays: Vec<_> =
            sources("").filter(|it| it.mentions(word) && !it.is_in(places)).map(|it| it.path).collect();
        assert!(strays.is_empty(), "{word} belongs into {places:?} and stands in {strays:?}");
        assert!(
            sources("").any(|it| it.mentions(word)),
            "{word} stands nowhere: the rule has outlived what it is about"
        );
    }
}

#[test]
fn wire_types_are_those_of_the_protocol() {
    let derives = |it: &Source| {
        it.lines().any(|it| it.contains("derive(") && (it.contains("Serialize") || it.contains("Deserialize")))
    };
    let strays: Vec<_> = sources("").filter(|it| derives(it) && !it.is_in(&WIRE)).map(|it| it.path).collect();
    assert!(strays.is_empty(), "{strays:?}");
}

#[test]
fn the_transport_knows_nothing_of_what_it_carries() {
    for source in sources("lsp/src/transport") {
        for line in source.lines().filter(|it| it.contains("crate::")) {
            assert!(line.contains("crate::transport"), "{}: {line}", source.path);
        }
    }
}

#[test]
fn nothing_points_upward() {
    let walls: [(&str, &[&str]); 2] = [
        ("engine", &["agent-edit", "tower-lsp", "tokio", "serde"]),
        ("formats", &["agent-edit ", "agent-edit.", "tower-lsp", "tokio", "serde ", "serde."]),
    ];
    for (room, uppers) in walls {
        let manifest = fs::read_to_string(server().join(room).join("Cargo.toml")).expect("a crate has a manifest");
        let dependencies =
            manifest.split("\n[").find(|it| it.starts_with("dependencies]")).expect("it depends on something");
        for upper in uppers {
            assert!(!dependencies.lines().any(|it| it.starts_with(upper)), "{room} depends on {upper}");
        }
    }
}

/// A file of code, without its tests and comments.
struct Source {
    path: String,
    code: String,
}

impl Source {
    fn lines(&self) -> impl Iterator<Item = &str> {
        self.code.lines().map(str::trim_start).filter(|it| !it.starts_with("//"))
    }

    /// Whether `word` stands in it as a word of its own.
    fn mentions(&self, word: &str) -> bool {
        let is_part = |it: Option<char>| it.is_some_and(|it| it.is_alphanumeric() || it == '_');
        self.lines().any(|line| {
            line.match_indices(word)
                .any(|(at, _)| !is_part(line[..at].chars().last()) && !is_part(line[at + word.len()..].chars().next()))
        })
    }

    fn is_in(&self, places: &[&str]) -> bool {
        places.iter().any(|it| self.path.starts_with(it))
    }
}

fn server() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate stands in server/").to_owned()
}

/// The code of the crates whose path begins like this.
fn sources(beginning: &str) -> impl Iterator<Item = Source> {
    let mut found = vec![];
    for folder in ["engine/src", "formats/src", "lsp/src"] {
        collect(&server(), &server().join(folder), &mut found);
    }
    assert!(found.len() > 50, "the sources are elsewhere: {}", found.len());
    found.into_iter().filter(move |it| it.path.starts_with(beginning))
}

fn collect(root: &Path, folder: &Path, found: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).expect("it is a folder") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            collect(root, &path, found);
        } else if path.extension().is_some_and(|it| it == "rs") {
            let text = fs::read_to_string(&path).expect("a source is text");
            let code = text.split("#[cfg(test)]\nmod tests {").next().expect("a split has a first part").to_owned();
            let path = path.strip_prefix(root).expect("it stands below").to_string_lossy().replace('\\', "/");
            found.push(Source { path, code });
        }
    }
}
