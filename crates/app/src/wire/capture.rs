//! Answers about capture: triage, drafts and what becomes of them.

use oldhand_judge::capture::candidate::Check;
use oldhand_judge::capture::triage::{Hit, Triage};
use oldhand_judge::capture::verify::{Class, Doubt};
use oldhand_transcripts::Voice;

use crate::prelude::*;
use crate::settings::Settings;

answers! {
    /// The best score of a category.
    TriageCategory<'a>(found: &'a Triage, best: &'a (Kind, f64), settings: &'a Settings) {
        category: &'a str = best.0.as_str(),
        score: f64 = rounded(best.1),
        description: String = settings.kinds.spec(&best.0).told.clone(),
        /// It reached its threshold.
        triggered: bool = found.hits.iter().any(|hit| hit.kind == best.0),
    }

    /// A sentence that is worth remembering.
    TriageHit<'a>(hit: &'a Hit) {
        category: &'a str = hit.kind.as_str(),
        score: f64 = rounded(hit.score),
        explicit: bool = hit.explicit,
        line: usize = hit.line,
        voice: &'static str = if hit.voice == Voice::Person { "person" } else { "agent" },
        text: &'a str = &hit.text,
        because: &'a str = &hit.because,
    }

    /// `capture triage`.
    TriageAnswer<'a>(found: &'a Triage, activity: f64, settings: &'a Settings) {
        categories: Vec<TriageCategory<'a>> =
            found.scores.iter().map(|best| TriageCategory::of(found, best, settings)).collect(),
        hits: Vec<TriageHit<'a>> = found.hits.iter().map(TriageHit::of).collect(),
        activity: f64 = rounded(activity),
    }

    /// `capture from`: what became of one sentence. One that was withheld has no more than its line.
    CapturedSentence {
        #[serde(skip_serializing_if = "Option::is_none")]
        category: Option<String>,
        line: usize,
        #[serde(skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        result: String,
        /// Null for one that was not written.
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<Option<String>>,
    }

    CapturedSentences<'a>(captured: &'a [CapturedSentence]) {
        captured: &'a [CapturedSentence] = captured,
    }

    /// `capture check`.
    CategoryCheck<'a>(kind: &'a Kind, check: &'a Check) {
        category: &'a str = kind.as_str(),
        #[serde(flatten)]
        check: &'a Check = check,
    }

    /// `capture save`: what became of one draft.
    SavedDraft<'a> {
        category: &'a str,
        title: &'a str,
        /// `saved`, `noop`, `blocked`, `skipped` or `refused`.
        result: &'static str,
        action: Option<&'a str>,
        id: Option<&'a str>,
        why: String,
        verification: Option<&'static str>,
        doubts: &'a [String],
        check: Option<&'a Check>,
    }

    SavedDrafts<'a>(results: Vec<SavedDraft<'a>>, is_fine: bool) {
        results: Vec<SavedDraft<'a>> = results,
        status: &'static str = if is_fine { "success" } else { "partial_failure" },
    }

    /// Something in a draft that was never said.
    DraftDoubt<'a>(doubt: &'a Doubt) {
        class: &'static str =
            if doubt.class == Class::Blocking { "blocking" } else { "advisory" },
        field: &'a str = &doubt.field,
        what: &'static str = doubt.what,
        value: &'a str = &doubt.value,
    }

    /// `capture verify`.
    VerifiedDraft<'a>(verdict: &'static str, doubts: &'a [Doubt]) {
        verdict: &'static str = verdict,
        doubts: Vec<DraftDoubt<'a>> = doubts.iter().map(DraftDoubt::of).collect(),
    }
}

/// To four digits.
pub fn rounded(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}

#[cfg(test)]
mod tests {
    use oldhand_judge::capture::candidate::{LifecycleEvent, check};
    use serde_json::json;

    use super::*;

    #[test]
    fn a_check_names_its_vetoes_and_hints() {
        let check = check(&Kind::Preference, Some("tabs"), Some(LifecycleEvent::Reversed));
        let want = json!({
            "vetoes": [{ "action": "DELETE", "why": "capture does not delete a preference" }],
            "pre_action": null,
            "structural_cud": "UPDATE",
            "candidate": "tabs",
            "hints": ["`tabs` is about the same", "it was reversed: say so in `tabs`"],
        });
        assert_eq!(serde_json::to_value(&check).unwrap(), want);
    }
}
