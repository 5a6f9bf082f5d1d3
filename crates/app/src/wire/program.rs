//! Answers about the program itself: settings, trust, hooks, the tour.

use serde_json::Value;

use super::pending::PendingMatter;

use crate::prelude::*;

answers! {
    /// Any answer that is a failure; a proposal that the gate stopped comes with what waits.
    ErrorAnswer<'a> {
        code: &'a str,
        message: &'a str,
        #[serde(skip_serializing_if = "<[_]>::is_empty")]
        #[cfg_attr(feature = "schema", schemars(with = "Vec<Value>"))]
        problems: &'a [Problem],
        hint: &'a str,
        #[serde(flatten)]
        pending: Option<PendingMatter<'a>>,
    }

    /// `config get`
    SettingValue<'a> {
        key: &'a str,
        value: Value,
        source: String,
    }

    /// `config list`
    SettingsList<'a> {
        settings: Vec<KnownSetting<'a>>,
    }

    KnownSetting<'a> {
        #[serde(flatten)]
        setting: SettingValue<'a>,
        default: Value,
        expected: String,
        meaning: &'a str,
    }

    /// `config set` and `config unset`
    ChangedSetting<'a> {
        key: &'a str,
        file: String,
    }

    /// `trust`
    TrustedStore<'a> {
        store: String,
        trusted: bool,
        reason: &'a str,
    }

    /// `log`
    HookLog<'a> {
        /// Each as it was written.
        #[cfg_attr(feature = "schema", schemars(with = "Vec<HookCall<'a>>"))]
        lines: Vec<&'a Value>,
    }

    /// A line of the hook log: one call of a hook.
    HookCall<'a> {
        at: String,
        host: &'static str,
        event: Option<&'static str>,
        session: String,
        tool: String,
        /// `nothing`, `context`, `deny`, `allow` or `go_on`.
        said: &'static str,
        served: &'a [String],
        captured: &'a [String],
        tokens: usize,
        /// Sentences that capture looked at.
        #[serde(skip_serializing_if = "is_nothing")]
        heard: usize,
        /// How many of them were worth keeping.
        #[serde(skip_serializing_if = "is_nothing")]
        hits: usize,
        ms: f64,
        trouble: bool,
        note: String,
    }

    /// `tour`
    Tour<'a> {
        steps: Vec<TourStep<'a>>,
    }

    TourStep<'a> {
        what: &'a str,
        command: &'a str,
        exit: u8,
        output: String,
    }

    /// `completions`
    Completions<'a> {
        shell: String,
        script: &'a str,
    }

    /// `export --format markdown`, `man`
    ExportedFolder {
        folder: String,
        written: usize,
    }

    /// `export --as madr` and the like
    ExportedFormat<'a> {
        format: &'a str,
        target: String,
        written: usize,
        /// How many became another kind.
        in_other_words: usize,
        companion: Option<String>,
        left_out: Vec<LeftOut<'a>>,
        refused: Vec<LeftOut<'a>>,
    }

    /// A memory that was not written, and why.
    LeftOut<'a> {
        id: &'a str,
        reason: &'a str,
    }

    /// `export --as list`
    ExportFormats<'a> {
        formats: Vec<&'a str>,
    }

    /// `export --as agents-md` and the like
    WrittenBlock<'a> {
        page: &'a str,
        outcome: &'a crate::block::BlockOutcome,
    }

    /// `edit` that left the text as it was
    Unchanged {
        action: &'static str,
    }
}

fn is_nothing(count: &usize) -> bool {
    *count == 0
}
