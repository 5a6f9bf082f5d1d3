//! The program: what people and agents type, and what they read. `run` is the whole of it with
//! the world passed in, so that it can be called in process.

mod cli;
mod commands;
mod demo;
mod fields;
mod help;
mod hook;
mod mcp;
mod people;
mod served;
mod ui;
mod usage;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::IsTerminal;
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{ArgMatches, CommandFactory, FromArgMatches};
use jiff::Timestamp;
use oldhand_desk::desk::{Desk, GlobalFlags};
use oldhand_desk::files::Files;
use oldhand_desk::{crash, failure, hooks};
use oldhand_store::disk::RealDisk;
use oldhand_store::ulid::SystemEntropy;

use commands::merge_file::STOP;
pub use mcp::MemoryServer;
pub use served::{Answered, answer};
pub use ui::Household;

pub use oldhand_desk::env::{Env, Terminal};
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
        terminal: stdout_is_terminal.then(|| terminal(std::io::stdout())),
        remarks: std::io::stderr().is_terminal().then(|| terminal(std::io::stderr())),
    };
    let args: Vec<OsString> = std::env::args_os().collect();
    crash::listen();
    if hook::args(&args).is_some() {
        hooks::deadline::start();
    }
    let mut io = Io::real();
    ExitCode::from(run(args, &env, Timestamp::now(), &mut io))
}

/// The size of the terminal on a stream, or what most are at least.
fn terminal(stream: impl AsFd) -> Terminal {
    let size = terminal_size::terminal_size_of(stream);
    let (columns, rows) = size.map_or((80, 24), |(width, height)| (width.0, height.0));
    Terminal { columns: columns.into(), rows: rows.into() }
}

/// Every command with its arguments and help, for completions and documentation.
pub fn command() -> clap::Command {
    let with_form = |sub: clap::Command| match sub.get_name() {
        "export" => sub,
        _ => sub.arg(cli::form_arg()),
    };
    cli::Cli::command().arg(cli::form_arg().global(false)).mut_subcommands(with_form)
}

fn parse(args: &[OsString]) -> Result<cli::Cli, clap::Error> {
    let mut command = command();
    let matches = command.try_get_matches_from_mut(args)?;
    let mut cli =
        cli::Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
    let form = |of: &ArgMatches| of.try_get_one(cli::FORM).ok().flatten().copied();
    let sub = matches.subcommand().and_then(|(_, of)| form(of));
    cli.global.form = sub.or_else(|| form(&matches)).unwrap_or_default();
    Ok(cli)
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
    let (flags, ground) = (GlobalFlags::default(), &Files);
    let mut desk = Desk { env, flags, now, host: None, lasting: None, ground };
    let cli = match parse(&args) {
        Ok(cli) => cli,
        Err(error) if error.kind() == ErrorKind::DisplayHelp && is_about_all(&args) => {
            let text = help::everyday(&command(), &usage::screen(&desk));
            return usage::answer(&text, &desk, io);
        }
        Err(error) => {
            // Arguments that can't be parsed can still ask for JSON.
            let json = args.iter().any(|arg| arg == "--json");
            let code = usage::report(&error, json, &desk, io);
            // Git would take a small code for a conflict, and our side for its result.
            let is_driver = args.get(1).is_some_and(|arg| arg == "merge-file");
            return if is_driver && code != failure::DONE { STOP } else { code };
        }
    };
    if let Some(cli::Command::MergeFile(args)) = &cli.command {
        return crash::caught(|| commands::merge_file::run(args, env, io)).unwrap_or(STOP);
    }
    let json = cli.global.json;
    desk.flags = cli.global.into();
    io.remarks = desk.remarks();
    io.is_read_by_agent = desk.is_read_by_agent();
    let outcome = crash::caught_fail(|| match cli.command {
        // It runs commands itself, so it is none of them.
        Some(cli::Command::Ui(args)) => {
            desk.flags.author = desk.git_author();
            ui::run(&args, &desk, io)
        }
        command => commands::dispatch(command.unwrap_or(cli::Command::Status), desk, io),
    });
    failure::report(outcome, json, io)
}

/// Help about no command.
fn is_about_all(args: &[OsString]) -> bool {
    let command = command();
    let is_command =
        |word: &OsString| word.to_str().is_some_and(|it| command.find_subcommand(it).is_some());
    !args.iter().skip(1).any(is_command)
}
