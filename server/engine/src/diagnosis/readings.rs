//! Other ways to read an old text that is not there: unescaped, without the prefixes of a listing or a diff, without what
//! wraps it.

use crate::matching::{unescaped, unfenced, unnumbered};
use crate::rows::rows;

/// How an old text was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    AsWritten,
    Unescaped,
    Unnumbered,
    /// Without fence, markers, or the first character of each line of a diff.
    Unmarked,
}

/// What `old` says where it is read in another way than as it is written.
pub(crate) fn readings(old: &str) -> impl Iterator<Item = (Reading, String)> {
    let unescaped = unescaped(old).map(|it| (Reading::Unescaped, it));
    let unnumbered = unnumbered(old).map(|it| (Reading::Unnumbered, it));
    let unfenced = unfenced(old).map(str::to_owned);
    let unmarked = unfenced.or_else(|| block(old)).or_else(|| before_diff(old));
    let others = unnumbered.into_iter().chain(unmarked.map(|it| (Reading::Unmarked, it)));
    unescaped.chain(others).filter(|it| !it.1.trim().is_empty())
}

/// The first half of a SEARCH/REPLACE block or of a merge conflict.
fn block(old: &str) -> Option<String> {
    let mut lines =
        rows(old).skip_while(|it| !it.body().starts_with("<<<<<<<") && !it.body().starts_with("------- SEARCH"));
    lines.next()?;
    let ends = |line: &str| ["=======", "|||||||", ">>>>>>>"].iter().any(|it| line.starts_with(it));
    Some(lines.take_while(|it| !ends(it.body())).flat_map(|it| [it.text, it.line_break]).collect())
}

/// What stood there before a diff: lines with ` ` and `-` in front, without it. `None` where it is none.
fn before_diff(old: &str) -> Option<String> {
    let body = || rows(old).filter(|it| !it.text.starts_with("@@") && !it.text.is_empty());
    let is_diff =
        body().all(|it| it.text.starts_with([' ', '-', '+'])) && body().any(|it| it.text.starts_with(['-', '+']));
    let kept = body().filter(|it| !it.text.starts_with('+'));
    is_diff.then(|| kept.flat_map(|it| [&it.text[1..], it.line_break]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(old: &str, expected: &[(Reading, &str)]) {
        let found: Vec<_> = readings(old).collect();
        let found: Vec<_> = found.iter().map(|it| (it.0, it.1.as_str())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn an_old_text_is_read_in_other_ways() {
        check("a\nb", &[]);
        check("a\\nb", &[(Reading::Unescaped, "a\nb")]);
        check("1|a\n2|b", &[(Reading::Unnumbered, "a\nb")]);
        check("```\na\n```", &[(Reading::Unmarked, "a\n")]);
        check("<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n", &[(Reading::Unmarked, "a\n")]);
        check("@@ -1 +1 @@\n a\n-b\n+c", &[(Reading::Unmarked, "a\nb\n")]);
        check(" a\n b", &[]);
    }
}
