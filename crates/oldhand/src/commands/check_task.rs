//! `oldhand check-task`: was the memory kept while the work was done? Six points, answered from the
//! store's log and the change alone, so that CI can ask too; this machine's notes add what they know.

use std::collections::BTreeSet;

use oldhand_app::Engine;
use oldhand_app::conform::Stretch;
use oldhand_app::usage::refuse_bad_task;
use oldhand_core::refusal::{Code, Refusal};
use oldhand_sessions::completion::change::NoDiff;
use oldhand_sessions::conformance::{Point, Verdict, judge, size_of};
use oldhand_text::strings::visible_line;
use oldhand_text::time::{format_instant, parse_instant};
use serde_json::{Map, Value, json};

use super::summary::is_known;
use crate::architecture::repository_name;
use crate::cli::CheckTaskArgs;
use crate::closing::{Ask, Closing};
use crate::desk::Desk;
use crate::failure::{DONE, FINDING, Fail, Outcome};
use crate::format::columns;
use crate::printer::Io;

/// Characters of a commit's name that people compare.
const SHORT_ID: usize = 10;

pub(super) fn run(args: &CheckTaskArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let session = desk.session_name(args.session.as_deref());
    let last = || desk.receipts()?.last_base(session.as_deref()).map(|base| base.task);
    let task = args.task.clone().or_else(|| last().filter(|_| args.since.is_none()));
    desk.work(|engine| {
        if let Some(task) = &args.task {
            refuse_unknown(task, desk, engine)?;
        }
        let ask = Ask {
            task: task.as_deref(),
            since: args.since.as_deref(),
            session: args.session.as_deref(),
        };
        let closing = Closing::look(ask, desk, engine)?;
        let points = points(&closing, task.as_deref(), desk, engine)?;
        let is_well = points.iter().all(|point| point.verdict != Verdict::Failed);
        if desk.flags.json {
            io.json("check-task", to_json(&closing, task.as_deref(), &points))?;
        } else {
            tell(&closing, task.as_deref(), &points, io)?;
        }
        Ok(if is_well { DONE } else { FINDING })
    })
}

/// What others did says nothing about a task that nobody knows.
fn refuse_unknown(task: &str, desk: &Desk<'_>, engine: &Engine<'_>) -> Result<(), Fail> {
    refuse_bad_task(task)?;
    if is_known(task, desk, engine)? {
        return Ok(());
    }
    let message = format!("there is no task `{task}`: nobody has started it, nothing tells of it");
    let hint = "leave the name out for the last one, or say `--since <commit>` for any work";
    Err(Refusal::new(Code::NotFound, message).with_hint(hint).into())
}

fn points(
    closing: &Closing,
    task: Option<&str>,
    desk: &Desk<'_>,
    engine: &Engine<'_>,
) -> Result<Vec<Point>, Fail> {
    let diff = match &closing.diff {
        Some(diff) if diff.head.is_some() => diff.clone(),
        Some(_) => {
            return Err(Fail::usage(
                "the repository has no commit yet: there is nothing to compare with",
                "commit something first",
            ));
        }
        None => {
            let what = match closing.no_diff {
                Some(NoDiff::Failed) => "git could not tell what was changed",
                _ => "this is no git repository: nobody knows what was changed",
            };
            return Err(Fail::usage(what, "run it in the repository of the store"));
        }
    };
    let since = closing.since.unwrap_or(desk.now);
    let state = closing.session.as_ref().map(crate::session::Session::state).unwrap_or_default();
    let mut served: BTreeSet<String> = BTreeSet::new();
    if let Some(receipts) = desk.receipts() {
        served.extend(match task {
            Some(task) => receipts.served_for(task, None),
            None => receipts.served_since(since),
        });
    }
    if parse_instant(&state.seen_at).is_some_and(|seen| seen >= since) {
        served.extend(state.ever_served);
    }
    let repository = repository_name(&desk.layout()?);
    let stretch = Stretch { since, diff, served: &served, task, repository: &repository };
    let mut evidence = engine.evidence(stretch)?;
    evidence.task = task.unwrap_or_default().to_owned();
    evidence.notes_open = closing.notes_open();
    evidence.noted_at = parse_instant(&closing.notes.updated_at);
    evidence.steps = closing.notes.items.iter().filter(|item| item.is_step).count();
    let open = closing.notes.items.iter().filter(|item| item.is_step && item.is_open());
    evidence.steps_open = open.count();
    evidence.anchored_at =
        parse_instant(&closing.notes.anchored_at).filter(|at| *at >= since).map(format_instant);
    Ok(judge(&evidence))
}

fn tell(
    closing: &Closing,
    task: Option<&str>,
    points: &[Point],
    io: &mut Io<'_>,
) -> std::io::Result<()> {
    let diff = closing.diff.clone().unwrap_or_default();
    let name = task.map_or_else(|| visible_line(&diff.branch), visible_line);
    let base: String = diff.base.unwrap_or_default().chars().take(SHORT_ID).collect();
    io.text(&format!("{name}, since {base}: {}\n", size_of(&diff.files)))?;
    let mut rows = Vec::new();
    for point in points {
        let word = match point.verdict {
            Verdict::NotNeeded => "not needed",
            verdict => verdict.as_str(),
        };
        let why = visible_line(&point.evidence.join("; "));
        rows.push(vec![word.to_owned(), point.name.to_owned(), why]);
        if !point.next.is_empty() {
            rows.push(vec![String::new(), String::new(), format!("next: {}", point.next)]);
        }
    }
    io.text(&columns(&rows))
}

fn to_json(closing: &Closing, task: Option<&str>, points: &[Point]) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("task".into(), json!(task));
    object.insert("since".into(), json!(closing.since.map(format_instant)));
    closing.code_json(&mut object);
    let is_well = points.iter().all(|point| point.verdict != Verdict::Failed);
    object.insert("passed".into(), json!(is_well));
    let points = points.iter().map(|point| {
        json!({"name": point.name, "verdict": point.verdict, "evidence": point.evidence,
               "next": point.next})
    });
    object.insert("points".into(), Value::Array(points.collect()));
    object
}
