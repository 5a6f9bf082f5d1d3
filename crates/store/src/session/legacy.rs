//! What version 0.1 kept in files of their own and is in the store's record now. It is read as long
//! as there is no record, and removed when the first one is written.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::port::session::{ServedForTask, StoreRecord, TaskRecord};

use crate::disk::{DirEntry, Disk};

const BYTES_MAX: u64 = 4 * 1024 * 1024;

/// What those files say, and which of them could be read.
pub(super) struct Legacy {
    pub record: StoreRecord,
    taken: Vec<PathBuf>,
}

/// A file that can't be read hides no other.
pub(super) fn read(disk: &dyn Disk, folder: &Path) -> Legacy {
    let mut legacy = Legacy { record: StoreRecord::default(), taken: Vec::new() };
    for path in paths(disk, folder) {
        let Ok(Some(bytes)) = disk.file(&path, BYTES_MAX) else { continue };
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if take(&mut legacy.record, &name, String::from_utf8_lossy(&bytes).trim()).is_some() {
            legacy.taken.push(path);
        }
    }
    legacy
}

fn take(record: &mut StoreRecord, name: &str, text: &str) -> Option<()> {
    let (stem, ending) = name.rsplit_once('.').unwrap_or(("", name));
    match ending {
        "swept" => record.swept_at = text.to_owned(),
        "due" => record.due = text.parse().ok()?,
        "entered" => record.entered_at = text.to_owned(),
        "json" => record.drift = Some(serde_json::from_str(text).ok()?),
        "served" => {
            let ids: BTreeSet<String> =
                text.lines().filter(|id| !id.is_empty()).map(str::to_owned).collect();
            record.served.insert(stem.to_owned(), ServedForTask { ids, ..Default::default() });
        }
        // The base comes after the name of the task that is under way, by the order of names.
        "task" => {
            let (task, is_under_way) = (text.to_owned(), !text.is_empty());
            let begun = TaskRecord { task, is_under_way, ..Default::default() };
            record.tasks.insert(stem.to_owned(), begun);
        }
        _ => {
            let base: TaskRecord = serde_json::from_str(text).ok()?;
            let known = record.tasks.entry(stem.to_owned()).or_default();
            let is_under_way = known.is_under_way && known.task == base.task;
            if is_under_way || !known.is_under_way {
                *known = TaskRecord { is_under_way, ..base };
            }
        }
    }
    Some(())
}

impl Legacy {
    /// Best effort: they are not read again. What could not be read stays.
    pub(super) fn remove(&self, disk: &dyn Disk, folder: &Path) {
        for path in &self.taken {
            let _ = disk.remove(path);
        }
        let _ = disk.remove_dir(&folder.join("tasks"));
    }
}

fn paths(disk: &dyn Disk, folder: &Path) -> Vec<PathBuf> {
    let own = ["swept", "due", "entered", "architecture.json", "task", "task-base"];
    let mut found: Vec<PathBuf> = own.iter().map(|name| folder.join(name)).collect();
    for (below, endings) in
        [("sessions", &[".task", ".task-base"] as &[&str]), ("tasks", &[".served"])]
    {
        let entries = disk.entries(&folder.join(below)).unwrap_or_default();
        let is_meant = |entry: &DirEntry| endings.iter().any(|ending| entry.name.ends_with(ending));
        found.extend(entries.into_iter().filter(is_meant).map(|entry| entry.path));
    }
    found
}
