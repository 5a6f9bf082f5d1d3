//! What a developer runs, as `cargo xtask <command>`. It knows the repository, never the program's insides.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a developer's tool talks to the terminal"
)]

mod bench;
mod browser;
mod ci;
mod clients;
mod docs;
mod failure;
mod nightly;
mod package;
mod pg;
mod process;
mod replay;
mod scoreboard;
mod site;
mod tidy;
mod workspace;

use std::path::Path;
use std::process::ExitCode;

use crate::failure::Failure;

/// One row per command: to add a command, write its module and a row here.
const COMMANDS: &[Command] = &[
    Command {
        name: "bench",
        about: "ratios beside the disk, /bin/true and grep; --large goes to 100,000 memories",
        run: bench::run,
    },
    Command {
        name: "browser",
        about: "journeys through the dashboard in chromium; --only NAME, --corpus FILE, --sizes N,N, --pictures FOLDER",
        run: browser::run,
    },
    Command {
        name: "ci",
        about: "everything CI runs; `tests` or `program` runs a half of it",
        run: ci::run,
    },
    Command {
        name: "clients",
        about: "real clients against the server; --only python,typescript,inspector,conformance",
        run: clients::run,
    },
    Command {
        name: "docs",
        about: "rewrite the documents that the program generates",
        run: docs::run,
    },
    Command {
        name: "nightly",
        about: "what takes too long for CI, and the page about it; --minutes N, --only kill,crash,…",
        run: nightly::run,
    },
    Command {
        name: "package",
        about: "archive, wheel, npm, Debian package and lists of one program; --target, --binary, --out, --check",
        run: package::run,
    },
    Command {
        name: "pg",
        about: "PostgreSQL with pgvector for the tests of `crates/pg`, installed or fetched",
        run: pg::run,
    },
    Command {
        name: "replay",
        about: "play the transcripts of a folder through the hooks: DIR [--memories FILE] [--run FILE]",
        run: replay::run,
    },
    Command {
        name: "scoreboard",
        about: "oldhand beside other tools, and the page about it; --page-only, --quick, --only NAMES, --stage NAME",
        run: scoreboard::run,
    },
    Command {
        name: "site",
        about: "the documentation as a site, with mdBook; its links are followed",
        run: site::run,
    },
    Command { name: "tidy", about: "the house rules that no compiler checks", run: tidy::run },
];

struct Command {
    name: &'static str,
    about: &'static str,
    /// Gets the root of the repository and the arguments after the command's name.
    run: fn(&Path, &[String]) -> Result<(), Failure>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((name, rest)) = arguments.split_first() else {
        print_commands();
        return ExitCode::SUCCESS;
    };
    if name == "usage" {
        // How `bench` measures one process; of no use by hand.
        return finish(bench::print_usage(Path::new("."), rest));
    }
    let Some(command) = COMMANDS.iter().find(|command| command.name == name) else {
        eprintln!("error: unknown command: `{name}`");
        print_commands();
        return ExitCode::from(2);
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask is a folder in the repository");
    finish((command.run)(root, rest))
}

fn finish(result: Result<(), Failure>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

fn print_commands() {
    println!("usage: cargo xtask <command>\n");
    for command in COMMANDS {
        println!("  {:<10} {}", command.name, command.about);
    }
}
