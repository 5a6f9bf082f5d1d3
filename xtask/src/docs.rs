//! Rewrites the documents that are generated from the program. A test keeps them current.

use std::path::Path;

use crate::failure::{Failure, refuse_arguments};
use crate::process;

pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    refuse_arguments(arguments)?;
    let words = ["test", "--quiet", "--package", "oldhand-devtools", "--test", "generated"];
    let mut command = process::cargo(root, &words);
    command.env("OLDHAND_UPDATE", "1");
    process::run(command)
}
