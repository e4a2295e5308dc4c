//! What a character looks like once typography is ignored: quotes, dashes, the ellipsis, spaces, zero-width characters,
//! composed letters. Bidirectional controls are content and stay.

use unicode_normalization::char::{decompose_canonical, is_combining_mark};

/// A space of any width, a line break of any kind.
pub(crate) fn is_space(c: char) -> bool {
    c.is_whitespace()
}

/// White space in the sense of the tiers 2 to 5: what a keyboard makes, and line breaks.
pub(crate) fn is_plain_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}')
}

/// A character without width that carries no meaning in code.
pub(crate) fn is_zero_width(c: char) -> bool {
    matches!(c, '\u{200b}' | '\u{200c}' | '\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{ad}')
}

/// A character of a word, or a mark on one: an accent belongs to its letter, composed or not.
pub(crate) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || (!c.is_ascii() && is_combining_mark(c))
}

/// Emits the folded form of `c`: nothing for a zero-width character, a plain space for any space.
pub(crate) fn fold(c: char, mut emit: impl FnMut(char)) {
    match c {
        '\0'..='\x7f' => emit(c),
        _ if is_zero_width(c) => {}
        _ if is_space(c) => emit(' '),
        '‘' | '’' | '‚' | '‛' => emit('\''),
        '“' | '”' | '„' | '‟' => emit('"'),
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' => emit('-'),
        '…' => "...".chars().for_each(emit),
        _ => decompose_canonical(c, emit),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typography_folds_and_content_does_not() {
        let folded = |text: &str| {
            let mut out = String::new();
            text.chars().for_each(|c| fold(c, |it| out.push(it)));
            out
        };
        for (written, plain) in [
            ("“a” ‘b’", "\"a\" 'b'"),
            ("a – b — c", "a - b - c"),
            ("wait…", "wait..."),
            ("a\u{a0}b\u{2009}c", "a b c"),
            ("a\u{200b}b\u{feff}", "ab"),
            ("caf\u{e9}", "cafe\u{301}"),
        ] {
            assert_eq!(folded(written), plain);
        }
        for kept in ["a\u{202e}b", "«a»", "ａ", "名🚀"] {
            assert_eq!(folded(kept), kept);
        }
    }
}
