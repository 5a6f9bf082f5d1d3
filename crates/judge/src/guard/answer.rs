//! The message to an agent whose call is refused: what the path is, and what to type instead.

use super::store_path::{Deed, Target};
use oldhand_core::kind::Kinds;
use oldhand_text::agent_text::AgentText;

pub(super) fn text(target: &Target) -> AgentText {
    let path = AgentText::line(&target.shown);
    let parts: Vec<&str> = target.inside.split('/').filter(|part| !part.is_empty()).collect();
    match parts.as_slice() {
        [] => store(path, target.deed),
        ["config.toml"] => AgentText::of(
            "`{}` is the configuration of oldhand. Change it with `oldhand config set <key> <value>`, which checks it.",
            &[path],
        ),
        ["index.md"] => AgentText::of(
            "`{}` is generated from the memories. Change a memory with `oldhand update <id>`; `oldhand render` rebuilds the page.",
            &[path],
        ),
        ["events", ..] => AgentText::of(
            "`{}` belongs to the event log, which is generated and never edited. Read it with `oldhand history <id>`.",
            &[path],
        ),
        ["pending", ..] => AgentText::of(
            "`{}` waits for a person. `oldhand pending` lists it, `oldhand resolve` settles it.",
            &[path],
        ),
        [.., file] if file.ends_with(".md") || file.ends_with(".json") => {
            memory(path, parts[0], file, target.deed)
        }
        [folder] => of_folder(path, folder, target.deed),
        _ => AgentText::of(
            "`{}` is inside the store of oldhand, which only oldhand writes. Use `oldhand remember \"<text>\"` for something new.",
            &[path],
        ),
    }
}

fn store(path: AgentText, deed: Deed) -> AgentText {
    match deed {
        Deed::Write => AgentText::of(
            "`{}` is the store of oldhand, which only oldhand writes. Use `oldhand remember \"<text>\"`, or `oldhand init` to make one.",
            &[path],
        ),
        Deed::Remove => AgentText::of(
            "`{}` is the store of oldhand: every memory is in it. Use `oldhand retire <id>` for one that no longer holds.",
            &[path],
        ),
    }
}

fn of_folder(path: AgentText, folder: &str, deed: Deed) -> AgentText {
    let kind = kind_of(folder);
    match deed {
        Deed::Write => AgentText::of(
            "`{}` is a folder of memories, which only oldhand writes. Use `oldhand add {} --from -`.",
            &[path, kind],
        ),
        Deed::Remove => AgentText::of(
            "`{}` is a folder of memories, which only oldhand writes. Use `oldhand retire <id>` for one that no longer holds.",
            &[path],
        ),
    }
}

fn memory(path: AgentText, folder: &str, file: &str, deed: Deed) -> AgentText {
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    // A pattern or a variable is not the id of a memory.
    let is_id = stem.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    let id = match is_id && !stem.is_empty() {
        true => AgentText::line(stem),
        false => AgentText::ours("<id>"),
    };
    match deed {
        Deed::Remove => AgentText::of(
            "`{}` is a memory, which only oldhand removes. Use `oldhand retire {}`.",
            &[path, id],
        ),
        Deed::Write => AgentText::of(
            "`{}` is a memory, which only oldhand writes. Use `oldhand update {} …` to change it, `oldhand remember \"<text>\"` or `oldhand add {} --from -` for a new one.",
            &[path, id, kind_of(folder)],
        ),
    }
}

fn kind_of(folder: &str) -> AgentText {
    let kinds = Kinds::default();
    let spec = kinds.of_folder(&folder.to_ascii_lowercase());
    spec.map_or(AgentText::ours("<kind>"), |spec| AgentText::line(spec.kind.as_str()))
}
