//! A small session in every format: what each line comes to.

use super::super::*;

/// A turn as one line: who, what was said, which tools, which results.
fn told(turn: &Turn) -> String {
    let voice = if turn.voice == Voice::Person { "person" } else { "agent" };
    let side = if turn.is_sidechain { "(side)" } else { "" };
    let mut line = format!("{} {voice}{side}: {}", turn.line, turn.text);
    for tool in &turn.uses {
        let edit = if tool.is_edit { "!" } else { "" };
        line.push_str(&format!(" | {}{edit} {:?}", tool.name, tool.paths));
        line.push_str(&tool.command.as_deref().map_or_else(String::new, |it| format!(" ${it}")));
        for (text, done) in &tool.todos {
            line.push_str(&format!(" [{}] {text}", if *done { 'x' } else { ' ' }));
        }
    }
    for result in &turn.results {
        let verdict = if result.is_error { "error" } else { "ok" };
        line.push_str(&format!(" > {verdict} {}", result.text));
    }
    line
}

#[track_caller]
fn reads(format: Format, lines: &[&str], want: &[&str]) {
    let reading = read(format!("{}\n", lines.join("\n")).as_bytes(), format, 1);
    let told: Vec<String> = reading.turns.iter().map(told).collect();
    assert_eq!(told, want);
    assert_eq!((reading.lines, reading.skipped), (lines.len(), 0));
}

#[test]
fn claude_code() {
    reads(
        Format::ClaudeCode,
        &[
            r#"{"type":"file-history-snapshot","messageId":"m","snapshot":{}}"#,
            r#"{"type":"user","isSidechain":false,"message":{"role":"user","content":"fix the lexer"},"uuid":"a"}"#,
            r#"{"type":"progress","data":{"message":{"type":"user","message":{"content":"not me"}}}}"#,
            r#"{"type":"assistant","message":{"model":"m","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Looking."},{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"cargo test","description":"x"}},{"type":"tool_use","id":"t2","name":"Edit","input":{"file_path":"src/lexer.rs","old_string":"a","new_string":"b"}}]}}"#,
            r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"Exit code 1"},{"type":"tool_result","tool_use_id":"t2","content":[{"type":"text","text":"done"}]}]},"toolUseResult":{"originalFile":"long"}}"#,
            r#"{"type":"user","isMeta":true,"message":{"content":"do as the skill says"}}"#,
            r#"{"type":"user","isCompactSummary":true,"message":{"content":"we did things"}}"#,
            r#"{"type":"user","origin":{"kind":"task-notification"},"message":{"content":"ready"}}"#,
            r#"{"type":"user","isSidechain":true,"message":{"content":"search for x"}}"#,
            r#"{"type":"assistant","message":{"model":"<synthetic>","content":[{"type":"text","text":"No response requested."}]}}"#,
            r#"{"type":"queue-operation","operation":"enqueue","content":"and run the linter"}"#,
            r#"{"type":"queue-operation","operation":"remove"}"#,
            r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t3","is_error":true,"content":"The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nno new crates please"}]}}"#,
            r#"{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t4","name":"TodoWrite","input":{"todos":[{"content":"lexer","status":"completed"},{"content":"parser","status":"pending"}]}}]}}"#,
        ],
        &[
            "2 person: fix the lexer",
            "4 agent: Looking. | Bash [] $cargo test | Edit! [\"src/lexer.rs\"]",
            "5 person:  > error Exit code 1 > ok done",
            "7 agent: ",
            "8 person: ",
            "9 agent(side): search for x",
            "11 person: and run the linter",
            "13 person: no new crates please > error The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nno new crates please",
            "14 agent:  | TodoWrite [] [x] lexer [ ] parser",
        ],
    );
}

#[test]
fn codex() {
    reads(
        Format::Codex,
        &[
            r#"{"type":"session_meta","payload":{"id":"s","cwd":"/a"}}"#,
            r#"{"type":"response_item","payload":{"type":"message","role":"developer","content":[{"type":"input_text","text":"rules"}]}}"#,
            r#"{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>\n<cwd>/a</cwd>\n</environment_context>"}]}}"#,
            r#"{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"make it faster"}]}}"#,
            r#"{"type":"event_msg","payload":{"type":"user_message","message":"make it faster"}}"#,
            r#"{"type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{\"command\":[\"bash\",\"-lc\",\"go test ./...\"]}","call_id":"c1"}}"#,
            r#"{"type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"{\"output\":\"FAIL\",\"metadata\":{\"exit_code\":1}}"}}"#,
            r#"{"type":"response_item","payload":{"type":"custom_tool_call","name":"apply_patch","call_id":"c2","input":"*** Begin Patch\n*** Update File: a.go\n@@\n-x\n+y\n*** End Patch"}}"#,
            r#"{"type":"response_item","payload":{"type":"custom_tool_call_output","call_id":"c2","output":"Exit code: 0\nOutput:\nok"}}"#,
            r#"{"type":"response_item","payload":{"type":"local_shell_call","call_id":"c3","action":{"type":"exec","command":["ls","-l"]}}}"#,
            r#"{"type":"response_item","payload":{"type":"function_call","name":"update_plan","arguments":"{\"plan\":[{\"step\":\"measure\",\"status\":\"completed\"}]}","call_id":"c4"}}"#,
            r#"{"type":"response_item","payload":{"type":"reasoning","summary":[]}}"#,
            r#"{"type":"compacted","payload":{"message":"so far"}}"#,
            r#"{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Done."}]}}"#,
            r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"thanks a lot"}]}"#,
        ],
        &[
            "4 person: make it faster",
            "6 agent:  | shell [] $go test ./...",
            "7 agent:  > error FAIL",
            "8 agent:  | apply_patch! [\"a.go\"]",
            "9 agent:  > ok Exit code: 0\nOutput:\nok",
            "10 agent:  | local_shell [] $ls -l",
            "11 agent:  | update_plan [] [x] measure",
            "14 agent: Done.",
            "15 person: thanks a lot",
        ],
    );
}

const GEMINI_TURN: &str = r#"{"id":"m2","type":"gemini","content":"Written.","toolCalls":[{"id":"t1","name":"write_file","args":{"file_path":"a.txt","content":"x"},"result":[{"functionResponse":{"response":{"output":"ok"}}}],"status":"success"},{"id":"t2","name":"run_shell_command","args":{"command":"make"},"result":[{"functionResponse":{"response":{"error":"no rule"}}}],"status":"error"}]}"#;

#[test]
fn gemini_lines() {
    let again = format!(
        r#"{{"$set":{{"messages":[{{"id":"m1","type":"user","content":[{{"text":"write a file"}}]}},{GEMINI_TURN},{{"id":"m3","type":"user","content":"and now?"}}]}}}}"#
    );
    reads(
        Format::Gemini,
        &[
            r#"{"sessionId":"s","projectHash":"p"}"#,
            r#"{"id":"m1","type":"user","content":[{"text":"write a file"}]}"#,
            GEMINI_TURN,
            r#"{"id":"i","type":"info","content":"update available"}"#,
            &again,
        ],
        &[
            "2 person: write a file",
            "3 agent: Written. | write_file! [\"a.txt\"] | run_shell_command [] $make > ok ok > error no rule",
            "5 person: and now?",
        ],
    );
}

#[test]
fn gemini_document() {
    let document = format!(
        "{{\n\"sessionId\": \"s\",\n\"messages\": [{{\"type\":\"user\",\"content\":\"write\"}},\n{GEMINI_TURN}]}}"
    );
    let read = |seen| read_document(document.as_bytes(), Format::Gemini, seen);
    let whole = read(0).unwrap();
    assert_eq!((whole.turns.len(), whole.lines, whole.turns[1].line), (2, 2, 2));
    assert_eq!(read(1).unwrap().turns, whole.turns[1..]);
    assert!(read(5).unwrap().turns.is_empty());
    assert_eq!(read_document(&document.as_bytes()[..40], Format::Gemini, 0), None);
    assert_eq!(read_document(b"{}", Format::Gemini, 0), None);
}

#[test]
fn copilot() {
    reads(
        Format::Copilot,
        &[
            r#"{"type":"session.start","data":{"sessionId":"s"}}"#,
            r#"{"type":"user.message","data":{"content":"why is it red?","transformedContent":"<x>"}}"#,
            r#"{"type":"user.message","data":{"content":"a skill","source":"skill-x"}}"#,
            r#"{"type":"assistant.message","data":{"content":"Let me see","toolRequests":[{"toolCallId":"t1","name":"bash"}]}}"#,
            r#"{"type":"tool.execution_start","data":{"toolCallId":"t1","toolName":"bash","arguments":{"command":"npm test"}}}"#,
            r#"{"type":"tool.execution_complete","data":{"toolCallId":"t1","success":false,"error":{"message":"boom"}}}"#,
            r#"{"type":"tool.execution_start","data":{"toolCallId":"t2","parentToolCallId":"t0","toolName":"edit","arguments":{"path":"a.ts"}}}"#,
        ],
        &[
            "2 person: why is it red?",
            "4 agent: Let me see",
            "5 agent:  | bash [] $npm test",
            "6 agent:  > error boom",
            "7 agent(side):  | edit! [\"a.ts\"]",
        ],
    );
}

#[test]
fn cursor_and_plain() {
    reads(
        Format::Cursor,
        &[
            r#"{"role":"user","message":{"content":[{"type":"text","text":"<user_query>\nsort it\n</user_query>"}]}}"#,
            r#"{"role":"assistant","message":{"content":[{"type":"text","text":"Sure"},{"type":"tool_use","name":"StrReplace","input":{"path":"a.py"}}]}}"#,
            r#"{"type":"turn_ended","status":"success"}"#,
        ],
        &["1 person: sort it", "2 agent: Sure | StrReplace! [\"a.py\"]"],
    );
    reads(
        Format::Plain,
        &[
            r#"{"role":"user","content":"one"}"#,
            r#"{"role":"assistant","content":[{"type":"text","text":"two"}]}"#,
            r#"{"type":"human","text":"three"}"#,
            r#"{"type":"user","message":"four"}"#,
            r#"{"role":"system","content":"five"}"#,
        ],
        &["1 person: one", "2 agent: two", "3 person: three", "4 person: four"],
    );
}

#[test]
fn an_interrupt_counts_until_the_next_prompt() {
    let prompt = r#"{"type":"user","message":{"content":"go on"}}"#;
    let said = r#"{"type":"assistant","message":{"content":[{"type":"text","text":"Done."}]}}"#;
    let stopped = r#"{"type":"user","message":{"content":"[Request interrupted by user]"}}"#;
    let refused = r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"The user doesn't want to proceed with this tool use."}]}}"#;
    let table = [
        (vec![prompt, said], false),
        (vec![prompt, said, stopped], true),
        (vec![prompt, refused, said], true),
        (vec![prompt, stopped, prompt, said], false),
        (vec![], false),
    ];
    for (lines, want) in table {
        assert_eq!(crate::ends_interrupted(lines.join("\n").as_bytes()), want, "{lines:?}");
    }
}
