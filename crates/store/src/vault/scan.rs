//! Finding the one file of an id, and reading many: the folders' files in order, by as many threads
//! as pay.

use std::collections::BTreeSet;

use crate::failure::{Failure, StoreError};
use crate::port::{Scan, Stored, Unreadable, Visit, stem_of};
use oldhand_core::memory::MemoryId;
use oldhand_core::policy::MEMORY_BYTES_MAX;
use oldhand_core::refusal::{Code, Refusal};

use super::LocalVault;
use crate::disk::{DirEntry, is_missing};
use crate::layout::relative;

/// Below this many files one thread is faster than starting another.
const FILES_PER_THREAD: usize = 256;
const THREADS_MAX: usize = 8;
/// So many files are read before they are looked at.
pub(crate) const FILES_PER_PART: usize = FILES_PER_THREAD * THREADS_MAX;

pub(crate) type Outcome = Option<Result<Stored, Unreadable>>;

impl LocalVault<'_> {
    pub(super) fn scan_folders(&self, folders: &[String]) -> Result<Scan, Failure> {
        let mut scan = Scan::default();
        self.visit_folders(folders, &mut |visit| match visit.file {
            Ok(stored) => scan.stored.push(stored),
            Err(unreadable) => scan.unreadable.push(unreadable),
        })?;
        Ok(scan)
    }

    /// By path. Only a part of the files is in memory at any time.
    pub(super) fn visit_folders(
        &self,
        folders: &[String],
        see: &mut dyn FnMut(Visit),
    ) -> Result<(), Failure> {
        let files = self.files_in(folders)?;
        let mut done = 0;
        for part in files.chunks(FILES_PER_PART) {
            let outcomes = self.read_all(part);
            for file in outcomes.into_iter().flatten() {
                done += 1;
                see(Visit { file, done, of: files.len() });
            }
        }
        Ok(())
    }

    /// The paths of the files that may be memories, by directory listing alone.
    pub(super) fn files_in(&self, folders: &[String]) -> Result<Vec<String>, Failure> {
        let mut files = Vec::new();
        for folder in folders {
            let path = self.layout.file(folder);
            let entries = self.disk.entries(&path)?;
            let is_file = |entry: &DirEntry| !entry.is_directory && is_memory_name(&entry.name);
            let found = entries.into_iter().filter(is_file);
            files.extend(found.map(|entry| format!("{folder}/{}", entry.name)));
        }
        Ok(files)
    }

    /// These files, in their order; `None` for one that is not there.
    pub(crate) fn read_all(&self, files: &[String]) -> Vec<Outcome> {
        of_each(files, &|file| self.read_one(file))
    }

    /// The same as plain text, without a look at what it says; `None` also for what is none.
    pub(crate) fn read_texts(&self, files: &[String]) -> Vec<Option<String>> {
        of_each(files, &|file| {
            let bytes = self.disk.read(&self.layout.file(file), MEMORY_BYTES_MAX).ok()?;
            String::from_utf8(bytes).ok()
        })
    }

    /// Ids that more than one file has.
    pub(crate) fn shared_ids(&self) -> Result<BTreeSet<String>, Failure> {
        let files = self.files_in(&self.all_folders()?)?;
        let mut ids: Vec<&str> = files.iter().map(|path| stem_of(path)).collect();
        ids.sort_unstable();
        let twice = ids.windows(2).filter(|pair| pair[0] == pair[1]);
        Ok(twice.map(|pair| pair[0].to_owned()).collect())
    }

    /// `None` for a file that went away meanwhile: somebody collected or renamed it.
    fn read_one(&self, path: &str) -> Outcome {
        match self.disk.read(&self.layout.file(path), MEMORY_BYTES_MAX) {
            Ok(bytes) => Some(Stored::parse(path, bytes, self.kinds)),
            Err(error) if is_missing(&error) => None,
            Err(error) => Some(Err(Unreadable {
                path: path.to_owned(),
                why: error.to_string(),
                hint: "look at the file in the store's folder".into(),
                // Links and sizes are refused by ourselves; permissions are the file's own trouble.
                is_disk: error.raw_os_error().is_some()
                    && error.kind() != std::io::ErrorKind::PermissionDenied,
            })),
        }
    }

    /// The one file of an id. What moves out of `candidates/` may be met in both folders or be gone
    /// from where it was seen: a second look finds it where it is.
    pub(super) fn read_only_one<T>(
        &self,
        id: &MemoryId,
        read: &dyn Fn(&str) -> Result<Option<T>, Failure>,
    ) -> Result<Option<T>, Failure> {
        for _ in 0..2 {
            let Some(path) = self.only_path(id)? else { return Ok(None) };
            if let Some(file) = read(&path)? {
                return Ok(Some(file));
            }
        }
        Ok(None)
    }

    /// Where the file of an id is. Two files of one id are two memories: neither is meant.
    pub(crate) fn only_path(&self, id: &MemoryId) -> Result<Option<String>, Failure> {
        let mut paths = self.paths_of(id)?;
        if paths.len() > 1 {
            paths = self.paths_of(id)?;
        }
        let [first, second, ..] = paths.as_slice() else { return Ok(paths.pop()) };
        let at = relative(&self.layout.repository, &self.layout.file(second));
        let message = format!("`{id}` is the id of two files: `{first}` and `{second}`");
        let hint =
            format!("rename one of them, such as `mv {at} {}-2.md`", at.trim_end_matches(".md"));
        Err(Refusal::new(Code::Ambiguous, message).with_hint(hint).into())
    }

    fn paths_of(&self, id: &MemoryId) -> Result<Vec<String>, StoreError> {
        let mut paths = Vec::new();
        for folder in self.all_folders()? {
            let path = format!("{folder}/{id}.md");
            if self.stat(&self.layout.file(&path))?.is_some() {
                paths.push(path);
            }
        }
        Ok(paths)
    }
}

/// In their order, by as many threads as pay.
fn of_each<T: Send>(files: &[String], read: &(impl Fn(&str) -> T + Sync)) -> Vec<T> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = (files.len() / FILES_PER_THREAD).clamp(1, cores.min(THREADS_MAX));
    if threads == 1 {
        return files.iter().map(|file| read(file)).collect();
    }
    let share = files.len().div_ceil(threads);
    std::thread::scope(|scope| {
        let reader = |chunk| scope.spawn(move || of_chunk(chunk, read));
        let readers: Vec<_> = files.chunks(share).map(reader).collect();
        readers
            .into_iter()
            .flat_map(|reader| reader.join().expect("reading a memory does not panic"))
            .collect()
    })
}

fn of_chunk<T>(files: &[String], read: &impl Fn(&str) -> T) -> Vec<T> {
    files.iter().map(|file| read(file)).collect()
}

/// Editors leave hidden and backup files beside what they edit.
pub(crate) fn is_memory_name(name: &str) -> bool {
    name.ends_with(".md") && !name.starts_with(['.', '#', '~'])
}
