//! Setting oldhand up in the files of agents, and taking it out again (R286, R287: what is set up
//! is quiet, and sends agents to the commands).

use std::collections::BTreeMap;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use oldhand_store::disk::RealDisk;
use serde_json::Value;

use crate::program::{Ran, World, run};
use crate::scratch::Scratch;

/// Hosts whose files of the user alone are enough to see what is set up.
const HOSTS: &[(&str, &str)] = &[
    ("claude-code", ".claude/settings.json"),
    ("codex", ".codex/hooks.json"),
    ("gemini", ".gemini/settings.json"),
    ("cursor", ".cursor/hooks.json"),
    ("copilot", ".copilot/hooks/oldhand.json"),
    ("opencode", ".config/opencode/plugins/oldhand.ts"),
    ("windsurf", ".codeium/windsurf/skills/oldhand-memory/SKILL.md"),
    ("cline", ".cline/skills/oldhand-memory/SKILL.md"),
];

fn home(scratch: &Scratch) -> PathBuf {
    scratch.repository().parent().unwrap().to_owned()
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// Every file below the home except the store, with its text.
fn files(scratch: &Scratch) -> BTreeMap<PathBuf, String> {
    let mut files = BTreeMap::new();
    let mut folders = vec![home(scratch)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path == scratch.store() || path.ends_with(".cache") || path.ends_with(".local/state")
            {
                continue;
            }
            match entry.file_type().unwrap().is_dir() {
                true => folders.push(path),
                false => {
                    files.insert(path.clone(), std::fs::read_to_string(path).unwrap());
                }
            }
        }
    }
    files
}

fn run_with(scratch: &Scratch, vars: &[(&str, &str)], args: &[&str]) -> Ran {
    let mut all = scratch.vars();
    all.extend(vars.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    let world = World {
        disk: &RealDisk,
        vars: all,
        current_dir: &scratch.repository(),
        now: scratch.now,
        seed: 7,
    };
    run(&world, args, b"")
}

fn stderr(ran: &Ran) -> String {
    String::from_utf8_lossy(&ran.stderr).into_owned()
}

#[test]
fn every_host_is_set_up_once_and_taken_out_without_a_trace() {
    for (host, file) in HOSTS {
        let scratch = Scratch::new();
        let before = files(&scratch);
        scratch.ok(&["install", host]);
        let set_up = files(&scratch);
        let text = &set_up[&home(&scratch).join(file)];
        assert!(text.contains("oldhand"), "{host}: {text}");
        let again = scratch.ok(&["install", host]);
        assert!(again.contains("nothing to change"), "{host}: {again}");
        assert_eq!(files(&scratch), set_up, "{host}");
        scratch.ok(&["uninstall", host]);
        assert_eq!(files(&scratch), before, "{host}");
        assert!(!home(&scratch).join(file).with_file_name("oldhand-memory").exists());
    }
}

#[test]
fn a_repository_is_set_up_for_everybody() {
    let scratch = Scratch::new();
    let before = files(&scratch);
    let said = scratch.ok(&["install", "claude-code", "--project"]);
    assert!(said.contains("everybody who works in this repository"), "{said}");
    let settings = scratch.repository().join(".claude/settings.json");
    let settings: Value = serde_json::from_slice(&std::fs::read(settings).unwrap()).unwrap();
    assert_eq!(settings["hooks"]["Stop"][0]["hooks"][0]["command"], "oldhand");
    assert!(!home(&scratch).join(".claude").exists());
    scratch.ok(&["uninstall", "claude-code", "--project"]);
    assert_eq!(files(&scratch), before);
}

#[test]
fn a_dry_run_shows_the_change_and_makes_none() {
    let scratch = Scratch::new();
    let path = home(&scratch).join(".gemini/settings.json");
    write(&path, "{\n  \"theme\": \"Dark\"\n}\n");
    let before = files(&scratch);
    let said = scratch.ok(&["install", "gemini", "--dry-run"]);
    assert!(said.contains("    -   \"theme\": \"Dark\"\n    +   \"theme\": \"Dark\","), "{said}");
    assert!(said.contains("+             \"command\": \"oldhand hook gemini\","), "{said}");
    assert_eq!(files(&scratch), before);
    let told = scratch.json(&["install", "gemini", "--dry-run"]);
    assert_eq!(told["schema"], "oldhand.install/1");
    assert_eq!(told["dry_run"], true);
    let files_told = told["hosts"][0]["files"].as_array().unwrap();
    assert!(files_told.iter().any(|file| file["change"] == "edit" && file["what"] == "hooks"));
    assert_eq!(files(&scratch), before);
}

/// What a person wrote: comments, another program's hooks, their order.
const OWN: &str = "{\n  // mine\n  \"hooks\": {\n    \"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"beep\"}]}]\n  },\n  \"model\": \"opus\", // good\n}\n";

#[test]
fn hooks_and_comments_of_others_stay_and_the_old_text_is_kept_beside() {
    let scratch = Scratch::new();
    let path = home(&scratch).join(".claude/settings.json");
    write(&path, OWN);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
    let said = scratch.ok(&["install", "claude-code"]);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(
        text.contains("// mine") && text.contains("beep") && text.contains("// good"),
        "{text}"
    );
    let backup = path.with_file_name("settings.json.oldhand-backup-1");
    assert_eq!(std::fs::read_to_string(&backup).unwrap(), OWN);
    assert!(said.contains("settings.json.oldhand-backup-1"), "{said}");
    for path in [&path, &backup] {
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
    scratch.ok(&["uninstall", "claude-code"]);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), OWN);
    // The second text is another one, the first is not written over, and none is kept twice.
    let second = path.with_file_name("settings.json.oldhand-backup-2");
    assert_eq!(std::fs::read_to_string(&second).unwrap(), text);
    assert_eq!(std::fs::read_to_string(&backup).unwrap(), OWN);
    scratch.ok(&["install", "claude-code"]);
    scratch.ok(&["uninstall", "claude-code"]);
    assert!(!path.with_file_name("settings.json.oldhand-backup-3").exists());
}

#[test]
fn a_broken_file_is_named_and_nothing_is_changed_anywhere() {
    let scratch = Scratch::new();
    let home = home(&scratch);
    write(&home.join(".claude/settings.json"), "{}\n");
    write(&home.join(".gemini/settings.json"), "{\n  \"a\": 1\n  \"b\": 2\n}\n");
    let before = files(&scratch);
    let ran = scratch.run(&["install", "all"]);
    assert_eq!(ran.code, 2);
    assert!(stderr(&ran).contains("line 2: expected comma"), "{}", stderr(&ran));
    assert!(stderr(&ran).contains("hint: fix the file"), "{}", stderr(&ran));
    assert_eq!(files(&scratch), before);
    // One that is whole can be set up by its name.
    scratch.ok(&["install", "claude-code"]);
}

#[test]
fn a_file_that_is_read_only_is_left_alone_with_all_others() {
    let scratch = Scratch::new();
    let path = home(&scratch).join(".codex/hooks.json");
    write(&path, "{\"hooks\": {}}\n");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o444)).unwrap();
    let before = files(&scratch);
    let ran = scratch.run(&["install", "codex"]);
    assert_eq!(ran.code, 2);
    assert!(stderr(&ran).contains("read-only"), "{}", stderr(&ran));
    assert_eq!(files(&scratch), before);
}

#[test]
fn a_linked_dotfile_is_changed_where_it_is() {
    let scratch = Scratch::new();
    let real = home(&scratch).join("dotfiles/claude.json");
    let link = home(&scratch).join(".claude/settings.json");
    write(&real, "{\"model\": \"opus\"}\n");
    std::fs::create_dir_all(link.parent().unwrap()).unwrap();
    symlink(&real, &link).unwrap();
    scratch.ok(&["install", "claude-code"]);
    assert!(link.symlink_metadata().unwrap().is_symlink());
    assert!(std::fs::read_to_string(&real).unwrap().contains("UserPromptSubmit"));
    assert!(real.with_file_name("claude.json.oldhand-backup-1").exists());
}

#[test]
fn all_is_what_is_found_here() {
    let scratch = Scratch::new();
    let ran = scratch.run(&["install", "all"]);
    assert_eq!(ran.code, 2, "nothing is found in an empty home");
    std::fs::create_dir(home(&scratch).join(".codex")).unwrap();
    let programs = home(&scratch).join("bin");
    write(&programs.join("opencode"), "");
    write(&programs.join("gemini"), "");
    let runs = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(programs.join("opencode"), runs).unwrap();
    let path = programs.display().to_string();
    let ran = run_with(&scratch, &[("PATH", &path)], &["install", "all", "--json"]);
    let told: Value = serde_json::from_slice(&ran.stdout).unwrap();
    let names: Vec<&str> = told["hosts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|host| host["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["codex", "opencode"], "a file that can't be run is no program");
    let listed = scratch.json(&["install", "--list"]);
    let codex = listed["hosts"].as_array().unwrap().iter().find(|host| host["name"] == "codex");
    assert_eq!(codex.unwrap()["installed"], true);
    scratch.ok(&["uninstall", "all"]);
    let text = scratch.ok(&["install", "--list"]);
    assert!(!text.contains("installed"), "{text}");
}

#[test]
fn variables_that_move_a_hosts_folder_are_followed() {
    let cases = [
        ("claude-code", "CLAUDE_CONFIG_DIR", "moved", "moved/settings.json"),
        ("codex", "CODEX_HOME", "moved", "moved/hooks.json"),
        ("gemini", "GEMINI_CLI_HOME", "moved", "moved/.gemini/settings.json"),
        ("copilot", "COPILOT_HOME", "moved", "moved/hooks/oldhand.json"),
        ("opencode", "XDG_CONFIG_HOME", "moved", "moved/opencode/plugins/oldhand.ts"),
    ];
    for (host, variable, folder, file) in cases {
        let scratch = Scratch::new();
        let folder = home(&scratch).join(folder).display().to_string();
        let ran = run_with(&scratch, &[(variable, &folder)], &["install", host]);
        assert_eq!(ran.code, 0, "{}", stderr(&ran));
        assert!(home(&scratch).join(file).exists(), "{variable}");
    }
}

#[test]
fn a_server_is_named_where_there_are_no_hooks_or_when_asked_for() {
    let scratch = Scratch::new();
    scratch.ok(&["install", "codex"]);
    assert!(!home(&scratch).join(".codex/config.toml").exists(), "hooks are enough");
    scratch.ok(&["uninstall", "codex"]);
    for (host, file) in [
        ("windsurf", ".codeium/windsurf/mcp_config.json"),
        (
            "cline",
            ".config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
        ),
    ] {
        scratch.ok(&["install", host]);
        let text = std::fs::read_to_string(home(&scratch).join(file)).unwrap();
        assert!(text.contains("\"mcp\""), "{text}");
    }
    scratch.ok(&["install", "zed"]);
    let path = home(&scratch).join(".config/zed/settings.json");
    assert!(std::fs::read_to_string(&path).unwrap().contains("context_servers"));
    let toml = home(&scratch).join(".codex/config.toml");
    write(&toml, "model = \"o5\" # mine\n");
    scratch.ok(&["install", "codex", "--with-mcp"]);
    assert!(std::fs::read_to_string(&toml).unwrap().ends_with("args = [\"mcp\"]\n"));
    scratch.ok(&["uninstall", "all"]);
    assert_eq!(std::fs::read_to_string(&toml).unwrap(), "model = \"o5\" # mine\n");
    assert!(!path.exists());
}

/// A server of the same name that somebody wrote may carry a token: it is not repeated.
#[test]
fn an_entry_of_others_is_left_and_not_told() {
    let scratch = Scratch::new();
    let path = home(&scratch).join(".cursor/mcp.json");
    let mine = r#"{"mcpServers": {"oldhand": {"url": "http://127.0.0.1:1/mcp", "headers": {"Authorization": "Bearer sesame"}}}}"#;
    write(&path, mine);
    let ran = scratch.run(&["install", "cursor", "--with-mcp"]);
    assert_eq!(ran.code, 2);
    assert!(!stderr(&ran).contains("sesame"), "{}", stderr(&ran));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), mine);
}

#[test]
fn the_plugin_of_claude_code_is_made_and_its_commands_are_named() {
    let scratch = Scratch::new();
    let before = files(&scratch);
    let said = scratch.ok(&["install", "claude-code", "--plugin"]);
    let folder = home(&scratch).join(".local/share/oldhand-plugins/claude-code");
    assert!(folder.join(".claude-plugin/marketplace.json").exists());
    let command = format!("next: claude plugin marketplace add {}", folder.display());
    assert!(said.contains(&command), "{said}");
    assert!(said.contains("next: claude plugin install oldhand@oldhand"), "{said}");
    let said = scratch.ok(&["uninstall", "claude-code"]);
    assert!(said.contains("claude plugin uninstall oldhand@oldhand"), "{said}");
    assert_eq!(files(&scratch), before);
    assert!(!folder.exists());
}

#[test]
fn plugins_are_written_into_a_new_folder() {
    let scratch = Scratch::new();
    for (kind, file) in [
        ("claude-code", ".claude-plugin/plugin.json"),
        ("agent-plugin", "plugin.json"),
        ("gemini", "gemini-extension.json"),
        ("codex", ".codex-plugin/plugin.json"),
    ] {
        scratch.ok(&["plugin", kind, "--out", kind]);
        assert!(scratch.repository().join(kind).join(file).exists(), "{kind}");
        assert_eq!(scratch.run(&["plugin", kind, "--out", kind]).code, 2, "not empty");
    }
}

#[test]
fn mistakes_are_answered_with_what_to_type() {
    let scratch = Scratch::new();
    for (args, said) in [
        (&["install", "claude-cde"][..], "did you mean `claude-code`?"),
        (&["install", "emacs"][..], "oldhand install --list"),
        (&["install", "codex", "--plugin"][..], "oldhand plugin --help"),
    ] {
        let ran = scratch.run(args);
        assert_eq!(ran.code, 2);
        assert!(stderr(&ran).contains(said), "{}", stderr(&ran));
    }
    let ran = scratch.run(&["install", "codex"]);
    assert!(stderr(&ran).contains("`oldhand` is not on PATH"), "{}", stderr(&ran));
}

/// The doctor starts what the host would start.
#[test]
fn the_doctor_asks_the_hook_of_a_host_that_is_set_up() {
    let scratch = Scratch::new();
    assert_eq!(scratch.json(&["doctor"])["findings"], serde_json::json!([]));
    scratch.ok(&["install", "claude-code"]);
    let ran = scratch.run(&["doctor"]);
    assert_eq!(ran.code, 1, "a hook that can't be started is a finding");
    let programs = home(&scratch).join("bin");
    let path = programs.display().to_string();
    for (answer, code) in [("echo '{}'", 0), ("true", 0), ("echo hello", 1), ("exit 3", 1)] {
        write(&programs.join("oldhand"), &format!("#!/bin/sh\ncat > /dev/null\n{answer}\n"));
        let runs = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(programs.join("oldhand"), runs).unwrap();
        let path = format!("{path}:/usr/bin:/bin");
        let ran = run_with(&scratch, &[("PATH", &path)], &["doctor"]);
        let said = String::from_utf8_lossy(&ran.stdout).into_owned();
        assert_eq!(ran.code, code, "{answer}: {said}");
        assert_eq!(said.contains("the hook for claude-code answers"), code == 0, "{said}");
    }
}

/// A file that was there before stays, as empty as it was, also behind a link.
#[test]
fn what_was_there_stays() {
    let scratch = Scratch::new();
    let dotfile = home(&scratch).join("dotfiles/settings.json");
    write(&dotfile, "{ }\n");
    let link = home(&scratch).join(".claude/settings.json");
    std::fs::create_dir_all(link.parent().unwrap()).unwrap();
    symlink(&dotfile, &link).unwrap();
    for _ in 0..2 {
        scratch.ok(&["install", "claude-code"]);
        assert!(std::fs::read_to_string(&dotfile).unwrap().contains("oldhand"));
        scratch.ok(&["uninstall", "claude-code"]);
        assert_eq!(std::fs::read_to_string(&dotfile).unwrap(), "{ }\n");
    }
}

/// A repository may bring links: what is set up for it stays in it.
#[test]
fn a_project_does_not_reach_out_of_itself() {
    let scratch = Scratch::new();
    let own = home(&scratch).join("elsewhere.json");
    write(&own, "{\"mine\": true}\n");
    let link = scratch.repository().join(".claude/settings.json");
    std::fs::create_dir_all(link.parent().unwrap()).unwrap();
    symlink(&own, &link).unwrap();
    let ran = scratch.run(&["install", "claude-code", "--project"]);
    assert_eq!(ran.code, 2);
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(said.contains("a file in the repository"), "{said}");
    assert_eq!(std::fs::read_to_string(&own).unwrap(), "{\"mine\": true}\n");
}
