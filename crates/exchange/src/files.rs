//! The files that somebody read for us, in the order of their paths.

use jiff::Timestamp;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SourceFile {
    /// Below the repository with `/`, or beginning with `~/`, or below the named source's own folder. Never
    /// absolute.
    pub path: String,
    pub content: Content,
    /// When git first saw it, or else when it was last changed.
    pub dated: Option<Timestamp>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    Bytes(Vec<u8>),
    /// A database, read by somebody who can.
    Tables(Vec<Table>),
}

impl Default for Content {
    fn default() -> Self {
        Self::Bytes(Vec::new())
    }
}

/// The rows of a table, each value as JSON: text, numbers, null.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Table {
    pub name: String,
    pub columns: Vec<String>,
    pub rows: Vec<Vec<serde_json::Value>>,
}

#[derive(Debug, Clone, Default)]
pub struct Files(Vec<SourceFile>);

impl Files {
    pub fn new(mut files: Vec<SourceFile>) -> Self {
        files.sort_by(|one, other| one.path.cmp(&other.path));
        Self(files)
    }

    pub fn iter(&self) -> impl Iterator<Item = &SourceFile> {
        self.0.iter()
    }

    pub fn get(&self, path: &str) -> Option<&SourceFile> {
        self.0.binary_search_by(|file| file.path.as_str().cmp(path)).ok().map(|at| &self.0[at])
    }

    /// Those below a folder; all of them below the empty one.
    pub fn below<'a>(&'a self, folder: &'a str) -> impl Iterator<Item = &'a SourceFile> {
        self.0.iter().filter(move |file| {
            folder.is_empty()
                || file.path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
        })
    }
}
