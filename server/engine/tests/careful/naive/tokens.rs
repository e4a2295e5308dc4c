//! Tier 4: the same words with any white space between them.

use agent_edit_engine::Matching;

use super::text::{Line, breaks, is_open, lines, same_breaks, tokens};
use super::{Becomes, LineLike, Place, Wanted};

/// Tier 4.
pub(super) fn normalized(document: &str, wanted: Wanted<'_>) -> Vec<Place> {
    let (standing, old) = (tokens(document), tokens(wanted.old));
    if old.len() < 2 {
        return Vec::new();
    }
    let (front, behind) = around(wanted.old);
    let mut places = Vec::new();
    for window in standing.windows(old.len()) {
        if !window.iter().zip(&old).all(|(a, b)| a.1 == b.1) {
            continue;
        }
        let (start, last) = (window[0].0, window[window.len() - 1]);
        let end = last.0 + last.1.len();
        let before = &document[document[..start].trim_end_matches(white).len()..start];
        let after = &document[end..document.len() - document[end..].trim_start_matches(white).len()];
        if holds(before, front) && holds(after, behind) {
            let becomes = becomes(front, behind, wanted);
            // A line that goes on, or a comment, may be told by its line break.
            let plain =
                !wanted.old.contains(['\\', '#', '%', ';']) && !wanted.old.contains("//") && !wanted.old.contains("--");
            // Where a line goes that is indented as no line of the old text is may be left open.
            let known =
                |new: &Line<'_>| lines(wanted.old).iter().any(|it| !it.is_blank() && it.indent() == new.indent());
            let told = lines(wanted.new).iter().skip(1).all(|it| it.is_blank() || known(it));
            let plain = plain && (told || wanted.matching == Matching::Tolerant);
            let certain = plain && !is_open(wanted.old) && !matches!(becomes, Becomes::Open);
            places.push(Place { span: start..end, certain, becomes });
        }
    }
    places
}

fn white(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\u{b}' | '\u{c}' | '\n' | '\r')
}

/// The white space in front of and behind the words of `text`.
fn around(text: &str) -> (&str, &str) {
    let front = text.len() - text.trim_start_matches(white).len();
    let behind = text.trim_end_matches(white).len().max(front);
    (&text[..front], &text[behind..])
}

/// Whether the white space that is `claimed` is there.
fn holds(there: &str, claimed: &str) -> bool {
    claimed.is_empty() || !there.is_empty() && breaks(there) >= breaks(claimed)
}

/// What stands behind the last line break of white space.
fn indent(space: &str) -> &str {
    &space[space.trim_end_matches([' ', '\t']).len()..]
}

fn becomes(front: &str, behind: &str, wanted: Wanted<'_>) -> Becomes {
    if tokens(wanted.new).is_empty() && !wanted.new.is_empty() {
        return Becomes::Open;
    }
    let (new_front, new_behind) = around(wanted.new);
    let short = |old: &str, new: &str| !old.is_empty() && (new.is_empty() || breaks(new) < breaks(old));
    if wanted.new.is_empty() && (!front.is_empty() || !behind.is_empty())
        || short(front, new_front)
        || short(behind, new_behind)
        || !front.is_empty() && indent(front) != indent(new_front)
    {
        // The white space around is the document's: an edit that changes it is none for this tier.
        return Becomes::Nothing;
    }
    let several = breaks(wanted.new.trim_matches(white)) > 0;
    let plain = |old: &str, new: &str| old.is_empty() && breaks(new) == 0 || breaks(old) == breaks(new);
    if plain(front, new_front) && plain(behind, new_behind) && !(several && wanted.matching == Matching::Lenient) {
        let mut kept = wanted.new;
        if !front.is_empty() {
            kept = &kept[new_front.len()..];
        }
        if !behind.is_empty() {
            kept = &kept[..kept.len() - new_behind.len()];
        }
        return Becomes::Exactly(same_breaks(kept));
    }
    let words = |it: &str| tokens(it).into_iter().map(|it| it.1.to_owned()).collect();
    let new = lines(wanted.new);
    let filled = new.iter().filter(|it| !it.is_blank());
    Becomes::Lines(filled.map(|it| LineLike::Words { indent: None, words: words(it.content) }).collect())
}
