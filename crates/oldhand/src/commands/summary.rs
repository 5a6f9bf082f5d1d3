//! `oldhand summary`: what a piece of work comes to, in the one template, and the end of its task;
//! `oldhand handoff`: work goes to another role with everything that it needs, or not at all.

use oldhand_app::complete::{Completed, TaskSummary, put_signals};
use oldhand_app::handoff::Handoff;
use oldhand_app::usage::{TaskEnd, refuse_bad_task, task_name};
use oldhand_app::work::Traces;
use oldhand_app::written::Written;
use oldhand_core::policy::HANDOFF_EXCHANGES_MAX;
use oldhand_core::task::Outcome as TaskOutcome;
use oldhand_screen::Screen;
use oldhand_sessions::completion::Ending;
use oldhand_text::strings::typed;
use wire::work::{HandoffAnswer, TaskSummaryAnswer};

use super::prelude::*;
use super::{said, work_text};
use oldhand_desk::closing::{Closing, WorkQuery, is_known};
use oldhand_desk::desk::SOMEBODY;

pub(super) fn summary(args: &SummaryArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
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
            let note = format!(
                "`{task}` was not started here: what belongs to it is a guess; next time start it \
                 with `oldhand task start {}`",
                typed(&task)
            );
            io.note("note", &note);
        }
        let completion = summary.completion(desk.origin(None)?, false);
        if args.said.dry_run {
            let done = engine.preview().sessions().complete(&completion)?.answer;
            let answer = TaskSummaryAnswer::of(&summary, &done, true);
            return desk.present(io, "summary", answer, forms(&summary, &done, true));
        }
        let done = engine.sessions().complete(&completion)?;
        let done = acknowledge(engine, io, done, |done, io| {
            let answer = TaskSummaryAnswer::of(&summary, &done, false);
            desk.present(io, "summary", answer, forms(&summary, &done, false))?;
            Ok(done)
        })?;
        done.summary.warnings.iter().for_each(|warning| io.note("warning", warning));
        if done.ending().of_task().is_some() {
            let open = closing.work.notes.remaining().count();
            // A success with open steps is worth a second look.
            if done.ending() == Ending::Success && open > 0 {
                let what = counted(open, "item is", "items are");
                io.note("note", &format!("{what} not done: see next actions"));
            }
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

fn summary_text(summary: &TaskSummary<'_>, done: &Completed, is_dry: bool) -> String {
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

/// As agents read it, and as people do.
fn forms(
    summary: &TaskSummary<'_>,
    done: &Completed,
    is_dry: bool,
) -> (impl FnOnce() -> String, impl FnOnce(&Screen) -> String) {
    let people = move |screen: &Screen| summary_seen(summary, done, is_dry, screen);
    (move || summary_text(summary, done, is_dry), people)
}

fn summary_seen(
    summary: &TaskSummary<'_>,
    done: &Completed,
    is_dry: bool,
    screen: &Screen,
) -> String {
    let (written, ending, work) = (&done.summary, done.ending(), summary.work);
    let facts = vec![
        ("outcome", ending.to_string()),
        ("scale", format!("{} ({})", work.scale(), work.size())),
        ("id", if is_dry { String::new() } else { written.memory.id.to_string() }),
    ];
    let verb = if is_dry { "would sum up" } else { "summed up" };
    let deed = Deed::about(verb, written.memory.title.clone()).with_facts(facts);
    let mut out = format!("{}\n{}", deed.people(screen), screen.body(&done.told().render(), 2));
    if let (false, Some(ended), Some(outcome)) = (is_dry, &done.ended, ending.of_task()) {
        out.push_str(&format!("\n{}", people::ended(summary.end.task, outcome, ended, screen)));
    }
    if !is_dry && !done.learned.is_empty() {
        out.push_str(&format!("\n{}", people::lessons(&done.learned, screen)));
    }
    out + &people::docs(&summary.docs, screen)
}

pub(super) fn handoff(args: &HandoffArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let to = said::role("--to", &args.to)?;
    let from = args.from.as_deref().map(|from| said::role("--from", from)).transpose()?;
    let said = said::summary(&args.said)?;
    let session = args.said.session.as_deref();
    let task = args.task.clone().or_else(|| desk.current_task(session));
    let task = task.as_deref();
    task.map_or(Ok(()), refuse_bad_task)?;
    desk.work(|engine| {
        // "From somebody" tells the next one nothing: then it is asked for.
        let by = || Some(engine.by).filter(|by| *by != SOMEBODY).unwrap_or_default().to_owned();
        let query = WorkQuery { task, since: args.said.since.as_deref(), session };
        let closing = Closing::look(query, desk, engine)?;
        let handoff = Handoff::of(task, (from.unwrap_or_else(by), to), said, &closing.work)?;
        if is_compaction_due(&closing) {
            io.note("note", "compaction is due before a handoff: oldhand compact");
        }
        let completion = handoff.completion(desk.origin(None)?);
        if args.said.dry_run {
            engine.preview().sessions().complete(&completion)?;
            let answer = HandoffAnswer::of(&handoff, None);
            let people = |screen: &Screen| handoff_seen(&handoff, None, screen);
            return desk.present(io, "handoff", answer, (|| handoff_text(&handoff, None), people));
        }
        let done =
            acknowledge(engine, io, engine.sessions().complete(&completion)?, |done, io| {
                let written = Some(&done.summary);
                let answer = HandoffAnswer::of(&handoff, written);
                let people = |screen: &Screen| handoff_seen(&handoff, written, screen);
                let text = || handoff_text(&handoff, written);
                desk.present(io, "handoff", answer, (text, people))?;
                Ok(done)
            })?;
        done.summary.warnings.iter().for_each(|warning| io.note("warning", warning));
        Ok(DONE)
    })
}

/// R163: what was only said in a long conversation is not in the artifact.
fn is_compaction_due(closing: &Closing<'_>) -> bool {
    let state = closing.session.as_ref().map(|it| it.state()).unwrap_or_default();
    let is_long = |exchanges: usize| exchanges > HANDOFF_EXCHANGES_MAX;
    let has_none = closing.work.compacted.is_none();
    is_long(state.compaction.prompts) || has_none && is_long(closing.work.working.exchanges)
}

fn handoff_text(handoff: &Handoff<'_>, written: Option<&Written>) -> String {
    let of = handoff.task.map(|task| format!(" of {task}")).unwrap_or_default();
    let (from, to) = (visible_line(&handoff.from), visible_line(&handoff.to));
    let body = AgentText::body(&handoff.summary.render());
    let end = match written {
        Some(it) => format!("handoff: {} ({})\n", it.memory.id, it.action.as_str()),
        None => "nothing was written\n".to_owned(),
    };
    format!("# Handoff{of} from {from} to {to}\n\n{body}\n{end}")
}

fn handoff_seen(handoff: &Handoff<'_>, written: Option<&Written>, screen: &Screen) -> String {
    let verb = if written.is_some() { "handed over" } else { "would hand over" };
    let title = handoff.task.unwrap_or("the work").to_owned();
    let facts = vec![
        ("from", visible_line(&handoff.from)),
        ("to", visible_line(&handoff.to)),
        ("id", written.map(|it| it.memory.id.to_string()).unwrap_or_default()),
    ];
    let deed = Deed::about(verb, title).with_facts(facts).people(screen);
    format!("{deed}\n{}", screen.body(&handoff.summary.render(), 2))
}
