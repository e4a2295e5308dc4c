//! `agent-edit apply`: a batch for real files, through the embedded editor, written all or none.

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;

use clap::Args;
use serde_json::{Value, json};
use tower_lsp::jsonrpc::{Error, ErrorCode};
use tower_lsp::ls_types::{TextEdit, Uri};

use super::problem::Problem;
use super::project_file::{ProjectFile, Root};
use super::saving::{FileStep, FileWhat};
use super::terminal::{BAD, GOOD, print, print_error, styled, visible, visible_lines};
use super::{Ended, batch, conflicts, diff, saving};
use crate::embedded_editor::{EmbeddedEditor, Fault, FileOperation, Outcome};
use crate::refusal::DocumentProblem;
use crate::to_proto;

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
    let unsaved = Rc::new(RefCell::new(None));
    editor.save_with(saver(root.clone(), batch.files.clone(), unsaved.clone()));
    let answer = editor.agent_edit(batch.params)?;
    let answer = match unsaved.take() {
        Some(problem) => Err(refused(problem)?),
        None => answer,
    };
    let ended = answer.as_ref().map_or_else(ending, |_| Ended::Done);
    match (answer, arguments.json) {
        (Ok(result), true) => print(&pretty(&result))?,
        (Err(error), true) => print(&pretty(&json!(error)))?,
        (Ok(result), false) => show_result(&editor, &root, &batch.files, &result)?,
        (Err(error), false) => show_error(&editor, &batch.files, &error),
    }
    // What was asked for is done: however the server ends, it does not change that.
    let _ = editor.close();
    Ok(ended)
}

/// Writes what an edit comes to, before the documents are changed. Why that failed is left in `unsaved`.
fn saver(
    root: Root,
    files: Vec<ProjectFile>,
    unsaved: Rc<RefCell<Option<Problem>>>,
) -> impl FnMut(&Outcome) -> Result<(), String> {
    move |outcome| {
        let text = |file: &ProjectFile| outcome.texts.iter().find(|it| it.0 == file.uri);
        let changes: Vec<_> = files
            .iter()
            .filter_map(|file| Some((file, text(file)?.1.document.text.as_str())))
            .filter(|(file, text)| file.text != *text)
            .collect();
        let steps = outcome.operations.iter().map(|it| file_step(&root, it)).collect::<Result<Vec<_>, _>>();
        let steps = steps.map_err(|_| "a file is no longer where it was".to_owned())?;
        saving::save(&changes, &steps).map_err(|problem| {
            let reason = problem.to_string();
            *unsaved.borrow_mut() = Some(problem);
            reason
        })
    }
}

fn file_step(root: &Root, operation: &FileOperation) -> Result<FileStep, DocumentProblem> {
    let (name, what) = match operation {
        FileOperation::Create { uri, content } => {
            let (path, name) = root.located(uri)?;
            (name, FileWhat::Create { path, content: content.clone() })
        }
        FileOperation::Rename { old, new } => {
            let ((old, name), (new, _)) = (root.located(old)?, root.located(new)?);
            (name, FileWhat::Rename { old, new })
        }
        FileOperation::Delete { uri } => {
            let (path, name) = root.located(uri)?;
            (name, FileWhat::Delete { path })
        }
    };
    Ok(FileStep { name, what })
}

/// A file that somebody else has changed meanwhile is the same to the caller as a document that has changed in an editor.
fn refused(problem: Problem) -> Result<Error, Problem> {
    match problem {
        problem @ Problem::ChangedOnDisk { .. } => Ok(Error {
            code: ErrorCode::ContentModified,
            message: problem.to_string().into(),
            data: Some(json!({"code": "CONTENT_MODIFIED"})),
        }),
        problem => Err(problem),
    }
}

/// Whether the state of the documents is the reason, or the batch itself or the machine.
fn ending(error: &Error) -> Ended {
    match error.data.as_ref().and_then(|it| it["code"].as_str()) {
        Some("EDIT_CONFLICT" | "STALE_BASE" | "CONTENT_MODIFIED") => Ended::Refused,
        _ => Ended::Failed,
    }
}

fn show_result(editor: &EmbeddedEditor, root: &Root, files: &[ProjectFile], result: &Value) -> Result<(), Problem> {
    let documents = result["documents"].as_array().map_or(&[][..], Vec::as_slice);
    for document in documents {
        let Some(file) = files.iter().find(|it| document["textDocument"]["uri"] == it.uri.as_str()) else {
            show_operation(editor, root, document)?;
            continue;
        };
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

/// What was done with a file, or as a preview shows it.
fn show_operation(editor: &EmbeddedEditor, root: &Root, document: &Value) -> Result<(), Problem> {
    if let Some(diff) = document["diff"].as_str() {
        return print(&diff::styled_diff(diff));
    }
    let uri = |it: &Value| it.as_str().and_then(|it| it.parse::<Uri>().ok());
    let name = |it: &Value| uri(it).and_then(|it| Some(root.located(&it).ok()?.1)).unwrap_or_default();
    let (named, applied) = (&document["textDocument"]["uri"], &document["appliedEdits"][0]);
    let name_now = name(named);
    let text = uri(named).and_then(|it| Some(editor.document(&it)?.text.as_str().to_owned()));
    match (applied["kind"].as_str(), text) {
        (Some("create"), Some(text)) => print(&diff::styled_diff(&to_proto::file_diff(&name_now, None, Some(&text)))),
        (Some("rename"), _) => {
            print(&format!("renamed {} to {}\n", visible(&name(&applied["oldUri"])), visible(&name_now)))
        }
        (Some("delete"), _) => print(&format!("deleted {}\n", visible(&name_now))),
        _ => Ok(()),
    }
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
