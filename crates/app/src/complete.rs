//! The end of a piece of work as one write: its summary, what its memories did, what it teaches.
//! Also what a summary asks of the store and the code.

use oldhand_core::content::FieldValue;
use oldhand_core::draft::Draft;
use oldhand_core::event::{Event, EventType};
use oldhand_core::kind::Kind;
use oldhand_core::memory::{Memory, MemoryId};
use oldhand_core::origin::Origin;
use oldhand_core::policy::{DOC_FILES_MAX, DOCS_READ_MAX, LIST_ITEMS_MAX};
use oldhand_core::refusal::{Code, Refusal};
use oldhand_core::state::State;
use oldhand_core::write;
use oldhand_sessions::anchor::Binding;
use oldhand_sessions::completion::change::FileChange;
use oldhand_sessions::completion::docs::{DocToCheck, is_left, left_behind, words_of};
use oldhand_sessions::summary::{Summary, cut};

use crate::create::Written;
use crate::learn::{Learned, Lessons};
use crate::usage::{TaskEnd, TaskEnded, ended_already, has_ended, refuse_bad_end};
use crate::{Done, Engine};
use oldhand_store::failure::Failure;
use oldhand_store::port::{Plan, Stored};

/// What a piece of work leaves.
pub struct Completion<'r> {
    /// What is to be told, by what was told of the same work before: asked in the lock, so that
    /// two who tell at once don't undo each other's word.
    pub tell: &'r dyn Fn(Option<&Summary>) -> Result<Telling<'r>, Failure>,
    /// The id that it would have.
    pub id: MemoryId,
    /// Whether a memory is the same summary, told before.
    pub is_same: &'r dyn Fn(&Memory) -> bool,
    pub origin: Origin,
    /// Refused when the task has ended before.
    pub ends_once: bool,
}

/// What is told of a piece of work.
pub struct Telling<'r> {
    /// The summary.
    pub draft: Draft,
    /// The end of the task, unless the work goes on.
    pub end: Option<TaskEnd<'r>>,
    /// A pattern that is worth keeping (R173). The summary is its source.
    pub lessons: Option<Lessons<'r>>,
}

#[derive(Debug, Clone)]
pub struct Completed {
    pub summary: Written,
    /// None when the work goes on, or the task had ended before.
    pub ended: Option<TaskEnded>,
    pub learned: Vec<Learned>,
}

/// Lists of a summary that only ever grow; the others say how things are now.
const GROWING: &[&str] =
    &["completed", "decisions", "key_changes", "tests", "errors", "resolved_questions"];
/// Summaries with the same name before another name has to be found.
const SAME_NAME_MAX: usize = 100;

impl<'a> Engine<'a> {
    /// R172: all of it or nothing.
    pub fn complete(&self, work: &Completion<'_>) -> Result<Done<'a, Completed>, Failure> {
        self.write(&mut || self.decide_complete(work))
    }

    /// What `complete` would write or refuse.
    pub fn preview_complete(&self, work: &Completion<'_>) -> Result<Completed, Failure> {
        write::refuse_secret("by", self.by)?;
        self.decide_complete(work).map(|(completed, _)| completed)
    }

    fn decide_complete(&self, work: &Completion<'_>) -> Result<(Completed, Plan), Failure> {
        let (id, there) = self.place_of(&work.id, work.is_same)?;
        let earlier =
            there.as_ref().map(|stored| Summary { content: stored.memory.content.clone() });
        let telling = (work.tell)(earlier.as_ref())?;
        let mut plan = Plan::default();
        let mut ended = None;
        if let Some(end) = &telling.end {
            refuse_bad_end(end)?;
            let events = self.vault.events()?;
            let is_over = has_ended(&events, end.task);
            if is_over && work.ends_once {
                return Err(ended_already(end.task).into());
            }
            if !is_over {
                // A summary that was served says nothing about its own usefulness.
                let is_other = |served: &&String| served.as_str() != id.as_str();
                let served: Vec<String> = end.served.iter().filter(is_other).cloned().collect();
                let end = TaskEnd { served: &served, ..end.clone() };
                self.know_names(&end)?;
                let (told, planned) = self.decide_end(&end, &events)?;
                ended = Some(told);
                plan = planned;
            }
        }
        let (summary, planned) = match &there {
            Some(stored) => self.renew_summary(stored, &telling.draft)?,
            None => {
                let draft = Draft { id: Some(id.to_string()), ..telling.draft };
                self.decide_create_beside(&draft, work.origin, &plan.files)?
            }
        };
        plan.files.extend(planned.files);
        plan.events.extend(planned.events);
        let mut learned = Vec::new();
        if let Some(lessons) = &telling.lessons {
            let lessons = Lessons { source: &summary.path, ..lessons.clone() };
            learned = self.plan_lessons(&lessons, "the pattern of a small task", &mut plan)?;
        }
        Ok((Completed { summary, ended, learned }, plan))
    }

    /// Whether the store has heard of a task: its end, a use in it, or its summary.
    pub fn knows_task(&self, task: &str) -> Result<bool, Failure> {
        if self.vault.events()?.iter().any(|event| event.task == task) {
            return Ok(true);
        }
        let reference = format!("task:{task}");
        let spec = self.settings.kinds.spec(&Kind::SessionSummary);
        let summaries = self.vault.scan_kind(&spec)?.memories();
        Ok(summaries.iter().any(|memory| memory.evidence.contains(&reference)))
    }

    /// The name that the summary has or gets, and the summary if it was told before.
    fn place_of(
        &self,
        wanted: &MemoryId,
        is_same: &dyn Fn(&Memory) -> bool,
    ) -> Result<(MemoryId, Option<Stored>), Failure> {
        for number in 1..SAME_NAME_MAX {
            let id = if number == 1 { wanted.clone() } else { wanted.numbered(number) };
            match self.vault.find(&id)? {
                None => return Ok((id, None)),
                Some(there) if there.memory.is_active() && is_same(&there.memory) => {
                    return Ok((id, Some(there)));
                }
                Some(_) => {}
            }
        }
        let message = format!("too many memories are called `{wanted}`");
        Err(Refusal::new(Code::Limit, message).with_hint("use another name for the task").into())
    }

    /// What happened is added, how things are now replaces what was said before.
    fn renew_summary(&self, stored: &Stored, draft: &Draft) -> Result<(Written, Plan), Failure> {
        let mut more = draft.clone();
        (more.id, more.kind) = (None, None);
        let (now, happened): (Vec<_>, Vec<_>) =
            more.content.drain(..).partition(|(name, _)| !GROWING.contains(&name.as_str()));
        more.content = happened;
        crate::update::grow_lists(&mut more, &stored.memory);
        for (_, value) in &mut more.content {
            if let FieldValue::List(items) = value {
                cut(items, LIST_ITEMS_MAX - 1);
            }
        }
        more.content.extend(now);
        let mut renewed = stored.memory.clone();
        more.apply_to(&mut renewed)?;
        write::normalise(&mut renewed);
        if renewed == stored.memory {
            return Ok((Written::unchanged(stored.clone()), Plan::default()));
        }
        self.decide_update(stored, &more, Some("told again"))
    }

    /// Decisions that were written or changed since then, by id.
    pub fn decided_since(&self, since: jiff::Timestamp) -> Result<Vec<Binding>, Failure> {
        let events = self.vault.events()?;
        let recent = events.iter().filter(|event| event.at >= since && is_writing(event));
        let ids: std::collections::BTreeSet<&str> = recent.map(|it| it.memory.as_str()).collect();
        let spec = self.settings.kinds.spec(&Kind::Decision);
        let mut decisions: Vec<Binding> = self
            .vault
            .scan_kind(&spec)?
            .memories()
            .into_iter()
            .filter(|memory| memory.is_active() && memory.state != State::Candidate)
            .filter(|memory| ids.contains(memory.id.as_str()))
            .map(|memory| Binding {
                id: memory.id.to_string(),
                title: memory.title,
                rule: String::new(),
            })
            .collect();
        decisions.sort_by(|one, other| one.id.cmp(&other.id));
        Ok(decisions)
    }

    /// R174: documents that name what changed and were not touched.
    pub fn docs_to_check(&self, files: &[FileChange]) -> Vec<DocToCheck> {
        let asked: Vec<(&FileChange, Vec<String>)> = files
            .iter()
            .map(|file| (file, words_of(file)))
            .filter(|(_, words)| !words.is_empty())
            .take(DOC_FILES_MAX)
            .collect();
        let all: Vec<String> = asked.iter().flat_map(|(_, words)| words.clone()).collect();
        if all.is_empty() {
            return Vec::new();
        }
        // One question for all of them; which word it was, the few documents say themselves.
        let mut found = self.code.mentions(&all);
        found.retain(|path| is_left(path, files));
        found.sort();
        found.dedup();
        let docs = found.iter().take(DOCS_READ_MAX);
        docs.filter_map(|path| left_behind(path, &self.code.read(path)?, &asked)).collect()
    }
}

/// Whether an event is that somebody wrote a memory down: also a review that let a candidate in. One
/// that merely moved says what it said before.
pub(crate) fn is_writing(event: &Event) -> bool {
    match event.event_type {
        EventType::Created | EventType::Updated | EventType::Adopted => true,
        EventType::Moved => event.from == Some(State::Candidate),
        _ => false,
    }
}
