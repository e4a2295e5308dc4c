//! Replacements in one text. Invariant: sorted and disjoint.

use std::sync::Arc;

use crate::steps;
use crate::text::{Byte, Span};

/// One replacement in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// What is replaced, in bytes.
    pub span: Span,
    /// What stands there afterwards. Shared: `replace_all` puts one text in many places.
    pub text: Arc<str>,
}

impl Replacement {
    /// `text` in place of `span`.
    #[must_use]
    pub fn new(span: Span, text: impl Into<Arc<str>>) -> Self {
        Self { span, text: text.into() }
    }

    fn is_nothing(&self) -> bool {
        self.span.is_empty() && self.text.is_empty()
    }
}

/// Replacements in one text, sorted and disjoint.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EditSet {
    replacements: Vec<Replacement>,
}

/// A replacement that starts before the one in front of it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlap;

impl EditSet {
    /// Replacements given in order.
    ///
    /// # Errors
    /// [`Overlap`] where one starts before the one in front of it ends.
    pub fn new(replacements: Vec<Replacement>) -> Result<Self, Overlap> {
        if replacements.is_sorted_by(|a, b| a.span.end <= b.span.start) {
            Ok(Self { replacements })
        } else {
            Err(Overlap)
        }
    }

    /// The replacements, sorted and disjoint.
    #[must_use]
    pub fn replacements(&self) -> &[Replacement] {
        &self.replacements
    }

    pub(crate) fn into_replacements(self) -> impl Iterator<Item = Replacement> {
        self.replacements.into_iter()
    }

    /// Whether it changes nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.replacements.is_empty()
    }

    /// `base` with every replacement made.
    #[must_use]
    pub fn apply(&self, base: &str) -> String {
        let mut result = String::with_capacity(self.result_len(base.len()));
        self.pieces(base).for_each(|it| result.push_str(it));
        result
    }

    /// The same, piece by piece.
    pub(crate) fn pieces<'a>(&'a self, base: &'a str) -> impl Iterator<Item = &'a str> {
        let kept = |from: usize, to: usize| {
            steps::count(to - from);
            &base[from..to]
        };
        let starts = std::iter::once(0).chain(self.replacements.iter().map(|it| it.span.end.0));
        let parts = starts.zip(self.replacements.iter().map(Some).chain([None]));
        parts.flat_map(move |(from, next)| match next {
            Some(it) => [kept(from, it.span.start.0), &*it.text],
            None => [kept(from, base.len()), ""],
        })
    }

    /// How long a text of `base_len` bytes becomes, in bytes.
    #[must_use]
    pub fn result_len(&self, base_len: usize) -> usize {
        let removed: usize = self.replacements.iter().map(|it| it.span.len()).sum();
        let added: usize = self.replacements.iter().map(|it| it.text.len()).sum();
        base_len - removed + added
    }

    /// The set that does what `self` and then `next` do; `next` speaks of the text `self` leaves.
    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        if self.is_empty() {
            return next.clone();
        }
        let mut pieces = Pieces::of(self);
        let mut composed = Collapse::default();
        for later in &next.replacements {
            pieces.take_until(later.span.start, |it| composed.push(it));
            pieces.take_until(later.span.end, |_| {});
            composed.push(Piece::New(later.text.clone()));
        }
        pieces.take_until(Byte(usize::MAX), |it| composed.push(it));
        Self { replacements: composed.done }
    }

    /// How offsets of the base and of the text this set leaves belong together.
    pub(crate) fn mapping(&self) -> Mapping {
        let (mut removed, mut added) = (0, 0);
        let pairs = self.replacements.iter().map(|it| {
            let start = it.span.start.0 + added - removed;
            removed += it.span.len();
            added += it.text.len();
            (it.span, Span::new(start, start + it.text.len()))
        });
        Mapping { pairs: pairs.collect() }
    }
}

/// A run of a text: taken over from the base, or put there.
enum Piece {
    Base(Span),
    New(Arc<str>),
}

/// The text a set leaves, as pieces in order, taken from the front.
struct Pieces<'a> {
    rest: std::iter::Peekable<std::slice::Iter<'a, Replacement>>,
    /// How much of the next replacement's text is already taken.
    taken: usize,
    /// The next byte of the base.
    base: usize,
    /// The next byte of the text left.
    at: usize,
}

impl<'a> Pieces<'a> {
    fn of(set: &'a EditSet) -> Self {
        Self { rest: set.replacements.iter().peekable(), taken: 0, base: 0, at: 0 }
    }

    /// Takes all pieces in front of `end`; one that reaches over it is cut.
    fn take_until(&mut self, end: Byte, mut take: impl FnMut(Piece)) {
        while self.at < end.0 {
            let wanted = end.0 - self.at;
            let kept = match self.rest.peek() {
                Some(next) if next.span.start.0 == self.base => {
                    let text = next.text.len().min(self.taken + wanted);
                    if (self.taken, text) == (0, next.text.len()) {
                        take(Piece::New(next.text.clone()));
                    } else {
                        take(Piece::New(next.text[self.taken..text].into()));
                    }
                    self.at += text - self.taken;
                    self.taken = text;
                    if text == next.text.len() {
                        (self.base, self.taken) = (next.span.end.0, 0);
                        self.rest.next();
                    }
                    continue;
                }
                Some(next) => wanted.min(next.span.start.0 - self.base),
                None => wanted,
            };
            take(Piece::Base(Span::new(self.base, self.base.saturating_add(kept))));
            self.base = self.base.saturating_add(kept);
            self.at = self.at.saturating_add(kept);
        }
    }
}

/// Pieces put together to replacements again.
#[derive(Default)]
struct Collapse {
    done: Vec<Replacement>,
    /// The base up to here is taken over, replaced or removed.
    base: usize,
    /// What stands in place of the base from there to the next piece of it.
    new: Vec<Arc<str>>,
}

impl Collapse {
    fn push(&mut self, piece: Piece) {
        let span = match piece {
            Piece::New(text) => return self.new.push(text),
            Piece::Base(span) => span,
        };
        let gap = Replacement {
            span: Span::new(self.base, span.start.0),
            text: match self.new.as_slice() {
                [one] => one.clone(),
                many => many.concat().into(),
            },
        };
        if !gap.is_nothing() {
            self.done.push(gap);
        }
        self.new.clear();
        self.base = span.end.0;
    }
}

/// How offsets of a base and of a result belong together.
#[derive(Debug, Default)]
pub(crate) struct Mapping {
    /// Each replacement: its span in the base and that of its text in the result.
    pairs: Vec<(Span, Span)>,
}

impl Mapping {
    /// What `span` of the result was in the base: where it cuts into a replacement, all of what that replaced.
    pub(crate) fn to_base(&self, span: Span) -> Span {
        carry(&self.pairs, span, |it| (it.1, it.0))
    }

    /// Whether a replacement touches `span` of the base: overlaps it, or inserts inside it.
    pub(crate) fn touches_base(&self, span: Span) -> bool {
        self.touches(span, |it| it.0)
    }

    /// Whether `span` of the result holds anything that was put there, or stands over what was taken out.
    pub(crate) fn touches_result(&self, span: Span) -> bool {
        self.touches(span, |it| it.1)
    }

    fn touches(&self, span: Span, side: fn(&(Span, Span)) -> Span) -> bool {
        let first = self.pairs.partition_point(|it| side(it).end <= span.start);
        self.pairs.get(first).is_some_and(|it| side(it).start < span.end)
    }

    /// What stands at most `reach` bytes from a replacement in a result of `len` bytes.
    pub(crate) fn windows(&self, reach: usize, len: usize) -> Vec<Span> {
        let mut windows: Vec<Span> = Vec::new();
        for (_, put) in &self.pairs {
            let (start, end) = (put.start.0.saturating_sub(reach), (put.end.0 + reach).min(len));
            match windows.last_mut().filter(|it| it.end.0 >= start) {
                Some(last) => last.end.0 = end,
                None => windows.push(Span::new(start, end)),
            }
        }
        windows
    }

    /// What `span` of the base is in the result: where it cuts into a replacement, all of what stands there now.
    pub(crate) fn to_result(&self, span: Span) -> Span {
        carry(&self.pairs, span, |it| *it)
    }
}

fn carry(pairs: &[(Span, Span)], span: Span, sides: fn(&(Span, Span)) -> (Span, Span)) -> Span {
    let last_before = |starts: &dyn Fn(Byte) -> bool| {
        let behind = pairs.partition_point(|it| starts(sides(it).0.start));
        behind.checked_sub(1).map(|index| sides(&pairs[index]))
    };
    let start = match last_before(&|start| start <= span.start) {
        Some((from, to)) if span.start < from.end => to.start.0,
        Some((from, to)) => to.end.0 + (span.start.0 - from.end.0),
        None => span.start.0,
    };
    let end = match last_before(&|start| start < span.end) {
        Some((from, to)) if span.end <= from.end => to.end.0,
        Some((from, to)) => to.end.0 + (span.end.0 - from.end.0),
        None => span.end.0,
    };
    Span::new(start, end.max(start))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn set(replacements: &[(usize, usize, &str)]) -> EditSet {
        EditSet::new(replacements.iter().map(|(a, b, text)| Replacement::new(Span::new(*a, *b), *text)).collect())
            .expect("given in order")
    }

    #[test]
    fn replacements_out_of_order_are_no_set() {
        let two = |a: Span, b: Span| EditSet::new(vec![Replacement::new(a, "x"), Replacement::new(b, "y")]);
        assert_eq!(two(Span::new(0, 3), Span::new(2, 4)), Err(Overlap));
        assert_eq!(two(Span::new(2, 4), Span::new(0, 1)), Err(Overlap));
        assert!(two(Span::new(0, 2), Span::new(2, 4)).is_ok());
    }

    #[test]
    fn a_span_is_carried_over_what_was_replaced() {
        let mapping = set(&[(2, 4, "xyz"), (6, 6, "!"), (8, 9, "")]).mapping();
        // base 0123456789, result 01xyz45!679 (the numbers are offsets of the base)
        for (result, base) in
            [((0, 2), (0, 2)), ((3, 4), (2, 4)), ((5, 7), (4, 6)), ((8, 10), (6, 8)), ((7, 8), (6, 6))]
        {
            assert_eq!(mapping.to_base(Span::new(result.0, result.1)), Span::new(base.0, base.1), "{result:?}");
        }
        assert_eq!(mapping.to_result(Span::new(3, 5)), Span::new(2, 6));
        assert_eq!(mapping.to_result(Span::new(9, 10)), Span::new(10, 11));
        assert_eq!(mapping.to_base(Span::new(10, 11)), Span::new(9, 10));
    }

    fn any_set(len: usize) -> impl Strategy<Value = EditSet> {
        prop::collection::vec((0..=len, "[xyz]{0,3}"), 0..8).prop_map(|mut cuts| {
            cuts.sort();
            let pairs = cuts.chunks_exact(2).map(|it| Replacement::new(Span::new(it[0].0, it[1].0), it[0].1.as_str()));
            EditSet::new(pairs.collect()).expect("sorted")
        })
    }

    proptest! {
        #[test]
        fn composing_is_applying_one_after_the_other(first in any_set(12), later in any_set(20)) {
            let base = "abcdefghijkl";
            let middle = first.apply(base);
            let fits = later.replacements().iter().all(|it| it.span.end.0 <= middle.len());
            prop_assume!(fits);
            let composed = first.then(&later);
            prop_assert_eq!(composed.apply(base), later.apply(&middle));
            prop_assert!(EditSet::new(composed.replacements().to_vec()).is_ok());
        }
    }
}
