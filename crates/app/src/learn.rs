//! Candidates: lessons that a retrospective names, and those that repeated trouble asks for.

use oldhand_core::event::{Effect, Followup};
use oldhand_core::task::TaskSignals;
use oldhand_core::write::Created;
use oldhand_judge::retro::{LessonDraft, NO_WORDS, Retrospective};
use oldhand_judge::trigger::{Incident, Pattern, patterns};
use oldhand_text::strings::slug;

use crate::context::Learning;
use crate::prelude::*;
use crate::twin::{TwinFound, add_new};
use crate::usage::{Use, has_ended};
use crate::written::{Action, Learned};

/// A retrospective and where it comes from.
#[derive(Debug, Clone)]
pub struct Lessons<'r> {
    pub retrospective: &'r Retrospective,
    /// The task, when neither the text nor anybody else says another.
    pub task: &'r str,
    /// The document itself: a file's path, or `stdin`.
    pub source: &'r str,
    pub evidence: &'r [String],
}

impl<'a> Learning<'a> {
    /// R177: one candidate for each lesson, unless it is known already.
    pub fn learn(&self, lessons: &Lessons<'_>) -> WriteResult<'a, Vec<Learned>> {
        self.write(&mut || {
            let mut plan = Plan::default();
            let mut learned = self.plan_lessons(lessons, "named by a retrospective", &mut plan)?;
            self.plan_flagged(lessons, &mut plan)?;
            learned.extend(self.plan_signals(lessons, &mut plan)?);
            Ok((learned, plan))
        })
    }

    /// One candidate for each lesson; `because` says who named it.
    pub(crate) fn plan_lessons(
        &self,
        lessons: &Lessons<'_>,
        because: &str,
        plan: &mut Plan,
    ) -> Result<Vec<Learned>> {
        let mut learned = Vec::new();
        let mut number = self.next_number(lessons.task)?;
        for lesson in &lessons.retrospective.lessons {
            let draft = draft_of(lesson, lessons, number);
            let reason = match lesson.reason.as_str() {
                "" | NO_WORDS => because.to_owned(),
                words => format!("{because}; its type by: {words}"),
            };
            let one = self.plan_lesson(&draft, Origin::Retrospective, &reason, plan)?;
            number += usize::from(one.action == Action::Created);
            learned.push(one);
        }
        Ok(learned)
    }

    /// R178: numbers run through a task.
    fn next_number(&self, task: &str) -> Result<usize> {
        let prefix = format!("mem-{}-", slug(task));
        let known = self.lessons_with(&format!("series:{}", prefix.trim_end_matches('-')))?;
        let numbers = known
            .iter()
            .flat_map(|stored| &stored.memory.aliases)
            .filter_map(|alias| alias.strip_prefix(&prefix)?.parse::<usize>().ok());
        Ok(numbers.max().unwrap_or(0) + 1)
    }

    fn plan_lesson(
        &self,
        draft: &Draft,
        origin: Origin,
        reason: &str,
        plan: &mut Plan,
    ) -> Result<Learned> {
        refuse_unproven(draft)?;
        // A file that can't be read has the name all the same.
        let taken = |id: &MemoryId, _: Refusal| {
            Ok(Some(Memory::new(id.clone(), Kind::Lesson, id.as_str())))
        };
        let writing = self.writing();
        let mut memory = match writing.created(draft, origin, &plan.files, &taken)? {
            Created::New(memory) => *memory,
            Created::Unchanged(id) => {
                let stored = self.get(id.as_str())?;
                let (evidence, sources) = (texts(draft, "evidence"), texts(draft, "sources"));
                let (written, more) = writing.add_evidence(&stored, &evidence, &sources)?;
                return Ok(self.add(written.action, written.memory, more, plan));
            }
        };
        writing.bind(&mut memory);
        writing.record_seen(&mut memory);
        memory.state_reason = Some(reason.to_owned()).filter(|reason| !reason.is_empty());
        if let Some(said) = planned_twin(draft, &memory, plan) {
            return Ok(self.add(Action::Unchanged, said, Plan::default(), plan));
        }
        let (written, more) = match writing.join_twin(draft, &memory, &plan.files)? {
            TwinFound::Joined(written, more) => (*written, more),
            TwinFound::Alike(_) | TwinFound::Nothing => writing.plan_new(memory, &plan.files)?,
        };
        Ok(self.add(written.action, written.memory, more, plan))
    }

    fn add(&self, action: Action, memory: Memory, more: Plan, plan: &mut Plan) -> Learned {
        plan.extend(more);
        let reviewer = self.settings.reviewers.of(&memory);
        let events = self.vault.events_of(memory.id.as_str()).unwrap_or_default();
        // This write itself records what it leaves.
        let signals = Signals::fold_recorded(&memory, &events, &self.settings.trust);
        Learned { action, memory, reviewer, signals }
    }

    /// R147: what a retrospective calls the most useful.
    fn plan_flagged(&self, lessons: &Lessons<'_>, plan: &mut Plan) -> Result<()> {
        for name in &lessons.retrospective.most_useful {
            let stored = self.get(name)?;
            let one = Use {
                effect: Effect::Positive,
                task: lessons.task,
                role: "",
                surface: None,
                followup: Some(Followup::Promote),
                notes: "the most useful, says the retrospective",
            };
            self.upkeep().plan_use(&stored, &one, plan)?;
        }
        Ok(())
    }

    /// The words that a retrospective leaves about its task feed the same rules as a task's end.
    fn plan_signals(&self, lessons: &Lessons<'_>, plan: &mut Plan) -> Result<Vec<Learned>> {
        let signals = &lessons.retrospective.signals;
        let events = self.vault.events()?;
        if signals.is_empty() || has_ended(&events, lessons.task) {
            return Ok(Vec::new());
        }
        let event = Event {
            task: lessons.task.to_owned(),
            outcome: lessons.retrospective.outcome,
            signals: signals.clone(),
            ..Event::new(EventType::Task, "", self.now)
        };
        let learned = self.plan_patterns(&events, &event, plan)?;
        plan.events.push(event);
        Ok(learned)
    }

    /// R187 to R192: what has happened often enough is a candidate by itself.
    pub(crate) fn plan_patterns(
        &self,
        events: &[Event],
        ending: &Event,
        plan: &mut Plan,
    ) -> Result<Vec<Learned>> {
        if ending.signals.is_empty() {
            return Ok(Vec::new());
        }
        let sessions = self.stored_of(&Kind::SessionSummary)?;
        let ends = events.iter().chain([ending]).filter(|it| it.event_type == EventType::Task);
        let told = sessions.iter().filter_map(|it| of_session(&it.memory));
        let incidents: Vec<Incident> = told.chain(ends.map(incident_of)).collect();
        // Of what repeats, that which the newest incident has a part in.
        let newest = format!("task:{}", ending.task);
        let mut found = patterns(&incidents);
        found.retain(|it| it.sources.contains(&newest));
        found.iter().map(|pattern| self.plan_pattern(pattern, &newest, plan)).collect()
    }

    /// Lessons and candidates that have a word of the index; all of them where they are few.
    fn lessons_with(&self, word: &str) -> Result<Vec<Stored>> {
        if let Some(found) = self.stored_with(word)? {
            return Ok(found);
        }
        let mut lessons = self.stored_of(&Kind::Lesson)?;
        lessons.extend(self.vault.scan_candidates()?.stored);
        Ok(lessons)
    }

    fn plan_pattern(&self, pattern: &Pattern, newest: &str, plan: &mut Plan) -> Result<Learned> {
        let key = &pattern.key;
        // The lesson that the repetition has made before.
        let known = self.lessons_with(&format!("id:{}", key.to_lowercase()))?;
        let Some(stored) = known.into_iter().find(|it| it.memory.aliases.contains(key)) else {
            let reason = format!("repeated: {key}");
            return self.plan_lesson(&draft_of_pattern(pattern), Origin::Trigger, &reason, plan);
        };
        if plan.file_of(&stored.memory.id).is_some() {
            let memory = self.strengthen_planned(&stored, newest, pattern, plan)?;
            return Ok(self.add(Action::Strengthened, memory, Plan::default(), plan));
        }
        let (newest, sources) = ([newest.to_owned()], &pattern.sources);
        let (written, more) = self.writing().add_evidence(&stored, &newest, sources)?;
        Ok(self.add(written.action, written.memory, more, plan))
    }

    /// A use has moved it in the same plan, or it was said again there: the evidence goes into the
    /// file that is planned, and into its one step.
    fn strengthen_planned(
        &self,
        stored: &Stored,
        newest: &str,
        pattern: &Pattern,
        plan: &mut Plan,
    ) -> Result<Memory> {
        let at = plan.file_of(&stored.memory.id).expect("the caller has found it");
        let planned = plan.files[at].clone();
        let (Some(text), Some(old)) = (planned.after, planned.memory) else {
            return Ok(stored.memory.clone());
        };
        let mut memory = old.clone();
        if memory.evidence.iter().any(|one| one == newest) {
            return Ok(memory);
        }
        memory.evidence.push(newest.to_owned());
        add_new(&mut memory.sources, &pattern.sources);
        let now = Stored { path: planned.path, text, memory: old, ..stored.clone() };
        let file = FileWrite { before: planned.before, ..self.rewritten(&now, memory.clone())? };
        let hash = file.hash().map(|hash| hash.to_string());
        let is_step = |event: &&mut Event| event.path == file.path && event.after.is_some();
        plan.events.iter_mut().filter(is_step).for_each(|event| event.after.clone_from(&hash));
        let event = self.event(EventType::Evidence, &memory, &file.path);
        plan.events.push(Event { evidence: vec![newest.to_owned()], ..event });
        plan.files[at] = file;
        Ok(memory)
    }
}

fn incident_of(event: &Event) -> Incident {
    Incident {
        reference: format!("task:{}", event.task),
        task: event.task.clone(),
        outcome: event.outcome,
        signals: event.signals.clone(),
    }
}

/// What a session's summary says about its work.
pub(crate) fn of_session(memory: &Memory) -> Option<Incident> {
    let text = |name: &str| memory.content.text(name).map(str::to_owned);
    let signals = TaskSignals {
        failure_class: text("failure_class"),
        concerns: memory.content.list("concerns").to_vec(),
        recovery_class: text("recovery_class"),
        task_kind: text("task_kind"),
        self_check: text("self_check").and_then(|it| it.parse().ok()),
        recipes: Vec::new(),
        integration_conflicts: Vec::new(),
    };
    // The summary of a task and the task's end tell of one incident: it counts once.
    let of_task = memory.evidence.iter().find(|one| one.starts_with("task:"));
    let reference = of_task.cloned().unwrap_or_else(|| format!("session:{}", memory.id));
    (!signals.is_empty()).then(|| Incident {
        task: reference.strip_prefix("task:").unwrap_or(&reference).to_owned(),
        reference,
        outcome: None,
        signals,
    })
}

fn draft_of(lesson: &LessonDraft, lessons: &Lessons<'_>, number: usize) -> Draft {
    let mut draft = Draft::titled(Kind::Lesson, &lesson.title);
    let alias = format!("mem-{}-{number}", slug(lessons.task));
    draft.set("aliases", Yaml::list(&[alias]));
    let mut evidence = lesson.evidence.clone();
    evidence.extend(lessons.evidence.iter().cloned());
    if evidence.is_empty() {
        evidence.push(format!("task:{}", lessons.task));
    }
    draft.set("evidence", Yaml::list(&evidence));
    draft.set("sources", Yaml::list(&[lessons.source]));
    if !lesson.tags.is_empty() {
        draft.set("tags", Yaml::list(&lesson.tags));
    }
    if let Some(scope) = &lesson.scope {
        draft.set("scope", Yaml::text(scope.to_string()));
    }
    let fields = [
        ("lesson_type", Some(lesson.lesson_type.to_string())),
        ("summary", Some(lesson.summary.clone())),
        ("guidance", lesson.guidance.clone()),
        ("applies_when", lesson.applies_when.clone()),
    ];
    for (name, value) in fields {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            draft.set_content(name, FieldValue::Text(value));
        }
    }
    draft
}

fn draft_of_pattern(pattern: &Pattern) -> Draft {
    let mut draft = Draft::titled(Kind::Lesson, &pattern.title);
    draft.set("aliases", Yaml::list(&[&pattern.key]));
    draft.set("evidence", Yaml::list(&pattern.evidence));
    draft.set("sources", Yaml::list(&pattern.sources));
    draft.set("tags", Yaml::list(&["repeated"]));
    draft.set_content("lesson_type", FieldValue::Text(pattern.lesson_type.to_owned()));
    draft.set_content("summary", FieldValue::Text(pattern.summary.clone()));
    draft.set_content("guidance", FieldValue::Text(pattern.guidance.clone()));
    draft
}

/// R183: nothing is a candidate that rests on nothing.
fn refuse_unproven(draft: &Draft) -> Result<(), Problem> {
    for key in ["evidence", "sources"] {
        if texts(draft, key).iter().all(|one| one.trim().is_empty()) {
            return Err(Problem::new(key, "at least one reference", "nothing")
                .with_fix("say where it was seen, with `--evidence task:<id>`"));
        }
    }
    Ok(())
}

fn texts(draft: &Draft, key: &str) -> Vec<String> {
    draft.get(key).and_then(Yaml::as_texts).unwrap_or_default()
}

/// The same retrospective may say a thing twice; in other words it is a lesson of its own.
fn planned_twin(draft: &Draft, memory: &Memory, plan: &Plan) -> Option<Memory> {
    let mut words = draft.clone();
    words.front.retain(|(key, _)| key == "title");
    let mut planned = plan.files.iter().filter_map(|file| file.memory.as_ref());
    let is_same =
        |it: &&Memory| it.kind == memory.kind && write::added(&words, it) == Draft::default();
    planned.find(is_same).cloned()
}
