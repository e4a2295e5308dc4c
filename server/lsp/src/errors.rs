//! A refusal as the JSON-RPC error the protocol has for it. Messages are made here and nowhere earlier.

use tower_lsp::jsonrpc::{Error, ErrorCode};

use crate::features::Feature;
use crate::protocol::{ConflictData, DivergedState, RefusalData, StaleDocument, to_value};
use crate::refusal::{DocumentProblem, Refusal};

/// LSP's RequestFailed: well formed, and still not done.
const REQUEST_FAILED: ErrorCode = ErrorCode::ServerError(-32803);

/// The error for `refusal`.
pub(crate) fn error(refusal: Refusal) -> Error {
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
                    documents.iter().map(|it| format!("{} {}.", it.uri, state(it.state))).collect::<Vec<_>>().join(" ")
                }
            };
            let message = format!("Content modified: {reason}. {outcome}");
            let data = RefusalData { reason: Some(reason), diverged, ..data("CONTENT_MODIFIED") };
            made(ErrorCode::ContentModified, message, data)
        }
        Refusal::Cancelled => Error { message: "Cancelled: nothing was changed.".into(), ..Error::request_cancelled() },
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

fn state(state: DivergedState) -> &'static str {
    match state {
        DivergedState::Applied => "holds the result",
        DivergedState::NotApplied => "was not changed by it",
        DivergedState::Different => "holds another text than the result",
        DivergedState::Unknown => "was closed or lost meanwhile",
    }
}
