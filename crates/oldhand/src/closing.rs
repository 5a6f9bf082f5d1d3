//! What is known of a piece of work when it ends or changes hands: the session's notes, what hooks
//! saw, and what git says. Summaries, handoffs and the conformance check all begin here.

use jiff::Timestamp;
use oldhand_app::Engine;
use oldhand_app::usage::refuse_bad_signals;
use oldhand_core::content::FieldValue;
use oldhand_core::credit::Signs;
use oldhand_core::draft::Draft;
use oldhand_core::policy::SUMMARY_FILES_MAX;
use oldhand_core::task::TaskSignals;
use oldhand_core::write;
use oldhand_core::yaml::Yaml;
use oldhand_sessions::anchor::Binding;
use oldhand_sessions::completion::change::{ChangeKind, Diff, NoDiff};
use oldhand_sessions::completion::{Ending, Material, Scale, branch_line};
use oldhand_sessions::conversation::Working;
use oldhand_sessions::notes::{Item, ItemState, Notes, What};
use oldhand_sessions::summary::Summary;
use oldhand_text::problem::Problem;
use oldhand_text::secrets;
use oldhand_text::strings::ID_CHARS_MAX;
use oldhand_text::strings::{counted, normalise_line, visible_line};
use oldhand_text::time::parse_instant;
use serde_json::{Map, Value, json};

use crate::cli::{SaidArgs, SignalArgs};
use crate::desk::Desk;
use crate::failure::Fail;
use crate::printer::Io;
use crate::receipt::TaskBase;
use crate::session::Session;

/// Which piece of work.
#[derive(Clone, Copy)]
pub(crate) struct Ask<'a> {
    pub task: Option<&'a str>,
    pub since: Option<&'a str>,
    pub session: Option<&'a str>,
}

pub(crate) struct Closing {
    /// None where this machine keeps no notes.
    pub session: Option<Session>,
    pub notes: Notes,
    pub working: Working,
    pub compacted: Option<Summary>,
    /// None where git can't tell, for the reason beside it.
    pub diff: Option<Diff>,
    pub no_diff: Option<NoDiff>,
    /// When the work began, as far as that is known.
    pub since: Option<Timestamp>,
    pub decisions: Vec<Binding>,
}

impl Closing {
    pub(crate) fn look(ask: Ask<'_>, desk: &Desk<'_>, engine: &Engine<'_>) -> Result<Self, Fail> {
        let session = match desk.known_session(ask.session) {
            Ok(session) => Some(session),
            Err(fail) if ask.session.is_some() => return Err(fail),
            // A machine that keeps no notes, such as one of CI, has none to look through.
            Err(_) => None,
        };
        let begun = begun(ask, desk);
        let (diff, no_diff) = match diff(ask, begun.as_ref(), engine)? {
            Ok(diff) => (Some(diff), None),
            Err(why) => (None, Some(why)),
        };
        let begun_at = || session.as_ref().and_then(|it| parse_instant(&it.state().started_at));
        let since = match (&begun, &diff) {
            (Some(begun), _) => Some(begun.at),
            (None, Some(diff)) => diff.base_time,
            (None, None) => begun_at(),
        };
        let decisions = since.map(|since| engine.decided_since(since)).transpose()?;
        let mut closing = Self {
            session: None,
            notes: Notes::default(),
            working: Working::default(),
            compacted: None,
            diff,
            no_diff,
            since,
            decisions: decisions.unwrap_or_default(),
        };
        if let Some(session) = session {
            closing.turn_to(session, ask.task, desk)?;
        }
        Ok(closing)
    }

    /// The same work, as a session knows it. While another task is under way in it, its notes are
    /// that one's.
    pub(crate) fn turn_to(
        &mut self,
        session: Session,
        task: Option<&str>,
        desk: &Desk<'_>,
    ) -> Result<(), Fail> {
        let name = (!session.is_own).then_some(session.name.as_str());
        let under_way = desk.receipts().and_then(|receipts| receipts.own_task(name));
        let is_its = match (task, under_way) {
            (Some(task), Some(under_way)) => task == under_way,
            _ => true,
        };
        (self.notes, self.working, self.compacted) = match is_its {
            true => (session.notes()?, session.working(), session.compacted()),
            false => Default::default(),
        };
        self.session = Some(session);
        Ok(())
    }

    /// The template with what was said, filled with what is known. `task` stands in for a goal.
    pub(crate) fn fill(&self, said: Summary, earlier: Option<&Summary>, task: &str) -> Summary {
        let mut summary = said;
        self.material(earlier, task).fill(&mut summary);
        summary
    }

    fn material<'m>(&'m self, earlier: Option<&'m Summary>, task: &'m str) -> Material<'m> {
        Material {
            task,
            notes: &self.notes,
            working: &self.working,
            compacted: self.compacted.as_ref(),
            earlier,
            diff: self.diff.as_ref(),
            decisions: &self.decisions,
        }
    }

    pub(crate) fn scale(&self) -> Scale {
        self.material(None, "").scale()
    }

    /// What the scale goes by, for people.
    pub(crate) fn size(&self) -> String {
        let files = |count: usize| counted(count, "file", "files");
        match &self.diff {
            Some(diff) => {
                format!("{}, {}", files(diff.files.len()), counted(diff.lines(), "line", "lines"))
            }
            None => files(self.working.files.len()),
        }
    }

    /// Beside where the work stands, on which branch it is.
    pub(crate) fn add_branch(&self, summary: &mut Summary) {
        let branch = self.diff.as_ref().map(|diff| visible_line(&diff.branch)).unwrap_or_default();
        if !branch.is_empty() && secrets::scan(&branch).is_empty() {
            summary.push("standing", &branch_line(&branch));
        }
    }

    /// Whether there is anything to tell but that a task ended.
    pub(crate) fn says_something(&self) -> bool {
        !self.notes.is_empty() || self.diff.as_ref().is_some_and(|diff| !diff.files.is_empty())
    }

    /// The summary as a memory of this work.
    pub(crate) fn draft(&self, summary: &Summary, title: &str, task: Option<&str>) -> Draft {
        let mut draft = summary.to_draft(title);
        draft.set("scope", Yaml::text("project"));
        let mut evidence: Vec<String> =
            task.map(|task| format!("task:{task}")).into_iter().collect();
        // The worktree's own session has no name that anybody else knows.
        let named = self.session.as_ref().filter(|session| !session.is_own);
        evidence.extend(named.map(|session| format!("session:{}", session.name)));
        if !evidence.is_empty() {
            draft.set("evidence", Yaml::list(&evidence));
        }
        let files = self.diff.iter().flat_map(|diff| &diff.files);
        let files: Vec<&str> = files
            .filter(|file| file.kind != ChangeKind::Deleted)
            .map(|file| file.path.as_str())
            .filter(|path| secrets::scan(path).is_empty())
            .take(SUMMARY_FILES_MAX)
            .collect();
        if !files.is_empty() {
            draft.set("related_files", Yaml::list(&files));
        }
        draft
    }

    /// R149: they are in the summary now, or were not worth it.
    pub(crate) fn mark_reviewed(&self, now: Timestamp, id: &str, io: &mut Io<'_>) {
        let Some(session) = self.session.as_ref().filter(|_| !self.notes.is_empty()) else {
            return;
        };
        // What was noted since then is in no summary.
        let through = self.notes.last;
        let reviewed = What::Reviewed { kept: vec![id.to_owned()], through };
        if let Err(fail) = session.append(now, vec![reviewed]) {
            let why = fail.message();
            io.note("note", &format!("the summary is written, the notes are still open: {why}"));
        }
    }

    /// Notes that nobody has looked through; a step that is yet to be done is none.
    pub(crate) fn notes_open(&self) -> usize {
        let is_plan = |item: &&Item| item.is_step && item.is_open();
        let those = self.notes.items.iter().filter(|item| item.standing != ItemState::Dropped);
        those.filter(|item| !is_plan(item)).count()
    }

    pub(crate) fn code_json(&self, object: &mut Map<String, Value>) {
        let diff = self.diff.as_ref();
        let files: Vec<Value> = diff
            .iter()
            .flat_map(|diff| &diff.files)
            .map(|file| {
                json!({"path": file.path, "added": file.added, "removed": file.removed,
                       "kind": file.kind.as_str()})
            })
            .collect();
        object.insert("base".into(), json!(diff.and_then(|diff| diff.base.as_deref())));
        object.insert("branch".into(), json!(diff.map(|diff| diff.branch.as_str())));
        object.insert("files".into(), Value::Array(files));
    }
}

/// What a piece of work left behind that shows which memories had a part in it.
#[derive(Default)]
pub(crate) struct Traces {
    pub paths: Vec<String>,
    pub words: Vec<String>,
    pub commands: Vec<String>,
}

impl Traces {
    pub(crate) fn of(closing: &Closing, said: impl Iterator<Item = String>) -> Self {
        let changed = closing.diff.iter().flat_map(|diff| &diff.files).map(|file| &file.path);
        let noted = closing.notes.items.iter();
        let noted = noted.flat_map(|item| [item.text.clone(), item.outcome.clone()]);
        Self {
            paths: changed.chain(&closing.working.files).cloned().collect(),
            words: noted.chain(said).collect(),
            commands: closing.working.commands(),
        }
    }

    pub(crate) fn signs(&self) -> Signs<'_> {
        Signs { paths: &self.paths, words: &self.words, commands: &self.commands }
    }
}

/// Where the task began, if it was begun here and nobody asks about another stretch.
fn begun(ask: Ask<'_>, desk: &Desk<'_>) -> Option<TaskBase> {
    let session = desk.session_name(ask.session);
    let task = ask.task.filter(|_| ask.since.is_none())?;
    desk.receipts()?.base_of(task, session.as_deref())
}

fn diff(
    ask: Ask<'_>,
    begun: Option<&TaskBase>,
    engine: &Engine<'_>,
) -> Result<Result<Diff, NoDiff>, Fail> {
    if let Some(since) = ask.since {
        write::refuse_secret("--since", since)?;
        let wrong =
            |expected: &str, fix: &str| Problem::new("--since", expected, since).with_fix(fix);
        return match engine.code.diff(Some(since)) {
            Ok(diff) => Ok(Ok(diff)),
            Err(NoDiff::UnknownRevision) => Err(wrong(
                "a commit or branch of this repository",
                "`git log` shows them; before the first commit there are none",
            )
            .into()),
            Err(NoDiff::NoRepository) => {
                Err(wrong("a commit of a git repository", "leave it out, there is none here")
                    .into())
            }
            Err(NoDiff::Failed) => Err(Fail::usage(
                "git could not tell what was changed since then",
                "`git status` may say why; a very large change takes too long",
            )),
        };
    }
    if let Some(head) = begun.and_then(|begun| begun.head.as_deref()) {
        match engine.code.diff(Some(head)) {
            // The commit is gone, as after a rebase: the branch still knows where it began.
            Err(NoDiff::UnknownRevision) => {}
            answer => return Ok(answer),
        }
    }
    Ok(engine.code.diff(None))
}

/// What was typed, each value looked at before anything is done.
pub(crate) fn said(args: &SaidArgs) -> Result<Summary, Fail> {
    let mut summary = Summary::default();
    let texts = [("--goal", "goal", &args.goal), ("--pattern", "pattern", &args.pattern)];
    for (flag, name, text) in texts {
        if let Some(text) = text {
            summary.set_text(name, &checked(flag, text)?);
        }
    }
    let lists = [
        ("--completed", "completed", &args.completed),
        ("--change", "key_changes", &args.change),
        ("--decision", "decisions", &args.decision),
        ("--test", "tests", &args.test),
        ("--open", "open_questions", &args.open),
        ("--next", "next_actions", &args.next),
        ("--standing", "standing", &args.standing),
    ];
    for (flag, name, items) in lists {
        for item in items {
            summary.push(name, &checked(flag, item)?);
        }
    }
    if let Some(outcome) = &args.outcome {
        summary.set_text("outcome", Ending::parse(outcome)?.as_str());
    }
    Ok(summary)
}

/// The words that repeated trouble is recognised by, each looked at by its flag.
pub(crate) fn signals(args: &SignalArgs) -> Result<TaskSignals, Fail> {
    let words = [
        ("--failure-class", &args.failure_class),
        ("--recovery-class", &args.recovery_class),
        ("--task-kind", &args.task_kind),
    ];
    let concerns = args.concern.iter().map(|word| ("--concern", word));
    for (flag, word) in
        words.iter().filter_map(|(flag, it)| Some((*flag, it.as_ref()?))).chain(concerns)
    {
        write::refuse_secret(flag, word)?;
    }
    let signals = TaskSignals {
        failure_class: args.failure_class.clone(),
        concerns: args.concern.clone(),
        recovery_class: args.recovery_class.clone(),
        task_kind: args.task_kind.clone(),
        self_check: args.self_check,
        recipes: Vec::new(),
        integration_conflicts: Vec::new(),
    };
    refuse_bad_signals(&signals)?;
    Ok(signals)
}

pub(crate) fn put_signals(summary: &mut Summary, signals: &TaskSignals) {
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

/// A role in one line.
pub(crate) fn role(flag: &str, text: &str) -> Result<String, Fail> {
    let role = normalise_line(&checked(flag, text)?);
    if role.chars().count() > ID_CHARS_MAX {
        return Err(Problem::new(flag, "a role of 1 to 80 characters", &role).into());
    }
    Ok(role)
}

fn checked(flag: &str, text: &str) -> Result<String, Fail> {
    write::refuse_secret(flag, text)?;
    if text.trim().is_empty() {
        return Err(Problem::new(flag, "some words", "nothing").into());
    }
    Ok(text.trim().to_owned())
}

pub(crate) fn content_json(summary: &Summary) -> Value {
    let fields = summary.content.iter().map(|(name, value)| {
        let value = match value {
            FieldValue::List(items) => json!(items),
            other => json!(other.plain()),
        };
        (name.to_owned(), value)
    });
    Value::Object(fields.collect())
}
