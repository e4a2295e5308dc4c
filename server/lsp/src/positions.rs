//! LSP positions to bytes and back, in the negotiated encoding.

use agent_edit_engine::{Byte, Line, Span, Text};
use tower_lsp::ls_types::{Position, PositionEncodingKind, Range};

/// What the character of a position counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// Bytes.
    Utf8,
    /// UTF-16 code units: what every client knows.
    Utf16,
    /// Characters.
    Utf32,
}

impl Encoding {
    /// Its name in the protocol.
    pub(crate) fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf8 => PositionEncodingKind::UTF8,
            Self::Utf16 => PositionEncodingKind::UTF16,
            Self::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    fn units(self, character: char) -> usize {
        match self {
            Self::Utf8 => character.len_utf8(),
            Self::Utf16 => character.len_utf16(),
            Self::Utf32 => 1,
        }
    }
}

/// Why a position or range does not fit a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misfit {
    /// The text has no such line.
    NoSuchLine,
    /// The position stands inside a character.
    InsideCharacter,
    /// The range ends before it starts.
    EndBeforeStart,
}

impl Misfit {
    /// It in words.
    pub(crate) fn message(self) -> &'static str {
        match self {
            Self::NoSuchLine => "a line that the document does not have",
            Self::InsideCharacter => "a position inside a character",
            Self::EndBeforeStart => "a range that ends before it starts",
        }
    }
}

/// Where `position` stands in `text`. A character past the end of its line is the end of the line, as LSP has it;
/// nothing else is forgiven.
pub(crate) fn byte(text: &Text, position: Position, encoding: Encoding) -> Result<Byte, Misfit> {
    let line = Line(usize::try_from(position.line).map_err(|_| Misfit::NoSuchLine)?);
    if line.0 >= text.line_count() {
        return Err(Misfit::NoSuchLine);
    }
    let content = text.line_content(line);
    let wanted = usize::try_from(position.character).unwrap_or(usize::MAX);
    let mut units = 0;
    let mut at = content.start.0;
    for character in slice(text, content).chars() {
        if units >= wanted {
            break;
        }
        units += encoding.units(character);
        at += character.len_utf8();
    }
    if units > wanted { Err(Misfit::InsideCharacter) } else { Ok(Byte(at)) }
}

/// The bytes of `range`.
pub(crate) fn span(text: &Text, range: Range, encoding: Encoding) -> Result<Span, Misfit> {
    let (start, end) = (byte(text, range.start, encoding)?, byte(text, range.end, encoding)?);
    // The positions are compared too: a column past the end of a line must not hide that they are the wrong way round.
    if range.end < range.start { Err(Misfit::EndBeforeStart) } else { Ok(Span { start, end }) }
}

/// The bytes of `range` of a client whose lines end at `\n` alone: in its lines a `\r` before that is a column as any other.
pub(crate) fn span_by_newlines(text: &Text, range: Range, encoding: Encoding) -> Result<Span, Misfit> {
    let span = span(text, range, encoding)?;
    let behind_cr = |position: Position, at: Byte| {
        let is_break = text.slice(Span { start: at, end: Byte(at.0 + 2) }).is_some_and(|it| it == "\r\n");
        if is_break && self::position(text, at, encoding).character < position.character { Byte(at.0 + 1) } else { at }
    };
    Ok(Span { start: behind_cr(range.start, span.start), end: behind_cr(range.end, span.end) })
}

/// The position of `at`. An offset inside a line break is taken for the end of the line's content.
pub(crate) fn position(text: &Text, at: Byte, encoding: Encoding) -> Position {
    let line = text.line_of(at);
    let content = text.line_content(line);
    let before = Span { start: content.start, end: at.min(content.end) };
    let character = slice(text, before).chars().map(|it| encoding.units(it)).sum::<usize>();
    Position { line: number(line.0), character: number(character) }
}

/// The range of `span`.
pub(crate) fn range(text: &Text, span: Span, encoding: Encoding) -> Range {
    Range { start: position(text, span.start, encoding), end: position(text, span.end, encoding) }
}

/// The whole lines that `span` touches, the last one without its line break.
pub(crate) fn lines_of(text: &Text, span: Span) -> Span {
    let last = Byte(span.end.0.saturating_sub(1).max(span.start.0));
    Span { start: text.line_start(text.line_of(span.start)), end: text.line_content(text.line_of(last)).end }
}

/// A count as LSP writes it. No text of ours has more lines or columns than LSP can name.
pub(crate) fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn slice(text: &Text, span: Span) -> String {
    text.slice(span).expect("the content of a line, up to a character of it")
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENCODINGS: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];

    const TEXTS: [&str; 9] = [
        "",
        "plain",
        "a🚀b\r\n\u{2028}é\rx\n\ny",
        "\r\n\r\n",
        "ends\n",
        "e\u{301} combined, 漢字 and 👩‍👩‍👧",
        "\u{feff}bom\r\n",
        "\rlone\r\r\n\n",
        "\u{b}\u{c}\u{85}\u{2029}|",
    ];

    #[test]
    fn every_place_goes_there_and_back() {
        for content in TEXTS {
            let text = Text::new(content);
            for encoding in ENCODINGS {
                for at in places(content) {
                    let there = position(&text, Byte(at), encoding);
                    assert_eq!(there, naive_position(content, at, encoding), "{content:?} at {at} in {encoding:?}");
                    assert_eq!(byte(&text, there, encoding), Ok(Byte(at)), "{content:?} at {at} in {encoding:?}");
                }
            }
        }
    }

    #[track_caller]
    fn check(content: &str, line: u32, characters: [(u32, Result<usize, Misfit>); 3]) {
        for (encoding, (character, expected)) in ENCODINGS.into_iter().zip(characters) {
            let found = byte(&Text::new(content), Position { line, character }, encoding);
            assert_eq!(found, expected.map(Byte), "{content:?} {line}:{character} in {encoding:?}");
        }
    }

    #[test]
    fn columns_count_units_of_the_encoding() {
        check("a🚀b", 0, [(5, Ok(5)), (3, Ok(5)), (2, Ok(5))]);
        check("\né🚀", 1, [(2, Ok(3)), (1, Ok(3)), (1, Ok(3))]);
    }

    #[test]
    fn a_position_inside_a_character_is_none() {
        check("a🚀b", 0, [(2, Err(Misfit::InsideCharacter)), (2, Err(Misfit::InsideCharacter)), (1, Ok(1))]);
        check("é", 0, [(1, Err(Misfit::InsideCharacter)), (1, Ok(2)), (1, Ok(2))]);
    }

    #[test]
    fn a_column_past_the_end_is_the_end_of_the_line() {
        check("ab\r\ncd", 0, [(99, Ok(2)), (3, Ok(2)), (u32::MAX, Ok(2))]);
        check("ab\r\ncd", 1, [(99, Ok(6)), (3, Ok(6)), (2, Ok(6))]);
        check("", 0, [(1, Ok(0)), (1, Ok(0)), (1, Ok(0))]);
    }

    #[test]
    fn a_line_that_is_not_there_is_none() {
        let none = Err(Misfit::NoSuchLine);
        check("ab\n", 2, [(0, none), (0, none), (0, none)]);
        check("a\u{2028}b", 1, [(0, none), (0, none), (0, none)]);
        check("", u32::MAX, [(0, none), (0, none), (0, none)]);
    }

    #[test]
    fn a_range_must_not_end_before_it_starts() {
        let text = Text::new("ab\ncd");
        let range = |from: (u32, u32), to: (u32, u32)| Range {
            start: Position { line: from.0, character: from.1 },
            end: Position { line: to.0, character: to.1 },
        };
        assert_eq!(span(&text, range((0, 1), (1, 1)), Encoding::Utf16), Ok(Span::new(1, 4)));
        assert_eq!(span(&text, range((1, 0), (0, 1)), Encoding::Utf16), Err(Misfit::EndBeforeStart));
        assert_eq!(span(&text, range((0, 9), (0, 5)), Encoding::Utf16), Err(Misfit::EndBeforeStart));
    }

    #[test]
    fn whole_lines_end_without_their_break() {
        let text = Text::new("ab\r\ncd\nef");
        let check = |start, end, expected: &str| {
            assert_eq!(text.slice(lines_of(&text, Span::new(start, end))).unwrap(), expected);
        };
        check(1, 1, "ab");
        check(1, 4, "ab");
        check(1, 5, "ab\r\ncd");
        check(9, 9, "ef");
    }

    #[test]
    fn random_texts_agree_with_the_naive_twin() {
        let alphabet = ["a", "é", "🚀", "\r", "\n", "\r\n", "\u{2028}", "\t", "漢"];
        let mut seed = 0x2545_f491_4f6c_dd1d_u64;
        let mut below = |bound: usize| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            usize::try_from(seed % bound as u64).unwrap()
        };
        for _ in 0..2_000 {
            let content: String = (0..below(12)).map(|_| alphabet[below(alphabet.len())]).collect();
            let text = Text::new(&content);
            for encoding in ENCODINGS {
                for at in places(&content) {
                    let there = position(&text, Byte(at), encoding);
                    assert_eq!(there, naive_position(&content, at, encoding), "{content:?} at {at}");
                    assert_eq!(byte(&text, there, encoding), Ok(Byte(at)), "{content:?} at {at}");
                }
            }
        }
    }

    /// The places of a text an editor can name: between characters, but not inside `\r\n`.
    fn places(content: &str) -> Vec<usize> {
        let bytes = content.as_bytes();
        let inside_break = |at: usize| at > 0 && bytes.get(at - 1..=at) == Some(b"\r\n");
        (0..=content.len()).filter(|&at| content.is_char_boundary(at) && !inside_break(at)).collect()
    }

    fn naive_position(content: &str, at: usize, encoding: Encoding) -> Position {
        let (mut line, mut column) = (0, 0);
        let mut before = content[..at].chars().peekable();
        while let Some(character) = before.next() {
            if character == '\n' || (character == '\r' && before.peek() != Some(&'\n')) {
                (line, column) = (line + 1, 0);
            } else if character != '\r' {
                column += encoding.units(character);
            }
        }
        Position { line, character: u32::try_from(column).unwrap() }
    }
}
