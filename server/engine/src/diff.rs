//! What two sequences share, by a library: Histogram, which reads best, or bounded Myers where the sequences are long.

use std::hash::Hash;
use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput, Interner};

/// A run of elements that the two sequences do not share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hunk {
    pub(crate) before: Range<usize>,
    pub(crate) after: Range<usize>,
}

/// From here on Histogram, which starts anew behind every run it finds, would take more than linear time.
const LONG: usize = 4_096;

/// The runs in which `before` and `after` differ, in order.
pub(crate) fn hunks<T: Eq + Hash>(
    before: impl IntoIterator<Item = T>,
    after: impl IntoIterator<Item = T>,
) -> Vec<Hunk> {
    let mut input = InternedInput { before: Vec::new(), after: Vec::new(), interner: Interner::new(64) };
    input.update_before(before.into_iter());
    input.update_after(after.into_iter());
    let range = |it: Range<u32>| it.start as usize..it.end as usize;
    let long = input.before.len() + input.after.len() > LONG;
    let diff = Diff::compute(if long { Algorithm::Myers } else { Algorithm::Histogram }, &input);
    diff.hunks().map(|it| Hunk { before: range(it.before), after: range(it.after) }).collect()
}
