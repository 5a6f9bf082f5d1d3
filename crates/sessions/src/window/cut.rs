//! Cuts turns and tiers to their tokens. Every answer is counted before it is returned.

use super::{SpokenTurn, spoken};
use oldhand_text::strings::counted;
use oldhand_text::tokens;

/// A cut moves back to a blank this near, so that few words are torn.
const BLANK_BYTES_MAX: usize = 40;

/// The turn within the tokens: its oldest tool lines go first, then the middle of its text. `None`
/// when not even the mark of a cut has room.
pub(super) fn within(turn: &SpokenTurn, tokens_max: usize) -> Option<SpokenTurn> {
    if turn.tokens <= tokens_max {
        return Some(turn.clone());
    }
    let cost =
        |text: &str, tools: &[String]| tokens::count(&spoken::shown(turn.voice, text, tools));
    let fewer = |kept: usize| newest_tools(&turn.tools, kept);
    let kept = most(turn.tools.len(), |kept| cost(&turn.text, &fewer(kept)) <= tokens_max);
    if let Some(kept) = kept {
        return Some(as_cut(turn, turn.text.clone(), fewer(kept)));
    }
    let tools = fewer(0);
    let kept = most(turn.text.len(), |kept| {
        cost(&without_middle(&turn.text, kept), &tools) <= tokens_max
    })?;
    Some(as_cut(turn, without_middle(&turn.text, kept), tools))
}

/// A prompt and its answer within the tokens. The prompt has up to a half of them; the answer loses
/// its tool lines, then its middle, and goes where nothing of it has room.
pub(super) fn both_within(
    prompt: &SpokenTurn,
    answer: &SpokenTurn,
    tokens_max: usize,
) -> Vec<SpokenTurn> {
    let cost = |turns: &[SpokenTurn]| tokens::count(&super::render(turns));
    let both = vec![prompt.clone(), answer.clone()];
    if cost(&both) <= tokens_max {
        return both;
    }
    const BETWEEN_TOKENS: usize = 4;
    const BLANK_LINE_TOKENS: usize = 2;
    let spare = tokens_max.saturating_sub(answer.tokens + BETWEEN_TOKENS).max(tokens_max / 2);
    let Some(prompt) = within(prompt, spare) else {
        return within(prompt, tokens_max).into_iter().collect();
    };
    // What a text counts depends a little on what stands before it: where the pair is over, the
    // answer gets that much less room.
    let mut room = tokens_max.saturating_sub(prompt.tokens + BLANK_LINE_TOKENS);
    while let Some(answer) = within(answer, room) {
        let both = vec![prompt.clone(), answer];
        let over = cost(&both).saturating_sub(tokens_max);
        if over == 0 {
            return both;
        }
        room = room.saturating_sub(over);
    }
    vec![prompt]
}

/// The beginning of a text within the tokens, and a mark where it ends; nothing where not even that
/// has room. Whole lines, unless the first one is too long.
pub(super) fn beginning(text: &str, tokens_max: usize) -> String {
    if tokens::count(text) <= tokens_max {
        return text.to_owned();
    }
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
    let lines = |kept: usize| match kept.checked_sub(1).and_then(|at| ends.get(at)) {
        Some(end) => ended(&text[..*end]),
        None => ended(""),
    };
    let fits = |text: &str| tokens::count(text) <= tokens_max;
    match most(ends.len(), |kept| fits(&lines(kept))) {
        None => String::new(),
        Some(0) => {
            let start = |kept: usize| ended(&text[..text.floor_char_boundary(kept)]);
            most(text.len(), |kept| fits(&start(kept))).map(start).unwrap_or_default()
        }
        Some(kept) => lines(kept),
    }
}

fn ended(text: &str) -> String {
    const MARK: &str = "[the rest is left out]";
    let text = text.trim_end();
    if text.is_empty() { MARK.to_owned() } else { format!("{text}\n{MARK}") }
}

fn as_cut(turn: &SpokenTurn, text: String, tools: Vec<String>) -> SpokenTurn {
    let tokens = tokens::count(&spoken::shown(turn.voice, &text, &tools));
    SpokenTurn { text, tools, tokens, ..*turn }
}

/// The newest lines, and one line for all the others.
fn newest_tools(tools: &[String], kept: usize) -> Vec<String> {
    let gone = tools.len().saturating_sub(kept);
    let mark = (gone > 0)
        .then(|| format!("[{}]", counted(gone, "earlier tool call", "earlier tool calls")));
    mark.into_iter().chain(tools[gone..].iter().cloned()).collect()
}

/// The beginning and the end, together at most this many bytes, with a mark between them.
fn without_middle(text: &str, kept_bytes: usize) -> String {
    if kept_bytes >= text.len() {
        return text.to_owned();
    }
    let head = blank_before(text, text.floor_char_boundary(kept_bytes / 2));
    let tail = blank_after(text, text.ceil_char_boundary(text.len() - kept_bytes / 2));
    let (head_text, tail_text) = (text[..head].trim_end(), text[tail..].trim_start());
    let gone = text[head_text.len()..text.len() - tail_text.len()].chars().count();
    let mark = format!("[… {} left out …]", counted(gone, "character", "characters"));
    let parts = [head_text, &mark, tail_text];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
}

fn blank_before(text: &str, at: usize) -> usize {
    let from = text.ceil_char_boundary(at.saturating_sub(BLANK_BYTES_MAX));
    text[from..at].rfind(char::is_whitespace).map_or(at, |found| from + found)
}

fn blank_after(text: &str, at: usize) -> usize {
    let to = text.floor_char_boundary((at + BLANK_BYTES_MAX).min(text.len()));
    text[at..to].find(char::is_whitespace).map_or(at, |found| at + found)
}

/// The most up to `limit` that fits, by binary search; `None` when nothing does. Less text may rarely
/// count more, so the answer may be a little too small, but it always fits.
pub(crate) fn most(limit: usize, fits: impl Fn(usize) -> bool) -> Option<usize> {
    if !fits(0) {
        return None;
    }
    let (mut good, mut bad) = (0, limit + 1);
    while bad - good > 1 {
        let middle = good + (bad - good) / 2;
        if fits(middle) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    Some(good)
}
