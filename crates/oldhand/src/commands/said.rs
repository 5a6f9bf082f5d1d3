//! What somebody says of a piece of work, as it is typed: each value is checked before anything is
//! done.

use super::prelude::*;
use oldhand_app::usage::refuse_bad_signals;
use oldhand_core::task::TaskSignals;
use oldhand_core::write;
use oldhand_sessions::completion::Ending;
use oldhand_sessions::summary::Summary;
use oldhand_text::strings::{ID_CHARS_MAX, normalise_line};

pub(super) fn summary(args: &SaidArgs) -> Result<Summary, Fail> {
    let mut summary = Summary::default();
    let texts = [("--goal", "goal", &args.goal), ("--pattern", "pattern", &args.pattern)];
    for (flag, name, text) in texts {
        if let Some(text) = text {
            summary.set_text(name, &checked(flag, text)?);
        }
    }
    let lists = [
        ("--completed", "completed", &args.completed),
        ("--change", "key_changes", &args.change),
        ("--decision", "decisions", &args.decision),
        ("--test", "tests", &args.test),
        ("--open", "open_questions", &args.open),
        ("--next", "next_actions", &args.next),
        ("--standing", "standing", &args.standing),
    ];
    for (flag, name, items) in lists {
        for item in items {
            summary.push(name, &checked(flag, item)?);
        }
    }
    if let Some(outcome) = &args.outcome {
        summary.set_text("outcome", Ending::parse(outcome)?.as_str());
    }
    Ok(summary)
}

/// The words by which repeated trouble is recognised.
pub(super) fn signals(args: &SignalArgs) -> Result<TaskSignals, Fail> {
    let words = [
        ("--failure-class", args.failure_class.as_slice()),
        ("--recovery-class", args.recovery_class.as_slice()),
        ("--task-kind", args.task_kind.as_slice()),
        ("--concern", args.concern.as_slice()),
    ];
    for (flag, words) in words {
        words.iter().try_for_each(|word| write::refuse_secret(flag, word))?;
    }
    let signals = TaskSignals {
        failure_class: args.failure_class.clone(),
        concerns: args.concern.clone(),
        recovery_class: args.recovery_class.clone(),
        task_kind: args.task_kind.clone(),
        self_check: args.self_check,
        recipes: Vec::new(),
        integration_conflicts: Vec::new(),
    };
    refuse_bad_signals(&signals)?;
    Ok(signals)
}

pub(super) fn role(flag: &str, text: &str) -> Result<String, Fail> {
    let role = normalise_line(&checked(flag, text)?);
    if role.chars().count() > ID_CHARS_MAX {
        return Err(Problem::new(flag, "a role of 1 to 80 characters", &role).into());
    }
    Ok(role)
}

fn checked(flag: &str, text: &str) -> Result<String, Fail> {
    write::refuse_secret(flag, text)?;
    if text.trim().is_empty() {
        return Err(Problem::new(flag, "some words", "nothing").into());
    }
    Ok(text.trim().to_owned())
}
