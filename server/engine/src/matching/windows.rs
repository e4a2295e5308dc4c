//! The lines around a core: what the tiers that compare whole lines look at.

use super::query::{Exhausted, Query};
use crate::batch::Matching;
use crate::fold::{is_plain_space, is_space, is_zero_width};
use crate::rows::{Row, break_len, final_break, rows};
use crate::text::Span;

/// Old and new text of one look-up, as lines.
pub(crate) struct Block<'a> {
    pub(crate) old: &'a str,
    pub(crate) new: &'a str,
    pub(crate) rows: Vec<Row<'a>>,
    blank_front: usize,
    blank_behind: usize,
}

impl<'a> Block<'a> {
    /// Both texts as they are.
    pub(crate) fn whole(query: &Query<'a>) -> Self {
        Self::new(query.old, query.new)
    }

    /// Both texts without the blank lines that both have around them: the document's may be more or fewer.
    pub(crate) fn trimmed(query: &Query<'a>) -> Self {
        let (old, new) = (blanks_around(query.old), blanks_around(query.new));
        let (front, behind) = (old.0.min(new.0), old.1.min(new.1));
        Self::new(without_rows(query.old, front, behind), without_rows(query.new, front, behind))
    }

    fn new(old: &'a str, new: &'a str) -> Self {
        let (blank_front, blank_behind) = blanks_around(old);
        Self { old, new, rows: rows(old).collect(), blank_front, blank_behind }
    }

    /// `new` for `place`. Where the document ends without the line break that both texts carry, it is taken off.
    pub(crate) fn new_for(&self, place: &str) -> &'a str {
        let cut = !final_break(self.old).is_empty() && final_break(place).is_empty();
        let len = if cut { final_break(self.new).len() } else { 0 };
        &self.new[..self.new.len() - len]
    }

    /// The lines that hold `core` and nothing else, with as many blank ones around it as the old text has.
    pub(crate) fn around(&self, query: &Query<'_>, core: Span) -> Option<Span> {
        let text = query.text();
        let mut front = text[..core.start.0].trim_end_matches(beside);
        for _ in 0..self.blank_front {
            let ending = final_break(front).len();
            front = (ending > 0).then(|| front[..front.len() - ending].trim_end_matches(beside))?;
        }
        let starts_line = front.is_empty() || front.ends_with(['\n', '\r']);
        // A BOM is no part of the first line.
        let start = if front.is_empty() && text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { front.len() };

        let mut behind = text[core.end.0..].trim_start_matches(beside);
        for _ in 0..self.blank_behind {
            let ending = break_len(behind);
            behind = (ending > 0).then(|| behind[ending..].trim_start_matches(beside))?;
        }
        let ends_line = behind.is_empty() || behind.starts_with(['\n', '\r']);
        let mut end = text.len() - behind.len();
        if !final_break(self.old).is_empty() {
            let open_end =
                behind.is_empty() && query.matching == Matching::Lenient && !final_break(self.new).is_empty();
            let ending = break_len(behind);
            if ending == 0 && !open_end {
                return None;
            }
            end += ending;
        }
        (starts_line && ends_line).then(|| Span::new(start, end))
    }

    /// Visits the lines around every core.
    pub(crate) fn each(
        &self,
        query: &Query<'_>,
        mut visit: impl FnMut(Span, &[Row<'_>]) -> Result<(), Exhausted>,
    ) -> Result<(), Exhausted> {
        let mut place = Vec::new();
        for core in query.cores() {
            if let Some(span) = self.around(query, *core) {
                query.spend(span.len() + self.old.len())?;
                place.clear();
                place.extend(rows(&query.text()[span.range()]));
                visit(span, &place)?;
            }
        }
        Ok(())
    }
}

/// What may stand beside a core on its lines. Typography is for the tier to judge.
fn beside(c: char) -> bool {
    (is_space(c) && !matches!(c, '\n' | '\r')) || is_zero_width(c)
}

/// How many blank lines `text` starts and ends with.
fn blanks_around(text: &str) -> (usize, usize) {
    let front = rows(text).take_while(Row::is_blank).count();
    let behind = rows(&text[text.trim_end_matches(is_plain_space).len()..]).count();
    // The first of those is the rest of the last line that is not blank.
    (front, behind.saturating_sub(1))
}

fn without_rows(text: &str, front: usize, behind: usize) -> &str {
    let start: usize = rows(text).take(front).map(|it| it.len()).sum();
    let last = text.trim_end_matches(is_plain_space).len();
    let space = &text[last..];
    let kept = rows(space).count() - behind;
    let end: usize = rows(space).take(kept).map(|it| it.len()).sum();
    &text[start..(last + end).max(start)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_around_a_text_are_counted_and_taken_off() {
        for (text, counts, bare) in [
            ("\n \na\n", (2, 0), "a\n"),
            ("a\n\n\n", (0, 2), "a\n"),
            ("a", (0, 0), "a"),
            (" a \n ", (0, 1), " a \n"),
            ("\na\n\nb", (1, 0), "a\n\nb"),
        ] {
            assert_eq!(blanks_around(text), counts, "{text:?}");
            assert_eq!(without_rows(text, counts.0, counts.1), bare, "{text:?}");
        }
    }
}
