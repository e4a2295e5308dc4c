//! Three-way merge of an edit into a region it does not match: `old_text` the base, the region ours, `new_text` theirs.

mod words;

use std::ops::Range;

use crate::conflict::Mark;
use crate::diagnosis::alignment::{Aligned, Sample, align, pair};
use crate::diagnosis::likeness::{Pairs, share};
use crate::diagnosis::region::{Needle, Region, around_line, cover};
use crate::diff::{Hunk, hunks};
use crate::indent::{IndentMap, Unit, indent_of};
use crate::matching::proved;
use crate::placeholder::{is_elision, placeholder};
use crate::rows::{Row, break_len, final_break, rows};
use crate::text::Span;
use words::merge_words;

/// A text to stand in place of the region, with the region's indentation and line endings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Merge {
    /// Both changes in one.
    Clean(String),
    /// They touch the same lines: this is `new_text` fitted to the place, the region's own changes lost.
    Replaced(String),
}

/// Merges what an edit changes into `region`, whole lines of a document, the last one without its line break. A change is
/// taken over where the region did not change the same words, nor words or lines right beside them at the same place.
/// `None` where `new_text` stands for code that it would delete.
#[must_use]
pub fn merge(old_text: &str, new_text: &str, region: &str) -> Option<Merge> {
    if placeholder(old_text, new_text).is_some() {
        return None;
    }
    // Line numbers, escapes or a fence around both texts are none of the edit's change, if the region has none of them.
    let there = Pairs::of(region);
    let like = |old: &str| share(there.shared(&Pairs::of(old)), there.len(), Pairs::of(old).len());
    let best = proved(old_text, new_text).max_by(|a, b| like(&a.old).total_cmp(&like(&b.old)));
    let read = best.filter(|it| like(&it.old) > like(old_text));
    let (old_text, new_text) = read.as_ref().map_or((old_text, new_text), |it| (&*it.old, &*it.new));
    // An empty last line has no part in it.
    let last = final_break(region);
    let three = Three::of(old_text, new_text, &region[..region.len() - last.len()]);
    match three.merged() {
        Some(lines) => Some(Merge::Clean(three.text(lines) + last)),
        // A middle that both texts leave out is kept by a clean merge alone.
        None if rows(new_text).any(|row| is_elision(row.text)) => None,
        None => Some(Merge::Replaced(three.text(three.replaced()) + last)),
    }
}

/// The two conflict.
struct Conflict;

/// A line of the result: text and line break, where that is known.
type Put<'a> = (String, Option<&'a str>);

struct Three<'a> {
    old: Vec<Row<'a>>,
    new: Vec<Row<'a>>,
    there: Vec<Row<'a>>,
    /// What became of each old line.
    partners: Vec<Partner>,
    /// The region's own lines in front of each old line, and behind the last.
    extras: Vec<Range<usize>>,
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
    fn of(old_text: &'a str, new_text: &'a str, region_text: &'a str) -> Self {
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
        Self { old, new, there, partners, extras, theirs, map, front, behind, ending, last_break }
    }

    /// The region with the author's changes; `None` where the two conflict.
    fn merged(&self) -> Option<Vec<Put<'a>>> {
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
        let done = at == kept && self.theirs.iter().any(|it| it.before.is_empty() && it.before.end == at);
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
        self.keep_lines(self.extras[hunk.before.start].clone(), out);
        if !inside && hunk.before.clone().all(untouched) {
            out.extend(hunk.after.clone().map(|it| self.put(it)));
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
            out.extend(hunk.after.clone().map(|it| self.put(it)));
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
        let said = |it: &Row<'_>| it.text.split_whitespace().collect::<String>();
        self.there[there].iter().map(said).eq(self.new[hunk.after.clone()].iter().map(said))
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
                (None, Some(new)) => out.push(self.put(new)),
                (Some(old), None) if matches!(self.partners[old], Some((_, Mark::Changed))) => return Err(Conflict),
                // Taken away by one or by both.
                (Some(_), None) => {}
                (Some(old), Some(new)) => match self.partners[old] {
                    Some((there, Mark::Changed)) => out.push(self.mixed(old, there, new)?),
                    Some(_) => out.push(self.put(new)),
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

    /// A line of the author's at its place.
    fn put(&self, new: usize) -> Put<'a> {
        let row = &self.new[new];
        let first = new == 0 && !self.front.is_empty();
        let mut text = match first {
            true => format!("{}{}", self.front, row.text),
            false if row.is_blank() => row.text.to_owned(),
            false => self.carried(row) + row.text.trim_start_matches(crate::fold::is_plain_space),
        };
        if new + 1 == self.new.len() {
            text.push_str(self.behind);
        }
        (text, None)
    }

    fn carried(&self, row: &Row<'_>) -> String {
        let indent = indent_of(row);
        self.map.as_ref().and_then(|it| it.carry(indent)).unwrap_or_else(|| indent.to_owned())
    }

    /// The new text at its place; what it shares with the old one is the region's where that has it too.
    fn replaced(&self) -> Vec<Put<'a>> {
        let mut out = Vec::new();
        let (mut old, mut new) = (0, 0);
        let shared = |old: Range<usize>, new: usize, out: &mut Vec<Put<'a>>| {
            for (offset, line) in old.enumerate() {
                match self.partners[line] {
                    Some((there, Mark::Same | Mark::Whitespace)) => self.keep_lines(there..there + 1, out),
                    _ => out.push(self.put(new + offset)),
                }
            }
        };
        for hunk in &self.theirs {
            shared(old..hunk.before.start, new, &mut out);
            out.extend(hunk.after.clone().map(|it| self.put(it)));
            (old, new) = (hunk.before.end, hunk.after.end);
        }
        shared(old..self.old.len(), new, &mut out);
        out
    }

    /// The lines as one text: the last one without a line break, as in the region.
    fn text(&self, lines: Vec<Put<'a>>) -> String {
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

/// The line of the region that an old line became, if any, and how the two compare.
type Partner = Option<(usize, Mark)>;

/// What became of each old line, and which lines are the region's own.
fn ours(aligned: &[Aligned], old: usize) -> (Vec<Partner>, Vec<Range<usize>>) {
    let mut partners = vec![None; old];
    let mut extras = vec![0..0; old + 1];
    let mut at = 0;
    for it in aligned {
        match (it.old, it.there) {
            (Some(line), Some(there)) => (partners[line], at) = (Some((there, it.mark)), line + 1),
            (Some(line), None) => at = line + 1,
            (None, Some(there)) if extras[at].is_empty() => extras[at] = there..there + 1,
            (None, Some(there)) => extras[at].end = there + 1,
            (None, None) => {}
        }
    }
    (partners, extras)
}

/// Where the author's indentation goes: as the lines say that are the same, else as all do, else as all but the first do,
/// which may have been quoted from its middle.
fn indents<'a>(old: &[Row<'a>], new: &[Row<'a>], there: &[Row<'a>], partners: &[Partner]) -> Option<IndentMap<'a>> {
    let pairs = |wanted: fn(Mark) -> bool, skip: usize| {
        let lines = old.iter().zip(partners).skip(skip).filter(|it| !it.0.is_blank());
        let both = lines.filter_map(|(row, it)| it.filter(|it| wanted(it.1)).map(|it| (row, &there[it.0])));
        both.map(|(a, b)| (indent_of(a), indent_of(b))).collect::<Vec<_>>()
    };
    let same = |it| matches!(it, Mark::Same | Mark::Whitespace);
    let any = |_| true;
    let tries = [pairs(same, 0), pairs(same, 1), pairs(any, 0), pairs(any, 1)];
    let written = || old.iter().chain(new).copied();
    tries
        .iter()
        .filter(|it| !it.is_empty())
        .find_map(|it| IndentMap::between(it, written(), || Unit::of(there.iter().copied())))
}

/// What stands in front of `old` on its first line and behind it on its last, where it was quoted from the middle of them.
fn around<'a>(
    old: &[Row<'a>],
    there: &[Row<'a>],
    partners: &[Partner],
    region: &Region,
    map: Option<&IndentMap<'_>>,
) -> (&'a str, &'a str) {
    let row_of = |line: usize| partners.get(line).copied().flatten().map(|it| &there[it.0]);
    let (Some(first), Some(last)) = (old.first(), old.last()) else { return ("", "") };
    if old.len() == 1 && there.len() == 1 {
        let (row, extent) = (there[0].text, region.extent);
        let (front, behind) = (&row[..extent.start.0], &row[extent.end.0..]);
        return (if front.trim().is_empty() { "" } else { front }, behind.trim_end());
    }
    let front = row_of(0).and_then(|it| it.text.strip_suffix(first.text)).unwrap_or("");
    let carried = map.and_then(|it| it.carry(first.indent()));
    let indented = front.trim().is_empty() && carried.is_some_and(|it| it == format!("{front}{}", first.indent()));
    let behind = row_of(old.len() - 1).and_then(|it| it.text.strip_prefix(last.text)).unwrap_or("");
    (if indented { "" } else { front }, behind.trim_end())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn clean(old: &str, new: &str, region: &str, expected: &str) {
        assert_eq!(merge(old, new, region), Some(Merge::Clean(expected.to_owned())));
    }

    #[track_caller]
    fn replaced(old: &str, new: &str, region: &str, expected: &str) {
        assert_eq!(merge(old, new, region), Some(Merge::Replaced(expected.to_owned())));
    }

    #[test]
    fn code_that_is_left_out_is_never_deleted() {
        assert_eq!(merge("a\nb\nc", "a\n// ... existing code ...", "a\nx\nc"), None);
        assert_eq!(merge("a\n...\nc", "b\n...\nd", "x\ny\nz"), None);
    }

    #[test]
    fn changes_of_different_lines_merge() {
        clean("one\ntwo\nthree", "one\ntwo\nTHREE", "ONE!\ntwo\nthree", "ONE!\ntwo\nTHREE");
        clean("one\ntwo\nthree", "one\nnew\ntwo\nthree", "one\ntwo\nthree!", "one\nnew\ntwo\nthree!");
        clean("one\ntwo\nthree", "one\nthree", "one\ntwo\n# why\nthree", "one\n# why\nthree");
        clean("one\ntwo\nthree\n", "one\ntwo\nfour\n", "one\n# why\ntwo\nthree", "one\n# why\ntwo\nfour");
        clean("one\ntwo\nthree", "one\ntwo\nfour", "two\none\nthree", "two\none\nfour");
    }

    #[test]
    fn changes_of_one_line_merge_by_words() {
        clean("let x = foo(1);", "let x = foo(2);", "    let x = bar(1);", "    let x = bar(2);");
        clean("foo(1)", "foo(2)", "let y = bar(foo(1), 3);", "let y = bar(foo(2), 3);");
        clean("a(1)\nb(1)\nc(1)", "a(2)\nb(2)\nc(1)", "a(1)\nb(1) + d\nc(1)", "a(2)\nb(2) + d\nc(1)");
    }

    #[test]
    fn changes_of_the_same_words_or_lines_conflict() {
        replaced("let x = 1;", "let x = 2;", "    let x = 3;", "    let x = 2;");
        replaced("one\nthree", "one\ntwo\nthree", "one\n2\nthree", "one\ntwo\nthree");
        replaced("one\ntwo\nthree", "one\nthree", "one\ntwo!\nthree", "one\nthree");
        replaced("one\ntwo\nthree", "ONE\n2\nTHREE", "one\nthree", "ONE\n2\nTHREE");
    }

    #[test]
    fn what_both_changed_alike_is_changed_once() {
        clean("one\ntwo\nthree", "one\n2\nthree", "one\n2\nthree!", "one\n2\nthree!");
        clean("one\nthree", "one\ntwo\nthree", "one\ntwo\nthree!", "one\ntwo\nthree!");
    }

    #[test]
    fn indentation_and_line_endings_are_the_region_s() {
        clean("if a:\n  b()", "if a:\n  b()\n  c()", "\tif a:\r\n\t\tb()", "\tif a:\r\n\t\tb()\r\n\t\tc()");
        replaced("a = 1\nb = 1", "a = 2\nb = 2\nc = 2", "  a = 3\r\n  b = 1", "  a = 2\r\n  b = 2\r\n  c = 2");
    }

    #[test]
    fn what_wraps_both_texts_is_no_change() {
        clean("1|let x = 1;\n2|end()", "1|let x = 2;\n2|end()", "let x = 1;\nend(7)", "let x = 2;\nend(7)");
        clean(r#"f(\"a\", 1)"#, r#"f(\"a\", 2)"#, r#"g("a", 1)"#, r#"g("a", 2)"#);
    }

    fn texts() -> impl Strategy<Value = String> {
        let line = prop::sample::select(vec!["a", "b", "", "  a", "foo(1)", "foo(2)", "bar = 1", "}"]);
        prop::collection::vec(line, 1..7).prop_map(|it| it.join("\n"))
    }

    proptest! {
        #[test]
        fn a_side_that_changes_nothing_leaves_the_other(old in texts(), other in texts()) {
            prop_assume!(!old.trim().is_empty() && !old.ends_with('\n') && !other.ends_with('\n'));
            prop_assert_eq!(merge(&old, &other, &old), Some(Merge::Clean(other.clone())));
            prop_assert_eq!(merge(&old, &old, &other), Some(Merge::Clean(other.clone())));
        }

        #[test]
        fn lines_far_apart_never_conflict(len in 4_usize..12, ours in 0_usize..12, theirs in 0_usize..12) {
            prop_assume!(ours < len && theirs < len && ours.abs_diff(theirs) > 1);
            let text = |changed: &[(usize, &str)]| {
                let line = |at: usize| {
                    let word = ["alpha", "beta", "gamma", "delta", "omega"][at % 5];
                    let end = changed.iter().find(|it| it.0 == at).map_or("", |it| it.1);
                    format!("{word} line {at}{end}")
                };
                (0..len).map(line).collect::<Vec<_>>().join("\n")
            };
            let merged = merge(&text(&[]), &text(&[(theirs, " theirs")]), &text(&[(ours, " ours")]));
            prop_assert_eq!(merged, Some(Merge::Clean(text(&[(theirs, " theirs"), (ours, " ours")]))));
        }
    }
}
