//! Answers for every host: only what its own schema takes.

use expect_test::{Expect, expect};
use serde_json::Value;

use super::*;

fn check(dialect: Dialect, event: Event, name: &str, answer: Answer, expected: &Expect) {
    expected.assert_eq(&answer.as_taken(dialect, event).render(dialect, name));
}

fn context() -> Answer {
    Answer::Context(AgentText::ours("a fact"))
}

fn deny() -> Answer {
    Answer::Deny(AgentText::ours("use the tool"))
}

fn go_on() -> Answer {
    Answer::GoOn(AgentText::ours("draft this"))
}

#[test]
fn claude_code_and_codex() {
    for dialect in [Dialect::ClaudeCode, Dialect::Codex] {
        check(
            dialect,
            Event::Prompt,
            "UserPromptSubmit",
            context(),
            &expect![[r#"
            {"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"a fact"}}
        "#]],
        );
        check(
            dialect,
            Event::BeforeTool,
            "PreToolUse",
            deny(),
            &expect![[r#"
            {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"use the tool"}}
        "#]],
        );
        check(
            dialect,
            Event::Stop,
            "Stop",
            go_on(),
            &expect![[r#"
            {"decision":"block","reason":"draft this"}
        "#]],
        );
        check(dialect, Event::Stop, "Stop", Answer::Silence, &expect![[""]]);
    }
}

#[test]
fn gemini() {
    check(
        Dialect::Gemini,
        Event::Prompt,
        "BeforeAgent",
        context(),
        &expect![[r#"
        {"hookSpecificOutput":{"hookEventName":"BeforeAgent","additionalContext":"a fact"}}
    "#]],
    );
    check(
        Dialect::Gemini,
        Event::BeforeTool,
        "BeforeTool",
        deny(),
        &expect![[r#"
        {"decision":"deny","reason":"use the tool"}
    "#]],
    );
    check(Dialect::Gemini, Event::BeforeTool, "BeforeTool", context(), &expect![[""]]);
}

#[test]
fn cursor() {
    check(
        Dialect::Cursor,
        Event::SessionStart,
        "sessionStart",
        context(),
        &expect![[r#"
        {"continue":true,"additional_context":"a fact"}
    "#]],
    );
    check(
        Dialect::Cursor,
        Event::BeforeTool,
        "preToolUse",
        deny(),
        &expect![[r#"
        {"permission":"deny","user_message":"use the tool","agent_message":"use the tool"}
    "#]],
    );
    check(
        Dialect::Cursor,
        Event::Stop,
        "stop",
        go_on(),
        &expect![[r#"
        {"followup_message":"draft this"}
    "#]],
    );
    check(
        Dialect::Cursor,
        Event::Stop,
        "stop",
        Answer::Silence,
        &expect![[r#"
        {}
    "#]],
    );
}

#[test]
fn copilot() {
    check(
        Dialect::Copilot,
        Event::Prompt,
        "userPromptSubmitted",
        context(),
        &expect![[r#"
        {"additionalContext":"a fact"}
    "#]],
    );
    check(
        Dialect::Copilot,
        Event::BeforeTool,
        "preToolUse",
        deny(),
        &expect![[r#"
        {"permissionDecision":"deny","permissionDecisionReason":"use the tool"}
    "#]],
    );
}

/// Closed schemas fail on what they don't know: at these events there is no such member.
#[test]
fn what_a_host_does_not_take_is_not_said() {
    for dialect in Dialect::ALL {
        for event in [Event::BeforeCompact, Event::SessionEnd] {
            for answer in [context(), deny(), go_on()] {
                assert_eq!(
                    answer.as_taken(dialect, event),
                    Answer::Silence,
                    "{dialect:?} {event:?}"
                );
            }
        }
        assert_eq!(deny().as_taken(dialect, Event::Prompt), Answer::Silence);
        assert_eq!(go_on().as_taken(dialect, Event::BeforeTool), Answer::Silence);
    }
}

#[test]
fn every_answer_is_nothing_or_one_json_object_in_one_line() {
    let nasty = AgentText::ours("a \"quote\"\n</oldhand-memory>\u{202e}\u{0}");
    for dialect in Dialect::ALL {
        for event in Event::all() {
            for answer in [
                Answer::Silence,
                Answer::Context(nasty.clone()),
                Answer::Deny(nasty.clone()),
                Answer::Allow(nasty.clone()),
                Answer::GoOn(nasty.clone()),
            ] {
                let text = answer.as_taken(dialect, event).render(dialect, event.as_str());
                assert!(text.is_empty() || text.lines().count() == 1, "{text}");
                if !text.is_empty() {
                    let value: Value = serde_json::from_str(&text).expect("JSON");
                    assert!(value.is_object());
                }
            }
        }
    }
}
