//! What a person can have done about a conflict: always one edit, planned like any other.

use std::sync::Arc;

use agent_edit_engine::{
    Conflict, DocumentPlan, Edit, EditSet, FindReplace, Line, LineEndings, Matching, Merge, Options, Replacement, Span,
    Text, merge, report,
};

use crate::apply::Change;
use crate::planning::{Task, beside_the_reader};
use crate::positions::Encoding;
use crate::refusal::{Refusal, Refused};
use crate::server::Server;
use crate::showing::Shown;
use crate::snapshot::{Seen, for_engine};
use crate::standing::{Standing, Verdict};
use crate::to_proto;

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Remedy {
    /// The edit where it is shown; of several places, the one that starts on this line.
    Here(Option<Line>),
    /// The edit in every place it matches.
    Everywhere,
    /// The edit as if its batch had asked for this matching.
    With(Matching),
}

/// The text that stands in place of a candidate after its edit is merged into it; `None` without a candidate, or where the
/// edit stands for code that it would delete.
pub(crate) fn merged(edit: &Edit, conflict: &Conflict, text: &Text) -> Option<Merge> {
    let region = text.slice(conflict.candidate.as_ref()?.base)?;
    match edit {
        Edit::FindReplace(it) => merge(&it.old_text, &it.new_text, &region),
        Edit::LineReplace(it) => merge(it.expected_text.as_deref()?, &it.new_text, &region),
        Edit::LineInsert(_) => None,
    }
}

/// The change that `remedy` makes in `seen`.
pub(crate) async fn change(
    standing: &Standing,
    remedy: Remedy,
    seen: &Seen,
    encoding: Encoding,
) -> Result<Change, Refusal> {
    if counts_lines(standing, remedy) && !standing.counts_lines_of(seen) {
        let reason = format!("the lines that edit {} counts are those of another text", standing.number + 1);
        return Err(Refusal::ContentModified { reason, diverged: None });
    }
    let remedied = remedied(standing, remedy, &seen.text).ok_or_else(|| {
        let reason = format!("edit {} has no such place", standing.number + 1);
        Refusal::NotApplied { reason, uri: Some(seen.uri.as_str().to_owned()) }
    })?;
    match remedied {
        Remedied::Edit(edit, options) => plan_alone(standing, edit, options, seen, encoding).await,
        Remedied::Filled(replacement) => {
            let edits = EditSet::new(vec![replacement]).expect("one replacement overlaps nothing");
            let result = Text::new(&edits.apply(seen.text.as_str()));
            Ok(Change { seen: seen.clone(), edits, result })
        }
    }
}

/// What the edit is about: its change at `line`, of several places, else where it is shown; its own two texts where it has
/// no place.
pub(crate) async fn shown(
    standing: &Standing,
    line: Option<Line>,
    seen: &Seen,
    server: &Server,
) -> Result<Shown, Refusal> {
    let places = standing.places(&seen.text);
    let place = places.iter().find(|it| line.is_none_or(|line| seen.text.line_of(it.start) == line)).copied();
    let (place, number, encoding) = (place.unwrap_or(places[0]), standing.number, server.profile().encoding);
    let line = line.or_else(|| (places.len() > 1).then(|| seen.text.line_of(place.start)));
    let (old, new) = texts(&standing.edit);
    match change(standing, Remedy::Here(line), seen, encoding).await {
        Ok(change) => {
            let bytes = seen.text.len().0 + change.result.len().0;
            beside_the_reader(bytes, move || to_proto::shown_change(&change, place, number, encoding)).await
        }
        Err(Refusal::Conflict(_) | Refusal::NotApplied { .. }) => Ok(to_proto::shown_texts(seen, &old, &new, number)),
        Err(other) => Err(other),
    }
}

/// What an edit would replace, as far as it says, and what it would put there.
fn texts(edit: &Edit) -> (String, String) {
    match edit {
        Edit::FindReplace(it) => (it.old_text.clone(), it.new_text.clone()),
        Edit::LineReplace(it) => (it.expected_text.clone().unwrap_or_default(), it.new_text.clone()),
        Edit::LineInsert(it) => (String::new(), it.new_text.clone()),
    }
}

/// Whether the edit goes where it says by number, and not where it is shown.
fn counts_lines(standing: &Standing, remedy: Remedy) -> bool {
    match remedy {
        Remedy::With(_) => true,
        Remedy::Here(_) => matches!(standing.verdict, Verdict::Applicable { .. }),
        Remedy::Everywhere => false,
    }
}

enum Remedied {
    /// An edit for the engine.
    Edit(Edit, Options),
    /// An empty region, which no edit can find.
    Filled(Replacement),
}

fn remedied(standing: &Standing, remedy: Remedy, text: &Text) -> Option<Remedied> {
    let (edit, options) = (&standing.edit, standing.batch.options);
    match (remedy, &standing.verdict) {
        (Remedy::With(matching), _) => Some(Remedied::Edit(edit.clone(), Options { matching, ..options })),
        (Remedy::Here(_), Verdict::Applicable { .. }) => Some(Remedied::Edit(edit.clone(), options)),
        (Remedy::Here(Some(line)), Verdict::Conflict(conflict)) if !conflict.kind.places().is_empty() => {
            let there = FindReplace { at_line: Some(line), ..once(edit)? };
            Some(Remedied::Edit(Edit::FindReplace(there), options))
        }
        (Remedy::Here(_), Verdict::Conflict(conflict)) => in_candidate(edit, conflict, options, text),
        (Remedy::Everywhere, _) => {
            let everywhere = FindReplace { replace_all: true, ..once(edit)? };
            Some(Remedied::Edit(Edit::FindReplace(everywhere), options))
        }
    }
}

/// A find/replace without any word on how many places it expects.
fn once(edit: &Edit) -> Option<FindReplace> {
    let Edit::FindReplace(edit) = edit else { return None };
    Some(FindReplace { replace_all: false, expected_occurrences: None, at_line: None, ..edit.clone() })
}

/// The candidate's region replaced by what the merge makes of it, so that the engine's plan leaves alone what is alike.
fn in_candidate(edit: &Edit, conflict: &Conflict, options: Options, text: &Text) -> Option<Remedied> {
    let span = conflict.candidate.as_ref()?.base;
    let (Merge::Clean(new_text) | Merge::Replaced(new_text)) = merged(edit, conflict, text)?;
    if span.is_empty() {
        return Some(Remedied::Filled(Replacement::new(span, new_text)));
    }
    let there = text.slice(span)?;
    // Lines of which nothing stays go with their last line break; lines that have one say what the others are like.
    let last_break = Span { start: span.end, end: text.line_start(Line(text.line_of(span.end).0 + 1)) };
    let gone = if new_text.is_empty() { text.slice(last_break)? } else { String::new() };
    let line_endings = if there.contains(['\n', '\r']) { LineEndings::AsGiven } else { LineEndings::Document };
    let edit = FindReplace {
        old_text: there + &gone,
        new_text,
        at_line: Some(text.line_of(span.start)),
        ..FindReplace::default()
    };
    // The text is made for this very place, and a person has seen what it is.
    let options =
        Options { matching: Matching::Exact, line_endings, partial_only: false, allow_placeholders: true, ..options };
    Some(Remedied::Edit(Edit::FindReplace(edit), options))
}

async fn plan_alone(
    standing: &Standing,
    edit: Edit,
    options: Options,
    seen: &Seen,
    encoding: Encoding,
) -> Result<Change, Refusal> {
    let task = Task { seen: vec![seen.clone()], edits: vec![Arc::new([edit])], beside: vec![], options };
    let (id, document, number) = (standing.batch.id.clone(), standing.document, standing.number);
    task.run(move |task, planned| match planned {
        Ok(plans) => Ok(of_plan(&task.seen[0], plans.into_iter().next().expect("a plan for each document"))),
        Err(conflicts) => {
            let documents = for_engine(&task.seen, &task.edits);
            let conflicts: Vec<_> = conflicts.into_iter().map(|it| Conflict { edit: number, ..it }).collect();
            let uri = task.seen[0].uri.as_str();
            let failure = |it| to_proto::failure(&[uri], document, &task.seen[0].text, it, encoding);
            Err(Refusal::Conflict(Box::new(Refused {
                batch_id: id,
                edit_count: 1,
                report: report(&documents, &conflicts),
                failures: conflicts.iter().map(failure).collect(),
                operations: vec![],
            })))
        }
    })
    .await?
}

/// What a plan changes in one document.
pub(crate) fn of_plan(seen: &Seen, plan: DocumentPlan) -> Change {
    Change { seen: seen.clone(), edits: plan.edits, result: plan.result }
}
