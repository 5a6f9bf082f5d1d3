//! Memories that are not served like the others: what nobody vouches for, what an agent doubts, what
//! is for another type of agent.

use oldhand_core::recall::card::{CONTESTED_WORD, UNRECORDED_WORD};

use crate::context::Memories;
use crate::prelude::*;

impl Memories<'_> {
    /// Ids of served memories whose standing the log does not carry, newest first.
    pub fn unrecorded(&self, index: &dyn Index, limit: usize) -> Result<Vec<String>> {
        newest_with(UNRECORDED_WORD, State::served(), index, limit)
    }

    /// Ids of what a person said and an agent has put under review, newest first.
    pub fn contested(&self, index: &dyn Index, limit: usize) -> Result<Vec<String>> {
        newest_with(CONTESTED_WORD, vec![State::UnderReview], index, limit)
    }

    /// The type of agent that it is for, where another one asks and has not asked for it.
    pub(super) fn is_for_others<'s>(&self, scope: &'s Scope, narrow: &Narrow) -> Option<&'s str> {
        let (Scope::Agent(of), Some(agent)) = (scope, &self.settings.agent) else { return None };
        let word = scope.to_string().to_lowercase();
        let is_asked = narrow.states.len() == State::ALL.len()
            || narrow.words.iter().flatten().any(|it| *it == format!("scope:{word}"));
        (of != agent && !is_asked).then_some(of)
    }
}

fn newest_with(
    word: &str,
    states: Vec<State>,
    index: &dyn Index,
    limit: usize,
) -> Result<Vec<String>> {
    let narrow = Narrow { words: vec![vec![word.to_owned()]], states };
    let found = index.newest(&narrow, limit)?;
    Ok(found.into_iter().map(|candidate| candidate.card.id).collect())
}
