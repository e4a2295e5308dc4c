//! What the person may set, section `agentEdit`. A value that is wrong is told of and left out; the others are taken.

use std::time::Duration;

use agent_edit_engine::Matching;
use serde_json::Value;
use tower_lsp::ls_types::DiagnosticSeverity;

use crate::limits::Limits;

/// The section of the editor's configuration.
pub(crate) const SECTION: &str = "agentEdit";

/// The settings in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    /// How the editor shows conflicts.
    pub severity: DiagnosticSeverity,
    /// After the last change of a document, before its conflicts are looked for again.
    pub diagnose_delay: Duration,
    /// For batches that do not say.
    pub matching: Matching,
    /// How large a batch may be.
    pub limits: Limits,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            severity: DiagnosticSeverity::WARNING,
            diagnose_delay: Duration::from_millis(200),
            matching: Matching::Exact,
            limits: Limits::DEFAULT,
        }
    }
}

/// A setting whose value was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wrong {
    /// With its section: `agentEdit.limits.edits`.
    pub setting: String,
    /// As it was given, in JSON.
    pub value: String,
    pub expected: String,
}

/// A setting that takes one of these words, and what the n-th of them sets.
type Words = (&'static str, &'static [&'static str], fn(&mut Settings, usize));
/// A setting that takes a number between these, and what it sets.
type Number = (&'static str, usize, usize, fn(&mut Settings, usize));

const WORDS: [Words; 2] = [
    ("/severity", &["error", "warning", "information", "hint"], |it, nth| {
        use DiagnosticSeverity as Severity;
        it.severity = [Severity::ERROR, Severity::WARNING, Severity::INFORMATION, Severity::HINT][nth];
    }),
    ("/matching", &["exact", "tolerant", "lenient"], |it, nth| {
        it.matching = [Matching::Exact, Matching::Tolerant, Matching::Lenient][nth];
    }),
];

const NUMBERS: [Number; 7] = [
    ("/diagnoseDelay", 0, 60_000, |it, value| it.diagnose_delay = Duration::from_millis(value as u64)),
    ("/limits/documents", 1, Limits::MOST.documents, |it, value| it.limits.documents = value),
    ("/limits/edits", 1, Limits::MOST.edits, |it, value| it.limits.edits = value),
    ("/limits/documentBytes", 1, Limits::MOST.document_bytes, |it, value| it.limits.document_bytes = value),
    ("/limits/editBytes", 1, Limits::MOST.edit_bytes, |it, value| it.limits.edit_bytes = value),
    ("/limits/resultBytes", 1, Limits::MOST.result_bytes, |it, value| it.limits.result_bytes = value),
    ("/limits/pendingBatches", 1, Limits::MOST.pending_batches, |it, value| it.limits.pending_batches = value),
];

/// What holds several settings.
const OBJECTS: [&str; 2] = ["", "/limits"];

impl Settings {
    /// These settings with what `given` says otherwise. What is null or unknown is taken for not said: the section is shared
    /// with the editor's own extension.
    pub(crate) fn with(mut self, given: &Value) -> (Self, Vec<Wrong>) {
        let said = |pointer: &'static str| given.pointer(pointer).filter(|it| !it.is_null()).map(|it| (pointer, it));
        let mut wrong = vec![];
        for (pointer, value) in OBJECTS.into_iter().filter_map(said) {
            if !value.is_object() {
                wrong.push(Wrong::new(pointer, value, "an object".to_owned()));
            }
        }
        for (name, words, set) in WORDS {
            let Some((_, value)) = said(name) else { continue };
            match words.iter().position(|it| value == it) {
                Some(nth) => set(&mut self, nth),
                None => wrong.push(Wrong::new(name, value, format!("one of {}", words.join(", ")))),
            }
        }
        for (name, least, most, set) in NUMBERS {
            let Some((_, value)) = said(name) else { continue };
            match number(value).filter(|it| (least..=most).contains(it)) {
                Some(value) => set(&mut self, value),
                None => wrong.push(Wrong::new(name, value, format!("a whole number from {least} to {most}"))),
            }
        }
        (self, wrong)
    }
}

/// Editors whose configuration knows one kind of number only send `100` as `100.0`.
fn number(value: &Value) -> Option<usize> {
    // No limit is near what a float cannot count.
    let whole = || value.as_f64().filter(|it| it.fract() == 0.0 && (0.0..1e15).contains(it)).map(|it| it as u64);
    usize::try_from(value.as_u64().or_else(whole)?).ok()
}

impl Wrong {
    /// Of a value at this place in the section.
    fn new(pointer: &str, value: &Value, expected: String) -> Self {
        let mut value = value.to_string();
        if let Some((end, _)) = value.char_indices().nth(60) {
            value.truncate(end);
            value.push('…');
        }
        Self { setting: format!("{SECTION}{}", pointer.replace('/', ".")), value, expected }
    }
}

/// What the person is told of settings that were not taken.
pub(crate) fn message(wrong: &[Wrong]) -> String {
    let one = |it: &Wrong| format!("{} is {}, expected {}", it.setting, it.value, it.expected);
    let all = wrong.iter().map(one).collect::<Vec<_>>().join("; ");
    format!("agent-edit: {all}. The default is used instead.")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(given: Value, expected: Settings) {
        assert_eq!(Settings::default().with(&given), (expected, vec![]));
    }

    #[track_caller]
    fn check_wrong(given: Value, told: &str) {
        let (settings, wrong) = Settings::default().with(&given);
        assert_eq!(settings, Settings::default());
        assert_eq!(message(&wrong), format!("agent-edit: {told}. The default is used instead."));
    }

    #[test]
    fn what_is_said_is_set_and_the_rest_stays() {
        let default = Settings::default();
        check(Value::Null, default);
        check(json!({}), default);
        check(json!({"severity": null, "limits": null, "trace": {"server": "off"}}), default);
        check(json!({"severity": "hint"}), Settings { severity: DiagnosticSeverity::HINT, ..default });
        check(json!({"matching": "lenient"}), Settings { matching: Matching::Lenient, ..default });
        check(json!({"diagnoseDelay": 0}), Settings { diagnose_delay: Duration::ZERO, ..default });
        let limits = Limits { edits: 3, pending_batches: 1, ..Limits::DEFAULT };
        check(json!({"limits": {"edits": 3, "pendingBatches": 1.0}}), Settings { limits, ..default });
        let limits =
            Limits { documents: 1, edits: 2, document_bytes: 3, edit_bytes: 4, result_bytes: 5, pending_batches: 6 };
        let given = json!({
            "documents": 1, "edits": 2, "documentBytes": 3, "editBytes": 4, "resultBytes": 5, "pendingBatches": 6,
        });
        check(json!({"limits": given}), Settings { limits, ..default });
    }

    #[test]
    fn what_is_wrong_is_named_with_its_value_and_what_was_expected() {
        check_wrong(
            json!({"severity": "loud"}),
            "agentEdit.severity is \"loud\", expected one of error, warning, information, hint",
        );
        check_wrong(json!({"matching": 3}), "agentEdit.matching is 3, expected one of exact, tolerant, lenient");
        check_wrong(
            json!({"diagnoseDelay": -1}),
            "agentEdit.diagnoseDelay is -1, expected a whole number from 0 to 60000",
        );
        check_wrong(json!({"limits": []}), "agentEdit.limits is [], expected an object");
        check_wrong(json!("quiet"), "agentEdit is \"quiet\", expected an object");
        check_wrong(
            json!({"limits": {"documents": 0, "edits": 1.5}}),
            "agentEdit.limits.documents is 0, expected a whole number from 1 to 10000; \
             agentEdit.limits.edits is 1.5, expected a whole number from 1 to 100000",
        );
        check_wrong(
            json!({"severity": "x".repeat(100)}),
            &format!("agentEdit.severity is \"{}…, expected one of error, warning, information, hint", "x".repeat(59)),
        );
    }

    #[test]
    fn a_limit_can_be_raised_to_the_most_and_no_further() {
        let most = Limits::MOST.document_bytes;
        let (settings, wrong) = Settings::default().with(&json!({"limits": {"documentBytes": most}}));
        assert_eq!((settings.limits.document_bytes, wrong), (most, vec![]));
        check_wrong(
            json!({"limits": {"documentBytes": most + 1}}),
            "agentEdit.limits.documentBytes is 268435457, expected a whole number from 1 to 268435456",
        );
    }

    #[test]
    fn the_rest_is_taken_beside_what_is_wrong() {
        let (settings, wrong) = Settings::default().with(&json!({"severity": 1, "matching": "tolerant"}));
        assert_eq!((settings.matching, wrong.len()), (Matching::Tolerant, 1));
    }
}
