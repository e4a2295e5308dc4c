//! Calls of editing tools, as the makers of agents document them and their agents write them.

use jsonc_parser::{CollectOptions, parse_to_ast};

use super::fields::{Context, Fields, Node};
use crate::batch::{Change, Edit, EditKind, Format, Hints, Over, Replace};
use crate::envelope;
use crate::reader::Reader;

const PATH: [&str; 3] = ["file_path", "path", "filePath"];
const OLD: [&str; 4] = ["old_string", "old_str", "oldText", "oldString"];
const NEW: [&str; 4] = ["new_string", "new_str", "newText", "newString"];
const ALL: [&str; 2] = ["replace_all", "replaceAll"];
/// What holds the arguments, where a call names its tool.
const ARGUMENTS: [&str; 3] = ["input", "arguments", "args"];
/// What holds a whole patch.
const PATCH: [&str; 3] = ["input", "patch", "patchText"];
/// Lists of calls in messages of models.
const CALLS: [&str; 2] = ["tool_calls", "content"];
/// Tools that write a file whole.
const WRITERS: [&str; 5] = ["Write", "write", "write_file", "write_to_file", "create_file"];

/// Takes `node` if it is a call that edits, or a list with such a call in it.
pub(super) fn read(context: &mut Context<'_, '_>, node: Node<'_, '_>) -> bool {
    if let Some(message) = node.fields()
        && let Some(calls) = CALLS.iter().find_map(|it| message.list(it))
    {
        // Beside its calls, a message says something.
        let is_call = |it: &Node<'_, '_>| {
            it.fields().is_some_and(|it| !matches!(it.string(&["type"]), Some("text" | "thinking")))
        };
        return all(context, calls.into_iter().filter(is_call).collect());
    }
    match node.elements() {
        Some(elements) => all(context, elements.collect()),
        None => all(context, vec![node]),
    }
}

/// Takes the calls if one of them edits: then all of them have to.
fn all(context: &mut Context<'_, '_>, nodes: Vec<Node<'_, '_>>) -> bool {
    let edits = nodes.iter().any(|it| Call::of(*it).is_some_and(|it| it.edits()));
    if edits {
        for node in nodes {
            match Call::of(node).filter(|it| it.is_meant_to_edit()) {
                Some(call) => call.read(context),
                None => context.wrong(node, "expected a call that edits: nothing else can be part of a batch"),
            }
        }
    }
    edits
}

/// A call: the tool, where it is named, and the arguments.
#[derive(Clone, Copy)]
struct Call<'v, 'j> {
    tool: Option<&'v str>,
    arguments: Node<'v, 'j>,
}

impl<'v, 'j> Call<'v, 'j> {
    /// The call in `node`: bare arguments, or with the name of its tool, however deep the wire packs that.
    fn of(node: Node<'v, 'j>) -> Option<Self> {
        let mut fields = node.fields()?;
        for _ in 0..2 {
            let Some((_, inner)) = fields.get(&["function", "params"]) else { break };
            fields = inner.fields()?;
        }
        let tool = fields.string(&["name"]);
        match fields.get(&ARGUMENTS).filter(|_| tool.is_some()) {
            Some((_, arguments)) => Some(Self { tool, arguments }),
            None => Some(Self { tool: None, arguments: fields.node }),
        }
    }

    /// Whether it does what only an edit does.
    fn edits(self) -> bool {
        if let Some(json) = self.arguments.text() {
            return is_patch(json) || super::may_hold(json);
        }
        let Some(fields) = self.arguments.fields() else { return false };
        let pairs =
            fields.list("edits").is_some_and(|it| it.iter().any(|it| it.fields().is_some_and(|it| it.has(&OLD))));
        let command = fields.string(&["command"]).is_some_and(|it| matches!(it, "str_replace" | "insert" | "create"));
        let writes = self.writes() && fields.has(&["content"]);
        let patches = PATCH.iter().any(|it| fields.string(&[it]).is_some_and(is_patch));
        patches
            || (fields.has(&PATH) && (fields.string(&OLD).is_some() || pairs || command || writes || inserts(fields)))
    }

    /// Whether it is an edit, if perhaps not a right one.
    fn is_meant_to_edit(self) -> bool {
        let Some(fields) = self.arguments.fields() else { return self.edits() };
        let telling = [&OLD[..], &NEW[..], &["edits", "insert_line", "file_text"]];
        self.edits() || self.writes() || telling.iter().any(|it| fields.has(it))
    }

    fn writes(self) -> bool {
        self.tool.is_some_and(|it| WRITERS.contains(&it))
    }

    fn read(self, context: &mut Context<'_, '_>) {
        let Some(text) = self.arguments.text() else { return self.arguments(context, self.arguments) };
        let place = context.place(self.arguments);
        if is_patch(text) {
            return patch(context, self.arguments, text);
        }
        // Arguments as a string that is JSON itself.
        match parse_to_ast(text, &CollectOptions::default(), &super::strict()) {
            Ok(parsed) => {
                let Some(value) = &parsed.value else { return context.wrong(self.arguments, "expected the arguments") };
                let mut inner = Context { reader: &mut *context.reader, base: 0, fixed: Some(place) };
                self.arguments(&mut inner, Node::of(value));
            }
            Err(error) => context.wrong(self.arguments, format!("the arguments are not JSON: {}", error.kind())),
        }
    }

    fn arguments(self, context: &mut Context<'_, '_>, node: Node<'_, '_>) {
        let Some(fields) = node.fields() else { return context.wrong(node, "expected an object with the arguments") };
        if !context.are_unique(fields) {
            return;
        }
        if let Some((_, patched)) = fields.get(&PATCH)
            && let Some(text) = patched.text().filter(|it| is_patch(it))
        {
            return patch(context, patched, text);
        }
        let Some(path) = context.needed(fields, &PATH) else { return };
        if let Some(change) = self.change(context, fields) {
            let place = context.place(node);
            context.reader.found(Format::Calls, path.to_owned(), place, change);
        }
    }

    fn change(self, context: &mut Context<'_, '_>, fields: Fields<'_, '_>) -> Option<Change> {
        let command = context.text(fields, &["command"]);
        if command == Some("create") {
            let content = context.needed(fields, &["file_text"])?.to_owned();
            return Some(Change::Create { content, over: Over::Nothing });
        }
        if self.writes() {
            let content = context.needed(fields, &["content"])?.to_owned();
            return Some(Change::Create { content, over: Over::Anything });
        }
        if let Some(edits) = fields.list("edits") {
            return edits_of(context, fields, edits);
        }
        if command == Some("insert") || (command.is_none() && inserts(fields)) {
            if !fields.has(&["insert_line"]) {
                context.wrong(fields.node, "expected `insert_line`");
            }
            let from = context.number(fields, &["insert_line"])?;
            let new_text = context.needed(fields, &["insert_text", "new_str"])?.to_owned();
            let place = context.place(fields.node);
            return Some(Change::Edit(vec![Edit { kind: EditKind::Insert { from, new_text }, place }]));
        }
        if !matches!(command, None | Some("str_replace")) {
            context.wrong(fields.node, "command: expected `str_replace`, `insert` or `create`: others edit nothing");
            return None;
        }
        let replace = replace(context, fields)?;
        if replace.old_text.is_empty() {
            return Some(Change::Create { content: replace.new_text, over: Over::Empty });
        }
        let place = context.place(fields.node);
        Some(Change::Edit(vec![Edit { kind: EditKind::Replace(replace), place }]))
    }
}

fn inserts(fields: Fields<'_, '_>) -> bool {
    fields.has(&["insert_line"]) && fields.has(&["insert_text", "new_str"])
}

fn edits_of(context: &mut Context<'_, '_>, fields: Fields<'_, '_>, nodes: Vec<Node<'_, '_>>) -> Option<Change> {
    if nodes.is_empty() {
        context.wrong(fields.node, "edits: expected at least one");
        return None;
    }
    let (count, before) = (nodes.len(), context.reader.problems.len());
    let mut edits = Vec::new();
    for node in nodes {
        let Some(inner) = node.fields() else {
            context.wrong(node, "expected an object");
            continue;
        };
        if !context.are_unique(inner) {
            continue;
        }
        let Some(replace) = replace(context, inner) else { continue };
        if replace.old_text.is_empty() && count == 1 {
            return Some(Change::Create { content: replace.new_text, over: Over::Empty });
        }
        if replace.old_text.is_empty() {
            context.wrong(node, "an edit that seeks nothing fills an empty file: expected it to stand alone");
        }
        edits.push(Edit { kind: EditKind::Replace(replace), place: context.place(node) });
    }
    (context.reader.problems.len() == before).then_some(Change::Edit(edits))
}

fn replace(context: &mut Context<'_, '_>, fields: Fields<'_, '_>) -> Option<Replace> {
    let before = context.reader.problems.len();
    let old_text = context.needed(fields, &OLD)?.to_owned();
    // The command `str_replace` deletes where it is told nothing to put there.
    let new_text = match fields.has(&["old_str"]) && !fields.has(&NEW) {
        true => String::new(),
        false => context.needed(fields, &NEW)?.to_owned(),
    };
    let expected = context.number(fields, &["expected_replacements"]);
    let replace_all = context.flag(fields, &ALL).unwrap_or(false) || expected.is_some_and(|it| it > 1);
    let replace = Replace { old_text, new_text, replace_all, expected_occurrences: expected, hints: Hints::default() };
    (context.reader.problems.len() == before).then_some(replace)
}

fn is_patch(text: &str) -> bool {
    text.contains("*** Begin Patch")
}

/// A patch in a string: everything in it stands where the string does.
fn patch(context: &mut Context<'_, '_>, node: Node<'_, '_>, text: &str) {
    let place = context.place(node);
    let mut inner = Reader::of(text);
    while inner.lines.at < inner.lines.count() {
        if !envelope::read(&mut inner) {
            inner.lines.pass();
        }
    }
    if inner.sections.is_empty() && inner.problems.is_empty() {
        context.wrong(node, "expected a line `*** Begin Patch`");
    }
    for problem in inner.problems {
        let line = inner.lines.number_of(problem.place.start) + 1;
        context.reader.wrong(place, format!("line {line} of the patch: {}", problem.message));
    }
    for section in inner.sections {
        let at = |edits: Vec<Edit>| edits.into_iter().map(|it| Edit { place, ..it }).collect();
        let change = match section.change {
            Change::Edit(edits) => Change::Edit(at(edits)),
            Change::Rename { to, edits } => Change::Rename { to, edits: at(edits) },
            change => change,
        };
        context.reader.found(Format::Envelope, section.name, place, change);
    }
}
