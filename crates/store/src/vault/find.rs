//! The file of an id: in whatever folder, and only one.

use crate::failure::{Failure, StoreError};
use oldhand_core::memory::MemoryId;
use oldhand_core::refusal::{Code, Refusal};

use super::LocalVault;
use crate::layout::relative;

impl LocalVault<'_> {
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
