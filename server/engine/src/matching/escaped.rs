//! Tier 9: one level of escaping too much, of both texts and uniformly.

use super::query::{Exhausted, Query};
use super::stripped::{Starts, Stripped};
use crate::text::Span;

/// Each kind of escape of a family, and the character it stands for.
type Family = &'static [(&'static str, char)];

const FAMILIES: [Family; 2] = [
    &[("\\n", '\n'), ("\\t", '\t'), ("\\r", '\r'), ("\\\"", '"'), ("\\'", '\''), ("\\\\", '\\')],
    &[("&lt;", '<'), ("&gt;", '>'), ("&quot;", '"'), ("&#39;", '\''), ("&apos;", '\''), ("&amp;", '&')],
];

pub(crate) fn find(query: &Query<'_>, visit: &mut dyn FnMut(Span)) -> Result<(), Exhausted> {
    let mut found = false;
    for stripped in FAMILIES.iter().filter_map(|it| stripped(query.old, query.new, it)) {
        stripped.find(query, &mut |span| {
            found = true;
            visit(span);
        })?;
        if found {
            break;
        }
    }
    Ok(())
}

pub(crate) fn fit(query: &Query<'_>, span: Span) -> Option<String> {
    FAMILIES.iter().filter_map(|it| stripped(query.old, query.new, it)).find_map(|it| it.fit(query, span))
}

/// Both texts unescaped by one level, by the first family that proves it.
pub(crate) fn first_stripped(old: &str, new: &str) -> Option<Stripped> {
    FAMILIES.iter().find_map(|it| stripped(old, new, it))
}

/// Both texts unescaped by one level. `None` where `old` holds no escape, or where a character that is escaped somewhere
/// stands bare elsewhere: then nobody can say which of them are meant.
fn stripped(old: &str, new: &str, family: Family) -> Option<Stripped> {
    if !has_escapes(old, family) {
        return None;
    }
    let (old, new) = (Unescaped::of(old, family), Unescaped::of(new, family));
    let escaped = [&*old.escaped, &*new.escaped].concat();
    let uniform = escaped.iter().all(|c| !old.bare.contains(c) && !new.bare.contains(c));
    (!old.escaped.is_empty() && uniform).then_some(Stripped { old: old.text, new: new.text, starts: Starts::Anywhere })
}

/// A text by one level less, and which characters were escaped in it and which stand bare.
struct Unescaped {
    text: String,
    escaped: Vec<char>,
    bare: Vec<char>,
}

impl Unescaped {
    fn of(text: &str, family: Family) -> Self {
        let mut out = Self { text: String::with_capacity(text.len()), escaped: Vec::new(), bare: Vec::new() };
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let escape = family.iter().find(|(written, _)| rest.starts_with(written));
            let (taken, shown, seen) = match escape {
                Some((written, c)) => (written.len(), *c, &mut out.escaped),
                None => (c.len_utf8(), c, &mut out.bare),
            };
            if family.iter().any(|it| it.1 == shown) && !seen.contains(&shown) {
                seen.push(shown);
            }
            out.text.push(shown);
            rest = &rest[taken..];
        }
        out
    }
}

/// `old` by one level less, for a hint: whether that proves anything is another question.
pub(crate) fn unescaped(old: &str) -> impl Iterator<Item = String> {
    FAMILIES.iter().filter(move |it| has_escapes(old, it)).map(move |it| Unescaped::of(old, it).text)
}

fn has_escapes(text: &str, family: Family) -> bool {
    family.iter().any(|(written, _)| text.contains(written))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(old: &str, new: &str, wanted: Option<(&str, &str)>) {
        let found = FAMILIES.iter().find_map(|it| stripped(old, new, it));
        assert_eq!(found.as_ref().map(|it| (&*it.old, &*it.new)), wanted);
    }

    #[test]
    fn uniform_escapes_are_taken_off() {
        check(r"a\n\tb", r"a\nc", Some(("a\n\tb", "a\nc")));
        check(r#"x = \"y\""#, r#"x = \"z\""#, Some(("x = \"y\"", "x = \"z\"")));
        check("a &lt; b &amp;&amp; c", "a &gt; b", Some(("a < b && c", "a > b")));
        check(r#"\"a\\nb\""#, "", Some((r#""a\nb""#, "")));
        check(r#"\"\d\""#, "", Some((r#""\d""#, "")));
    }

    #[test]
    fn escapes_beside_bare_characters_stay() {
        check("a\\nb\nc", "", None);
        check(r#"\"a""#, "", None);
        check(r"a\nb", "c\nd", None);
        check("a &amp; b & c", "", None);
        check(r"\\ \d", "", None);
        check("plain", r"\n", None);
    }
}
