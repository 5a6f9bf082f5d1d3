//! The `oldhand-team` program.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use jiff::Timestamp;
use oldhand_desk::desk::{Desk, GlobalFlags};
use oldhand_desk::env::Env;
use oldhand_desk::files::Files;
use oldhand_desk::printer::Io;
use oldhand_desk::{crash, failure};
use oldhand_store::disk::RealDisk;
use oldhand_store::ulid::SystemEntropy;
use oldhand_team::admin::cli::{AdminArgs, MigrateArgs, report};
use oldhand_team::admin::indexes::IndexesArgs;
use oldhand_team::serve::ServeArgs;
use oldhand_team::sync::args::SyncArgs;

/// The team server, and what keeps repositories and machines together with it
#[derive(Debug, Parser)]
#[command(name = "oldhand-team", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Admin(AdminArgs),
    Indexes(IndexesArgs),
    Migrate(MigrateArgs),
    Serve(Box<ServeArgs>),
    Sync(SyncArgs),
}

fn main() -> ExitCode {
    match Cli::parse().command {
        Command::Admin(args) => report(args.is_json(), args.run()),
        Command::Indexes(args) => report(false, args.run()),
        Command::Migrate(args) => report(false, args.run()),
        Command::Serve(args) => args.run(),
        Command::Sync(args) => synced(args),
    }
}

/// Runs where the repository is.
fn synced(args: SyncArgs) -> ExitCode {
    let vars: BTreeMap<String, String> = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect();
    let env = Env {
        vars,
        current_dir: std::env::current_dir().unwrap_or_else(|_| PathBuf::from(".")),
        disk: &RealDisk,
        entropy: &SystemEntropy,
        interactive: std::io::stdin().is_terminal() && std::io::stdout().is_terminal(),
        terminal: None,
        remarks: None,
    };
    crash::listen();
    let now = Timestamp::now();
    let (flags, ground) = (GlobalFlags::default(), &Files);
    let desk = Desk { env: &env, flags, now, host: None, lasting: None, ground };
    let mut io = Io::real();
    let json = args.is_json();
    let outcome = crash::caught_fail(|| args.run(desk, &mut io));
    ExitCode::from(failure::report(outcome, json, &mut io))
}
