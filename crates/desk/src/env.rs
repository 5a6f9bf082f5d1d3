//! The world as one command sees it: passed in, so that a test runs the whole program in process.

use std::collections::BTreeMap;
use std::path::PathBuf;

use oldhand_store::disk::Disk;
use oldhand_store::ulid::Entropy;

pub struct Env<'a> {
    pub vars: BTreeMap<String, String>,
    pub current_dir: PathBuf,
    pub disk: &'a dyn Disk,
    pub entropy: &'a dyn Entropy,
    /// A person can be asked.
    pub interactive: bool,
}

impl Env<'_> {
    pub fn var(&self, name: &str) -> Option<&str> {
        self.vars.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }
}
