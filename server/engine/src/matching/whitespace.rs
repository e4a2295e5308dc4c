//! Tier 4: the same whole tokens, at least two, with any white space between them.

use std::collections::{BTreeMap, BTreeSet};

use super::query::{Exhausted, Query};
use crate::batch::Matching;
use crate::fit::with_nearest_endings;
use crate::fold::is_plain_space;
use crate::indent::IndentMap;
use crate::rows::{break_len, row_start, rows};
use crate::text::Span;

pub(crate) fn find(query: &Query<'_>, visit: &mut dyn FnMut(Span)) -> Result<(), Exhausted> {
    let Some(wrapped) = Wrapped::of(query.old, query.new) else { return Ok(()) };
    if tokens(query.old).take(2).count() < 2 {
        return Ok(());
    }
    let text = query.text();
    for core in query.cores() {
        query.spend(core.len() + query.old.len())?;
        let (front, behind) = (&text[..core.start.0], &text[core.end.0..]);
        let free = front.is_empty() || front == "\u{feff}" || front.ends_with(is_plain_space);
        let free = free && (behind.is_empty() || behind.starts_with(is_plain_space));
        if free
            && tokens(&text[core.range()]).eq(tokens(query.old))
            && !moves_a_comment(
                &text[row_start(text, core.start.0)..core.start.0],
                &text[core.range()],
                query.old.trim_matches(is_plain_space),
            )
            && wrapped.front.stands(&front[front.trim_end_matches(is_plain_space).len()..])
            && wrapped.behind.stands(&behind[..behind.len() - behind.trim_start_matches(is_plain_space).len()])
        {
            visit(*core);
        }
    }
    Ok(())
}

pub(crate) fn fit(query: &Query<'_>, span: Span) -> Option<String> {
    let wrapped = Wrapped::of(query.old, query.new)?;
    let endings = query.breaks.near(query.text(), span);
    match query.matching {
        Matching::Lenient => Some(with_nearest_endings(&moved(query, span, wrapped.new)?, endings)),
        Matching::Exact | Matching::Tolerant => Some(with_nearest_endings(wrapped.new, endings)),
    }
}

/// `new` with its lines, but for the first, moved as lines of the old text with the same indentation are. `None` where the
/// old lines move and it cannot be told where one with another indentation goes.
fn moved(query: &Query<'_>, span: Span, new: &str) -> Option<String> {
    let text = query.text();
    let mut there = token_starts(&text[span.range()]).map(|at| span.start.0 + at);
    let mut moves: BTreeMap<&str, Option<&str>> = BTreeMap::new();
    let (mut known, mut quoted) = (Vec::new(), BTreeSet::new());
    for (index, row) in rows(query.old).filter(|it| !it.is_blank()).enumerate() {
        let starts: Vec<usize> = there.by_ref().take(tokens(row.text).count()).collect();
        let Some(&at) = starts.first() else { break };
        let front = &text[row_start(text, at)..at];
        quoted.insert(row.indent());
        if front.chars().all(is_plain_space) {
            // An indentation that goes to two places goes to none.
            moves.entry(row.indent()).and_modify(|it| *it = it.filter(|it| *it == front)).or_insert(Some(front));
            // The first line may have been quoted from behind its indentation.
            if index > 0 || !row.indent().is_empty() {
                known.push((row.indent(), front));
            }
        }
    }
    let stays = known.iter().all(|(old, there)| old == there);
    let map = || IndentMap::between(&known, rows(query.old).chain(rows(new)), || query.unit(span));
    let map = if stays { None } else { Some(map()) };
    let mut out = String::with_capacity(new.len());
    for (index, row) in rows(new).enumerate() {
        let indent = row.indent();
        let goes = match (moves.get(indent), &map) {
            _ if index == 0 || row.is_blank() => indent.to_owned(),
            (Some(there), _) => there.unwrap_or(indent).to_owned(),
            (None, Some(map)) if !quoted.contains(indent) => map.as_ref()?.carry(indent)?,
            (None, _) => indent.to_owned(),
        };
        out.extend([&goes, &row.text[indent.len()..], row.line_break]);
    }
    Some(out)
}

/// Where the tokens of `text` start.
fn token_starts(text: &str) -> impl Iterator<Item = usize> {
    let mut in_token = false;
    text.char_indices().filter_map(move |(at, c)| {
        let starts = !in_token && !is_plain_space(c);
        in_token = !is_plain_space(c);
        starts.then_some(at)
    })
}

fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_plain_space).filter(|it| !it.is_empty())
}

/// Whether a line ends in `there` and not in `old`, or the other way round, where a comment, a directive or a line continued
/// ends with it: text would come to stand in the comment, or leave it. `front` is what stands before `there` on its line.
fn moves_a_comment(front: &str, there: &str, old: &str) -> bool {
    let mut first = tokens(front).next().is_none();
    let mut within = opens_line_in(front);
    let same = ends_of_tokens(there).zip(ends_of_tokens(old));
    for ((token, ends_there), (_, ends_in_old)) in same {
        within |= opens_line(token, first);
        if ends_there != ends_in_old && (within || token.ends_with('\\')) {
            return true;
        }
        first = ends_there;
        within &= !ends_there;
    }
    false
}

fn opens_line_in(front: &str) -> bool {
    tokens(front).enumerate().any(|(index, token)| opens_line(token, index == 0))
}

/// Whether what stands behind `token` on its line may be read otherwise than on the next.
fn opens_line(token: &str, first: bool) -> bool {
    let slashes = token.find("//").is_some_and(|at| !token[..at].ends_with(':'));
    let hash = token.starts_with('#') && !token.starts_with("#[") && !token.starts_with("#![");
    slashes || hash || token == "--" || (first && ["%", ";", "--"].iter().any(|it| token.starts_with(it)))
}

/// The tokens of `text`, and whether the line ends behind each.
fn ends_of_tokens(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut rest = text.trim_start_matches(is_plain_space);
    std::iter::from_fn(move || {
        let (token, behind) = rest.split_at(rest.find(is_plain_space).unwrap_or(rest.len()));
        rest = behind.trim_start_matches(is_plain_space);
        let ends = breaks(&behind[..behind.len() - rest.len()]) > 0;
        (!token.is_empty()).then_some((token, ends))
    })
}

/// White space that `old` carries around its tokens: it must stand in the document too, and stays there.
struct Wrapped<'a> {
    front: Wrapper,
    behind: Wrapper,
    /// `new` without it.
    new: &'a str,
}

/// White space on one side: whether there is any, and how many line breaks.
#[derive(Clone, Copy)]
struct Wrapper {
    any: bool,
    breaks: usize,
}

impl Wrapper {
    fn of(space: &str) -> Self {
        Self { any: !space.is_empty(), breaks: breaks(space) }
    }

    /// Whether `space` has all of it.
    fn stands(self, space: &str) -> bool {
        (!self.any || !space.is_empty()) && breaks(space) >= self.breaks
    }
}

impl<'a> Wrapped<'a> {
    /// `None` where `new` lacks it: the edit would have to remove white space of the document.
    fn of(old: &str, new: &'a str) -> Option<Self> {
        let front = Wrapper::of(&old[..old.len() - old.trim_start_matches(is_plain_space).len()]);
        let behind = Wrapper::of(&old[old.trim_end_matches(is_plain_space).len()..]);
        let mut rest = new;
        if front.any {
            let space = &new[..new.len() - new.trim_start_matches(is_plain_space).len()];
            // The document's indentation stays: one that the author changed would be lost.
            let kept =
                indent_behind(&old[..old.len() - old.trim_start_matches(is_plain_space).len()]) == indent_behind(space);
            rest = (front.stands(space) && kept).then(|| skip_front(new, front.breaks))?;
        }
        if behind.any {
            let space = &rest[rest.trim_end_matches(is_plain_space).len()..];
            rest = behind.stands(space).then(|| skip_behind(rest, behind.breaks))?;
        }
        Some(Self { front, behind, new: rest })
    }
}

/// What stands behind the last line break of white space.
fn indent_behind(space: &str) -> &str {
    &space[space.trim_end_matches(is_indent).len()..]
}

/// `text` without its first `breaks` line breaks, what stands in front of them, and the indentation that follows.
fn skip_front(text: &str, breaks: usize) -> &str {
    let mut rest = text.trim_start_matches(is_indent);
    for _ in 0..breaks {
        rest = rest[break_len(rest)..].trim_start_matches(is_indent);
    }
    rest
}

/// `text` without its last `breaks` line breaks and the white space around them.
fn skip_behind(text: &str, breaks: usize) -> &str {
    let mut rest = text.trim_end_matches(is_indent);
    for _ in 0..breaks {
        rest = rest[..rest.len() - crate::rows::final_break(rest).len()].trim_end_matches(is_indent);
    }
    rest
}

fn is_indent(c: char) -> bool {
    is_plain_space(c) && !matches!(c, '\n' | '\r')
}

fn breaks(space: &str) -> usize {
    space.chars().filter(|c| matches!(c, '\n' | '\r')).count() - space.matches("\r\n").count()
}
