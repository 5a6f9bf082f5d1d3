//! Which documents may have to follow a change (R174): those that name what changed and were not
//! touched themselves.

use super::change::FileChange;
use crate::architecture::tree::COMMON_NAMES;
use oldhand_text::table;

#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DocToCheck {
    pub path: String,
    pub mentions: Vec<String>,
}

/// What people read to know how things are; a log of changes says how they were.
pub fn is_document(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let is_list = name.starts_with("requirements") && name.ends_with(".txt");
    if is_list || name == "cmakelists.txt" || name.starts_with("changelog") {
        return false;
    }
    let has_ending =
        [".md", ".mdx", ".rst", ".adoc", ".txt"].iter().any(|ending| name.ends_with(ending));
    has_ending || path.split('/').rev().skip(1).any(|folder| folder == "docs")
}

/// By which words a document would name a changed file; none for a document.
pub fn words_of(file: &FileChange) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for name in file.names().into_iter().filter(|name| !is_document(name)) {
        words.push(name.to_owned());
        let short = name.rsplit('/').next().unwrap_or(name);
        let is_telling =
            short.contains('.') && !short.starts_with('.') && !table::has(COMMON_NAMES, short);
        if is_telling && short != name {
            words.push(short.to_owned());
        }
    }
    words
}

/// Whether a document can have been left behind by these changes.
pub fn is_left(path: &str, files: &[FileChange]) -> bool {
    is_document(path) && !files.iter().any(|file| file.names().contains(&path))
}

/// Which of the changed files a document names; none that names none.
pub fn left_behind(
    path: &str,
    text: &str,
    asked: &[(&FileChange, Vec<String>)],
) -> Option<DocToCheck> {
    let named = asked.iter().filter(|(_, words)| words.iter().any(|word| names(text, word)));
    let mut mentions: Vec<String> = named.map(|(file, _)| file.path.clone()).collect();
    mentions.sort_unstable();
    mentions.dedup();
    (!mentions.is_empty()).then(|| DocToCheck { path: path.to_owned(), mentions })
}

/// The word as a whole, as `git grep -w` finds it: `tax.rs` is not in `syntax.rs`.
fn names(text: &str, word: &str) -> bool {
    table::has_apart(text, word, |c| c.is_alphanumeric() || c == '_')
}
