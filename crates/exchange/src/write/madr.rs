//! MADR: a decision a file.

use oldhand_core::content::FieldValue;
use oldhand_core::kind::Kind;
use oldhand_core::memory::Memory;
use oldhand_core::state::State;
use oldhand_core::yaml::Yaml;
use oldhand_text::time::format_day;
use std::collections::BTreeMap;

use super::{Out, Outgoing, markdown, numbered};

const PROS: &str = "Pros and Cons of the Options";
const MORE: &str = "More Information";
const CONFIRMATION: &str = "Confirmation";
/// How what speaks against an option begins.
const BAD: &str = "Bad";

pub(super) fn write(out: &mut Out<'_>, memories: &[Outgoing<'_>]) {
    let all = memories.iter().map(|it| it.memory);
    let (decisions, others): (Vec<&Memory>, Vec<&Memory>) =
        all.partition(|memory| memory.kind == Kind::Decision);
    let numbers = numbered(&decisions, "ADR-");
    for memory in decisions {
        let number = numbers[memory.id.as_str()];
        let text = record(memory, &numbers, out);
        out.record(memory, &format!("{number:04}-{}.md", memory.id), &text, None);
    }
    others.into_iter().for_each(|memory| out.leave_out(memory, "MADR keeps decisions only"));
}

fn record(memory: &Memory, numbers: &BTreeMap<&str, usize>, out: &Out<'_>) -> String {
    let field = |name: &str| markdown::field(memory, name, out.kinds);
    let mut front = vec![("status", Yaml::text(status(memory, numbers)))];
    if let Some(at) = memory.created_at {
        front.push(("date", Yaml::text(format_day(at))));
    }
    for key in ["decision-makers", "consulted", "informed"] {
        front.extend(markdown::rest(memory, key).map(|value| (key, value)));
    }
    let mut text = format!("{}\n# {}\n", markdown::front(&front), markdown::title(memory));
    let mut put =
        |heading: &str, body: &str| text.push_str(&format!("\n{heading}\n\n{}\n", body.trim_end()));
    put("## Context and Problem Statement", &field("context").unwrap_or_default());
    if let Some(drivers) = field("rationale") {
        put("## Decision Drivers", &drivers);
    }
    let (options, pros) = options(memory);
    if !options.is_empty() {
        put("## Considered Options", &options);
    }
    put("## Decision Outcome", &field("decision").unwrap_or_default());
    if let Some(consequences) = field("consequences") {
        put("### Consequences", &consequences);
    }
    let find = |name: &str| memory.sections.iter().find(|(heading, _)| heading == name);
    if let Some((_, confirmed)) = find(CONFIRMATION) {
        put("### Confirmation", confirmed);
    }
    match find(PROS) {
        Some((_, pros)) => put(&format!("## {PROS}"), pros),
        None if !pros.is_empty() => put(&format!("## {PROS}"), &pros),
        None => {}
    }
    if let Some(constraints) = field("constraints") {
        put("## Constraints", &constraints);
    }
    let known = [PROS, CONFIRMATION];
    for (heading, body) in memory.sections.iter().filter(|(it, _)| !known.contains(&it.as_str())) {
        let heading = if heading.is_empty() { MORE } else { heading };
        put(&format!("## {heading}"), body);
    }
    text
}

fn status(memory: &Memory, numbers: &BTreeMap<&str, usize>) -> String {
    let word = memory.content.text("status").unwrap_or("accepted").to_owned();
    match (memory.state, &memory.superseded_by) {
        (State::Rejected, _) => "rejected".to_owned(),
        (State::Superseded, Some(by)) => match numbers.get(by.as_str()) {
            Some(number) => format!("superseded by ADR-{number:04}"),
            None => format!("superseded by {by}"),
        },
        _ => word,
    }
}

/// The list of options, the chosen one first, and what speaks against those that say it in MADR's words.
fn options(memory: &Memory) -> (String, String) {
    let Some(FieldValue::Alternatives(items)) = memory.content.get("alternatives") else {
        return Default::default();
    };
    let chosen = markdown::rest(memory, "chosen").and_then(|it| it.as_text().map(str::to_owned));
    let mut options = format!("* {}\n", chosen.unwrap_or_else(|| markdown::title(memory)));
    let mut pros = String::new();
    for it in items {
        let why = it.rejected_reason.as_str();
        if why.starts_with(BAD) {
            options.push_str(&format!("* {}\n", it.option));
            let reasons: String = why.split("; ").map(|why| format!("* {why}\n")).collect();
            pros.push_str(&format!("### {}\n\n{reasons}\n", it.option));
        } else if why.is_empty() {
            options.push_str(&format!("* {}\n", it.option));
        } else {
            options.push_str(&format!("* {}: {why}\n", it.option));
        }
    }
    (options, pros)
}
