//! The chain goes down one level at a time and starts where the store's size says.

use super::*;

fn size(memories: usize, bytes: u64) -> Size {
    Size { memories, bytes }
}

#[track_caller]
fn check_start(memories: usize, bytes: u64, semantic: bool, want: Level) {
    assert_eq!(start(size(memories, bytes), semantic, &RecallPolicy::default()), want);
}

/// R155 R157: semantic, keyword and recency, titles, full read; no level is skipped.
#[test]
fn the_order_is_fixed_and_one_step_at_a_time() {
    let mut level = Level::Semantic;
    let mut seen = vec![(level.number(), level.method())];
    while let Some(next) = level.next() {
        assert_eq!(next.number(), level.number() + 1);
        level = next;
        seen.push((level.number(), level.method()));
    }
    let methods = ["semantic+keyword", "keyword+recency", "title scan", "full read"];
    assert_eq!(seen, (0..).zip(methods).collect::<Vec<_>>());
}

/// R156: the highest level that is configured.
#[test]
fn a_large_store_starts_at_the_highest_level_there_is() {
    check_start(30, 100, true, Level::Semantic);
    check_start(30, 100, false, Level::Keyword);
}

/// R86 R130 R131: both limits must hold for a full read.
#[test]
fn a_small_store_starts_with_the_full_read() {
    let limit = 20 * 1024;
    check_start(29, limit - 1, true, Level::FullRead);
    check_start(29, limit - 1, false, Level::FullRead);
    check_start(29, limit, true, Level::Semantic);
    check_start(30, limit - 1, true, Level::Semantic);
    check_start(0, 0, true, Level::FullRead);
}

/// R87 R158: the line names the number and the method.
#[test]
fn the_log_line_names_level_and_method() {
    let step =
        Step { level: Level::Keyword, seen: 9, found: 2, note: "5 newest read too".to_owned() };
    assert_eq!(step.line(), "level 1 (keyword+recency): 2 of 9 fit; 5 newest read too");
}
