//! Checks memories against the code they rest on, all of them in one pass. It never fails and never
//! blocks: what could not be asked is a note (R27, R40).

use oldhand_core::fresh::{
    Answers, Given, LinkedMemory, NO_GIT, PathQuestion, PathVerdict, Questions, Verdict, Warning,
    incomplete, judge, links_of, questions, rests_on, skipped,
};
use oldhand_core::policy::FRESH_WAIT;

use crate::context::Memories;
use crate::prelude::*;

/// What is known about the memories that were asked about, in their order.
#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FreshReport {
    pub memories: Vec<Checked>,
    /// Everything there is to tell, in the order of the memories; what concerns all comes first.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<serde_json::Value>"))]
    pub warnings: Vec<Warning>,
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Checked {
    pub id: String,
    /// Below the store.
    pub file: String,
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub verdict: Verdict,
    /// Why there was nothing to ask.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
    #[cfg_attr(feature = "schema", schemars(with = "Vec<serde_json::Value>"))]
    pub paths: Vec<PathVerdict>,
}

impl Memories<'_> {
    pub fn fresh(&self, memories: &[&Stored]) -> FreshReport {
        let ground = self.ground_of(memories);
        let all: Vec<&Stored> = memories.iter().copied().chain(&ground).collect();
        let asked: Vec<Questions> = all.iter().map(|stored| questions(&stored.memory)).collect();
        let answers = self.ask(&asked);
        let (given, warning) = match &answers {
            Some(Answers::Skipped(why)) => (None, Some(skipped(why))),
            Some(Answers::Given(given)) => {
                (Some(given), given.incomplete.as_deref().map(incomplete))
            }
            None => (None, None),
        };
        let is_skipped = warning.is_some() && given.is_none();
        let mut report =
            FreshReport { warnings: warning.into_iter().collect(), ..FreshReport::default() };
        let mut told: Vec<Vec<Warning>> = Vec::new();
        let mut taken = 0;
        for (stored, questions) in all.iter().zip(&asked) {
            let count = paths_of(questions).len();
            let own = given.map(|given| own_part(given, taken, count));
            taken += count;
            let judged = judge(&stored.memory, &stored.path, questions, own.as_ref());
            let reason = match questions {
                Questions::None(why) => Some(*why),
                Questions::Undated => Some("no usable `updated_at`"),
                Questions::Ask(_) => None,
            };
            report.memories.push(Checked {
                id: stored.memory.id.to_string(),
                file: stored.path.clone(),
                verdict: judged.verdict,
                reason,
                paths: judged.paths,
            });
            // With nobody to ask there is one note and no other (R27).
            told.push(if is_skipped { Vec::new() } else { judged.warnings });
        }
        let verdicts: Vec<Verdict> = report.memories.iter().map(|one| one.verdict).collect();
        let standing = standings(&all, &verdicts);
        for (stored, warnings) in memories.iter().zip(told) {
            report.warnings.extend(warnings);
            let find = |name: &str| standing.get(name).cloned();
            report.warnings.extend(rests_on(&stored.memory, &stored.path, &find));
        }
        report.memories.truncate(memories.len());
        report
    }

    /// The memories that these rest on and that are not among them.
    fn ground_of(&self, memories: &[&Stored]) -> Vec<Stored> {
        let is_known = |memory: &Memory, name: &str| {
            memory.id.as_str() == name || memory.aliases.iter().any(|alias| alias == name)
        };
        let mut ground: Vec<Stored> = Vec::new();
        for name in memories.iter().flat_map(|stored| links_of(&stored.memory)) {
            let is_there = memories.iter().any(|stored| is_known(&stored.memory, name))
                || ground.iter().any(|stored| is_known(&stored.memory, name));
            if is_there {
                continue;
            }
            // A name that leads nowhere, or to a file that can't be read, is for `doctor`.
            let found = MemoryId::parse(name).ok().and_then(|id| self.vault.find(&id).ok());
            ground.extend(found.flatten());
        }
        ground
    }

    fn ask(&self, asked: &[Questions]) -> Option<Answers> {
        let questions: Vec<PathQuestion> = asked.iter().flat_map(paths_of).cloned().collect();
        if questions.is_empty() {
            return None;
        }
        Some(match self.code.history() {
            Some(history) => history.ask(&questions, FRESH_WAIT),
            None => Answers::Skipped(NO_GIT.to_owned()),
        })
    }
}

fn paths_of(questions: &Questions) -> &[PathQuestion] {
    match questions {
        Questions::Ask(paths) => paths,
        _ => &[],
    }
}

fn own_part(given: &Given, from: usize, count: usize) -> Given {
    let paths = given.paths.iter().skip(from).take(count).cloned().collect();
    Given { head: given.head.clone(), paths, incomplete: None }
}

/// How every memory at hand stands, by its id and its aliases; an id wins over an alias.
fn standings<'s>(all: &[&'s Stored], verdicts: &[Verdict]) -> BTreeMap<&'s str, LinkedMemory> {
    let mut standings = BTreeMap::new();
    let known = || all.iter().map(|stored| &stored.memory).zip(verdicts);
    for (memory, verdict) in known() {
        for alias in &memory.aliases {
            standings
                .entry(alias.as_str())
                .or_insert_with(|| LinkedMemory::of(memory, Some(*verdict)));
        }
    }
    for (memory, verdict) in known() {
        standings.insert(memory.id.as_str(), LinkedMemory::of(memory, Some(*verdict)));
    }
    standings
}
