//! Pages at the repository's root: the decision log, its archive, the architecture. What somebody
//! changed in a page is read back before the page is rebuilt.

use std::cmp::Reverse;

use crate::codec::sections;
use crate::content::FieldValue;
use crate::draft::Draft;
use crate::kind::Kind;
use crate::kind::schema::Shape;
use crate::memory::Memory;
use crate::state::State;
use oldhand_text::hash::ContentHash;
use oldhand_text::strings::visible_line;
use oldhand_text::time::format_day;
use oldhand_text::word::words;

pub mod block;
mod read;

pub use read::{ViewEdit, read_edits};

words! {
    View, "view" {
        Decisions = "decisions",
        Archive = "archive",
        Architecture = "architecture",
    }
}

impl View {
    pub fn file_name(self) -> &'static str {
        match self {
            Self::Decisions => "DECISIONS.md",
            Self::Archive => "DECISIONS_ARCHIVE.md",
            Self::Architecture => "ARCHITECTURE.md",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Page {
    /// Ours, as we left it.
    Clean,
    /// Ours, and somebody changed it.
    Edited,
    /// Ours, with the marks of an unfinished merge.
    Conflict,
    /// Somebody else's: never touched.
    Foreign,
}

const MARK: &str = "<!-- oldhand:view ";

pub fn page_of(view: View, text: &str) -> Page {
    let text = text.replace("\r\n", "\n");
    if text.contains(MARK) && text.lines().any(|line| line.starts_with("<<<<<<< ")) {
        return Page::Conflict;
    }
    let Some((first, rest)) = text.split_once('\n') else { return Page::Foreign };
    let Some(mark) = first.strip_prefix(MARK).and_then(|mark| mark.strip_suffix(" -->")) else {
        return Page::Foreign;
    };
    match mark.split_once(' ') {
        Some((name, _)) if name != view.as_str() => Page::Foreign,
        Some((_, hash)) if hash == ContentHash::of(rest.as_bytes()).short() => Page::Clean,
        Some(_) => Page::Edited,
        None => Page::Foreign,
    }
}

pub fn render(view: View, memories: &[Memory]) -> String {
    let shown = shown(view, memories);
    let body = match view {
        View::Decisions => render_log("Decisions", &shown),
        View::Archive => render_log("Archived decisions", &shown),
        View::Architecture => render_architecture(&shown),
    };
    format!("{MARK}{view} {} -->\n{body}", ContentHash::of(body.as_bytes()).short())
}

/// The memories of a page: decisions newest first, as people look for them.
fn shown(view: View, memories: &[Memory]) -> Vec<&Memory> {
    let is_shown = |memory: &&Memory| match (&memory.kind, view) {
        (Kind::Decision, View::Decisions) | (Kind::Architecture, View::Architecture) => {
            memory.is_active()
        }
        (Kind::Decision, View::Archive) => {
            matches!(memory.state, State::Archived | State::Superseded)
        }
        _ => false,
    };
    let mut shown: Vec<&Memory> = memories.iter().filter(is_shown).collect();
    shown.sort_by(|a, b| a.id.cmp(&b.id));
    if view != View::Architecture {
        shown.sort_by_key(|memory| Reverse(memory.created_at));
    }
    shown
}

fn render_log(title: &str, decisions: &[&Memory]) -> String {
    let entries: String = decisions.iter().map(|decision| render_decision(decision)).collect();
    format!("# {title}\n{entries}")
}

/// The parts of an entry; those of the log's own form are there even when nothing was said (R48).
const PARTS: &[(&str, &str, Shape)] = &[
    ("Context", "context", Shape::Text),
    ("Decision", "decision", Shape::Text),
    ("Alternatives considered", "alternatives", Shape::Alternatives),
    ("Rationale", "rationale", Shape::List),
    ("Consequences", "consequences", Shape::List),
    ("Constraints introduced", "constraints", Shape::List),
];
const OPTIONAL_PARTS: &[&str] = &["rationale", "consequences"];

/// The line under the heading of an entry that waits for a review.
const CANDIDATE_NOTE: &str = "Candidate: waits for a review.";

const NOTHING: &str = "None recorded.";

/// An entry with its stamp, the hash of the entry without it. An entry that still has its stamp was
/// not edited, however much the memory has changed since.
fn render_decision(decision: &Memory) -> String {
    let (head, rest) = decision_text(decision);
    let stamp = stamp_of(&format!("{head}{rest}"));
    format!("\n{head}\n<!-- id: {} {stamp} -->\n{rest}", decision.id)
}

/// The heading, and what stands below the line with the id.
fn decision_text(decision: &Memory) -> (String, String) {
    let day = decision.created_at.map_or_else(|| "undated".to_owned(), format_day);
    let heading = sections::write_heading(&format!("{day}: {}", visible_line(&decision.title)));
    let head = format!("{heading}\n");
    let mut out = String::new();
    if decision.state == State::Candidate {
        out.push_str(&format!("\n{CANDIDATE_NOTE}\n"));
    } else if let Some(archived_at) = decision.archived_at {
        let reason = visible_line(decision.archived_reason.as_deref().unwrap_or_default());
        out.push_str(&format!("\nArchived on {}: {reason}\n", format_day(archived_at)));
    } else if let Some(by) = &decision.superseded_by {
        out.push_str(&format!("\nSuperseded by {by}\n"));
    }
    for (heading, field, shape) in PARTS {
        let text = match decision.content.get(field) {
            Some(value) => guard_parts(&sections::write(shape, value)),
            None if OPTIONAL_PARTS.contains(field) => continue,
            None => format!("{NOTHING}\n"),
        };
        out.push_str(&format!("\n### {heading}\n\n{text}"));
    }
    (head, out)
}

/// The level-3 headings of an entry are the page's own: one in a text gets a backslash.
fn guard_parts(text: &str) -> String {
    let mut outside = sections::Outside::default();
    text.split_inclusive('\n')
        .map(|line| {
            let is_text = outside.passes(line);
            if is_text && is_part_like(line) { format!("\\{line}") } else { line.to_owned() }
        })
        .collect()
}

fn is_part_like(line: &str) -> bool {
    line.trim_start_matches('\\').starts_with("### ")
}

/// Blank lines are spacing, not text.
fn stamp_of(text: &str) -> String {
    let lines: Vec<&str> =
        text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    ContentHash::of(lines.join("\n").as_bytes()).short()
}

/// The parts of the architecture page, and the field of each (R54).
pub const ARCHITECTURE_PARTS: &[(&str, &str)] = &[
    ("Module map", "module_map"),
    ("Key interfaces", "interfaces"),
    ("Data flow", "data_flow"),
    ("External dependencies", "external_dependencies"),
    ("Known technical debt", "known_debt"),
];

fn render_architecture(sources: &[&Memory]) -> String {
    let mut out = String::from("# Architecture\n");
    for (heading, field) in ARCHITECTURE_PARTS {
        let text = architecture_text(sources, field);
        out.push_str(&format!("\n## {heading}\n\n<!-- part: {} -->\n\n{text}", stamp_of(&text)));
    }
    out
}

fn architecture_text(sources: &[&Memory], field: &str) -> String {
    let texts = sources.iter().filter_map(|memory| {
        let text = sections::write(&Shape::Text, memory.content.get(field)?);
        Some(match sources {
            [_] => text,
            _ => format!("### {}\n\n{text}\n", visible_line(&memory.title)),
        })
    });
    let out: String = texts.collect();
    if out.is_empty() { format!("{NOTHING}\n") } else { out }
}

fn part_value(shape: &Shape, text: &str) -> FieldValue {
    sections::read(shape, if text.trim() == NOTHING { "" } else { text })
}

fn changed_parts(memory: Option<&Memory>, parts: Vec<(String, FieldValue)>, draft: &mut Draft) {
    for (name, value) in parts {
        let was = memory.and_then(|memory| memory.content.get(&name));
        if was.map_or(!value.is_empty(), |was| *was != value) {
            draft.set_content(&name, value);
        }
    }
}

#[cfg(test)]
mod tests;
