//! The world as one command sees it: passed in, so that a test runs the whole program in process.

use std::collections::BTreeMap;
use std::path::PathBuf;

use oldhand_store::disk::Disk;
use oldhand_store::ulid::Entropy;

/// The variables in which hosts name the project of a session.
const PROJECT_VARIABLES: &[&str] =
    &["CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CURSOR_PROJECT_DIR"];

pub struct Env<'a> {
    pub vars: BTreeMap<String, String>,
    pub current_dir: PathBuf,
    pub disk: &'a dyn Disk,
    pub entropy: &'a dyn Entropy,
    /// A person can be asked.
    pub interactive: bool,
    /// The terminal that the answer goes to; none for pipes and files.
    pub terminal: Option<Terminal>,
    /// The terminal that remarks and errors go to.
    pub remarks: Option<Terminal>,
}

/// The size of a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terminal {
    pub columns: usize,
    pub rows: usize,
}

impl Env<'_> {
    pub fn var(&self, name: &str) -> Option<&str> {
        self.vars.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// The folder that a host names, or its project; none if a store is named explicitly.
    pub fn named_project(&self, folder: Option<&str>) -> Option<PathBuf> {
        let variables = PROJECT_VARIABLES.iter().filter_map(|name| self.var(name));
        let mut named = folder.into_iter().chain(variables).map(PathBuf::from);
        let named = named.find(|folder| folder.is_absolute() && folder.is_dir());
        named.filter(|_| self.var("OLDHAND_ROOT").is_none())
    }
}
