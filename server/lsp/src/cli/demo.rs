//! `agent-edit demo`: what a person and an agent see of it, on a small project of its own. Every result shown is taken
//! from the server's real messages; the words around them are ours.

use std::fs;
use std::time::Instant;

use serde_json::Value;
use tower_lsp::jsonrpc::Error;
use tower_lsp::ls_types::{CodeAction, Diagnostic, Range, TextEdit, Uri};

use super::problem::Problem;
use super::project_file::{ProjectFile, Root};
use super::terminal::{BAD, BOLD, DIM, GOOD, PLACE, WIDTH, print, styled, wrapped};
use super::{Ended, batch, conflicts, diff};
use crate::embedded_editor::{EmbeddedEditor, edit_of, position};

macro_rules! embedded {
    ($file:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../demo/", $file))
    };
}

const PROJECT: [(&str, &str); 3] = [
    ("web/cart.ts", embedded!("project/web/cart.ts")),
    ("src/tracking.go", embedded!("project/src/tracking.go")),
    ("src/rates.py", embedded!("project/src/rates.py")),
];
const LANDS: &str = embedded!("batches/lands.json");
const CONFLICTS: &str = embedded!("batches/conflicts.json");

/// Typed into a document and not saved: where, what stood there, what stands there now.
const TYPED: (&str, &str, &str) =
    ("web/cart.ts", "cents += quote.cents;", "cents += Math.max(quote.cents, this.minimumCents);");

/// What each way of matching says of the text in the document.
const STRATEGIES: [(&str, &str); 4] = [
    ("exact", "as quoted"),
    ("line-trimmed", "but for white space at the ends of lines"),
    ("whitespace-normalized", "but for line breaks that a formatter has put in since"),
    ("indentation-flexible", "but for the depth it stands at, which the new text takes on"),
];

/// Shows it all.
pub(super) fn run() -> Result<Ended, Problem> {
    let since = Instant::now();
    let mut demo = Demo::start()?;
    demo.opening()?;
    demo.landing()?;
    let failures = demo.refusal()?;
    demo.fixing(&failures)?;
    demo.editor.close()?;
    print(&format!(
        "\n{}\n  agent-edit apply --help   a batch for your own files, from the command line\n  \
         README.md                 your editor, and the protocol for your agent\n",
        styled(BOLD, &format!("All of this took {} ms. What next?", since.elapsed().as_millis())),
    ))?;
    Ok(Ended::Done)
}

struct Demo {
    /// Removed at the end.
    _folder: tempfile::TempDir,
    root: Root,
    files: Vec<ProjectFile>,
    editor: EmbeddedEditor,
}

impl Demo {
    fn start() -> Result<Self, Problem> {
        let folder = on_disk().map_err(|error| Problem::Unreadable { name: "the demo's project".to_owned(), error })?;
        let root = Root::open(folder.path())?;
        let files = PROJECT.iter().map(|(name, _)| root.file(name)).collect::<Result<Vec<_>, _>>()?;
        let mut editor = EmbeddedEditor::start(&root.uri)?;
        for file in &files {
            editor.open(file.uri.clone(), &file.text);
        }
        Ok(Self { _folder: folder, root, files, editor })
    }

    fn opening(&mut self) -> Result<(), Problem> {
        heading("1  An editor, with three files open and a line typed that is not saved yet")?;
        let (name, old, new) = TYPED;
        let file = self.files.iter().find(|it| it.name == name).expect("it is a file of the project");
        let start = file.text.find(old).expect("the file holds it");
        let text = &self.editor.document(&file.uri).expect("it is open").text;
        let range = Range::new(position(text, start), position(text, start + old.len()));
        self.editor.type_text(&file.uri, TextEdit::new(range, new.to_owned())).map_err(Problem::Unexpected)?;
        print(&diff::draw(name, &file.text, &self.text(&file.uri)))
    }

    fn landing(&mut self) -> Result<(), Problem> {
        heading("2  An agent sends a batch. It quotes from memory, and the batch lands all the same")?;
        let before = self.texts();
        let result =
            self.send("lands.json", LANDS)?.map_err(|error| Problem::Unexpected(error.message.into_owned()))?;
        for document in result["documents"].as_array().into_iter().flatten() {
            let name = self.name(document["textDocument"]["uri"].as_str().unwrap_or_default());
            for (edit, matched) in document["matches"].as_array().into_iter().flatten().enumerate() {
                let line = document["appliedEdits"][edit]["lineNumber"].as_u64().map_or(0, |it| it + 1);
                let strategy = matched["strategy"].as_str().unwrap_or_default();
                let found = STRATEGIES.iter().find(|it| it.0 == strategy).map_or("", |it| it.1);
                let place = styled(PLACE, &format!("{:<16}", format!("{name}:{line}")));
                print(&format!("{place} {strategy:<22} {found}\n"))?;
            }
        }
        print("\n")?;
        self.show_changes(&before)?;
        print(&format!("\n{}\n", styled(GOOD, result["status"].as_str().unwrap_or_default())))
    }

    fn refusal(&mut self) -> Result<Vec<Value>, Problem> {
        heading("3  A second batch does not fit. Nothing is changed, and everybody learns why")?;
        let before = self.texts();
        let error = match self.send("conflicts.json", CONFLICTS)? {
            Err(error) => error,
            Ok(result) => return Err(Problem::Unexpected(result["status"].to_string())),
        };
        let failures = error.data.as_ref().and_then(|it| it["failures"].as_array()).cloned().unwrap_or_default();
        if failures.is_empty() || self.texts() != before {
            return Err(Problem::Unexpected(error.message.into_owned()));
        }
        self.editor.await_conflicts(&failures)?;
        print(&format!("{}\n\n", styled(DIM, "What the person sees in the editor, at the lines it is about:")))?;
        print(&self.drawn(&failures))?;
        print(&format!("{}\n\n", styled(DIM, "What the agent reads, as the answer to its request:")))?;
        for line in error.message.lines() {
            let bar = styled(BAD, "|");
            print(&format!("{bar} {}\n", wrapped(line, WIDTH - 4, &format!("{bar}   "))))?;
        }
        Ok(failures)
    }

    fn fixing(&mut self, failures: &[Value]) -> Result<(), Problem> {
        let (uri, diagnostic, actions, chosen) = self.quick_fix(failures)?;
        let place = format!("{}:{}", self.name(uri.as_str()), diagnostic.range.start.line + 1);
        heading(&format!("4  The person puts the cursor on {place} and asks for a quick fix"))?;
        for action in &actions {
            let line = match *action == chosen {
                true => styled(BOLD, &format!("> {}", action.title)),
                false => format!("  {}", action.title),
            };
            print(&format!("{line}\n"))?;
        }
        print("\n")?;
        let before = self.texts();
        self.editor.execute(chosen)?.map_err(|error| Problem::Unexpected(error.message.into_owned()))?;
        self.editor.await_resolved(&uri, &diagnostic)?;
        self.show_changes(&before)?;
        let left: usize = self.files.iter().map(|it| self.editor.edits_in_conflict(&it.uri)).sum();
        let typed = self.texts().iter().any(|it| it.contains(TYPED.2));
        if left + 1 != failures.len() || !typed {
            return Err(Problem::Unexpected(format!("{left} conflicts are left, the typed line is there: {typed}")));
        }
        let done =
            format!("The edit is in, the unsaved line is kept, and {left} of {} conflicts are left.", failures.len());
        print(&format!("\n{}\n", styled(GOOD, &done)))
    }

    /// The first conflict that can be resolved by applying its edit, what is offered there, and what is chosen of it.
    fn quick_fix(&mut self, failures: &[Value]) -> Result<(Uri, Diagnostic, Vec<CodeAction>, CodeAction), Problem> {
        for failure in failures {
            let (uri, diagnostic) = self.diagnostic(failure)?;
            let actions = self.editor.code_actions(&uri, &diagnostic)?;
            if let Some(chosen) = actions.iter().find(|it| it.title.starts_with("Apply edit")).cloned() {
                return Ok((uri, diagnostic, actions, chosen));
            }
        }
        Err(Problem::Unexpected("no conflict has a quick fix that applies its edit".to_owned()))
    }

    fn send(&mut self, name: &str, json: &str) -> Result<Result<Value, Error>, Problem> {
        let batch = batch::parse(name, json, &self.root)?;
        let documents = batch.params["documents"].as_array().map_or(&[][..], Vec::as_slice);
        let edits: usize = documents.iter().filter_map(|it| Some(it["edits"].as_array()?.len())).sum();
        let matching = batch.params["matching"].as_str().unwrap_or("exact");
        let request = format!("workspace/agentEdit, {edits} edits in {} files, matching: {matching}", documents.len());
        print(&format!("{}\n\n", styled(DIM, &request)))?;
        Ok(self.editor.agent_edit(batch.params)?)
    }

    /// The diagnostic of a failing edit, and where it is pinned.
    fn diagnostic(&self, failure: &Value) -> Result<(Uri, Diagnostic), Problem> {
        let file = self.files.iter().find(|it| failure["uri"] == it.uri.as_str());
        let found = file.and_then(|file| {
            let mut published = self.editor.diagnostics(&file.uri).iter();
            let diagnostic = published.find(|it| edit_of(it) == Some(&failure["edit"]))?;
            Some((file.uri.clone(), diagnostic.clone()))
        });
        found.ok_or_else(|| Problem::Unexpected("a failing edit has no diagnostic".to_owned()))
    }

    fn drawn(&self, failures: &[Value]) -> String {
        conflicts::draw_all(self.files.iter().map(|it| (it.name.as_str(), &it.uri)), &self.editor, failures)
    }

    fn show_changes(&self, before: &[String]) -> Result<(), Problem> {
        for (file, before) in self.files.iter().zip(before) {
            print(&diff::draw(&file.name, before, &self.text(&file.uri)))?;
        }
        Ok(())
    }

    fn texts(&self) -> Vec<String> {
        self.files.iter().map(|it| self.text(&it.uri)).collect()
    }

    fn text(&self, uri: &Uri) -> String {
        self.editor.document(uri).map(|it| it.text.as_str().to_owned()).unwrap_or_default()
    }

    fn name(&self, uri: &str) -> &str {
        self.files.iter().find(|it| it.uri.as_str() == uri).map_or("", |it| &it.name)
    }
}

fn heading(text: &str) -> Result<(), Problem> {
    let rule = "─".repeat(WIDTH.saturating_sub(text.chars().count() + 1));
    print(&format!("\n{} {}\n\n", styled(BOLD, text), styled(DIM, &rule)))
}

fn on_disk() -> std::io::Result<tempfile::TempDir> {
    let folder = tempfile::Builder::new().prefix("agent-edit-demo-").tempdir()?;
    for (name, content) in PROJECT {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("it stands in the folder"))?;
        fs::write(path, content)?;
    }
    Ok(folder)
}
