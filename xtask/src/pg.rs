//! PostgreSQL with pgvector for the tests that need one: `crates/postgres` makes it below `target/pg`.

use std::fs;
use std::path::Path;

use crate::failure::{Failure, refuse_arguments};
use crate::workspace::Workspace;

/// Folders of tests that each start a server of their own.
const TESTS: [&str; 4] = [
    "crates/pg/tests/it",
    "crates/team/tests/door",
    "crates/team/tests/it",
    "crates/team/tests/sync",
];

pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    refuse_arguments(arguments)?;
    let folder = Workspace::load(root)?.target.join("pg");
    let bin = oldhand_postgres::make(&folder, &mut |what| println!("{what}"));
    let bin = bin.map_err(|it| Failure::new(it.message).hint(it.hint))?;
    println!("programs: {}", bin.display());
    Ok(())
}

/// The names of the tests that need it, for whoever can't run them.
pub(crate) fn names(root: &Path) -> Result<Vec<String>, Failure> {
    let mut names = Vec::new();
    for folder in TESTS {
        for entry in fs::read_dir(root.join(folder))? {
            let path = entry?.path();
            let text = if path.is_file() { fs::read(&path)? } else { Vec::new() };
            let text = String::from_utf8_lossy(&text);
            let name = |part: &str| Some(part.split_once("\", ")?.0.to_owned());
            let is_name = |it: &String| it.contains("::") && !it.contains([' ', '"']);
            names.extend(text.split("(\"").skip(1).filter_map(name).filter(is_name));
        }
    }
    names.sort();
    Ok(names)
}
