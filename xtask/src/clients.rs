//! Sessions of real clients against the released program, as `tests/clients` has them. This file says which there
//! are, runs them and prints what came of it; how they get here is in `install`.

pub(crate) mod install;

use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::failure::Failure;
use crate::process::{self, cargo};
use crate::workspace::Workspace;

/// In the order in which they run: what tells most comes first.
const CLIENTS: &[Client] = &[
    Client { name: "rust", runtime: Runtime::Cargo, script: "", transports: &["stdio", "http"] },
    Client {
        name: "python",
        runtime: Runtime::Python,
        script: "day.py",
        transports: &["stdio", "http", TEAM],
    },
    Client {
        name: "typescript",
        runtime: Runtime::Node,
        script: "day.mjs",
        transports: &["stdio", "http", TEAM],
    },
    Client {
        name: "inspector",
        runtime: Runtime::NewNode,
        script: "inspector.mjs",
        transports: &["stdio", "http"],
    },
    Client {
        name: "conformance",
        runtime: Runtime::NewNode,
        script: "conformance.mjs",
        transports: &["http"],
    },
];

/// No transport: a short session with a team server, by a script of its own.
const TEAM: &str = "team";

/// A folder of `tests/clients`: its pins, and the script that takes a program and a transport.
struct Client {
    name: &'static str,
    runtime: Runtime,
    script: &'static str,
    transports: &'static [&'static str],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Runtime {
    Python,
    Node,
    /// Built from its lock file; the program is its own interpreter.
    Cargo,
    /// Newer than what distributions have: installed beside the client where it is missing.
    NewNode,
}

struct Wish {
    clients: Vec<&'static Client>,
    /// A program that is there already, instead of one built now.
    binary: Option<PathBuf>,
    /// The same, of the team server.
    team: Option<PathBuf>,
}

struct Session {
    name: &'static str,
    transport: &'static str,
    seconds: f64,
    is_good: bool,
}

pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    let wish = parse(arguments)?;
    let workspace = Workspace::load(root)?;
    let folder = workspace.target.join("clients");
    install::copy(&root.join("tests/clients"), &folder)?;
    // All of them, before the first runs: what is missing is said at once.
    let mut ready = Vec::new();
    for client in wish.clients {
        ready.push((client, install::ready(&folder, client.name, client.runtime)?));
    }
    let binary = match wish.binary {
        Some(binary) => std::path::absolute(binary)?,
        None => {
            process::run(cargo(root, &["build", "--release"]))?;
            workspace.binary("release")
        }
    };
    let team = match wish.team {
        Some(team) => std::path::absolute(team)?,
        // As tests build it: its sessions are about what it says, not how fast.
        None => {
            process::run(cargo(root, &["build", "--package", "oldhand-team"]))?;
            workspace.binary("debug").with_file_name("oldhand-team")
        }
    };
    let mut sessions = Vec::new();
    for (client, interpreter) in ready {
        for transport in client.transports {
            let (script, binary) = match *transport {
                TEAM => (client.script.replace("day", TEAM), &team),
                _ => (client.script.to_owned(), &binary),
            };
            let mut command = std::process::Command::new(&interpreter);
            if client.runtime != Runtime::Cargo {
                command.arg(folder.join(client.name).join(script));
            }
            command.arg(binary).arg(transport).current_dir(&folder);
            let start = Instant::now();
            // The script has said what was wrong. The others have their say too.
            let is_good = process::run(command).is_ok();
            let seconds = start.elapsed().as_secs_f64();
            sessions.push(Session { name: client.name, transport, seconds, is_good });
        }
    }
    tell(&sessions)
}

fn parse(arguments: &[String]) -> Result<Wish, Failure> {
    let mut wish = Wish { clients: CLIENTS.iter().collect(), binary: None, team: None };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match (argument.as_str(), rest.next()) {
            ("--only", Some(names)) => {
                wish.clients = names.split(',').map(named).collect::<Result<_, _>>()?;
            }
            ("--binary", Some(file)) => wish.binary = Some(file.into()),
            ("--team", Some(file)) => wish.team = Some(file.into()),
            (flag @ ("--only" | "--binary" | "--team"), None) => {
                return Err(Failure::new(format!("`{flag}` needs a value")));
            }
            (other, _) => return Err(Failure::new(format!("unexpected argument: `{other}`"))),
        }
    }
    Ok(wish)
}

fn named(name: &str) -> Result<&'static Client, Failure> {
    CLIENTS.iter().find(|client| client.name == name).ok_or_else(|| {
        let names: Vec<_> = CLIENTS.iter().map(|client| client.name).collect();
        Failure::new(format!("no client is called `{name}`"))
            .hint(format!("there are {}", names.join(", ")))
    })
}

fn tell(sessions: &[Session]) -> Result<(), Failure> {
    println!("\n{:<12} {:<9} {:<6} {:>7}", "client", "transport", "result", "seconds");
    for Session { name, transport, seconds, is_good } in sessions {
        let result = if *is_good { "ok" } else { "FAILED" };
        println!("{name:<12} {transport:<9} {result:<6} {seconds:>7.1}");
    }
    match sessions.iter().filter(|session| !session.is_good).count() {
        0 => Ok(()),
        count => Err(Failure::new(format!("sessions of clients failed: {count}"))
            .hint("`--only <client>` runs one; the lines above its `FAILED` say how far it came")),
    }
}

#[cfg(test)]
mod tests;
