//! Texts and edits: a batch of tolerant edits in, a minimal plan or a full diagnosis out.
//!
//! Pure: no I/O, no clock, no threads; it cannot fail, a conflict is a result.

mod batch;
mod conflict;
mod edit_set;
mod matching;
mod merge;
mod plan;
mod report;
mod text;

pub use batch::{Anchoring, Document, Edit, FindReplace, LineEndings, LineInsert, LineReplace, Matching, Options};
pub use conflict::{Candidate, CandidateLine, Conflict, Departure, Hint, Kind, Mark, Place};
pub use edit_set::{EditSet, Overlap, Replacement};
pub use matching::Strategy;
pub use merge::{Merge, merge};
pub use plan::{Applied, Change, DocumentPlan, Warning, WarningKind, plan};
pub use report::{REPORT_LIMIT, message, report, status};
pub use text::{Byte, Line, Lines, Span, Text};
