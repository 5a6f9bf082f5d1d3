//! What the journeys need from the world, as plain data in and out.

use std::time::Duration;

use jiff::Timestamp;
use oldhand_core::codec::markdown::{self, Origin as At};
use oldhand_core::codec_error::CodecError;
use oldhand_core::event::Event;
use oldhand_core::fresh::{Answers, PathQuestion};
use oldhand_core::kind::{KindSpec, Kinds};
use oldhand_core::memory::{Memory, MemoryId};
use oldhand_core::refusal::{Code, Refusal};
use oldhand_sessions::completion::change::{Diff, NoDiff};
use oldhand_text::hash::ContentHash;
use oldhand_text::hint::Hint;
use oldhand_text::problem::Problem;

use crate::failure::Failure;
use crate::port::index::{Narrow, Rows};

pub mod index;
pub mod session;
pub mod session_state;

/// A memory with the file that holds it.
#[derive(Debug, Clone)]
pub struct Stored {
    /// Below the store, with forward slashes.
    pub path: String,
    pub text: String,
    pub hash: ContentHash,
    pub memory: Memory,
    pub problems: Vec<Problem>,
    pub declared_id: Option<String>,
}

impl Stored {
    /// The memory that a file of the store holds.
    pub fn parse(path: &str, bytes: Vec<u8>, kinds: &Kinds) -> Result<Self, Unreadable> {
        let folder = path.split_once('/').map_or("", |(folder, _)| folder);
        let at = At { stem: stem_of(path), folder };
        let parsed = markdown::parse_bytes(&bytes, at, kinds)
            .map_err(|error| Unreadable::of(path, &error))?;
        let hash = ContentHash::of(&bytes);
        let text = String::from_utf8(bytes).expect("the parser has read it as UTF-8");
        Ok(Self {
            path: path.to_owned(),
            text,
            hash,
            memory: parsed.memory,
            problems: parsed.problems,
            declared_id: parsed.declared_id,
        })
    }
}

/// A file by its bytes alone.
#[derive(Debug, Clone)]
pub struct RawFile {
    pub path: String,
    pub text: String,
    pub hash: ContentHash,
}

impl RawFile {
    pub fn of(stored: &Stored) -> Self {
        Self { path: stored.path.clone(), text: stored.text.clone(), hash: stored.hash }
    }
}

/// A file that can't be read as a memory.
#[derive(Debug, Clone)]
pub struct Unreadable {
    pub path: String,
    pub why: String,
    pub hint: Hint,
    /// The disk failed, which may pass: what the file says is not known, and not nothing.
    pub is_disk: bool,
}

impl Unreadable {
    pub fn of(path: &str, error: &CodecError) -> Self {
        Self { path: path.to_owned(), why: error.to_string(), hint: error.hint(), is_disk: false }
    }

    pub fn refusal(self) -> Refusal {
        let message = format!("could not read `{}`: {}", self.path, self.why);
        Refusal::new(Code::Unreadable, message).with_hint(self.hint)
    }
}

#[derive(Debug, Clone, Default)]
pub struct Scan {
    /// By path.
    pub stored: Vec<Stored>,
    pub unreadable: Vec<Unreadable>,
}

/// One file of a walk over the store.
#[derive(Debug)]
pub struct Visit {
    pub file: Result<Stored, Unreadable>,
    /// How far the walk is, this file included.
    pub done: usize,
    pub of: usize,
}

impl Scan {
    pub fn memories(&self) -> Vec<Memory> {
        self.stored.iter().map(|stored| stored.memory.clone()).collect()
    }
}

/// One file before and after: created without a `before`, removed without an `after`.
#[derive(Debug, Clone)]
pub struct FileWrite {
    pub path: String,
    pub id: MemoryId,
    pub before: Option<ContentHash>,
    pub after: Option<String>,
    /// What the derived pages shall show of it; `None` when it is gone.
    pub memory: Option<Memory>,
}

/// The id of a path that is a folder of the store and a memory's file in it; `None` for any other.
pub fn id_of_path(path: &str) -> Option<MemoryId> {
    let (folder, name) = path.split_once('/')?;
    let is_folder = !folder.is_empty()
        && folder.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    MemoryId::parse(name.strip_suffix(".md")?).ok().filter(|_| is_folder)
}

/// The name of a file without its folder and ending: the id, where it has one.
pub fn stem_of(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.strip_suffix(".md").unwrap_or(name)
}

impl FileWrite {
    /// The file goes.
    pub fn removal(path: &str, id: &MemoryId, hash: ContentHash) -> Self {
        let (path, id) = (path.to_owned(), id.clone());
        Self { path, id, before: Some(hash), after: None, memory: None }
    }

    /// A folder of the store and the id: a plan can lead nowhere else.
    pub fn is_inside(&self) -> bool {
        id_of_path(&self.path).as_ref() == Some(&self.id)
    }

    /// What the file will hold.
    pub fn hash(&self) -> Option<ContentHash> {
        self.after.as_ref().map(|text| ContentHash::of(text.as_bytes()))
    }
}

/// What one write changes: all of it or nothing.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    pub files: Vec<FileWrite>,
    pub events: Vec<Event>,
}

impl Plan {
    pub fn one(file: FileWrite, event: Event) -> Self {
        Self { files: vec![file], events: vec![event] }
    }

    pub fn add(&mut self, file: FileWrite, event: Event) {
        self.files.push(file);
        self.events.push(event);
    }

    pub fn extend(&mut self, more: Self) {
        self.files.extend(more.files);
        self.events.extend(more.events);
    }

    /// The place in the plan of the file that a memory will have.
    pub fn file_of(&self, id: &MemoryId) -> Option<usize> {
        self.files.iter().position(|file| file.id == *id && file.after.is_some())
    }
}

/// An acknowledged write whose derived pages are still to be brought up to date.
pub trait Unsettled {
    /// Failing here loses nothing: the pages are rebuilt later. The notes are for people.
    fn settle(self: Box<Self>) -> Vec<String>;
}

/// A file that does not belong in the store, or is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Finding {
    pub path: String,
    pub what: String,
    pub hint: String,
}

impl Finding {
    pub fn new(path: &str, what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { path: path.to_owned(), what: what.into(), hint: hint.into() }
    }
}

/// What a look at the files themselves found.
#[derive(Debug, Clone, Default)]
pub struct Inspection {
    /// For a person.
    pub findings: Vec<Finding>,
    /// Worth knowing, nothing to decide.
    pub notes: Vec<String>,
}

/// The canonical store.
pub trait Vault {
    /// By id, in every folder; an unreadable file is an error, and so are two of them.
    fn find(&self, id: &MemoryId) -> Result<Option<Stored>, Failure>;
    /// By the path of its file; an unreadable file is a refusal.
    fn find_at(&self, path: &str) -> Result<Option<Stored>, Failure>;
    /// The file of an id, whatever it holds.
    fn find_raw(&self, id: &MemoryId) -> Result<Option<RawFile>, Failure>;
    /// Everything.
    fn scan(&self) -> Result<Scan, Failure>;
    /// The ids that files have, by their names alone.
    fn ids(&self) -> Result<Vec<String>, Failure>;
    /// Everything by path, without holding all of it: what is to stay is kept by the caller.
    fn visit(&self, see: &mut dyn FnMut(Visit)) -> Result<(), Failure>;
    /// The memories of one kind, candidates left out.
    fn scan_kind(&self, spec: &KindSpec) -> Result<Scan, Failure>;
    /// What waits in `candidates/`.
    fn scan_candidates(&self) -> Result<Scan, Failure>;
    /// Files in a folder of memories, counted no further than `limit`.
    fn count_files(&self, folder: &str, limit: usize) -> Result<usize, Failure>;
    /// The whole log as it happened, each event once.
    fn visit_events(&self, see: &mut dyn FnMut(Event)) -> Result<(), Failure>;
    fn events(&self) -> Result<Vec<Event>, Failure> {
        let mut events = Vec::new();
        self.visit_events(&mut |event| events.push(event))?;
        Ok(events)
    }
    fn events_of(&self, id: &str) -> Result<Vec<Event>, Failure>;
    /// What waits for a person, by path; a file that can't be read hides no other.
    fn pending(&self) -> Result<Vec<Result<RawFile, Unreadable>>, Failure>;
    /// A file of the store by its path, as it is.
    fn read_raw(&self, path: &str) -> Result<Option<RawFile>, Failure>;
    /// A version that was replaced or taken out, by its hash.
    fn kept(&self, hash: &str) -> Result<Option<String>, Failure>;
    /// Locks, lets `decide` look at the store and make a plan, and applies it as one unit.
    fn write(
        &self,
        decide: &mut dyn FnMut() -> Result<Plan, Failure>,
    ) -> Result<Box<dyn Unsettled + '_>, Failure>;
    /// Rebuilds the derived pages; returns those that were not as they should be.
    fn refresh(&self) -> Result<Vec<String>, Failure>;
    /// Rebuilds the index page of a small store in which git has put other memories.
    fn refresh_if_moved(&self) -> Result<(), Failure> {
        Ok(())
    }
    /// The name of a page below the repository, behind links. One that leads out of it is refused.
    fn page_behind(&self, name: &str) -> Result<String, Failure> {
        Ok(name.to_owned())
    }
    /// The text of a page of the repository, when it is there.
    fn read_page(&self, name: &str) -> Result<Option<String>, Failure>;
    /// Replaces what was seen of a page; one that somebody saved meanwhile stays.
    fn write_page(&self, name: &str, seen: Option<&str>, text: &str) -> Result<(), Failure>;
    /// What only the store itself can know about its files.
    fn inspect(&self) -> Result<Inspection, Failure>;
}

/// What is near a text, in the store that is written to.
pub trait Nearby {
    /// In no order.
    fn near(&self, ask: &NearAsk<'_>) -> Result<Vec<Near>, Failure>;
    /// The files of the memories that have one of these names as an alias; `None` where every file
    /// would have to be read for it. Answers hold for the command: each name is looked for once.
    fn aliased(&self, names: &[&str]) -> Result<Option<Vec<String>>, Failure>;
    /// A row for every memory that passes, if need be after a look at every file; `None` where each
    /// file has to be read for it.
    fn rows(&self, narrow: &Narrow, recheck: bool) -> Result<Option<Rows>, Failure>;
    /// How near two texts are in meaning, where that can be measured.
    fn meaning(&self, one: &str, other: &str) -> Option<f64>;
    /// The chance that a statement excludes one in force, where that can be judged.
    fn clash_chance(&self, in_force: &str, proposed: &str) -> Option<f64>;
}

pub struct NearAsk<'a> {
    pub text: &'a str,
    /// Each of these is looked through, the first by meaning too.
    pub within: &'a [Narrow],
    /// So many of each.
    pub top: usize,
    pub by: Measure,
}

/// How nearness is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    Words,
    /// Also by meaning, which costs a few milliseconds, as far as it is known.
    Meaning,
    /// The same, and what is not known yet is found out: nobody waits in a lock meanwhile.
    MeaningOfAll,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Near {
    /// Its file below the store.
    pub path: String,
    /// The cosine of its nearest passage, where that is known.
    pub meaning: Option<f64>,
}

/// The repository around the store.
pub trait CodeTree {
    fn exists(&self, path: &str) -> bool;
    /// Files outside of the store that name one of these words.
    fn mentions(&self, words: &[String]) -> Vec<String>;
    /// Its files below the root, sorted, without the store and what git ignores, within a limit. A
    /// folder that can't be looked into is listed as a file.
    fn files(&self) -> Vec<String>;
    /// The beginning of a file, within a limit; nothing outside of the repository is read.
    fn read(&self, path: &str) -> Option<String>;
    /// What has happened to the code, where somebody can be asked.
    fn history(&self) -> Option<&dyn CodeHistory> {
        None
    }
    /// What the last commits have of a file of the store, newest first.
    fn committed(&self, _path: &str) -> Vec<String> {
        Vec::new()
    }
    /// What was changed since a revision, or since the work on this branch began.
    fn diff(&self, _since: Option<&str>) -> Result<Diff, NoDiff> {
        Err(NoDiff::NoRepository)
    }
}

/// The history of the code. It never fails: what it can't tell it leaves out, and says so.
pub trait CodeHistory {
    /// All questions at once, within the time.
    fn ask(&self, questions: &[PathQuestion], within: Duration) -> Answers;
    /// What is there now, to be recorded.
    fn snapshot(&self, paths: &[String], within: Duration) -> CodeSnapshot;
    /// The files that a folder held when it was last there, below it.
    fn last_files(&self, folder: &str, within: Duration) -> Vec<String>;
    /// The last commits that touched one of these paths, newest first.
    fn last_commits(&self, paths: &[String], count: usize, within: Duration) -> Vec<Commit>;
}

/// A commit, for people.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Commit {
    /// A few digits.
    pub id: String,
    pub at: Option<Timestamp>,
    pub by: String,
    pub subject: String,
}

/// The code at one moment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CodeSnapshot {
    /// The last commit.
    pub head: Option<String>,
    /// One for each path, none where there is nothing to record.
    pub ids: Vec<Option<String>>,
}
