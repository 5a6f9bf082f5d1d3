//! beads: memories among its issues. Issues are work, and taken only where somebody asks for them.

use oldhand_core::kind::Kind;
use oldhand_text::sentence;

use super::{Format, Root};
use crate::World;
use crate::files::{Content, Files, SourceFile};
use crate::json::{self, Object};
use crate::record::{Foreign, Source};
use crate::{text, topic};

pub(super) const FORMAT: Format = Format { name: "beads", find, read };

/// How many lines are looked at to know the file.
const LOOK_LINES: usize = 20;
const TAKEN: &[&str] = &[
    "_type",
    "id",
    "title",
    "description",
    "design",
    "acceptance_criteria",
    "notes",
    "labels",
    "created_at",
    "updated_at",
];

fn find(files: &Files) -> Vec<Root> {
    files.iter().filter(|file| is_ours(file)).map(Root::of_file).collect()
}

fn is_ours(file: &SourceFile) -> bool {
    let Content::Bytes(bytes) = &file.content else { return false };
    if !file.path.ends_with(".jsonl") {
        return false;
    }
    let lines = bytes.split(|byte| *byte == b'\n').take(LOOK_LINES);
    let mut objects = lines.filter_map(|line| json::object(line).ok());
    objects.any(|it| {
        it.word("_type") == "memory" && it.has("key") || it.has("issue_type") && it.has("title")
    })
}

fn read(root: &Root, files: &Files, world: &World<'_>) -> Source {
    let mut source = Source::new("beads", root);
    for file in root.files(files) {
        let text = source.text_of(file);
        for (at, line) in text.lines().enumerate().filter(|it| !it.1.trim().is_empty()) {
            let place = format!("{}:{}", file.path, at + 1);
            match json::object(line.as_bytes()) {
                Ok(there) if there.word("_type") == "memory" => {
                    source.take(memory(&there, place, world));
                }
                Ok(there) => read_issue(&there, place, world, &mut source),
                Err(why) => source.refuse(format!("line {}", at + 1), why),
            }
        }
    }
    source
}

fn memory(there: &Object, place: String, world: &World<'_>) -> Foreign {
    let (key, said) = (there.word("key"), there.word("value"));
    let kind = topic::sure_kind(&said);
    let mut record = Foreign::new(format!("memory/{key}"), place, kind.clone(), "");
    record.hash = there.hash(&[]);
    record.add_alias(&key);
    record.set_title(&text::guessed_title(&said));
    topic::fill_kind(&mut record, kind, &said, world.kinds);
    record.add_rest(there.rest(&["_type", "key", "value"]));
    record
}

fn read_issue(there: &Object, place: String, world: &World<'_>, source: &mut Source) {
    let key = there.word("id");
    let status = there.word("status");
    let labels = there.texts("labels");
    let is_debt = matches!(there.word("issue_type").as_str(), "chore" | "task" | "bug")
        || labels.iter().any(|label| label.contains("debt"));
    if status == "tombstone" || there.has("deleted_at") {
        source.skip(key, "deleted there");
    } else if !world.with.issues {
        source.skip(key, "an issue; `--with issues` takes open ones as debts");
    } else if status == "closed" || !is_debt {
        source.skip(key, "an issue that is closed, or no debt");
    } else {
        source.take(debt(there, place, &labels, world));
    }
}

fn debt(there: &Object, place: String, labels: &[String], world: &World<'_>) -> Foreign {
    let key = there.word("id");
    let mut record = Foreign::new(&key, place, Kind::TechDebt, "");
    record.hash = there.hash(&[]);
    record.add_alias(&key);
    record.set_title(&there.word("title"));
    record.add_tags(labels);
    record.set_dates(there.date("created_at"), there.date("updated_at"), world.now);
    let is_begun = there.word("status") == "in_progress";
    record.set_text("status", if is_begun { "in_progress" } else { "open" });
    let words = ["critical", "high", "medium", "low", "low"];
    let priority =
        there.get("priority").as_u64().and_then(|it| words.get(usize::try_from(it).ok()?));
    record.set_text("priority", *priority.unwrap_or(&"medium"));
    let said = there.any_text(&["description", "title"]).unwrap_or_default();
    record.set_field("description", &said, world.kinds);
    record.set_list("suggested_fix", items(&there.word("design")));
    record.set_list("acceptance_criteria", items(&there.word("acceptance_criteria")));
    let notes = there.word("notes");
    if !notes.is_empty() {
        record.add_section("Notes", &notes, world.kinds);
    }
    record.add_rest(there.rest(TAKEN));
    record
}

/// The items of a text; prose is one.
fn items(text: &str) -> Vec<String> {
    let (items, others) = topic::items(text);
    let others = Some(others).filter(|it| sentence::has_words(it));
    others.into_iter().chain(items).collect()
}
