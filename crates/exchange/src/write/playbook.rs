//! The agent playbook: a log of decisions, a page of architecture, a manifest, and small files of memory.

use std::cmp::Reverse;

use oldhand_core::kind::Kind;
use oldhand_core::memory::Memory;
use oldhand_core::state::State;
use oldhand_core::views::ARCHITECTURE_PARTS;
use oldhand_core::yaml::Yaml;
use oldhand_text::strings::normalise_line;
use oldhand_text::time::format_day;

use super::{Out, Outgoing, markdown};

const LOG: &str = "DECISIONS.md";
const ARCHIVE: &str = "DECISIONS_ARCHIVE.md";
const ARCHITECTURE: &str = "ARCHITECTURE.md";
const MANIFEST: &str = "project/project-manifest.md";
const NOTHING: &str = "None";
/// The four parts of an entry, and two that are there when they say something.
const PARTS: &[(&str, &str, bool)] = &[
    ("Context", "context", true),
    ("Decision", "decision", true),
    ("Alternatives considered", "alternatives", true),
    ("Rationale", "rationale", false),
    ("Consequences", "consequences", false),
    ("Constraints introduced", "constraints", true),
];
pub(super) fn write(out: &mut Out<'_>, memories: &[Outgoing<'_>]) {
    let all: Vec<&Memory> = memories.iter().map(|it| it.memory).collect();
    let of = |kind: Kind| all.iter().copied().filter(move |it| it.kind == kind);
    let mut decisions: Vec<&Memory> = of(Kind::Decision).collect();
    decisions.sort_by_key(|memory| Reverse(memory.created_at));
    let (active, ended): (Vec<&Memory>, Vec<&Memory>) =
        decisions.into_iter().partition(|it| it.is_active());
    log(out, LOG, "Decisions", &active);
    log(out, ARCHIVE, "Archived decisions", &ended);
    for (at, memory) in of(Kind::Architecture).enumerate() {
        // The page is one: further maps are files of memory.
        match at {
            0 => architecture(out, memory),
            _ => small(out, memory),
        }
    }
    for (at, memory) in of(Kind::Constraint).enumerate() {
        if at == 0 {
            out.text(MANIFEST, "# Project Manifest\n\n## Non-negotiable constraints\n\n");
        }
        let rule = normalise_line(memory.content.text("rule").unwrap_or(&memory.title));
        out.record(memory, MANIFEST, &format!("- Constraint {}: {rule}\n", at + 1), None);
    }
    for memory in of(Kind::SessionSummary) {
        let body = markdown::body(memory, "##", out.kinds);
        let text = format!("# {}\n\n## Goal\n\n{body}\n", markdown::title(memory));
        out.record(memory, &format!("session-notes/{}.md", memory.id), &text, None);
    }
    let placed = [Kind::Decision, Kind::Architecture, Kind::Constraint, Kind::SessionSummary];
    all.iter().filter(|it| !placed.contains(&it.kind)).for_each(|memory| small(out, memory));
}

fn log(out: &mut Out<'_>, path: &str, title: &str, decisions: &[&Memory]) {
    if decisions.is_empty() {
        return;
    }
    out.text(path, &format!("# {title}\n"));
    for memory in decisions {
        let day = memory.created_at.or(memory.updated_at).unwrap_or_default();
        let mut text = format!("\n## {}: {}\n", format_day(day), markdown::title(memory));
        if matches!(
            memory.state,
            State::Archived | State::Superseded | State::Retired | State::Rejected
        ) {
            let at = memory.archived_at.or(memory.retired_at).or(memory.updated_at).unwrap_or(day);
            let by = memory.superseded_by.as_ref().map(|by| format!("superseded by {by}"));
            let reason = by.or(memory.archived_reason.clone()).or(memory.retired_reason.clone());
            let reason = normalise_line(&reason.unwrap_or_else(|| memory.state.to_string()));
            text.push_str(&format!("\n**Archived on**: {} - {reason}\n", format_day(at)));
        }
        for (heading, name, is_fixed) in PARTS {
            let body = markdown::field(memory, name, out.kinds);
            let body = body.or_else(|| is_fixed.then(|| NOTHING.to_owned()));
            text.extend(body.map(|body| format!("\n### {heading}\n\n{body}\n")));
        }
        for (heading, body) in memory.sections.iter().filter(|(heading, _)| !heading.is_empty()) {
            text.push_str(&format!("\n### {heading}\n\n{}\n", body.trim_end()));
        }
        out.record(memory, path, &text, None);
    }
}

fn architecture(out: &mut Out<'_>, memory: &Memory) {
    let mut text = format!("# {}\n", markdown::title(memory));
    for (heading, name) in ARCHITECTURE_PARTS {
        let body = markdown::field(memory, name, out.kinds).unwrap_or_else(|| NOTHING.to_owned());
        text.push_str(&format!("\n## {heading}\n\n{body}\n"));
    }
    for (heading, body) in memory.sections.iter().filter(|(heading, _)| !heading.is_empty()) {
        text.push_str(&format!("\n## {heading}\n\n{}\n", body.trim_end()));
    }
    out.record(memory, ARCHITECTURE, &text, None);
}

fn small(out: &mut Out<'_>, memory: &Memory) {
    let (audience, instead) = match (&memory.kind, memory.audience) {
        (Kind::Preference, Some(audience)) if audience.as_str() == "user" => ("user", None),
        (Kind::Preference, _) => ("feedback", None),
        (Kind::Reference, Some(audience)) if audience.as_str() == "project" => ("project", None),
        (Kind::Reference, _) => ("reference", None),
        (Kind::Lesson, _) => ("feedback", Some("preference")),
        _ => ("reference", Some("reference")),
    };
    let mut front = vec![("name", Yaml::text(markdown::title(memory)))];
    front.push(("description", Yaml::text(memory.description.clone().unwrap_or_default())));
    front.push(("type", Yaml::text(audience)));
    front.push(("scope", Yaml::text(memory.scope.to_string())));
    let body = markdown::body(memory, "##", out.kinds);
    let text = format!("{}\n{body}\n", markdown::front(&front));
    out.record(memory, &format!("memories/{}.md", memory.id), &text, instead);
}
