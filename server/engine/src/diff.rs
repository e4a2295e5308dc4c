//! What two sequences share, by a library: Histogram, which falls back to bounded Myers where elements repeat.

use std::hash::Hash;
use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput, Interner};

/// A run of elements that the two sequences do not share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hunk {
    pub(crate) before: Range<usize>,
    pub(crate) after: Range<usize>,
}

/// The runs in which `before` and `after` differ, in order.
pub(crate) fn hunks<T: Eq + Hash>(
    before: impl IntoIterator<Item = T>,
    after: impl IntoIterator<Item = T>,
) -> Vec<Hunk> {
    let mut input = InternedInput { before: Vec::new(), after: Vec::new(), interner: Interner::new(64) };
    input.update_before(before.into_iter());
    input.update_after(after.into_iter());
    let range = |it: Range<u32>| it.start as usize..it.end as usize;
    let diff = Diff::compute(Algorithm::Histogram, &input);
    diff.hunks().map(|it| Hunk { before: range(it.before), after: range(it.after) }).collect()
}
