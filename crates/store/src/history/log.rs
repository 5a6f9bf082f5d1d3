//! One pass over the history for many paths: when each was touched, and where those went that are
//! gone. Only reads what `git log` prints.

use std::collections::{BTreeMap, BTreeSet};

use oldhand_core::fresh::Gone;

use super::child::{Git, Trouble, texts, words};

/// Commits are walked by date, and dates may be wrong: this much older ones are looked behind.
const SKEW_SECONDS: i64 = 24 * 60 * 60;

/// Renames of renames that are followed.
const RENAMES_MAX: usize = 4;

/// More paths than these are asked for by their topmost folders: git compares every name that it
/// meets with every path, and thirty of them cost three times what reading the whole folder does.
const PATHS_MAX: usize = 6;

/// What touched one path, newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Touched {
    /// Committer's times.
    pub at: Vec<i64>,
    /// The newest commit that took it, or something below it, away.
    pub deleted_in: Option<String>,
}

#[derive(Debug, Default)]
pub(super) struct Walk {
    pub touched: BTreeMap<String, Touched>,
    /// The time of the newest commit at which a shallow clone ends: what it changed is not known.
    pub cut_off_at: Option<i64>,
}

/// The commits from `head` back to `since`, by path.
pub(super) fn walk(git: &Git, head: &str, paths: &[&str], since: i64) -> Result<Walk, Trouble> {
    let touched = paths.iter().map(|path| ((*path).to_owned(), Touched::default())).collect();
    let mut walk = Walk { touched, cut_off_at: None };
    if paths.is_empty() {
        return Ok(walk);
    }
    // A merge counts where it differs from all of its parents, and no side of it is left out: how
    // often a path was touched must not depend on what is asked for beside it.
    let merges = "-c --full-history";
    let options = "--name-status --no-renames --no-ext-diff --no-relative";
    let age = since.saturating_sub(SKEW_SECONDS).max(0);
    let command =
        format!("log -z --format=%x01%H%x20%ct {options} {merges} --max-age={age} {head}");
    let tops: BTreeSet<&str> =
        paths.iter().map(|path| path.split('/').next().unwrap_or_default()).collect();
    let tops = Vec::from_iter(tops);
    let output = git.run(&words(&command, if paths.len() > PATHS_MAX { &tops } else { paths }))?;
    // The last commits of a shallow clone have no parents here to be compared with.
    let boundary = git.checkout.boundary();
    for commit in commits(&output) {
        let (id, time) = commit.header.split_once(' ').unwrap_or((&commit.header, ""));
        let Ok(time) = time.parse::<i64>() else { continue };
        if boundary.iter().any(|it| it == id) {
            walk.cut_off_at = walk.cut_off_at.max(Some(time));
            continue;
        }
        let mut here: BTreeMap<&str, bool> = BTreeMap::new();
        for file in &commit.files {
            let is_deleted = file.status.contains('D');
            for path in holders(&file.path) {
                if walk.touched.contains_key(path) {
                    *here.entry(path).or_default() |= is_deleted;
                }
            }
        }
        for (path, is_deleted) in here {
            let Some(touched) = walk.touched.get_mut(path) else { continue };
            touched.at.push(time);
            if is_deleted && touched.deleted_in.is_none() {
                touched.deleted_in = Some(id.to_owned());
            }
        }
    }
    Ok(walk)
}

/// A path, every folder above it, and the root.
fn holders(path: &str) -> impl Iterator<Item = &str> {
    let folders = path.char_indices().filter(|(_, letter)| *letter == '/');
    std::iter::once("").chain(folders.map(|(at, _)| &path[..at])).chain(std::iter::once(path))
}

pub(super) fn is_below(path: &str, folder: &str) -> bool {
    folder.is_empty()
        || path == folder
        || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

struct Commit {
    header: String,
    files: Vec<ChangedFile>,
}

/// A file as `--name-status` lists it.
pub(super) struct ChangedFile {
    pub status: String,
    pub path: String,
    /// The new name of a renamed one.
    pub to: Option<String>,
}

impl ChangedFile {
    pub(super) fn read(status: String, rest: &mut impl Iterator<Item = String>) -> Option<Self> {
        let path = rest.next()?;
        let is_pair = status.starts_with(['R', 'C']);
        let to = if is_pair { Some(rest.next()?) } else { None };
        Some(Self { status, path, to })
    }
}

/// Headers begin with a byte that no status has; a path is only ever read behind a status.
fn commits(output: &[u8]) -> Vec<Commit> {
    let mut commits: Vec<Commit> = Vec::new();
    let mut texts = texts(output).into_iter();
    while let Some(text) = texts.next() {
        let text = text.trim_start_matches('\n');
        if let Some(header) = text.strip_prefix('\u{1}') {
            commits.push(Commit { header: header.trim().to_owned(), files: Vec::new() });
        } else if !text.is_empty() {
            let Some(file) = ChangedFile::read(text.to_owned(), &mut texts) else { break };
            if let Some(commit) = commits.last_mut() {
                commit.files.push(file);
            }
        }
    }
    commits
}

/// A path that is not there, the name that it has by now, and the commit that took that name away.
type Trail = (String, String, String);

/// How the paths of a walk that are not there went away.
pub(super) fn follow(
    git: &Git,
    head: &str,
    walked: &Walk,
    since: i64,
) -> Result<BTreeMap<String, Gone>, Trouble> {
    let exists = |spot: &str| git.metadata(spot).is_some();
    let mut gone: BTreeMap<String, Gone> = BTreeMap::new();
    let deleted = |(spot, touched): (&String, &Touched)| {
        Some((spot.clone(), spot.clone(), touched.deleted_in.clone()?))
    };
    let mut open: Vec<Trail> =
        walked.touched.iter().filter(|(spot, _)| !exists(spot)).filter_map(deleted).collect();
    for _ in 0..RENAMES_MAX {
        if open.is_empty() {
            break;
        }
        let renames = renames(git, &open)?;
        let mut next = Vec::new();
        for (path, name, commit) in open {
            let target = renames.get(&name);
            if let Some(target) = target.filter(|target| !exists(target)) {
                next.push((path.clone(), target.clone()));
            }
            let there = target.filter(|target| exists(target));
            let renamed_to = there.map(|target| git.checkout.told(target));
            gone.insert(path, Gone { commit, renamed_to });
        }
        let names: Vec<&str> = next.iter().map(|(_, name)| name.as_str()).collect();
        let walk = walk(git, head, &names, since)?;
        let deleted_in = |name: &String| walk.touched.get(name)?.deleted_in.clone();
        open = next
            .into_iter()
            .filter_map(|(path, name)| Some((path, name.clone(), deleted_in(&name)?)))
            .collect();
    }
    Ok(gone)
}

/// Where names went in the commits that took them away: a file to its new name, a folder to where
/// most of its files went.
fn renames(git: &Git, open: &[Trail]) -> Result<BTreeMap<String, String>, Trouble> {
    let ids: BTreeSet<&str> = open.iter().map(|(_, _, commit)| commit.as_str()).collect();
    let ids = ids.into_iter().collect::<Vec<_>>().join(" ");
    let options = "--name-status -M --no-ext-diff --no-relative";
    let command = format!("log --no-walk -z --format=%x01%H {options} {ids}");
    let output = git.run(&words(&command, &[]))?;
    let mut found = BTreeMap::new();
    for commit in commits(&output) {
        for (_, name, _) in open.iter().filter(|(_, _, id)| *id == commit.header) {
            if let Some(target) = target_of(name, &commit.files) {
                found.insert(name.clone(), target);
            }
        }
    }
    Ok(found)
}

fn target_of(name: &str, files: &[ChangedFile]) -> Option<String> {
    let mut votes: BTreeMap<String, usize> = BTreeMap::new();
    for file in files.iter().filter(|file| file.status.starts_with('R')) {
        let Some(to) = &file.to else { continue };
        if file.path == name {
            return Some(to.clone());
        }
        let Some(rest) = file.path.strip_prefix(name).filter(|rest| rest.starts_with('/')) else {
            continue;
        };
        // Files that were renamed on the way tell nothing about the folder.
        if let Some(folder) = to.strip_suffix(rest) {
            *votes.entry(folder.to_owned()).or_default() += 1;
        }
    }
    // The first of equal ones, so that the answer is always the same.
    let most = votes.values().max().copied()?;
    votes.into_iter().find(|(_, count)| *count == most).map(|(folder, _)| folder)
}
