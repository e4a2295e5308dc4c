//! Text of a document made fit for one line of a report, a diagnostic or a terminal: it cannot break out.

use crate::warnings::is_bidi_control;

/// `text` between quotes, at most `limit` characters of it; what cannot be seen, ends a line or turns the reading order is
/// written as an escape.
pub(crate) fn quoted(text: &str, limit: usize) -> String {
    let mut out = String::from("\"");
    let mut left = limit;
    for c in text.chars() {
        let shown = escaped(c);
        let len = shown.chars().count();
        if len > left {
            out.push('…');
            break;
        }
        left -= len;
        out.push_str(&shown);
    }
    out.push('"');
    out
}

/// `text` with everything that could leave its line escaped, without quotes.
pub(crate) fn plain(text: &str) -> String {
    text.chars().map(|c| if c == '"' || c == '\\' { c.to_string() } else { escaped(c) }).collect()
}

fn escaped(c: char) -> String {
    match c {
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        '"' | '\\' => format!("\\{c}"),
        _ if c.is_control() || is_bidi_control(c) || is_unseen(c) => format!("\\u{{{:x}}}", u32::from(c)),
        _ => c.to_string(),
    }
}

/// Line separators, spaces that do not look like what they are, tags and other characters that show nothing.
fn is_unseen(c: char) -> bool {
    (c.is_whitespace() && c != ' ')
        || crate::fold::is_zero_width(c)
        || matches!(c, '\u{2061}'..='\u{2064}' | '\u{206a}'..='\u{206f}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}' | '\u{180e}' | '\u{115f}' | '\u{3164}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_leaves_its_line() {
        assert_eq!(quoted("a\r\nb\t\"c\\", 99), r#""a\r\nb\t\"c\\""#);
        assert_eq!(quoted("\u{1b}[31m\u{202e}x\u{2028}\u{85}", 99), r#""\u{1b}[31m\u{202e}x\u{2028}\u{85}""#);
        assert_eq!(quoted("abcdef", 3), "\"abc…\"");
        assert_eq!(quoted("ab\ncd", 3), "\"ab…\"");
        assert_eq!(plain("a\"b\n"), "a\"b\\n");
    }
}
