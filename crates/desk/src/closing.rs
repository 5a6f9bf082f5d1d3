//! Gathers what is known of a piece of work when it ends or changes hands: the session's notes, what
//! hooks saw, and what git says. Summaries, handoffs and the check of a task all begin here.

use jiff::Timestamp;
use oldhand_app::Engine;
use oldhand_app::work::Work;
use oldhand_core::write;
use oldhand_sessions::completion::change::{Diff, NoDiff};
use oldhand_sessions::notes::What;
use oldhand_store::port::session::TaskRecord;
use oldhand_text::problem::Problem;
use oldhand_text::time::parse_instant;

use crate::desk::Desk;
use crate::failure::Fail;
use crate::session::Session;

#[derive(Clone, Copy)]
pub struct WorkQuery<'a> {
    pub task: Option<&'a str>,
    pub since: Option<&'a str>,
    pub session: Option<&'a str>,
}

pub struct Closing<'a> {
    /// None where this machine keeps no notes.
    pub session: Option<Session<'a>>,
    pub work: Work,
}

impl<'a> Closing<'a> {
    pub fn look(query: WorkQuery<'_>, desk: &Desk<'a>, engine: &Engine<'_>) -> Result<Self, Fail> {
        let session = desk.session_if_any(query.session)?;
        let begun = begun(query, desk)?;
        let (diff, no_diff) = match diff(query, begun.as_ref(), engine)? {
            Ok(diff) => (Some(diff), None),
            Err(why) => (None, Some(why)),
        };
        let started_at = |it: &Session<'_>| parse_instant(&it.state().presence.started_at);
        let since = match (&begun, &diff) {
            (Some(begun), _) => begun.begun_at(),
            (None, Some(diff)) => diff.base_time,
            (None, None) => session.as_ref().and_then(started_at),
        };
        let decisions = since.map(|since| engine.sessions().decided_since(since)).transpose()?;
        let decisions = decisions.unwrap_or_default();
        let work = Work { diff, no_diff, since, decisions, ..Work::default() };
        let mut closing = Self { session: None, work };
        if let Some(session) = session {
            closing.turn_to(session, query.task, desk)?;
        }
        Ok(closing)
    }

    /// What is known of a task that ends; none where it was not begun here and has no notes.
    pub fn look_back(
        task: &str,
        session: Option<&str>,
        desk: &Desk<'a>,
        engine: &Engine<'_>,
    ) -> Result<Option<Self>, Fail> {
        let begun = begun(WorkQuery { task: Some(task), since: None, session }, desk)?;
        let is_begun = begun.is_some_and(|base| base.head.is_some());
        let has_notes = || desk.session(session).is_ok_and(|it| !it.visible_notes().is_empty());
        if !is_begun && !has_notes() {
            return Ok(None);
        }
        let query = WorkQuery { task: Some(task), since: None, session: None };
        let mut closing = Self::look(query, desk, engine)?;
        if let Some(session) = session {
            // Any name will do here: what was served in it counts, whether or not it is known.
            closing.turn_to(desk.session(Some(session))?, Some(task), desk)?;
        }
        Ok(Some(closing))
    }

    /// The same work, as a session knows it. While another task is under way in it, its notes are
    /// that one's.
    fn turn_to(
        &mut self,
        session: Session<'a>,
        task: Option<&str>,
        desk: &Desk<'_>,
    ) -> Result<(), Fail> {
        // The worktree's own session has no name that anybody else knows.
        let name = (!session.is_own).then(|| session.name.clone());
        let record = desk.record()?;
        let under_way = record.own_task(name.as_deref());
        let work = &mut self.work;
        if task.zip(under_way).is_none_or(|(task, under_way)| task == under_way) {
            (work.notes, work.working) = (session.notes()?, session.state().working);
            work.compacted = session.compacted();
        } else {
            (work.notes, work.working, work.compacted) = Default::default();
        }
        work.session = name;
        self.session = Some(session);
        Ok(())
    }

    /// R149: marks the notes as looked through: they are in the summary `id` now, or were not worth
    /// it. Says why where it could not.
    pub fn mark_reviewed(&self, now: Timestamp, id: &str) -> Option<String> {
        let session = self.session.as_ref().filter(|_| !self.work.notes.is_empty())?;
        // What was noted since then is in no summary.
        let through = self.work.notes.last;
        let reviewed = What::Reviewed { kept: vec![id.to_owned()], through: Some(through) };
        let why = session.append(now, vec![reviewed]).err()?.message();
        Some(format!("the summary is written, but the notes are still open: {why}"))
    }
}

/// Whether anybody has heard of a task: this machine, or the store.
pub fn is_known(task: &str, desk: &Desk<'_>, engine: &Engine<'_>) -> Result<bool, Fail> {
    let record = desk.record()?;
    let is_begun = record.task_record(task, None).is_some();
    Ok(is_begun || engine.sessions().knows_task(task)?)
}

/// Where the task began, if it was begun here; `--since` asks about another stretch.
fn begun(query: WorkQuery<'_>, desk: &Desk<'_>) -> Result<Option<TaskRecord>, Fail> {
    let session = desk.session_name(query.session);
    let Some(task) = query.task.filter(|_| query.since.is_none()) else { return Ok(None) };
    Ok(desk.record()?.task_record(task, session.as_deref()).cloned())
}

fn diff(
    query: WorkQuery<'_>,
    begun: Option<&TaskRecord>,
    engine: &Engine<'_>,
) -> Result<Result<Diff, NoDiff>, Fail> {
    if let Some(since) = query.since {
        write::refuse_secret("--since", since)?;
        let wrong =
            |expected: &str, fix: &str| Problem::new("--since", expected, since).with_fix(fix);
        return engine.code.diff(Some(since)).map(Ok).map_err(|why| match why {
            NoDiff::UnknownRevision => {
                let fix = "`git log` shows them; before the first commit there are none";
                wrong("a commit or branch of this repository", fix).into()
            }
            NoDiff::NoRepository => {
                wrong("a commit of a git repository", "leave it out, there is none here").into()
            }
            NoDiff::Failed => Fail::usage(
                "git could not tell what was changed since then",
                "`git status` may say why; a very large change takes too long",
            ),
        });
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
