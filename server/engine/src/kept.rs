//! New text put into its place so that all the author left alone keeps the document's bytes: lines shared with the old text,
//! blank lines between them, the common head and tail of a changed line.

mod between;
mod ends;
mod partners;
mod parts;

use crate::diff::{Hunk, hunks};
use crate::fit::{Endings, push_break};
use crate::fold::{is_space, is_zero_width};
use crate::indent::{IndentMap, indent_of};
use crate::kept::between::between;
use crate::kept::ends::shared_ends;
pub(crate) use crate::kept::partners::partners;
use crate::kept::parts::Parts;
use crate::rows::Row;

/// A line that is not blank, with the blank ones in front of it.
struct Group<'a> {
    blanks: Vec<Row<'a>>,
    row: Row<'a>,
}

/// Lines as groups, and the blank ones behind the last.
struct Groups<'a> {
    groups: Vec<Group<'a>>,
    behind: Vec<Row<'a>>,
}

impl<'a> Groups<'a> {
    fn of(rows: &[Row<'a>]) -> Self {
        let mut groups = Vec::new();
        let mut blanks = Vec::new();
        for row in rows {
            if is_blank(row) {
                blanks.push(*row);
            } else {
                groups.push(Group { blanks: std::mem::take(&mut blanks), row: *row });
            }
        }
        Self { groups, behind: blanks }
    }

    /// The blank lines in front of group `index`, or behind the last.
    fn gap(&self, index: usize) -> &[Row<'a>] {
        self.groups.get(index).map_or(&self.behind, |it| &it.blanks)
    }

    fn row(&self, index: usize) -> &Row<'a> {
        &self.groups[index].row
    }
}

pub(crate) fn is_blank(row: &Row<'_>) -> bool {
    row.text.chars().all(|c| is_space(c) || is_zero_width(c))
}

/// `new` in place of `place`, which holds the same lines as `old` but for white space and typography. `None` where it cannot
/// be told where blank lines or indentation go.
pub(crate) fn kept(
    place: &[Row<'_>],
    old: &[Row<'_>],
    new: &[Row<'_>],
    map: &IndentMap<'_>,
    endings: Endings<'_>,
) -> Option<String> {
    let unseen = |row: &&Row<'_>| is_blank(row) && row.text.contains(is_zero_width);
    if new.iter().filter(unseen).any(|row| !old.iter().any(|it| it.text == row.text)) {
        // A line of nothing that can be seen is no blank line to its author.
        return None;
    }
    let texts = Texts { place: Groups::of(place), old: Groups::of(old), new: Groups::of(new), map, endings };
    if texts.new.groups.is_empty() {
        return Some(texts.only_blanks());
    }
    let lines = |it: &Groups<'_>| it.groups.iter().map(|it| it.row.text.to_owned()).collect::<Vec<_>>();
    let changed = hunks(lines(&texts.old), lines(&texts.new));
    let mut out = String::new();
    let (mut at_old, mut at_new) = (0, 0);
    for hunk in &changed {
        texts.push_shared(&mut out, at_old..hunk.before.start, at_new);
        texts.push_changed(&mut out, hunk)?;
        (at_old, at_new) = (hunk.before.end, hunk.after.end);
    }
    texts.push_shared(&mut out, at_old..texts.old.groups.len(), at_new);
    if changed.last().is_none_or(|it| it.before.end < texts.old.groups.len()) {
        texts.push_gap(&mut out, texts.old.groups.len(), texts.new.groups.len());
    }
    Some(out)
}

struct Texts<'a> {
    place: Groups<'a>,
    old: Groups<'a>,
    new: Groups<'a>,
    map: &'a IndentMap<'a>,
    endings: Endings<'a>,
}

impl<'a> Texts<'a> {
    /// Nothing is left of the old text but blank lines, as they were written.
    fn only_blanks(&self) -> String {
        let mut out = String::new();
        self.push_blanks(&mut out, &self.new.behind, 0);
        out
    }

    /// Lines that both texts of the author's hold: the document's. The gap in front of the first is the change's where
    /// one stands there.
    fn push_shared(&self, out: &mut String, old: std::ops::Range<usize>, new: usize) {
        for (offset, index) in old.enumerate() {
            if offset > 0 || (index, new) == (0, 0) {
                self.push_gap(out, index, new + offset);
            }
            self.push_text(out, self.place.row(index).text);
            self.push_break(out, self.new.row(new + offset), Some(index));
        }
    }

    /// A run of changed lines, and the gaps in front of it and behind it.
    fn push_changed(&self, out: &mut String, hunk: &Hunk) -> Option<()> {
        let (old, new) = (&hunk.before, &hunk.after);
        if new.is_empty() {
            self.push_gap_of_removed(out, hunk);
            return Some(());
        }
        if old.is_empty() {
            return self.push_inserted(out, hunk);
        }
        let paired = old.len() == new.len();
        let partners = if paired { vec![] } else { self.partners(hunk) };
        for index in new.clone() {
            let offset = index - new.start;
            let stands_for = (old.start + offset).min(old.end - 1);
            if offset == 0 || paired {
                self.push_gap(out, stands_for, index);
            } else {
                self.push_blanks(out, self.new.gap(index), stands_for);
            }
            let (first, last) = (offset == 0, index + 1 == new.end);
            let text = match partners.get(offset).copied().flatten().or(paired.then_some(stands_for)) {
                Some(partner) => self.mixed(partner, index, true, true),
                None if first && last && old.len() == 1 => self.mixed(old.start, index, true, true),
                None if first => self.mixed(old.start, index, true, false),
                None if last => self.mixed(old.end - 1, index, false, true),
                None => self.written(index),
            }?;
            self.push_text(out, &text);
            self.push_break(out, self.new.row(index), Some(stands_for));
        }
        self.push_gap_behind_change(out, old.end, new.end);
        Some(())
    }

    /// Lines put between two that stay: a gap became two. One that is as the old one was is the document's gap.
    fn push_inserted(&self, out: &mut String, hunk: &Hunk) -> Option<()> {
        let (at, new) = (hunk.before.start, &hunk.after);
        let (was, there) = (self.old.gap(at).len(), self.place.gap(at).len());
        let (front, behind) = (self.new.gap(new.start).len(), self.new.gap(new.end).len());
        let between = at > 0 && at < self.old.groups.len();
        // The document parts the two lines, the author does not: what parts them stays.
        let parted = was == 0 && there > 0 && front == 0 && behind == 0 && between;
        let below = parted && self.goes_with_the_line_below(at, new);
        let near = at.saturating_sub(1);
        self.push_gap_as(out, at, new.start, front == was && (!parted || below));
        for index in new.clone() {
            if index > new.start {
                self.push_blanks(out, self.new.gap(index), near);
            }
            self.push_text(out, &self.written(index)?);
            self.push_break(out, self.new.row(index), Some(near));
        }
        self.push_gap_as(out, at, new.end, behind == was && !below);
        Some(())
    }

    /// Whether lines put between two belong to the lower one: they share its depth, and not that of the upper one.
    fn goes_with_the_line_below(&self, at: usize, new: &std::ops::Range<usize>) -> bool {
        let is = indent_of(self.new.row(new.end - 1));
        is == indent_of(self.old.row(at)) && is != indent_of(self.old.row(at - 1))
    }

    /// Lines taken out: two gaps became one. It is the document's for the one that it equals; for the larger one if it
    /// equals both, since blank lines that the author did not see are not the author's to take out.
    fn push_gap_of_removed(&self, out: &mut String, hunk: &Hunk) {
        let is = self.new.gap(hunk.after.end).len();
        let equals = |gap: usize| (self.old.gap(gap).len() == is, self.place.gap(gap).len());
        let (front, behind) = (hunk.before.start, hunk.before.end);
        let gap = if equals(front) >= equals(behind) && equals(front).0 { front } else { behind };
        self.push_gap_as(out, gap, hunk.after.end, equals(gap).0);
    }

    fn push_gap_as(&self, out: &mut String, old: usize, new: usize, kept: bool) {
        if kept {
            self.push_gap(out, old, new);
        } else {
            self.push_blanks(out, self.new.gap(new), old);
        }
    }

    /// Blank lines: the document's, and as many more behind them, or fewer, as the author made them.
    fn push_gap(&self, out: &mut String, old: usize, new: usize) {
        let (there, more) = self.gap_parts(old, new);
        self.push_stays(out, &self.place.gap(old)[..there]);
        self.push_blanks(out, &self.new.gap(new)[self.new.gap(new).len() - more..], old);
    }

    /// The same where the line in front is a changed one: what the author added goes beside it.
    fn push_gap_behind_change(&self, out: &mut String, old: usize, new: usize) {
        let (there, more) = self.gap_parts(old, new);
        self.push_blanks(out, &self.new.gap(new)[..more], old);
        self.push_stays(out, &self.place.gap(old)[self.place.gap(old).len() - there..]);
    }

    /// How many blank lines of the document's stay, and how many of the author's come to them.
    fn gap_parts(&self, old: usize, new: usize) -> (usize, usize) {
        let (was, is, there) = (self.old.gap(old).len(), self.new.gap(new).len(), self.place.gap(old).len());
        let wanted = (there + is).saturating_sub(was);
        (there.min(wanted), wanted.saturating_sub(there).min(is))
    }

    fn push_stays(&self, out: &mut String, blanks: &[Row<'_>]) {
        for row in blanks {
            self.push_text(out, row.text);
            self.push_break(out, row, None);
        }
    }

    fn push_blanks(&self, out: &mut String, blanks: &[Row<'_>], near: usize) {
        for row in blanks {
            self.push_text(out, row.text);
            self.push_break(out, row, Some(near));
        }
    }

    /// A line's text, on a line of its own: what stood last in the document or in the new text may not do so here.
    fn push_text(&self, out: &mut String, text: &str) {
        if !out.is_empty() && !out.ends_with(['\n', '\r']) {
            push_break(out, self.endings.for_written("\n"));
        }
        out.push_str(text);
    }

    /// The line break of a line written as `row`, in the place of the document's line `index`.
    fn push_break(&self, out: &mut String, row: &Row<'_>, index: Option<usize>) {
        let there = index.and_then(|it| self.place.groups.get(it)).map_or("", |it| it.row.line_break);
        push_break(out, self.endings.in_place_of(row.line_break, there));
    }

    /// The old line, if any, that each new line of a run of changed ones is a new version of.
    fn partners(&self, hunk: &Hunk) -> Vec<Option<usize>> {
        let bodies = |of: &Groups<'a>, range: std::ops::Range<usize>| -> Vec<&'a str> {
            range.map(|it| Parts::of(of.row(it)).body).collect()
        };
        let found = partners(&bodies(&self.old, hunk.before.clone()), &bodies(&self.new, hunk.after.clone()));
        found.into_iter().map(|it| it.map(|it| hunk.before.start + it)).collect()
    }

    /// A new line as its author wrote it, moved to its place.
    fn written(&self, new: usize) -> Option<String> {
        let Parts { indent, body, behind } = Parts::of(self.new.row(new));
        Some(self.map.carry(indent)? + body + behind)
    }

    /// A new line in place of an old one: what their heads and tails share stays as it is in the document.
    fn mixed(&self, old: usize, new: usize, head: bool, tail: bool) -> Option<String> {
        let (was, is, there) =
            (Parts::of(self.old.row(old)), Parts::of(self.new.row(new)), Parts::of(self.place.row(old)));
        let indent = match head && was.indent == is.indent {
            true => there.indent.to_owned(),
            false => self.map.carry(is.indent)?,
        };
        let behind = if tail && was.behind == is.behind { there.behind } else { is.behind };
        let (front, back) = shared_ends(was.body, is.body, there.body, head, tail);
        let fits = front.1 + back.1 <= is.body.len() && front.0.len() + back.0.len() <= there.body.len();
        Some(match fits {
            true => {
                let middle = between(
                    &was.body[front.1..was.body.len() - back.1],
                    &is.body[front.1..is.body.len() - back.1],
                    &there.body[front.0.len()..there.body.len() - back.0.len()],
                );
                [&indent, front.0, &middle, back.0, behind].concat()
            }
            false => indent + is.body + behind,
        })
    }
}
