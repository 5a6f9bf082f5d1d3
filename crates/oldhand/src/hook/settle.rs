//! What is left to do when a session is over: its summary, and how the memories that it was given
//! did. Done at its end if the host lets us, else when the next one starts; twice does nothing
//! twice.

use std::path::Path;
use std::time::Duration;

use oldhand_app::Engine;
use oldhand_app::usage::TaskEnd;
use oldhand_core::credit::Signs;
use oldhand_core::event::Surface;
use oldhand_core::kind::Kind;
use oldhand_core::policy::CaptureMode;
use oldhand_core::task::{Outcome, TaskSignals};
use oldhand_hosts::payload::Event;
use oldhand_judge::capture::drafter::{self, Source};
use oldhand_store::port::index::Index;
use oldhand_text::hash::ContentHash;
use oldhand_text::time::{
    days_between, format_day, format_instant, minutes_between, parse_instant,
};

use super::state::SessionState;
use super::{Call, log, state, written};
use crate::capture::staging::Staging;
use crate::failure::Fail;
use crate::receipt::Receipts;
use crate::session::IDLE_MINUTES;

/// Older ones at one start; more than these means that somebody was away.
const SESSIONS_MAX: usize = 3;
/// About a quarter of a second; more waits for a command of somebody.
const EMBEDDED_MAX: usize = 48;
const KEPT: Duration = Duration::from_secs(45 * 24 * 60 * 60);

impl Call<'_> {
    /// After the answer is out: nobody waits for it, and all of it may be cut off.
    /// What a rule refused is handed back, in words.
    pub(super) fn chores(&self) -> Result<Vec<String>, Fail> {
        let Some(folder) = self.folder.as_deref() else { return Ok(Vec::new()) };
        let mut refused = Vec::new();
        let mut done: Vec<Result<(), Fail>> = Vec::new();
        match self.payload.event {
            Event::SessionEnd if !self.is_own_store => {
                done.push(self.settle(&self.payload.session, &mut refused));
            }
            Event::SessionStart => {
                if !self.is_own_store {
                    let over = state::known(folder).into_iter().filter(|known| self.is_left(known));
                    // One that can't be settled keeps nobody else waiting.
                    let over = over.take(SESSIONS_MAX);
                    done.extend(over.map(|it| self.settle(&it.session, &mut refused)));
                    done.push(self.sweep());
                    done.push(self.embed());
                    done.push(self.note_drift(folder));
                }
                self.forget(folder);
            }
            _ => {}
        }
        done.into_iter().collect::<Result<(), Fail>>().map(|()| refused)
    }

    fn forget(&self, folder: &Path) {
        let hours = jiff::SignedDuration::from_hours(24 * self.resolved.settings.hooks.log_days);
        if let Ok(before) = self.desk.now.checked_sub(hours) {
            log::prune(folder, &format_instant(before));
        }
        state::forget_old(folder, KEPT);
        Staging::forget_old(folder, KEPT);
        Receipts::new(folder.to_owned()).forget_old();
    }

    fn is_left(&self, known: &SessionState) -> bool {
        let is_idle = || {
            let seen = parse_instant(&known.seen_at);
            seen.is_none_or(|seen| minutes_between(seen, self.desk.now) >= IDLE_MINUTES)
        };
        known.session != self.payload.session
            && known.agent.is_empty()
            && !known.is_settled
            && (known.is_over || is_idle())
    }

    fn settle(&self, session: &str, refused: &mut Vec<String>) -> Result<(), Fail> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let _work = state::work(folder, session, "")?;
        let seen = state::update(folder, session, "", |state| state.clone())?;
        if seen.is_settled {
            return Ok(());
        }
        // What a subagent was given was given to its session.
        let mut over = seen.clone();
        let inside = state::inside(folder, session);
        over.serve(&inside.into_iter().flat_map(|it| it.ever_served).collect::<Vec<_>>());
        over.ever_served.retain(|id| !over.used.contains(id));
        self.desk.work_in(self.layout.clone(), |engine| {
            refused.extend(self.write_summary(engine, &over)?);
            refused.extend(self.write_modules(engine, &over)?);
            refused.extend(self.write_owed(engine, &over)?);
            refused.extend(self.write_uses(engine, &over)?);
            Ok(())
        })?;
        state::update(folder, session, "", |state| {
            if !over.ever_served.is_empty() {
                state.used.append(&mut over.ever_served);
                state.rounds += 1;
            }
            state.owed.retain(|owed| !seen.owed.contains(owed));
            // It may have gone on meanwhile: then it is settled when it is over again.
            state.is_settled = (state.is_over, &state.seen_at) == (seen.is_over, &seen.seen_at);
        })?;
        Staging::remove_of(folder, session);
        Ok(())
    }

    /// R237: by what was done, not by what was said.
    fn write_summary(
        &self,
        engine: &Engine<'_>,
        state: &SessionState,
    ) -> Result<Vec<String>, Fail> {
        let settings = &self.resolved.settings;
        let spec = settings.kinds.spec(&Kind::SessionSummary);
        let is_wanted = spec.enabled
            && spec.auto_capture
            && settings.capture.mode == CaptureMode::Extract
            && state.working.activity() >= settings.capture.threshold(&Kind::SessionSummary);
        if !is_wanted {
            return Ok(Vec::new());
        }
        let begun = parse_instant(&state.started_at).unwrap_or(self.desk.now);
        let Some(mut draft) = state.working.summary(&state.session, &format_day(begun)) else {
            return Ok(Vec::new());
        };
        // R114: where no stored pattern was followed, what was done may become one.
        if state.matched == 0 && state.unmatched > 0 {
            handover_pattern(&mut draft, state);
        }
        let id = format!("session-{}-{}", format_day(begun), short(&state.session));
        Ok(written(engine.capture_session(&draft, &id))?.err().into_iter().collect())
    }

    /// R100: work in a module that the map does not have is a candidate for the map.
    fn write_modules(
        &self,
        engine: &Engine<'_>,
        state: &SessionState,
    ) -> Result<Vec<String>, Fail> {
        let capture = &self.resolved.settings.capture;
        let spec = self.resolved.settings.kinds.spec(&Kind::Architecture);
        if capture.mode == CaptureMode::Off || !spec.enabled || !spec.auto_capture {
            return Ok(Vec::new());
        }
        let evidence = format!("transcript:{}", short(&state.session));
        let mut refused = Vec::new();
        for draft in engine.unmapped(&state.working.files, &evidence)? {
            refused.extend(written(engine.capture(&draft))?.err());
        }
        Ok(refused)
    }

    /// Sentences that an agent was asked to draft, and did not: they are candidates as they are.
    fn write_owed(&self, engine: &Engine<'_>, state: &SessionState) -> Result<Vec<String>, Fail> {
        let mut refused = Vec::new();
        for owed in &state.owed {
            let (session, host, is_typed) = (&state.session, &state.host, owed.is_typed);
            let source = Source { session, host, is_typed };
            if let Some(draft) = owed.hit().and_then(|hit| drafter::draft(&hit, &[], &source)) {
                refused.extend(written(engine.capture(&draft))?.err());
            }
        }
        Ok(refused)
    }

    /// R211: everything that the session was given learns how it went.
    fn write_uses(&self, engine: &Engine<'_>, state: &SessionState) -> Result<Vec<String>, Fail> {
        if !self.resolved.settings.capture.uses || state.ever_served.is_empty() {
            return Ok(Vec::new());
        }
        let passed = state.working.last_check_passed();
        let named: Vec<String> = state.named.iter().cloned().collect();
        let commands = state.working.commands();
        // R212: without a clear outcome nothing had an effect.
        let signs = match passed {
            Some(_) => Signs { paths: &state.working.files, words: &named, commands: &commands },
            None => Signs::default(),
        };
        // A task ends once: what came after the end of a session is another one.
        let mut task = format!("session:{}", short(&state.session));
        if state.rounds > 0 {
            task.push_str(&format!("-{}", state.rounds + 1));
        }
        let end = engine.end_task(&TaskEnd {
            task: &task,
            outcome: if passed == Some(false) { Outcome::Failed } else { Outcome::Passed },
            served: &state.ever_served,
            signs,
            used: &[],
            surface: Some(Surface::Prompt),
            signals: TaskSignals::default(),
            notes: "",
            most_useful: &[],
        });
        Ok(match written(end)? {
            Ok(ended) => {
                ended.refused.into_iter().map(|(id, why)| format!("{id}: {why}")).collect()
            }
            // It was told before: a killed settlement is done again.
            Err(why) => vec![why],
        })
    }

    /// A few memories that are new here, so that prompts find them by meaning.
    fn embed(&self) -> Result<(), Fail> {
        self.read(|reading| {
            let facts = reading.index.facts()?;
            if (1..=EMBEDDED_MAX).contains(&facts.memories.saturating_sub(facts.embedded)) {
                reading.index.fill_all(&mut |_, _| true)?;
            }
            Ok(())
        })
    }

    /// R56: the next session is told where the map lags.
    fn note_drift(&self, folder: &Path) -> Result<(), Fail> {
        let repository = crate::architecture::repository_name(&self.layout);
        self.desk.work_in(self.layout.clone(), |engine| {
            crate::architecture::note_drift(engine, folder, &repository)
        })
    }

    /// R222: once a day, when work begins.
    fn sweep(&self) -> Result<(), Fail> {
        let Some(receipts) = self.folder.clone().map(Receipts::new) else { return Ok(()) };
        if receipts.last_sweep().is_some_and(|last| days_between(last, self.desk.now) < 1) {
            return Ok(());
        }
        self.desk.work_in(self.layout.clone(), |engine| {
            let done = engine.sweep()?;
            if let Some(pending) = done.pending {
                pending.settle();
            }
            let due = done.answer.review_due.len()
                + done.answer.late_reviews.len()
                + done.answer.urgent_reviews.len();
            receipts.note_sweep(self.desk.now)?;
            receipts.note_due(due)?;
            Ok(())
        })
    }
}

fn handover_pattern(draft: &mut oldhand_core::draft::Draft, state: &SessionState) {
    use oldhand_core::content::FieldValue;
    let files: Vec<&str> = state.working.files.iter().map(String::as_str).take(10).collect();
    if files.is_empty() {
        return;
    }
    let known = draft.content.iter().find(|(name, _)| name == "key_changes");
    let mut items = match known {
        Some((_, FieldValue::List(items))) => items.clone(),
        _ => Vec::new(),
    };
    items.push(format!(
        "Pattern, no memory matched: {} in {}",
        state.working.goal,
        files.join(", ")
    ));
    draft.set_content("key_changes", FieldValue::List(items));
}

/// A few characters that tell one session from another.
pub(super) fn short(session: &str) -> String {
    ContentHash::of(session.as_bytes()).to_string()[..8].to_owned()
}
