//! What a memory hangs together with: what it names and what names it, two steps around and no
//! further.

use std::collections::VecDeque;

use oldhand_core::memory::Link;

use crate::context::Memories;
use crate::prelude::*;

pub const STEPS_MAX: u8 = 2;
pub const NODES_MAX: usize = 60;

#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Around {
    pub center: String,
    pub memories: Vec<Neighbour>,
    pub links: Vec<NamedLink>,
    /// Neighbours beyond the limit.
    pub more: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Neighbour {
    pub id: String,
    pub title: String,
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub state: State,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NamedLink {
    pub from: String,
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub link: Link,
    pub to: String,
}

impl Memories<'_> {
    pub fn around(&self, index: &dyn Index, name: &str) -> Result<Around> {
        let center = self.get(name)?;
        let id = center.memory.id.to_string();
        let mut walk =
            Walk { around: Around { center: id, ..Around::default() }, seen: BTreeSet::new() };
        let mut links: BTreeSet<NamedLink> = BTreeSet::new();
        let mut queue = VecDeque::new();
        walk.meet(center, 0, &mut queue);
        while let Some((stored, steps)) = queue.pop_front() {
            let memory = &stored.memory;
            let mut near: Vec<Stored> = Vec::new();
            for (link, name) in outgoing(memory) {
                let Some(other) = self.look_up(name).ok().flatten() else { continue };
                links.insert(directed(memory, link, &other.memory));
                near.push(other);
            }
            for other in self.naming(index, memory)? {
                for (link, name) in outgoing(&other.memory) {
                    if names(name, memory) {
                        links.insert(directed(&other.memory, link, memory));
                    }
                }
                near.push(other);
            }
            if steps < STEPS_MAX {
                near.into_iter().for_each(|it| walk.meet(it, steps + 1, &mut queue));
            }
        }
        let mut around = walk.around;
        let is_shown = |id: &str| around.memories.iter().any(|it| it.id == id);
        around.links =
            links.into_iter().filter(|it| is_shown(&it.from) && is_shown(&it.to)).collect();
        Ok(around)
    }

    /// The memories that name this one, as the index knows them.
    fn naming(&self, index: &dyn Index, memory: &Memory) -> Result<Vec<Stored>> {
        let names =
            std::iter::once(memory.id.as_str()).chain(memory.aliases.iter().map(String::as_str));
        let words = names.map(|name| format!("link:{}", name.to_lowercase())).collect();
        let narrow = Narrow { words: vec![words], states: Vec::new() };
        let mut found = Vec::new();
        for candidate in index.newest(&narrow, NODES_MAX)? {
            // A file that can't be read is for `doctor`.
            found.extend(index.read(&candidate).ok().flatten());
        }
        Ok(found)
    }
}

struct Walk {
    around: Around,
    seen: BTreeSet<String>,
}

impl Walk {
    fn meet(&mut self, stored: Stored, steps: u8, queue: &mut VecDeque<(Stored, u8)>) {
        let memory = &stored.memory;
        if !self.seen.insert(memory.id.to_string()) {
            return;
        }
        if self.around.memories.len() == NODES_MAX {
            self.around.more += 1;
            return;
        }
        let (id, title) = (memory.id.to_string(), memory.title.clone());
        self.around.memories.push(Neighbour { id, title, state: memory.state });
        queue.push_back((stored, steps));
    }
}

fn outgoing(memory: &Memory) -> impl Iterator<Item = (Link, &str)> {
    let related = memory.related_to.iter().map(|id| (Link::RelatedTo, id.trim()));
    // The other side of `supersedes`, turned round by `directed`.
    let successor = memory.superseded_by.iter().map(|id| (Link::Supersedes, id.trim()));
    memory.links().chain(related).chain(successor)
}

fn names(name: &str, memory: &Memory) -> bool {
    memory.id.as_str().eq_ignore_ascii_case(name)
        || memory.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(name))
}

/// A successor supersedes, whichever of the two files says so.
fn directed(from: &Memory, link: Link, to: &Memory) -> NamedLink {
    let is_successor = from.superseded_by.as_deref().is_some_and(|by| names(by.trim(), to));
    let (from, to) = (from.id.to_string(), to.id.to_string());
    match link {
        Link::Supersedes if is_successor => NamedLink { from: to, link, to: from },
        // Both say the same of each other: one line.
        Link::ConflictsWith | Link::RelatedTo | Link::Beside if to < from => {
            NamedLink { from: to, link, to: from }
        }
        _ => NamedLink { from, link, to },
    }
}
