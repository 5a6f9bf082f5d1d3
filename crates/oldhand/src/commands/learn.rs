//! `oldhand learn`: lessons from a retrospective, as candidates; `oldhand apply`: one use of a memory,
//! and what came of it; `oldhand promote`: one state up.

use oldhand_app::Done;
use oldhand_app::learn::Lessons;
use oldhand_app::promote::{Promoted, PromotionRequest};
use oldhand_app::usage::{Use, Used};
use oldhand_core::event::{Effect, Followup, Surface};
use oldhand_core::policy::RETRO_BYTES_MAX;
use oldhand_core::reviewer::Role;
use oldhand_core::state::State;
use oldhand_judge::retro;
use oldhand_screen::Screen;
use wire::learn::LearnedLessons;
use wire::memory::Applied;
use wire::pending::PromotedMemory;

use super::bulk::Chosen;
use super::prelude::*;
use super::work_text;

const LEFT_MAX: usize = 20;

pub(super) fn learn(args: &LearnArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let text = read_text(&args.source, &desk.current_dir(), RETRO_BYTES_MAX as u64, io)?;
    let retrospective = retro::parse(&text).map_err(Refusal::invalid)?;
    let task = args.task.clone().or_else(|| retrospective.task.clone());
    let task = task
        .or_else(|| desk.current_task(None))
        .unwrap_or_else(|| format!("retro-{}", format_day(desk.now)));
    let source = match args.source.as_str() {
        "-" => format!("retrospective:{task}"),
        file => format!("file:{file}"),
    };
    desk.work(|engine| {
        let lessons = Lessons {
            retrospective: &retrospective,
            task: &task,
            source: &source,
            evidence: &args.evidence,
        };
        let done = engine.learning().learn(&lessons)?;
        let learned = acknowledge(engine, io, done, |learned, io| {
            let answer = LearnedLessons::of(&learned, &task, &retrospective.left);
            let people = |screen: &Screen| people::lessons(&learned, screen);
            desk.present(io, "learn", answer, (|| work_text::lessons(&learned), people))?;
            Ok(learned)
        })?;
        desk.remark(io, "note", not_taken(&retrospective.left));
        if learned.is_empty() && !retrospective.signals.is_empty() {
            io.note("note", &format!("no lesson in it yet; what it says of `{task}` is recorded"));
            return Ok(DONE);
        }
        if learned.is_empty() {
            io.note("note", "no lesson was found in it");
            io.note(
                "hint",
                "give `memory_candidates` as JSON, bullets below a heading such as `## Lessons`, or \
                 sentences such as `next time …`",
            );
            return Ok(FINDING);
        }
        Ok(DONE)
    })
}

/// What is in no lesson is named, so that nobody thinks it was learned.
fn not_taken(left: &[String]) -> impl Iterator<Item = String> {
    let named = left.iter().take(LEFT_MAX).map(|it| format!("not taken: {}", visible_line(it)));
    let more = left.len().saturating_sub(LEFT_MAX);
    let rest = format!("not taken: {more} more; `--json` has all of them");
    named.chain((more > 0).then_some(rest))
}

pub(super) fn apply(args: &ApplyArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
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
            let deeds: Vec<Deed<'_>> = used.iter().map(deed_of).collect();
            let text = || deeds.iter().map(Deed::text).collect::<String>();
            let people = |screen: &Screen| deeds.iter().map(|it| it.people(screen)).collect();
            desk.present(io, "apply", Applied::of(&used, &task), (text, people))
        })
    })
}

fn deed_of(used: &Used) -> Deed<'_> {
    let signals = &used.signals;
    let uses = format!(
        "{}: {} helped, {} failed, {} contradicted",
        signals.reuse_count,
        signals.successful_reuses,
        signals.failed_reuses,
        signals.contradiction_count
    );
    let facts = vec![
        ("id", used.memory.id.to_string()),
        ("state", used.state_line()),
        ("trust", signals.trust.to_string()),
        ("uses", uses),
    ];
    // Its state may have changed, and why.
    Deed { memory: None, facts, ..Deed::of(used.effect.as_str(), &used.memory) }
}

pub(super) fn promote(args: &PromoteArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let role = args.role.as_deref().map(Role::parse).transpose()?;
    let to = args.to.as_deref().map(State::parse).transpose()?;
    desk.work(|engine| {
        let ask = PromotionRequest {
            approver: engine.is_person.then_some(engine.by),
            role,
            reason: &args.reason,
            incidents: args.incidents,
            to,
        };
        let candidates = vec![State::Candidate];
        let chosen = Chosen::of(&args.names, args.source.as_deref(), candidates, engine)?;
        if !chosen.is_confirmed("promote", args.yes, desk, io)? {
            return Ok(FINDING);
        }
        chosen.each(engine, desk, io, |engine, name, io| {
            judge(engine, engine.life().promote(name, &ask)?, "promote", desk, io)
        })
    })
}

/// Tells what came of a promotion or a review. What waits is no failure of the command, and not
/// what was asked for either.
pub(super) fn judge(
    engine: &Engine<'_>,
    done: Done<'_, Promoted>,
    schema: &str,
    desk: &Desk<'_>,
    io: &mut Io<'_>,
) -> Outcome {
    acknowledge(engine, io, done, |promoted, io| {
        promotion(&promoted).tell((schema, PromotedMemory::of(&promoted)), desk, io)?;
        Ok(if matches!(promoted, Promoted::Moved(_)) { DONE } else { FINDING })
    })
}

fn promotion(promoted: &Promoted) -> Deed<'_> {
    match promoted {
        Promoted::Moved(memory) => {
            // What is put away has no date to be looked at.
            let due = memory.review_after.filter(|_| memory.state.is_served());
            let due = due.map(format_day).unwrap_or_default();
            let facts = vec![("id", memory.id.to_string()), ("look again", due)];
            Deed::of(memory.state.as_str(), memory).with_facts(facts)
        }
        Promoted::Waiting { memory, pending, missing } => {
            Deed::of("waits", memory).with_facts(vec![
                ("id", memory.id.to_string()),
                ("state", memory.state.to_string()),
                ("missing", missing.clone()),
                ("request", pending.id.to_string()),
            ])
        }
    }
}
