//! `oldhand review`: what waits for a judgement. With a terminal one memory at a time, without one
//! a list; or one decision by flags.

mod inbox;
mod screen;

use std::io::IsTerminal;

use oldhand_app::filter::is_of_source;
use oldhand_app::review::{Cause, Decision, Inbox, Item};
use oldhand_core::event::Verdict;
use oldhand_core::memory::Memory;
use oldhand_core::reviewer::Role;
use oldhand_screen::Screen;
use wire::review::{ArchiveReview, ReviewList};

use super::bulk::Chosen;
use super::learn::judge;
use super::prelude::*;
use super::written::{self, Words};

pub(super) fn run(args: &ReviewArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    if args.archive {
        return archive(desk, io);
    }
    match &args.name {
        Some(name) if args.request => desk.work(|engine| {
            let hint = format!("`oldhand review {name} --decision …` ends it");
            let words = Words::new("review", "under review").with_hint(hint);
            written::tell(
                engine,
                desk,
                io,
                engine.upkeep().request_review(name, &args.reason)?,
                &words,
            )
        }),
        Some(name) if args.decision.is_some() => {
            desk.work(|engine| decide(name, args, engine, desk, io))
        }
        None if args.all => decide_all(args, desk, io),
        None if args.decision.is_some() || args.request => {
            let fix = "name one, as in `oldhand review <id> --decision keep --reason \"…\"`";
            Err(Problem::new("name", "the id of a memory", "nothing").with_fix(fix).into())
        }
        name if has_screen(args, desk) => {
            screen::run(name.as_deref(), args.source.as_deref(), desk)
        }
        name => desk.work(|engine| {
            let mut inbox = match name {
                Some(name) => engine.upkeep().inbox_of(name)?,
                None => engine.upkeep().inbox()?,
            };
            if let Some(source) = &args.source {
                engine.upkeep().keep_of_source(&mut inbox, source)?;
            }
            if desk.env.interactive && engine.is_person && !desk.flags.json {
                return inbox::go_through(&mut inbox, engine, desk, io);
            }
            list(&mut inbox, args.limit, engine, desk, io)
        }),
    }
}

/// A whole screen is for a person before a real terminal that has one.
fn has_screen(args: &ReviewArgs, desk: &Desk<'_>) -> bool {
    let has_one = desk.env.var("TERM").is_some_and(|term| term != "dumb");
    let is_person = desk.is_person().unwrap_or_default();
    !args.plain
        && has_one
        && is_person
        && !desk.flags.json
        && desk.env.interactive
        && std::io::stdin().is_terminal()
        && std::io::stdout().is_terminal()
}

fn decide(
    name: &str,
    args: &ReviewArgs,
    engine: &Engine<'_>,
    desk: &Desk<'_>,
    io: &mut Io<'_>,
) -> Outcome {
    let decision = Decision {
        verdict: Verdict::parse(args.decision.as_deref().unwrap_or_default())?,
        reason: &args.reason,
        role: args.role.as_deref().map(Role::parse).transpose()?,
        guidance: args.guidance.as_deref(),
        successor: args.by_memory.as_deref(),
        approver: engine.is_person.then_some(engine.by),
    };
    judge(engine, engine.upkeep().review(name, &decision)?, "review", desk, io)
}

/// One decision for many: it is told first, and what can't be decided so does not stop the others.
fn decide_all(args: &ReviewArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let verdict = Verdict::parse(args.decision.as_deref().unwrap_or_default())?;
    desk.work(|engine| {
        let mut inbox = engine.upkeep().inbox()?;
        let items = engine.upkeep().items(&mut inbox, 0)?;
        let is_wanted = |memory: &&Memory| {
            let mut places = memory.evidence.iter().chain(&memory.sources);
            args.kind.as_ref().is_none_or(|kind| memory.kind.as_str() == kind)
                && args.source.as_ref().is_none_or(|it| {
                    is_of_source(memory, it) || places.any(|place| place.contains(it))
                })
        };
        let waiting = items.iter().filter(|item| matches!(item.cause, Cause::Candidate));
        let chosen = Chosen::among(waiting.map(|item| &item.stored.memory).filter(is_wanted));
        // What is held is promoted by its name, or not at all.
        let chosen = if verdict == Verdict::Promote { chosen } else { chosen.with_held() };
        if chosen.ids.is_empty() && chosen.held.is_empty() {
            io.note("note", "no such candidate waits for a review");
            return Ok(DONE);
        }
        if !chosen.is_confirmed(verdict.as_str(), args.yes, desk, io)? {
            return Ok(FINDING);
        }
        chosen.each(engine, desk, io, |engine, name, io| decide(name, args, engine, desk, io))
    })
}

fn list(
    inbox: &mut Inbox,
    limit: usize,
    engine: &Engine<'_>,
    desk: &Desk<'_>,
    io: &mut Io<'_>,
) -> Outcome {
    let waiting = inbox.memories();
    let items = engine.upkeep().items(inbox, limit)?;
    let matters = inbox.pending.iter().map(|one| one.id.as_str());
    desk.keep_list(matters.chain(items.iter().map(|item| item.stored.memory.id.as_str())));
    let shown = if limit == 0 { waiting } else { waiting.min(limit) };
    let agent = || text(inbox, &items, shown, waiting);
    let people = |screen: &Screen| people::review(inbox, &items, waiting, screen);
    desk.present(io, "review", ReviewList::of(inbox, &items, waiting), (agent, people))?;
    desk.remark(io, "warning", inbox.odd.iter().map(|what| format!("can't be read: {what}")));
    Ok(DONE)
}

fn text(inbox: &Inbox, items: &[Item], shown: usize, waiting: usize) -> String {
    if inbox.pending.is_empty() && waiting == 0 {
        return "nothing is waiting for a review\n".to_owned();
    }
    let pending = inbox.pending.iter().map(|one| {
        let by = visible_line(&one.via.beside(&one.by));
        ["pending".to_owned(), one.id.to_string(), by, visible_line(&one.headline())]
    });
    let items_rows = items.iter().map(|item| {
        let memory = &item.stored.memory;
        // Why it rose or was kept is over; why it waits is not.
        let waits = matches!(item.cause, Cause::UnderReview | Cause::Candidate);
        let reason = memory.state_reason.as_deref().filter(|_| waits);
        let reason = reason.map(|it| format!(" ({it})")).unwrap_or_default();
        [
            item.cause.as_str().to_owned(),
            memory.id.to_string(),
            format!("trust {}, {}", item.signals.trust, item.role),
            visible_line(&format!("{}{reason}", memory.title)),
        ]
    });
    let mut text = table(pending.chain(items_rows)) + &left_out(shown, waiting);
    if let Some(item) = items.first() {
        let id = &item.stored.memory.id;
        text.push_str(&format!(
            "hint: `oldhand review {id} --decision … --reason \"…\"` decides\n"
        ));
    }
    text
}

/// R129: active and archived decisions in full.
fn archive(desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        let done = engine.care().archive_review()?;
        acknowledge(engine, io, done, |all, io| {
            desk.print(io, "review", ArchiveReview::of(&all), || {
                let one = |it: &oldhand_store::port::Stored| {
                    format!("=== {} [{}]\n{}\n", it.path, it.memory.state, visible(&it.text))
                };
                let text: String = all.iter().map(one).collect();
                let away = all.iter().filter(|it| !it.memory.is_active()).count();
                let count = counted(all.len(), "decision", "decisions");
                format!(
                    "{text}{count}, {away} put away; \
                     `oldhand archive <id> --reason \"…\"` puts one away\n"
                )
            })
        })
    })
}
