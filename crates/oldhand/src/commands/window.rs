//! `oldhand window`: a conversation in tiers, each within its budget: what memory knows, the running
//! summary, and the newest turns as they are, last.

use std::collections::BTreeSet;

use oldhand_app::recall::Request;
use oldhand_sessions::compact::{self, Request as Compacting};
use oldhand_sessions::conversation::Working;
use oldhand_sessions::window::{self, Budgets, Raw, Window};
use oldhand_transcripts::{Turn, Voice};

use super::prelude::*;
use oldhand_desk::compacting::Source;
use oldhand_desk::conversation::Conversation;

/// What recall writes around the memories: a head, what was left out.
const AROUND_TOKENS: usize = 40;
/// Changed files that the question to memory names (R82).
const PATHS_MAX: usize = 5;

pub(super) fn run(args: &WindowArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let budgets = Budgets::of(args.budget).ok_or_else(|| {
        let expected = format!("at least {} tokens", window::TOTAL_MIN);
        Problem::new("--budget", &expected, &args.budget.to_string())
            .with_fix("leave it out for 8,500")
    })?;
    let source = Source::find(args.conversation.as_deref(), args.session.as_deref(), desk)?;
    let conversation = Conversation::read(&source.path, desk, io)?;
    let turns = &conversation.turns;
    let raw = Raw::of(turns, budgets.raw);
    let (seen, earlier) =
        source.earlier(args.earlier.as_deref(), conversation.whole_lines(), desk, io)?;
    let request = Compacting {
        budget_tokens: window::room(budgets.summary),
        focus: None,
        earlier: earlier.as_ref(),
        root: &source.root,
    };
    let older = window::older(turns, &raw);
    // What the earlier summary holds is not compacted again (R169).
    let older = &older[older.partition_point(|turn| turn.line <= seen)..];
    // What left the raw window is in the summary (R71); a conversation that fits has none.
    let summary = if older.is_empty() && earlier.is_none() {
        String::new()
    } else {
        compact::compact(older, &request).summary.render()
    };
    let long_term = long_term(args, turns, budgets.long_term, desk)?;
    let window = Window::of(&budgets, &long_term, &summary, &raw);
    desk.verbatim(io, "window", wire::session::WindowAnswer::of(&window), || window.render())?;
    Ok(conversation.verdict(DONE, io))
}

/// R82, R85, R90: asked with the task and the files at hand, within its share and never beyond.
fn long_term(
    args: &WindowArgs,
    turns: &[Turn],
    budget_tokens: usize,
    desk: &Desk<'_>,
) -> Result<String, Fail> {
    let mut working = Working::default();
    working.absorb(turns);
    let said = || {
        let mut spoken = turns.iter().rev().filter(|turn| turn.voice == Voice::Person);
        spoken.find(|turn| !turn.text.is_empty()).map(|turn| turn.text.clone())
    };
    let text = args.task.clone().or_else(said).unwrap_or_default();
    let mut paths = args.path.clone();
    if paths.is_empty() {
        paths = working.files.iter().rev().take(PATHS_MAX).cloned().collect();
    }
    // Without a store there is nothing to ask: a window is a window all the same.
    if desk.layout().is_err() || text.trim().is_empty() && paths.is_empty() {
        return Ok(String::new());
    }
    let root = desk.worktree();
    let relative = |path: &String| match std::path::Path::new(path).strip_prefix(&root) {
        Ok(below) => below.to_string_lossy().into_owned(),
        Err(_) => path.clone(),
    };
    desk.read(|reading| {
        let mut request = Request {
            text: oldhand_text::strings::middle_cut(&text, 16 * 1024),
            paths: paths.iter().map(relative).collect(),
            budget_tokens: Some(window::room(budget_tokens).saturating_sub(AROUND_TOKENS)),
            served_before: BTreeSet::new(),
            ..Request::default()
        };
        let mut bundle = reading.recall(&request)?.bundle;
        while bundle.to_text().tokens() > window::room(budget_tokens) {
            if bundle.is_empty() {
                return Ok(String::new());
            }
            request.budget_tokens = Some(bundle.used_tokens.saturating_sub(1) * 9 / 10);
            bundle = reading.recall(&request)?.bundle;
        }
        Ok(if bundle.is_empty() { String::new() } else { bundle.to_text().into_string() })
    })
}
