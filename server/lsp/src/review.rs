//! A person is asked before a batch is applied, by a question where the editor does not ask by itself.

use std::sync::Arc;

use tokio::sync::oneshot;
use tower_lsp::ls_types::{MessageActionItem, MessageType};

use crate::apply::Change;
use crate::batch::Batch;
use crate::capabilities::Shows;
use crate::errors;
use crate::operations::{self, FileChange};
use crate::planning::beside_the_reader;
use crate::refusal::Refusal;
use crate::server::Server;
use crate::showing::{self, Shown};
use crate::to_proto;

const APPLY: &str = "Apply";
const SHOW: &str = "Show";
const DISCARD: &str = "Discard";

/// How many documents a question names.
const NAMED: usize = 3;

/// What the person is asked about.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// What the batch is called, here and in the names of files.
    pub batch_id: String,
    /// What asks for it.
    pub batch: Batch,
    /// What it makes, less what changes nothing.
    pub changes: Vec<Change>,
    /// What it does with files.
    pub operations: Vec<FileChange>,
}

/// Returns when the person has agreed. Nothing is changed, whatever becomes of it.
pub(crate) async fn agreed(server: &Arc<Server>, asked: Asked) -> Result<(), Refusal> {
    let (answer, answered) = oneshot::channel();
    tokio::spawn(ask(server.clone(), asked, answer));
    match answered.await {
        Ok(Ok(Decision::Apply)) => Ok(()),
        Ok(Ok(_)) => Err(not_applied("the person discarded it")),
        Ok(Err(why)) => Err(not_applied(&why)),
        Err(_) => Err(Refusal::Internal("a fault while asking; nothing was changed".to_owned())),
    }
}

/// Asks until the person has decided or nobody waits for it any more. Who decides in vain is told.
async fn ask(server: Arc<Server>, asked: Asked, answer: oneshot::Sender<Result<Decision, String>>) {
    let question = question(&asked);
    let mut decision = decision(&server, &question).await;
    while matches!(decision, Ok(Decision::Show)) && !answer.is_closed() {
        show(&server, &asked).await;
        decision = self::decision(&server, &question).await;
    }
    if let Err(Ok(Decision::Apply)) = answer.send(decision) {
        let message = "agent-edit: this was cancelled before you answered, and nothing was changed.";
        server.client.show_message(MessageType::INFO, message).await;
    }
}

/// Each document beside what it becomes where the editor has something for that, else all of it as one diff.
async fn show(server: &Server, asked: &Asked) {
    let (encoding, asked) = (server.profile().encoding, asked.clone());
    let name = format!("{}-review", asked.batch_id);
    let bytes = asked.changes.iter().map(|it| it.seen.text.len().0 + it.result.len().0).sum();
    let shown = move || {
        let agent = in_one_line(&asked.batch.agent);
        let texts = asked.changes.iter().map(|it| to_proto::shown_document(it, &agent, encoding));
        texts.chain(asked.operations.iter().map(|it| operations::shown(it, &agent))).collect()
    };
    // What cannot be shown is asked about all the same.
    let mut shown: Vec<Shown> = beside_the_reader(bytes, shown).await.unwrap_or_default();
    if server.profile().shows != Shows::Itself {
        let diff: String = shown.iter().map(|it| it.diff.as_str()).collect();
        shown.truncate(1);
        shown.iter_mut().for_each(|it| it.diff.clone_from(&diff));
    }
    for it in shown {
        showing::show(server, &it, &name).await;
    }
}

/// Tells the person who has agreed why it was not applied all the same.
pub(crate) async fn tell(server: &Server, refusal: Refusal) {
    let message = format!("agent-edit: {}", errors::error(refusal).message);
    server.client.show_message(MessageType::WARNING, message).await;
}

fn not_applied(reason: &str) -> Refusal {
    Refusal::NotApplied { reason: reason.to_owned(), uri: None }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Decision {
    Apply,
    Show,
    Discard,
}

/// What the person decides, however long that takes; an error where it cannot be asked for.
async fn decision(server: &Server, question: &str) -> Result<Decision, String> {
    let actions = [APPLY, SHOW, DISCARD].map(|it| MessageActionItem { title: it.to_owned(), properties: [].into() });
    let answer = server.client.show_message_request(MessageType::INFO, question, Some(actions.into())).await;
    match answer {
        Ok(Some(it)) if it.title == APPLY => Ok(Decision::Apply),
        Ok(Some(it)) if it.title == SHOW => Ok(Decision::Show),
        // Closed without a word, or answered by what was not asked.
        Ok(_) => Ok(Decision::Discard),
        Err(error) => Err(format!("this editor cannot ask the person: {}", error.message)),
    }
}

fn question(asked: &Asked) -> String {
    let Asked { batch, changes, operations, .. } = asked;
    let parts = [texts(batch.edit_count(), changes), in_one_line(&operations::named(operations, NAMED))];
    let parts = parts.into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>().join("; ");
    let what = match &batch.label {
        Some(label) => format!("“{}”: {parts}", in_one_line(label)),
        None => parts,
    };
    format!("Apply what {} asks for? {what}", in_one_line(&batch.agent))
}

/// How many edits in which documents; empty for none.
fn texts(edits: usize, changes: &[Change]) -> String {
    let edits = format!("{edits} {}", if edits == 1 { "edit" } else { "edits" });
    let names = changes.iter().take(NAMED).map(|it| in_one_line(&it.seen.name)).collect::<Vec<_>>().join(", ");
    match changes.len() {
        0 => String::new(),
        1 => format!("{edits} in {names}"),
        count if count <= NAMED => format!("{edits} in {count} documents ({names})"),
        count => format!("{edits} in {count} documents ({names} and {} more)", count - NAMED),
    }
}

/// What an agent says of itself cannot look like words of ours.
pub(crate) fn in_one_line(text: &str) -> String {
    let is_plain = |it: char| {
        !it.is_control() && !matches!(it, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().map(|it| if is_plain(it) { it } else { ' ' }).collect()
}
