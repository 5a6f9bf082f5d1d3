//! The candidate check and all rows of its table.

use super::*;
use oldhand_core::memory::{Memory, MemoryId};
use oldhand_core::state::State;

fn memory(id: &str, kind: Kind, title: &str, tags: &[&str]) -> Memory {
    let mut memory = Memory::new(MemoryId::of_title(id), kind, title);
    memory.tags = tags.iter().map(|tag| (*tag).to_owned()).collect();
    memory.state = State::Stable;
    memory
}

#[track_caller]
fn check_choice(new_info: &str, title: &str, of_tags: &[&str], want: bool) {
    let known = [memory("it", Kind::Decision, title, of_tags)];
    let found = choose(new_info, &Kind::Decision, &known);
    assert_eq!(found.is_some(), want, "{new_info:?} and {title:?} {of_tags:?}: {found:?}");
}

#[test]
fn a_tag_is_enough_and_one_title_word_is_not() {
    let title = "Build artifacts are compressed";
    let rows: &[(&str, &str, &[&str], bool)] = &[
        ("the zstd flag", title, &["zstd", "ci"], true),
        ("a build question", title, &["zstd"], false),
        ("a question about artifacts", title, &["zstd"], false),
        ("compressing artifacts takes long", title, &[], true),
        ("artifact compression", title, &[], true),
        ("makefile style reversed", "Tabs in makefiles", &["makefile", "style"], true),
        ("db ui id the use", "Db id ui", &["db", "ui"], true),
        ("we talked about the db", "Storage", &["db"], true),
        ("services are written in go", "Language of services", &["go"], true),
        ("Rate limits for the API", "Throttling", &["rate limit"], true),
        ("the limit of the disk", "Throttling", &["rate limit"], false),
        ("use the same for all of these", "Use the same for all", &[], false),
        ("fix the test and run the build", "Fix the test of the build", &[], false),
        ("`MAX_RETRIES` is 5 now", "MAX_RETRIES for uploads", &[], true),
        ("src/pay.rs rounds", "Rounding in src/pay.rs", &[], true),
        ("", title, &["zstd"], false),
        ("größe der puffer", "Größe der Puffer", &[], true),
    ];
    for (new_info, title, tags, want) in rows {
        check_choice(new_info, title, tags, *want);
    }
}

#[test]
fn only_active_memories_of_the_kind_are_chosen_and_ties_go_by_id() {
    let (decision, runbook) = (Kind::Decision, Kind::Runbook);
    let known = |id, kind: &Kind, state| {
        let memory = memory(id, kind.clone(), "x", &["zstd"]);
        Memory { state, ..memory }
    };
    let all = [
        known("c", &decision, State::Stable),
        known("b", &decision, State::Provisional),
        known("a", &decision, State::Retired),
        known("0", &runbook, State::Stable),
    ];
    assert_eq!(choose("zstd", &decision, &all), Some("b"));
    assert_eq!(choose("zstd", &runbook, &all), Some("0"));
    assert_eq!(choose("zstd", &Kind::Lesson, &all), None);
    let reversed: Vec<Memory> = all.iter().rev().cloned().collect();
    assert_eq!(choose("zstd", &decision, &reversed), choose("zstd", &decision, &all));
}

#[test]
fn the_check_says_what_is_possible() {
    use Structural as S;
    let resolved = Some(LifecycleEvent::Resolved);
    let rows = [
        // R245, R247: kind, candidate, event; pre_action, structural, vetoed
        (Kind::TechDebt, None, None, Some(Action::Create), S::Create, false),
        (Kind::TechDebt, None, resolved, Some(Action::Noop), S::Noop, false),
        (Kind::TechDebt, Some("a"), None, None, S::UpdateOrDelete, false),
        (Kind::TechDebt, Some("a"), resolved, None, S::UpdateOrDelete, false),
        (Kind::Runbook, Some("a"), None, None, S::UpdateOrDelete, false),
        (Kind::Constraint, Some("a"), None, None, S::UpdateOrDelete, false),
        (Kind::Decision, Some("a"), None, None, S::Update, true),
        (Kind::Preference, Some("a"), resolved, None, S::Update, true),
        (Kind::SessionSummary, Some("a"), None, None, S::Update, true),
        (Kind::Lesson, Some("a"), None, None, S::Update, true),
        (Kind::Custom("adr".to_owned()), Some("a"), None, None, S::Update, true),
    ];
    for (kind, candidate, event, pre_action, structural, is_vetoed) in rows {
        let found = check(&kind, candidate, event);
        assert_eq!(found.pre_action, pre_action, "{kind} {candidate:?}");
        assert_eq!(found.structural, structural, "{kind} {candidate:?}");
        assert_eq!(!found.vetoes.is_empty(), is_vetoed, "{kind} {candidate:?}");
        assert_eq!(found.candidate.as_deref(), candidate);
    }
}

/// R254, R255, R256: every row of the table. The check is that of a kind
/// with or without a candidate.
#[test]
fn every_row_of_the_table() {
    use Action as A;
    use Action as J;
    let none = check(&Kind::TechDebt, None, None);
    let either = check(&Kind::TechDebt, Some("a"), None);
    let update = check(&Kind::Decision, Some("a"), None);
    let noop = check(&Kind::TechDebt, None, Some(LifecycleEvent::Removed));
    let rows = [
        // R254: the eight rows; R255 and R256 are among them.
        (&none, Some(J::Create), A::Create),
        (&none, Some(J::Update), A::Create),
        (&none, Some(J::Delete), A::Noop),
        (&either, Some(J::Update), A::Update),
        (&either, Some(J::Delete), A::Delete),
        (&either, Some(J::Create), A::Create),
        (&noop, Some(J::Create), A::Noop),
        (&noop, Some(J::Delete), A::Noop),
        // R254: a judged action that is missing or `NOOP`, and a structural `UPDATE`.
        (&update, Some(J::Update), A::Update),
        (&update, Some(J::Create), A::Create),
        (&update, Some(J::Delete), A::Update),
        (&noop, Some(J::Update), A::Noop),
        (&noop, Some(J::Noop), A::Noop),
        (&noop, None, A::Noop),
        (&none, Some(J::Noop), A::Noop),
        (&either, Some(J::Noop), A::Noop),
        (&update, Some(J::Noop), A::Noop),
        (&none, None, A::Create),
        // R248: UPDATE before DELETE.
        (&either, None, A::Update),
        (&update, None, A::Update),
    ];
    for (of_check, judged, want) in rows {
        let (found, why) = resolve(of_check, judged);
        assert_eq!(found, want, "{:?} {judged:?}", of_check.structural);
        assert!(!why.is_empty() && !why.contains('\n'));
    }
}

/// R246: a veto forbids what it names; the update of a decision goes on.
#[test]
fn a_veto_blocks_the_action_that_it_names() {
    for action in [Action::Create, Action::Update, Action::Delete] {
        let mut of_check = check(&Kind::Runbook, Some("a"), None);
        of_check.vetoes.push(Veto { action, why: "said so".to_owned() });
        for (judged, resolved) in [
            (Action::Create, Action::Create),
            (Action::Update, Action::Update),
            (Action::Delete, Action::Delete),
        ] {
            let want = if resolved == action { Action::Noop } else { resolved };
            assert_eq!(resolve(&of_check, Some(judged)).0, want, "{action:?} {judged:?}");
        }
    }
}

/// R257: nothing in the result asks; each pair has exactly one answer.
#[test]
fn words_of_judgement() {
    let rows = [
        ("create", Some(Action::Create)),
        (" UPDATE ", Some(Action::Update)),
        ("delete", Some(Action::Delete)),
        ("retire", Some(Action::Delete)),
        ("noop", Some(Action::Noop)),
        ("explode", None),
        ("", None),
    ];
    for (word, want) in rows {
        assert_eq!(Action::judged(word), want, "{word:?}");
    }
}
