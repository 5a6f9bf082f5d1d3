//! Where knowledge is thin or stale: the folders of the repository, with their files, the memories
//! that speak about them, and the worst verdict of those.

use oldhand_core::fresh::Verdict;

use crate::context::Memories;
use crate::prelude::*;

/// Memories whose code is asked for in one go; the rest is said to be unchecked.
pub const CHECKED_MAX: usize = 300;
/// Files that stand directly in a folder, as a folder of their own.
const HERE: &str = "(files)";

#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CodeMap {
    /// Relative to the repository; empty for all of it.
    pub path: String,
    pub files: usize,
    pub folders: Vec<MapFolder>,
    /// Those that speak about something here, the worst first.
    pub memories: Vec<MapMemory>,
    /// Memories here that were not checked against the code.
    pub unchecked: usize,
    /// What could not be asked.
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MapFolder {
    pub name: String,
    pub path: String,
    pub files: usize,
    pub memories: usize,
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub worst: Option<Verdict>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub folders: Vec<MapFolder>,
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MapMemory {
    pub id: String,
    pub title: String,
    pub kind: String,
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub state: State,
    /// None where it was not checked.
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub verdict: Option<Verdict>,
    /// Why, for each path that is not as it was.
    pub reasons: Vec<String>,
    pub paths: Vec<String>,
    /// The version that was looked at.
    pub hash: String,
}

impl Memories<'_> {
    /// `cards` are those of the whole store, of which it takes what is served.
    pub fn map(&self, cards: &[Card], path: &str) -> Result<CodeMap> {
        let path = path.trim_start_matches("./").trim_matches('/');
        let below = |file: &str| path.is_empty() || is_below(file, path);
        let mut files = self.code.files();
        files.retain(|file| below(file));
        // A memory about a folder is about everything in it.
        let is_about = |it: &str| below(it) || is_below(path, it);
        let is_meant = |card: &&Card| {
            card.state.is_served() && card.paths.iter().any(|it| is_about(it.trim_end_matches('/')))
        };
        let mut cards: Vec<&Card> = cards.iter().filter(is_meant).collect();
        cards.sort_by(|a, b| (b.instant(), &a.id).cmp(&(a.instant(), &b.id)));
        let mut map = CodeMap { path: path.to_owned(), files: files.len(), ..CodeMap::default() };
        let mut stored = Vec::new();
        for card in cards.iter().take(CHECKED_MAX) {
            // A file that is gone or can't be read is for `doctor`.
            let id = MemoryId::parse(&card.id).ok();
            stored.extend(id.and_then(|id| self.vault.find(&id).ok().flatten()));
        }
        let report = self.fresh(&stored.iter().collect::<Vec<_>>());
        map.notes =
            report.warnings.iter().filter(|it| it.memory.is_empty()).map(|it| it.line()).collect();
        map.unchecked = cards.len().saturating_sub(stored.len());
        let mut verdicts: BTreeMap<&str, Verdict> = BTreeMap::new();
        for (stored, checked) in stored.iter().zip(&report.memories) {
            verdicts.insert(&checked.id, checked.verdict);
            let is_odd = |verdict: Verdict| verdict >= Verdict::Unknown;
            let odd = checked.paths.iter().filter(|it| is_odd(it.verdict));
            map.memories.push(MapMemory {
                id: checked.id.clone(),
                title: stored.memory.title.clone(),
                kind: stored.memory.kind.to_string(),
                state: stored.memory.state,
                verdict: Some(checked.verdict),
                reasons: odd.map(|it| it.reason.clone()).collect(),
                paths: stored.memory.paths().into_iter().map(str::to_owned).collect(),
                hash: stored.hash.to_string(),
            });
        }
        map.memories
            .sort_by(|a, b| (b.verdict, &a.title, &a.id).cmp(&(a.verdict, &b.title, &b.id)));
        let mut root = Folder::default();
        files.iter().for_each(|file| root.add_file(rest_of(file, path)));
        for card in &cards {
            let own: BTreeSet<&str> =
                card.paths.iter().map(|it| it.trim_end_matches('/')).collect();
            let verdict = verdicts.get(card.id.as_str()).copied();
            own.iter()
                .filter(|it| below(it))
                .for_each(|it| root.add_memory(rest_of(it, path), &card.id, verdict));
        }
        map.folders = root.folders(path, 2);
        Ok(map)
    }
}

fn is_below(file: &str, folder: &str) -> bool {
    file.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn rest_of<'f>(file: &'f str, folder: &str) -> &'f str {
    file.strip_prefix(folder).unwrap_or(file).trim_start_matches('/')
}

/// Two levels are drawn, so two levels are counted.
#[derive(Default)]
struct Folder<'f> {
    files: usize,
    memories: BTreeSet<&'f str>,
    worst: Option<Verdict>,
    inner: BTreeMap<&'f str, Folder<'f>>,
}

impl<'f> Folder<'f> {
    fn add_file(&mut self, rest: &'f str) {
        let mut at = self;
        at.files += 1;
        for part in parts(rest) {
            at = at.inner.entry(part).or_default();
            at.files += 1;
        }
    }

    /// A path may be a folder, or be gone: it counts where it would be.
    fn add_memory(&mut self, rest: &'f str, id: &'f str, verdict: Option<Verdict>) {
        let mut at = self;
        for part in parts(rest) {
            at = at.inner.entry(part).or_default();
            at.memories.insert(id);
            at.worst = at.worst.max(verdict);
        }
    }

    fn folders(self, path: &str, levels: usize) -> Vec<MapFolder> {
        let place = |name: &str| match (path, name) {
            (path, HERE) => path.to_owned(),
            ("", name) => name.to_owned(),
            (path, name) => format!("{path}/{name}"),
        };
        let made = self.inner.into_iter().map(|(name, folder)| {
            let path = place(name);
            MapFolder {
                name: name.to_owned(),
                // What only a memory knows of has to be seen.
                files: folder.files.max(1),
                memories: folder.memories.len(),
                worst: folder.worst,
                folders: if levels > 1 { folder.folders(&path, levels - 1) } else { Vec::new() },
                path,
            }
        });
        made.collect()
    }
}

/// The first two folders of a path, and a common name for files that stand in one.
fn parts(rest: &str) -> impl Iterator<Item = &str> {
    let folders = rest.rsplit_once('/').map_or("", |(folders, _)| folders);
    let mut names: Vec<&str> = folders.split('/').filter(|it| !it.is_empty()).take(2).collect();
    if names.len() < 2 {
        names.push(HERE);
    }
    names.into_iter()
}
