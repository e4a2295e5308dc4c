//! Tiers 8 to 11: what is taken off is proved, what remains is looked up by the tiers 1 to 5.

use super::text::{Line, SPACE, lines};
use super::{Becomes, Place, STRICT, Wanted};

/// Tier 8: a number and one separator in front of every line, the numbers rising by one.
pub(super) fn numbered(document: &str, wanted: Wanted<'_>) -> Vec<Place> {
    let filled = |text| lines(text).into_iter().filter(|it: &Line<'_>| !it.is_blank()).collect::<Vec<_>>();
    let (old, new) = (filled(wanted.old), filled(wanted.new));
    let Some(found) = old.iter().map(|it| parts(it.content)).collect::<Option<Vec<_>>>() else { return Vec::new() };
    let Some(first) = found.first() else { return Vec::new() };
    let rising = found.windows(2).all(|it| it[0].0 + 1 == it[1].0);
    if !rising || found.iter().any(|it| it.1 != first.1) {
        return Vec::new();
    }
    // A space that stands behind all separators belongs to them.
    let spaced = first.1 != "\t" && found.iter().all(|it| it.2.is_empty() || it.2.starts_with(' '));
    let strip = |line: &str, spaced: bool| -> Option<String> {
        let (_, _, rest) = parts(line).filter(|it| it.1 == first.1)?;
        match rest.strip_prefix(' ') {
            Some(rest) if spaced => Some(rest.to_owned()),
            None if spaced && !rest.trim().is_empty() => None,
            _ => Some(rest.to_owned()),
        }
    };
    let stripped = |text: &str, spaced: bool| -> String {
        let line = |it: &Line<'_>| strip(it.content, spaced).unwrap_or(it.content.to_owned());
        lines(text).iter().map(|it| line(it) + &text[it.start + it.content.len()..it.end]).collect()
    };
    let numbered = new.iter().filter(|it| strip(it.content, spaced).is_some()).count();
    if numbered != 0 && numbered != new.len() {
        return Vec::new();
    }
    let (new, spaced) = if numbered > 0 || new.is_empty() || !spaced {
        (if numbered > 0 { stripped(wanted.new, spaced) } else { wanted.new.to_owned() }, spaced)
    } else {
        // Without numbers, the new text tells whether that space is the line's: by lines it has left alone, else by depth.
        let score = |spaced: bool| {
            let old = stripped(wanted.old, spaced);
            let old: Vec<Line<'_>> = lines(&old).into_iter().filter(|it| !it.is_blank()).collect();
            let shared = new.iter().filter(|it| old.iter().any(|old| old.content == it.content)).count();
            let depth = |of: &[Line<'_>]| {
                of.iter().map(|it| it.content.len() - it.content.trim_start_matches(SPACE).len()).min()
            };
            (shared, depth(&old) == depth(&new))
        };
        if score(true) == score(false) {
            return Vec::new();
        }
        (wanted.new.to_owned(), score(true) > score(false))
    };
    // One number is proved by its line.
    let on_its_line = |it: &Place| super::breaks(&document[..it.span.start]) as u64 + 1 == first.0;
    strictly(document, Wanted { old: &stripped(wanted.old, spaced), new: &new, ..wanted }, |document, it| {
        starts_its_line(document, it) && (found.len() > 1 || on_its_line(it))
    })
}

/// Number, separator with the space in front of it, rest.
fn parts(line: &str) -> Option<(u64, &str, &str)> {
    let line = line.trim_start_matches(' ');
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = &line[digits..];
    let mark = rest.trim_start_matches(' ').chars().next().filter(|it| "|:→\t".contains(*it))?;
    let end = rest.find(mark)? + mark.len_utf8();
    Some((line[..digits].parse().ok()?, &rest[..end], &rest[end..]))
}

/// Tier 9: every `\n`, `\t`, `\"`, `\\`, or every `&lt;` and `&amp;`, is one escape too much.
pub(super) fn escaped(document: &str, wanted: Wanted<'_>) -> Vec<Place> {
    let slashes = [("\\n", "\n"), ("\\t", "\t"), ("\\\"", "\""), ("\\\\", "\\")];
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")];
    for family in [&slashes[..], &entities[..]] {
        let (old, new) = (unescaped(wanted.old, family), unescaped(wanted.new, family));
        let escapes: Vec<&str> = old.1.iter().chain(&new.1).copied().collect();
        let bare = |it: &&str| old.2.contains(*it) || new.2.contains(*it);
        if old.1.is_empty() || escapes.iter().any(bare) {
            continue;
        }
        let places = strictly(document, Wanted { old: &old.0, new: &new.0, ..wanted }, |_, _| true);
        if !places.is_empty() {
            return places;
        }
    }
    Vec::new()
}

/// The text by one level less, what was escaped in it, and all that was not.
fn unescaped<'a>(text: &str, family: &[(&str, &'a str)]) -> (String, Vec<&'a str>, String) {
    let (mut out, mut found, mut bare) = (String::new(), Vec::new(), String::new());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some((written, shown)) = family.iter().find(|it| rest.starts_with(it.0)) {
            out += shown;
            found.push(*shown);
            rest = &rest[written.len()..];
        } else {
            out.push(c);
            bare.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    (out, found, bare)
}

/// Tier 10: a fence around both.
pub(super) fn fenced(document: &str, wanted: Wanted<'_>) -> Vec<Place> {
    let (Some(old), Some(new)) = (inside_fence(wanted.old), inside_fence(wanted.new)) else { return Vec::new() };
    strictly(document, Wanted { old, new, ..wanted }, starts_its_line)
}

fn inside_fence(text: &str) -> Option<&str> {
    let lines: Vec<Line<'_>> = lines(text).into_iter().filter(|it| !it.is_blank()).collect();
    let (first, last) = (lines.first()?, lines.last()?);
    let opens = ["```", "```rust"].contains(&first.content.trim());
    let fences = lines.iter().filter(|it| it.content.contains("```")).count();
    (opens && last.content.trim() == "```" && fences == 2).then(|| &text[first.end..last.start])
}

/// Tier 11: each piece between elision lines by itself.
pub(super) fn elided(document: &str, wanted: Wanted<'_>) -> Vec<Place> {
    let (old, new) = (pieces(wanted.old), pieces(wanted.new));
    let mut found: Vec<Place> = Vec::new();
    let open = || vec![Place { span: 0..document.len(), certain: false, becomes: Becomes::Open }];
    if [wanted.old, wanted.new].iter().flat_map(|it| lines(it)).any(|it| looks_elided(&it)) {
        return open();
    }
    if old.len() < 2 || old.len() != new.len() {
        return found;
    }
    for (old, new) in old.iter().zip(&new) {
        if old.trim().is_empty() {
            if !new.trim().is_empty() {
                return Vec::new();
            }
            continue;
        }
        let mut places = strictly(document, Wanted { old, new, ..wanted }, |_, _| true);
        if places.iter().any(|it| !it.certain) {
            return open();
        }
        let Some(place) = places.pop().filter(|_| places.is_empty()) else { return Vec::new() };
        if found.last().is_some_and(|it| it.span.end > place.span.start) || !is_whole_lines(document, &place) {
            return Vec::new();
        }
        found.push(place);
    }
    let (Some(first), Some(last)) = (found.first(), found.last()) else { return Vec::new() };
    let certain = found.iter().all(|it| it.certain && !matches!(it.becomes, Becomes::Nothing));
    vec![Place { span: first.span.start..last.span.end, certain, becomes: Becomes::Pieces(found) }]
}

fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for line in lines(text) {
        if is_elided(&line) {
            pieces.push(&text[start..line.start]);
            start = line.end;
        }
    }
    pieces.push(&text[start..]);
    pieces
}

fn is_elided(line: &Line<'_>) -> bool {
    ["...", "…", "// ...", "# ... existing code ..."].contains(&&*words(line.content))
}

/// What other readers might take for left-out text.
fn looks_elided(line: &Line<'_>) -> bool {
    !is_elided(line) && line.content.contains("...") && line.content.trim_start().starts_with(['#', '/', '.', 'c'])
}

fn words(text: &str) -> String {
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

/// The places of the strictest of the tiers 1 to 5 that finds one.
fn strictly(document: &str, wanted: Wanted<'_>, may: impl Fn(&str, &Place) -> bool) -> Vec<Place> {
    if wanted.old.chars().all(char::is_whitespace) {
        return Vec::new();
    }
    for (_, _, look) in STRICT {
        let mut places = look(document, wanted);
        places.retain(|it| may(document, it));
        if places.iter().any(|it| !it.certain) {
            // Another tier may be the one.
            places.iter_mut().for_each(|it| it.becomes = Becomes::Open);
        }
        if !places.is_empty() {
            return places;
        }
    }
    Vec::new()
}

fn starts_its_line(document: &str, place: &Place) -> bool {
    lines(document).iter().any(|it| {
        it.start <= place.span.start
            && place.span.start < it.end
            && document[it.start..place.span.start].trim_matches(SPACE).is_empty()
    })
}

fn is_whole_lines(document: &str, place: &Place) -> bool {
    let behind = &document[place.span.end..];
    let rest = behind.split(['\n', '\r']).next().unwrap_or_default();
    starts_its_line(document, place)
        && (document[..place.span.end].ends_with(['\n', '\r']) || rest.trim_matches(SPACE).is_empty())
}
