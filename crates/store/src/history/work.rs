//! What is committed and what is on disk, for many paths at once.

use std::collections::{BTreeMap, BTreeSet};

use oldhand_core::fresh::PathAnswer;

use super::checkout::is_id;
use super::child::{Git, Running, Trouble, texts, words};
use super::log::is_below;

/// Looks at all spots; the contents of those in `hashed` are computed also where they are not
/// committed.
pub(super) fn look_at(
    git: &Git,
    head: Option<&str>,
    spots: &BTreeSet<&str>,
    hashed: &BTreeSet<&str>,
) -> Result<BTreeMap<String, PathAnswer>, Trouble> {
    let is_there = |spot: &&str| git.metadata(spot).is_some();
    let all: Vec<&str> = spots.iter().copied().collect();
    let there: Vec<&str> = all.iter().copied().filter(is_there).collect();
    let (mut committed, mut changed) = (BTreeMap::new(), Vec::new());
    if let Some(head) = head {
        // Both children work at the same time.
        let tree = start_tree(git, head, &all)?;
        let diff = (!there.is_empty()).then(|| start_diff(git, head, &there)).transpose()?;
        committed = ids_in(git, head, &all, tree)?;
        changed = texts(&diff.map(Running::finish).transpose()?.unwrap_or_default());
    }
    let mut works: BTreeMap<String, PathAnswer> = BTreeMap::new();
    for spot in all {
        let committed = committed.get(spot).cloned();
        let exists = there.contains(&spot);
        let uncommitted = exists && changed.iter().any(|path| is_below(path, spot));
        let content = committed.clone().filter(|_| exists && !uncommitted);
        let answer =
            PathAnswer { exists, committed, content, uncommitted, ..PathAnswer::default() };
        works.insert(spot.to_owned(), answer);
    }
    let is_file = |spot: &str| git.metadata(spot).is_some_and(|it| it.is_file());
    let unknown = hashed.iter().copied().filter(|spot| {
        works.get(*spot).is_some_and(|work| work.content.is_none()) && is_file(spot)
    });
    for (spot, id) in hash(git, &unknown.collect::<Vec<_>>())? {
        works.entry(spot).or_default().content = Some(id);
    }
    Ok(works)
}

/// The ids to record: of a file what is on disk, since that is what the writer saw; of a folder
/// what was committed last. At most one child of each kind, at the same time.
pub(super) fn ids(git: &Git, head: Option<&str>, paths: &[String]) -> Vec<Option<String>> {
    let spots: Vec<Option<String>> = paths.iter().map(|path| git.checkout.spot(path)).collect();
    let known: BTreeSet<&str> = spots.iter().flatten().map(String::as_str).collect();
    let (files, others): (Vec<&str>, Vec<&str>) = known
        .into_iter()
        .filter(|spot| git.metadata(spot).is_some())
        .partition(|spot| git.metadata(spot).is_some_and(|metadata| metadata.is_file()));
    let head = head.filter(|_| !others.is_empty());
    let tree = head.and_then(|head| Some((head, start_tree(git, head, &others).ok()?)));
    let mut found = hash(git, &files).unwrap_or_default();
    let committed = tree.and_then(|(head, tree)| ids_in(git, head, &others, tree).ok());
    found.extend(committed.unwrap_or_default());
    spots.iter().map(|spot| found.get(spot.as_ref()?).cloned()).collect()
}

/// What a commit has at these paths, and in the folders above them.
fn start_tree(git: &Git, head: &str, paths: &[&str]) -> Result<Running, Trouble> {
    git.start(&words(&format!("ls-tree -t -z --full-tree {head}"), paths), &[])
}

fn ids_in(
    git: &Git,
    head: &str,
    paths: &[&str],
    tree: Running,
) -> Result<BTreeMap<String, String>, Trouble> {
    let id_of = |entry: String| {
        let (facts, path) = entry.split_once('\t')?;
        let [_, kind, id] = facts.split(' ').collect::<Vec<_>>().try_into().ok()?;
        // The commit of a submodule is not in this repository.
        (kind != "commit").then(|| (path.to_owned(), id.to_owned()))
    };
    let mut ids: BTreeMap<String, String> =
        texts(&tree.finish()?).into_iter().filter_map(id_of).collect();
    if paths.contains(&"") {
        // A tree does not list itself.
        let root = git.word(&["rev-parse", "--verify", "-q", &format!("{head}^{{tree}}")])?;
        ids.extend(root.map(|id| (String::new(), id)));
    }
    ids.retain(|_, id| is_id(id));
    Ok(ids)
}

/// The files below these paths that are not as the commit has them.
fn start_diff(git: &Git, head: &str, paths: &[&str]) -> Result<Running, Trouble> {
    let options = "--name-only -z --no-renames --no-ext-diff --no-textconv --no-relative";
    let command = format!("diff {options} --ignore-submodules=dirty {head}");
    git.start(&words(&command, paths), &[])
}

/// The ids that these files would have.
fn hash(git: &Git, files: &[&str]) -> Result<BTreeMap<String, String>, Trouble> {
    if files.is_empty() {
        return Ok(BTreeMap::new());
    }
    let output = match git.run(&words("hash-object", files)) {
        Ok(output) => output,
        // One of them went away meanwhile, or may not be read: none is known.
        Err(Trouble::Failed) => return Ok(BTreeMap::new()),
        Err(other) => return Err(other),
    };
    let output = String::from_utf8_lossy(&output);
    let ids: Vec<&str> = output.lines().filter(|line| is_id(line)).collect();
    if ids.len() != files.len() {
        return Ok(BTreeMap::new());
    }
    Ok(files.iter().zip(ids).map(|(file, id)| ((*file).to_owned(), id.to_owned())).collect())
}
