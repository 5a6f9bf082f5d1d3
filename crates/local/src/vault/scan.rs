//! Reading many memories: the folders' files in order, by as many threads as pay.

use std::path::PathBuf;

use oldhand_core::policy::MEMORY_BYTES_MAX;
use oldhand_engine::failure::{Failure, StoreError};
use oldhand_engine::port::{Scan, Stored, Unreadable};

use super::{LocalVault, is_missing};

/// Below this many files one thread is faster than starting another.
const FILES_PER_THREAD: usize = 256;
const THREADS_MAX: usize = 8;

pub(crate) type Outcome = Option<Result<Stored, Unreadable>>;

impl LocalVault<'_> {
    pub(super) fn scan_folders(&self, folders: &[String]) -> Result<Scan, Failure> {
        let mut files: Vec<(String, PathBuf)> = Vec::new();
        for folder in folders {
            let path = self.layout.file(folder);
            let entries = match self.disk.list(&path) {
                Ok(entries) => entries,
                Err(error) if is_missing(&error) => continue,
                Err(error) => return Err(StoreError::io("list", &path, error).into()),
            };
            for entry in entries {
                if !entry.is_directory && is_memory_name(&entry.name) {
                    files.push((format!("{folder}/{}", entry.name), entry.path));
                }
            }
        }
        let mut scan = Scan::default();
        for outcome in self.read_all(&files) {
            match outcome {
                Some(Ok(stored)) => scan.stored.push(stored),
                Some(Err(unreadable)) => scan.unreadable.push(unreadable),
                None => {}
            }
        }
        Ok(scan)
    }

    /// These files, in their order; `None` for one that is not there.
    pub(crate) fn read_many(&self, paths: &[&String]) -> Vec<(String, Outcome)> {
        let files: Vec<(String, PathBuf)> =
            paths.iter().map(|path| ((*path).clone(), self.layout.file(path))).collect();
        let outcomes = self.read_all(&files);
        files.into_iter().map(|(path, _)| path).zip(outcomes).collect()
    }

    fn read_all(&self, files: &[(String, PathBuf)]) -> Vec<Outcome> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = (files.len() / FILES_PER_THREAD).clamp(1, cores.min(THREADS_MAX));
        if threads == 1 {
            return files.iter().map(|file| self.read_one(file)).collect();
        }
        let share = files.len().div_ceil(threads);
        std::thread::scope(|scope| {
            let readers: Vec<_> = files
                .chunks(share)
                .map(|chunk| {
                    scope.spawn(move || {
                        chunk.iter().map(|file| self.read_one(file)).collect::<Vec<Outcome>>()
                    })
                })
                .collect();
            readers
                .into_iter()
                .flat_map(|reader| reader.join().expect("reading a memory does not panic"))
                .collect()
        })
    }

    /// `None` for a file that went away meanwhile: somebody collected or renamed it.
    fn read_one(&self, (path, file): &(String, PathBuf)) -> Outcome {
        match self.disk.read(file, MEMORY_BYTES_MAX) {
            Ok(bytes) => Some(self.parse(path, bytes)),
            Err(error) if is_missing(&error) => None,
            Err(error) => Some(Err(Unreadable {
                path: path.clone(),
                why: error.to_string(),
                hint: "look at the file in the store's folder".to_owned(),
                // Links and sizes are refused by ourselves; permissions are the file's own trouble.
                is_disk: error.raw_os_error().is_some()
                    && error.kind() != std::io::ErrorKind::PermissionDenied,
            })),
        }
    }
}

/// Editors leave hidden and backup files beside what they edit.
pub(crate) fn is_memory_name(name: &str) -> bool {
    name.ends_with(".md") && !name.starts_with(['.', '#', '~'])
}
