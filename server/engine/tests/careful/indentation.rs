//! Indentation carried over, known by depth: a block of a tree of lines, quoted with another unit and shifted, changed by
//! its author, must come out with the document's unit and the depths meant. Wrong depth is wrong code.

use agent_edit_engine::{Document, Edit, FindReplace, Matching, Options, Strategy, Text, plan};

use crate::choices::{Choices, bytes};

/// A line of code: how deep it stands, and what it says.
type Node = (usize, String);

#[test]
fn every_line_lands_as_deep_as_it_was_meant() {
    let (mut applied, mut refused) = (0, 0);
    let cases = std::env::var("TWIN_CASES").ok().and_then(|it| it.parse().ok()).unwrap_or(6_000);
    for case in 0..cases {
        let bytes = bytes(13, case, 120);
        match outcome(&mut Choices::new(&bytes)) {
            Ok(true) => applied += 1,
            Ok(false) => refused += 1,
            Err(why) => panic!("case {case}: {why}"),
        }
    }
    println!("{applied} applied, {refused} refused");
    assert!(applied > refused * 4, "{applied} applied, {refused} refused");
}

/// Whether the edit was applied; or what came of it instead of what should have.
fn outcome(choices: &mut Choices<'_>) -> Result<bool, String> {
    let tree = tree(choices);
    let (unit, quoted) = (choices.pick(UNITS), choices.pick(UNITS));
    let from = choices.below(tree.len());
    let to = (from + 2 + choices.below(5)).min(tree.len());
    let block = &tree[from..to];
    let top = block.iter().map(|it| it.0).min().unwrap_or(0);
    let shift = choices.below(3);
    let shifted = |nodes: &[Node]| {
        written(&nodes.iter().map(|it| (it.0 - top + shift, it.1.clone())).collect::<Vec<_>>(), quoted)
    };
    let new = changed(choices, block, top);
    let wanted = [&tree[..from], &new, &tree[to..]].concat();
    let (text, result) = (written(&tree, unit), written(&wanted, unit));
    let edit = FindReplace { old_text: shifted(block), new_text: shifted(&new), ..FindReplace::default() };
    let base = Text::new(&text);
    let edits = [Edit::FindReplace(edit.clone())];
    let options = Options { matching: Matching::Lenient, ..Options::default() };
    match plan(&[Document { name: "d", text: &base, edits: &edits }], &options) {
        Ok(plans) if as_deep(plans[0].result.as_str(), &result, from + new.len()) => Ok(true),
        // Exact text goes in as it is given, even where it starts in the middle of an indentation; and where all of the old
        // text is shifted alike, nothing is known of another unit.
        Ok(plans) if plans[0].applied[0].strategy == Strategy::Exact => Ok(true),
        Ok(plans) if plans[0].applied[0].strategy == Strategy::IndentationFlexible && unit != quoted => Ok(true),
        Ok(plans) => Err(format!(
            "{:?}\n{text}--- old\n{}--- new\n{}--- is\n{}--- wanted\n{result}",
            plans[0].applied[0].strategy,
            edit.old_text,
            edit.new_text,
            plans[0].result.as_str()
        )),
        Err(_) => Ok(false),
    }
}

/// Whether both texts nest alike down to line `end`, and are the same behind it. How many columns a level takes that only
/// the author has is the author's.
fn as_deep(is: &str, wanted: &str, end: usize) -> bool {
    let split = |text: &str| -> (Option<Vec<Node>>, Vec<String>) {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let (front, behind) = lines.split_at(end.min(lines.len()));
        (nested(&front.join("\n")), behind.to_vec())
    };
    split(is) == split(wanted)
}

/// The depths of the lines of `text` as a language reads them that nests by indentation, tabs wide or narrow. Nothing where
/// a line comes back to a depth that there was not.
fn nested(text: &str) -> Option<Vec<Node>> {
    let read = |tab: usize| -> Option<Vec<Node>> {
        let mut open: Vec<usize> = Vec::new();
        let node = |line: &str| {
            let words = line.trim_start();
            let indent = &line[..line.len() - words.len()];
            let width = indent.chars().map(|it| if it == '\t' { tab } else { 1 }).sum();
            let deeper = open.last().is_none_or(|it| *it < width);
            open.retain(|it| *it <= width);
            if deeper {
                open.push(width);
            }
            (open.last() == Some(&width)).then(|| (open.len() - 1, words.to_owned()))
        };
        text.lines().map(node).collect()
    };
    read(1).filter(|it| read(8).as_ref() == Some(it))
}

const UNITS: &[&str] = &["  ", "    ", "\t", "   "];

/// A tree of lines, each with its own words, no line deeper than one below the one above it.
fn tree(choices: &mut Choices<'_>) -> Vec<Node> {
    let mut depth: usize = 0;
    let line = |at: usize| {
        depth = choices.below(depth + 2).max(choices.below(depth + 2)).max(usize::from(at == 0));
        (depth, format!("line {at}"))
    };
    // The first line stands at no depth, and none skips one: so depths can be read from indentation alone.
    [(0, "line".to_owned())].into_iter().chain((0..12).map(line)).collect()
}

/// Lines taken out, put in and written otherwise, none shallower than the block.
fn changed(choices: &mut Choices<'_>, block: &[Node], top: usize) -> Vec<Node> {
    let mut new = block.to_vec();
    for change in 0..=choices.below(3) {
        let at = choices.below(new.len() + 1);
        match choices.below(4) {
            0 if at < new.len() && new.len() > 1 => {
                new.remove(at);
            }
            1 if at < new.len() => new[at].1 += " changed",
            2 if at < new.len() => {
                // Wrapped in a block: what stands below goes one deeper.
                let depth = new[at].0;
                new[at].0 += 1;
                new.insert(at, (depth, format!("wrapped {change}")));
            }
            _ => {
                let most = at.checked_sub(1).map_or(top, |it| new[it].0 + 1);
                let depth = top + choices.below(most - top + 1);
                new.insert(at, (depth, format!("new {change}")));
            }
        }
    }
    new
}

fn written(nodes: &[Node], unit: &str) -> String {
    nodes.iter().map(|(depth, words)| format!("{}{words}\n", unit.repeat(*depth))).collect()
}
