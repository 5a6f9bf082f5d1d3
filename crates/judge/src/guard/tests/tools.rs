//! Tools that take a path or a patch.

use serde_json::json;

use super::{CWD, answer, check};

#[test]
fn writing_tools_of_all_hosts_are_refused_in_a_store() {
    let memory = "/repo/.oldhand/decisions/use-cents.md";
    let rows = [
        ("Write", "file_path"),
        ("Edit", "file_path"),
        ("MultiEdit", "file_path"),
        ("NotebookEdit", "notebook_path"),
        ("write_file", "file_path"),
        ("replace", "file_path"),
        ("edit_file", "target_file"),
        ("create_file", "filePath"),
        ("search_replace", "file_path"),
        ("write", "filePath"),
        ("edit", "filePath"),
        ("patch", "filePath"),
        ("write_to_file", "path"),
        ("replace_in_file", "path"),
        ("insert_edit_into_file", "filePath"),
        ("replace_string_in_file", "filePath"),
        ("mcp__filesystem__write_file", "path"),
        ("mcp__filesystem__edit_file", "path"),
        ("mcp_filesystem_write_file", "path"),
        ("mcp__serena__create_text_file", "relative_path"),
        ("mcp__unheard_of__appendText", "uri"),
    ];
    for (tool, key) in rows {
        check(tool, &json!({ key: memory, "content": "x" }), "`oldhand update use-cents …`");
    }
    check("delete_file", &json!({ "target_file": memory }), "`oldhand retire use-cents`");
    check("mcp__fs__removeFile", &json!({ "path": memory }), "`oldhand retire use-cents`");
    let moved = json!({ "source": memory, "destination": "/tmp/x" });
    check("mcp__filesystem__move_file", &moved, "use-cents");
    check("mcp__filesystem__copy_file", &moved, "");
    let into = json!({ "source": "/tmp/x", "destination": memory });
    check("mcp__filesystem__copy_file", &into, "use-cents");
}

#[test]
fn reading_tools_and_other_paths_pass() {
    let memory = "/repo/.oldhand/decisions/use-cents.md";
    for tool in [
        "Read",
        "read_file",
        "view",
        "Grep",
        "glob",
        "list_dir",
        "mcp__filesystem__read_text_file",
        "NotebookRead",
        "search_files",
        "get_file_info",
    ] {
        check(tool, &json!({ "file_path": memory, "path": memory }), "");
    }
    let rows = [
        ("Write", json!({ "file_path": "src/a.rs", "content": "see .oldhand/decisions/x.md" })),
        (
            "Edit",
            json!({ "file_path": "README.md", "old_string": ".oldhand/x", "new_string": "y" }),
        ),
        ("Write", json!({ "file_path": "/repo/.oldhand/.gitignore" })),
        ("Edit", json!({ "file_path": ".oldhand/.gitattributes" })),
        ("Write", json!({ "file_path": "/repo/.oldhand/../src/x.md" })),
        ("Write", json!({ "file_path": "/repo/oldhand/x.md" })),
        ("Write", json!({ "file_path": "/repo/.oldhand.toml" })),
        ("Write", json!({ "file_path": "/repo/my.oldhand/x" })),
        ("TodoWrite", json!({ "todos": [{ "content": "edit .oldhand/x.md" }] })),
        ("mcp__oldhand__update", json!({ "path": ".oldhand/decisions/x.md" })),
        ("Task", json!({ "prompt": "write .oldhand/x.md" })),
        ("WebFetch", json!({ "url": "https://example.com/.oldhand/x" })),
        ("upload_file", json!({ "url": "https://example.com/.oldhand/x" })),
        ("Write", json!({})),
        ("Write", json!(null)),
        ("Write", json!([1, 2])),
        ("", json!({ "path": ".oldhand/x" })),
    ];
    for (tool, input) in rows {
        check(tool, &input, "");
    }
}

#[test]
fn editors_with_a_command_write_unless_they_view() {
    for tool in ["str_replace_editor", "str_replace_based_edit_tool"] {
        let call = |command: &str| json!({ "command": command, "path": ".oldhand/lessons/a.md" });
        check(tool, &call("view"), "");
        for command in ["create", "str_replace", "insert", "undo_edit"] {
            check(tool, &call(command), "`oldhand add lesson --from -`");
        }
    }
}

#[test]
fn patches_are_read_by_their_headers() {
    let patch = |line: &str| format!("*** Begin Patch\n{line}\n@@\n-a\n+b\n*** End Patch");
    let rows = [
        ("*** Add File: .oldhand/decisions/a.md", "oldhand add decision"),
        ("*** Update File: /repo/.oldhand/decisions/a.md", "oldhand update a"),
        ("*** Delete File: .oldhand/decisions/a.md", "oldhand retire a"),
        ("*** Update File: src/a.md\n*** Move to: .oldhand/runbooks/a.md", "runbook"),
        ("*** Update File: src/a.md", ""),
        ("*** Update File: src/a.md\n+*** Add File: .oldhand/x.md", ""),
        ("--- a/.oldhand/decisions/a.md\n+++ b/.oldhand/decisions/a.md", "update a"),
        ("--- a/.oldhand/decisions/a.md\n+++ /dev/null", "retire a"),
    ];
    for (line, want) in rows {
        check("apply_patch", &json!({ "input": patch(line) }), want);
        check("ApplyPatch", &json!({ "patch": patch(line) }), want);
        check("patch", &json!(patch(line)), want);
        check("shell", &json!({ "command": ["apply_patch", patch(line)] }), want);
        let document = format!("apply_patch <<'EOF'\n{}\nEOF", patch(line));
        check("shell", &json!({ "command": ["bash", "-lc", document] }), want);
    }
    let changes = json!({ "changes": { "/repo/.oldhand/decisions/a.md": { "type": "delete" } } });
    check("apply_patch", &changes, "is a memory");
}

#[test]
fn a_path_is_found_however_it_is_written() {
    let rows = [
        (".oldhand/decisions/a.md", "memory"),
        ("./.oldhand//decisions/./a.md", "memory"),
        ("src/../.oldhand/decisions/a.md", "memory"),
        ("/repo/.oldhand/decisions/a.md/", "memory"),
        ("/REPO/.OldHand/decisions/A.md", "memory"),
        ("C:\\repo\\.oldhand\\decisions\\a.md", "memory"),
        ("\\\\?\\C:\\repo\\.oldhand\\decisions\\a.md", "memory"),
        ("file:///repo/.oldhand/decisions/a.md", "memory"),
        ("file:///C:/repo/%2Eoldhand/decisions/a.md", "memory"),
        ("/other/project/.oldhand/decisions/a.md", "memory"),
        ("/repo/.worktrees/x/.oldhand/decisions/a.md", "memory"),
        ("~/.oldhand/decisions/a.md", "memory"),
        ("~/.local/share/notes/decisions/a.md", "memory"),
        ("/home/ann/.local/share/notes/lessons/a.md", "lesson"),
        ("~/.local/share/notes2/a.md", ""),
        // Through a link, and through one that leads away.
        ("notes/decisions/a.md", "memory"),
        (".oldhand/away/a.md", "memory"),
        ("notes2/decisions/a.md", ""),
        (".oldhand", "is the store"),
        (".oldhand/decisions", "folder of memories"),
        (".oldhand/config.toml", "`oldhand config set"),
        (".oldhand/index.md", "generated"),
        (".oldhand/events/2026-01.jsonl", "generated"),
        (".oldhand/pending/conflict-a.md", "`oldhand resolve`"),
        (".oldhand/local/lock", "only oldhand writes"),
        (".oldhand/my-kind/a.md", "add <kind>"),
        (".oldhand./decisions/a.md", "memory"),
        (" .oldhand/decisions/a.md", "memory"),
    ];
    for (path, want) in rows {
        check("Write", &json!({ "file_path": path }), want);
    }
    let below = json!({ "file_path": "decisions/a.md" });
    assert!(!answer("Write", &below, "/repo/.oldhand").is_empty());
    assert_eq!(answer("Write", &below, CWD), "");
}

#[test]
fn shells_of_all_hosts_are_read() {
    let command = "echo x > .oldhand/decisions/a.md";
    let tools = [
        "Bash",
        "bash",
        "shell",
        "local_shell",
        "run_shell_command",
        "execute_command",
        "run_terminal_cmd",
        "run_in_terminal",
        "terminal",
        "shell_command",
        "exec_command",
        "powershell",
        "Shell",
        "mcp__desktop__start_process",
        "unheard_of",
    ];
    for tool in tools {
        check(tool, &json!({ "command": command }), "oldhand update a");
        check(tool, &json!({ "command": "cat .oldhand/decisions/a.md" }), "");
    }
    check("exec_command", &json!({ "cmd": command }), "oldhand update a");
    check("shell", &json!({ "command": ["bash", "-lc", command] }), "oldhand update a");
    check("shell", &json!({ "command": ["rm", ".oldhand/decisions/a.md"] }), "retire a");
    check("shell", &json!({ "action": { "command": ["rm", ".oldhand/x.md"] } }), "retire x");
    check("shell", &json!({ "command": "rm", "args": [".oldhand/x.md"] }), "retire x");
    check(
        "shell",
        &json!({ "command": ["rm", "a.md"], "workdir": ".oldhand/decisions" }),
        "retire a",
    );
    check("shell", &json!({ "command": ["rm", "a.md"], "workdir": "src" }), "");
    let options = json!({
        "options": { "directory": "/tmp" }, "command": ["rm", "a.md"], "workdir": ".oldhand/decisions"
    });
    check("shell", &options, "retire a");
    check("write_stdin", &json!({ "session_id": 1, "chars": command }), "oldhand update a");
    check("shell", &json!({ "command": ["echo", "a > .oldhand/x"] }), "");
}

#[test]
fn the_answer_is_short() {
    let input = json!({ "file_path": "/repo/.oldhand/decisions/use-cents.md" });
    let want = "`/repo/.oldhand/decisions/use-cents.md` is a memory, which only oldhand writes. \
        Use `oldhand update use-cents …` to change it, `oldhand remember \"<text>\"` or \
        `oldhand add decision --from -` for a new one.";
    assert_eq!(answer("Write", &input, CWD), want);
}
