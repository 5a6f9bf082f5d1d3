//! Any text as a tool call that the guard judges. Nothing may panic, the same call gets the same verdict, and a
//! plain write into a store is denied whatever else its text says.
//!
//! The first line is the name of the tool, the rest its input: JSON if it can be read as such, else a shell command.

use oldhand_judge::guard::{Call, Verdict, judge};
use serde_json::{Value, json};

const CWD: &str = "/repo";
const PATH: &str = "/repo/.oldhand/decisions/a.md";

pub fn guard_call(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (tool, input) = text.split_once('\n').unwrap_or(("Bash", &text));
    let command = json!({"command": input});
    let input = serde_json::from_str::<Value>(input).unwrap_or(command);
    assert_eq!(verdict(tool, &input), verdict(tool, &input));

    let write = json!({"file_path": PATH, "content": &*text});
    assert_ne!(verdict("Write", &write), Verdict::Pass);
    let patch = json!({"file_path": PATH, "old_string": tool, "new_string": &*text});
    assert_ne!(verdict("Edit", &patch), Verdict::Pass);
}

fn verdict(tool: &str, input: &Value) -> Verdict {
    let stores = ["/repo/.oldhand".to_owned()];
    judge(&Call { tool, input, cwd: CWD }, &stores, &|path| path.to_owned())
}
