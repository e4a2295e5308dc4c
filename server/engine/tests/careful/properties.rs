//! What must be true of every plan and of every refusal, whatever the batch.

use agent_edit_engine::{
    Anchoring, Conflict, Document, DocumentPlan, Edit, FindReplace, Kind, LineEndings, Matching, Options, REPORT_LIMIT,
    Strategy, Text, message, plan, report,
};
use unicode_normalization::UnicodeNormalization;

use crate::samples::Sample;

type Outcome = Result<Vec<DocumentPlan>, Vec<Conflict>>;

/// Plans `sample` and checks everything that must be true of what comes of it.
pub(crate) fn hold(sample: &Sample) {
    let outcome = planned(sample);
    assert_eq!(outcome, planned(sample), "two runs differ");
    match &outcome {
        Ok(plans) => {
            assert_eq!(plans.len(), sample.documents.len());
            for ((base, edits), plan) in sample.documents.iter().zip(plans) {
                assert_eq!(plan.applied.len(), edits.len(), "an edit without its description");
                well_formed(base, plan);
            }
        }
        Err(conflicts) => explained(sample, conflicts),
    }
    for (index, (base, edits)) in sample.documents.iter().enumerate() {
        one_after_another(sample, index, base, edits, &outcome);
    }
    if sample.options.matching == Matching::Exact {
        silences(sample, &outcome, Matching::Tolerant);
        silences(sample, &outcome, Matching::Lenient);
    }
}

fn planned(sample: &Sample) -> Outcome {
    let texts: Vec<Text> = sample.documents.iter().map(|(text, _)| Text::new(text)).collect();
    let documents = sample.documents.iter().zip(&texts).map(|((_, edits), text)| Document { name: "d", text, edits });
    plan(&documents.collect::<Vec<_>>(), &sample.options)
}

fn well_formed(base: &str, plan: &DocumentPlan) {
    let (mut rebuilt, mut done) = (String::new(), 0);
    for (index, it) in plan.edits.replacements().iter().enumerate() {
        let (start, end, text) = (it.span.start.0, it.span.end.0, &*it.text);
        assert!(start <= end && end <= base.len(), "outside the document");
        assert!(done < start || index == 0 && start == 0, "replacements overlap or touch at {start}");
        assert!(!cuts(base, start) && !cuts(base, end), "cuts a character or a line break: {it:?}");
        let replaced = &base[start..end];
        assert_ne!(replaced, text, "replaces a text with itself");
        let (old_head, new_head) = (replaced.chars().next(), text.chars().next());
        if let (true, Some(head)) = (old_head == new_head, old_head) {
            assert!(cuts(base, start + head.len_utf8()), "a common head: {it:?} of {replaced:?}");
        }
        let (old_tail, new_tail) = (replaced.chars().next_back(), text.chars().next_back());
        if let (true, Some(tail)) = (old_tail == new_tail, old_tail) {
            assert!(cuts(base, end - tail.len_utf8()), "a common tail: {it:?} of {replaced:?}");
        }
        rebuilt += &base[done..start];
        rebuilt += text;
        done = end;
    }
    rebuilt += &base[done..];
    assert_eq!(rebuilt, plan.result.as_str(), "the replacements applied are not the result");
    assert_eq!(plan.edits.apply(base), plan.result.as_str());
}

/// Whether `at` lies inside a character or a `\r\n`.
fn cuts(text: &str, at: usize) -> bool {
    !text.is_char_boundary(at) || text[..at].ends_with('\r') && text[at..].starts_with('\n')
}

fn explained(sample: &Sample, conflicts: &[Conflict]) {
    assert!(!conflicts.is_empty(), "refused for no reason");
    let order: Vec<(usize, usize)> = conflicts.iter().map(|it| (it.document, it.edit)).collect();
    assert!(order.is_sorted_by(|a, b| a < b), "an edit fails twice, or out of order: {order:?}");
    for conflict in conflicts {
        let (base, edits) = &sample.documents[conflict.document];
        assert!(conflict.edit < edits.len());
        let candidate = conflict.candidate.as_ref().map(|it| it.base);
        for span in conflict.kind.places().iter().map(|it| it.base).chain(candidate) {
            assert!(span.start <= span.end && span.end.0 <= base.len(), "outside the document: {conflict:?}");
            assert!(base.get(span.range()).is_some(), "inside a character: {conflict:?}");
        }
        if let Some(candidate) = &conflict.candidate {
            assert!((0.0..=1.0).contains(&candidate.similarity), "{conflict:?}");
        }
        let written = breaks(base) + edits.iter().map(|it| breaks(new_text(it))).sum::<usize>();
        for line in conflict.hints.iter().flat_map(|it| it.lines()) {
            assert!(line.0 <= written * 40 + 40 || sample.documents.len() > 1, "no such line: {conflict:?}");
        }
        assert!(!message(conflict).contains(['\n', '\r']), "more than a line: {:?}", message(conflict));
    }
    let texts: Vec<Text> = sample.documents.iter().map(|(text, _)| Text::new(text)).collect();
    let documents = sample.documents.iter().zip(&texts).map(|((_, edits), text)| Document { name: "d", text, edits });
    let report = report(&documents.collect::<Vec<_>>(), conflicts);
    assert!(report.chars().count() <= REPORT_LIMIT, "the report is {} long", report.chars().count());
}

fn breaks(text: &str) -> usize {
    text.matches(['\n', '\r']).count()
}

fn new_text(edit: &Edit) -> &str {
    match edit {
        Edit::FindReplace(it) => &it.new_text,
        Edit::LineReplace(it) => &it.new_text,
        Edit::LineInsert(it) => &it.new_text,
    }
}

/// A batch in order is its edits, each applied to what the one before it left; and no step loses or makes up text.
fn one_after_another(sample: &Sample, index: usize, base: &str, edits: &[Edit], outcome: &Outcome) {
    let finds: Vec<&FindReplace> = edits.iter().filter_map(find_replace).collect();
    // Numbers speak of the base, which is another one at each step.
    let speaks_of_line =
        |it: &&FindReplace| it.at_line.is_some() || it.old_text.trim_start().starts_with(char::is_numeric);
    let numbered = finds.iter().any(speaks_of_line);
    if finds.len() < edits.len() || numbered || sample.options.anchoring == Anchoring::Original {
        return;
    }
    let mut text = base.to_owned();
    let mut failing = Vec::new();
    for (number, edit) in finds.iter().enumerate() {
        let step = Sample {
            documents: vec![(text.clone(), vec![Edit::FindReplace((*edit).clone())])],
            options: sample.options,
        };
        match planned(&step) {
            Ok(plans) => {
                let plan = &plans[0];
                assert_eq!(
                    plan.applied[0].no_change,
                    plan.result.as_str() == text,
                    "noChange is wrong of edit {number}"
                );
                content_is_kept(&text, edit, plan, &sample.options);
                text = plan.result.as_str().to_owned();
            }
            Err(conflicts) => failing.push((number, kind_only(&conflicts[0].kind))),
        }
    }
    match outcome {
        Ok(plans) => {
            assert_eq!(failing, [], "refused alone, applied in a batch");
            assert_eq!(plans[index].result.as_str(), text, "a batch is not its edits one after another");
        }
        Err(conflicts) => {
            let of_this = conflicts.iter().filter(|it| it.document == index);
            let together: Vec<_> = of_this.map(|it| (it.edit, kind_only(&it.kind))).collect();
            assert_eq!(together, failing, "other edits fail in a batch than one after another");
        }
    }
}

fn find_replace(edit: &Edit) -> Option<&FindReplace> {
    match edit {
        Edit::FindReplace(it) => Some(it),
        Edit::LineReplace(_) | Edit::LineInsert(_) => None,
    }
}

fn kind_only(kind: &Kind) -> (&'static str, usize, usize) {
    match kind {
        Kind::Ambiguous { count, places, .. } => (kind.name(), *count, places.len()),
        Kind::CountMismatch { found, places, .. } => (kind.name(), *found, places.len()),
        _ => (kind.name(), 0, 0),
    }
}

/// Which of many places were taken is tried out, in time that grows with each.
const MOST_FOLLOWED: usize = 6;

/// What was found was the old text and nothing else, and the new text went there and nowhere else: in what a tier
/// compares, the result is the base with occurrences of the old text replaced.
fn content_is_kept(base: &str, edit: &FindReplace, plan: &DocumentPlan, options: &Options) {
    let applied = &plan.applied[0];
    if applied.occurrences > MOST_FOLLOWED {
        return;
    }
    let reading: fn(&str) -> String = match applied.strategy {
        Strategy::Exact if options.line_endings == LineEndings::AsGiven => |it| it.to_owned(),
        // A lone `\r` and a `\n` that come to stand side by side are one line break.
        Strategy::Exact if base.replace("\r\n", "").contains('\r') => |it| it.replace(['\r', '\n'], ""),
        Strategy::Exact => |it| it.replace("\r\n", "\n").replace('\r', "\n"),
        Strategy::LineTrimmed | Strategy::IndentationFlexible | Strategy::WhitespaceMapped => without_white_space,
        Strategy::WhitespaceNormalized | Strategy::Spacing => without_white_space,
        Strategy::Typography => |it| without_white_space(&folded(it)),
        _ => return,
    };
    let (old, new) = without_mark(base, edit);
    let (read, old, new) = (reading(base), reading(old), reading(new));
    let result = reading(plan.result.as_str());
    assert!(
        replaced_somewhere(&read, &old, &new, &result, applied.occurrences),
        "{:?} lost or made up text: {base:?} with {edit:?} became {:?}",
        applied.strategy,
        plan.result.as_str()
    );
}

/// Both texts of `edit` as they are looked at: a byte order mark takes no part.
pub(crate) fn without_mark<'a>(base: &str, edit: &'a FindReplace) -> (&'a str, &'a str) {
    let (old, new) = (edit.old_text.as_str(), edit.new_text.as_str());
    match old.strip_prefix('\u{feff}') {
        Some(rest) if base.starts_with('\u{feff}') => (rest, new.strip_prefix('\u{feff}').unwrap_or(new)),
        _ => (old, new),
    }
}

/// Whether `result` is `text` with `count` occurrences of `old` replaced with `new`.
fn replaced_somewhere(text: &str, old: &str, new: &str, result: &str, count: usize) -> bool {
    if count == 0 {
        return text == result;
    }
    if old.is_empty() {
        // Nothing is left of it in this reading; or it fills an empty document.
        return text.is_empty() || without_white_space(result).len() >= without_white_space(text).len();
    }
    let mut from = 0;
    while let Some(found) = text[from..].find(old) {
        let at = from + found;
        let head = &text[..at];
        let kept = result.strip_prefix(head).and_then(|it| it.strip_prefix(new));
        if kept.is_some_and(|rest| replaced_somewhere(&text[at + old.len()..], old, new, rest, count - 1)) {
            return true;
        }
        from = at + text[at..].chars().next().map_or(1, char::len_utf8);
    }
    false
}

fn without_white_space(text: &str) -> String {
    text.chars().filter(|it| !it.is_whitespace()).collect()
}

/// `text` with its typography made plain.
pub(crate) fn folded(text: &str) -> String {
    let plain = text.nfd().filter(|it| !matches!(it, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{ad}'));
    let plain = plain.map(|it| match it {
        '“' | '”' | '„' | '‟' | '«' | '»' => '"',
        '‘' | '’' | '‚' | '‛' => '\'',
        '‐'..='―' | '−' => '-',
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => ' ',
        other => other,
    });
    plain.collect::<String>().replace('…', "...")
}

/// Where exact text decides, a looser matching decides the same.
fn silences(sample: &Sample, exact: &Outcome, looser: Matching) {
    let options = Options { matching: looser, ..sample.options };
    let loose = planned(&Sample { documents: sample.documents.clone(), options });
    match (exact, loose) {
        (Ok(exact), loose) => assert_eq!(Ok(exact), loose.as_ref(), "{looser:?} decides otherwise than exact"),
        (Err(exact), loose) => {
            let first = exact.iter().take_while(|it| !matches!(it.kind, Kind::NotFound)).count();
            let Some(decided) = exact[..first].first() else { return };
            let found = loose.err().is_some_and(|all| all.iter().any(|it| same_place(it, decided)));
            assert!(found, "{looser:?} applies what exact refuses as {:?}", decided.kind);
        }
    }
}

fn same_place(one: &Conflict, other: &Conflict) -> bool {
    let overlaps = |it: &Conflict| matches!(it.kind, Kind::Overlap { .. });
    let same = one.kind == other.kind || overlaps(one) && overlaps(other);
    (one.document, one.edit) == (other.document, other.edit) && same
}
