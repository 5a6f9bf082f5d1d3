//! `oldhand task`: a piece of work from its start to its end. What recall served in it learns how
//! it went.

use oldhand_core::event::Surface;
use oldhand_core::problem::Problem;
use oldhand_core::task::{Outcome as TaskOutcome, TaskSignals};
use oldhand_engine::usage::{TaskEnd, TaskEnded};
use serde_json::{Map, Value, json};

use super::apply::{state_of, used_json};
use super::learn::{learned_json, row};
use crate::cli::{TaskAction, TaskArgs, TaskEndArgs};
use crate::desk::{Desk, acknowledge};
use crate::failure::{DONE, Outcome};
use crate::format::columns;
use crate::printer::Io;
use crate::receipt::Receipts;

pub(super) fn run(args: &TaskArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    match &args.action {
        TaskAction::Start { task } => start(task, desk, io),
        TaskAction::End(args) => end(args, desk, io),
        TaskAction::Show => show(desk, io),
    }
}

fn start(task: &str, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let receipts = receipts(desk)?;
    let task = name(Some(task))?;
    let before = receipts.current_task().filter(|before| *before != task);
    receipts.start_task(&task)?;
    if let Some(before) = &before {
        io.note(
            "note",
            &format!("`{before}` was not ended; `oldhand task end {before}` still can"),
        );
    }
    if desk.flags.json {
        let mut object = Map::new();
        object.insert("task".into(), json!(task));
        object.insert("not_ended".into(), json!(before));
        io.json("task", object)?;
    } else {
        io.text(&format!("started: {task}\n"))?;
    }
    // R222: time does its work when work begins, and nobody has to think of it.
    super::sweep::if_due(desk, io)
}

fn show(desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let receipts = receipts(desk)?;
    let current = receipts.current_task();
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
        given.or_else(|| receipts.current_task()).or_else(|| args.session.clone()).as_deref(),
    )?;
    let served: Vec<String> =
        receipts.served_for(&task, args.session.as_deref()).into_iter().collect();
    let signals = TaskSignals {
        failure_class: args.failure_class.clone(),
        concerns: args.concern.clone(),
        recovery_class: args.recovery_class.clone(),
        task_kind: args.task_kind.clone(),
        self_check: args.self_check,
        recipes: args.recipe.clone(),
        integration_conflicts: args.integration_conflict.clone(),
    };
    desk.work(|engine| {
        let done = engine.end_task(&TaskEnd {
            task: &task,
            outcome,
            served: &served,
            relevant: None,
            paths: &args.path,
            surface,
            signals,
            notes: &args.notes,
            most_useful: &args.most_useful,
        })?;
        acknowledge(engine, io, done, |ended, io| {
            receipts.end_task(&task);
            if desk.flags.json {
                return io.json("task", to_json(&task, outcome, ended));
            }
            tell(&task, outcome, ended, io)
        })?;
        Ok(DONE)
    })
}

fn tell(
    task: &str,
    outcome: TaskOutcome,
    ended: &TaskEnded,
    io: &mut Io<'_>,
) -> std::io::Result<()> {
    let count = ended.used.len();
    io.text(&format!("{outcome}: {task}, {count} used\n"))?;
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
    io.text(&columns(&ended.learned.iter().map(row).collect::<Vec<_>>()))
}

fn to_json(task: &str, outcome: TaskOutcome, ended: &TaskEnded) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("task".into(), json!(task));
    object.insert("outcome".into(), json!(outcome));
    let used = ended.used.iter().map(|it| Value::Object(used_json(it))).collect();
    object.insert("used".into(), Value::Array(used));
    object.insert("told_before".into(), json!(ended.told));
    object.insert("not_in_store".into(), json!(ended.gone));
    let learned = ended.learned.iter().map(|it| learned_json(it, task)).collect();
    object.insert("learned".into(), Value::Array(learned));
    object
}

fn name(task: Option<&str>) -> Result<String, Problem> {
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
