//! The entries of a batch: text edits in a document, or one file operation. No file is in two of them.

use tower_lsp::ls_types::Uri;

use super::{edit, is_sha256, misshapen};
use crate::batch::BatchDocument;
use crate::limits::Limits;
use crate::operations::{Named, Operation, What};
use crate::protocol::{CreateEntry, DeleteEntry, DocumentEntry, RenameEntry, TextualEdit};
use crate::refusal::Refusal;
use crate::uri_key::UriKey;

/// All of them, sorted by kind.
pub(super) fn documents(
    wire: Vec<DocumentEntry>,
    limits: &Limits,
) -> Result<(Vec<BatchDocument>, Vec<Operation>), Refusal> {
    if wire.is_empty() {
        return Err(Refusal::InvalidParams("documents: expected at least one".to_owned()));
    }
    within("documents", limits.documents, wire.len())?;
    within("edits", limits.edits, wire.iter().map(|it| it.edits.as_ref().map_or(1, Vec::len)).sum())?;
    within("editBytes", limits.edit_bytes, wire.iter().map(entry_bytes).sum())?;
    let (mut documents, mut operations): (Vec<BatchDocument>, Vec<Operation>) = (vec![], vec![]);
    let mut named: Vec<(usize, UriKey)> = vec![];
    for (number, entry) in wire.into_iter().enumerate() {
        match operation(number, &entry)? {
            Some(field) => {
                let operation = Operation { number, what: what(number, field, entry)? };
                for (field, key) in operation.fields().into_iter().zip(operation.keys()) {
                    let path = format!("documents[{number}].{field}");
                    once(&mut named, number, key, &path, "file", "; a batch has one entry for each")?;
                }
                operations.push(operation);
            }
            None => {
                let document = document(number, entry)?;
                let path = format!("documents[{number}].textDocument.uri");
                once(&mut named, number, &document.key, &path, "document", "")?;
                documents.push(document);
            }
        }
    }
    Ok((documents, operations))
}

/// The kind of operation that `entry` is; `None` for text edits.
fn operation(number: usize, entry: &DocumentEntry) -> Result<Option<&'static str>, Refusal> {
    let kinds =
        [("create", entry.create.is_some()), ("delete", entry.delete.is_some()), ("rename", entry.rename.is_some())];
    let mut kinds = kinds.into_iter().filter(|it| it.1).map(|it| it.0);
    let Some(kind) = kinds.next() else { return Ok(None) };
    let others = [
        ("textDocument", entry.text_document.is_some()),
        ("edits", entry.edits.is_some()),
        ("expectedBaseSha256", entry.expected_base_sha256.is_some()),
    ];
    match kinds.chain(others.into_iter().filter(|it| it.1).map(|it| it.0)).next() {
        Some(other) => Err(Refusal::InvalidParams(format!("documents[{number}]: {other} cannot stand beside {kind}"))),
        None => Ok(Some(kind)),
    }
}

fn what(number: usize, field: &str, entry: DocumentEntry) -> Result<What, Refusal> {
    let path = format!("documents[{number}].{field}");
    match (entry.create, entry.delete, entry.rename) {
        (Some(CreateEntry { uri, content, overwrite }), _, _) => Ok(What::Create {
            file: file(&path, "uri", &uri)?,
            content: content.into(),
            overwrite: overwrite.unwrap_or(false),
        }),
        (_, Some(DeleteEntry { uri, expected_base_sha256 }), _) => {
            Ok(What::Delete { file: file(&path, "uri", &uri)?, base_sha256: sha256(&path, expected_base_sha256)? })
        }
        (_, _, Some(RenameEntry { old_uri, new_uri, expected_base_sha256 })) => {
            let (old, new) = (file(&path, "oldUri", &old_uri)?, file(&path, "newUri", &new_uri)?);
            if old.key == new.key {
                return Err(Refusal::InvalidParams(format!("{path}.newUri: the same file as oldUri")));
            }
            Ok(What::Rename { old, new, base_sha256: sha256(&path, expected_base_sha256)? })
        }
        (None, None, None) => Err(Refusal::InvalidParams(format!("{path}: missing"))),
    }
}

fn file(path: &str, field: &str, uri: &str) -> Result<Named, Refusal> {
    let parsed = uri.parse::<Uri>();
    let parsed = parsed.map_err(|_| Refusal::InvalidParams(format!("{path}.{field}: expected a URI")))?;
    Ok(Named { uri: parsed, key: UriKey::of(uri) })
}

fn sha256(path: &str, text: Option<String>) -> Result<Option<String>, Refusal> {
    match text {
        Some(text) if !is_sha256(&text) => {
            Err(Refusal::InvalidParams(format!("{path}.expectedBaseSha256: expected 64 lower-case hex digits")))
        }
        text => Ok(text),
    }
}

/// Takes note of `key`, which is in no entry so far.
fn once(
    named: &mut Vec<(usize, UriKey)>,
    number: usize,
    key: &UriKey,
    path: &str,
    what: &str,
    why: &str,
) -> Result<(), Refusal> {
    if let Some((first, _)) = named.iter().find(|it| it.1 == *key) {
        return Err(Refusal::InvalidParams(format!("{path}: the same {what} as documents[{first}]{why}")));
    }
    named.push((number, key.clone()));
    Ok(())
}

fn within(limit: &'static str, value: usize, actual: usize) -> Result<(), Refusal> {
    match actual > value {
        true => Err(Refusal::LimitExceeded { what: "the batch".to_owned(), limit, value, actual }),
        false => Ok(()),
    }
}

fn entry_bytes(entry: &DocumentEntry) -> usize {
    let edits = entry.edits.iter().flatten().map(text_bytes).sum::<usize>();
    edits + entry.create.as_ref().map_or(0, |it| it.content.len())
}

fn text_bytes(edit: &TextualEdit) -> usize {
    let texts = [&edit.old_text, &edit.new_text, &edit.expected_text];
    texts.into_iter().flatten().map(String::len).sum()
}

fn document(number: usize, wire: DocumentEntry) -> Result<BatchDocument, Refusal> {
    let path = format!("documents[{number}]");
    let missing = |field: &str| Refusal::InvalidParams(format!("{path}.{field}: missing"));
    let identifier = wire.text_document.ok_or_else(|| missing("textDocument"))?;
    let edits = wire.edits.ok_or_else(|| missing("edits"))?;
    let uri = identifier.uri;
    if uri.parse::<Uri>().is_err() {
        return Err(Refusal::InvalidParams(format!("{path}.textDocument.uri: expected a URI")));
    }
    if edits.is_empty() {
        return Err(Refusal::InvalidParams(format!("{path}.edits: expected at least one")));
    }
    let edits = edits.into_iter().enumerate();
    let edits = edits.map(|(number, it)| edit(it).map_err(|(field, what)| misshapen(&path, number, field, &what)));
    Ok(BatchDocument {
        number,
        key: UriKey::of(&uri),
        uri,
        version: identifier.version,
        base_sha256: sha256(&path, wire.expected_base_sha256)?,
        edits: edits.collect::<Result<_, _>>()?,
    })
}
