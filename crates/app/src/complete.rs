//! The end of a piece of work as one write: its summary, what its memories did, what it teaches.
//! Also what a summary asks of the store and the code.

use oldhand_core::policy::{DOC_FILES_MAX, DOCS_READ_MAX, LIST_ITEMS_MAX};
use oldhand_core::task::{Outcome as TaskOutcome, TaskSignals};
use oldhand_judge::guess::lesson_type;
use oldhand_judge::retro::{LessonDraft, Retrospective};
use oldhand_sessions::completion::change::FileChange;
use oldhand_sessions::completion::docs::{DocToCheck, is_left, left_behind, words_of};
use oldhand_sessions::completion::{Ending, Scale};
use oldhand_sessions::summary::{Summary, cut};
use oldhand_text::strings::normalise_line;

use crate::context::Sessions;
use crate::learn::Lessons;
use crate::prelude::*;
use crate::usage::{TaskEnd, TaskEnded, ended_already, has_ended, refuse_bad_end};
use crate::work::Work;
use crate::written::{Learned, Written, unchanged};

type Tell<'r> = dyn Fn(Option<&Summary>) -> Result<Telling<'r>> + 'r;

pub struct Completion<'r> {
    /// What is to be told, by what was told of the same work before: asked in the lock, so that
    /// two who tell at once don't undo each other's word.
    pub tell: Box<Tell<'r>>,
    pub id: MemoryId,
    /// Whether a memory is the same summary, told before.
    pub is_same: Box<dyn Fn(&Memory) -> bool + 'r>,
    pub origin: Origin,
    /// Refused when the task has ended before.
    pub ends_once: bool,
}

pub struct Telling<'r> {
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

/// The summary of a task before it is written.
pub struct TaskSummary<'r> {
    pub work: &'r Work,
    said: Summary,
    /// The task and how it would end; how it ends is said, now or before.
    pub end: TaskEnd<'r>,
    /// The pattern of a small task (R173).
    lessons: Retrospective,
    evidence: [String; 1],
    pub docs: Vec<DocToCheck>,
}

/// Lists of a summary that only ever grow; the others say how things are now.
const GROWING: &[&str] =
    &["completed", "decisions", "key_changes", "tests", "errors", "resolved_questions"];
/// A lesson's title is made from its pattern.
const PATTERN_TITLE_CHARS_MAX: usize = 80;
/// Summaries with the same name before another name has to be found.
const SAME_NAME_MAX: usize = 100;

impl<'a> Sessions<'a> {
    /// R172: all of it or nothing.
    pub fn complete(&self, work: &Completion<'_>) -> WriteResult<'a, Completed> {
        self.write(&mut || self.decide_complete(work))
    }

    fn decide_complete(&self, work: &Completion<'_>) -> Decided<Completed> {
        let (id, there) = self.place_of(work)?;
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
                self.upkeep().know_names(&end)?;
                let (told, planned) = self.upkeep().decide_end(&end, &events)?;
                ended = Some(told);
                plan = planned;
            }
        }
        let (summary, planned) = match &there {
            Some(stored) => self.renew_summary(stored, &telling.draft)?,
            None => {
                let draft = Draft { id: Some(id.to_string()), ..telling.draft };
                self.writing().decide_create_beside(&draft, work.origin, &plan.files)?
            }
        };
        plan.extend(planned);
        let mut learned = Vec::new();
        if let Some(lessons) = &telling.lessons {
            let lessons = Lessons { source: &summary.path, ..lessons.clone() };
            learned =
                self.learning().plan_lessons(&lessons, "the pattern of a small task", &mut plan)?;
        }
        Ok((Completed { summary, ended, learned }, plan))
    }

    /// Whether the store has heard of a task: its end, a use in it, or its summary.
    pub fn knows_task(&self, task: &str) -> Result<bool> {
        if self.vault.events()?.iter().any(|event| event.task == task) {
            return Ok(true);
        }
        let reference = format!("task:{task}");
        let summaries = self.stored_of(&Kind::SessionSummary)?;
        Ok(summaries.iter().any(|stored| stored.memory.evidence.contains(&reference)))
    }

    /// The name that the summary has or gets, and the summary if it was told before.
    fn place_of(&self, work: &Completion<'_>) -> Result<(MemoryId, Option<Stored>)> {
        let wanted = &work.id;
        for number in 1..SAME_NAME_MAX {
            let id = if number == 1 { wanted.clone() } else { wanted.numbered(number) };
            match self.vault.find(&id)? {
                None => return Ok((id, None)),
                Some(there) if there.memory.is_active() && (work.is_same)(&there.memory) => {
                    return Ok((id, Some(there)));
                }
                Some(_) => {}
            }
        }
        let message = format!("too many memories are called `{wanted}`");
        refuse(Code::Limit, message, "use another name for the task")
    }

    /// What happened is added, how things are now replaces what was said before.
    fn renew_summary(&self, stored: &Stored, draft: &Draft) -> Decided<Written> {
        let mut more = Draft { id: None, kind: None, ..draft.clone() };
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
            return Ok(unchanged(stored));
        }
        self.writing().decide_update(stored, &more, Some("told again"))
    }

    /// Decisions that were written or changed since then, by id.
    pub fn decided_since(&self, since: jiff::Timestamp) -> Result<Vec<Binding>> {
        let events = self.vault.events()?;
        let recent = events.iter().filter(|event| event.at >= since && is_writing(event));
        let ids: std::collections::BTreeSet<&str> = recent.map(|it| it.memory.as_str()).collect();
        let mut decisions = self.stored_of(&Kind::Decision)?;
        decisions.retain(|Stored { memory, .. }| {
            let is_settled = memory.is_active() && memory.state != State::Candidate;
            is_settled && ids.contains(memory.id.as_str())
        });
        decisions.sort_by(|one, other| one.memory.id.cmp(&other.memory.id));
        let named = |memory: Memory| Binding {
            id: memory.id.to_string(),
            title: memory.title,
            rule: String::new(),
        };
        Ok(decisions.into_iter().map(|one| named(one.memory)).collect())
    }

    /// R174: documents that name what changed and were not touched.
    fn docs_to_check(&self, files: &[FileChange]) -> Vec<DocToCheck> {
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

    /// Everything that a task's summary is made of.
    pub fn task_summary<'r>(
        &self,
        end: TaskEnd<'r>,
        work: &'r Work,
        mut said: Summary,
    ) -> TaskSummary<'r> {
        put_signals(&mut said, &end.signals);
        let pattern = said.text("pattern");
        let is_small = work.scale() == Scale::Small;
        let lessons = (is_small && !pattern.is_empty()).then(|| lesson_of(pattern));
        let lessons =
            Retrospective { lessons: lessons.into_iter().collect(), ..Retrospective::default() };
        // R174: a small change is looked at as a whole anyway.
        let docs = match &work.diff {
            Some(diff) if !is_small => self.docs_to_check(&diff.files),
            _ => Vec::new(),
        };
        let evidence = [format!("task:{}", end.task)];
        TaskSummary { work, said, end, lessons, evidence, docs }
    }

    /// The summary that the end of a task yields (R172); none where there is nothing to say.
    pub fn summary_at_end<'r>(&self, end: TaskEnd<'r>, work: &'r Work) -> Option<TaskSummary<'r>> {
        let is_kept = self.settings.kinds.spec(&Kind::SessionSummary).enabled;
        if !is_kept || !work.says_something() {
            return None;
        }
        let is_well = end.outcome == TaskOutcome::Passed;
        let ending = if is_well { Ending::Success } else { Ending::Blocked };
        let mut said = Summary::default();
        said.set_text("outcome", ending.as_str());
        Some(self.task_summary(end, work, said))
    }
}

impl TaskSummary<'_> {
    /// How it ended, as it is said now or was said before.
    fn telling(&self, earlier: Option<&Summary>) -> Result<Telling<'_>> {
        let task = self.end.task;
        let before = earlier.map(|it| it.text("outcome")).unwrap_or_default();
        let ending = match [self.said.text("outcome"), before].into_iter().find(|it| !it.is_empty())
        {
            Some(outcome) => Ending::parse(outcome)?,
            None => Ending::Partial,
        };
        let mut said = self.said.clone();
        said.set_text("outcome", ending.as_str());
        let mut summary = self.work.fill(said, earlier, task);
        self.work.add_branch(&mut summary);
        let title = match visible_line(summary.text("goal")) {
            goal if goal == task => format!("Task {task}"),
            goal => format!("Task {task}: {goal}"),
        };
        let lessons =
            Lessons { retrospective: &self.lessons, task, source: "", evidence: &self.evidence };
        Ok(Telling {
            draft: self.work.draft(&summary, &title, Some(task)),
            end: ending.of_task().map(|outcome| TaskEnd { outcome, ..self.end.clone() }),
            lessons: (!self.lessons.lessons.is_empty()).then_some(lessons),
        })
    }

    /// The write that tells it. `ends_once` refuses a task that has ended before.
    pub fn completion(&self, origin: Origin, ends_once: bool) -> Completion<'_> {
        let is_same = |memory: &Memory| {
            memory.kind == Kind::SessionSummary
                && memory.content.text("handoff_to").is_none()
                && memory.evidence.contains(&self.evidence[0])
        };
        Completion {
            tell: Box::new(|earlier| self.telling(earlier)),
            id: MemoryId::of_title(&format!("task {}", self.end.task)),
            is_same: Box::new(is_same),
            origin,
            ends_once,
        }
    }
}

impl Completed {
    /// The summary as it is written: what was told before is in it.
    pub fn told(&self) -> Summary {
        Summary { content: self.summary.memory.content.clone() }
    }

    pub fn ending(&self) -> Ending {
        let outcome = self.summary.memory.content.text("outcome").unwrap_or_default();
        Ending::parse(outcome).unwrap_or(Ending::Partial)
    }
}

/// The words by which repeated trouble is recognised, in the template.
pub fn put_signals(summary: &mut Summary, signals: &TaskSignals) {
    let texts = [
        ("failure_class", &signals.failure_class),
        ("recovery_class", &signals.recovery_class),
        ("task_kind", &signals.task_kind),
        ("self_check", &signals.self_check.map(|it| it.to_string())),
    ];
    for (name, text) in texts {
        summary.set_text(name, text.as_deref().unwrap_or_default());
    }
    summary.set_list("concerns", signals.concerns.clone());
}

/// R173: what helped once is worth a try, and has to earn the rest.
fn lesson_of(pattern: &str) -> LessonDraft {
    let (lesson_type, reason) = lesson_type(pattern);
    LessonDraft {
        title: shorten(&normalise_line(pattern), PATTERN_TITLE_CHARS_MAX),
        summary: pattern.to_owned(),
        guidance: Some(pattern.to_owned()),
        applies_when: None,
        lesson_type,
        scope: None,
        tags: vec!["pattern".to_owned()],
        evidence: Vec::new(),
        reason,
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
