//! Everything CI runs, one step after the other. CI itself runs nothing else, so green here is green there.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use crate::failure::{Failure, refuse_arguments};
use crate::process::{self, cargo, program};
use crate::workspace::Workspace;
use crate::{docs, tidy};

const STEPS: &[Step] = &[
    Step { name: "tools", run: tools },
    Step { name: "fmt", run: fmt },
    Step { name: "clippy", run: clippy },
    Step { name: "test", run: test },
    Step { name: "tidy", run: tidy_rules },
    Step { name: "doc", run: doc },
    Step { name: "release", run: release },
    Step { name: "tour", run: tour },
    Step { name: "clients", run: clients },
    Step { name: "generated docs", run: generated_docs },
    Step { name: "deny", run: deny },
    Step { name: "typos", run: typos },
];

struct Step {
    name: &'static str,
    run: fn(&Path) -> Result<Outcome, Failure>,
}

enum Outcome {
    Done,
    /// An optional tool is not installed.
    Skipped(&'static str),
}

pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    refuse_arguments(arguments)?;
    let start = Instant::now();
    for step in STEPS {
        println!("ci: {}", step.name);
        let step_start = Instant::now();
        let outcome = (step.run)(root);
        let seconds = step_start.elapsed().as_secs_f64();
        match outcome {
            Ok(Outcome::Done) => println!("ci: {}: done in {seconds:.1} s", step.name),
            Ok(Outcome::Skipped(why)) => println!("ci: {}: skipped, {why}", step.name),
            Err(failure) => {
                println!("ci: {}: failed after {seconds:.1} s", step.name);
                return Err(failure);
            }
        }
    }
    println!("ci: all green in {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// What must be there before anything else makes sense.
fn tools(root: &Path) -> Result<Outcome, Failure> {
    if !process::works(program(root, "git", &["--version"])) {
        return Err(Failure::new("git is not installed").hint("install git and run again"));
    }
    for (subcommand, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if !process::works(cargo(root, &[subcommand, "--version"])) {
            return Err(Failure::new(format!("toolchain component is missing: `{component}`"))
                .hint(format!("rustup component add {component}")));
        }
    }
    Ok(Outcome::Done)
}

fn fmt(root: &Path) -> Result<Outcome, Failure> {
    process::run(cargo(root, &["fmt", "--all", "--check"]))
        .map_err(|failure| failure.hint("run `cargo fmt --all`"))?;
    Ok(Outcome::Done)
}

fn clippy(root: &Path) -> Result<Outcome, Failure> {
    process::run(cargo(root, &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    Ok(Outcome::Done)
}

/// nextest where it is installed, because it runs the tests of all crates at once.
fn test(root: &Path) -> Result<Outcome, Failure> {
    let arguments: &[&str] = if process::works(cargo(root, &["nextest", "--version"])) {
        &["nextest", "run", "--workspace"]
    } else {
        &["test", "--workspace"]
    };
    process::run(cargo(root, arguments))?;
    Ok(Outcome::Done)
}

fn tidy_rules(root: &Path) -> Result<Outcome, Failure> {
    tidy::run(root, &[])?;
    Ok(Outcome::Done)
}

fn doc(root: &Path) -> Result<Outcome, Failure> {
    let mut command = cargo(root, &["doc", "--workspace", "--no-deps"]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    process::run(command)?;
    Ok(Outcome::Done)
}

fn release(root: &Path) -> Result<Outcome, Failure> {
    process::run(cargo(root, &["build", "--release"]))?;
    Ok(Outcome::Done)
}

/// Real MCP clients, where there is something to run them with.
fn clients(root: &Path) -> Result<Outcome, Failure> {
    for (name, why) in [("python3", "there is no python3 here"), ("npm", "there is no npm here")] {
        if !process::works(program(root, name, &["--version"])) {
            return Ok(Outcome::Skipped(why));
        }
    }
    let binary = Workspace::load(root)?.release_binary();
    // The Rust client is built for minutes: `cargo xtask clients` runs it too.
    let only = "python,typescript,inspector,conformance";
    let words = ["--only", only, "--binary", &binary.display().to_string()].map(str::to_owned);
    crate::clients::run(root, &words)?;
    Ok(Outcome::Done)
}

/// The released program shows itself from start to end, as a user without a home directory would see it.
fn tour(root: &Path) -> Result<Outcome, Failure> {
    let home = tempfile::tempdir()
        .map_err(|error| Failure::new(format!("could not make a temporary directory: {error}")))?;
    let mut command = Command::new(Workspace::load(root)?.release_binary());
    command.arg("tour").current_dir(home.path()).env("HOME", home.path());
    for variable in
        ["OLDHAND_ROOT", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"]
    {
        command.env_remove(variable);
    }
    let output = process::capture(command)?;
    if output.trim().is_empty() {
        return Err(Failure::new("`oldhand tour` printed nothing"));
    }
    Ok(Outcome::Done)
}

fn generated_docs(root: &Path) -> Result<Outcome, Failure> {
    docs::check(root, &Workspace::load(root)?.release_binary())?;
    Ok(Outcome::Done)
}

/// Advisories are left out: they need the network, and news from outside must not turn an old commit red.
fn deny(root: &Path) -> Result<Outcome, Failure> {
    if !process::works(cargo(root, &["deny", "--version"])) {
        return Ok(Outcome::Skipped("cargo-deny is not installed"));
    }
    process::run(cargo(root, &["deny", "check", "bans", "licenses", "sources"]))?;
    Ok(Outcome::Done)
}

fn typos(root: &Path) -> Result<Outcome, Failure> {
    if !process::works(program(root, "typos", &["--version"])) {
        return Ok(Outcome::Skipped("typos is not installed"));
    }
    process::run(program(root, "typos", &[]))?;
    Ok(Outcome::Done)
}

/// The sweeps that CI runs small, run large.
pub(crate) fn kill(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    refuse_arguments(arguments)?;
    let mut command =
        cargo(root, &["test", "-p", "oldhand", "--test", "it", "kill", "--", "--nocapture"]);
    command.env("OLDHAND_KILL", "long");
    process::run(command)
}
