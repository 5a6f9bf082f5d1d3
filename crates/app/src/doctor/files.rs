//! What the files say about each other: links, chains of successors, ids that two files have.

use oldhand_store::port::{Finding, Unreadable};

use super::adopt::Log;

use crate::prelude::*;

/// Ids of a circle that are named.
const CIRCLE_MAX: usize = 5;

/// Of a memory, what other memories are checked against.
pub(super) struct Brief {
    pub path: String,
    pub id: MemoryId,
    pub hash: ContentHash,
    pub state: State,
    /// What it said is gone: no edit that is to be recorded.
    is_lost: bool,
    /// What `id` says, where that is not the name of the file.
    declared: Option<String>,
    superseded_by: Option<String>,
    /// Each with its field.
    links: Vec<(&'static str, String)>,
}

impl Brief {
    pub(super) fn of(stored: Stored, is_lost: bool) -> Self {
        let mut memory = stored.memory;
        let mut links = Vec::new();
        let mut add = |field, ids: Vec<String>| links.extend(ids.into_iter().map(|id| (field, id)));
        add("superseded_by", memory.superseded_by.iter().cloned().collect());
        add("supersedes", std::mem::take(&mut memory.supersedes));
        add("related_to", std::mem::take(&mut memory.related_to));
        add("conflicts_with", std::mem::take(&mut memory.conflicts_with));
        let (path, hash) = (stored.path, stored.hash);
        let Memory { id, state, superseded_by, .. } = memory;
        let declared = stored.declared_id.filter(|it| it != id.as_str());
        Self { path, id, hash, state, is_lost, declared, superseded_by, links }
    }
}

#[derive(Default)]
pub(super) struct Files {
    /// By path.
    pub briefs: Vec<Brief>,
    pub unreadable: Vec<Unreadable>,
}

type ById<'f> = BTreeMap<&'f str, &'f Brief>;

impl Files {
    pub(super) fn by_id(&self) -> ById<'_> {
        self.briefs.iter().map(|brief| (brief.id.as_str(), brief)).collect()
    }

    /// The files that are not what the log last left, and still say something. Which of two files
    /// of one id the log means is for a person to say.
    pub(super) fn edited(mut self, log: Log) -> Vec<Brief> {
        let doubles: BTreeSet<MemoryId> =
            self.doubles().into_iter().map(|(_, brief)| brief.id.clone()).collect();
        let renamed: BTreeSet<String> =
            self.renamed(&log).into_values().map(|brief| brief.path.clone()).collect();
        self.briefs.retain(|brief| {
            !brief.is_lost
                && !renamed.contains(&brief.path)
                && log.hash_of(brief.id.as_str()) != Some(brief.hash)
                && !doubles.contains(&brief.id)
        });
        self.briefs
    }

    /// Files that somebody gave another name, by the id that the log knows: what is in them is the
    /// memory of before.
    pub(super) fn renamed(&self, log: &Log) -> BTreeMap<String, &Brief> {
        let there = self.by_id();
        let is_gone = |id: &str| !there.contains_key(id) && log.hash_of(id).is_some();
        let gone: BTreeMap<ContentHash, &str> = log
            .last
            .iter()
            .filter(|(id, _)| is_gone(id))
            .filter_map(|(id, last)| Some((last.after?, id.as_str())))
            .collect();
        let new = self.briefs.iter().filter(|it| log.hash_of(it.id.as_str()).is_none());
        let before = |it: &Brief| {
            let declared = it.declared.as_deref().filter(|id| is_gone(id));
            declared.or_else(|| gone.get(&it.hash).copied()).map(str::to_owned)
        };
        new.filter_map(|it| Some((before(it)?, it))).collect()
    }

    pub(super) fn check_names(&self, log: &Log, findings: &mut Vec<Finding>) {
        let renamed = self.renamed(log);
        let mut told = BTreeSet::new();
        for (id, brief) in &renamed {
            let path = &log.last[id].path;
            let what = format!("was renamed by hand: it is `{id}` in the log");
            let hint = format!("rename it back to `{path}`: an id never changes, a title may");
            findings.push(Finding::new(&brief.path, what, hint));
            told.insert(&brief.path);
        }
        for brief in self.briefs.iter().filter(|it| !told.contains(&it.path)) {
            if let Some(declared) = &brief.declared {
                let what = format!("`id` says `{declared}`, the file is `{}`", brief.id);
                let hint = "make them equal: the file's name counts";
                findings.push(Finding::new(&brief.path, what, hint));
            }
        }
    }

    pub(super) fn check_links(&self, findings: &mut Vec<Finding>) {
        let by_id = self.by_id();
        for brief in &self.briefs {
            for (field, id) in &brief.links {
                if !by_id.contains_key(id.as_str()) {
                    let what = format!("`{field}` names `{id}`, which is not here");
                    findings.push(Finding::new(&brief.path, what, "fix the name, or take it out"));
                }
            }
            if brief.state != State::Superseded {
                continue;
            }
            // A successor that was superseded itself is asked about its own.
            let successor = successor(brief, &by_id).map(|by| by.state);
            if successor.is_some_and(|state| !state.is_active() && state != State::Superseded) {
                let id = &brief.id;
                let hint = format!(
                    "`oldhand restore {id}` makes it hold again, or supersede its successor"
                );
                findings.push(Finding::new(&brief.path, "its successor is no longer active", hint));
            }
            if brief.superseded_by.is_none() {
                let hint = "name its successor in `superseded_by`";
                findings.push(Finding::new(&brief.path, "superseded by nothing", hint));
            }
        }
        for circle in self.circles(&by_id) {
            let ids: Vec<String> =
                circle.iter().take(CIRCLE_MAX).map(|one| format!("`{}`", one.id)).collect();
            let more = if circle.len() > CIRCLE_MAX { ", …" } else { "" };
            let what = format!("superseded in a circle: {}{more}", ids.join(", "));
            let hint =
                format!("`oldhand restore {}`, or another of them, holds again", circle[0].id);
            findings.push(Finding::new(&circle[0].path, what, hint));
        }
    }

    /// Superseded memories whose successors lead back to them. Each file is walked over once.
    fn circles<'f>(&'f self, by_id: &ById<'f>) -> Vec<Vec<&'f Brief>> {
        let mut walk_of: BTreeMap<&str, usize> = BTreeMap::new();
        let mut circles = Vec::new();
        for (walk, start) in self.briefs.iter().enumerate() {
            let (mut at, mut way) = (Some(start), Vec::new());
            while let Some(one) = at.filter(|one| one.state == State::Superseded) {
                match walk_of.get(one.id.as_str()) {
                    Some(earlier) if *earlier == walk => {
                        let begin = way.iter().position(|met: &&Brief| met.id == one.id);
                        circles.push(way.split_off(begin.unwrap_or(0)));
                        break;
                    }
                    Some(_) => break,
                    None => walk_of.insert(one.id.as_str(), walk),
                };
                way.push(one);
                at = successor(one, by_id);
            }
        }
        circles
    }

    pub(super) fn check_doubles(&self, findings: &mut Vec<Finding>) {
        for (first, brief) in self.doubles() {
            let what = format!("has the same id as `{first}`");
            let hint = "rename one of the two files: neither can be read or changed by its id";
            findings.push(Finding::new(&brief.path, what, hint));
        }
    }

    /// Files whose id another one has too, with the path of that.
    fn doubles(&self) -> Vec<(&str, &Brief)> {
        let mut seen: BTreeMap<&str, &str> = BTreeMap::new();
        let briefs = self.briefs.iter();
        briefs.filter_map(|it| Some((seen.insert(it.id.as_str(), &it.path)?, it))).collect()
    }
}

fn successor<'f>(brief: &Brief, by_id: &ById<'f>) -> Option<&'f Brief> {
    by_id.get(brief.superseded_by.as_deref()?).copied()
}
