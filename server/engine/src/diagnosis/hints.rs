//! What is known of an old text that is not there. Adding a hint is one function and one line.

use crate::batch::{Document, Edit};
use crate::conflict::{Hint, Mark};
use crate::diagnosis::features::{Features, words};
use crate::diagnosis::likeness::is_generic;
use crate::diagnosis::readings::Reading;
use crate::diagnosis::region::{Needle, Region};
use crate::diagnosis::sought::{Sought, stands};
use crate::matching::Strategy;
use crate::placeholder::is_elision;
use crate::rows::{row_end, row_start, rows};
use crate::text::{Byte, Line, Span, Text};
use crate::working::Working;

/// One failing edit and what was found of it.
pub(crate) struct Case<'a> {
    pub(crate) documents: &'a [Document<'a>],
    pub(crate) index: usize,
    pub(crate) edit: usize,
    pub(crate) working: &'a Working<'a>,
    pub(crate) old: &'a str,
    pub(crate) new: &'a str,
    /// The edits of this document that failed before.
    pub(crate) failed: &'a [usize],
    pub(crate) sought: Option<&'a Sought>,
    /// How `old` is read.
    pub(crate) reading: Reading,
    /// `old` in that reading.
    pub(crate) needle: &'a Needle<'a>,
    pub(crate) region: Option<&'a Region>,
}

/// In the order of the spec.
const HINTS: &[fn(&Case<'_>) -> Option<Hint>] = &[
    representation,
    elision,
    line_numbers,
    escapes,
    case,
    markers,
    first_line,
    already_applied,
    consumed,
    depends_on,
    elsewhere,
];

/// Every hint that holds.
pub(crate) fn hints(case: &Case<'_>) -> Vec<Hint> {
    HINTS.iter().filter_map(|hint| hint(case)).collect()
}

/// White space, line endings or typography: a looser tier finds it.
fn representation(case: &Case<'_>) -> Option<Hint> {
    let it = case.sought.filter(|it| it.reading == Reading::AsWritten)?;
    let line = case.working.line_of(it.first.start);
    match it.strategy {
        Strategy::LineTrimmed if differs_in_endings(case.old, &case.working.as_str()[it.first.range()]) => {
            Some(Hint::LineEndings { line })
        }
        Strategy::Typography => Some(Hint::Typography { line }),
        Strategy::Elided => None,
        strategy => Some(Hint::Whitespace { line, strategy }),
    }
}

fn differs_in_endings(a: &str, b: &str) -> bool {
    rows(a).map(|it| it.text).eq(rows(b).map(|it| it.text))
}

fn elision(case: &Case<'_>) -> Option<Hint> {
    let stands = |line: &str| stands_as_line(case.working.as_str(), line).next().is_some();
    rows(case.old).any(|it| is_elision(it.text) && !stands(it.body())).then_some(Hint::Elision)
}

fn line_numbers(case: &Case<'_>) -> Option<Hint> {
    crate::matching::unnumbered(case.old).map(|_| Hint::LineNumbers)
}

fn escapes(case: &Case<'_>) -> Option<Hint> {
    let it = case.sought?;
    (it.reading == Reading::Unescaped).then(|| Hint::Escapes { line: case.working.line_of(it.first.start) })
}

/// Every line of the region says the same in other letters.
fn case(case: &Case<'_>) -> Option<Hint> {
    let region = case.region.filter(|_| case.sought.is_none())?;
    let text = case.working.as_str();
    let alike = |it: &crate::diagnosis::alignment::Aligned| {
        let (Some(old), Some(there)) = (it.old, it.there) else { return false };
        let row = region.rows[there];
        let part = Span { start: row.start.max(region.extent.start), end: row.end.min(region.extent.end) };
        it.mark != Mark::Changed || lower(case.needle.rows[old].text).eq(lower(&text[part.range()]))
    };
    let changed = region.aligned.iter().any(|it| it.mark == Mark::Changed);
    (changed && region.aligned.iter().all(alike))
        .then(|| Hint::Case { line: case.working.line_of(region.span().start) })
}

fn lower(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|it| !it.is_whitespace()).flat_map(char::to_lowercase)
}

fn markers(case: &Case<'_>) -> Option<Hint> {
    const MARKS: &[&str] =
        &["<<<<<<<", "=======", ">>>>>>>", "|||||||", "------- SEARCH", "+++++++ REPLACE", "@@ ", "*** ", "```", "~~~"];
    let is_marker = |line: &str| MARKS.iter().any(|it| line.starts_with(it));
    let stands = |line: &str| stands_as_line(case.working.as_str(), line).next().is_some();
    let marked = || rows(case.old).any(|it| is_marker(it.body()) && !stands(it.body()));
    (case.reading == Reading::Unmarked || marked()).then_some(Hint::Markers)
}

fn first_line(case: &Case<'_>) -> Option<Hint> {
    if case.sought.is_some() || case.needle.rows.iter().filter(|it| !it.is_blank()).count() < 2 {
        return None;
    }
    let first = case.needle.rows.iter().find(|it| !is_generic(it.text))?;
    // A look at the words spares a look through the text.
    let features = case.working.base().features();
    if case.working.is_base() && words(first.text).any(|it| features.count(it.hash) == 0) {
        return None;
    }
    let text = case.working.as_str();
    let lines: Vec<Line> =
        stands_as_line(text, first.body()).take(5).map(|it| case.working.line_of(Byte(it))).collect();
    (!lines.is_empty()).then_some(Hint::FirstLine { lines })
}

/// Where `body` stands as a line of its own, white space around it aside; the offsets of its first character.
fn stands_as_line<'a>(text: &'a str, body: &'a str) -> impl Iterator<Item = usize> + 'a {
    let blank = |c: char| c.is_whitespace() && !matches!(c, '\n' | '\r');
    let places = if body.is_empty() { None } else { Some(memchr::memmem::find_iter(text.as_bytes(), body.as_bytes())) };
    places.into_iter().flatten().filter(move |at| {
        let front = text[..*at].trim_end_matches(blank);
        let behind = text[at + body.len()..].trim_start_matches(blank);
        (front.is_empty() || front.ends_with(['\n', '\r'])) && (behind.is_empty() || behind.starts_with(['\n', '\r']))
    })
}

/// The new text stands where the old one would be, and says something that the old one does not.
fn already_applied(case: &Case<'_>) -> Option<Hint> {
    /// How many letters a text has at least that stands somewhere by more than chance.
    const TELLING: usize = 16;
    let said = |text: &str| text.split_whitespace().collect::<String>();
    let letters = case.new.chars().filter(|it| it.is_alphanumeric()).count();
    if case.sought.is_some() || letters < 4 || rows(case.new).all(|it| is_generic(it.text)) {
        return None;
    }
    if said(case.old).contains(&said(case.new)) {
        return None;
    }
    let start = match case.region {
        Some(region) => stands_at(case.working.as_str(), case.new, region.span())?,
        None if letters < TELLING => return None,
        None => stands(case.working, case.new).filter(|it| it.count == 1)?.first.start,
    };
    Some(Hint::AlreadyApplied { line: case.working.line_of(start) })
}

/// Where `sought` stands so that it touches `there`, white space aside.
fn stands_at(text: &str, sought: &str, there: Span) -> Option<Byte> {
    let start = row_start(text, there.start.0.saturating_sub(sought.len()));
    let end = row_end(text, (there.end.0 + sought.len()).min(text.len()));
    let here = Text::new(&text[start..end]);
    let place = stands(&Working::new(&here), sought)?;
    let (from, to) = (place.first.start.0 + start, place.first.end.0 + start);
    (from <= there.end.0 && there.start.0 <= to).then_some(Byte(from))
}

/// The old text stood in the base.
fn consumed(case: &Case<'_>) -> Option<Hint> {
    let base = Working::new(case.working.base());
    let step = case.working.consumed_by(|| stands(&base, case.old).map(|it| it.first))?;
    // Steps are the edits that did not fail, in order.
    let edit = (0..case.edit).filter(|it| case.failed.binary_search(it).is_err()).nth(step)?;
    Some(Hint::Consumed { edit })
}

/// An edit that failed would have put it there.
fn depends_on(case: &Case<'_>) -> Option<Hint> {
    /// How many bytes of the failed edits' texts are looked through, the nearest first.
    const ENOUGH: usize = 1 << 20;
    let edits = case.documents[case.index].edits;
    let mut seen = 0;
    let puts_it = |edit: &&usize| match &edits[**edit] {
        Edit::FindReplace(it) => it.new_text.contains(case.old.trim()),
        Edit::LineReplace(_) | Edit::LineInsert(_) => false,
    };
    let near = case.failed.iter().rev().take_while(|edit| {
        seen += match &edits[**edit] {
            Edit::FindReplace(it) => it.new_text.len(),
            Edit::LineReplace(_) | Edit::LineInsert(_) => 0,
        };
        seen <= ENOUGH
    });
    let mut near = near.filter(|_| !case.old.trim().is_empty());
    near.find(puts_it).map(|edit| Hint::DependsOn { edit: *edit })
}

/// It stands in another of the documents, once.
fn elsewhere(case: &Case<'_>) -> Option<Hint> {
    let others = case.documents.iter().enumerate().filter(|(index, _)| *index != case.index);
    let mut found = others.filter_map(|(document, it)| {
        if !may_hold(it.text.features(), case.old) {
            return None;
        }
        let place = stands(&Working::new(it.text), case.old).filter(|it| it.count == 1)?;
        Some(Hint::Elsewhere { name: it.name.to_owned(), document, line: it.text.line_of(place.first.start) })
    });
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// Whether a text may hold `sought`, which starts and ends between words or inside one.
fn may_hold(features: &Features, sought: &str) -> bool {
    let sought: Vec<_> = words(sought).collect();
    let whole = sought.get(1..sought.len().saturating_sub(1)).unwrap_or_default();
    !sought.is_empty() && whole.iter().all(|it| features.count(it.hash) > 0)
}

/// The line that is most alike, where it clearly is and no region is.
pub(crate) fn closest_line(working: &Working<'_>, needle: &Needle<'_>, region: &Region) -> Option<Hint> {
    const CLEARLY: f32 = 0.75;
    /// `hooks:` and `</div>` stand everywhere.
    const LETTERS: usize = 10;
    let text = working.as_str();
    let alike = |it: &crate::diagnosis::alignment::Aligned| {
        let (old, there) = (it.old?, it.there?);
        let row = &text[region.rows[there].range()];
        let old = needle.rows[old].text;
        let says_something = row.chars().filter(|it| it.is_alphanumeric()).count() >= LETTERS;
        (says_something && !is_generic(old) && !is_generic(row))
            .then(|| (crate::diagnosis::likeness::alike(old, row), region.rows[there]))
    };
    let best = region.aligned.iter().filter_map(alike).max_by(|a, b| a.0.total_cmp(&b.0))?;
    let line = working.line_of(best.1.start);
    (best.0 >= CLEARLY)
        .then(|| Hint::ClosestLine { line, text: crate::diagnosis::candidate::excerpt(&text[best.1.range()], 0) })
}

#[cfg(test)]
mod tests {
    use crate::{Document, Edit, FindReplace, Options, Text, plan};

    fn edits(edits: &[(&str, &str)]) -> Vec<Edit> {
        let edit = |(old, new): &(&str, &str)| {
            let (old_text, new_text) = ((*old).to_owned(), (*new).to_owned());
            Edit::FindReplace(FindReplace { old_text, new_text, ..FindReplace::default() })
        };
        edits.iter().map(edit).collect()
    }

    /// The hints of the last edit that fails: `kind` or `kind line`, lines counted from 1.
    #[track_caller]
    fn check(text: &str, batch: &[(&str, &str)], expected: &[&str]) {
        let (text, edits) = (Text::new(text), edits(batch));
        let conflicts = plan(&[Document { name: "a", text: &text, edits: &edits }], &Options::default()).unwrap_err();
        let hints = &conflicts.last().unwrap().hints;
        let shown: Vec<String> = hints
            .iter()
            .map(|it| {
                let lines: Vec<_> = it.lines().iter().map(|it| (it.0 + 1).to_string()).collect();
                format!("{} {}", it.name(), lines.join(",")).trim_end().to_owned()
            })
            .collect();
        assert_eq!(shown, expected, "{hints:?}");
    }

    #[test]
    fn another_representation_is_named() {
        check("a\n  b = 1\nc\n", &[("b  =  1", "x")], &["whitespace 2"]);
        check("a = 1\r\nb = 1\r\n", &[("a = 1\nb = 1", "x")], &["line-endings 1"]);
        check("a\nsay(“hello”)\n", &[("say(\"hello\")", "x")], &["typography 2"]);
        check("a\nselect NAME\n", &[("SELECT name", "x")], &["case 2"]);
    }

    #[test]
    fn what_does_not_belong_to_the_text_is_named() {
        check("first()\nlast()\n", &[("first()\n...\nlast()", "x")], &["elision"]);
        check("first()\n...\nlast(1)\n", &[("first()\n...\nlast(2)", "x")], &["first-line 1"]);
        check("a = 1\nb = 2\n", &[("1|a = 1\n2|b = 2", "x")], &["line-numbers"]);
        check("a = \"x\"\nb = 2\n", &[(r#"a = \"x\"\nb = 2"#, "x")], &["escapes 1"]);
        check("a < b\n", &[("a &lt; b", "x")], &["escapes 1"]);
        check("total = 1\n", &[("```\ntotal = 1\n```", "x")], &["markers"]);
        check("total = 1\n", &[("-total = 1\n+total = 2", "x")], &["markers"]);
        check("total = 1\n", &[("<<<<<<< SEARCH\ntotal = 1\n=======\ntotal = 2\n>>>>>>> REPLACE", "x")], &["markers"]);
        check("```\ntotal(1, 2)\n```\n", &[("```\ntotal(1, 3)\n```", "x")], &[]);
    }

    #[test]
    fn the_first_line_is_named_where_it_stands_alone() {
        check("start()\na\nstart()\nb\n", &[("start()\nsomething else", "x")], &["first-line 1,3"]);
        check("}\na\n}\n", &[("}\nsomething else", "x")], &[]);
    }

    #[test]
    fn the_closest_line_is_named_where_no_region_is() {
        let text = "alpha\nlet total_price = price * count;\nomega\n";
        check(
            text,
            &[("one()\ntwo()\nlet total_price = price * counts;\nthree()\nfour()\nfive()\nsix()\nseven()", "x")],
            &["closest-line 2"],
        );
    }

    #[test]
    fn an_edit_that_is_in_already_is_named() {
        check("a\nrate = 95\nb\n", &[("rate = 85", "rate = 95")], &["already-applied 2"]);
        check(
            "a\none(1)\nthree(3)\nb\n",
            &[("one(1)\ntwo(2)\nthree(3)", "one(1)\nthree(3)")],
            &["first-line 2", "already-applied 2"],
        );
        check("x = true\nflag = maybe\n", &[("flag = false", "true")], &[]);
        check("return x;\nlet a = b(1);\n", &[("let a = b(2);\nreturn y;", "return x;")], &[]);
    }

    #[test]
    fn what_other_edits_did_is_named() {
        check("rate = 85\n", &[("rate = 85", "rate = 95"), ("rate = 85", "rate = 96")], &["consumed"]);
        check("alpha(1)\n", &[("omega(2)", "x\ntotal.max(3)\n"), ("total.max(3)", "y")], &["depends-on"]);
    }

    #[test]
    fn another_document_that_has_it_is_named() {
        let (text, other, third) = (Text::new("alpha\n"), Text::new("x\nlet beta = 1;\n"), Text::new("beta\n"));
        let failing = edits(&[("let beta = 1;", "x")]);
        let document = |text, edits| Document { name: "a", text, edits };
        let hints = |documents: &[Document<'_>]| plan(documents, &Options::default()).unwrap_err()[0].hints.clone();
        let found = hints(&[document(&text, &failing), document(&third, &[]), document(&other, &[])]);
        assert_eq!(found, [crate::Hint::Elsewhere { name: "a".to_owned(), document: 2, line: crate::Line(1) }]);
        assert_eq!(hints(&[document(&text, &failing), document(&other, &[]), document(&other, &[])]), []);
    }
}
