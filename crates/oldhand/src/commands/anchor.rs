//! `oldhand anchor`: what the work is for and where it is, shown and brought up to date (R92, R93).

use super::prelude::*;
use oldhand_sessions::anchor::Anchor;
use oldhand_sessions::notes::{NoteKind, Notes, What, checked};

const BOUND: usize = 3;
/// A plan of more steps is several plans.
const STEPS_MAX: usize = 99;

pub(super) fn run(args: &AnchorArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let Some(anchor) = update(args, desk)? else {
        let message = "this session has no anchor yet".to_owned();
        if desk.flags.json {
            let hint = "say what the work is for: `oldhand anchor --objective \"…\" --plan \"…\"`";
            return Err(Refusal::new(Code::NotFound, message).with_hint(hint).into());
        }
        io.text(&format!(
            "{message}; say what the work is for:\n  oldhand anchor --objective \"…\" --plan \"first step\" --plan \"second step\"\n"
        ))?;
        return Ok(FINDING);
    };
    desk.print(io, "anchor", &anchor, || anchor.render())
}

/// The anchor after what was said; `None` when nobody has said what the work is for.
pub(super) fn update(args: &AnchorArgs, desk: &Desk<'_>) -> Result<Option<Anchor>, Fail> {
    let session = desk.session(args.session.as_deref())?;
    let notes = session.update_notes(desk.now, |notes| news(args, notes))?;
    let Some(bare) = Anchor::of(&notes, &session.state().working, Vec::new()) else {
        return Ok(None);
    };
    desk.read(|reading| {
        let sessions = reading.engine.sessions();
        let constraints = sessions.bindings(reading.index, &bare.objective, BOUND)?;
        Ok(Some(Anchor { constraints, ..bare }))
    })
}

fn news(args: &AnchorArgs, notes: &Notes) -> Result<Vec<What>, Fail> {
    let mut news = Vec::new();
    if let Some(objective) = &args.objective {
        news.push(What::Objective { text: checked("--objective", objective)? });
    }
    if args.next {
        let step = notes.remaining().find(|item| item.is_step).or(notes.remaining().next());
        let item = step.map(|item| item.number).ok_or_else(|| {
            Refusal::new(Code::State, "there is no step left to be done".to_owned())
                .with_hint("add one with `oldhand anchor --plan \"…\"`")
        })?;
        news.push(What::Close { item, outcome: String::new() });
    }
    for step in &args.plan {
        news.push(What::Step { text: checked("--plan", step)? });
    }
    if let Some(step) = &args.step {
        let (step, of) = parsed(step)?;
        news.push(What::At { step, of });
    }
    for (kind, texts) in [(NoteKind::Done, &args.done), (NoteKind::Remaining, &args.remaining)] {
        for text in texts {
            news.push(What::Note { kind, text: checked("text", text)?, outcome: String::new() });
        }
    }
    Ok(news)
}

fn parsed(text: &str) -> Result<(usize, usize), Problem> {
    let parts = text
        .split_once('/')
        .and_then(|(step, of)| Some((step.trim().parse().ok()?, of.trim().parse().ok()?)));
    match parts {
        Some((step, of)) if (1..=of).contains(&step) && of <= STEPS_MAX => Ok((step, of)),
        _ => Err(Problem::new("--step", "the step and the number of steps, such as `2/5`", text)
            .with_fix("or write the plan down with `--plan`, and go on with `--next`")),
    }
}
