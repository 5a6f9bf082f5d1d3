//! `oldhand check-task`: was the memory kept while the work was done? Six points, answered from the
//! store's log and the change alone, so that CI can ask too; this machine's notes add what they know.

use std::collections::BTreeSet;

use oldhand_app::conform::Stretch;
use oldhand_app::usage::refuse_bad_task;
use oldhand_app::work::Work;
use oldhand_desk::desk::ground::SharedSessions;
use oldhand_sessions::completion::change::{Diff, NoDiff};
use oldhand_sessions::conformance::{Point, Verdict, size_of};
use wire::work::CheckedTask;

use super::prelude::*;
use oldhand_desk::closing::{Closing, WorkQuery, is_known};
use oldhand_desk::drift::repository_name;

const SHORT_ID: usize = 10;

pub(super) fn run(args: &CheckTaskArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let session = desk.session_name(args.session.as_deref());
    let record = desk.record()?;
    let last = || record.last_task(session.as_deref()).map(|it| it.task.clone());
    let task = args.task.clone().or_else(|| last().filter(|_| args.since.is_none()));
    let task = task.as_deref();
    desk.work(|engine| {
        if let Some(task) = &args.task {
            refuse_unknown(task, desk, engine)?;
        }
        let (since, session) = (args.since.as_deref(), args.session.as_deref());
        let closing = Closing::look(WorkQuery { task, since, session }, desk, engine)?;
        let diff = diff_of(&closing.work)?;
        let since = closing.work.since.unwrap_or(desk.now);
        let served = served(&closing, task, since, desk);
        let repository = repository_name(&desk.layout()?);
        let stretch = Stretch { since, diff, served: &served, task, repository: &repository };
        let points = engine.sessions().check_work(stretch, &closing.work)?;
        let answer = CheckedTask::of(task, &closing.work, &points);
        let code = if answer.passed { DONE } else { FINDING };
        desk.print(io, "check-task", answer, || text(&closing.work, task, &points))?;
        Ok(code)
    })
}

/// What others did says nothing about a task that nobody knows.
fn refuse_unknown(task: &str, desk: &Desk<'_>, engine: &Engine<'_>) -> Result<(), Fail> {
    refuse_bad_task(task)?;
    if is_known(task, desk, engine)? {
        return Ok(());
    }
    let message =
        format!("there is no task `{task}`: it was never started, and no memory mentions it");
    let hint = "leave the name out for the last one, or say `--since <commit>` for any work";
    Err(Refusal::new(Code::NotFound, message).with_hint(hint).into())
}

fn diff_of(work: &Work) -> Result<Diff, Fail> {
    let here = "run it in the repository of the store";
    Err(match (&work.diff, &work.no_diff) {
        (Some(diff), _) if diff.head.is_some() => return Ok(diff.clone()),
        (Some(_), _) => {
            let what = "the repository has no commit yet: there is nothing to compare with";
            Fail::usage(what, "commit something first")
        }
        (None, Some(NoDiff::Failed)) => Fail::usage("git could not tell what was changed", here),
        (None, _) => {
            Fail::usage("this is not a git repository, so there is no change to check", here)
        }
    })
}

fn served(
    closing: &Closing<'_>,
    task: Option<&str>,
    since: jiff::Timestamp,
    desk: &Desk<'_>,
) -> BTreeSet<String> {
    let served_in = |sessions: SharedSessions<'_>| match task {
        Some(task) => sessions.served_for(task, None),
        None => sessions.served_since(since),
    };
    let mut served = desk.sessions().map(served_in).unwrap_or_default();
    let state = closing.session.as_ref().map(|it| it.state()).unwrap_or_default();
    if parse_instant(&state.presence.seen_at).is_some_and(|seen| seen >= since) {
        served.extend(state.served.ever);
    }
    served
}

fn text(work: &Work, task: Option<&str>, points: &[Point]) -> String {
    let diff = work.diff.clone().unwrap_or_default();
    let name = task.map_or_else(|| visible_line(&diff.branch), visible_line);
    let base: String = diff.base.unwrap_or_default().chars().take(SHORT_ID).collect();
    let mut rows = Vec::new();
    for point in points {
        let word = match point.verdict {
            Verdict::NotNeeded => "not needed",
            verdict => verdict.as_str(),
        };
        let why = visible_line(&point.evidence.join("; "));
        rows.push([word.to_owned(), point.name.to_owned(), why]);
        if !point.next.is_empty() {
            rows.push([String::new(), String::new(), format!("next: {}", point.next)]);
        }
    }
    format!("{name}, since {base}: {}\n{}", size_of(&diff.files), table(rows))
}
