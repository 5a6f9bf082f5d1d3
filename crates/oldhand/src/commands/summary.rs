//! `oldhand summary`: what a piece of work comes to, in the one template; a task that is over ends
//! with it.

use oldhand_app::complete::{Completed, TaskSummary, put_signals};
use oldhand_app::sessions::Sessions;
use oldhand_app::usage::{TaskEnd, refuse_bad_task, task_name};
use oldhand_app::work::Traces;
use oldhand_core::task::Outcome as TaskOutcome;
use oldhand_sessions::completion::Ending;
use oldhand_text::strings::typed;
use wire::work::TaskSummaryAnswer;

use super::prelude::*;
use super::{said, work_text};
use oldhand_desk::closing::{Closing, WorkQuery, is_known};

pub(super) fn run(args: &SummaryArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let mut said = said::summary(&args.said)?;
    let signals = said::signals(&args.signals)?;
    put_signals(&mut said, &signals);
    let session = args.said.session.as_deref();
    let given = args.task.clone().or_else(|| desk.current_task(session));
    let task = task_name(given.or_else(|| args.said.session.clone()).as_deref())?;
    refuse_bad_task(&task)?;
    desk.work(|engine| {
        let query = WorkQuery { task: Some(&task), since: args.said.since.as_deref(), session };
        let closing = Closing::look(query, desk, engine)?;
        let sessions = desk.sessions();
        let session = closing.session.as_ref().map(|session| session.name.as_str());
        let served: Vec<String> =
            sessions.iter().flat_map(|it| it.served_for(&task, session)).collect();
        let words = said.content.iter().map(|(_, value)| value.plain());
        let traces = Traces::of(&closing.work, words);
        let end = TaskEnd {
            task: &task,
            // How it really ends is said in the summary.
            outcome: TaskOutcome::Passed,
            served: &served,
            signs: traces.signs(),
            used: &[],
            surface: None,
            signals,
            notes: "",
            most_useful: &[],
        };
        let summary = engine.sessions().task_summary(end, &closing.work, said);
        if !is_known(&task, desk, engine)? {
            say_unknown(&task, io);
        }
        let completion = summary.completion(desk.origin(None)?, false);
        if args.said.dry_run {
            let done = engine.preview().sessions().complete(&completion)?.answer;
            let answer = TaskSummaryAnswer::of(&summary, &done, true);
            return desk.print(io, "summary", answer, || text(&summary, &done, true));
        }
        let done = engine.sessions().complete(&completion)?;
        let done = acknowledge(engine, io, done, |done, io| {
            let answer = TaskSummaryAnswer::of(&summary, &done, false);
            desk.print(io, "summary", answer, || text(&summary, &done, false))?;
            Ok(done)
        })?;
        done.summary.warnings.iter().for_each(|warning| io.note("warning", warning));
        if done.ending().of_task().is_some() {
            say_open(&closing, done.ending(), io);
            let id = done.summary.memory.id.as_str();
            closing.mark_reviewed(desk.now, id).iter().for_each(|why| io.note("note", why));
            if let Some(sessions) = &sessions {
                // Best effort: it can be ended again.
                let _ = sessions.update_record(|record| record.end_task(&task));
            }
        }
        Ok(DONE)
    })
}

fn say_unknown(task: &str, io: &mut Io<'_>) {
    let typed = typed(task);
    let note = format!(
        "`{task}` was not started here: what belongs to it is a guess; next time start it with \
         `oldhand task start {typed}`"
    );
    io.note("note", &note);
}

/// A success with open steps is worth a second look.
fn say_open(closing: &Closing<'_>, ending: Ending, io: &mut Io<'_>) {
    let open = closing.work.notes.remaining().count();
    if ending == Ending::Success && open > 0 {
        let what = counted(open, "item is", "items are");
        io.note("note", &format!("{what} not done: see next actions"));
    }
}

fn text(summary: &TaskSummary<'_>, done: &Completed, is_dry: bool) -> String {
    let (written, ending, work) = (&done.summary, done.ending(), summary.work);
    let title = visible_line(&written.memory.title);
    let mut out = format!(
        "# {title}\noutcome: {ending}, scale: {} ({})\n\n{}\n",
        work.scale(),
        work.size(),
        visible(&done.told().render())
    );
    if !is_dry {
        out.push_str(&format!("summary: {} ({})\n", written.memory.id, written.action.as_str()));
        if let (Some(ended), Some(outcome)) = (&done.ended, ending.of_task()) {
            out.push_str(&work_text::ended(summary.end.task, outcome, ended));
        }
        out.push_str(&work_text::lessons(&done.learned));
    }
    out.push_str(&work_text::docs(&summary.docs));
    if is_dry {
        out.push_str("nothing was written\n");
    }
    out
}
