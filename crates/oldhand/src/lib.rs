//! The program: what people and agents type, and what they read. `run` is the whole of it with
//! the world passed in, so that it can be called in process.

mod cli;
mod commands;
mod fields;
mod hook;
mod mcp;
mod usage;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use jiff::Timestamp;
use oldhand_desk::{crash, failure, hooks};
use oldhand_store::disk::RealDisk;
use oldhand_store::ulid::SystemEntropy;

use commands::merge_file::STOP;
pub use oldhand_desk::env::Env;
pub use oldhand_desk::printer::Io;

pub fn main() -> ExitCode {
    let vars: BTreeMap<String, String> = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect();
    let stdout_is_terminal = std::io::stdout().is_terminal();
    let env = Env {
        vars,
        current_dir: std::env::current_dir().unwrap_or_else(|_| PathBuf::from(".")),
        disk: &RealDisk,
        entropy: &SystemEntropy,
        interactive: std::io::stdin().is_terminal() && stdout_is_terminal,
    };
    let args: Vec<OsString> = std::env::args_os().collect();
    crash::listen();
    if hook::args(&args).is_some() {
        hooks::deadline::start();
    }
    let mut io = Io::real();
    ExitCode::from(run(args, &env, Timestamp::now(), &mut io))
}

/// Every command with its arguments and help, for completions and documentation.
pub fn command() -> clap::Command {
    cli::Cli::command()
}

/// One command from arguments to exit code; `args` begins with the program's name.
pub fn run(
    args: impl IntoIterator<Item = OsString>,
    env: &Env<'_>,
    now: Timestamp,
    io: &mut Io<'_>,
) -> u8 {
    let args: Vec<OsString> = args.into_iter().collect();
    // Hooks run at every turn: they don't wait for the whole table of commands.
    if let Some(hook) = hook::args(&args) {
        return crash::caught(|| hooks::run(&hook, env, now, io)).unwrap_or(failure::DONE);
    }
    let cli = match cli::Cli::try_parse_from(&args) {
        Ok(cli) => cli,
        Err(error) => {
            // Arguments that can't be parsed can still ask for JSON.
            let json = args.iter().any(|arg| arg == "--json");
            let code = usage::report(&error, json, io);
            // Git would take a small code for a conflict, and our side for its result.
            let is_driver = args.get(1).is_some_and(|arg| arg == "merge-file");
            return if is_driver && code != failure::DONE { STOP } else { code };
        }
    };
    if let cli::Command::MergeFile(args) = &cli.command {
        return crash::caught(|| commands::merge_file::run(args, env, io)).unwrap_or(STOP);
    }
    let json = cli.global.json;
    let outcome = crash::caught_fail(|| commands::dispatch(cli, env, now, io));
    failure::report(outcome, json, io)
}
