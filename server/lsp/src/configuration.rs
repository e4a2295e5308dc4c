//! The settings as they come to be known: said at the start, answered when the editor is asked, or pushed by it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use crate::settings::{Settings, Wrong};

/// The settings over time.
#[derive(Default)]
pub(crate) struct Configuration {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Where nothing else is said.
    base: Settings,
    now: Settings,
    /// How often they were asked for or pushed, and which of these times the settings are of.
    asked: u64,
    taken: u64,
    /// What was wrong with them when the person was last told.
    told: Vec<Wrong>,
}

/// One time of asking. What is asked for later is newer, whenever the answers come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Asked(u64);

/// What came of new settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Taken {
    pub before: Settings,
    pub now: Settings,
    /// What is wrong with them, unless it was the same before.
    pub to_be_told: Vec<Wrong>,
}

impl Configuration {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The settings in force.
    pub(crate) fn now(&self) -> Settings {
        self.state().now
    }

    /// The settings of the start, by which all goes that the editor does not say. Returns what is wrong with `given`.
    pub(crate) fn begin(&self, defaults: Settings, given: &Value) -> Settings {
        let mut state = self.state();
        let (settings, wrong) = defaults.with(given);
        (state.base, state.now, state.told) = (settings, settings, wrong);
        settings
    }

    /// What was wrong with the settings of the start.
    pub(crate) fn wrong_from_the_start(&self) -> Vec<Wrong> {
        self.state().told.clone()
    }

    /// The editor is about to be asked, or has said something unasked.
    pub(crate) fn ask(&self) -> Asked {
        let mut state = self.state();
        state.asked += 1;
        Asked(state.asked)
    }

    /// Takes what came of having asked; `None` where something newer has come before.
    pub(crate) fn take(&self, asked: Asked, given: &Value) -> Option<Taken> {
        let mut state = self.state();
        if asked.0 <= state.taken {
            return None;
        }
        state.taken = asked.0;
        let before = state.now;
        let (now, wrong) = state.base.with(given);
        state.now = now;
        let to_be_told = if wrong == state.told { vec![] } else { wrong.clone() };
        state.told = wrong;
        Some(Taken { before, now, to_be_told })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tower_lsp::ls_types::DiagnosticSeverity;

    use super::*;

    #[test]
    fn what_was_asked_for_later_holds_whenever_it_is_answered() {
        let configuration = Configuration::default();
        let (first, second) = (configuration.ask(), configuration.ask());
        assert!(configuration.take(second, &json!({"severity": "error"})).is_some());
        assert_eq!(configuration.take(first, &json!({"severity": "hint"})), None);
        assert_eq!(configuration.now().severity, DiagnosticSeverity::ERROR);
    }

    #[test]
    fn what_is_no_longer_said_is_as_at_the_start() {
        let configuration = Configuration::default();
        configuration.begin(Settings::default(), &json!({"severity": "hint"}));
        configuration.take(configuration.ask(), &json!({"severity": "error"}));
        configuration.take(configuration.ask(), &Value::Null);
        assert_eq!(configuration.now().severity, DiagnosticSeverity::HINT);
    }

    #[test]
    fn the_person_is_told_once_of_what_is_wrong() {
        let configuration = Configuration::default();
        let wrong = json!({"severity": 1});
        let told = |given| configuration.take(configuration.ask(), given).unwrap().to_be_told.len();
        assert_eq!((told(&wrong), told(&wrong), told(&json!({})), told(&wrong)), (1, 0, 0, 1));
    }
}
