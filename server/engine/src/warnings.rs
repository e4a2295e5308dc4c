//! What a person should know of an edit that was applied. Never a reason to refuse.

use crate::applied::WarningKind;
use crate::batch::Edit;
use crate::edit_set::EditSet;
use crate::fold::{is_plain_space, is_zero_width};
use crate::rows::{row_end, row_start, rows};
use crate::text::Text;

/// What there is to know of `edit`, which does `changes` to `text`.
pub(crate) fn warnings(edit: &Edit, changes: &EditSet, text: &Text) -> Vec<WarningKind> {
    let (old, new) = texts(edit);
    let brings = |wanted: fn(char) -> bool| new.contains(wanted) && !old.contains(wanted);
    let mut found = Vec::new();
    if brings(is_bidi_control) {
        found.push(WarningKind::BidiControl);
    }
    if brings(is_zero_width) {
        found.push(WarningKind::InvisibleCharacters);
    }
    // One match stands for all: the others are changed the same way.
    let Some(first) = changes.replacements().first() else { return found };
    let lines = text.lines_around(first.span);
    let (before, from) = match &lines {
        Some(it) => (&*it.content, it.start),
        None => (text.as_str(), 0),
    };
    let (start, end) = (first.span.start.0 - from, first.span.end.0 - from);
    let (line_start, line_end) = (row_start(before, start), row_end(before, end));
    let after = [&before[line_start..start], &*first.text, &before[end..line_end]].concat();
    let removed = &before[start..end];
    let within_lines = !removed.starts_with(['\n', '\r']) && !removed.ends_with(['\n', '\r']);
    let is_blank = |text: &str| text.chars().all(is_plain_space);
    if within_lines && is_blank(&after) && !is_blank(&before[line_start..line_end]) {
        found.push(WarningKind::EmptyLineLeft);
    }
    if mixes_indentation(&after) && !mixes_indentation(&before[line_start..line_end]) {
        found.push(WarningKind::MixedIndentation);
    }
    found
}

fn texts(edit: &Edit) -> (&str, &str) {
    match edit {
        Edit::FindReplace(it) => (&it.old_text, &it.new_text),
        Edit::LineReplace(it) => ("", &it.new_text),
        Edit::LineInsert(it) => ("", &it.new_text),
    }
}

/// Characters that make text read in another order than it stands in.
pub(crate) fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}')
}

/// Some lines start with a tab, others with spaces. One space alone continues a comment.
fn mixes_indentation(text: &str) -> bool {
    let starts = |with: &str| rows(text).any(|row| !row.is_blank() && row.text.starts_with(with));
    starts("\t") && (starts("  ") || rows(text).any(|row| row.indent().contains(" \t")))
}
