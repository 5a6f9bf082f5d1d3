//! Which files there are, and which there were.

use std::ffi::OsString;
use std::time::Duration;

use oldhand_sessions::architecture::LEFT_NAMES_MAX;

use super::GitHistory;
use super::checkout::{Checkout, is_id};
use super::child::{Git, texts, words};

impl GitHistory {
    /// Every file that git knows or would take, below the root; `None` when it can't be asked.
    pub(crate) fn files(&self, within: Duration) -> Option<Vec<String>> {
        let asker = self.asker(within)?;
        let place = &asker.checkout;
        let args = words("ls-files -z -t -c -o -d --exclude-standard", &[&place.spot(".")?]);
        let output = asker.git().run(&args).ok()?;
        let (mut files, mut deleted) = (Vec::new(), Vec::new());
        for line in output.split(|byte| *byte == 0).filter(|line| line.len() > 2) {
            let path = String::from_utf8_lossy(&line[2..]).into_owned();
            match line[0] {
                // In the index and not on disk. What can't be looked at may still be there.
                b'R' if is_missing(place, &path) => deleted.push(path),
                b'R' => {}
                _ => files.push(path),
            }
        }
        deleted.sort();
        files.retain(|path| deleted.binary_search(path).is_err());
        // A repository inside this one is named with a slash at its end.
        Some(files.iter().map(|path| place.told(path.trim_end_matches('/'))).collect())
    }

    pub(super) fn names_left(&self, folder: &str, within: Duration) -> Option<Vec<String>> {
        let asker = self.asker(within)?;
        let spot = asker.checkout.spot(folder).filter(|spot| !spot.is_empty())?;
        let (head, git) = (asker.head().ok()??, asker.git());
        // It may have gone without a commit.
        let names = names_at(&git, &head, &spot)?;
        if !names.is_empty() {
            return Some(names);
        }
        let command = format!("log -1 --format=%H --diff-filter=D --no-renames {head}");
        let gone = git.run(&words(&command, &[&spot])).ok()?;
        let gone = String::from_utf8_lossy(&gone).trim().to_owned();
        if is_id(&gone) { names_at(&git, &format!("{gone}^"), &spot) } else { None }
    }
}

/// Commits that touched a file and are looked into for what it said.
const VERSIONS_MAX: usize = 20;

impl GitHistory {
    /// What the last commits that touched a file have of it, newest first.
    pub(crate) fn versions(&self, path: &str, within: Duration) -> Option<Vec<String>> {
        let asker = self.asker(within)?;
        let spot = asker.checkout.spot(path).filter(|spot| !spot.is_empty())?;
        let (head, git) = (asker.head().ok()??, asker.git());
        let command = format!("log -n {VERSIONS_MAX} --format=%H --no-renames {head}");
        let commits = git.run(&words(&command, &[&spot])).ok()?;
        let commits = String::from_utf8_lossy(&commits);
        let asked: String = commits.lines().map(|commit| format!("{commit}:{spot}\n")).collect();
        if asked.is_empty() {
            return Some(Vec::new());
        }
        let args = ["cat-file", "--batch"].map(OsString::from);
        let output = git.start(&args, asked.as_bytes()).ok()?.finish().ok()?;
        Some(texts_of(&output))
    }
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

fn is_missing(place: &Checkout, path: &str) -> bool {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    let looked = place.toplevel.join(path).symlink_metadata();
    looked.is_err_and(|error| matches!(error.kind(), NotFound | NotADirectory))
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
