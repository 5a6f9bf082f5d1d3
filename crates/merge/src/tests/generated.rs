//! Rules that hold for any three versions: both sides are random changes of one base.

use std::collections::BTreeSet;

use oldhand_core::codec::markdown::{Origin, parse};
use oldhand_core::kind::Kinds;
use oldhand_core::write;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use super::cases::swapped;
use crate::{MARKER_SIZE, Merged, Three, merge};

/// The parts of a file that are changed at random.
#[derive(Debug, Clone)]
struct Version {
    title: &'static str,
    life: &'static str,
    status: &'static str,
    tags: Vec<&'static str>,
    evidence: Vec<&'static str>,
    related: Vec<&'static str>,
    paths: Vec<&'static str>,
    changes: Vec<&'static str>,
    confidence: Option<&'static str>,
    extra: Option<&'static str>,
    updated_day: u8,
    times_updated: u8,
    above: Vec<&'static str>,
    context: Vec<&'static str>,
    decision: Vec<&'static str>,
    consequences: Vec<&'static str>,
    alternatives: Vec<&'static str>,
    notes: Vec<&'static str>,
}

const LINES: &[&str] = &["Alpha holds.", "Beta waits.", "Gamma is slow.", "Delta is gone.", "Eta."];
const ITEMS: &[&str] = &["one is first", "two is next", "two is odd", "three", "four and\n  more"];
const OPTIONS: &[&str] = &["**floats**: too rough", "**floats**: slow", "**decimals**", "plain"];

fn some(all: &'static [&'static str]) -> impl Strategy<Value = Vec<&'static str>> {
    subsequence(all, 0..=all.len())
}

fn version() -> impl Strategy<Value = Version> {
    let lives = [
        "state: stable\n",
        "state: provisional\nreview_after: 2026-06-01T00:00:00Z\n",
        "state: provisional\nreview_after: 2026-07-01T00:00:00Z\n",
        "state: retired\nprev_state: stable\nretired_reason: gone\n",
        "state: under_review\nstate_reason: odd\nprev_state: stable\n",
        "state: superseded\nsuperseded_by: other\n",
    ];
    let front = (
        select(vec!["Cents", "Use cents", "Money in cents"]),
        select(lives.to_vec()),
        select(vec!["accepted", "proposed", "deprecated"]),
        some(&["api", "money", "reports", "untagged"]),
        some(&["task:1", "task:2", "file:a.md"]),
        some(&["a", "b", "c", "d", "e", "f", "g"]),
        some(&["src/a.rs", "src/b.rs"]),
        some(&["2026-05-02", "2026-05-03", "2026-05-04"]),
        proptest::option::of(select(vec!["0.5", "0.7"])),
        proptest::option::of(select(vec!["x", "y", "[1, 2]", "[2, 3]"])),
        (1u8..6, 0u8..5),
    );
    let body = (some(LINES), some(LINES), some(LINES), some(ITEMS), some(OPTIONS), some(LINES));
    (front, body).prop_map(|(front, body)| Version {
        title: front.0,
        life: front.1,
        status: if front.1.starts_with("state: superseded") { "superseded" } else { front.2 },
        tags: front.3,
        evidence: front.4,
        related: front.5,
        paths: front.6,
        changes: front.7,
        confidence: front.8,
        extra: front.9,
        updated_day: front.10.0,
        times_updated: front.10.1,
        above: body.0,
        context: body.1,
        decision: body.2,
        consequences: body.3,
        alternatives: body.4,
        notes: body.5,
    })
}

/// A side takes over each part of the base, or changes it.
fn changed(base: Version, other: Version, mask: u32) -> Version {
    let mut side = base;
    let mut bit = 0;
    macro_rules! take {
        ($($field:ident),+) => {$(
            if mask >> bit & 1 == 1 {
                side.$field = other.$field.clone();
            }
            bit += 1;
        )+};
    }
    take!(title, tags, evidence, related, paths, changes, confidence, extra);
    take!(updated_day, times_updated, above, context, decision, consequences, alternatives, notes);
    if mask >> bit & 1 == 1 {
        (side.life, side.status) = (other.life, other.status);
    }
    side
}

fn triples() -> impl Strategy<Value = [String; 3]> {
    let masks = (any::<u32>(), any::<u32>(), any::<u32>());
    (version(), version(), version(), masks, any::<bool>()).prop_map(
        |(base, ours, theirs, (first, second, third), both_added)| {
            // Few bits: most parts stay as they were.
            let ours = changed(base.clone(), ours, first & third);
            let theirs = changed(base.clone(), theirs, second & !third | (first & second));
            let base = if both_added && first % 4 == 0 { String::new() } else { text(&base) };
            [base, text(&ours), text(&theirs)]
        },
    )
}

fn text(version: &Version) -> String {
    let mut out = format!("---\nid: cents\ntype: decision\ntitle: {}\n", version.title);
    out += &format!("status: {}\n{}", version.status, version.life);
    let tags = if version.tags.is_empty() { vec!["untagged"] } else { version.tags.clone() };
    out += &format!("scope: project\ntags: [{}]\norigin: user\n", tags.join(", "));
    for (key, value) in [("confidence", version.confidence), ("mood", version.extra)] {
        out += &value.map(|value| format!("{key}: {value}\n")).unwrap_or_default();
    }
    out += "created_at: 2026-05-01T08:00:00Z\n";
    out += &format!("updated_at: 2026-05-0{}T08:00:00Z\n", version.updated_day);
    out += &format!("times_updated: {}\n", version.times_updated);
    let related = &version.related[..version.related.len().min(5)];
    for (key, list) in [("evidence", &version.evidence[..]), ("related_to", related)] {
        if !list.is_empty() {
            out += &format!("{key}: [{}]\n", list.join(", "));
        }
    }
    if !version.paths.is_empty() {
        out += &format!("depends_on:\n  code_paths: [{}]\n", version.paths.join(", "));
    }
    if !version.changes.is_empty() {
        out += "changes:\n";
        for date in &version.changes {
            out += &format!("  - date: {date}T08:00:00Z\n    summary: on {date}\n");
        }
    }
    out += "---\n";
    let mut section = |head: &str, lines: &[&str], mark: &str| {
        if !lines.is_empty() {
            let lines: String = lines.iter().map(|line| format!("{mark}{line}\n")).collect();
            out += &format!("\n{head}{lines}");
        }
    };
    section("", &version.above, "");
    section("## Context\n", &version.context, "");
    section("## Decision\nIt is decided.\n", &version.decision, "");
    section(
        "## Decision\nIt is decided.\n",
        if version.decision.is_empty() { &["So."] } else { &[] },
        "",
    );
    section("## Alternatives\n", &version.alternatives, "- ");
    section("## Consequences\n", &version.consequences, "- ");
    section("## Notes\n", &version.notes, "");
    out
}

fn merged([base, ours, theirs]: [&String; 3]) -> Merged {
    let [base, ours, theirs] = [base, ours, theirs].map(|text| text.as_bytes());
    merge(Three { base, ours, theirs }, "decisions/cents.md", MARKER_SIZE)
}

/// Each line with the section that it stands in, since the same words may stand in several.
fn said(text: &str) -> BTreeSet<(String, String)> {
    let mut section = String::new();
    let mut said = BTreeSet::new();
    let body = text.splitn(3, "---\n").nth(2).unwrap_or_default();
    for line in body.lines().filter(|line| !line.trim().is_empty()) {
        if line.starts_with("## ") {
            section = line.to_owned();
        }
        said.insert((section.clone(), line.to_owned()));
    }
    said
}

fn list<'t>(text: &'t str, key: &str) -> BTreeSet<&'t str> {
    let line = text.lines().find_map(|line| line.strip_prefix(key));
    let items = line.unwrap_or_default().trim_matches([' ', '[', ']']).split(", ");
    items.filter(|item| !item.is_empty()).collect()
}

fn problem_fields(text: &str) -> Option<BTreeSet<String>> {
    let kinds = Kinds::default();
    let parsed = parse(text, Origin { stem: "cents", folder: "decisions" }, &kinds).ok()?;
    let checked = write::check(&parsed.memory, &kinds);
    Some(parsed.problems.into_iter().chain(checked).map(|it| it.field).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn one_sided_changes_are_taken_to_the_byte([base, ours, _] in triples()) {
        for sides in [[&base, &ours, &base], [&base, &base, &ours], [&base, &ours, &ours]] {
            let result = merged(sides);
            prop_assert_eq!(result.bytes, ours.as_bytes());
            prop_assert_eq!(result.conflicts, 0);
        }
    }

    #[test]
    fn the_sides_can_be_swapped([base, ours, theirs] in triples()) {
        let [one, other] = [[&base, &ours, &theirs], [&base, &theirs, &ours]].map(merged);
        let [text, again] = [one.bytes, other.bytes].map(|it| String::from_utf8(it).unwrap());
        prop_assert_eq!(text, swapped(&again));
        prop_assert_eq!((one.conflicts, one.notes), (other.conflicts, other.notes));
    }

    #[test]
    fn nothing_is_lost([base, ours, theirs] in triples()) {
        let result = merged([&base, &ours, &theirs]);
        let text = String::from_utf8(result.bytes).unwrap();
        let [was, in_ours, in_theirs, is] = [&base, &ours, &theirs, &text].map(|it| said(it));
        for (side, other) in [(&in_ours, &in_theirs), (&in_theirs, &in_ours)] {
            for line in side {
                let was_taken_out = was.contains(line) && !other.contains(line);
                prop_assert!(was_taken_out || is.contains(line), "{:?} is gone from\n{}", line, text);
            }
        }
        let [before, first, second, kept] =
            [&base, &ours, &theirs, &text].map(|it| list(it, "evidence:"));
        for (side, other) in [(&first, &second), (&second, &first)] {
            let mut stays = side.iter().filter(|it| !before.contains(*it) || other.contains(*it));
            prop_assert!(stays.all(|it| kept.contains(it)), "{}", text);
        }
        for date in ["2026-05-02", "2026-05-03", "2026-05-04"] {
            let change = format!("summary: on {date}");
            let was = ours.contains(&change) || theirs.contains(&change);
            let taken_out = base.contains(&change)
                && (!ours.contains(&change) || !theirs.contains(&change));
            prop_assert!(taken_out || was == text.contains(&change), "{}", text);
        }
    }

    #[test]
    fn a_clean_result_is_a_memory_without_new_problems([base, ours, theirs] in triples()) {
        let result = merged([&base, &ours, &theirs]);
        let text = String::from_utf8(result.bytes).unwrap();
        let markers = text.lines().filter(|line| line.starts_with("<<<<<<< ours")).count();
        prop_assert_eq!(markers, result.conflicts);
        if result.conflicts > 0 {
            return Ok(());
        }
        let Some(found) = problem_fields(&text) else {
            return Err(TestCaseError::fail(format!("unreadable:\n{text}")));
        };
        let known: BTreeSet<_> =
            [&ours, &theirs].into_iter().filter_map(|it| problem_fields(it)).flatten().collect();
        prop_assert!(found.is_subset(&known), "{:?}\n{}", found, text);
        prop_assert_eq!(text.contains("status: superseded"), text.contains("state: superseded"));
    }

    /// Any bytes at all: no panic, and the same with the sides swapped.
    #[test]
    fn any_bytes_are_merged(
        base in proptest::collection::vec(any::<u8>(), 0..60),
        ours in "(---\n)?(id: a\n)?[a-z#:\n\\- é\r]{0,60}(---\n)?(## A\n)?[\\-a b\n]{0,20}",
        theirs in "(---\n)?(id: a\n)?[a-z#:\n\\- é\r]{0,60}(---\n)?(## A\n)?[\\-a b\n]{0,20}",
    ) {
        let merged = |ours: &str, theirs: &str| {
            let [ours, theirs] = [ours, theirs].map(str::as_bytes);
            merge(Three { base: base.as_slice(), ours, theirs }, "", MARKER_SIZE)
        };
        prop_assert_eq!(merged(&ours, &theirs).conflicts, merged(&theirs, &ours).conflicts);
    }
}
