//! A repository with a store, sessions in it, and the transcripts that their host would keep.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use oldhand_store::disk::RealDisk;
use serde_json::{Value, json};

use super::answers;
use crate::scratch::Scratch;

pub(crate) struct Stage {
    pub scratch: Scratch,
}

impl Stage {
    pub(crate) fn new() -> Self {
        let stage = Self { scratch: Scratch::new() };
        // A debug build on a busy machine is no reason to give up.
        stage.set("hooks.deadline_ms", "30000");
        stage
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.scratch.repository().parent().unwrap().to_owned()
    }

    #[track_caller]
    pub(crate) fn set(&self, key: &str, value: &str) {
        self.scratch.ok(&["config", "set", key, value]);
    }

    /// In the user's own configuration, which alone switches something on.
    pub(crate) fn set_own(&self, key: &str, value: &str) {
        self.scratch.ok(&["config", "set", "--user", key, value]);
    }

    /// In process; the answer is held against what the host takes.
    #[track_caller]
    pub(crate) fn hook(&self, host: &str, payload: &Value) -> Option<Value> {
        let bytes = payload.to_string();
        let ran = self.scratch.run_on(&RealDisk, &["hook", host], bytes.as_bytes());
        assert_eq!(ran.code, 0, "{payload}");
        assert_eq!(String::from_utf8_lossy(&ran.stderr), "", "{payload}");
        answers::check(host, payload, &ran.stdout)
    }

    /// The real program, with the payload on its standard input, which is closed after it.
    pub(crate) fn process(&self, host: &str, payload: &[u8]) -> Output {
        feed(self.scratch.program(&["hook", host]), payload)
    }

    pub(crate) fn session(&self, id: &str) -> Session<'_> {
        let folder = self.home().join(".claude/projects/here");
        std::fs::create_dir_all(&folder).unwrap();
        let transcript = folder.join(format!("{id}.jsonl"));
        Session { stage: self, id: id.to_owned(), agent: None, transcript }
    }

    /// What waits to be looked at, by id.
    pub(crate) fn candidates(&self) -> Vec<String> {
        self.ids(&["--state", "candidate"])
    }

    pub(crate) fn ids(&self, filter: &[&str]) -> Vec<String> {
        let args = [&["list", "--limit", "0"], filter].concat();
        let mut ids: Vec<String> = self.scratch.json(&args)["memories"]
            .as_array()
            .unwrap()
            .iter()
            .map(|memory| memory["id"].as_str().unwrap().to_owned())
            .collect();
        ids.sort();
        ids
    }

    pub(crate) fn show(&self, id: &str) -> Value {
        self.scratch.json(&["show", id])
    }

    /// The events of a memory that say how it did.
    pub(crate) fn uses(&self, id: &str) -> Vec<Value> {
        let history = self.scratch.json(&["history", id]);
        let events = history["events"].as_array().unwrap_or_else(|| panic!("{history}"));
        events.iter().filter(|event| event["type"] == "applied").cloned().collect()
    }

    pub(crate) fn log(&self) -> Vec<Value> {
        self.scratch.json(&["log", "--limit", "100000"])["lines"].as_array().unwrap().clone()
    }

    #[track_caller]
    pub(crate) fn last_note(&self) -> String {
        self.log().last().expect("a line of the log")["note"].as_str().unwrap().to_owned()
    }

    /// Where this machine keeps what it knows of sessions; one store, one folder.
    pub(crate) fn state_folder(&self) -> PathBuf {
        let home = self.home().join(".local/state/oldhand");
        std::fs::read_dir(home).unwrap().next().unwrap().unwrap().path()
    }

    pub(crate) fn session_states(&self) -> Vec<PathBuf> {
        let files = std::fs::read_dir(self.state_folder().join("sessions")).unwrap();
        files
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|it| it == "json"))
            .collect()
    }
}

pub(crate) fn feed(mut command: Command, payload: &[u8]) -> Output {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        // It may be gone before it has read all of it.
        scope.spawn(move || drop(stdin.write_all(payload)));
        child.wait_with_output().unwrap()
    })
}

/// One conversation of Claude Code.
pub(crate) struct Session<'a> {
    stage: &'a Stage,
    pub id: String,
    pub agent: Option<String>,
    pub transcript: PathBuf,
}

impl Session<'_> {
    pub(crate) fn inside(&self, agent: &str) -> Self {
        Self {
            stage: self.stage,
            id: self.id.clone(),
            agent: Some(agent.to_owned()),
            transcript: self.transcript.clone(),
        }
    }

    pub(crate) fn payload(&self, event: &str, more: Value) -> Value {
        let mut payload = json!({
            "session_id": self.id,
            "transcript_path": self.transcript,
            "cwd": self.stage.scratch.repository(),
            "permission_mode": "default",
            "hook_event_name": event,
        });
        let object = payload.as_object_mut().unwrap();
        if let Some(agent) = &self.agent {
            object.insert("agent_id".to_owned(), json!(agent));
            object.insert("agent_type".to_owned(), json!("Explore"));
        }
        object.extend(more.as_object().unwrap().clone());
        payload
    }

    #[track_caller]
    fn said(&self, event: &str, more: Value) -> String {
        let answer = self.stage.hook("claude-code", &self.payload(event, more));
        answer.map(|answer| answers::context(&answer)).unwrap_or_default()
    }

    #[track_caller]
    pub(crate) fn start(&self, source: &str) -> String {
        self.said("SessionStart", json!({"source": source, "model": "claude-opus-4-6"}))
    }

    #[track_caller]
    pub(crate) fn prompt(&self, text: &str) -> String {
        self.said("UserPromptSubmit", json!({"prompt": text}))
    }

    #[track_caller]
    pub(crate) fn before(&self, tool: &str, input: Value) -> String {
        let more = json!({"tool_name": tool, "tool_input": input, "tool_use_id": "toolu_1"});
        self.said("PreToolUse", more)
    }

    #[track_caller]
    pub(crate) fn failed(&self, tool: &str, error: &str) -> String {
        let more = json!({"tool_name": tool, "tool_input": {"command": "make"}, "error": error});
        self.said("PostToolUseFailure", more)
    }

    #[track_caller]
    pub(crate) fn stop(&self) -> Option<Value> {
        self.stop_again(false)
    }

    #[track_caller]
    pub(crate) fn stop_again(&self, active: bool) -> Option<Value> {
        let payload = self.payload("Stop", json!({"stop_hook_active": active}));
        self.stage.hook("claude-code", &payload)
    }

    #[track_caller]
    pub(crate) fn compact(&self) {
        let more = json!({"trigger": "auto", "custom_instructions": null});
        assert_eq!(self.said("PreCompact", more), "");
    }

    #[track_caller]
    pub(crate) fn end(&self) {
        assert_eq!(self.said("SessionEnd", json!({"reason": "other"})), "");
    }

    pub(crate) fn person(&self, text: &str) -> &Self {
        let message = json!({"role": "user", "content": text});
        self.line(&json!({"type": "user", "sessionId": self.id, "message": message}))
    }

    pub(crate) fn agent_says(&self, text: &str) -> &Self {
        let content = json!([{"type": "text", "text": text}]);
        let message = json!({"role": "assistant", "model": "claude-opus-4-6", "content": content});
        self.line(&json!({"type": "assistant", "sessionId": self.id, "message": message}))
    }

    /// A tool that runs, and what came of it.
    pub(crate) fn uses(&self, tool: &str, input: Value, output: Result<&str, &str>) -> &Self {
        let number = std::fs::metadata(&self.transcript).map_or(0, |meta| meta.len());
        let id = format!("toolu_{number}");
        let content = json!([{"type": "tool_use", "id": id, "name": tool, "input": input}]);
        let message = json!({"role": "assistant", "model": "claude-opus-4-6", "content": content});
        self.line(&json!({"type": "assistant", "sessionId": self.id, "message": message}));
        let (text, is_error) = match output {
            Ok(text) => (text, false),
            Err(text) => (text, true),
        };
        let result = json!({"type": "tool_result", "tool_use_id": id, "is_error": is_error, "content": text});
        let message = json!({"role": "user", "content": [result]});
        self.line(&json!({"type": "user", "sessionId": self.id, "message": message}))
    }

    pub(crate) fn runs(&self, command: &str, output: Result<&str, &str>) -> &Self {
        self.uses("Bash", json!({"command": command}), output)
    }

    pub(crate) fn edits(&self, path: &str) -> &Self {
        let path = self.stage.scratch.repository().join(path);
        let input = json!({"file_path": path, "old_string": "a", "new_string": "b"});
        self.uses("Edit", input, Ok("The file has been updated."))
    }

    fn line(&self, record: &Value) -> &Self {
        append(&self.transcript, &format!("{record}\n"));
        self
    }
}

pub(crate) fn append(path: &Path, text: &str) {
    let mut options = std::fs::OpenOptions::new();
    let mut file = options.create(true).append(true).open(path).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

/// A question that the one memory of `with_cents` answers.
pub(crate) const CENTS: &str = "how do we keep money amounts, in cents or as floats?";

pub(crate) fn with_cents() -> Stage {
    let stage = Stage::new();
    let title = "Keep money in cents";
    let decision = "Amounts of money are integers, counted in cents, never floats";
    stage.scratch.ok(&["add", "decision", "--title", title, "--decision", decision]);
    stage
}
