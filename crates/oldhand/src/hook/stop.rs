//! When an agent stops, and before its conversation is compacted: what was said since the last look
//! is searched for what is worth keeping. The same stop twice finds nothing new.

use oldhand_core::capture::drafter::{self, Source};
use oldhand_core::capture::triage::{Hit, Rules, triage};
use oldhand_core::draft::Draft;
use oldhand_core::hash::ContentHash;
use oldhand_core::policy::CaptureMode;
use oldhand_core::secrets;
use oldhand_core::transcript::{Turn, Voice};
use oldhand_core::working::mentions;
use oldhand_hosts::answer::Answer;

use super::state::{Held, Owed, SessionState};
use super::transcript::News;
use super::{Call, Told, written};
use crate::capture::handover;
use crate::failure::Fail;

impl Call<'_> {
    pub(super) fn stop(&self) -> Result<Told, Fail> {
        let mut held = self.state()?;
        self.touch(&mut held.state);
        let news = match self.news(&held.state) {
            Ok(news) => news,
            Err(note) => {
                held.save()?;
                return Ok(Told::nothing(note));
            }
        };
        let told = self.look_through(&news, &mut held, true)?;
        held.save()?;
        Ok(told)
    }

    /// The working state is saved before the conversation loses its beginning (R103).
    pub(super) fn before_compact(&self) -> Result<Told, Fail> {
        let mut held = self.state()?;
        self.touch(&mut held.state);
        // The summary first: nothing else is worth as much once the conversation is gone.
        let compacted = match self.compact(&mut held.state) {
            Ok(note) => note,
            Err(fail) => format!("not compacted: {}", fail.message()),
        };
        held.save()?;
        let mut told = match self.news(&held.state) {
            Ok(news) => self.look_through(&news, &mut held, false)?,
            Err(note) => Told::nothing(note),
        };
        if !compacted.is_empty() {
            told.note = format!("{}; {compacted}", told.note);
        }
        // Not every host starts the session anew after it: what was told is about to be gone.
        held.state.served.clear();
        held.state.asked.clear();
        held.save()?;
        Ok(told)
    }

    /// The host may kill us at any moment: the next session finds what is left to do.
    pub(super) fn session_end(&self) -> Result<Told, Fail> {
        let mut held = self.state()?;
        self.touch(&mut held.state);
        held.state.is_over = true;
        held.save()?;
        let told = match self.news(&held.state) {
            Ok(news) => self.look_through(&news, &mut held, false)?,
            Err(note) => Told::nothing(note),
        };
        held.save()?;
        Ok(told)
    }

    /// `can_ask`: the agent is there to draft, if that is the way.
    fn look_through(&self, news: &News, held: &mut Held, can_ask: bool) -> Result<Told, Fail> {
        let mut told = self.looked_through(news, held, can_ask)?;
        if !news.doubt.is_empty() {
            told.note = format!("{}; {}", told.note, news.doubt);
        }
        Ok(told)
    }

    fn looked_through(&self, news: &News, held: &mut Held, can_ask: bool) -> Result<Told, Fail> {
        let state = &mut held.state;
        let capture = &self.resolved.settings.capture;
        let served: Vec<String> = state.ever_served.clone();
        state.named.extend(served.into_iter().filter(|id| mentions(&news.turns, id)));
        if capture.mode == CaptureMode::Off || self.is_own_store {
            state.take_in(news);
            let why = if self.is_own_store {
                "no store in this repository"
            } else {
                "`capture.mode` is off"
            };
            return Ok(Told::nothing(format!("nothing is captured: {why}")));
        }
        let rules = Rules::of(&self.resolved.settings.kinds, &capture.thresholds);
        let found = triage(&news.turns, &rules);
        let mut hits: Vec<Hit> =
            found.hits.into_iter().filter(|hit| !state.captured.contains(&mark(hit))).collect();
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.line.cmp(&b.line)));
        if capture.mode == CaptureMode::Agent && can_ask {
            return self.ask_for_drafts(news, &hits, held);
        }
        // Before a compaction nobody can be asked, and nothing said shall be lost.
        hits.truncate(capture.per_stop_max);
        let told = self.extract(&hits, &news.turns, held)?;
        held.state.take_in(news);
        Ok(told)
    }

    /// Without a model: a candidate for each, made of the sentences themselves.
    fn extract(&self, hits: &[Hit], turns: &[Turn], held: &mut Held) -> Result<Told, Fail> {
        let source = Source { session: &self.payload.session, host: self.payload.dialect.as_str() };
        let drafts: Vec<(&Hit, Option<Draft>)> =
            hits.iter().map(|hit| (hit, drafter::draft(hit, turns, &source))).collect();
        if drafts.is_empty() {
            return Ok(Told::nothing("nothing worth keeping was said"));
        }
        let mut told = Told::default();
        let mut notes: Vec<String> = Vec::new();
        self.desk.work_in(self.layout.clone(), |engine| {
            for (hit, draft) in &drafts {
                let Some(draft) = draft else {
                    notes.push(format!("line {}: withheld, it holds a secret", hit.line));
                    held.state.capture(&mark(hit));
                    continue;
                };
                match written(engine.capture(draft))? {
                    Ok(done) => {
                        let id = done.memory.id.to_string();
                        notes.push(format!("{} {id}", done.action.as_str()));
                        told.captured.push(id);
                    }
                    Err(why) => notes.push(format!("line {}: {why}", hit.line)),
                }
                held.state.capture(&mark(hit));
            }
            Ok(())
        })?;
        told.note = notes.join("; ");
        Ok(told)
    }

    /// With the agent at hand: it is handed the excerpts, once, and drafts.
    fn ask_for_drafts(&self, news: &News, hits: &[Hit], held: &mut Held) -> Result<Told, Fail> {
        let state = &mut held.state;
        state.take_in(news);
        // The host's own flag: the agent goes on because of us already, and what it says is about
        // its drafts.
        if self.payload.stop_active {
            // A person may have typed meanwhile: that is kept when the session is over.
            for hit in hits.iter().filter(|hit| hit.voice == Voice::Person) {
                state.owe(hit);
            }
            return Ok(Told::nothing("the agent stops after it was asked for drafts"));
        }
        let asked = handover::Asked {
            settings: &self.resolved.settings,
            turns: &news.turns,
            hits,
            working: &state.working,
            is_summary_due: handover::is_summary_due(&self.resolved.settings, state),
        };
        let Some(folder) = &self.folder else { return Ok(Told::nothing("no folder for staging")) };
        let Some(handed) = handover::write(folder, &self.payload.session, &asked)? else {
            return Ok(Told::nothing("nothing worth keeping was said"));
        };
        for hit in hits {
            state.owe(hit);
        }
        state.handed_over = news.at.lines;
        Ok(Told {
            tokens: oldhand_core::tokens::count(&handed.reason),
            note: format!("asked for drafts: {}", handed.categories.join(", ")),
            answer: Some(Answer::GoOn(handed.reason)),
            ..Told::default()
        })
    }

    /// Its conversation is over; what it said to its caller is in the caller's.
    pub(super) fn subagent_stop(&self) -> Told {
        Told::nothing("what a subagent says is captured from its caller")
    }
}

impl SessionState {
    /// Ticked off, and kept until somebody has drafted it. Nothing that is a secret touches the disk.
    fn owe(&mut self, hit: &Hit) {
        self.capture(&mark(hit));
        let reason = hit.reason.as_deref().unwrap_or_default();
        if secrets::scan(&format!("{}\n{reason}", hit.text)).is_empty() {
            self.owed.push(Owed::of(hit));
        }
    }

    /// It was looked through.
    pub(super) fn take_in(&mut self, news: &News) {
        self.working.absorb(&news.turns);
        self.transcript = news.at.clone();
        self.said.clear();
    }
}

/// By which a sentence is known again.
fn mark(hit: &Hit) -> String {
    let text = oldhand_core::text::normalise_line(&hit.text).to_lowercase();
    ContentHash::of(format!("{}\n{text}", hit.kind).as_bytes()).to_string()[..16].to_owned()
}
