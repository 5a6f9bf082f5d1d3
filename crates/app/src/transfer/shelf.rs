//! What the store has of earlier imports. The store itself is the ledger: it is read once for an import,
//! however many records that has.

use std::collections::{HashMap, HashSet};

use oldhand_core::imported::HELD;

use super::links::name_of;
use super::report::{Fate, Item};
use super::run::covers;
use crate::context::Exchange;
use crate::prelude::*;

/// A memory that an import made.
#[derive(Debug, Clone)]
pub(super) struct Known {
    pub id: MemoryId,
    pub from: String,
    pub key: String,
    pub hash: String,
    /// Where else the same text was: `import:<from>#<key>`.
    pub also: Vec<String>,
    pub kind: Kind,
    pub state: State,
    /// Nobody has edited what the import wrote.
    pub is_pristine: bool,
    pub is_held: bool,
}

impl Known {
    /// `None` of a memory that no import made.
    pub(super) fn of(stored: &Stored) -> Option<Self> {
        let memory = &stored.memory;
        let imported = memory.imported.as_ref()?;
        let reason = memory.state_reason.as_deref().unwrap_or_default();
        let own = imported.reference();
        let also = memory.sources.iter().filter(|it| it.starts_with("import:") && **it != own);
        Some(Self {
            id: memory.id.clone(),
            from: imported.from.clone(),
            key: imported.key.clone(),
            hash: imported.hash.clone(),
            also: also.cloned().collect(),
            kind: memory.kind.clone(),
            state: memory.state,
            is_pristine: imported.wrote == write::wrote(memory) && stored.problems.is_empty(),
            is_held: memory.state == State::Candidate && reason.starts_with(HELD),
        })
    }

    pub(super) fn item(&self, fate: Fate, key: &str) -> Item {
        Item {
            id: Some(self.id.to_string()),
            kind: Some(self.kind.clone()),
            state: Some(self.state),
            ..Item::new(fate, key, "")
        }
    }
}

#[derive(Debug, Clone)]
pub(super) struct Shelved {
    pub id: MemoryId,
    pub path: String,
    pub state: State,
    pub title: String,
}

#[derive(Default)]
pub(super) struct Shelf {
    pub known: Vec<Known>,
    by_key: HashMap<(String, String), usize>,
    texts: HashMap<TextKey, Shelved>,
    /// Ids, aliases and titles; `None` for a name that several have.
    names: HashMap<String, Option<String>>,
    /// The source of each memory that an import made, by id.
    pub made_by: HashMap<String, usize>,
    pub ids: HashSet<String>,
    /// How many of each kind are kept.
    pub active: BTreeMap<String, usize>,
}

/// Kind and words of a memory without its title, white space folded.
pub(super) type TextKey = ContentHash;

impl Exchange<'_> {
    pub(super) fn shelf(&self) -> Result<Shelf> {
        let mut shelf = Shelf { ids: self.vault.ids()?.into_iter().collect(), ..Shelf::default() };
        self.vault.visit(&mut |visit| {
            if let Ok(stored) = visit.file {
                shelf.take(&stored);
            }
        })?;
        Ok(shelf)
    }

    /// Whether an import made memories of what is or was at this place.
    pub fn has_imports_of(&self, place: &str) -> Result<bool> {
        let (place, mut has) = ([place.to_owned()], false);
        self.vault.visit(&mut |visit| {
            let imported = visit.file.ok().and_then(|stored| stored.memory.imported.clone());
            let root = imported.as_ref().and_then(|it| it.from.split_once(':'));
            has |= root.is_some_and(|(_, root)| covers(&place, root));
        })?;
        Ok(has)
    }
}

impl Shelf {
    fn take(&mut self, stored: &Stored) {
        let memory = &stored.memory;
        let id = memory.id.to_string();
        let titles = [id.as_str(), memory.title.as_str()].into_iter();
        for name in titles.chain(memory.aliases.iter().map(String::as_str)) {
            let entry = self.names.entry(name_of(name)).or_insert_with(|| Some(id.clone()));
            if entry.as_deref() != Some(id.as_str()) {
                *entry = None;
            }
        }
        if memory.state.is_served() {
            *self.active.entry(memory.kind.to_string()).or_default() += 1;
        }
        let (path, state) = (stored.path.clone(), memory.state);
        let shelved = Shelved { id: memory.id.clone(), path, state, title: memory.title.clone() };
        // What is in force stands for its text before what is over.
        let there = self.texts.entry(text_key(memory)).or_insert_with(|| shelved.clone());
        if !there.state.is_active() && state.is_active() {
            *there = shelved;
        }
        let Some(known) = Known::of(stored) else { return };
        self.made_by.insert(id, self.known.len());
        self.by_key.insert((known.from.clone(), known.key.clone()), self.known.len());
        self.known.push(known);
    }

    pub(super) fn find(&self, from: &str, key: &str) -> Option<&Known> {
        let at = self.by_key.get(&(from.to_owned(), key.to_owned()))?;
        self.known.get(*at)
    }

    /// What says the same in the same words.
    pub(super) fn twin(&self, text: &TextKey) -> Option<&Shelved> {
        self.texts.get(text)
    }

    pub(super) fn named(&self, name: &str) -> Option<&str> {
        self.names.get(name)?.as_deref()
    }

    pub(super) fn maker(&self, id: &str) -> Option<&Known> {
        self.known.get(*self.made_by.get(id)?)
    }
}

/// Titles may differ where the words below them are the same page in two files.
pub(super) fn text_key(memory: &Memory) -> TextKey {
    let content = memory.content.iter().map(|(name, value)| (name, value.plain()));
    let sections = memory.sections.iter().map(|(heading, text)| (heading.as_str(), text.clone()));
    let mut words = memory.kind.to_string();
    for (name, text) in content.chain(sections) {
        for word in std::iter::once(name).chain(text.split_whitespace()) {
            words.push('\0');
            words.push_str(word);
        }
    }
    ContentHash::of(words.as_bytes())
}
