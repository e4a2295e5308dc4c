//! What became of a case, in the words of the corpus.

use serde_json::Value;

use super::case::{Case, Expected, Refuse, Right};

/// How a case came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// The result is a right one, or it was refused where it had to be, and what was said of it is right.
    Right,
    /// Refused, where that is fine too.
    Safe,
    /// Refused, although it had to apply.
    Missed,
    /// Applied or refused rightly, but a fact that goes with it is not.
    Facts,
    /// The right place, other white space than any right result.
    Near,
    /// Bytes outside the region changed.
    Collateral,
    /// Anything else.
    Wrong,
}

impl Outcome {
    /// All of them, from good to bad.
    pub const ALL: [Self; 7] =
        [Self::Right, Self::Safe, Self::Missed, Self::Facts, Self::Near, Self::Collateral, Self::Wrong];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Safe => "safe",
            Self::Missed => "missed",
            Self::Facts => "facts",
            Self::Near => "near",
            Self::Collateral => "collateral",
            Self::Wrong => "wrong",
        }
    }
}

/// What became of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// How it came out.
    pub outcome: Outcome,
    /// Of a refusal with a region: whether the candidate overlaps it.
    pub nearest: Option<bool>,
    /// Whether a refusal gave a candidate where nothing resembles the edit.
    pub invented: bool,
    /// Of a refusal that a person may mend: what *Apply edit here* made of it.
    pub here: Option<Here>,
    /// Why, where it is not right.
    pub detail: String,
}

/// What the action that applies a refused edit at its candidate made of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Here {
    /// A right result.
    Right,
    /// None is offered: there is no candidate.
    NotOffered,
    /// Another result, by an action whose title says that it replaces the region.
    Replaced,
    /// Another result; where it departs from a right one.
    Wrong(String),
}

impl Case {
    /// What the text that *Apply edit here* left is.
    pub(crate) fn judge_here(&self, text: &str) -> Here {
        match &self.right {
            Right::Derived { accept, .. } if accept.iter().any(|it| it == text) => Here::Right,
            Right::Derived { accept, .. } => Here::Wrong(departure(accept.first().unwrap_or(&self.doc), text)),
            _ => Here::NotOffered,
        }
    }
}

impl Verdict {
    pub(crate) fn new(outcome: Outcome, detail: impl Into<String>) -> Self {
        Self { outcome, nearest: None, invented: false, here: None, detail: detail.into() }
    }
}

/// What the server did with a case, and what the editor's document is afterwards.
#[derive(Clone, Debug)]
pub(crate) enum Done {
    Applied { text: String, result: Value },
    Refused { failures: Vec<Value> },
}

pub(crate) fn verdict(case: &Case, done: &Done) -> Verdict {
    match (&case.right, done) {
        (Right::Derived { accept, refuse, region }, Done::Applied { text, .. }) => {
            if *refuse == Refuse::Must {
                return Verdict::new(Outcome::Wrong, format!("applied, to be refused: {}", departure(&case.doc, text)));
            }
            compare(&case.doc, text, accept, region)
        }
        (Right::Derived { refuse, region, .. }, Done::Refused { failures }) => {
            let outcome = match refuse {
                Refuse::Must => Outcome::Right,
                Refuse::May => Outcome::Safe,
                Refuse::MustNot => Outcome::Missed,
            };
            let found = places(&failures[0]);
            Verdict {
                nearest: (!region.is_empty()).then(|| found.iter().any(|it| region.iter().any(|r| overlap(*it, *r)))),
                invented: region.is_empty() && !found.is_empty(),
                here: None,
                detail: format!("{}, candidate at {found:?}, region {region:?}", failures[0]["kind"]),
                outcome,
            }
        }
        (Right::Applied { accept, warnings, no_change }, Done::Applied { text, result }) => {
            let verdict = compare(&case.doc, text, accept, &[]);
            match facts_of_result(&result["documents"][0], warnings, no_change) {
                Err(fault) if verdict.outcome == Outcome::Right => Verdict::new(Outcome::Facts, fault),
                _ => verdict,
            }
        }
        (Right::Applied { .. }, Done::Refused { failures }) => {
            Verdict::new(Outcome::Missed, format!("{}: {}", failures[0]["kind"], failures[0]["message"]))
        }
        (Right::Refused { .. }, Done::Applied { text, .. }) => {
            Verdict::new(Outcome::Wrong, format!("applied, to be refused: {}", departure(&case.doc, text)))
        }
        (Right::Refused { conflicts }, Done::Refused { failures }) => match facts_of_failures(conflicts, failures) {
            Ok(()) => Verdict::new(Outcome::Right, ""),
            Err(fault) => Verdict::new(Outcome::Facts, fault),
        },
    }
}

fn compare(doc: &str, text: &str, accept: &[String], region: &[(u64, u64)]) -> Verdict {
    if accept.iter().any(|it| it == text) {
        return Verdict::new(Outcome::Right, "");
    }
    let solid = |it: &str| it.split_whitespace().collect::<String>();
    let outcome = if !region.is_empty() && !region.iter().any(|it| keeps_outside(doc, text, *it)) {
        Outcome::Collateral
    } else if accept.iter().any(|it| solid(it) == solid(text)) {
        Outcome::Near
    } else {
        Outcome::Wrong
    };
    Verdict::new(outcome, departure(accept.first().map_or(doc, String::as_str), text))
}

/// Whether `text` is `doc` with nothing changed but lines `from..=to`, counted from 1.
fn keeps_outside(doc: &str, text: &str, (from, to): (u64, u64)) -> bool {
    let starts = || std::iter::once(0).chain(line_ends(doc));
    let line = |it: u64| usize::try_from(it).expect("a small number");
    let start = starts().nth(line(from) - 1).unwrap_or(doc.len());
    let end = starts().nth(line(to)).unwrap_or(doc.len());
    text.len() >= start + (doc.len() - end) && text.starts_with(&doc[..start]) && text.ends_with(&doc[end..])
}

/// Where the lines end, their line breaks included.
fn line_ends(text: &str) -> impl Iterator<Item = usize> {
    let bytes = text.as_bytes();
    let ends = |it: &usize| bytes[*it] == b'\n' || bytes[*it] == b'\r' && bytes.get(it + 1) != Some(&b'\n');
    (0..bytes.len()).filter(ends).map(|it| it + 1)
}

/// The first line that differs, for a person.
fn departure(wanted: &str, got: &str) -> String {
    let at = wanted.split('\n').zip(got.split('\n')).take_while(|it| it.0 == it.1).count();
    let line = |of: &str| of.split('\n').nth(at).map_or("(end)".to_owned(), |it| format!("{:.120?}", it));
    format!("line {}: got {}, wanted {}", at + 1, line(got), line(wanted))
}

/// The lines, from 1, that a failure points at.
fn places(failure: &Value) -> Vec<(u64, u64)> {
    let candidate = failure.get("candidate").filter(|it| !it.is_null()).map(|it| &it["range"]);
    let locations = failure["locations"].as_array().into_iter().flatten();
    let lines = |it: &Value| Some((it["start"]["line"].as_u64()? + 1, it["end"]["line"].as_u64()? + 1));
    candidate.into_iter().chain(locations).filter_map(lines).collect()
}

fn overlap(one: (u64, u64), other: (u64, u64)) -> bool {
    one.0 <= other.1 && other.0 <= one.1
}

fn facts_of_result(document: &Value, warnings: &[String], no_change: &[usize]) -> Result<(), String> {
    let given: Vec<_> =
        document["warnings"].as_array().into_iter().flatten().filter_map(|it| it["code"].as_str()).collect();
    if let Some(it) = warnings.iter().find(|it| !given.contains(&it.as_str())) {
        return Err(format!("no warning {it} among {given:?}"));
    }
    match no_change.iter().find(|&&it| document["appliedEdits"][it]["noChange"] != true) {
        Some(it) => Err(format!("edit {it} is not reported as changing nothing: {}", document["appliedEdits"])),
        None => Ok(()),
    }
}

fn facts_of_failures(expected: &[Expected], failures: &[Value]) -> Result<(), String> {
    let failing: Vec<_> = failures.iter().filter_map(|it| it["edit"].as_u64()).collect();
    if failing != expected.iter().map(|it| it.edit).collect::<Vec<_>>() {
        return Err(format!("edits {failing:?} fail"));
    }
    for (expected, failure) in expected.iter().zip(failures) {
        if failure["kind"] != *expected.kind {
            return Err(format!("kind {} instead of {}", failure["kind"], expected.kind));
        }
        let hints: Vec<_> =
            failure["hints"].as_array().into_iter().flatten().filter_map(|it| it["kind"].as_str()).collect();
        if let Some(it) = expected.hints.iter().find(|it| !hints.contains(&it.as_str())) {
            return Err(format!("no hint {it} among {hints:?}"));
        }
        let found: Vec<_> = match expected.kind.as_str() {
            "ambiguous" => failure["lines"].as_array().into_iter().flatten().filter_map(Value::as_u64).collect(),
            _ => failure["candidate"]["range"]["start"]["line"].as_u64().into_iter().collect(),
        };
        if !expected.lines.is_empty() && found != expected.lines {
            return Err(format!("lines {found:?} instead of {:?}", expected.lines));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::case::{Case, Refuse, Right};
    use super::{Done, Outcome, verdict};

    const DOC: &str = "a\nb\nc\n";

    fn case(refuse: Refuse) -> Case {
        Case {
            id: "x".to_owned(),
            class: "x".to_owned(),
            doc: DOC.to_owned(),
            edits: json!([]),
            options: None,
            right: Right::Derived { accept: vec!["a\nB\nc\n".to_owned()], refuse, region: vec![(2, 2)] },
        }
    }

    #[track_caller]
    fn check_applied(refuse: Refuse, text: &str, outcome: Outcome) {
        let done = Done::Applied { text: text.to_owned(), result: Value::Null };
        assert_eq!(verdict(&case(refuse), &done).outcome, outcome, "{text:?}");
    }

    #[test]
    fn a_result_is_right_near_collateral_or_wrong() {
        check_applied(Refuse::MustNot, "a\nB\nc\n", Outcome::Right);
        check_applied(Refuse::MustNot, "a\n B\nc\n", Outcome::Near);
        check_applied(Refuse::MustNot, "a\nX\nc\n", Outcome::Wrong);
        check_applied(Refuse::MustNot, "A\nB\nc\n", Outcome::Collateral);
        check_applied(Refuse::MustNot, "a\nB\n\nc", Outcome::Collateral);
        check_applied(Refuse::Must, "a\nB\nc\n", Outcome::Wrong);
    }

    #[test]
    fn a_refusal_is_right_safe_or_missed_and_near_its_region_or_not() {
        for (refuse, line, outcome, nearest) in [
            (Refuse::Must, 1, Outcome::Right, true),
            (Refuse::May, 2, Outcome::Safe, false),
            (Refuse::MustNot, 0, Outcome::Missed, false),
        ] {
            let range = json!({"start": {"line": line, "character": 0}, "end": {"line": line, "character": 1}});
            let failures = vec![json!({"kind": "not-found", "candidate": {"range": range}})];
            let found = verdict(&case(refuse), &Done::Refused { failures });
            assert_eq!((found.outcome, found.nearest), (outcome, Some(nearest)));
        }
    }
}
