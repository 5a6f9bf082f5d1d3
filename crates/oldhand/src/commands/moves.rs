//! `retire`, `forget`, `restore`, `archive`, `unarchive`, `verify`: one memory between states; and
//! `undo`, the last write taken back.

use oldhand_core::state::State;
use oldhand_screen::Screen;
use wire::memory::ForgetQuestion;

use super::bulk::Chosen;
use super::prelude::*;
use super::written::{Words, tell};

pub(super) fn retire(args: &RetireArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        let active = State::ALL.iter().copied().filter(|it| it.is_active()).collect();
        let chosen = Chosen::of(&args.names, args.source.as_deref(), active, engine)?.with_held();
        if !chosen.is_confirmed("retire", args.yes, desk, io)? {
            return Ok(FINDING);
        }
        chosen.each(engine, desk, io, |engine, name, io| {
            let hint = format!("`oldhand restore {name}` brings it back");
            let words = Words::new("retire", "retired").with_hint(hint);
            tell(engine, desk, io, engine.life().retire(name, &args.reason)?, &words)
        })
    })
}

/// Shows the memory, asks, and retires it. Without a terminal nobody is asked, and nothing is done.
pub(super) fn forget(args: &ForgetArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        let name = &args.name;
        let stored = engine.get(name)?;
        if !args.yes {
            if desk.flags.json {
                io.json("forget", ForgetQuestion::of(engine.exchange().export(&stored)?, name))?;
                return Ok(FINDING);
            }
            let signals = engine.signals(&stored.memory)?;
            io.text(&match desk.screen() {
                Some(it) => people::show(&stored, &signals, &engine.settings.kinds, &it),
                None => visible(&stored.text),
            })?;
            if !desk.env.interactive {
                let hint = format!("nothing was forgotten: `oldhand forget {name} --yes` does it");
                io.note("note", &hint);
                return Ok(FINDING);
            }
            if !io.confirm("\nforget it? It can be restored. [y/N] ")? {
                io.text("nothing was forgotten\n")?;
                return Ok(DONE);
            }
        }
        let reason = if args.reason.is_empty() { "forgotten on request" } else { &args.reason };
        let hint = format!("`oldhand restore {name}` brings it back");
        let words = Words::new("forget", "forgotten").with_hint(hint);
        tell(engine, desk, io, engine.life().retire(name, reason)?, &words)
    })
}

pub(super) fn restore(args: &RestoreArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        let done = match &args.version {
            Some(version) => engine.trail().restore_version(&args.name, version)?,
            None => engine.life().restore(&args.name)?,
        };
        tell(engine, desk, io, done, &Words::new("restore", "restored"))
    })
}

pub(super) fn archive(args: &ReasonArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let hint = format!("`oldhand unarchive {}` brings it back", args.name);
    let words = Words::new("archive", "archived").with_hint(hint);
    desk.work(|engine| {
        tell(engine, desk, io, engine.life().archive(&args.name, &args.reason)?, &words)
    })
}

pub(super) fn unarchive(args: &NameArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let words = Words::new("unarchive", "unarchived");
    desk.work(|engine| tell(engine, desk, io, engine.life().unarchive(&args.name)?, &words))
}

/// Somebody looked, and it still holds.
pub(super) fn verify(args: &NameArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let words = Words::new("verify", "verified");
    desk.work(|engine| tell(engine, desk, io, engine.writing().verify(&args.name)?, &words))
}

pub(super) fn undo(args: &UndoArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        let done = match args.steps {
            Some(steps) => engine.trail().undo_steps(steps.into())?,
            None => engine.trail().undo()?,
        };
        acknowledge(engine, io, done, |undone, io| {
            let again = "`oldhand undo` again brings it back";
            let agent = || {
                let steps: String = undone.steps.iter().map(|step| format!("{step}\n")).collect();
                format!("{steps}hint: {again}\n")
            };
            let people = |screen: &Screen| {
                let steps: String = undone.steps.iter().map(|step| screen.done(step)).collect();
                steps + &screen.hint(again)
            };
            desk.present(io, "undo", &undone, (agent, people))
        })
    })
}
