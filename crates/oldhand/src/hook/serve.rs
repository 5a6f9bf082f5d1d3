//! What a prompt needs: the few memories that fit it, each once in a conversation, or nothing.

use oldhand_core::recall::bundle::{Bundle, framed, pointer};
use oldhand_core::text::middle_cut;
use oldhand_core::transcript::without_injected;
use oldhand_engine::recall::{Brief, Recalled, Request};
use oldhand_hosts::answer::{Answer, context_chars_max};

use super::state::{Held, SessionState};
use super::{Call, Told, frame};
use crate::commands::recall::recall;
use crate::failure::Fail;
use crate::reading::Reading;
use crate::receipt::Receipt;

/// Files that a prompt names and that are looked at.
const PATHS_MAX: usize = 5;
/// What a person asks stands at either end; what was pasted in between may be a whole log.
const PROMPT_BYTES_MAX: usize = 64 * 1024;
/// Attempts at a smaller budget, where a host takes fewer characters than the tokens would make.
const ATTEMPTS: usize = 3;

impl Call<'_> {
    /// R291, R108: whatever is asked, memory is asked first. R284: what is asked decides where.
    pub(super) fn prompt(&self) -> Result<Told, Fail> {
        let text = without_injected(&self.payload.prompt);
        if text.trim().is_empty() {
            return Ok(Told::nothing("the prompt is empty"));
        }
        let hooks = &self.resolved.settings.hooks;
        let mut held = self.state()?;
        self.touch(&mut held.state);
        held.state.hear(&text);
        held.state.prompts_since_compaction += 1;
        held.state.worked_at.clone_from(&held.state.seen_at);
        if let Err(why) = self.may_inject() {
            held.save()?;
            return Ok(Told::nothing(why));
        }
        let request = Request {
            paths: self.paths_in(&text),
            text: middle_cut(&text, PROMPT_BYTES_MAX),
            pointers_only: self.is_pointing(),
            budget_tokens: Some(hooks.inject_tokens.saturating_sub(frame::FRAME_TOKENS)),
            items_max: Some(hooks.inject_max),
            served_before: held.state.served_set(),
            quick: true,
            ..Request::default()
        };
        self.read(|reading| {
            let told = self.serve(reading, &request, &mut held)?;
            if told.served.is_empty() {
                held.state.unmatched += 1;
            }
            let told = self.tell_due(&mut held.state, told);
            held.save()?;
            Ok(told)
        })
    }

    /// Asks, answers, writes down what was given.
    pub(super) fn serve(
        &self,
        reading: &Reading<'_>,
        request: &Request,
        held: &mut Held,
    ) -> Result<Told, Fail> {
        let chars_max = context_chars_max(self.payload.dialect);
        let mut request = request.clone();
        for _ in 0..ATTEMPTS {
            let recalled = recall(reading, &request)?;
            let is_known = recalled.bundle.dropped.iter().any(|one| one.fits);
            if is_known || !recalled.bundle.is_empty() {
                held.state.matched += 1;
            }
            let Some(text) = frame::of_bundle(&recalled.bundle) else {
                return Ok(Told::nothing(why_nothing(&recalled)));
            };
            if !frame::fits(&text, chars_max) {
                request.budget_tokens = Some(recalled.bundle.used_tokens * 3 / 4);
                continue;
            }
            let served: Vec<String> = ids(&recalled.bundle);
            held.state.serve(&told_whole(&recalled.bundle));
            self.leave_receipt(reading, &request, &recalled.bundle);
            return Ok(Told {
                tokens: oldhand_core::tokens::count(&text),
                answer: Some(Answer::Context(text)),
                served,
                captured: Vec::new(),
                note: recalled.bundle.steps.last().map(|step| step.line()).unwrap_or_default(),
            });
        }
        Ok(Told::nothing("what fits is longer than the host takes"))
    }

    /// The newest of a shelf as context; nothing when there is nothing.
    pub(super) fn serve_brief(&self, brief: &Brief, held: &mut Held, about: &str) -> Told {
        if brief.entries.is_empty() {
            return Told::nothing(format!("nothing is bound to {about}"));
        }
        let mut text = format!("About {about}:\n");
        for entry in &brief.entries {
            let whole = || entry.fenced();
            text.push_str(&if self.is_pointing() { pointer(&entry.card) } else { whole() });
        }
        if !brief.freshness.is_empty() {
            text.push_str("freshness_warnings:\n");
            text.push_str(&oldhand_core::fresh::render_section(&brief.freshness));
        }
        let text = framed(&text);
        if !frame::fits(&text, context_chars_max(self.payload.dialect)) {
            return Told::nothing("what is bound to it is longer than the host takes");
        }
        let served: Vec<String> = brief.entries.iter().map(|it| it.card.id.clone()).collect();
        if !self.is_pointing() {
            held.state.serve(&served);
        }
        Told {
            tokens: oldhand_core::tokens::count(&text),
            answer: Some(Answer::Context(text)),
            served,
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
        let now = oldhand_core::time::format_instant(self.desk.now);
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

fn ids(bundle: &Bundle) -> Vec<String> {
    bundle.memories.iter().chain(&bundle.cautions).map(|entry| entry.card.id.clone()).collect()
}

/// An id alone tells nothing that could be used, or that should not be told later.
fn told_whole(bundle: &Bundle) -> Vec<String> {
    let entries = bundle.memories.iter().chain(&bundle.cautions);
    entries.filter(|it| !it.text.is_empty()).map(|it| it.card.id.clone()).collect()
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
