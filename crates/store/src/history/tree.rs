//! Which files there are, and which there were.

use std::time::Duration;

use oldhand_sessions::architecture::LEFT_NAMES_MAX;

use super::GitHistory;
use super::checkout::is_id;
use super::child::{Git, texts, words};
use crate::disk;
use crate::port::Commit;

/// Commits that touched a file and are looked into for what it said.
const VERSIONS_MAX: usize = 20;

impl GitHistory {
    /// Every file that git knows or would take, below the root but not in a folder of it; `None`
    /// when it can't be asked.
    pub(crate) fn files(&self, without: &str, within: Duration) -> Option<Vec<String>> {
        let git = self.git(within).ok()?;
        let [wanted, unwanted] = pathspecs(&git, without);
        let command = "--no-literal-pathspecs ls-files -z -t -c -o -d --exclude-standard";
        let args = words(command, &[&wanted, &unwanted]);
        let output = git.run(&args).ok()?;
        let (mut files, mut deleted) = (Vec::new(), Vec::new());
        for line in output.split(|byte| *byte == 0).filter(|line| line.len() > 2) {
            let path = String::from_utf8_lossy(&line[2..]).into_owned();
            match line[0] {
                // In the index and not on disk. What can't be looked at may still be there.
                b'R' if is_missing(&git, &path) => deleted.push(path),
                b'R' => {}
                _ => files.push(path),
            }
        }
        deleted.sort();
        files.retain(|path| deleted.binary_search(path).is_err());
        // A repository inside this one is named with a slash at its end.
        Some(files.iter().map(|path| git.checkout.told(path.trim_end_matches('/'))).collect())
    }

    pub(super) fn last_names(&self, folder: &str, within: Duration) -> Option<Vec<String>> {
        let git = self.git(within).ok()?;
        let spot = git.checkout.spot(folder).filter(|spot| !spot.is_empty())?;
        let head = git.head().ok()??;
        // It may have gone without a commit.
        let names = names_at(&git, &head, &spot)?;
        if !names.is_empty() {
            return Some(names);
        }
        let command = format!("log -1 --format=%H --diff-filter=D --no-renames {head}");
        let gone = git.word(&words(&command, &[&spot])).ok()?.filter(|it| is_id(it))?;
        names_at(&git, &format!("{gone}^"), &spot)
    }

    pub(super) fn commits_of(
        &self,
        paths: &[String],
        count: usize,
        within: Duration,
    ) -> Option<Vec<Commit>> {
        let git = self.git(within).ok()?;
        let head = git.head().ok()??;
        let spots: Vec<String> = paths.iter().filter_map(|path| git.checkout.spot(path)).collect();
        let spots: Vec<&str> =
            spots.iter().map(String::as_str).filter(|it| !it.is_empty()).collect();
        if spots.is_empty() {
            return Some(Vec::new());
        }
        let command =
            format!("log -z -{count} --no-renames --format=%h%x01%cI%x01%an%x01%s {head}");
        let lines = texts(&git.run(&words(&command, &spots)).ok()?);
        let commit = |line: &String| {
            let mut parts = line.splitn(4, '\u{1}').map(str::to_owned);
            let mut next = || parts.next().unwrap_or_default();
            let (id, at) = (next(), next());
            Commit { id, at: at.parse().ok(), by: next(), subject: next() }
        };
        Some(lines.iter().map(commit).collect())
    }

    /// Files that have one of the words as a whole, but those of a folder below the root; none where
    /// git can't be asked.
    pub(crate) fn mentions(
        &self,
        words: &[String],
        without: &str,
        within: Duration,
    ) -> Option<Vec<String>> {
        let git = self.git(within).ok()?;
        let [wanted, unwanted] = pathspecs(&git, without);
        let mut args = vec!["--no-literal-pathspecs", "grep"];
        args.extend(["--untracked", "--full-name", "-z", "-l", "-I", "-F", "-w", "--no-color"]);
        args.extend(words.iter().flat_map(|word| ["-e", word]));
        args.extend(["--", &wanted, &unwanted]);
        let names = texts(&git.find(&args).ok()?);
        Some(names.iter().map(|name| git.checkout.told(name)).collect())
    }

    /// What the last commits that touched a file have of it, newest first.
    pub(crate) fn versions(&self, path: &str, within: Duration) -> Option<Vec<String>> {
        let git = self.git(within).ok()?;
        let spot = git.checkout.spot(path).filter(|spot| !spot.is_empty())?;
        let head = git.head().ok()??;
        let command = format!("log -n {VERSIONS_MAX} --format=%H --no-renames {head}");
        let commits = git.run(&words(&command, &[&spot])).ok()?;
        let commits = String::from_utf8_lossy(&commits);
        let asked: String = commits.lines().map(|commit| format!("{commit}:{spot}\n")).collect();
        if asked.is_empty() {
            return Some(Vec::new());
        }
        let output = git.start(&["cat-file", "--batch"], asked.as_bytes()).ok()?.finish().ok()?;
        Some(texts_of(&output))
    }
}

/// Everything below the root, and a folder of it that is left out: git does not even open what is in
/// it, which would take seconds in a store of 100,000 files.
fn pathspecs(git: &Git, without: &str) -> [String; 2] {
    let here = git.checkout.spot("").filter(|it| !it.is_empty());
    let prefix = here.as_ref().map(|it| format!("{it}/")).unwrap_or_default();
    let wanted = format!(":(literal){}", here.as_deref().unwrap_or("."));
    [wanted, format!(":(exclude,literal){prefix}{without}")]
}

/// The blobs of `cat-file --batch`: a line with id, type and size, the bytes, a line break.
fn texts_of(mut output: &[u8]) -> Vec<String> {
    let mut texts = Vec::new();
    while let Some(end) = output.iter().position(|byte| *byte == b'\n') {
        let head = String::from_utf8_lossy(&output[..end]).into_owned();
        output = &output[end + 1..];
        let mut words = head.rsplit(' ');
        let (size, kind) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        // A commit that took the file out has no text of it.
        let Ok(size) = size.parse::<usize>() else { continue };
        let Some((bytes, rest)) = output.split_at_checked(size) else { break };
        if kind == "blob" {
            texts.extend(String::from_utf8(bytes.to_vec()).ok());
        }
        output = rest.strip_prefix(b"\n").unwrap_or(rest);
    }
    texts
}

fn is_missing(git: &Git, path: &str) -> bool {
    let looked = git.checkout.toplevel.join(path).symlink_metadata();
    looked.is_err_and(|error| disk::is_missing(&error))
}

fn names_at(git: &Git, commit: &str, spot: &str) -> Option<Vec<String>> {
    let command = format!("ls-tree -r -z --name-only --full-tree {commit}");
    let names = texts(&git.run(&words(&command, &[spot])).ok()?);
    let prefix = format!("{spot}/");
    let below = names.iter().filter_map(|path| path.strip_prefix(&prefix));
    Some(below.take(LEFT_NAMES_MAX).map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::texts_of;

    #[test]
    fn a_batch_is_read_blob_by_blob() {
        let output =
            b"1111 blob 5\na\nb\n\n\n2222:gone.md missing\n3333 tree 2\nxy\n4444 blob 0\n\n";
        assert_eq!(texts_of(output), ["a\nb\n\n", ""]);
        assert_eq!(texts_of(b"1111 blob 50\ncut"), [""; 0]);
    }
}
