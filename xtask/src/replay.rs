//! Plays real sessions through the hooks and reports what came of them.

use std::path::Path;

use crate::failure::Failure;
use crate::process;

pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    let words = ["run", "--release", "--quiet", "--package", "oldhand-devtools", "--", "--replay"];
    let mut command = process::cargo(root, &words);
    command.args(arguments);
    process::run(command)
}
