//! What a check looks at, and which of them make up for another.

use crate::working::command::Command;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Aim {
    Format,
    Lint,
    Build,
    Test,
}

/// A check by its program and what it is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Check {
    program: String,
    aim: Aim,
}

/// They run whatever they are told to, so that another program may do the same.
const RUNNERS: &[&str] = &[
    "make",
    "mise",
    "just",
    "task",
    "npm",
    "pnpm",
    "yarn",
    "bun",
    "rake",
    "bazel",
    "nx",
    "turbo",
    "pre-commit",
    "tox",
    "nox",
    "hatch",
    "invoke",
];
const LINTERS: &[&str] = &[
    "eslint",
    "ruff",
    "golangci-lint",
    "shellcheck",
    "rubocop",
    "pylint",
    "flake8",
    "biome",
    "pre-commit",
];
const COMPILERS: &[&str] = &["tsc", "mypy", "pyright", "ninja"];

impl Check {
    pub(super) fn of(command: &Command<'_>) -> Option<Self> {
        if !command.is_check() {
            return None;
        }
        let has = |words: &[&str]| {
            command.object.split([':', '-', '.', '_']).any(|part| words.contains(&part))
        };
        let aim = if has(&["fmt", "format"]) {
            Aim::Format
        } else if has(&["lint", "clippy"]) || LINTERS.contains(&command.program) {
            Aim::Lint
        } else if has(&["test", "tests", "t", "nextest", "ci", "verify"]) {
            Aim::Test
        } else if has(&["build", "check", "compile", "vet", "typecheck", "tsc"])
            || COMPILERS.contains(&command.program)
        {
            Aim::Build
        } else {
            Aim::Test
        };
        Some(Self { program: command.program.to_owned(), aim })
    }

    /// What passed shows that the other would pass too: tests are built before they run.
    pub(super) fn makes_up_for(&self, other: &Self) -> bool {
        let is_runner = |it: &Self| RUNNERS.contains(&it.program.as_str());
        let is_same = self.program == other.program || is_runner(self) || is_runner(other);
        let is_wide = self.aim == other.aim || self.aim == Aim::Test && other.aim == Aim::Build;
        is_same && is_wide
    }

    /// A command line that ends with a check: what stands before it passed, or was tried first.
    pub(super) fn last_of(line: &str) -> Option<Self> {
        let parts = line.split("&&").map(Command::of);
        let last = parts.filter(|it| !matches!(it.program, "" | "echo" | "cd")).last()?;
        Self::of(&last)
    }
}
