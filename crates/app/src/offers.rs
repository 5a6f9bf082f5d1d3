//! Which decisions about a memory would pass now, and why not: each is decided as it would be, and
//! nothing is applied.

use oldhand_core::event::Verdict;

use crate::context::Upkeep;
use crate::prelude::*;
use crate::review::verbs::{self, Verb};

/// Stands for what a person will type.
const SOMETHING: &str = "…";

/// A decision, and the refusal that it would meet.
#[derive(Debug, Clone)]
pub struct Offer<T> {
    pub what: T,
    pub refused: Option<String>,
}

/// Moves of a memory that is not in the inbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    Promote,
    Verify,
    Archive,
    Retire,
    Restore,
}

impl Upkeep<'_> {
    /// The verdicts of a review, in the order in which they are offered.
    pub fn offered_verdicts(&self, id: &str) -> Vec<Offer<Verdict>> {
        let asked = || {
            let stored = self.get(id)?;
            self.offers_over(&stored, &self.signals(&stored.memory)?)
        };
        let verdict = |offer: verbs::Offer| match offer.verb {
            Verb::Decide(what) => {
                Some(Offer { what, refused: offer.would.err().map(|refusal| refusal.message) })
            }
            Verb::Settle(_) => None,
        };
        asked().unwrap_or_default().into_iter().filter_map(verdict).collect()
    }

    pub fn offered_moves(&self, id: &str) -> Vec<Offer<Move>> {
        let preview = self.preview();
        let is_active = self.get(id).is_ok_and(|it| it.memory.is_active());
        // What is out of force can only come back.
        let moves: &[Move] = match is_active {
            true => &[Move::Promote, Move::Verify, Move::Archive, Move::Retire],
            false => &[Move::Restore],
        };
        let offer = |what: &Move| {
            let what = *what;
            let life = preview.life();
            let refused = match what {
                Move::Promote => {
                    let approver = self.is_person.then_some(self.by);
                    let ask = crate::promote::PromotionRequest {
                        approver,
                        reason: SOMETHING,
                        ..Default::default()
                    };
                    life.promote(id, &ask).err()
                }
                Move::Verify => preview.writing().verify(id).err(),
                Move::Archive => life.archive(id, SOMETHING).err(),
                Move::Retire => life.retire(id, SOMETHING).err(),
                Move::Restore => life.restore(id).err(),
            };
            Offer { what, refused: refused.and_then(why) }
        };
        moves.iter().map(offer).collect()
    }
}

/// The gate asks a person, which is an answer: such a decision may be tried.
fn why(failure: Failure) -> Option<String> {
    match failure {
        Failure::Refused(refusal) => Some(refusal.message),
        Failure::Store(error) => Some(error.to_string()),
        Failure::Stopped(_) => None,
    }
}
