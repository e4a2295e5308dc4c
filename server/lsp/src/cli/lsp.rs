//! `agent-edit lsp`: the language server on standard input and output, and what it writes beside them.

use std::io;
use std::process::exit;

use clap::Args;
use tracing_appender::non_blocking::WorkerGuard;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

use crate::backend;

/// How the language server is started.
#[derive(Args)]
pub(super) struct Arguments {
    /// Writes what the server does to standard error, never to standard output
    ///
    /// A level: error, warn, info (a line for each batch), debug (and for each request), trace (and every message, with all
    /// its text). Or a filter: agent_edit=debug,tower_lsp_server=warn. Texts of documents and edits are written at trace
    /// alone.
    #[arg(
        long,
        value_name = "FILTER",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "info",
        value_parser = filter
    )]
    log: Option<String>,
}

/// Serves until the editor ends it.
pub(super) fn run(arguments: &Arguments) -> ! {
    let log = arguments.log.as_deref().map(start_log);
    let code = backend::on_stdio();
    // What still waits is written out.
    drop(log);
    exit(code)
}

/// `text`, if it is a filter. A single word that is no level would be taken for a part of the program, and show nothing.
fn filter(text: &str) -> Result<String, String> {
    let is_word = !text.contains(['=', ',', '[']);
    if is_word && text.parse::<LevelFilter>().is_err() {
        return Err("expected error, warn, info, debug, trace, or a filter as agent_edit=debug".to_owned());
    }
    EnvFilter::try_new(text).map(|_| text.to_owned()).map_err(|it| it.to_string())
}

/// Lines are dropped where nobody reads them: an editor that leaves standard error alone must not stop the server.
fn start_log(filter: &str) -> WorkerGuard {
    let (writer, guard) = tracing_appender::non_blocking(io::stderr());
    let filter = EnvFilter::try_new(filter).expect("the command line takes no other");
    tracing_subscriber::fmt().with_env_filter(filter).with_ansi(false).with_writer(writer).init();
    guard
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_or_a_filter_is_taken_and_nothing_else() {
        let check = |text: &str, expected| assert_eq!(filter(text).is_ok(), expected, "{text}");
        check("debug", true);
        check("TRACE", true);
        check("off", true);
        check("agent_edit=debug,tower_lsp_server=warn", true);
        check("verbose", false);
        check("agent_edit=loud", false);
    }
}
