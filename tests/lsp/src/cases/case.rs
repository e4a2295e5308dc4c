//! A case as it stands in its file.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

/// One case.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its name, unique in its file.
    pub id: String,
    /// Its class.
    pub class: String,
    /// The document.
    pub(crate) doc: String,
    /// The edits, as in the protocol.
    pub(crate) edits: Value,
    /// Fields of the request beside `documents`; without them the runner chooses the matching.
    pub(crate) options: Option<Value>,
    /// What is right.
    pub(crate) right: Right,
}

impl Case {
    /// Whether its document holds a `\r` that stands alone, which Neovim and Helix do not count as a line break.
    #[must_use]
    pub fn has_lone_cr(&self) -> bool {
        self.doc.replace("\r\n", "").contains('\r')
    }
}

/// What is right for a case.
#[derive(Clone, Debug)]
pub(crate) enum Right {
    Derived {
        /// The right results.
        accept: Vec<String>,
        refuse: Refuse,
        /// Line ranges, from 1, inclusive.
        region: Vec<(u64, u64)>,
    },
    Applied {
        accept: Vec<String>,
        /// Codes that must be among the warnings.
        warnings: Vec<String>,
        /// Edits that must be reported as changing nothing.
        no_change: Vec<usize>,
    },
    Refused {
        conflicts: Vec<Expected>,
    },
}

/// What a refusal is to a derived case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refuse {
    Must,
    May,
    MustNot,
}

/// One conflict of a field case.
#[derive(Clone, Debug)]
pub(crate) struct Expected {
    pub(crate) edit: u64,
    pub(crate) kind: String,
    pub(crate) hints: Vec<String>,
    /// From 0: every place of an ambiguous edit, else the first line of the candidate.
    pub(crate) lines: Vec<u64>,
}

/// The cases of a file, or of every `.jsonl` file of a folder, sorted by name.
///
/// # Errors
/// Which file or line cannot be read, and why.
pub fn read(path: &Path) -> Result<Vec<Case>, String> {
    let named = |it: std::io::Error| format!("{}: {it}", path.display());
    if path.is_dir() {
        let mut files: Vec<_> = fs::read_dir(path)
            .map_err(named)?
            .collect::<Result<Vec<_>, _>>()
            .map_err(named)?
            .iter()
            .map(|it| it.path())
            .collect();
        files.retain(|it| it.extension().is_some_and(|it| it == "jsonl"));
        files.sort();
        return files.iter().map(|it| read(it)).collect::<Result<Vec<_>, _>>().map(|it| it.concat());
    }
    let text = fs::read_to_string(path).map_err(named)?;
    let lines = text.split('\n').enumerate().filter(|it| !it.1.trim().is_empty());
    lines.map(|(at, line)| parse(line).map_err(|it| format!("{}:{}: {it}", path.display(), at + 1))).collect()
}

fn parse(line: &str) -> Result<Case, String> {
    let it: Value = serde_json::from_str(line).map_err(|it| it.to_string())?;
    let text = |name: &str| it[name].as_str().map(ToOwned::to_owned).ok_or(format!("no `{name}`"));
    let derived = it.get("old").is_some();
    Ok(Case {
        id: text("id")?,
        class: text("cls")?,
        doc: text("doc")?,
        edits: if derived { json!([{"oldText": text("old")?, "newText": text("new")?}]) } else { it["edits"].clone() },
        options: (!derived).then(|| options(&it)),
        right: if derived { self::derived(&it)? } else { field(&it)? },
    })
}

fn derived(it: &Value) -> Result<Right, String> {
    let refuse = match (it["must_reject"].as_bool(), it["reject_ok"].as_bool()) {
        (Some(true), _) => Refuse::Must,
        (_, Some(true)) => Refuse::May,
        _ => Refuse::MustNot,
    };
    let region = it["region"].as_array().into_iter().flatten();
    let region =
        region.map(|it| Some((it[0].as_u64()?, it[1].as_u64()?))).collect::<Option<_>>().ok_or("a bad `region`")?;
    Ok(Right::Derived { accept: texts(&it["accept"])?, refuse, region })
}

fn field(it: &Value) -> Result<Right, String> {
    if it.get("accept").is_some() {
        return Ok(Right::Applied {
            accept: texts(&it["accept"])?,
            warnings: texts(&it["warnings"])?,
            no_change: numbers(&it["noChange"])
                .into_iter()
                .map(|it| usize::try_from(it).expect("a small number"))
                .collect(),
        });
    }
    let conflicts = it["conflicts"].as_array().ok_or("neither `accept` nor `conflicts`")?;
    let expected = |it: &Value| {
        Some(Expected {
            edit: it["edit"].as_u64()?,
            kind: it["kind"].as_str()?.to_owned(),
            hints: texts(&it["hints"]).ok()?,
            lines: numbers(&it["lines"]),
        })
    };
    let conflicts = conflicts.iter().map(expected).collect::<Option<_>>().ok_or("a bad conflict")?;
    Ok(Right::Refused { conflicts })
}

/// Whatever stands beside the case's own fields goes into the request.
fn options(it: &Value) -> Value {
    let own = ["id", "cls", "what", "doc", "edits", "accept", "conflicts", "warnings", "noChange", "ext"];
    let fields = it.as_object().into_iter().flatten().filter(|it| !own.contains(&it.0.as_str()));
    fields.map(|(name, value)| (name.clone(), value.clone())).collect()
}

fn texts(it: &Value) -> Result<Vec<String>, String> {
    let all = it.as_array().into_iter().flatten();
    all.map(|it| it.as_str().map(ToOwned::to_owned)).collect::<Option<_>>().ok_or(format!("{it} is no list of texts"))
}

fn numbers(it: &Value) -> Vec<u64> {
    it.as_array().into_iter().flatten().filter_map(Value::as_u64).collect()
}
