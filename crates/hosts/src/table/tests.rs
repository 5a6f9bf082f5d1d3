//! The table is whole: every row can be found, set up, and taken out again.

use std::collections::BTreeSet;

use super::{At, Form, HOSTS, find};

#[test]
fn names_are_what_people_type_and_stand_once() {
    let names: Vec<&str> = HOSTS.iter().map(|host| host.name).collect();
    let wanted = [
        "claude-code",
        "codex",
        "gemini",
        "cursor",
        "copilot",
        "opencode",
        "windsurf",
        "zed",
        "cline",
    ];
    assert_eq!(names, wanted);
    assert!(names.iter().all(|name| find(name).is_some()));
    assert!(find("emacs").is_none());
}

#[test]
fn every_place_is_relative_and_below() {
    for host in HOSTS {
        for at in host.pieces.iter().flat_map(|piece| piece.at) {
            let (At::Both(path)
            | At::Config(path)
            | At::Own(path)
            | At::HomeUnlessMoved(path)
            | At::Project(path)) = at;
            assert!(!path.starts_with('/') && !path.contains(".."), "{}: {path}", host.name);
        }
    }
}

#[test]
fn hooks_are_known_by_their_command_and_carry_no_version() {
    for host in HOSTS {
        for piece in host.pieces {
            let Form::Hooks(set) = &piece.form else { continue };
            assert_eq!(set.host.as_str(), host.name);
            let events: BTreeSet<&str> = set.events.iter().map(|(event, _)| *event).collect();
            assert_eq!(events.len(), set.events.len(), "{}: an event stands twice", host.name);
            let text = set.all().to_string();
            assert!(!text.contains(env!("CARGO_PKG_VERSION")), "{text}");
            assert!(!text.contains('/'), "a path changes and breaks trust: {text}");
        }
    }
}

/// Seconds for most, milliseconds for Gemini; a person waits for a prompt.
#[test]
fn time_limits_are_small_and_in_the_hosts_unit() {
    let entry = |host: &str, event: &str| {
        let host = find(host).unwrap();
        let sets = host.pieces.iter().filter_map(|piece| match &piece.form {
            Form::Hooks(set) => Some(set),
            _ => None,
        });
        let set = sets.into_iter().next().unwrap();
        set.entries().into_iter().find(|(name, _)| *name == event).unwrap().1
    };
    assert_eq!(entry("claude-code", "UserPromptSubmit")["hooks"][0]["timeout"], 5);
    assert_eq!(entry("codex", "Stop")["hooks"][0]["timeout"], 10);
    assert_eq!(entry("gemini", "BeforeAgent")["hooks"][0]["timeout"], 5000);
    assert_eq!(entry("cursor", "beforeSubmitPrompt")["timeout"], 5);
    assert_eq!(entry("copilot", "userPromptSubmitted")["timeoutSec"], 5);
}
