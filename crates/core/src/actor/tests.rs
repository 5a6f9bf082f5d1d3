//! The channel survives the log, and only a person's channel is a person's.

use super::Via;

#[track_caller]
fn check(via: Via, text: &str, is_person: bool, beside_jane: &str) {
    assert_eq!(via.to_string(), text);
    assert_eq!(Via::from(text.to_owned()), via);
    assert_eq!(via.is_person(), is_person);
    assert_eq!(via.beside("jane"), beside_jane);
}

#[test]
fn each_channel_is_written_read_and_shown() {
    check(Via::Unknown, "", false, "jane");
    check(Via::Terminal, "terminal", true, "jane (terminal)");
    check(Via::Shell, "shell", true, "jane (shell)");
    check(Via::Ci, "ci", false, "jane (ci)");
    let agent = Via::Agent("claude-code".to_owned());
    check(agent, "agent:claude-code", false, "jane (agent:claude-code)");
    check(
        Via::Mcp("zed:reviewer".to_owned()),
        "mcp:zed:reviewer",
        false,
        "jane (mcp:zed:reviewer)",
    );
    check(Via::Hook("codex".to_owned()), "hook:codex", false, "jane (hook:codex)");
}

#[test]
fn a_name_that_is_its_channel_stands_once() {
    assert_eq!(Via::Mcp("zed".to_owned()).beside("mcp:zed"), "mcp:zed");
    assert_eq!(Via::Hook("codex".to_owned()).beside("codex"), "codex (hook)");
}

#[test]
fn what_a_later_version_wrote_is_unknown_and_no_machine() {
    let via = Via::from("telepathy:ada".to_owned());
    assert_eq!(via, Via::Unknown);
    assert!(!via.is_machine());
}
