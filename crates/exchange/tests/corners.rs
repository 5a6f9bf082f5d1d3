//! Corners of formats that their samples do not have: the files, and what comes of them.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use jiff::Timestamp;
use oldhand_core::kind::Kinds;
use oldhand_exchange::files::{Content, Files, SourceFile};
use oldhand_exchange::record::Source;
use oldhand_exchange::{With, World, database, formats};

fn read(files: &[(&str, &str)], with: With) -> Vec<Source> {
    let file = |(path, text): &(&str, &str)| SourceFile {
        path: (*path).to_owned(),
        content: Content::Bytes(text.as_bytes().to_vec()),
        dated: None,
    };
    let files = Files::new(files.iter().map(file).collect());
    let kinds = Kinds::default();
    let now: Timestamp = "2026-11-16T12:00:00Z".parse().unwrap();
    let world = World { kinds: &kinds, now, project: "shop", worktree: "/home/ada/shop", with };
    formats::find(&files, None).iter().map(|(it, root)| it.read(root, &files, &world)).collect()
}

/// One line a source, a record, and what was not taken.
#[track_caller]
fn check(files: &[(&str, &str)], with: With, want: &[&str]) {
    let mut found = Vec::new();
    for source in read(files, with) {
        found.push(source.from.clone());
        for record in &source.records {
            let mut content: Vec<String> = record
                .draft
                .content
                .iter()
                .map(|(name, it)| format!("{name}={}", it.plain()))
                .collect();
            content.sort();
            let title = record.draft.title().unwrap_or_default();
            found.push(format!("{} {} `{title}` {}", record.key, record.kind(), content.join(" ")));
        }
        found.extend(
            source.skipped.iter().map(|it| format!("skipped {}: {}", it.source, it.reason)),
        );
        found.extend(
            source.refused.iter().map(|it| format!("refused {}: {}", it.source, it.reason)),
        );
    }
    assert_eq!(found, want);
}

#[test]
fn packed_exports_name_what_to_unpack() {
    check(
        &[("openmemory.zip", "PK\u{3}\u{4}....memories.json")],
        With::default(),
        &[
            "mem0:openmemory.zip",
            "refused openmemory.zip: a zip: unpack it, then import its `memories.json`",
        ],
    );
    check(
        &[(".engram/chunks/1.jsonl.gz", "x")],
        With::default(),
        &[
            "engram:.engram/chunks/1.jsonl.gz",
            "refused .engram/chunks/1.jsonl.gz: packed: import what `engram export` writes",
        ],
    );
}

#[test]
fn rows_of_sqlite3_are_a_database() {
    let rows = r#"[{"id":"a","topic":"decisions-shop","summary":"Use cents","importance":"high","source_type":"manual"}]"#;
    check(
        &[("rows.json", rows)],
        With::default(),
        &["icm:rows.json", "a decision `Use cents` decision=Use cents"],
    );
}

/// As the export to this format writes them.
#[test]
fn our_own_entities_are_read_back() {
    let line = r#"{"type":"entity","name":"use-cents","entityType":"decision","observations":["title: Use cents","state: stable","tags: a, b","status: accepted","decision: Integer cents.","rationale: exact","rationale: small"]}"#;
    let want = "use-cents decision `Use cents` decision=Integer cents. rationale=exact; small status=accepted";
    check(&[("memory.jsonl", line)], With::default(), &["server-memory:memory.jsonl", want]);
}

#[test]
fn talk_is_taken_only_when_asked_for() {
    let files = &[
        ("palace/index.md", "# Palace Export\n"),
        (
            "palace/work/vat.md",
            "# vat\n\n## d-1\n\n> Rates are basis points\n\n| Source | `a.jsonl` |\n",
        ),
    ];
    let head = "mempalace:palace";
    let told = "skipped work/vat.md: 1 drawer of verbatim talk; `--with drawers`";
    check(files, With::default(), &[head, "skipped index.md: derived", told]);
    let record = "d-1 reference `Rates are basis points` text=Rates are basis points";
    check(
        files,
        With { drawers: true, ..With::default() },
        &[head, record, "skipped index.md: derived"],
    );
}

/// Sites have permalinks, test reports have results: neither is a memory.
#[test]
fn what_only_looks_alike_is_left_alone() {
    check(
        &[
            ("_posts/a.md", "---\ntitle: A\npermalink: /a/\n---\nText\n"),
            ("report.json", r#"{"results": [{"id": 1, "text": "ok"}]}"#),
            ("lines.jsonl", "{\"type\": \"event\"}\n"),
            ("docs/system/x.md", "---\ndescription: X\n---\nText\n"),
        ],
        With::default(),
        &[],
    );
}

#[test]
fn a_program_without_sqlite_says_what_to_do() {
    let known = database::advice_without_reader("~/.claude-mem/claude-mem.db");
    assert!(known.contains("export-memories"), "{known}");
    let other = database::advice_without_reader("my memories.db");
    assert!(other.contains("sqlite3 -readonly -json 'my memories.db'"), "{other}");
}
