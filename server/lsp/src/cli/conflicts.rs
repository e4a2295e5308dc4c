//! Conflicts drawn under the source lines, from the diagnostics the server published.

use std::collections::BTreeMap;
use std::ops::Range;

use agent_edit_engine::{Byte, Line, Text};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use tower_lsp::ls_types::{Diagnostic, DiagnosticSeverity, NumberOrString, Uri};

use super::terminal::WIDTH;
use crate::embedded_editor::{EmbeddedEditor, span};

/// Places farther apart than this are drawn as two pieces of source.
const NEAR_LINES: usize = 20;
/// So many lines of one place are shown whole; of more, the first and the last.
const WHOLE_LINES: usize = 12;

/// A document by its name.
struct Named<'a> {
    name: &'a str,
    uri: &'a Uri,
    text: &'a Text,
}

/// All conflicts of `documents`, by name and URI, each with its places.
pub(crate) fn draw<'a>(documents: impl Iterator<Item = (&'a str, &'a Uri)>, editor: &EmbeddedEditor) -> String {
    let renderer = Renderer::styled().term_width(WIDTH);
    let mut drawn = String::new();
    for (name, uri) in documents {
        let Some(open) = editor.document(uri) else { continue };
        let document = Named { name, uri, text: &open.text };
        for conflict in by_edit(editor.diagnostics(uri)).values() {
            drawn.push_str(&renderer.render(&[group(&document, conflict)]));
            drawn.push_str("\n\n");
        }
    }
    drawn
}

/// An edit that would fit in several places has a diagnostic at each.
fn by_edit(diagnostics: &[Diagnostic]) -> BTreeMap<(String, u64), Vec<&Diagnostic>> {
    let mut edits = BTreeMap::<_, Vec<_>>::new();
    for it in diagnostics {
        let data = it.data.clone().unwrap_or_default();
        let edit = (data["batchId"].to_string(), data["edit"].as_u64().unwrap_or_default());
        edits.entry(edit).or_default().push(it);
    }
    edits
}

fn group<'a>(document: &Named<'a>, conflict: &[&'a Diagnostic]) -> Group<'a> {
    let first = conflict[0];
    let level = match first.severity {
        Some(DiagnosticSeverity::ERROR) => Level::ERROR,
        Some(DiagnosticSeverity::INFORMATION | DiagnosticSeverity::HINT) => Level::INFO,
        _ => Level::WARNING,
    };
    let mut title = level.primary_title(first.message.as_str());
    if let Some(NumberOrString::String(code)) = &first.code {
        title = title.id(code.as_str());
    }
    Group::with_title(title).elements(snippets(document, conflict))
}

/// A marked place of the text.
struct Place<'a> {
    bytes: Range<usize>,
    kind: AnnotationKind,
    label: Option<&'a str>,
}

fn snippets<'a>(
    document: &Named<'a>,
    conflict: &[&'a Diagnostic],
) -> Vec<Snippet<'a, annotate_snippets::Annotation<'a>>> {
    let mut pieces: Vec<Vec<Place<'a>>> = vec![];
    let mut last_line = 0;
    for place in places(document, conflict) {
        let first_line = document.text.line_of(Byte(place.bytes.start)).0;
        match pieces.last_mut() {
            Some(piece) if first_line <= last_line + NEAR_LINES => piece.push(place),
            _ => pieces.push(vec![place]),
        }
        let end = pieces.last().and_then(|it| it.last()).map_or(0, |it| it.bytes.end);
        last_line = last_line.max(document.text.line_of(Byte(end)).0);
    }
    pieces.into_iter().map(|piece| snippet(document, piece)).collect()
}

/// The places of one edit, in the order of the text.
fn places<'a>(document: &Named<'a>, conflict: &[&'a Diagnostic]) -> Vec<Place<'a>> {
    let bytes = |range| span(document.text, range).ok().map(|it| it.range());
    let mut places: Vec<Place<'a>> = vec![];
    for diagnostic in conflict {
        if let Some(bytes) = bytes(diagnostic.range) {
            places.push(Place { bytes, kind: AnnotationKind::Primary, label: None });
        }
    }
    for related in conflict.iter().flat_map(|it| it.related_information.iter().flatten()) {
        if related.location.uri == *document.uri
            && let Some(bytes) = bytes(related.location.range)
            && !places.iter().any(|it| it.bytes == bytes)
        {
            places.push(Place { bytes, kind: AnnotationKind::Context, label: Some(&related.message) });
        }
    }
    places.sort_by_key(|it| it.bytes.start);
    places
}

fn snippet<'a>(document: &Named<'a>, places: Vec<Place<'a>>) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let text = document.text;
    let start = places.iter().map(|it| it.bytes.start).min().unwrap_or_default();
    let end = places.iter().map(|it| it.bytes.end).max().unwrap_or_default();
    let first_line = text.line_of(Byte(start));
    let start = text.line_start(first_line).0;
    let end = text.line_content(text.line_of(Byte(end))).end.0;
    // Of characters that act on a terminal, the crate shows all but these; what is shown instead is as long.
    let source = text.as_str()[start..end].replace(|it| ('\u{80}'..='\u{9f}').contains(&it), "¤");
    let mut snippet = Snippet::source(source).path(document.name).line_start(first_line.0 + 1);
    for place in places {
        let bytes = place.bytes.start - start..place.bytes.end - start;
        if line_count(text, &place.bytes) <= WHOLE_LINES {
            snippet = snippet.annotation(AnnotationKind::Visible.span(bytes.clone()));
        }
        snippet = snippet.annotation(place.kind.span(bytes).label(place.label));
    }
    snippet
}

fn line_count(text: &Text, bytes: &Range<usize>) -> usize {
    let Line(first) = text.line_of(Byte(bytes.start));
    let Line(last) = text.line_of(Byte(bytes.end));
    last - first + 1
}
