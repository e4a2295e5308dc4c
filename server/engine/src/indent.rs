//! Indentation carried from the author's text to the document: equal stays equal, deeper stays deeper.

use std::collections::BTreeMap;

use crate::fold::is_space;
use crate::rows::Row;

/// How wide a tab is where the document does not say.
const TAB: usize = 4;

/// One level of indentation in a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unit {
    text: String,
    columns: usize,
}

impl Unit {
    /// That of lines which are indented at all: a tab where most of them start with one, else the commonest step between a
    /// line and the next. One column is no step: it continues a comment.
    pub(crate) fn of<'a>(lines: impl Iterator<Item = Row<'a>>) -> Option<Self> {
        let indents: Vec<&str> = lines.filter(|it| !it.is_blank()).map(|it| it.indent()).collect();
        let tabs = indents.iter().filter(|it| it.starts_with('\t')).count();
        let spaces = indents.iter().filter(|it| it.starts_with("  ")).count();
        if tabs > spaces {
            return Some(Self { text: "\t".to_owned(), columns: TAB });
        }
        let columns = commonest_step(indents.iter().map(|it| width(it, TAB)))?;
        Some(Self { text: " ".repeat(columns), columns })
    }
}

fn commonest_step(widths: impl Iterator<Item = usize>) -> Option<usize> {
    let mut counts = BTreeMap::new();
    let mut above = None;
    for width in widths {
        let step = above.map_or(0, |above| width.saturating_sub(above));
        if step > 1 {
            *counts.entry(step).or_insert(0_usize) += 1;
        }
        above = Some(width);
    }
    counts.into_iter().max_by_key(|(step, count)| (*count, std::cmp::Reverse(*step))).map(|(step, _)| step)
}

/// How many columns an indentation takes, a tab reaching the next multiple of `tab`.
fn width(indent: &str, tab: usize) -> usize {
    indent.chars().fold(0, |at, c| if c == '\t' { (at / tab + 1) * tab } else { at + 1 })
}

/// The indentation of a line, typographic spaces included.
pub(crate) fn indent_of<'a>(row: &Row<'a>) -> &'a str {
    &row.text[..row.text.len() - row.text.trim_start_matches(is_space).len()]
}

/// Where indentations of the author's text go in the document.
pub(crate) enum IndentMap<'a> {
    /// Every line starts with `written` in the one and with `stands` in the other.
    Shift {
        written: &'a str,
        stands: &'a str,
        /// What all lines of the author's start with.
        common: &'a str,
    },
    /// Column by column.
    Steps {
        /// The author's indentations as they are written, and the document's.
        pairs: Vec<(&'a str, &'a str)>,
        /// The author's column, and the document's indentation: sorted, both rising.
        steps: Vec<(usize, &'a str)>,
        /// How many columns of the author's make a level, where that can be told.
        written_unit: Option<usize>,
        unit: Option<Unit>,
        tab: usize,
    },
}

impl<'a> IndentMap<'a> {
    /// The map that takes each `old` line to its `place`, blank ones left out. `None` where equal ones go to unequal places
    /// or deeper ones not deeper. `written` is all the author wrote, `unit` a level of the document's.
    pub(crate) fn between(
        pairs: &[(&'a str, &'a str)],
        written: impl Iterator<Item = Row<'a>>,
        unit: impl FnOnce() -> Option<Unit>,
    ) -> Option<Self> {
        if let Some(shift) = Self::shift(pairs) {
            return Some(shift);
        }
        let unit = unit();
        let tab = unit.as_ref().map_or(TAB, |it| it.columns);
        let mut steps: Vec<(usize, &'a str)> = pairs.iter().map(|(old, there)| (width(old, tab), *there)).collect();
        steps.sort_by_key(|(old, there)| (*old, width(there, tab)));
        steps.dedup_by_key(|(old, there)| (*old, width(there, tab)));
        if !steps.is_sorted_by(|a, b| a.0 < b.0 && width(a.1, tab) < width(b.1, tab)) {
            return None;
        }
        let written_unit = written_unit(&steps, written, unit.as_ref(), tab);
        Some(Self::Steps { pairs: agreed(pairs), steps, written_unit, unit, tab })
    }

    /// A uniform shift, in front of every line.
    pub(crate) fn shift(pairs: &[(&'a str, &'a str)]) -> Option<Self> {
        let (written, stands) = *pairs.first()?;
        let shared = written.bytes().rev().zip(stands.bytes().rev()).take_while(|(a, b)| a == b).count();
        let shared = written.len() - written.ceil_char_boundary(written.len() - shared);
        let (written, stands) = (&written[..written.len() - shared], &stands[..stands.len() - shared]);
        let one_way = written.is_empty() || stands.is_empty();
        let moved = |(old, there): &(&str, &str)| match (old.strip_prefix(written), there.strip_prefix(stands)) {
            (Some(old), Some(there)) => old == there,
            _ => false,
        };
        let common = pairs.iter().map(|it| it.0).reduce(common_prefix)?;
        (one_way && pairs.iter().all(moved)).then_some(Self::Shift { written, stands, common })
    }

    /// The document's indentation for one of the author's; `None` where that cannot be told.
    pub(crate) fn carry(&self, indent: &str) -> Option<String> {
        match self {
            // What is indented less than all of the old text stays as written.
            Self::Shift { written, stands, common } => Some(match indent.strip_prefix(written) {
                Some(rest) if indent.starts_with(common) => format!("{stands}{rest}"),
                _ => indent.to_owned(),
            }),
            Self::Steps { pairs, steps, written_unit, unit, tab } => {
                if let Ok(same) = pairs.binary_search_by_key(&indent, |it| it.0) {
                    return Some(pairs[same].1.to_owned());
                }
                let wanted = width(indent, *tab);
                let shallower = steps.iter().rev().find(|(old, _)| *old <= wanted);
                let (from, there) = match shallower {
                    Some(it) => *it,
                    None => self.unshifted().then_some((0, ""))?,
                };
                if from == wanted {
                    return Some(there.to_owned());
                }
                let (level, unit) = ((*written_unit)?, unit.as_ref()?);
                let (levels, rest) = ((wanted - from) / level, (wanted - from) % level);
                Some(format!("{there}{}{}", unit.text.repeat(levels), " ".repeat(rest)))
            }
        }
    }

    /// Whether the levels of both texts are the same ones, so that no indentation is none.
    fn unshifted(&self) -> bool {
        match self {
            Self::Shift { written, stands, .. } => written.is_empty() && stands.is_empty(),
            Self::Steps { steps, written_unit: Some(level), unit: Some(unit), tab, .. } => {
                steps.iter().all(|(old, there)| old * unit.columns == width(there, *tab) * level)
            }
            Self::Steps { .. } => false,
        }
    }
}

/// Each indentation of the author's that always goes to the same one of the document's, sorted.
fn agreed<'a>(pairs: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let mut sorted = pairs.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let alone = sorted.chunk_by(|a, b| a.0 == b.0).filter(|it| it.len() == 1);
    alone.flatten().copied().collect()
}

/// How many columns the author takes for a level: what the steps say, else what the author's own lines do.
fn written_unit<'a>(
    steps: &[(usize, &str)],
    written: impl Iterator<Item = Row<'a>>,
    unit: Option<&Unit>,
    tab: usize,
) -> Option<usize> {
    let columns = unit?.columns;
    let by_steps = steps.windows(2).map(|it| (it[1].0 - it[0].0, width(it[1].1, tab) - width(it[0].1, tab)));
    let levels: Vec<_> = by_steps
        .filter(|(_, there)| there % columns == 0)
        .map(|(old, there)| (old, there / columns))
        .filter(|(old, levels)| old % levels == 0)
        .map(|(old, levels)| old / levels)
        .collect();
    match levels.first() {
        Some(first) if levels.iter().all(|it| it == first) => Some(*first),
        Some(_) => None,
        None => {
            let indents: Vec<&str> = written.filter(|it| !it.is_blank()).map(|it| it.indent()).collect();
            match indents.iter().any(|it| it.contains('\t')) {
                true => Some(tab),
                false => commonest_step(indents.iter().map(|it| width(it, tab))),
            }
        }
    }
}

fn common_prefix<'a>(a: &'a str, b: &'a str) -> &'a str {
    &a[..a.floor_char_boundary(a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::rows;

    #[track_caller]
    fn check(old: &str, place: &str, asked: &[(&str, Option<&str>)]) {
        let pairs: Vec<_> = rows(old).zip(rows(place)).map(|(a, b)| (a.indent(), b.indent())).collect();
        let map = IndentMap::between(&pairs, rows(old), || Unit::of(rows(place)));
        for (indent, carried) in asked {
            assert_eq!(map.as_ref().and_then(|it| it.carry(indent)).as_deref(), *carried, "{indent:?}");
        }
    }

    #[test]
    fn indentation_is_carried_over() {
        check("a\n  b\n", "a\n\tb\n\t\tc\n", &[("", Some("")), ("  ", Some("\t")), ("    ", Some("\t\t"))]);
        check(
            "    a\n      b\n",
            "\ta\n\t\tb\n",
            &[("        ", Some("\t\t\t")), ("       ", Some("\t\t ")), ("  ", None)],
        );
        check("  a\n    b\n", "    a\n        b\n", &[("", Some("")), ("      ", Some("            "))]);
        check("\ta\n\t\tb\n", "  a\n    b\n", &[("\t\t\t", Some("      ")), ("", Some(""))]);
        check("a\nb\n", "  a\n  b\n", &[("", Some("  ")), ("    ", Some("      "))]);
        check("  a\n  b\n", "a\nb\n", &[("    ", Some("  ")), ("", Some(""))]);
    }

    #[test]
    fn what_is_equal_or_deeper_must_stay_so() {
        check("a\n  b\n", "  a\n  b\n", &[("", None)]);
        check("a\nb\n", "a\n  b\n", &[("", None)]);
    }
}
