//! What follows an acknowledged write and may fail without harm: the index page, the versions that
//! were replaced, the note itself.

use std::path::Path;

use crate::failure::{At, Failure, StoreError};
use crate::port::{FileWrite, Unsettled, Vault};
use oldhand_core::index_page::IndexPage;
use oldhand_core::pending::PENDING_FOLDER;
use oldhand_core::policy::IMPORT_BYTES_MAX;
use oldhand_text::hash::ContentHash;

use super::LocalVault;
use super::apply::Applied;
use crate::disk::{Held, if_there};
use crate::history::Checkout;
use crate::marks::FolderMarks;

/// A larger page is not rewritten for one memory: it is marked, and rebuilt by `render`,
/// `doctor` and whatever reads the whole store anyway.
const INDEX_BYTES_MAX: usize = 256 * 1024;
/// A missing page is rebuilt on the spot only for stores that are read at once.
const REBUILD_FILES_MAX: usize = 2_000;
const HEAD_BYTES_MAX: u64 = 1024;
/// Replaced versions kept for undo, and how many more there may be before they are pruned.
const KEPT_MAX: usize = 200;
const KEPT_SLACK: usize = 56;
/// Files of one write whose new versions are kept too.
const CURRENT_MAX: usize = 20;

/// What waits for a person is on no page.
fn is_pending(path: &str) -> bool {
    path.split_once('/').is_some_and(|(folder, _)| folder == PENDING_FOLDER)
}

pub(super) struct Settling<'a> {
    pub vault: &'a LocalVault<'a>,
    pub applied: Applied,
    pub held: Box<dyn Held>,
    pub marks: Option<FolderMarks>,
}

impl Unsettled for Settling<'_> {
    fn settle(self: Box<Self>) -> Vec<String> {
        let notes = self.vault.settle(&self.applied);
        if let Some(marks) = self.marks {
            marks.leave();
        }
        drop(self.held);
        notes
    }
}

impl LocalVault<'_> {
    pub(super) fn settle(&self, applied: &Applied) -> Vec<String> {
        let mut notes = Vec::new();
        if !applied.plan.files.is_empty() {
            let kept = self.keep_replaced(applied).and_then(|()| self.keep_current(applied));
            let kept = kept.and_then(|()| Ok(self.prune()?));
            let steps = [("index.md", self.update_index(applied)), ("kept versions", kept)];
            for (what, result) in steps {
                if let Err(error) = result {
                    notes.push(format!("{what} will be brought up to date later: {error}"));
                }
            }
        }
        match self.update_git_files() {
            Ok(changed) if changed.is_empty() => {}
            Ok(changed) => notes.push(self.moved_over(&changed)),
            Err(error) => notes.push(error.to_string()),
        }
        if let Err(error) = self.remove(&self.note(&applied.write)) {
            notes.push(error.to_string());
        }
        notes
    }

    /// Told once: the next write finds everything as it should be.
    fn moved_over(&self, changed: &[String]) -> String {
        if !changed.iter().any(|name| name == ".gitignore") {
            return format!("brought `{}` up to date: commit it", changed.join("`, `"));
        }
        if self.commits_index {
            return "`index.md` is no longer ignored by git: commit it".to_owned();
        }
        let told = "new events now go to a file of this clone, and `index.md` stays out of git";
        match self.tracked_index() {
            Some(tracked) => format!("{told}; {tracked}"),
            None => told.to_owned(),
        }
    }

    /// What the exchange took out is the version before: kept for undo and for late editors.
    fn keep_replaced(&self, applied: &Applied) -> Result<(), Failure> {
        for (number, file) in applied.plan.files.iter().enumerate() {
            let Some(before) = file.before else { continue };
            let part = self.part(&applied.write, number);
            if self.stat(&part)?.is_some() {
                self.keep_as(&part, &before.to_string())?;
            }
        }
        Ok(())
    }

    /// A copy of what is there now: an editor or a disk may empty the file before it is committed.
    /// Many at once came from somewhere, and would push out what others need.
    fn keep_current(&self, applied: &Applied) -> Result<(), Failure> {
        let files = &applied.plan.files;
        let few = files.iter().filter(|_| files.len() <= CURRENT_MAX);
        for text in few.filter(|it| !is_pending(&it.path)).filter_map(|it| it.after.as_ref()) {
            let hash = ContentHash::of(text.as_bytes()).to_string();
            if self.stat(&self.layout.kept().join(format!("{hash}.md")))?.is_none() {
                let part = self.layout.tmp().join(format!("{}.page", self.next_id()));
                self.create(&part, text.as_bytes())?;
                self.keep_as(&part, &hash)?;
            }
        }
        Ok(())
    }

    /// When there are too many, the oldest go; one that is not what its name says holds somebody's
    /// late edit and stays.
    fn prune(&self) -> Result<(), StoreError> {
        let folder = self.layout.kept();
        let most = KEPT_MAX + KEPT_SLACK;
        if !self.disk.count(&folder, most).is_ok_and(|count| count >= most) {
            return Ok(());
        }
        let entries = if_there(self.disk.list_by_age(&folder, &|_| true))
            .at("list", &folder)?
            .unwrap_or_default();
        let excess = entries.len().saturating_sub(KEPT_MAX);
        for entry in entries.into_iter().take(excess) {
            let named = ContentHash::parse(entry.name.trim_end_matches(".md"));
            if named.is_some() && self.hash_of(&entry.path)? == named {
                self.remove(&entry.path)?;
            }
        }
        Ok(())
    }

    fn update_index(&self, applied: &Applied) -> Result<(), Failure> {
        let path = self.layout.index();
        let bytes = self.disk.file(&path, IMPORT_BYTES_MAX)?.unwrap_or_default();
        // A page that is no text is rebuilt from the memories, like one that is missing.
        let text = String::from_utf8(bytes).unwrap_or_default();
        if text.len() > INDEX_BYTES_MAX {
            return Ok(self.mark_index_stale()?);
        }
        let (page, has_moved) = (IndexPage::parse(&text), self.is_index_behind()?);
        if (page.is_none() || has_moved) && self.is_small()? {
            return self.refresh_index_locked().map(drop);
        }
        if page.is_none() || has_moved {
            self.mark_index_stale()?;
        }
        let Some(mut page) = page else { return Ok(()) };
        let is_memory = |file: &&FileWrite| !is_pending(&file.path);
        for file in applied.plan.files.iter().filter(is_memory) {
            match &file.memory {
                Some(memory) => page.put(memory, self.kinds),
                None => page.remove(file.id.as_str()),
            }
        }
        let new = page.render(self.kinds);
        if new != text {
            self.replace_derived(&path, &new)?;
        }
        Ok(())
    }

    /// The page is not in git: a pull, a merge or another branch brings memories and no page. Also
    /// true where there is none.
    pub(super) fn is_index_behind(&self) -> Result<bool, StoreError> {
        let head = Checkout::find(&self.layout.root).and_then(|checkout| checkout.head());
        let known = self.disk.file(&self.layout.index_head(), HEAD_BYTES_MAX)?;
        let is_there = self.stat(&self.layout.index())?.is_some();
        Ok(!is_there || head.is_some_and(|head| known.is_none_or(|known| known != head.as_bytes())))
    }

    pub(super) fn is_small(&self) -> Result<bool, Failure> {
        let mut files = 0;
        for folder in self.folders() {
            files += self.count_files(&folder, REBUILD_FILES_MAX)?;
        }
        Ok(files < REBUILD_FILES_MAX)
    }

    fn mark_index_stale(&self) -> Result<(), StoreError> {
        let mark = self.layout.index_stale();
        match self.disk.create(&mark, b"index.md lags behind; `oldhand render` rebuilds it\n") {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
            other => other.at("write", &mark),
        }
    }

    pub(super) fn refresh_index(&self) -> Result<Vec<String>, Failure> {
        // A page can be compared on a read-only disk; only a difference needs the lock.
        if self.index_is_current()? {
            return Ok(Vec::new());
        }
        let _held = self.lock()?;
        self.refresh_index_locked()
    }

    fn index_is_current(&self) -> Result<bool, Failure> {
        let bytes = self.disk.read(&self.layout.index(), IMPORT_BYTES_MAX);
        let wanted = self.whole_index()?;
        Ok(bytes.is_ok_and(|bytes| bytes == wanted.as_bytes())
            && self.stat(&self.layout.index_stale())?.is_none())
    }

    fn whole_index(&self) -> Result<String, Failure> {
        let mut page = IndexPage::default();
        self.visit(&mut |visit| {
            if let Ok(stored) = visit.file {
                page.put(&stored.memory, self.kinds);
            }
        })?;
        Ok(page.render(self.kinds))
    }

    pub(super) fn refresh_index_locked(&self) -> Result<Vec<String>, Failure> {
        let head = Checkout::find(&self.layout.root).and_then(|checkout| checkout.head());
        let text = self.whole_index()?;
        self.replace_derived(&self.layout.index(), &text)?;
        self.remove(&self.layout.index_stale())?;
        if let Some(head) = head {
            self.replace_derived(&self.layout.index_head(), &head)?;
        }
        Ok(vec!["index.md".to_owned()])
    }

    /// Like a memory, a view may be open in an editor: what comes out must be what was read.
    pub(super) fn replace_view(
        &self,
        path: &Path,
        seen: Option<&str>,
        text: &str,
    ) -> Result<(), StoreError> {
        let part = self.layout.tmp().join(format!("{}.page", self.next_id()));
        let failed = |error| StoreError::io("write", path, error);
        self.create(&part, text.as_bytes())?;
        let Some(seen) = seen else {
            if let Some(folder) = path.parent().filter(|it| *it != self.layout.repository) {
                self.disk.make_dir(folder).map_err(failed)?;
            }
            return self.disk.rename_new(&part, path).map_err(|error| {
                // Made by somebody in this very moment: ours is of no use.
                let _ = self.disk.remove(&part);
                failed(error)
            });
        };
        self.disk.exchange(&part, path).map_err(failed)?;
        let out = self.disk.read(&part, IMPORT_BYTES_MAX).map_err(failed)?;
        if out != seen.as_bytes() {
            self.disk.exchange(&part, path).map_err(failed)?;
            self.remove(&part)?;
            return Err(StoreError::conflict(path));
        }
        self.remove(&part)
    }

    /// Replaced in one step, so that nobody reads half a page; not synced, because it can be
    /// rebuilt from the memories.
    pub(super) fn replace_derived(&self, path: &Path, text: &str) -> Result<(), StoreError> {
        let part = self.layout.tmp().join(format!("{}.page", self.next_id()));
        self.create(&part, text.as_bytes())?;
        self.disk.rename(&part, path).map_err(|error| {
            // The page on its way is of no use to anybody; failing to remove it is harmless.
            let _ = self.disk.remove(&part);
            StoreError::io("write", path, error)
        })
    }
}
