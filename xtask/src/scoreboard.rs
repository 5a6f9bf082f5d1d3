//! Starts the scoreboard: `evals/scoreboard` measures oldhand beside other tools and writes the page. Here it gets a
//! program to measure.

use std::path::Path;

use crate::failure::Failure;
use crate::process::{self, cargo, program};
use crate::workspace::Workspace;

const RUNNER: &str = "evals/scoreboard/run.py";

pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    let mut command = program(root, "python3", &["-B", RUNNER]);
    let has = |flag| arguments.iter().any(|argument| argument == flag);
    if !["--page-only", "--check", "--binary", "--help"].into_iter().any(has) {
        process::run(cargo(root, &["build", "--profile", "ci", "--package", "oldhand"]))?;
        command.arg("--binary").arg(Workspace::load(root)?.binary("ci"));
    }
    command.args(arguments);
    process::run(command)
}

#[cfg(test)]
mod tests;
