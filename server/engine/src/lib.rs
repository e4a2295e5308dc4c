//! Texts and edits: a batch of tolerant edits in, a minimal plan or a full diagnosis out.
//!
//! Pure: no I/O, no clock, no threads; it cannot fail, a conflict is a result.
//!
//! An agent read this document, whose author uses tabs, and quotes it with spaces:
//!
//! ```
//! use agent_edit_engine::{
//!     Byte, Document, Done, Edit, FindReplace, Kind, Line, Matching, Options, Strategy, Text, plan, report, status,
//! };
//!
//! let text = Text::new("fn main() {\n\tif ready {\n\t\tgo(1);\n\t}\n\tgo(2);\n}\n");
//! let find = |old_text: &str, new_text: &str| {
//!     Edit::FindReplace(FindReplace {
//!         old_text: old_text.into(),
//!         new_text: new_text.into(),
//!         ..FindReplace::default()
//!     })
//! };
//! let options = Options { matching: Matching::Lenient, ..Options::default() };
//!
//! // Two edits in order: the first is found by looking past white space, the second in the text the first one leaves.
//! let edits = [find("    if ready {\n        go(1);\n", "    if ready {\n        go(10);\n"), find("go(2)", "stop(2)")];
//! let documents = [Document { name: "main.rs", text: &text, edits: &edits }];
//! let plans = plan(&documents, &options).expect("both edits match in one place");
//!
//! // What comes out is the text afterwards, and the least that has to be replaced to get there: spans are bytes of the
//! // text before the batch.
//! assert_eq!(plans[0].result.as_str(), "fn main() {\n\tif ready {\n\t\tgo(10);\n\t}\n\tstop(2);\n}\n");
//! let [first, second] = plans[0].edits.replacements() else { panic!("one replacement an edit") };
//! assert_eq!((first.span.start, first.span.end, &*first.text), (Byte(30), Byte(30), "0"));
//! assert_eq!((&text.as_str()[second.span.range()], &*second.text), ("go", "stop"));
//! assert_eq!(plans[0].applied[0].strategy, Strategy::WhitespaceMapped);
//! println!("{}", status(&documents, &plans, Done::Applied));
//!
//! // A batch is all or nothing. Every edit that fails is named, with where it might have gone and why it did not.
//! let edits = [find("go(3)", "stop()"), find("go", "run"), find("fn main()", "fn start()")];
//! let documents = [Document { name: "main.rs", text: &text, edits: &edits }];
//! let conflicts = plan(&documents, &options).expect_err("the first two edits fail");
//! assert_eq!(conflicts.iter().map(|it| it.edit).collect::<Vec<_>>(), [0, 1]);
//! assert_eq!(conflicts[0].kind, Kind::NotFound);
//! let Kind::Ambiguous { count: 2, places, .. } = &conflicts[1].kind else { panic!("it stands twice") };
//! assert_eq!(places.iter().map(|it| it.working_line).collect::<Vec<_>>(), [Line(2), Line(4)]);
//!
//! // The same for the agent to read: one line an edit, at most 3,000 characters.
//! println!("{}", report(&documents, &conflicts));
//! ```

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
mod tokens;
mod warnings;
mod working;

pub use applied::{Applied, Change, Warning, WarningKind};
pub use batch::{Anchoring, Document, Edit, FindReplace, LineEndings, LineInsert, LineReplace, Matching, Options};
pub use conflict::{Candidate, CandidateLine, Conflict, Departure, Hint, Kind, Mark, Place};
pub use edit_set::{EditSet, Overlap, Replacement};
pub use matching::Strategy;
pub use merge::{Merge, merge};
pub use plan::{DocumentPlan, plan};
pub use report::{Done, REPORT_LIMIT, report, status};
pub use sentence::message;
pub use text::{Byte, Line, Lines, Span, Text};
