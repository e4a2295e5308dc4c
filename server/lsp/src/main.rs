//! A language server that applies agents' edits through the editor, all or none, and explains those that fail.

mod backend;
mod cli;
mod embedded_editor;

use std::process::ExitCode;

mod transport;

fn main() -> ExitCode {
    cli::run()
}
