//! The store on a disk: reading without locks, writing through one guarded path.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use crate::failure::{At, Failure, StoreError};
use crate::port::{
    Inspection, Plan, RawFile, Scan, Stored, Unreadable, Unsettled, Vault, Visit, stem_of,
};
use jiff::Timestamp;
use oldhand_core::event::Event;
use oldhand_core::kind::{KindSpec, Kinds};
use oldhand_core::memory::{CANDIDATES_FOLDER, MemoryId};
use oldhand_core::pending::PENDING_FOLDER;
use oldhand_core::policy::MEMORY_BYTES_MAX;
use oldhand_core::refusal::{Code, Refusal};
use oldhand_text::hash::ContentHash;

use crate::disk::{Disk, Held, NodeKind};
use crate::layout::Layout;
use crate::marks::FolderMarks;
use crate::ulid::{Entropy, ulid};

mod apply;
mod derived;
mod events;
mod git_files;
mod init;
mod inspect;
mod journal;
mod recover;
mod scan;
mod writer;

pub use init::init;
pub(crate) use scan::{FILES_PER_PART, is_memory_name};

/// Folders of the store that hold no memories.
const RESERVED: &[&str] = &["events", "local", PENDING_FOLDER];

/// A file of the store that may be a memory, by its path.
pub(crate) fn may_be_memory(path: &str) -> bool {
    let folder = path.split('/').next().unwrap_or_default();
    crate::port::id_of_path(path).is_some() && !RESERVED.contains(&folder)
}

pub struct LocalVault<'a> {
    disk: &'a dyn Disk,
    pub(crate) layout: Layout,
    pub(crate) kinds: &'a Kinds,
    entropy: &'a dyn Entropy,
    pub(crate) now: Timestamp,
    lock_wait: Duration,
    index: Option<PathBuf>,
    commits_index: bool,
    last_events: Mutex<Option<events::LastEvents>>,
    /// What every write is refused with.
    refusal: Option<Refusal>,
}

/// What a vault is opened with.
pub struct Opening<'a> {
    pub disk: &'a dyn Disk,
    pub layout: Layout,
    pub kinds: &'a Kinds,
    pub entropy: &'a dyn Entropy,
    pub now: Timestamp,
    pub lock_wait: Duration,
    /// Where the search index is kept: a write leaves a mark there.
    pub index: Option<PathBuf>,
    /// `index.md` is committed, not built by each clone.
    pub commits_index: bool,
}

impl<'a> LocalVault<'a> {
    /// Opens a store that is there. What an interrupted command left is completed first, unless
    /// somebody is writing or the disk can't be written.
    pub fn open(opening: Opening<'a>) -> Result<Self, Failure> {
        let Opening { disk, layout, kinds, entropy, now, lock_wait, index, commits_index } =
            opening;
        let last_events = Mutex::default();
        let vault = Self {
            disk,
            layout,
            kinds,
            entropy,
            now,
            lock_wait,
            index,
            commits_index,
            last_events,
            refusal: None,
        };
        vault.refuse_odd_root()?;
        vault.refuse_links()?;
        vault.recover_if_needed();
        Ok(vault)
    }

    /// The same, which is only read: every write is refused with this.
    pub fn refusing(self, refusal: Refusal) -> Self {
        Self { refusal: Some(refusal), ..self }
    }

    fn refuse_write(&self) -> Result<(), Refusal> {
        self.refusal.clone().map_or(Ok(()), Err)
    }

    fn refuse_odd_root(&self) -> Result<(), Failure> {
        let root = &self.layout.root;
        match self.stat(root)?.map(|stat| stat.kind) {
            Some(NodeKind::Directory) => Ok(()),
            Some(NodeKind::Symlink) => {
                let why = "the store is a symbolic link, which is never followed";
                Err(StoreError::corrupt("open", root, why).into())
            }
            Some(_) => Err(StoreError::corrupt("open", root, "the store is not a folder").into()),
            None => Err(StoreError::io("open", root, io::ErrorKind::NotFound.into()).into()),
        }
    }

    /// A link in place of one of the store's folders would lead every read and write elsewhere.
    fn refuse_links(&self) -> Result<(), Failure> {
        let folders = self.folders().into_iter().map(|folder| self.layout.file(&folder));
        let own = [
            self.layout.events(),
            self.layout.local(),
            self.layout.tmp(),
            self.layout.kept(),
            self.layout.file(PENDING_FOLDER),
        ];
        for folder in folders.chain(own) {
            if self.stat(&folder)?.is_some_and(|stat| stat.kind == NodeKind::Symlink) {
                let why = "it is a symbolic link, which is never followed";
                return Err(StoreError::corrupt("open", &folder, why).into());
            }
        }
        Ok(())
    }

    fn recover_if_needed(&self) {
        let is_quiet = self.disk.list(&self.layout.tmp()).map_or(true, |left| left.is_empty());
        if is_quiet {
            return;
        }
        // A lock that is held means a live writer: what is there is its own business.
        let Ok(held) = self.disk.lock(&self.layout.lock(), Duration::ZERO) else { return };
        // A disk that can't be written can still be read: the next writer completes it.
        let _ = self.recover();
        drop(held);
    }

    /// Folders that this write changes, as they are before it.
    fn folder_marks(&self, plan: &Plan) -> Option<FolderMarks> {
        let cache = self.index.as_deref()?;
        let folder = |path: &str| path.split_once('/').map(|(folder, _)| folder.to_owned());
        let folders = plan.files.iter().filter_map(|file| folder(&file.path));
        Some(FolderMarks::take(&self.layout.root, cache, folders))
    }

    fn stat(&self, path: &Path) -> Result<Option<crate::disk::Stat>, StoreError> {
        self.disk.stat(path).at("look at", path)
    }

    fn next_id(&self) -> String {
        ulid(self.now, self.entropy.next())
    }

    fn lock(&self) -> Result<Box<dyn Held>, StoreError> {
        let local = self.layout.local();
        if self.stat(&self.layout.kept())?.is_none() {
            for folder in [&local, &self.layout.tmp(), &self.layout.kept()] {
                self.make_dir(folder)?;
            }
            // A note can be a commit point only in a folder whose name is durable.
            self.sync_dir(&local)?;
            self.sync_dir(&self.layout.root)?;
        }
        let path = self.layout.lock();
        self.disk.lock(&path, self.lock_wait).map_err(|error| match error.kind() {
            io::ErrorKind::WouldBlock => {
                let waited = self.lock_wait.as_secs();
                StoreError::locked(&path, format!("another command held it for {waited} s"))
            }
            _ => StoreError::io("lock", &path, error),
        })
    }

    fn make_dir(&self, path: &Path) -> Result<(), StoreError> {
        self.disk.make_dir(path).at("make the folder", path)
    }

    /// Every folder that may hold a memory.
    fn folders(&self) -> Vec<String> {
        let mut folders: Vec<String> = self.kinds.iter().map(|spec| spec.folder.clone()).collect();
        folders.push(CANDIDATES_FOLDER.to_owned());
        folders.sort();
        folders.dedup();
        folders
    }

    /// Folders in the store that no kind has: somebody's, or of a kind that is no longer declared.
    fn other_folders(&self) -> Result<Vec<String>, StoreError> {
        let known = self.folders();
        let entries = self.disk.entries(&self.layout.root)?;
        Ok(entries
            .into_iter()
            .filter(|entry| entry.is_directory && !entry.name.starts_with('.'))
            .map(|entry| entry.name)
            .filter(|name| !RESERVED.contains(&name.as_str()) && !known.contains(name))
            .collect())
    }

    pub(crate) fn all_folders(&self) -> Result<Vec<String>, StoreError> {
        let mut folders = self.folders();
        folders.extend(self.other_folders()?);
        folders.sort();
        Ok(folders)
    }

    fn hash_of(&self, path: &Path) -> Result<Option<ContentHash>, StoreError> {
        Ok(self.disk.file(path, MEMORY_BYTES_MAX)?.map(|bytes| ContentHash::of(&bytes)))
    }
}

impl Vault for LocalVault<'_> {
    fn find(&self, id: &MemoryId) -> Result<Option<Stored>, Failure> {
        self.read_only_one(id, &|path| self.find_at(path))
    }

    fn find_at(&self, path: &str) -> Result<Option<Stored>, Failure> {
        let file = self.disk.file(&self.layout.file(path), MEMORY_BYTES_MAX)?;
        let stored = file.map(|bytes| Stored::parse(path, bytes, self.kinds)).transpose();
        stored.map_err(|unreadable| unreadable.refusal().into())
    }

    fn find_raw(&self, id: &MemoryId) -> Result<Option<RawFile>, Failure> {
        self.read_only_one(id, &|path| self.read_raw(path))
    }

    fn ids(&self) -> Result<Vec<String>, Failure> {
        let files = self.files_in(&self.all_folders()?)?;
        Ok(files.iter().map(|path| stem_of(path).to_owned()).collect())
    }

    fn scan(&self) -> Result<Scan, Failure> {
        self.scan_folders(&self.all_folders()?)
    }

    fn visit(&self, see: &mut dyn FnMut(Visit)) -> Result<(), Failure> {
        self.visit_folders(&self.all_folders()?, see)
    }

    fn scan_kind(&self, spec: &KindSpec) -> Result<Scan, Failure> {
        self.scan_folders(std::slice::from_ref(&spec.folder))
    }

    fn scan_candidates(&self) -> Result<Scan, Failure> {
        self.scan_folders(&[CANDIDATES_FOLDER.to_owned()])
    }

    fn count_files(&self, folder: &str, limit: usize) -> Result<usize, Failure> {
        let folder = self.layout.file(folder);
        Ok(self.disk.count(&folder, limit).at("count", &folder)?)
    }

    fn visit_events(&self, see: &mut dyn FnMut(Event)) -> Result<(), Failure> {
        self.read_events()?.into_iter().for_each(see);
        Ok(())
    }

    fn events_of(&self, id: &str) -> Result<Vec<Event>, Failure> {
        self.read_events_of(id)
    }

    fn pending(&self) -> Result<Vec<Result<RawFile, Unreadable>>, Failure> {
        let paths = self.files_in(&[PENDING_FOLDER.to_owned()])?.into_iter();
        let files = paths.filter_map(|path| {
            let raw = self.read_raw(&path).transpose()?;
            Some(raw.map_err(|error| Unreadable {
                path,
                why: error.to_string(),
                hint: "take its last committed version back with git, or delete it".into(),
                is_disk: false,
            }))
        });
        Ok(files.collect())
    }

    fn read_raw(&self, path: &str) -> Result<Option<RawFile>, Failure> {
        let file = self.disk.file(&self.layout.file(path), MEMORY_BYTES_MAX)?;
        let Some(bytes) = file else { return Ok(None) };
        let hash = ContentHash::of(&bytes);
        let text = whole_text(path, bytes)?;
        Ok(Some(RawFile { path: path.to_owned(), text, hash }))
    }

    fn kept(&self, hash: &str) -> Result<Option<String>, Failure> {
        let Some(hash) = ContentHash::parse(hash) else { return Ok(None) };
        for name in recover::kept_names(&hash.to_string()) {
            let path = self.layout.kept().join(name);
            let Some(bytes) = self.disk.file(&path, MEMORY_BYTES_MAX)? else { return Ok(None) };
            // If an editor wrote into this one, the version itself is kept beside it.
            if ContentHash::of(&bytes) == hash {
                return Ok(String::from_utf8(bytes).ok());
            }
        }
        Ok(None)
    }

    fn write(
        &self,
        decide: &mut dyn FnMut() -> Result<Plan, Failure>,
    ) -> Result<Box<dyn Unsettled + '_>, Failure> {
        self.refuse_write()?;
        let held = self.lock()?;
        self.recover()?;
        let plan = decide()?;
        let marks = self.folder_marks(&plan);
        let applied = self.apply(plan)?;
        Ok(Box::new(derived::Settling { vault: self, applied, held, marks }))
    }

    fn refresh(&self) -> Result<Vec<String>, Failure> {
        let mut pages = self.refresh_index()?;
        pages.extend(self.refresh_git_files()?);
        Ok(pages)
    }

    fn refresh_if_moved(&self) -> Result<(), Failure> {
        if !self.is_index_behind()? || !self.is_small()? {
            return Ok(());
        }
        let _held = self.lock()?;
        self.refresh_index_locked().map(drop)
    }

    fn page_behind(&self, name: &str) -> Result<String, Failure> {
        Ok(self.layout.page_behind(name)?)
    }

    fn read_page(&self, name: &str) -> Result<Option<String>, Failure> {
        let path = self.layout.view(name);
        let bytes = self.disk.file(&path, oldhand_core::policy::IMPORT_BYTES_MAX)?;
        Ok(bytes.map(|bytes| whole_text(name, bytes)).transpose()?)
    }

    fn write_page(&self, name: &str, seen: Option<&str>, text: &str) -> Result<(), Failure> {
        self.refuse_write()?;
        let _held = self.lock()?;
        Ok(self.replace_view(&self.layout.view(name), seen, text)?)
    }

    fn inspect(&self) -> Result<Inspection, Failure> {
        self.inspect_files()
    }
}

/// The text of a file, or which byte makes it none. Nothing is replaced: what is read may be written
/// back, or become a memory.
fn whole_text(path: &str, bytes: Vec<u8>) -> Result<String, Refusal> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Refusal::new(
            Code::Unreadable,
            format!("`{path}` is not UTF-8: byte {at} fits no character"),
        )
        .with_hint("nothing was changed; save it as UTF-8 in an editor that can read it")
    })
}
