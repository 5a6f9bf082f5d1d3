//! The events of a session, read from its transcript as the host would have sent them.

use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::failure::Fail;

pub(super) struct Script {
    pub session: String,
    /// Where it ran.
    pub folder: String,
    pub lines: Vec<String>,
    pub steps: Vec<Step>,
}

pub(super) struct Step {
    /// Everything before this line is in the transcript by then.
    pub line: usize,
    pub at: Timestamp,
    pub event: &'static str,
    pub fields: Vec<(&'static str, Value)>,
}

/// Tools that hooks are called for, as `install` registers them.
const BEFORE: &[&str] = &["Write", "Edit", "MultiEdit", "NotebookEdit", "Bash"];
const AFTER: &[&str] = &["Bash", "Write", "ExitPlanMode", "AskUserQuestion"];

/// In the order in which they began.
pub(super) fn read_folder(folder: &Path) -> Result<Vec<Script>, Fail> {
    let mut scripts = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
        let bytes = std::fs::read(&path);
        let text = match name.as_str() {
            name if name.ends_with(".jsonl.gz") => {
                let mut text = String::new();
                GzDecoder::new(bytes?.as_slice()).read_to_string(&mut text)?;
                text
            }
            name if name.ends_with(".jsonl") => String::from_utf8_lossy(&bytes?).into_owned(),
            _ => continue,
        };
        let session = name.split(".jsonl").next().unwrap_or_default();
        scripts.push(read(session, &text));
    }
    if scripts.is_empty() {
        let why = format!("there is no transcript in `{}`", folder.display());
        return Err(Fail::new(why, "name a folder with `.jsonl` or `.jsonl.gz` files"));
    }
    scripts.sort_by_key(|script| script.steps.first().map(|step| step.at));
    Ok(scripts)
}

#[derive(Default)]
struct Reader {
    steps: Vec<Step>,
    at: Timestamp,
    calls: Vec<(String, String, Value)>,
    last_message: String,
    is_working: bool,
}

fn read(session: &str, text: &str) -> Script {
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let records = lines.iter().map(|line| serde_json::from_str(line).unwrap_or(Value::Null));
    let records: Vec<Value> = records.collect();
    let folder = records.iter().find_map(|record| record["cwd"].as_str()).unwrap_or_default();
    let time = |record: &Value| record["timestamp"].as_str()?.parse::<Timestamp>().ok();
    let mut reader =
        Reader { at: records.iter().find_map(time).unwrap_or_default(), ..Reader::default() };
    reader.push(1, "SessionStart", vec![("source", json!("startup"))]);
    for (number, record) in (1..).zip(&records) {
        reader.at = time(record).unwrap_or(reader.at);
        if record["isSidechain"] != json!(true) && record["isMeta"] != json!(true) {
            reader.read(number, record);
        }
    }
    let end = lines.len() + 1;
    reader.stop(end);
    reader.push(end, "SessionEnd", Vec::new());
    Script { session: session.to_owned(), folder: folder.to_owned(), lines, steps: reader.steps }
}

impl Reader {
    fn push(&mut self, line: usize, event: &'static str, fields: Vec<(&'static str, Value)>) {
        self.steps.push(Step { line, at: self.at, event, fields });
    }

    fn stop(&mut self, line: usize) {
        if std::mem::take(&mut self.is_working) {
            let last = json!(std::mem::take(&mut self.last_message));
            self.push(line, "Stop", vec![("last_assistant_message", last)]);
        }
    }

    fn read(&mut self, line: usize, record: &Value) {
        let content = &record["message"]["content"];
        let whole = [json!({"type": "text", "text": content})];
        let blocks = match content {
            Value::String(_) => whole.as_slice(),
            _ => content.as_array().map(Vec::as_slice).unwrap_or_default(),
        };
        if record["isCompactSummary"] == json!(true) {
            self.push(line, "PreCompact", vec![("trigger", json!("auto"))]);
            self.push(line, "SessionStart", vec![("source", json!("compact"))]);
            return;
        }
        let is_person = record["type"] == json!("user");
        for block in blocks {
            match (is_person, block["type"].as_str().unwrap_or_default()) {
                (true, "text") => self.prompt(line, block["text"].as_str().unwrap_or_default()),
                (true, "tool_result") => self.result(line, block),
                (false, "text") => {
                    self.is_working = true;
                    self.last_message = block["text"].as_str().unwrap_or_default().to_owned();
                }
                (false, "tool_use") => self.call(line, block),
                _ => {}
            }
        }
    }

    fn prompt(&mut self, line: usize, text: &str) {
        if text.starts_with("[Request interrupted") {
            // Nobody stops: the host calls no hook.
            self.is_working = false;
        } else if !text.starts_with('<') && !text.trim().is_empty() {
            self.stop(line);
            self.push(line, "UserPromptSubmit", vec![("prompt", json!(text))]);
        }
    }

    fn call(&mut self, line: usize, block: &Value) {
        self.is_working = true;
        let [id, name] =
            ["id", "name"].map(|key| block[key].as_str().unwrap_or_default().to_owned());
        let input = block["input"].clone();
        if BEFORE.contains(&name.as_str()) {
            let fields = vec![("tool_name", json!(name)), ("tool_input", input.clone())];
            self.push(line, "PreToolUse", fields);
        }
        self.calls.push((id, name, input));
    }

    fn result(&mut self, line: usize, block: &Value) {
        let id = block["tool_use_id"].as_str().unwrap_or_default();
        let Some((_, name, input)) = self.calls.iter().find(|(known, ..)| known == id) else {
            return;
        };
        let mut fields = vec![("tool_name", json!(name)), ("tool_input", input.clone())];
        let said = match &block["content"] {
            Value::String(text) => text.clone(),
            parts => {
                let texts = parts.as_array().into_iter().flatten();
                texts.filter_map(|it| it["text"].as_str()).collect::<Vec<_>>().join("\n")
            }
        };
        if block["is_error"] == json!(true) {
            // What a person refuses is no failure of the tool.
            if !said.contains("doesn't want to proceed") {
                fields.push(("error", json!(said)));
                self.push(line + 1, "PostToolUseFailure", fields);
            }
        } else if AFTER.contains(&name.as_str()) || name.starts_with("mcp__") {
            fields.push(("tool_response", json!({"content": said})));
            self.push(line + 1, "PostToolUse", fields);
        }
    }
}
