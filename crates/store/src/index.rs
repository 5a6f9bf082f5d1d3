//! The search index on disk: a cache beside the store, opened without parsing, checked against the
//! files at each start, brought up to date at once. Deleting it loses nothing but the time to rebuild it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use crate::failure::Failure;
use oldhand_core::policy::TrustPolicy;
use oldhand_index::{Segment, SegmentKey, Source};
use oldhand_text::terms::TERMS_VERSION;

use crate::vault::LocalVault;

mod build;
mod check;
mod head;
mod heal;
mod look;
mod warm;

pub use warm::Warm;

use head::{HEAD_VERSION, Head, SegmentEntry};

/// Turns text into meaning. The vectors of one tag can be compared with each other.
pub trait Embedder: Sync {
    fn tag(&self) -> &str;
    fn embed(&self, text: &str) -> oldhand_index::Vector;
    /// The time of one core that this takes here, about: estimated, so that the same store gives the same answer.
    fn cost(&self, text: &str) -> Duration;
    /// The kernel that compares one vector with many.
    fn dot_rows(&self) -> oldhand_index::DotRows;
}

/// The stores that one command looks into, searched as one.
pub struct LocalIndex<'a> {
    shelves: RefCell<Vec<Shelf<'a>>>,
    opening: Rc<IndexOpening<'a>>,
    notes: RefCell<Vec<String>>,
}

/// When every file is compared with the index, whatever the size of the store (R80).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckPolicy {
    pub hours: i64,
    pub entries: usize,
    /// Files of a large store that are compared each time, another part each second.
    pub window: u32,
}

impl CheckPolicy {
    pub const WINDOW: u32 = 512;
    /// For one process that answers many times.
    pub const OFTEN_WINDOW: u32 = 64;
    /// For those who come often and can't wait.
    pub const SMALL_WINDOW: u32 = 32;
}

/// How many memories without vectors one command embeds on its way. Their number bounds the files that are read,
/// their cost what somebody waits for: without a fast kernel a long memory takes seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FillPolicy {
    pub memories: usize,
    /// By one core. Several share the work.
    pub time: Duration,
    /// Embedded whatever they cost, so that every question leaves fewer.
    pub least: usize,
}

impl FillPolicy {
    /// For a command.
    pub const SOME: Self = Self { memories: 32, time: Duration::from_millis(800), least: 1 };
    /// For a hook, which can't wait.
    pub const FEW: Self = Self { memories: 8, time: Duration::from_millis(200), least: 0 };
    pub const NONE: Self = Self { memories: 0, time: Duration::ZERO, least: 0 };
    /// For who asks for all of them.
    const ALL: Self = Self { memories: usize::MAX, time: Duration::MAX, least: 0 };
}

/// A store to look into.
pub struct Opened<'a> {
    pub vault: &'a LocalVault<'a>,
    /// Where its index is kept, and where writers leave their marks.
    pub cache: Option<PathBuf>,
    /// The user's own, of all projects.
    pub is_own: bool,
    /// The name of a team's or organisation's, as people read it; none for any other.
    pub from: Option<Arc<str>>,
    /// Its user has not accepted it: nothing in it is more than a caution.
    pub is_doubted: bool,
}

pub struct IndexOpening<'a> {
    pub vaults: Vec<Opened<'a>>,
    pub embedder: Option<&'a dyn Embedder>,
    /// Why there is no embedder, for the log.
    pub why_no_meaning: String,
    /// What one command embeds on its way, when some are missing.
    pub fill: FillPolicy,
    /// Files that it takes in; an index that would need more stays behind.
    pub build_max: usize,
    pub trust: &'a TrustPolicy,
    pub check: CheckPolicy,
    /// What this process has read before.
    pub warm: Option<&'a Warm>,
}

/// One store with its index.
pub(crate) struct Shelf<'a> {
    opening: Rc<IndexOpening<'a>>,
    opened: Opened<'a>,
    vault: &'a LocalVault<'a>,
    /// Below the cache, one for each model. Without a place to keep it, the index lives as long as
    /// the command.
    folder: Option<PathBuf>,
    head: Head,
    /// As the folder had it when it was opened: a head that changed since is not overwritten.
    seen: Option<Head>,
    segments: Vec<Segment>,
    /// New segments by file name.
    unsaved: BTreeMap<String, Arc<Vec<u8>>>,
    is_kept: bool,
    /// More has changed than this command takes in.
    is_behind: bool,
}

impl<'a> LocalIndex<'a> {
    /// Opens, checks and updates. The notes say what could not be brought up to date at once.
    pub fn open(mut opening: IndexOpening<'a>) -> Result<Self, Failure> {
        let vaults = std::mem::take(&mut opening.vaults);
        let opening = Rc::new(opening);
        let (mut shelves, mut notes) = (Vec::new(), Vec::new());
        for opened in vaults {
            let name = format!("index-{}", opening.model());
            let mut shelf = Shelf {
                opening: Rc::clone(&opening),
                vault: opened.vault,
                folder: opened.cache.as_ref().map(|cache| cache.join(name)),
                opened,
                head: Head::default(),
                seen: None,
                segments: Vec::new(),
                unsaved: BTreeMap::new(),
                is_kept: true,
                is_behind: false,
            };
            shelf.open();
            shelf.bring_up_to_date(false, &mut notes)?;
            shelves.push(shelf);
        }
        Ok(Self { shelves: RefCell::new(shelves), opening, notes: RefCell::new(notes) })
    }
}

impl IndexOpening<'_> {
    fn model(&self) -> &str {
        self.embedder.map_or("none", Embedder::tag)
    }
}

impl LocalIndex<'_> {
    /// Compares every file, however short ago that was done: for a question whose answer "none" must
    /// be right.
    pub fn compare_all(&self) -> Result<(), Failure> {
        self.each_shelf(|shelf, notes| shelf.bring_up_to_date(true, notes)).map(drop)
    }

    fn rebuild(&self) -> Result<(), Failure> {
        let rebuild = |shelf: &mut Shelf<'_>, notes: &mut Vec<String>| {
            shelf.start_over();
            shelf.bring_up_to_date(true, notes)
        };
        self.each_shelf(rebuild).map(drop)
    }

    /// True when one of them has changed.
    fn each_shelf(
        &self,
        mut run: impl FnMut(&mut Shelf<'_>, &mut Vec<String>) -> Result<bool, Failure>,
    ) -> Result<bool, Failure> {
        let mut changed = false;
        for shelf in self.shelves.borrow_mut().iter_mut() {
            changed |= run(shelf, &mut self.notes.borrow_mut())?;
        }
        Ok(changed)
    }
}

impl Shelf<'_> {
    /// The segments, each with what is dead in it.
    fn parts(&self) -> impl DoubleEndedIterator<Item = (&Segment, &SegmentEntry)> {
        self.segments.iter().zip(&self.head.segments)
    }

    fn open(&mut self) {
        // A reader may meet the moment between a new head and the removal of old segments: the
        // second look finds the new ones.
        if !self.read_kept() && !self.read_kept() {
            self.start_over();
        }
    }

    fn start_over(&mut self) {
        self.segments.clear();
        self.head = Head {
            version: HEAD_VERSION,
            store: self.store_name(),
            model: self.opening.model().to_owned(),
            terms: TERMS_VERSION,
            ..Head::default()
        };
    }

    fn store_name(&self) -> String {
        self.vault.layout.root.to_string_lossy().into_owned()
    }

    fn key(&self) -> SegmentKey {
        let name = format!(
            "{HEAD_VERSION} {TERMS_VERSION} {} {}",
            self.opening.model(),
            self.store_name()
        );
        SegmentKey(*blake3::hash(name.as_bytes()).as_bytes())
    }

    /// The index as it was kept; false when there is none, or it is damaged or of something else.
    fn read_kept(&mut self) -> bool {
        let Some(folder) = &self.folder else { return false };
        let Some(head) = Head::read(folder) else { return false };
        let fits = head.version == HEAD_VERSION
            && head.terms == TERMS_VERSION
            && head.model == self.opening.model()
            && head.store == self.store_name();
        self.seen = Some(head.clone());
        if !fits {
            return false;
        }
        let mut segments = Vec::new();
        for entry in &head.segments {
            let is_name = entry.file.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
            let bytes = self.open_segment(&folder.join(&entry.file));
            let segment = bytes.and_then(|bytes| Segment::open(bytes, &self.key()).ok());
            let Some(segment) = segment else { return false };
            let is_whole = is_name
                && segment.len() == entry.documents
                && entry.dead.windows(2).all(|pair| pair[0] < pair[1])
                && entry.dead.last().is_none_or(|last| *last < entry.documents);
            if !is_whole {
                return false;
            }
            segments.push(segment);
        }
        if let Some(warm) = self.opening.warm {
            warm.keep_only(folder, head.segments.iter().map(|entry| entry.file.as_str()));
        }
        self.segments = segments;
        self.head = head;
        true
    }

    fn open_segment(&self, path: &Path) -> Option<Source> {
        if let Some(bytes) = self.opening.warm.and_then(|warm| warm.get(path)) {
            return Some(Source::Sound(bytes));
        }
        let file = File::open(path).ok()?;
        let len = file.metadata().ok()?.len();
        Some(Source::File(file, len))
    }
}
