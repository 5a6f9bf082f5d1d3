//! The architecture memory beside the tree that it maps: what it says, what has changed since, a
//! draft, and bringing it up to date through the one way to write.

use oldhand_core::policy::{SEEN_WAIT, TITLE_CHARS_MAX};
use oldhand_sessions::architecture::drift::{Beside, Drift, drift};
use oldhand_sessions::architecture::tree::{Module, Tree};
use oldhand_sessions::architecture::{DEBTS_MAX, LEFT_ASKED_MAX, MANIFESTS_MAX, about, map};
use oldhand_sessions::architecture::{Manifest, dependencies};
use oldhand_text::strings::normalise_body;

use crate::context::Sessions;
use crate::prelude::*;
use crate::written::{Written, unchanged};

/// The memory, and how the tree differs from its map.
#[derive(Debug, Clone)]
pub struct MapStanding {
    pub stored: Option<Stored>,
    pub drift: Drift,
    pub modules: usize,
    /// Whether all files were seen: without them nothing is said to be gone.
    pub is_whole: bool,
}

impl MapStanding {
    /// The map itself; none where nobody has made one.
    pub fn map(&self) -> Option<&str> {
        self.stored.as_ref().and_then(|stored| stored.memory.content.text("module_map"))
    }

    pub fn verdict(&self) -> MapVerdict {
        match self.map() {
            None => MapVerdict::Missing,
            Some(_) if !self.drift.is_empty() => MapVerdict::Drifted,
            Some(_) if !self.is_whole => MapVerdict::Unknown,
            Some(_) => MapVerdict::Current,
        }
    }
}

/// Whether the map fits the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum MapVerdict {
    Missing,
    Drifted,
    /// Not all files could be seen, and those that were are mapped.
    Unknown,
    Current,
}

impl MapVerdict {
    pub fn hint(self) -> Option<&'static str> {
        match self {
            Self::Missing => Some(
                "`oldhand architecture draft` shows one, `oldhand architecture update` writes it",
            ),
            Self::Drifted => Some("`oldhand architecture update` brings the map up to date"),
            Self::Unknown => Some(
                "the repository has no files, too many, or none that can be seen; nothing is said \
                 to be gone",
            ),
            Self::Current => None,
        }
    }
}

/// What the tree and the memories tell by themselves; interfaces and data flow are for somebody who
/// knows.
#[derive(Debug, Clone, Default)]
pub struct DraftedMap {
    /// By field name.
    sections: Vec<(&'static str, String)>,
    pub modules: usize,
}

impl DraftedMap {
    /// None for the sections that the files don't tell.
    pub fn section(&self, name: &str) -> Option<&str> {
        let mut sections = self.sections.iter();
        sections.find(|(known, _)| *known == name).map(|(_, text)| text.as_str())
    }
}

pub struct MapRequest<'r> {
    pub repository: &'r str,
    /// Sections by field name; none brings the map up to date.
    pub sections: &'r [(&'r str, String)],
    pub origin: Origin,
}

#[derive(Debug, Clone)]
pub struct MapChange {
    /// None for a memory that is to be made.
    pub stored: Option<Stored>,
    pub title: String,
    pub drift: Drift,
    /// Sections that will say something else, by field name: before and after.
    pub changed: Vec<(String, String, String)>,
}

/// What an update did; nothing was written where there was nothing to write.
#[derive(Debug, Clone)]
pub struct MapUpdate {
    pub written: Option<Written>,
    pub drift: Drift,
}

impl<'a> Sessions<'a> {
    /// The repository as it is: asked for once, before any lock.
    pub fn tree(&self) -> Tree {
        Tree::new(self.code.files())
    }

    pub fn architecture(&self, repository: &str, tree: &Tree) -> Result<MapStanding> {
        let maps = self.maps()?;
        let main = main_of(&maps, repository);
        let drift = match main.and_then(|main| main.memory.content.text("module_map")) {
            Some(map) => self.drift_of(map, main, &maps, tree),
            None => Drift::default(),
        };
        let (modules, is_whole) = (tree.modules().len(), tree.is_whole());
        Ok(MapStanding { stored: main.cloned(), drift, modules, is_whole })
    }

    /// By age, the newest first; those that wait for a review map nothing yet.
    fn maps(&self) -> Result<Vec<Stored>> {
        let mut maps = self.stored_of(&Kind::Architecture)?;
        maps.retain(|stored| stored.memory.is_active());
        maps.sort_by(|a, b| {
            let (a, b) = (&a.memory, &b.memory);
            (b.created_at, &a.id).cmp(&(a.created_at, &b.id))
        });
        Ok(maps)
    }

    /// What the maps are at this moment: equal marks mean that nobody has changed one. Empty without
    /// a map.
    pub fn maps_mark(&self) -> Result<String> {
        let maps = self.maps()?;
        let marks: Vec<String> = maps.iter().map(|it| format!("{}:{}", it.path, it.hash)).collect();
        Ok(marks.join(" "))
    }

    fn drift_of(&self, map: &str, main: Option<&Stored>, maps: &[Stored], tree: &Tree) -> Drift {
        let others = maps.iter().filter(|it| main.is_none_or(|main| main.path != it.path));
        let others = others.filter_map(|it| it.memory.content.text("module_map"));
        let others: Vec<String> = others.map(str::to_owned).collect();
        let asked = std::cell::Cell::new(0);
        let left = |folder: &str| {
            asked.set(asked.get() + 1);
            match self.code.history().filter(|_| asked.get() <= LEFT_ASKED_MAX) {
                Some(history) => history.last_files(folder, SEEN_WAIT),
                None => Vec::new(),
            }
        };
        drift(map, tree, &Beside { maps: &others, left: &left })
    }

    pub fn draft_architecture(&self, tree: &Tree) -> Result<DraftedMap> {
        let modules = tree.modules();
        let lines: Vec<String> =
            modules.iter().map(|module| format!("- {}", self.line_of(module, tree))).collect();
        let manifest =
            |path: &str| Some(Manifest { path: path.to_owned(), text: self.code.read(path)? });
        let manifests: Vec<Manifest> =
            tree.manifests().take(MANIFESTS_MAX).filter_map(manifest).collect();
        let sections = vec![
            ("module_map", lines.join("\n")),
            ("external_dependencies", dependencies(&manifests)),
            ("known_debt", self.debts()?),
        ];
        Ok(DraftedMap { sections, modules: modules.len() })
    }

    fn line_of(&self, module: &Module, tree: &Tree) -> String {
        let said = about::places(module, tree)
            .iter()
            .find_map(|place| about::about(place, &self.code.read(place)?));
        map::line(&module.path, said.as_deref(), module.names.len())
    }

    fn debts(&self) -> Result<String> {
        let mut debts = self.stored_of(&Kind::TechDebt)?;
        debts.retain(|debt| {
            let status = debt.memory.content.text("status");
            debt.memory.is_active() && !matches!(status, Some("resolved" | "wont_fix"))
        });
        debts.sort_by(|a, b| a.memory.id.cmp(&b.memory.id));
        let line =
            |it: &Stored| format!("- {} (`{}`)", visible_line(&it.memory.title), it.memory.id);
        Ok(debts.iter().take(DEBTS_MAX).map(line).collect::<Vec<_>>().join("\n"))
    }

    /// What `update_architecture` would do.
    pub fn preview_architecture(&self, request: &MapRequest<'_>, tree: &Tree) -> Result<MapChange> {
        let maps = self.maps()?;
        let main = main_of(&maps, request.repository);
        let mut drift = Drift::default();
        let mut wanted: Vec<(&str, String)> = request.sections.to_vec();
        match main {
            Some(main) if wanted.is_empty() => {
                let map = main.memory.content.text("module_map").unwrap_or_default();
                drift = self.drift_of(map, Some(main), &maps, tree);
                if !drift.is_empty() {
                    wanted.push(("module_map", self.merged(map, &drift, tree)));
                }
            }
            Some(_) => {}
            // A new one takes what nobody said from the tree.
            None => {
                let mut sections = self.draft_architecture(tree)?.sections;
                sections.retain(|(name, _)| wanted.iter().all(|(known, _)| known != name));
                wanted.extend(sections);
            }
        }
        let before = |name: &str| {
            let known = main.and_then(|main| main.memory.content.text(name));
            known.unwrap_or_default().to_owned()
        };
        let changed = wanted
            .into_iter()
            .map(|(name, text)| (name.to_owned(), before(name), normalise_body(&text)))
            .filter(|(_, before, after)| normalise_body(before) != *after)
            .collect();
        let title =
            main.map_or_else(|| title_for(request.repository), |main| main.memory.title.clone());
        Ok(MapChange { stored: main.cloned(), title, drift, changed })
    }

    fn merged(&self, map: &str, drift: &Drift, tree: &Tree) -> String {
        let modules = tree.modules();
        let line_of = |path: &str| match modules.iter().find(|module| module.path == path) {
            Some(module) => self.line_of(module, tree),
            None => map::line(path, None, 0),
        };
        map::merge(map, drift, tree, &line_of)
    }

    /// R55: brings the map up to date, or sets sections; nothing to change writes nothing.
    pub fn update_architecture(
        &self,
        request: &MapRequest<'_>,
        tree: &Tree,
    ) -> WriteResult<'a, MapUpdate> {
        // A look without the lock: most of the time there is nothing to do.
        let first = self.preview_architecture(request, tree)?;
        if first.changed.is_empty() {
            let written = first.stored.map(Written::unchanged);
            let answer = MapUpdate { written, drift: first.drift };
            return Ok(Done { answer, pending: None });
        }
        self.write(&mut || {
            let change = self.preview_architecture(request, tree)?;
            let mut draft = Draft::default();
            for (name, _, after) in &change.changed {
                draft.set_content(name, FieldValue::Text(after.clone()));
            }
            let (written, plan) = match &change.stored {
                Some(stored) if change.changed.is_empty() => unchanged(stored),
                Some(stored) => {
                    self.writing().decide_update(stored, &draft, Some(&reason(&change)))?
                }
                None => {
                    draft.kind = Some(Kind::Architecture);
                    // A name of its own: it is one memory for this repository, not a twin of another.
                    draft.id = Some(MemoryId::of_title(&change.title).to_string());
                    draft.set("title", Yaml::text(change.title.clone()));
                    self.writing().decide_create(&draft, request.origin)?
                }
            };
            Ok((MapUpdate { written: Some(written), drift: change.drift }, plan))
        })
    }
}

fn reason(change: &MapChange) -> String {
    if !change.drift.is_empty() {
        return format!("module map: {}", change.drift.counts());
    }
    let names: Vec<String> =
        change.changed.iter().map(|(name, _, _)| name.replace('_', " ")).collect();
    format!("architecture: {}", names.join(", "))
}

/// The newest with a map; one that a session left about a single module only if there is no other.
/// A memory of the repository's own name is it even without a map.
fn main_of<'m>(maps: &'m [Stored], repository: &str) -> Option<&'m Stored> {
    let has_map = |stored: &&Stored| stored.memory.content.text("module_map").is_some();
    let own = MemoryId::of_title(&title_for(repository));
    maps.iter()
        .find(|stored| has_map(stored) && stored.memory.origin != Origin::Capture)
        .or_else(|| maps.iter().find(|stored| stored.memory.id == own))
        .or_else(|| maps.iter().find(has_map))
}

fn title_for(repository: &str) -> String {
    shorten(&format!("Architecture of {repository}"), TITLE_CHARS_MAX)
}
