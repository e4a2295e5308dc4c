//! A refusal as the JSON-RPC error the protocol has for it. Messages are made here and nowhere earlier.

use agent_edit_engine as engine;
use tower_lsp::jsonrpc::{Error, ErrorCode};

use crate::features::Feature;
use crate::protocol::{ConflictData, DivergedDocument, DivergedState, RefusalData, StaleDocument, to_value};
use crate::refusal::{DocumentProblem, Refusal};

/// LSP's RequestFailed: well formed, and still not done.
const REQUEST_FAILED: ErrorCode = ErrorCode::ServerError(-32803);

/// The error for `refusal`. Its message is bounded like a report; its data has all of it.
pub(crate) fn error(refusal: Refusal) -> Error {
    let mut error = unbounded(refusal);
    let mut beyond = error.message.char_indices().skip(engine::REPORT_LIMIT - 1);
    if let (Some((end, _)), Some(_)) = (beyond.next(), beyond.next()) {
        error.message = format!("{}…", &error.message[..end]).into();
    }
    error
}

/// What the agent knows `refusal` by: its code by name, else the number.
pub(crate) fn name(refusal: Refusal) -> String {
    let error = unbounded(refusal);
    let named = error.data.as_ref().and_then(|it| it["code"].as_str());
    named.map_or_else(|| error.code.code().to_string(), str::to_owned)
}

fn unbounded(refusal: Refusal) -> Error {
    match refusal {
        Refusal::InvalidParams(message) => Error::invalid_params(message),
        Refusal::UnsupportedFeature { field, needs } => unsupported(field, &needs),
        Refusal::LimitExceeded { what, limit, value, actual } => {
            let message = format!("{what} exceeds the limit {limit}: {actual}, where at most {value} are accepted.");
            let data =
                RefusalData { limit: Some(limit), value: Some(value), actual: Some(actual), ..data("LIMIT_EXCEEDED") };
            made(REQUEST_FAILED, message, data)
        }
        Refusal::Document { uri, problem } => document(uri, &problem),
        Refusal::StaleBase(documents) => {
            let message = stale_message(&documents);
            made(ErrorCode::ContentModified, message, RefusalData { documents: Some(documents), ..data("STALE_BASE") })
        }
        Refusal::Conflict(refused) => Error {
            code: REQUEST_FAILED,
            message: refused.report.into(),
            data: Some(to_value(ConflictData {
                code: "EDIT_CONFLICT",
                batch_id: refused.batch_id,
                edit_count: refused.edit_count,
                failures: refused.failures,
                operations_not_done: refused.operations,
            })),
        },
        Refusal::NotApplied { reason, uri } => {
            let what = uri.as_ref().map(|it| format!(" to {it}")).unwrap_or_default();
            let message = format!("Not applied{what}: {reason}. Nothing was changed.");
            made(REQUEST_FAILED, message, RefusalData { reason: Some(reason), uri, ..data("NOT_APPLIED") })
        }
        Refusal::ContentModified { reason, diverged } => {
            let outcome = match &diverged {
                None => "Nothing was changed by this batch.".to_owned(),
                Some(documents) => {
                    documents.iter().map(|it| format!("{} {}.", it.uri, state(it))).collect::<Vec<_>>().join(" ")
                }
            };
            let message = format!("Content modified: {reason}. {outcome}");
            let data = RefusalData { reason: Some(reason), diverged, ..data("CONTENT_MODIFIED") };
            made(ErrorCode::ContentModified, message, data)
        }
        Refusal::Cancelled => Error { message: "Cancelled: nothing was changed.".into(), ..Error::request_cancelled() },
        Refusal::CancelledInReview => {
            let reason = "the editor goes on asking the person, who may still apply it; until then other batches on the \
                          same documents wait";
            let data = RefusalData { reason: Some(reason.to_owned()), ..data("STILL_ASKED") };
            made(ErrorCode::RequestCancelled, format!("Cancelled, and not taken back: {reason}."), data)
        }
        Refusal::Internal(message) => Error { message: message.into(), ..Error::internal_error() },
    }
}

fn data(code: &'static str) -> RefusalData {
    RefusalData { code, ..RefusalData::default() }
}

fn made(code: ErrorCode, message: String, data: RefusalData) -> Error {
    Error { code, message: message.into(), data: Some(to_value(data)) }
}

fn unsupported(field: String, needs: &[Feature]) -> Error {
    let names = needs.iter().map(|it| format!("`{}`", it.name())).collect::<Vec<_>>().join(" or ");
    let message = format!("{field}: needs the feature {names}, which client and server did not both name.");
    let data =
        RefusalData { field: Some(field), feature: needs.first().map(|it| it.name()), ..data("UNSUPPORTED_FEATURE") };
    made(ErrorCode::InvalidParams, message, data)
}

fn document(uri: String, problem: &DocumentProblem) -> Error {
    let (code, why) = match problem {
        DocumentProblem::OutsideWorkspace(why) => ("OUTSIDE_WORKSPACE", (*why).to_owned()),
        DocumentProblem::NotAFile(why) => ("NOT_A_FILE", (*why).to_owned()),
        DocumentProblem::NotUtf8 => ("NOT_UTF8", "it is not valid UTF-8".to_owned()),
        DocumentProblem::NotFound(why) => ("NOT_FOUND", (*why).to_owned()),
        DocumentProblem::Exists(why) => ("EXISTS", (*why).to_owned()),
        DocumentProblem::ReadOnly(why) => ("READ_ONLY", (*why).to_owned()),
        DocumentProblem::Unreadable(why) => ("NOT_FOUND", format!("it cannot be read ({why})")),
    };
    made(REQUEST_FAILED, format!("{uri}: {why}."), RefusalData { uri: Some(uri), reason: Some(why), ..data(code) })
}

fn stale_message(documents: &[StaleDocument]) -> String {
    let version = |it: Option<i32>| it.map_or("none (not open)".to_owned(), |it| it.to_string());
    let document = |it: &StaleDocument| {
        let mut facts = vec![];
        if let Some(fence) = &it.version {
            facts.push(format!("version {} was expected, it is {}", version(fence.expected), version(fence.actual)));
        }
        if let Some(fence) = &it.base_sha256 {
            facts.push(format!("base {} was expected, it is {}", fence.expected, fence.actual));
        }
        format!("{}: {}.", it.uri, facts.join("; "))
    };
    let documents = documents.iter().map(document).collect::<Vec<_>>().join(" ");
    format!("Stale base, nothing was changed; read again and send the batch for what is there now. {documents}")
}

fn state(document: &DivergedDocument) -> &'static str {
    match (document.state, document.operation) {
        (DivergedState::Applied, None) => "holds the result",
        (DivergedState::Applied, Some("create")) => "was created",
        (DivergedState::Applied, Some("delete")) => "was deleted",
        (DivergedState::Applied, Some(_)) => "was renamed",
        (DivergedState::NotApplied, None) => "was not changed by it",
        (DivergedState::NotApplied, Some("create")) => "was not created",
        (DivergedState::NotApplied, Some("delete")) => "was not deleted",
        (DivergedState::NotApplied, Some(_)) => "was not renamed",
        (DivergedState::Different, None) => "holds another text than the result",
        (DivergedState::Different, Some(_)) => "is neither what it was nor what it was to be",
        (DivergedState::Unknown, None) => "is not known to hold it: it is not shown, or was closed or lost meanwhile",
        (DivergedState::Unknown, Some(_)) => "is not known to hold what it was to: it is not shown",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::protocol::Fence;

    #[track_caller]
    fn check(refusal: Refusal, code: i64, message: &str, data: Value) {
        let error = error(refusal);
        assert_eq!((error.code.code(), error.message.as_ref()), (code, message));
        assert_eq!(error.data.unwrap_or_default(), data);
    }

    #[test]
    fn every_refusal_has_its_code_its_sentence_and_its_facts() {
        check(Refusal::InvalidParams("a: missing".to_owned()), -32602, "a: missing", Value::Null);
        check(
            Refusal::UnsupportedFeature { field: "matching".to_owned(), needs: vec![Feature::LenientMatch] },
            -32602,
            "matching: needs the feature `lenient_match`, which client and server did not both name.",
            json!({"code": "UNSUPPORTED_FEATURE", "field": "matching", "feature": "lenient_match"}),
        );
        check(
            Refusal::LimitExceeded { what: "the batch".to_owned(), limit: "edits", value: 2, actual: 3 },
            -32803,
            "the batch exceeds the limit edits: 3, where at most 2 are accepted.",
            json!({"code": "LIMIT_EXCEEDED", "limit": "edits", "value": 2, "actual": 3}),
        );
        check(
            Refusal::Document { uri: "f:a".to_owned(), problem: DocumentProblem::NotUtf8 },
            -32803,
            "f:a: it is not valid UTF-8.",
            json!({"code": "NOT_UTF8", "uri": "f:a", "reason": "it is not valid UTF-8"}),
        );
        check(
            Refusal::NotApplied { reason: "the editor refused: no".to_owned(), uri: None },
            -32803,
            "Not applied: the editor refused: no. Nothing was changed.",
            json!({"code": "NOT_APPLIED", "reason": "the editor refused: no"}),
        );
        check(Refusal::Cancelled, -32800, "Cancelled: nothing was changed.", Value::Null);
    }

    #[test]
    fn a_message_is_bounded_whatever_it_quotes() {
        let error = error(Refusal::InvalidParams("é".repeat(1_000_000)));
        assert_eq!(error.message, format!("{}…", "é".repeat(engine::REPORT_LIMIT - 1)));
    }

    #[test]
    fn a_stale_base_gives_both_sides() {
        let stale = StaleDocument {
            uri: "f:a".to_owned(),
            version: Some(Fence { expected: Some(3), actual: None }),
            base_sha256: Some(Fence { expected: "e".to_owned(), actual: "a".to_owned() }),
        };
        check(
            Refusal::StaleBase(vec![stale]),
            -32801,
            "Stale base, nothing was changed; read again and send the batch for what is there now. \
             f:a: version 3 was expected, it is none (not open); base e was expected, it is a.",
            json!({"code": "STALE_BASE", "documents": [{
                "uri": "f:a",
                "version": {"expected": 3, "actual": null},
                "baseSha256": {"expected": "e", "actual": "a"},
            }]}),
        );
    }

    #[test]
    fn what_diverged_is_said_document_by_document() {
        let document = |uri: &str, state| DivergedDocument { uri: uri.to_owned(), operation: None, state };
        let diverged = vec![document("f:a", DivergedState::Applied), document("f:b", DivergedState::NotApplied)];
        check(
            Refusal::ContentModified { reason: "the editor refused: stale".to_owned(), diverged: Some(diverged) },
            -32801,
            "Content modified: the editor refused: stale. f:a holds the result. f:b was not changed by it.",
            json!({"code": "CONTENT_MODIFIED", "reason": "the editor refused: stale", "diverged": [
                {"uri": "f:a", "state": "applied"}, {"uri": "f:b", "state": "notApplied"},
            ]}),
        );
    }
}
