//! Hunks, of two texts.

use crate::batch::{EditKind, Replace};

/// The edit as hunks have it: whole lines, one place.
pub(super) fn hunk(kind: &EditKind) -> Result<&Replace, &'static str> {
    match kind {
        EditKind::Lines { .. } | EditKind::Insert { .. } => Err(super::NUMBERED),
        EditKind::Replace(it) if it.replace_all || it.expected_occurrences.is_some() => Err(super::OCCURRENCES),
        EditKind::Replace(it) if !it.hints.whole_lines => Err(super::PARTS),
        EditKind::Replace(it) if it.old_text.is_empty() => Err("an edit that seeks nothing"),
        EditKind::Replace(it) if it.old_text == it.new_text => Err("an edit that changes nothing"),
        EditKind::Replace(it) => Ok(it),
    }
}

/// Whether a text is lines that all end.
pub(super) fn is_closed(text: &str) -> bool {
    text.is_empty() || text.ends_with('\n')
}

/// The lines of a hunk: what both texts share at their ends is kept, the rest removed and added. `open` is the line below
/// one that has no break.
pub(super) fn lines(old: &str, new: &str, open: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    let head = old.iter().zip(&new).take_while(|it| it.0 == it.1).count();
    let rest = old.iter().skip(head).rev().zip(new.iter().skip(head).rev());
    let tail = rest.take_while(|it| it.0 == it.1).count();
    let mut out = String::new();
    let mut push = |sign: char, line: &str| {
        out.push(sign);
        out.push_str(line);
        if !line.ends_with('\n') {
            out.push('\n');
            out.push_str(open);
        }
    };
    old[..head].iter().for_each(|it| push(' ', it));
    old[head..old.len() - tail].iter().for_each(|it| push('-', it));
    new[head..new.len() - tail].iter().for_each(|it| push('+', it));
    old[old.len() - tail..].iter().for_each(|it| push(' ', it));
    out
}
