//! Memories that rest on memories: when the ground no longer holds, what stands on it is flagged.

use super::{Verdict, Warning};
use crate::memory::Memory;
use crate::state::State;

/// How another memory stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkedMemory {
    pub id: String,
    pub state: State,
    pub superseded_by: Option<String>,
    /// None when nobody checked it.
    pub verdict: Option<Verdict>,
}

impl LinkedMemory {
    pub fn of(memory: &Memory, verdict: Option<Verdict>) -> Self {
        Self {
            id: memory.id.to_string(),
            state: memory.state,
            superseded_by: memory.superseded_by.clone(),
            verdict,
        }
    }

    /// Why it can't be relied on, and what took its place.
    fn trouble(&self) -> Option<(String, Option<&str>)> {
        match (self.state, &self.superseded_by) {
            (State::Superseded, Some(by)) => {
                Some((format!("which is superseded by `{by}`"), Some(by)))
            }
            (state @ (State::Superseded | State::Retired | State::Archived), _) => {
                Some((format!("which is {state}"), None))
            }
            _ => (self.verdict? >= Verdict::Drifted)
                .then(|| ("which may be stale itself".to_owned(), None)),
        }
    }
}

/// The memories that this one names as its ground, once each, in the order of the file.
pub fn links_of(memory: &Memory) -> Vec<&str> {
    let mut links: Vec<&str> = Vec::new();
    for link in memory.depends_on.decisions.iter().chain(&memory.related_to) {
        let link = link.trim();
        if !link.is_empty() && link != memory.id.as_str() && !links.contains(&link) {
            links.push(link);
        }
    }
    links
}

/// One warning for each memory that this one rests on and that no longer holds. A name that
/// `standing` does not know is for `doctor` to find.
pub fn rests_on(
    memory: &Memory,
    file: &str,
    standing: &dyn Fn(&str) -> Option<LinkedMemory>,
) -> Vec<Warning> {
    let mut warnings: Vec<Warning> = Vec::new();
    for link in links_of(memory) {
        let Some(other) = standing(link) else { continue };
        let Some((why, successor)) = other.trouble() else { continue };
        // Resting on its own predecessor is what a successor does.
        if successor == Some(memory.id.as_str()) {
            continue;
        }
        let mut warning = Warning::rests_on(memory, file, &other.id, &why);
        warning.renamed_to = successor.map(str::to_owned);
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }
    warnings
}
