//! The three texts line by line, and what becomes of each line.

use std::collections::HashSet;
use std::ops::Range;

use super::sides::{Partner, around, indents, ours, said};
use super::words::merge_words;
use crate::conflict::Mark;
use crate::diagnosis::alignment::{Sample, align, pair};
use crate::diagnosis::region::{Needle, around_line, cover};
use crate::diff::{Hunk, hunks};
use crate::indent::{IndentMap, indent_of};
use crate::kept::partners;
use crate::rows::{Row, break_len, final_break, rows};
use crate::text::Span;

/// The two conflict.
struct Conflict;

/// A line of the result: text and line break, where that is known.
pub(super) type Put<'a> = (String, Option<&'a str>);

/// Base, region and new text, as lines that know of each other.
pub(super) struct Three<'a> {
    old: Vec<Row<'a>>,
    new: Vec<Row<'a>>,
    there: Vec<Row<'a>>,
    /// What became of each old line.
    partners: Vec<Partner>,
    /// The region's own lines in front of each old line, and behind the last.
    extras: Vec<Range<usize>>,
    /// The old lines without their white space.
    said: HashSet<String>,
    /// What the author changed, in lines.
    theirs: Vec<Hunk>,
    map: Option<IndentMap<'a>>,
    /// The document's text around `old` on the lines it starts and ends in.
    front: &'a str,
    behind: &'a str,
    /// The line break of the region; the author's own where it has none.
    ending: Option<&'a str>,
    /// A line break that the new text has at its end and the old one does not.
    last_break: bool,
}

impl<'a> Three<'a> {
    pub(super) fn of(old_text: &'a str, new_text: &'a str, region_text: &'a str) -> Self {
        let needle = Needle::of(old_text);
        let whole = Span::new(0, region_text.len());
        let part = || around_line(region_text, &needle, whole);
        let region = part().unwrap_or_else(|| cover(region_text, &needle, whole));
        let (old, new): (Vec<_>, Vec<_>) = (rows(old_text).collect(), rows(new_text).collect());
        let row = |it: &Span| {
            let behind = &region_text[it.end.0..];
            Row { text: &region_text[it.range()], line_break: &behind[..break_len(behind)] }
        };
        let there: Vec<_> = region.rows.iter().map(row).collect();
        let (partners, extras) = ours(&region.aligned, old.len());
        let theirs = hunks(old.iter().map(|it| it.text), new.iter().map(|it| it.text));
        let map = indents(&old, &new, &there, &partners);
        let (front, behind) = around(&old, &there, &partners, &region, map.as_ref());
        let ending = there.iter().map(|it| it.line_break).find(|it| !it.is_empty());
        let last_break = final_break(old_text).is_empty() && !final_break(new_text).is_empty();
        let said = old.iter().map(said).collect();
        Self { old, new, there, partners, extras, said, theirs, map, front, behind, ending, last_break }
    }

    /// The region with the author's changes; `None` where the two conflict.
    pub(super) fn merged(&self) -> Option<Vec<Put<'a>>> {
        let mut out = Vec::new();
        let mut at = 0;
        for hunk in &self.theirs {
            self.keep(at..hunk.before.start, &mut out);
            self.change(hunk, &mut out).ok()?;
            at = hunk.before.end;
        }
        self.keep(at..self.old.len(), &mut out);
        self.keep_lines(self.own(self.old.len(), at), &mut out);
        Some(out)
    }

    /// The region's own lines in front of old line `at`, unless a change that goes up to there took care of them.
    fn own(&self, at: usize, kept: usize) -> Range<usize> {
        let takes_care = |it: &Hunk| it.before.end == at && (it.before.is_empty() || self.has(&self.extras[at], it));
        let done = at == kept && self.theirs.iter().any(takes_care);
        if done { 0..0 } else { self.extras[at].clone() }
    }

    /// What the author left alone is the region's.
    fn keep(&self, lines: Range<usize>, out: &mut Vec<Put<'a>>) {
        for line in lines.clone() {
            self.keep_lines(self.own(line, lines.start), out);
            if let Some((there, _)) = self.partners[line] {
                self.keep_lines(there..there + 1, out);
            }
        }
    }

    fn keep_lines(&self, lines: Range<usize>, out: &mut Vec<Put<'a>>) {
        let kept = |it: &Row<'a>| (it.text.to_owned(), Some(it.line_break).filter(|it| !it.is_empty()));
        out.extend(self.there[lines].iter().map(kept));
    }

    fn change(&self, hunk: &Hunk, out: &mut Vec<Put<'a>>) -> Result<(), Conflict> {
        if hunk.before.is_empty() {
            return self.insert(hunk, out);
        }
        let untouched = |line: usize| matches!(self.partners[line], Some((_, Mark::Same | Mark::Whitespace)));
        let inside = hunk.before.clone().skip(1).any(|line| !self.extras[line].is_empty());
        let (front, behind) = (&self.extras[hunk.before.start], &self.extras[hunk.before.end]);
        let put_in = |own: &Range<usize>| own.clone().any(|it| !self.is_moved(it)) && !self.has(own, hunk);
        if hunk.after.len() > hunk.before.len() && (put_in(front) || put_in(behind)) {
            // Two insertions beside each other: nobody knows which goes first.
            return Err(Conflict);
        }
        if !self.has(front, hunk) {
            self.keep_lines(front.clone(), out);
        }
        if !self.knows_ends(hunk) {
            return Err(Conflict);
        }
        if !inside && hunk.before.clone().all(untouched) {
            out.extend(self.put_all(hunk.after.clone(), &hunk.before));
            return Ok(());
        }
        let partners = || hunk.before.clone().filter_map(|line| self.partners[line]).map(|it| it.0);
        if let (Some(first), Some(last)) = (partners().min(), partners().max())
            && self.says(first..last + 1, hunk)
        {
            self.keep_lines(first..last + 1, out);
            return Ok(());
        }
        self.change_inside(hunk, out)
    }

    fn insert(&self, hunk: &Hunk, out: &mut Vec<Put<'a>>) -> Result<(), Conflict> {
        let own = self.extras[hunk.before.start].clone();
        if own.is_empty() {
            out.extend(self.put_all(hunk.after.clone(), &hunk.before));
        } else if self.says(own.clone(), hunk) {
            self.keep_lines(own, out);
        } else {
            // Two insertions at one place: nobody knows which goes first.
            return Err(Conflict);
        }
        Ok(())
    }

    /// Whether the region's lines are what the author puts there, white space aside: it has that change already.
    fn says(&self, there: Range<usize>, hunk: &Hunk) -> bool {
        self.there[there].iter().map(said).eq(self.new[hunk.after.clone()].iter().map(said))
    }

    /// Whether a line of the region's own is an old one in another place, or blank.
    fn is_moved(&self, there: usize) -> bool {
        let own = &self.there[there];
        own.is_blank() || self.said.contains(&said(own))
    }

    /// Whether the author puts the region's own lines in too, at one end of the change.
    fn has(&self, own: &Range<usize>, hunk: &Hunk) -> bool {
        let after = &hunk.after;
        let part = |after: Range<usize>| Hunk { before: hunk.before.clone(), after };
        !own.is_empty()
            && after.len() >= hunk.before.len() + own.len()
            && [after.start..after.start + own.len(), after.end - own.len()..after.end]
                .into_iter()
                .any(|it| self.says(own.clone(), &part(it)))
    }

    /// Line by line, where the region changed some of them too.
    fn change_inside(&self, hunk: &Hunk, out: &mut Vec<Put<'a>>) -> Result<(), Conflict> {
        let samples = |rows: &[Row<'a>]| rows.iter().map(|it| Sample::of(it.text, it.text)).collect::<Vec<_>>();
        let (old, new) = (samples(&self.old[hunk.before.clone()]), samples(&self.new[hunk.after.clone()]));
        let aligned = align(&old, &new, &pair(&old, &new));
        let grows = aligned.iter().any(|it| it.old.is_none() || it.there.is_none());
        for (nth, it) in aligned.iter().enumerate() {
            let old = it.old.map(|old| old + hunk.before.start);
            let new = it.there.map(|new| new + hunk.after.start);
            if let Some(line) = old.filter(|it| nth > 0 && !self.extras[*it].is_empty()) {
                if grows {
                    return Err(Conflict);
                }
                self.keep_lines(self.extras[line].clone(), out);
            }
            match (old, new) {
                (None, Some(new)) => out.push(self.put(new, false, false)),
                (Some(old), None) if matches!(self.partners[old], Some((_, Mark::Changed))) => return Err(Conflict),
                // Taken away by one or by both.
                (Some(_), None) => {}
                (Some(old), Some(new)) => match self.partners[old] {
                    Some((there, Mark::Changed)) => out.push(self.mixed(old, there, new)?),
                    Some(_) => out.push(self.put(new, old == 0, old + 1 == self.old.len())),
                    None => return Err(Conflict),
                },
                (None, None) => {}
            }
        }
        Ok(())
    }

    /// One line that both changed.
    fn mixed(&self, old: usize, there: usize, new: usize) -> Result<Put<'a>, Conflict> {
        let (a, b, c) = (&self.old[old], &self.there[there], &self.new[new]);
        let open = (old == 0, old + 1 == self.old.len());
        let body = merge_words(a.body(), b.body(), c.body(), open).ok_or(Conflict)?;
        let indent = if a.indent() == c.indent() { b.indent().to_owned() } else { self.carried(c) };
        Ok((indent + &body, Some(b.line_break).filter(|it| !it.is_empty())))
    }

    /// Lines of the author's in place of `old` ones: what the document has around these on their lines stays around what
    /// they became.
    fn put_all(&self, new: Range<usize>, old: &Range<usize>) -> Vec<Put<'a>> {
        let became = self.became(&new, old);
        let end = self.old.len().saturating_sub(1);
        let first = old.contains(&0).then(|| became(0).unwrap_or(new.start));
        let last = old.contains(&end).then(|| became(end).unwrap_or(new.end.saturating_sub(1)));
        new.clone().map(|it| self.put(it, first == Some(it), last == Some(it))).collect()
    }

    /// Which of the `new` lines each of the `old` ones became.
    fn became(&self, new: &Range<usize>, old: &Range<usize>) -> impl Fn(usize) -> Option<usize> {
        let bodies = |rows: &[Row<'a>]| rows.iter().map(Row::body).collect::<Vec<_>>();
        let partners = partners(&bodies(&self.old[old.clone()]), &bodies(&self.new[new.clone()]));
        let (old, new) = (old.start, new.start);
        move |line| partners.iter().position(|it| *it == Some(line - old)).map(|it| it + new)
    }

    /// Whether it can be told around which new line goes what the document has around the old text on its lines.
    fn knows_ends(&self, hunk: &Hunk) -> bool {
        let (old, new) = (&hunk.before, &hunk.after);
        let became = self.became(new, old);
        let end = self.old.len().saturating_sub(1);
        let told = |line: usize, around: &str| around.is_empty() || !old.contains(&line) || became(line).is_some();
        (old.len() == 1 && new.len() <= 1) || (told(0, self.front) && told(end, self.behind))
    }

    /// A line of the author's at its place, as the first and the last of the old lines or not.
    fn put(&self, new: usize, first: bool, last: bool) -> Put<'a> {
        let row = &self.new[new];
        // What the document has around the quote and the author writes there too stands there once.
        let front = if first && !(row.text.starts_with(self.front)) { self.front } else { "" };
        let behind = if last && !row.text.ends_with(self.behind) { self.behind } else { "" };
        let text = match front.is_empty() && !row.is_blank() {
            true => self.carried(row) + row.text.trim_start_matches(crate::fold::is_plain_space),
            false => format!("{front}{}", row.text),
        };
        let text = text + behind;
        (text, None)
    }

    fn carried(&self, row: &Row<'_>) -> String {
        let indent = indent_of(row);
        self.map.as_ref().and_then(|it| it.carry(indent)).unwrap_or_else(|| indent.to_owned())
    }

    /// The new text at its place; what it shares with the old one is the region's where that has it too.
    pub(super) fn replaced(&self) -> Vec<Put<'a>> {
        let mut out = Vec::new();
        let (mut old, mut new) = (0, 0);
        let shared = |old: Range<usize>, new: usize, out: &mut Vec<Put<'a>>| {
            for (offset, line) in old.enumerate() {
                match self.partners[line] {
                    Some((there, Mark::Same | Mark::Whitespace)) => self.keep_lines(there..there + 1, out),
                    _ => out.push(self.put(new + offset, line == 0, line + 1 == self.old.len())),
                }
            }
        };
        for hunk in &self.theirs {
            shared(old..hunk.before.start, new, &mut out);
            out.extend(self.put_all(hunk.after.clone(), &hunk.before));
            (old, new) = (hunk.before.end, hunk.after.end);
        }
        shared(old..self.old.len(), new, &mut out);
        out
    }

    /// The lines as one text: the last one without a line break, as in the region.
    pub(super) fn text(&self, lines: Vec<Put<'a>>) -> String {
        let written = self.new.iter().map(|it| it.line_break).find(|it| !it.is_empty());
        let ending = self.ending.or(written).unwrap_or("\n");
        let mut text = String::new();
        let count = lines.len();
        for (index, (line, line_break)) in lines.into_iter().enumerate() {
            text.push_str(&line);
            if index + 1 < count || self.last_break {
                text.push_str(line_break.unwrap_or(ending));
            }
        }
        text
    }
}
