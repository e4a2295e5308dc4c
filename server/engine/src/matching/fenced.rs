//! Tier 10: a code fence around both texts.

use super::query::{Exhausted, Query};
use super::stripped::{Starts, Stripped};
use crate::fold::is_plain_space;
use crate::rows::rows;
use crate::text::Span;

pub(crate) fn find(query: &Query<'_>, visit: &mut dyn FnMut(Span)) -> Result<(), Exhausted> {
    stripped(query.old, query.new).map_or(Ok(()), |it| it.find(query, visit))
}

pub(crate) fn fit(query: &Query<'_>, span: Span) -> Option<String> {
    stripped(query.old, query.new)?.fit(query, span)
}

pub(crate) fn stripped(old: &str, new: &str) -> Option<Stripped> {
    let ((fence_was, was), (fence_is, is)) = (fence_and_lines(old)?, fence_and_lines(new)?);
    // Where only the fences differ, they are what the edit is about.
    let about_fences = was == is && fence_was != fence_is;
    (!about_fences).then(|| Stripped { old: was.to_owned(), new: is.to_owned(), starts: Starts::OnItsLine })
}

/// The lines between an opening fence and the one that closes it; `None` where anything else stands outside them.
pub(crate) fn unfenced(text: &str) -> Option<&str> {
    fence_and_lines(text).map(|it| it.1)
}

/// Them, and the opening fence in front.
fn fence_and_lines(text: &str) -> Option<(&str, &str)> {
    let lines: Vec<_> = rows(text).collect();
    let first = lines.iter().position(|it| !it.is_blank())?;
    let last = lines.iter().rposition(|it| !it.is_blank())?;
    let (open, close) = (lines[first].body(), lines[last].body());
    let fence = &open[..open.len() - open.trim_start_matches(['`', '~']).len()];
    let info = &open[fence.len()..];
    let mark = fence.chars().next()?;
    let is_fence = fence.len() >= 3 && fence.chars().all(|c| c == mark) && !info.contains('`');
    // Behind a language, the first line of the code may stand.
    let is_fence = is_fence && !info.contains(is_plain_space);
    let closes = close.len() >= fence.len() && close.chars().all(|c| c == mark);
    let inside = lines.get(first + 1..last)?;
    let nested = inside.iter().any(|it| it.body().starts_with(fence) && it.body().chars().all(|c| c == mark));
    let len = |lines: &[crate::rows::Row<'_>]| lines.iter().map(|it| it.len()).sum::<usize>();
    let start = len(&lines[..=first]);
    (is_fence && closes && !nested).then(|| (open, &text[start..start + len(inside)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_wholly_fenced_is_unfenced() {
        for (text, inside) in [
            ("```rust\na\nb\n```", Some("a\nb\n")),
            ("\n~~~\na\n~~~\n\n", Some("a\n")),
            ("````\n```\na\n```\n````\n", Some("```\na\n```\n")),
            ("```\n```", Some("")),
            ("```\na\n```\nb", None),
            ("```\na\n```\n```\nb\n```", None),
            ("```a```", None),
            ("a\n", None),
        ] {
            assert_eq!(unfenced(text), inside, "{text:?}");
        }
    }
}
