//! From what the engine and the server found to the wire.

use std::time::Duration;

use agent_edit_engine as engine;
use agent_edit_engine::{Applied, Byte, Conflict, DocumentPlan, EditSet, Kind, Line, Span, Text};
use similar::TextDiff;
use tower_lsp::ls_types::{
    DocumentChangeOperation, DocumentChanges, OneOf, OptionalVersionedTextDocumentIdentifier, TextDocumentEdit,
    TextEdit, WorkspaceEdit,
};

use crate::apply::{Change, asked};
use crate::batch::{Batch, BatchDocument, Matches, Mode};
use crate::capabilities::Profile;
use crate::operations::{self, FileChange};
use crate::positions::{self, Encoding, number};
use crate::protocol::{
    AppliedEdit, Candidate, CandidateLine, DocumentResult, Failure, Hint, Match, ShowEditParams, ShownSide,
    VersionedIdentifier, Warning,
};
use crate::showing::Shown;
use crate::snapshot::{Seen, sha256};

/// A diff that takes longer is coarser: still right, only larger.
const DIFF_PATIENCE: Duration = Duration::from_secs(1);

/// The edit that makes all of `changes`, each with the version it was computed against, and then does what is to be done
/// with files, in their order.
pub(crate) fn workspace_edit(profile: &Profile, changes: &[Change], operations: &[FileChange]) -> WorkspaceEdit {
    let edits = |it: &Change| text_edits(&it.seen.text, &it.edits, profile.encoding);
    if !profile.document_changes && operations.is_empty() {
        let changes = changes.iter().map(|it| (it.seen.uri.clone(), edits(it))).collect();
        return WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() };
    }
    let version = |it: i32| if it == 0 && profile.skips_version_zero { 1 } else { it };
    let document = |it: &Change| TextDocumentEdit {
        text_document: OptionalVersionedTextDocumentIdentifier {
            uri: it.seen.uri.clone(),
            version: it.seen.version().map(version),
        },
        edits: edits(it).into_iter().map(OneOf::Left).collect(),
    };
    let changes = changes.iter().map(document);
    let document_changes = if operations.is_empty() {
        DocumentChanges::Edits(changes.collect())
    } else {
        let operations = operations.iter().flat_map(|it| asked(profile, it));
        DocumentChanges::Operations(changes.map(DocumentChangeOperation::Edit).chain(operations).collect())
    };
    WorkspaceEdit { document_changes: Some(document_changes), ..WorkspaceEdit::default() }
}

/// The replacements of `edits` in `base`, sorted and disjoint.
pub(crate) fn text_edits(base: &Text, edits: &EditSet, encoding: Encoding) -> Vec<TextEdit> {
    let edit = |it: &engine::Replacement| {
        let (span, new_text) = around_breaks(base, it.span, &it.text);
        TextEdit { range: positions::range(base, span, encoding), new_text }
    };
    edits.replacements().iter().map(edit).collect()
}

/// LSP has no position inside `\r\n`: a replacement that begins or ends there takes the other half with it.
fn around_breaks(base: &Text, span: Span, text: &str) -> (Span, String) {
    let inside_break = |at: Byte| {
        let around = Span { start: Byte(at.0.saturating_sub(1)), end: Byte(at.0 + 1) };
        base.slice(around).is_some_and(|it| it == "\r\n")
    };
    let (mut span, mut text) = (span, text.to_owned());
    if inside_break(span.start) {
        span.start.0 -= 1;
        text.insert(0, '\r');
    }
    if inside_break(span.end) {
        span.end.0 += 1;
        text.push('\n');
    }
    (span, text)
}

/// The documents of the answer, in the order of the request.
pub(crate) fn results(
    batch: &Batch,
    operations: &[FileChange],
    seen: &[Seen],
    plans: &[DocumentPlan],
    encoding: Encoding,
) -> Vec<DocumentResult> {
    let documents = batch.documents.iter().zip(seen.iter().zip(plans));
    let texts = documents.map(|(it, (seen, plan))| (it.number, document_result(batch, it, seen, plan, encoding)));
    let files = operations.iter().map(|it| (it.number, operations::result(it, batch.mode)));
    let mut all: Vec<_> = texts.chain(files).collect();
    all.sort_by_key(|it| it.0);
    all.into_iter().map(|it| it.1).collect()
}

/// One document of the answer.
fn document_result(
    batch: &Batch,
    document: &BatchDocument,
    seen: &Seen,
    plan: &DocumentPlan,
    encoding: Encoding,
) -> DocumentResult {
    let previews = batch.mode == Mode::Preview;
    let applied_edit = if batch.is_overwritten(document) { overwritten } else { applied_edit };
    DocumentResult {
        text_document: VersionedIdentifier { uri: document.uri.clone(), version: seen.version() },
        base_sha256: Some(sha256(seen.text.as_str())),
        sha256: Some(sha256(plan.result.as_str())),
        applied_edits: plan.applied.iter().map(applied_edit).collect(),
        matches: (batch.matches == Matches::Told).then(|| plan.applied.iter().map(edit_match).collect()),
        text_edits: previews.then(|| text_edits(&seen.text, &plan.edits, encoding)),
        diff: previews.then(|| diff(&seen.name, seen.text.as_str(), plan.result.as_str())),
        saved: None,
        warnings: plan.warnings.iter().map(warning).collect(),
    }
}

fn applied_edit(applied: &Applied) -> AppliedEdit {
    let no_change = applied.no_change;
    match applied.change {
        engine::Change::FindReplace { line, find_length, replaced_length, content_length } => {
            AppliedEdit::FindReplace {
                line_number: line_number(line),
                find_length,
                replaced_length,
                content_length,
                no_change,
            }
        }
        engine::Change::Replace { lines, removed_lines, inserted_lines } => AppliedEdit::Replace {
            from: line_number(lines.first),
            to: line_number(lines.last),
            removed_lines,
            inserted_lines,
            no_change,
        },
        engine::Change::Insert { from, inserted_lines } => {
            AppliedEdit::Insert { from: line_number(from), inserted_lines, no_change }
        }
    }
}

/// The one edit that gives a file a new content.
fn overwritten(applied: &Applied) -> AppliedEdit {
    let content_length = match applied.change {
        engine::Change::FindReplace { content_length, .. } => content_length,
        _ => 0,
    };
    AppliedEdit::Create { content_length, overwritten: true, no_change: applied.no_change }
}

fn edit_match(applied: &Applied) -> Match {
    Match { strategy: applied.strategy.name(), occurrences: applied.occurrences }
}

fn warning(warning: &engine::Warning) -> Warning {
    Warning { edit: Some(warning.edit), code: warning.kind.name(), message: warning.kind.message().into() }
}

fn line_number(line: Line) -> u32 {
    number(line.0)
}

/// What is to change, as people read it; empty where nothing is.
pub(crate) fn diff(name: &str, base: &str, result: &str) -> String {
    // The path of what lies in no folder is whole.
    let name = name.trim_start_matches('/');
    unified(&format!("a/{name}"), &format!("b/{name}"), base, result)
}

/// A file that comes to be, or is no more, as Git shows it.
pub(crate) fn file_diff(name: &str, base: Option<&str>, result: Option<&str>) -> String {
    let (was, becomes) = (format!("a/{name}"), format!("b/{name}"));
    let side = |name: &str, text: Option<&str>| text.map_or("/dev/null".to_owned(), |_| name.to_owned());
    let mode = if base.is_none() { "new file" } else { "deleted file" };
    let body = unified(&side(&was, base), &side(&becomes, result), base.unwrap_or(""), result.unwrap_or(""));
    format!("diff --git {was} {becomes}\n{mode} mode 100644\n{body}")
}

fn unified(before: &str, after: &str, base: &str, result: &str) -> String {
    let diff = TextDiff::configure().timeout(DIFF_PATIENCE).diff_lines(base, result);
    diff.unified_diff().context_radius(3).header(before, after).to_string()
}

/// The lines of `seen` that `change` is about, `place` among them, beside what they become; and the whole as a diff.
pub(crate) fn shown_change(change: &Change, place: Span, edit: usize, encoding: Encoding) -> Shown {
    let name = &change.seen.name;
    let edits = change.edits.replacements();
    let first = edits.first().map_or(place.start, |it| it.span.start.min(place.start));
    let last = edits.last().map_or(place.end, |it| it.span.end.max(place.end));
    let titles = (format!("Edit {} in {name}", edit + 1), format!("{name} with edit {}", edit + 1));
    shown_lines(change, positions::lines_of(&change.seen.text, Span { start: first, end: last }), titles, encoding)
}

/// A document that a batch changes, beside what it becomes; and the whole as a diff.
pub(crate) fn shown_document(change: &Change, agent: &str, encoding: Encoding) -> Shown {
    let (name, text) = (&change.seen.name, &change.seen.text);
    let titles = (format!("{name}: what {agent} asks for"), format!("{name} as {agent} would have it"));
    shown_lines(change, Span { start: Byte(0), end: text.len() }, titles, encoding)
}

/// `titles` are those of the whole and of its right side.
fn shown_lines(change: &Change, lines: Span, titles: (String, String), encoding: Encoding) -> Shown {
    let seen = &change.seen;
    let (text, name) = (&seen.text, &seen.name);
    let behind = text.len().0 - lines.end.0;
    let result = change.result.as_str();
    let becomes = result[lines.start.0..result.len() - behind].to_owned();
    let left = ShownSide {
        title: format!("{name} as it is"),
        text: text.as_str()[lines.range()].to_owned(),
        uri: Some(seen.uri.as_str().to_owned()),
        range: Some(positions::range(text, lines, encoding)),
    };
    let right = ShownSide { title: titles.1, text: becomes, uri: None, range: None };
    let diff = diff(name, text.as_str(), result);
    Shown { sides: ShowEditParams { title: titles.0, left, right }, diff }
}

/// The two texts of an edit that has no place.
pub(crate) fn shown_texts(seen: &Seen, old: &str, new: &str, edit: usize) -> Shown {
    let side =
        |title: &str, text: &str| ShownSide { title: title.to_owned(), text: text.to_owned(), uri: None, range: None };
    let title = format!("Edit {} in {}: it has no place there", edit + 1, seen.name);
    let (left, right) = (side("what it would replace", old), side("what it would put there", new));
    Shown { sides: ShowEditParams { title, left, right }, diff: diff(&seen.name, old, new) }
}

/// One failing edit as facts. `uris` are the documents the conflict counts, `document` is its position in the request.
pub(crate) fn failure(uris: &[&str], document: usize, base: &Text, conflict: &Conflict, encoding: Encoding) -> Failure {
    let places = conflict.kind.places();
    let (strategy, count) = match &conflict.kind {
        Kind::Ambiguous { strategy, count, .. } => (Some(strategy.name()), Some(*count)),
        Kind::CountMismatch { strategy, found, .. } => (Some(strategy.name()), Some(*found)),
        _ => (None, None),
    };
    let ranges = || places.iter().map(|it| positions::range(base, it.base, encoding)).collect();
    let lines = || places.iter().map(|it| line_number(it.working_line)).collect();
    Failure {
        uri: uris[conflict.document].to_owned(),
        document,
        edit: conflict.edit,
        label: conflict.label.clone(),
        kind: conflict.kind.name(),
        message: engine::message(conflict),
        strategy,
        count,
        locations: (!places.is_empty()).then(ranges),
        lines: (!places.is_empty()).then(lines),
        candidate: conflict.candidate.as_ref().map(|it| candidate(base, it, encoding)),
        hints: conflict.hints.iter().map(|it| hint(it, uris)).collect(),
    }
}

fn candidate(base: &Text, candidate: &engine::Candidate, encoding: Encoding) -> Candidate {
    let line = |it: &engine::CandidateLine| CandidateLine { mark: it.mark.name(), text: it.text.clone() };
    Candidate {
        range: positions::range(base, candidate.base, encoding),
        similarity: (f64::from(candidate.similarity) * 1_000.0).round() / 1_000.0,
        working_line: line_number(candidate.working_line),
        lines: candidate.lines.iter().map(line).collect(),
    }
}

fn hint(hint: &engine::Hint, uris: &[&str]) -> Hint {
    let mut wire =
        Hint { kind: hint.name(), lines: hint.lines().iter().map(|&it| line_number(it)).collect(), ..Hint::default() };
    match hint {
        engine::Hint::Whitespace { strategy, .. } => wire.strategy = Some(strategy.name()),
        engine::Hint::Consumed { edit } | engine::Hint::DependsOn { edit } => wire.edit = Some(*edit),
        engine::Hint::Elsewhere { document, .. } => wire.uri = uris.get(*document).map(|&it| it.to_owned()),
        engine::Hint::ClosestLine { text, .. } => wire.text = Some(text.clone()),
        _ => {}
    }
    wire
}

#[cfg(test)]
mod tests {
    use agent_edit_engine::Replacement;

    use super::*;

    #[track_caller]
    fn check(base: &str, replacements: &[(usize, usize, &str)]) {
        let replacement =
            |&(start, end, text): &(usize, usize, &str)| Replacement { span: Span::new(start, end), text: text.into() };
        let edits = EditSet::new(replacements.iter().map(replacement).collect()).unwrap();
        let text = Text::new(base);
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            let mut result = base.to_owned();
            for edit in text_edits(&text, &edits, encoding).iter().rev() {
                let span = positions::span(&text, edit.range, encoding).unwrap();
                result.replace_range(span.range(), &edit.new_text);
            }
            assert_eq!(result, edits.apply(base), "{encoding:?}");
        }
    }

    #[test]
    fn text_edits_make_what_the_replacements_make() {
        check("a🚀b\r\ncd\r", &[(1, 5, "é"), (8, 9, ""), (10, 11, "\n")]);
        check("", &[(0, 0, "new\n")]);
        check("a\n", &[(2, 2, "b")]);
    }

    #[test]
    fn a_replacement_may_begin_or_end_inside_a_line_break() {
        check("a\r\nb", &[(2, 3, "")]);
        check("a\r\nb", &[(1, 2, "")]);
        check("a\r\nb", &[(2, 4, "x"), (4, 4, "y")]);
    }

    #[test]
    fn a_diff_is_one_that_patch_reads() {
        for name in ["src/a.rs", "/src/a.rs"] {
            let diff = diff(name, "a\nb\nc\n", "a\nB\nc\n");
            assert_eq!(diff, "--- a/src/a.rs\n+++ b/src/a.rs\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
        }
    }
}
