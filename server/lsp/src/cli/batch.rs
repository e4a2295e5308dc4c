//! A batch as a file holds it: `AgentEditParams` whose URIs may also be paths, made ready for the server.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use serde_json::Value;

use super::problem::Problem;
use super::project_file::{ProjectFile, Root};

/// A batch, its documents named by URI, and the files they are.
#[derive(Debug)]
pub(crate) struct Batch {
    pub(crate) params: Value,
    /// Each file once, in the order of the batch.
    pub(crate) files: Vec<ProjectFile>,
}

/// The batch that `json` holds. What is wrong with its fields is left for the server to say.
pub(crate) fn parse(name: &str, json: &str, root: &Root) -> Result<Batch, Problem> {
    let mut params: Value =
        serde_json::from_str(json).map_err(|error| Problem::NotJson { name: name.to_owned(), error })?;
    if !params.is_object() {
        return Err(Problem::NotABatch { name: name.to_owned() });
    }
    let mut files: Vec<ProjectFile> = vec![];
    for document in params["documents"].as_array_mut().into_iter().flatten() {
        // A file that is there and gets a new content is edited.
        let overwrites = document.pointer("/create/overwrite") == Some(&Value::Bool(true));
        for (pointer, is_edited) in [("/textDocument/uri", true), ("/create/uri", overwrites)] {
            let Some(uri) = document.pointer_mut(pointer) else { continue };
            let Some(reference) = uri.as_str().filter(|it| is_edited && (!overwrites || root.holds(it))) else {
                continue;
            };
            let file = root.file(reference)?;
            *uri = Value::String(file.uri.as_str().to_owned());
            if !files.iter().any(|it| it.uri == file.uri) {
                files.push(file);
            }
        }
        for pointer in ["/create/uri", "/delete/uri", "/rename/oldUri", "/rename/newUri"] {
            let Some(uri) = document.pointer_mut(pointer) else { continue };
            let Some(reference) = uri.as_str() else { continue };
            *uri = Value::String(root.place(reference)?.as_str().to_owned());
        }
    }
    Ok(Batch { params, files })
}

/// The content of the batch file `path`; `-` is standard input.
pub(crate) fn read(path: &Path) -> Result<String, Problem> {
    let name = path.display().to_string();
    let bytes = if name == "-" {
        let mut bytes = vec![];
        io::stdin().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(path)
    };
    let bytes = bytes.map_err(|error| Problem::Unreadable { name: name.clone(), error })?;
    String::from_utf8(bytes).map_err(|error| Problem::NotUtf8 { name, offset: error.utf8_error().valid_up_to() })
}
