//! When an agent is reminded.

use super::*;

#[test]
fn moments_are_known_by_what_a_tool_did() {
    let table = [
        ("Bash", Some("git add -A && git commit -m 'fix: x'"), None, Some(Moment::Commit)),
        ("Bash", Some("git -C /tmp/x -c user.name=a commit -q"), None, Some(Moment::Commit)),
        ("Bash", Some("git commit --dry-run"), None, None),
        ("Bash", Some("git log --grep commit"), None, None),
        ("Bash", Some("gh pr create --fill"), None, Some(Moment::PullRequest)),
        ("run_shell_command", Some("gh issue create -t x -b y"), None, Some(Moment::Issue)),
        ("mcp__linear-server__create_issue", None, None, Some(Moment::Issue)),
        ("mcp__linear-server__list_issues", None, None, None),
        ("mcp__github__create_pull_request", None, None, Some(Moment::PullRequest)),
        ("ExitPlanMode", None, None, Some(Moment::Plan)),
        ("AskUserQuestion", None, None, Some(Moment::Answer)),
        ("Write", None, Some("docs/design.md"), Some(Moment::Document)),
        ("Write", None, Some(".claude/plans/x.md"), None),
        ("Write", None, Some("src/main.rs"), None),
        ("Bash", Some("cargo test"), None, None),
    ];
    for (name, command, path, moment) in table {
        assert_eq!(Moment::of_tool(name, command, path), moment, "{name} {command:?} {path:?}");
    }
}

#[test]
fn the_same_turns_are_asked_about_once_and_a_session_has_a_budget() {
    let mut nudges = Nudges { prompts: 1, ..Nudges::default() };
    assert!(nudges.is_due(Moment::Commit, 5, 3), "the first");
    nudges.remind(5);
    assert!(!nudges.is_due(Moment::Commit, 9, 3), "the same turn");
    nudges.prompts += 1;
    assert!(!nudges.is_due(Moment::PullRequest, 9, 3), "too soon");
    nudges.prompts += 1;
    assert!(nudges.is_due(Moment::PullRequest, 9, 3));
    assert!(!nudges.is_due(Moment::Stretch, 30, 3), "a stretch is longer");
    nudges.prompts += 2;
    assert!(nudges.is_due(Moment::Stretch, 30, 3));
    assert!(!nudges.is_due(Moment::Stretch, 9, 3), "hardly any work");
    nudges.remind(9);
    nudges.prompts += 5;
    nudges.remind(12);
    nudges.prompts += 5;
    assert!(!nudges.is_due(Moment::Commit, 30, 3), "the budget is used up");
}

#[test]
fn a_long_session_is_reminded_less_often() {
    let due = |count: usize, moment: Moment, since: usize| {
        let nudges = Nudges { prompts: 10 + since, at: 10, count, ..Nudges::default() };
        nudges.is_due(moment, 40, 12)
    };
    assert!(due(2, Moment::Commit, 2) && !due(3, Moment::Commit, 2) && due(3, Moment::Commit, 3));
    assert!(due(0, Moment::Stretch, 3) && !due(1, Moment::Stretch, 3));
    assert!(
        due(2, Moment::Stretch, 4) && !due(3, Moment::Stretch, 4) && due(3, Moment::Stretch, 5)
    );
}

#[test]
fn an_interrupt_or_a_late_moment_wants_some_work_behind_it() {
    let due = |moment: Moment, tool_uses: usize| {
        let nudges = Nudges { prompts: 12, at: 10, count: 1, ..Nudges::default() };
        nudges.is_due(moment, tool_uses, 12)
    };
    for moment in [Moment::Interrupt, Moment::Belated] {
        assert!(due(moment, 5) && !due(moment, 4), "{moment:?}");
    }
    assert!(due(Moment::Commit, 0) && due(Moment::Compaction, 1));
}
