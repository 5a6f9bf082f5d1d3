//! What a case expects against what was seen, key by key. It runs nothing.

use serde_json::{Map, Value};

/// Each expectation that does not hold, for people. `seen` holds facts under the same keys, and
/// beside them `said` (what the last command printed) and `changed_by_refusal`.
pub(super) fn disagreements(expect: &Value, seen: &Map<String, Value>) -> Vec<String> {
    let mut wrong: Vec<String> = expect
        .as_object()
        .unwrap()
        .iter()
        .filter(|(key, want)| !holds(key, want, seen))
        .map(|(key, want)| format!("expected `{key}` {want}, found {}", found(key, seen)))
        .collect();
    if let Some(step) = seen.get("changed_by_refusal") {
        wrong.push(format!("a refused command changed files: {step}"));
    }
    wrong
}

fn holds(key: &str, want: &Value, seen: &Map<String, Value>) -> bool {
    let fact = |key: &str| seen.get(key).unwrap_or(&Value::Null);
    match key {
        "last" if want == "error" => fact("last") != "ok",
        "mentions" => texts(want).iter().all(|text| plain(fact("said")).contains(text)),
        "record" => includes(fact("record"), want),
        "record_absent" => texts(want).iter().all(|key| fact("record").get(key).is_none()),
        "first_change" => includes(&fact("record")["changes"][0], want),
        "last_change" => {
            let changes = fact("record")["changes"].as_array();
            includes(changes.and_then(|changes| changes.last()).unwrap_or(&Value::Null), want)
        }
        "changes_len" => length(&fact("record")["changes"]) == want.as_u64(),
        "index_len" => length(fact("index")) == want.as_u64(),
        "index" => {
            let rows: Vec<Value> = texts(want).into_iter().map(index_row).collect();
            *fact("index") == Value::Array(rows)
        }
        "renamed_to" => fact("record")["id"] == stem(plain(want)),
        // The order in which they went is no promise.
        "retired" | "deleted" | "archived" => sorted(fact(key)) == sorted(want),
        "last" | "status" | "stored" | "slug" => fact(key) == want,
        other => panic!("unknown expectation: {other}"),
    }
}

fn found(key: &str, seen: &Map<String, Value>) -> String {
    let key = match key {
        "mentions" | "last" => "said",
        "record_absent" | "first_change" | "last_change" | "changes_len" | "renamed_to" => "record",
        "index_len" => "index",
        other => other,
    };
    format!("`{key}` {}", seen.get(key).unwrap_or(&Value::Null))
}

/// Every key of the wanted object is there and the same; 1 and 1.0 are.
fn includes(whole: &Value, want: &Value) -> bool {
    want.as_object().unwrap().iter().all(|(key, want)| match want.as_f64() {
        Some(number) => whole[key].as_f64() == Some(number),
        None => whole[key] == *want,
    })
}

/// `- [KIND] title -> path #tags:a,b` as ours can be compared with it: id and title.
fn index_row(line: &str) -> Value {
    let (entry, target) = line.rsplit_once(" -> ").unwrap();
    let (_, title) = entry.split_once("] ").unwrap();
    let path = target.split(' ').next().unwrap();
    Value::from(vec![stem(path), title])
}

fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap();
    name.strip_suffix(".json").unwrap()
}

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(plain).collect()
}

fn plain(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn length(list: &Value) -> Option<u64> {
    list.as_array().map(|list| list.len() as u64)
}

fn sorted(list: &Value) -> Vec<&str> {
    let mut list = list.as_array().map_or_else(Vec::new, |list| list.iter().map(plain).collect());
    list.sort_unstable();
    list
}
