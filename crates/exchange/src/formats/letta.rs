//! Letta: blocks of memory in an agent file, or as Markdown in the agent's own folder.

use std::collections::BTreeMap;

use oldhand_core::kind::Kind;

use super::{Format, Root};
use crate::World;
use crate::files::{Files, SourceFile};
use crate::front::{self, Front};
use crate::json::{self, Object};
use crate::record::{Foreign, Source};
use crate::text;

pub(super) const FORMAT: Format = Format { name: "letta", find, read };

/// Loaded into every conversation.
const SYSTEM: &str = "system";

fn find(files: &Files) -> Vec<Root> {
    let is_agent = |file: &&SourceFile| {
        json::begins_with_keys(file, &["core_memory"])
            || file.path.ends_with(".af") && json::begins_with_keys(file, &["agents"])
            || json::begins_with_keys(file, &["agents", "blocks", "block_ids"])
    };
    let agents = files.iter().filter(is_agent).map(Root::of_file);
    agents.chain(find_folders(files)).collect()
}

/// A folder whose `system` holds blocks; a limit or a lock on one of its files tells it from other pages.
fn find_folders(files: &Files) -> Vec<Root> {
    let parent = |file: &SourceFile| {
        let folder = file.folder().strip_suffix(SYSTEM)?;
        let is_block = file.path.ends_with(".md") && front_of(file).text("description").is_some();
        (is_block && (folder.is_empty() || folder.ends_with('/')))
            .then(|| folder.trim_end_matches('/').to_owned())
    };
    let mut folders: Vec<String> = files.iter().filter_map(parent).collect();
    folders.dedup();
    let is_sure = |folder: &&String| {
        folder.contains(".letta/")
            || files.below(folder).any(|file| {
                let front = front_of(file);
                front.get("read_only").is_some() || front.get("limit").is_some()
            })
    };
    let root = |folder: &String| {
        let mut root = Root::of_folder(folder, files, |path| path.ends_with(".md"));
        root.files.retain(|path| {
            files.get(path).is_some_and(|file| front_of(file).text("description").is_some())
        });
        root
    };
    folders.iter().filter(is_sure).map(root).collect()
}

fn front_of(file: &SourceFile) -> Front {
    if file.path.ends_with(".md") { front::split(&file.text()).0 } else { Front::default() }
}

fn read(root: &Root, files: &Files, world: &World<'_>) -> Source {
    let mut source = Source::new("letta", root);
    for file in root.files(files) {
        if file.path.ends_with(".md") {
            source.take(page(root.relative(&file.path), file, world));
        } else {
            match json::object(file.bytes()) {
                Ok(agent) => read_agent(&agent, file, world, &mut source),
                Err(why) => source.refuse(&*file.path, why),
            }
        }
    }
    source
}

fn read_agent(top: &Object, file: &SourceFile, world: &World<'_>, source: &mut Source) {
    if top.has("core_memory") {
        let agent = top.word("name");
        for block in top.objects("core_memory") {
            take_block(&block.word("label"), &agent, &block, file, world, source);
        }
        if top.has("messages") {
            source.skip("messages", "a conversation");
        }
        return;
    }
    let mut agents: BTreeMap<String, String> = BTreeMap::new();
    for agent in top.objects("agents") {
        for block in agent.texts("block_ids") {
            agents.insert(block, agent.word("name"));
        }
        if !agent.objects("messages").is_empty() {
            source.skip(format!("messages of {}", agent.word("name")), "a conversation");
        }
    }
    for block in top.objects("blocks") {
        let id = block.word("id");
        let agent = agents.get(&id).cloned().unwrap_or_default();
        take_block(&id, &agent, &block, file, world, source);
    }
}

#[expect(clippy::too_many_arguments, reason = "a block, whose it is, and where its record goes")]
fn take_block(
    key: &str,
    agent: &str,
    block: &Object,
    file: &SourceFile,
    world: &World<'_>,
    source: &mut Source,
) {
    let label = block.word("label");
    if label == "persona" {
        return source.skip(key, "the agent's role, not a memory");
    }
    let said = block.word("value");
    let kind = if label == "human" { Kind::Preference } else { Kind::Reference };
    let mut record = Foreign::new(key, &file.path, kind.clone(), "");
    record.hash = block.hash(&[]);
    let name = if agent.is_empty() { label.clone() } else { format!("{agent}: {label}") };
    record.set_title(&block.text("description").unwrap_or(name));
    record.add_alias(&label);
    record.set_dates(block.date("created_at"), block.date("updated_at"), world.now);
    record.add_rest(block.only(&["read_only", "limit"]));
    if kind == Kind::Preference {
        record.set_audience("user");
        record.is_personal = true;
    }
    crate::topic::fill_kind(&mut record, kind, &said, world.kinds);
    source.take(record);
}

fn page(key: &str, file: &SourceFile, world: &World<'_>) -> Foreign {
    let text = file.text();
    let (front, body) = front::split(&text);
    let mut record = Foreign::new(key, &file.path, Kind::Reference, &text);
    let title = front.text("description").map_or_else(|| text::guessed_title(body), str::to_owned);
    record.set_title(&title);
    if key.starts_with("system/") {
        record.set_evergreen();
    }
    record.add_rest(front.rest(&["description"]));
    record.set_main(body, world.kinds);
    record
}
