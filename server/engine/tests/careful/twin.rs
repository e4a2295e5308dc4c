//! The engine beside the naive reading: the same tier, the same places, the same text.

use agent_edit_engine::{
    Anchoring, Document, DocumentPlan, Edit, FindReplace, Kind, LineEndings, Matching, Options, Text, plan,
};

use crate::choices::Choices;
#[cfg(test)]
use crate::choices::bytes;
use crate::naive::{Becomes, Line, LineLike, Place, Wanted, breaks, lines, same_breaks, tiers, words};
use crate::properties::without_mark;
use crate::samples::{document, find_replace};

const BOM: char = '\u{feff}';

#[test]
fn every_tier_finds_what_a_naive_reading_finds() {
    let number = |name: &str| std::env::var(name).ok().and_then(|it| it.parse::<u64>().ok());
    let (seed, cases) = (number("TWIN_SEED").unwrap_or(20_260_111), number("TWIN_CASES").unwrap_or(25_000));
    println!("TWIN_SEED={seed} TWIN_CASES={cases}");
    let mut wrong = Vec::new();
    let mut tally = std::collections::BTreeMap::new();
    for case in 0..cases {
        let sample = TwinSample::of(&bytes(seed, case, 160));
        let judged = std::panic::catch_unwind(|| sample.judge());
        match judged.unwrap_or_else(|_| Err("a panic".into())) {
            Ok(judged) => *tally.entry(judged).or_insert(0u64) += 1,
            Err(why) => wrong.push(format!("case {case}: {why}\n  {sample:?}")),
        }
        if wrong.len() == 5 {
            break;
        }
    }
    for (judged, count) in tally {
        println!("{count:9} {judged}");
    }
    assert!(wrong.is_empty(), "seed {seed}:\n{}", wrong.join("\n"));
}

/// One edit of one document.
#[derive(Debug)]
pub(crate) struct TwinSample {
    text: String,
    edit: FindReplace,
    matching: Matching,
}

impl TwinSample {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let mut choices = Choices::new(bytes);
        let text = document(&mut choices);
        let mut edit = find_replace(&mut choices, &text);
        (edit.expected_occurrences, edit.at_line) = (None, None);
        Self { text, edit, matching: choices.pick(&[Matching::Lenient, Matching::Tolerant]) }
    }

    /// What the engine does with it, by its tier; or how that departs from the naive reading.
    pub(crate) fn judge(&self) -> Result<String, String> {
        judge(&self.text, &self.edit, self.matching)
    }
}

/// What the engine does with `edit`, by its tier; or how that departs from the naive reading.
fn judge(text: &str, edit: &FindReplace, matching: Matching) -> Result<String, String> {
    let body = text.strip_prefix(BOM).unwrap_or(text);
    let (old, new) = without_mark(text, edit);
    let outcome = planned(text, edit, matching);
    if old.is_empty() {
        return Ok("empty".into());
    }
    if text.len() > body.len() && old.contains(BOM) {
        // Whether the mark in the middle of the old text is that of the document is left open.
        return Ok("a byte order mark".into());
    }
    let wanted = Wanted { old, new, matching };
    for (strategy, _, look) in tiers(matching) {
        let places = look(body, wanted);
        let fits = |it: &&Place| !matches!(it.becomes, Becomes::Nothing);
        let certain = places.iter().filter(|it| it.certain).filter(fits).count();
        let decided = match &outcome {
            Ok(plan) => plan.applied[0].strategy,
            Err(Kind::Ambiguous { strategy, .. }) => *strategy,
            Err(_) if certain == 0 => continue,
            Err(kind) => return Err(format!("{strategy:?} finds {places:?}, the engine says {kind:?}")),
        };
        if decided != *strategy {
            if certain > 0 && places.iter().filter(fits).count() > 0 {
                return Err(format!("{strategy:?} finds {places:?}, the engine takes {decided:?}"));
            }
            continue;
        }
        return same(text, body, edit, &places, outcome.as_ref()).map(|how| format!("{strategy:?} {how}"));
    }
    match outcome {
        Ok(plan) => {
            let strategy = plan.applied[0].strategy;
            Err(format!("the engine applies by {strategy:?} what nothing finds: {:?}", plan.result.as_str()))
        }
        Err(kind) => Ok(format!("refused {}", kind.name())),
    }
}

fn planned(text: &str, edit: &FindReplace, matching: Matching) -> Result<DocumentPlan, Kind> {
    let text = Text::new(text);
    let edits = [Edit::FindReplace(edit.clone())];
    let options = Options {
        matching,
        anchoring: Anchoring::Sequential,
        line_endings: LineEndings::Document,
        allow_placeholders: true,
        ..Options::default()
    };
    let planned = plan(&[Document { name: "d", text: &text, edits: &edits }], &options);
    planned.map(|mut it| it.remove(0)).map_err(|mut it| it.remove(0).kind)
}

/// The leftmost places that do not overlap, left to right.
fn disjoint(places: &[Place]) -> Vec<&Place> {
    let mut end = 0;
    let mut taken = Vec::new();
    for place in places {
        if place.span.start >= end {
            end = place.span.end;
            taken.push(place);
        }
    }
    taken
}

/// Whether the engine did with `places` what is to be done.
fn same(
    text: &str,
    body: &str,
    edit: &FindReplace,
    places: &[Place],
    outcome: Result<&DocumentPlan, &Kind>,
) -> Result<&'static str, String> {
    let skipped = text.len() - body.len();
    let certain = places.iter().filter(|it| it.certain).count();
    let unsure = certain < places.len();
    match outcome {
        Err(Kind::Ambiguous { count, places: told, .. }) => {
            let open = places.iter().any(|it| matches!(it.becomes, Becomes::Open));
            if edit.replace_all || *count < certain || !open && *count > places.len() {
                return Err(format!("{count} places, not {places:?}"));
            }
            let starts = |it: usize| places.iter().any(|place| place.span.start + skipped == it);
            if let Some(other) = told.iter().find(|it| !open && !starts(it.base.start.0)) {
                return Err(format!("a place at {other:?}, not among {places:?}"));
            }
            Ok(if unsure { "ambiguous, unsure" } else { "ambiguous" })
        }
        Ok(plan) => {
            let chosen = if edit.replace_all { disjoint(places) } else { places.iter().collect() };
            if unsure && (chosen.len() != 1 || plan.applied[0].occurrences != 1) {
                return Ok("applied, unsure");
            }
            if chosen.iter().any(|it| matches!(it.becomes, Becomes::Open)) {
                return Ok("applied, open");
            }
            if edit.old_text == edit.new_text {
                return if plan.result.as_str() == text {
                    Ok("nothing to do")
                } else {
                    Err("changed by a no-op".into())
                };
            }
            if plan.applied[0].occurrences != chosen.len() || !edit.replace_all && chosen.len() != 1 {
                return Err(format!("applied to {} places of {places:?}", plan.applied[0].occurrences));
            }
            let chosen = match &chosen[0].becomes {
                Becomes::Pieces(pieces) => pieces.iter().collect(),
                _ => chosen,
            };
            if chosen.iter().any(|it| matches!(it.becomes, Becomes::Open)) {
                return Ok("applied, open");
            }
            let result = &plan.result.as_str()[skipped..];
            becomes(body, &chosen, result)?;
            Ok("applied")
        }
        Err(kind) => Err(format!("{kind:?} of {places:?}")),
    }
}

/// Whether `result` is `body` with every chosen place become what it is to become.
fn becomes(body: &str, chosen: &[&Place], result: &str) -> Result<(), String> {
    let mut rest = result;
    let mut done = 0;
    for (index, place) in chosen.iter().enumerate() {
        let head = &body[done..place.span.start];
        rest = rest.strip_prefix(head).ok_or_else(|| format!("text in front of {place:?} changed: {result:?}"))?;
        let behind = &body[place.span.end..];
        let here = match (index + 1 == chosen.len(), &place.becomes) {
            (true, _) => {
                rest.strip_suffix(behind).ok_or_else(|| format!("text behind {place:?} changed: {result:?}"))?
            }
            // Several places are only followed where what is put there is known.
            (false, Becomes::Exactly(put)) => {
                let end = rest.char_indices().map(|it| it.0).chain([rest.len()]).find(|&it| {
                    same_breaks(&rest[..it]) == *put && !(rest[..it].ends_with('\r') && rest[it..].starts_with('\n'))
                });
                &rest[..end.ok_or_else(|| format!("not {put:?} in {result:?}"))?]
            }
            (false, _) => return Ok(()),
        };
        like(here, place)?;
        endings(body, place, here)?;
        rest = &rest[here.len()..];
        done = place.span.end;
    }
    Ok(())
}

fn like(here: &str, place: &Place) -> Result<(), String> {
    match &place.becomes {
        Becomes::Exactly(put) if *put == same_breaks(here) => Ok(()),
        Becomes::Lines(wanted) => {
            let written = lines(here);
            let filled: Vec<_> = written.iter().filter(|it| !it.is_blank()).collect();
            let fits = |(line, wanted): (&&Line<'_>, &LineLike)| match wanted {
                LineLike::Bytes(bytes) => line.content == bytes,
                LineLike::Words { indent, words: wanted } => {
                    let found: Vec<&str> = words(line.content).into_iter().map(|it| it.1).collect();
                    found == *wanted && indent.as_ref().is_none_or(|it| line.indent() == it)
                }
            };
            if filled.len() == wanted.len() && filled.iter().zip(wanted).all(fits) {
                return Ok(());
            }
            Err(format!("became {here:?}, not {wanted:?}"))
        }
        other => Err(format!("became {here:?}, not {other:?}")),
    }
}

/// Whether the line breaks of what was put there are those of the place.
fn endings(body: &str, place: &Place, here: &str) -> Result<(), String> {
    let break_of = |text: &str, it: &Line<'_>| text[it.start + it.content.len()..it.end].to_owned();
    let of = |text: &str| -> Vec<String> {
        lines(text).iter().filter(|it| it.is_terminated()).map(|it| break_of(text, it)).collect()
    };
    if breaks(body) == 0 {
        return Ok(());
    }
    let mut near = of(&body[place.span.clone()]);
    if near.is_empty() {
        near.extend(of(&body[..place.span.start]).pop());
    }
    let behind = lines(body).into_iter().find(|it| it.end > place.span.end && it.is_terminated());
    near.extend(behind.map(|it| break_of(body, &it)));
    match of(here).into_iter().find(|it| !near.contains(it)) {
        Some(other) => Err(format!("a line ends in {other:?}, not as the place does: {here:?} at {place:?}")),
        None => Ok(()),
    }
}
