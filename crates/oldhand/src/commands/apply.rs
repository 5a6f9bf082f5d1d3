//! `oldhand apply`: one use of a memory, and what came of it.

use oldhand_app::Done;
use oldhand_app::transfer::signals_json;
use oldhand_app::usage::{Use, Used};
use oldhand_core::event::{Effect, Followup, Surface};
use oldhand_text::problem::Problem;
use oldhand_text::strings::visible_line;
use serde_json::{Map, Value, json};

use crate::cli::ApplyArgs;
use crate::desk::{Desk, acknowledge};
use crate::failure::{DONE, Outcome};
use crate::format::facts;
use crate::printer::Io;

pub(super) fn run(args: &ApplyArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let effect = Effect::parse(&args.effect)?;
    let surface = args.surface.as_deref().map(Surface::parse).transpose()?;
    let followup = args.followup.as_deref().map(Followup::parse).transpose()?;
    if args.with.is_some() && effect != Effect::Contradiction {
        return Err(Problem::new("effect", "`contradiction` beside `--with`", &args.effect)
            .with_fix("leave `--with` out, or say `--effect contradiction`")
            .into());
    }
    let Some(task) = args.task.clone().or_else(|| desk.current_task(None)) else {
        return Err(Problem::new("task", "the task in which it was used", "nothing")
            .with_fix("name it with `--task <id>`, or begin one with `oldhand task start <id>`")
            .into());
    };
    desk.work(|engine| {
        let one = Use {
            effect,
            task: &task,
            role: &args.applied_by,
            surface,
            followup,
            notes: &args.notes,
        };
        let done = match &args.with {
            Some(other) => engine.contradict(&args.name, other, &one)?,
            None => {
                let Done { answer, pending } = engine.apply(&args.name, &one)?;
                Done { answer: vec![answer], pending }
            }
        };
        acknowledge(engine, io, done, |used, io| {
            if desk.flags.json {
                let mut object = used.first().map(used_json).unwrap_or_default();
                object.insert("task".into(), json!(task));
                if used.len() > 1 {
                    let others = used[1..].iter().map(|it| Value::Object(used_json(it))).collect();
                    object.insert("others".into(), Value::Array(others));
                }
                return io.json("apply", object);
            }
            used.iter().try_for_each(|one| tell(one, io))
        })?;
        Ok(DONE)
    })
}

fn tell(used: &Used, io: &mut Io<'_>) -> std::io::Result<()> {
    let signals = &used.signals;
    io.text(&format!("{}: {}\n", used.effect, visible_line(&used.memory.title)))?;
    io.text(&facts(&[
        ("id", used.memory.id.to_string()),
        ("state", state_of(used)),
        ("trust", signals.trust.to_string()),
        (
            "uses",
            format!(
                "{}: {} helped, {} failed, {} contradicted",
                signals.reuse_count,
                signals.successful_reuses,
                signals.failed_reuses,
                signals.contradiction_count
            ),
        ),
    ]))
}

/// Where it stands, and where it came from if the use moved it.
pub(crate) fn state_of(used: &Used) -> String {
    match used.moved_from {
        Some(from) => {
            let why = used.memory.state_reason.as_deref().unwrap_or_default();
            format!("{from} -> {}: {why}", used.memory.state)
        }
        None => used.memory.state.to_string(),
    }
}

pub(super) fn used_json(used: &Used) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("id".into(), json!(used.memory.id.as_str()));
    object.insert("effect".into(), json!(used.effect));
    object.insert("state".into(), json!(used.memory.state));
    object.insert("moved_from".into(), json!(used.moved_from));
    object.insert("signals".into(), signals_json(&used.signals));
    object
}
