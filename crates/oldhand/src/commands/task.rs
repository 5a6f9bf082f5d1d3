//! `oldhand task`: a piece of work from its start to its end. What recall served in it learns how
//! it went.

use oldhand_app::usage::{TaskEnd, refuse_bad_task, task_name};
use oldhand_app::work::Traces;
use oldhand_core::event::Surface;
use oldhand_core::policy::SEEN_WAIT;
use oldhand_core::task::{Outcome as TaskOutcome, TaskSignals};
use oldhand_desk::desk::ground::SharedSessions;
use oldhand_screen::Screen;
use oldhand_store::port::session::TaskRecord;
use oldhand_text::strings::typed;
use wire::work::{CurrentTask, EndedTask, StartedTask};

use super::prelude::*;
use super::{anchor, said, work_text};
use oldhand_desk::closing::Closing;

pub(super) fn run(action: &TaskAction, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    match action {
        TaskAction::Start { task, objective, plan, session } => {
            // R107: a task of several steps begins with its anchor.
            let anchor = (objective.is_some() || !plan.is_empty()).then(|| AnchorArgs {
                objective: Some(objective.clone().unwrap_or_else(|| task.clone())),
                plan: plan.clone(),
                session: session.clone(),
                ..AnchorArgs::default()
            });
            start(task, session.as_deref(), anchor.as_ref(), desk, io)
        }
        TaskAction::End(args) => end(args, desk, io),
        TaskAction::Show => show(desk, io),
    }
}

fn start(
    task: &str,
    session: Option<&str>,
    anchor: Option<&AnchorArgs>,
    desk: &Desk<'_>,
    io: &mut Io<'_>,
) -> Outcome {
    let sessions = sessions(desk)?;
    let task = task_name(Some(task))?;
    refuse_bad_task(&task)?;
    // A mistake in it is reported before anything is begun.
    let anchor = anchor.map(|args| anchor::update(args, desk)).transpose()?.flatten();
    let session = desk.session_name(session);
    let head = desk.work_in(desk.layout()?, |engine| {
        Ok(engine.code.history().and_then(|history| history.snapshot(&[], SEEN_WAIT).head))
    })?;
    let begun =
        TaskRecord { task: task.clone(), head, at: format_instant(desk.now), is_under_way: true };
    let before = sessions.update_record(|record| {
        let before = record.own_task(session.as_deref()).map(str::to_owned);
        record.start_task(session.as_deref(), begun);
        before.filter(|before| *before != task)
    })?;
    if let Some(before) = &before {
        let how = format!("oldhand task end {} --outcome passed", typed(before));
        let before = visible_line(before);
        io.note("note", &format!("`{before}` was not ended; `{how}` or `failed` still can"));
    }
    let answer = StartedTask::of(&task, before.as_deref(), anchor.as_ref());
    let anchor = anchor.as_ref().map(|anchor| anchor.render().into_string()).unwrap_or_default();
    let people = |screen: &Screen| {
        let deed = Deed::about("started", visible_line(&task)).people(screen);
        if anchor.is_empty() { deed } else { format!("{deed}\n{}", screen.page(&anchor)) }
    };
    desk.present(io, "task", answer, (|| format!("started: {task}\n{anchor}"), people))?;
    // R222: time does its work when work begins, and nobody has to think of it.
    super::upkeep::sweep_if_due(desk, io)
}

fn show(desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let sessions = sessions(desk)?;
    let current = desk.current_task(None);
    let served = current.iter().flat_map(|task| sessions.served_for(task, None));
    let served: Vec<String> = served.collect();
    let answer = CurrentTask::of(current.as_deref(), &served);
    let agent = || match &current {
        None => "no task is under way\n".to_owned(),
        Some(task) => {
            let served: String = served.iter().map(|id| format!("  served  {id}\n")).collect();
            format!("task: {task}\n{served}")
        }
    };
    let people = |screen: &Screen| match &current {
        None => screen.hint("no task is under way: `oldhand task start <name>` begins one"),
        Some(task) => {
            let facts = served.iter().map(|id| ("served", id.clone())).collect();
            Deed::about("under way", visible_line(task)).with_facts(facts).people(screen)
        }
    };
    desk.present(io, "task", answer, (agent, people))
}

fn end(args: &TaskEndArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let outcome = TaskOutcome::parse(&args.outcome)?;
    let surface = args.surface.as_deref().map(Surface::parse).transpose()?;
    let sessions = sessions(desk)?;
    let session = args.session.as_deref();
    let given = args.task.clone().or_else(|| args.task_flag.clone());
    let given = given.or_else(|| desk.current_task(session)).or_else(|| args.session.clone());
    let task = task_name(given.as_deref())?;
    let served: Vec<String> = sessions.served_for(&task, session).into_iter().collect();
    let signals = TaskSignals {
        recipes: args.recipe.clone(),
        integration_conflicts: args.integration_conflict.clone(),
        ..said::signals(&args.signals)?
    };
    desk.work(|engine| {
        let closing = Closing::look_back(&task, session, desk, engine)?;
        confirm_open(closing.as_ref(), outcome, desk, io)?;
        let traces = traces(args, closing.as_ref());
        let end = TaskEnd {
            task: &task,
            outcome,
            served: &served,
            signs: traces.signs(),
            used: &args.used,
            surface,
            signals,
            notes: &args.notes,
            most_useful: &args.most_useful,
        };
        let closing = closing.as_ref().filter(|_| !args.no_summary);
        let summary =
            closing.and_then(|it| engine.sessions().summary_at_end(end.clone(), &it.work));
        let (Some(summary), Some(closing)) = (summary, closing) else {
            return acknowledge(engine, io, engine.upkeep().end_task(&end)?, |ended, io| {
                end_on_this_machine(&sessions, &task);
                let answer = EndedTask::of(&task, outcome, &ended);
                let text = || work_text::ended(&task, outcome, &ended);
                let people = |screen: &Screen| people::ended(&task, outcome, &ended, screen);
                desk.present(io, "task", answer, (text, people))
            });
        };
        let done = engine.sessions().complete(&summary.completion(desk.origin(None)?, true))?;
        let done = acknowledge(engine, io, done, |done, io| {
            end_on_this_machine(&sessions, &task);
            let ended = done.ended.clone().unwrap_or_default();
            let answer =
                EndedTask::of(&task, outcome, &ended).with_summary(&summary, &done.summary);
            let id = &done.summary.memory.id;
            let text = || {
                let ended = work_text::ended(&task, outcome, &ended);
                format!("{ended}summary: {id}\n{}", work_text::docs(&summary.docs))
            };
            let people = |screen: &Screen| {
                let ended = people::ended(&task, outcome, &ended, screen);
                let kept = Deed::of("summed up", &done.summary.memory);
                let kept = kept.with_facts(vec![("id", id.to_string())]).people(screen);
                format!("{ended}\n{kept}{}", people::docs(&summary.docs, screen))
            };
            desk.present(io, "task", answer, (text, people))?;
            Ok(done)
        })?;
        done.summary.warnings.iter().for_each(|warning| io.note("warning", warning));
        let id = done.summary.memory.id.as_str();
        closing.mark_reviewed(desk.now, id).iter().for_each(|why| io.note("note", why));
        Ok(DONE)
    })
}

fn traces(args: &TaskEndArgs, closing: Option<&Closing<'_>>) -> Traces {
    let said = std::iter::once(args.notes.clone());
    let mut traces = match closing {
        Some(closing) => Traces::of(&closing.work, said),
        None => Traces { words: said.collect(), ..Traces::default() },
    };
    if !args.path.is_empty() {
        traces.paths.clone_from(&args.path);
    }
    traces
}

/// A task that passed with open steps is worth a question, or a note where nobody can be asked.
fn confirm_open(
    closing: Option<&Closing<'_>>,
    outcome: TaskOutcome,
    desk: &Desk<'_>,
    io: &mut Io<'_>,
) -> Result<(), Fail> {
    let open: Vec<String> = closing
        .into_iter()
        .flat_map(|closing| closing.work.notes.remaining())
        .map(|item| visible_line(&item.text))
        .collect();
    if outcome != TaskOutcome::Passed || open.is_empty() {
        return Ok(());
    }
    let what = counted(open.len(), "step is", "steps are");
    let note = format!("{what} still open: {}", open.join("; "));
    if desk.flags.json || !desk.env.interactive {
        io.note("note", &note);
        return Ok(());
    }
    if io.confirm(&format!("{note}\nend it as passed all the same? [y/N] "))? {
        return Ok(());
    }
    Err(Fail::usage(
        "the task goes on; nothing was written",
        "`oldhand notes` lists the steps, `oldhand note done <n>` closes one",
    ))
}

/// Best effort: it can be ended again.
fn end_on_this_machine(sessions: &SharedSessions<'_>, task: &str) {
    let _ = sessions.update_record(|record| record.end_task(task));
}

/// A record that can't be read is no reason to forget the task that is under way.
fn sessions<'a>(desk: &Desk<'a>) -> Result<SharedSessions<'a>, Fail> {
    let sessions = desk.own_sessions()?;
    sessions.record()?;
    Ok(sessions)
}
