//! `oldhand task`: a piece of work from its start to its end. What recall served in it learns how
//! it went.

use oldhand_app::create::Written;
use oldhand_app::usage::{TaskEnd, TaskEnded, refuse_bad_task};
use oldhand_core::event::{Effect, Surface};
use oldhand_core::policy::SEEN_WAIT;
use oldhand_core::task::{Outcome as TaskOutcome, TaskSignals};
use oldhand_store::port::CodeHistory;
use oldhand_text::problem::Problem;
use oldhand_text::strings::{counted, typed, visible_line};
use serde_json::{Map, Value, json};

use super::apply::{state_of, used_json};
use super::learn::{learned_json, row};
use super::summary;
use crate::cli::{AnchorArgs, TaskAction, TaskArgs, TaskEndArgs};
use crate::closing::{self, Closing, Traces};
use crate::desk::{Desk, acknowledge};
use crate::failure::{DONE, Fail, Outcome};
use crate::format::columns;
use crate::printer::Io;
use crate::receipt::{Receipts, TaskBase};

pub(super) fn run(args: &TaskArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    match &args.action {
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
    let receipts = receipts(desk)?;
    let task = name(Some(task))?;
    refuse_bad_task(&task)?;
    // A mistake in it is said before anything is begun.
    let anchor = anchor.map(|args| super::anchor::updated(args, desk)).transpose()?;
    let session = desk.session_name(session);
    let before = receipts.own_task(session.as_deref()).filter(|before| *before != task);
    let history = desk.repository(&desk.layout()?).history;
    let head = history.look(&[], SEEN_WAIT).head;
    let base = TaskBase { task: task.clone(), head, at: desk.now };
    receipts.start_task(session.as_deref(), &base)?;
    if let Some(before) = &before {
        let how = format!("oldhand task end {} --outcome passed", typed(before));
        let before = visible_line(before);
        io.note("note", &format!("`{before}` was not ended; `{how}` or `failed` still can"));
    }
    if desk.flags.json {
        let mut object = Map::new();
        object.insert("task".into(), json!(task));
        object.insert("not_ended".into(), json!(before));
        if let Some(anchor) = anchor.flatten() {
            object.insert("anchor".into(), Value::Object(anchor.to_json()));
        }
        io.json("task", object)?;
    } else {
        io.text(&format!("started: {task}\n"))?;
        if let Some(anchor) = anchor.flatten() {
            io.text(&anchor.render())?;
        }
    }
    // R222: time does its work when work begins, and nobody has to think of it.
    super::sweep::if_due(desk, io)
}

fn show(desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let receipts = receipts(desk)?;
    let current = desk.current_task(None);
    let served: Vec<String> = current
        .as_deref()
        .map(|task| receipts.served_for(task, None).into_iter().collect())
        .unwrap_or_default();
    if desk.flags.json {
        let mut object = Map::new();
        object.insert("task".into(), json!(current));
        object.insert("served".into(), json!(served));
        io.json("task", object)?;
        return Ok(DONE);
    }
    match current {
        None => io.text("no task is under way\n")?,
        Some(task) => {
            io.text(&format!("task: {task}\n"))?;
            for id in served {
                io.text(&format!("  served  {id}\n"))?;
            }
        }
    }
    Ok(DONE)
}

fn end(args: &TaskEndArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let outcome = TaskOutcome::parse(&args.outcome)?;
    let surface = args.surface.as_deref().map(Surface::parse).transpose()?;
    let receipts = receipts(desk)?;
    let given = args.task.clone().or_else(|| args.task_flag.clone());
    let task = name(
        given
            .or_else(|| desk.current_task(args.session.as_deref()))
            .or_else(|| args.session.clone())
            .as_deref(),
    )?;
    let served: Vec<String> =
        receipts.served_for(&task, args.session.as_deref()).into_iter().collect();
    let signals = TaskSignals {
        recipes: args.recipe.clone(),
        integration_conflicts: args.integration_conflict.clone(),
        ..closing::signals(&args.signals)?
    };
    desk.work(|engine| {
        let closing = summary::look_back(&task, args.session.as_deref(), desk, engine)?;
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
        let summed_up = match closing.filter(|_| !args.no_summary) {
            None => None,
            Some(closing) => summary::at_end(&end, closing, desk, engine)?,
        };
        let Some((ready, done)) = summed_up else {
            acknowledge(engine, io, engine.end_task(&end)?, |ended, io| {
                receipts.end_task(&task);
                tell_end(&end, ended, None, desk, io)
            })?;
            return Ok(DONE);
        };
        let done = acknowledge(engine, io, done, |done, io| {
            receipts.end_task(&task);
            let ended = done.ended.clone().unwrap_or_default();
            tell_end(&end, &ended, Some((&ready, &done.summary)), desk, io)
        })?;
        done.summary.warnings.iter().for_each(|warning| io.note("warning", warning));
        ready.closing.mark_reviewed(desk.now, done.summary.memory.id.as_str(), io);
        Ok(DONE)
    })
}

fn traces(args: &TaskEndArgs, closing: Option<&Closing>) -> Traces {
    let said = std::iter::once(args.notes.clone());
    let mut traces = match closing {
        Some(closing) => Traces::of(closing, said),
        None => Traces { words: said.collect(), ..Traces::default() },
    };
    if !args.path.is_empty() {
        traces.paths.clone_from(&args.path);
    }
    traces
}

/// A task that passed with open steps is worth a question, or a word where nobody can be asked.
fn confirm_open(
    closing: Option<&Closing>,
    outcome: TaskOutcome,
    desk: &Desk<'_>,
    io: &mut Io<'_>,
) -> Result<(), Fail> {
    let open: Vec<String> = closing
        .into_iter()
        .flat_map(|closing| closing.notes.remaining())
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
    let answer = io.ask(&format!("{note}\nend it as passed all the same? [y/N] "))?;
    match answer.as_str() {
        "y" | "Y" | "yes" => Ok(()),
        _ => Err(Fail::usage(
            "the task goes on; nothing was written",
            "`oldhand notes` lists the steps, `oldhand note done <n>` closes one",
        )),
    }
}

fn tell_end(
    end: &TaskEnd<'_>,
    ended: &TaskEnded,
    summed_up: Option<(&summary::Job<'_>, &Written)>,
    desk: &Desk<'_>,
    io: &mut Io<'_>,
) -> std::io::Result<()> {
    if desk.flags.json {
        let mut object = to_json(end.task, end.outcome, ended);
        if let Some((ready, written)) = summed_up {
            object.insert("summary".into(), json!(written.memory.id.as_str()));
            object.insert("docs_to_check".into(), ready.docs_json());
        }
        return io.json("task", object);
    }
    tell(end.task, end.outcome, ended, io)?;
    if let Some((ready, written)) = summed_up {
        io.text(&format!("summary: {}\n", written.memory.id))?;
        ready.tell_docs(io)?;
    }
    Ok(())
}

pub(super) fn tell(
    task: &str,
    outcome: TaskOutcome,
    ended: &TaskEnded,
    io: &mut Io<'_>,
) -> std::io::Result<()> {
    let served = ended.used.len();
    let count = ended.used.iter().filter(|used| used.effect != Effect::Neutral).count();
    let used = match served + ended.told.len() + ended.gone.len() + ended.refused.len() {
        0 => String::new(),
        _ if count == served => format!(", {count} used"),
        _ => format!(", {count} of {served} used"),
    };
    io.text(&format!("{outcome}: {task}{used}\n"))?;
    let rows: Vec<Vec<String>> = ended
        .used
        .iter()
        .map(|used| {
            vec![
                format!("  {}", used.effect),
                used.memory.id.to_string(),
                format!("trust {}", used.signals.trust),
                state_of(used),
            ]
        })
        .collect();
    io.text(&columns(&rows))?;
    for id in &ended.told {
        io.text(&format!("  told before  {id}\n"))?;
    }
    for id in &ended.gone {
        io.text(&format!("  not in this store  {id}\n"))?;
    }
    for (id, why) in &ended.refused {
        io.text(&format!("  not counted  {id}: {}\n", visible_line(why)))?;
    }
    io.text(&columns(&ended.learned.iter().map(row).collect::<Vec<_>>()))?;
    if let Some(one) = ended.used.iter().find(|used| used.effect == Effect::Neutral) {
        let effect = match outcome {
            TaskOutcome::Passed => Effect::Positive,
            TaskOutcome::Failed => Effect::Negative,
        };
        io.text(&format!(
            "hint: nothing shows that the neutral ones were used; `oldhand apply {} --effect {effect} \
             --task {}` says so\n",
            one.memory.id,
            typed(task)
        ))?;
    }
    Ok(())
}

pub(super) fn to_json(task: &str, outcome: TaskOutcome, ended: &TaskEnded) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("task".into(), json!(task));
    object.insert("outcome".into(), json!(outcome));
    let used = ended.used.iter().map(|it| Value::Object(used_json(it))).collect();
    object.insert("used".into(), Value::Array(used));
    object.insert("told_before".into(), json!(ended.told));
    object.insert("not_in_store".into(), json!(ended.gone));
    if !ended.refused.is_empty() {
        let refused = ended.refused.iter().map(|(id, why)| json!({"id": id, "why": why})).collect();
        object.insert("not_counted".into(), Value::Array(refused));
    }
    let learned = ended.learned.iter().map(|it| learned_json(it, task)).collect();
    object.insert("learned".into(), Value::Array(learned));
    object
}

pub(super) fn name(task: Option<&str>) -> Result<String, Problem> {
    match task.map(str::trim).filter(|task| !task.is_empty()) {
        Some(task) => Ok(task.to_owned()),
        None => Err(Problem::new("task", "the name of a task", "nothing")
            .with_fix("name it, or begin one with `oldhand task start <id>`")),
    }
}

fn receipts(desk: &Desk<'_>) -> Result<Receipts, crate::failure::Fail> {
    desk.layout()?;
    desk.receipts().ok_or_else(|| {
        crate::failure::Fail::usage(
            "there is no place for this machine's own notes",
            "set `HOME` or `XDG_STATE_HOME` to a folder of yours",
        )
    })
}
