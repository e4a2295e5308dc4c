//! The lines of a hunk, as the patch envelope and unified diffs have them: kept, removed, added.

use crate::batch::{Edit, EditKind, Hints, Replace};
use crate::place::Place;

/// The two texts that a hunk is made of.
#[derive(Debug, Default)]
pub(crate) struct Hunk {
    pub(crate) old: String,
    pub(crate) new: String,
    /// What the last line is.
    last: Option<char>,
    /// Lines of the old text.
    pub(crate) old_lines: usize,
    /// Lines of the new text.
    pub(crate) new_lines: usize,
    /// Nothing can follow in the old text: it ends without a line break.
    pub(crate) old_is_open: bool,
    /// The same of the new text.
    pub(crate) new_is_open: bool,
}

impl Hunk {
    /// Takes a line with its break. An empty line has lost the space in front of it. `false` where it is no hunk line.
    pub(crate) fn push(&mut self, whole: &str) -> bool {
        let Some((kind, content)) = kind(whole) else { return false };
        if (kind != '+' && self.old_is_open) || (kind != '-' && self.new_is_open) {
            return false;
        }
        if kind != '+' {
            self.old.push_str(content);
            self.old_lines += 1;
        }
        if kind != '-' {
            self.new.push_str(content);
            self.new_lines += 1;
        }
        self.last = Some(kind);
        true
    }

    /// The last line has no line break.
    pub(crate) fn open_end(&mut self) {
        let cut = |text: &mut String| {
            let bare = text.strip_suffix('\n').map(|it| it.strip_suffix('\r').unwrap_or(it).len());
            text.truncate(bare.unwrap_or(text.len()));
        };
        if matches!(self.last, Some(' ' | '-')) {
            cut(&mut self.old);
            self.old_is_open = true;
        }
        if matches!(self.last, Some(' ' | '+')) {
            cut(&mut self.new);
            self.new_is_open = true;
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.last.is_none()
    }

    /// The edit that it is.
    pub(crate) fn edit(self, place: Place, hints: Hints) -> Edit {
        let hints = Hints { whole_lines: true, ..hints };
        let replace = Replace { old_text: self.old, new_text: self.new, hints, ..Replace::default() };
        Edit { kind: EditKind::Replace(replace), place }
    }
}

/// What a hunk line does, ` `, `-` or `+`, and its content with the break.
pub(crate) fn kind(whole: &str) -> Option<(char, &str)> {
    match whole.chars().next() {
        Some(kind @ (' ' | '-' | '+')) => Some((kind, &whole[1..])),
        None | Some('\n') => Some((' ', whole)),
        Some('\r') if whole == "\r\n" => Some((' ', whole)),
        Some(_) => None,
    }
}
