//! What a terminal is told: text with styles, which go where no colour is wanted, and no control character of a document.

use std::borrow::Cow;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use super::problem::Problem;

pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default();
pub(crate) const PLACE: Style = AnsiColor::Cyan.on_default();

/// As wide as anything is drawn: it fits beside an editor, and most terminals are no narrower.
pub(crate) const WIDTH: usize = 100;

/// Writes to standard output; without styles where it is no terminal or `NO_COLOR` is set.
pub(crate) fn print(text: &str) -> Result<(), Problem> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Problem::Output)
}

/// Writes to standard error, in the same way.
pub(crate) fn print_error(text: &str) {
    // Where even that cannot be written, there is nobody left to tell.
    let _: io::Result<()> = anstream::stderr().lock().write_all(text.as_bytes());
}

pub(crate) fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// `text` in lines of at most `width` columns, those after the first with `indent` in front.
pub(crate) fn wrapped(text: &str, width: usize, indent: &str) -> String {
    textwrap::wrap(text, width).join(&format!("\n{indent}"))
}

/// `text` with what would act on a terminal, or on the order of what it shows, made visible.
/// Tabs and the `\r` of a line end stay.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    let acts = |it: char| (it.is_control() && it != '\t') || is_bidi(it);
    let (content, end) = match text.strip_suffix('\r') {
        Some(content) => (content, "\r"),
        None => (text, ""),
    };
    if !content.contains(acts) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for it in content.chars() {
        match it {
            // The block of control pictures follows the order of the characters.
            '\0'..='\x1f' if it != '\t' => shown.extend(char::from_u32(0x2400 + u32::from(it))),
            '\x7f' => shown.push('␡'),
            it if acts(it) => shown.push_str(&format!("<U+{:04X}>", u32::from(it))),
            it => shown.push(it),
        }
    }
    Cow::Owned(shown + end)
}

/// [`visible`], for a text of several lines.
pub(crate) fn visible_lines(text: &str) -> String {
    text.split('\n').map(visible).collect::<Vec<_>>().join("\n")
}

fn is_bidi(it: char) -> bool {
    matches!(it, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn a_document_cannot_act_on_the_terminal() {
        for (text, shown) in [
            ("plain\té🚀\r", "plain\té🚀\r"),
            ("\x1b[2Jgone", "␛[2Jgone"),
            ("a\rb\x7f", "a␍b␡"),
            ("\u{9b}2J \u{202e}evil", "<U+009B>2J <U+202E>evil"),
            ("", ""),
        ] {
            assert_eq!(visible(text), shown);
        }
    }
}
