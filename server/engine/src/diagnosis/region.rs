//! Lines of a text compared with a needle: where the region starts and ends, what became of each line, how alike it is.

use std::collections::{BTreeMap, HashMap};

use crate::conflict::Mark;
use crate::diagnosis::alignment::{Aligned, Sample, align, pair};
use crate::diagnosis::features::{Word, words};
use crate::diagnosis::likeness::{Pairs, is_generic, share};
use crate::diff::hunks;
use crate::rows::{Row, break_len, final_break, row_end, row_start, rows};
use crate::text::Span;

/// How many bytes of one line are compared in a text of several lines.
const LONG: usize = 1_000;

/// How many bytes of a needle of one line are compared.
const LONG_NEEDLE: usize = 1 << 16;

/// How many lines around the words found are compared, at most.
const MARGIN: usize = 64;

/// What is sought, ready to be compared.
pub(crate) struct Needle<'a> {
    pub(crate) text: &'a str,
    pub(crate) rows: Vec<Row<'a>>,
    samples: Vec<Sample<'a>>,
}

impl<'a> Needle<'a> {
    pub(crate) fn of(text: &'a str) -> Self {
        let rows: Vec<_> = rows(text).collect();
        let long = if rows.len() == 1 { LONG_NEEDLE } else { LONG };
        let samples = rows.iter().map(|it| Sample::of(it.text, front(it.text, long))).collect();
        Self { text, rows, samples }
    }

    fn len(&self) -> usize {
        self.samples.iter().map(|it| it.pairs.len()).sum()
    }
}

/// Whole lines of a text, compared with a needle.
pub(crate) struct Region {
    /// Its lines, without their line breaks.
    pub(crate) rows: Vec<Span>,
    pub(crate) aligned: Vec<Aligned>,
    /// The part of its only line that the needle speaks of; all of it in a region of several lines.
    pub(crate) extent: Span,
    shared: usize,
    total: usize,
}

impl Region {
    /// From its first line to its last, whose line break is left out.
    pub(crate) fn span(&self) -> Span {
        match (self.rows.first(), self.rows.last()) {
            (Some(first), Some(last)) => Span { start: first.start, end: last.end },
            _ => self.extent,
        }
    }

    /// How alike it is to the needle, 0 to 1.
    pub(crate) fn similarity(&self) -> f32 {
        share(self.shared, self.total, 0)
    }

    /// How much of the needle stands in it, 0 to 1.
    pub(crate) fn found(&self, needle: &Needle<'_>) -> f32 {
        share(self.shared, 2 * needle.len(), 0)
    }
}

/// The lines around `there` that are most like `needle`; `None` where none is.
pub(crate) fn around(text: &str, needle: &Needle<'_>, there: Span) -> Option<Region> {
    if needle.rows.len() == 1 {
        let touched = rows_around(text, there, 0);
        let regions = touched.iter().take(8).filter_map(|row| inside(text, needle, *row, there));
        return regions.reduce(|a, b| if a.similarity() < b.similarity() { b } else { a });
    }
    let margin = (needle.rows.len() / 2 + 3).min(MARGIN);
    let near = rows_around(text, there, margin);
    let samples = samples(text, &near, there);
    let pairs = without_doubles(pair(&needle.samples, &samples), needle, &samples);
    let (first, last) = reach(needle, &samples, &pairs)?;
    let pairs: Vec<_> = pairs.iter().map(|(i, j)| (*i, j - first)).collect();
    Some(compared(needle, &near[first..=last], &samples[first..=last], &pairs))
}

/// The part of a text of one line that is like a needle of one line; `None` where either has more or nothing is alike.
pub(crate) fn around_line(text: &str, needle: &Needle<'_>, whole: Span) -> Option<Region> {
    let one = needle.rows.len() == 1 && !text.contains(['\n', '\r']);
    if one { inside(text, needle, whole, whole) } else { None }
}

/// The lines that `span` touches.
pub(crate) fn cover(text: &str, needle: &Needle<'_>, span: Span) -> Region {
    let mut rows = rows_around(text, span, 0);
    if needle.rows.len() == 1 && rows.len() == 1 {
        let row = rows.remove(0);
        let extent = Span { start: span.start.max(row.start), end: span.end.min(row.end) };
        return one_line(text, needle, row, extent);
    }
    let samples = samples(text, &rows, span);
    let pairs = pair(&needle.samples, &samples);
    compared(needle, &rows, &samples, &pairs)
}

/// The part of one line that is like a needle of one line.
fn inside(text: &str, needle: &Needle<'_>, row: Span, there: Span) -> Option<Region> {
    let near = needle.text.len() + 64;
    let start = text.floor_char_boundary(there.start.0.saturating_sub(near).max(row.start.0));
    let end = text.ceil_char_boundary((there.end.0 + near).min(row.end.0));
    let piece = text.get(start..end)?;
    let old = needle.rows[0].text;
    let (a, b): (Vec<Word>, Vec<Word>) = (words(old).collect(), words(piece).collect());
    let (first, last) = ends(&shared_words(&a, &b))?;
    let front = a[first.0].range.start;
    let behind = old.len() - a[last.0].range.end;
    let from = text.floor_char_boundary((start + b[first.1].range.start).saturating_sub(front).max(row.start.0));
    let to = text.ceil_char_boundary((start + b[last.1].range.end + behind).min(row.end.0));
    Some(one_line(text, needle, row, Span::new(from, to)))
}

/// Which words the two share, in order.
fn shared_words(a: &[Word], b: &[Word]) -> Vec<(usize, usize)> {
    let mut shared = Vec::new();
    let (mut x, mut y) = (0, 0);
    for hunk in hunks(a.iter().map(|it| it.hash), b.iter().map(|it| it.hash)) {
        shared.extend((x..hunk.before.start).zip(y..));
        (x, y) = (hunk.before.end, hunk.after.end);
    }
    shared.extend((x..a.len()).zip(y..));
    shared
}

/// The first and the last of the shared words that stand together, around the longest run without a gap: words like `id`
/// stand on the way there too.
fn ends(shared: &[(usize, usize)]) -> Option<((usize, usize), (usize, usize))> {
    let run = shared.chunk_by(|a, b| a.0 + 1 == b.0 && a.1 + 1 == b.1).max_by_key(|it| it.len())?;
    let start = shared.partition_point(|it| *it < run[0]);
    let near = |a: &(usize, usize), b: &(usize, usize)| b.1 - a.1 <= 2 * (b.0 - a.0) + 4;
    let front = shared[..=start].windows(2).rev().take_while(|it| near(&it[0], &it[1])).count();
    let end = start + run.len() - 1;
    let behind = shared[end..].windows(2).take_while(|it| near(&it[0], &it[1])).count();
    Some((shared[start - front], shared[end + behind]))
}

fn one_line(text: &str, needle: &Needle<'_>, row: Span, extent: Span) -> Region {
    let shown = Sample::of(&text[row.range()], front(&text[extent.range()], 2 * LONG_NEEDLE));
    let mut region = compared(needle, &[row], &[shown], &[(0, 0)]);
    region.extent = extent;
    region
}

/// Without pairs at the ends that are merely alike, where the very line stands near, without a partner.
fn without_doubles(mut pairs: Vec<(usize, usize)>, needle: &Needle<'_>, there: &[Sample<'_>]) -> Vec<(usize, usize)> {
    let near = 3;
    let double = |end: (usize, usize), pairs: &[(usize, usize)]| {
        let sought = &needle.samples[end.0].pairs;
        let free = |at: &usize| pairs.binary_search_by_key(at, |it| it.1).is_err();
        let around = end.1.saturating_sub(near)..(end.1 + near + 1).min(there.len());
        there[end.1].pairs != *sought && around.filter(free).any(|at| there[at].pairs == *sought)
    };
    while let [.., _, end] = pairs[..] {
        if !double(end, &pairs) {
            break;
        }
        pairs.pop();
    }
    while let [end, _, ..] = pairs[..] {
        if !double(end, &pairs) {
            break;
        }
        pairs.remove(0);
    }
    pairs
}

/// From which to which line the region goes: those that are paired, and in front and behind as many as have no partner.
fn reach(needle: &Needle<'_>, there: &[Sample<'_>], pairs: &[(usize, usize)]) -> Option<(usize, usize)> {
    let (first, last) = (*pairs.first()?, *pairs.last()?);
    let moved = moved(needle, there, pairs);
    let alone = |old: &usize| !moved.contains_key(old);
    let start = first.1 - taken((0..first.0).rev().filter(alone), needle, there[..first.1].iter().rev());
    let end = last.1 + taken((last.0 + 1..needle.rows.len()).filter(alone), needle, there[last.1 + 1..].iter());
    let (mut start, mut end) = (start, end);
    // A line that traded places with its neighbour belongs to the region.
    let near = 3;
    for to in moved.values() {
        if *to < start && to + near >= start {
            start = *to;
        }
        if *to > end && *to <= end + near {
            end = *to;
        }
    }
    Some((start, end))
}

/// How many lines of `there` the `lines` of the needle that have no partner take, a blank one only for a blank one.
fn taken<'a>(
    lines: impl Iterator<Item = usize>,
    needle: &Needle<'_>,
    mut there: impl Iterator<Item = &'a Sample<'a>>,
) -> usize {
    let (mut walked, mut taken) = (0, 0);
    let mut next = there.next();
    for line in lines {
        let Some(it) = next else { break };
        let blank = (needle.rows[line].is_blank(), it.pairs.len() == 0);
        match blank {
            (true, false) => continue,
            (false, true) => break,
            (true, true) => walked += 1,
            (false, false) => {
                walked += 1;
                taken = walked;
            }
        }
        next = there.next();
    }
    taken
}

/// Lines without a partner that stand elsewhere near, where they have none either: from the needle's line to the text's.
fn moved(needle: &Needle<'_>, there: &[Sample<'_>], pairs: &[(usize, usize)]) -> BTreeMap<usize, usize> {
    let mut free: HashMap<&Pairs, Vec<usize>> = HashMap::new();
    for (at, sample) in there.iter().enumerate().rev() {
        if pairs.binary_search_by_key(&at, |it| it.1).is_err() && !is_generic(sample.text) {
            free.entry(&sample.pairs).or_default().push(at);
        }
    }
    let mut moved = BTreeMap::new();
    for (at, sample) in needle.samples.iter().enumerate() {
        let alone = pairs.binary_search_by_key(&at, |it| it.0).is_err();
        if let Some(to) = free.get_mut(&sample.pairs).filter(|_| alone).and_then(Vec::pop) {
            moved.insert(at, to);
        }
    }
    moved
}

fn compared(needle: &Needle<'_>, rows: &[Span], there: &[Sample<'_>], pairs: &[(usize, usize)]) -> Region {
    let aligned = align(&needle.samples, there, pairs);
    let (mut shared, mut total) = (0, needle.len());
    for it in &aligned {
        let old = it.old.map(|old| &needle.samples[old].pairs);
        let there = it.there.map(|it| &there[it].pairs);
        let both = old.zip(there).map_or(0, |(a, b)| a.shared(b));
        // Of a line that was quoted in part the rest does not count.
        let quoted = if it.mark == Mark::Same { old } else { None };
        shared += both;
        total += there.map_or(0, |it| quoted.map_or(it.len(), |old| it.len().min(old.len())));
    }
    let extent = match (rows.first(), rows.last()) {
        (Some(first), Some(last)) => Span { start: first.start, end: last.end },
        _ => Span::default(),
    };
    Region { rows: rows.to_vec(), aligned, extent, shared, total }
}

/// The lines that `span` touches and `margin` more on each side, without their line breaks.
fn rows_around(text: &str, span: Span, margin: usize) -> Vec<Span> {
    let mut start = row_start(text, span.start.0);
    for _ in 0..margin {
        if start == 0 {
            break;
        }
        start = row_start(text, start - final_break(&text[..start]).len());
    }
    let mut found = Vec::new();
    let mut behind = 0;
    loop {
        let end = row_end(text, start);
        found.push(Span::new(start, end));
        behind += usize::from(end >= span.end.0);
        let next = end + break_len(&text[end..]);
        if behind > margin || next == end || next == text.len() {
            return found;
        }
        start = next;
    }
}

/// The lines, ready to be compared; of a long one the part near `there`.
fn samples<'a>(text: &'a str, rows: &[Span], there: Span) -> Vec<Sample<'a>> {
    rows.iter().map(|row| Sample::of(&text[row.range()], near(text, *row, there))).collect()
}

fn near(text: &str, row: Span, there: Span) -> &str {
    if row.len() <= LONG {
        return &text[row.range()];
    }
    let touches = row.start < there.end && there.start < row.end;
    let from = if touches { there.start.0.saturating_sub(LONG / 2).max(row.start.0) } else { row.start.0 };
    front(&text[text.floor_char_boundary(from)..row.end.0], LONG)
}

fn front(text: &str, len: usize) -> &str {
    &text[..text.floor_char_boundary(len.min(text.len()))]
}
