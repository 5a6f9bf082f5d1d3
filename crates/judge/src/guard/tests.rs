//! Calls of all hosts, and shell commands from plain to hostile. A row is what is called and a
//! part of the answer; an empty answer is a pass.

mod commands;
mod tools;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Call, Verdict, judge, only_remembers};

const CWD: &str = "/repo";

/// The project's store and the user's own.
fn stores() -> Vec<String> {
    vec!["/repo/.oldhand".to_owned(), "/home/ann/.local/share/notes".to_owned()]
}

/// `/repo/notes` is a link into the store, `/repo/.oldhand/away` one out of it.
fn resolve(path: &str) -> String {
    if let Some(rest) = path.strip_prefix("~/") {
        return format!("/home/ann/{rest}");
    }
    match path.strip_prefix("/repo/notes") {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("/repo/.oldhand{rest}"),
        _ if path.starts_with("/repo/.oldhand/away") => "/elsewhere".to_owned(),
        _ => path.to_owned(),
    }
}

fn answer(tool: &str, input: &Value, cwd: &str) -> String {
    match judge(&Call { tool, input, cwd }, &stores(), &resolve) {
        Verdict::Pass => String::new(),
        Verdict::Deny(text) => text.into_string(),
    }
}

#[track_caller]
fn check(tool: &str, input: &Value, want: &str) {
    let found = answer(tool, input, CWD);
    assert_eq!(found.is_empty(), want.is_empty(), "{tool} {input}: {found:?}");
    assert!(found.contains(want), "{tool} {input}: {found:?} has no {want:?}");
}

#[track_caller]
fn check_commands(rows: &[(&str, &str)]) {
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|(command, want)| {
            let found = answer("Bash", &json!({ "command": command }), CWD);
            let is_right = found.is_empty() == want.is_empty() && found.contains(want);
            (!is_right).then(|| format!("{command}\n  want {want:?}\n  found {found:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_long_command_is_read_up_to_a_limit() {
    let filler = "echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n".repeat(7_000);
    let long = |head: &str| json!({ "command": format!("{head}\n{filler}\nrm -rf .oldhand") });
    check("Bash", &long("rm .oldhand/decisions/a.md"), "retire a");
    check("Bash", &long("echo ä"), "is the store");
    check("Bash", &json!({ "command": format!("{filler}{filler}\nrm -rf .oldhand") }), "");
}

#[test]
fn nesting_and_doubling_end() {
    let deep = format!("echo {}rm .oldhand/x{}", "$(".repeat(50_000), ")".repeat(50_000));
    check("Bash", &json!({ "command": deep }), "");
    let brackets = "(".repeat(200_000);
    check("Bash", &json!({ "command": brackets }), "");
    let folders = "cd aaaaaaaa;".repeat(5_000);
    check("Bash", &json!({ "command": folders }), "");
    let doubled = format!("A=xxxxxxxxxxxxxxxx\n{}", "A=$A$A$A$A\n".repeat(10_000));
    check("Bash", &json!({ "command": doubled }), "");
    let documents = "cat <<A ".repeat(20_000);
    check("Bash", &json!({ "command": format!("{documents}\n") }), "");
    let pipes = "xargs echo .oldhand | ".repeat(5_000);
    check("Bash", &json!({ "command": pipes }), "");
    let names = format!("find {} -delete", "-name b ".repeat(10_000));
    check("Bash", &json!({ "command": names }), "");
    let braces = format!("rm {}", "{a,b}".repeat(5_000));
    check("Bash", &json!({ "command": braces }), "");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn nothing_makes_it_panic(command in "(.|\n){0,120}", tool in "[A-Za-z_]{0,20}") {
        let _verdict = answer(&tool, &json!({ "command": command, "path": command }), &command);
        let _verdict = answer("Bash", &json!({ "command": command }), CWD);
        let _verdict = answer("apply_patch", &json!({ "input": command }), CWD);
    }

    #[test]
    fn signs_of_the_shell_make_no_panic(command in "[-$(){}\\[\\]'\"`\\\\<>|&;# \n=*?~.a@1x0éoldhand/]{0,80}") {
        let _verdict = answer("Bash", &json!({ "command": command }), CWD);
        let _verdict = answer("powershell", &json!({ "command": command }), CWD);
    }

    /// Without its name, a pattern or a link nothing is in a store.
    #[test]
    fn a_command_without_the_name_passes(command in "[-a-zA-Z0-9 ./~'\"|&;<>=(){}\n]{0,100}") {
        let lower = command.to_lowercase();
        prop_assume!(!lower.contains("notes"));
        // Quotes in the middle of the name would make it.
        let bare: String = lower.chars().filter(|c| c.is_alphanumeric()).collect();
        prop_assume!(!bare.contains("oldhand"));
        prop_assert_eq!(answer("Bash", &json!({ "command": command }), CWD), "");
    }
}

#[test]
fn only_a_plain_remember_is_allowed_unasked() {
    let plain = [
        "oldhand remember \"We keep money in cents because floats round; see R&D <notes>\"",
        "oldhand remember 'costs $5 a day' --kind constraint --because \"asked twice\"",
    ];
    let other = [
        "oldhand remember \"x $(rm -rf ~)\"",
        "oldhand remember \"x `id`\"",
        "oldhand remember \"x\" && rm -rf ~",
        "oldhand remember \"x\" > ~/.bashrc",
        "oldhand remember \"x\" --origin user",
        "oldhand remember \"x\" --global",
        "oldhand remember \"x\" --ori\"gin\" user",
        "oldhand remember \"x\" \"--origin\" user",
        "oldhand remember '--global' \"x\"",
        "oldhand remember \"x\" '--by=ada'",
        "OLDHAND_ORIGIN=user oldhand remember \"x\"",
        "oldhand remember \"x\"\nrm -rf ~",
        "oldhand remember \"x",
        "oldhand remember",
        "oldhand retire \"x\"",
        "rm -rf ~; oldhand remember \"x\"",
    ];
    for line in plain {
        assert!(only_remembers(line), "{line}");
    }
    for line in other {
        assert!(!only_remembers(line), "{line}");
    }
}
