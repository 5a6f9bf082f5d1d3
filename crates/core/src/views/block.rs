//! The managed block: what must be known of the store on a page that people wrote, between two marks. Only
//! what is between the marks is ours. Pages are bytes to us: line endings, a byte order mark and a missing
//! last newline stay.

use std::cmp::{Ordering, Reverse};
use std::ops::Range;

use jiff::Timestamp;
use oldhand_text::tokens;
use oldhand_text::word::words;

use super::stamp_of;
use crate::kind::Kind;
use crate::lifecycle::marker;
use crate::memory::Memory;
use crate::refusal::{Code, Refusal};
use crate::scope::Scope;

mod conflict;
mod line;
mod read;

pub use conflict::without_conflict;
pub use read::{BlockEdits, read_edits};

words! {
    /// The pages that agents read by themselves.
    BlockPage, "view" {
        Agents = "agents",
        Claude = "claude",
        Gemini = "gemini",
        Copilot = "copilot",
    }
}

impl BlockPage {
    pub fn file_name(self) -> &'static str {
        match self {
            Self::Agents => "AGENTS.md",
            Self::Claude => "CLAUDE.md",
            Self::Gemini => "GEMINI.md",
            Self::Copilot => ".github/copilot-instructions.md",
        }
    }
}

/// A memory that may stand in a block, with what it has earned.
#[derive(Debug, Clone, Copy)]
pub struct Earned<'a> {
    pub memory: &'a Memory,
    pub trust: f64,
}

/// What the first mark says beside the lines: their budget, and whether they are about the page's folder alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame {
    pub budget_tokens: usize,
    pub is_nested: bool,
}

const NESTED: &str = "nested";
const BEGIN: &str = "<!-- oldhand:begin";
const END: &str = "<!-- oldhand:end -->";
const VERSION: &str = "v1";
const HEAD: &str = "## Project memory\nFrom oldhand; `oldhand recall \"<task>\"` knows more. Change the \
    memories, not these lines.\n";

/// The groups in the order in which they get their share of the budget.
const GROUPS: [(Kind, &str); 4] = [
    (Kind::Constraint, "Must hold"),
    (Kind::Preference, "How things are done here"),
    (Kind::Decision, "Decided"),
    (Kind::Runbook, "When it breaks"),
];

/// The lines between the marks, within a budget that counts the marks as well.
pub fn render(
    memories: &[Earned<'_>],
    scope: &Scope,
    budget_tokens: usize,
    now: Timestamp,
) -> String {
    let frame = Frame { budget_tokens, is_nested: *scope != Scope::Project };
    let mut weight = tokens::weight(&wrapped(HEAD, "\n", frame)) + tokens::weight(&more(9_999));
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    let mut left = 0;
    for (kind, heading) in GROUPS {
        let mut shown: Vec<&Earned<'_>> = memories
            .iter()
            .filter(|it| it.memory.kind == kind && is_shown(it.memory, scope, now))
            .collect();
        shown.sort_by(|one, other| order(one, other));
        let (heading, mut lines) = (format!("### {heading}\n"), Vec::new());
        for line in shown.iter().map(|it| line::of(it.memory)) {
            let head = if lines.is_empty() { tokens::weight(&heading) } else { 0 };
            let more = weight + head + tokens::weight(&line);
            if tokens::of_weight(more) <= budget_tokens {
                weight = more;
                lines.push(line);
            } else {
                left += 1;
            }
        }
        groups.push((heading, lines));
    }
    loop {
        let text = laid_out(&groups, left);
        // Pieces add up to almost, but not quite, the weight of the whole.
        let is_within = tokens::count(&wrapped(&text, "\n", frame)) <= budget_tokens;
        match groups.iter_mut().rev().find(|(_, lines)| !lines.is_empty()) {
            Some((_, lines)) if !is_within => {
                lines.pop();
                left += 1;
            }
            _ => return text,
        }
    }
}

fn laid_out(groups: &[(String, Vec<String>)], left: usize) -> String {
    let mut text = HEAD.to_owned();
    for (heading, lines) in groups.iter().filter(|(_, lines)| !lines.is_empty()) {
        text.push_str(heading);
        text.push_str(&lines.concat());
    }
    if left > 0 { text + &more(left) } else { text }
}

fn more(count: usize) -> String {
    format!("{count} more: `oldhand index`\n")
}

fn is_shown(memory: &Memory, scope: &Scope, now: Timestamp) -> bool {
    let is_held = memory.state_reason.as_deref().is_some_and(|why| why.starts_with("held:"));
    let is_open =
        memory.kind == Kind::Decision && memory.content.text("status") == Some("proposed");
    memory.state.is_served()
        && memory.scope == *scope
        && !is_held
        && !is_open
        && marker(memory, now).is_none()
}

/// What weighs most first: severity, strength, trust. Ties by id.
fn order(one: &Earned<'_>, other: &Earned<'_>) -> Ordering {
    let rank = |it: &Earned<'_>| match it.memory.kind {
        Kind::Constraint => rank_of(&["high", "medium", "low"], it.memory, "severity"),
        Kind::Preference => rank_of(&["strong", "default", "soft"], it.memory, "strength"),
        _ => 0,
    };
    let earned = |it: &Earned<'_>| Reverse((it.trust * 1000.0).round() as i64);
    let is_decision = one.memory.kind == Kind::Decision;
    let by_trust = if is_decision { earned(one).cmp(&earned(other)) } else { Ordering::Equal };
    rank(one).cmp(&rank(other)).then(by_trust).then_with(|| one.memory.id.cmp(&other.memory.id))
}

/// A word that is not there counts as the one in the middle, which is every default.
fn rank_of(words: &[&str], memory: &Memory, field: &str) -> usize {
    let found = memory.content.text(field).and_then(|it| words.iter().position(|word| *word == it));
    found.unwrap_or(1)
}

/// The block with its marks, without a line end behind the last.
fn wrapped(lines: &str, newline: &str, frame: Frame) -> String {
    let nested = if frame.is_nested { format!("{NESTED} ") } else { String::new() };
    let tokens = frame.budget_tokens;
    let begin = format!("{BEGIN} {VERSION} {} tokens={tokens} {nested}-->\n", stamp_of(lines));
    format!("{begin}{lines}{END}").replace('\n', newline)
}

/// A block on a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marked {
    /// From the first mark to the end of the last, without its line end.
    range: Range<usize>,
    inner: Range<usize>,
    /// The lines are not those that the mark speaks of.
    pub is_edited: bool,
    /// They are about the page's folder.
    pub is_nested: bool,
    /// It is an example, between fences.
    pub is_in_code: bool,
}

/// The block of a page. Where the marks are not one pair, nobody can say what is ours.
pub fn find(name: &str, page: &str) -> Result<Option<Marked>, Refusal> {
    let (mut begin, mut end) = (None::<(usize, Range<usize>)>, None::<Range<usize>>);
    let mut at = 0;
    for (number, line) in (1..).zip(page.split_inclusive('\n')) {
        let bare = line.trim_start_matches('\u{FEFF}').trim();
        let start = at + line.find(bare).unwrap_or(0);
        let place = start..start + bare.len();
        at += line.len();
        let is_begin = bare.starts_with(BEGIN);
        match (is_begin, &begin) {
            (true, Some((first, _))) => {
                return Err(unclear(
                    name,
                    &format!("lines {first} and {number} both begin a block"),
                ));
            }
            (true, None) => begin = Some((number, place)),
            (false, None) if bare == END => {
                return Err(unclear(
                    name,
                    &format!("line {number} ends a block that does not begin"),
                ));
            }
            (false, Some(_)) if bare == END && end.is_some() => {
                return Err(unclear(name, &format!("line {number} ends the block again")));
            }
            (false, Some(_)) if bare == END => end = Some(place),
            _ => {}
        }
    }
    let Some((number, begin)) = begin else { return Ok(None) };
    let Some(end) = end else {
        return Err(unclear(name, &format!("the block that begins in line {number} does not end")));
    };
    let inner =
        page[begin.end..end.start].find('\n').map_or(end.start, |it| begin.end + it + 1)..end.start;
    let mut words = page[begin.clone()][BEGIN.len()..].split_whitespace();
    if words.next() != Some(VERSION) {
        let message =
            format!("the block in line {number} of `{name}` is of a version that is not known");
        return Err(Refusal::new(Code::Version, message).with_hint("update oldhand"));
    }
    let is_edited = words.next() != Some(&stamp_of(&page[inner.clone()]));
    let is_nested = words.any(|word| word == NESTED);
    let is_fence = |line: &&str| line.trim_start().starts_with("```");
    let is_in_code = page[..begin.start].lines().filter(is_fence).count() % 2 == 1;
    Ok(Some(Marked { range: begin.start..end.end, inner, is_edited, is_nested, is_in_code }))
}

fn unclear(name: &str, why: &str) -> Refusal {
    Refusal::new(Code::Unreadable, format!("could not read the block in `{name}`: {why}"))
        .with_hint(format!("leave one `{BEGIN} … -->` and one `{END}` below it, or neither"))
}

/// What becomes of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Woven {
    Same,
    /// Somebody changed the lines between the marks.
    Edited,
    New(String),
}

/// The page with these lines between its marks; at its end, where it has none.
pub fn weave(
    name: &str,
    page: Option<&str>,
    lines: &str,
    frame: Frame,
    force: bool,
) -> Result<Woven, Refusal> {
    let Some(page) = page else {
        return Ok(Woven::New(wrapped(lines, "\n", frame) + "\n"));
    };
    let newline = newline_of(page);
    let block = wrapped(lines, newline, frame);
    Ok(match find(name, page)? {
        Some(marked) if marked.is_edited && !force => Woven::Edited,
        // A formatter may have put blank lines between ours.
        Some(marked)
            if !marked.is_edited
                && marked.is_nested == frame.is_nested
                && stamp_of(&page[marked.inner.clone()]) == stamp_of(lines) =>
        {
            Woven::Same
        }
        Some(Marked { range, .. }) => {
            Woven::New(format!("{}{block}{}", &page[..range.start], &page[range.end..]))
        }
        None if page.trim_start_matches('\u{FEFF}').is_empty() => {
            Woven::New(format!("{page}{block}{newline}"))
        }
        None if page.ends_with('\n') => Woven::New(format!("{page}{newline}{block}{newline}")),
        None => Woven::New(format!("{page}{newline}{newline}{block}")),
    })
}

/// The page as it was before `weave` put a block at its end; `None` where it has no block.
pub fn without(name: &str, page: &str) -> Result<Option<String>, Refusal> {
    let Some(Marked { range, .. }) = find(name, page)? else { return Ok(None) };
    let (mut before, behind) = (&page[..range.start], &page[range.end..]);
    let after = behind.strip_prefix("\r\n").or_else(|| behind.strip_prefix('\n'));
    // The blank line above it is ours, and the line end of a page that had none.
    let breaks = if after.is_some() { 1 } else { 2 };
    for _ in 0..breaks {
        before = match before.strip_suffix(newline_of(page)) {
            Some(cut) if breaks == 2 || cut.ends_with('\n') => cut,
            _ => before,
        };
    }
    Ok(Some(format!("{before}{}", after.unwrap_or(behind))))
}

fn newline_of(page: &str) -> &'static str {
    match page.find('\n') {
        Some(at) if page[..at].ends_with('\r') => "\r\n",
        None if page.ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// Whether this page brings in `AGENTS.md`, and with it the block there.
pub fn imports_agents(page: &str) -> bool {
    page.split_whitespace().any(|word| matches!(word, "@AGENTS.md" | "@./AGENTS.md"))
}

#[cfg(test)]
mod tests;
