//! Mutation tests of the write path: cargo-mutants changes a line, and a test of its crate should fail. The order is
//! random, so what fits into the time is a sample.

use std::path::PathBuf;
use std::process::Command;

use super::Night;
use super::children::{End, run_until, tail};
use super::record::Record;
use crate::failure::Failure;
use crate::process::{capture, cargo, works};

const PACKAGES: [&str; 2] = ["oldhand-core", "oldhand-store"];

/// What decides and carries out a write.
const FILES: [&str; 5] = [
    "crates/core/src/write.rs",
    "crates/core/src/write/**",
    "crates/core/src/lifecycle.rs",
    "crates/store/src/vault.rs",
    "crates/store/src/vault/**",
];

/// The tests of each crate, so that the night does not begin with building what they depend on.
pub(super) fn build(night: &Night) -> Result<(), Failure> {
    if !works(cargo(&night.root, &["mutants", "--version"])) {
        return Err(Failure::new("cargo-mutants is not installed")
            .hint("cargo install cargo-mutants --locked"));
    }
    for package in PACKAGES {
        capture(in_target(night, cargo(&night.root, &["test", "--no-run", "-p", package])))?;
    }
    Ok(())
}

fn folder(night: &Night) -> PathBuf {
    night.folder.join("mutants")
}

fn in_target(night: &Night, mut command: Command) -> Command {
    command
        .env("CARGO_TARGET_DIR", folder(night).join("target"))
        .env_remove("CARGO_BUILD_BUILD_DIR");
    command
}

fn mutants(night: &Night, more: &[&str]) -> Command {
    let mut command = cargo(&night.root, &["mutants"]);
    PACKAGES.iter().for_each(|package| {
        command.args(["--package", package]);
    });
    FILES.iter().for_each(|file| {
        command.args(["--file", file]);
    });
    command.args(more);
    in_target(night, command)
}

pub(super) fn run(night: &Night, record: &mut Record) -> Result<(), Failure> {
    record.unit = "mutants";
    let all = capture(mutants(night, &["--list"]))?.lines().count();
    let folder = folder(night);
    std::fs::create_dir_all(&folder)?;
    // The tests run once without a change: if they fail by themselves, they catch nothing.
    let words =
        ["--jobs", "1", "--timeout", "300", "--build-timeout", "900", "--test-tool", "nextest"];
    let mut command = mutants(night, &words);
    // The corpora that fuzzing changes meanwhile are not copied.
    command.args(["--gitignore", "true", "--shuffle", "--output"]).arg(&folder);
    let log = night.folder.join("mutants.log");
    let end = run_until(command, night.until, &log)?;
    let lines = |name: &str| -> Vec<String> {
        let text =
            std::fs::read_to_string(folder.join("mutants.out").join(name)).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    };
    let [caught, missed, timeout, unviable] =
        ["caught.txt", "missed.txt", "timeout.txt", "unviable.txt"].map(lines);
    record.tried = [&caught, &missed, &timeout].iter().map(|it| it.len() as u64).sum();
    if record.tried == 0 && matches!(end, End::Exited(_)) {
        return Err(Failure::new(format!("cargo-mutants tried nothing: {}", tail(&log)?)));
    }
    record.notes.push(format!(
        "{} caught, {} ended by a timeout, {} missed; {} did not compile. There are {all} in all.",
        caught.len(),
        timeout.len(),
        missed.len(),
        unviable.len()
    ));
    record.findings = missed;
    Ok(())
}
