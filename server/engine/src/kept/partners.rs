//! Which of a run of new lines is a new version of which old one, where they are not as many.

use std::collections::HashMap;

use crate::fold::is_space;
use crate::tokens::tokens;

/// Runs that would take more comparisons than this are left unpaired: nothing of them is lost, they go in as written.
const COMPARISONS: usize = 1 << 16;

/// For each of `new` the one of `old` that it shares at least half of its words with, in order, so that most words are
/// shared; the first of several.
pub(crate) fn partners(old: &[&str], new: &[&str]) -> Vec<Option<usize>> {
    let mut found = vec![None; new.len()];
    let (old, new): (Vec<_>, Vec<_>) =
        (old.iter().map(|it| words(it)).collect(), new.iter().map(|it| words(it)).collect());
    let work = old.iter().chain(&new).map(Words::len).max().unwrap_or(0).saturating_mul(old.len() * new.len());
    if work > COMPARISONS {
        return found;
    }
    // The most words that `old[i..]` and `new[j..]` can share.
    let mut best = vec![vec![0; new.len() + 1]; old.len() + 1];
    let alike = |i: usize, j: usize| old[i].alike(&new[j]);
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            let together = match alike(i, j) {
                0 => 0,
                shared => shared + best[i + 1][j + 1],
            };
            best[i][j] = together.max(best[i + 1][j]).max(best[i][j + 1]);
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < old.len() && j < new.len() {
        let shared = alike(i, j);
        if shared > 0 && best[i][j] == shared + best[i + 1][j + 1] {
            found[j] = Some(i);
            (i, j) = (i + 1, j + 1);
        } else if best[i][j] == best[i + 1][j] {
            i += 1;
        } else {
            j += 1;
        }
    }
    found
}

/// How often each word stands in a line, and how many there are.
struct Words<'a> {
    counts: HashMap<&'a str, usize>,
    len: usize,
}

fn words(line: &str) -> Words<'_> {
    let mut words = Words { counts: HashMap::new(), len: 0 };
    for word in tokens(line).into_iter().filter(|it| !it.starts_with(is_space)) {
        *words.counts.entry(word).or_default() += 1;
        words.len += 1;
    }
    words
}

impl Words<'_> {
    fn len(&self) -> usize {
        self.len
    }

    /// How many words both have; 0 where that is less than half of either.
    fn alike(&self, other: &Self) -> usize {
        let common = |(word, count): (&&str, &usize)| other.counts.get(word).map_or(0, |it| *it.min(count));
        let shared = self.counts.iter().map(common).sum();
        if shared * 2 < self.len.max(other.len) { 0 } else { shared }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_version_is_known_by_its_words() {
        assert_eq!(partners(&["f(a, b)"], &["log(x);", "f(a, c)"]), [None, Some(0)]);
        assert_eq!(partners(&["f(a, b)"], &["g(a, b)", "more of it"]), [Some(0), None]);
        assert_eq!(partners(&["a b c", "d e f"], &["a b x", "new", "d y f"]), [Some(0), None, Some(1)]);
        assert_eq!(partners(&["a b c", "a b d"], &["a b e"]), [Some(0)]);
        assert_eq!(partners(&["a b c"], &["x y z", "u v w"]), [None, None]);
    }

    #[test]
    fn what_would_take_long_is_left_unpaired() {
        let long = vec!["a b"; 300];
        assert_eq!(partners(&long, &long[1..]), vec![None; 299]);
    }
}
