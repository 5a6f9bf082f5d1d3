//! R287: nobody writes into the store but oldhand, and whoever tries is told how.

use serde_json::{Value, json};

use super::answers;
use super::stage::Stage;

fn stage() -> Stage {
    let stage = Stage::new();
    stage.scratch.ok(&["add", "decision", "--title", "Use cents", "--decision", "Cents"]);
    stage
}

#[track_caller]
fn verdict(stage: &Stage, host: &str, tool: &str, input: &Value) -> String {
    let event = match host {
        "gemini" => "BeforeTool",
        "cursor" => "preToolUse",
        _ => "PreToolUse",
    };
    let more = json!({"tool_name": tool, "tool_input": input, "tool_use_id": "t"});
    let payload = stage.session("s").payload(event, more);
    let answer = stage.hook(host, &payload);
    answer.map(|answer| answers::denial(&answer)).unwrap_or_default()
}

const FILE: &str = ".oldhand/decisions/use-cents.md";

fn writers() -> Vec<(&'static str, &'static str, Value)> {
    let patch = format!("*** Begin Patch\n*** Update File: {FILE}\n@@\n-a\n+b\n*** End Patch");
    vec![
        ("claude-code", "Write", json!({"file_path": FILE, "content": "x"})),
        ("claude-code", "Edit", json!({"file_path": FILE, "old_string": "a", "new_string": "b"})),
        ("claude-code", "MultiEdit", json!({"file_path": FILE, "edits": []})),
        ("claude-code", "NotebookEdit", json!({"notebook_path": FILE, "new_source": "x"})),
        ("claude-code", "Bash", json!({"command": format!("echo x > {FILE}")})),
        ("claude-code", "Bash", json!({"command": format!("sed -i s/a/b/ {FILE}")})),
        ("claude-code", "Bash", json!({"command": format!("cd src/.. && rm -f {FILE}")})),
        ("claude-code", "Bash", json!({"command": format!("cat a | tee {FILE}")})),
        ("claude-code", "Bash", json!({"command": "rm -rf .oldhand"})),
        ("codex", "apply_patch", json!({"input": patch})),
        ("codex", "shell", json!({"command": ["bash", "-lc", format!("echo x >> {FILE}")]})),
        ("gemini", "write_file", json!({"file_path": FILE, "content": "x"})),
        ("gemini", "replace", json!({"file_path": FILE, "old_string": "a", "new_string": "b"})),
        ("gemini", "run_shell_command", json!({"command": format!("mv a {FILE}")})),
        ("cursor", "Write", json!({"file_path": FILE, "content": "x"})),
        ("cursor", "Shell", json!({"command": format!("cp a {FILE}")})),
        ("opencode", "write", json!({"filePath": FILE, "content": "x"})),
        ("opencode", "bash", json!({"command": format!("echo x > {FILE}")})),
    ]
}

#[test]
fn every_tool_that_writes_is_refused_with_what_to_type() {
    let stage = stage();
    for (host, tool, input) in writers() {
        let reason = verdict(&stage, host, tool, &input);
        assert!(
            reason.contains("oldhand ") && reason.contains('`'),
            "{host} {tool} {input}: {reason:?}"
        );
    }
    let lines = stage.log();
    assert!(lines.iter().all(|line| line["said"] == "deny"), "{lines:#?}");
}

/// Copilot names the tool and its arguments in its own words.
#[test]
fn copilot_is_refused_in_its_words() {
    let stage = stage();
    let root = stage.scratch.repository();
    for args in [json!({"path": FILE, "file_text": "x"}), json!({"path": root.join(FILE)})] {
        for args in [args.clone(), json!(args.to_string())] {
            let payload = json!({"sessionId": "s", "cwd": root, "toolName": "create",
                "toolArgs": args, "hook_event_name": "preToolUse"});
            let answer = stage.hook("copilot", &payload).expect("an answer");
            assert!(answers::denial(&answer).contains("oldhand "), "{args}: {answer}");
        }
    }
}

#[test]
fn reading_and_other_files_pass() {
    let stage = stage();
    for (tool, input) in [
        ("Read", json!({"file_path": FILE})),
        ("Grep", json!({"pattern": "cents", "path": ".oldhand"})),
        ("Glob", json!({"pattern": ".oldhand/**/*.md"})),
        ("Bash", json!({"command": format!("cat {FILE} | head -3")})),
        ("Bash", json!({"command": "git add .oldhand && git commit -m memory"})),
        ("Bash", json!({"command": "oldhand update use-cents --tags money"})),
        ("Write", json!({"file_path": "src/oldhand.rs", "content": ".oldhand/x"})),
        ("Edit", json!({"file_path": "docs/.oldhand.md"})),
    ] {
        assert_eq!(verdict(&stage, "claude-code", tool, &input), "", "{tool} {input}");
    }
}

#[test]
fn a_link_into_the_store_is_the_store() {
    let stage = stage();
    let root = stage.scratch.repository();
    std::os::unix::fs::symlink(stage.scratch.store(), root.join("notes")).unwrap();
    std::os::unix::fs::symlink(root.join(FILE), root.join("cents.md")).unwrap();
    for path in ["notes/decisions/new.md", "cents.md", "notes/deep/er/x.md", "./src/../notes/x"] {
        let reason = verdict(&stage, "claude-code", "Write", &json!({"file_path": path}));
        assert!(reason.contains("oldhand "), "{path}: {reason:?}");
    }
}

/// Your own store is guarded from everywhere.
#[test]
fn the_store_of_the_user_is_guarded_too() {
    let stage = stage();
    stage.scratch.ok(&["--global", "add", "preference", "--title", "Tabs", "--value", "Tabs"]);
    let own = stage.scratch.json(&["--global", "show", "tabs"])["path"].clone();
    let root = find(&stage.home(), own.as_str().unwrap());
    let reason = verdict(&stage, "claude-code", "Write", &json!({"file_path": root}));
    assert!(reason.contains("oldhand "), "{root:?}: {reason:?}");
}

fn find(folder: &std::path::Path, end: &str) -> std::path::PathBuf {
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for path in std::fs::read_dir(next).unwrap().map(|entry| entry.unwrap().path()) {
            if path.ends_with(end) {
                return path;
            }
            if path.is_dir() && !path.ends_with("repository") {
                folders.push(path);
            }
        }
    }
    panic!("no {end}")
}

/// Settings that can't be read don't open the store.
#[test]
fn the_guard_holds_with_broken_settings() {
    let stage = stage();
    let config = stage.scratch.store().join("config.toml");
    for text in ["format = [", "format = 99\n", "\u{0}\u{1}", "format = 1\n[hooks]\nenabled = 7\n"]
    {
        std::fs::write(&config, text).unwrap();
        let reason = verdict(&stage, "claude-code", "Write", &json!({"file_path": FILE}));
        assert!(reason.contains("oldhand "), "{text:?}: {reason:?}");
        assert_eq!(verdict(&stage, "claude-code", "Read", &json!({"file_path": FILE})), "");
    }
}

#[test]
fn without_a_home_the_guard_holds() {
    let stage = stage();
    let payload = stage
        .session("s")
        .payload("PreToolUse", json!({"tool_name": "Write", "tool_input": {"file_path": FILE}}));
    let mut command = stage.scratch.program(&["hook", "claude-code"]);
    command.env_remove("HOME");
    let output = super::stage::feed(command, payload.to_string().as_bytes());
    assert_eq!(output.status.code(), Some(0));
    let answer = answers::check("claude-code", &payload, &output.stdout).expect("an answer");
    assert!(answers::denial(&answer).contains("oldhand "), "{answer}");
}

#[test]
fn hooks_that_are_off_let_everything_pass() {
    let stage = stage();
    stage.set("hooks.enabled", "false");
    assert_eq!(verdict(&stage, "claude-code", "Write", &json!({"file_path": FILE})), "");
}

/// R45: what is loaded when has nothing to do with who may write.
#[test]
fn explicit_mode_does_not_open_the_store() {
    let stage = stage();
    stage.set("recall.mode", "explicit");
    let reason = verdict(&stage, "claude-code", "Write", &json!({"file_path": FILE}));
    assert!(reason.contains("oldhand "), "{reason:?}");
}
