//! Line edits beside a naive reading: a document is a list of lines, and so is every new text.

use agent_edit_engine::{Document, Edit, Line, LineInsert, LineReplace, Options, Text, plan};

use crate::choices::{Choices, bytes};
use crate::naive::{breaks, lines, same_breaks};
use crate::samples::document;

#[test]
fn line_edits_do_what_they_do_to_a_list_of_lines() {
    for case in 0..6_000 {
        let bytes = bytes(7, case, 160);
        let mut choices = Choices::new(&bytes);
        let text = document(&mut choices);
        let lone = text.replace("\r\n", "");
        if lone.contains('\r') && (lone.contains('\n') || lone.len() < text.len()) {
            // Taking out what stands between a lone `\r` and a `\n` makes one line break of the two.
            continue;
        }
        let count = lines(body(&text)).len();
        let edits: Vec<Edit> = (0..=choices.below(3)).map(|_| edit(&mut choices, count)).collect();
        let result = planned(&text, &edits);
        let wanted = naive(&text, &edits);
        assert_eq!(result.is_some(), wanted.is_some(), "case {case}: {text:?} {edits:?} {result:?}");
        let (Some(result), Some(mut wanted)) = (result, wanted) else { continue };
        let is_open = |text: &str| !same_breaks(text).ends_with('\n');
        // A last line that is empty and not ended cannot be told from an ended one in front of it.
        let told = !(count > 0 && is_open(&text) && wanted.last().is_some_and(String::is_empty));
        if !told {
            wanted.pop();
        }
        let found: Vec<String> = lines(body(&result)).iter().map(|it| it.content.to_owned()).collect();
        assert_eq!(found, wanted, "case {case}: {text:?} {edits:?} {result:?}");
        if told && count > 0 && !wanted.is_empty() {
            assert_eq!(is_open(&result), is_open(&text), "case {case}: {text:?} {edits:?} {result:?}");
        }
        let kept =
            breaks(&text) > 0 && ["\n", "\r\n"].iter().any(|it| text.replace(it, "").find(['\n', '\r']).is_none());
        if kept && text.contains("\r\n") {
            assert_eq!(breaks(&result), result.matches("\r\n").count(), "case {case}: {text:?} {edits:?} {result:?}");
        }
    }
}

fn edit(choices: &mut Choices<'_>, count: usize) -> Edit {
    let from = choices.below(count + 2);
    let new_text = choices.pick(&["", "x", "x\n", "x\ny", "\n", "x\r\n\r\ny\r\n", "\nx"]).to_owned();
    if choices.once_in(2) {
        return Edit::LineInsert(LineInsert { from: Line(from), new_text });
    }
    let to = Line(from + choices.below(2));
    Edit::LineReplace(LineReplace { from: Line(from), to, new_text, expected_text: None })
}

fn body(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

fn planned(text: &str, edits: &[Edit]) -> Option<String> {
    let base = Text::new(text);
    let plans = plan(&[Document { name: "d", text: &base, edits }], &Options::default()).ok()?;
    assert_eq!(plans[0].edits.apply(text), plans[0].result.as_str());
    Some(plans[0].result.as_str().to_owned())
}

/// The lines afterwards; nothing where an edit names lines that are not there, or two edits overlap.
fn naive(text: &str, edits: &[Edit]) -> Option<Vec<String>> {
    let base = lines(body(text));
    // What is put in front of each line and behind the last, and which lines go.
    let mut put: Vec<Option<&str>> = vec![None; base.len() + 1];
    let mut replaced: Vec<Option<&str>> = vec![None; base.len()];
    let mut gone = vec![false; base.len()];
    let mut inside = vec![false; base.len() + 1];
    for edit in edits {
        match edit {
            Edit::FindReplace(_) => return None,
            Edit::LineInsert(it) => {
                let slot = put.get_mut(it.from.0)?;
                if slot.replace(&it.new_text).is_some() || inside[it.from.0] {
                    return None;
                }
            }
            Edit::LineReplace(it) => {
                for line in it.from.0..=it.to.0 {
                    if std::mem::replace(gone.get_mut(line)?, true) {
                        return None;
                    }
                    if line > it.from.0 {
                        inside[line] = true;
                        if put[line].is_some() {
                            return None;
                        }
                    }
                }
                replaced[it.from.0] = Some(&it.new_text);
            }
        }
    }
    let mut wanted: Vec<String> = Vec::new();
    let mut add = |text: &str| wanted.extend(lines(text).iter().map(|it| it.content.to_owned()));
    for (at, slot) in put.iter().enumerate() {
        add(slot.unwrap_or_default());
        if let Some(line) = base.get(at) {
            match gone[at] {
                true => add(replaced[at].unwrap_or_default()),
                false => add(&format!("{}\n", line.content)),
            }
        }
    }
    Some(wanted)
}
