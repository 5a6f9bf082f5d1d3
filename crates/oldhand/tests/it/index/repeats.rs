//! The same store, the same bytes: whatever the machine, and however the index came to be.

use std::fs;
use std::path::Path;

use super::{
    KEYWORDS, Library, by_meaning, by_words, files_below, markdown, memory, questions, record,
};

/// The same files, made in another order.
fn shuffled_copy(library: &Library) -> Library {
    let copy = Library::new(0, library.model);
    let (from, to) = (library.scratch.store(), copy.scratch.store());
    fs::remove_dir_all(&to).unwrap();
    let mut files: Vec<_> = files_below(&from).into_iter().collect();
    // Any fixed order that is not the one of names.
    files.sort_by_key(|(path, _)| {
        oldhand_text::hash::ContentHash::of(path.to_string_lossy().as_bytes())
    });
    for (path, bytes) in files {
        let target = to.join(path.strip_prefix(&from).unwrap());
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::write(target, bytes).unwrap();
    }
    fs::create_dir_all(to.join("local/tmp")).unwrap();
    copy
}

#[track_caller]
fn check_copies(library: &Library) {
    let answers = library.answers();
    let copy = shuffled_copy(library);
    assert_eq!(copy.answers(), answers, "files in another order");
    for (name, value) in [
        ("LC_ALL", "tr_TR.UTF-8"),
        ("LANG", "de_DE.ISO-8859-1"),
        ("LC_ALL", "C"),
        ("TZ", "Pacific/Kiritimati"),
        ("TZ", "America/St_Johns"),
    ] {
        copy.forget_the_index();
        for (asked, answer) in questions().iter().zip(&answers) {
            let given = copy.ask_outside(asked, |command| command.env(name, value));
            assert_eq!(given, *answer, "{name}={value} {asked:?}");
        }
    }
    copy.ask(&["reindex".to_owned()]);
    assert_eq!(copy.answers(), answers, "after reindex");
}

#[test]
fn other_machines_by_words() {
    check_copies(&by_words(48));
}

#[test]
fn other_machines_by_meaning() {
    let library = by_meaning(18);
    let answers = library.answers();
    let copy = shuffled_copy(&library);
    assert_eq!(copy.answers(), answers, "files in another order");
    let asked = &questions()[1];
    let given = copy.ask_outside(asked, |command| command.env("LC_ALL", "tr_TR.UTF-8"));
    assert_eq!(given, answers[1]);
}

/// Written a few at a time with a recall between, some changed and some taken out and back.
fn in_steps(library: &Library, count: usize, step: usize) {
    for start in (0..count).step_by(step) {
        library.import(&(start..count.min(start + step)).map(record).collect::<String>());
        library.answers();
    }
    for number in (0..count).step_by(7) {
        library.scratch.ok(&["update", &format!("rule-{number}"), "--tags", "rule,again"]);
        library.found("invoice");
    }
    library.scratch.ok(&["retire", "rule-4"]);
    library.answers();
    library.scratch.ok(&["restore", "rule-4"]);
}

#[test]
fn step_by_step_or_at_once() {
    for step in [1, 5, 13] {
        let library = Library::new(0, KEYWORDS);
        in_steps(&library, 40, step);
        library.assert_as_new("in steps");
    }
    let library = Library::new(0, "recall.model=minilm");
    in_steps(&library, 18, 6);
    library.assert_as_new("in steps, by meaning");
}

/// More that fit equally well than are weighed: which of them are must not depend on the segments.
#[test]
fn ties_are_broken_by_name() {
    let library = Library::new(0, KEYWORDS);
    let same = |n: usize| memory(&format!("same-{n}"), "The same", "The same text about granite.");
    let order: Vec<usize> = (0..240).map(|n| n * 77 % 240).collect();
    for part in order.chunks(100) {
        library.import(&part.iter().map(|n| same(*n)).collect::<String>());
        library.found("granite");
    }
    let ask =
        || ["granite", "the same text", "pomegranate"].map(|it| library.ask(&super::asked(it)));
    let in_steps = ask();
    library.forget_the_index();
    assert_eq!(in_steps, ask());
}

/// Everything of the store, with times: reading leaves no trace.
fn trace(folder: &Path) -> Vec<(std::path::PathBuf, Vec<u8>, std::time::SystemTime)> {
    files_below(folder)
        .into_iter()
        .map(|(path, bytes)| {
            let modified = fs::metadata(&path).unwrap().modified().unwrap();
            (path, bytes, modified)
        })
        .collect()
}

#[test]
fn reading_changes_no_file_of_the_store() {
    let library = by_words(40);
    library.scratch.ok(&["retire", "rule-4"]);
    fs::write(library.file("half"), &markdown("half", "Half", "x")[..30]).unwrap();
    let before = trace(&library.scratch.repository());
    let whole = |words: &[&str]| words.iter().map(|it| (*it).to_owned()).collect::<Vec<String>>();
    let mut commands = questions();
    commands.extend(
        [
            &["recall", "--full-read", "everything"][..],
            &["recall", "--level", "index", "invoice"],
            &["recall", "--session", "s1", "invoice"],
            &["recall", "--as-of", "2099-01-02", "invoice"],
            &["search", "content", "quicksilver"],
            &["search", "frontmatter", "tags: rule"],
            &["search", "links", "rule-17"],
            &["index", "--long"],
            &["why", "rule-17"],
            &["why", "rule-17", "quicksilver"],
            &["stats"],
            &["reindex"],
            &["receipts"],
        ]
        .map(whole),
    );
    for asked in &commands {
        let ran = library.scratch.run(&library.args(asked));
        assert!(ran.code < 2, "{asked:?}: {}", String::from_utf8_lossy(&ran.stderr));
        let output = library.scratch.program(&library.args(asked)).output().unwrap();
        assert_eq!(output.status.code(), Some(i32::from(ran.code)), "{asked:?}");
        assert!(trace(&library.scratch.repository()) == before, "{asked:?} left a trace");
    }
}
