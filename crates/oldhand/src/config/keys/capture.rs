//! Keys of hooks and of capture.

use oldhand_core::policy::{CaptureMode, CapturePolicy, InjectMode};

use super::{Row, Type, choice, flag, number, row, text};

pub(super) fn keys() -> Vec<Row> {
    let mut keys = capture_keys();
    keys.extend(hook_keys());
    keys.extend(CapturePolicy::THRESHOLDS.iter().map(|(kind, _)| {
        row(
            &format!("capture.threshold.{kind}"),
            Type::Fraction,
            |e| Some(Box::new(e.settings.capture.thresholds.get_mut(kind)?)),
            &format!("the score from which a {} is captured", kind.as_str().replace('_', " ")),
        )
    }));
    keys.extend(CapturePolicy::THRESHOLDS.iter().map(|(kind, _)| {
        row(
            &format!("capture.model.{kind}"),
            Type::Text { chars_max: 60 },
            |e| Some(Box::new(e.settings.capture.models.get_mut(kind)?)),
            "the model of the agent that drafts these; empty takes the default",
        )
    }));
    keys
}

fn capture_keys() -> Vec<Row> {
    vec![
        text(
            "capture.default_model",
            60,
            |e| &mut e.settings.capture.default_model,
            "the model of drafting agents, where a kind has none of its own",
        ),
        number(
            "capture.max_per_stop",
            (0, 50),
            |e| &mut e.settings.capture.per_stop_max,
            "candidates that one look at a session may make; the strongest first",
        ),
        choice(
            "capture.mode",
            &[
                ("extract", CaptureMode::Extract),
                ("agent", CaptureMode::Agent),
                ("off", CaptureMode::Off),
            ],
            |e| &mut e.settings.capture.mode,
            "`extract` makes candidates of the sentences themselves, `agent` asks the agent at hand to draft, `off` does nothing",
        ),
        flag(
            "capture.parallel",
            |e| &mut e.settings.capture.parallel,
            "drafting agents run at the same time",
        ),
        flag(
            "capture.uses",
            |e| &mut e.settings.capture.uses,
            "what a session was given is recorded as used when the session is over",
        ),
    ]
}

fn hook_keys() -> Vec<Row> {
    vec![
        number(
            "hooks.compact_after",
            (0, 1000),
            |e| &mut e.settings.hooks.compact_after,
            "exchanges on one task after which hooks say that a compaction is due; 0 is never",
        ),
        number(
            "hooks.deadline_ms",
            (50, 30_000),
            |e| &mut e.settings.hooks.deadline_ms,
            "milliseconds after which a hook gives up and says nothing",
        ),
        flag(
            "hooks.enabled",
            |e| &mut e.settings.hooks.enabled,
            "whether hooks do anything in this store",
        ),
        number(
            "log.keep_days",
            (1, 3650),
            |e| &mut e.settings.hooks.log_days,
            "days that the log of hooks is kept",
        ),
        number(
            "recall.inject_tokens",
            (100, 100_000),
            |e| &mut e.settings.hooks.inject_tokens,
            "tokens that a hook may add to one prompt",
        ),
        number(
            "recall.max_inject",
            (0, 20),
            |e| &mut e.settings.hooks.inject_max,
            "memories that a hook adds to one prompt; 0 is none",
        ),
        choice(
            "recall.mode",
            &[
                ("inject", InjectMode::Inject),
                ("pointers", InjectMode::Pointers),
                ("explicit", InjectMode::Explicit),
            ],
            |e| &mut e.settings.hooks.mode,
            "what hooks add: whole memories, their ids alone, or nothing unless asked",
        ),
    ]
}
