//! Content that is gone: emptied, filled with NUL bytes, without its frontmatter or without what its
//! kind requires. It is named with the version to restore, and never recorded as an edit.

use oldhand_core::pending::PENDING_FOLDER;
use oldhand_store::port::{Finding, Unreadable, id_of_path};
use oldhand_text::strings::typed;

use super::adopt::{Last, Log};
use super::files::Files;
use crate::context::Care;
use crate::prelude::*;

/// Versions are looked for in the log and in git, which costs a child: for so many files.
const LOOKED_FOR_MAX: usize = 20;

pub(super) struct Loss {
    path: String,
    what: String,
    /// It may be an edit.
    is_cut: bool,
}

/// Where the text ends in the middle of a line of what it was: nobody edits like that, a full disk
/// or an editor that died does.
pub(crate) fn cut_in(before: &str, now: &str) -> Option<String> {
    let rest = before.strip_prefix(now.trim_end())?;
    let is_within = !rest.is_empty() && !rest.starts_with(['\n', '\r']);
    let (there, of) = (now.trim_end().len(), before.len());
    is_within.then(|| format!("the text ends in the middle of a line, {there} of {of} bytes"))
}

impl Care<'_> {
    /// What a file that is still a memory has lost since the log last saw it.
    pub(super) fn loss(&self, stored: &Stored, log: &Log, looked: &mut usize) -> Option<Loss> {
        let last = log.last.get(stored.memory.id.as_str())?;
        if last.after == Some(stored.hash) {
            return None;
        }
        let path = stored.path.clone();
        if let Some(what) = self.missing_in(stored, last.is_ours) {
            return Some(Loss { path, what, is_cut: false });
        }
        *looked += 1;
        let hash = last.after.filter(|_| *looked <= LOOKED_FOR_MAX)?;
        let what = cut_in(&self.text_of(&path, hash)?, &stored.text)?;
        Some(Loss { path, what, is_cut: true })
    }

    /// A version by its hash, if it was replaced on this machine or committed.
    fn text_of(&self, path: &str, hash: ContentHash) -> Option<String> {
        let kept = self.vault.kept(&hash.to_string()).ok().flatten();
        let is_it = |text: &String| ContentHash::of(text.as_bytes()) == hash;
        kept.or_else(|| self.code.committed(path).into_iter().find(is_it))
    }

    /// What this program never leaves out when it writes a file. Documents of other tools may have
    /// neither frontmatter nor the sections of a kind.
    pub(crate) fn missing_in(&self, stored: &Stored, is_ours: bool) -> Option<String> {
        if !stored.text.trim_start_matches('\u{feff}').starts_with("---") {
            return is_ours.then(|| "the frontmatter is missing".to_owned());
        }
        let spec = self.settings.kinds.spec(&stored.memory.kind);
        let missing = write::missing(&stored.memory, &spec);
        let has_lost = stored.declared_id.is_some() && !missing.is_empty();
        has_lost.then(|| format!("`{}` is missing", missing.join("`, `")))
    }

    /// One that can't be read at all has a finding of its own.
    pub(super) fn emptied(&self, file: &Unreadable) -> Option<Loss> {
        let raw = self.vault.read_raw(&file.path).ok().flatten()?;
        let what = markdown::emptied(&raw.text)?.to_owned();
        Some(Loss { path: file.path.clone(), what, is_cut: false })
    }

    pub(super) fn name_loss(&self, loss: &Loss, log: &Log, at: usize) -> Result<Finding> {
        let path = &loss.path;
        let id = stem(path);
        let otherwise = format!("`oldhand edit {id}` writes it again");
        let (found, mut hint) = self.way_back(path, log.hash_of(id), at, &otherwise)?;
        if loss.is_cut {
            hint.push_str(&format!("; `oldhand verify {}` says that it is meant so", typed(id)));
        }
        Ok(Finding::new(path, format!("content is gone: {}{found}", loss.what), hint))
    }

    /// The newest version that is at hand, and the command that restores it; without one, where
    /// else to look.
    fn way_back(
        &self,
        path: &str,
        last: Option<ContentHash>,
        at: usize,
        otherwise: &str,
    ) -> Result<(String, String)> {
        if let Some(id) = id_of_path(path).filter(|_| at < LOOKED_FOR_MAX)
            && let Some(version) = self.trail().versions(&id, path)?.into_iter().next()
        {
            let hash = version.hash.short();
            let is_last = last.is_none_or(|last| last == version.hash);
            let age = if is_last { "" } else { ", an older one than the last" };
            let what = format!("; {} has version {hash}{age}", version.place);
            let hint = format!("`oldhand restore {} --version {hash}`", typed(id.as_str()));
            return Ok((what, hint));
        }
        Ok((String::new(), format!("`git log -- .oldhand/{path}` may have it; {otherwise}")))
    }

    /// Files that the log knows and nobody retired: somebody deleted or renamed them.
    pub(super) fn vanished(&self, files: &Files, log: &Log) -> Result<Vec<Finding>> {
        let (there, renamed) = (files.by_id(), files.renamed(log));
        let unreadable: BTreeSet<&str> =
            files.unreadable.iter().map(|file| file.path.as_str()).collect();
        let waiting = format!("{PENDING_FOLDER}/");
        let is_memory = |last: &Last| !last.path.is_empty() && !last.path.starts_with(&waiting);
        let vanished = log.last.iter().filter_map(|(id, last)| {
            let is_there = there.contains_key(id.as_str())
                || renamed.contains_key(id)
                || unreadable.contains(&*last.path);
            Some((id, last, last.after.filter(|_| is_memory(last) && !is_there)?))
        });
        let finding = |(at, (id, last, hash)): (usize, (&String, &Last, ContentHash))| {
            let otherwise = format!("`oldhand history {id}` tells what is known");
            let (found, hint) = self.way_back(&last.path, last.after, at, &otherwise)?;
            let what = format!("is gone; its last version was {}{found}", hash.short());
            Ok(Finding::new(&last.path, what, hint))
        };
        vanished.enumerate().map(finding).collect()
    }
}
