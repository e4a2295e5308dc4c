//! The quick fixes of a conflict.

use std::collections::HashSet;
use std::sync::Arc;

use agent_edit_engine::{Candidate, Conflict, Hint, Kind, Mark, Matching, Merge};
use tower_lsp::ls_types::{Diagnostic, Range};

use crate::diagnostics;
use crate::handlers::code_actions::{Action, Preference};
use crate::handlers::pending_commands::matching_edits;
use crate::handlers::pending_commands::{APPLY_ALL, APPLY_HERE, APPLY_MATCHING, DISCARD, DISCARD_ALL, SHOW_EDIT};
use crate::positions::number;
use crate::protocol::{Matching as WireMatching, PendingArguments, to_value};
use crate::refusal::Refusal;
use crate::remedy::{self, Remedy};
use crate::server::Server;
use crate::snapshot::Seen;
use crate::standing::{self, Standing, Verdict};

/// What can be done about the conflicts that stand in `range` of `seen`.
pub(crate) async fn at(server: &Arc<Server>, seen: &Seen, range: Range) -> Result<Vec<Action>, Refusal> {
    let mut actions = vec![];
    let mut batches: HashSet<String> = HashSet::new();
    for standing in standing::of_document(server, seen).await? {
        let diagnostics = diagnostics::of_standing(server, seen, &standing);
        let here: Vec<usize> = (0..diagnostics.len()).filter(|&it| touch(diagnostics[it].range, range)).collect();
        if !here.is_empty() {
            let offer = Offer { server, seen, standing: &standing, diagnostics: &diagnostics };
            // What concerns a whole batch is offered once, whatever number of its conflicts stand here.
            let matching = match batches.insert(standing.batch.id.clone()) {
                true => Some(matching_edits(server, &standing.batch).await?),
                false => None,
            };
            actions.extend(offer.all(&here, matching).await?);
        }
    }
    Ok(actions)
}

fn touch(a: Range, b: Range) -> bool {
    a.start <= b.end && b.start <= a.end
}

/// What is offered for one pending edit.
struct Offer<'a> {
    server: &'a Arc<Server>,
    seen: &'a Seen,
    standing: &'a Standing,
    diagnostics: &'a [Diagnostic],
}

impl Offer<'_> {
    /// Everything that can be done about it, the most likely first. `here` are the places the person points at.
    /// `matching` is how many edits of its batch match, if what concerns the whole batch is to be among it.
    async fn all(&self, here: &[usize], matching: Option<usize>) -> Result<Vec<Action>, Refusal> {
        let mut actions = vec![];
        match &self.standing.verdict {
            Verdict::Applicable { .. } => actions.extend(self.applicable()),
            Verdict::Conflict(conflict) => {
                actions.extend(self.with_looser_matching(conflict).await?);
                actions.extend(self.in_candidate(conflict));
                actions.extend(here.iter().filter_map(|&place| self.at_place(conflict, place)));
                actions.extend(self.everywhere(conflict));
            }
        }
        actions.extend(matching.and_then(|it| self.matching(it)));
        actions.push(self.show(here));
        actions.push(self.action(
            format!("Discard edit {}", self.number()),
            DISCARD,
            self.arguments(),
            Preference::OneOfMany,
        ));
        if matching.is_some() {
            let title = "Discard all conflicts of this batch".to_owned();
            actions.push(self.action(title, DISCARD_ALL, self.whole_batch(), Preference::OneOfMany));
        }
        Ok(actions)
    }

    /// As people count.
    fn number(&self) -> usize {
        self.standing.number + 1
    }

    fn arguments(&self) -> PendingArguments {
        PendingArguments {
            batch_id: self.standing.batch.id.clone(),
            uri: Some(self.seen.uri.as_str().to_owned()),
            edit: Some(self.standing.number),
            version: self.seen.version(),
            ..PendingArguments::default()
        }
    }

    fn whole_batch(&self) -> PendingArguments {
        PendingArguments { batch_id: self.standing.batch.id.clone(), ..PendingArguments::default() }
    }

    fn action(
        &self,
        title: String,
        command: &'static str,
        arguments: PendingArguments,
        preference: Preference,
    ) -> Action {
        let fixes = Some(self.diagnostics[0].clone());
        Action { title, command, argument: to_value(arguments), fixes, preference }
    }

    /// Not where it counts lines that are others now.
    fn applicable(&self) -> Option<Action> {
        if !self.standing.counts_lines_of(self.seen) {
            return None;
        }
        let title = format!("Apply edit {} here", self.number());
        Some(self.action(title, APPLY_HERE, self.arguments(), Preference::OneOfMany))
    }

    /// The edit merged into the region it most likely meant.
    fn in_candidate(&self, conflict: &Conflict) -> Option<Action> {
        if !matches!(conflict.kind, Kind::NotFound | Kind::ContentMismatch { .. }) {
            return None;
        }
        let candidate = conflict.candidate.as_ref()?;
        let (title, preference) = match remedy::merged(&self.standing.edit, conflict, &self.seen.text)? {
            Merge::Clean(_) if only_white_space(candidate) => (self.here(), Preference::Preferred),
            Merge::Clean(_) => (self.here(), Preference::OneOfMany),
            Merge::Replaced(_) => {
                let title = format!("Replace {} with edit {}", self.lines(candidate), self.number());
                (title, Preference::OneOfMany)
            }
        };
        Some(self.action(title, APPLY_HERE, self.arguments(), preference))
    }

    fn here(&self) -> String {
        format!("Apply edit {} here", self.number())
    }

    fn lines(&self, candidate: &Candidate) -> String {
        let text = &self.seen.text;
        match (text.line_of(candidate.base.start).0 + 1, text.line_of(candidate.base.end).0 + 1) {
            (first, last) if first == last => format!("line {first}"),
            (first, last) => format!("lines {first}–{last}"),
        }
    }

    /// One of several places; none where two of them start on one line, since a line could not tell them apart.
    fn at_place(&self, conflict: &Conflict, place: usize) -> Option<Action> {
        let line = |place: usize| self.seen.text.line_of(conflict.kind.places()[place].base.start);
        let places = 0..conflict.kind.places().len();
        if !places.contains(&place) || places.filter(|&it| line(it) == line(place)).count() != 1 {
            return None;
        }
        let arguments = PendingArguments { line: Some(number(line(place).0)), ..self.arguments() };
        let action = self.action(self.here(), APPLY_HERE, arguments, Preference::OneOfMany);
        Some(Action { fixes: Some(self.diagnostics[place].clone()), ..action })
    }

    fn everywhere(&self, conflict: &Conflict) -> Option<Action> {
        let count = match conflict.kind {
            Kind::Ambiguous { count, .. } => count,
            Kind::CountMismatch { found, .. } if found > 0 => found,
            _ => return None,
        };
        let title = format!("Apply edit {} to all {count} places", self.number());
        Some(self.action(title, APPLY_ALL, self.arguments(), Preference::OneOfMany))
    }

    /// The strictest looser matching that finds the edit, where a hint says that one would. Tolerant ones differ in
    /// white space alone.
    async fn with_looser_matching(&self, conflict: &Conflict) -> Result<Option<Action>, Refusal> {
        if !conflict.hints.iter().any(tells_of_representation) {
            return Ok(None);
        }
        let looser = [
            (Matching::Tolerant, WireMatching::Tolerant, "tolerant", Preference::Preferred),
            (Matching::Lenient, WireMatching::Lenient, "lenient", Preference::OneOfMany),
        ];
        let own = self.standing.batch.options.matching;
        for (matching, wire, name, preference) in looser.into_iter().filter(|it| it.0 > own) {
            let encoding = self.server.profile().encoding;
            if remedy::change(self.standing, Remedy::With(matching), self.seen, encoding).await.is_ok() {
                let arguments = PendingArguments { matching: Some(wire), ..self.arguments() };
                return Ok(Some(self.action(format!("Apply with {name} matching"), APPLY_HERE, arguments, preference)));
            }
        }
        Ok(None)
    }

    /// At the place the person points at, of several.
    fn show(&self, here: &[usize]) -> Action {
        let places = self.standing.places(&self.seen.text);
        let line = here.first().filter(|_| places.len() > 1).map(|&it| self.seen.text.line_of(places[it].start));
        let arguments = PendingArguments { version: None, line: line.map(|it| number(it.0)), ..self.arguments() };
        self.action(format!("Show edit {}", self.number()), SHOW_EDIT, arguments, Preference::OneOfMany)
    }

    fn matching(&self, count: usize) -> Option<Action> {
        let title = match count {
            0 => return None,
            1 => "Apply the 1 edit that matches".to_owned(),
            count => format!("Apply the {count} edits that match"),
        };
        Some(self.action(title, APPLY_MATCHING, self.whole_batch(), Preference::OneOfMany))
    }
}

/// Whether what is in the way is of the kind that looser matchings get over.
fn tells_of_representation(hint: &Hint) -> bool {
    matches!(
        hint,
        Hint::Whitespace { .. }
            | Hint::LineEndings { .. }
            | Hint::Typography { .. }
            | Hint::Escapes { .. }
            | Hint::LineNumbers
            | Hint::Elision
            | Hint::Markers
    )
}

fn only_white_space(candidate: &Candidate) -> bool {
    !candidate.lines.is_empty() && candidate.lines.iter().all(|it| matches!(it.mark, Mark::Same | Mark::Whitespace))
}

#[cfg(test)]
mod tests {
    use tower_lsp::ls_types::Position;

    use super::*;

    #[test]
    fn ranges_touch_where_a_cursor_can_stand_in_both() {
        let range = |from, to| Range { start: Position::new(0, from), end: Position::new(0, to) };
        assert!(touch(range(0, 3), range(3, 3)));
        assert!(touch(range(0, 9), range(4, 5)));
        assert!(!touch(range(0, 3), range(4, 5)));
    }
}
