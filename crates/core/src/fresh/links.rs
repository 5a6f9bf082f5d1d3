//! Warnings about memories that rest on others which no longer hold.

use super::{Verdict, Warning};
use crate::memory::{Memory, unique};
use crate::state::State;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkedMemory {
    pub id: String,
    pub state: State,
    pub superseded_by: Option<String>,
    /// `None` when it was not checked.
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
    let links = memory.depends_on.decisions.iter().chain(&memory.related_to).map(|it| it.trim());
    unique(links.filter(|link| !link.is_empty() && *link != memory.id.as_str()))
}

/// One warning for each memory that this one rests on and that no longer holds. A name that
/// `standing` does not know is for `doctor` to find.
pub fn rests_on(
    memory: &Memory,
    file: &str,
    standing: &dyn Fn(&str) -> Option<LinkedMemory>,
) -> Vec<Warning> {
    let warning = |link| {
        let other = standing(link)?;
        // Resting on its own predecessor is what a successor does.
        let (why, successor) = other.trouble().filter(|(_, by)| *by != Some(memory.id.as_str()))?;
        let warning = Warning::rests_on(memory, file, &other.id, &why);
        Some(Warning { renamed_to: successor.map(str::to_owned), ..warning })
    };
    unique(links_of(memory).into_iter().filter_map(warning))
}
