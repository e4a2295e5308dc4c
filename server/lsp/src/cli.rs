//! The command line: one subcommand a way in.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::backend;

/// Applies AI agents' batches of edits to the documents open in an editor, all or nothing, through the editor itself,
/// and explains every edit that fails.
#[derive(Parser)]
#[command(name = "agent-edit", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// The language server on standard input and output: this is what an editor starts.
    Lsp,
}

/// Does what the command line asks for.
pub(crate) fn run() -> ExitCode {
    match Arguments::parse().command {
        Command::Lsp => backend::on_stdio(),
    }
}
