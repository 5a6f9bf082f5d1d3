//! The journeys over the ports: every write loads, decides and applies; every read finds and
//! shows. No file, clock or environment is known here.

pub mod architecture;
pub mod archive;
pub mod around;
pub mod block;
pub mod browse;
pub mod capture;
pub mod complete;
pub mod conform;
pub mod context;
pub mod create;
pub mod doctor;
pub mod eval;
pub mod export;
pub mod filter;
pub mod fresh;
pub mod funnel;
pub mod gate;
pub mod gc;
pub mod handoff;
pub mod health;
pub mod history;
pub mod learn;
pub mod life;
pub mod list;
pub mod map;
pub mod moves;
pub mod naming;
pub mod offers;
pub mod pending;
pub mod placement;
mod prelude;
pub mod promote;
pub mod recall;
pub mod record;
pub mod registry;
mod rekind;
pub mod render;
pub mod resume;
pub mod review;
mod rows;
pub mod search;
pub mod sessions;
pub mod settings;
pub mod settled;
pub mod stats;
pub mod status;
mod step;
pub mod story;
pub mod sweep;
pub mod take_in;
pub mod told;
pub mod transfer;
mod twin;
pub mod undo;
pub mod update;
pub mod usage;
pub mod verify;
pub mod versions;
pub mod wire;
pub mod work;
pub mod written;

use oldhand_core::actor::Via;
use oldhand_core::write::Writer;
use oldhand_store::port::{CodeTree, Nearby, Unsettled, Vault};
use oldhand_text::strings::suggest;

use prelude::*;
use settings::Settings;

/// The answer of a journey, or why it failed.
pub type Result<T, E = Failure> = std::result::Result<T, E>;
/// The answer of a journey that writes.
pub type WriteResult<'a, T> = Result<Done<'a, T>>;
/// An answer, and the plan that makes it true.
type Decided<T> = Result<(T, Plan)>;

/// A store above the one that is worked in; it is only read.
#[derive(Clone, Copy)]
pub struct Above<'a> {
    /// As people read it.
    pub label: &'a str,
    pub vault: &'a dyn Vault,
}

/// One command's view of the world: the store, the code beside it, the rules, who asks and when.
#[derive(Clone, Copy)]
pub struct Engine<'a> {
    pub vault: &'a dyn Vault,
    pub code: &'a dyn CodeTree,
    /// Finds what is near a text without reading everything; small stores do without.
    pub nearby: Option<&'a dyn Nearby>,
    /// Stores of teams and of the organisation: what binds there binds here.
    pub above: &'a [Above<'a>],
    pub settings: &'a Settings,
    /// The name that is claimed.
    pub by: &'a str,
    /// How whoever asks was known.
    pub via: &'a Via,
    /// Whether this is a person's word: no agent, host or job speaks, and nothing says otherwise.
    pub is_person: bool,
    /// Writes are decided, and nothing is applied.
    pub is_preview: bool,
    /// A memory, or `pending:` and what waits, with its hash as somebody saw it: a write is refused
    /// if it has changed since. [`undo::LAST_WRITE`] stands for the last write, with its name.
    pub seen: Option<(&'a str, &'a str)>,
    /// The writes of one command about many memories, which are undone together.
    pub batch: Option<&'a str>,
    pub now: Timestamp,
}

/// For whoever is known to be no person, whatever name they give.
pub(crate) const ASK_A_PERSON: &str =
    "nothing was changed; ask a person to run this command in a terminal of their own";

/// What a write did, and the work that may wait until the answer is out.
pub struct Done<'a, T> {
    pub answer: T,
    pub pending: Option<Box<dyn Unsettled + 'a>>,
}

impl<'a> Engine<'a> {
    fn writer(&self, origin: Origin) -> Writer<'a> {
        Writer { kinds: &self.settings.kinds, policy: &self.settings.write, origin, now: self.now }
    }

    /// The same engine, for answers that say what would happen.
    pub fn preview(&self) -> Self {
        Self { is_preview: true, ..*self }
    }

    /// Load, decide, apply: the only way to change memory.
    fn write<T>(&self, decide: &mut dyn FnMut() -> Decided<T>) -> WriteResult<'a, T> {
        self.write_after(&|plan| self.checked(plan), decide)
    }

    /// The same for a plan of many parts, each of which was looked through for secrets by
    /// `refuse_secrets` already, so that one of them can be refused without the others.
    fn write_scanned<T>(&self, decide: &mut dyn FnMut() -> Decided<T>) -> WriteResult<'a, T> {
        write::refuse_secret("by", self.by)?;
        self.write_after(&|plan| Ok(self.signed(plan)), decide)
    }

    fn write_after<T>(
        &self,
        check: &dyn Fn(Plan) -> Result<Plan>,
        decide: &mut dyn FnMut() -> Decided<T>,
    ) -> WriteResult<'a, T> {
        let mut decide = || {
            self.refuse_changed()?;
            decide()
        };
        if self.is_preview {
            let (answer, plan) = decide()?;
            check(plan)?;
            return Ok(Done { answer, pending: None });
        }
        let mut answer = None;
        let mut stopped = None;
        let mut notes = Vec::new();
        let pending = self.vault.write(&mut || match decide() {
            Ok((value, mut plan)) => {
                answer = Some(value);
                notes = self.record_merges(&mut plan);
                check(plan)
            }
            // The gate stops every write in the same way: what was proposed is kept for a person,
            // in the lock in which it was judged.
            Err(Failure::Stopped(stop)) => {
                let plan = self.checked(self.gate().plan_stop(&stop)?)?;
                stopped = Some(stop);
                Ok(plan)
            }
            Err(error) => Err(error),
        })?;
        if let Some(mut stop) = stopped {
            stop.notes = pending.settle();
            return Err(Failure::Stopped(stop));
        }
        let answer = answer.expect("a write that succeeded has called its decision");
        let pending = match notes.is_empty() {
            true => pending,
            false => Box::new(doctor::merged::Noted { pending, notes }),
        };
        Ok(Done { answer, pending: Some(pending) })
    }

    fn refuse_changed(&self) -> Result<()> {
        let Some((name, hash)) = self.seen else { return Ok(()) };
        if name == undo::LAST_WRITE {
            return self.trail().refuse_other_write(hash);
        }
        let file = match pending::waiting_name(name) {
            Some(waiting) => self.gate().get_pending(waiting)?.1,
            None => RawFile::of(&self.get(name)?),
        };
        Ok(update::refuse_stale(&file, Some(hash))?)
    }

    /// Every event says who did it, and how that was known; nothing of it is a secret.
    fn checked(&self, plan: Plan) -> Result<Plan, Failure> {
        let plan = self.signed(plan);
        self.refuse_secrets(&plan)?;
        Ok(plan)
    }

    fn signed(&self, mut plan: Plan) -> Plan {
        for event in &mut plan.events {
            if event.by.is_empty() {
                event.by = self.by.to_owned();
            }
            event.via = self.via.clone();
            event.batch = self.batch.unwrap_or_default().to_owned();
        }
        plan
    }

    /// The last check, of what will be stored, whoever made the plan.
    fn refuse_secrets(&self, plan: &Plan) -> Result<()> {
        for (field, text) in plan.events.iter().flat_map(Event::texts) {
            write::refuse_secret(field, text)?;
        }
        for file in &plan.files {
            let Some(text) = &file.after else { continue };
            if write::refuse_secret(&file.path, text).is_err() {
                // A secret that the file already has may stay; a file that can't be read has none.
                let there = self.vault.find_raw(&file.id).ok().flatten();
                let old = there.map(|raw| raw.text).unwrap_or_default();
                write::refuse_added_secret(&file.path, &old, text)?;
            }
        }
        Ok(())
    }

    /// The same about memories that were named. A name that is none is refused before the lock is
    /// taken, and whatever it takes to know an alias is asked there.
    fn write_about<T>(
        &self,
        names: &[&str],
        decide: &mut dyn FnMut() -> Decided<T>,
    ) -> WriteResult<'a, T> {
        for name in names {
            self.get(name)?;
        }
        self.write(decide)
    }

    /// The same about one memory, as it is inside the lock.
    fn write_to<T>(
        &self,
        name: &str,
        decide: &mut dyn FnMut(Stored) -> Decided<T>,
    ) -> WriteResult<'a, T> {
        self.write_about(&[name], &mut || decide(self.get(name)?))
    }

    /// The memory of that name: its id, or an alias that only it has.
    pub fn get(&self, name: &str) -> Result<Stored> {
        match self.look_up(name)? {
            Some(stored) => Ok(stored),
            None if self.gate().is_above(name.trim())? => {
                let message = format!("`{name}` is in a copy of a store above, which is only read");
                refuse(Code::State, message, "change it on the team server")
            }
            None => Err(self.not_found(name.trim())?.into()),
        }
    }

    /// `None` where nothing has that name.
    pub fn look_up(&self, name: &str) -> Result<Option<Stored>> {
        let name = name.trim();
        write::refuse_path(name)?;
        let id = MemoryId::parse(name).ok();
        let by_id = || id.as_ref().map_or(Ok(None), |id| self.vault.find(id));
        if let Some(stored) = by_id()? {
            return Ok(Some(stored));
        }
        let mut by_alias = self.aliased(name)?;
        match by_alias.len() {
            // A candidate that rises is in neither folder for a moment.
            0 => by_id(),
            1 => Ok(by_alias.pop()),
            _ => {
                let ids: Vec<String> = by_alias.iter().map(|s| s.memory.id.to_string()).collect();
                let message = format!("`{name}` is the alias of several: `{}`", ids.join("`, `"));
                refuse(Code::Ambiguous, message, "use one of these ids")
            }
        }
    }

    /// From the search index, or where there is none from every file.
    fn aliased(&self, name: &str) -> Result<Vec<Stored>> {
        let has = |stored: &Stored| {
            stored.memory.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(name))
        };
        let mut found = Vec::new();
        let paths = match self.nearby {
            Some(nearby) => nearby.aliased(&[name])?,
            None => None,
        };
        match paths {
            Some(paths) => {
                for path in paths {
                    found.extend(self.vault.find_at(&path)?.filter(has));
                }
            }
            None => {
                self.vault.visit(&mut |visit| found.extend(visit.file.ok().filter(has)))?;
            }
        }
        Ok(found)
    }

    fn not_found(&self, name: &str) -> Result<Refusal> {
        let ids = self.vault.ids()?;
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let hint = match suggest(name, &ids).as_slice() {
            [] => Hint::with_steps("{} shows all memories", [NextStep::List]),
            near => format!("did you mean `{}`?", near.join("`, or `")).into(),
        };
        Ok(Refusal::new(Code::NotFound, format!("there is no memory `{name}`")).with_hint(hint))
    }

    /// What only a person takes out of force or puts something else in place of: what binds, and
    /// what a person said. What a session did is nobody's statement.
    fn is_guarded(&self, memory: &Memory) -> bool {
        let is_statement = self.settings.kinds.spec(&memory.kind).durable;
        let is_persons = matches!(memory.origin, Origin::User | Origin::Gate);
        gate::is_gated(&memory.kind) || is_statement && is_persons
    }

    /// R52: what was decided is undone by a person; anybody else asks one.
    fn need_person(&self, verb: &str, memory: &Memory) -> Result<(), Refusal> {
        if self.is_person || !self.is_guarded(memory) {
            return Ok(());
        }
        let message = format!("only a person may {verb} the {} `{}`", memory.kind, memory.id);
        refuse(Code::State, message, ASK_A_PERSON)
    }

    /// Every memory of a kind but those that wait as candidates.
    fn stored_of(&self, kind: &Kind) -> Result<Vec<Stored>> {
        Ok(self.vault.scan_kind(&self.settings.kinds.spec(kind))?.stored)
    }

    /// `None` also for a file that can't be read as a memory.
    fn readable_at(&self, path: &str) -> Result<Option<Stored>> {
        match self.vault.find_at(path) {
            Err(Failure::Refused(_)) => Ok(None),
            other => other,
        }
    }

    /// The id, or the first numbered one that no file of the store or of the plan has.
    fn free_id(&self, wanted: &MemoryId, planned: &[FileWrite]) -> Result<MemoryId> {
        let (mut id, mut number) = (wanted.clone(), 2);
        while planned.iter().any(|file| file.id == id) || self.vault.find(&id)?.is_some() {
            id = wanted.numbered(number);
            number += 1;
        }
        Ok(id)
    }

    pub fn signals(&self, memory: &Memory) -> Result<Signals> {
        let events = self.vault.events_of(memory.id.as_str())?;
        Ok(Signals::fold(memory, &events, &self.settings.trust))
    }

    fn event(&self, event_type: EventType, memory: &Memory, path: &str) -> Event {
        let mut event = Event::new(event_type, memory.id.as_str(), self.now);
        event.path = path.to_owned();
        if event_type == EventType::Created {
            (event.origin, event.to) = (Some(memory.origin), Some(memory.state));
        }
        event
    }

    /// The event of a file that changes, with its hashes.
    fn file_event(&self, event_type: EventType, memory: &Memory, file: &FileWrite) -> Event {
        let mut event = self.event(event_type, memory, &file.path);
        chain(&mut event, file);
        event
    }

    /// The file of a memory, rewritten with its new content.
    fn rewritten(&self, stored: &Stored, new: Memory) -> Result<FileWrite> {
        if !stored.problems.is_empty() {
            let mut refusal = Refusal::invalid(stored.problems.clone());
            refusal.message = format!("could not change `{}`: {}", stored.path, refusal.message);
            let step = NextStep::Edit(stored.memory.id.to_string());
            refusal.hint = Hint::with_steps("fix the file first with {}", [step]);
            return Err(refusal.into());
        }
        let text = markdown::rewrite(&stored.text, &stored.memory, &new, &self.settings.kinds)
            .map_err(|error| {
                Refusal::new(
                    Code::Unreadable,
                    format!("could not change `{}`: {error}", stored.path),
                )
                .with_hint(Hint::with_steps(
                    "change it with {}",
                    [NextStep::Edit(stored.memory.id.to_string())],
                ))
            })?;
        refuse_large(&text)?;
        Ok(file_of(&stored.path, new, Some(stored.hash), text))
    }
}

/// The file that will hold a memory.
fn file_of(path: &str, memory: Memory, before: Option<ContentHash>, text: String) -> FileWrite {
    let (path, id) = (path.to_owned(), memory.id.clone());
    FileWrite { path, id, before, after: Some(text), memory: Some(memory) }
}

/// The name of a file without its folder and its ending.
fn stem(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default().trim_end_matches(".md")
}

fn refuse_invalid(problems: Vec<Problem>) -> Result<(), Refusal> {
    if problems.is_empty() { Ok(()) } else { Err(Refusal::invalid(problems)) }
}

/// A rule says no, and what to do instead.
fn refuse<T, E: From<Refusal>>(
    code: Code,
    message: impl Into<String>,
    hint: impl Into<Hint>,
) -> Result<T, E> {
    Err(Refusal::new(code, message).with_hint(hint).into())
}

/// The hashes of a write go into its event.
fn chain(event: &mut Event, file: &FileWrite) {
    event.before = file.before.map(|hash| hash.to_string());
    event.after = file.after.as_ref().map(|text| ContentHash::of(text.as_bytes()).to_string());
}

fn refuse_large(text: &str) -> Result<(), Refusal> {
    let limit = oldhand_core::policy::MEMORY_BYTES_MAX;
    if text.len() as u64 <= limit {
        return Ok(());
    }
    let message = format!("the memory would be {} bytes, at most {limit} fit", text.len());
    refuse(Code::Limit, message, "keep the long text in a document of its own and point at it")
}
