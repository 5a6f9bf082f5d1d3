//! Commands for a server of many people: a command line at a desk of its own, answered as JSON.

use std::ffi::OsString;

use oldhand_desk::crash;
use oldhand_desk::desk::{Desk, GlobalFlags};
use oldhand_desk::failure::{self, Fail, Outcome};
use oldhand_desk::printer::Io;

use crate::cli::Command;
use crate::{commands, parse, usage};

/// What a command came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    /// The exit code of the command.
    pub code: u8,
    /// One object with its schema, as `--json` prints it.
    pub json: String,
}

/// Runs a command by its words, with what it reads from standard input. Options of every command are the desk's.
pub fn answer(words: &[String], input: &[u8], desk: &Desk<'_>) -> Answered {
    let (mut out, mut notes) = (Vec::new(), Vec::new());
    let mut io = Io::new(input, &mut out, &mut notes);
    let args: Vec<OsString> =
        std::iter::once("oldhand".into()).chain(words.iter().map(OsString::from)).collect();
    let command = match parse(&args) {
        Ok(cli) => cli.command.unwrap_or(Command::Status),
        Err(error) => {
            let code = usage::report(&error, true, desk, &mut io);
            drop(io);
            return Answered { code, json: String::from_utf8_lossy(&out).into_owned() };
        }
    };
    let outcome = crash::caught_fail(|| {
        let flags = GlobalFlags { json: true, ..desk.flags.clone() };
        let desk = Desk { flags, host: desk.host.clone(), ..*desk };
        run(command, &desk, &mut io)
    });
    let code = failure::report(outcome, true, &mut io);
    drop(io);
    Answered { code, json: String::from_utf8_lossy(&out).into_owned() }
}

/// A command for somebody who may be anywhere.
pub(crate) fn run(command: Command, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    if !desk.ground.has_files() {
        refuse_without_files(&command)?;
    }
    commands::run(command, desk, io)
}

/// What only makes sense beside the files of a store, with what to do instead.
fn refuse_without_files(command: &Command) -> Result<(), Fail> {
    let instead = match command {
        Command::Init
        | Command::Import(_)
        | Command::Export(_)
        | Command::Render { .. }
        | Command::Architecture(_)
        | Command::Gc(_)
        | Command::Reindex
        | Command::Eval(_)
        | Command::Trust(_) => "run it where the repository is checked out, then push",
        Command::Config(_) => "settings are pushed with the repository's `config.toml`",
        Command::Doctor => "whoever runs the server checks its stores with `oldhand-team verify`",
        Command::Hook { .. }
        | Command::Mcp(_)
        | Command::Ui(_)
        | Command::Serve(_)
        | Command::Sync(_)
        | Command::Capture(_)
        | Command::Window(_)
        | Command::Compact(_)
        | Command::CheckTask(_)
        | Command::Edit(_)
        | Command::MergeFile(_)
        | Command::Install(_)
        | Command::Uninstall(_)
        | Command::Plugin(_)
        | Command::Tour
        | Command::Completions { .. } => "run it on your own machine",
        _ => return Ok(()),
    };
    Err(Fail::usage("this store is kept by a server, which has no files for that", instead))
}
