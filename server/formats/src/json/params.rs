//! `AgentEditParams`, whose every field the server reads again: here it is about what stands where.

use serde_json::Value;

use super::fields::{Context, Fields, Node};
use crate::batch::{Change, Edit, EditKind, Format, Hints, Over, Replace};

/// Takes `node` if it is `AgentEditParams`.
pub(super) fn read(context: &mut Context<'_, '_>, node: Node<'_, '_>, value: Value) -> bool {
    let Some((fields, documents)) = node.fields().and_then(|it| Some((it, it.list("documents")?))) else {
        return false;
    };
    let is_entry =
        |it: Node<'_, '_>| it.fields().is_some_and(|it| it.has(&["textDocument", "create", "delete", "rename"]));
    if !documents.iter().any(|it| is_entry(*it)) {
        return false;
    }
    if context.reader.params.is_some() {
        context.wrong(node, "expected one batch in the text: an agent's parameters stand here a second time");
        return true;
    }
    context.are_unique(fields);
    context.reader.params = Some(value);
    for node in documents {
        entry(context, node);
    }
    true
}

fn entry(context: &mut Context<'_, '_>, node: Node<'_, '_>) {
    let Some(fields) = node.fields() else { return context.wrong(node, "expected an object") };
    if !context.are_unique(fields) {
        return;
    }
    let kinds = ["textDocument", "create", "delete", "rename"];
    let Some((kind, inner)) = fields.get(&kinds) else {
        return context.wrong(node, "expected `textDocument` and `edits`, or `create`, `delete` or `rename`");
    };
    if kinds.iter().filter(|it| fields.has(&[it])).count() > 1 {
        return context.wrong(node, format!("{kind}: stands alone in its entry"));
    }
    let Some(inner) = inner.fields() else { return context.wrong(inner, format!("{kind}: expected an object")) };
    if !context.are_unique(inner) {
        return;
    }
    let read = match kind {
        "textDocument" => context.needed(inner, &["uri"]).zip(edits(context, fields).map(Change::Edit)),
        "create" => {
            let over = if context.flag(inner, &["overwrite"]) == Some(true) { Over::Anything } else { Over::Nothing };
            let content = context.needed(inner, &["content"]).map(str::to_owned);
            context.needed(inner, &["uri"]).zip(content.map(|content| Change::Create { content, over }))
        }
        "delete" => context.needed(inner, &["uri"]).map(|it| (it, Change::Delete { expected: None })),
        _ => {
            let to = context.needed(inner, &["newUri"]).map(str::to_owned);
            context.needed(inner, &["oldUri"]).zip(to.map(|to| Change::Rename { to, edits: vec![] }))
        }
    };
    if let Some((name, change)) = read {
        let place = context.place(node);
        context.reader.found(Format::Params, name.to_owned(), place, change);
    }
}

fn edits(context: &mut Context<'_, '_>, fields: Fields<'_, '_>) -> Option<Vec<Edit>> {
    let Some(nodes) = fields.list("edits").filter(|it| !it.is_empty()) else {
        context.wrong(fields.node, "edits: expected a list of at least one edit");
        return None;
    };
    let before = context.reader.problems.len();
    let edits = nodes.into_iter().filter_map(|it| edit(context, it)).collect();
    (context.reader.problems.len() == before).then_some(edits)
}

fn edit(context: &mut Context<'_, '_>, node: Node<'_, '_>) -> Option<Edit> {
    let Some(fields) = node.fields() else {
        context.wrong(node, "expected an object");
        return None;
    };
    if !context.are_unique(fields) {
        return None;
    }
    let new_text = context.needed(fields, &["newText"])?.to_owned();
    let kind = match (fields.has(&["oldText"]), fields.has(&["from"])) {
        (true, false) => EditKind::Replace(Replace {
            old_text: context.text(fields, &["oldText"])?.to_owned(),
            new_text,
            replace_all: context.flag(fields, &["replaceAll"]).unwrap_or(false),
            expected_occurrences: context.number(fields, &["expectedOccurrences"]),
            hints: Hints { at_line: context.number(fields, &["atLine"]), ..Hints::default() },
        }),
        (false, true) => {
            let from = context.number(fields, &["from"])?;
            match context.number(fields, &["to"]) {
                Some(to) => {
                    let expected_text = context.text(fields, &["expectedText"]).map(str::to_owned);
                    EditKind::Lines { from, to, new_text, expected_text }
                }
                None => EditKind::Insert { from, new_text },
            }
        }
        _ => {
            context.wrong(node, "expected `oldText`, or `from`");
            return None;
        }
    };
    Some(Edit { kind, place: context.place(node) })
}
