//! R171 to R174: how large a task was, what its summary takes from where, which documents it leaves
//! behind, which dependencies came.

use super::change::{ChangeKind, Diff, FileChange, ManifestChange, dependencies};
use super::docs::{is_document, is_left, left_behind, words_of};
use super::*;
use crate::conversation::{Check, Failure, Todo};
use crate::notes::{Line, What};
use crate::summary::cut;
use oldhand_core::policy::SUMMARY_ITEMS_MAX;

fn changed(path: &str, kind: ChangeKind) -> FileChange {
    FileChange { path: path.into(), added: 1, removed: 0, kind }
}

#[test]
fn the_larger_of_files_and_lines_says_the_scale_r173_r174() {
    let check = |files, lines, want| assert_eq!(scale(files, lines), want, "{files} {lines}");
    check(0, 0, Scale::Small);
    check(3, 100, Scale::Small);
    check(4, 1, Scale::Medium);
    check(1, 101, Scale::Medium);
    check(15, 600, Scale::Medium);
    check(16, 1, Scale::Large);
    check(1, 601, Scale::Large);
}

fn line(what: What) -> Line {
    Line { at: "2026-11-16T10:00:00Z".into(), what }
}

fn note(kind: NoteKind, text: &str, outcome: &str) -> Line {
    line(What::Note { kind, text: text.into(), outcome: outcome.into() })
}

fn filled(said: &[(&str, &str)], notes: &Notes, working: &Working, diff: Option<&Diff>) -> Summary {
    let mut summary = Summary::default();
    for (name, text) in said {
        match *name {
            "goal" => summary.set_text(name, text),
            _ => summary.push(name, text),
        }
    }
    let bound =
        [Binding { id: "use-cents".into(), title: "Use cents".into(), rule: String::new() }];
    let material = Material {
        task: "PAY-1",
        notes,
        working,
        compacted: None,
        earlier: None,
        diff,
        decisions: &bound,
    };
    material.fill(&mut summary);
    summary
}

#[test]
fn notes_the_session_and_the_diff_fill_it_r172() {
    let notes = Notes::fold(&[
        line(What::Objective { text: "CSV export".into() }),
        line(What::Step { text: "writer".into() }),
        line(What::Step { text: "docs".into() }),
        line(What::Close { item: 1, outcome: String::new() }),
        note(NoteKind::Error, "encoding broke", "wrote a BOM"),
        note(NoteKind::Error, "slow on Windows", ""),
        note(NoteKind::Question, "which delimiter?", "semicolon"),
        note(NoteKind::Question, "quote all?", ""),
    ]);
    let working = Working {
        last_check: Some(Check { command: "cargo test".into(), passed: true }),
        ..Working::default()
    };
    let diff = Diff {
        branch: "csv".into(),
        files: vec![changed("src/csv.rs", ChangeKind::Added)],
        subjects: vec!["Write CSV".into(), "Use password=hunter2hunter2hunter2".into()],
        ..Diff::default()
    };
    let summary = filled(&[], &notes, &working, Some(&diff));
    assert_eq!(summary.text("goal"), "CSV export");
    assert_eq!(summary.text("scale"), "small");
    assert_eq!(summary.list("standing"), ["step 2 of 2"]);
    assert_eq!(summary.list("completed"), ["writer"]);
    assert_eq!(summary.list("next_actions"), ["docs"]);
    assert_eq!(
        summary.list("errors"),
        ["encoding broke (fixed: wrote a BOM)", "slow on Windows (not fixed)"]
    );
    assert_eq!(summary.list("resolved_questions"), ["which delimiter? (answer: semicolon)"]);
    assert_eq!(summary.list("open_questions"), ["quote all?"]);
    assert_eq!(summary.list("tests"), ["`cargo test` passed"]);
    assert_eq!(summary.list("files"), ["src/csv.rs (new, +1)"]);
    assert_eq!(summary.list("decisions"), ["use-cents: Use cents"]);
    assert_eq!(summary.list("key_changes"), ["Write CSV"], "a subject with a secret is left out");
}

#[test]
fn what_was_said_stays_and_what_is_open_is_added_r171_r172() {
    let notes = Notes::fold(&[
        note(NoteKind::Done, "the parser", ""),
        note(NoteKind::Question, "quote all?", ""),
    ]);
    let said = [("goal", "Export"), ("completed", "all of it"), ("open_questions", "which port?")];
    let summary = filled(&said, &notes, &Working::default(), None);
    assert_eq!(summary.text("goal"), "Export");
    assert_eq!(summary.list("completed"), ["all of it", "the parser"]);
    assert_eq!(summary.list("open_questions"), ["which port?", "quote all?"]);
}

#[test]
fn no_flag_replaces_a_note_and_nothing_stands_twice_r172() {
    let notes = Notes::fold(&[
        note(NoteKind::Done, "the parser", ""),
        note(NoteKind::Remaining, "docs", ""),
        note(NoteKind::Remaining, "release", ""),
    ]);
    let working = Working {
        last_check: Some(Check { command: "cargo test".into(), passed: true }),
        ..Working::default()
    };
    let diff = Diff { subjects: vec!["Write CSV".into()], ..Diff::default() };
    let said = [
        ("completed", "The  Parser"),
        ("completed", "release"),
        ("next_actions", "tell them"),
        ("tests", "by hand"),
        ("decisions", "no BOM"),
        ("key_changes", "CSV"),
    ];
    let summary = filled(&said, &notes, &working, Some(&diff));
    assert_eq!(summary.list("completed"), ["The  Parser", "release"]);
    assert_eq!(summary.list("next_actions"), ["tell them", "docs"], "the release is done");
    assert_eq!(summary.list("tests"), ["by hand", "`cargo test` passed"]);
    assert_eq!(summary.list("decisions"), ["no BOM", "use-cents: Use cents"]);
    assert_eq!(summary.list("key_changes"), ["CSV", "Write CSV"]);
}

#[test]
fn a_list_that_is_cut_says_so_r172() {
    let lines: Vec<Line> =
        (0..SUMMARY_ITEMS_MAX + 5).map(|n| note(NoteKind::Done, &format!("n{n}"), "")).collect();
    let summary = filled(&[], &Notes::fold(&lines), &Working::default(), None);
    let completed = summary.list("completed");
    assert_eq!(completed.len(), SUMMARY_ITEMS_MAX + 1);
    assert_eq!(completed[SUMMARY_ITEMS_MAX], "and 5 more");
    let check = |items: &[&str], want: &[&str]| {
        let mut items: Vec<String> = items.iter().map(|it| (*it).to_owned()).collect();
        cut(&mut items, 2);
        assert_eq!(items, want);
    };
    check(&["a", "b"], &["a", "b"]);
    check(&["a", "b", "c"], &["a", "b", "and 1 more"]);
    check(&["a", "and 4 more", "b", "c", "and 5 more"], &["a", "b", "and 6 more"]);
}

#[test]
fn a_task_without_notes_has_its_name_and_the_host_s_list_r172() {
    let failure = Failure { command: "make".into(), error: "no rule".into(), ..Failure::default() };
    let working = Working {
        todos: vec![
            Todo { text: "totals".into(), done: true },
            Todo { text: "print".into(), done: false },
        ],
        failures: vec![failure],
        ..Working::default()
    };
    let summary = filled(&[], &Notes::default(), &working, None);
    assert_eq!(summary.text("goal"), "PAY-1");
    assert_eq!(summary.list("completed"), ["totals"]);
    assert_eq!(summary.list("next_actions"), ["print", "fix `make`: no rule"]);
    assert!(summary.list("standing").is_empty(), "without a goal there is no anchor");
}

#[test]
fn what_the_compaction_knew_is_not_lost_r171() {
    let mut compacted = Summary::default();
    compacted.set_text("goal", "VAT");
    compacted.push("completed", "rates");
    compacted.push("next_actions", "Print them");
    compacted.push("open_questions", "which year?");
    compacted.push("exact_values", "19 percent");
    let check = |lines: &[Line], working: &Working, outcome: &str| -> Summary {
        let notes = Notes::fold(lines);
        let material = Material {
            task: "",
            notes: &notes,
            working,
            compacted: Some(&compacted),
            earlier: None,
            diff: None,
            decisions: &[],
        };
        let mut summary = Summary::default();
        summary.set_text("outcome", outcome);
        material.fill(&mut summary);
        assert_eq!(summary.text("goal"), "VAT");
        assert_eq!(summary.list("exact_values"), ["19 percent"]);
        summary
    };
    let silent = Working::default();
    let alone = check(&[], &silent, "partial");
    assert_eq!(alone.list("completed"), ["rates"]);
    assert_eq!(alone.list("next_actions"), ["Print them"]);
    assert_eq!(alone.list("open_questions"), ["which year?"]);
    let over = check(&[], &silent, "success");
    assert!(over.list("next_actions").is_empty(), "nothing is left to do");
    // Notes know better what is done, what is not, and what is answered.
    let lines =
        [note(NoteKind::Done, "printed", ""), note(NoteKind::Question, "Which year?", "2026")];
    let noted = check(&lines, &silent, "partial");
    assert_eq!(noted.list("completed"), ["printed"]);
    assert!(noted.list("next_actions").is_empty(), "it may be done since");
    assert!(noted.list("open_questions").is_empty(), "it is answered since");
}

#[test]
fn told_again_it_keeps_what_nobody_says_anew_r172() {
    let mut earlier = Summary::default();
    earlier.set_text("goal", "VAT");
    earlier.push("standing", "step 2 of 2");
    earlier.push("standing", &branch_line("old"));
    let (notes, working) = (Notes::default(), Working::default());
    let material = Material {
        task: "PAY-1",
        notes: &notes,
        working: &working,
        compacted: None,
        earlier: Some(&earlier),
        diff: None,
        decisions: &[],
    };
    let mut summary = Summary::default();
    material.fill(&mut summary);
    assert_eq!(summary.text("goal"), "VAT");
    assert_eq!(summary.list("standing"), ["step 2 of 2"]);
}

#[test]
fn a_handoff_names_everything_that_is_missing_r171() {
    let names = |summary: &Summary| -> Vec<String> {
        missing_for_handoff(summary).into_iter().map(|problem| problem.field).collect()
    };
    let mut summary = Summary::default();
    let all = ["handoff_to", "handoff_from", "goal", "completed", "standing", "next_actions"];
    assert_eq!(names(&summary), all);
    for name in ["handoff_to", "handoff_from", "goal"] {
        summary.set_text(name, "x");
    }
    summary.push("completed", "nothing yet");
    assert_eq!(names(&summary), ["standing", "next_actions"]);
    summary.push("standing", "step 1 of 2");
    summary.push("next_actions", "begin");
    assert!(names(&summary).is_empty());
}

#[test]
fn documents_are_what_people_read_r174() {
    let check = |path: &str, want| assert_eq!(is_document(path), want, "{path}");
    check("README.md", true);
    check("docs/config.json", true);
    check("guide/a.rst", true);
    check("notes.txt", true);
    check("requirements.txt", false);
    check("CMakeLists.txt", false);
    check("CHANGELOG.md", false);
    check("src/docs.rs", false);
}

#[test]
fn a_file_is_named_by_its_path_and_by_a_telling_name_r174() {
    let check = |path: &str, want: &[&str]| {
        assert_eq!(words_of(&changed(path, ChangeKind::Modified)), want, "{path}");
    };
    check("src/pay.rs", &["src/pay.rs", "pay.rs"]);
    check("src/pay/mod.rs", &["src/pay/mod.rs"]);
    check("pay.rs", &["pay.rs"]);
    check("docs/pay.md", &[]);
    let renamed = changed("src/b.rs", ChangeKind::Renamed { from: "src/a.rs".into() });
    assert_eq!(words_of(&renamed), ["src/b.rs", "b.rs", "src/a.rs", "a.rs"]);
}

#[test]
fn documents_that_were_touched_are_not_left_behind_r174() {
    let files =
        [changed("src/a.rs", ChangeKind::Modified), changed("README.md", ChangeKind::Modified)];
    let left = |path: &str| is_left(path, &files);
    assert!(left("docs/z.md") && !left("README.md") && !left("src/b.rs"));
}

#[test]
fn a_document_names_the_files_whose_words_it_has_r174() {
    let files =
        [changed("src/tax.rs", ChangeKind::Modified), changed("src/a.rs", ChangeKind::Modified)];
    let asked: Vec<_> = files.iter().map(|file| (file, words_of(file))).collect();
    let check = |text: &str, want: &[&str]| {
        let found = left_behind("docs/x.md", text, &asked).map(|doc| doc.mentions);
        assert_eq!(found.unwrap_or_default(), want, "{text}");
    };
    check("rates are in tax.rs, see `src/a.rs`", &["src/a.rs", "src/tax.rs"]);
    check("über/tax.rs", &["src/tax.rs"]);
    check("syntax.rs and tax.rsx", &[]);
}

#[test]
fn dependencies_of_every_manifest_are_read_r99() {
    let check = |path: &str, text: &str, want: &[&str]| {
        let found: Vec<String> = dependencies(path, text).into_iter().collect();
        assert_eq!(found, want, "{path}");
    };
    check(
        "Cargo.toml",
        "[package]\nname = \"x\"\n[dependencies]\nserde = \"1\"\njiff.workspace = true\n# no = 1\n\
         [target.'cfg(unix)'.dependencies]\nlibc = \"0\"\n[dev-dependencies.proptest]\nversion = \"1\"\n\
         [features]\na = []\n",
        &["jiff", "libc", "proptest", "serde"],
    );
    check(
        "web/package.json",
        r#"{"name":"x","dependencies":{"react":"1"},"devDependencies":{"vite":"2"}}"#,
        &["react", "vite"],
    );
    check("package.json", "{", &[]);
    check(
        "go.mod",
        "module x\nrequire a.b/c v1\nrequire (\n // why\n d.e/f v2\n g.h/i v3 // indirect\n)\n",
        &["a.b/c", "d.e/f"],
    );
    check(
        "pyproject.toml",
        "[project]\nname = \"x\"\ndependencies = [\n  \"Flask>=2\",\n  'uvicorn[standard]',\n]\n\
         [project.optional-dependencies]\ntest = [\"pytest\"]\n[tool.poetry.dependencies]\npython = \"3\"\nrich = \"1\"\n",
        &["flask", "pytest", "rich", "uvicorn"],
    );
    check("requirements-dev.txt", "# none\nruff==1\n-r base.txt\nblack ; x\n", &["black", "ruff"]);
}

#[test]
fn a_version_is_no_new_dependency_and_a_migration_is_structure_r99() {
    let manifest = |before: &str, after: &str| Diff {
        manifests: vec![ManifestChange {
            path: "requirements.txt".into(),
            before: before.into(),
            after: after.into(),
        }],
        ..Diff::default()
    };
    assert!(manifest("a==1\n", "a==2\n").structural().is_empty());
    let found = manifest("a==1\n", "a==1\nb==1\n").structural();
    assert_eq!(found, ["requirements.txt adds the dependency `b`"]);
    let files = |path: &str, kind| Diff { files: vec![changed(path, kind)], ..Diff::default() };
    assert_eq!(files("db/migrate/1.rb", ChangeKind::Added).structural().len(), 1);
    assert!(files("db/migrate/1.rb", ChangeKind::Modified).structural().is_empty());
    assert_eq!(files("db/schema.sql", ChangeKind::Modified).structural().len(), 1);
    assert!(files("src/schema.rs", ChangeKind::Added).structural().is_empty());
}
