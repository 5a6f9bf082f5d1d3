//! What was changed since a commit: committed, uncommitted and untracked. Everything is asked with
//! names that end in a zero byte, and nothing of the repository's own is run for it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Read;
use std::path::Path;
use std::time::Instant;

use jiff::Timestamp;
use oldhand_core::policy::{
    DIFF_COMMITS_MAX, DIFF_FILE_BYTES_MAX, DIFF_FILES_MAX, DIFF_MANIFESTS_MAX, DIFF_WAIT,
};
use oldhand_sessions::completion::change::{ChangeKind, Diff, FileChange, ManifestChange, NoDiff};
use oldhand_sessions::completion::manifest::is_manifest;

use super::child::{Git, Trouble, find_program, words};
use super::place::{Place, is_id};
use super::{Asker, GitHistory};
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
        let program = find_program(self.search_path.as_deref()).ok_or(NoDiff::NoRepository)?;
        let place = Place::find(&self.root).ok_or(NoDiff::NoRepository)?;
        let asker = Asker { program, place: &place, end: Instant::now() + DIFF_WAIT };
        let head = asker.head()?;
        let work = WorkTree { git: asker.git(), place: &place };
        let branch = work.word(&["symbolic-ref", "-q", "--short", "HEAD"])?.unwrap_or_default();
        let Some(head) = head else {
            return match since {
                Some(_) => Err(NoDiff::UnknownRevision),
                None => work.all_new(branch),
            };
        };
        let base = match since {
            Some(since) => work.commit(since)?.ok_or(NoDiff::UnknownRevision)?,
            None => work.trunk(&branch)?.unwrap_or_else(|| head.clone()),
        };
        // What happened on the other branch meanwhile is none of this work.
        let base = work.word(&["merge-base", &base, &head])?.filter(|it| is_id(it)).unwrap_or(base);
        let mut diff = Diff { branch, head: Some(head.clone()), ..Diff::default() };
        diff.base_time = work.begun(&base, &head)?;
        diff.subjects = work.subjects(&base, &head)?;
        diff.files = work.changed(&base)?;
        diff.files.extend(work.untracked(&["--others", "--exclude-standard"])?);
        work.finish(&mut diff, Some(&base))?;
        diff.base = Some(base);
        Ok(diff)
    }
}

struct WorkTree<'p> {
    git: Git,
    place: &'p Place,
}

impl WorkTree<'_> {
    fn run(&self, args: &[&str]) -> Result<Vec<u8>, Trouble> {
        self.git.run(&args.iter().map(OsString::from).collect::<Vec<_>>())
    }

    /// Only what belongs to the repository of the store.
    fn run_here(&self, args: &[&str]) -> Result<Vec<u8>, Trouble> {
        let here = self.place.spot("").unwrap_or_default();
        self.git.run(&words(args, &[&here]))
    }

    /// One word as an answer; none where git says no.
    fn word(&self, args: &[&str]) -> Result<Option<String>, Trouble> {
        match self.run(args) {
            Ok(output) => {
                let text = String::from_utf8_lossy(&output).trim().to_owned();
                Ok(Some(text).filter(|text| !text.is_empty()))
            }
            Err(Trouble::Failed) => Ok(None),
            Err(other) => Err(other),
        }
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
        let files = self.untracked(&["--cached", "--others", "--exclude-standard"])?;
        let mut diff = Diff { branch, files, ..Diff::default() };
        self.finish(&mut diff, None)?;
        Ok(diff)
    }

    /// When the base was committed. A rebase makes it younger than the work: then the first commit's
    /// own time counts. One that was made long ago and brought here is as old as the base at most.
    fn begun(&self, base: &str, head: &str) -> Result<Option<Timestamp>, Trouble> {
        let most = format!("--max-count={DIFF_COMMITS_MAX}");
        let range = format!("{base}..{head}");
        let base = self.word(&["log", "-1", "--format=%ct %at", base, "--"])?.unwrap_or_default();
        let number = |text: &str| text.trim().parse::<i64>().ok();
        let Some((committed, authored)) =
            base.split_once(' ').and_then(|(one, other)| Some((number(one)?, number(other)?)))
        else {
            return Ok(None);
        };
        let own = self.run_here(&["log", "--format=%at", "--no-merges", &most, &range])?;
        let own = String::from_utf8_lossy(&own).into_owned();
        let own = own.lines().filter_map(number).map(|at| at.max(authored));
        let earliest = own.chain([committed]).min();
        Ok(earliest.and_then(|it| Timestamp::from_second(it).ok()))
    }

    fn subjects(&self, base: &str, head: &str) -> Result<Vec<String>, Trouble> {
        let most = format!("--max-count={DIFF_COMMITS_MAX}");
        let range = format!("{base}..{head}");
        let output = self.run_here(&["log", "-z", "--format=%s", "--no-merges", &most, &range])?;
        let mut subjects = texts(&output);
        subjects.reverse();
        Ok(subjects)
    }

    fn changed(&self, base: &str) -> Result<Vec<FileChange>, Trouble> {
        let common = ["-z", "-M", "--no-ext-diff", "--no-textconv", "--no-relative"];
        let ask = |what: &str| {
            let mut args = vec!["diff", what];
            args.extend(common);
            args.extend(["--ignore-submodules=dirty", base]);
            self.run_here(&args)
        };
        let lines = numbers(&texts_all(&ask("--numstat")?));
        let mut files = Vec::new();
        for (kind, path) in kinds(&texts_all(&ask("--name-status")?)) {
            let (added, removed) = lines.get(&path).copied().unwrap_or_default();
            let kind = match kind {
                ChangeKind::Renamed { from } => {
                    ChangeKind::Renamed { from: self.place.told(&from) }
                }
                kind => kind,
            };
            files.push(FileChange { path: self.place.told(&path), added, removed, kind });
        }
        Ok(files)
    }

    /// Files that git lists, as new ones.
    fn untracked(&self, which: &[&str]) -> Result<Vec<FileChange>, Trouble> {
        let mut args = vec!["ls-files", "-z", "--full-name"];
        args.extend(which);
        let output = self.run_here(&args)?;
        // A repository inside of this one is listed as a folder: what is in it is not ours.
        let paths = texts(&output).into_iter().filter(|path| !path.ends_with('/'));
        let mut left_bytes = DIFF_READ_BYTES_MAX;
        Ok(paths
            .take(DIFF_FILES_MAX)
            .map(|path| {
                let place = self.place.toplevel.join(&path);
                // Beyond that a file has no lines: a thousand new ones are large anyway.
                let text = if left_bytes > 0 { read(&place) } else { None }.unwrap_or_default();
                left_bytes = left_bytes.saturating_sub(text.len());
                let added = if is_binary(&text) { 0 } else { text.lines().count() };
                let path = self.place.told(&path);
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
        let manifests = diff.files.iter().filter(|file| is_manifest(&file.path));
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
        let spot = old.and_then(|path| self.place.spot(path));
        let before = match (base, spot) {
            (Some(base), Some(spot)) => {
                let name = format!("{base}:{spot}");
                match self.run(&["cat-file", "blob", &name]) {
                    Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
                    Err(Trouble::Failed) => String::new(),
                    Err(other) => return Err(other),
                }
            }
            _ => String::new(),
        };
        let now = self.place.spot(&file.path).map(|spot| self.place.toplevel.join(spot));
        let after = now.and_then(|path| read(&path)).unwrap_or_default();
        Ok(ManifestChange { path: file.path.clone(), before, after })
    }
}

fn texts_all(bytes: &[u8]) -> Vec<String> {
    bytes.split(|byte| *byte == 0).map(|it| String::from_utf8_lossy(it).into_owned()).collect()
}

fn texts(bytes: &[u8]) -> Vec<String> {
    texts_all(bytes).into_iter().filter(|text| !text.is_empty()).collect()
}

/// `1\t2\tpath`, and for a rename `1\t2\t`, the old path, the new one. A binary file has no lines.
fn numbers(records: &[String]) -> BTreeMap<String, (usize, usize)> {
    let mut found = BTreeMap::new();
    let mut records = records.iter();
    while let Some(record) = records.next() {
        let mut parts = record.splitn(3, '\t');
        let (Some(added), Some(removed), Some(path)) = (parts.next(), parts.next(), parts.next())
        else {
            continue;
        };
        let path = if path.is_empty() { records.nth(1).cloned() } else { Some(path.to_owned()) };
        let count = |text: &str| text.parse().unwrap_or(0);
        found.extend(path.map(|path| (path, (count(added), count(removed)))));
    }
    found
}

/// A letter and a path; a rename has two.
fn kinds(records: &[String]) -> Vec<(ChangeKind, String)> {
    let mut found = Vec::new();
    let mut records = records.iter().filter(|record| !record.is_empty());
    while let (Some(letter), Some(path)) = (records.next(), records.next()) {
        let (kind, path) = match letter.as_bytes().first() {
            Some(b'A') => (ChangeKind::Added, path),
            Some(b'D') => (ChangeKind::Deleted, path),
            Some(b'R' | b'C') => match records.next() {
                Some(to) => (ChangeKind::Renamed { from: path.clone() }, to),
                None => break,
            },
            _ => (ChangeKind::Modified, path),
        };
        found.push((kind, path.clone()));
    }
    found
}

/// As git sees it: by a zero byte near its beginning.
fn is_binary(text: &str) -> bool {
    text.bytes().take(BINARY_BYTES).any(|byte| byte == 0)
}

/// A file of the work tree within the limit; a link is not followed.
fn read(path: &Path) -> Option<String> {
    let meta = path.symlink_metadata().ok()?;
    if !meta.is_file() || meta.len() > DIFF_FILE_BYTES_MAX {
        return None;
    }
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).ok()?;
    file.take(DIFF_FILE_BYTES_MAX).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
