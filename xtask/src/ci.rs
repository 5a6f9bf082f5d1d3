//! Everything CI runs. CI itself runs nothing else, so green here is green there.
//!
//! The workspace is built once, with the linter as its compiler: linting, testing and trying the program from outside
//! need the same build. Then two lanes run at once: one runs the tests, the other tries the program from outside.

use std::fs::File;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use crate::failure::Failure;
use crate::process::{self, cargo, program};
use crate::tidy;
use crate::workspace::Workspace;

struct Step {
    name: &'static str,
    run: fn(&Path) -> Result<Outcome, Failure>,
}

/// Seconds long; nothing else is begun if one of them fails.
const FIRST: &[Step] = &[
    Step { name: "tools", run: tools },
    Step { name: "fmt", run: fmt },
    Step { name: "tidy", run: tidy_rules },
];

const BUILD: &[Step] = &[Step { name: "build", run: build }];

/// Said to a lane whose programs are there already.
const BUILT: &str = "--built";

const TESTS: Lane = Lane {
    name: "tests",
    steps: &[Step { name: "postgres", run: postgres }, Step { name: "test", run: test }],
};

const PROGRAM: Lane = Lane {
    name: "program",
    steps: &[
        Step { name: "tour", run: tour },
        Step { name: "package", run: package },
        Step { name: "deny", run: deny },
        Step { name: "typos", run: typos },
        Step { name: "clients", run: clients },
        Step { name: "browser", run: browser },
        Step { name: "site", run: site },
    ],
};

struct Lane {
    name: &'static str,
    steps: &'static [Step],
}

enum Outcome {
    Done,
    /// An optional tool is not installed.
    Skipped(&'static str),
}

/// Without arguments everything; with the name of a lane that one alone.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    let start = Instant::now();
    // Asked now: the build below replaces the file.
    let program = std::env::current_exe()?;
    match arguments {
        [] => {
            run_steps(root, FIRST)?;
            run_steps(root, BUILD)?;
            run_lanes(root, &program)?;
        }
        [name, built] if name == PROGRAM.name && built == BUILT => {
            return run_steps(root, PROGRAM.steps);
        }
        [name] if name == TESTS.name => run_alone(root, &TESTS)?,
        [name] if name == PROGRAM.name => run_alone(root, &PROGRAM)?,
        [other, ..] => {
            return Err(Failure::new(format!("unknown part of ci: `{other}`"))
                .hint(format!("there are `{}` and `{}`", TESTS.name, PROGRAM.name)));
        }
    }
    println!("ci: all green in {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// Runs one lane here and the other in a process of its own, whose output is shown when both are done. Each runs to
/// its end, so that one run says everything that is wrong.
fn run_lanes(root: &Path, program: &Path) -> Result<(), Failure> {
    let log = Workspace::load(root)?.target.join("ci-program.log");
    let output = File::create(&log)?;
    let mut command = Command::new(program);
    command.args(["ci", PROGRAM.name, BUILT]).stdout(output.try_clone()?).stderr(output);
    println!("ci: {} runs beside, see {}", PROGRAM.name, log.display());
    let mut beside = command.spawn()?;
    let tests = run_steps(root, TESTS.steps);
    let status = beside.wait()?;
    print!("{}", String::from_utf8_lossy(&std::fs::read(&log)?));
    tests?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::new(format!("ci failed: `{}`", PROGRAM.name))
        .hint(format!("`cargo xtask ci {}` runs it alone", PROGRAM.name)))
}

fn run_alone(root: &Path, lane: &Lane) -> Result<(), Failure> {
    run_steps(root, BUILD)?;
    run_steps(root, lane.steps)
}

fn run_steps(root: &Path, steps: &[Step]) -> Result<(), Failure> {
    for step in steps {
        println!("ci: {}", step.name);
        let start = Instant::now();
        let outcome = (step.run)(root);
        let seconds = start.elapsed().as_secs_f64();
        match outcome {
            Ok(Outcome::Done) => println!("ci: {}: done in {seconds:.1} s", step.name),
            Ok(Outcome::Skipped(why)) => println!("ci: {}: skipped, {why}", step.name),
            Err(failure) => {
                println!("ci: {}: failed after {seconds:.1} s", step.name);
                return Err(failure);
            }
        }
    }
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

/// Everything that tests and programs are made of. `cargo clippy` alone would read all of it a second time, as would
/// an optimised program; documentation and releases are built at night.
fn build(root: &Path) -> Result<Outcome, Failure> {
    process::run(linted(root, &["test", "--workspace", "--all-targets", "--no-run"]))?;
    Ok(Outcome::Done)
}

/// cargo with the linter as compiler of our own crates: what `cargo clippy -- -D warnings` does, but the result runs.
fn linted(root: &Path, arguments: &[&str]) -> Command {
    let mut command = cargo(root, arguments);
    command.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver");
    command.env("CLIPPY_ARGS", "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__");
    command
}

/// What the tests of `crates/pg` run on. Without it they are named as ignored, and never count as passed.
fn postgres(root: &Path) -> Result<Outcome, Failure> {
    match crate::pg::run(root, &[]) {
        Ok(()) => Ok(Outcome::Done),
        Err(failure) => {
            println!("{failure}");
            for name in crate::pg::names(root)? {
                println!("not run: {name}");
            }
            Ok(Outcome::Skipped("there is no PostgreSQL here"))
        }
    }
}

/// nextest where it is installed, because it runs the tests of all crates at once; one more than there are cores,
/// because some tests mostly wait.
fn test(root: &Path) -> Result<Outcome, Failure> {
    if !process::works(cargo(root, &["nextest", "--version"])) {
        process::run(linted(root, &["test", "--workspace", "--all-targets"]))?;
        return Ok(Outcome::Done);
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = format!("--test-threads={}", cores + 1);
    let words = ["nextest", "run", "--workspace", "--all-targets", "--no-fail-fast", &threads];
    process::run(linted(root, &words))?;
    Ok(Outcome::Done)
}

fn tidy_rules(root: &Path) -> Result<Outcome, Failure> {
    tidy::run(root, &[])?;
    Ok(Outcome::Done)
}

/// The programs as the tests have them: what is tried is what they say, not how fast.
const PROFILE: &str = "debug";

/// Real MCP clients, where there is something to run them with.
fn clients(root: &Path) -> Result<Outcome, Failure> {
    for (name, why) in [("python3", "there is no python3 here"), ("npm", "there is no npm here")] {
        if !process::works(program(root, name, &["--version"])) {
            return Ok(Outcome::Skipped(why));
        }
    }
    let binary = Workspace::load(root)?.binary(PROFILE);
    let team = binary.with_file_name("oldhand-team").display().to_string();
    let binary = binary.display().to_string();
    // The Rust client is built for minutes: `cargo xtask clients` runs it too.
    let only = "python,typescript,inspector,conformance";
    let words = ["--only", only, "--binary", &binary, "--team", &team].map(str::to_owned);
    crate::clients::run(root, &words)?;
    Ok(Outcome::Done)
}

/// The dashboard in a real browser. What can't be run is named, and never counts as passed.
fn browser(root: &Path) -> Result<Outcome, Failure> {
    let why = if crate::browser::find(root).is_none() {
        "there is no chromium here"
    } else if !process::works(program(root, "npm", &["--version"])) {
        "there is no npm here"
    } else {
        let binary = Workspace::load(root)?.binary(PROFILE).display().to_string();
        crate::browser::run(root, &["--binary".to_owned(), binary])?;
        return Ok(Outcome::Done);
    };
    for name in crate::browser::names(root)? {
        println!("not run: {name}");
    }
    Ok(Outcome::Skipped(why))
}

/// The program shows itself from start to end, as a user without a home directory would see it.
fn tour(root: &Path) -> Result<Outcome, Failure> {
    let home = tempfile::tempdir()
        .map_err(|error| Failure::new(format!("could not make a temporary directory: {error}")))?;
    let mut command = Command::new(Workspace::load(root)?.binary(PROFILE));
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

/// The program as people without a toolchain get it. What can't be tried here is named, and never counts as passed.
fn package(root: &Path) -> Result<Outcome, Failure> {
    let workspace = Workspace::load(root)?;
    // Half of the program is what a debugger reads, and every package would pack it.
    let (whole, bare) = (workspace.binary(PROFILE), workspace.target.join("ci-package-oldhand"));
    let words = ["-o", &bare.display().to_string(), &whole.display().to_string()];
    let binary = if process::works(program(root, "strip", &words)) { bare } else { whole };
    let words = ["--check", "--binary", &binary.display().to_string()].map(str::to_owned);
    crate::package::run(root, &words)?;
    Ok(Outcome::Done)
}

/// Links within the repository are checked by `tidy` in any case; what only the site can tell needs its tool.
fn site(root: &Path) -> Result<Outcome, Failure> {
    if !crate::site::is_possible(root) {
        println!("not run: site");
        return Ok(Outcome::Skipped("mdBook is not installed"));
    }
    crate::site::run(root, &[])?;
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
