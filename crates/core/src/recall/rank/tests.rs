//! How candidates are weighed.

use super::*;
use crate::kind::Kind;
use crate::memory::{Memory, MemoryId};
use crate::origin::Origin;
use crate::policy::TrustPolicy;
use crate::scope::Scope;
use crate::signals::Signals;
use oldhand_text::time::parse_instant;

const NOW: &str = "2026-11-16T00:00:00Z";

fn memory(id: &str, updated: &str) -> Memory {
    let mut memory = Memory::new(MemoryId::of_title(id), Kind::Decision, id);
    memory.state = crate::state::State::Stable;
    memory.origin = Origin::User;
    memory.updated_at = parse_instant(updated);
    memory
}

fn candidate(memory: &Memory, features: Features) -> Candidate {
    let signals = Signals::start(1, memory.origin, &TrustPolicy::default());
    Candidate {
        card: Card::of(memory, &signals, "", 0),
        store: 0,
        path: format!("decisions/{}.md", memory.id),
        features,
        matched: Vec::new(),
        replaces: Vec::new(),
    }
}

fn with_ranking<T>(paths: &[&str], job: impl FnOnce(Ranking<'_>) -> T) -> T {
    let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
    let query = Query::new("task", &paths);
    let policy = RecallPolicy::default();
    let now = parse_instant(NOW).map_or(0, jiff::Timestamp::as_second);
    job(Ranking {
        query: &query,
        policy: &policy,
        now,
        semantic: true,
        doubted: false,
        unasked: false,
        background: policy.weights.evidence.background,
    })
}

#[track_caller]
fn check_recency(memory: &Memory, is_referenced: bool, want: f64) {
    let card = candidate(memory, Features::default()).card;
    let found = with_ranking(&[], |ranking| recency_weight(&card, is_referenced, ranking));
    assert!((found - want).abs() < 1e-9, "{found}");
}

/// R139: half after 90 days.
#[test]
fn recency_halves_every_90_days() {
    check_recency(&memory("new", NOW), false, 1.0);
    check_recency(&memory("old", "2026-08-18"), false, 0.5);
    check_recency(&memory("older", "2026-05-20"), false, 0.25);
    check_recency(&memory("from the future", "2027-01-01"), false, 1.0);
}

/// R141 R142 R143: global, evergreen, and referenced constraints don't age.
#[test]
fn some_memories_do_not_age() {
    let mut global = memory("global", "2020-01-01");
    global.scope = Scope::Global;
    check_recency(&global, false, 1.0);
    let mut evergreen = memory("evergreen", "2020-01-01");
    evergreen.evergreen = true;
    check_recency(&evergreen, false, 1.0);
    let mut binding = memory("binding", "2026-08-18");
    let constraints = crate::content::FieldValue::List(vec!["no floats".to_owned()]);
    binding.content.set("constraints", constraints);
    check_recency(&binding, true, 1.0);
    check_recency(&binding, false, 0.5);
}

/// R138: one for a keyword match, none without, and how new it is.
#[test]
fn the_selective_score_is_match_plus_recency() {
    let old = memory("old", "2026-08-18");
    let lexical = Features { lexical: 3.0, ..Features::default() };
    for (features, want) in [(lexical, 1.5), (Features::default(), 0.5)] {
        let scored = with_ranking(&[], |it| rank(vec![candidate(&old, features)], it));
        let found = with_ranking(&[], |it| selective_score(&scored[0], false, it));
        assert!((found - want).abs() < 1e-9, "{found}");
    }
}

fn order(candidates: Vec<Candidate>, paths: &[&str]) -> Vec<String> {
    with_ranking(paths, |ranking| rank(candidates, ranking))
        .into_iter()
        .map(|scored| scored.candidate.card.id)
        .collect()
}

const EQUAL: Features = Features {
    lexical: 2.0,
    coverage: 0.5,
    title_coverage: 0.0,
    telling_coverage: 0.5,
    dense: Some(0.5),
};

#[test]
fn ties_are_broken_by_id_whatever_the_order() {
    let make = |id: &str| candidate(&memory(id, NOW), EQUAL);
    assert_eq!(order(vec![make("b"), make("a"), make("c")], &[]), ["a", "b", "c"]);
    assert_eq!(order(vec![make("c"), make("b"), make("a")], &[]), ["a", "b", "c"]);
}

#[test]
fn newer_trusted_and_nearer_ones_come_first_among_equals() {
    let newer = candidate(&memory("z-new", NOW), EQUAL);
    let older = candidate(&memory("a-old", "2025-01-01"), EQUAL);
    assert_eq!(order(vec![older, newer], &[]), ["z-new", "a-old"]);
    let mut doubtful = candidate(&memory("a-doubtful", NOW), EQUAL);
    doubtful.card.trust = 0.3;
    let trusted = candidate(&memory("z-trusted", NOW), EQUAL);
    assert_eq!(order(vec![doubtful, trusted], &[]), ["z-trusted", "a-doubtful"]);
    let mut near = memory("z-near", NOW);
    near.related_files = vec!["src/pay/total.rs".to_owned()];
    let near = candidate(&near, EQUAL);
    let far = candidate(&memory("a-far", NOW), EQUAL);
    assert_eq!(order(vec![far, near], &["src/pay/total.rs"]), ["z-near", "a-far"]);
}

/// R26 R84: what has nothing to do with the task is no part of the answer, however new.
#[test]
fn an_irrelevant_memory_does_not_become_relevant_by_being_new() {
    let faint = Features { dense: Some(0.05), ..Features::default() };
    let scored = with_ranking(&[], |it| rank(vec![candidate(&memory("new", NOW), faint)], it));
    assert!(!scored[0].is_relevant);
}
