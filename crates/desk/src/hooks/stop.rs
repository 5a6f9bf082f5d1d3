//! When an agent stops, and before its conversation is compacted: what was said since the last look
//! is searched for what is worth keeping. The same stop twice finds nothing new.

use std::time::{Duration, Instant};

use oldhand_core::draft::Draft;
use oldhand_core::policy::CaptureMode;
use oldhand_hosts::payload::Event;
use oldhand_judge::capture::drafter::{self, Source};
use oldhand_judge::capture::harvest::{Harvested, harvest};
use oldhand_judge::capture::triage::{Hit, Rules, triage};
use oldhand_sessions::conversation::mentions;
use oldhand_store::port::session_state::{CaptureState, LastMessage, OwedDraft};
use oldhand_text::secrets;
use oldhand_transcripts::{Turn, Voice};

use super::compact::compact;
use super::prelude::*;
use super::transcript::{self, News};
use crate::drafts::{handover, written};

/// One step reads and searches so much, which takes a fraction of a second; then it is written down.
const STEP_BYTES: u64 = 4 * 1024 * 1024;
/// No further step is begun after this: the rest is read at the next stop.
const STEPS_FOR: Duration = Duration::from_secs(2);
/// Reading more than this may take so long that the host, or the deadline, ends it.
const LONG_BYTES: u64 = 256 * 1024;
/// Taken over from one look at a session.
const HARVEST_MAX: usize = 12;
/// Each step that never ended makes the next one this much smaller, in powers of two; after the last
/// of these tries the line is left out.
const SHRINK_BITS: u32 = 4;
const TRIES_MAX: u32 = 5;

#[derive(Default)]
struct Findings {
    reply: Reply,
    /// Marks of what needs no further look.
    marks: Vec<String>,
    /// The words of what was taken over.
    told: Vec<Vec<u32>>,
    owed: Vec<OwedDraft>,
    named: Vec<String>,
    handed_over: Option<usize>,
}

pub(super) fn stop(call: &Call<'_>) -> Result<Reply, Fail> {
    call.touch(|_| {})?;
    let _work = call.session.hold_work()?;
    catch_up(call, true)
}

/// The working state is saved before the conversation loses its beginning (R103).
pub(super) fn before_compact(call: &Call<'_>) -> Result<Reply, Fail> {
    call.touch(|_| {})?;
    let session = &call.session;
    let _work = session.hold_work()?;
    // The summary first: nothing else is worth as much once the conversation is gone.
    let compacted = match compact(call, &session.update_state(|state| state.clone())?) {
        Ok(note) => note,
        Err(fail) => format!("not compacted: {}", fail.message()),
    };
    let mut reply = catch_up(call, false)?;
    if !compacted.is_empty() {
        reply.note = format!("{}; {compacted}", reply.note);
    }
    // Not every host starts the session again after it: what was told is about to be gone.
    session.update_state(|state| state.served.forget_context())?;
    Ok(reply)
}

/// The host may kill us at any moment: the next session finds what is left to do.
pub(super) fn session_end(call: &Call<'_>) -> Result<Reply, Fail> {
    call.touch(|state| state.settlement.is_over = true)?;
    let _work = call.session.hold_work()?;
    catch_up(call, false)
}

/// Reads on in steps, each of which is stored before the next one: whatever ends this, the next stop
/// goes on from there. `can_ask`: the agent is there to draft, if that is the way.
fn catch_up(call: &Call<'_>, can_ask: bool) -> Result<Reply, Fail> {
    let begun = Instant::now();
    // At its end a session has little time, and is to be settled in it.
    let time = match call.payload.event {
        Event::SessionEnd => Duration::from_millis(call.hooks().deadline_ms.unsigned_abs() / 2),
        _ => STEPS_FOR,
    };
    let session = &call.session;
    let set_tries =
        |tries| session.update_state(|state| state.conversation.transcript.tries = tries);
    let captured_max = call.settings().capture.per_stop_max;
    let mut state = session.update_state(|state| state.clone())?;
    let mut all = Reply::default();
    loop {
        let tries = state.conversation.transcript.tries;
        if transcript::unread(call, &state) > LONG_BYTES {
            // It may never end: whoever finds it begun takes a smaller step.
            set_tries(tries + 1)?;
        }
        let step_bytes = STEP_BYTES >> (SHRINK_BITS * tries.min(TRIES_MAX));
        let mut news = match transcript::news(call, &state, step_bytes) {
            Ok(news) => news,
            Err(note) => {
                set_tries(0)?;
                all.add(Reply::nothing(note));
                return Ok(all);
            }
        };
        if tries > TRIES_MAX {
            news.turns.clear();
            news.doubt = format!("line {} takes too long and is left out", news.at.lines);
        }
        state.working.absorb(&news.turns);
        let left = captured_max.saturating_sub(all.captured.len());
        let mut found = find(call, &news, &state, can_ask, left)?;
        all.add(std::mem::take(&mut found.reply));
        state = take_in(call, &state, &news, |state| found.add_to(state))?;
        if !news.doubt.is_empty() {
            all.add(Reply::nothing(news.doubt));
        }
        let is_full = !all.captured.is_empty() && all.captured.len() >= captured_max;
        if news.is_whole || all.answer.is_some() || is_full || begun.elapsed() > time {
            if !news.is_whole {
                let line = state.conversation.transcript.lines;
                let note = format!("read up to line {line}, the rest at the next stop");
                all.add(Reply::nothing(note));
            }
            return Ok(all);
        }
    }
}

fn find(
    call: &Call<'_>,
    news: &News,
    state: &SessionState,
    can_ask: bool,
    left: usize,
) -> Result<Findings, Fail> {
    let capture = &call.settings().capture;
    let named = state.served.ever.iter().filter(|id| mentions(&news.turns, id)).cloned();
    let mut found = Findings { named: named.collect(), ..Findings::default() };
    if capture.mode == CaptureMode::Off || call.is_own {
        let why = if call.is_own { "no store in this repository" } else { "`capture.mode` is off" };
        found.reply = Reply::nothing(format!("nothing is captured: {why}"));
        return Ok(found);
    }
    let rules = Rules::of(&call.settings().kinds, &capture.thresholds);
    let triaged = triage(&news.turns, &rules);
    (found.reply.heard, found.reply.hits) = (triaged.heard as u32, triaged.hits.len() as u32);
    let mut hits = triaged.hits;
    if capture.harvest {
        take_over(call, news, state, &hits, &mut found)?;
    }
    hits.retain(|hit| !state.capture.captured.contains(&mark(hit)));
    hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.line.cmp(&b.line)));
    if capture.mode == CaptureMode::Agent && can_ask {
        ask_for_drafts(call, news, &hits, state, &mut found)?;
    } else {
        // Before a compaction nobody can be asked, and nothing said shall be lost.
        hits.truncate(left);
        extract(call, &hits, &news.turns, state, &mut found)?;
    }
    Ok(found)
}

/// What a person chose, or a model wrote down already.
fn take_over(
    call: &Call<'_>,
    news: &News,
    state: &SessionState,
    hits: &[Hit],
    found: &mut Findings,
) -> Result<(), Fail> {
    // A sentence that says it in so many words says more than the prompt around it.
    let is_sentence = |one: &Harvested| {
        !one.is_chosen && !one.typed.is_empty() && hits.iter().any(|hit| hit.line == one.line)
    };
    let before = state.conversation.last_message.as_ref().map(LastMessage::turn);
    let turns: Vec<&Turn> = before.iter().chain(&news.turns).collect();
    let mut new = harvest(&turns, call.payload.event == Event::SessionEnd);
    new.retain(|one| !is_sentence(one));
    found.told = keep_new(&mut new, &state.capture);
    if new.is_empty() {
        return Ok(());
    }
    let source = source(call, false);
    let drafts = new.iter().map(|one| {
        // Somebody else may have put words into a person's mouth.
        let is_theirs = one.typed.is_empty() || state.has_typed_only(&one.typed);
        let unverified = !(one.is_chosen && is_theirs);
        (one.line, one.draft(&source).map(|draft| Draft { unverified, ..draft }))
    });
    found.marks.extend(new.iter().map(|one| hashed(&one.mark())));
    write(call, drafts, found)
}

/// Leaves what was not taken over before, and returns the words of it: a commit, its pull request and
/// the last message say the same thrice.
pub(super) fn keep_new(new: &mut Vec<Harvested>, known: &CaptureState) -> Vec<Vec<u32>> {
    let mut told: Vec<Vec<u32>> = Vec::new();
    let mut reported: Vec<usize> = Vec::new();
    new.retain(|one| !known.captured.contains(&hashed(&one.mark())));
    new.retain(|one| {
        let words = one.words();
        let is_told = known.told.iter().chain(&told).any(|it| Harvested::is_alike(it, &words))
            || one.is_report && reported.contains(&one.line);
        if !is_told {
            told.push(words);
            reported.extend(one.is_report.then_some(one.line));
        }
        !is_told
    });
    new.truncate(HARVEST_MAX);
    told.truncate(HARVEST_MAX);
    told
}

/// Without a model: a candidate for each, made of the sentences themselves.
fn extract(
    call: &Call<'_>,
    hits: &[Hit],
    turns: &[Turn],
    state: &SessionState,
    found: &mut Findings,
) -> Result<(), Fail> {
    if hits.is_empty() {
        if found.reply.note.is_empty() {
            found.reply.note = "nothing worth keeping was said".to_owned();
        }
        return Ok(());
    }
    let drafts = hits.iter().map(|hit| {
        let draft = drafter::draft(hit, turns, &source(call, state.is_typed(hit)));
        (hit.line, draft.map(|draft| Draft { unverified: true, ..draft }))
    });
    found.marks.extend(hits.iter().map(mark));
    write(call, drafts, found)
}

fn source<'c>(call: &'c Call<'_>, is_typed: bool) -> Source<'c> {
    Source { session: &call.payload.session, host: call.payload.dialect.as_str(), is_typed }
}

/// Each with the line that it comes from; none where its words hold a secret.
fn write(
    call: &Call<'_>,
    drafts: impl Iterator<Item = (usize, Option<Draft>)>,
    found: &mut Findings,
) -> Result<(), Fail> {
    let mut reply = Reply::default();
    let mut notes: Vec<String> = Vec::new();
    call.work(|engine| {
        for (line, draft) in drafts {
            let Some(draft) = draft else {
                notes.push(format!("line {line}: withheld, it holds a secret"));
                continue;
            };
            let learning = engine.learning();
            let done = match draft.unverified {
                true => learning.capture(&draft),
                false => learning.capture_chosen(&draft),
            };
            match written(done)? {
                Ok(done) => {
                    notes.push(format!("{} {}", done.action.as_str(), done.memory.id));
                    reply.captured.push(done.memory.id.to_string());
                }
                Err(why) => notes.push(format!("line {line}: {why}")),
            }
        }
        Ok(())
    })?;
    reply.note = notes.join("; ");
    found.reply.add(reply);
    Ok(())
}

/// With the agent at hand: it is handed the excerpts, once, and drafts.
fn ask_for_drafts(
    call: &Call<'_>,
    news: &News,
    hits: &[Hit],
    state: &SessionState,
    found: &mut Findings,
) -> Result<(), Fail> {
    // The host's own flag: the agent goes on because of us already, and what it says is about its
    // drafts.
    if call.payload.stop_active {
        // A person may have typed meanwhile: that is kept when the session is over.
        hits.iter()
            .filter(|hit| hit.voice == Voice::Person)
            .for_each(|hit| found.owe(hit, state.is_typed(hit)));
        found.reply.add(Reply::nothing("the agent stops after it was asked for drafts"));
        return Ok(());
    }
    let settings = call.settings();
    let asked = handover::Asked {
        settings,
        turns: &news.turns,
        hits,
        working: &state.working,
        is_summary_due: handover::is_summary_due(settings, state),
    };
    let handed = handover::write(&call.files, &call.payload.session, &asked)?;
    let Some(handed) = handed else {
        found.reply.add(Reply::nothing("nothing worth keeping was said"));
        return Ok(());
    };
    hits.iter().for_each(|hit| found.owe(hit, state.is_typed(hit)));
    found.handed_over = Some(news.at.lines);
    found.reply.add(Reply {
        tokens: handed.reason.tokens(),
        note: format!("asked for drafts: {}", handed.categories.join(", ")),
        answer: Some(Answer::GoOn(handed.reason)),
        ..Reply::default()
    });
    Ok(())
}

/// Stores what was read, with the working state that knows it already. Only whoever holds the work of
/// a session changes what this changes.
pub(super) fn take_in(
    call: &Call<'_>,
    seen: &SessionState,
    news: &News,
    more: impl FnOnce(&mut SessionState),
) -> Result<SessionState, Fail> {
    Ok(call.session.update_state(|state| {
        state.working.clone_from(&seen.working);
        state.conversation.transcript = news.at.clone();
        state.conversation.hear_last(&news.turns);
        if news.is_whole {
            // What was typed meanwhile is still to come.
            state.conversation.said.retain(|said| !seen.conversation.said.contains(said));
        }
        more(state);
        state.clone()
    })?)
}

impl Findings {
    /// Ticked off, and kept until somebody has drafted it. Nothing that is a secret touches the disk.
    fn owe(&mut self, hit: &Hit, is_typed: bool) {
        self.marks.push(mark(hit));
        let reason = hit.reason.as_deref().unwrap_or_default();
        if secrets::scan(&format!("{}\n{reason}", hit.text)).is_empty() {
            self.owed.push(OwedDraft::of(hit, is_typed));
        }
    }

    fn add_to(self, state: &mut SessionState) {
        state.served.named.extend(self.named);
        self.marks.iter().for_each(|mark| state.capture(mark));
        state.capture.tell(self.told);
        state.capture.owed.extend(self.owed);
        state.capture.handed_over = self.handed_over.unwrap_or(state.capture.handed_over);
    }
}

/// Recognises a sentence that was seen before.
fn mark(hit: &Hit) -> String {
    let text = oldhand_text::strings::normalise_line(&hit.text).to_lowercase();
    hashed(&format!("{}\n{text}", hit.kind))
}

fn hashed(mark: &str) -> String {
    ContentHash::of(mark.as_bytes()).to_string()[..16].to_owned()
}
