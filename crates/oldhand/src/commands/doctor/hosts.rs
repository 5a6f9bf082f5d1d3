//! Checks the hook of each host that oldhand is set up in: runs the program that the host would
//! start, with a payload as the host sends it.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use oldhand_hosts::table::{HOSTS, Host};
use oldhand_store::port::Finding;
use serde_json::{Value, json};

use crate::commands::install::{Places, find_program, set_up_hosts};
use crate::commands::prelude::*;

/// The longest time limit of a hook.
const WAIT_MAX: Duration = Duration::from_secs(10);
const ANSWER_BYTES_MAX: u64 = 1024 * 1024;

/// The hosts whose hook answered, and findings about the others.
pub(super) fn look(desk: &Desk<'_>) -> (Vec<&'static str>, Vec<Finding>) {
    let (mut answered, mut findings) = (Vec::new(), Vec::new());
    let program = find_program(desk.env, "oldhand");
    for (host, found) in set_up_hosts(desk) {
        if let Err(problem) = found {
            findings.push(Finding::new(host.name, problem.to_string(), problem.fix));
            continue;
        }
        let Some((words, payload)) = question(host, &desk.current_dir()) else { continue };
        let answer = match &program {
            Some(program) => hook_answers(desk, program, &words, &payload),
            None => Err("`oldhand` is not on PATH, so its hook can't run".to_owned()),
        };
        match answer {
            Ok(()) => answered.push(host.name),
            Err(why) => {
                let hint = format!("put it on PATH, or run `oldhand uninstall {}`", host.name);
                findings.push(Finding::new(host.name, why, hint));
            }
        }
    }
    (answered, findings)
}

/// What keeps hooks from being called once: a switch of the host, two files that both call them.
pub(super) fn look_at_files(desk: &Desk<'_>) -> Vec<Finding> {
    let scopes: Vec<Places<'_>> =
        [false, true].into_iter().filter_map(|it| Places::new(desk, it).ok()).collect();
    let mut findings = Vec::new();
    for host in HOSTS.iter().filter(|host| host.has_hooks()) {
        let of_hooks = |places: &Places<'_>| {
            let ours = places.ours(host).unwrap_or_default();
            ours.into_iter().find(|change| change.what.contains(&"hooks")).map(|it| it.path)
        };
        let paths: Vec<String> = scopes.iter().filter_map(of_hooks).collect();
        if let [user, project] = paths.as_slice()
            && user != project
        {
            let what = format!("its hooks are set up in `{user}` and `{project}`: each runs twice");
            let hint = format!(
                "`oldhand uninstall {name}` or `oldhand uninstall {name} --project` takes one out",
                name = host.name
            );
            findings.push(Finding::new(host.name, what, hint));
        }
        if !paths.is_empty() {
            let off = scopes.iter().filter_map(|places| places.switch_off(host)).next();
            findings.extend(off.map(|(path, key)| {
                let what = format!("`{key}` in `{path}` switches all hooks off");
                Finding::new(host.name, what, format!("take `{key}` out, or set it to `false`"))
            }));
        }
    }
    findings
}

/// The payload before a harmless command, which stores nothing.
fn question(host: &Host, folder: &Path) -> Option<(Vec<&'static str>, Value)> {
    if !host.has_hooks() {
        return None;
    }
    let folder = folder.display().to_string();
    let input = json!({"command": "true"});
    let usual = |event: &str, tool: &str| {
        json!({"session_id": "doctor", "transcript_path": null, "cwd": folder,
            "hook_event_name": event, "tool_name": tool, "tool_input": input,
            "tool_use_id": "doctor"})
    };
    let mut words = vec!["hook", host.name];
    let payload = match host.name {
        "copilot" => {
            words.extend(["--event", "preToolUse"]);
            json!({"sessionId": "doctor", "timestamp": 0, "cwd": folder, "toolName": "bash",
                "toolArgs": input})
        }
        "cursor" => json!({"conversation_id": "doctor", "generation_id": "doctor",
            "hook_event_name": "preToolUse", "workspace_roots": [folder],
            "tool_name": "Shell", "tool_input": input, "tool_use_id": "doctor"}),
        "gemini" => usual("BeforeTool", "run_shell_command"),
        "opencode" => usual("PreToolUse", "bash"),
        _ => usual("PreToolUse", "Bash"),
    };
    Some((words, payload))
}

/// Runs the program as the host does, with the payload on standard input. It must exit with 0 and
/// print nothing or one JSON object.
fn hook_answers(
    desk: &Desk<'_>,
    program: &Path,
    words: &[&str],
    payload: &Value,
) -> Result<(), String> {
    let started = |error: std::io::Error| format!("`oldhand` could not be started: {error}");
    let mut child = Command::new(program)
        .args(words)
        .current_dir(desk.current_dir())
        .env_clear()
        .envs(&desk.env.vars)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(started)?;
    if let Some(mut stdin) = child.stdin.take() {
        // A hook may exit before it has read everything.
        let _ = stdin.write_all(payload.to_string().as_bytes());
    }
    // Read in a thread: a long answer would fill the pipe.
    let stdout = child.stdout.take();
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        let read = stdout.map(|out| out.take(ANSWER_BYTES_MAX).read_to_string(&mut text));
        read.transpose().map(|_| text)
    });
    let deadline = Instant::now() + WAIT_MAX;
    let status = loop {
        match child.try_wait().map_err(started)? {
            Some(status) => break status,
            None if Instant::now() > deadline => {
                // Fails only if it has just exited.
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("its hook gave no answer in {} s", WAIT_MAX.as_secs()));
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    if !status.success() {
        return Err(format!("its hook failed: {status}"));
    }
    let text = reader.join().ok().and_then(Result::ok).unwrap_or_default();
    let is_object = |text: &str| serde_json::from_str::<Value>(text).is_ok_and(|v| v.is_object());
    match text.trim() {
        "" => Ok(()),
        text if is_object(text) => Ok(()),
        text => Err(format!("its hook said something else than JSON: {text:.60}")),
    }
}
