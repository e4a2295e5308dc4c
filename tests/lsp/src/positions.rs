//! Offsets and LSP positions, the stupid way: count from the start, every time.

use std::ops::Range;

use serde_json::{Value, json};

/// What `character` of a position counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// UTF-16 units.
    Utf16,
    /// Characters.
    Utf32,
}

impl Encoding {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Utf8, Self::Utf16, Self::Utf32];

    /// Its name in the protocol.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Utf16 => "utf-16",
            Self::Utf32 => "utf-32",
        }
    }

    fn width(self, of: char) -> u64 {
        match self {
            Self::Utf8 => of.len_utf8() as u64,
            Self::Utf16 => of.len_utf16() as u64,
            Self::Utf32 => 1,
        }
    }
}

/// The byte offset of a position.
///
/// # Errors
/// Why there is no such place in `text`; nothing is clamped.
pub fn offset(text: &str, encoding: Encoding, position: &Value) -> Result<usize, String> {
    let line = position["line"].as_u64().ok_or_else(|| format!("{position} has no line"))?;
    let character = position["character"].as_u64().ok_or_else(|| format!("{position} has no character"))?;
    let (mut at_line, mut at_character) = (0, 0);
    let mut rest = text.char_indices().peekable();
    loop {
        if (at_line, at_character) == (line, character) {
            return Ok(rest.peek().map_or(text.len(), |it| it.0));
        }
        let Some((at, here)) = rest.next() else {
            return Err(format!("{position} is behind the end of the text, line {at_line}, character {at_character}"));
        };
        if at_line == line && (at_character > character || "\r\n".contains(here)) {
            return Err(format!("{position} is inside a character or behind the end of its line"));
        }
        match here {
            '\r' if text[at + 1..].starts_with('\n') => {}
            '\r' | '\n' => (at_line, at_character) = (at_line + 1, 0),
            _ => at_character += encoding.width(here),
        }
    }
}

/// The position of a byte offset, which must not be inside a character or `\r\n`.
///
/// # Panics
/// Where it is.
#[must_use]
pub fn position(text: &str, encoding: Encoding, offset: usize) -> Value {
    assert!(is_between(text, offset), "{offset} is no place between characters");
    let (mut line, mut character) = (0_u64, 0);
    for (at, here) in text[..offset].char_indices() {
        match here {
            '\r' if text[at + 1..].starts_with('\n') => {}
            '\r' | '\n' => (line, character) = (line + 1, 0),
            _ => character += encoding.width(here),
        }
    }
    json!({"line": line, "character": character})
}

/// The byte offsets of a range.
///
/// # Errors
/// As [`offset`], and where it ends before it starts.
pub fn span(text: &str, encoding: Encoding, range: &Value) -> Result<Range<usize>, String> {
    let span = offset(text, encoding, &range["start"])?..offset(text, encoding, &range["end"])?;
    if span.start > span.end { Err(format!("{range} ends before it starts")) } else { Ok(span) }
}

/// The range of byte offsets.
///
/// # Panics
/// As [`position`].
#[must_use]
pub fn range(text: &str, encoding: Encoding, span: Range<usize>) -> Value {
    json!({"start": position(text, encoding, span.start), "end": position(text, encoding, span.end)})
}

/// Whether `offset` is a place between two characters, `\r\n` being one.
#[must_use]
pub fn is_between(text: &str, offset: usize) -> bool {
    text.is_char_boundary(offset) && !(text[..offset].ends_with('\r') && text[offset..].starts_with('\n'))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Encoding, is_between, offset, position};

    /// Line 0 `a🚀é`, 1 empty, 2 `x` behind a lone `\r`, 3 with U+2028 in it, 4 empty and last.
    const TEXT: &str = "a🚀é\r\n\rx\ny\u{2028}z\n";

    #[test]
    fn there_and_back_is_the_identity() {
        for encoding in Encoding::ALL {
            for at in (0..=TEXT.len()).filter(|&it| is_between(TEXT, it)) {
                assert_eq!(offset(TEXT, encoding, &position(TEXT, encoding, at)), Ok(at), "{encoding:?} {at}");
            }
        }
    }

    #[test]
    fn each_encoding_counts_its_own_units() {
        for (encoding, character) in [(Encoding::Utf8, 7), (Encoding::Utf16, 4), (Encoding::Utf32, 3)] {
            assert_eq!(position(TEXT, encoding, 7), json!({"line": 0, "character": character}));
        }
        assert_eq!(position(TEXT, Encoding::Utf16, TEXT.len()), json!({"line": 4, "character": 0}));
    }

    #[test]
    fn what_is_no_place_is_told() {
        for (line, character) in [(0, 2), (0, 5), (1, 1), (4, 1), (5, 0)] {
            let place = json!({"line": line, "character": character});
            assert!(offset(TEXT, Encoding::Utf16, &place).is_err(), "{place}");
        }
    }
}
