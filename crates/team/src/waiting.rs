//! What was decided about a memory of a repository, and is not in the repository yet: said beside the memory, because
//! until then the server shows it as git has it.

use std::collections::BTreeMap;

use oldhand_pg::access::Access;
use oldhand_pg::admin::StoreAccess;
use oldhand_pg::database::Database;
use serde_json::{Map, Value, json};

use crate::visitor::Visitor;

/// What waits for a memory, by the names of its events.
const FIELD: &str = "waits_for_repository";
/// Where answers list memories.
const LISTS: [&str; 2] = ["memories", "cautions"];

/// Says so in an answer about this store, and returns a line per memory for those who read text.
pub(crate) fn mark(
    answer: &mut Value,
    (database, visitor, here): (&Database, &Visitor, &StoreAccess),
) -> Vec<String> {
    if here.truth != "git" {
        return Vec::new();
    }
    let mut memories = memories_of(answer);
    let id = |memory: &Map<String, Value>| memory["id"].as_str().unwrap_or_default().to_owned();
    let ids: Vec<String> = memories.iter().map(|it| id(it)).collect();
    let waiting = match ids.as_slice() {
        [] => BTreeMap::new(),
        ids => Access::new(database, visitor.caller()).waiting_for(here.store, ids).unwrap_or_else(
            |error| {
                // The answer is right without it.
                tracing::warn!(error = %error, "what waits for a repository could not be read");
                BTreeMap::new()
            },
        ),
    };
    for memory in &mut memories {
        if let Some(kinds) = waiting.get(&id(memory)) {
            memory.insert(FIELD.to_owned(), json!(kinds));
        }
    }
    let line = |(id, kinds): (&String, &Vec<String>)| {
        format!("waits for the repository: `{id}` ({})\n", kinds.join(", "))
    };
    waiting.iter().map(line).collect()
}

/// Those of this store: one of another says whose it is.
fn memories_of(answer: &mut Value) -> Vec<&mut Map<String, Value>> {
    let Value::Object(answer) = answer else { return Vec::new() };
    let is_ours = |it: &Map<String, Value>| it.contains_key("id") && !it.contains_key("store");
    if is_ours(answer) {
        return vec![answer];
    }
    let lists = answer.iter_mut().filter(|(name, _)| LISTS.contains(&name.as_str()));
    let all = lists.filter_map(|(_, list)| list.as_array_mut()).flatten();
    all.filter_map(Value::as_object_mut).filter(|it| is_ours(it)).collect()
}
