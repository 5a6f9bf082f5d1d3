//! The message to an agent whose call is refused: what the path is, and what to type instead.

use super::store_path::{Deed, Target};
use oldhand_core::kind::Kinds;
use oldhand_text::agent_text::AgentText;

pub(super) fn text(target: &Target) -> AgentText {
    let parts: Vec<&str> = target.inside.split('/').filter(|part| !part.is_empty()).collect();
    let is_removal = target.deed == Deed::Remove;
    let mut named = vec![AgentText::line(&target.shown)];
    let template = match parts.as_slice() {
        [] if is_removal => {
            "`{}` is the store of oldhand: every memory is in it. Use `oldhand retire <id>` for one that no longer holds."
        }
        [] => {
            "`{}` is the store of oldhand, which only oldhand writes. Use `oldhand remember \"<text>\"`, or `oldhand init` to make one."
        }
        ["config.toml"] => {
            "`{}` is the configuration of oldhand. Change it with `oldhand config set <key> <value>`, which checks it."
        }
        ["index.md"] => {
            "`{}` is generated from the memories. Change a memory with `oldhand update <id>`; `oldhand render` rebuilds the page."
        }
        ["events", ..] => {
            "`{}` belongs to the event log, which is generated and never edited. Read it with `oldhand history <id>`."
        }
        ["pending", ..] => {
            "`{}` waits for a person. `oldhand pending` lists it, `oldhand resolve` settles it."
        }
        [.., file] if file.ends_with(".md") || file.ends_with(".json") => {
            named.push(id_of(file));
            if is_removal {
                "`{}` is a memory, which only oldhand removes. Use `oldhand retire {}`."
            } else {
                named.push(kind_of(parts[0]));
                "`{}` is a memory, which only oldhand writes. Use `oldhand update {} …` to change it, `oldhand remember \"<text>\"` or `oldhand add {} --from -` for a new one."
            }
        }
        [_] if is_removal => {
            "`{}` is a folder of memories, which only oldhand writes. Use `oldhand retire <id>` for one that no longer holds."
        }
        [folder] => {
            named.push(kind_of(folder));
            "`{}` is a folder of memories, which only oldhand writes. Use `oldhand add {} --from -`."
        }
        _ => {
            "`{}` is inside the store of oldhand, which only oldhand writes. Use `oldhand remember \"<text>\"` for something new."
        }
    };
    AgentText::of(template, &named)
}

/// A pattern or a variable is not the id of a memory.
fn id_of(file: &str) -> AgentText {
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let is_id = stem.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    if is_id && !stem.is_empty() { AgentText::line(stem) } else { AgentText::ours("<id>") }
}

fn kind_of(folder: &str) -> AgentText {
    let kinds = Kinds::default();
    let spec = kinds.of_folder(&folder.to_ascii_lowercase());
    spec.map_or(AgentText::ours("<kind>"), |spec| AgentText::line(spec.kind.as_str()))
}
