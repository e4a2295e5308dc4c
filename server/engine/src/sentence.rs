//! A conflict in words. Edits and lines are counted from 1.

use std::collections::HashSet;

use crate::batch::Edit;
use crate::conflict::{Candidate, CandidateLine, Conflict, Hint, Kind, Mark, Place};
use crate::escape::{plain, quoted};
use crate::matching::Strategy;
use crate::text::{Line, Lines};

/// A short name of an edit, one line: `find "const max = 1…"`, `lines 12-14`, `insert before line 3`.
pub(crate) fn label(edit: &Edit) -> String {
    match edit {
        Edit::FindReplace(it) => {
            let first = it.old_text.lines().find(|line| !line.trim().is_empty()).unwrap_or(&it.old_text).trim();
            let more = it.old_text.trim().len() > first.len();
            let text = quoted(first, 40);
            if more && !text.ends_with("…\"") {
                format!("find {}…\"", text.trim_end_matches('"'))
            } else {
                format!("find {text}")
            }
        }
        Edit::LineReplace(it) => lines(Lines { first: it.from, last: it.to }),
        Edit::LineInsert(it) => format!("insert before line {}", number(it.from)),
    }
}

/// What is wrong with one edit, in one sentence, with what is known of it.
#[must_use]
pub fn message(conflict: &Conflict) -> String {
    let mut text = format!("{}: {}", conflict.label, reason(conflict));
    for hint in &conflict.hints {
        text.push_str("; ");
        text.push_str(&self::hint(hint));
    }
    text
}

/// All there is to say, the most useful first.
pub(crate) fn sentences(conflict: &Conflict) -> impl Iterator<Item = String> {
    let lines = conflict.candidate.iter().flat_map(excerpt);
    std::iter::once(reason(conflict)).chain(conflict.hints.iter().map(hint)).chain(lines)
}

/// Where in the document it is, in a few characters.
pub(crate) fn place(conflict: &Conflict) -> Option<String> {
    match (&conflict.kind, &conflict.candidate) {
        (Kind::Ambiguous { places, count, .. }, _) => Some(format!("at {}", at(places, *count))),
        (Kind::ContentMismatch { differs, .. }, _) => Some(format!("at line {}", number(*differs))),
        (_, Some(it)) => Some(format!("near line {}", number(it.working_line))),
        _ => None,
    }
}

fn reason(conflict: &Conflict) -> String {
    match &conflict.kind {
        Kind::NotFound => match &conflict.candidate {
            Some(it) => {
                format!("not in the document; most alike ({} %) is {}{}", percent(it), region(it), departure(it))
            }
            None if conflict.hints.is_empty() => {
                "not in the document, and nothing there resembles it; read the document again".to_owned()
            }
            None => "not in the document".to_owned(),
        },
        Kind::Ambiguous { strategy, count, places } => format!(
            "stands {} times ({}){}; include more of the lines around the one you mean, or set atLine or replaceAll",
            count,
            at(places, *count),
            by(*strategy)
        ),
        Kind::Repetitive => {
            "document and oldText repeat themselves too much to be searched; use a line edit".to_owned()
        }
        Kind::EmptyOldText => {
            "oldText is empty and the document is not; say what to replace, or insert by line".to_owned()
        }
        Kind::OutOfRange { lines: asked, line_count } if asked.last < asked.first => {
            format!(
                "lines {}-{} run backwards; the document has {line_count} lines",
                number(asked.first),
                number(asked.last)
            )
        }
        Kind::OutOfRange { line_count, .. } => format!("the document has {line_count} lines"),
        Kind::ContentMismatch { differs, .. } => {
            format!("line {} does not hold the expected text; read the lines again", number(*differs))
        }
        Kind::CountMismatch { expected, found, strategy, places } => {
            format!(
                "expected {expected} times, stands {found} times ({}){}; look at those places, then say how many you mean",
                at(places, *found),
                by(*strategy)
            )
        }
        Kind::Overlap { with } => format!("touches what edit {} changes; make them one edit", with + 1),
        Kind::MixedKinds { with } => {
            format!(
                "line edits and find/replace edits do not mix in one document (edit {} is of the other kind)",
                with + 1
            )
        }
        Kind::WholeDocument => "would replace the whole document, which partialOnly forbids".to_owned(),
        Kind::Placeholder { line } => format!(
            "line {} of newText stands for code that it would delete; write that code out, or set allowPlaceholders",
            number(*line)
        ),
        Kind::OutputLimit { limit } => format!("the result would be larger than {limit} bytes"),
    }
}

fn hint(hint: &Hint) -> String {
    match hint {
        Hint::Whitespace { line, strategy: Strategy::Exact } => format!("that text stands at line {}", number(*line)),
        Hint::Whitespace { line, strategy } => format!(
            "with other white space it stands at line {} ({} finds it); copy it from there",
            number(*line),
            strategy.name()
        ),
        Hint::LineEndings { line } => format!("only the line endings differ (CRLF or LF), at line {}", number(*line)),
        Hint::Typography { line } => {
            format!("only typographic characters (quotes, dashes, spaces) differ, at line {}", number(*line))
        }
        Hint::Elision => "oldText leaves text out; give all of it".to_owned(),
        Hint::LineNumbers => "oldText carries line-number prefixes; leave them out".to_owned(),
        Hint::Escapes { line } => {
            format!("oldText is escaped once too often; unescaped it stands at line {}", number(*line))
        }
        Hint::Case { line } => format!("only upper and lower case differ, at line {}", number(*line)),
        Hint::Markers => {
            "oldText holds merge, diff or SEARCH/REPLACE markers or a code fence; leave them out".to_owned()
        }
        Hint::FirstLine { lines } => {
            format!("its first line stands at {}, what follows differs", all(lines))
        }
        Hint::ClosestLine { line, text } => format!("the closest line is {}: {}", number(*line), quoted(text, 120)),
        Hint::AlreadyApplied { line } => {
            format!("newText already stands at line {}: leave this edit out if that is it", number(*line))
        }
        Hint::Consumed { edit } => format!("it stood in the document, but edit {} of this batch replaced it", edit + 1),
        Hint::DependsOn { edit } => format!("it would be there had edit {}, which failed, been applied", edit + 1),
        Hint::Elsewhere { name, line, .. } => format!("it stands in {}, at line {}", plain(name), number(*line)),
    }
}

/// The lines of the candidate that are not those of `oldText`, to be copied.
fn excerpt(candidate: &Candidate) -> impl Iterator<Item = String> {
    let departs = candidate.departs;
    let of = |mark: Mark| candidate.lines.iter().filter(move |it| it.mark == mark).map(|it| it.text.trim());
    // A line that is missing here and new there traded places.
    let moved: HashSet<&str> = match of(Mark::Missing).next() {
        Some(_) => {
            of(Mark::Extra).collect::<HashSet<_>>().intersection(&of(Mark::Missing).collect()).copied().collect()
        }
        None => HashSet::new(),
    };
    let numbered = candidate.lines.iter().scan(candidate.working_line.0, |next, it| {
        let line = *next;
        *next += usize::from(it.mark != Mark::Missing);
        Some((line, it))
    });
    numbered.filter_map(move |(line, it)| {
        let column = departs.filter(|it| it.working_line.0 == line).map_or(0, |it| it.column);
        let (line, shown, moved) = (line + 1, || part(&it.text, column), moved.contains(it.text.trim()));
        match it.mark {
            Mark::Same => None,
            Mark::Missing if moved => None,
            Mark::Missing => Some(format!("no line {}", part(&it.text, 0))),
            Mark::Extra if moved => Some(format!("in other order, line {line} is {}", shown())),
            Mark::Extra => Some(format!("oldText lacks line {line} {}", shown())),
            Mark::Changed | Mark::Whitespace => Some(format!("line {line} is {}", shown())),
        }
    })
}

/// How many characters of a line are quoted.
const EXCERPT: usize = 120;

/// A line between quotes, of a long one the part around `column`.
fn part(text: &str, column: usize) -> String {
    // A line that was cut starts that many characters in front of the column.
    let column = if text.chars().nth(CandidateLine::LIMIT - 1).is_some() {
        column.min(CandidateLine::LIMIT / 2)
    } else {
        column
    };
    let skip = if column < EXCERPT { 0 } else { column - EXCERPT / 2 };
    let shown = quoted(&text.chars().skip(skip).collect::<String>(), EXCERPT);
    if skip == 0 { shown } else { format!("…{shown}") }
}

fn region(candidate: &Candidate) -> String {
    let count = candidate.lines.iter().filter(|it| it.mark != Mark::Missing).count().max(1);
    lines(Lines { first: candidate.working_line, last: Line(candidate.working_line.0 + count - 1) })
}

fn departure(candidate: &Candidate) -> String {
    match candidate.departs {
        Some(it) => format!(", first different at line {}, column {}", number(it.working_line), it.column + 1),
        None => String::new(),
    }
}

/// Never 100 for what is not the same.
fn percent(candidate: &Candidate) -> u32 {
    ((candidate.similarity * 100.0) as u32).min(99)
}

fn by(strategy: Strategy) -> String {
    match strategy {
        Strategy::Exact => String::new(),
        other => format!(", compared as {}", other.name()),
    }
}

fn at(places: &[Place], count: usize) -> String {
    let shown: Vec<Line> = places.iter().map(|it| it.working_line).collect();
    format!("{}{}", all(&shown), if count > places.len() { " and on" } else { "" })
}

fn all(shown: &[Line]) -> String {
    let numbers: Vec<_> = shown.iter().map(|it| number(*it).to_string()).collect();
    format!("{} {}", if shown.len() == 1 { "line" } else { "lines" }, numbers.join(", "))
}

fn lines(lines: Lines) -> String {
    if lines.first == lines.last {
        format!("line {}", number(lines.first))
    } else {
        format!("lines {}-{}", number(lines.first), number(lines.last))
    }
}

fn number(line: Line) -> usize {
    line.0.saturating_add(1)
}
