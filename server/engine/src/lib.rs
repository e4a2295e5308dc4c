//! Texts and edits: a batch of tolerant edits in, a minimal plan or a full diagnosis out.
//!
//! Pure: no I/O, no clock, no threads; it cannot fail, a conflict is a result.

mod applied;
mod batch;
mod conflict;
mod diagnosis;
mod diff;
mod edit_set;
mod escape;
mod fit;
mod fold;
mod indent;
mod index;
mod joined;
mod kept;
mod line_edits;
mod matching;
mod merge;
mod minimal;
mod place;
mod placeholder;
mod plan;
mod report;
mod rows;
mod scan;
mod sentence;
mod steps;
mod text;
mod warnings;
mod working;

pub use applied::{Applied, Change, Warning, WarningKind};
pub use batch::{Anchoring, Document, Edit, FindReplace, LineEndings, LineInsert, LineReplace, Matching, Options};
pub use conflict::{Candidate, CandidateLine, Conflict, Departure, Hint, Kind, Mark, Place};
pub use edit_set::{EditSet, Overlap, Replacement};
pub use matching::Strategy;
pub use merge::{Merge, merge};
pub use plan::{DocumentPlan, plan};
pub use report::{REPORT_LIMIT, report, status};
pub use sentence::message;
pub use text::{Byte, Line, Lines, Span, Text};
