//! A person is asked before a batch is applied, by a question where the editor does not ask by itself.

use std::sync::Arc;

use tokio::sync::oneshot;
use tower_lsp::ls_types::{MessageActionItem, MessageType};

use crate::apply::Change;
use crate::batch::Batch;
use crate::refusal::Refusal;
use crate::server::Server;

const APPLY: &str = "Apply";
const DISCARD: &str = "Discard";

/// How many documents a question names.
const NAMED: usize = 3;

/// Returns when the person has agreed to `changes`, which `batch` makes. Nothing is changed, whatever becomes of it.
pub(crate) async fn agreed(server: &Arc<Server>, batch: &Batch, changes: &[Change]) -> Result<(), Refusal> {
    let question = question(batch, changes);
    let (answer, answered) = oneshot::channel();
    let server = server.clone();
    tokio::spawn(async move {
        let decision = ask(&server, question).await;
        if let Err(Ok(Decision::Apply)) = answer.send(decision) {
            let message = "agent-edit: this was cancelled before you answered, and nothing was changed.";
            server.client.show_message(MessageType::INFO, message).await;
        }
    });
    match answered.await {
        Ok(Ok(Decision::Apply)) => Ok(()),
        Ok(Ok(Decision::Discard)) => Err(not_applied("the person discarded it")),
        Ok(Err(why)) => Err(not_applied(&why)),
        Err(_) => Err(Refusal::Internal("a fault while asking; nothing was changed".to_owned())),
    }
}

/// Tells the person who has agreed why it was not applied all the same.
pub(crate) async fn tell(server: &Server, refusal: Refusal) {
    let message = format!("agent-edit: {}", crate::errors::error(refusal).message);
    server.client.show_message(MessageType::WARNING, message).await;
}

fn not_applied(reason: &str) -> Refusal {
    Refusal::NotApplied { reason: reason.to_owned(), uri: None }
}

enum Decision {
    Apply,
    Discard,
}

/// What the person decides, however long that takes; an error where it cannot be asked for.
async fn ask(server: &Server, question: String) -> Result<Decision, String> {
    let actions = [APPLY, DISCARD].map(|it| MessageActionItem { title: it.to_owned(), properties: [].into() });
    let answer = server.client.show_message_request(MessageType::INFO, question, Some(actions.into())).await;
    match answer {
        Ok(Some(it)) if it.title == APPLY => Ok(Decision::Apply),
        // Closed without a word, or answered by what was not asked.
        Ok(_) => Ok(Decision::Discard),
        Err(error) => Err(format!("this editor cannot ask the person: {}", error.message)),
    }
}

fn question(batch: &Batch, changes: &[Change]) -> String {
    let edits = batch.edit_count();
    let edits = format!("{edits} {}", if edits == 1 { "edit" } else { "edits" });
    let what = match &batch.label {
        Some(label) => format!("“{}”: {edits}", in_one_line(label)),
        None => edits,
    };
    let changes: Vec<_> = changes.iter().filter(|it| !it.edits.is_empty()).collect();
    let names = changes.iter().take(NAMED).map(|it| in_one_line(&it.seen.name)).collect::<Vec<_>>().join(", ");
    let documents = match changes.len() {
        1 => names,
        count if count <= NAMED => format!("{count} documents ({names})"),
        count => format!("{count} documents ({names} and {} more)", count - NAMED),
    };
    format!("Apply what {} asks for? {what} in {documents}", in_one_line(&batch.agent))
}

/// What an agent says of itself cannot look like words of ours.
fn in_one_line(text: &str) -> String {
    let is_plain = |it: char| {
        !it.is_control() && !matches!(it, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().map(|it| if is_plain(it) { it } else { ' ' }).collect()
}
