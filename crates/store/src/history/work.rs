//! What is committed and what is on disk, for many paths at once.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;

use oldhand_core::fresh::PathAnswer;

use super::checkout::{Checkout, is_id};
use super::child::{Git, Running, Trouble, is_there, texts, words};
use super::log::is_below;

/// Looks at all spots; the contents of those in `hashed` are computed also where they
/// are not committed.
pub(super) fn look_at(
    git: &Git,
    place: &Checkout,
    head: Option<&str>,
    spots: &BTreeSet<&str>,
    hashed: &BTreeSet<&str>,
) -> Result<BTreeMap<String, PathAnswer>, Trouble> {
    let all: Vec<&str> = spots.iter().copied().collect();
    let there: Vec<&str> =
        all.iter().copied().filter(|spot| is_there(&place.toplevel.join(spot))).collect();
    // Both children work at the same time.
    let committed = head.map(|head| Committed::start(git, head, &all)).transpose()?;
    let changed = match head {
        Some(head) if !there.is_empty() => Some(start_diff(git, head, &there)?),
        _ => None,
    };
    let committed = match committed {
        Some(committed) => committed.finish(git)?,
        None => vec![None; all.len()],
    };
    let changed = changed.map(Running::finish).transpose()?.unwrap_or_default();
    let changed = texts(&changed);
    let mut works = BTreeMap::new();
    for (spot, committed) in all.iter().zip(committed) {
        let exists = there.contains(spot);
        let uncommitted = exists && changed.iter().any(|path| is_below(path, spot));
        let content = committed.clone().filter(|_| exists && !uncommitted);
        let answer =
            PathAnswer { exists, committed, content, uncommitted, ..PathAnswer::default() };
        works.insert((*spot).to_owned(), answer);
    }
    let unknown: Vec<&str> = works
        .iter()
        .filter(|(spot, work)| {
            let is_file = place.toplevel.join(spot).symlink_metadata().is_ok_and(|m| m.is_file());
            work.content.is_none() && is_file && hashed.contains(spot.as_str())
        })
        .map(|(spot, _)| spot.as_str())
        .collect();
    let contents: Vec<(String, String)> = hash(git, &unknown)?;
    for (spot, id) in contents {
        if let Some(work) = works.get_mut(&spot) {
            work.content = Some(id);
        }
    }
    Ok(works)
}

/// The ids to record: of a file what is on disk, since that is what the writer saw; of a folder
/// what was committed last. At most one child of each kind, at the same time.
pub(super) fn ids(
    git: &Git,
    place: &Checkout,
    head: Option<&str>,
    paths: &[String],
) -> Vec<Option<String>> {
    let spots: Vec<Option<String>> = paths.iter().map(|path| place.spot(path)).collect();
    let known: BTreeSet<&str> = spots.iter().flatten().map(String::as_str).collect();
    let kind = |spot: &str| place.toplevel.join(spot).symlink_metadata().ok();
    let (files, others): (Vec<&str>, Vec<&str>) = known
        .into_iter()
        .filter(|spot| kind(spot).is_some())
        .partition(|spot| kind(spot).is_some_and(|metadata| metadata.is_file()));
    let committed = match head {
        Some(head) if !others.is_empty() => Committed::start(git, head, &others).ok(),
        _ => None,
    };
    let mut found: BTreeMap<String, String> =
        hash(git, &files).unwrap_or_default().into_iter().collect();
    let committed = committed.and_then(|committed| committed.finish(git).ok()).unwrap_or_default();
    for (spot, id) in others.iter().zip(committed) {
        found.extend(id.map(|id| ((*spot).to_owned(), id)));
    }
    spots.iter().map(|spot| found.get(spot.as_ref()?).cloned()).collect()
}

/// The ids in a commit, on their way.
struct Committed<'p> {
    head: String,
    paths: Vec<&'p str>,
    running: Option<Running>,
}

impl<'p> Committed<'p> {
    fn start(git: &Git, head: &str, paths: &[&'p str]) -> Result<Self, Trouble> {
        let mut input = String::new();
        for path in paths.iter().filter(|path| !path.contains('\n')) {
            input.push_str(&format!("{head}:{path}\n"));
        }
        // The name alone: nothing has to be unpacked for it.
        let args = ["cat-file", "--batch-check=%(objectname)"].map(OsString::from);
        let running =
            (!input.is_empty()).then(|| git.start(&args, input.as_bytes())).transpose()?;
        Ok(Self { head: head.to_owned(), paths: paths.to_vec(), running })
    }

    fn finish(self, git: &Git) -> Result<Vec<Option<String>>, Trouble> {
        let output = self.running.map(Running::finish).transpose()?.unwrap_or_default();
        let output = String::from_utf8_lossy(&output).into_owned();
        let mut lines = output.lines();
        let mut ids = Vec::with_capacity(self.paths.len());
        for path in &self.paths {
            // A line break in a name is read as two questions: such a name is asked for by itself.
            let answer = if path.contains('\n') {
                let name = format!("{}:{path}", self.head);
                git.word(&["rev-parse", "--verify", "-q", "--end-of-options", &name])?
                    .unwrap_or_default()
            } else {
                lines.next().unwrap_or_default().to_owned()
            };
            ids.push(Some(answer).filter(|id| is_id(id)));
        }
        Ok(ids)
    }
}

/// The files below these paths that are not as the commit has them.
fn start_diff(git: &Git, head: &str, paths: &[&str]) -> Result<Running, Trouble> {
    let options = "--name-only -z --no-renames --no-ext-diff --no-textconv --no-relative";
    let command = format!("diff {options} --ignore-submodules=dirty {head}");
    git.start(&words(&command, paths), &[])
}

/// The ids that these files would have.
fn hash(git: &Git, files: &[&str]) -> Result<Vec<(String, String)>, Trouble> {
    if files.is_empty() {
        return Ok(Vec::new());
    }
    let output = match git.run(&words("hash-object", files)) {
        Ok(output) => output,
        // One of them went away meanwhile, or may not be read: none is known.
        Err(Trouble::Failed) => return Ok(Vec::new()),
        Err(other) => return Err(other),
    };
    let output = String::from_utf8_lossy(&output);
    let ids: Vec<&str> = output.lines().filter(|line| is_id(line)).collect();
    if ids.len() != files.len() {
        return Ok(Vec::new());
    }
    Ok(files.iter().zip(ids).map(|(file, id)| ((*file).to_owned(), id.to_owned())).collect())
}
