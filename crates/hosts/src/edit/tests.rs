//! Files of people before and after: what is ours comes and goes, the rest keeps its bytes.

use std::collections::BTreeMap;

use oldhand_text::problem::Problem;
use proptest::prelude::*;

use super::{Change, SetupTarget, has_pieces, install, uninstall};
use crate::table::{HOSTS, find};

type Files = BTreeMap<String, String>;

const TARGET: SetupTarget<'_> = SetupTarget {
    home: "/h",
    config_home: "/h/.config",
    data_home: "/h/.local/share",
    moved: None,
    project: None,
    with_mcp: false,
    as_plugin: false,
};

fn run(
    action: impl Fn(&dyn Fn(&str) -> Result<Option<String>, Problem>) -> Result<Vec<Change>, Problem>,
    files: &Files,
) -> Result<Files, Problem> {
    let changes = action(&|path| Ok(files.get(path).cloned()))?;
    let mut files = files.clone();
    for change in changes {
        assert_eq!(files.get(&change.path), change.before.as_ref());
        match change.after {
            Some(text) => files.insert(change.path, text),
            None => files.remove(&change.path),
        };
    }
    Ok(files)
}

fn installed(host: &str, place: &SetupTarget<'_>, files: &Files) -> Result<Files, Problem> {
    run(|read| install(find(host).unwrap(), place, read), files)
}

fn uninstalled(host: &str, place: &SetupTarget<'_>, files: &Files) -> Result<Files, Problem> {
    run(|read| uninstall(find(host).unwrap(), place, read), files)
}

fn one(path: &str, text: &str) -> Files {
    [(path.to_owned(), text.to_owned())].into()
}

/// Installs, installs again, takes out.
#[track_caller]
fn check_round(host: &str, place: &SetupTarget<'_>, before: &Files) -> Files {
    let set_up = installed(host, place, before).unwrap();
    assert_eq!(installed(host, place, &set_up).unwrap(), set_up, "{host}: twice is once");
    let after = uninstalled(host, place, &set_up).unwrap();
    assert_eq!(&after, before, "{host}: as it was");
    assert_eq!(uninstalled(host, place, &after).unwrap(), after);
    set_up
}

#[test]
fn every_host_comes_and_goes_without_a_trace() {
    for host in HOSTS {
        for (project, with_mcp, as_plugin) in [
            (None, false, false),
            (None, true, false),
            (Some("/r"), false, false),
            (Some("/r"), true, false),
            (None, true, true),
        ] {
            let place = SetupTarget { project, with_mcp, as_plugin, ..TARGET };
            let set_up = check_round(host.name, &place, &Files::new());
            assert_eq!(!set_up.is_empty(), has_pieces(host, &place), "{}", host.name);
            let read = |path: &str| Ok(set_up.get(path).cloned());
            assert_eq!(uninstall(host, &place, &read).unwrap().is_empty(), set_up.is_empty());
            for (path, text) in &set_up {
                let root = if project.is_some() { "/r/" } else { "/h/" };
                assert!(path.starts_with(root), "{path}");
                if path.ends_with(".json") {
                    let whole: serde_json::Value = serde_json::from_str(text).unwrap();
                    assert!(whole.is_object(), "{path}");
                }
            }
        }
    }
}

#[test]
fn a_new_file_reads_as_if_a_person_had_written_it() {
    let set_up = installed("cursor", &TARGET, &Files::new()).unwrap();
    let text = &set_up["/h/.cursor/hooks.json"];
    expect_test::expect![[r#"
        {
          "version": 1,
          "hooks": {
            "sessionStart": [
              {
                "command": "oldhand hook cursor",
                "timeout": 10
              }
            ],
            "beforeSubmitPrompt": [
              {
                "command": "oldhand hook cursor",
                "timeout": 5
              }
            ],
            "preToolUse": [
              {
                "matcher": "Shell|Write|Delete",
                "command": "oldhand hook cursor",
                "timeout": 10
              }
            ],
    "#]]
    .assert_eq(&text.lines().take(22).map(|line| format!("{line}\n")).collect::<String>());
}

/// What people keep in there: comments, order, their own hooks, tabs, CRLF, a BOM, no last line.
const KEPT: &[&str] = &[
    "{}\n",
    "{\"model\":\"opus\"}",
    "{\n\t// why\n\t\"model\": \"opus\", // good\n\t\"env\": {},\n\t/* end */\n}\n",
    "{\n    \"hooks\": {\n        \"Stop\": [\n            {\"hooks\": [{\"type\": \"command\", \"command\": \"beep\"}]}, // mine\n        ],\n    },\n}",
    "\u{feff}{\r\n  \"hooks\": {\r\n    \"Stop\": [{ \"hooks\": [] }]\r\n  },\r\n  \"a\": [1, 2]\r\n}\r\n",
    "{ \"hooks\": { \"PreToolUse\": [ {\"matcher\": \"Bash\", \"hooks\": []} ] /* x */ } }",
    "{\n  \"hooks\": {\n    // nothing yet\n    \"Other\": []\n  }\n}\n",
    "// head\n{\n  \"permissions\": {\"allow\": [\"Bash(ls:*)\"]} // tail\n}\n// foot\n",
];

#[test]
fn what_people_wrote_keeps_its_bytes() {
    for text in KEPT.iter().filter(|text| text.trim() != "{}") {
        for with_mcp in [false, true] {
            let place = SetupTarget { with_mcp, ..TARGET };
            for (host, path) in [
                ("claude-code", "/h/.claude/settings.json"),
                ("gemini", "/h/.gemini/settings.json"),
                ("codex", "/h/.codex/hooks.json"),
            ] {
                let set_up = check_round(host, &place, &one(path, text));
                let kept = text.split(['{', '}', '[', ']', ',']).map(str::trim);
                for words in kept.filter(|words| words.len() > 3) {
                    assert!(set_up[path].contains(words), "{words} is gone: {}", set_up[path]);
                }
            }
        }
    }
}

#[test]
fn an_entry_of_an_older_release_is_replaced_and_a_neighbour_stays() {
    let path = "/h/.claude/settings.json";
    let old = r#"{
  "hooks": {
    "Stop": [
      {"hooks": [
        {"type": "command", "command": "/opt/bin/oldhand hook claude-code"},
        {"type": "command", "command": "beep"}
      ]}
    ],
    "Notification": [{"hooks": [{"type": "command", "command": "oldhand hook claude-code --old"}]}]
  }
}
"#;
    let set_up = installed("claude-code", &TARGET, &one(path, old)).unwrap();
    assert!(!set_up[path].contains("/opt/bin"), "{}", set_up[path]);
    assert!(!set_up[path].contains("Notification"));
    assert!(set_up[path].contains("beep"));
    let after = uninstalled("claude-code", &TARGET, &set_up).unwrap();
    let after: serde_json::Value = serde_json::from_str(&after[path]).unwrap();
    let stop = serde_json::json!([{"hooks": [{"type": "command", "command": "beep"}]}]);
    assert_eq!(after, serde_json::json!({"hooks": {"Stop": stop}}));
}

/// Without its line break the comment would take in the bracket behind our entry.
#[test]
fn a_line_comment_before_an_entry_of_ours_ends_where_it_did() {
    let path = "/h/.claude/settings.json";
    let entry = r#"{"hooks": [{"command": "oldhand hook claude-code"}]}"#;
    let before = format!("{{\"hooks\": {{\"Stop\": [ // mine\n  {entry}]}}, \"a\": 1}}\n");
    let after = uninstalled("claude-code", &TARGET, &one(path, &before)).unwrap();
    assert_eq!(after[path], "{\"hooks\": {\"Stop\": [ // mine\n  ]}, \"a\": 1}\n");
}

#[test]
fn a_broken_file_stops_everything_and_names_the_line() {
    for (host, path, text, line) in [
        ("claude-code", "/h/.claude/settings.json", "{\n  \"a\": 1\n  \"b\": 2\n}", "line 2"),
        ("gemini", "/h/.gemini/settings.json", "{\n  \"a\": [1,\n", "line 2"),
        ("codex", "/h/.codex/hooks.json", "[]", "line 1"),
        ("codex", "/h/.codex/config.toml", "a = 1\nb = = 2\n", "line 2"),
        ("cursor", "/h/.cursor/hooks.json", "{\"hooks\": []}", "[]"),
        ("opencode", "/h/.config/opencode/plugins/oldhand.ts", "export {}", "export"),
    ] {
        let place = SetupTarget { with_mcp: true, ..TARGET };
        let problem = installed(host, &place, &one(path, text)).unwrap_err();
        assert!(problem.field.starts_with(path), "{problem}");
        assert!(problem.found.contains(line), "{problem}");
        assert!(problem.fix.contains("run the command again"), "{}", problem.fix);
    }
}

#[test]
fn the_plugin_replaces_the_settings_and_the_other_way_round() {
    let plugin = SetupTarget { as_plugin: true, ..TARGET };
    let path = "/h/.claude/settings.json";
    let settings = installed("claude-code", &TARGET, &one(path, "{\"a\": 1}\n")).unwrap();
    let mut both = installed("claude-code", &plugin, &settings).unwrap();
    assert_eq!(both[path], "{\"a\": 1}\n");
    assert!(both.keys().any(|path| path.ends_with(".claude-plugin/marketplace.json")));
    assert!(!both.keys().any(|path| path.starts_with("/h/.claude/skills")));
    // As Claude Code leaves it once the plugin is taken in.
    let on = "{\"a\": 1, \"extraKnownMarketplaces\": {\"oldhand\": {}}, \"enabledPlugins\": {\"oldhand@oldhand\": true, \"b@c\": true}}\n";
    both.insert(path.to_owned(), on.to_owned());
    assert_eq!(installed("claude-code", &plugin, &both).unwrap(), both);
    let back = installed("claude-code", &TARGET, &both).unwrap();
    assert!(back[path].contains("UserPromptSubmit") && !back[path].contains("oldhand@oldhand"));
    assert!(!back.keys().any(|path| path.contains("marketplace")));
    let after = uninstalled("claude-code", &TARGET, &both).unwrap();
    assert_eq!(after, one(path, "{\"a\": 1, \"enabledPlugins\": {\"b@c\": true}}\n"));
}

#[test]
fn a_server_of_the_users_own_making_stays() {
    let place = SetupTarget { with_mcp: true, ..TARGET };
    let path = "/h/.cursor/mcp.json";
    let own = "{\"mcpServers\": {\"oldhand\": {\"command\": \"/opt/oldhand\", \"args\": [\"mcp\", \"-v\"]}}}";
    assert_eq!(installed("cursor", &place, &one(path, own)).unwrap()[path], own);
    let other = "{\"mcpServers\": {\"oldhand\": {\"command\": \"npx\"}}}";
    let problem = installed("cursor", &place, &one(path, other)).unwrap_err();
    assert!(problem.field.ends_with("mcpServers.oldhand"), "{problem}");
    assert_eq!(uninstalled("cursor", &place, &one(path, other)).unwrap()[path], other);
}

#[test]
fn a_moved_folder_is_found() {
    let place = SetupTarget { moved: Some("/elsewhere".to_owned()), with_mcp: true, ..TARGET };
    let set_up = installed("claude-code", &place, &Files::new()).unwrap();
    assert!(set_up.contains_key("/elsewhere/settings.json"));
    assert!(set_up.contains_key("/elsewhere/.claude.json"));
    assert!(!set_up.keys().any(|path| path.starts_with("/h/.claude")));
}

#[test]
fn a_config_with_comments_is_preferred_where_it_is_the_one() {
    let place = SetupTarget { with_mcp: true, ..TARGET };
    let before = one("/h/.config/opencode/opencode.jsonc", "{\n  // mine\n  \"theme\": \"x\"\n}\n");
    let set_up = check_round("opencode", &place, &before);
    assert!(!set_up.contains_key("/h/.config/opencode/opencode.json"));
}

/// Blanks and comments as people put them between things.
fn trivia() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => Just(String::new()),
        2 => Just(" ".to_owned()),
        2 => Just("\n    ".to_owned()),
        1 => Just("\t".to_owned()),
        1 => Just(" /* a, b } */ ".to_owned()),
        1 => Just(" // say \"x\" ]\n  ".to_owned()),
    ]
}

fn json_text() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("1".to_owned()),
        Just("-2.5e3".to_owned()),
        Just("null".to_owned()),
        Just("\"a \\\" { // b\"".to_owned()),
        Just("\"ä 🦀\"".to_owned()),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            (proptest::collection::vec((trivia(), inner.clone(), trivia()), 0..4), any::<bool>())
                .prop_map(|(items, comma)| list('[', ']', &items, comma)),
            (proptest::collection::vec((trivia(), inner, trivia()), 0..4), any::<bool>())
                .prop_map(|(items, comma)| list('{', '}', &keyed(items), comma)),
        ]
    })
}

type Item = (String, String, String);

fn keyed(items: Vec<Item>) -> Vec<Item> {
    let items = items.into_iter().enumerate();
    items.map(|(n, (a, value, b))| (a, format!("\"key{n}\": {value}"), b)).collect()
}

fn list(open: char, close: char, items: &[Item], comma: bool) -> String {
    let parts: Vec<String> = items.iter().map(|(a, item, b)| format!("{a}{item}{b}")).collect();
    let end = if comma && !parts.is_empty() { ",\n" } else { "" };
    format!("{open}{}{end}{close}", parts.join(","))
}

/// A document whose lists of hooks hold something already, or that has none at all.
fn document() -> impl Strategy<Value = String> {
    let member = (trivia(), json_text(), trivia());
    let foreign = (
        trivia(),
        Just("{\"hooks\": [{\"type\": \"command\", \"command\": \"beep\"}]}".to_owned()),
        trivia(),
    );
    let foreign = (proptest::collection::vec(foreign, 1..3), any::<bool>());
    let hooks = (proptest::collection::vec(foreign, 0..3), trivia(), trivia(), any::<bool>());
    let newline = prop_oneof![Just("\n"), Just("\r\n")];
    (proptest::collection::vec(member, 1..4), hooks, any::<bool>(), any::<bool>(), newline)
        .prop_map(|(members, (events, a, b, hooks_comma), comma, bom, newline)| {
            let mut members = keyed(members);
            let names = ["Stop", "PreToolUse", "Other"];
            let lists: Vec<Item> = events
                .iter()
                .zip(names)
                .map(|((items, comma), name)| {
                    let text = format!("\"{name}\": {}", list('[', ']', items, *comma));
                    (a.clone(), text, b.clone())
                })
                .collect();
            if !lists.is_empty() {
                let text = format!("\"hooks\": {}", list('{', '}', &lists, hooks_comma));
                members.insert(members.len() / 2, (b, text, a));
            }
            let text = list('{', '}', &members, comma).replace('\n', newline);
            if bom { format!("\u{feff}{text}") } else { text }
        })
}

fn toml_text() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        Just("model = \"o5\" # why".to_owned()),
        Just("# [mcp_servers.oldhand] is not here".to_owned()),
        Just(String::new()),
        Just("notes = \"\"\"\nfirst\n\"\"\"".to_owned()),
    ];
    let tables = prop_oneof![
        Just(""),
        Just("[tui]\ntheme = 'x'"),
        Just("[mcp_servers.other]\ncommand = \"npx\"\nargs = [\n  \"-y\",\n]\n"),
    ];
    let newline = prop_oneof![Just("\n"), Just("\r\n")];
    let ends = (any::<bool>(), any::<bool>());
    (proptest::collection::vec(line, 0..3), tables, newline, ends).prop_map(
        |(lines, tables, newline, (ends, bom))| {
            let mut lines: Vec<String> = lines;
            // A key can stand only once.
            let mut seen = std::collections::BTreeSet::new();
            lines.retain(|line| {
                line.is_empty() || line.starts_with('#') || seen.insert(line.clone())
            });
            let text = format!("{}\n{tables}{}", lines.join("\n"), if ends { "\n" } else { "" });
            let text = text.replace('\n', newline);
            if bom { format!("\u{feff}{text}") } else { text }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_json_comes_back(text in document(), with_mcp: bool) {
        let place = SetupTarget { with_mcp, ..TARGET };
        check_round("claude-code", &place, &one("/h/.claude/settings.json", &text));
        check_round("gemini", &place, &one("/h/.gemini/settings.json", &text));
    }

    #[test]
    fn any_toml_comes_back(text in toml_text()) {
        let place = SetupTarget { with_mcp: true, ..TARGET };
        check_round("codex", &place, &one("/h/.codex/config.toml", &text));
    }

    #[test]
    fn no_text_makes_it_stumble(text in "[\\[\\]{}\",:/*\\\\ \\na1]{0,60}") {
        let files = one("/h/.claude/settings.json", &text);
        if let Ok(set_up) = installed("claude-code", &TARGET, &files) {
            prop_assert!(uninstalled("claude-code", &TARGET, &set_up).is_ok());
        }
    }
}

#[test]
fn an_address_in_a_block_comment_is_no_line_comment() {
    let text = "{\"a\": 1 /* https://x */}";
    check_round("claude-code", &TARGET, &one("/h/.claude/settings.json", text));
}

#[test]
fn a_table_below_ours_takes_no_empty_line_of_the_users() {
    let ours =
        "[mcp_servers.oldhand]\ncommand = \"oldhand\"\n[mcp_servers.oldhand.env]\nA = \"1\"\n";
    let before = one("/h/.codex/config.toml", &format!("x = 1\n\n\n{ours}"));
    let place = SetupTarget { with_mcp: true, ..TARGET };
    let after = uninstalled("codex", &place, &before).unwrap();
    assert_eq!(after["/h/.codex/config.toml"], "x = 1\n\n");
}
