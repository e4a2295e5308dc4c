//! The unified diff a person reads.

use std::fmt::Write;
use std::time::Duration;

use similar::TextDiff;

use super::terminal::{BAD, BOLD, GOOD, PLACE, styled, visible};

/// How long a smaller diff is looked for; afterwards it only gets longer, never wrong.
const PATIENCE: Duration = Duration::from_millis(500);

/// What turns `before` into `after`; empty where they are the same.
pub(crate) fn draw(name: &str, before: &str, after: &str) -> String {
    let diff = TextDiff::configure().timeout(PATIENCE).diff_lines(before, after);
    let plain = diff.unified_diff().header(&format!("a/{name}"), &format!("b/{name}")).to_string();
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
