//! The cases of an earlier tool about triage, stops, drafts and guards, held against ours in
//! spirit: which categories fire, which stops ask for drafts, which writes are refused. Its scores,
//! files and flags are its own.

use oldhand_core::kind::Kind;
use oldhand_judge::capture::candidate::{Action, Check, Structural, check, resolve};
use oldhand_store::disk::RealDisk;
use serde_json::{Value, json};

use super::records::put_over;
use crate::scratch::Scratch;

/// The case, what ours does instead, and why.
const DIFFERENCES: &[(&str, &str, &str)] = &[
    (
        "tri-08",
        r#"{"triggered": []}"#,
        "an agent's word for a cause is no runbook: what to do about it is not said",
    ),
    (
        "tri-11",
        r#"{"triggered": []}"#,
        "a sentence counts by itself: `It does not support arrays` says nothing to a later reader",
    ),
    (
        "tri-18",
        r#"{"triggered": []}"#,
        "small talk without any tool is no activity: there is nothing to summarise",
    ),
    ("cand-10", r#"{"structural_cud": "UPDATE"}"#, "it follows from the candidate that is wanted"),
    (
        "stop-02",
        r#"{"decisions": ["block", "allow"]}"#,
        "what was handed over is in the staging area until it is saved; a stop asks once",
    ),
    (
        "stop-03",
        r#"{"decisions": ["block", "allow"]}"#,
        "a session has one state that does not expire: the same words are not asked for again",
    ),
    (
        "stop-08",
        r#"{"decisions": ["block"]}"#,
        "the lock is the kernel's and ends with its process: a file that looks like one holds nobody",
    ),
    (
        "note-01",
        r#"{"outputs": [[], []]}"#,
        "capture is silent; `oldhand log` tells what was saved",
    ),
];

#[test]
fn triage_stops_drafts_and_guards_do_what_is_wanted() {
    let file: Value = serde_json::from_str(include_str!("capture.json")).unwrap();
    let mut wrong = Vec::new();
    for case in file["cases"].as_array().unwrap() {
        let id = case["id"].as_str().unwrap();
        let mut wanted = put_over(&case["expect"], &case["wanted"]);
        if let Some((_, instead, _)) = DIFFERENCES.iter().find(|(known, _, _)| *known == id) {
            wanted = put_over(&wanted, &serde_json::from_str(instead).unwrap());
        }
        let seen = run(case, &file["fixtures"]);
        for (key, value) in &seen {
            if wanted.get(key) != Some(value) {
                let wanted = wanted.get(key).cloned().unwrap_or_default();
                wrong.push(format!("{id} ({}): {key}: {value}, wanted {wanted}", case["title"]));
            }
        }
        assert!(!seen.is_empty(), "{id} looks at nothing");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_difference_of_capture_names_a_case() {
    let file: Value = serde_json::from_str(include_str!("capture.json")).unwrap();
    let ids: Vec<&str> =
        file["cases"].as_array().unwrap().iter().filter_map(|case| case["id"].as_str()).collect();
    assert!(DIFFERENCES.iter().all(|(id, _, why)| ids.contains(id) && !why.is_empty()));
}

type Seen = Vec<(String, Value)>;

fn run(case: &Value, fixtures: &Value) -> Seen {
    let scratch = Scratch::new();
    let input = &case["input"];
    match case["kind"].as_str().unwrap() {
        "triage" => triage(input, &scratch),
        "stop_seq" => stops(input, &scratch),
        "candidate" => candidate(input, fixtures, &scratch),
        "cud" => cud(input),
        "write_guard" => guard_write(input, &scratch),
        "bash_guard" => guard_shell(input, &scratch),
        "notes" => notes(input, &scratch),
        other => panic!("unknown kind of case: {other}"),
    }
}

/// The messages of a case as a transcript of Claude Code.
fn transcript(input: &Value, scratch: &Scratch) -> String {
    let chat: Vec<Value> = (0..input["chat"].as_u64().unwrap_or_default())
        .map(|at| {
            if at % 2 == 0 {
                json!({"role": "user", "text": "hm"})
            } else {
                json!({"role": "assistant", "text": "yes"})
            }
        })
        .collect();
    let messages = input["messages"].as_array().cloned().unwrap_or(chat);
    let mut lines = String::new();
    for message in messages {
        let content = match &message["blocks"] {
            Value::Null => json!([{"type": "text", "text": message["text"]}]),
            blocks => blocks.clone(),
        };
        let role = &message["role"];
        let line = json!({"type": role, "message": {"role": role, "content": content}});
        lines.push_str(&format!("{line}\n"));
    }
    let path = scratch.repository().with_file_name("session.jsonl");
    std::fs::write(&path, lines).unwrap();
    path.display().to_string()
}

fn triage(input: &Value, scratch: &Scratch) -> Seen {
    let path = transcript(input, scratch);
    for (name, value) in [("enabled", "false"), ("auto_capture", "false")] {
        let off = &input["config"]["categories"]["session_summary"][name];
        if off == false {
            scratch.ok(&["config", "set", &format!("kinds.session_summary.{name}"), value]);
        }
    }
    let told = scratch.json(&["capture", "triage", &path]);
    let mut triggered: Vec<String> = told["categories"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|it| it["triggered"] == true)
        .map(|it| it["category"].as_str().unwrap().to_owned())
        .collect();
    if told["activity"].as_f64().unwrap() >= 0.6 {
        triggered.push("session_summary".to_owned());
    }
    vec![("triggered".to_owned(), json!(triggered))]
}

fn hook(scratch: &Scratch, payload: &Value) -> Value {
    let ran = scratch.run_on(&RealDisk, &["hook", "claude-code"], payload.to_string().as_bytes());
    assert_eq!(ran.code, 0);
    if ran.stdout.is_empty() { Value::Null } else { serde_json::from_slice(&ran.stdout).unwrap() }
}

fn stop(scratch: &Scratch, path: &str, active: bool) -> Value {
    let payload = json!({
        "session_id": "s", "hook_event_name": "Stop", "transcript_path": path,
        "stop_hook_active": active, "cwd": scratch.repository(),
    });
    hook(scratch, &payload)
}

/// The reference asks the agent for drafts; so does ours, when it is told to.
fn stops(input: &Value, scratch: &Scratch) -> Seen {
    scratch.ok(&["config", "set", "--user", "capture.mode", "agent"]);
    let path = transcript(&decided(), scratch);
    let mut decisions: Vec<&str> = Vec::new();
    for step in input["steps"].as_array().unwrap() {
        if step.get("stop").is_some() {
            let answer = stop(scratch, &path, !decisions.is_empty());
            decisions.push(if answer["decision"] == "block" { "block" } else { "allow" });
        }
    }
    vec![("decisions".to_owned(), json!(decisions))]
}

fn decided() -> Value {
    json!({"messages": [
        {"role": "user", "text": "We decided to drop the Redis cluster because nobody reads from it."}
    ]})
}

fn candidate(input: &Value, fixtures: &Value, scratch: &Scratch) -> Seen {
    for asked in input["records"].as_array().unwrap() {
        let record = put_over(&fixtures[asked["use"].as_str().unwrap()], &asked["with"]);
        let text = record.to_string();
        let ran = scratch.run_on(&RealDisk, &["add", "--from", "-"], text.as_bytes());
        assert_eq!(ran.code, 0, "{}", String::from_utf8_lossy(&ran.stderr));
    }
    let category = input["category"].as_str().unwrap();
    let info = input["new_info"].as_str().unwrap();
    let mut args = vec!["capture", "check", "--category", category, "--new-info", info];
    if let Some(event) = input["lifecycle_event"].as_str() {
        args.extend(["--lifecycle-event", event]);
    }
    let told = scratch.json(&args);
    ["candidate", "structural_cud"].map(|key| (key.to_owned(), told[key].clone())).to_vec()
}

/// The pure table: what is possible by kind and candidate, and what was judged.
fn cud(input: &Value) -> Seen {
    let met = match input["structural"].as_str().unwrap() {
        "CREATE" => check(&Kind::Decision, None, None),
        "UPDATE" => check(&Kind::Decision, Some("one"), None),
        _ => check(&Kind::TechDebt, Some("one"), None),
    };
    let met = Check { structural: met.structural, ..met };
    assert!(met.structural != Structural::Noop);
    let (action, _) = resolve(&met, Action::judged(input["intended"].as_str().unwrap()));
    vec![("action".to_owned(), json!(action.as_str()))]
}

fn verdict(answer: &Value) -> Seen {
    let decision = answer["hookSpecificOutput"]["permissionDecision"].as_str().unwrap_or("pass");
    vec![("verdict".to_owned(), json!(decision))]
}

fn guard_write(input: &Value, scratch: &Scratch) -> Seen {
    scratch.ok(&["config", "set", "--user", "capture.mode", "agent"]);
    let path = transcript(&decided(), scratch);
    let asked = stop(scratch, &path, false)["reason"].as_str().unwrap().to_owned();
    let data = asked.split("<triage_data>").nth(1).unwrap().split("</triage_data>").next().unwrap();
    let data: Value = serde_json::from_str(data).unwrap();
    let staging = std::path::PathBuf::from(data["staging_dir"].as_str().unwrap());
    let file = staging.join("draft-decision.json");
    match input["setup"].as_str() {
        Some("hardlink") => {
            std::fs::write(&file, "{}").unwrap();
            std::fs::hard_link(&file, staging.join("other")).unwrap();
        }
        Some("symlink_dir") => {
            // The whole folder leads into the store.
            std::fs::remove_dir_all(&staging).unwrap();
            std::os::unix::fs::symlink(scratch.store().join("decisions"), &staging).unwrap();
        }
        _ => {}
    }
    let written = input["path"]
        .as_str()
        .unwrap()
        .replace("{P}", &scratch.repository().display().to_string())
        .replace("{S}/intent-decision.json", &file.display().to_string())
        .replace(".claude/memory", ".oldhand");
    verdict(&hook(scratch, &tool(scratch, "Write", &json!({"file_path": written}))))
}

fn guard_shell(input: &Value, scratch: &Scratch) -> Seen {
    let command = input["command"].as_str().unwrap().replace(".claude/memory", ".oldhand");
    verdict(&hook(scratch, &tool(scratch, "Bash", &json!({"command": command}))))
}

fn tool(scratch: &Scratch, name: &str, input: &Value) -> Value {
    json!({
        "session_id": "s", "hook_event_name": "PreToolUse", "tool_name": name,
        "tool_input": input, "cwd": scratch.repository(),
    })
}

fn notes(input: &Value, scratch: &Scratch) -> Seen {
    let outputs: Vec<Value> = input["prompts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|prompt| {
            let payload = json!({
                "session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": prompt,
                "cwd": scratch.repository(),
            });
            if hook(scratch, &payload).is_null() { json!([]) } else { json!(["something"]) }
        })
        .collect();
    vec![("outputs".to_owned(), json!(outputs))]
}
