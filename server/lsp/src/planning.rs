//! Calling the engine: at once for small texts, beside the reader for large ones, and never fatal.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use agent_edit_engine::{Conflict, Document, DocumentPlan, Edit, Options, plan};

use crate::refusal::Refusal;
use crate::snapshot::{Seen, bytes, for_engine};

/// Work over so many bytes is done before the next message is looked at: it takes a few milliseconds at the most, and in
/// general less than handing it to another thread is worth.
const AT_ONCE: usize = 512 << 10;

/// What is to be planned: documents with the edits for each.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    /// The documents.
    pub seen: Vec<Seen>,
    /// The edits of each.
    pub edits: Vec<Arc<[Edit]>>,
    /// Other documents, to be looked into for what is missing in these.
    pub beside: Vec<Seen>,
    /// What holds for all of them.
    pub options: Options,
}

/// What the engine says.
pub(crate) type Planned = Result<Vec<DocumentPlan>, Vec<Conflict>>;

impl Task {
    /// Plans it, wherever that does not hold up the reading of messages, and makes of it what `finish` makes.
    pub(crate) async fn run<T: Send + 'static>(
        self,
        finish: impl FnOnce(&Self, Planned) -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        // To explain an edit that fails, all of its document is looked at.
        let looked_at = self.seen.iter().zip(&self.edits).map(|(seen, edits)| seen.text.len().0 * edits.len());
        let edits = self.edits.iter().flat_map(|it| it.iter()).map(edit_bytes);
        let bytes = looked_at.sum::<usize>() + bytes(&self.beside) + edits.sum::<usize>();
        let work = move || {
            let looked_into = self.beside.iter().map(|it| Document { name: &it.name, text: &it.text, edits: &[] });
            let documents: Vec<_> = for_engine(&self.seen, &self.edits).into_iter().chain(looked_into).collect();
            let planned = plan(&documents, &self.options);
            finish(&self, planned)
        };
        beside_the_reader(bytes, work).await
    }
}

/// Runs `work` over `bytes` bytes of text. A panic in it is an answer like another.
pub(crate) async fn beside_the_reader<T: Send + 'static>(
    bytes: usize,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Refusal> {
    let fault = || Refusal::Internal("the engine has a fault; nothing was changed".to_owned());
    if bytes <= AT_ONCE {
        catch_unwind(AssertUnwindSafe(work)).map_err(|_| fault())
    } else {
        tokio::task::spawn_blocking(work).await.map_err(|_| fault())
    }
}

fn edit_bytes(edit: &Edit) -> usize {
    match edit {
        Edit::FindReplace(it) => it.old_text.len() + it.new_text.len(),
        Edit::LineReplace(it) => it.new_text.len(),
        Edit::LineInsert(it) => it.new_text.len(),
    }
}
