//! Tiers 6 and 7, as far as whole lines go; what they find in the middle of lines is only bounded from above.

use super::mapped::keeps_depth_in_every_unit;
use super::text::{Line, lines};
use super::{Becomes, Place, Wanted};
use crate::properties::folded;

/// Tier 6: typography.
pub(super) fn typography(document: &str, wanted: Wanted<'_>) -> Vec<Place> {
    let words = |text: &str| folded(text).split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    alike(document, wanted, |a, b| words(a) == words(b))
}

/// Tier 7: white space there or not beside punctuation, never between two words.
pub(super) fn spacing(document: &str, wanted: Wanted<'_>) -> Vec<Place> {
    alike(document, wanted, |a, b| spaced(a) == spaced(b))
}

fn spaced(text: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '\u{301}';
    let mut out = String::new();
    for token in text.split_ascii_whitespace() {
        if out.ends_with(is_word) && token.starts_with(is_word) {
            out.push(' ');
        }
        out += token;
    }
    out
}

fn alike(document: &str, wanted: Wanted<'_>, same: impl Fn(&str, &str) -> bool) -> Vec<Place> {
    let all_old = lines(wanted.old);
    let (standing, old) = (filled(document), filled(wanted.old));
    let place = |span, certain| Place { span, certain, becomes: Becomes::Open };
    let mut places = Vec::new();
    if !wanted.old.contains(char::is_alphanumeric) {
        return places;
    }
    let bare = old.len() == all_old.len();
    let told = filled(wanted.new).iter().all(|it| old.iter().any(|old| old.indent() == it.indent()));
    let plain = |text: &str| !text.contains(['\u{feff}', '\u{200b}']) && filled(text).iter().all(starts_plain);
    let sure = bare && told && plain(document) && plain(wanted.old) && plain(wanted.new);
    for window in standing.windows(old.len()) {
        let (first, last) = (window[0], window[window.len() - 1]);
        let closed = all_old[all_old.len() - 1].is_terminated();
        if window.iter().zip(&old).all(|(a, b)| same(a.content, b.content)) && (!closed || last.is_terminated()) {
            let certain = sure && keeps_depth_in_every_unit(window, &old);
            places.push(place(first.start..last.end, certain));
        }
    }
    let skeleton = |text: &str| folded(text).replace(char::is_whitespace, "");
    let (there, sought) = (skeleton(document), skeleton(wanted.old));
    let most = there.char_indices().filter(|it| there[it.0..].starts_with(&sought)).count();
    places.extend((places.len()..most).map(|_| place(0..0, false)));
    places
}

fn filled(text: &str) -> Vec<Line<'_>> {
    lines(text).into_iter().filter(|it| !it.is_blank()).collect()
}

/// Whether what follows the indentation is no white space to anyone.
fn starts_plain(line: &Line<'_>) -> bool {
    !line.content[line.indent().len()..].starts_with(char::is_whitespace)
}
