//! The samples, with their sides swapped too, and one case for each rule.

use std::path::Path;

use crate::{MARKER_SIZE, Merged, Three, merge};

fn read(case: &str, name: &str) -> Vec<u8> {
    let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/samples/imports/merge");
    std::fs::read(Path::new(samples).join(case).join(name)).unwrap()
}

fn merged(base: &[u8], ours: &[u8], theirs: &[u8]) -> Merged {
    merge(Three { base, ours, theirs }, "", MARKER_SIZE)
}

/// With the two sides of each conflict exchanged.
pub(super) fn swapped(text: &str) -> String {
    let mut out = String::new();
    let mut parts: Option<[String; 3]> = None;
    let mut part = 0;
    for line in text.split_inclusive('\n') {
        match (&mut parts, line) {
            (None, "<<<<<<< ours\n") => (parts, part) = (Some(Default::default()), 0),
            (Some(_), "||||||| base\n") => part = 1,
            (Some(_), "=======\n") => part = 2,
            (Some([ours, base, theirs]), ">>>>>>> theirs\n") => {
                out += &format!(
                    "<<<<<<< ours\n{theirs}||||||| base\n{base}=======\n{ours}>>>>>>> theirs\n"
                );
                parts = None;
            }
            (Some(parts), line) => parts[part] += line,
            (None, line) => out += line,
        }
    }
    out
}

#[test]
fn samples_to_the_byte() {
    let expected: serde_json::Value = serde_json::from_slice(&read("", "expected.json")).unwrap();
    for case in expected["cases"].as_array().unwrap() {
        let name = case["case"].as_str().unwrap();
        if case["driver"].is_string() {
            continue;
        }
        let [base, ours, theirs, wanted] =
            ["base.md", "ours.md", "theirs.md", "merged.md"].map(|it| read(name, it));
        let result = merged(&base, &ours, &theirs);
        let text = String::from_utf8(result.bytes).unwrap();
        assert_eq!(text, String::from_utf8(wanted).unwrap(), "{name}");
        assert_eq!(u64::from(result.conflicts > 0), case["exit"].as_u64().unwrap(), "{name}");
        if let Some(note) = case["note"].as_str() {
            assert!(result.notes.iter().any(|it| it.ends_with(note)), "{name}: {:?}", result.notes);
        }
        let other = merged(&base, &theirs, &ours);
        assert_eq!(swapped(&String::from_utf8(other.bytes).unwrap()), text, "{name}, swapped");
    }
}

const DECISION: &str = "---\nid: cents\ntype: decision\ntitle: Cents\nstatus: accepted\nstate: stable\n\
    scope: project\ntags: [money]\norigin: user\ncreated_at: 2026-05-01T08:00:00Z\n\
    updated_at: 2026-05-01T08:00:00Z\n---\n\n## Decision\nKeep cents.\n\n## Consequences\n\
    - The API sends cents\n- Reports divide\n";
const CONSTRAINT: &str = "---\nid: cold\ntype: constraint\ntitle: Cold\nkind: policy\n\
    severity: low\nactive: true\nexpires: 2026-12-01\nstate: stable\nscope: project\n\
    tags: [ops]\norigin: user\nconfidence: 0.9\ncreated_at: 2026-05-01T08:00:00Z\n\
    updated_at: 2026-05-01T08:00:00Z\ndepends_on:\n  code_paths: [a.rs, b.rs]\n  \
    seen: [a.rs@11, b.rs@22]\nverified_at: 2026-05-01T08:00:00Z\nverified_commit: aaa\n---\n\n\
    ## Rule\nStay cold.\n";

/// An edit of a text: what stands there, and what takes its place.
type Edit<'t> = (&'t str, &'t str);

fn edited(text: &str, edits: &[Edit<'_>]) -> String {
    edits.iter().fold(text.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from} is not in {text}");
        text.replacen(from, to, 1)
    })
}

/// Both ways round: the result has these texts and lacks the others, with so many conflicts.
#[track_caller]
fn check(base: &str, sides: [&[Edit<'_>]; 2], conflicts: usize, has: &[&str], lacks: &[&str]) {
    let [ours, theirs] = sides.map(|edits| edited(base, edits));
    for (at, [ours, theirs]) in [[&ours, &theirs], [&theirs, &ours]].into_iter().enumerate() {
        let result = merged(base.as_bytes(), ours.as_bytes(), theirs.as_bytes());
        let text = String::from_utf8(result.bytes).unwrap();
        let text = if at == 1 { swapped(&text) } else { text };
        let all = format!("{text}\n{}", result.notes.join("\n"));
        has.iter().for_each(|it| assert!(all.contains(it), "`{it}` is missing:\n{all}"));
        lacks.iter().for_each(|it| assert!(!all.contains(it), "`{it}` is there:\n{all}"));
        assert_eq!(result.conflicts, conflicts, "{all}");
        let others: &[&str] = if conflicts > 0 { &[] } else { &["<<<<"] };
        others.iter().for_each(|it| assert!(!text.contains(it), "{text}"));
    }
}

#[test]
fn limits_and_numbers() {
    check(
        CONSTRAINT,
        [
            &[("severity: low", "severity: medium"), ("expires: 2026-12-01\n", ""), ("0.9", "0.8")],
            &[("severity: low", "severity: high"), ("2026-12-01", "2027-01-01"), ("0.9", "0.7")],
        ],
        0,
        &["severity: high", "confidence: 0.7"],
        &["expires", "plain text"],
    );
    check(
        CONSTRAINT,
        [&[("2026-12-01", "2027-02-01")], &[("2026-12-01", "2027-01-01")]],
        0,
        &["expires: 2027-02-01"],
        &[],
    );
    check(
        CONSTRAINT,
        [&[("active: true\n", "")], &[("active: true", "active: false")]],
        0,
        &[],
        &["active"],
    );
    check(
        CONSTRAINT,
        [&[("kind: policy", "kind: gap")], &[("kind: policy", "kind: technical")]],
        1,
        &["kind: gap\n||||||| base\nkind: policy\n=======\nkind: technical\n"],
        &["plain text"],
    )
}

#[test]
#[should_panic(expected = "is missing")]
fn a_check_can_fail() {
    check(CONSTRAINT, [&[("low", "high")], &[("a.rs@11", "a.rs@33")]], 0, &["severity: low"], &[]);
}

#[test]
fn what_it_rests_on() {
    check(
        CONSTRAINT,
        [
            &[
                ("[a.rs, b.rs]", "[a.rs, b.rs, c.rs]"),
                ("a.rs@11, b.rs@22", "a.rs@33, b.rs@22, c.rs@5"),
            ],
            &[("[a.rs, b.rs]", "[a.rs]"), ("a.rs@11, b.rs@22", "a.rs@44")],
        ],
        0,
        &["code_paths: [a.rs, c.rs]", "seen: [c.rs@5]"],
        &["plain text"],
    );
    check(
        CONSTRAINT,
        [
            &[("verified_at: 2026-05-01", "verified_at: 2026-05-03"), ("aaa", "bbb")],
            &[("verified_at: 2026-05-01", "verified_at: 2026-05-02"), ("aaa", "ccc")],
        ],
        0,
        &["verified_at: 2026-05-03T08:00:00Z\nverified_commit: bbb\n"],
        &["ccc"],
    );
}

#[test]
fn lists_of_the_frontmatter() {
    let many: Vec<String> = (0..9).map(|it| format!("t{it}")).collect();
    let [ours, theirs] = ["a", "b"].map(|side| {
        let tags: Vec<String> = many.iter().map(|it| format!("{side}{it}")).collect();
        format!("tags: [money, {}]", tags.join(", "))
    });
    check(
        DECISION,
        [&[("tags: [money]", &ours)], &[("tags: [money]", &theirs)]],
        0,
        &["tags: [at0, at1", "bt1, money]", "at most 12 fit: `bt2`"],
        &["bt2, "],
    );
    check(
        DECISION,
        [&[("origin", "mood: [b, a]\norigin")], &[("origin", "mood: [a, c]\norigin")]],
        0,
        &["mood: [a, c, b]\n"],
        &[],
    );
    check(
        DECISION,
        [&[("origin", "mood: b # why\norigin")], &[("origin", "mood: c\norigin")]],
        1,
        &["mood: b # why\n", "mood: c\n"],
        &[],
    );
    check(
        DECISION,
        [&[("origin", "# a comment\norigin")], &[("tags: [money]", "tags: [api]")]],
        0,
        &["tags: [api]\n# a comment\norigin"],
        &["plain text"],
    );
}

#[test]
fn lives() {
    let over = [
        ("status: accepted", "status: superseded"),
        ("state: stable", "state: superseded\nsuperseded_by: floats"),
    ];
    check(
        DECISION,
        [&over, &[("status: accepted", "status: deprecated"), ("state: stable", "state: retired")]],
        0,
        &[
            "status: superseded\nstate: superseded\n",
            "superseded_by: floats",
            "superseded was kept",
        ],
        &["plain text"],
    );
    // Equal states: the later change.
    let late = [
        ("state: stable", "state: retired\nretired_reason: late"),
        ("updated_at: 2026-05-01", "updated_at: 2026-05-02"),
    ];
    check(
        DECISION,
        [&late, &[("state: stable", "state: retired\nretired_reason: zz")]],
        0,
        &["retired_reason: late", "both moved it to retired"],
        &["zz"],
    );
}

#[test]
fn items_of_a_list() {
    let item = "- The API sends cents";
    check(
        DECISION,
        [&[(item, "- The API sends integers")], &[(item, "- The API sends strings")]],
        1,
        &[
            "- The API sends integers\n||||||| base\n- The API sends cents\n=======\n- The",
            "\n- Reports",
        ],
        &["plain text"],
    );
    check(
        DECISION,
        [&[(item, "- Numbers are sent")], &[(item, "- Strings are sent")]],
        0,
        &["- Numbers are sent\n- Strings are sent\n- Reports divide\n"],
        &["The API"],
    );
    check(
        DECISION,
        [&[(item, "- The API sends integers")], &[("- Reports divide", "- Reports are exact")]],
        0,
        &["- The API sends integers\n- Reports are exact\n"],
        &[],
    );
    check(
        DECISION,
        [&[("- The API sends cents\n", "")], &[(item, "- The API sends integers")]],
        0,
        &["- The API sends integers", "taken out on the other: kept"],
        &[],
    );
    check(
        DECISION,
        [
            &[("- The API sends cents\n", "")],
            &[("- Reports divide\n", "- Reports divide\n- New\n")],
        ],
        0,
        &["## Consequences\n- Reports divide\n- New\n"],
        &["The API"],
    );
}

#[test]
fn whole_sections() {
    let context = ("## Decision", "## Context\nMoney.\n\n## Decision");
    let notes = ("- Reports divide\n", "- Reports divide\n\n## Notes\nMore.\n");
    check(
        DECISION,
        [&[context], &[notes, ("Keep cents.", "Keep only cents.")]],
        0,
        &[
            "\n\n## Context\nMoney.\n\n## Decision\nKeep only cents.\n\n## Con",
            "divide\n\n## Notes\nMore.\n",
        ],
        &["plain text"],
    );
    check(
        DECISION,
        [
            &[("\n## Consequences\n- The API sends cents\n- Reports divide\n", "")],
            &[("Keep", "Hold")],
        ],
        0,
        &["Hold cents.\n"],
        &["Consequences"],
    );
    check(
        DECISION,
        [
            &[("\n## Consequences\n- The API sends cents\n- Reports divide\n", "")],
            &[("Reports divide", "Reports round")],
        ],
        0,
        &[
            "Reports round",
            "`Consequences` was changed on one side and taken out on the other: kept",
        ],
        &[],
    );
    check(
        DECISION,
        [&[notes], &[("- Reports divide\n", "- Reports divide\n\n## Notes\nLess.\n")]],
        1,
        &["## Notes\n<<<<<<< ours\n", "=======\n"],
        &["plain text"],
    );
}

#[test]
fn plain_text_where_fields_are_not_sure() {
    let plain: &[&str] = &["read as plain text"];
    check(DECISION, [&[("type: decision", "type: lesson")], &[("Keep", "Hold")]], 0, plain, &[]);
    let newer = ("origin: user", "origin: user\nschema_version: \"9.0\"");
    check(DECISION, [&[newer, ("Reports", "Papers")], &[newer, ("Keep", "Hold")]], 0, plain, &[]);
    let result = merged(b"\xff\na\nb\nc\n", b"\xff\nA\nb\nc\n", b"\xff\na\nb\nC\n");
    assert_eq!((result.bytes.as_slice(), result.conflicts), (b"\xff\nA\nb\nC\n".as_slice(), 0));
}

#[test]
fn line_breaks_keep_their_style() {
    let windows = DECISION.replace('\n', "\r\n");
    let ours = windows.replace("Keep cents", "Hold cents");
    let theirs = windows.replace("Reports divide", "Reports round").replace("\r\n", "\n");
    let result = merged(windows.as_bytes(), ours.as_bytes(), theirs.as_bytes());
    let text = String::from_utf8(result.bytes).unwrap();
    assert_eq!(result.conflicts, 0, "{text}");
    assert_eq!(text, theirs.replace("Keep cents", "Hold cents"));
}

#[test]
fn a_base_with_markers_counts_as_empty() {
    let base = DECISION.replace("Keep cents.\n", "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n");
    let [ours, theirs] =
        ["api", "money"].map(|tag| DECISION.replace("[money]", &format!("[{tag}]")));
    let result = merged(base.as_bytes(), ours.as_bytes(), theirs.as_bytes());
    let text = String::from_utf8(result.bytes).unwrap();
    assert!(text.contains("tags: [api, money]") && result.conflicts == 0, "{text}");
}

#[test]
fn requests_that_wait() {
    let request = |at: &str, by: &str, votes: &[&str]| {
        let votes: String = votes
            .iter()
            .map(|it| {
                format!("  - by: {it}\n    role: lead\n    at: 2026-05-0{}T08:00:00Z\n", it.len())
            })
            .collect();
        format!(
            "---\nid: promote-cents\npending: approval\nmemory: cents\nto: canonical\nreason: good\n\
             approvals:\n{votes}by: {by}\nat: {at}\n---\n\n# cents to canonical\n"
        )
    };
    let base = request("2026-05-01T08:00:00Z", "ada", &["a"]);
    let ours = request("2026-05-01T08:00:00Z", "ada", &["a", "bo"]);
    let theirs = request("2026-05-01T08:00:00Z", "ada", &["a", "cyd"]);
    let result = merged(base.as_bytes(), ours.as_bytes(), theirs.as_bytes());
    let text = String::from_utf8(result.bytes).unwrap();
    assert!(["by: a\n", "by: bo\n", "by: cyd\n"].iter().all(|it| text.contains(it)), "{text}");
    let conflict = |at: &str, by: &str| {
        format!(
            "---\nid: conflict-cents\npending: conflict\naction: create\nmemory: cents\nagainst: []\n\
             by: {by}\nat: {at}\n---\n\n# Cents\n\n## Proposal\n```markdown\ntext\n```\n"
        )
    };
    let early = conflict("2026-05-01T08:00:00Z", "grace");
    let late = conflict("2026-05-02T08:00:00Z", "ada");
    for (ours, theirs) in [(&early, &late), (&late, &early)] {
        let result = merged(b"", ours.as_bytes(), theirs.as_bytes());
        assert_eq!(result.bytes, early.as_bytes());
        assert_eq!(
            result.notes,
            ["conflict-cents: asked twice: the earlier request, by grace, was kept"]
        );
    }
}
