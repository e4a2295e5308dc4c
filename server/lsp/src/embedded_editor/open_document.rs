//! The editor's own copy of one document, changed by versioned edits or not at all.

use agent_edit_engine::{EditSet, Line, Replacement, Span, Text};
use tower_lsp::ls_types::{Position, Range, TextDocumentContentChangeEvent, TextEdit};

/// One open document.
#[derive(Clone, Debug)]
pub(crate) struct OpenDocument {
    pub(crate) text: Text,
    pub(crate) version: i32,
}

/// A document with edits made, and how to tell a server of it.
#[derive(Debug)]
pub(crate) struct Edited {
    pub(crate) document: OpenDocument,
    pub(crate) changes: Vec<TextDocumentContentChangeEvent>,
}

impl OpenDocument {
    /// Makes `edits`, which all speak of the text as it is now.
    ///
    /// # Errors
    /// Why they cannot be made; the reason an editor gives for refusing.
    pub(crate) fn edited(&self, edits: &[TextEdit]) -> Result<Edited, String> {
        let mut placed =
            edits.iter().map(|edit| Ok((span(&self.text, edit.range)?, edit))).collect::<Result<Vec<_>, String>>()?;
        placed.sort_by_key(|(span, _)| span.start);
        if let Some((_, edit)) = placed.iter().find(|(span, _)| self.text.as_str().get(span.range()).is_none()) {
            return Err(format!("{:?} cuts a character", edit.range));
        }
        let replacements = placed.iter().map(|(span, edit)| Replacement::new(*span, edit.new_text.as_str())).collect();
        let set = EditSet::new(replacements).map_err(|_| "two of the edits overlap".to_owned())?;
        let text = Text::new(&set.apply(self.text.as_str()));
        // Told from the end, so that none moves what the next one speaks of.
        placed.reverse();
        let changes = placed
            .iter()
            .map(|(_, edit)| TextDocumentContentChangeEvent {
                range: Some(edit.range),
                range_length: None,
                text: edit.new_text.clone(),
            })
            .collect();
        Ok(Edited { document: Self { text, version: self.version + 1 }, changes })
    }
}

/// The bytes of `range`, whose characters are bytes of UTF-8.
pub(crate) fn span(text: &Text, range: Range) -> Result<Span, String> {
    match (offset(text, range.start), offset(text, range.end)) {
        (Some(start), Some(end)) if start <= end => Ok(Span::new(start, end)),
        _ => Err(format!("the document has no {range:?}")),
    }
}

fn offset(text: &Text, position: Position) -> Option<usize> {
    let line = usize::try_from(position.line).ok().filter(|it| *it < text.line_count())?;
    let content = text.line_content(Line(line));
    // A character past the end of its line is that end.
    Some(content.start.0.saturating_add(usize::try_from(position.character).ok()?).min(content.end.0))
}

/// Where `offset` stands, in bytes from the start of its line.
pub(crate) fn position(text: &Text, offset: usize) -> Position {
    let line = text.line_of(agent_edit_engine::Byte(offset));
    let number = |it: usize| u32::try_from(it).expect("documents are far smaller than 4 GiB");
    Position::new(number(line.0), number(offset - text.line_start(line).0))
}

#[cfg(test)]
mod tests {
    use agent_edit_engine::Text;
    use tower_lsp::ls_types::{Position, Range, TextEdit};

    use super::OpenDocument;

    type Place = (u32, u32);

    #[track_caller]
    fn check(text: &str, edits: &[(Place, Place, &str)], result: Result<&str, &str>) {
        let document = OpenDocument { text: Text::new(text), version: 1 };
        let edits: Vec<_> = edits
            .iter()
            .map(|(start, end, new)| {
                TextEdit::new(
                    Range::new(Position::new(start.0, start.1), Position::new(end.0, end.1)),
                    (*new).to_owned(),
                )
            })
            .collect();
        match (document.edited(&edits), result) {
            (Ok(it), Ok(expected)) => assert_eq!(it.document.text.as_str(), expected),
            (Err(why), Err(expected)) => assert!(why.contains(expected), "{why}"),
            (Ok(it), Err(expected)) => panic!("{expected:?}, but it became {:?}", it.document.text.as_str()),
            (Err(why), Ok(_)) => panic!("{why}"),
        }
    }

    #[test]
    fn edits_speak_of_the_text_as_it_was() {
        check("one\r\ntwo\n", &[((1, 0), (1, 3), "2"), ((0, 0), (0, 3), "1\r\n1")], Ok("1\r\n1\r\n2\n"));
        check("a🚀b", &[((0, 5), (0, 6), "c")], Ok("a🚀c"));
        check("a", &[((0, 9), (0, 9), "b")], Ok("ab"));
        check("", &[((0, 0), (0, 0), "b")], Ok("b"));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        check("abc", &[((0, 0), (0, 2), "x"), ((0, 1), (0, 3), "y")], Err("overlap"));
        check("abc", &[((1, 0), (1, 0), "x")], Err("has no"));
        check("abc", &[((0, 2), (0, 1), "x")], Err("has no"));
        check("a🚀b", &[((0, 2), (0, 5), "c")], Err("cuts a character"));
    }
}
