//! The unified diff of a preview, as a person reads it.

use std::fmt::Write;

use super::terminal::{BAD, BOLD, GOOD, PLACE, styled, visible};
use crate::to_proto;

/// What turns `before` into `after`; empty where they are the same.
pub(crate) fn draw(name: &str, before: &str, after: &str) -> String {
    styled_diff(&to_proto::diff(name, before, after))
}

/// A unified diff with styles, and nothing that could act on the terminal.
pub(crate) fn styled_diff(plain: &str) -> String {
    let mut drawn = String::with_capacity(plain.len());
    for line in plain.split_terminator('\n') {
        let shown = visible(line);
        let shown = match line.as_bytes().first() {
            _ if line.starts_with("--- ") || line.starts_with("+++ ") => styled(BOLD, &shown),
            Some(b'@') => styled(PLACE, &shown),
            Some(b'-') => styled(BAD, &shown),
            Some(b'+') => styled(GOOD, &shown),
            _ => shown.into_owned(),
        };
        let _ = writeln!(drawn, "{shown}");
    }
    drawn
}
