//! What agents write, read as a batch of edits: text in; the batch with the place of each edit in that text out, or
//! everything that is wrong with it.
//!
//! Pure: no I/O, no LSP types. `docs/formats.md` has the grammar of each format.
//!
//! ```
//! use agent_edit_formats::{Change, Format, read};
//!
//! let answer = "\
//! Two lines change:
//!
//! src/rates.py
//! <<<<<<< SEARCH
//! SURCHARGE = 0.12
//! =======
//! SURCHARGE = 0.14
//! >>>>>>> REPLACE
//! ";
//! let batch = read(answer).expect("it is well-formed").expect("it holds a batch");
//! assert_eq!((batch.format, &*batch.documents[0].name), (Format::Blocks, "src/rates.py"));
//! let Change::Edit(edits) = &batch.documents[0].change else { panic!("it edits") };
//! assert!(answer[edits[0].place.range()].starts_with("<<<<<<< SEARCH"));
//!
//! // A text without a batch is one thing, a batch that is not right another: then nothing of it is read.
//! assert_eq!(read("Nothing to do."), Ok(None));
//! let problems = read("a.py\n<<<<<<< SEARCH\nx\n>>>>>>> REPLACE\n").expect_err("its divider is missing");
//! assert_eq!(problems[0].place.line_and_column("a.py\n<<<<<<< SEARCH\nx\n>>>>>>> REPLACE\n"), (3, 0));
//! ```

mod batch;
mod blocks;
mod envelope;
mod gather;
mod hunk;
mod json;
mod lines;
mod names;
mod params;
mod place;
mod reader;
mod settle;
mod unified;
mod write;

pub use batch::{Batch, Change, Document, Edit, EditKind, Format, Hints, Over, Replace};
pub use params::params;
pub use place::{Place, Problem};
pub use reader::{may_hold_batch, read};
pub use settle::{Settled, settle};
pub use write::{Unwritable, write};
