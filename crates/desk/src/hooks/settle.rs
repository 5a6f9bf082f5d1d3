//! What is left to do when a session is over: its summary, and how the memories that it was given
//! did. Done at its end if the host lets us, else when the next one starts; doing it twice changes
//! nothing.

use std::time::Duration;

use oldhand_app::Engine;
use oldhand_app::usage::TaskEnd;
use oldhand_core::content::FieldValue;
use oldhand_core::credit::Signs;
use oldhand_core::draft::Draft;
use oldhand_core::event::Surface;
use oldhand_core::kind::Kind;
use oldhand_core::policy::CaptureMode;
use oldhand_core::task::{Outcome, TaskSignals};
use oldhand_hosts::payload::Event;
use oldhand_judge::capture::drafter::{self, Source};
use oldhand_judge::capture::harvest::harvest;
use oldhand_store::port::session_state::{LastMessage, OwedDraft};
use oldhand_text::time::{days_between, format_day, format_instant, parse_instant};

use super::prelude::*;
use super::stop::keep_new;
use crate::drafts::written;
use crate::drift::{note_drift, repository_name};
use crate::meaning::memories_in;

/// Older sessions at one start; more than these means that somebody was away.
const SESSIONS_MAX: usize = 3;
/// Of one core, for memories without vectors; more of them wait for somebody's command.
const EMBEDDING_MAX: Duration = Duration::from_millis(800);

/// After the answer is out: nobody waits for it, and all of it may be cut off. Returns what a rule
/// refused, in words.
pub(super) fn chores(call: &Call<'_>) -> Refused {
    let (session, sessions) = (&call.session, &call.session.store);
    match call.payload.event {
        Event::SessionEnd if !call.is_own => settle(call, &session.name),
        Event::SessionStart => {
            let mut refused = Vec::new();
            let mut done: Vec<Result<(), Fail>> = Vec::new();
            if !call.is_own {
                let is_left = |known: &SessionState| {
                    known.session != session.name
                        && !known.settlement.is_settled
                        && (known.settlement.is_over || known.is_idle(call.desk.now))
                };
                // One that can't be settled keeps nobody else waiting.
                for over in sessions.recent().into_iter().filter(is_left).take(SESSIONS_MAX) {
                    let settled = settle(call, &over.session);
                    done.push(settled.map(|more| refused.extend(more)));
                }
                done.extend([sweep(call), embed(call), drift(call), rebuild(call)]);
            }
            let hours = jiff::SignedDuration::from_hours(24 * call.hooks().log_days);
            if let Ok(before) = call.desk.now.checked_sub(hours) {
                sessions.forget_old(&format_instant(before));
            }
            done.into_iter().collect::<Result<(), Fail>>().map(|()| refused)
        }
        _ => Ok(Vec::new()),
    }
}

fn settle(call: &Call<'_>, session: &str) -> Refused {
    let sessions = &call.session.store;
    let _work = sessions.hold_work(session.into())?;
    let seen = sessions.update(session, |state| state.clone())?;
    if seen.settlement.is_settled {
        return Ok(Vec::new());
    }
    // What a subagent was given was given to its session.
    let mut over = seen.clone();
    over.served.add(&sessions.ever_given_to(session));
    over.served.ever.retain(|id| !over.settlement.used.contains(id));
    let refused = call.work(|engine| {
        let written = [write_summary, write_modules, write_last, write_owed, write_uses];
        let refused: Result<Vec<_>, Fail> =
            written.into_iter().map(|write| write(engine, &over)).collect();
        Ok(refused?.concat())
    })?;
    sessions.update(session, |state| {
        let settlement = &mut state.settlement;
        if !over.served.ever.is_empty() {
            settlement.used.append(&mut over.served.ever);
            settlement.rounds += 1;
        }
        state.capture.owed.retain(|owed| !seen.capture.owed.contains(owed));
        // It may have gone on meanwhile: then it is settled when it is over again.
        settlement.is_settled = (settlement.is_over, &state.presence.seen_at)
            == (seen.settlement.is_over, &seen.presence.seen_at);
    })?;
    call.files.remove_staging(session);
    Ok(refused)
}

/// What a rule refused, in words.
type Refused = Result<Vec<String>, Fail>;

/// R237: by what was done, not by what was said.
fn write_summary(engine: &Engine<'_>, state: &SessionState) -> Refused {
    let settings = engine.settings;
    let spec = settings.kinds.spec(&Kind::SessionSummary);
    let is_wanted = spec.enabled
        && spec.auto_capture
        && settings.capture.mode == CaptureMode::Extract
        && state.working.activity() >= settings.capture.threshold(&Kind::SessionSummary);
    if !is_wanted {
        return Ok(Vec::new());
    }
    let begun = parse_instant(&state.presence.started_at).unwrap_or(engine.now);
    let Some(mut draft) = state.working.summary(&state.session, &format_day(begun)) else {
        return Ok(Vec::new());
    };
    // R114: where no stored pattern was followed, what was done may become one.
    if state.served.matched == 0 && state.served.unmatched > 0 {
        handover_pattern(&mut draft, state);
    }
    let id = format!("session-{}-{}", format_day(begun), short(&state.session));
    Ok(written(engine.learning().capture_session(&draft, &id))?.err().into_iter().collect())
}

/// R100: work in a module that the map does not have is a candidate for the map.
fn write_modules(engine: &Engine<'_>, state: &SessionState) -> Refused {
    let spec = engine.settings.kinds.spec(&Kind::Architecture);
    if engine.settings.capture.mode == CaptureMode::Off || !spec.enabled || !spec.auto_capture {
        return Ok(Vec::new());
    }
    let evidence = format!("transcript:{}", short(&state.session));
    capture_all(engine, engine.learning().unmapped(&state.working.files, &evidence)?)
}

/// What the agent said last, and nobody has answered: a host that was killed reports no end.
fn write_last(engine: &Engine<'_>, state: &SessionState) -> Refused {
    let capture = &engine.settings.capture;
    let last = state.conversation.last_message.as_ref().map(LastMessage::turn);
    if !capture.harvest || capture.mode == CaptureMode::Off {
        return Ok(Vec::new());
    }
    let mut new = harvest(&last.iter().collect::<Vec<_>>(), true);
    keep_new(&mut new, &state.capture);
    let source = Source { session: &state.session, host: &state.presence.host, is_typed: false };
    let drafts = new.iter().filter_map(|one| one.draft(&source));
    capture_all(engine, drafts.map(|draft| Draft { unverified: true, ..draft }))
}

/// Sentences that an agent was asked to draft, and did not: they are candidates as they are.
fn write_owed(engine: &Engine<'_>, state: &SessionState) -> Refused {
    let (session, host) = (&state.session, &state.presence.host);
    let draft = |owed: &OwedDraft| {
        drafter::draft(&owed.hit()?, &[], &Source { session, host, is_typed: owed.is_typed })
    };
    capture_all(engine, state.capture.owed.iter().filter_map(draft))
}

fn capture_all(engine: &Engine<'_>, drafts: impl IntoIterator<Item = Draft>) -> Refused {
    let mut refused = Vec::new();
    for draft in drafts {
        refused.extend(written(engine.learning().capture(&draft))?.err());
    }
    Ok(refused)
}

/// R211: everything that the session was given learns how it went.
fn write_uses(engine: &Engine<'_>, state: &SessionState) -> Refused {
    let served = &state.served;
    if !engine.settings.capture.uses || served.ever.is_empty() {
        return Ok(Vec::new());
    }
    let passed = state.working.last_check_passed();
    let named: Vec<String> = served.named.iter().cloned().collect();
    let commands = state.working.commands();
    // R212: without a clear outcome nothing had an effect.
    let signs = match passed {
        Some(_) => Signs { paths: &state.working.files, words: &named, commands: &commands },
        None => Signs::default(),
    };
    // A task ends once: what came after the end of a session is another one.
    let mut task = format!("session:{}", short(&state.session));
    if state.settlement.rounds > 0 {
        task.push_str(&format!("-{}", state.settlement.rounds + 1));
    }
    let end = engine.upkeep().end_task(&TaskEnd {
        task: &task,
        outcome: if passed == Some(false) { Outcome::Failed } else { Outcome::Passed },
        served: &served.ever,
        signs,
        used: &[],
        surface: Some(Surface::Prompt),
        signals: TaskSignals::default(),
        notes: "",
        most_useful: &[],
    });
    Ok(match written(end)? {
        Ok(ended) => ended.refused.into_iter().map(|(id, why)| format!("{id}: {why}")).collect(),
        // A settlement that was killed is repeated: this one was recorded before.
        Err(why) => vec![why],
    })
}

/// A few memories that are new here, so that prompts find them by meaning.
fn embed(call: &Call<'_>) -> Result<(), Fail> {
    call.read(|reading| {
        if (1..=memories_in(EMBEDDING_MAX)).contains(&reading.index.unembedded()) {
            reading.index.fill_all(false, &mut |_, _| true)?;
        }
        Ok(())
    })
}

/// R56: the next session is told where the map lags.
fn drift(call: &Call<'_>) -> Result<(), Fail> {
    let repository = repository_name(&call.layout);
    call.work(|engine| note_drift(engine, &*call.session.store, &repository))
}

/// What git brought since the last session is on no page yet.
fn rebuild(call: &Call<'_>) -> Result<(), Fail> {
    call.work(|engine| Ok(engine.vault.refresh_if_moved()?))
}

/// R222: once a day, when work begins.
fn sweep(call: &Call<'_>) -> Result<(), Fail> {
    let (now, sessions) = (call.desk.now, &call.session.store);
    let last = parse_instant(&sessions.record()?.swept_at);
    if last.is_some_and(|last| days_between(last, now) < 1) {
        return Ok(());
    }
    call.work(|engine| {
        let done = engine.upkeep().sweep()?;
        if let Some(pending) = done.pending {
            pending.settle();
        }
        let swept = done.answer;
        let due = [swept.review_due, swept.late_reviews, swept.urgent_reviews].concat().len();
        sessions.update_record(|record| {
            record.swept_at = format_instant(now);
            record.due = due;
        })?;
        Ok(())
    })
}

fn handover_pattern(draft: &mut Draft, state: &SessionState) {
    let files: Vec<&str> = state.working.files.iter().map(String::as_str).take(10).collect();
    if files.is_empty() {
        return;
    }
    let known = draft.content.iter().find(|(name, _)| name == "key_changes");
    let mut items = match known {
        Some((_, FieldValue::List(items))) => items.clone(),
        _ => Vec::new(),
    };
    let (goal, files) = (&state.working.goal, files.join(", "));
    items.push(format!("Pattern, no memory matched: {goal} in {files}"));
    draft.set_content("key_changes", FieldValue::List(items));
}

fn short(session: &str) -> String {
    ContentHash::of(session.as_bytes()).to_string()[..8].to_owned()
}
