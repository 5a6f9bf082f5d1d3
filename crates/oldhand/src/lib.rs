//! The program: what people and agents type, and what they read. `run` is the whole of it with
//! the world passed in, so that it can be called in process.

mod architecture;
mod capture;
mod cli;
mod closing;
mod commands;
mod compacting;
mod config;
mod conversation;
mod crash;
mod creating;
mod desk;
#[doc(hidden)]
pub mod evaluate;
mod failure;
mod fields;
mod format;
mod hook;
mod input;
mod lasting;
mod mcp;
#[doc(hidden)]
pub mod meaning;
mod neighbours;
mod printer;
mod reading;
mod resuming;
mod session;
mod trusting;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{IsTerminal, Read};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use jiff::Timestamp;
use oldhand_store::disk::{Disk, RealDisk};
use oldhand_store::ulid::{Entropy, SystemEntropy};

pub use printer::Io;

/// The world as one command sees it.
pub struct Env<'a> {
    pub vars: BTreeMap<String, String>,
    pub current_dir: PathBuf,
    pub disk: &'a dyn Disk,
    pub entropy: &'a dyn Entropy,
    /// A person is there to be asked.
    pub interactive: bool,
}

impl Env<'_> {
    pub fn var(&self, name: &str) -> Option<&str> {
        self.vars.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }
}

/// The program with the real world.
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
    if hook_args(&args).is_some() {
        hook::deadline::start();
    }
    let mut io = Io::real();
    ExitCode::from(run(args, &env, Timestamp::now(), &mut io))
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
    if let Some(hook) = hook_args(&args) {
        return crash::caught(|| hook::run(&hook, env, now, io)).unwrap_or(failure::DONE);
    }
    let cli = match cli::Cli::try_parse_from(&args) {
        Ok(cli) => cli,
        Err(error) => {
            // Words that can't be parsed can still say how to be answered.
            let json = args.iter().any(|arg| arg == "--json");
            return failure::report_usage(&error, json, io);
        }
    };
    let json = cli.global.json;
    let outcome = crash::caught(|| commands::dispatch(cli, env, now, io));
    failure::report(outcome.unwrap_or_else(|why| Err(failure::Fail::Bug(why))), json, io)
}

/// `oldhand hook <host> [--event NAME]`, whatever else may stand there: a hook never fails for its
/// arguments. `None` for every other command, and for a question about this one.
fn hook_args(args: &[OsString]) -> Option<hook::HookArgs> {
    let words: Vec<&str> = args.iter().skip(1).filter_map(|word| word.to_str()).collect();
    let (first, rest) = words.split_first()?;
    if *first != "hook" || rest.iter().any(|word| matches!(*word, "-h" | "--help")) {
        return None;
    }
    let mut hook = hook::HookArgs::default();
    let mut rest = rest.iter();
    while let Some(word) = rest.next() {
        match word.strip_prefix("--event") {
            Some("") => hook.event = rest.next().map(|name| (*name).to_owned()),
            Some(name) => hook.event = name.strip_prefix('=').map(str::to_owned),
            None if hook.host.is_empty() && !word.starts_with('-') => {
                hook.host = (*word).to_owned();
            }
            None => {}
        }
    }
    Some(hook)
}

/// Standard input, read to its end, within a limit.
fn read_limited(input: &mut dyn Read, limit_bytes: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(limit_bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit_bytes {
        let text = format!("more than {limit_bytes} bytes on standard input");
        return Err(std::io::Error::new(std::io::ErrorKind::FileTooLarge, text));
    }
    Ok(bytes)
}
