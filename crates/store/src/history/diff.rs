//! What was changed since a commit: committed, uncommitted and untracked. Everything is asked with
//! names that end in a zero byte, and nothing of the repository's own is run for it.

use std::collections::BTreeMap;
use std::path::Path;

use jiff::Timestamp;
use oldhand_core::policy::{
    DIFF_COMMITS_MAX, DIFF_FILE_BYTES_MAX, DIFF_FILES_MAX, DIFF_MANIFESTS_MAX, DIFF_WAIT,
};
use oldhand_sessions::completion::change::{ChangeKind, Diff, FileChange, ManifestChange, NoDiff};
use oldhand_sessions::manifest::sort_of;

use super::GitHistory;
use super::checkout::is_id;
use super::child::{Git, Trouble, texts, words};
use super::log::ChangedFile;
use crate::disk::{Disk, RealDisk};
use crate::layout::STORE_FOLDER;

/// Branches that others are made from, ours last: what is shared is the better base.
const TRUNKS: &[&str] = &["origin/main", "origin/master", "main", "master"];

/// What of new files is read to count their lines, all together.
const DIFF_READ_BYTES_MAX: usize = 64 * 1024 * 1024;
/// How far git looks for a zero byte.
const BINARY_BYTES: usize = 8_000;

impl From<Trouble> for NoDiff {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Missing => Self::NoRepository,
            Trouble::Late | Trouble::Failed => Self::Failed,
        }
    }
}

impl GitHistory {
    /// Everything since a revision; without one, since this branch left the one it was made from.
    pub fn diff(&self, since: Option<&str>) -> Result<Diff, NoDiff> {
        let git = self.git(DIFF_WAIT).map_err(|_| NoDiff::NoRepository)?;
        let head = git.head()?;
        let branch = git.word(&["symbolic-ref", "-q", "--short", "HEAD"])?.unwrap_or_default();
        let Some(head) = head else {
            return match since {
                Some(_) => Err(NoDiff::UnknownRevision),
                None => git.all_new(branch),
            };
        };
        let base = match since {
            Some(since) => git.commit(since)?.ok_or(NoDiff::UnknownRevision)?,
            None => git.trunk(&branch)?.unwrap_or_else(|| head.clone()),
        };
        // What happened on the other branch meanwhile is not part of this work.
        let base = git.word(&["merge-base", &base, &head])?.filter(|it| is_id(it)).unwrap_or(base);
        let mut diff = Diff { branch, head: Some(head.clone()), ..Diff::default() };
        git.commits(&base, &head, &mut diff)?;
        diff.files = git.changed(&base)?;
        diff.files.extend(git.untracked("--others --exclude-standard")?);
        git.finish(&mut diff, Some(&base))?;
        diff.base = Some(base);
        Ok(diff)
    }
}

impl Git {
    /// Only what belongs to the repository of the store.
    fn texts_here(&self, command: &str) -> Result<Vec<String>, Trouble> {
        let here = self.checkout.spot("").unwrap_or_default();
        Ok(texts(&self.run(&words(command, &[&here]))?))
    }

    fn commit(&self, name: &str) -> Result<Option<String>, Trouble> {
        if name.is_empty() || name.contains(['\0', '\n']) {
            return Ok(None);
        }
        let name = format!("{name}^{{commit}}");
        let found = self.word(&["rev-parse", "--verify", "-q", "--end-of-options", &name])?;
        Ok(found.filter(|id| is_id(id)))
    }

    /// Where this branch comes from. On the trunk itself that is what others have of it.
    fn trunk(&self, branch: &str) -> Result<Option<String>, Trouble> {
        let is_trunk = matches!(branch, "main" | "master");
        let names = if is_trunk { &["@{upstream}"][..] } else { TRUNKS };
        for name in names.iter().chain(&["@{upstream}"]) {
            if let Some(id) = self.commit(name)? {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }

    /// Before the first commit everything is new.
    fn all_new(&self, branch: String) -> Result<Diff, NoDiff> {
        let files = self.untracked("--cached --others --exclude-standard")?;
        let mut diff = Diff { branch, files, ..Diff::default() };
        self.finish(&mut diff, None)?;
        Ok(diff)
    }

    /// The subjects of the commits, oldest first, and when the work began.
    ///
    /// It began when the base was committed. A rebase makes the base younger than the work: then
    /// the first commit's own time counts, but never one from before the base was written.
    fn commits(&self, base: &str, head: &str, diff: &mut Diff) -> Result<(), Trouble> {
        let times = self.word(&["log", "-1", "--format=%ct %at", base, "--"])?;
        let times = times.as_deref().and_then(|text| text.split_once(' '));
        let number = |text: &str| text.trim().parse::<i64>().ok();
        let times = times.and_then(|(one, other)| Some((number(one)?, number(other)?)));
        let most = format!("--max-count={DIFF_COMMITS_MAX}");
        let command = format!("log -z --format=%at%x20%s --no-merges {most} {base}..{head}");
        let mut earliest = times.map(|(committed, _)| committed);
        for commit in self.texts_here(&command)?.iter().rev() {
            let Some((at, subject)) = commit.split_once(' ') else { continue };
            if let (Some(at), Some((_, authored))) = (number(at), times) {
                earliest = earliest.min(Some(at.max(authored)));
            }
            if !subject.is_empty() {
                diff.subjects.push(subject.to_owned());
            }
        }
        diff.base_time = earliest.and_then(|it| Timestamp::from_second(it).ok());
        Ok(())
    }

    fn changed(&self, base: &str) -> Result<Vec<FileChange>, Trouble> {
        let ask = |what: &str| {
            let options = "-z -M --no-ext-diff --no-textconv --no-relative";
            self.texts_here(&format!("diff {what} {options} --ignore-submodules=dirty {base}"))
        };
        let lines = line_counts(&ask("--numstat")?);
        let mut statuses = ask("--name-status")?.into_iter();
        let mut files = Vec::new();
        while let Some(status) = statuses.next() {
            let Some(file) = ChangedFile::read(status, &mut statuses) else { break };
            let kind = match (file.status.as_bytes().first(), &file.to) {
                (Some(b'A'), _) => ChangeKind::Added,
                (Some(b'D'), _) => ChangeKind::Deleted,
                (_, Some(_)) => ChangeKind::Renamed { from: self.checkout.told(&file.path) },
                _ => ChangeKind::Modified,
            };
            let path = file.to.unwrap_or(file.path);
            let (added, removed) = lines.get(&path).copied().unwrap_or_default();
            files.push(FileChange { path: self.checkout.told(&path), added, removed, kind });
        }
        Ok(files)
    }

    /// Files that git lists, as new ones.
    fn untracked(&self, which: &str) -> Result<Vec<FileChange>, Trouble> {
        let listed = self.texts_here(&format!("ls-files -z --full-name {which}"))?;
        // A repository inside of this one is listed as a folder: what is in it is not ours.
        let paths = listed.into_iter().filter(|path| !path.ends_with('/'));
        let mut left_bytes = DIFF_READ_BYTES_MAX;
        Ok(paths
            .take(DIFF_FILES_MAX)
            .map(|path| {
                let place = self.checkout.toplevel.join(&path);
                // Beyond that a file has no lines: a thousand new ones are large anyway.
                let text = if left_bytes > 0 { read(&place) } else { None }.unwrap_or_default();
                left_bytes = left_bytes.saturating_sub(text.len());
                let added = if is_binary(&text) { 0 } else { text.lines().count() };
                let path = self.checkout.told(&path);
                FileChange { path, added, removed: 0, kind: ChangeKind::Added }
            })
            .collect())
    }

    /// Leaves the store out, and adds what the list of files leads to.
    fn finish(&self, diff: &mut Diff, base: Option<&str>) -> Result<(), Trouble> {
        let store = format!("{STORE_FOLDER}/");
        diff.files.retain(|file| !file.path.starts_with(&store));
        diff.files.sort_by(|one, other| one.path.cmp(&other.path));
        diff.files.dedup_by(|one, other| one.path == other.path);
        diff.files.truncate(DIFF_FILES_MAX);
        let manifests = diff.files.iter().filter(|file| sort_of(&file.path).is_some());
        for file in manifests.take(DIFF_MANIFESTS_MAX) {
            diff.manifests.push(self.manifest(file, base)?);
        }
        Ok(())
    }

    fn manifest(&self, file: &FileChange, base: Option<&str>) -> Result<ManifestChange, Trouble> {
        let old = match &file.kind {
            ChangeKind::Added => None,
            ChangeKind::Renamed { from } => Some(from),
            _ => Some(&file.path),
        };
        let spot = old.and_then(|path| self.checkout.spot(path));
        let before = match (base, spot) {
            (Some(base), Some(spot)) => {
                match self.run(&["cat-file", "blob", &format!("{base}:{spot}")]) {
                    Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
                    Err(Trouble::Failed) => String::new(),
                    Err(other) => return Err(other),
                }
            }
            _ => String::new(),
        };
        let now = self.checkout.spot(&file.path).map(|spot| self.checkout.toplevel.join(spot));
        let after = now.and_then(|path| read(&path)).unwrap_or_default();
        Ok(ManifestChange { path: file.path.clone(), before, after })
    }
}

/// `1\t2\tpath`, and for a rename `1\t2\t`, the old path, the new one. A binary file has no lines.
fn line_counts(records: &[String]) -> BTreeMap<String, (usize, usize)> {
    let mut found = BTreeMap::new();
    let mut records = records.iter();
    while let Some(record) = records.next() {
        let parts: Vec<&str> = record.splitn(3, '\t').collect();
        let [added, removed, path] = parts.as_slice() else { continue };
        let path = if path.is_empty() { records.nth(1).cloned() } else { Some((*path).to_owned()) };
        let count = |text: &str| text.parse().unwrap_or(0);
        found.extend(path.map(|path| (path, (count(added), count(removed)))));
    }
    found
}

/// As git sees it: by a zero byte near its beginning.
fn is_binary(text: &str) -> bool {
    text.bytes().take(BINARY_BYTES).any(|byte| byte == 0)
}

/// A file of the work tree within the limit; a link is not followed.
fn read(path: &Path) -> Option<String> {
    let bytes = RealDisk.read(path, DIFF_FILE_BYTES_MAX).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
