//! Where the head and the tail that a changed line shares with the old one stand in the document's line.

use crate::fold::{fold, is_space, is_zero_width};

/// Bytes of the document, and how many bytes of the new text they stand for.
type End<'a> = (&'a str, usize);

/// What joins the text in front of it.
const CLOSING: [char; 7] = [',', ';', ':', '.', ')', ']', '}'];

/// The head and the tail that `was` and `is` share, as they stand in `there`.
pub(super) fn shared_ends<'a>(was: &str, is: &str, there: &'a str, head: bool, tail: bool) -> (End<'a>, End<'a>) {
    let (old, new) = (atoms(was), atoms(is));
    let mut front = if head { old.iter().zip(&new).take_while(|(a, b)| a == b).count() } else { 0 };
    let most = old.len().min(new.len()) - front;
    let same = |(a, b): &(&&str, &&str)| a == b;
    let mut back = if tail { old.iter().rev().zip(new.iter().rev()).take(most).take_while(same).count() } else { 0 };
    let is_gap = |atoms: &[&str], at: usize| atoms.get(at).is_some_and(|it| it.starts_with(is_space));
    let head_end = loop {
        // White space behind the head is the document's where the author left it alone: there in both, or in neither.
        let left_alone = front < old.len() && front < new.len() && !is_gap(&old, front) && !is_gap(&new, front);
        // Where text is only put in, such as an argument, a comma goes in front of the space before the bracket.
        let left_alone = left_alone && !(front + back == old.len() && new[front].starts_with(CLOSING));
        let spaces = front > 0 && (is_gap(&old, front - 1) || left_alone);
        match after(there, shown(&old[..front]), spaces, ends_unseen(&old[..front])) {
            Some(end) => break end,
            None => front -= 1,
        }
    };
    let tail_start = loop {
        let (at_old, at_new) = (old.len() - back, new.len() - back);
        let left_alone = at_old > 0 && at_new > 0 && !is_gap(&old, at_old - 1) && !is_gap(&new, at_new - 1);
        // Where text is only put in or taken out, white space that both sides could claim is claimed once.
        let both = at_old > front && at_new > front;
        let left_alone = left_alone && (both || !there[..head_end].ends_with(is_space));
        let spaces = back > 0 && (is_gap(&old, at_old) || left_alone);
        match before(there, shown(&old[at_old..]), spaces, starts_unseen(&old[at_old..])) {
            Some(start) => break start,
            None => back -= 1,
        }
    };
    let bytes = |atoms: &[&str]| atoms.iter().map(|it| it.len()).sum();
    ((&there[..head_end], bytes(&new[..front])), (&there[tail_start..], bytes(&new[new.len() - back..])))
}

/// A text as characters and runs of white space.
fn atoms(text: &str) -> Vec<&str> {
    let mut atoms = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let len = if is_space(c) { rest.len() - rest.trim_start_matches(is_space).len() } else { c.len_utf8() };
        let (atom, behind) = rest.split_at(len);
        atoms.push(atom);
        rest = behind;
    }
    atoms
}

/// How many bytes `atoms` show once white space and typography are ignored.
fn shown(atoms: &[&str]) -> usize {
    atoms.iter().map(|it| shown_in(it)).sum()
}

/// How many bytes `text` shows once white space and typography are ignored.
pub(super) fn shown_in(text: &str) -> usize {
    text.chars().map(shown_len).sum()
}

pub(super) fn shown_len(c: char) -> usize {
    let mut len = 0;
    if !is_space(c) {
        fold(c, |it| len += it.len_utf8());
    }
    len
}

/// Whether something without width stands behind all that `atoms` show.
fn ends_unseen(atoms: &[&str]) -> bool {
    atoms.iter().rev().take_while(|it| shown(&[it]) == 0).any(|it| it.contains(is_zero_width))
}

/// Whether something without width stands in front of all that `atoms` show.
fn starts_unseen(atoms: &[&str]) -> bool {
    atoms.iter().take_while(|it| shown(&[it]) == 0).any(|it| it.contains(is_zero_width))
}

/// Where the first `wanted` bytes shown of `text` end, with the white space behind them or without, and with what has no
/// width where that belongs to them. `None` inside a character.
fn after(text: &str, wanted: usize, spaces: bool, unseen: bool) -> Option<usize> {
    let at = walk(text.chars(), wanted)?;
    let rest = &text[at..];
    let run = rest.len() - rest.trim_start_matches(|c| is_space(c) || is_zero_width(c)).len();
    let seen = if unseen { rest[..run].trim_end_matches(is_space).len() } else { 0 };
    let space = if spaces { rest[seen..].len() - rest[seen..].trim_start_matches(is_space).len() } else { 0 };
    Some(at + seen + space)
}

/// Where the last `wanted` bytes shown of `text` start, with the white space in front of them or without, and with what has
/// no width where that belongs to them. `None` inside a character.
fn before(text: &str, wanted: usize, spaces: bool, unseen: bool) -> Option<usize> {
    let at = text.len() - walk(text.chars().rev(), wanted)?;
    let rest = &text[..at];
    let run = rest.trim_end_matches(|c| is_space(c) || is_zero_width(c)).len();
    let seen = if unseen { run + (rest[run..].len() - rest[run..].trim_start_matches(is_space).len()) } else { at };
    Some(if spaces { rest[..seen].trim_end_matches(is_space).len() } else { seen })
}

/// How many bytes the characters take that show the first `wanted`.
fn walk(mut chars: impl Iterator<Item = char>, wanted: usize) -> Option<usize> {
    let (mut at, mut seen) = (0, 0);
    while seen < wanted {
        let c = chars.next()?;
        seen += shown_len(c);
        at += c.len_utf8();
    }
    (seen == wanted).then_some(at)
}
