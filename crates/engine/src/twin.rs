//! "This is said already": a new memory that has a twin joins it instead of standing beside it.

use oldhand_core::draft::Draft;
use oldhand_core::event::EventType;
use oldhand_core::evidence;
use oldhand_core::kind::Kind;
use oldhand_core::lifecycle::{Request, marker};
use oldhand_core::memory::Memory;
use oldhand_core::origin::Origin;
use oldhand_core::policy::TWIN_FLOOR;
use oldhand_core::refusal::{Code, Refusal};
use oldhand_core::similar::{Profile, likeness};
use oldhand_core::state::State;

use crate::create::{Action, Written};
use crate::failure::Failure;
use crate::gate::{GATED, Wanted, is_gated, said};
use crate::port::{FileWrite, Measure, Plan, Stored};
use crate::update::is_persons;
use crate::{Engine, chain};

type Joined = (Written, Plan);

impl Engine<'_> {
    /// R193: against memories of all states; `None` when nothing says the same.
    pub(crate) fn join_twin(
        &self,
        draft: &Draft,
        memory: &Memory,
        beside: &[FileWrite],
    ) -> Result<Option<Joined>, Failure> {
        let durable = self.settings.kinds.spec(&memory.kind).durable;
        // A name of its own is a wish for a memory of its own; an import keeps what it brings.
        if !durable || draft.id.is_some() || memory.origin == Origin::Import {
            return Ok(None);
        }
        let Some(twin) = self.find_twin(memory, beside)? else { return Ok(None) };
        match (twin.memory.state, &memory.kind) {
            (State::Retired, _) => {
                oldhand_core::write::refuse_resurrection(&twin.memory, self.writer(memory.origin))?;
                Ok(None)
            }
            (State::Archived | State::Superseded, _) => Ok(None),
            (State::Candidate, _) if draft.unverified => self.hear_again(&twin, memory).map(Some),
            // What nobody has looked at changes nothing that somebody has, or is about to.
            (state, _) if draft.unverified && state.is_active() => {
                Ok(Some((Written::unchanged(twin), Plan::default())))
            }
            (_, Kind::Lesson) => self.strengthen(&twin, memory).map(Some),
            (State::Rejected, _) => self.refuse_rejected(&twin, memory).map(|()| None),
            (State::Candidate, _) if memory.state != State::Candidate => Ok(None),
            _ if is_persons_word(&twin.memory, memory.origin) => {
                self.add_beside(&twin, draft).map(Some)
            }
            (_, Kind::Decision | Kind::Constraint) => self.confirm(&twin, draft).map(Some),
            _ => self.renew(&twin, draft).map(Some),
        }
    }

    /// The one that is most alike, active ones before those that are gone.
    fn find_twin(&self, memory: &Memory, beside: &[FileWrite]) -> Result<Option<Stored>, Failure> {
        let is_gated = is_gated(&memory.kind);
        let wanted = Wanted {
            text: &said(memory),
            // The gate has asked this already.
            kinds: if is_gated { GATED } else { std::slice::from_ref(&memory.kind) },
            domain: memory.domain.as_deref().filter(|_| is_gated),
            // What is said about a task or decided is said in many ways; a fact has its names.
            by: match memory.kind {
                Kind::Lesson | Kind::Decision | Kind::Constraint => Measure::Meaning,
                _ => Measure::Words,
            },
        };
        let mut relatives = self.relatives(&wanted)?.stored;
        relatives.retain(|(stored, _)| stored.memory.kind == memory.kind);
        let waiting = self.waiting_relatives(wanted.text, &memory.kind)?.into_iter();
        let is_new = |stored: &Stored| relatives.iter().all(|(one, _)| one.path != stored.path);
        let waiting: Vec<(Stored, Option<f64>)> = waiting
            .filter(|it| it.memory.kind == memory.kind && is_new(it))
            .map(|it| (it, None))
            .collect();
        relatives.extend(waiting);
        let ours = Profile::of_memory(memory);
        let mut twins: Vec<(bool, f64, Stored)> = relatives
            .into_iter()
            .filter(|(stored, _)| {
                let is_over = is_gated && marker(&stored.memory, self.now).is_some();
                stored.problems.is_empty()
                    // What no longer binds is said anew by what does.
                    && (!is_over || marker(memory, self.now).is_some())
                    && beside.iter().all(|file| file.path != stored.path)
            })
            .filter_map(|(stored, _)| {
                let alike = self.likeness(memory, &ours, &stored.memory);
                let alike = if is_retold(memory, &stored.memory) { 1.0 } else { alike };
                (alike >= TWIN_FLOOR).then(|| (stored.memory.is_active(), alike, stored))
            })
            .collect();
        twins.sort_by(|a, b| {
            b.0.cmp(&a.0).then(b.1.total_cmp(&a.1)).then_with(|| a.2.path.cmp(&b.2.path))
        });
        Ok(twins.into_iter().next().map(|(_, _, stored)| stored))
    }

    /// As with the gate, what the index happens to know does not decide: meaning is measured where
    /// it could make the two alike.
    fn likeness(&self, memory: &Memory, ours: &Profile, other: &Memory) -> f64 {
        let theirs = Profile::of_memory(other);
        if likeness(ours, &theirs, Some(1.0)) < TWIN_FLOOR {
            return 0.0;
        }
        let by_meaning = matches!(memory.kind, Kind::Lesson | Kind::Decision | Kind::Constraint);
        let meaning = by_meaning.then(|| self.meaning(&said(memory), &said(other))).flatten();
        likeness(ours, &theirs, meaning)
    }

    /// Said twice in one session is said once: only another session is more evidence.
    pub(crate) fn hear_again(&self, twin: &Stored, new: &Memory) -> Result<Joined, Failure> {
        let news = evidence::news(&twin.memory.evidence, &new.evidence);
        self.add_evidence(twin, &news, &new.sources)
    }

    /// R195, R196: the evidence goes to the lesson that is there. What had faded or was thrown out
    /// comes back only with evidence that it did not have.
    fn strengthen(&self, twin: &Stored, new: &Memory) -> Result<Joined, Failure> {
        let mut evidence = new.evidence.clone();
        if evidence.is_empty() {
            evidence.push(format!("said:{}", self.by));
        }
        self.add_evidence(twin, &evidence, &new.sources)
    }

    pub(crate) fn add_evidence(
        &self,
        stored: &Stored,
        evidence: &[String],
        sources: &[String],
    ) -> Result<Joined, Failure> {
        let mut memory = stored.memory.clone();
        let fresh: Vec<String> =
            evidence.iter().filter(|one| !memory.evidence.contains(one)).cloned().collect();
        if fresh.is_empty() {
            return Ok((Written::unchanged(stored.clone()), Plan::default()));
        }
        memory.evidence.extend(fresh.iter().cloned());
        let new_sources: Vec<String> =
            sources.iter().filter(|one| !memory.sources.contains(one)).cloned().collect();
        memory.sources.extend(new_sources);
        memory.updated_at = Some(oldhand_core::time::whole_seconds(self.now));
        let mut event = self.event(EventType::Evidence, &memory, &stored.path);
        event.evidence = fresh;
        let mut events = self.vault.events_of(memory.id.as_str())?;
        events.push(event.clone());
        let signals = oldhand_core::signals::Signals::fold(&memory, &events, &self.settings.trust);
        let request = match memory.state {
            State::Decayed | State::Rejected => Some(Request::Revive { has_new_evidence: true }),
            State::Candidate if self.promotes_by_itself(&memory) => {
                Some(Request::Promote { approvers: Vec::new(), incidents: 0 })
            }
            _ => None,
        };
        let mut plan = Plan::default();
        let moved = match request.map(|it| self.step_with(stored, memory.clone(), &it, &signals)) {
            Some(Ok(step)) => Some(step),
            None | Some(Err(Failure::Refused(_))) => None,
            Some(Err(error)) => return Err(error),
        };
        let memory = match moved {
            Some(step) => {
                plan.events.push(event);
                step.add_to(&mut plan)
            }
            None => {
                let file = self.rewritten(stored, memory.clone())?;
                chain(&mut event, &file);
                plan = Plan::one(file, event);
                memory
            }
        };
        let last = plan.files.last();
        let written = Written {
            action: Action::Strengthened,
            memory,
            path: last.map_or(&stored.path, |file| &file.path).clone(),
            hash: last.and_then(FileWrite::hash),
            warnings: Vec::new(),
        };
        Ok((written, plan))
    }

    /// R199: without a meeting, where the settings say so, nothing came from outside, and nobody is
    /// bound by it.
    pub(crate) fn promotes_by_itself(&self, memory: &Memory) -> bool {
        self.settings.review.lightweight
            && !crate::gate::is_gated(&memory.kind)
            && !matches!(memory.origin, Origin::External | Origin::Import)
    }

    /// A decision that only confirms is skipped; what it adds is added.
    fn confirm(&self, twin: &Stored, draft: &Draft) -> Result<Joined, Failure> {
        let mut more = Draft::default();
        for key in ["tags", "related_files", "evidence", "aliases"] {
            if let Some(value) = draft.get(key) {
                more.set(key, value.clone());
            }
        }
        let lists = draft.content.iter().filter(|(_, value)| value.is_list());
        more.content = lists.cloned().collect();
        self.grow_or_leave(twin, more)
    }

    /// What a person said stays as they said it: an agent that says the same adds where it was seen.
    fn add_beside(&self, twin: &Stored, draft: &Draft) -> Result<Joined, Failure> {
        let mut more = Draft::default();
        for key in ["tags", "related_files", "evidence"] {
            if let Some(value) = draft.get(key) {
                more.set(key, value.clone());
            }
        }
        let (mut written, plan) = self.grow_or_leave(twin, more)?;
        written.warnings = vec![format!(
            "it was said before as `{}`, by a person, whose words stay as they are; what says more \
             needs a name of its own",
            twin.memory.id
        )];
        Ok((written, plan))
    }

    /// R249: a record that is there becomes what the new one says.
    fn renew(&self, twin: &Stored, draft: &Draft) -> Result<Joined, Failure> {
        let mut more = draft.clone();
        more.front.retain(|(key, _)| !crate::update::is_owned(key) && key != "title");
        more.kind = None;
        self.grow_or_leave(twin, more)
    }

    fn grow_or_leave(&self, twin: &Stored, mut draft: Draft) -> Result<Joined, Failure> {
        crate::update::grow_lists(&mut draft, &twin.memory);
        match self.decide_update(twin, &draft, Some("said again")) {
            Ok((mut written, plan)) if says_more(&twin.memory, &written.memory) => {
                written.warnings.push(format!(
                    "it was said before as `{}`, which has it now; `--id <name>` makes one of its own",
                    twin.memory.id
                ));
                Ok((written, plan))
            }
            Ok(_) => Ok((Written::unchanged(twin.clone()), Plan::default())),
            Err(Failure::Refused(refusal)) if refusal.code == Code::Merge => {
                Ok((Written::unchanged(twin.clone()), Plan::default()))
            }
            Err(error) => Err(error),
        }
    }

    fn refuse_rejected(&self, twin: &Stored, new: &Memory) -> Result<(), Failure> {
        // A person who says it again has decided anew.
        if new.origin == Origin::User {
            return Ok(());
        }
        let why = twin.memory.state_reason.as_deref().unwrap_or("no reason was given");
        let message = format!("`{}` said the same and was rejected: {why}", twin.memory.id);
        Err(Refusal::new(Code::State, message)
            .with_hint("a person may write it again, or name new evidence")
            .into())
    }
}

/// A person stands for it, and an agent says it again.
fn is_persons_word(there: &Memory, new: Origin) -> bool {
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

pub(crate) fn says_more(old: &Memory, new: &Memory) -> bool {
    old.content != new.content
        || old.tags != new.tags
        || old.related_files != new.related_files
        || old.evidence != new.evidence
        || old.aliases != new.aliases
        || old.domain != new.domain
        || old.description != new.description
}
