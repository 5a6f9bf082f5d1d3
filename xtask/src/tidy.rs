//! The house rules that no compiler checks. Each rule is a pure function from the tree to violations, in a file of
//! its own; this file loads the tree, asks every rule and prints.

mod coverage;
mod cycles;
mod documents;
mod edges;
mod forgotten;
mod purity;
mod rust;
mod sizes;
mod style;
mod tree;

use std::fmt;
use std::path::Path;

use crate::failure::{Failure, refuse_arguments};
use crate::workspace::Workspace;
pub(crate) use documents::resolve;
use tree::Tree;

pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    refuse_arguments(arguments)?;
    let tree = Tree::load(root)?;
    let workspace = Workspace::load(root)?;
    let mut violations = [
        edges::check(&workspace),
        style::check(&tree),
        purity::check(&tree),
        forgotten::check(&tree),
        coverage::check(&tree),
        cycles::check(&tree),
        sizes::check(&tree),
        documents::check(&tree),
        documents::check_crate_list(&tree, &workspace),
    ]
    .concat();
    violations.sort();
    for violation in &violations {
        println!("{violation}");
    }
    match violations.len() {
        0 => Ok(()),
        count => Err(Failure::new(format!("house rules broken: {count}"))),
    }
}

/// One broken rule at one place. The order of the fields is the order of the output.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Violation {
    path: String,
    line: usize,
    message: String,
}

impl Violation {
    fn new(path: &str, line: usize, message: impl Into<String>) -> Violation {
        Violation { path: path.to_owned(), line, message: message.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.message)
    }
}

/// The messages of `violations` as `path:line: message`, for the tests of the rules.
#[cfg(test)]
fn shown(violations: &[Violation]) -> Vec<String> {
    violations.iter().map(ToString::to_string).collect()
}
