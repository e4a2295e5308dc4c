//! How large a batch may be. Beyond a limit it is refused whole, with the limit's name and value.

/// The limits in force: the person may lower or raise them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Documents in a batch.
    pub documents: usize,
    /// Edits in a batch.
    pub edits: usize,
    /// The text of one document, in bytes.
    pub document_bytes: usize,
    /// `oldText` and `newText` of a batch together, in bytes.
    pub edit_bytes: usize,
    /// What one document may become, in bytes.
    pub result_bytes: usize,
    /// Refused batches that are kept; the oldest goes first.
    pub pending_batches: usize,
}

impl Limits {
    /// What a person can still review, and what an agent sends by far.
    pub(crate) const DEFAULT: Self = Self {
        documents: 100,
        edits: 1_000,
        document_bytes: 64 << 20,
        edit_bytes: 64 << 20,
        result_bytes: 128 << 20,
        pending_batches: 100,
    };

    /// What nobody can raise them above: a message of 64 MiB holds no more text, and a server that is beside an editor all
    /// day has no business with more memory.
    pub(crate) const MOST: Self = Self {
        documents: 10_000,
        edits: 100_000,
        document_bytes: 256 << 20,
        edit_bytes: 64 << 20,
        result_bytes: 512 << 20,
        pending_batches: 1_000,
    };
}

/// Characters of the agent's name.
pub(crate) const AGENT_CHARACTERS: usize = 64;
/// Characters of a label.
pub(crate) const LABEL_CHARACTERS: usize = 200;
