//! The inbox in a terminal: one memory at a time, a key for each decision.

use std::io::{BufRead, BufReader};

use oldhand_app::Engine;
use oldhand_app::pending::Resolution;
use oldhand_app::review::{Cause, Decision, Item};
use oldhand_core::event::Verdict;
use oldhand_core::pending::Pending;
use oldhand_text::strings::{visible, visible_line};

use super::{Queue, apply};
use crate::desk::{Desk, acknowledge};
use crate::failure::{DONE, Fail, Outcome, report};
use crate::printer::Io;

/// What one answer asks for.
enum Choice {
    Decide(Verdict),
    Settle(Resolution),
    Skip,
    Quit,
}

pub(super) fn go_through(
    queue: &mut Queue,
    engine: &Engine<'_>,
    desk: &Desk<'_>,
    io: &mut Io<'_>,
) -> Outcome {
    let pending = std::mem::take(&mut queue.inbox.pending);
    let (waiting, total) = (queue.len(), pending.len() + queue.len());
    if total == 0 {
        io.text("nothing waits for a review\n")?;
        return Ok(DONE);
    }
    // R96: a name stands for what is settled, and it is said, not guessed.
    let name = match &desk.flags.by {
        Some(name) => name.clone(),
        None if pending.is_empty() => engine.by.to_owned(),
        None => match line(&format!("who decides? [{}] ", engine.by), io)? {
            Some(name) if !name.is_empty() => name,
            _ => engine.by.to_owned(),
        },
    };
    let engine = &Engine { by: &name, ..*engine };
    for (at, pending) in pending.iter().enumerate() {
        io.text(&format!("\n[{}/{total}] {}\n\n", at + 1, pending.id))?;
        if !settle(pending, engine, io)? {
            return Ok(DONE);
        }
    }
    for at in 0..waiting {
        let Some(item) = queue.item(at, engine)? else { continue };
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
fn settle(pending: &Pending, engine: &Engine<'_>, io: &mut Io<'_>) -> Result<bool, Fail> {
    io.text(&format!("{}\n", visible(&pending.report())))?;
    let keys = "[f]ollow, [s]upersede, [b]oth hold, [n]ext, [q]uit";
    let resolution = match ask(keys, settle_key, io)? {
        Some(Choice::Settle(resolution)) => resolution,
        Some(Choice::Quit) | None => return Ok(false),
        Some(_) => return Ok(true),
    };
    let reason = match resolution {
        Resolution::Follow => String::new(),
        _ => line("why? ", io)?.unwrap_or_default(),
    };
    let done = engine.resolve(pending.id.as_str(), resolution, &reason);
    let outcome = done.map_err(Fail::from).and_then(|done| {
        acknowledge(engine, io, done, |resolved, io| {
            io.text(&format!("settled: {}\n", resolved.resolution.as_str()))
        })
    });
    go_on(outcome.map(|_| DONE), io);
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
    io.text(&format!("{}\n", engine.story(id)?.sentences.join("\n")))?;
    let verdict = match ask(keys_of(item.cause), decide_key, io)? {
        Some(Choice::Decide(verdict)) => verdict,
        Some(Choice::Quit) | None => return Ok(false),
        Some(_) => return Ok(true),
    };
    let reason = line("why? ", io)?.unwrap_or_default();
    let more = match verdict {
        Verdict::Reinstate => line("what shall it say from now on? ", io)?,
        Verdict::Supersede => line("which memory takes its place? ", io)?,
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
    go_on(apply(id, &decision, engine, desk, io), io);
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
fn keys_of(cause: Cause) -> &'static str {
    match cause {
        Cause::UnderReview => "re[i]nstate, [r]eject, [s]upersede, [a]rchive, [n]ext, [q]uit",
        Cause::Candidate => "[p]romote, [k]eep, [r]eject, [s]upersede, [a]rchive, [n]ext, [q]uit",
        Cause::Ready => "[p]romote, [k]eep, [s]upersede, [a]rchive, [n]ext, [q]uit",
        Cause::Unrecorded | Cause::ReviewDue => "[k]eep, [s]upersede, [a]rchive, [n]ext, [q]uit",
    }
}

fn settle_key(key: &str) -> Option<Choice> {
    Some(match key {
        "f" => Choice::Settle(Resolution::Follow),
        "s" => Choice::Settle(Resolution::Supersede),
        "b" => Choice::Settle(Resolution::KeepBoth),
        other => return away_key(other),
    })
}

fn decide_key(key: &str) -> Option<Choice> {
    Some(match key {
        "p" => Choice::Decide(Verdict::Promote),
        "k" => Choice::Decide(Verdict::Keep),
        "i" => Choice::Decide(Verdict::Reinstate),
        "r" => Choice::Decide(Verdict::Reject),
        "s" => Choice::Decide(Verdict::Supersede),
        "a" => Choice::Decide(Verdict::Archive),
        other => return away_key(other),
    })
}

fn away_key(key: &str) -> Option<Choice> {
    match key {
        "n" | "" => Some(Choice::Skip),
        "q" => Some(Choice::Quit),
        _ => None,
    }
}

/// Asks until the answer is one of the keys; `None` at the end of the input.
fn ask(
    keys: &str,
    meaning: fn(&str) -> Option<Choice>,
    io: &mut Io<'_>,
) -> Result<Option<Choice>, Fail> {
    loop {
        let Some(answer) = line(&format!("{keys}: "), io)? else { return Ok(None) };
        if let Some(choice) = meaning(&answer.to_lowercase()) {
            return Ok(Some(choice));
        }
    }
}

fn line(prompt: &str, io: &mut Io<'_>) -> Result<Option<String>, Fail> {
    io.text(prompt)?;
    io.flush()?;
    let mut answer = String::new();
    // One byte at a time: what is typed ahead belongs to the next question.
    let read = BufReader::with_capacity(1, &mut io.stdin).read_line(&mut answer)?;
    Ok((read > 0).then(|| answer.trim().to_owned()))
}
