//! "This is said already": a new memory that has a twin joins it instead of standing beside it.

mod find;

use oldhand_core::evidence;

use crate::context::Writing;
use crate::gate::is_gated;
use crate::prelude::*;
use crate::update::{grow_lists, is_owned, is_persons};
use crate::written::{Action, Written, unchanged};

/// The same in other words is a sentence or two; a longer text is a memory of its own.
const WORDING_CHARS_MAX: usize = 2_000;
const SAID_AGAIN_AS: &str = "said again as: ";

/// What becomes of the memory that is there; `None` where the new one is a memory of its own.
type Joined = Result<Option<(Written, Plan)>>;

/// What a new memory met.
pub(crate) enum TwinFound {
    Joined(Box<Written>, Plan),
    /// It stands beside this one, which is much like it.
    Alike(Box<Memory>),
    Nothing,
}

impl Writing<'_> {
    /// R193: against memories of all states; `None` when nothing says the same.
    pub(crate) fn join_twin(
        &self,
        draft: &Draft,
        memory: &Memory,
        beside: &[FileWrite],
    ) -> Result<TwinFound> {
        let durable = self.settings.kinds.spec(&memory.kind).durable;
        // A name of its own is a wish for a memory of its own; an import keeps what it brings.
        if !durable || draft.id.is_some() || memory.origin == Origin::Import {
            return Ok(TwinFound::Nothing);
        }
        let Some(twin) = self.find_twin(memory, beside)? else { return Ok(TwinFound::Nothing) };
        Ok(match self.join_to(&twin, draft, memory)? {
            Some((written, plan)) => TwinFound::Joined(Box::new(written), plan),
            None if twin.memory.is_active() => TwinFound::Alike(Box::new(twin.memory)),
            None => TwinFound::Nothing,
        })
    }

    fn join_to(&self, twin: &Stored, draft: &Draft, memory: &Memory) -> Joined {
        let added = write::added(draft, &twin.memory);
        match (twin.memory.state, &memory.kind) {
            (State::Retired, _) => {
                write::refuse_resurrection(&twin.memory, self.writer(memory.origin))?;
                Ok(None)
            }
            (State::Archived | State::Superseded, _) => Ok(None),
            (State::Candidate, _) if draft.unverified => self.hear_again(twin, memory, &added),
            // What nobody has looked at changes nothing that somebody has, or is about to.
            (state, _) if draft.unverified && state.is_active() => {
                self.leave_unverified(twin, memory, &added)
            }
            (_, Kind::Lesson) => {
                // R195, R196: what had faded or was thrown out comes back only with evidence that
                // it did not have.
                let mut said = memory.clone();
                if said.evidence.is_empty() {
                    said.evidence.push(format!("said:{}", self.by));
                }
                self.add_worded(twin, &said, &added)
            }
            (State::Rejected, _) => self.refuse_rejected(twin, memory).map(|()| None),
            (State::Candidate, _) if memory.state != State::Candidate => Ok(None),
            _ => self.join(twin, memory, draft, added),
        }
    }

    /// What is there word for word is unchanged, and what only fills it is added to it. Anything else
    /// is kept: a person's as a memory of its own, an agent's in the history of what it repeats.
    fn join(&self, twin: &Stored, memory: &Memory, draft: &Draft, added: Draft) -> Joined {
        let is_persons = is_persons_word(&twin.memory, memory.origin);
        if added == Draft::default() {
            return Ok(Some(unchanged(twin)));
        }
        if !is_persons && write::only_fills(&added, &twin.memory) {
            return self.grow_or_leave(twin, added).map(Some);
        }
        if !is_persons && !is_gated(&memory.kind) {
            // R249: a record that is there becomes what the new one says.
            let mut more = Draft { kind: None, ..draft.clone() };
            more.front.retain(|(key, _)| !is_owned(key));
            return self.grow_or_leave(twin, more).map(Some);
        }
        if matches!(memory.origin, Origin::User | Origin::Gate) {
            return Ok(None);
        }
        let (growth, other) = split(added, &twin.memory, is_persons);
        let mut joined = self.keep_wording(twin, &other, || match growth == Draft::default() {
            true => Ok(unchanged(twin)),
            false => self.grow_or_leave(twin, growth),
        })?;
        if let Some((written, _)) = &mut joined
            && written.action == Action::Strengthened
        {
            written.warnings = vec![kept_in_history(&twin.memory)];
        }
        Ok(joined)
    }

    /// Adds the words in which something was said again to the history of what is there, beside what
    /// else is planned for it. `None` for a text that is too long to be the same in other words.
    fn keep_wording(
        &self,
        twin: &Stored,
        said: &Draft,
        planned: impl FnOnce() -> Decided<Written>,
    ) -> Joined {
        let wording = write::wording(said);
        if wording.chars().count() > WORDING_CHARS_MAX {
            return Ok(None);
        }
        let (mut written, mut plan) = planned()?;
        let reason = format!("{SAID_AGAIN_AS}{wording}");
        let events = self.vault.events_of(twin.memory.id.as_str())?;
        if !wording.is_empty() && events.iter().all(|event| event.reason != reason) {
            match plan.events.iter_mut().find(|event| event.event_type == EventType::Evidence) {
                Some(event) => event.reason = reason,
                None => {
                    let event = self.event(EventType::Evidence, &twin.memory, &twin.path);
                    plan.events.push(Event { reason, ..event });
                }
            }
            written.action = Action::Strengthened;
        }
        Ok(Some((written, plan)))
    }

    /// A memory that somebody has looked at stays as it is: words that it does not have are kept
    /// beside it, those that would bind as a candidate of their own.
    fn leave_unverified(&self, twin: &Stored, memory: &Memory, added: &Draft) -> Joined {
        if is_retold(memory, &twin.memory) || *added == Draft::default() {
            return Ok(Some(unchanged(twin)));
        }
        if is_gated(&memory.kind) {
            return Ok(None);
        }
        self.keep_wording(twin, added, || Ok(unchanged(twin)))
    }

    /// Said twice in one session is said once: only another session is more evidence.
    pub(crate) fn hear_again(&self, twin: &Stored, new: &Memory, added: &Draft) -> Joined {
        let evidence = evidence::news(&twin.memory.evidence, &new.evidence);
        self.add_worded(twin, &Memory { evidence, ..new.clone() }, added)
    }

    /// Evidence, with the words in which it was said this time.
    fn add_worded(&self, twin: &Stored, said: &Memory, added: &Draft) -> Joined {
        let mut words = added.clone();
        // These are the evidence itself, and the names under which it came.
        words.front.retain(|(key, _)| !matches!(key.as_str(), "evidence" | "aliases"));
        self.keep_wording(twin, &words, || self.add_evidence(twin, &said.evidence, &said.sources))
    }

    pub(crate) fn add_evidence(
        &self,
        stored: &Stored,
        evidence: &[String],
        sources: &[String],
    ) -> Decided<Written> {
        let mut memory = stored.memory.clone();
        let fresh: Vec<String> =
            evidence.iter().filter(|one| !memory.evidence.contains(one)).cloned().collect();
        if fresh.is_empty() {
            return Ok(unchanged(stored));
        }
        memory.evidence.extend_from_slice(&fresh);
        add_new(&mut memory.sources, sources);
        memory.updated_at = Some(whole_seconds(self.now));
        let mut event = self.event(EventType::Evidence, &memory, &stored.path);
        event.evidence = fresh;
        let mut events = self.vault.events_of(memory.id.as_str())?;
        events.push(event.clone());
        let signals = Signals::fold(&memory, &events, &self.settings.trust);
        let request = match memory.state {
            State::Decayed | State::Rejected => Some(Request::Revive { has_new_evidence: true }),
            State::Candidate if self.promotes_by_itself(&memory) => Some(Request::by_evidence()),
            _ => None,
        };
        let mut plan = Plan::default();
        let step = |request| self.life().step_with(stored, memory.clone(), &request, &signals);
        let memory = match request.map(step) {
            Some(Ok(step)) => {
                plan.events.push(event);
                step.add_to(&mut plan)
            }
            None | Some(Err(Failure::Refused(_))) => {
                let file = self.rewritten(stored, memory.clone())?;
                chain(&mut event, &file);
                plan.add(file, event);
                memory
            }
            Some(Err(error)) => return Err(error),
        };
        let file = plan.files.last().expect("the memory is written");
        Ok((Written::new(Action::Strengthened, memory, file), plan))
    }

    /// R199: without a meeting, where the settings say so, nothing came from outside, and nobody is
    /// bound by it.
    pub(crate) fn promotes_by_itself(&self, memory: &Memory) -> bool {
        self.settings.review.lightweight
            && !is_gated(&memory.kind)
            && !matches!(memory.origin, Origin::External | Origin::Import)
    }

    pub(crate) fn grow_or_leave(&self, twin: &Stored, mut draft: Draft) -> Decided<Written> {
        grow_lists(&mut draft, &twin.memory);
        match self.decide_update(twin, &draft, Some("said again")) {
            Ok((mut written, plan)) if says_more(&twin.memory, &written.memory) => {
                written.warnings.push(format!(
                    "it was said before as `{}`, which has it now; `--id <name>` makes one of its own",
                    twin.memory.id
                ));
                Ok((written, plan))
            }
            Err(Failure::Refused(refusal)) if refusal.code != Code::Merge => Err(refusal.into()),
            Ok(_) | Err(Failure::Refused(_)) => Ok(unchanged(twin)),
            Err(error) => Err(error),
        }
    }

    fn refuse_rejected(&self, twin: &Stored, new: &Memory) -> Result<()> {
        // A person who says it again has decided anew.
        if new.origin == Origin::User {
            return Ok(());
        }
        let why = twin.memory.state_reason.as_deref().unwrap_or("no reason was given");
        let message = format!("`{}` said the same and was rejected: {why}", twin.memory.id);
        refuse(Code::State, message, "a person may write it again, or name new evidence")
    }
}

/// A person stands for it, and an agent says it again.
pub(crate) fn is_persons_word(there: &Memory, new: Origin) -> bool {
    is_persons(there) && matches!(new, Origin::Agent | Origin::External)
}

/// The title of what a session or a retrospective said is its sentence: the same one of the same type
/// is the same, however few words it has and however it was announced.
fn is_retold(new: &Memory, there: &Memory) -> bool {
    let from_task = matches!(new.origin, Origin::Retrospective | Origin::Trigger | Origin::Capture);
    let lesson_type = |memory: &Memory| memory.content.text("lesson_type").map(str::to_owned);
    from_task
        && new.kind == there.kind
        && lesson_type(new) == lesson_type(there)
        && new.title.to_lowercase() == there.title.to_lowercase()
}

/// Adds what is not there yet.
pub(crate) fn add_new(there: &mut Vec<String>, more: &[String]) {
    for one in more {
        if !there.contains(one) {
            there.push(one.clone());
        }
    }
}

/// Where something was seen, which an agent may add to a person's word.
pub(crate) fn is_sighting(key: &str) -> bool {
    matches!(key, "tags" | "related_files" | "evidence")
}

/// What may be added to the memory itself, and what is kept as words in its history. A person's word
/// gets no more than where it was seen.
fn split(added: Draft, there: &Memory, is_persons: bool) -> (Draft, Draft) {
    let (mut growth, mut other) = (added.clone(), added);
    let grows = |key: &str| match is_persons {
        true => is_sighting(key),
        false => write::fills(key, there),
    };
    let fills = |name: &str, value: &FieldValue| {
        !is_persons && (value.is_list() || there.content.get(name).is_none())
    };
    growth.front.retain(|(key, _)| grows(key));
    growth.content.retain(|(name, value)| fills(name, value));
    let is_left = |key: &str| growth.front.iter().all(|(known, _)| known != key);
    other.front.retain(|(key, _)| is_left(key));
    other.content.retain(|(name, value)| !fills(name, value));
    (growth.extra, growth.sections) = (Vec::new(), Vec::new());
    (growth, other)
}

fn kept_in_history(twin: &Memory) -> String {
    let id = &twin.id;
    let is_persons = matches!(twin.origin, Origin::User | Origin::Gate);
    let whose = if is_persons { ", by a person, whose words stay as they are" } else { "" };
    format!(
        "it was said before as `{id}`{whose}; the new words are in its history (`oldhand history \
         {id}`), and `--id <name>` makes a memory of its own"
    )
}

pub(crate) fn says_more(old: &Memory, new: &Memory) -> bool {
    old.content != new.content
        || old.title != new.title
        || old.depends_on != new.depends_on
        || old.extra != new.extra
        || old.sections != new.sections
        || old.tags != new.tags
        || old.related_files != new.related_files
        || old.evidence != new.evidence
        || old.aliases != new.aliases
        || old.domain != new.domain
        || old.description != new.description
}
