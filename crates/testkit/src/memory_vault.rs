//! A vault without a disk, which lives as long as its value and keeps the same contract as the files.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use jiff::Timestamp;
use oldhand_core::event::Event;
use oldhand_core::kind::{KindSpec, Kinds};
use oldhand_core::memory::{CANDIDATES_FOLDER, MemoryId};
use oldhand_core::pending::PENDING_FOLDER;
use oldhand_core::refusal::{Code, Refusal};
use oldhand_text::hash::ContentHash;

use oldhand_store::failure::{Failure, StoreError};
use oldhand_store::port::{
    CodeTree, Inspection, Plan, RawFile, Scan, Stored, Unreadable, Unsettled, Vault, Visit,
};
use oldhand_store::ulid::{Entropy, successor, ulid};

pub struct MemoryVault<'a> {
    pub kinds: &'a Kinds,
    pub entropy: &'a dyn Entropy,
    pub now: Timestamp,
    shelf: RefCell<Shelf>,
}

#[derive(Default)]
struct Shelf {
    /// By path below the store.
    files: BTreeMap<String, String>,
    events: Vec<Event>,
    /// Replaced and removed versions, by hash.
    kept: BTreeMap<String, String>,
    pages: BTreeMap<String, String>,
}

/// Nothing is derived: there are no pages to bring up to date.
struct Settled;

impl Unsettled for Settled {
    fn settle(self: Box<Self>) -> Vec<String> {
        Vec::new()
    }
}

impl<'a> MemoryVault<'a> {
    pub fn new(kinds: &'a Kinds, entropy: &'a dyn Entropy, now: Timestamp) -> Self {
        Self { kinds, entropy, now, shelf: RefCell::default() }
    }

    /// Puts a file in place without a write, as an editor would.
    pub fn put(&self, path: &str, text: &str) {
        self.shelf.borrow_mut().files.insert(path.to_owned(), text.to_owned());
    }

    fn paths(&self, is_wanted: impl Fn(&str) -> bool) -> Vec<String> {
        let shelf = self.shelf.borrow();
        shelf.files.keys().filter(|path| is_wanted(path)).cloned().collect()
    }

    fn path_of(&self, id: &MemoryId) -> Result<Option<String>, Failure> {
        let name = format!("{id}.md");
        let mut paths = self.paths(|path| is_memory(path) && file_name(path) == name);
        if paths.len() < 2 {
            return Ok(paths.pop());
        }
        let message = format!("`{id}` is the id of two files: `{}` and `{}`", paths[0], paths[1]);
        Err(Refusal::new(Code::Ambiguous, message).with_hint("rename one of them").into())
    }

    fn read(&self, path: &str) -> Option<Result<Stored, Unreadable>> {
        let text = self.shelf.borrow().files.get(path).cloned()?;
        Some(Stored::parse(path, text.into_bytes(), self.kinds))
    }

    fn scan_where(&self, is_wanted: impl Fn(&str) -> bool) -> Scan {
        let mut scan = Scan::default();
        for path in self.paths(is_wanted) {
            match self.read(&path) {
                Some(Ok(stored)) => scan.stored.push(stored),
                Some(Err(unreadable)) => scan.unreadable.push(unreadable),
                None => {}
            }
        }
        scan
    }

    fn apply(&self, mut plan: Plan) -> Result<(), StoreError> {
        let mut shelf = self.shelf.borrow_mut();
        let after = |last: &str| successor(last).expect("an id");
        let last = shelf.events.last().map_or_else(String::new, |event| event.id.clone());
        let id = ulid(self.now, self.entropy.next());
        let write = if id > last { id } else { after(&last) };
        for (at, file) in plan.files.iter().enumerate() {
            let path = Path::new(&file.path);
            if plan.files[..at].iter().any(|earlier| earlier.path == file.path) {
                return Err(StoreError::corrupt("write", path, "it is twice in one write"));
            }
            if !file.is_inside() {
                return Err(StoreError::corrupt("write", path, "it is no place for a memory"));
            }
            let there = shelf.files.get(&file.path);
            if there.map(|text| ContentHash::of(text.as_bytes())) != file.before {
                return Err(StoreError::conflict(path));
            }
        }
        for file in plan.files {
            let before = match file.after {
                Some(text) => shelf.files.insert(file.path, text),
                None => shelf.files.remove(&file.path),
            };
            if let Some(text) = before {
                shelf.kept.insert(ContentHash::of(text.as_bytes()).to_string(), text);
            }
        }
        let mut last = write.clone();
        for event in &mut plan.events {
            last = after(&last);
            event.id.clone_from(&last);
            event.write.clone_from(&write);
        }
        shelf.events.append(&mut plan.events);
        Ok(())
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn is_in(path: &str, folder: &str) -> bool {
    path.split_once('/').is_some_and(|(first, _)| first == folder)
}

fn is_memory(path: &str) -> bool {
    oldhand_store::port::id_of_path(path).is_some() && !is_in(path, PENDING_FOLDER)
}

impl Vault for MemoryVault<'_> {
    fn find(&self, id: &MemoryId) -> Result<Option<Stored>, Failure> {
        self.path_of(id)?.map_or(Ok(None), |path| self.find_at(&path))
    }

    fn find_at(&self, path: &str) -> Result<Option<Stored>, Failure> {
        self.read(path).transpose().map_err(|unreadable| unreadable.refusal().into())
    }

    fn find_raw(&self, id: &MemoryId) -> Result<Option<RawFile>, Failure> {
        self.path_of(id)?.map_or(Ok(None), |path| self.read_raw(&path))
    }

    fn scan(&self) -> Result<Scan, Failure> {
        Ok(self.scan_where(is_memory))
    }

    fn ids(&self) -> Result<Vec<String>, Failure> {
        let paths = self.paths(is_memory);
        Ok(paths.iter().map(|path| file_name(path).trim_end_matches(".md").to_owned()).collect())
    }

    fn visit(&self, see: &mut dyn FnMut(Visit)) -> Result<(), Failure> {
        let paths = self.paths(is_memory);
        for (at, path) in paths.iter().enumerate() {
            if let Some(file) = self.read(path) {
                see(Visit { file, done: at + 1, of: paths.len() });
            }
        }
        Ok(())
    }

    fn scan_kind(&self, spec: &KindSpec) -> Result<Scan, Failure> {
        Ok(self.scan_where(|path| is_in(path, &spec.folder)))
    }

    fn scan_candidates(&self) -> Result<Scan, Failure> {
        Ok(self.scan_where(|path| is_in(path, CANDIDATES_FOLDER)))
    }

    fn count_files(&self, folder: &str, limit: usize) -> Result<usize, Failure> {
        Ok(self.paths(|path| is_in(path, folder)).len().min(limit))
    }

    fn visit_events(&self, see: &mut dyn FnMut(Event)) -> Result<(), Failure> {
        let events = self.shelf.borrow().events.clone();
        events.into_iter().for_each(see);
        Ok(())
    }

    fn events_of(&self, id: &str) -> Result<Vec<Event>, Failure> {
        Ok(self.events()?.into_iter().filter(|event| event.memory == id).collect())
    }

    fn pending(&self) -> Result<Vec<Result<RawFile, Unreadable>>, Failure> {
        let paths = self.paths(|path| is_in(path, PENDING_FOLDER));
        let read = paths.iter().filter_map(|path| self.read_raw(path).transpose());
        read.map(|raw| raw.map(Ok)).collect()
    }

    fn read_raw(&self, path: &str) -> Result<Option<RawFile>, Failure> {
        let text = self.shelf.borrow().files.get(path).cloned();
        Ok(text.map(|text| {
            let hash = ContentHash::of(text.as_bytes());
            RawFile { path: path.to_owned(), text, hash }
        }))
    }

    fn kept(&self, hash: &str) -> Result<Option<String>, Failure> {
        Ok(self.shelf.borrow().kept.get(hash).cloned())
    }

    fn write(
        &self,
        decide: &mut dyn FnMut() -> Result<Plan, Failure>,
    ) -> Result<Box<dyn Unsettled + '_>, Failure> {
        self.apply(decide()?)?;
        Ok(Box::new(Settled))
    }

    fn refresh(&self) -> Result<Vec<String>, Failure> {
        Ok(Vec::new())
    }

    fn read_page(&self, name: &str) -> Result<Option<String>, Failure> {
        Ok(self.shelf.borrow().pages.get(name).cloned())
    }

    fn write_page(&self, name: &str, seen: Option<&str>, text: &str) -> Result<(), Failure> {
        let mut shelf = self.shelf.borrow_mut();
        if shelf.pages.get(name).map(String::as_str) != seen {
            return Err(StoreError::conflict(Path::new(name)).into());
        }
        shelf.pages.insert(name.to_owned(), text.to_owned());
        Ok(())
    }

    fn inspect(&self) -> Result<Inspection, Failure> {
        Ok(Inspection::default())
    }
}
/// A repository as a list of files. It has no history.
#[derive(Default)]
pub struct MemoryCode {
    pub files: BTreeMap<String, String>,
}

impl CodeTree for MemoryCode {
    fn exists(&self, path: &str) -> bool {
        let below = format!("{}/", path.trim_end_matches('/'));
        self.files.keys().any(|file| file == path || file.starts_with(&below))
    }

    fn mentions(&self, words: &[String]) -> Vec<String> {
        let names = |text: &str| words.iter().any(|word| text.contains(word.as_str()));
        self.files.iter().filter(|(_, text)| names(text)).map(|(path, _)| path.clone()).collect()
    }

    fn files(&self) -> Vec<String> {
        self.files.keys().cloned().collect()
    }

    fn read(&self, path: &str) -> Option<String> {
        self.files.get(path).cloned()
    }
}
