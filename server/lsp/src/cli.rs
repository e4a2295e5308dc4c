//! The command line: one subcommand a way in.

mod apply;
mod batch;
mod conflicts;
mod demo;
mod diff;
mod lsp;
mod problem;
mod project_file;
mod saving;
mod terminal;
mod unpublished;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use self::problem::Problem;
use self::terminal::{BAD, print_error, styled, visible_lines};

/// Applies AI agents' batches of edits to the documents open in an editor, all or nothing, through the editor itself,
/// and explains every edit that fails.
#[derive(Parser)]
#[command(
    name = "agent-edit",
    version,
    after_help = "\
Start here:
  agent-edit demo                       see it work, in a second and with nothing to set up
  agent-edit apply batch.json           apply a batch to the files below this folder
  agent-edit apply --help               what a batch looks like"
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// The language server on standard input and output: this is what an editor starts
    Lsp(lsp::Arguments),
    /// Applies a batch of edits to files, all of it or nothing
    Apply(apply::Arguments),
    /// Shows what it does, on a small project of its own
    Demo,
}

/// What became of what was asked for, where nothing went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    /// It is done.
    Done,
    /// The documents are not what the batch is for.
    Refused,
    /// The batch is not usable.
    Failed,
}

impl From<Ended> for ExitCode {
    fn from(ended: Ended) -> Self {
        Self::from(match ended {
            Ended::Done => 0,
            Ended::Refused => 1,
            Ended::Failed => 2,
        })
    }
}

/// Does what the command line asks for.
pub(crate) fn run() -> ExitCode {
    let ended = match Arguments::parse().command {
        Command::Lsp(arguments) => lsp::run(&arguments),
        Command::Apply(arguments) => apply::run(&arguments),
        Command::Demo => demo::run(),
    };
    ended.map_or_else(|problem| report(&problem), ExitCode::from)
}

fn report(problem: &Problem) -> ExitCode {
    let code = problem.exit_code();
    if code != 0 {
        print_error(&format!("{} {}\n", styled(BAD, "agent-edit:"), visible_lines(&problem.to_string())));
    }
    ExitCode::from(code)
}
