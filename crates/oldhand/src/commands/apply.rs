//! `oldhand apply`: one use of a memory, and what came of it.

use oldhand_app::usage::{Use, Used};
use oldhand_core::event::{Effect, Followup, Surface};
use wire::memory::Applied;

use super::prelude::*;

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
        let (role, notes) = (args.applied_by.as_str(), args.notes.as_str());
        let one = Use { effect, task: &task, role, surface, followup, notes };
        let done = engine.upkeep().use_memory(&args.name, args.with.as_deref(), &one)?;
        acknowledge(engine, io, done, |used, io| {
            let text = || used.iter().map(text_of).collect();
            desk.print(io, "apply", Applied::of(&used, &task), text)
        })
    })
}

fn text_of(used: &Used) -> String {
    let signals = &used.signals;
    let uses = format!(
        "{}: {} helped, {} failed, {} contradicted",
        signals.reuse_count,
        signals.successful_reuses,
        signals.failed_reuses,
        signals.contradiction_count
    );
    let facts = facts(&[
        ("id", used.memory.id.to_string()),
        ("state", used.state_line()),
        ("trust", signals.trust.to_string()),
        ("uses", uses),
    ]);
    format!("{}: {}\n{facts}", used.effect, visible_line(&used.memory.title))
}
