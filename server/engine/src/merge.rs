//! Three-way merge of an edit into a region it does not match: `old_text` the base, the region ours, `new_text` theirs.

mod sides;
mod three;
mod words;

use crate::diagnosis::likeness::{Pairs, share};
use crate::matching::proved;
use crate::merge::three::Three;
use crate::placeholder::{is_elision, placeholder};
use crate::rows::{final_break, rows};

/// A text to stand in place of the region, with the region's indentation and line endings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Merge {
    /// Both changes in one.
    Clean(String),
    /// They touch the same lines: this is `new_text` fitted to the place, the region's own changes lost.
    Replaced(String),
}

/// Merges what an edit changes into `region`, whole lines of a document, the last one without its line break. A change is
/// taken over where the region did not change the same words, nor words or lines right beside them at the same place.
/// `None` where `new_text` stands for code that it would delete.
#[must_use]
pub fn merge(old_text: &str, new_text: &str, region: &str) -> Option<Merge> {
    if placeholder(old_text, new_text).is_some() {
        return None;
    }
    // Line numbers, escapes or a fence around both texts are none of the edit's change, if the region has none of them.
    let there = Pairs::of(region);
    let like = |old: &str| share(there.shared(&Pairs::of(old)), there.len(), Pairs::of(old).len());
    let best = proved(old_text, new_text).max_by(|a, b| like(&a.old).total_cmp(&like(&b.old)));
    let read = best.filter(|it| like(&it.old) > like(old_text));
    let (old_text, new_text) = read.as_ref().map_or((old_text, new_text), |it| (&*it.old, &*it.new));
    // An empty last line has no part in it.
    let last = final_break(region);
    let three = Three::of(old_text, new_text, &region[..region.len() - last.len()]);
    // Beside blank lines nothing can be told of what the region changed: its own text is not the author's to drop.
    let says_nothing = old_text.trim().is_empty() && !region.trim().is_empty();
    match three.merged().filter(|_| !says_nothing) {
        Some(lines) => Some(Merge::Clean(three.text(lines) + last)),
        // A middle that both texts leave out is kept by a clean merge alone.
        None if rows(new_text).any(|row| is_elision(row.text)) => None,
        None => Some(Merge::Replaced(three.text(three.replaced()) + last)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn clean(old: &str, new: &str, region: &str, expected: &str) {
        assert_eq!(merge(old, new, region), Some(Merge::Clean(expected.to_owned())));
    }

    #[track_caller]
    fn replaced(old: &str, new: &str, region: &str, expected: &str) {
        assert_eq!(merge(old, new, region), Some(Merge::Replaced(expected.to_owned())));
    }

    #[test]
    fn code_that_is_left_out_is_never_deleted() {
        assert_eq!(merge("a\nb\nc", "a\n// ... existing code ...", "a\nx\nc"), None);
        assert_eq!(merge("a\n...\nc", "b\n...\nd", "x\ny\nz"), None);
    }

    #[test]
    fn changes_of_different_lines_merge() {
        clean("one\ntwo\nthree", "one\ntwo\nTHREE", "ONE!\ntwo\nthree", "ONE!\ntwo\nTHREE");
        clean("one\ntwo\nthree", "one\nnew\ntwo\nthree", "one\ntwo\nthree!", "one\nnew\ntwo\nthree!");
        clean("one\ntwo\nthree", "one\nthree", "one\ntwo\n# why\nthree", "one\n# why\nthree");
        clean("one\ntwo\nthree\n", "one\ntwo\nfour\n", "one\n# why\ntwo\nthree", "one\n# why\ntwo\nfour");
        clean("one\ntwo\nthree", "one\ntwo\nfour", "two\none\nthree", "two\none\nfour");
    }

    #[test]
    fn changes_of_one_line_merge_by_words() {
        clean("let x = foo(1);", "let x = foo(2);", "    let x = bar(1);", "    let x = bar(2);");
        clean("foo(1)", "foo(2)", "let y = bar(foo(1), 3);", "let y = bar(foo(2), 3);");
        clean("use a\n", "use a\nuse b;\n", "use a;", "use a;\nuse b;");
        clean("use a\n", "use b;\nuse a\n", "pub use a", "use b;\npub use a");
        clean("x: A\n", "x: B,\n", "x: A,", "x: B,");
        clean("a(1)\nb(1)\nc(1)", "a(2)\nb(2)\nc(1)", "a(1)\nb(1) + d\nc(1)", "a(2)\nb(2) + d\nc(1)");
    }

    #[test]
    fn changes_of_the_same_words_or_lines_conflict() {
        replaced("let x = 1;", "let x = 2;", "    let x = 3;", "    let x = 2;");
        replaced("one\nthree", "one\ntwo\nthree", "one\n2\nthree", "one\ntwo\nthree");
        replaced("one\nthree", "ONE\ntwo\nthree", "one\n2\nthree", "ONE\ntwo\nthree");
        replaced("one\ntwo\nthree", "one\nthree", "one\ntwo!\nthree", "one\nthree");
        replaced("one\ntwo\nthree", "ONE\n2\nTHREE", "one\nthree", "ONE\n2\nTHREE");
    }

    #[test]
    fn what_stands_where_a_blank_line_was_meant_is_not_dropped_without_a_word() {
        replaced("\n", "x\n", "    the same line", "x");
        replaced("", "x", "y", "x");
        clean("\n", "x\n", "  ", "x");
    }

    #[test]
    fn what_both_changed_alike_is_changed_once() {
        clean("one\ntwo\nthree", "one\n2\nthree", "one\n2\nthree!", "one\n2\nthree!");
        clean("one\nthree", "one\ntwo\nthree", "one\ntwo\nthree!", "one\ntwo\nthree!");
        clean("one\nthree", "ONE\ntwo\nthree", "one\ntwo\nthree", "ONE\ntwo\nthree");
        clean("one\nthree", "one\ntwo\nTHREE", "one\ntwo\nthree", "one\ntwo\nTHREE");
    }

    #[test]
    fn indentation_and_line_endings_are_the_region_s() {
        clean("if a:\n  b()", "if a:\n  b()\n  c()", "\tif a:\r\n\t\tb()", "\tif a:\r\n\t\tb()\r\n\t\tc()");
        replaced("a = 1\nb = 1", "a = 2\nb = 2\nc = 2", "  a = 3\r\n  b = 1", "  a = 2\r\n  b = 2\r\n  c = 2");
    }

    #[test]
    fn what_wraps_both_texts_is_no_change() {
        clean("1|let x = 1;\n2|end()", "1|let x = 2;\n2|end()", "let x = 1;\nend(7)", "let x = 2;\nend(7)");
        clean(r#"f(\"a\", 1)"#, r#"f(\"a\", 2)"#, r#"g("a", 1)"#, r#"g("a", 2)"#);
    }

    fn texts() -> impl Strategy<Value = String> {
        let line = prop::sample::select(vec!["a", "b", "", "  a", "foo(1)", "foo(2)", "bar = 1", "}"]);
        prop::collection::vec(line, 1..7).prop_map(|it| it.join("\n"))
    }

    proptest! {
        #[test]
        fn a_side_that_changes_nothing_leaves_the_other(old in texts(), other in texts()) {
            prop_assume!(!old.trim().is_empty() && !old.ends_with('\n') && !other.ends_with('\n'));
            prop_assert_eq!(merge(&old, &other, &old), Some(Merge::Clean(other.clone())));
            prop_assert_eq!(merge(&old, &old, &other), Some(Merge::Clean(other.clone())));
        }

        #[test]
        fn lines_far_apart_never_conflict(len in 4_usize..12, ours in 0_usize..12, theirs in 0_usize..12) {
            prop_assume!(ours < len && theirs < len && ours.abs_diff(theirs) > 1);
            let text = |changed: &[(usize, &str)]| {
                let line = |at: usize| {
                    let word = ["alpha", "beta", "gamma", "delta", "omega"][at % 5];
                    let end = changed.iter().find(|it| it.0 == at).map_or("", |it| it.1);
                    format!("{word} line {at}{end}")
                };
                (0..len).map(line).collect::<Vec<_>>().join("\n")
            };
            let merged = merge(&text(&[]), &text(&[(theirs, " theirs")]), &text(&[(ours, " ours")]));
            prop_assert_eq!(merged, Some(Merge::Clean(text(&[(theirs, " theirs"), (ours, " ours")]))));
        }
    }
}
