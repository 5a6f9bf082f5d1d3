//! What the page `code` asks for.

use super::Answer;
use super::Named;
use oldhand_charts::map::Folder;

pub trait CodePage {
    /// `path` is empty for the whole repository.
    fn code(&self, path: &str) -> Answer<Code>;
    fn code_json(&self, path: &str) -> Answer<String>;
}

#[derive(Debug, Clone, Default)]
pub struct Code {
    pub path: String,
    pub files: usize,
    pub folders: Vec<Folder>,
    /// The worst first.
    pub memories: Vec<CodeMemory>,
    /// Memories of this folder, shown or not.
    pub total: usize,
    pub unchecked: usize,
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, Default)]
pub struct CodeMemory {
    pub memory: Named,
    pub kind: String,
    pub state: String,
    /// `fresh`, `drifted` and so on.
    pub verdict: String,
    pub tone: &'static str,
    pub reasons: Vec<String>,
    pub paths: Vec<String>,
    pub hash: String,
    /// Its code is not as it was: somebody has to look.
    pub asks: bool,
}
