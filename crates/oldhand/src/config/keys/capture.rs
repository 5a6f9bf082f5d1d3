//! Keys of hooks and of capture.

use oldhand_core::kind::Kind;
use oldhand_core::policy::{CapturePolicy, HookPolicy};

use super::{Key, Setting, Type, flag, key, number};

pub(super) fn keys() -> Vec<Key> {
    let mut keys = capture_keys();
    keys.extend(hook_keys());
    keys.extend(CapturePolicy::THRESHOLDS.iter().map(|(kind, threshold)| {
        key(
            &format!("capture.threshold.{kind}"),
            Type::Fraction,
            Setting::Fraction(*threshold),
            &format!("the score from which a {} is captured", kind.as_str().replace('_', " ")),
        )
    }));
    keys.extend(CapturePolicy::THRESHOLDS.iter().map(|(kind, _)| {
        let own = if matches!(kind, Kind::Decision | Kind::Constraint) { "sonnet" } else { "" };
        key(
            &format!("capture.model.{kind}"),
            Type::Text { chars_max: 60 },
            Setting::Text(own.to_owned()),
            "the model of the agent that drafts these; empty takes the default",
        )
    }));
    keys
}

fn capture_keys() -> Vec<Key> {
    let capture = CapturePolicy::default();
    vec![
        key(
            "capture.default_model",
            Type::Text { chars_max: 60 },
            Setting::Text(capture.default_model),
            "the model of drafting agents, where a kind has none of its own",
        ),
        number(
            "capture.max_per_stop",
            (0, 50),
            capture.per_stop_max as i64,
            "candidates that one look at a session may make; the strongest first",
        ),
        key(
            "capture.mode",
            Type::Choice(&["extract", "agent", "off"]),
            Setting::Text("extract".to_owned()),
            "`extract` makes candidates of the sentences themselves, `agent` asks the agent at hand to draft, `off` does nothing",
        ),
        flag("capture.parallel", capture.parallel, "drafting agents run at the same time"),
        flag(
            "capture.uses",
            capture.uses,
            "what a session was given is recorded as used when the session is over",
        ),
    ]
}

fn hook_keys() -> Vec<Key> {
    let hooks = HookPolicy::default();
    vec![
        number(
            "hooks.compact_after",
            (0, 1000),
            hooks.compact_after as i64,
            "exchanges on one task after which hooks say that a compaction is due; 0 is never",
        ),
        number(
            "hooks.deadline_ms",
            (50, 30_000),
            hooks.deadline_ms,
            "milliseconds after which a hook gives up and says nothing",
        ),
        flag("hooks.enabled", true, "whether hooks do anything in this store"),
        number("log.keep_days", (1, 3650), hooks.log_days, "days that the log of hooks is kept"),
        number(
            "recall.inject_tokens",
            (100, 100_000),
            hooks.inject_tokens as i64,
            "tokens that a hook may add to one prompt",
        ),
        number(
            "recall.max_inject",
            (0, 20),
            hooks.inject_max as i64,
            "memories that a hook adds to one prompt; 0 is none",
        ),
        key(
            "recall.mode",
            Type::Choice(&["inject", "pointers", "explicit"]),
            Setting::Text("inject".to_owned()),
            "what hooks add: whole memories, their ids alone, or nothing unless asked",
        ),
    ]
}
