//! From the wire to a batch: gate, shape, limits. Every refusal names the field it is about.

mod documents;

use agent_edit_engine as engine;
use agent_edit_engine::{Edit, FindReplace, Line, LineInsert, LineReplace, Options};
use serde_json::Value;
use tower_lsp::ls_types::ProgressToken;

use crate::batch::{Batch, Matches, Mode, Saving};
use crate::feature_gate::{self, entries};
use crate::features::Agreed;
use crate::limits::{AGENT_CHARACTERS, LABEL_CHARACTERS};
use crate::parsing::{is_object, parsed};
use crate::protocol::{
    AgentEditParams, Anchoring, LineEndings, Matching, Mode as WireMode, TextualEdit, WorkDoneToken,
};
use crate::refusal::Refusal;
use crate::settings::Settings;

/// The batch `params` ask for, with the person's settings for what they leave open.
pub(crate) fn batch(params: Value, agreed: &Agreed, settings: &Settings) -> Result<Batch, Refusal> {
    feature_gate::check(&params, agreed)?;
    for (path, value) in objects(&params) {
        is_object(&path, value)?;
    }
    let params: AgentEditParams = parsed(params)?;
    let agent = bounded("agent", params.agent, AGENT_CHARACTERS)?;
    let label = bounded("label", params.label, LABEL_CHARACTERS)?;
    let told = params.matching.is_some()
        || params.documents.iter().filter_map(|it| it.edits.as_ref()).flatten().any(asks_for_all);
    let options = Options {
        matching: params.matching.map_or(settings.matching, matching),
        anchoring: params.anchoring.map_or(engine::Anchoring::Sequential, anchoring),
        line_endings: params.line_endings.map_or(engine::LineEndings::Document, line_endings),
        partial_only: params.partial_only.unwrap_or(false),
        allow_placeholders: params.allow_placeholders.unwrap_or(false),
        output_limit: settings.limits.result_bytes,
    };
    let (documents, operations) = documents::documents(params.documents, &settings.limits)?;
    Ok(Batch {
        agent: agent.unwrap_or_else(|| "agent".to_owned()),
        label,
        mode: params.mode.map_or(Mode::Apply, mode),
        options,
        progress: params.work_done_token.map(progress_token),
        matches: if told { Matches::Told } else { Matches::Untold },
        saving: if params.save == Some(true) { Saving::Asked } else { Saving::Unasked },
        documents,
        operations,
    })
}

/// What has to be an object, as far as it is there: into an array of the fields' values the gate does not look.
fn objects(params: &Value) -> Vec<(String, &Value)> {
    let mut objects = vec![];
    for (number, document) in entries(params, "documents") {
        let path = format!("documents[{number}]");
        objects.extend(document.get("textDocument").map(|it| (format!("{path}.textDocument"), it)));
        let operations = ["create", "delete", "rename"].into_iter();
        objects.extend(operations.filter_map(|it| Some((format!("{path}.{it}"), document.get(it)?))));
        objects.extend(entries(document, "edits").map(|(number, it)| (format!("{path}.edits[{number}]"), it)));
        objects.push((path, document));
    }
    objects
}

fn bounded(field: &str, text: Option<String>, limit: usize) -> Result<Option<String>, Refusal> {
    match text {
        Some(text) if text.chars().count() > limit => {
            Err(Refusal::InvalidParams(format!("{field}: at most {limit} characters")))
        }
        text => Ok(text),
    }
}

fn asks_for_all(edit: &TextualEdit) -> bool {
    edit.replace_all == Some(true)
}

/// The engine's matching.
pub(crate) fn matching(wire: Matching) -> engine::Matching {
    match wire {
        Matching::Exact => engine::Matching::Exact,
        Matching::Tolerant => engine::Matching::Tolerant,
        Matching::Lenient => engine::Matching::Lenient,
    }
}

fn anchoring(wire: Anchoring) -> engine::Anchoring {
    match wire {
        Anchoring::Sequential => engine::Anchoring::Sequential,
        Anchoring::Original => engine::Anchoring::Original,
    }
}

fn line_endings(wire: LineEndings) -> engine::LineEndings {
    match wire {
        LineEndings::Document => engine::LineEndings::Document,
        LineEndings::AsGiven => engine::LineEndings::AsGiven,
    }
}

fn progress_token(wire: WorkDoneToken) -> ProgressToken {
    match wire {
        WorkDoneToken::Number(it) => ProgressToken::Number(it),
        WorkDoneToken::String(it) => ProgressToken::String(it),
    }
}

fn mode(wire: WireMode) -> Mode {
    match wire {
        WireMode::Apply => Mode::Apply,
        WireMode::Preview => Mode::Preview,
        WireMode::Review => Mode::Review,
    }
}

fn is_sha256(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|it| it.is_ascii_digit() || (b'a'..=b'f').contains(&it))
}

fn misshapen(path: &str, number: usize, field: &str, what: &str) -> Refusal {
    let dot = if field.is_empty() { "" } else { "." };
    Refusal::InvalidParams(format!("{path}.edits[{number}]{dot}{field}: {what}"))
}

/// The edit whose fields are there; else the field that is wrong and why.
fn edit(wire: TextualEdit) -> Result<Edit, (&'static str, String)> {
    match (&wire.old_text, wire.from) {
        (Some(_), Some(_)) => Err(("", "oldText and from cannot stand together".to_owned())),
        (Some(_), None) => find_replace(wire).map(Edit::FindReplace),
        (None, Some(from)) => line_edit(from, wire),
        (None, None) => Err(("", "expected oldText, or from".to_owned())),
    }
}

fn find_replace(wire: TextualEdit) -> Result<FindReplace, (&'static str, String)> {
    for (field, is_there) in [("to", wire.to.is_some()), ("expectedText", wire.expected_text.is_some())] {
        if is_there {
            return Err((field, "belongs to an edit with from, not to one with oldText".to_owned()));
        }
    }
    Ok(FindReplace {
        old_text: wire.old_text.unwrap_or_default(),
        new_text: new_text(wire.new_text)?,
        replace_all: wire.replace_all.unwrap_or(false),
        expected_occurrences: wire.expected_occurrences.map(index),
        at_line: wire.at_line.map(|it| Line(index(it))),
    })
}

fn line_edit(from: u32, wire: TextualEdit) -> Result<Edit, (&'static str, String)> {
    let foreign = [
        ("replaceAll", wire.replace_all.is_some()),
        ("expectedOccurrences", wire.expected_occurrences.is_some()),
        ("atLine", wire.at_line.is_some()),
    ];
    for (field, is_there) in foreign {
        if is_there {
            return Err((field, "belongs to an edit with oldText, not to one with from".to_owned()));
        }
    }
    let from_line = Line(index(from));
    let new_text = new_text(wire.new_text)?;
    match wire.to {
        Some(to) if to < from => Err(("to", format!("expected at least from, which is {from}"))),
        Some(to) => Ok(Edit::LineReplace(LineReplace {
            from: from_line,
            to: Line(index(to)),
            new_text,
            expected_text: wire.expected_text,
        })),
        None if wire.expected_text.is_some() => {
            Err(("expectedText", "needs to: an insert replaces no lines".to_owned()))
        }
        None => Ok(Edit::LineInsert(LineInsert { from: from_line, new_text })),
    }
}

fn new_text(text: Option<String>) -> Result<String, (&'static str, String)> {
    text.ok_or_else(|| ("newText", "missing".to_owned()))
}

/// A count from the wire.
pub(crate) fn index(number: u32) -> usize {
    usize::try_from(number).expect("this program is not built for machines of 16 bits")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::limits::Limits;

    fn agreed() -> Agreed {
        Agreed::with(&crate::features::BUILT.map(|it| it.name().to_owned()))
    }

    fn batch(params: Value, agreed: &Agreed) -> Result<Batch, Refusal> {
        super::batch(params, agreed, &Settings::default())
    }

    fn with_edits(edits: Value) -> Value {
        json!({"documents": [{"textDocument": {"uri": "file:///a"}, "edits": edits}]})
    }

    #[track_caller]
    fn check_refused(params: &Value, message: &str) {
        match batch(params.clone(), &agreed()) {
            Err(Refusal::InvalidParams(found)) => assert_eq!(found, message),
            other => panic!("{other:?}"),
        }
    }

    #[track_caller]
    fn check_edit(edit: Value, expected: Edit) {
        let batch = batch(with_edits(json!([edit])), &agreed()).unwrap();
        assert_eq!(*batch.documents[0].edits, [expected]);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_path() {
        let good = json!({"textDocument": {"uri": "file:///a"}, "edits": [{"oldText": "a", "newText": "b"}]});
        let edits = json!([good["edits"][0], good["edits"][0], good["edits"][0], {"oldText": "a", "newText": 3}]);
        let bad = json!({"textDocument": {"uri": "file:///b"}, "edits": edits});
        check_refused(&json!({"documents": [good, bad]}), "documents[1].edits[3].newText: expected a string");
        check_refused(&json!({}), "documents: missing");
        check_refused(&json!([]), "params: expected an object");
        check_refused(&json!({"documents": {}}), "documents: expected an array");
        check_refused(&json!({"documents": [1]}), "documents[0]: expected an object");
        check_refused(&json!({"documents": [{"edits": []}]}), "documents[0].textDocument: missing");
        check_refused(&json!({"documents": []}), "documents: expected at least one");
        check_refused(&with_edits(json!([])), "documents[0].edits: expected at least one");
        check_refused(&json!({"documents": [], "partialOnly": "yes"}), "partialOnly: expected a boolean");
        check_refused(
            &json!({"documents": [], "matching": "fuzzy"}),
            "matching: expected one of `exact`, `tolerant`, `lenient`",
        );
        check_refused(&json!({"documents": [], "agent": "x".repeat(65)}), "agent: at most 64 characters");
    }

    #[test]
    fn an_array_of_values_is_no_object() {
        let with = |document: Value| json!({"documents": [document]});
        check_refused(&json!([[], null, null, null, null, null, null, null, null]), "params: expected an object");
        check_refused(&with(json!([{"uri": "a:b"}, null, []])), "documents[0]: expected an object");
        let document = json!({"textDocument": ["a:b", null], "edits": []});
        check_refused(&with(document), "documents[0].textDocument: expected an object");
        // All of an edit's fields, `replaceAll` among them, which nobody negotiated.
        let values = json!(["a", "b", true, null, null, null, null, null]);
        check_refused(&with_edits(json!([values])), "documents[0].edits[0]: expected an object");
    }

    #[test]
    fn null_is_a_value_of_the_wrong_type_and_a_word_is_a_string() {
        let check = |field: &str, value: Value, what: &str| {
            let mut params = with_edits(json!([{"oldText": "a", "newText": "b"}]));
            params[field] = value;
            check_refused(&params, &format!("{field}: expected a {what}"));
        };
        check("agent", Value::Null, "string");
        check("partialOnly", Value::Null, "boolean");
        check("matching", Value::Null, "string");
        check("matching", json!({"lenient": null}), "string");
        check("mode", json!(["preview"]), "string");
        let edit = json!({"oldText": "a", "newText": "b", "expectedOccurrences": null});
        check_refused(
            &with_edits(json!([edit])),
            "documents[0].edits[0].expectedOccurrences: expected a number from 0",
        );
        let mut params = with_edits(json!([{"oldText": "a", "newText": "b"}]));
        params["documents"][0]["expectedBaseSha256"] = Value::Null;
        check_refused(&params, "documents[0].expectedBaseSha256: expected a string");
        params = with_edits(json!([{"oldText": "a", "newText": "b", "colour": null}]));
        params["documents"][0]["textDocument"]["version"] = Value::Null;
        assert!(batch(params, &agreed()).is_ok());
    }

    #[test]
    fn an_entry_is_edits_or_one_operation() {
        let check = |entry: Value, what: &str| check_refused(&json!({"documents": [entry]}), what);
        let create = json!({"uri": "file:///a", "content": ""});
        check(json!({}), "documents[0].textDocument: missing");
        check(json!({"textDocument": {"uri": "file:///a"}}), "documents[0].edits: missing");
        check(json!({"create": create, "edits": []}), "documents[0]: edits cannot stand beside create");
        check(
            json!({"create": create, "delete": {"uri": "file:///b"}}),
            "documents[0]: delete cannot stand beside create",
        );
        check(json!({"create": []}), "documents[0].create: expected an object");
        check(json!({"create": {"uri": "file:///a"}}), "documents[0].create.content: missing");
        check(json!({"delete": {"uri": "a"}}), "documents[0].delete.uri: expected a URI");
        check(json!({"rename": {"oldUri": "file:///a", "newUri": 1}}), "documents[0].rename.newUri: expected a string");
        check(
            json!({"rename": {"oldUri": "file:///a", "newUri": "file:///%61"}}),
            "documents[0].rename.newUri: the same file as oldUri",
        );
        check(
            json!({"delete": {"uri": "file:///a", "expectedBaseSha256": "A"}}),
            "documents[0].delete.expectedBaseSha256: expected 64 lower-case hex digits",
        );
    }

    #[test]
    fn a_file_is_in_one_entry() {
        let edits = json!([{"oldText": "a", "newText": "b"}]);
        let edit = json!({"textDocument": {"uri": "file:///a"}, "edits": edits});
        let refused = |entry: Value, what: &str| check_refused(&json!({"documents": [edit, entry]}), what);
        refused(
            json!({"delete": {"uri": "file:///%61"}}),
            "documents[1].delete.uri: the same file as documents[0]; a batch has one entry for each",
        );
        refused(
            json!({"rename": {"oldUri": "file:///b", "newUri": "file:///a"}}),
            "documents[1].rename.newUri: the same file as documents[0]; a batch has one entry for each",
        );
    }

    #[test]
    fn the_content_of_a_new_file_counts_like_the_text_of_an_edit() {
        let content = "x".repeat(Limits::DEFAULT.edit_bytes + 1);
        match batch(json!({"documents": [{"create": {"uri": "file:///a", "content": content}}]}), &agreed()) {
            Err(Refusal::LimitExceeded { limit: "editBytes", .. }) => {}
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_document_is_named_once_and_rightly() {
        let mut params = with_edits(json!([{"oldText": "a", "newText": "b"}]));
        let mut twin = params["documents"][0].clone();
        twin["textDocument"]["uri"] = json!("file:///%61");
        params["documents"].as_array_mut().unwrap().push(twin);
        check_refused(&params, "documents[1].textDocument.uri: the same document as documents[0]");
        params["documents"][0]["textDocument"]["uri"] = json!("no uri");
        check_refused(&params, "documents[0].textDocument.uri: expected a URI");
        params["documents"][0] = json!({"textDocument": {"uri": "a:b", "version": "1"}, "edits": []});
        check_refused(&params, "documents[0].textDocument.version: expected an integer");
    }

    #[test]
    fn the_fields_that_are_there_decide_the_shape() {
        check_edit(
            json!({"oldText": "a", "newText": "b", "atLine": 3, "x": 1}),
            Edit::FindReplace(FindReplace {
                old_text: "a".to_owned(),
                new_text: "b".to_owned(),
                at_line: Some(Line(3)),
                ..FindReplace::default()
            }),
        );
        check_edit(
            json!({"from": 1, "to": 2, "newText": ""}),
            Edit::LineReplace(LineReplace { from: Line(1), to: Line(2), new_text: String::new(), expected_text: None }),
        );
        check_edit(
            json!({"from": 1, "newText": "x"}),
            Edit::LineInsert(LineInsert { from: Line(1), new_text: "x".to_owned() }),
        );
    }

    #[test]
    fn a_shape_that_is_none_says_why() {
        let check = |edit: Value, what: &str| {
            check_refused(&with_edits(json!([edit])), &format!("documents[0].edits[0]{what}"));
        };
        check(json!({"newText": ""}), ": expected oldText, or from");
        check(json!({"oldText": "a", "from": 1, "newText": ""}), ": oldText and from cannot stand together");
        check(json!({"oldText": "a"}), ".newText: missing");
        check(json!({"from": 2, "to": 1, "newText": ""}), ".to: expected at least from, which is 2");
        check(json!({"from": -1, "newText": ""}), ".from: expected a number from 0 to 4294967295");
        check(json!({"from": 4_294_967_296_u64, "newText": ""}), ".from: expected a number from 0 to 4294967295");
        check(json!({"from": 1.5, "newText": ""}), ".from: expected a number from 0");
        check(
            json!({"from": 1, "newText": "", "atLine": 1}),
            ".atLine: belongs to an edit with oldText, not to one with from",
        );
        check(
            json!({"oldText": "a", "newText": "", "expectedText": ""}),
            ".expectedText: belongs to an edit with from, not to one with oldText",
        );
        check(
            json!({"from": 1, "newText": "", "expectedText": ""}),
            ".expectedText: needs to: an insert replaces no lines",
        );
    }

    #[test]
    fn a_limit_is_named_with_its_value() {
        let edits = vec![json!({"oldText": "a", "newText": "b"}); Limits::DEFAULT.edits + 1];
        match batch(with_edits(Value::Array(edits)), &agreed()) {
            Err(Refusal::LimitExceeded { limit: "edits", value: 1_000, actual: 1_001, .. }) => {}
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn matches_are_told_to_who_asked_for_them() {
        let told = |params: &Value| batch(params.clone(), &agreed()).unwrap().matches;
        let mut params = with_edits(json!([{"oldText": "a", "newText": "b"}]));
        assert_eq!(told(&params), Matches::Untold);
        params["matching"] = json!("exact");
        assert_eq!(told(&params), Matches::Told);
        assert_eq!(told(&with_edits(json!([{"oldText": "a", "newText": "b", "replaceAll": true}]))), Matches::Told);
    }
}
