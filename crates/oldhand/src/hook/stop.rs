//! When an agent stops, and before its conversation is compacted: what was said since the last look
//! is searched for what is worth keeping. The same stop twice finds nothing new.

use std::time::{Duration, Instant};

use oldhand_core::draft::Draft;
use oldhand_core::policy::CaptureMode;
use oldhand_hosts::answer::Answer;
use oldhand_hosts::payload::Event;
use oldhand_judge::capture::drafter::{self, Source};
use oldhand_judge::capture::triage::{Hit, Rules, triage};
use oldhand_sessions::conversation::mentions;
use oldhand_text::hash::ContentHash;
use oldhand_text::secrets;
use oldhand_transcripts::{Turn, Voice};

use super::state::{Owed, SessionState};
use super::transcript::News;
use super::{Call, Told, written};
use crate::capture::handover;
use crate::failure::Fail;

/// One step reads and searches so much, which takes a fraction of a second; then it is written down.
const STEP_BYTES: u64 = 4 * 1024 * 1024;
/// No further step is begun after this: the rest is read at the next stop.
const STEPS_FOR: Duration = Duration::from_secs(2);
/// More than this may take so long that the host, or the deadline, ends it.
const LONG_BYTES: u64 = 256 * 1024;
/// Each step that never ended makes the next one this much smaller, in powers of two; after the last
/// of these tries the line is left out.
const SHRINK_BITS: u32 = 4;
const TRIES_MAX: u32 = 5;

/// What a step came to, before the session knows it.
#[derive(Default)]
struct Found {
    told: Told,
    /// Marks of what needs no further look.
    marks: Vec<String>,
    owed: Vec<Owed>,
    named: Vec<String>,
    handed_over: Option<usize>,
}

impl Call<'_> {
    pub(super) fn stop(&self) -> Result<Told, Fail> {
        self.update(|state| self.touch(state))?;
        let _work = self.work()?;
        self.catch_up(true)
    }

    /// The working state is saved before the conversation loses its beginning (R103).
    pub(super) fn before_compact(&self) -> Result<Told, Fail> {
        self.update(|state| self.touch(state))?;
        let _work = self.work()?;
        // The summary first: nothing else is worth as much once the conversation is gone.
        let compacted = match self.compact(&self.update(|state| state.clone())?) {
            Ok(note) => note,
            Err(fail) => format!("not compacted: {}", fail.message()),
        };
        let mut told = self.catch_up(false)?;
        if !compacted.is_empty() {
            told.note = format!("{}; {compacted}", told.note);
        }
        // Not every host starts the session anew after it: what was told is about to be gone.
        self.update(|state| {
            state.served.clear();
            state.asked.clear();
        })?;
        Ok(told)
    }

    /// The host may kill us at any moment: the next session finds what is left to do.
    pub(super) fn session_end(&self) -> Result<Told, Fail> {
        self.update(|state| {
            self.touch(state);
            state.is_over = true;
        })?;
        let _work = self.work()?;
        self.catch_up(false)
    }

    /// Reads on in steps, each of which is written down before the next one: whatever ends this, the
    /// next stop goes on from there. `can_ask`: the agent is there to draft, if that is the way.
    fn catch_up(&self, can_ask: bool) -> Result<Told, Fail> {
        let begun = Instant::now();
        // At its end a session has little time, and is to be settled in it.
        let time = match self.payload.event {
            Event::SessionEnd => {
                Duration::from_millis(self.resolved.settings.hooks.deadline_ms.unsigned_abs() / 2)
            }
            _ => STEPS_FOR,
        };
        let captured_max = self.resolved.settings.capture.per_stop_max;
        let mut state = self.update(|state| state.clone())?;
        let mut all = Told::default();
        loop {
            let tries = state.transcript.tries;
            if self.unread(&state) > LONG_BYTES {
                // Not known to end: who finds it begun takes a smaller step.
                self.update(|state| state.transcript.tries = tries + 1)?;
            }
            let mut news = match self.news(&state, step_bytes(tries)) {
                Ok(news) => news,
                Err(note) => {
                    self.update(|state| state.transcript.tries = 0)?;
                    all.add(Told::nothing(note));
                    return Ok(all);
                }
            };
            if tries > TRIES_MAX {
                news.turns.clear();
                news.doubt = format!("line {} takes too long and is left out", news.at.lines);
            }
            let left = captured_max.saturating_sub(all.captured.len());
            let mut found = self.look_through(&news, &state, can_ask, left)?;
            all.add(std::mem::take(&mut found.told));
            state = self.take_in(&state, &news, |state| found.add_to(state))?;
            if !news.doubt.is_empty() {
                all.add(Told::nothing(news.doubt));
            }
            let is_full = !all.captured.is_empty() && all.captured.len() >= captured_max;
            if news.is_whole || all.answer.is_some() || is_full || begun.elapsed() > time {
                if !news.is_whole {
                    let line = state.transcript.lines;
                    all.add(Told::nothing(format!(
                        "read up to line {line}, the rest at the next stop"
                    )));
                }
                return Ok(all);
            }
        }
    }

    fn look_through(
        &self,
        news: &News,
        state: &SessionState,
        can_ask: bool,
        left: usize,
    ) -> Result<Found, Fail> {
        let capture = &self.resolved.settings.capture;
        let named = state.ever_served.iter().filter(|id| mentions(&news.turns, id)).cloned();
        let mut found = Found { named: named.collect(), ..Found::default() };
        if capture.mode == CaptureMode::Off || self.is_own_store {
            let why = if self.is_own_store {
                "no store in this repository"
            } else {
                "`capture.mode` is off"
            };
            found.told = Told::nothing(format!("nothing is captured: {why}"));
            return Ok(found);
        }
        let rules = Rules::of(&self.resolved.settings.kinds, &capture.thresholds);
        let mut hits = triage(&news.turns, &rules).hits;
        hits.retain(|hit| !state.captured.contains(&mark(hit)));
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.line.cmp(&b.line)));
        if capture.mode == CaptureMode::Agent && can_ask {
            self.ask_for_drafts(news, &hits, state, &mut found)?;
        } else {
            // Before a compaction nobody can be asked, and nothing said shall be lost.
            hits.truncate(left);
            self.extract(&hits, &news.turns, state, &mut found)?;
        }
        Ok(found)
    }

    /// Without a model: a candidate for each, made of the sentences themselves.
    fn extract(
        &self,
        hits: &[Hit],
        turns: &[Turn],
        state: &SessionState,
        found: &mut Found,
    ) -> Result<(), Fail> {
        let (session, host) = (self.payload.session.as_str(), self.payload.dialect.as_str());
        let draft = |hit: &Hit| {
            drafter::draft(hit, turns, &Source { session, host, is_typed: state.is_typed(hit) })
        };
        let drafts: Vec<(&Hit, Option<Draft>)> = hits.iter().map(|hit| (hit, draft(hit))).collect();
        if drafts.is_empty() {
            found.told = Told::nothing("nothing worth keeping was said");
            return Ok(());
        }
        let mut notes: Vec<String> = Vec::new();
        self.desk.work_in(self.layout.clone(), |engine| {
            for (hit, draft) in &drafts {
                found.marks.push(mark(hit));
                let Some(draft) = draft else {
                    notes.push(format!("line {}: withheld, it holds a secret", hit.line));
                    continue;
                };
                match written(engine.capture(draft))? {
                    Ok(done) => {
                        let id = done.memory.id.to_string();
                        notes.push(format!("{} {id}", done.action.as_str()));
                        found.told.captured.push(id);
                    }
                    Err(why) => notes.push(format!("line {}: {why}", hit.line)),
                }
            }
            Ok(())
        })?;
        found.told.note = notes.join("; ");
        Ok(())
    }

    /// With the agent at hand: it is handed the excerpts, once, and drafts.
    fn ask_for_drafts(
        &self,
        news: &News,
        hits: &[Hit],
        state: &SessionState,
        found: &mut Found,
    ) -> Result<(), Fail> {
        // The host's own flag: the agent goes on because of us already, and what it says is about
        // its drafts.
        if self.payload.stop_active {
            // A person may have typed meanwhile: that is kept when the session is over.
            hits.iter()
                .filter(|hit| hit.voice == Voice::Person)
                .for_each(|hit| found.owe(hit, state.is_typed(hit)));
            found.told = Told::nothing("the agent stops after it was asked for drafts");
            return Ok(());
        }
        let mut after = state.clone();
        after.working.absorb(&news.turns);
        let asked = handover::Asked {
            settings: &self.resolved.settings,
            turns: &news.turns,
            hits,
            working: &after.working,
            is_summary_due: handover::is_summary_due(&self.resolved.settings, &after),
        };
        let handed = handover::write(self.own_folder()?, &self.payload.session, &asked)?;
        let Some(handed) = handed else {
            found.told = Told::nothing("nothing worth keeping was said");
            return Ok(());
        };
        hits.iter().for_each(|hit| found.owe(hit, state.is_typed(hit)));
        found.handed_over = Some(news.at.lines);
        found.told = Told {
            tokens: handed.reason.tokens(),
            note: format!("asked for drafts: {}", handed.categories.join(", ")),
            answer: Some(Answer::GoOn(handed.reason)),
            ..Told::default()
        };
        Ok(())
    }

    /// It was looked through. Only whoever holds the work of a session changes what this changes.
    pub(super) fn take_in(
        &self,
        seen: &SessionState,
        news: &News,
        more: impl FnOnce(&mut SessionState),
    ) -> Result<SessionState, Fail> {
        let mut working = seen.working.clone();
        working.absorb(&news.turns);
        self.update(|state| {
            state.working = working;
            state.transcript = news.at.clone();
            if news.is_whole {
                // What was typed meanwhile is still to come.
                state.said.retain(|said| !seen.said.contains(said));
            }
            more(state);
            state.clone()
        })
    }

    /// Bytes of the transcript behind the place where reading ended.
    fn unread(&self, state: &SessionState) -> u64 {
        let size = self.payload.transcript.as_ref().and_then(|path| std::fs::metadata(path).ok());
        size.map_or(0, |meta| meta.len().saturating_sub(state.transcript.offset))
    }

    /// Its conversation is over; what it said to its caller is in the caller's.
    pub(super) fn subagent_stop(&self) -> Told {
        Told::nothing("what a subagent says is captured from its caller")
    }
}

impl Found {
    /// Ticked off, and kept until somebody has drafted it. Nothing that is a secret touches the disk.
    fn owe(&mut self, hit: &Hit, is_typed: bool) {
        self.marks.push(mark(hit));
        let reason = hit.reason.as_deref().unwrap_or_default();
        if secrets::scan(&format!("{}\n{reason}", hit.text)).is_empty() {
            self.owed.push(Owed::of(hit, is_typed));
        }
    }

    fn add_to(self, state: &mut SessionState) {
        state.named.extend(self.named);
        self.marks.iter().for_each(|mark| state.capture(mark));
        state.owed.extend(self.owed);
        state.handed_over = self.handed_over.unwrap_or(state.handed_over);
    }
}

fn step_bytes(tries: u32) -> u64 {
    STEP_BYTES >> (SHRINK_BITS * tries.min(TRIES_MAX))
}

/// By which a sentence is known again.
fn mark(hit: &Hit) -> String {
    let text = oldhand_text::strings::normalise_line(&hit.text).to_lowercase();
    ContentHash::of(format!("{}\n{text}", hit.kind).as_bytes()).to_string()[..16].to_owned()
}
