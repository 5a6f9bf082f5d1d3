//! What a person may decide over one thing that waits: asked beforehand by a dry run of the same
//! decision, so that every surface offers the same verbs and refuses them in the same words.

use oldhand_core::event::Verdict;
use oldhand_core::pending::{Matter, Pending};

use super::{Decision, Item};
use crate::context::Upkeep;
use crate::pending::{Resolution, Resolved};
use crate::prelude::*;
use crate::promote::Promoted;

/// One way to decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    /// Over a memory.
    Decide(Verdict),
    /// Over a proposal or a request that waits.
    Settle(Resolution),
}

impl Verb {
    pub const OVER_MEMORY: &'static [Self] = &[
        Self::Decide(Verdict::Promote),
        Self::Decide(Verdict::Keep),
        Self::Decide(Verdict::Reinstate),
        Self::Decide(Verdict::Reject),
        Self::Decide(Verdict::Supersede),
        Self::Decide(Verdict::Archive),
    ];
    pub const OVER_CONFLICT: &'static [Self] = &[
        Self::Settle(Resolution::Follow),
        Self::Settle(Resolution::Supersede),
        Self::Settle(Resolution::KeepBoth),
    ];
    pub const OVER_REQUEST: &'static [Self] =
        &[Self::Decide(Verdict::Promote), Self::Settle(Resolution::Follow)];

    pub fn key(self) -> char {
        match self {
            Self::Decide(Verdict::Promote) => 'p',
            Self::Decide(Verdict::Keep) => 'y',
            Self::Decide(Verdict::Reinstate) => 'i',
            Self::Decide(Verdict::Reject) => 'r',
            Self::Decide(Verdict::Supersede) | Self::Settle(Resolution::Supersede) => 's',
            Self::Decide(Verdict::Archive) => 'a',
            Self::Settle(Resolution::Follow) => 'f',
            Self::Settle(Resolution::KeepBoth) => 'b',
        }
    }

    /// The word of flags, forms and the log.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Decide(verdict) => verdict.as_str(),
            Self::Settle(resolution) => resolution.as_str(),
        }
    }

    /// What has to be said beside the reason, as a question.
    pub fn question(self) -> Option<&'static str> {
        match self {
            Self::Decide(Verdict::Reinstate) => Some("what shall it say from now on?"),
            Self::Decide(Verdict::Supersede) => Some("which memory takes its place?"),
            _ => None,
        }
    }
}

/// A verb with what would come of it now.
#[derive(Debug, Clone)]
pub struct Offer {
    pub verb: Verb,
    /// What it would do, or why it is refused and what to do first.
    pub would: Result<String, Refusal>,
}

/// A decision with everything that a surface knows of it.
#[derive(Debug, Clone, Copy)]
pub struct Choice<'r> {
    /// The id of the memory, or of what waits in `pending/`.
    pub name: &'r str,
    pub verb: Verb,
    pub reason: &'r str,
    /// The answer to the verb's question.
    pub more: Option<&'r str>,
}

/// What came of a decision.
#[derive(Debug, Clone)]
pub enum Chosen {
    Decided(Promoted),
    Settled(Box<Resolved>),
}

impl Chosen {
    /// In a few words: `stable now`, `waits for an approval by domain`.
    pub fn sentence(&self) -> String {
        match self {
            Self::Decided(Promoted::Moved(memory)) => format!("{} now", memory.state),
            Self::Decided(Promoted::Waiting { missing, .. }) => format!("waits for {missing}"),
            Self::Settled(resolved) => {
                let mut said = match (&resolved.pending.matter, resolved.resolution) {
                    (Matter::Approval { .. }, _) => "the request is dropped".to_owned(),
                    (_, Resolution::Follow) => "what was decided holds".to_owned(),
                    (_, Resolution::Supersede) => "the proposal holds".to_owned(),
                    (_, Resolution::KeepBoth) => "both hold".to_owned(),
                };
                if !resolved.superseded.is_empty() {
                    said.push_str(&format!("; superseded: {}", resolved.superseded.join(", ")));
                }
                said
            }
        }
    }
}

/// In a dry run: whoever decides will say why.
const ASKING: &str = "asked beforehand";

impl<'a> Upkeep<'a> {
    /// Every verb over a memory that waits.
    pub fn offers(&self, item: &Item) -> Result<Vec<Offer>> {
        self.offers_over(&item.stored, &item.signals)
    }

    /// The same for one that may not wait.
    pub fn offers_over(&self, stored: &Stored, signals: &Signals) -> Result<Vec<Offer>> {
        self.asked(Verb::OVER_MEMORY, |verb| match verb {
            Verb::Decide(Verdict::Supersede) => self.would_supersede(stored, signals),
            verb => self.would(stored.memory.id.as_str(), verb),
        })
    }

    /// Every verb over a proposal or a request that waits.
    pub fn offers_on(&self, pending: &Pending) -> Result<Vec<Offer>> {
        match &pending.matter {
            Matter::Conflict { .. } => {
                self.asked(Verb::OVER_CONFLICT, |verb| self.would(pending.id.as_str(), verb))
            }
            Matter::Approval { memory, .. } => self.asked(Verb::OVER_REQUEST, |verb| match verb {
                Verb::Decide(_) => self.would(memory, verb),
                Verb::Settle(_) => self.would(pending.id.as_str(), verb),
            }),
        }
    }

    /// One decision, over a memory or over what waits: by [`Upkeep::review`] or by
    /// [`crate::context::Gate::resolve`].
    pub fn choose(&self, choice: &Choice<'_>) -> WriteResult<'a, Chosen> {
        let Choice { name, verb, reason, more } = *choice;
        match verb {
            Verb::Decide(verdict) => {
                let decision = Decision {
                    verdict,
                    reason,
                    role: None,
                    guidance: more.filter(|_| verdict == Verdict::Reinstate),
                    successor: more.filter(|_| verdict == Verdict::Supersede),
                    approver: self.is_person.then_some(self.by),
                };
                let Done { answer, pending } = self.review(name, &decision)?;
                Ok(Done { answer: Chosen::Decided(answer), pending })
            }
            Verb::Settle(resolution) => {
                let Done { answer, pending } = self.gate().resolve(name, resolution, reason)?;
                Ok(Done { answer: Chosen::Settled(Box::new(answer)), pending })
            }
        }
    }

    /// The last nine reasons that were given for a verb, the newest first: people decide much alike.
    pub fn reasons_for(&self, verb: Verb) -> Result<Vec<String>> {
        let mut reasons: Vec<String> = Vec::new();
        for event in self.vault.events()?.iter().rev() {
            let reason = match verb {
                Verb::Decide(verdict) if event.decision == Some(verdict) => Some(&*event.reason),
                Verb::Settle(how) if event.event_type == EventType::Conflict => {
                    event.reason.strip_prefix(how.as_str()).and_then(|it| it.strip_prefix(": "))
                }
                _ => None,
            };
            let is_new = |it: &&str| !it.is_empty() && !reasons.iter().any(|there| there == it);
            reasons.extend(reason.filter(is_new).map(str::to_owned));
            if reasons.len() == 9 {
                break;
            }
        }
        Ok(reasons)
    }

    fn asked(&self, verbs: &[Verb], ask: impl Fn(Verb) -> Result<String>) -> Result<Vec<Offer>> {
        let offer = |verb: &Verb| {
            let would = match ask(*verb) {
                Ok(would) => Ok(would),
                Err(Failure::Refused(refusal)) => Err(refusal),
                Err(Failure::Stopped(stop)) => {
                    Err(Refusal::new(Code::State, stop.pending.headline()))
                }
                Err(error) => return Err(error),
            };
            Ok(Offer { verb: *verb, would })
        };
        verbs.iter().map(offer).collect()
    }

    fn would(&self, name: &str, verb: Verb) -> Result<String> {
        let more = verb.question().map(|_| ASKING);
        let choice = Choice { name, verb, reason: ASKING, more };
        Ok(self.preview().upkeep().choose(&choice)?.answer.sentence())
    }

    /// The successor is named only later: the rest is asked as if there were a good one.
    fn would_supersede(&self, stored: &Stored, signals: &Signals) -> Result<String> {
        if !self.is_person {
            let message = format!("only a person decides over `{}`", stored.memory.id);
            return refuse(Code::State, message, ASK_A_PERSON);
        }
        let (by, reason) = ("another".to_owned(), ASKING.to_owned());
        let request = Request::Supersede { by, by_active: true, reason };
        let step = self.life().step(stored, &request, signals)?;
        Ok(format!("{} now", step.memory.state))
    }
}
