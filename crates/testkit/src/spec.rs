//! Runs the specifications in `specs/`: Markdown files whose headings are scenarios and whose
//! fenced blocks are files, commits and commands with the output they must have.
//! It owns the format; what `oldhand` does is a function that the caller hands in.
//!
//! ````markdown
//! ## What holds, for a reader (R34 R36)
//! ```file path/of/file
//! its text
//! ```
//! ```append path/of/file
//! more text
//! ```
//! ```git 2026-06-02T10:00:00Z
//! src/pay.rs: subject of a commit that adds a line to the file
//! ```
//! ```console
//! $ oldhand search 'two words' < path
//! ...
//! a line of output with [..] in it
//! ! a line of standard error
//! [exit 1]
//! ```
//! ````
//!
//! A scenario starts in an empty repository with a home beside it, `<repo>` and `<home>` both in
//! what is written and in what comes out, on 2026-11-15 at noon. A part `*` of a path below `<home>`
//! stands for the one name that is there. Besides `oldhand` there are `clock`, `cat`, `ls`, `rm`,
//! `mv`, `mkdir`, `write`, `git` and `env`, see `scenario`.

use std::fs;
use std::path::Path;

mod align;
mod compare;
mod parse;
mod scenario;
#[cfg(test)]
mod tests;
mod words;

use parse::{Block, ScenarioText, Step};
use scenario::Scenario;

/// One `oldhand` command of a scenario.
#[derive(Debug, Clone, Copy)]
pub struct Invocation<'a> {
    /// The words after `oldhand`.
    pub args: &'a [String],
    /// The scenario's repository.
    pub cwd: &'a Path,
    pub home: &'a Path,
    /// The whole environment: the search path, what keeps git to itself, and what `env` set.
    pub env: &'a [(String, String)],
    pub stdin: &'a [u8],
    pub now: jiff::Timestamp,
    /// 1 for the scenario's first `oldhand` command, 2 for the next.
    pub seed: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Output {
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub code: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpecReport {
    pub scenarios: usize,
    pub commands: usize,
}

/// What stands for `oldhand`.
pub type Program<'a> = &'a dyn Fn(&Invocation) -> Output;

/// Runs every scenario of a file. The error is one text for people: each command whose output is
/// not the expected one, with `file:line`, its scenario and the difference. With `update` the file
/// gets the output instead, but for expected lines and wildcards that still match, and only what
/// cannot be expected, such as an unknown command, is an error.
pub fn run_file(path: &Path, program: Program, update: bool) -> Result<SpecReport, String> {
    let name = path.display();
    let text = fs::read_to_string(path)
        .map_err(|error| format!("could not read the specification `{name}`: {error}"))?;
    let scenarios = parse::scenarios(&text).map_err(|problem| problem.at(path))?;
    let (mismatches, problems) = (Vec::new(), Vec::new());
    let mut run = Run { path, program, heading: "", commands: 0, mismatches, problems };
    for scenario in &scenarios {
        run.scenario(scenario);
    }
    let report = SpecReport { scenarios: scenarios.len(), commands: run.commands };
    if !run.problems.is_empty() {
        return Err(run.problems.join("\n"));
    }
    if run.mismatches.is_empty() {
        return Ok(report);
    }
    if !update {
        let shown: Vec<String> =
            run.mismatches.iter().map(|mismatch| mismatch.show(path)).collect();
        return Err(shown.join("\n"));
    }
    fs::write(path, updated(&text, &run.mismatches))
        .map_err(|error| format!("could not write the specification `{name}`: {error}"))?;
    Ok(report)
}

/// A statement about one line of a specification that cannot be run as it stands.
struct Problem {
    line: usize,
    text: String,
}

impl Problem {
    fn at(&self, path: &Path) -> String {
        format!("{}:{}: {}", path.display(), self.line, self.text)
    }
}

struct Mismatch<'a> {
    /// The heading of its scenario.
    heading: &'a str,
    step: &'a Step,
    found: Vec<String>,
}

impl Mismatch<'_> {
    fn show(&self, path: &Path) -> String {
        let difference = compare::difference(&self.step.expected, &self.found);
        let Step { line, command, .. } = self.step;
        format!("{}:{line}: {}\n    $ {command}\n{difference}", path.display(), self.heading)
    }
}

struct Run<'a> {
    path: &'a Path,
    program: Program<'a>,
    /// Of the scenario that runs.
    heading: &'a str,
    commands: usize,
    mismatches: Vec<Mismatch<'a>>,
    problems: Vec<String>,
}

impl<'a> Run<'a> {
    /// A scenario ends at its first problem, since nothing after it would mean anything; after a
    /// mismatch it goes on.
    fn scenario(&mut self, text: &'a ScenarioText) {
        let mut scenario = match Scenario::new() {
            Ok(scenario) => scenario,
            Err(text) => return self.problems.push(text),
        };
        self.heading = &text.heading;
        for block in &text.blocks {
            if let Err(problem) = self.block(&mut scenario, block) {
                return self.problems.push(problem.at(self.path));
            }
        }
    }

    fn block(&mut self, scenario: &mut Scenario, block: &'a Block) -> Result<(), Problem> {
        let at_block = |text| Problem { line: block.line(), text };
        match block {
            Block::File { path, text, .. } => scenario.write(path, text).map_err(at_block),
            Block::Memory { path, text, .. } => scenario.remember(path, text).map_err(at_block),
            Block::Append { path, text, .. } => scenario.append(path, text).map_err(at_block),
            Block::Git { at, commits, .. } => {
                commits.iter().try_for_each(|commit| scenario.commit(*at, commit)).map_err(at_block)
            }
            Block::Console { steps, fence, .. } => {
                steps.iter().try_for_each(|step| self.step(scenario, step, fence))
            }
        }
    }

    fn step(
        &mut self,
        scenario: &mut Scenario,
        step: &'a Step,
        fence: &str,
    ) -> Result<(), Problem> {
        let problem = |text| Problem { line: step.line, text };
        self.commands += 1;
        let output = scenario.execute(&step.command, self.program).map_err(problem)?;
        let found = compare::rendered(&output);
        if compare::matches(&step.expected, &found) {
            return Ok(());
        }
        if found.iter().any(|line| parse::closes(line, fence)) {
            return Err(problem("the output would end its block: use a longer fence".to_owned()));
        }
        self.mismatches.push(Mismatch { heading: self.heading, step, found });
        Ok(())
    }
}

/// The text with the expected output of these steps, which are in order, replaced.
fn updated(text: &str, mismatches: &[Mismatch]) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut result = String::new();
    let mut kept = 0;
    for Mismatch { step, found, .. } in mismatches {
        // `step.line` is 1-based, so it is also the place of the line after the command.
        result.extend(lines[kept..step.line].iter().copied());
        for line in compare::merged(&step.expected, found) {
            result.push_str(&line);
            result.push('\n');
        }
        kept = step.line + step.expected.len();
    }
    result.extend(lines[kept..].iter().copied());
    result
}
