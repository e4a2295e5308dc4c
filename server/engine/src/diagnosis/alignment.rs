//! The lines of two texts, paired by likeness: which line became which, which one is missing, which one is new.

use std::ops::Range;

use crate::conflict::Mark;
use crate::diagnosis::likeness::{Pairs, is_generic};
use crate::diff::hunks;
use crate::fold::is_plain_space;

/// How many pairs of lines are compared at most before equal lines are taken as fixed points.
const CELLS: usize = 64 * 128;

/// One line, ready to be compared.
pub(crate) struct Sample<'a> {
    /// It without its line break.
    pub(crate) text: &'a str,
    pub(crate) pairs: Pairs,
}

impl<'a> Sample<'a> {
    /// A line, of which `shown` is compared: all of it, or the part that matters of a long one.
    pub(crate) fn of(text: &'a str, shown: &str) -> Self {
        Self { text, pairs: Pairs::of(shown) }
    }

    fn is_blank(&self) -> bool {
        self.pairs.len() == 0
    }
}

/// Which lines of `old` and `there` belong together: (old, there), rising in both. Blank lines take no part.
pub(crate) fn pair(old: &[Sample<'_>], there: &[Sample<'_>]) -> Vec<(usize, usize)> {
    let written = |it: &[Sample<'_>]| (0..it.len()).filter(|at| !it[*at].is_blank()).collect::<Vec<_>>();
    let (a, b) = (written(old), written(there));
    let mut pairs = Vec::new();
    let weigh = |a: &[usize], b: &[usize], pairs: &mut Vec<(usize, usize)>| {
        if a.len() * b.len() <= CELLS {
            best_path(a, b, old, there, pairs);
        }
    };
    if a.len() * b.len() <= CELLS {
        weigh(&a, &b, &mut pairs);
    } else {
        let (mut x, mut y) = (0, 0);
        for hunk in hunks(a.iter().map(|it| &old[*it].pairs), b.iter().map(|it| &there[*it].pairs)) {
            pairs.extend((x..hunk.before.start).zip(y..hunk.after.start).map(|(x, y)| (a[x], b[y])));
            weigh(&a[hunk.before.clone()], &b[hunk.after.clone()], &mut pairs);
            (x, y) = (hunk.before.end, hunk.after.end);
        }
        pairs.extend((x..a.len()).zip(y..b.len()).map(|(x, y)| (a[x], b[y])));
    }
    without_strays(pairs, there)
}

/// Pairs lines so that most characters are shared, lines of `there` in front and behind being free.
fn best_path(a: &[usize], b: &[usize], old: &[Sample<'_>], there: &[Sample<'_>], pairs: &mut Vec<(usize, usize)>) {
    // In sixteenths of a character. A line too much costs one.
    const EXTRA: i32 = 16;
    let width = b.len() + 1;
    let mut steps = vec![Step::Missing; (a.len() + 1) * width];
    let mut above = vec![0_i32; width];
    let mut row = vec![0_i32; width];
    for i in 1..=a.len() {
        let free = i == a.len();
        row[0] = 0;
        for j in 1..width {
            let mut best = (above[j], Step::Missing);
            let beside = row[j - 1] - if free { 0 } else { EXTRA };
            if beside > best.0 {
                best = (beside, Step::Extra);
            }
            let paired = score(&old[a[i - 1]].pairs, &there[b[j - 1]].pairs).map(|it| above[j - 1] + it);
            if let Some(paired) = paired.filter(|it| *it > best.0) {
                best = (paired, Step::Paired);
            }
            row[j] = best.0;
            steps[i * width + j] = best.1;
        }
        std::mem::swap(&mut above, &mut row);
    }
    let from = pairs.len();
    let (mut i, mut j) = (a.len(), b.len());
    while i > 0 && j > 0 {
        match steps[i * width + j] {
            Step::Missing => i -= 1,
            Step::Extra => j -= 1,
            Step::Paired => {
                (i, j) = (i - 1, j - 1);
                pairs.push((a[i], b[j]));
            }
        }
    }
    pairs[from..].reverse();
}

#[derive(Clone, Copy)]
enum Step {
    Paired,
    Missing,
    Extra,
}

/// What pairing two lines is worth, in sixteenths of a character; `None` for lines that are not alike.
fn score(a: &Pairs, b: &Pairs) -> Option<i32> {
    let both = a.len() + b.len();
    // At least two fifths of both.
    if a.bound(b) * 5 < both {
        return None;
    }
    let shared = a.shared(b);
    (shared * 5 >= both).then(|| (shared * shared * 32 / both) as i32)
}

/// A line like `}` at either end, paired with one that stands far from the others, says nothing.
fn without_strays(mut pairs: Vec<(usize, usize)>, there: &[Sample<'_>]) -> Vec<(usize, usize)> {
    let stray = |end: (usize, usize), next: (usize, usize)| {
        is_generic(there[end.1].text) && end.1.abs_diff(next.1) > end.0.abs_diff(next.0) + 2
    };
    while let [.., next, end] = pairs[..] {
        if !stray(end, next) {
            break;
        }
        pairs.pop();
    }
    let kept = pairs.windows(2).take_while(|it| stray(it[0], it[1])).count();
    pairs.drain(..kept);
    pairs
}

/// One line of both texts, or of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Aligned {
    pub(crate) mark: Mark,
    /// Which line of `old`.
    pub(crate) old: Option<usize>,
    /// Which line of `there`.
    pub(crate) there: Option<usize>,
}

/// Every line of both texts, in order. Lines between two pairs that have no partner are taken to have become one another.
pub(crate) fn align(old: &[Sample<'_>], there: &[Sample<'_>], pairs: &[(usize, usize)]) -> Vec<Aligned> {
    let mut aligned = Vec::with_capacity(old.len().max(there.len()));
    let (mut x, mut y) = (0, 0);
    for (i, j) in pairs.iter().copied().chain([(old.len(), there.len())]) {
        fill(old, there, (x..i, y..j), &mut aligned);
        if i < old.len() {
            aligned.push(both(old, there, i, j));
        }
        (x, y) = (i + 1, j + 1);
    }
    aligned
}

fn fill(old: &[Sample<'_>], there: &[Sample<'_>], gap: (Range<usize>, Range<usize>), aligned: &mut Vec<Aligned>) {
    let (mut xs, mut ys) = gap;
    while !xs.is_empty() || !ys.is_empty() {
        let (x, y) = (xs.start, ys.start);
        let blank = (xs.is_empty() || old[x].is_blank(), ys.is_empty() || there[y].is_blank());
        let missing = ys.is_empty() || (!xs.is_empty() && blank == (true, false));
        if missing {
            aligned.push(Aligned { mark: Mark::Missing, old: Some(x), there: None });
            xs.start += 1;
        } else if xs.is_empty() || blank == (false, true) {
            aligned.push(Aligned { mark: Mark::Extra, old: None, there: Some(y) });
            ys.start += 1;
        } else {
            aligned.push(both(old, there, x, y));
            (xs.start, ys.start) = (x + 1, y + 1);
        }
    }
}

fn both(old: &[Sample<'_>], there: &[Sample<'_>], i: usize, j: usize) -> Aligned {
    let (a, b) = (old[i].text, there[j].text);
    // The first and the last line of `old` may start or end inside a line.
    let (first, last) = (i == 0, i + 1 == old.len());
    let same = match (first, last) {
        (true, true) => b.contains(a),
        // A line that is quoted with its indentation is quoted from its start.
        (true, false) => {
            b.strip_suffix(a).is_some_and(|it| it.is_empty() || !it.trim().is_empty() || !a.starts_with([' ', '\t']))
        }
        (false, true) => b.starts_with(a),
        (false, false) => a == b,
    };
    let mark = if same {
        Mark::Same
    } else if written(a).eq(written(b)) {
        Mark::Whitespace
    } else {
        Mark::Changed
    };
    Aligned { mark, old: Some(i), there: Some(j) }
}

fn written(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|it| !is_plain_space(*it))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::rows;

    fn samples(text: &str) -> Vec<Sample<'_>> {
        rows(text).map(|it| Sample::of(it.text, it.text)).collect()
    }

    /// `expected` has one letter a line of the alignment: s, w, c, m, e.
    #[track_caller]
    fn check(old: &str, there: &str, expected: &str) {
        let (old, there) = (samples(old), samples(there));
        let aligned = align(&old, &there, &pair(&old, &there));
        let letters: String = aligned.iter().map(|it| it.mark.name().chars().next().unwrap()).collect();
        assert_eq!(letters, expected);
        let rising = |it: Vec<usize>, len: usize| assert_eq!(it, (0..len).collect::<Vec<_>>());
        rising(aligned.iter().filter_map(|it| it.old).collect(), old.len());
        rising(aligned.iter().filter_map(|it| it.there).collect(), there.len());
    }

    #[test]
    fn every_line_is_marked() {
        check("one()\ntwo()\nthree()", "one()\ntwo()\nthree()", "sss");
        check("one()\n\n  two()", "one()\n\n\ttwo()", "ssw");
        check("one()\ntwo(1)\nthree()", "one()\ntwo(2)\nthree()", "scs");
        check("one()\nthree()", "one()\n# why\nthree()", "ses");
        check("one()\ntwo()\nthree()", "one()\nthree()", "sms");
        check("one()\nabc\nthree()", "one()\nxyz\nthree()", "scs");
        check("one()\n\nabc\nthree()", "one()\nxyz\n\nthree()", "smces");
        check("", "", "");
    }

    #[test]
    fn lines_that_traded_places_are_missing_here_and_new_there() {
        check("alpha()\nbeta_beta()\nend()", "beta_beta()\nalpha()\nend()", "mses");
    }

    #[test]
    fn a_brace_far_away_is_no_partner() {
        let (old, there) = (samples("fn main() {\n}"), samples("fn main() {\na\nb\nc\nd\ne\n}"));
        assert_eq!(pair(&old, &there), [(0, 0)]);
    }

    #[test]
    fn large_texts_are_paired_by_their_equal_lines() {
        let old: String = (0..2_000).map(|it| format!("line number {it}\n")).collect();
        let there = old.replace("number 700\n", "nummer 700\n").replace("line number 9\n", "");
        let (old, there) = (samples(&old), samples(&there));
        let marks = align(&old, &there, &pair(&old, &there));
        let count = |mark| marks.iter().filter(|it| it.mark == mark).count();
        assert_eq!((count(Mark::Same), count(Mark::Changed), count(Mark::Missing)), (1_998, 1, 1));
    }
}
