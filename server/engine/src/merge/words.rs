//! One line that both sides changed, word by word: clean where they changed different words.

use crate::diff::{Hunk, hunks};
use crate::fold::is_word;
use crate::tokens::tokens;

/// `theirs` with what `ours` changed, both made from `base`; `None` where they changed the same words or words without
/// anything between. `open` says whether `base` may have been quoted from the middle of the line: what stands in front or
/// behind is then no change.
pub(crate) fn merge_words(base: &str, ours: &str, theirs_alone: &str, open: (bool, bool)) -> Option<String> {
    let (o, a, b) = (tokens(base), tokens(ours), tokens(theirs_alone));
    let changed = |side: &[&str]| hunks(o.iter().copied(), side.iter().copied());
    let (mut ours, theirs) = (changed(&a), changed(&b));
    // What the region has around the quote and the author writes there too stands there once.
    let said = |it: &Hunk| {
        let put = &a[it.after.clone()];
        let (front, behind) = (it.before.start == 0, it.before.end == o.len());
        it.before.is_empty()
            && ((front && b.starts_with(put) && !o.starts_with(put))
                || (behind && b.ends_with(put) && !o.ends_with(put)))
    };
    ours.retain(|it| !said(it));
    if has_punctuation_of(&ours, (&o, &a, &b)) {
        return Some(theirs_alone.to_owned());
    }
    let mut out = String::new();
    let mut at = 0;
    let (mut i, mut j) = (0, 0);
    while i < ours.len() || j < theirs.len() {
        let (mine, other) = (ours.get(i), theirs.get(j));
        let same = |x: &Hunk, y: &Hunk| x.before == y.before && a[x.after.clone()] == b[y.after.clone()];
        let (hunk, put, taken) = match (mine, other) {
            (Some(x), Some(y)) if same(x, y) => (x, &a, (1, 1)),
            (Some(x), Some(y)) if touch(x, y) && !outside(x, o.len(), open) => return None,
            // What the author appends to a quote goes in front of what stands behind it.
            (Some(x), Some(y)) if x.before == y.before && x.before.start == o.len() && !o.is_empty() => (y, &b, (0, 1)),
            (Some(x), Some(y)) if (x.before.start, x.before.end) <= (y.before.start, y.before.end) => (x, &a, (1, 0)),
            (Some(x), None) => (x, &a, (1, 0)),
            (_, Some(y)) => (y, &b, (0, 1)),
            (None, None) => break,
        };
        (i, j) = (i + taken.0, j + taken.1);
        out.extend(o[at..hunk.before.start].iter().copied());
        out.extend(put[hunk.after.clone()].iter().copied());
        at = hunk.before.end;
    }
    out.extend(o[at..].iter().copied());
    Some(out)
}

/// Whether all that `ours` changed is punctuation put in, such as a bracket that `base` forgot, and the author has put it in,
/// too: beside which of its like it went, no comparison can tell.
fn has_punctuation_of(ours: &[Hunk], (o, a, b): (&[&str], &[&str], &[&str])) -> bool {
    let put: Vec<&str> = ours.iter().flat_map(|it| a[it.after.clone()].iter().copied()).collect();
    let count = |words: &[&str], word: &str| words.iter().filter(|it| **it == word).count();
    let more = |word: &&str| count(b, word) >= count(o, word) + count(&put, word);
    !put.is_empty()
        && put.len() <= FORGOTTEN
        && ours.iter().all(|it| it.before.is_empty())
        && put.iter().all(|it| !it.contains(is_word) && more(it))
}

/// How much punctuation may be forgotten.
const FORGOTTEN: usize = 3;

fn touch(a: &Hunk, b: &Hunk) -> bool {
    a.before.start <= b.before.end && b.before.start <= a.before.end
}

/// Whether a change only says what stands around `base` on its line.
fn outside(ours: &Hunk, len: usize, open: (bool, bool)) -> bool {
    ours.before.is_empty() && ((open.0 && ours.before.start == 0) || (open.1 && ours.before.end == len))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(base: &str, ours: &str, theirs: &str, expected: Option<&str>) {
        assert_eq!(merge_words(base, ours, theirs, (false, false)).as_deref(), expected);
    }

    #[test]
    fn different_words_merge() {
        check("let x = foo(1);", "let x = bar(1);", "let x = foo(2);", Some("let x = bar(2);"));
        check("a b c", "a B c", "a b c d", Some("a B c d"));
        check("f(a)", "f(a)", "f(b)", Some("f(b)"));
        check("f(a)", "f(b)", "f(b)", Some("f(b)"));
        check("x = 1; y = 1", "x = 2; y = 1", "x = 2; y = 3", Some("x = 2; y = 3"));
    }

    #[test]
    fn the_same_word_or_its_neighbour_conflicts() {
        check("a b c", "a X c", "a Y c", None);
        check("f(a)", "f(b)", "f(c)", None);
        check("a+b", "a-b", "a+c", None);
        check("a b", "x a b", "y a b", None);
    }

    #[test]
    fn what_stands_around_a_quote_is_no_change() {
        let open = merge_words("foo(1)", "x = foo(1);", "bar(1)", (true, true));
        assert_eq!(open.as_deref(), Some("x = bar(1);"));
        assert_eq!(merge_words("f(a)", "f(a) b", "f(a) b", (true, true)).as_deref(), Some("f(a) b"));
        assert_eq!(merge_words("f(a, g(b)", "f(a, g(b))", "f(a, g(c))", (false, false)).as_deref(), Some("f(a, g(c))"));
        assert_eq!(merge_words("f(a)", "f(a),", "f(b),", (true, true)).as_deref(), Some("f(b),"));
        assert_eq!(merge_words("f(a)", "(f(a)", "(g(a)", (true, true)).as_deref(), Some("(g(a)"));
        assert_eq!(merge_words("foo(1)", "x = foo(1);", "bar(1)", (false, false)), None);
        assert_eq!(merge_words("f(a)", "f(a) // why", "f(a)?", (true, true)).as_deref(), Some("f(a)? // why"));
    }
}
