//! Where the old texts of a batch stand in its base, all looked for in one pass, and what the edits before one of them made
//! of that: an exact look-up that reads little more than what those edits touched.

use std::collections::HashMap;

use memchr::memmem::Finder;

use crate::edit_set::EditSet;
use crate::matching::occurrences;
use crate::text::{Span, Text};

/// How many bytes are compared at a time, and how far apart in the text: an old text that is a byte short of two of them
/// holds one whole wherever it stands.
const GRAM: usize = 8;
const SHORTEST: usize = 2 * GRAM - 1;

/// Below so many old texts, a pass for each of them costs less.
const FEW: usize = 8;

/// Above so many replacements the look-up is left to the ordinary way.
const MANY: usize = 4_096;

/// Where each old text stands in the base.
pub(crate) struct Scan {
    /// `None` for one that was not looked for, or stands more than once.
    places: Vec<Option<Place>>,
    /// All that was done so far, from base to working text; `None` once it is too much.
    done: Option<EditSet>,
}

#[derive(Clone, Copy)]
enum Place {
    Nowhere,
    At(usize),
}

impl Scan {
    /// Looks for `old_texts` in `base`.
    pub(crate) fn of<'a>(base: &Text, old_texts: impl Iterator<Item = &'a str>) -> Self {
        let old_texts: Vec<&str> = old_texts.collect();
        let sought = old_texts.iter().filter(|it| is_sought(it)).count();
        let places = if sought < FEW { Vec::new() } else { places(base.as_str().as_bytes(), &old_texts) };
        Self { done: Some(EditSet::default()).filter(|_| !places.is_empty()), places }
    }

    pub(crate) fn apply(&mut self, edits: &EditSet) {
        let composed = self.done.take().filter(|_| edits.replacements().len() <= MANY).map(|it| it.then(edits));
        self.done = composed.filter(|it| it.replacements().len() <= MANY);
    }

    /// The one place of old text `index` in `working`. `None` where it has none or several, or that cannot be told here.
    pub(crate) fn find(&self, working: &Text, index: usize, old: &str) -> Option<Span> {
        let place = (*self.places.get(index)?)?;
        let mapping = self.done.as_ref()?.mapping();
        let (mut found, mut count) = (None, 0);
        if let Place::At(start) = place {
            let span = Span::new(start, start + old.len());
            if !mapping.touches_base(span) {
                (found, count) = (Some(mapping.to_result(span)), 1);
            }
        }
        let finder = Finder::new(old);
        let reach = old.len() - 1;
        let mut read = 0;
        for window in mapping.windows(reach, working.len().0) {
            read += window.len();
            if read > working.len().0 / 4 {
                return None;
            }
            let text = working.excerpt(window);
            for at in occurrences(text.content.as_bytes(), &finder) {
                let span = Span::new(text.start + at, text.start + at + old.len());
                if mapping.touches_result(span) {
                    (found, count) = (Some(span), count + 1);
                }
            }
        }
        found.filter(|_| count == 1)
    }
}

/// Texts that a line break could be cut at are left to the ordinary way.
fn is_sought(old: &str) -> bool {
    old.len() >= SHORTEST && !old.starts_with('\n') && !old.ends_with('\r')
}

fn places(base: &[u8], old_texts: &[&str]) -> Vec<Option<Place>> {
    let grams = Grams::of(old_texts, &Frequencies::of(base));
    let mut places: Vec<_> = old_texts.iter().map(|it| is_sought(it).then_some(Place::Nowhere)).collect();
    let mut effort = EFFORT * base.len();
    for at in (0..base.len().saturating_sub(GRAM - 1)).step_by(GRAM) {
        for sought in grams.at(gram(&base[at..])) {
            let old = old_texts[sought.index].as_bytes();
            let Some(start) = at.checked_sub(sought.offset) else { continue };
            let Some(there) = base.get(start..start + old.len()) else { continue };
            let near = old.len().min(LOOK);
            let spent = if there[..near] == old[..near] { old.len() } else { near };
            let Some(left) = effort.checked_sub(spent) else { return Vec::new() };
            effort = left;
            if there == old {
                places[sought.index] = match places[sought.index] {
                    Some(Place::Nowhere) => Some(Place::At(start)),
                    _ => None,
                };
            }
        }
    }
    places
}

/// How many bytes the pass may compare, as a multiple of the base; texts that repeat themselves are left to the ordinary way.
const EFFORT: usize = 4;

/// How many bytes tell most false hits from true ones.
const LOOK: usize = 2 * GRAM;

/// The grams of old texts, one of which stands at a multiple of its length wherever the old text does.
struct Grams {
    /// Which grams are sought, by hash: most of a text is told apart by this alone.
    seen: Vec<u64>,
    by_gram: HashMap<u64, Vec<Sought>>,
}

/// An old text, and how far from its start a gram of it stands.
#[derive(Clone, Copy)]
struct Sought {
    index: usize,
    offset: usize,
}

const SEEN_BITS: u32 = 16;

impl Grams {
    fn of(old_texts: &[&str], frequencies: &Frequencies) -> Self {
        let mut grams = Self { seen: vec![0; 1 << (SEEN_BITS - 6)], by_gram: HashMap::new() };
        for (index, old) in old_texts.iter().enumerate().filter(|(_, it)| is_sought(it)) {
            let start = frequencies.telling_start(old.as_bytes());
            for offset in start..start + GRAM {
                let gram = gram(&old.as_bytes()[offset..]);
                let (word, bit) = place_of(gram);
                grams.seen[word] |= bit;
                grams.by_gram.entry(gram).or_default().push(Sought { index, offset });
            }
        }
        grams
    }

    fn at(&self, gram: u64) -> &[Sought] {
        let (word, bit) = place_of(gram);
        if self.seen[word] & bit == 0 {
            return &[];
        }
        self.by_gram.get(&gram).map_or(&[], Vec::as_slice)
    }
}

fn place_of(gram: u64) -> (usize, u64) {
    (hash(gram) >> 6, 1 << (hash(gram) & 63))
}

fn hash(gram: u64) -> usize {
    // Fibonacci hashing: the upper bits of the product depend on all of the gram.
    (gram.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - SEEN_BITS)) as usize
}

fn gram(bytes: &[u8]) -> u64 {
    let mut gram = [0; GRAM];
    gram.copy_from_slice(&bytes[..GRAM]);
    u64::from_le_bytes(gram)
}

/// How often grams stand in a text, from samples.
struct Frequencies {
    counts: Vec<u32>,
}

/// How far apart the samples are: no multiple of a common line length or indentation.
const SAMPLE: usize = 61;

/// How many starts in an old text are weighed, and how far apart they are.
const STARTS: usize = 64;
const START_STEP: usize = 3;

impl Frequencies {
    fn of(base: &[u8]) -> Self {
        let mut counts = vec![0; 1 << SEEN_BITS];
        for at in (0..base.len().saturating_sub(GRAM - 1)).step_by(SAMPLE) {
            counts[hash(gram(&base[at..]))] += 1;
        }
        Self { counts }
    }

    /// Where in an old text the grams are rarest: those tell it from others best.
    fn telling_start(&self, old: &[u8]) -> usize {
        let frequency = |start: &usize| -> u32 {
            (*start..*start + GRAM).map(|at| self.counts[hash(gram(&old[at..]))]).fold(0, u32::saturating_add)
        };
        (0..=old.len() - SHORTEST).step_by(START_STEP).take(STARTS).min_by_key(frequency).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::edit_set::Replacement;

    proptest! {
        #[test]
        fn what_is_found_is_the_only_place_there_is(
            base in "([ab]{1,4}[cde ]){30,90}",
            cuts in prop::collection::vec((0..300_usize, 15..40_usize), 8..12),
            changes in prop::collection::vec((0..300_usize, 0..20_usize, "[abcde ]{0,30}"), 0..4),
        ) {
            let text = Text::new(&base);
            let cut = |(start, len): &(usize, usize)| {
                let start = start % base.len();
                base.get(start..start + len).unwrap_or("abcabcabcabcabcabc").to_owned()
            };
            let old_texts: Vec<String> = cuts.iter().map(cut).collect();
            let mut scan = Scan::of(&text, old_texts.iter().map(String::as_str));
            let mut working = text.clone();
            for (start, len, put) in changes {
                let start = start % (working.len().0 + 1);
                let span = Span::new(start, (start + len).min(working.len().0));
                let edits = EditSet::new(vec![Replacement::new(span, put)]).unwrap();
                working = working.edited(&edits);
                scan.apply(&edits);
            }
            for (index, old) in old_texts.iter().enumerate() {
                let all: Vec<_> = occurrences(working.as_str().as_bytes(), &Finder::new(old)).collect();
                if let Some(found) = scan.find(&working, index, old) {
                    prop_assert_eq!(all, vec![found.start.0]);
                }
            }
        }
    }
}
