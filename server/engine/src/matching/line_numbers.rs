//! Tier 8: line-number prefixes copied from a listing, on every line, rising by one.

use std::cmp::Ordering;
use std::collections::HashSet;

use super::query::{Exhausted, Query};
use super::stripped::{Starts, Stripped};
use crate::fold::is_plain_space;
use crate::indent::indent_of;
use crate::rows::{Row, rows};
use crate::text::{Line, Span};

pub(crate) fn find(query: &Query<'_>, visit: &mut dyn FnMut(Span)) -> Result<(), Exhausted> {
    stripped(query.old, query.new).map_or(Ok(()), |it| it.find(query, visit))
}

pub(crate) fn fit(query: &Query<'_>, span: Span) -> Option<String> {
    stripped(query.old, query.new)?.fit(query, span)
}

/// `old` without its numbers, where every line that is not blank carries one in one style, rising by one.
pub(crate) fn unnumbered(old: &str) -> Option<String> {
    Some(style(old)?.strip(old))
}

pub(crate) fn stripped(old: &str, new: &str) -> Option<Stripped> {
    let style = style(old)?;
    let starts = starts(old)?;
    match lines(new).filter(|row| style.rest(row).is_some()).count() {
        0 => Some(Stripped { old: style.beside(new, old)?.strip(old), new: new.to_owned(), starts }),
        all if all == lines(new).count() => Some(Stripped { old: style.strip(old), new: style.strip(new), starts }),
        _ => None,
    }
}

/// One number alone rises by nothing and may be a key or a time: it is proved by the line it stands on.
fn starts(old: &str) -> Option<Starts> {
    let mut numbers = lines(old).filter_map(|row| prefix(row.text)).map(|it| it.number);
    match (numbers.next(), numbers.next()) {
        (Some(only), None) => Some(Starts::On(Line(usize::try_from(only).ok()?.checked_sub(1)?))),
        _ => Some(Starts::OnItsLine),
    }
}

/// The indentation that all lines have at least, in bytes.
fn depth(text: &str) -> Option<usize> {
    lines(text).map(|it| indent_of(&it).len()).min()
}

fn lines(text: &str) -> impl Iterator<Item = Row<'_>> {
    rows(text).filter(|row| !row.is_blank())
}

/// What stands between number and line.
#[derive(Clone, Copy)]
struct Style<'a> {
    separator: &'a str,
    /// A space behind the separator belongs to it: every line has one.
    spaced: bool,
}

fn style(old: &str) -> Option<Style<'_>> {
    let parts = lines(old).map(|row| prefix(row.text)).collect::<Option<Vec<_>>>()?;
    let separator = parts.first()?.separator;
    let uniform = parts.iter().all(|it| it.separator == separator);
    let rising = parts.windows(2).all(|it| it[0].number.checked_add(1) == Some(it[1].number));
    let spaced = separator != "\t" && parts.iter().all(|it| it.rest.is_empty() || it.rest.starts_with(' '));
    (uniform && rising).then_some(Style { separator, spaced })
}

struct Prefix<'a> {
    number: u64,
    separator: &'a str,
    rest: &'a str,
}

/// `  12 | rest`: a number, one separator, the line.
fn prefix(line: &str) -> Option<Prefix<'_>> {
    let line = line.trim_start_matches(' ');
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let number = line[..digits].parse().ok()?;
    let behind = &line[digits..];
    let mark = behind.trim_start_matches(' ').chars().next().filter(|c| matches!(c, '|' | ':' | '→' | '\t'))?;
    let separator = &behind[..behind.find(mark)? + mark.len_utf8()];
    Some(Prefix { number, separator, rest: &behind[separator.len()..] })
}

impl Style<'_> {
    /// This style, where a space may be the separator's or the first column of the line, as `new` proves it, which has no
    /// numbers: by the lines that it shares with `old`, else by its depth. A column too many would move all that is put in.
    fn beside(self, new: &str, old: &str) -> Option<Self> {
        let readings = [self, Self { spaced: false, ..self }];
        let [with, without] = readings.map(|it| it.strip(old));
        if !self.spaced || lines(new).next().is_none() {
            return Some(self);
        }
        let by = |agrees: &dyn Fn(&str) -> usize| agrees(&with).cmp(&agrees(&without));
        let shared = |old: &str| {
            let texts: HashSet<&str> = lines(old).map(|it| it.text).collect();
            lines(new).filter(|it| texts.contains(it.text)).count()
        };
        let as_deep = |old: &str| usize::from(depth(old) == depth(new));
        match by(&shared).then_with(|| by(&as_deep)) {
            Ordering::Greater => Some(readings[0]),
            Ordering::Less => Some(readings[1]),
            Ordering::Equal => None,
        }
    }

    /// A line without its prefix; `None` where it has none of this style.
    fn rest<'a>(&self, row: &Row<'a>) -> Option<&'a str> {
        let prefix = prefix(row.text).filter(|it| it.separator == self.separator)?;
        match self.spaced {
            true if prefix.rest.trim_matches(is_plain_space).is_empty() => {
                Some(prefix.rest.strip_prefix(' ').unwrap_or(prefix.rest))
            }
            true => prefix.rest.strip_prefix(' '),
            false => Some(prefix.rest),
        }
    }

    fn strip(&self, text: &str) -> String {
        rows(text).flat_map(|row| [self.rest(&row).unwrap_or(row.text), row.line_break]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(old: &str, new: &str, wanted: Option<(&str, &str)>) {
        let found = stripped(old, new);
        assert_eq!(found.as_ref().map(|it| (&*it.old, &*it.new)), wanted);
    }

    #[test]
    fn numbers_that_prove_a_listing_are_taken_off() {
        check("1 | a\n2 | b", "1 | a\n2 | c", Some(("a\nb", "a\nc")));
        check(" 9:\n10: b\n", "x\n", Some(("\nb\n", "x\n")));
        check("   7\ta\n   8\t\tb", "   7\ta", Some(("a\n\tb", "a")));
        check("7→a\n\n8→b", "", Some(("a\n\nb", "")));
        check("3|  a\n4|  b", "", Some((" a\n b", "")));
    }

    #[test]
    fn a_space_behind_the_separator_is_whose_the_unnumbered_text_says() {
        check("3| a:\n4|  b", "a:\n c", Some(("a:\n b", "a:\n c")));
        check("3| a:\n4|  b", " a:\n  c", Some((" a:\n  b", " a:\n  c")));
        check("3|    a", "    b", Some(("    a", "    b")));
        check("3|    a", "   b", Some(("   a", "   b")));
        check("3|    a", "b", None);
    }

    #[test]
    fn numbers_that_prove_nothing_stay() {
        check("1 | a\n3 | b", "", None);
        check("1 | a\nb", "", None);
        check("1 | a\n2: b", "", None);
        check("1 | a\n2 | b", "1 | a\nb", None);
        check("99999999999999999999999|a", "", None);
    }
}
