//! What is said to an agent whose call is refused: what the path is, and what to type instead.

use super::place::{Deed, Target};
use crate::kind::Kinds;

pub(super) fn text(target: &Target) -> String {
    let path = &target.shown;
    let parts: Vec<&str> = target.inside.split('/').filter(|part| !part.is_empty()).collect();
    match parts.as_slice() {
        [] => store(path, target.deed),
        ["config.toml"] => format!(
            "`{path}` is the configuration of oldhand. Change it with `oldhand config set <key> <value>`, which checks it."
        ),
        ["index.md"] => format!(
            "`{path}` is generated from the memories. Change a memory with `oldhand update <id>`; `oldhand render` makes the page anew."
        ),
        ["events", ..] => format!(
            "`{path}` belongs to the event log, which is generated and never edited. Read it with `oldhand history <id>`."
        ),
        ["pending", ..] => format!(
            "`{path}` waits for a person. `oldhand pending` shows it, `oldhand resolve` settles it."
        ),
        [.., file] if file.ends_with(".md") || file.ends_with(".json") => {
            memory(path, parts[0], file, target.deed)
        }
        [folder] => of_folder(path, folder, target.deed),
        _ => format!(
            "`{path}` is inside the store of oldhand, which only oldhand writes. Use `oldhand remember \"<text>\"` for something new."
        ),
    }
}

fn store(path: &str, deed: Deed) -> String {
    match deed {
        Deed::Write => format!(
            "`{path}` is the store of oldhand, which only oldhand writes. Use `oldhand remember \"<text>\"`, or `oldhand init` to make one."
        ),
        Deed::Remove => format!(
            "`{path}` is the store of oldhand: every memory is in it. Use `oldhand retire <id>` for one that no longer holds."
        ),
    }
}

fn of_folder(path: &str, folder: &str, deed: Deed) -> String {
    let kind = kind_of(folder);
    match deed {
        Deed::Write => format!(
            "`{path}` is a folder of memories, which only oldhand writes. Use `oldhand add {kind} --from -`."
        ),
        Deed::Remove => format!(
            "`{path}` is a folder of memories, which only oldhand writes. Use `oldhand retire <id>` for one that no longer holds."
        ),
    }
}

fn memory(path: &str, folder: &str, file: &str, deed: Deed) -> String {
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    // A pattern or a variable names no memory.
    let is_id = stem.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    let id = if is_id && !stem.is_empty() { stem } else { "<id>" };
    match deed {
        Deed::Remove => {
            format!("`{path}` is a memory, which only oldhand removes. Use `oldhand retire {id}`.")
        }
        Deed::Write => format!(
            "`{path}` is a memory, which only oldhand writes. Use `oldhand update {id} …` to change it, `oldhand remember \"<text>\"` or `oldhand add {} --from -` for a new one.",
            kind_of(folder)
        ),
    }
}

fn kind_of(folder: &str) -> String {
    let kinds = Kinds::default();
    let spec = kinds.of_folder(&folder.to_ascii_lowercase());
    spec.map_or_else(|| "<kind>".to_owned(), |spec| spec.kind.to_string())
}
