//! A line in its parts.

use crate::fold::is_space;
use crate::indent::indent_of;
use crate::rows::Row;

/// Indentation, text, and the white space behind it.
#[derive(Clone, Copy)]
pub(super) struct Parts<'a> {
    pub(super) indent: &'a str,
    pub(super) body: &'a str,
    pub(super) behind: &'a str,
}

impl<'a> Parts<'a> {
    pub(super) fn of(row: &Row<'a>) -> Self {
        let indent = indent_of(row);
        let rest = &row.text[indent.len()..];
        let body = rest.trim_end_matches(is_space);
        Self { indent, body, behind: &rest[body.len()..] }
    }
}
