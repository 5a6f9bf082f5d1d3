//! Between states: retire, restore, archive, unarchive, supersede.

use oldhand_core::pending::Action as Proposed;

use crate::context::Lifecycle;
use crate::gate::{Conflict, Proposal, against};
use crate::prelude::*;
use crate::written::{Action, Written, unchanged};

pub enum Successor<'r> {
    Existing(&'r str),
    New(&'r Draft),
}

impl<'a> Lifecycle<'a> {
    pub fn retire(&self, name: &str, reason: &str) -> WriteResult<'a, Written> {
        self.move_to(name, State::Retired, reason)
    }

    pub fn restore(&self, name: &str) -> WriteResult<'a, Written> {
        self.write_to(name, &mut |stored| {
            if stored.memory.state != State::Superseded {
                return self.bring_back(stored, &Request::Restore);
            }
            let replaced_by = self.replaced_by(&stored.memory)?;
            self.bring_back(stored, &Request::Reinstall { replaced_by })
        })
    }

    /// The memory that holds where the chain of successors ends.
    fn replaced_by(&self, memory: &Memory) -> Result<Option<String>> {
        let mut met = BTreeSet::new();
        let mut next = memory.superseded_by.clone();
        while let Some(id) = next.as_deref().and_then(|id| MemoryId::parse(id).ok()) {
            let Some(by) = self.vault.find(&id)?.filter(|_| met.insert(id)) else { break };
            if by.memory.state != State::Superseded {
                return Ok(by.memory.is_active().then(|| by.memory.id.to_string()));
            }
            next = by.memory.superseded_by;
        }
        Ok(None)
    }

    /// R292: what comes back counts again.
    fn bring_back(&self, stored: Stored, request: &Request) -> Decided<Written> {
        if stored.memory.is_active() {
            return Ok(unchanged(&stored));
        }
        let moved = self.plan_move(&stored, request)?;
        // What comes back must still agree with what was decided meanwhile.
        if moved.0.memory.state != State::Candidate {
            self.gate().pass_gate(&moved.0.memory, Proposed::Restore, &stored.text)?;
        }
        if stored.memory.prev_state != Some(State::Candidate) {
            self.writing().refuse_over_cap(&self.settings.kinds.spec(&stored.memory.kind), &[])?;
        }
        Ok(moved)
    }

    pub fn archive(&self, name: &str, reason: &str) -> WriteResult<'a, Written> {
        self.move_to(name, State::Archived, reason)
    }

    pub fn unarchive(&self, name: &str) -> WriteResult<'a, Written> {
        self.write_to(name, &mut |stored| self.bring_back(stored, &Request::Unarchive))
    }

    /// Already being in that state is not an error.
    fn move_to(&self, name: &str, to: State, reason: &str) -> WriteResult<'a, Written> {
        self.write_to(name, &mut |stored| {
            if stored.memory.state == to {
                return Ok(unchanged(&stored));
            }
            let (memory, reason) = (&stored.memory, reason.to_owned());
            let (verb, request) = match to {
                State::Archived => {
                    let standing = self.standing(memory);
                    ("archive", Request::Archive { reason, standing })
                }
                _ => ("retire", Request::Retire(reason)),
            };
            self.need_person(verb, memory)?;
            self.plan_move(&stored, &request)
        })
    }

    pub(crate) fn plan_move(&self, stored: &Stored, request: &Request) -> Decided<Written> {
        if let Request::Retire(reason) | Request::Archive { reason, .. } = request {
            refuse_bad_reason(reason)?;
        }
        let mut plan = Plan::default();
        let memory = self.plan_moved(stored, request, &mut plan)?;
        let file = plan.files.last().expect("a move writes its file");
        Ok((Written::new(Action::Moved, memory, file), plan))
    }

    /// R227: the old one points at the new one, the new one at the old one, in one write.
    pub fn supersede(
        &self,
        name: &str,
        successor: &Successor<'_>,
        reason: &str,
        origin: Origin,
    ) -> WriteResult<'a, Superseded> {
        self.write_to(name, &mut |old| {
            refuse_bad_reason(reason)?;
            if matches!(successor, Successor::New(_)) {
                self.refuse_example_only(&old.memory.kind)?;
            }
            if self.is_guarded(&old.memory) && !self.is_person {
                return Err(self.ask_for_reversal(&old, successor, reason, origin)?);
            }
            let (new, mut plan) = match successor {
                Successor::Existing(by) => self.link_existing(&old, by)?,
                Successor::New(draft) => {
                    let mut draft = (*draft).clone();
                    draft.kind = draft.kind.or(Some(old.memory.kind.clone()));
                    draft.set("supersedes", Yaml::list(&[old.memory.id.as_str()]));
                    // The old one leaves in the same write: it takes no room any more.
                    let beside = [as_superseded(&old)];
                    let (written, plan) =
                        self.writing().decide_create_beside(&draft, origin, &beside)?;
                    if written.action == Action::Unchanged {
                        self.link_existing(&old, written.memory.id.as_str())?
                    } else {
                        (written.memory, plan)
                    }
                }
            };
            let request = Request::Supersede {
                by: new.id.to_string(),
                by_active: new.is_active(),
                reason: reason.to_owned(),
            };
            let old = self.plan_moved(&old, &request, &mut plan)?;
            Ok((Superseded { old, new }, plan))
        })
    }

    /// R52: only a person reverses a decision; anybody else's wish waits for one.
    fn ask_for_reversal(
        &self,
        old: &Stored,
        successor: &Successor<'_>,
        reason: &str,
        origin: Origin,
    ) -> Result<Failure> {
        let Successor::New(draft) = successor else {
            self.need_person("supersede", &old.memory)?;
            return Err(Refusal::new(Code::State, "there is nothing to supersede it by").into());
        };
        let mut draft = (*draft).clone();
        draft.kind = draft.kind.or(Some(old.memory.kind.clone()));
        let created = write::create(&draft, self.writer(origin), &|_| Ok(None))?;
        let write::Created::New(memory) = created else {
            return Err(Refusal::new(Code::State, "there is nothing to supersede it by").into());
        };
        let text = oldhand_core::codec::markdown::render(&memory, &self.settings.kinds);
        let statement = |memory: &Memory| {
            let main = ["decision", "rule"].iter().find_map(|name| memory.content.text(name));
            main.unwrap_or(&memory.title).to_owned()
        };
        let why = match reason {
            "" => "it was asked to be superseded".to_owned(),
            reason => format!("it was asked to be superseded: {reason}"),
        };
        let against = against(&old.memory, why, statement(&memory), statement(&old.memory));
        // What replaces one decision may clash with others: they are told in the same report.
        let mut proposal = Proposal::of_memory(&memory);
        proposal.except.push(old.memory.id.to_string());
        let others = self.gate().compare(&proposal, Measure::MeaningOfAll, false)?.conflicts;
        let against = [against].into_iter().chain(others.iter().map(Conflict::against)).collect();
        self.gate().stop(&memory, Proposed::Supersede, &text, against)
    }

    /// R97: under `example_only` the log takes no decision that nobody asked for by name.
    pub(crate) fn refuse_example_only(&self, kind: &Kind) -> Result<(), Refusal> {
        if *kind != Kind::Decision || !self.settings.write.decisions_example_only {
            return Ok(());
        }
        let message = "`decisions.policy` is `example_only`: decisions are noted, not recorded";
        let text = "record it with {}, then supersede by its id";
        let hint = Hint::with_steps(text, [NextStep::RecordDecision]);
        refuse(Code::Disabled, message, hint)
    }

    pub(crate) fn link_existing(&self, old: &Stored, by: &str) -> Decided<Memory> {
        let stored = self.get(by)?;
        let mut new = stored.memory.clone();
        if new.id == old.memory.id
            || !new.is_active()
            || new.supersedes.contains(&old.memory.id.to_string())
        {
            // Nothing to link; the transition says what is wrong, if anything is.
            return Ok((new, Plan::default()));
        }
        write::refuse_newer(&new)?;
        new.supersedes.push(old.memory.id.to_string());
        let file = self.rewritten(&stored, new)?;
        let (written, plan) =
            self.writing().updated(&stored, file, vec!["supersedes".to_owned()], "")?;
        Ok((written.memory, plan))
    }
}

#[derive(Debug, Clone)]
pub struct Superseded {
    pub old: Memory,
    pub new: Memory,
}

fn as_superseded(old: &Stored) -> FileWrite {
    let mut memory = old.memory.clone();
    memory.state = State::Superseded;
    FileWrite { memory: Some(memory), ..FileWrite::removal(&old.path, &old.memory.id, old.hash) }
}

/// A reason is stored too: the same limits and the same look for secrets.
pub(crate) fn refuse_bad_reason(reason: &str) -> Result<(), Refusal> {
    let length = reason.chars().count();
    if length > oldhand_core::policy::REASON_CHARS_MAX {
        let message = format!("the reason has {length} characters, at most 1000 are kept");
        return refuse(Code::Limit, message, "say it in a sentence or two");
    }
    write::refuse_secret("reason", reason)
}
