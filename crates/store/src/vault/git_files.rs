//! What git is told about a store: which files it leaves out, and how it merges the others. Stores
//! of earlier versions are brought up to date with their next write.

use super::LocalVault;
use crate::failure::{Failure, StoreError};
use crate::history::Checkout;
use crate::layout::relative;

/// Union merges keep both sides' lines; the log reads each event once, and the index page is rebuilt.
/// Memories merge by fields where git knows the driver, else by lines.
const ATTRIBUTES: &[&str] = &[
    "*/*.md merge=oldhand",
    "events/*.jsonl merge=union",
    "index.md merge=union linguist-generated",
];
const LOCAL: &str = "/local/";
/// Every write changes the page, so two branches would always meet in it.
const INDEX: &str = "/index.md";
const BYTES_MAX: u64 = 64 * 1024;

/// A file of the store for git, with the lines that belong in it and those that don't.
pub(super) struct GitFile {
    pub name: &'static str,
    wanted: Vec<&'static str>,
    unwanted: Option<&'static str>,
}

pub(super) fn git_files(commits_index: bool) -> [GitFile; 2] {
    let (mut ignored, mut unwanted) = (vec![LOCAL], None);
    if commits_index {
        unwanted = Some(INDEX);
    } else {
        ignored.push(INDEX);
    }
    [
        GitFile { name: ".gitattributes", wanted: ATTRIBUTES.to_vec(), unwanted: None },
        GitFile { name: ".gitignore", wanted: ignored, unwanted },
    ]
}

impl GitFile {
    pub(super) fn new_text(&self) -> String {
        self.wanted.iter().map(|line| format!("{line}\n")).collect()
    }

    /// The text with what is missing; `None` where nothing is. A pattern that somebody has given
    /// other attributes, negated or commented out is theirs to decide.
    fn updated(&self, text: &str) -> Option<String> {
        fn pattern(line: &str) -> &str {
            let line = line.trim_start_matches(['#', '!', ' ']);
            line.split_whitespace().next().unwrap_or_default()
        }
        let is_unwanted = |line: &str| Some(line.trim_end()) == self.unwanted;
        let kept = text.split_inclusive('\n').filter(|line| !is_unwanted(line));
        let mut new: String = kept.collect();
        for wanted in &self.wanted {
            if text.lines().any(|line| pattern(line) == pattern(wanted)) {
                continue;
            }
            if !new.is_empty() && !new.ends_with('\n') {
                new.push('\n');
            }
            new.push_str(&format!("{wanted}\n"));
        }
        (new != text).then_some(new)
    }
}

impl LocalVault<'_> {
    /// Inside the lock; what was changed. A file that is missing is the business of `init`.
    pub(super) fn update_git_files(&self) -> Result<Vec<String>, StoreError> {
        let mut changed = Vec::new();
        for (name, seen, text) in self.outdated_git_files() {
            self.replace_view(&self.layout.file(name), Some(&seen), &text)?;
            changed.push(name.to_owned());
        }
        Ok(changed)
    }

    fn outdated_git_files(&self) -> Vec<(&'static str, String, String)> {
        let outdated = git_files(self.commits_index).into_iter().filter_map(|file| {
            let bytes = self.disk.read(&self.layout.file(file.name), BYTES_MAX).ok()?;
            let seen = String::from_utf8(bytes).ok()?;
            let text = file.updated(&seen)?;
            Some((file.name, seen, text))
        });
        outdated.collect()
    }

    pub(super) fn refresh_git_files(&self) -> Result<Vec<String>, Failure> {
        if self.outdated_git_files().is_empty() {
            return Ok(Vec::new());
        }
        let _held = self.lock()?;
        Ok(self.update_git_files()?)
    }

    /// What a person does about a page that git still has; we never change what git tracks.
    pub(super) fn tracked_index(&self) -> Option<String> {
        let checkout = Checkout::find(&self.layout.root).filter(|_| !self.commits_index)?;
        let page = relative(&checkout.toplevel, &self.layout.index());
        if !checkout.tracks(&page) {
            return None;
        }
        let path = relative(&self.layout.repository, &self.layout.index());
        Some(format!(
            "git still tracks `{path}`, which each clone now builds itself: \
             `git rm --cached {path}` takes it out"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(commits_index: bool, before: &str, want: Option<&str>) {
        let [_, ignored] = git_files(commits_index);
        assert_eq!(ignored.updated(before).as_deref(), want);
        assert_eq!(want.and_then(|want| ignored.updated(want)), None);
    }

    #[test]
    fn a_store_of_an_earlier_version_gets_the_missing_line() {
        check(false, "/local/\n", Some("/local/\n/index.md\n"));
        check(false, "# ours\n/local/\n*.swp", Some("# ours\n/local/\n*.swp\n/index.md\n"));
        check(false, "", Some("/local/\n/index.md\n"));
    }

    #[test]
    fn what_somebody_decided_stays() {
        check(false, "/local/\n#/index.md\n", None);
        check(false, "/index.md\r\n/local/\r\n", None);
        check(false, "!/index.md\n/local/\n", None);
        check(true, "/local/\n", None);
    }

    #[test]
    fn the_setting_brings_the_page_back() {
        check(true, "/local/\n/index.md\n*.swp\n", Some("/local/\n*.swp\n"));
    }
}
