//! Whatever a file says, its reader answers: it never panics, gives the same answer twice, and hands over
//! nothing that is larger than a record may be.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use jiff::Timestamp;
use oldhand_core::kind::Kinds;
use oldhand_exchange::files::{Content, Files, SourceFile, Table};
use oldhand_exchange::formats::{FORMATS, Root};
use oldhand_exchange::record::Source;
use oldhand_exchange::{With, World, formats};
use proptest::prelude::*;
use serde_json::{Map, Value};

const RECORD_BYTES_MAX: usize = 1 << 20;

/// Every sample, by the path that it has in a repository.
static SAMPLES: LazyLock<Vec<(String, Content)>> = LazyLock::new(|| {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/samples/imports");
    let mut found = Vec::new();
    let mut open: Vec<(PathBuf, String)> = vec![(top, String::new())];
    while let Some((path, name)) = open.pop() {
        if path.is_dir() {
            for entry in fs::read_dir(&path).unwrap() {
                let entry = entry.unwrap();
                open.push((
                    entry.path(),
                    format!("{name}/{}", entry.file_name().to_str().unwrap()),
                ));
            }
        } else if name.ends_with(".db") {
            found.push((name, Content::Tables(oldhand_sqlite::read(&path).unwrap())));
        } else {
            found.push((name, Content::Bytes(fs::read(&path).unwrap())));
        }
    }
    // `/<sample>/<path>`: the sample's own folder is the repository.
    let bare = |name: String| name.splitn(3, '/').nth(2).map(str::to_owned);
    let mut found: Vec<(String, Content)> =
        found.into_iter().filter_map(|(name, content)| Some((bare(name)?, content))).collect();
    found.sort_by(|one, other| one.0.cmp(&other.0));
    found
});

/// What is found, and what every format makes of files that are none of its own.
fn read_all(files: &Files) -> Vec<Source> {
    let kinds = Kinds::default();
    let world = World {
        kinds: &kinds,
        now: "2026-11-16T12:00:00Z".parse::<Timestamp>().unwrap(),
        project: "shop",
        worktree: "/home/ada/shop",
        with: With { issues: true, prompts: true, sensitive: true, drawers: true },
    };
    let found = formats::find_named(files);
    let found = found.iter().map(|(format, root)| format.read(root, files, &world));
    let root = |path: &str| Root {
        path: path.to_owned(),
        files: files.iter().map(|file| file.path.clone()).collect(),
    };
    let forced = FORMATS.iter().map(|format| format.read(&root("."), files, &world));
    found.chain(forced).collect()
}

#[track_caller]
fn check(files: Vec<(String, Content)>) {
    let file = |(path, content)| SourceFile { path, content, dated: None };
    let files = Files::new(files.into_iter().map(file).collect());
    let sources = read_all(&files);
    for source in &sources {
        assert!(source.from.contains(':'), "{}", source.from);
        let keys: BTreeSet<&str> = source.records.iter().map(|it| it.key.as_str()).collect();
        assert!(keys.len() == source.records.len() && !keys.contains(""), "{keys:?}");
        for record in &source.records {
            let size: usize = record.texts().map(|text| text.len()).sum();
            assert!(size <= RECORD_BYTES_MAX, "{}: {size}", record.key);
            assert!(record.draft.kind.is_some() && record.hash.len() == 16, "{}", record.key);
        }
    }
    assert_eq!(format!("{sources:?}"), format!("{:?}", read_all(&files)), "the same answer twice");
}

/// Words that mean something to some reader, and what breaks readers of text.
const PIECES: &[&str] = &[
    "\"",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\\",
    "\n",
    "\r\n",
    "\0",
    "é",
    "🦀",
    "\u{202e}",
    "---\n",
    "# ",
    "## ",
    "### ",
    "- ",
    "* ",
    "- [x] ",
    "- [decision] ",
    "**Why**: ",
    "**Date:** ",
    "<!-- ",
    " -->",
    "```\n",
    "[[",
    "]]",
    "](",
    "2026-05-01",
    "13/45/2026",
    "99999999999999999999",
    "-1e308",
    "null",
    "\"id\": 1, ",
    "id: x\n",
    "type: entity\n",
    "permalink: a/b\n",
    "timestamp: x\n",
    "Constraint 1:",
    "DEC-1 — ",
    "[2026-13-40 99:99] - ",
    "|",
    "| Source | x |\n",
    "{\"type\":\"entity\",\"name\":\"é\",\"observations\":[\"a\"]}\n",
    "{\"_type\":\"memory\",\"key\":\"\"}\n",
    "> ",
    "`",
    "\u{feff}",
    "…",
    "title: \n  - a\n",
];

fn text() -> impl Strategy<Value = String> {
    proptest::collection::vec(proptest::sample::select(PIECES), 0..60).prop_map(|all| all.concat())
}

const KEYS: &[&str] = &[
    "type",
    "name",
    "observations",
    "entityType",
    "from",
    "to",
    "memories",
    "content",
    "content_hash",
    "category",
    "id",
    "memory",
    "results",
    "metadata",
    "created_at",
    "updated_at",
    "core_memory",
    "label",
    "value",
    "agents",
    "blocks",
    "block_ids",
    "export_metadata",
    "exportedAt",
    "summaries",
    "sessions",
    "prompts",
    "tags",
    "title",
    "topic",
    "summary",
    "importance",
    "source_type",
    "user_id",
    "apps",
    "state",
    "changes",
    "record_status",
    "related_files",
    "confidence",
    "expires",
    "examples",
    "memory_id",
    "meta",
    "supersedes",
    "signals",
    "facts",
    "files_read",
    "created_at_epoch",
    "deleted_at",
    "superseded_by",
    "expiration_date",
    "related_ids",
    "source_data",
    "labels",
    "issue_type",
    "priority",
];

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text().prop_map(Value::from),
        Just(Value::from("2026-05-01T10:00:00Z")),
        Just(Value::from("shop")),
    ];
    leaf.prop_recursive(4, 60, 6, |inner| {
        let key = proptest::sample::select(KEYS);
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            proptest::collection::vec((key, inner), 0..8).prop_map(|all| {
                Value::Object(
                    all.into_iter().map(|(k, v)| (k.to_owned(), v)).collect::<Map<_, _>>(),
                )
            }),
        ]
    })
}

/// Where the readers look.
const PATHS: &[&str] = &[
    "DECISIONS.md",
    "project/project-manifest.md",
    "ARCHITECTURE.md",
    "contexts/memory/index.md",
    "contexts/memory/decisions/_log.md",
    "contexts/memory/decisions/DEC-1.md",
    ".geas/memory/entries/a.json",
    ".geas/memory/logs/a.json",
    ".claude/memory/decisions/a.json",
    ".claude/memory/memory-config.json",
    "memory.jsonl",
    "notes/a.md",
    ".agent-memory/decisions.md",
    ".agent_memory/packets/a.md",
    "export.json",
    "a.af",
    "memfs/system/a.md",
    "mem0-export-a.md",
    "palace/index.md",
    "palace/a/b.md",
    ".beads/issues.jsonl",
    "CLAUDE.md",
    ".serena/memories/a.md",
    "memory-bank/decisionLog.md",
    "docs/adr/0001-a.md",
    ".cursor/rules/a.mdc",
    "prompt-budget.yml",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..300), path in proptest::sample::select(PATHS)) {
        check(vec![(path.to_owned(), Content::Bytes(bytes))]);
    }

    #[test]
    fn arbitrary_text(files in proptest::collection::vec((proptest::sample::select(PATHS), text()), 1..5)) {
        let mut files: Vec<(String, Content)> = files.into_iter().map(|(path, text)| (path.to_owned(), Content::Bytes(text.into_bytes()))).collect();
        files.sort_by(|one, other| one.0.cmp(&other.0));
        files.dedup_by(|one, other| one.0 == other.0);
        check(files);
    }

    #[test]
    fn arbitrary_json(value in json(), path in proptest::sample::select(PATHS)) {
        check(vec![(path.to_owned(), Content::Bytes(value.to_string().into_bytes()))]);
    }

    #[test]
    fn arbitrary_rows(rows in proptest::collection::vec(proptest::collection::vec(json(), 0..24), 0..4), which in any::<prop::sample::Index>()) {
        let databases: Vec<&(String, Content)> = SAMPLES.iter().filter(|it| matches!(it.1, Content::Tables(_))).collect();
        let (path, Content::Tables(tables)) = which.get(&databases) else { return Ok(()) };
        let table = |known: &Table| Table { rows: rows.clone(), ..known.clone() };
        check(vec![(path.clone(), Content::Tables(tables.iter().map(table).collect()))]);
    }

    /// A sample with something cut out of it and something put in, beside the rest of its kind.
    #[test]
    fn damaged_samples(which in any::<prop::sample::Index>(), at in any::<prop::sample::Index>(), cut in 0_usize..200, put in text()) {
        let (path, Content::Bytes(bytes)) = which.get(&SAMPLES) else { return Ok(()) };
        let at = at.index(bytes.len() + 1);
        let end = (at + cut).min(bytes.len());
        let damaged = [&bytes[..at], put.as_bytes(), &bytes[end..]].concat();
        check(vec![(path.clone(), Content::Bytes(damaged))]);
    }
}
