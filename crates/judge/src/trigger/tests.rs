//! Each rule as incidents and the key that comes of them.

use proptest::prelude::*;

use super::*;
use oldhand_core::kind::schema::LESSON_TYPES;

/// `t1 passed failure_class=flaky test` is one incident of the task `t1`.
fn incident(line: &str) -> Incident {
    let mut parts = line.splitn(3, ' ');
    let task = parts.next().unwrap();
    let outcome = parts.next().and_then(|word| Outcome::parse(word).ok());
    let mut signals = TaskSignals::default();
    for (field, value) in parts.next().unwrap_or("").split("; ").filter_map(|s| s.split_once('=')) {
        let list = || value.split(", ").map(str::to_owned).collect();
        match field {
            "failure_class" => signals.failure_class = Some(value.to_owned()),
            "concerns" => signals.concerns = list(),
            "recovery_class" => signals.recovery_class = Some(value.to_owned()),
            "task_kind" => signals.task_kind = Some(value.to_owned()),
            "self_check" => signals.self_check = value.parse().ok(),
            "recipes" => signals.recipes = list(),
            "conflicts" => signals.integration_conflicts = list(),
            other => panic!("{other}"),
        }
    }
    Incident { reference: format!("task:{task}"), task: task.to_owned(), outcome, signals }
}

fn incidents(lines: &[&str]) -> Vec<Incident> {
    lines.iter().map(|line| incident(line)).collect()
}

/// Each wanted pattern as `key type evidence...`.
#[track_caller]
fn check(lines: &[&str], want: &[&str]) {
    let found: Vec<String> = patterns(&incidents(lines))
        .iter()
        .map(|pattern| {
            format!("{} {} {}", pattern.key, pattern.lesson_type, pattern.evidence.join(" "))
        })
        .collect();
    assert_eq!(found, want);
}

#[test]
fn r187_the_same_failure_twice() {
    check(
        &["t1 failed failure_class=flaky-test", "t2 passed failure_class=Flaky Test"],
        &["failure_class:flaky-test failure_lesson task:t2 task:t1"],
    );
    check(
        &["a failed failure_class=x", "b failed failure_class=x", "c failed failure_class=_X_"],
        &["failure_class:x failure_lesson task:c task:b"],
    );
    check(&["t1 failed failure_class=flaky-test", "t2 failed failure_class=timeout"], &[]);
    check(&["t1 failed failure_class=x", "t1 failed failure_class=x"], &[]);
    check(&["t1 failed failure_class=unknown", "t2 failed failure_class=unknown"], &[]);
    check(&["t1 failed failure_class=n/a", "t2 failed failure_class=N/A"], &[]);
}

#[test]
fn r188_the_same_concern_in_two_tasks() {
    check(
        &["t1 passed concerns=naming, error_handling", "t2 passed concerns=Error Handling"],
        &["concern:error-handling failure_lesson task:t2 task:t1"],
    );
    check(
        &["t1 passed concerns=test coverage", "t2 passed concerns=test-coverage"],
        &["concern:test-coverage test_strategy task:t2 task:t1"],
    );
    check(
        &["t1 passed concerns=magic numbers", "t2 passed concerns=magic numbers"],
        &["concern:magic-numbers risk_pattern task:t2 task:t1"],
    );
    check(&["t1 passed concerns=naming, Naming"], &[]);
}

/// R188 counts tasks, not references, and two tasks of one session are still two.
#[test]
fn r188_tasks_are_counted_not_references() {
    let mut two = incidents(&["t1 passed concerns=naming", "t1 passed concerns=naming"]);
    two[1].reference = "session:s1".to_owned();
    assert_eq!(patterns(&two), []);
    two[0].reference = "session:s1".to_owned();
    two[1].task = "t2".to_owned();
    assert_eq!(patterns(&two)[0].evidence, ["session:s1", "task:t2"]);
    assert_eq!(patterns(&two)[0].sources, ["session:s1"]);
}

#[test]
fn r189_the_same_recovery_twice() {
    check(
        &["t1 passed recovery_class=rollback", "t2 failed recovery_class=rollback"],
        &["recovery_class:rollback risk_pattern task:t2"],
    );
    check(&["t1 passed recovery_class=rollback"], &[]);
}

#[test]
fn r190_a_recipe_that_worked_in_three_tasks() {
    let passed = [
        "a passed recipes=curl smoke",
        "b passed recipes=curl smoke, x",
        "c passed recipes=curl-smoke",
    ];
    check(&passed, &["recipe:curl-smoke test_strategy task:c task:b"]);
    check(&passed[..2], &[]);
    check(&[passed[0], passed[1], "c failed recipes=curl smoke"], &[]);
    check(&[passed[0], passed[1], passed[1]], &[]);
}

#[test]
fn r191_conflicts_twice_in_one_place() {
    check(
        &["t1 passed conflicts=src/pay.rs, src/a.rs", "t2 passed conflicts=./src/Pay.rs"],
        &["integration_conflict:src/pay.rs integration_pattern task:t2"],
    );
    check(&["t1 passed conflicts=src/pay.rs", "t2 passed conflicts=src/pay"], &[]);
}

#[test]
fn r192_unsure_twice_about_one_kind_of_task() {
    check(
        &[
            "t1 passed task_kind=migration; self_check=2",
            "t2 failed task_kind=Migration; self_check=1",
        ],
        &["self_check:migration risk_pattern task:t2"],
    );
    check(
        &[
            "t1 passed task_kind=migration; self_check=2",
            "t2 passed task_kind=migration; self_check=3",
        ],
        &[],
    );
    check(&["t1 passed self_check=1", "t2 passed self_check=1"], &[]);
    check(&["t1 passed task_kind=a; self_check=1", "t2 passed task_kind=b; self_check=1"], &[]);
}

#[test]
fn a_pattern_reads_well() {
    let found = patterns(&incidents(&[
        "t2 failed failure_class=flaky `test`",
        "t1 failed failure_class=flaky_'test'",
        "t3 failed failure_class=flaky 'test'",
    ]));
    assert_eq!(found[0].title, "Repeated failure: flaky 'test'");
    assert_eq!(found[0].summary, "Work failed more than once with `flaky 'test'`.");
    assert_eq!(found[0].sources, ["task:t1", "task:t2", "task:t3"]);
    assert_eq!(found[0].evidence, ["task:t3", "task:t1"]);
}

#[test]
fn only_the_newest_are_looked_at() {
    let mut many: Vec<Incident> =
        (0..INCIDENTS_MAX).map(|n| incident(&format!("n{n} passed"))).collect();
    many[0] = incident("b failed failure_class=x");
    many.insert(0, incident("a failed failure_class=x"));
    assert_eq!(patterns(&many), []);
    many.remove(2);
    assert_eq!(patterns(&many).len(), 1);
}

#[test]
fn many_sources_are_bounded() {
    let many: Vec<Incident> =
        (0..600).map(|n| incident(&format!("n{n} failed recovery_class=retry"))).collect();
    let found = patterns(&many);
    assert_eq!(found[0].sources.len(), LIST_ITEMS_MAX);
    assert_eq!(found[0].evidence, ["task:n599"]);
}

fn any_incidents() -> impl Strategy<Value = Vec<Incident>> {
    let value = || proptest::sample::select(vec!["a b", "A_b", "a-B", "c", "none", ""]);
    let one = (0..6u8, any::<bool>(), value(), value(), 0..7u8).prop_map(
        |(task, passed, one, other, sure)| {
            let outcome = if passed { "passed" } else { "failed" };
            incident(&format!(
                "t{task} {outcome} failure_class={one}; concerns={one}, {other}; \
                 recovery_class={other}; task_kind={one}; self_check={sure}; recipes={other}; \
                 conflicts={one}"
            ))
        },
    );
    proptest::collection::vec(one, 0..12)
}

proptest! {
    #[test]
    fn the_order_decides_only_what_is_newest(
        (given, shuffled) in any_incidents().prop_flat_map(|i| (Just(i.clone()), Just(i).prop_shuffle())),
    ) {
        let bare = |incidents: &[Incident]| -> Vec<Pattern> {
            patterns(incidents).into_iter().map(|p| Pattern { evidence: Vec::new(), ..p }).collect()
        };
        prop_assert_eq!(bare(&given), bare(&shuffled));
        for pattern in patterns(&given) {
            let wanted = if ["failure_class", "concern", "recipe"].iter().any(|k| pattern.key.starts_with(k)) { 2 } else { 1 };
            prop_assert_eq!(pattern.evidence.len(), wanted, "{}", pattern.key);
            prop_assert!(LESSON_TYPES.contains(&pattern.lesson_type));
            prop_assert!(pattern.evidence.iter().all(|e| pattern.sources.contains(e)));
        }
    }

    #[test]
    fn any_words_are_taken(values in proptest::collection::vec(".{0,300}", 2..6)) {
        let given: Vec<Incident> = values.iter().enumerate().map(|(n, value)| {
            let mut one = incident(&format!("t{n} passed"));
            one.signals.concerns = values.clone();
            one.signals.failure_class = Some(value.clone());
            one
        }).collect();
        for pattern in patterns(&given) {
            prop_assert!(pattern.title.chars().count() <= TITLE_CHARS_MAX);
        }
    }
}
