//! GAAI: a file for each decision, pages for what it keeps beside them.

use std::collections::BTreeMap;

use oldhand_core::kind::Kind;
use oldhand_core::memory::Memory;
use oldhand_core::state::State;
use oldhand_core::yaml::Yaml;
use oldhand_text::strings::normalise_line;
use oldhand_text::time::{format_day, format_instant};

use super::{Out, Outgoing, markdown, numbered};

const PATTERNS: &str = "patterns/conventions.md";
const CONTEXT: &str = "project/context.md";
const ARCHIVE: &str = "archive/decisions.archive.md";
/// A section there, and our field.
const PARTS: &[(&str, &str)] = &[
    ("Context", "context"),
    ("Decision", "decision"),
    ("Alternatives", "alternatives"),
    ("Rationale", "rationale"),
    ("Impact", "consequences"),
    ("Constraints", "constraints"),
];
const TAKEN: &[&str] =
    &["id", "title", "status", "type", "category", "archived_to", "last_updated_at"];

pub(super) fn write(out: &mut Out<'_>, memories: &[Outgoing<'_>]) {
    let all: Vec<&Memory> = memories.iter().map(|it| it.memory).collect();
    let decisions: Vec<&Memory> =
        all.iter().copied().filter(|it| it.kind == Kind::Decision).collect();
    let numbers = numbered(&decisions, "DEC-");
    let is_archived =
        |it: &Memory| matches!(it.state, State::Archived | State::Retired | State::Rejected);
    let mut rows = String::new();
    for memory in &decisions {
        let id = format!("DEC-{}", numbers[memory.id.as_str()]);
        if is_archived(memory) {
            continue;
        }
        let text = decision(memory, &id, &numbers, out);
        out.record(memory, &format!("decisions/{id}.md"), &text, None);
        let cell =
            |text: Option<&str>| normalise_line(text.unwrap_or_default()).replace('|', "\\|");
        let (domain, level) = (cell(memory.domain.as_deref()), cell(memory.level.as_deref()));
        rows.push_str(&format!("| {id} | {domain} | {level} | {} |\n", cell(Some(&memory.title))));
    }
    let archived: Vec<&Memory> = decisions.iter().copied().filter(|it| is_archived(it)).collect();
    archive(out, &archived, &numbers);
    pages(out, &all);
    let newest = all.iter().filter_map(|it| it.updated_at).max().unwrap_or_default();
    let front = markdown::front(&[
        ("type", Yaml::text("memory_index")),
        ("id", Yaml::text("MEMORY-INDEX")),
        ("updated_at", Yaml::text(format_day(newest))),
    ]);
    let table = format!("| DEC | Domain | Level | Title |\n|---|---|---|---|\n{rows}");
    out.text("index.md", &format!("{front}\n# Memory Map\n\n## Decision Registry\n\n{table}"));
}

fn decision(memory: &Memory, id: &str, numbers: &BTreeMap<&str, usize>, out: &Out<'_>) -> String {
    let name = |id: &String| match numbers.get(id.as_str()) {
        Some(number) => format!("DEC-{number}"),
        None => id.clone(),
    };
    let names = |ids: &[String]| match ids {
        [] => Yaml::literal("null"),
        ids => Yaml::list(&ids.iter().map(name).collect::<Vec<_>>()),
    };
    let status = match (memory.state, memory.content.text("status")) {
        (State::Superseded, _) => "superseded",
        (_, Some("proposed")) => "draft",
        (_, Some("deprecated")) => "stale",
        _ => "active",
    };
    let mut front = vec![("id", Yaml::text(id))];
    front.extend(markdown::optional("domain", memory.domain.as_deref()));
    front.extend(markdown::optional("level", memory.level.as_deref()));
    front.push(("title", Yaml::text(markdown::title(memory))));
    front.push(("status", Yaml::text(status)));
    for (key, at) in [("created_at", memory.created_at), ("last_updated_at", memory.updated_at)] {
        front.extend(at.map(|at| (key, Yaml::text(format_day(at)))));
    }
    front.push(("supersedes", names(&memory.supersedes)));
    let successor = memory.superseded_by.as_ref().map(|id| Yaml::text(name(id)));
    front.push(("superseded_by", successor.unwrap_or_else(|| Yaml::literal("null"))));
    front.push(("tags", Yaml::list(&memory.tags)));
    front.push(("related_to", Yaml::list(&memory.related_to.iter().map(name).collect::<Vec<_>>())));
    let depends = &memory.depends_on;
    if !depends.code_paths.is_empty() || !depends.decisions.is_empty() {
        let decisions: Vec<String> = depends.decisions.iter().map(name).collect();
        let lists = [
            ("code_paths", Yaml::list(&depends.code_paths)),
            ("decisions", Yaml::list(&decisions)),
        ];
        front.push(("depends_on", Yaml::map(lists)));
    }
    front.extend(memory.refresh_tier.map(|tier| ("refresh_tier", Yaml::literal(tier))));
    front.extend(memory.verified_at.map(|at| ("verified_at", Yaml::text(format_instant(at)))));
    front.extend(markdown::optional(
        "verified_against_commit_sha",
        memory.verified_commit.as_deref(),
    ));
    let extra = markdown::extra(memory, TAKEN);
    front.extend(extra.iter().map(|(key, value)| (key.as_str(), value.clone())));
    let mut text = markdown::front(&front);
    for (heading, body) in parts(memory, out) {
        text.push_str(&format!("\n## {heading}\n\n{}\n", body.trim_end()));
    }
    text
}

fn parts(memory: &Memory, out: &Out<'_>) -> Vec<(String, String)> {
    let known = PARTS.iter().filter_map(|(heading, name)| {
        Some(((*heading).to_owned(), markdown::field(memory, name, out.kinds)?))
    });
    let named = memory.sections.iter().map(|(heading, text)| {
        (if heading.is_empty() { "Notes".to_owned() } else { heading.clone() }, text.clone())
    });
    known.chain(named).collect()
}

fn archive(out: &mut Out<'_>, archived: &[&Memory], numbers: &BTreeMap<&str, usize>) {
    let Some(newest) =
        archived.iter().map(|it| it.archived_at.or(it.updated_at).unwrap_or_default()).max()
    else {
        return;
    };
    let front = markdown::front(&[
        ("type", Yaml::text("memory")),
        ("category", Yaml::text("archive")),
        ("id", Yaml::text("ARCHIVE-DECISIONS")),
        ("created_at", Yaml::text(format_day(newest))),
    ]);
    out.text(ARCHIVE, &format!("{front}\n# Archived Decisions\n"));
    for memory in archived {
        let mut text =
            format!("\n### DEC-{} — {}\n", numbers[memory.id.as_str()], markdown::title(memory));
        for (label, body) in parts(memory, out) {
            text.push_str(&format!("\n**{label}:** {}\n", body.trim_end()));
        }
        text.extend(memory.created_at.map(|at| format!("\n**Date:** {}\n", format_day(at))));
        out.record(memory, ARCHIVE, &text, None);
    }
}

/// The pages of everything but decisions.
fn pages(out: &mut Out<'_>, all: &[&Memory]) {
    let of = |kind: Kind| all.iter().copied().filter(move |it| it.kind == kind);
    let section = |memory: &Memory, out: &Out<'_>| {
        let body = markdown::body(memory, "###", out.kinds);
        format!("\n## {}\n\n{body}\n", markdown::title(memory))
    };
    let conventions: Vec<&Memory> = of(Kind::Preference).chain(of(Kind::Lesson)).collect();
    if !conventions.is_empty() {
        out.text(PATTERNS, &page("patterns", "PATTERNS-001", "Patterns & Conventions"));
    }
    for memory in conventions {
        let text = section(memory, out);
        out.record(memory, PATTERNS, &text, (memory.kind == Kind::Lesson).then_some("preference"));
    }
    let (evergreen, others): (Vec<&Memory>, Vec<&Memory>) =
        of(Kind::Reference).partition(|it| it.evergreen);
    if of(Kind::Constraint).next().is_some() || !evergreen.is_empty() {
        out.text(CONTEXT, &page("project", "PROJECT-001", "Project Memory"));
    }
    for memory in evergreen {
        let text = section(memory, out);
        out.record(memory, CONTEXT, &text, None);
    }
    for (at, memory) in of(Kind::Constraint).enumerate() {
        if at == 0 {
            out.text(CONTEXT, "\n## Known Constraints\n\n");
        }
        let rule = normalise_line(memory.content.text("rule").unwrap_or(&memory.title));
        out.record(memory, CONTEXT, &format!("- {rule}\n"), None);
    }
    let custom = all.iter().copied().filter(|it| matches!(it.kind, Kind::Custom(_)));
    let ops = of(Kind::Runbook).chain(of(Kind::TechDebt)).chain(others).chain(custom);
    let files = ops
        .map(|it| ("ops", (it.kind != Kind::Reference).then_some("reference"), it))
        .chain(of(Kind::Architecture).map(|it| ("architecture", None, it)))
        .chain(of(Kind::SessionSummary).map(|it| ("sessions", None, it)));
    for (folder, instead, memory) in files {
        let name = memory.id.to_string().to_uppercase();
        let text = page(folder, &name, &markdown::title(memory));
        let text = format!("{text}\n{}\n", whole(memory, out));
        out.record(memory, &format!("{folder}/{}.md", memory.id), &text, instead);
    }
}

/// Architecture by its headings, any other kind with its main text first.
fn whole(memory: &Memory, out: &Out<'_>) -> String {
    if memory.kind != Kind::Architecture {
        return markdown::body(memory, "##", out.kinds);
    }
    let spec = out.kinds.spec(&memory.kind);
    let known = spec.fields.iter().filter_map(|it| {
        Some((markdown::heading(it)?.to_owned(), markdown::field(memory, &it.name, out.kinds)?))
    });
    let parts = known.chain(memory.sections.iter().cloned());
    let parts = parts.map(|(heading, text)| format!("## {heading}\n\n{}", text.trim_end()));
    parts.collect::<Vec<_>>().join("\n\n")
}

fn page(category: &str, id: &str, title: &str) -> String {
    let front = [("type", "memory"), ("category", category), ("id", id)]
        .map(|(key, it)| (key, Yaml::text(it)));
    format!("{}\n# {title}\n", markdown::front(&front))
}
