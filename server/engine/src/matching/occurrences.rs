//! Where a text stands in another, overlapping occurrences too, in linear time on every input.

use memchr::memmem::Finder;

use crate::steps;

/// The occurrences of the needle of `finder`, not empty, in `haystack`, overlapping ones too, from left to right.
pub(crate) fn occurrences<'a>(haystack: &'a [u8], finder: &'a Finder<'_>) -> impl Iterator<Item = usize> + 'a {
    let needle = finder.needle();
    let mut last: Option<usize> = None;
    // How far apart the occurrences in the current run of repetition are.
    let mut period: Option<usize> = None;
    std::iter::from_fn(move || {
        let next = match (last, period) {
            (Some(at), Some(step)) if goes_on(haystack, needle, at, step) => Some(at + step),
            (at, _) => {
                let from = at.map_or(0, |it| it + 1);
                let found = finder.find(haystack.get(from..)?).map(|found| from + found);
                // What was gone through, and what was compared.
                steps::count(found.unwrap_or(haystack.len()) - from + needle.len());
                found
            }
        }?;
        // An overlap by half or more is the shortest period of the needle: all that follow in the run are one step apart,
        // and a step is checked by its own bytes alone.
        period = last.map(|at| next - at).filter(|step| *step <= needle.len() / 2);
        last = Some(next);
        Some(next)
    })
}

/// Whether the needle, which stands at `at` and has the period `step`, stands one step on too.
fn goes_on(haystack: &[u8], needle: &[u8], at: usize, step: usize) -> bool {
    steps::count(step);
    let end = at + needle.len();
    haystack.get(end..end + step) == Some(&needle[needle.len() - step..])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn found(haystack: &[u8], needle: &[u8]) -> Vec<usize> {
        occurrences(haystack, &Finder::new(needle)).collect()
    }

    #[test]
    fn overlapping_occurrences_are_found() {
        assert_eq!(found(b"aaa", b"aa"), [0, 1]);
        assert_eq!(found(b"abababab", b"abab"), [0, 2, 4]);
    }

    #[test]
    fn repetition_is_gone_through_in_linear_time() {
        let haystack = vec![b'a'; 2 << 20];
        assert_eq!(found(&haystack, &haystack[..1 << 20]).len(), (1 << 20) + 1);
    }

    proptest! {
        #[test]
        fn they_are_those_a_look_at_every_place_finds(haystack in "[ab]{0,40}", needle in "[ab]{1,6}") {
            let naive: Vec<_> = (0..haystack.len()).filter(|at| haystack[*at..].starts_with(&needle)).collect();
            prop_assert_eq!(found(haystack.as_bytes(), needle.as_bytes()), naive);
        }
    }
}
