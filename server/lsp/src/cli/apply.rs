//! `agent-edit apply`: a batch for real files, through the embedded editor, written all or none.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};
use tower_lsp::jsonrpc::{Error, ErrorCode};
use tower_lsp::ls_types::TextEdit;

use super::problem::Problem;
use super::project_file::{ProjectFile, Root};
use super::terminal::{BAD, GOOD, print, print_error, styled, visible, visible_lines};
use super::{Ended, batch, conflicts, diff, saving};
use crate::embedded_editor::{EmbeddedEditor, Fault};

#[derive(Args)]
#[command(after_help = include_str!("apply_help.txt"))]
pub(super) struct Arguments {
    /// The batch, a JSON file; `-` reads standard input
    #[arg(value_name = "BATCH.json")]
    batch: PathBuf,

    /// The folder that relative paths start from; nothing outside is read or written
    #[arg(long, value_name = "DIR", default_value = ".")]
    root: PathBuf,

    /// Plan and show, write nothing
    #[arg(long)]
    preview: bool,

    /// Print the server's result or error as JSON, nothing else
    #[arg(long)]
    json: bool,
}

/// Applies the batch and says what became of it.
pub(super) fn run(arguments: &Arguments) -> Result<Ended, Problem> {
    let root = Root::open(&arguments.root)?;
    let json = batch::read(&arguments.batch)?;
    let mut batch = batch::parse(&arguments.batch.display().to_string(), &json, &root)?;
    if arguments.preview {
        batch.params["mode"] = json!("preview");
    }
    let mut editor = EmbeddedEditor::start(&root.uri)?;
    for file in &batch.files {
        editor.open(file.uri.clone(), &file.text);
    }
    let answer = match editor.agent_edit(batch.params)? {
        Ok(result) => save(&editor, &batch.files)?.map(|()| result),
        Err(error) => Err(error),
    };
    let ended = answer.as_ref().map_or_else(ending, |_| Ended::Done);
    match (answer, arguments.json) {
        (Ok(result), true) => print(&pretty(&result))?,
        (Err(error), true) => print(&pretty(&json!(error)))?,
        (Ok(result), false) => show_result(&editor, &batch.files, &result)?,
        (Err(error), false) => show_error(&editor, &batch.files, &error),
    }
    // What was asked for is done: however the server ends, it does not change that.
    let _ = editor.close();
    Ok(ended)
}

/// Writes the files whose documents the batch has changed; after a preview there are none. A file that somebody else has
/// changed meanwhile is the same to the caller as a document that has changed in an editor.
fn save(editor: &EmbeddedEditor, files: &[ProjectFile]) -> Result<Result<(), Error>, Problem> {
    let changes: Vec<_> = files
        .iter()
        .filter_map(|file| Some((file, editor.document(&file.uri)?.text.as_str())))
        .filter(|(file, text)| file.text != *text)
        .collect();
    match saving::save(&changes) {
        Ok(()) => Ok(Ok(())),
        Err(problem @ Problem::ChangedOnDisk { .. }) => Ok(Err(Error {
            code: ErrorCode::ContentModified,
            message: problem.to_string().into(),
            data: Some(json!({"code": "CONTENT_MODIFIED"})),
        })),
        Err(problem) => Err(problem),
    }
}

/// Whether the state of the documents is the reason, or the batch itself or the machine.
fn ending(error: &Error) -> Ended {
    match error.data.as_ref().and_then(|it| it["code"].as_str()) {
        Some("EDIT_CONFLICT" | "STALE_BASE" | "CONTENT_MODIFIED") => Ended::Refused,
        _ => Ended::Failed,
    }
}

fn show_result(editor: &EmbeddedEditor, files: &[ProjectFile], result: &Value) -> Result<(), Problem> {
    let documents = result["documents"].as_array().map_or(&[][..], Vec::as_slice);
    for document in documents {
        let Some(file) = files.iter().find(|it| document["textDocument"]["uri"] == it.uri.as_str()) else { continue };
        print(&diff::draw(&file.name, &file.text, &after(editor, file, document)?))?;
        for warning in document["warnings"].as_array().into_iter().flatten() {
            let edit = warning["edit"].as_u64().map_or(String::new(), |it| format!(", edit {}", it + 1));
            let message = visible(warning["message"].as_str().unwrap_or_default()).into_owned();
            print_error(&format!("{}: {}{edit}: {message}\n", styled(BAD, "warning"), visible(&file.name)));
        }
    }
    let status = visible(result["status"].as_str().unwrap_or_default());
    let status = match result["applied"] == true {
        true => status,
        false => format!("Preview, nothing is written: {status}").into(),
    };
    print(&format!("{}\n", styled(GOOD, &status)))
}

/// The document's text after the batch, or as it would be after a preview.
fn after(editor: &EmbeddedEditor, file: &ProjectFile, result: &Value) -> Result<String, Problem> {
    let open = editor.document(&file.uri).expect("all files of the batch are open");
    let planned: Vec<TextEdit> = match result.get("textEdits") {
        Some(edits) => serde_json::from_value(edits.clone()).map_err(|it| Fault::Garbled(it.to_string()))?,
        None => vec![],
    };
    let edited = open.edited(&planned).map_err(Fault::Garbled)?;
    Ok(edited.document.text.as_str().to_owned())
}

fn show_error(editor: &EmbeddedEditor, files: &[ProjectFile], error: &Error) {
    let failures = error.data.as_ref().and_then(|it| it["failures"].as_array()).map_or(&[][..], Vec::as_slice);
    if failures.is_empty() {
        print_error(&format!("{} {}\n", styled(BAD, "agent-edit:"), visible_lines(&error.message)));
        return;
    }
    let drawn = conflicts::draw_all(files.iter().map(|it| (it.name.as_str(), &it.uri)), editor, failures);
    print_error(&format!("{drawn}{}\n", visible_lines(&error.message)));
}

fn pretty(value: &Value) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("a JSON value can be written");
    text.push('\n');
    text
}
