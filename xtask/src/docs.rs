//! The documents that the program writes about itself. They are committed, so that they can be read without building.

use std::path::Path;
use std::process::Command;

use crate::failure::{Failure, refuse_arguments};
use crate::process;

/// Topic of the program's `docs` command, and the file that keeps its answer.
const GENERATED: &[(&str, &str)] = &[("cli", "docs/cli.md"), ("config", "docs/config.md")];

/// Rewrites every generated document.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    refuse_arguments(arguments)?;
    for (topic, file) in GENERATED {
        let text = process::capture(process::cargo(
            root,
            &["run", "--quiet", "--package", "oldhand", "--", "docs", topic],
        ))?;
        std::fs::write(root.join(file), text)
            .map_err(|error| Failure::new(format!("could not write `{file}`: {error}")))?;
        println!("wrote {file}");
    }
    Ok(())
}

/// Compares every generated document with what `binary` prints today.
pub(crate) fn check(root: &Path, binary: &Path) -> Result<(), Failure> {
    let mut outdated = Vec::new();
    for (topic, file) in GENERATED {
        let mut command = Command::new(binary);
        command.args(["docs", topic]).current_dir(root);
        let wanted = process::capture(command)?;
        // A missing document is an outdated one, and the remedy is the same.
        let found = std::fs::read_to_string(root.join(file)).unwrap_or_default();
        if let Some(line) = first_difference(&found, &wanted) {
            println!("{file}:{line}: differs from `oldhand docs {topic}`");
            outdated.push(*file);
        }
    }
    if outdated.is_empty() {
        return Ok(());
    }
    Err(Failure::new(format!("generated documents are outdated: {}", outdated.join(", ")))
        .hint("run `cargo xtask docs` and commit the result"))
}

/// The first line, counted from one, where two texts differ.
fn first_difference(found: &str, wanted: &str) -> Option<usize> {
    if found == wanted {
        return None;
    }
    let same = found
        .split('\n')
        .zip(wanted.split('\n'))
        .take_while(|(found, wanted)| found == wanted)
        .count();
    Some(same + 1)
}

#[cfg(test)]
mod tests;
