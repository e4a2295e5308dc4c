//! What ends the command line with one clear line, and the exit code that goes with it.

use std::{fmt, io};

use crate::embedded_editor::Fault;
use crate::refusal::{DocumentProblem, Refusal};

/// Why the command line cannot do what it was asked for.
#[derive(Debug)]
pub(crate) enum Problem {
    /// A file cannot be read.
    Unreadable { name: String, error: io::Error },
    /// The batch is no JSON.
    NotJson { name: String, error: serde_json::Error },
    /// The batch is JSON, but no object.
    NotABatch { name: String },
    /// A URI of another kind than `file:`.
    NotAFileUri { uri: String },
    /// A path that, links resolved, is not inside the root.
    Outside { name: String, root: String },
    /// A batch whose bytes are no text.
    NotUtf8 { name: String, offset: usize },
    /// A file that the server would not take from its own folders either.
    NotEditable { name: String, refusal: Refusal },
    /// A file that its owner has locked.
    ReadOnly { name: String },
    /// Somebody else has written the file since it was read.
    ChangedOnDisk { name: String },
    /// A file cannot be written; `written` names those that could not be taken back.
    Unwritable { name: String, error: io::Error, written: Vec<String> },
    /// The server is at fault.
    Server(Fault),
    /// The demo saw something else than it is there to show.
    Unexpected(String),
    /// What is to be shown cannot be written.
    Output(io::Error),
}

impl Problem {
    /// The exit code: 1 where the state of the documents is the reason, 2 for all else.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::ChangedOnDisk { .. } => 1,
            // Who closes the output early (`| head`) has seen what they wanted.
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => 0,
            _ => 2,
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { name, error } => write!(to, "{name}: {}", plain(error)),
            Self::NotJson { name, error } => write!(to, "{name}: not a JSON document: {error}"),
            Self::NotABatch { name } => {
                write!(to, "{name}: expected an object with `documents`, as `agent-edit apply --help` shows")
            }
            Self::NotAFileUri { uri } => write!(to, "{uri}: not a path and not a file: URI"),
            Self::Outside { name, root } => write!(to, "{name}: lies outside {root}; --root sets another folder"),
            Self::NotUtf8 { name, offset } => write!(to, "{name}: not UTF-8 text (byte {offset})"),
            Self::NotEditable { name, refusal } => write!(to, "{name}: {}", why(refusal)),
            Self::ReadOnly { name } => write!(to, "{name}: read-only"),
            Self::ChangedOnDisk { name } => {
                write!(to, "{name}: changed on disk while the batch was planned; nothing was written")
            }
            Self::Unwritable { name, error, written } if written.is_empty() => {
                write!(to, "{name}: {}; nothing was written", plain(error))
            }
            Self::Unwritable { name, error, written } => {
                write!(to, "{name}: {}; already written: {}", plain(error), written.join(", "))
            }
            Self::Server(fault) => write!(to, "{fault}; nothing was written"),
            Self::Unexpected(what) => write!(to, "this is not what the demo is to show: {what}"),
            Self::Output(error) => write!(to, "cannot write the output: {}", plain(error)),
        }
    }
}

impl From<Fault> for Problem {
    fn from(fault: Fault) -> Self {
        Self::Server(fault)
    }
}

/// An error in the system's words, without its number.
fn plain(error: &impl ToString) -> String {
    let whole = error.to_string();
    whole.split(" (os error").next().unwrap_or(&whole).to_lowercase()
}

fn why(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Document { problem, .. } => match problem {
            DocumentProblem::OutsideWorkspace(why)
            | DocumentProblem::NotAFile(why)
            | DocumentProblem::NotFound(why)
            | DocumentProblem::Exists(why)
            | DocumentProblem::ReadOnly(why) => (*why).to_owned(),
            DocumentProblem::NotUtf8 => "it is not UTF-8 text".to_owned(),
            DocumentProblem::Unreadable(why) => plain(why),
        },
        Refusal::LimitExceeded { value, .. } => format!("it is larger than {} MiB", value >> 20),
        _ => "it cannot be edited".to_owned(),
    }
}
