//! The inbox in a terminal: one memory at a time, a key for each decision.

use oldhand_app::pending::Resolution;
use oldhand_app::review::{Cause, Decision, Inbox, Item};
use oldhand_core::event::Verdict;
use oldhand_core::pending::Pending;

use crate::commands::learn::judge;
use crate::commands::prelude::*;
use oldhand_desk::failure::report;

#[derive(Clone, Copy)]
enum Choice {
    Decide(Verdict),
    Settle(Resolution),
    Skip,
    Quit,
}

type Key = (char, &'static str, Choice);

const SETTLING: &[Key] = &[
    ('f', "[f]ollow", Choice::Settle(Resolution::Follow)),
    ('s', "[s]upersede", Choice::Settle(Resolution::Supersede)),
    ('b', "[b]oth hold", Choice::Settle(Resolution::KeepBoth)),
];
const DECIDING: &[Key] = &[
    ('p', "[p]romote", Choice::Decide(Verdict::Promote)),
    ('k', "[k]eep", Choice::Decide(Verdict::Keep)),
    ('i', "re[i]nstate", Choice::Decide(Verdict::Reinstate)),
    ('r', "[r]eject", Choice::Decide(Verdict::Reject)),
    ('s', "[s]upersede", Choice::Decide(Verdict::Supersede)),
    ('a', "[a]rchive", Choice::Decide(Verdict::Archive)),
];
const LEAVING: &[Key] = &[('n', "[n]ext", Choice::Skip), ('q', "[q]uit", Choice::Quit)];

pub(super) fn go_through(
    inbox: &mut Inbox,
    engine: &Engine<'_>,
    desk: &Desk<'_>,
    io: &mut Io<'_>,
) -> Outcome {
    let (waiting, total) = (inbox.memories(), inbox.total());
    let pending = std::mem::take(&mut inbox.pending);
    if total == 0 {
        io.text("nothing is waiting for a review\n")?;
        return Ok(DONE);
    }
    // R96: a name stands for what is settled, and it is said, not guessed.
    let name = match &desk.flags.by {
        Some(name) => name.clone(),
        None if pending.is_empty() => engine.by.to_owned(),
        None => match io.line(&format!("who decides? [{}] ", engine.by))? {
            Some(name) if !name.is_empty() => name,
            _ => engine.by.to_owned(),
        },
    };
    let engine = &Engine { by: &name, ..*engine };
    for (at, pending) in pending.iter().enumerate() {
        io.text(&format!("\n[{}/{total}] {}\n\n", at + 1, pending.id))?;
        if !settle(pending, engine, desk, io)? {
            return Ok(DONE);
        }
    }
    for at in 0..waiting {
        let Some(item) = engine.upkeep().item(inbox, at)? else { continue };
        let number = pending.len() + at + 1;
        io.text(&format!("\n[{number}/{total}] {}\n", headline(&item)))?;
        if !decide(&item, engine, desk, io)? {
            return Ok(DONE);
        }
    }
    io.text("\nthat was all\n")?;
    Ok(DONE)
}

/// One conflict or request; `false` when the person leaves.
fn settle(
    pending: &Pending,
    engine: &Engine<'_>,
    desk: &Desk<'_>,
    io: &mut Io<'_>,
) -> Result<bool, Fail> {
    let report = format!("{}\n", visible(&pending.report()));
    io.text(&desk.screen().map_or(report.clone(), |screen| screen.page(&report)))?;
    let resolution = match ask(SETTLING, "fsb", io)? {
        Some(Choice::Settle(resolution)) => resolution,
        Some(Choice::Quit) | None => return Ok(false),
        Some(_) => return Ok(true),
    };
    let reason = match resolution {
        Resolution::Follow => String::new(),
        _ => io.line("why? ")?.unwrap_or_default(),
    };
    let done = engine.gate().resolve(pending.id.as_str(), resolution, &reason);
    let outcome = done.map_err(Fail::from).and_then(|done| {
        acknowledge(engine, io, done, |resolved, io| {
            io.text(&format!("settled: {}\n", resolved.resolution.as_str()))?;
            Ok(DONE)
        })
    });
    go_on(outcome, io);
    Ok(true)
}

/// One memory; `false` when the person leaves.
fn decide(
    item: &Item,
    engine: &Engine<'_>,
    desk: &Desk<'_>,
    io: &mut Io<'_>,
) -> Result<bool, Fail> {
    let id = item.stored.memory.id.as_str();
    io.text(&visible(&item.stored.text))?;
    io.text(&format!("{}\n", engine.trail().story(id)?.sentences.join("\n")))?;
    let verdict = match ask(DECIDING, offered(item.cause), io)? {
        Some(Choice::Decide(verdict)) => verdict,
        Some(Choice::Quit) | None => return Ok(false),
        Some(_) => return Ok(true),
    };
    let reason = io.line("why? ")?.unwrap_or_default();
    let more = match verdict {
        Verdict::Reinstate => io.line("what shall it say from now on? ")?,
        Verdict::Supersede => io.line("which memory takes its place? ")?,
        _ => None,
    };
    let more = more.as_deref().filter(|text| !text.is_empty());
    let decision = Decision {
        verdict,
        reason: &reason,
        role: None,
        guidance: more.filter(|_| verdict == Verdict::Reinstate),
        successor: more.filter(|_| verdict == Verdict::Supersede),
        approver: engine.is_person.then_some(engine.by),
    };
    let done = engine.upkeep().review(id, &decision).map_err(Fail::from);
    let judged = done.and_then(|done| judge(engine, done, "review", desk, io));
    go_on(judged, io);
    Ok(true)
}

/// A refusal is told, and the next memory is shown all the same.
fn go_on(outcome: Outcome, io: &mut Io<'_>) {
    if outcome.is_err() {
        report(outcome, false, io);
    }
}

fn headline(item: &Item) -> String {
    let memory = &item.stored.memory;
    visible_line(&format!(
        "{} · {} · {} · reviewed by {}",
        item.cause.as_str().replace('_', " "),
        memory.id,
        memory.title,
        item.role
    ))
}

/// What can be decided; any other key is refused with the reason.
fn offered(cause: Cause) -> &'static str {
    match cause {
        Cause::UnderReview => "irsa",
        Cause::Candidate => "pkrsa",
        Cause::Ready => "pksa",
        Cause::Unrecorded | Cause::ReviewDue => "ksa",
    }
}

/// Asks until the answer is one of the keys; `None` at the end of the input.
fn ask(keys: &[Key], offered: &str, io: &mut Io<'_>) -> Result<Option<Choice>, Fail> {
    let shown = keys.iter().filter(|(key, ..)| offered.contains(*key)).chain(LEAVING);
    let words: Vec<&str> = shown.map(|(_, word, _)| *word).collect();
    loop {
        let Some(answer) = io.line(&format!("{}: ", words.join(", ")))? else { return Ok(None) };
        let answer = answer.to_lowercase();
        let is_it = |(key, ..): &&Key| answer.chars().eq([*key]);
        match keys.iter().chain(LEAVING).find(is_it) {
            Some((_, _, choice)) => return Ok(Some(*choice)),
            None if answer.is_empty() => return Ok(Some(Choice::Skip)),
            None => {}
        }
    }
}
