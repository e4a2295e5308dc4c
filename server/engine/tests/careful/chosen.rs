//! Which matches an edit speaks of: `replaceAll`, `expectedOccurrences` and `atLine` beside a naive reading.

use agent_edit_engine::{Document, Edit, FindReplace, Kind, Line, Options, Text, plan};

use crate::choices::{Choices, bytes};
use crate::naive::breaks;

#[test]
fn the_matches_an_edit_speaks_of_are_those_of_a_naive_reading() {
    for case in 0..6_000 {
        let bytes = bytes(11, case, 60);
        let mut choices = Choices::new(&bytes);
        let mut word = |most: usize| -> String {
            (0..choices.below(most)).map(|_| choices.pick(&["a", "a", "b", "\n", "é"])).collect()
        };
        let (text, old_text, new_text) = (word(14), "a".to_owned() + &word(3), word(4));
        let edit = FindReplace {
            old_text,
            new_text,
            replace_all: choices.once_in(2),
            expected_occurrences: [None, None, Some(0), Some(1), Some(2), Some(3)][choices.below(6)],
            at_line: [None, None, Some(Line(0)), Some(Line(1)), Some(Line(2))][choices.below(5)],
        };
        assert_eq!(engine(&text, &edit), naive(&text, &edit), "case {case}: {text:?} {edit:?}");
    }
}

fn engine(text: &str, edit: &FindReplace) -> Result<String, (&'static str, usize)> {
    let base = Text::new(text);
    let edits = [Edit::FindReplace(edit.clone())];
    match plan(&[Document { name: "d", text: &base, edits: &edits }], &Options::default()) {
        Ok(plans) => Ok(plans[0].result.as_str().to_owned()),
        Err(conflicts) => Err((
            conflicts[0].kind.name(),
            match conflicts[0].kind {
                Kind::Ambiguous { count, .. } | Kind::CountMismatch { found: count, .. } => count,
                _ => 0,
            },
        )),
    }
}

fn naive(text: &str, edit: &FindReplace) -> Result<String, (&'static str, usize)> {
    let old = edit.old_text.as_str();
    let starts = text.char_indices().map(|it| it.0);
    let mut places: Vec<usize> = starts.filter(|&it| text[it..].starts_with(old)).collect();
    if edit.replace_all {
        let mut end = 0;
        places.retain(|&it| {
            it >= end && {
                end = it + old.len();
                true
            }
        });
    }
    if places.is_empty() {
        return Err(("not-found", 0));
    }
    if edit.expected_occurrences.is_some_and(|it| it != places.len()) {
        return Err(("count-mismatch", places.len()));
    }
    if !edit.replace_all && places.len() > 1 {
        let all = places.len();
        if old == edit.new_text {
            return Ok(text.to_owned());
        }
        places.retain(|&it| edit.at_line.is_some_and(|line| breaks(&text[..it]) == line.0));
        if places.len() != 1 {
            return Err(("ambiguous", all));
        }
    }
    let mut result = text.to_owned();
    for place in places.iter().rev() {
        result.replace_range(*place..place + old.len(), &edit.new_text);
    }
    Ok(result)
}
