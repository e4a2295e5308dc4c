//! Cases: an edit, a document and the right outcome, one JSON object a line, in two forms.
//!
//! *Derived*: one edit `old` -> `new` for `doc`; `accept` holds the right results, `must_reject` and `reject_ok` speak of
//! refusals, `region` gives the lines (from 1, inclusive) a candidate must overlap. *Field*: `edits` as in the protocol,
//! with `accept` or `conflicts`, `warnings` and `noChange`.

mod case;
mod floors;
mod run;
mod table;
mod verdict;

pub use case::{Case, read};
pub use floors::{Floors, LENIENT, OWN, TOLERANT};
pub use run::run;
pub use table::Table;
pub use verdict::{Here, Outcome, Verdict};
