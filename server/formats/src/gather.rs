//! The sections of a text put together: each document once, in one format.

use std::collections::HashMap;

use crate::batch::{Batch, Change, Document, Edit, EditKind, Format};
use crate::place::Problem;
use crate::reader::{Reader, Section};

/// The batch; or what is wrong, in the order of the text.
pub(crate) fn batch(reader: Reader<'_>) -> Result<Option<Batch>, Vec<Problem>> {
    let Reader { lines, sections, mut problems, params, .. } = reader;
    let line = |at: usize| lines.number_of(at) + 1;
    let Some((format, first)) = sections.first().map(|it| (it.format, it.place)) else {
        problems.sort_by_key(|it| it.place);
        return if problems.is_empty() { Ok(None) } else { Err(problems) };
    };
    let mut documents: Vec<Document> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for Section { format: other, name, change, place } in sections {
        if other != format {
            let message = format!(
                "{} cannot stand in one batch with {}, which starts on line {}",
                other.name(),
                format.name(),
                line(first.start)
            );
            problems.push(Problem::new(place, message));
            continue;
        }
        let number = *known.entry(name.clone()).or_insert(documents.len());
        let Some(document) = documents.get_mut(number) else {
            documents.push(Document { name, change, place });
            continue;
        };
        match (&mut document.change, change) {
            (Change::Edit(edits), Change::Edit(more)) if edits.iter().chain(&more).any(is_numbered) => {
                let message = "whether this call counts lines before or after the calls above is not certain: expected one call \
                               with a line number a file";
                problems.push(Problem::new(more.first().map_or(place, |it| it.place), message));
            }
            (Change::Edit(edits), Change::Edit(more)) if other != Format::Params => edits.extend(more),
            (before, _) => {
                let message = format!("{name} is {} on line {} already", done(before), line(document.place.start));
                problems.push(Problem::new(place, message));
            }
        }
    }
    problems.sort_by_key(|it| it.place);
    if problems.is_empty() { Ok(Some(Batch { format, documents, params })) } else { Err(problems) }
}

/// Whether a call names a line: what later calls of one answer count by, nobody can say.
fn is_numbered(edit: &Edit) -> bool {
    matches!(edit.kind, EditKind::Insert { .. })
}

fn done(change: &Change) -> &'static str {
    match change {
        Change::Edit(_) => "edited",
        Change::Create { .. } => "created",
        Change::Delete { .. } => "deleted",
        Change::Rename { .. } => "renamed",
    }
}
