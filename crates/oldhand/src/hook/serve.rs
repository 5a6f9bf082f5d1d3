//! What a prompt needs: the few memories that fit it, each once in a conversation, or nothing.

use std::collections::BTreeSet;

use oldhand_app::recall::{Brief, Recalled, Request};
use oldhand_core::recall::bundle::{Bundle, Source, framed, pointer};
use oldhand_hosts::answer::{Answer, context_chars_max};
use oldhand_text::agent_text::AgentText;
use oldhand_text::strings::middle_cut;
use oldhand_transcripts::without_injected;

use super::state::{Said, SessionState, keep_for_later};
use super::{Call, Told, frame};
use crate::failure::Fail;
use crate::reading::Reading;
use crate::receipt::{Receipt, told_whole};

/// Files that a prompt names and that are looked at.
const PATHS_MAX: usize = 5;
/// What a person asks stands at either end; what was pasted in between may be a whole log.
const PROMPT_BYTES_MAX: usize = 64 * 1024;
/// Attempts at a smaller budget, where a host takes fewer characters than the tokens would make, or at
/// what another hook has not told meanwhile.
const ATTEMPTS: usize = 4;

impl Call<'_> {
    /// R291, R108: whatever is asked, memory is asked first. R284: what is asked decides where.
    pub(super) fn prompt(&self) -> Result<Told, Fail> {
        let text = without_injected(&self.payload.prompt);
        if text.trim().is_empty() {
            return Ok(Told::nothing("the prompt is empty"));
        }
        let served_before = self.hear(&text)?;
        if let Err(why) = self.may_inject() {
            return Ok(Told::nothing(why));
        }
        let hooks = &self.resolved.settings.hooks;
        let request = Request {
            paths: self.paths_in(&text),
            text: middle_cut(&text, PROMPT_BYTES_MAX),
            pointers_only: self.is_pointing(),
            budget_tokens: Some(hooks.inject_tokens.saturating_sub(frame::FRAME_TOKENS)),
            items_max: Some(hooks.inject_max),
            served_before,
            quick: true,
            ..Request::default()
        };
        let steps = self.steps_done();
        let finish = |state: &mut SessionState, told: Told| {
            state.unmatched += usize::from(told.served.is_empty());
            self.tell_due(state, steps, told)
        };
        self.read(|reading| self.serve(reading, &request, &finish))
    }

    /// Written down before anything else is done: recall may take long, or never end. Ids that the
    /// session was given.
    fn hear(&self, prompt: &str) -> Result<BTreeSet<String>, Fail> {
        let said = Said::of(prompt, self.payload.is_typed);
        let heard = self.update(|state| {
            self.touch(state);
            state.hear(said.clone());
            state.worked_at.clone_from(&state.seen_at);
            state.served_set()
        });
        match (heard, said) {
            (Err(fail), Some(said)) => {
                let why = fail.message();
                keep_for_later(self.own_folder()?, &self.payload.session, &said)?;
                Err(Fail::usage(format!("{why}; the prompt is kept for the next hook"), ""))
            }
            (heard, _) => heard,
        }
    }

    /// Asks, answers, writes down what was given. What else there is to change is changed with it.
    pub(super) fn serve(
        &self,
        reading: &Reading<'_>,
        request: &Request,
        finish: &dyn Fn(&mut SessionState, Told) -> Told,
    ) -> Result<Told, Fail> {
        let chars_max = context_chars_max(self.payload.dialect);
        let mut request = request.clone();
        for _ in 0..ATTEMPTS {
            let recalled = reading.recall(&request)?;
            let bundle = &recalled.bundle;
            let finds = !bundle.is_empty() || bundle.dropped.iter().any(|one| one.fits);
            let (told, whole) = match frame::of_bundle(bundle) {
                None => (Told::nothing(why_nothing(&recalled)), Vec::new()),
                Some(text) if !frame::fits(&text, chars_max) => {
                    request.budget_tokens = Some(bundle.used_tokens * 3 / 4);
                    continue;
                }
                Some(text) => (tell(text, bundle), told_whole(bundle)),
            };
            let claimed = self.claim(&whole, |state| {
                state.matched += usize::from(finds);
                finish(state, told)
            })?;
            match claimed {
                Ok(told) => {
                    if !told.served.is_empty() {
                        self.leave_receipt(reading, &request, bundle);
                    }
                    return Ok(told);
                }
                Err(served) => request.served_before = served,
            }
        }
        Ok(Told::nothing("what fits was told meanwhile, or is longer than the host takes"))
    }

    /// These are told now, unless another hook of the session has told one of them while this one was
    /// looking: then what the session was given by now.
    fn claim<T>(
        &self,
        ids: &[String],
        finish: impl FnOnce(&mut SessionState) -> T,
    ) -> Result<Result<T, BTreeSet<String>>, Fail> {
        self.update(|state| {
            if ids.iter().any(|id| state.served.contains(id)) {
                return Err(state.served_set());
            }
            self.touch(state);
            state.serve(ids);
            Ok(finish(state))
        })
    }

    /// The newest of a shelf as context; nothing when there is nothing. It was asked for by these.
    pub(super) fn serve_brief(
        &self,
        mut brief: Brief,
        about: &AgentText,
        asked: &[String],
    ) -> Result<Told, Fail> {
        loop {
            let told = self.tell_brief(&brief, about);
            let whole: &[String] = if self.is_pointing() { &[] } else { &told.served };
            let claimed = self.claim(whole, |state| {
                asked.iter().for_each(|what| state.ask(what));
            })?;
            match claimed {
                Ok(()) => return Ok(told),
                Err(served) => brief.entries.retain(|it| !served.contains(&it.card.id)),
            }
        }
    }

    fn tell_brief(&self, brief: &Brief, about: &AgentText) -> Told {
        if brief.entries.is_empty() {
            return Told::nothing(format!("nothing is bound to {about}"));
        }
        let mut text = AgentText::of("About {}:\n", std::slice::from_ref(about));
        for entry in &brief.entries {
            let whole = || entry.fenced();
            text.push(&if self.is_pointing() { pointer(&entry.card) } else { whole() });
        }
        if !brief.freshness.is_empty() {
            text.push_ours("freshness_warnings:\n");
            text.push(&oldhand_core::fresh::render_section(&brief.freshness));
        }
        let text = framed(&text, Source::of(brief.entries.iter().map(|entry| &entry.card)));
        if !frame::fits(&text, context_chars_max(self.payload.dialect)) {
            return Told::nothing("what is bound to it is longer than the host takes");
        }
        Told {
            tokens: text.tokens(),
            answer: Some(Answer::Context(text)),
            served: brief.entries.iter().map(|it| it.card.id.clone()).collect(),
            captured: Vec::new(),
            note: format!("about {about}"),
        }
    }

    fn leave_receipt(&self, reading: &Reading<'_>, request: &Request, bundle: &Bundle) {
        if let Some(receipts) = &reading.receipts {
            let task = receipts.current_task(Some(&self.payload.session));
            // The answer is worth as much without it.
            let _ = receipts.leave(&Receipt {
                at: self.desk.now,
                session: Some(&self.payload.session),
                task: task.as_deref(),
                by: reading.engine.by,
                query: &request.text,
                paths: &request.paths,
                bundle,
            });
        }
    }

    /// The session is alive, and this is when.
    pub(super) fn touch(&self, state: &mut SessionState) {
        let now = oldhand_text::time::format_instant(self.desk.now);
        if state.started_at.is_empty() {
            state.started_at.clone_from(&now);
        }
        state.seen_at = now;
        if let Some(path) = &self.payload.transcript {
            state.transcript_path.clone_from(path);
        }
        state.worktree = self.desk.worktree().to_string_lossy().into_owned();
        state.host = self.payload.dialect.as_str().to_owned();
        (state.is_over, state.is_settled) = (false, false);
    }

    /// Files that a prompt names and that are there.
    fn paths_in(&self, text: &str) -> Vec<String> {
        let root = &self.layout.repository;
        let mut paths: Vec<String> = Vec::new();
        for word in text.split_whitespace().take(500) {
            let word =
                word.trim_matches(|it: char| !it.is_alphanumeric() && it != '.' && it != '/');
            let word = word.trim_end_matches('.').trim_start_matches("./");
            let looks_like = word.len() > 2 && word.len() < 200 && word.contains(['/', '.']);
            if looks_like
                && let Some(path) = self.relative(word)
                && !paths.contains(&path)
                && root.join(&path).is_file()
            {
                paths.push(path);
                if paths.len() == PATHS_MAX {
                    break;
                }
            }
        }
        paths
    }
}

fn tell(text: AgentText, bundle: &Bundle) -> Told {
    let entries = bundle.memories.iter().chain(&bundle.cautions);
    Told {
        tokens: text.tokens(),
        answer: Some(Answer::Context(text)),
        served: entries.map(|entry| entry.card.id.clone()).collect(),
        captured: Vec::new(),
        note: bundle.steps.last().map(|step| step.line()).unwrap_or_default(),
    }
}

/// What came nearest, and why it was not enough.
fn why_nothing(recalled: &Recalled) -> String {
    let bundle = &recalled.bundle;
    if let Some(one) = bundle.dropped.iter().find(|one| one.fits) {
        return format!("`{}`: {}", one.id, one.reason);
    }
    match recalled.ranked.first() {
        Some(near) => format!(
            "nothing fits; nearest is `{}` with {:.2}",
            near.candidate.card.id, near.confidence
        ),
        None => "nothing fits".to_owned(),
    }
}
