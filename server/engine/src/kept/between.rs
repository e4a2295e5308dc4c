//! What a changed line has in common with the old one between its head and its tail.

use std::ops::Range;

use super::ends::{shown_in, shown_len};
use crate::diff::hunks;
use crate::fold::{fold, is_space, is_word, is_zero_width};
use crate::tokens::tokens;

/// `is` with the document's bytes for the words that the author left alone. `was` and `there` are the same text, as the
/// author wrote it and as the document has it.
pub(super) fn between(was: &str, is: &str, there: &str) -> String {
    let (old, new) = (words(was), words(is));
    let changed = hunks(old.iter().map(|it| it.text), new.iter().map(|it| it.text));
    let mut out = String::with_capacity(is.len());
    let mut there = Walk { text: there, at: 0, shown: 0 };
    let (mut at_old, mut at_new, mut written) = (0, 0, 0);
    let ends = changed.iter().map(|it| (it.before.start, it.before.end, it.after.end));
    for (end, next_old, next_new) in ends.chain([(old.len(), old.len(), new.len())]) {
        let shared = end - at_old;
        if let Some(run) = run(&old[at_old..end], &new[at_new..at_new + shared], is, &mut there) {
            out.push_str(&is[written..run.written.start]);
            out.push_str(run.there);
            written = run.written.end;
        }
        (at_old, at_new) = (next_old, next_new);
    }
    out.push_str(&is[written..]);
    out
}

/// A word, a run of white space or a character by itself.
struct Word<'a> {
    text: &'a str,
    /// Where it starts, in bytes.
    at: usize,
    /// How many bytes are shown in front of it.
    shown: usize,
}

impl Word<'_> {
    fn end(&self) -> usize {
        self.at + self.text.len()
    }

    fn shows(&self) -> usize {
        shown_in(self.text)
    }

    fn is_gap(&self) -> bool {
        self.text.chars().all(is_space)
    }
}

fn words(text: &str) -> Vec<Word<'_>> {
    let (mut at, mut shown) = (0, 0);
    let word = |text| {
        let word = Word { text, at, shown };
        (at, shown) = (word.end(), shown + word.shows());
        word
    };
    tokens(text).into_iter().map(word).collect()
}

/// A way through the document's text, forward only.
struct Walk<'a> {
    text: &'a str,
    at: usize,
    shown: usize,
}

impl Walk<'_> {
    /// Where the first `shown` bytes that are shown end; `None` inside a character.
    fn to(&mut self, shown: usize) -> Option<usize> {
        while self.shown < shown {
            let c = self.text[self.at..].chars().next()?;
            self.shown += shown_len(c);
            self.at += c.len_utf8();
        }
        (self.shown == shown).then_some(self.at)
    }
}

/// Words one behind the other.
struct Run<'a> {
    /// Where they stand in the new text.
    written: Range<usize>,
    /// What the document has in their place.
    there: &'a str,
}

/// The words `old`, which are the words `new` of `is`. `None` for what is no more than punctuation, for one quote without the
/// other, and where the document's bytes for them cannot be told apart from those of their neighbours.
fn run<'a>(old: &[Word<'_>], new: &[Word<'_>], is: &str, there: &mut Walk<'a>) -> Option<Run<'a>> {
    let shows = |it: &Word<'_>| it.shows() > 0;
    let (first, last) = (old.iter().position(shows)?, old.iter().rposition(shows)?);
    let mut written = new[first].at..new[last].end();
    if !is[written.clone()].contains(is_word) || !is_balanced(is, written.clone()) {
        return None;
    }
    let front = there.to(old[first].shown)?;
    let back = there.to(old[last].shown + old[last].shows())?;
    let text = there.text;
    let behind =
        |at: usize| at + text[at..].len() - text[at..].trim_start_matches(|c| is_space(c) || is_zero_width(c)).len();
    let (mut from, mut to) = (behind(front), back);
    // White space at either end is left alone too, where both have it there and nothing else that is unseen.
    let is_gap = |range: Range<usize>| !range.is_empty() && text[range].chars().all(is_space);
    if first > 0 && old[first - 1].is_gap() && is_gap(front..from) {
        (from, written.start) = (front, new[first - 1].at);
    }
    if old.get(last + 1).is_some_and(Word::is_gap) && is_gap(back..behind(back)) {
        (to, written.end) = (behind(back), new[last + 1].end());
    }
    Some(Run { written, there: text.get(from..to)? })
}

/// Whether `range` of `line` holds both or none of every two quotes.
fn is_balanced(line: &str, range: Range<usize>) -> bool {
    let is_word = |it: Option<char>| it.is_some_and(is_word);
    let is_apostrophe = |at: usize, c: char| {
        is_word(line[..at].chars().next_back()) && is_word(line[at + c.len_utf8()..].chars().next())
    };
    let (mut single, mut double) = (0, 0);
    for (at, c) in line[range.clone()].char_indices() {
        fold(c, |it| match it {
            '\'' if !is_apostrophe(range.start + at, c) => single += 1,
            '"' => double += 1,
            _ => {}
        });
    }
    single % 2 == 0 && double % 2 == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(was: &str, is: &str, there: &str, wanted: &str) {
        assert_eq!(between(was, is, there), wanted);
    }

    #[test]
    fn words_left_alone_are_the_documents() {
        check("say ‘a’ or ‘b’ now", "tell ‘a’ or ‘b’ then", "say 'a' or 'b' now", "tell 'a' or 'b' then");
        check("doesn’t work, if x", "won’t work, if y", "doesn't work, if x", "won't work, if y");
        check("x(a, b, c)", "y(a, b, d)", "x( a,b , c )", "y( a,b , d)");
    }

    #[test]
    fn what_the_author_changed_is_as_written() {
        check("‘a’", "\"a\"", "'a'", "\"a\"");
        check("a – b", "a - b", "a — b", "a - b");
    }

    #[test]
    fn one_quote_is_not_parted_from_the_other() {
        check("f(‘a’)", "g(‘a’, ‘b’)", "f('a')", "g(‘a’, ‘b’)");
    }

    #[test]
    fn no_two_words_are_joined() {
        check("a + y b", "c z y d", "a +y b", "c z y d");
        check("a ( y", "b x y", "a (y", "b x y");
    }

    #[test]
    fn no_character_is_cut() {
        check("x café y", "z cafe w", "x caf\u{e9} y", "z cafe w");
        check("x cafe\u{301} y", "z cafe w", "x caf\u{e9} y", "z cafe w");
        check("x a…b y", "z a..b w", "x a...b y", "z a..b w");
    }
}
