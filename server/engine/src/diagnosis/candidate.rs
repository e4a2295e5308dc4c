//! The region a failing edit most likely meant: found by its words in the base, compared line by line in the working text.

use crate::conflict::{Candidate, CandidateLine, Mark};
use crate::diagnosis::departure::departure;
use crate::diagnosis::features::{Features, words};
use crate::diagnosis::likeness::is_generic;
use crate::diagnosis::region::{Needle, Region, around, cover};
use crate::diagnosis::word_windows::windows;
use crate::rows::{final_break, row_end, row_start};
use crate::text::Span;
use crate::working::Working;

/// How alike a region of several lines must be to be shown at all. Measured: texts of the same kind that have nothing to do
/// with each other come up to this, blocks of which a third was rewritten start there.
const ALIKE: f32 = 0.58;

/// How alike a single line must be: one word of a few is much of it.
const LINE_ALIKE: f32 = 0.5;

/// Or so little, where so much of what was sought stands in it.
const WHOLE: (f32, f32) = (0.3, 0.85);

/// How many of the latest edits, and how much of what each put there, are looked through beside the base.
const LATELY: (usize, usize) = (32, 1 << 14);

/// The most similar region of the working text, however little that is.
pub(crate) fn most_similar(working: &Working<'_>, needle: &Needle<'_>) -> Option<Region> {
    let mut best: Option<Region> = None;
    for there in in_base(working, needle.text).into_iter().chain(in_new(working, needle.text)) {
        let Some(region) = around(working.as_str(), needle, there) else { continue };
        if best.as_ref().is_none_or(|it| it.similarity() < region.similarity()) {
            best = Some(region);
        }
    }
    best
}

/// Where the needle's words stand in the base, carried to where that is now.
fn in_base(working: &Working<'_>, needle: &str) -> Vec<Span> {
    let base = working.base();
    let found = windows(base.features(), needle).into_iter();
    found.map(|it| working.carried(base.features().span(base.as_str(), it))).collect()
}

/// Where they stand in what earlier edits wrote.
fn in_new(working: &Working<'_>, needle: &str) -> Vec<Span> {
    let text = working.as_str();
    let put = working.put_lately(LATELY.0).into_iter().filter(|it| it.len() <= LATELY.1);
    let found = put.flat_map(|it| {
        let (start, end) = (row_start(text, it.start.0), row_end(text, it.end.0));
        let piece = &text[start..end];
        let features = Features::of(piece);
        let moved = move |span: Span| Span::new(span.start.0 + start, span.end.0 + start);
        let found = windows(&features, needle).into_iter();
        found.map(|it| moved(features.span(piece, it))).collect::<Vec<_>>()
    });
    found.collect()
}

/// Whether a person would point there.
pub(crate) fn is_convincing(text: &str, needle: &Needle<'_>, region: &Region) -> bool {
    let alike = if needle.rows.len() == 1 { LINE_ALIKE } else { ALIKE };
    let enough = region.similarity() >= alike || (region.similarity() >= WHOLE.0 && region.found(needle) >= WHOLE.1);
    enough && is_distinctive(text, needle, region)
}

/// Whether more than lines that stand everywhere is shared.
fn is_distinctive(text: &str, needle: &Needle<'_>, region: &Region) -> bool {
    region.aligned.iter().any(|it| {
        let (Some(old), Some(there)) = (it.old, it.there) else { return false };
        let (old, there) = (needle.rows[old].text, &text[region.rows[there].range()]);
        let said = |line: &str| words(line).map(|it| it.hash).collect::<Vec<_>>();
        let said_there = said(there);
        !is_generic(old) && !is_generic(there) && said(old).iter().any(|it| said_there.contains(it))
    })
}

/// The lines that `span` of the working text touches, compared with `needle`.
pub(crate) fn at(working: &Working<'_>, needle: &Needle<'_>, span: Span) -> Region {
    // A text that ends with its last line does not touch the line behind it.
    let content = &working.as_str()[span.range()];
    let lines = content.strip_suffix('\n').map_or(content, |it| it.strip_suffix('\r').unwrap_or(it));
    cover(working.as_str(), needle, Span::new(span.start.0, span.start.0 + lines.len()))
}

/// The region as fact.
pub(crate) fn described(working: &Working<'_>, needle: &Needle<'_>, region: &Region) -> Candidate {
    let text = working.as_str();
    let departs = departure(working, needle, region);
    let lines = region.aligned.iter().map(|it| {
        let line = match (it.there, it.old) {
            (Some(there), _) => &text[region.rows[there].range()],
            (None, Some(old)) => needle.rows[old].text,
            (None, None) => "",
        };
        let column = departs.filter(|_| it.mark != Mark::Same).map_or(0, |it| it.column);
        CandidateLine { mark: it.mark, text: excerpt(line, column) }
    });
    Candidate {
        base: whole_lines(working, region.span()),
        working_line: working.line_of(region.span().start),
        similarity: region.similarity(),
        lines: lines.collect(),
        departs,
    }
}

/// The lines of the base that `span` of the working text was.
fn whole_lines(working: &Working<'_>, span: Span) -> Span {
    let base = working.base().as_str();
    let was = working.to_base(span);
    let start = row_start(base, was.start.0);
    // A line break at its end belongs to the line it ends.
    let last = was.end.0 - final_break(&base[start..was.end.0]).len();
    Span::new(start, row_end(base, last))
}

/// A line, or at most [`CandidateLine::LIMIT`] characters of it around `column`.
pub(crate) fn excerpt(line: &str, column: usize) -> String {
    if line.len() <= CandidateLine::LIMIT {
        return line.to_owned();
    }
    let mut chars = line.char_indices();
    let from = column.saturating_sub(CandidateLine::LIMIT / 2);
    let start = if from == 0 { 0 } else { chars.nth(from).map_or(0, |it| it.0) };
    let rest = &line[start..];
    let end = rest.char_indices().nth(CandidateLine::LIMIT).map_or(rest.len(), |it| it.0);
    rest[..end].to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::{Candidate, Document, Edit, FindReplace, Line, Mark, Options, Text, merge, plan};

    fn candidate(text: &str, edits: &[(&str, &str)]) -> Option<Candidate> {
        let text = Text::new(text);
        let edit = |(old, new): &(&str, &str)| {
            let (old_text, new_text) = ((*old).to_owned(), (*new).to_owned());
            Edit::FindReplace(FindReplace { old_text, new_text, ..FindReplace::default() })
        };
        let edits: Vec<Edit> = edits.iter().map(edit).collect();
        let conflicts = plan(&[Document { name: "a", text: &text, edits: &edits }], &Options::default()).unwrap_err();
        conflicts.into_iter().next_back().and_then(|it| it.candidate)
    }

    /// `expected` is the first line and how many there are, counted from 1.
    #[track_caller]
    fn check(text: &str, old: &str, expected: Option<(usize, usize)>) {
        let found = candidate(text, &[(old, "new")]);
        let lines = found.as_ref().map(|it| it.lines.iter().filter(|it| it.mark != Mark::Missing).count());
        assert_eq!(found.as_ref().map(|it| it.working_line.0 + 1).zip(lines), expected, "{found:#?}");
    }

    /// A program of `count` functions that share most of their words.
    fn program(count: usize) -> String {
        let words = ["alpha", "beta", "gamma", "delta", "omega"];
        let function = |at: usize| {
            let (a, b) = (words[at % 5], words[at / 5 % 5]);
            let body: String = (0..17).map(|line| format!("    let {b}_{line} = {a}.step({line}, {at});\n")).collect();
            format!("fn {a}_{b}_{at}(input: u32) -> u32 {{\n{body}    total\n}}\n")
        };
        (0..count).map(function).collect()
    }

    #[test]
    fn a_block_of_which_a_third_was_rewritten_is_the_whole_block() {
        let text = program(60);
        let block: Vec<&str> = text.lines().skip(20 * 37).take(20).collect();
        let rewritten = |at: usize| if at.is_multiple_of(3) { "    something else entirely;" } else { block[at] };
        check(&text, &(0..20).map(rewritten).collect::<Vec<_>>().join("\n"), Some((20 * 37 + 1, 20)));
    }

    #[test]
    fn a_block_is_found_by_what_follows_a_line_that_stands_everywhere() {
        let filler = "#[test]\nfn other() {}\n".repeat(50);
        let text = format!("{filler}#[test]\nfn sums() {{\n    assert_eq!(sum(&[1, 2]), 3);\n}}\n{filler}");
        check(&text, "#[test]\nfn sums() {\n    assert_eq!(sum(&[1, 2]), 4);\n}", Some((101, 4)));
    }

    #[test]
    fn lines_that_traded_places_are_in_the_region() {
        let text = "start()\nfirst(1)\nsecond_one(2)\nthird(3)\nend()\n";
        check(text, "second_one(2)\nfirst(1)\nthird(3)", Some((2, 3)));
        check(text, "first(1)\nthird(3)\nsecond_one(2)", Some((2, 3)));
    }

    #[test]
    fn renamed_identifiers_do_not_hide_a_region() {
        let text = "fn f() {}\nlet max_retries = config.max_retries();\nfor attempt in 0..max_retries {\n    run(attempt);\n}\n";
        let old = "let maxTries = config.maxTries();\nfor i in 0..maxTries {\n    run(i);\n}";
        check(text, old, Some((2, 4)));
    }

    #[test]
    fn one_wrong_word_in_a_line_points_at_the_line() {
        let text = "alpha = load(path)\nbeta = load(other, strict)\n";
        check(text, "load(other, lenient)", Some((2, 1)));
        check(text, "beta = lode(other, strict)", Some((2, 1)));
    }

    #[test]
    fn nothing_is_guessed_where_nothing_is_alike() {
        check("alpha\n}\nreturn;\n", "gamma {\n    return;\n}", None);
        check("alpha\n", "beta", None);
        check("", "beta", None);
        check("alpha = 1\n", "= ;", None);
    }

    #[test]
    fn a_line_of_a_megabyte_says_where_it_departs() {
        let text: String = (0..60_000).map(|it| format!("{{\"id\":{it},\"size\":{}}},", it % 97)).collect();
        let old = "{\"id\":31000,\"size\":57},{\"id\":31001,\"size\":0},{\"id\":31002,";
        let found = candidate(&text, &[(old, "x")]).unwrap();
        let departs = found.departs.unwrap();
        assert_eq!(departs.working_line.0, 0);
        assert!(text[..departs.column].ends_with("{\"id\":31001,\"size\":"), "{departs:?}");
        assert!(found.lines[0].text.contains("{\"id\":31001,\"size\":58}"));
        assert!(found.lines[0].text.chars().count() <= crate::CandidateLine::LIMIT);
        assert!(found.similarity > 0.9, "{}", found.similarity);
    }

    #[test]
    fn a_place_is_right_in_the_base_and_in_the_text_that_earlier_edits_left() {
        let text = "head\nbody\ntail(1, 2)\n";
        let found = candidate(text, &[("head\n", "head\nmore\nmore\n"), ("tail(1, 3)", "x")]).unwrap();
        assert_eq!((&text[found.base.range()], found.working_line.0), ("tail(1, 2)", 4));
        let found =
            candidate(text, &[("body\n", "let surcharge = fuel(zone);\n"), ("surchage = fuel(zone)", "x")]).unwrap();
        assert_eq!((&text[found.base.range()], found.working_line.0), ("body", 1));
    }

    #[test]
    fn a_line_quoted_from_its_middle_counts_in_part() {
        let found = candidate("fn f(a: u32) {\n    start(a);\n}\n", &[("(a: u32) {\n    stop(a);", "x")]).unwrap();
        assert_eq!(found.lines.iter().map(|it| it.mark).collect::<Vec<_>>(), [Mark::Same, Mark::Changed]);
        assert!(found.similarity > 0.7, "{}", found.similarity);
    }

    fn texts(pieces: &'static [&'static str]) -> impl Strategy<Value = String> {
        prop::collection::vec(prop::sample::select(pieces), 0..24).prop_map(|it| it.concat())
    }

    const PIECES: &[&str] = &[
        "foo",
        "bar(1)",
        " ",
        "  ",
        "\t",
        "\n",
        "\r\n",
        "\r",
        "é",
        "e\u{301}",
        "🚀",
        "“",
        "}",
        "foo_bar = 2",
        "\u{2028}",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(600))]

        #[test]
        fn a_candidate_is_whole_lines_of_the_base_and_says_what_the_working_text_holds(
            base in texts(PIECES),
            edits in prop::collection::vec((texts(PIECES), texts(PIECES)), 1..5),
        ) {
            let text = Text::new(&base);
            let edit = |(old, new): &(String, String)| {
                Edit::FindReplace(FindReplace { old_text: old.clone(), new_text: new.clone(), ..FindReplace::default() })
            };
            let edits: Vec<Edit> = edits.iter().map(edit).collect();
            let Err(conflicts) = plan(&[Document { name: "a", text: &text, edits: &edits }], &Options::default()) else {
                return Ok(());
            };
            let failed: Vec<usize> = conflicts.iter().map(|it| it.edit).collect();
            for conflict in &conflicts {
                let Some(candidate) = &conflict.candidate else { continue };
                let lines = (text.line_of(candidate.base.start), text.line_of(candidate.base.end));
                prop_assert_eq!(text.line_start(lines.0), candidate.base.start);
                prop_assert_eq!(text.line_content(lines.1).end, candidate.base.end);
                prop_assert!((0.0..=1.0).contains(&candidate.similarity));
                let working = working(&text, &edits[..conflict.edit], &failed);
                let shown = candidate.lines.iter().filter(|it| it.mark != Mark::Missing);
                for (offset, line) in shown.enumerate() {
                    let there = working.line_content(Line(candidate.working_line.0 + offset));
                    prop_assert_eq!(working.slice(there).unwrap(), line.text.clone());
                }
                if let Edit::FindReplace(it) = &edits[conflict.edit] {
                    let _ = merge(&it.old_text, &it.new_text, &base[candidate.base.range()]);
                }
            }
        }
    }

    /// What the edits that did not fail leave.
    fn working(text: &Text, edits: &[Edit], failed: &[usize]) -> Text {
        let applied = edits.iter().enumerate().filter(|it| !failed.contains(&it.0)).map(|it| it.1.clone());
        let applied: Vec<Edit> = applied.collect();
        match plan(&[Document { name: "a", text, edits: &applied }], &Options::default()) {
            Ok(plans) => plans[0].result.clone(),
            Err(conflicts) => panic!("{conflicts:?}"),
        }
    }
}
