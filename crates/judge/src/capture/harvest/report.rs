//! What the agent concluded: the last message of a turn where it reports, and a cause that it found on
//! the way. Only a machine says so, and nobody has agreed yet.

use std::cmp::Reverse;

use oldhand_core::kind::Kind;
use oldhand_text::table;
use oldhand_transcripts::{Turn, Voice};

use super::Harvested;
use super::units::{Unit, names_own_code, units};
use crate::guess;

/// A message with such a heading judges or proposes: nothing in it is settled.
const UNSETTLED: &str = "review|verdict|proposed|proposal|option|suggest|recommend|alternative|\
     concern|question|next step|implication|risk|feedback";
/// Parts of a report that the code tells better.
const ROUTINE: &str = "test|file|verif|status|timeline|scenario|example";
/// A cause that is gone with its repair.
const MISHAPS: &str = "missing import|import was|imports |lint|typo|syntax|compil|wrong directory|\
     different path";
/// A cause that was found, told when it is over.
const DIAGNOSES: &str =
    "the issue was|the bug was|the problem was|the cause was|root cause|caused by";

/// Of an agent's turn what it found out.
pub(super) fn concluded(turns: &[&Turn], at: usize, is_over: bool) -> Vec<Harvested> {
    let turn = turns[at];
    if turn.voice != Voice::Agent || turn.text.is_empty() {
        return Vec::new();
    }
    let is_heard = |it: &&&Turn| it.voice == Voice::Agent || !it.text.is_empty();
    let mut rest = turns[at + 1..].iter().filter(|it| !it.is_sidechain).filter(is_heard);
    let is_wanted: fn(&Unit) -> bool = match rest.next() {
        // It may be corrected by what comes next.
        None if !is_over => return Vec::new(),
        Some(next) if next.voice == Voice::Person && is_disputed(&next.text) => return Vec::new(),
        Some(next) if next.voice == Voice::Agent => {
            let mut later = std::iter::once(next).chain(rest).filter(|it| it.voice == Voice::Agent);
            if later.any(|it| table::holds(DIAGNOSES, &it.text.to_lowercase())) {
                return Vec::new();
            }
            |unit| table::holds(DIAGNOSES, &unit.text.to_lowercase())
        }
        _ if !turn.uses.is_empty() || is_unsettled(&turn.text) => return Vec::new(),
        _ => |unit| !table::holds(ROUTINE, &unit.heading) && !unit.is_about_tests(),
    };
    let is_kept = |unit: &Unit| {
        unit.explains()
            && names_own_code(&unit.text)
            && !unit.is_mishap()
            && unit.weight() >= WEIGHT_MIN
            && is_wanted(unit)
    };
    let mut found: Vec<Unit> = units(&turn.text).into_iter().filter(is_kept).collect();
    // One of them is kept: the others are a report for the day.
    found.sort_by_key(|unit| Reverse(unit.weight()));
    let told = found.into_iter().map(|unit| unit.harvested(turn.line));
    told.map(|one| Harvested { is_report: true, ..one }).collect()
}

/// Why something is so, or must be so.
const REASONS: &str =
    "because|root cause|so that|otherwise|even if|must |never |cannot|can't|silently";
const WEIGHED_WORDS: usize = 25;
/// Two of a reason, a second one, a cause; or one of them and all of the rest.
const WEIGHT_MIN: usize = 4;

/// How people begin who don't take what they were told.
const DISPUTING: &str = "no |no,|no.|nope|wait|hmm|hm,|but |actually|wrong|that's not|thats not|\
     that is not|not quite|i don't think|i dont think|i disagree|are you sure|is it |is that|why |stop|\
     revert|undo|i still|it still|still |this is wrong|this is not|this is still|you are not|you're not|\
     you forgot|you missed|don't |doesn't |isn't |didn't |emm|uhm|um |ah |it somehow|really?";

fn is_disputed(answer: &str) -> bool {
    table::begins(DISPUTING, &answer.trim().to_lowercase())
}

/// It ends with a question, or its headings say that it judges or proposes.
fn is_unsettled(text: &str) -> bool {
    let last = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let mut headings = units(text).into_iter().map(|unit| unit.heading);
    last.contains('?') || headings.any(|heading| table::holds(UNSETTLED, &heading))
}

/// What is not done, or not right yet.
const DEBTS: &str = "not fixed|dead code|no callers|follow-up|left as is|left sequential|remains to|\
     pre-existing|not covered|no test";

/// Names of what a reader of the code finds without help.
const SMALL: &str = "test|comment|docstring|lint|format|import|rename";

impl Unit {
    /// What it explains, for the choice of one among others.
    fn weight(&self) -> usize {
        let lower = self.text.to_lowercase();
        let whys = table::phrases(REASONS).filter(|why| lower.contains(why)).count().min(2);
        let is_cause = table::holds(DIAGNOSES, &lower);
        let is_told = lower.split_whitespace().count() >= WEIGHED_WORDS;
        whys * 2
            + usize::from(is_cause) * 2
            + usize::from(is_told)
            + usize::from(!lower.contains(" now "))
    }

    fn is_mishap(&self) -> bool {
        let lower = self.text.to_lowercase();
        table::holds(DIAGNOSES, &lower) && table::holds(MISHAPS, &lower)
    }

    fn is_about_tests(&self) -> bool {
        self.name.as_deref().is_some_and(|name| table::holds(SMALL, &name.to_lowercase()))
    }

    pub(super) fn harvested(self, line: usize) -> Harvested {
        let lower = self.text.to_lowercase();
        let named = self.name.filter(|it| it.split_whitespace().count() >= 3);
        let title = named.unwrap_or_else(|| guess::title(&self.text));
        let (kind, field) = match () {
            () if table::holds(DEBTS, &lower) => (Kind::TechDebt, "description"),
            () if table::holds(DIAGNOSES, &lower) => (Kind::Reference, "text"),
            () => (Kind::Decision, "decision"),
        };
        Harvested { fields: vec![(field, self.text)], ..Harvested::of(line, kind, &title) }
    }
}
