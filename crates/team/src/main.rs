//! The `oldhand-team` program.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use oldhand_team::admin::cli::{AdminArgs, MigrateArgs, report};

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
    Migrate(MigrateArgs),
}

fn main() -> ExitCode {
    match Cli::parse().command {
        Command::Admin(args) => report(args.is_json(), args.run()),
        Command::Migrate(args) => report(false, args.run()),
    }
}
