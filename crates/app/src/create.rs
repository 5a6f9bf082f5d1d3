//! Writing something new, with the rolling window of session summaries.

use oldhand_core::kind::KindSpec;
use oldhand_core::pending::Action as Proposed;
use oldhand_core::sessions::{over_window, unique_items};
use oldhand_core::write::Created;

use crate::context::Writing;
use crate::filter::Filter;
use crate::prelude::*;
use crate::twin::TwinFound;
use crate::written::{Action, Written, unchanged};

/// What a file means that has a wanted name and can't be read.
pub(crate) type Occupant<'f> = dyn Fn(&MemoryId, Refusal) -> Result<Option<Memory>, Refusal> + 'f;

impl<'a> Writing<'a> {
    pub fn create(&self, draft: &Draft, origin: Origin) -> WriteResult<'a, Written> {
        self.write(&mut || self.decide_create(draft, origin))
    }

    pub(crate) fn decide_create(&self, draft: &Draft, origin: Origin) -> Decided<Written> {
        self.decide_create_beside(draft, origin, &[])
    }

    /// `beside` are files that the same plan makes already.
    pub(crate) fn decide_create_beside(
        &self,
        draft: &Draft,
        origin: Origin,
        beside: &[FileWrite],
    ) -> Decided<Written> {
        match self.created(draft, origin, beside, &|_, refusal| Err(refusal))? {
            Created::Unchanged(id) => {
                let stored = self.get(id.as_str())?;
                self.repeat(&stored, draft, origin)
            }
            Created::New(mut memory) => {
                // An import may be thousands, and is older than what the code looks like today.
                if origin != Origin::Import {
                    // A hook has no time to ask git about what nobody may ever look at.
                    if !draft.unverified {
                        self.bind(&mut memory);
                    }
                    self.record_seen(&mut memory);
                }
                let text = self.rendered(&memory)?;
                let passed = self.gate().pass_gate(&memory, Proposed::Create, &text)?;
                let alike = match self.join_twin(draft, &memory, beside)? {
                    TwinFound::Joined(written, plan) => return Ok((*written, plan)),
                    TwinFound::Alike(twin) => Some(*twin),
                    TwinFound::Nothing => None,
                };
                let passed = passed.settled()?;
                let is_told = !draft.unverified && origin != Origin::Import;
                let related = match is_told {
                    true => self.gate().related(&memory, alike, passed.related)?,
                    false => Vec::new(),
                };
                let (mut written, plan) = self.plan_new(*memory, beside)?;
                if origin != Origin::Import {
                    written.warnings.extend(passed.warnings);
                }
                written.related = related;
                Ok((written, plan))
            }
        }
    }

    /// The memory that a draft makes beside what is there and what is planned. `unreadable` says
    /// what a file means that has the name and can't be read.
    pub(crate) fn created(
        &self,
        draft: &Draft,
        origin: Origin,
        beside: &[FileWrite],
        unreadable: &Occupant<'_>,
    ) -> Result<Created> {
        let trouble = std::cell::RefCell::new(None);
        let occupant = |id: &MemoryId| {
            if let Some(planned) = beside.iter().find(|file| file.id == *id) {
                return Ok(planned.memory.clone());
            }
            match self.vault.find(id) {
                Ok(found) => Ok(found.map(|stored| stored.memory)),
                Err(Failure::Refused(refusal)) => unreadable(id, refusal),
                Err(error) => {
                    let refusal = Refusal::new(Code::Unreadable, error.to_string());
                    *trouble.borrow_mut() = Some(error);
                    Err(refusal)
                }
            }
        };
        let created = write::create(draft, self.writer(origin), &occupant);
        // A disk that fails is no rule that says no.
        match trouble.into_inner() {
            Some(error) => Err(error),
            None => Ok(created?),
        }
    }

    /// The same title and the same content are there: what else was given joins it.
    fn repeat(&self, stored: &Stored, draft: &Draft, origin: Origin) -> Decided<Written> {
        let mut added = write::added(draft, &stored.memory);
        let evidence = draft.get("evidence").and_then(|it| it.as_texts()).unwrap_or_default();
        // What is heard again counts, as long as nobody has judged it.
        if draft.unverified && stored.memory.state == State::Candidate {
            let heard = Memory { evidence, ..stored.memory.clone() };
            return Ok(self
                .hear_again(stored, &heard, &added)?
                .unwrap_or_else(|| unchanged(stored)));
        }
        if stored.memory.kind == Kind::Lesson && !evidence.is_empty() {
            return self.add_evidence(stored, &evidence, &[]);
        }
        if origin == Origin::Import || draft.unverified {
            return Ok(unchanged(stored));
        }
        if crate::twin::is_persons_word(&stored.memory, origin) {
            added.front.retain(|(key, _)| crate::twin::is_sighting(key));
        }
        if added == Draft::default() {
            Ok(unchanged(stored))
        } else {
            self.grow_or_leave(stored, added)
        }
    }

    pub(crate) fn rendered(&self, memory: &Memory) -> Result<String> {
        let text = markdown::render_checked(memory, &self.settings.kinds).map_err(|error| {
            let message = format!("it could not be read back as it was meant: {error}");
            Refusal::new(Code::Validation, message)
                .with_hint("say it in other words; nothing was written")
        })?;
        refuse_large(&text)?;
        Ok(text)
    }

    /// What has passed every rule becomes a file.
    pub(crate) fn plan_new(&self, memory: Memory, beside: &[FileWrite]) -> Decided<Written> {
        let spec = self.settings.kinds.spec(&memory.kind);
        if memory.state != State::Candidate {
            self.refuse_over_cap(&spec, beside)?;
        }
        let text = self.rendered(&memory)?;
        let path = format!("{}/{}.md", memory.folder(&spec.folder), memory.id);
        let file = file_of(&path, memory.clone(), None, text);
        let mut written = Written::new(Action::Created, memory.clone(), &file);
        let mut event = self.file_event(EventType::Created, &memory, &file);
        event.evidence = oldhand_core::evidence::vouched(&memory.evidence);
        let mut plan = Plan::one(file, event);
        written.warnings = self.plan_window(&memory, &spec, beside, &mut plan)?;
        Ok((written, plan))
    }

    /// R292: counts files first, which is cheap, and reads them only when there are too many.
    pub(crate) fn refuse_over_cap(&self, spec: &KindSpec, beside: &[FileWrite]) -> Result<()> {
        let max = self.settings.write.memories_per_kind_max;
        let folder = format!("{}/", spec.folder);
        let is_new = |it: &&FileWrite| it.before.is_none() && it.path.starts_with(&folder);
        let planned = beside.iter().filter(is_new).count();
        if max == 0 || self.vault.count_files(&spec.folder, max)? + planned < max {
            return Ok(());
        }
        let kinds = vec![spec.kind.clone()];
        let rows = self.rows(Some(&Filter { kinds, ..Filter::default() }))?;
        let is_kept = |one: &&Listed| one.row.state() != State::Candidate;
        let active = rows.listed.iter().filter(is_kept).count();
        // The rolling window makes room for the next session by itself.
        if active + planned < max || (spec.max_retained > 0 && spec.max_retained < max) {
            return Ok(());
        }
        let message = format!(
            "there are {active} active memories of kind `{}`, at most {max} are kept",
            spec.kind
        );
        let hint =
            "retire or archive what is no longer true, or raise `limits.max_memories_per_kind`";
        refuse(Code::Limit, message, hint)
    }

    /// R278 to R281: the oldest sessions beyond the window retire, and what only they say is told.
    fn plan_window(
        &self,
        new: &Memory,
        spec: &KindSpec,
        beside: &[FileWrite],
        plan: &mut Plan,
    ) -> Result<Vec<String>> {
        if spec.max_retained == 0 {
            return Ok(Vec::new());
        }
        // What waits to be looked at has a window of its own: it pushes out nothing that was kept.
        let is_waiting = new.state == State::Candidate;
        if is_waiting && new.origin != Origin::Capture {
            return Ok(Vec::new());
        }
        let mut kept = match is_waiting {
            true => self.waiting_of(std::slice::from_ref(&spec.kind))?,
            false => self.vault.scan_kind(spec)?.stored,
        };
        kept.retain(|stored| {
            stored.memory.kind == spec.kind
                && (!is_waiting || stored.memory.origin == Origin::Capture)
        });
        // What the same plan makes or retires already is as it will be.
        let is_planned = |memory: &Memory| beside.iter().any(|file| file.id == memory.id);
        let mut sessions: Vec<Memory> = kept.iter().map(|stored| stored.memory.clone()).collect();
        sessions.retain(|memory| !is_planned(memory));
        let planned = beside.iter().filter_map(|file| file.memory.clone());
        sessions.extend(planned.filter(|memory| {
            memory.kind == spec.kind && (memory.state == State::Candidate) == is_waiting
        }));
        sessions.push(new.clone());
        let retiring: Vec<Memory> =
            over_window(&sessions, spec.max_retained).into_iter().cloned().collect();
        let is_retiring = |memory: &&Memory| retiring.iter().any(|gone| gone.id == memory.id);
        let staying: Vec<&Memory> =
            sessions.iter().filter(|m| m.is_active() && !is_retiring(m)).collect();
        let mut warnings = Vec::new();
        for session in retiring.iter().filter(|session| session.id != new.id) {
            let Some(stored) = kept.iter().find(|stored| stored.memory.id == session.id) else {
                continue;
            };
            let reason = format!("rolling window: limit exceeded, {} are kept", spec.max_retained);
            self.life().plan_moved(stored, &Request::Retire(reason), plan)?;
            let unique = unique_items(session, &staying).join("; ");
            if !unique.is_empty() {
                warnings
                    .push(format!("session `{}` was retired; only it says: {unique}", session.id));
            }
        }
        Ok(warnings)
    }

    /// R97: under `example_only` a decision becomes a line in the notes of the session.
    pub fn note_decision(&self, draft: &Draft, origin: Origin) -> WriteResult<'a, Written> {
        let decision = draft.content.iter().find(|(name, _)| name == "decision");
        let decision = decision.map(|(_, value)| value.plain()).unwrap_or_default();
        let mut item = format!("Decision: {}: {decision}", draft.title().unwrap_or_default());
        for (name, value) in &draft.content {
            if name != "decision" && name != "status" {
                item.push_str(&format!("\n{name}: {}", value.plain()));
            }
        }
        self.write(&mut || {
            // What is noted must be a decision that could have been recorded.
            write::create(draft, self.writer(origin), &|_| Ok(None))?;
            let day = format!("Session notes of {}", format_day(self.now));
            let id = MemoryId::of_title(&day);
            let existing = self.vault.find(&id)?.filter(|stored| stored.memory.is_active());
            let (mut written, plan) = match existing {
                None => {
                    let mut notes = Draft::titled(Kind::SessionSummary, &day);
                    let goal = "Decisions taken on the way, kept as notes".to_owned();
                    notes.set_content("goal", FieldValue::Text(goal));
                    notes.set_content("key_changes", FieldValue::List(vec![item.clone()]));
                    self.decide_create(&notes, origin)?
                }
                Some(stored) => {
                    let items = stored.memory.content.list("key_changes").iter();
                    let items = items.chain([&item]).cloned().collect();
                    let mut more = Draft::default();
                    more.set_content("key_changes", FieldValue::List(items));
                    self.decide_update(&stored, &more, None)?
                }
            };
            written.action = Action::Noted;
            Ok((written, plan))
        })
    }
}
