//! What only the disk can tell `doctor`: links, odd names, torn lines, late edits, missing files.

use crate::failure::{At, Failure, StoreError};
use crate::port::{Finding, Inspection};
use oldhand_core::event::Event;
use oldhand_core::memory::MemoryId;
use oldhand_text::hash::ContentHash;

use super::LocalVault;
use super::apply::LATE;
use super::scan::is_memory_name;
use crate::disk::{DirEntry, NodeKind, if_there};
use crate::layout::relative;

impl LocalVault<'_> {
    pub(super) fn inspect_files(&self) -> Result<Inspection, Failure> {
        let (mut findings, mut notes) = (Vec::new(), Vec::new());
        for folder in self.all_folders()? {
            for entry in self.disk.entries(&self.layout.file(&folder))? {
                self.inspect_entry(&folder, &entry, &mut findings)?;
            }
        }
        self.inspect_names(&mut findings)?;
        self.inspect_events(&mut findings, &mut notes)?;
        self.inspect_kept(&mut findings)?;
        for name in [".gitattributes", ".gitignore"] {
            if self.stat(&self.layout.file(name))?.is_none()
                && self.layout.repository != self.layout.root
            {
                findings.push(Finding::new(name, "is missing", "`oldhand init` writes it again"));
            }
        }
        notes.extend(self.tracked_index());
        Ok(Inspection { findings, notes })
    }

    fn inspect_entry(
        &self,
        folder: &str,
        entry: &DirEntry,
        findings: &mut Vec<Finding>,
    ) -> Result<(), StoreError> {
        let path = format!("{folder}/{}", entry.name);
        let kind = self.stat(&entry.path)?.map(|stat| stat.kind);
        if kind == Some(NodeKind::Symlink) {
            let hint = "put the file itself there: links are never followed";
            findings.push(Finding::new(&path, "is a symbolic link", hint));
        } else if entry.is_directory {
            let hint = "memories lie directly in the folder of their kind";
            findings.push(Finding::new(&path, "is a folder, and nothing in it is read", hint));
        } else if entry.name == ".keep" {
            // `init` writes one, see there.
        } else if !is_memory_name(&entry.name) {
            findings.push(Finding::new(&path, "is no memory", "move it out of the store"));
        } else if MemoryId::parse(entry.name.trim_end_matches(".md")).is_err() {
            let name = oldhand_text::strings::slug(entry.name.trim_end_matches(".md"));
            let hint = format!("rename it to `{name}.md`");
            findings.push(Finding::new(&path, "has a name that is no id", hint));
        }
        Ok(())
    }

    /// Names that are not UTF-8 are never read, so what they hold counts nowhere.
    fn inspect_names(&self, findings: &mut Vec<Finding>) -> Result<(), StoreError> {
        let mut folders = self.all_folders()?;
        folders.extend(super::RESERVED.iter().map(|folder| (*folder).to_owned()));
        folders.push(String::new());
        for folder in folders {
            let place = self.layout.file(&folder);
            let names =
                if_there(self.disk.odd_names(&place)).at("list", &place)?.unwrap_or_default();
            let at = relative(&self.layout.repository, &place);
            let at = at.trim_end_matches('/');
            for name in names {
                let stem = oldhand_text::strings::slug(name.trim_end_matches(".md"));
                let hint = format!("rename it: `mv $'{at}/{name}' {at}/{stem}.md`");
                let path = format!("{folder}/{name}");
                let what = "has a name that is not UTF-8";
                findings.push(Finding::new(path.trim_start_matches('/'), what, hint));
            }
        }
        Ok(())
    }

    fn inspect_events(
        &self,
        findings: &mut Vec<Finding>,
        notes: &mut Vec<String>,
    ) -> Result<(), StoreError> {
        for file in self.event_files()? {
            let path = relative(&self.layout.root, &file);
            let text = self.read_event_file(&file)?;
            let is_conflict = |line: &str| {
                ["<<<<<<< ", "=======", ">>>>>>> "].iter().any(|mark| line.starts_with(mark))
            };
            if text.lines().any(is_conflict) {
                let hint = "take the marker lines out and keep both sides";
                findings.push(Finding::new(&path, "has a merge conflict", hint));
            }
            let is_torn = |line: &&str| {
                !line.trim().is_empty() && !is_conflict(line) && Event::of_line(line).is_none()
            };
            let torn = text.lines().filter(is_torn).count();
            if torn > 0 {
                // A disk that died in the middle of a line: what it was about was completed or
                // never acknowledged.
                notes.push(format!("torn lines in `{path}`: {torn} skipped, which does no harm"));
            }
        }
        Ok(())
    }

    /// A replaced version that is not what its name says: an editor wrote into it too late.
    fn inspect_kept(&self, findings: &mut Vec<Finding>) -> Result<(), StoreError> {
        for entry in self.disk.entries(&self.layout.kept())? {
            let named = entry.name.split('.').next().and_then(ContentHash::parse);
            let what = if entry.name.starts_with(LATE) {
                "holds what somebody saved while a write failed"
            } else if named.is_some() && self.hash_of(&entry.path)? != named {
                "holds an edit that came after its version was replaced"
            } else {
                continue;
            };
            let path = relative(&self.layout.root, &entry.path);
            let hint = "compare it with the memory, and move it out of the store when you have what you need";
            findings.push(Finding::new(&path, what, hint));
        }
        Ok(())
    }
}
