//! What random samples and hostile reading found, each as the smallest document that shows it.

use agent_edit_engine::{
    Anchoring, Document, Edit, EditSet, FindReplace, Line, LineInsert, Matching, Options, Replacement, Span, Text,
    message, plan,
};

fn edit(old_text: &str, new_text: &str) -> FindReplace {
    FindReplace { old_text: old_text.into(), new_text: new_text.into(), ..FindReplace::default() }
}

/// The text after `edits`, or why there is none.
fn outcome(document: &str, edits: &[FindReplace], options: Options) -> Result<String, String> {
    let text = Text::new(document);
    let edits: Vec<Edit> = edits.iter().cloned().map(Edit::FindReplace).collect();
    let planned = plan(&[Document { name: "d", text: &text, edits: &edits }], &options);
    planned
        .map(|it| it[0].result.as_str().to_owned())
        .map_err(|it| it.iter().map(message).collect::<Vec<_>>().join("; "))
}

const LENIENT: Options = Options {
    matching: Matching::Lenient,
    anchoring: Anchoring::Sequential,
    line_endings: agent_edit_engine::LineEndings::Document,
    partial_only: false,
    allow_placeholders: false,
    output_limit: 1 << 20,
};

#[track_caller]
fn becomes(document: &str, (old, new): (&str, &str), wanted: &str) {
    assert_eq!(outcome(document, &[edit(old, new)], LENIENT), Ok(wanted.into()));
}

#[track_caller]
fn refused(document: &str, (old, new): (&str, &str)) {
    if let Ok(result) = outcome(document, &[edit(old, new)], LENIENT) {
        panic!("applied: {result:?}");
    }
    let all = FindReplace { replace_all: true, ..edit(old, new) };
    if let Ok(result) = outcome(document, &[all], LENIENT) {
        panic!("applied to all: {result:?}");
    }
}

#[test]
fn what_a_proof_leaves_must_be_more_than_white_space() {
    refused("é a\n", ("8→ ", ""));
    refused("a\nb", ("\\n", "x"));
    refused("a b\n", ("```\n \n```", "```\nx\n```"));
}

#[test]
fn a_line_of_a_listing_starts_a_line() {
    refused("keys:\n  - c\n", ("3: c", "3: e"));
    refused("3: foo\n4: bar\n", ("1: foo", "1: baz"));
    refused("max = 1\n", ("```\nx = 1\n```", "```\nx = 2\n```"));
    becomes("max\nx\n", ("2 | x", "2 | y"), "max\ny\n");
    becomes("if a:\n    b\n", ("2 | b", "2 | c"), "if a:\n    c\n");
}

#[test]
fn an_edit_of_the_fence_itself_is_not_taken_for_nothing_to_do() {
    refused("a\n", ("```rs\na\n```", "```rust\na\n```"));
}

#[test]
fn new_lines_end_as_those_of_the_match_do_where_nothing_else_is_near() {
    becomes("a\nb\r\nc\r\n", (" c\r\n", " \n"), "a\nb\r\n \r\n");
    becomes("a\r\nb", ("a\r\nb", "x\na\r\nb"), "x\r\na\r\nb");
}

#[test]
fn what_cannot_be_seen_is_not_lost() {
    becomes("a\nb \u{feff}\n", ("a\n\nb \u{feff} ", "a\nb \u{feff}"), "a\nb \u{feff}\n");
    becomes("if \u{feff}ab\n", (" if \u{feff}ab", " y\n  z \u{feff}ab"), "y\n z \u{feff}ab\n");
    becomes("x  👩\u{200d}💻\n", ("x 👩\u{200d}💻", "y 👩\u{200d}💻"), "y  👩\u{200d}💻\n");
}

#[test]
fn an_accent_belongs_to_its_letter() {
    refused("“cafe\u{301}” x\n", ("\"cafe", "\"tea"));
    refused("f(e\u{301} b)\n", ("f( e\u{301}b )", "g()"));
}

#[test]
fn an_unterminated_last_line_that_gets_a_line_behind_it_is_ended() {
    becomes("x1(\r\n\t", ("x1(\t\r\n\t", "x1(\t\r\n\t\n\t\té\t\n\t"), "x1(\r\n\t\r\n\t\té\t\r\n\t");
}

#[test]
fn an_indentation_both_texts_have_is_the_same_in_both() {
    let document = "\té\n  a b\n";
    becomes(document, (" \té\n  a  b", "  a c"), "  a c\n");
}

#[test]
fn a_blank_line_the_author_did_not_see_stays() {
    becomes("a\n\nb\n", ("a\nb\n", "a\nx\nb\n"), "a\nx\n\nb\n");
    becomes("a:\n\n  b\n", ("a:\n  b\n", "a:\n  x\n  b\n"), "a:\n\n  x\n  b\n");
}

#[test]
fn line_breaks_of_two_lines_do_not_become_one() {
    let text = "\ta\r \nb\n";
    assert_eq!(
        outcome(text, &[edit("    \ta\n\n", "    \tc\n\n")], Options { matching: Matching::Tolerant, ..LENIENT }),
        Ok("\tc\r\rb\n".into())
    );
}

#[test]
fn a_no_break_space_is_no_white_space_before_typography() {
    refused("\tb\n\t\nc\n", ("x b\n \u{a0}\n", "y\n"));
}

#[test]
fn an_edit_that_changes_nothing_is_in_nobodys_way() {
    let options = Options { anchoring: Anchoring::Original, ..LENIENT };
    assert_eq!(outcome("a b\n", &[edit("a b", "x"), edit("b", "b")], options), Ok("x\n".into()));
    let overlapping = [edit("b", ""), edit("b c", "d"), edit("a b c", "e")];
    let why = outcome("a b c\n", &overlapping, options).unwrap_err();
    assert_eq!(why.matches("touches").count(), 2, "every edit that overlaps is named: {why}");
}

#[test]
fn replacements_that_touch_share_no_head_or_tail_once_they_are_one() {
    let text = Text::new("aaa\naé\n");
    let edits = [Edit::FindReplace(edit("aaa\n", "")), Edit::FindReplace(edit("aé", "  a\naé"))];
    let options = Options { anchoring: Anchoring::Original, ..LENIENT };
    let plans = plan(&[Document { name: "d", text: &text, edits: &edits }], &options).unwrap();
    let least = EditSet::new(vec![Replacement::new(Span::new(0, 2), "  ")]).unwrap();
    assert_eq!(plans[0].edits, least);
}

#[test]
fn a_line_break_that_ends_a_comment_is_not_ignored() {
    refused("x = 1 // note\ny = 2\n", ("x = 1 // note y = 2", "x = 1 // note y = 3"));
    refused("x = 1 # note\ny = 2\n", ("x = 1 # note y = 2\n", "x = 1 # note y = 3\n"));
    refused("f() // a b\n", ("f() // a\nb", "f() // a\nc"));
    refused("cc \\\n -o a\n", ("cc \\ -o a", "cc \\ -o b"));
    refused("a // n\n  b c\nd\n", ("n b\nc", "n b\nx"));
    becomes("f(a, // x\n  b)\nc\n", ("f(a, // x\n b)  c", "f(a, // x\n b)  d"), "f(a, // x\n  b)  d\n");
    becomes(
        "see https://a.b/c\nfor more\n",
        ("https://a.b/c for more", "https://a.b/c for less"),
        "see https://a.b/c for less\n",
    );
}

#[test]
fn one_number_is_proved_by_the_line_it_stands_on() {
    refused("ports:\n  8081: api\nnames:\n  web\n", ("8082: web", "8082: www"));
    refused("a\nb\n", ("1: b", "1: c"));
    becomes("a\nb\n", ("2: b", "2: c"), "a\nc\n");
}

#[test]
fn what_is_quoted_around_left_out_lines_are_lines() {
    refused("xa\nb\nc\nd\n", ("a\n// ...\nd\n", "A\n// ...\nd\n"));
    refused("a\nb\nc\nd;\n", ("a\n// ...\nd", "a\n// ...\ne"));
    becomes("  a\nb\nc\nd\n", ("a\n// ...\nd\n", "A\n// ...\nD\n"), "  A\nb\nc\nD\n");
}

#[test]
fn spacing_around_what_is_put_in_or_taken_out_is_the_documents() {
    becomes("f( x,y );\n", ("f(x, y);", "f(x, y, z);"), "f( x,y, z );\n");
    becomes("f( x,y );\n", ("f(x, y);", "f(w, x, y);"), "f( w, x,y );\n");
    becomes("f( x , y );\n", ("f(x,y);", "f(x);"), "f( x );\n");
    becomes("f( x, y );\n", ("f(x,y);", "f(y);"), "f( y );\n");
}

#[test]
fn an_indentation_that_was_changed_is_not_taken_for_the_documents() {
    refused("f():\n\tif a:\n\t\tg(1,\n\t\t  2)\n", ("        g(1, 2)\n", "    g(1, 2)\n"));
    becomes("f():\n\tg(1,\n\t  2)\n", ("    g(1, 2)\n", "    g(1, 3)\n"), "f():\n\tg(1, 3)\n");
}

#[test]
fn code_beside_a_fence_is_not_taken_off_with_it() {
    refused("b\n", ("```rust a\nb\n```", "```rust a\nc\n```"));
    becomes("b\n", ("  ```\nb\n```", "```\nc\n```"), "c\n");
}

#[test]
fn a_byte_order_mark_in_a_listing_is_that_of_the_document() {
    refused("\u{feff}", ("8 | \u{feff}", "x"));
    becomes("\u{feff}a\nb\n", ("1→\u{feff}a\n2→b\n", "1→\u{feff}c\n2→b\n"), "\u{feff}c\nb\n");
    becomes("\u{feff}a\nx\nb\n", ("\u{feff}a\n...\nb\n", "\u{feff}c\n...\nb\n"), "\u{feff}c\nx\nb\n");
}

#[test]
fn lines_put_behind_an_unterminated_one_end_as_the_document_does() {
    let insert = |document: &str, from: usize, new_text: &str| {
        let text = Text::new(document);
        let edits = [Edit::LineInsert(LineInsert { from: Line(from), new_text: new_text.into() })];
        let plans = plan(&[Document { name: "d", text: &text, edits: &edits }], &LENIENT).unwrap();
        plans[0].result.as_str().to_owned()
    };
    assert_eq!(insert("a\r\nb", 2, "x\ny"), "a\r\nb\r\nx\r\ny");
    assert_eq!(insert("a\r\rb\n", 2, "\nx\n"), "a\r\r\rx\nb\n");
}

#[test]
fn a_line_deeper_than_all_that_was_quoted_takes_the_documents_unit() {
    let document = "def f():\n\tg(1,\n\t\t2)\n\th()\n";
    let old = "    g(1, 2)\n    h()\n";
    becomes(document, (old, "    g(1, 2)\n    if x:\n        h()\n"), "def f():\n\tg(1, 2)\n\tif x:\n\t\th()\n");
    becomes("  g(1,\n    2)\n", ("g(1, 2)\n", "g(1, 3)\n  h()\n"), "  g(1, 3)\n  h()\n");
}

#[test]
fn a_first_line_goes_and_the_blank_line_behind_it_stays_one() {
    becomes("x;\na b;\n\nhead  c\nz\n", ("a b;\n\nhead c\n", "\nhead c\n"), "x;\n\nhead  c\nz\n");
    becomes("x;\n  a b;\n\n  c\nz\n", ("a b;\n\nc\n", "\nc\n"), "x;\n\n  c\nz\n");
}

#[test]
fn a_listing_taken_off_moves_nothing_by_a_column() {
    let document = "x;\n    if a {\n        b()\n    }\n";
    let result = "x;\n    if a {\n        c()\n    }\n";
    becomes(document, ("2|    if a {\n3|        b()\n", "    if a {\n        c()\n"), result);
    becomes(document, ("2|     if a {\n3|         b()\n", "    if a {\n        c()\n"), result);
    becomes(document, ("3|        b()\n", "        c()\n"), result);
    refused(document, ("3|        b()\n", "c()\n"));
}

#[test]
fn a_changed_line_keeps_the_documents_quotes_though_lines_are_put_in_beside_it() {
    becomes("x('a', 'b');\nz\n", ("x(’a’, ’b’);\n", "y(’a’, ’b’);\nmore();\n"), "y('a', 'b');\nmore();\nz\n");
    becomes("x('a', 'b');\nz\n", ("x(’a’, ’b’);\n", "more();\ny(’a’, ’b’);\n"), "more();\ny('a', 'b');\nz\n");
    becomes("  a  b c;\n  d  e f;\n", ("a b c;\nd e f;\n", "A b c;\nnew;\nd e F;\n"), "  A  b c;\n  new;\n  d  e F;\n");
}

#[test]
fn what_stands_between_two_changed_words_keeps_the_documents_quotes() {
    let quoted = "it doesn’t work; it won’t\n";
    becomes(
        "it doesn't work; it won't\nz\n",
        (quoted, "he doesn’t work; he won’t\n"),
        "he doesn't work; he won't\nz\n",
    );
}

#[test]
fn a_blank_line_the_author_did_not_see_goes_with_no_line() {
    becomes("a;\nb;\n\nc;\n", ("a;\nb;\nc;\n", "a;\nc;\n"), "a;\n\nc;\n");
    becomes("a;\n\nb;\nc;\n", ("a;\nb;\nc;\n", "a;\nc;\n"), "a;\n\nc;\n");
}
