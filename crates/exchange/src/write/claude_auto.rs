//! Claude Code's own memory: an index and a file for each topic.

use oldhand_core::kind::Kind;
use oldhand_core::memory::Memory;
use oldhand_core::origin::Audience;
use oldhand_core::yaml::Yaml;
use oldhand_text::sentence;
use oldhand_text::strings::{normalise_line, shorten};
use oldhand_text::time::format_instant;

use super::{Out, Outgoing, markdown};

const INDEX: &str = "MEMORY.md";
/// What the agent reads of the index.
const INDEX_LINES_MAX: usize = 200;
const INDEX_BYTES_MAX: usize = 25 * 1024;
const HOOK_CHARS_MAX: usize = 150;

pub(super) fn write(out: &mut Out<'_>, memories: &[Outgoing<'_>]) {
    let mut index = String::from("# Memory\n\n");
    for memory in memories.iter().map(|it| it.memory) {
        let (audience, instead) = audience(memory);
        let file = format!("{}.md", memory.id);
        let text = markdown::main_text(memory, out.kinds);
        let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let hook = memory.description.clone().unwrap_or_else(|| sentence::first(first).to_owned());
        let hook = shorten(&normalise_line(&hook), HOOK_CHARS_MAX);
        let label = markdown::title(memory).replace(['[', ']'], "");
        let line = format!("- [{label}]({file}) — {hook}\n");
        let fits =
            index.lines().count() < INDEX_LINES_MAX && index.len() + line.len() <= INDEX_BYTES_MAX;
        if fits {
            index.push_str(&line);
        }
        let mut inner = vec![("node_type", Yaml::text("memory")), ("type", Yaml::text(audience))];
        inner.extend(memory.updated_at.map(|at| ("modified", Yaml::text(format_instant(at)))));
        let front = markdown::front(&[
            ("name", Yaml::text(memory.id.as_str())),
            ("description", Yaml::text(hook)),
            ("metadata", Yaml::map(inner)),
        ]);
        out.record(memory, &file, &format!("{front}\n{}\n", body(memory, out)), instead);
    }
    out.text(INDEX, &index);
}

fn audience(memory: &Memory) -> (&'static str, Option<&'static str>) {
    let word = memory.audience.map(Audience::as_str);
    match memory.kind {
        Kind::Preference => (if word == Some("user") { "user" } else { "feedback" }, None),
        Kind::Reference => (if word == Some("reference") { "reference" } else { "project" }, None),
        _ => ("project", Some("reference")),
    }
}

fn body(memory: &Memory, out: &Out<'_>) -> String {
    let mut text = markdown::body(memory, "##", out.kinds);
    if memory.kind == Kind::Preference {
        text = markdown::main_text(memory, out.kinds);
        let why = markdown::field(memory, "reason", out.kinds);
        text.extend(why.map(|why| format!("\n\n**Why:** {why}")));
        let how = memory.sections.iter().find(|(heading, _)| heading == "How to apply");
        text.extend(how.map(|(_, how)| format!("\n\n**How to apply:** {}", how.trim_end())));
    }
    text
}
