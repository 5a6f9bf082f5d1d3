//! `oldhand summary`: what a piece of work comes to, in the one template; a task that is over ends
//! with it.

use oldhand_app::complete::{Completed, Completion, Telling};
use oldhand_app::learn::Lessons;
use oldhand_app::usage::{TaskEnd, refuse_bad_task};
use oldhand_app::{Done, Engine};
use oldhand_core::kind::Kind;
use oldhand_core::memory::{Memory, MemoryId};
use oldhand_core::task::{Outcome as TaskOutcome, TaskSignals};
use oldhand_judge::guess;
use oldhand_judge::retro::{LessonDraft, Retrospective};
use oldhand_sessions::completion::docs::DocToCheck;
use oldhand_sessions::completion::{Ending, Scale};
use oldhand_sessions::summary::Summary;
use oldhand_store::failure::Failure;
use oldhand_text::strings::{counted, normalise_line, shorten, typed, visible, visible_line};
use serde_json::{Map, Value, json};

use super::learn::{learned_json, row};
use super::task;
use crate::cli::SummaryArgs;
use crate::closing::{self, Ask, Closing, Traces, content_json};
use crate::desk::{Desk, acknowledge};
use crate::failure::{DONE, Fail, Outcome};
use crate::format::columns;
use crate::printer::Io;

/// A lesson's title is made from its pattern.
const PATTERN_TITLE_CHARS_MAX: usize = 80;

/// A piece of work that is summed up.
pub(super) struct Job<'r> {
    pub closing: Closing,
    said: Summary,
    /// The task and how it would end; how it ends is said, now or before.
    end: TaskEnd<'r>,
    /// The pattern of a small task (R173).
    lessons: Retrospective,
    evidence: [String; 1],
    docs: Vec<DocToCheck>,
}

pub(super) fn run(args: &SummaryArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let mut said = closing::said(&args.said)?;
    let signals = closing::signals(&args.signals)?;
    closing::put_signals(&mut said, &signals);
    let session = args.said.session.as_deref();
    let given = args.task.clone().or_else(|| desk.current_task(session));
    let task = task::name(given.or_else(|| args.said.session.clone()).as_deref())?;
    refuse_bad_task(&task)?;
    desk.work(|engine| {
        let ask = Ask { task: Some(&task), since: args.said.since.as_deref(), session };
        let closing = Closing::look(ask, desk, engine)?;
        let receipts = desk.receipts();
        let session = closing.session.as_ref().map(|session| session.name.as_str());
        let served: Vec<String> =
            receipts.iter().flat_map(|receipts| receipts.served_for(&task, session)).collect();
        let is_begun = is_known(&task, desk, engine)?;
        let traces = Traces::of(&closing, said.content.iter().map(|(_, value)| value.plain()));
        let end = end_of(&task, &served, signals, &traces);
        let job = Job::new(end, closing, said, engine);
        if !is_begun {
            say_unknown(&task, io);
        }
        if args.said.dry_run {
            let completed = job.completion(desk, |work| Ok(engine.preview_complete(work)?))?;
            tell_dry(&job, &completed, desk, io)?;
            return Ok(DONE);
        }
        let ending = write_down(&job, desk, engine, io)?;
        if let (Some(receipts), Some(_)) = (&receipts, ending.of_task()) {
            receipts.end_task(&task);
        }
        Ok(DONE)
    })
}

fn end_of<'r>(
    task: &'r str,
    served: &'r [String],
    signals: TaskSignals,
    traces: &'r Traces,
) -> TaskEnd<'r> {
    TaskEnd {
        task,
        outcome: TaskOutcome::Passed,
        served,
        signs: traces.signs(),
        used: &[],
        surface: None,
        signals,
        notes: "",
        most_useful: &[],
    }
}

/// Whether anybody has heard of a task: this machine, or the store.
pub(super) fn is_known(task: &str, desk: &Desk<'_>, engine: &Engine<'_>) -> Result<bool, Fail> {
    let is_begun = desk.receipts().is_some_and(|receipts| receipts.base_of(task, None).is_some());
    Ok(is_begun || engine.knows_task(task)?)
}

fn say_unknown(task: &str, io: &mut Io<'_>) {
    let typed = typed(task);
    let note = format!(
        "`{task}` was not started here: what belongs to it is a guess; next time begin with \
         `oldhand task start {typed}`"
    );
    io.note("note", &note);
}

impl<'r> Job<'r> {
    fn new(end: TaskEnd<'r>, closing: Closing, said: Summary, engine: &Engine<'_>) -> Self {
        let pattern = said.text("pattern");
        let is_small = closing.scale() == Scale::Small;
        let lessons = (is_small && !pattern.is_empty()).then(|| lesson_of(pattern));
        let lessons =
            Retrospective { lessons: lessons.into_iter().collect(), ..Retrospective::default() };
        // R174: a small change is looked at as a whole anyway.
        let docs = match &closing.diff {
            Some(diff) if !is_small => engine.docs_to_check(&diff.files),
            _ => Vec::new(),
        };
        let evidence = [format!("task:{}", end.task)];
        Self { closing, said, end, lessons, evidence, docs }
    }

    /// How it ended, as it is said now or was said before.
    fn telling(&self, earlier: Option<&Summary>) -> Result<Telling<'_>, Failure> {
        let task = self.end.task;
        let before = earlier.map(|it| it.text("outcome")).unwrap_or_default();
        let ending = match [self.said.text("outcome"), before].into_iter().find(|it| !it.is_empty())
        {
            Some(outcome) => Ending::parse(outcome)?,
            None => Ending::Partial,
        };
        let mut said = self.said.clone();
        said.set_text("outcome", ending.as_str());
        let mut summary = self.closing.fill(said, earlier, task);
        self.closing.add_branch(&mut summary);
        let title = match visible_line(summary.text("goal")) {
            goal if goal == task => format!("Task {task}"),
            goal => format!("Task {task}: {goal}"),
        };
        let lessons =
            Lessons { retrospective: &self.lessons, task, source: "", evidence: &self.evidence };
        Ok(Telling {
            draft: self.closing.draft(&summary, &title, Some(task)),
            end: ending.of_task().map(|outcome| TaskEnd { outcome, ..self.end.clone() }),
            lessons: (!self.lessons.lessons.is_empty()).then_some(lessons),
        })
    }

    /// Hands over what the engine is to write.
    fn completion<T>(
        &self,
        desk: &Desk<'_>,
        job: impl FnOnce(&Completion<'_>) -> Result<T, Fail>,
    ) -> Result<T, Fail> {
        job(&Completion {
            tell: &|earlier| self.telling(earlier),
            id: MemoryId::of_title(&format!("task {}", self.end.task)),
            is_same: &|memory| is_summary_of(memory, self.end.task),
            origin: desk.origin(None)?,
            ends_once: false,
        })
    }
}

fn write_down(
    job: &Job<'_>,
    desk: &Desk<'_>,
    engine: &Engine<'_>,
    io: &mut Io<'_>,
) -> Result<Ending, Fail> {
    let done = job.completion(desk, |work| Ok(engine.complete(work)?))?;
    let completed = acknowledge(engine, io, done, |completed, io| {
        if desk.flags.json {
            return io.json("summary", to_json(job, completed, false));
        }
        tell(job, completed, true, io)
    })?;
    for warning in &completed.summary.warnings {
        io.note("warning", warning);
    }
    let ending = ending_of(&completed);
    if ending.of_task().is_some() {
        say_open(job, ending, io);
        job.closing.mark_reviewed(desk.now, completed.summary.memory.id.as_str(), io);
    }
    Ok(ending)
}

/// A success with open steps is worth a second look.
fn say_open(job: &Job<'_>, ending: Ending, io: &mut Io<'_>) {
    let open = job.closing.notes.remaining().count();
    if ending == Ending::Success && open > 0 {
        let what = counted(open, "item is", "items are");
        io.note("note", &format!("{what} not done: see next actions"));
    }
}

/// What is known of a task that ends; none where it was not begun here and has no notes.
pub(super) fn look_back(
    task: &str,
    session: Option<&str>,
    desk: &Desk<'_>,
    engine: &Engine<'_>,
) -> Result<Option<Closing>, Fail> {
    let own = desk.session_name(session);
    let base = desk.receipts().and_then(|receipts| receipts.base_of(task, own.as_deref()));
    let is_begun = base.is_some_and(|base| base.head.is_some());
    let has_notes = || desk.session(session).is_ok_and(|it| !it.visible_notes().is_empty());
    if !is_begun && !has_notes() {
        return Ok(None);
    }
    let ask = Ask { task: Some(task), since: None, session: None };
    let mut closing = Closing::look(ask, desk, engine)?;
    if let Some(session) = session {
        // Any name will do here: what was served in it counts, whether or not it is known.
        closing.turn_to(desk.session(Some(session))?, Some(task), desk)?;
    }
    Ok(Some(closing))
}

/// The summary that the end of a task yields (R172); none where there is nothing to say.
pub(super) fn at_end<'r, 'e>(
    end: &TaskEnd<'r>,
    closing: Closing,
    desk: &Desk<'_>,
    engine: &Engine<'e>,
) -> Result<Option<(Job<'r>, Done<'e, Completed>)>, Fail> {
    let is_kept = engine.settings.kinds.spec(&Kind::SessionSummary).enabled;
    if !is_kept || !closing.says_something() {
        return Ok(None);
    }
    let mut said = Summary::default();
    let is_well = end.outcome == TaskOutcome::Passed;
    let ending = if is_well { Ending::Success } else { Ending::Blocked };
    said.set_text("outcome", ending.as_str());
    closing::put_signals(&mut said, &end.signals);
    let job = Job::new(end.clone(), closing, said, engine);
    let done = job.completion(desk, |work| {
        Ok(engine.complete(&Completion { ends_once: true, id: work.id.clone(), ..*work })?)
    })?;
    Ok(Some((job, done)))
}

fn is_summary_of(memory: &Memory, task: &str) -> bool {
    let reference = format!("task:{task}");
    memory.kind == Kind::SessionSummary
        && memory.content.text("handoff_to").is_none()
        && memory.evidence.contains(&reference)
}

fn ending_of(completed: &Completed) -> Ending {
    let outcome = completed.summary.memory.content.text("outcome").unwrap_or_default();
    Ending::parse(outcome).unwrap_or(Ending::Partial)
}

impl Job<'_> {
    pub(super) fn tell_docs(&self, io: &mut Io<'_>) -> std::io::Result<()> {
        if self.docs.is_empty() {
            return Ok(());
        }
        io.text("docs that mention what changed and were not touched:\n")?;
        let row = |doc: &DocToCheck| {
            vec![format!("  {}", visible_line(&doc.path)), visible_line(&doc.mentions.join(", "))]
        };
        io.text(&columns(&self.docs.iter().map(row).collect::<Vec<_>>()))
    }

    pub(super) fn docs_json(&self) -> Value {
        let docs = self.docs.iter().map(|doc| json!({"path": doc.path, "mentions": doc.mentions}));
        Value::Array(docs.collect())
    }
}

/// R173: what helped once is worth a try, and has to earn the rest.
fn lesson_of(pattern: &str) -> LessonDraft {
    let (lesson_type, reason) = guess::lesson_type(pattern);
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

fn tell_dry(
    job: &Job<'_>,
    completed: &Completed,
    desk: &Desk<'_>,
    io: &mut Io<'_>,
) -> std::io::Result<()> {
    if desk.flags.json {
        return io.json("summary", to_json(job, completed, true));
    }
    tell(job, completed, false, io)?;
    io.text("nothing was written\n")
}

/// As it is written: what was told before is in it.
fn told(completed: &Completed) -> Summary {
    Summary { content: completed.summary.memory.content.clone() }
}

fn tell(
    job: &Job<'_>,
    completed: &Completed,
    is_written: bool,
    io: &mut Io<'_>,
) -> std::io::Result<()> {
    let written = &completed.summary;
    let (title, ending) = (visible_line(&written.memory.title), ending_of(completed));
    let (scale, size) = (job.closing.scale(), job.closing.size());
    io.text(&format!("# {title}\noutcome: {ending}, scale: {scale} ({size})\n\n"))?;
    io.text(&format!("{}\n", visible(&told(completed).render())))?;
    if is_written {
        io.text(&format!("summary: {} ({})\n", written.memory.id, written.action.as_str()))?;
        if let (Some(ended), Some(outcome)) = (&completed.ended, ending.of_task()) {
            task::tell(job.end.task, outcome, ended, io)?;
        }
        io.text(&columns(&completed.learned.iter().map(row).collect::<Vec<_>>()))?;
    }
    job.tell_docs(io)
}

fn to_json(job: &Job<'_>, completed: &Completed, is_dry: bool) -> Map<String, Value> {
    let written = Some(&completed.summary).filter(|_| !is_dry);
    let (task, ending) = (job.end.task, ending_of(completed));
    let mut object = Map::new();
    object.insert("task".into(), json!(task));
    object.insert("action".into(), json!(written.map(|it| it.action.as_str())));
    object.insert("id".into(), json!(written.map(|it| it.memory.id.as_str())));
    object.insert("path".into(), json!(written.map(|it| it.path.as_str())));
    object.insert("outcome".into(), json!(ending));
    object.insert("scale".into(), json!(job.closing.scale()));
    let told = told(completed);
    object.insert("summary".into(), content_json(&told));
    object.insert("markdown".into(), json!(told.render()));
    job.closing.code_json(&mut object);
    let ended = written
        .and(completed.ended.as_ref())
        .zip(ending.of_task())
        .map(|(ended, outcome)| Value::Object(task::to_json(task, outcome, ended)));
    object.insert("ended".into(), json!(ended));
    let learned = written.iter().flat_map(|_| &completed.learned);
    let learned = learned.map(|one| learned_json(one, task)).collect();
    object.insert("learned".into(), Value::Array(learned));
    object.insert("docs_to_check".into(), job.docs_json());
    object.insert("dry_run".into(), json!(is_dry));
    object
}
