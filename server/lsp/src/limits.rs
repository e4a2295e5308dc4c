//! How large a batch may be. Beyond a limit it is refused whole, with the limit's name and value.

/// Documents in a batch.
pub(crate) const DOCUMENTS: usize = 100;
/// Edits in a batch: what a person can still review, and what an agent sends by far.
pub(crate) const EDITS: usize = 1_000;
/// The text of one document, in bytes.
pub(crate) const DOCUMENT_BYTES: usize = 64 << 20;
/// `oldText` and `newText` of a batch together, in bytes.
pub(crate) const EDIT_BYTES: usize = 64 << 20;
/// What one document may become, in bytes.
pub(crate) const RESULT_BYTES: usize = 128 << 20;
/// Refused batches that are kept; the oldest goes first.
pub(crate) const PENDING_BATCHES: usize = 100;
/// Characters of the agent's name.
pub(crate) const AGENT_CHARACTERS: usize = 64;
/// Characters of a label.
pub(crate) const LABEL_CHARACTERS: usize = 200;
