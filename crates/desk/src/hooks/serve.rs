//! What a prompt needs: the few memories that fit it, each once per conversation, or nothing.

use std::collections::BTreeSet;

use oldhand_app::recall::{Brief, Recalled, Request, Shelf};
use oldhand_app::sessions::told_whole;
use oldhand_core::recall::bundle::{Entry, Source, framed, pointer};
use oldhand_core::recall::rank::Scored;
use oldhand_store::port::index::Semantic;
use oldhand_store::port::session_state::Said;
use oldhand_text::strings::middle_cut;
use oldhand_transcripts::without_injected;

use super::compact;
use super::opened::FRAME_TOKENS;
use super::prelude::*;
use super::{nudge, transcript, waiting};
use crate::reading::Reading;

const PATHS_MAX: usize = 5;
/// Of 51 memories that were served with prompts of real sessions, 28 of 32 above this likeness were
/// relevant, and 5 of 19 below it.
const NEAR: f32 = 0.42;
/// Half of what a prompt names in particular.
const TELLING: f32 = 0.5;
const CROWD: usize = 12;
/// What a person asks stands at either end; what was pasted in between may be a whole log.
const PROMPT_BYTES_MAX: usize = 64 * 1024;
/// Attempts at a smaller budget, where a host takes fewer characters than the tokens would make, or at
/// what another hook has not told meanwhile.
const ATTEMPTS: usize = 4;

/// R291, R108: whatever is asked, memory is asked first. R284: what is asked decides where.
pub(super) fn prompt(call: &Call<'_>) -> Result<Reply, Fail> {
    let text = without_injected(&call.payload.prompt);
    if text.trim().is_empty() {
        return Ok(Reply::nothing("the prompt is empty"));
    }
    let served_before = hear(call, &text)?;
    if let Err(why) = call.may_inject() {
        return Ok(Reply::nothing(why));
    }
    let hooks = call.hooks();
    let request = Request {
        paths: paths_in(call, &text),
        text: middle_cut(&text, PROMPT_BYTES_MAX),
        pointers_only: call.is_pointing(),
        budget_tokens: Some(hooks.inject_tokens.saturating_sub(FRAME_TOKENS)),
        items_max: Some(hooks.inject_max),
        served_before,
        quick: true,
        ..Request::default()
    };
    let steps = call.session.visible_notes().steps_done();
    // Before the session is locked.
    let is_interrupted = transcript::ends_interrupted(call);
    call.read(|reading| {
        let waiting = waiting::fitting(call, reading, &request);
        let mut asked = false;
        let reply = serve_from(call, reading, &request, &|_| true, &mut |state, reply| {
            state.served.unmatched += usize::from(reply.served.is_empty());
            let reply = compact::tell_due(call, state, steps, reply);
            let reply = nudge::with_prompt(call, is_interrupted, state, reply);
            let (reply, is_told) = waiting::ask(call, &waiting, state, reply);
            asked = is_told;
            reply
        })?;
        if asked {
            waiting::note(call, &waiting)?;
        }
        Ok(reply)
    })
}

/// Stores the prompt before anything else: recall may take long, or never end. Returns the ids that
/// the session was given.
fn hear(call: &Call<'_>, prompt: &str) -> Result<BTreeSet<String>, Fail> {
    let said = Said::of(prompt, call.payload.is_typed);
    let heard = call.touch(|state| {
        state.hear(said.clone());
        state.presence.worked_at.clone_from(&state.presence.seen_at);
        state.served.in_context_set()
    });
    match (heard, said) {
        (Err(fail), Some(said)) => {
            let why = fail.message();
            call.session.store.keep_prompt(&call.payload.session, &said)?;
            Err(Fail::usage(format!("{why}; the prompt is kept for the next hook"), ""))
        }
        (heard, _) => heard,
    }
}

/// Recalls, answers and stores what was given: of what fits only what `is_wanted`. `finish` changes
/// whatever else the answer changes.
pub(super) fn serve(
    call: &Call<'_>,
    request: &Request,
    is_wanted: &dyn Fn(&Entry) -> bool,
    finish: &mut dyn FnMut(&mut SessionState, Reply) -> Reply,
) -> Result<Reply, Fail> {
    call.read(|reading| serve_from(call, reading, request, is_wanted, finish))
}

fn serve_from(
    call: &Call<'_>,
    reading: &Reading<'_>,
    request: &Request,
    is_wanted: &dyn Fn(&Entry) -> bool,
    finish: &mut dyn FnMut(&mut SessionState, Reply) -> Reply,
) -> Result<Reply, Fail> {
    let mut request = request.clone();
    for _ in 0..ATTEMPTS {
        let mut recalled = reading.recall(&request)?;
        recalled.bundle.keep(is_wanted);
        keep_near(&mut recalled);
        let bundle = &recalled.bundle;
        let finds = !bundle.is_empty() || bundle.dropped.iter().any(|one| one.fits);
        let (reply, whole) = if bundle.is_empty() {
            (Reply::nothing(why_nothing(&recalled)), Vec::new())
        } else {
            let text = framed(&bundle.to_text(), bundle.source());
            if !call.fits(&text) {
                request.budget_tokens = Some(bundle.used_tokens * 3 / 4);
                continue;
            }
            let entries = bundle.memories.iter().chain(&bundle.cautions);
            let served = entries.map(|entry| entry.card.id.clone()).collect();
            let note = bundle.steps.last().map(|step| step.line()).unwrap_or_default();
            (Reply::context(text, served, note), told_whole(bundle))
        };
        let claimed = claim(call, &whole, |state| {
            state.served.matched += usize::from(finds);
            finish(state, reply)
        })?;
        match claimed {
            Ok(reply) => {
                if !reply.served.is_empty() {
                    let session = Some(call.payload.session.as_str());
                    let task = reading.sessions.as_ref().and_then(|it| it.current_task(session));
                    let asked = (request.text.as_str(), request.paths.as_slice());
                    let _ = reading.leave_receipt((session, task.as_deref()), asked, bundle);
                }
                return Ok(reply);
            }
            Err(served) => request.served_before = served,
        }
    }
    Ok(Reply::nothing("what fits was told meanwhile, or is longer than the host takes"))
}

/// In a store about one topic words that are common there speak for nearly everything. What nobody
/// asked for must be near in meaning, name what the prompt names, or be about a file at hand.
fn keep_near(recalled: &mut Recalled) {
    // By words alone there is nothing else, and among few memories words say enough.
    let is_crowded = recalled.ranked.len() >= CROWD;
    if !is_crowded || matches!(recalled.semantic, Semantic::Off { .. }) {
        return;
    }
    let is_near = |it: &&Scored| {
        let features = &it.candidate.features;
        features.dense.is_some_and(|likeness| likeness >= NEAR)
            || features.telling_coverage >= TELLING
            || it.parts.proximity > 0.0
    };
    let near = recalled.ranked.iter().filter(is_near);
    let near: BTreeSet<String> = near.map(|it| it.candidate.card.id.clone()).collect();
    recalled.bundle.keep(&|entry| near.contains(&entry.card.id));
}

/// Marks these ids as told, unless another hook of the session told one of them meanwhile: then the
/// ids that the session was given by now.
fn claim<T>(
    call: &Call<'_>,
    ids: &[String],
    finish: impl FnOnce(&mut SessionState) -> T,
) -> Result<Result<T, BTreeSet<String>>, Fail> {
    call.touch(|state| {
        if ids.iter().any(|id| state.served.in_context.contains(id)) {
            return Err(state.served.in_context_set());
        }
        state.served.add(ids);
        Ok(finish(state))
    })
}

/// The newest memories of a shelf as context; nothing when there are none. `asked` names the questions
/// that this answers.
pub(super) fn serve_brief(
    call: &Call<'_>,
    (shelves, budget_tokens): (&[Shelf], usize),
    served_before: &BTreeSet<String>,
    about: &AgentText,
    asked: &[String],
) -> Result<Reply, Fail> {
    let mut brief = call.read(|reading| {
        let memories = reading.engine.memories();
        Ok(memories.brief(reading.index, shelves, budget_tokens, served_before)?)
    })?;
    loop {
        let reply = tell_brief(call, &brief, about);
        let whole: &[String] = if call.is_pointing() { &[] } else { &reply.served };
        let claimed =
            claim(call, whole, |state| asked.iter().for_each(|what| state.served.ask(what)))?;
        match claimed {
            Ok(()) => return Ok(reply),
            Err(served) => brief.entries.retain(|it| !served.contains(&it.card.id)),
        }
    }
}

fn tell_brief(call: &Call<'_>, brief: &Brief, about: &AgentText) -> Reply {
    if brief.entries.is_empty() {
        return Reply::nothing(format!("nothing is bound to {about}"));
    }
    let mut text = AgentText::of("About {}:\n", std::slice::from_ref(about));
    for entry in &brief.entries {
        let is_pointing = call.is_pointing();
        text.push(&if is_pointing { pointer(&entry.card) } else { entry.fenced() });
    }
    if !brief.freshness.is_empty() {
        text.push_ours("freshness_warnings:\n");
        text.push(&oldhand_core::fresh::render_section(&brief.freshness));
    }
    let text = framed(&text, Source::of(brief.entries.iter().map(|entry| &entry.card)));
    if !call.fits(&text) {
        return Reply::nothing("what is bound to it is longer than the host takes");
    }
    let served = brief.entries.iter().map(|it| it.card.id.clone()).collect();
    Reply::context(text, served, format!("about {about}"))
}

fn paths_in(call: &Call<'_>, text: &str) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    for word in text.split_whitespace().take(500) {
        let word = word.trim_matches(|it: char| !it.is_alphanumeric() && it != '.' && it != '/');
        let word = word.trim_end_matches('.').trim_start_matches("./");
        let looks_like = word.len() > 2 && word.len() < 200 && word.contains(['/', '.']);
        if looks_like
            && let Some(path) = call.relative(word)
            && !paths.contains(&path)
            && call.layout.repository.join(&path).is_file()
        {
            paths.push(path);
            if paths.len() == PATHS_MAX {
                break;
            }
        }
    }
    paths
}

fn why_nothing(recalled: &Recalled) -> String {
    let bundle = &recalled.bundle;
    if let Some(one) = bundle.dropped.iter().find(|one| one.fits) {
        return format!("`{}`: {}", one.id, one.reason);
    }
    match recalled.ranked.first() {
        Some(near) => {
            let (id, confidence) = (&near.candidate.card.id, near.confidence);
            format!("nothing fits; nearest is `{id}` with {confidence:.2}")
        }
        None => "nothing fits".to_owned(),
    }
}
