//! Nothing is lost and nothing panics: every line of a source is in a record or told as skipped, for the
//! samples, for generated pages, and for a folder of your own files named by `OLDHAND_IMPORT_CORPUS`.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use jiff::Timestamp;
use oldhand_core::content::FieldValue;
use oldhand_core::kind::Kinds;
use oldhand_exchange::files::{Content, Files, SourceFile};
use oldhand_exchange::formats;
use oldhand_exchange::page::outline;
use oldhand_exchange::record::{Foreign, Source};
use oldhand_exchange::text::decode;
use oldhand_exchange::{With, World, held};
use oldhand_text::sentence::folded;
use oldhand_text::strings::slug;
use proptest::prelude::*;

fn file(path: &str, bytes: impl Into<Vec<u8>>) -> SourceFile {
    SourceFile { path: path.to_owned(), content: Content::Bytes(bytes.into()), dated: None }
}

/// Reads everything that is there, as if it was named.
fn read(files: &Files) -> Vec<(Vec<String>, Source)> {
    let kinds = Kinds::default();
    let now: Timestamp = "2026-11-16T12:00:00Z".parse().unwrap();
    let world = World {
        kinds: &kinds,
        now,
        project: "shop",
        worktree: "/home/ada/shop",
        with: With::default(),
    };
    let found = formats::find_named(files);
    found
        .into_iter()
        .map(|(format, root)| (root.files.clone(), format.read(&root, files, &world)))
        .collect()
}

/// All words of a record in lower case, in their order.
fn words(record: &Foreign) -> String {
    let mut all: Vec<String> = record.texts().collect();
    all.push(record.key.clone());
    all.extend(record.links.iter().map(|it| format!("{} {}", it.word, it.to)));
    all.extend(record.ending.iter().map(|it| it.reason.clone()));
    for (name, value) in &record.draft.content {
        all.push(name.clone());
        // One below the other, as they stood in their source.
        if let FieldValue::List(items) = value {
            all.push(items.join("\n"));
        }
    }
    let all = all.join("\n");
    // The rest is JSON: as it stands, and without its escapes.
    folded(&format!("{all}\n{}", all.replace("\\n", "\n").replace("\\\"", "\"")))
}

/// Lines of a file that are neither in a record nor in what was told.
fn lost(text: &str, source: &Source) -> Vec<String> {
    let said: Vec<String> = source.records.iter().map(words).collect();
    let told: String =
        source.skipped.iter().map(|it| format!("{} {} ", it.source, it.reason)).collect();
    let told = folded(&told);
    let slugs: Vec<&str> =
        source.skipped.iter().filter_map(|it| it.source.rsplit(['#', '/']).next()).collect();
    let mut is_skipped = false;
    let mut lost = Vec::new();
    let mut level = 0;
    // A comment is no text of the page: it stays where it is inside of a record, and may be left out elsewhere.
    let (text, _) = oldhand_exchange::managed::without_managed(text);
    for line in oldhand_exchange::text::without_comments(&text).lines() {
        if let Some((own, words)) = oldhand_exchange::text::heading(line)
            && (!is_skipped || own <= level)
        {
            level = own;
            let title = oldhand_exchange::text::heading_title(words);
            is_skipped = slugs.iter().any(|it| {
                it.starts_with(&slug(&title)) || slug(words).ends_with(it) && it.len() > 3
            });
        }
        // A text that a tool cut ends within a word.
        let whole = match line.trim_end().strip_suffix('…') {
            Some(cut) => cut.rsplit_once(' ').map_or(cut, |(whole, _)| whole),
            None => line,
        };
        let bare = folded(whole);
        let value = folded(without_key(line));
        let is_in =
            |all: &String| all.contains(&bare) || by_words(all, &bare) || by_words(all, &value);
        let is_template = line.contains("Log of updates made");
        let is_known = is_template
            || is_skipped
            || bare.trim().is_empty()
            || oldhand_exchange::text::is_placeholder(line.trim_start_matches("- "))
            || said.iter().any(is_in)
            || by_words(&told, &bare);
        if !is_known {
            lost.push(line.to_owned());
        }
    }
    lost
}

/// Labels that are the names of fields here, and words that frame what is managed by a tool.
const LABELS: &str = " date status context and problem statement decision outcome drivers rationale reason why how \
    to apply alternatives considered options positive negative consequences impact created updated constraints \
    introduced type true false null adr task tasks current focus recent changes open questions issues completed \
    next steps failures and do differently group cwd none decisions session log alternative consequence constraint \
    key interfaces known technical debt pitfalls yyyy-mm-dd yyyy mm dd ";

/// Every word is there; a key before a colon may be a name that only the source has, and dates are values.
fn by_words(all: &str, line: &str) -> bool {
    line.split_whitespace().all(|word| {
        let spaced = format!(" {word} ");
        all.contains(&spaced)
            || LABELS.contains(&spaced)
            || word.starts_with(|c: char| c.is_ascii_digit())
    })
}

/// A line without the key before its colon.
fn without_key(line: &str) -> &str {
    let is_key =
        |key: &str| key.len() <= 30 && !key.trim_start_matches(['-', '*', ' ']).contains(' ');
    line.split_once(':').filter(|(key, _)| is_key(key)).map_or(line, |(_, value)| value)
}

fn below(folder: &Path, name: &str, files: &mut Vec<SourceFile>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let own = entry.file_name().to_string_lossy().into_owned();
        let path = if name.is_empty() { own } else { format!("{name}/{own}") };
        match entry.file_type().unwrap() {
            it if it.is_dir() => below(&entry.path(), &path, files),
            it if it.is_file() && !path.ends_with("expected.json") => {
                files.push(file(&path, fs::read(entry.path()).unwrap()));
            }
            _ => {}
        }
    }
}

/// Problems of all the sources in a folder of folders.
fn problems_of(folder: &Path) -> (usize, String) {
    let mut problems = String::new();
    let mut count = 0;
    let mut roots: Vec<_> = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
    roots.sort();
    for root in roots.iter().filter(|it| it.is_dir()) {
        let mut all = Vec::new();
        below(root, "", &mut all);
        let files = Files::new(all);
        for (paths, source) in read(&files) {
            count += source.records.len();
            let texts: Vec<String> = paths
                .iter()
                .filter(|path| path.ends_with(".md") || path.ends_with(".mdc"))
                .filter(|path| {
                    !source.skipped.iter().any(|it| {
                        path.trim_end_matches(".md").ends_with(it.source.trim_end_matches(".md"))
                    })
                })
                .map(|path| decode(files.get(path).unwrap().bytes()).text)
                .collect();
            if source.records.is_empty() && source.skipped.is_empty() && source.refused.is_empty() {
                problems +=
                    &format!("{} {}: nothing, and no word about it\n", root.display(), source.from);
            }
            for line in texts.iter().flat_map(|text| lost(text, &source)) {
                problems += &format!("{} {}: lost: {line}\n", root.display(), source.from);
            }
        }
    }
    (count, problems)
}

#[test]
fn no_line_of_the_samples_is_lost() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/samples/imports");
    let (count, problems) = problems_of(&samples);
    assert!(count > 50, "{count}");
    assert!(problems.is_empty(), "\n{problems}");
}

#[test]
fn no_line_of_your_own_files_is_lost() {
    let Some(folder) = std::env::var_os("OLDHAND_IMPORT_CORPUS") else { return };
    let (count, problems) = problems_of(Path::new(&folder));
    assert!(problems.is_empty(), "{count} records\n{problems}");
}

/// Where the formats of pages look.
const PATHS: &[&str] = &[
    "CLAUDE.md",
    "web/AGENTS.md",
    ".cursor/rules/a.mdc",
    ".serena/memories/a/b.md",
    "memory-bank/decisionLog.md",
    "memory-bank/activeContext.md",
    "docs/adr/0001-a.md",
    "DECISIONS.md",
    "memory/MEMORY.md",
    "memory/topic.md",
    "memories/MEMORY.md",
    "memories/memory_summary.md",
    "memories/rollout_summaries/a.md",
    "notes/any.md",
];

/// Lines that mean something to one reader or another, and some that mean nothing.
fn line() -> impl Strategy<Value = String> {
    let mark = prop::sample::select(vec![
        "",
        "# ",
        "## ",
        "### ",
        "- ",
        "* ",
        "1. ",
        "  - ",
        "> ",
        "**Decision:** ",
        "- **Context**: ",
        "## 2026-05-01: ",
        "[2026-05-01 09:00:00] - ",
        "- [label](topic.md) - ",
        "<!-- ",
        "<!-- BEGIN X -->",
        "<!-- END X -->",
        "```",
        "---",
        "## Decision",
        "## Rationale",
        "# Task Group: ",
        "## Status",
        "## Considered Options",
        "Date: ",
        "\u{FEFF}",
        "## Decisions",
    ]);
    (mark, prop::option::of("[a-zé中\u{200B}]{1,8}( [a-z]{2,6}){0,6}"))
        .prop_map(|(mark, words)| format!("{mark}{}", words.unwrap_or_default()))
}

fn page() -> impl Strategy<Value = String> {
    prop::collection::vec(line(), 0..24).prop_map(|lines| lines.join("\n"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_reader_panics(bytes in prop::collection::vec(any::<u8>(), 0..400), pages in prop::collection::vec(page(), 2)) {
        for content in [bytes, pages[0].clone().into_bytes(), pages[1].clone().into_bytes()] {
            let all = PATHS.iter().map(|path| file(path, content.clone())).collect();
            for (_, source) in read(&Files::new(all)) {
                source.records.iter().for_each(|record| drop(held::reason(record)));
            }
        }
    }

    #[test]
    fn a_plain_page_is_kept_whole(
        title in "[a-z]{3,9}",
        sections in prop::collection::vec(("[a-z]{3,9}( [a-z]{3,9}){0,3}", "[a-z]{3,9}( [a-z]{3,9}){8,20}", prop::collection::vec("[a-z]{4,9}( [a-z]{3,9}){1,5}", 0..4)), 1..6),
        path in prop::sample::select(vec!["CLAUDE.md", "memory-bank/techContext.md", ".serena/memories/a.md", "notes/any.md", ".cursor/rules/a.mdc"]),
    ) {
        let body: String = sections.iter().map(|(heading, prose, items)| {
            let items: String = items.iter().map(|it| format!("- {it}\n")).collect();
            format!("\n## {heading}\n\n{prose}\n\n{items}")
        }).collect();
        let text = format!("# {title}\n{body}");
        let mut all = vec![file(path, text.clone())];
        if path.starts_with("memory-bank") {
            all.push(file("memory-bank/projectbrief.md", "# Brief\n\nShort.\n"));
        }
        let files = Files::new(all);
        let sources = read(&files);
        prop_assert_eq!(outline(&text).sections.len(), sections.len());
        for (_, source) in &sources {
            prop_assert_eq!(lost(&text, source), Vec::<String>::new());
        }
        // Read again, it is the same: keys and hashes are what a later import goes by.
        let named = |all: &[(Vec<String>, Source)]| -> Vec<(String, String)> {
            all.iter().flat_map(|it| &it.1.records).map(|it| (it.key.clone(), it.hash.clone())).collect()
        };
        prop_assert_eq!(named(&sources), named(&read(&files)));
    }
}
