//! Conflicts drawn under the source lines, from the diagnostics the server published.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use agent_edit_engine::{Byte, Line, Text};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use serde_json::Value;
use tower_lsp::ls_types::{Diagnostic, DiagnosticSeverity, NumberOrString, Uri};

use super::terminal::{WIDTH, visible, wrapped};
use super::unpublished;
use crate::embedded_editor::{EmbeddedEditor, edit_of, span};

/// Places farther apart than this are drawn as two pieces of source.
const NEAR_LINES: usize = 20;
/// So many lines of one place are shown whole; of more, the first and the last.
const WHOLE_LINES: usize = 12;

/// So much is quoted of a line that is not in the document.
const QUOTED_CHARACTERS: usize = 60;

/// A document by its name, with what the answer to the agent says of its failing edits.
struct Document<'a> {
    name: &'a str,
    uri: &'a Uri,
    text: &'a Text,
    failures: &'a [Value],
}

/// All conflicts that the editor shows in `documents`, by name and URI. `failures` are those of the error the agent got:
/// they tell how the lines of a candidate differ from what the agent quoted.
pub(crate) fn draw_all<'a>(
    documents: impl Iterator<Item = (&'a str, &'a Uri)>,
    editor: &EmbeddedEditor,
    failures: &[Value],
) -> String {
    documents
        .filter_map(|(name, uri)| {
            let document = Document { name, uri, text: &editor.document(uri)?.text, failures };
            match editor.diagnostics(uri) {
                [] => Some(draw(&document, &unpublished::diagnostics(uri, failures))),
                published => Some(draw(&document, published)),
            }
        })
        .collect()
}

fn draw(document: &Document<'_>, diagnostics: &[Diagnostic]) -> String {
    let renderer = Renderer::styled().term_width(WIDTH);
    by_edit(diagnostics).values().map(|conflict| renderer.render(&[group(document, conflict)]) + "\n\n").collect()
}

/// An edit that would fit in several places has a diagnostic at each.
fn by_edit(diagnostics: &[Diagnostic]) -> BTreeMap<(Option<String>, Option<u64>), Vec<&Diagnostic>> {
    let mut edits = BTreeMap::<_, Vec<_>>::new();
    for it in diagnostics {
        let batch = it.data.as_ref().map(|it| it["batchId"].to_string());
        edits.entry((batch, edit_of(it).and_then(Value::as_u64))).or_default().push(it);
    }
    edits
}

fn group<'a>(document: &Document<'a>, conflict: &[&'a Diagnostic]) -> Group<'a> {
    let first = conflict[0];
    let level = match first.severity {
        Some(DiagnosticSeverity::ERROR) => Level::ERROR,
        Some(DiagnosticSeverity::INFORMATION | DiagnosticSeverity::HINT) => Level::INFO,
        _ => Level::WARNING,
    };
    let code = match &first.code {
        Some(NumberOrString::String(code)) => code.as_str(),
        _ => "conflict",
    };
    // What stands in front: `warning[code]: `.
    let room = WIDTH.saturating_sub("warning[]: ".len() + code.len());
    let title = level.primary_title(wrapped(&first.message, room, "")).id(code);
    Group::with_title(title).elements(snippets(document, conflict))
}

/// A marked place of the text.
struct Place<'a> {
    bytes: Range<usize>,
    kind: AnnotationKind,
    label: Option<Cow<'a, str>>,
}

fn snippets<'a>(
    document: &Document<'a>,
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
fn places<'a>(document: &Document<'a>, conflict: &[&'a Diagnostic]) -> Vec<Place<'a>> {
    let bytes = |range| Some(tight(document.text, span(document.text, range).ok()?.range()));
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
            places.push(Place { bytes, kind: AnnotationKind::Context, label: Some(related.message.as_str().into()) });
        }
    }
    let edit = edit_of(conflict[0]);
    let failure = document.failures.iter().find(|it| it["uri"] == document.uri.as_str() && Some(&it["edit"]) == edit);
    let departures = failure.map(|it| departures(document.text, &it["candidate"])).unwrap_or_default();
    match places.as_mut_slice() {
        [candidate] if line_count(document.text, &candidate.bytes) == 1 => {
            candidate.label = departures.into_iter().next().and_then(|it| it.label);
        }
        // What differs is marked, what does not is only shown.
        [candidate] if !departures.is_empty() => {
            candidate.kind = AnnotationKind::Visible;
            places.extend(departures);
        }
        _ => {}
    }
    places.sort_by_key(|it| it.bytes.start);
    places
}

/// A place of whole lines is drawn to the end of the last one, not into the next; and a single line without its
/// indentation.
fn tight(text: &Text, bytes: Range<usize>) -> Range<usize> {
    let content = text.as_str()[bytes.clone()].trim_end_matches(['\r', '\n']);
    let end = bytes.start + content.len();
    let shown = content.trim_start_matches([' ', '\t']);
    match shown.is_empty() || shown.contains(['\r', '\n']) {
        true => bytes.start..end,
        false => end - shown.len()..end,
    }
}

/// The lines of a candidate that are not what the agent quoted.
fn departures<'a>(text: &Text, candidate: &'a Value) -> Vec<Place<'a>> {
    let first = candidate["range"]["start"]["line"].as_u64().and_then(|it| usize::try_from(it).ok());
    let mut line = Line(first.unwrap_or_default());
    let mut departures = vec![];
    for compared in candidate["lines"].as_array().into_iter().flatten() {
        let content = text.line_content(line).range();
        let shown = text.as_str()[content.clone()].trim_start();
        let bytes = content.end - shown.len()..content.end;
        let (bytes, label): (_, Cow<'a, str>) = match compared["mark"].as_str() {
            Some("missing") => {
                let quoted: String =
                    compared["text"].as_str().unwrap_or_default().trim().chars().take(QUOTED_CHARACTERS).collect();
                (bytes.start..bytes.start, format!("before this line, the edit quotes `{}`", visible(&quoted)).into())
            }
            Some("changed") => (bytes, "the edit quotes another text here".into()),
            Some("whitespace") => (bytes, "the edit quotes other white space here".into()),
            Some("extra") => (bytes, "the edit does not quote this line".into()),
            _ => {
                line.0 += 1;
                continue;
            }
        };
        if compared["mark"] != "missing" {
            line.0 += 1;
        }
        departures.push(Place { bytes, kind: AnnotationKind::Primary, label: Some(label) });
    }
    departures
}

fn snippet<'a>(document: &Document<'a>, places: Vec<Place<'a>>) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
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
        if place.kind != AnnotationKind::Visible {
            snippet = snippet.annotation(place.kind.span(bytes).label(place.label));
        }
    }
    snippet
}

fn line_count(text: &Text, bytes: &Range<usize>) -> usize {
    let Line(first) = text.line_of(Byte(bytes.start));
    let Line(last) = text.line_of(Byte(bytes.end));
    last - first + 1
}

#[cfg(test)]
mod tests {
    use std::str::FromStr;

    use agent_edit_engine::Text;
    use serde_json::{Value, json};
    use tower_lsp::ls_types::Uri;

    use super::{Document, draw};

    /// A diagnostic of edit `edit` at lines `first..=last` of `text`.
    fn pinned(text: &str, first: usize, last: usize, edit: usize) -> Value {
        let end = Text::new(text).line_content(agent_edit_engine::Line(last)).len();
        let range = json!({"start": {"line": first, "character": 0}, "end": {"line": last, "character": end}});
        json!({"range": range, "code": "kind", "message": "Why.", "data": {"batchId": "1", "edit": edit}})
    }

    #[track_caller]
    fn check(text: &str, diagnostics: &[Value], marks: &[&str], expected: &str) {
        let uri = Uri::from_str("file:///a").unwrap();
        let diagnostics = serde_json::from_value::<Vec<_>>(json!(diagnostics)).unwrap();
        let lines: Vec<_> = marks.iter().map(|it| json!({"mark": it, "text": "  gone\u{1b}"})).collect();
        let candidate = json!({"range": {"start": {"line": 0}}, "lines": lines});
        let failures = [json!({"uri": uri, "edit": 0, "candidate": candidate})];
        let document = Document { name: "a", uri: &uri, text: &Text::new(text), failures: &failures };
        let drawn = anstream::adapter::strip_str(&draw(&document, &diagnostics)).to_string();
        assert_eq!(drawn, expected, "\n{drawn}");
    }

    #[test]
    fn a_candidate_shows_where_it_departs_from_what_was_quoted() {
        let text = "fn a() {\n    one();\n    two();\n    three();\n}\n";
        let marks = ["same", "changed", "extra", "missing", "whitespace", "same"];
        let expected = "\
warning[kind]: Why.
 --> a:2:5
  |
1 | fn a() {
2 |     one();
  |     ^^^^^^ the edit quotes another text here
3 |     two();
  |     ^^^^^^ the edit does not quote this line
4 |     three();
  |     ^^^^^^^^
  |     |
  |     before this line, the edit quotes `gone␛`
  |     the edit quotes other white space here
5 | }
  |

";
        check(text, &[pinned(text, 0, 4, 0)], &marks, expected);
    }

    #[test]
    fn the_places_of_one_edit_are_drawn_together_and_far_ones_apart() {
        let text: String = (1..=40).map(|it| format!("line {it}\r\n")).collect();
        let expected = "\
warning[kind]: Why.
  --> a:2:1
   |
 2 | line 2
   | ^^^^^^
 3 | line 3
 4 | line 4
   | ^^^^^^
   |
  ::: a:36:1
   |
36 | line 36
   | ^^^^^^^

warning[kind]: Why.
 --> a:1:1
  |
1 | line 1
  | ^^^^^^

";
        let diagnostics = [(1, 7), (3, 7), (35, 7), (0, 8)].map(|(line, edit)| pinned(&text, line, line, edit));
        check(&text, &diagnostics, &[], expected);
    }

    #[test]
    fn an_empty_document_and_a_hostile_one_can_be_drawn() {
        let expected = "warning[kind]: Why.\n --> a:1:1\n  |\n1 |\n  | ^\n\n";
        check("", &[pinned("", 0, 0, 0)], &[], expected);
        let text = "\u{1b}[2Ja\u{9b}c\n";
        let expected = "warning[kind]: Why.\n --> a:1:1\n  |\n1 | ␛[2Ja¤c\n  | ^^^^^^^\n\n";
        check(text, &[pinned(text, 0, 0, 0)], &[], expected);
    }
}
