//! Why a request is not done. Facts; `errors` makes the error of them.

use crate::features::Feature;
use crate::protocol::{DivergedDocument, Failure, StaleDocument};

/// Why a request is not done.
#[derive(Clone, Debug)]
pub(crate) enum Refusal {
    /// The parameters are not what the protocol asks for; the text names the field.
    InvalidParams(String),
    /// The parameters carry a field of a feature that was not negotiated.
    UnsupportedFeature { field: String, needs: Vec<Feature> },
    /// A limit is exceeded.
    LimitExceeded { what: String, limit: &'static str, value: usize, actual: usize },
    /// A document that may not or cannot be edited.
    Document { uri: String, problem: DocumentProblem },
    /// A fence does not hold.
    StaleBase(Vec<StaleDocument>),
    /// Some edit does not match.
    Conflict(Box<Refused>),
    /// The editor did not apply it, for this reason.
    NotApplied { reason: String, uri: Option<String> },
    /// A document changed while the batch was being applied. What was changed is in `diverged`, if anything.
    ContentModified { reason: String, diverged: Option<Vec<DivergedDocument>> },
    /// The request was cancelled before anything was changed.
    Cancelled,
    /// The request was cancelled while the editor asks the person, which it goes on doing.
    CancelledInReview,
    /// We have a fault.
    Internal(String),
}

/// The conflicts of a refused batch, with what is needed to tell them.
#[derive(Clone, Debug)]
pub(crate) struct Refused {
    pub batch_id: String,
    pub edit_count: usize,
    pub report: String,
    pub failures: Vec<Failure>,
    /// The file operations of the batch, by position in the request.
    pub operations: Vec<usize>,
}

/// Why a document may not or cannot be edited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DocumentProblem {
    OutsideWorkspace(&'static str),
    NotAFile(&'static str),
    NotUtf8,
    NotFound(&'static str),
    Exists(&'static str),
    ReadOnly(&'static str),
    Unreadable(String),
}
