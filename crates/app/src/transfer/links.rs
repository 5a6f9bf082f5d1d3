//! References between records become ids: first among the records of the same source, then of the run, then
//! in the store. An import moves no memory that its source did not make.

use std::collections::HashMap;

use oldhand_core::policy::RELATED_TO_MAX;
use oldhand_exchange::record::Relation;
use serde_json::{Value, json};

use super::arrive::Arriving;
use super::shelf::Shelf;
use crate::prelude::*;

/// A name without case, brackets, folder and ending: how sources write it differs.
pub(super) fn name_of(name: &str) -> String {
    let name = name.trim().trim_start_matches("[[").trim_end_matches("]]");
    let name = name.trim_start_matches("./").trim_end_matches(".md");
    name.trim().to_lowercase()
}

/// The names that records of the run are known by; `None` for a name that several have.
struct RunNames {
    of_source: HashMap<(usize, String), Option<usize>>,
    of_run: HashMap<String, Option<usize>>,
}

impl RunNames {
    fn of(arriving: &[Arriving]) -> Self {
        let mut names = Self { of_source: HashMap::new(), of_run: HashMap::new() };
        for (at, one) in arriving.iter().enumerate() {
            let last = one.key.rsplit(['/', '#']).next().unwrap_or_default();
            let own = [one.key.as_str(), last, &one.memory.title, one.memory.id.as_str()];
            let aliases = one.memory.aliases.iter().map(String::as_str);
            let all: BTreeSet<String> = own.into_iter().chain(aliases).map(name_of).collect();
            for name in all {
                let mark = |known: &mut Option<usize>| *known = known.filter(|it| *it == at);
                let of_source = names.of_source.entry((one.source, name.clone()));
                of_source.and_modify(mark).or_insert(Some(at));
                names.of_run.entry(name).and_modify(mark).or_insert(Some(at));
            }
        }
        names
    }

    fn find(&self, source: usize, name: &str) -> Option<usize> {
        let own = self.of_source.get(&(source, name.to_owned())).copied().flatten();
        own.or_else(|| self.of_run.get(name).copied().flatten())
    }
}

/// Where a reference leads.
enum Target {
    Run(usize),
    Store(String),
}

/// What the links of a run ask of memories that are in the store already.
#[derive(Debug, Default)]
pub(super) struct Linked {
    /// A memory of the same source and its successor, with the note for whoever must say so.
    pub superseded: Vec<Succession>,
    pub notes: Vec<(usize, String)>,
}

#[derive(Debug)]
pub(super) struct Succession {
    pub source: usize,
    pub old: String,
    pub new: String,
    pub claim: String,
}

pub(super) fn link(arriving: &mut [Arriving], shelf: &Shelf, is_accepted: bool) -> Linked {
    let names = RunNames::of(arriving);
    let mut linked = Linked::default();
    for at in 0..arriving.len() {
        for link in std::mem::take(&mut arriving[at].links) {
            let source = arriving[at].source;
            let wanted =
                [name_of(&link.to), name_of(link.to.rsplit('/').next().unwrap_or_default())];
            let found = wanted.iter().find_map(|name| {
                let in_run = names.find(source, name).map(Target::Run);
                in_run.or_else(|| shelf.named(name).map(|id| Target::Store(id.to_owned())))
            });
            let found = found.filter(|it| !matches!(it, Target::Run(other) if *other == at));
            let Some(target) = found else {
                let key = &arriving[at].key;
                linked.notes.push((source, format!("`{}` in {key} leads nowhere", link.to)));
                keep_link(&mut arriving[at], &link.word, link.relation, &link.to);
                continue;
            };
            let id = match &target {
                Target::Run(other) => arriving[*other].id().to_string(),
                Target::Store(id) => id.clone(),
            };
            if id == arriving[at].id().as_str() {
                continue;
            }
            match link.relation {
                Relation::Related => {
                    let related = &mut arriving[at].memory.related_to;
                    if !related.contains(&id) && related.len() < RELATED_TO_MAX {
                        related.push(id);
                        if !link.word.is_empty() {
                            keep_link(&mut arriving[at], &link.word, link.relation, &link.to);
                        }
                    } else if !related.contains(&id) {
                        keep_link(&mut arriving[at], &link.word, link.relation, &link.to);
                    }
                }
                Relation::Conflicts if is_accepted => arriving[at].memory.conflicts_with.push(id),
                Relation::Conflicts => {
                    keep_link(&mut arriving[at], &link.word, link.relation, &link.to);
                }
                Relation::Supersedes | Relation::SupersededBy => {
                    let is_own = match &target {
                        Target::Run(other) => arriving[*other].source == source,
                        Target::Store(id) => {
                            let maker = shelf.maker(id).map(|known| known.from.as_str());
                            maker == Some(arriving[at].from())
                        }
                    };
                    if !is_own {
                        linked.notes.push((
                            source,
                            claim(&arriving[at], link.relation, &id, "which is not of its source"),
                        ));
                        keep_link(&mut arriving[at], &link.word, link.relation, &link.to);
                        continue;
                    }
                    supersede(arriving, at, &target, link.relation, &mut linked);
                }
            }
        }
    }
    linked
}

/// Both ends are set, whichever of the two says so.
fn supersede(
    arriving: &mut [Arriving],
    at: usize,
    target: &Target,
    relation: Relation,
    linked: &mut Linked,
) {
    let own = arriving[at].id().to_string();
    let is_new = relation == Relation::Supersedes;
    match target {
        Target::Run(other) => {
            let (new, old) = if is_new { (at, *other) } else { (*other, at) };
            let (new_id, old_id) = (arriving[new].id().to_string(), arriving[old].id().to_string());
            // Two that claim to replace each other: the first that said so is believed.
            if arriving[new].memory.superseded_by.as_deref() == Some(&old_id) {
                return;
            }
            crate::twin::add_new(&mut arriving[new].memory.supersedes, &[old_id]);
            arriving[old].memory.superseded_by.get_or_insert(new_id);
        }
        Target::Store(id) if is_new => {
            crate::twin::add_new(&mut arriving[at].memory.supersedes, std::slice::from_ref(id));
            let claim = claim(&arriving[at], relation, id, "which a person approved");
            let source = arriving[at].source;
            linked.superseded.push(Succession { source, old: id.clone(), new: own, claim });
        }
        Target::Store(id) => {
            arriving[at].memory.superseded_by.get_or_insert(id.clone());
        }
    }
}

fn claim(one: &Arriving, relation: Relation, other: &str, why_not: &str) -> String {
    let (old, new) = match relation {
        Relation::Supersedes => (other, one.id().as_str()),
        _ => (one.id().as_str(), other),
    };
    format!(
        "{} claims that `{new}` supersedes `{old}`, {why_not}; \
         `oldhand supersede {old} --by-memory {new}` says so",
        one.key
    )
}

/// A reference that became no id stays as it was written.
fn keep_link(one: &mut Arriving, word: &str, relation: Relation, to: &str) {
    let word = match (word, relation) {
        ("", Relation::Supersedes) => "supersedes",
        ("", Relation::SupersededBy) => "superseded by",
        ("", Relation::Conflicts) => "conflicts with",
        ("", Relation::Related) => "related to",
        (word, _) => word,
    };
    let entry = json!({"type": word, "to": to});
    let Some(imported) = &mut one.memory.imported else { return };
    let links = imported.rest.entry("links").or_insert_with(|| json!([]));
    if let Value::Array(links) = links
        && !links.contains(&entry)
    {
        links.push(entry);
    }
}
