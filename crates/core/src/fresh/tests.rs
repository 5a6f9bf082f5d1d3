//! Every rule of freshness as a row: what is asked, what was answered, what is said.

use super::{
    Given, Gone, LinkedMemory, PathAnswer, Questions, Verdict, Warning, WarningKind, incomplete,
    is_same_id, judge, questions, render_section, rests_on, skipped,
};
use crate::kind::Kind;
use crate::memory::{Memory, MemoryId};
use crate::state::State;
use oldhand_text::time::parse_instant;

const FILE: &str = "decisions/use-cents.md";
const ID: &str = "1a2b3c4d5e6f00112233445566778899aabbccdd";
const OTHER: &str = "ffff3c4d5e6f00112233445566778899aabbccdd";

/// A decision that rests on `src/pay.rs`, as in the specification.
fn memory() -> Memory {
    let mut memory =
        Memory::new(MemoryId::parse("use-cents").unwrap(), Kind::Decision, "Use cents");
    memory.refresh_tier = Some(2);
    memory.updated_at = parse_instant("2026-06-01");
    memory.depends_on.code_paths = vec!["src/pay.rs".to_owned()];
    memory
}

fn seen(mut memory: Memory) -> Memory {
    memory.depends_on.seen = vec![format!("src/pay.rs@{}", &ID[..12])];
    memory
}

/// A committed file that nobody touched.
fn clean(commits: Option<u32>) -> PathAnswer {
    PathAnswer {
        exists: true,
        committed: Some(ID.to_owned()),
        content: Some(ID.to_owned()),
        commits,
        ..PathAnswer::default()
    }
}

fn judged(memory: &Memory, answers: Vec<Option<PathAnswer>>) -> super::Judgement {
    let given = Given { head: Some(OTHER.to_owned()), paths: answers, incomplete: None };
    judge(memory, FILE, &questions(memory), Some(&given))
}

#[track_caller]
fn check(memory: &Memory, answer: PathAnswer, verdict: Verdict, lines: &str) {
    let judged = judged(memory, vec![Some(answer)]);
    assert_eq!(judged.verdict, verdict);
    assert_eq!(&*render_section(&judged.warnings), lines);
}

#[track_caller]
fn unasked(memory: &Memory, why: &'static str) {
    assert_eq!(questions(memory), Questions::None(why));
    let judged = judge(memory, FILE, &questions(memory), None);
    assert_eq!((judged.verdict, judged.warnings), (Verdict::Unbound, Vec::new()));
}

#[test]
fn only_tier_two_with_paths_is_asked_about() {
    let with_tier = |tier| Memory { refresh_tier: tier, ..memory() };
    unasked(&with_tier(None), "no `refresh_tier`");
    for tier in [1, 3, 4] {
        unasked(&with_tier(Some(tier)), "its `refresh_tier` is not 2");
    }
    let mut without_paths = memory();
    without_paths.depends_on.code_paths.clear();
    unasked(&without_paths, "no `depends_on.code_paths`");
    without_paths.depends_on.code_paths = vec![" ".to_owned()];
    unasked(&without_paths, "no `depends_on.code_paths`");
}

#[test]
fn a_date_that_is_none_is_a_note_that_names_the_file() {
    let mut undated = memory();
    undated.updated_at = None;
    undated.verified_at = parse_instant("2026-06-01");
    let judged = judged(&undated, Vec::new());
    assert_eq!(judged.verdict, Verdict::Unknown);
    assert_eq!(
        &*render_section(&judged.warnings),
        "Freshness check skipped: decisions/use-cents.md has no usable `updated_at`\n"
    );
}

#[test]
fn the_later_of_written_and_verified_counts() {
    let mut memory = seen(memory());
    memory.depends_on.code_paths.push("src/pay.rs".to_owned());
    for (verified, since) in [
        (None, "2026-06-01T00:00:00Z"),
        (Some("2026-05-01"), "2026-06-01T00:00:00Z"),
        (Some("2026-07-01T12:00:00+02:00"), "2026-07-01T10:00:00Z"),
    ] {
        memory.verified_at = verified.and_then(parse_instant);
        let Questions::Ask(asked) = questions(&memory) else { panic!("nothing asked") };
        // A path named twice is asked about once, so that it warns once.
        assert_eq!(asked.len(), 1);
        assert_eq!(asked[0].since.to_string(), since);
        assert_eq!(asked[0].seen.as_deref(), Some(&ID[..12]));
    }
}

#[test]
fn commits_since_make_it_stale() {
    let say = |what: &str| {
        format!(
            "warning: decisions/use-cents.md (tier 2, updated 2026-06-01T00:00:00Z) may be stale: \
             `src/pay.rs` {what}; verify before relying on it\n"
        )
    };
    check(&memory(), clean(Some(0)), Verdict::Fresh, "");
    check(&memory(), clean(Some(1)), Verdict::Drifted, &say("changed in 1 commit since"));
    check(&memory(), clean(Some(3)), Verdict::Drifted, &say("changed in 3 commits since"));
    let dirty = |commits| PathAnswer { uncommitted: true, content: None, ..clean(Some(commits)) };
    check(&memory(), dirty(0), Verdict::Drifted, &say("has uncommitted changes"));
    check(
        &memory(),
        dirty(2),
        Verdict::Drifted,
        &say("changed in 2 commits since and has uncommitted changes"),
    );
    let mut verified = memory();
    verified.verified_at = parse_instant("2026-06-02");
    let judged = judged(&verified, vec![Some(clean(Some(1)))]);
    assert!(judged.warnings[0].text.contains(", verified 2026-06-02T00:00:00Z)"));
}

#[test]
fn a_warning_has_its_parts() {
    let judged = judged(&memory(), vec![Some(clean(Some(3)))]);
    let json = serde_json::to_value(&judged.warnings[0]).unwrap();
    let text = json["text"].as_str().unwrap().to_owned();
    assert_eq!(
        json,
        serde_json::json!({
            "kind": "changed", "memory": "use-cents", "file": FILE, "refresh_tier": 2,
            "updated_at": "2026-06-01T00:00:00Z", "dependency": "src/pay.rs", "commits": 3,
            "uncommitted": false, "action": "verify before relying on it", "text": text,
        })
    );
}

#[test]
fn equal_ids_need_no_history() {
    check(&seen(memory()), clean(None), Verdict::Fresh, "");
    // Commits that were taken back: counted or not, the content is the same.
    check(&seen(memory()), clean(Some(2)), Verdict::Fresh, "");
    // Written before it was committed, and still as it was then.
    let committed_later = |commits| PathAnswer {
        committed: Some(OTHER.to_owned()),
        uncommitted: true,
        ..clean(commits)
    };
    check(&seen(memory()), committed_later(Some(0)), Verdict::Fresh, "");
    assert_eq!(
        judged(&seen(memory()), vec![Some(committed_later(Some(1)))]).verdict,
        Verdict::Drifted
    );
}

#[test]
fn other_content_is_told_even_without_commits() {
    let other = |commits| PathAnswer {
        committed: Some(OTHER.to_owned()),
        content: Some(OTHER.to_owned()),
        ..clean(commits)
    };
    let text = |answer| judged(&seen(memory()), vec![Some(answer)]).warnings[0].text.clone();
    assert!(text(other(Some(0))).contains("`src/pay.rs` is not what was recorded;"));
    assert!(text(other(None)).contains("`src/pay.rs` changed since, commits not counted;"));
    assert!(text(other(Some(4))).contains("`src/pay.rs` changed in 4 commits since;"));
    let untracked = PathAnswer { committed: None, ..other(None) };
    assert!(text(untracked).contains("`src/pay.rs` changed since"));
}

#[test]
fn what_was_verified_at_this_commit_is_fresh() {
    let mut memory = memory();
    memory.verified_commit = Some(OTHER[..12].to_owned());
    check(&memory, clean(Some(1)), Verdict::Fresh, "");
    memory.verified_commit = Some(ID[..12].to_owned());
    assert_eq!(judged(&memory, vec![Some(clean(Some(1)))]).verdict, Verdict::Drifted);
}

#[test]
fn an_absent_path_is_a_note_and_the_others_are_still_checked() {
    let gone = |renamed_to: Option<&str>| {
        let renamed_to = renamed_to.map(str::to_owned);
        let gone = Some(Gone { commit: ID.to_owned(), renamed_to });
        PathAnswer { gone, ..PathAnswer::default() }
    };
    let note = |how: &str| {
        format!("Freshness check skipped: `src/pay.rs` not found{how} (decisions/use-cents.md)\n")
    };
    check(&memory(), PathAnswer::default(), Verdict::Orphaned, &note(""));
    check(&memory(), gone(None), Verdict::Orphaned, &note(", deleted in 1a2b3c4d5e6f"));
    check(
        &memory(),
        gone(Some("src/money.rs")),
        Verdict::Moved,
        &note(", renamed to `src/money.rs` in 1a2b3c4d5e6f"),
    );
    let uncommitted = PathAnswer { committed: Some(ID.to_owned()), ..PathAnswer::default() };
    check(&memory(), uncommitted, Verdict::Orphaned, &note(", deleted but not committed"));
    let mut two = memory();
    two.depends_on.code_paths.push("src/tax.rs".to_owned());
    let judged = judged(&two, vec![Some(PathAnswer::default()), Some(clean(Some(1)))]);
    assert_eq!(judged.verdict, Verdict::Orphaned);
    let kinds: Vec<WarningKind> = judged.warnings.iter().map(|warning| warning.kind).collect();
    assert_eq!(kinds, [WarningKind::Note, WarningKind::Changed]);
}

#[test]
fn what_nobody_could_tell_is_unknown_and_not_fresh() {
    let untracked =
        PathAnswer { exists: true, committed: None, content: None, ..PathAnswer::default() };
    check(&memory(), untracked, Verdict::Unknown, "");
    check(&memory(), clean(None), Verdict::Unknown, "");
    check(&memory(), PathAnswer { cut_off: true, ..clean(Some(0)) }, Verdict::Unknown, "");
    assert_eq!(judged(&memory(), vec![None]).verdict, Verdict::Unknown);
    assert_eq!(judge(&memory(), FILE, &questions(&memory()), None).verdict, Verdict::Unknown);
}

#[test]
fn the_notes_have_their_words() {
    assert_eq!(
        &*render_section(&[skipped(super::NO_GIT), incomplete("git took longer than 5 ms")]),
        "Freshness check skipped: git not available\n\
         Freshness check incomplete: git took longer than 5 ms\n"
    );
    assert_eq!(&*render_section(&[]), "");
}

#[test]
fn names_can_not_break_a_line() {
    let mut memory = memory();
    memory.depends_on.code_paths = vec!["src/a\nwarning: b\u{202e}.rs".to_owned()];
    let lines = render_section(&judged(&memory, vec![Some(clean(Some(1)))]).warnings);
    assert_eq!(lines.lines().count(), 1);
    assert!(lines.contains("`src/a warning: b<U+202E>.rs`"));
}

#[track_caller]
fn check_ground(standing: Option<LinkedMemory>, want: &str) {
    let mut memory = memory();
    memory.depends_on.decisions = vec!["use-floats".to_owned()];
    memory.related_to = vec!["use-floats".to_owned(), "use-cents".to_owned()];
    let warnings: Vec<Warning> = rests_on(&memory, FILE, &|_| standing.clone());
    let texts: Vec<&str> = warnings
        .iter()
        .filter_map(|warning| warning.text.split_once("it rests on ").map(|(_, text)| text))
        .collect();
    assert_eq!(texts.join("\n"), want);
}

#[test]
fn what_rests_on_a_memory_that_no_longer_holds_is_flagged_once() {
    let ground = |state, superseded_by: Option<&str>, verdict| {
        let superseded_by = superseded_by.map(str::to_owned);
        Some(LinkedMemory { id: "use-floats".to_owned(), state, superseded_by, verdict })
    };
    let tail = "; verify before relying on it";
    check_ground(
        ground(State::Superseded, Some("use-decimals"), None),
        &format!("`use-floats`, which is superseded by `use-decimals`{tail}"),
    );
    check_ground(
        ground(State::Archived, None, None),
        &format!("`use-floats`, which is archived{tail}"),
    );
    check_ground(
        ground(State::Retired, None, Some(Verdict::Fresh)),
        &format!("`use-floats`, which is retired{tail}"),
    );
    for verdict in [Verdict::Drifted, Verdict::Moved, Verdict::Orphaned] {
        check_ground(
            ground(State::Stable, None, Some(verdict)),
            &format!("`use-floats`, which may be stale itself{tail}"),
        );
    }
    for verdict in [Verdict::Unbound, Verdict::Fresh, Verdict::Unknown] {
        check_ground(ground(State::Stable, None, Some(verdict)), "");
    }
    // A successor may name what it replaced.
    check_ground(ground(State::Superseded, Some("use-cents"), None), "");
    check_ground(None, "");
}

#[test]
fn recorded_ids_are_read_with_care() {
    let mut memory = seen(memory());
    let depends_on = &mut memory.depends_on;
    depends_on.seen.push("a@b.rs@12ab".to_owned());
    depends_on.seen.push("odd".to_owned());
    depends_on.seen.push("src/x.rs@nothex".to_owned());
    assert_eq!(depends_on.seen_id("src/pay.rs"), Some(&ID[..12]));
    assert_eq!(depends_on.seen_id("a@b.rs"), Some("12ab"));
    for path in ["odd", "src/x.rs", "src/pay"] {
        assert_eq!(depends_on.seen_id(path), None, "{path}");
    }
    assert!(is_same_id(&ID[..12], ID));
    assert!(is_same_id(ID, ID));
    assert!(!is_same_id("1a2b", ID));
    assert!(!is_same_id(&OTHER[..12], ID));
    assert!(!is_same_id("", ID));
}
