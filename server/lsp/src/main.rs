//! A language server that applies agents' edits through the editor, all or none, and explains those that fail.

mod applied;
mod apply;
mod backend;
mod batch;
mod cancelled;
mod capabilities;
mod cli;
mod configuration;
mod diagnostics;
mod documents;
mod early;
mod embedded_editor;
mod errors;
mod expectation;
mod feature_gate;
mod features;
mod files;
mod from_proto;
mod handlers;
mod known_conflicts;
mod lanes;
mod limits;
mod newer;
mod operations;
mod parsing;
mod pending;
mod planning;
mod positions;
mod progress;
mod protocol;
mod refusal;
mod remedy;
mod revert;
mod review;
mod saving;
mod server;
mod settings;
mod showing;
mod snapshot;
mod standing;
mod to_proto;
mod transport;
mod uri_key;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
