//! The history of the code as git has it: real repositories of every shape that a memory may rest
//! on.

use std::path::Path;
use std::process::Command;

use oldhand_core::fresh::{PathAnswer, PathQuestion};
use oldhand_store::history::GitHistory;
use oldhand_store::port::CodeHistory;

mod diff;
mod repo;
mod trouble;

use repo::{Repo, WAIT, git_in, given, question, seconds, seen};

#[test]
fn commits_are_counted_for_files_and_folders() {
    let repo = Repo::with(&["src/pay.rs", "src/tax/rate.rs", "docs/a.md", "src/payment.rs"]);
    repo.change(3, "src/pay.rs");
    repo.change(4, "src/tax/rate.rs");
    repo.change(5, "src/tax/new.rs");
    repo.change(6, "src/payment.rs");
    for (path, since, want) in [
        ("src/pay.rs", 2, 1),
        ("src/pay.rs", 0, 2),
        ("src/pay.rs", 4, 0),
        ("src/tax", 2, 2),
        ("src/tax/", 2, 2),
        ("./src/tax/", 2, 2),
        ("src", 2, 4),
        (".", 2, 4),
        ("docs", 2, 0),
        ("docs/a.md", 0, 1),
    ] {
        let answer = repo.ask(path, since);
        assert_eq!(answer.commits, Some(want), "{path} since day {since}");
        assert!(answer.exists && !answer.uncommitted && answer.committed.is_some(), "{path}");
    }
    // A folder and what is in it, asked about at the same time.
    let both = repo.answers(&[question("src/tax", 2), question("src/tax/rate.rs", 2)]);
    let counts: Vec<Option<u32>> = both.paths.iter().flatten().map(|a| a.commits).collect();
    assert_eq!(counts, [Some(2), Some(1)]);
}

/// The instant itself does not count: a commit that brings a memory and its code is no change.
#[test]
fn a_commit_of_the_same_second_is_not_since() {
    let repo = Repo::with(&["a"]);
    let mut exact = question("a", 1);
    exact.since = jiff::Timestamp::from_second(seconds(1) + 3600).unwrap();
    assert_eq!(repo.answers(&[exact.clone()]).paths[0].as_ref().unwrap().commits, Some(0));
    exact.since = jiff::Timestamp::from_second(seconds(1) + 3599).unwrap();
    assert_eq!(repo.answers(&[exact]).paths[0].as_ref().unwrap().commits, Some(1));
}

#[test]
fn a_wrong_clock_in_between_hides_nothing() {
    let repo = Repo::with(&["a", "b"]);
    repo.change(5, "a");
    // Half a day before what was asked about, on top of what came after.
    repo.git(2, &["commit", "-q", "--allow-empty", "-m", "a clock that is behind"]);
    assert_eq!(repo.ask("a", 2).commits, Some(1));
}

#[test]
fn merges_count_where_both_sides_changed() {
    let repo = Repo::with(&["a", "b"]);
    repo.git(2, &["checkout", "-q", "-b", "side"]);
    repo.change(3, "a");
    repo.git(3, &["checkout", "-q", "main"]);
    repo.change(4, "b");
    repo.git(5, &["merge", "-q", "--no-ff", "-m", "merge", "side"]);
    assert_eq!(repo.ask("a", 2).commits, Some(1));
    assert_eq!(repo.ask("b", 2).commits, Some(1));
    assert_eq!(repo.ask(".", 2).commits, Some(2));
}

#[test]
fn names_are_followed() {
    let repo = Repo::with(&["a.rs", "b.rs", "lib/x.rs", "lib/y.rs", "lib/z.rs", "gone.rs"]);
    repo.git(3, &["mv", "a.rs", "a2.rs"]);
    repo.git(3, &["mv", "lib", "crate"]);
    repo.git(3, &["mv", "b.rs", "b2.rs"]);
    repo.commit(3);
    repo.git(4, &["mv", "a2.rs", "a3.rs"]);
    repo.git(4, &["rm", "-q", "b2.rs", "gone.rs"]);
    repo.commit(4);
    let head = repo.git(0, &["rev-parse", "HEAD"]);
    let paths = ["a.rs", "b.rs", "lib/", "lib/x.rs", "gone.rs", "never.rs"];
    let questions: Vec<PathQuestion> = paths.iter().map(|path| question(path, 2)).collect();
    let given = repo.answers(&questions);
    let gone: Vec<Option<(bool, Option<String>)>> = given
        .paths
        .iter()
        .flatten()
        .map(|answer| {
            assert!(!answer.exists);
            answer.gone.as_ref().map(|gone| (gone.commit == head, gone.renamed_to.clone()))
        })
        .collect();
    let to = |name: &str| Some(name.to_owned());
    assert_eq!(
        gone,
        [
            Some((true, to("a3.rs"))),
            Some((true, None)),
            Some((false, to("crate"))),
            Some((false, to("crate/x.rs"))),
            Some((true, None)),
            None,
        ]
    );
    // Gone before the memory was written: the history it can speak of does not know it.
    assert_eq!(repo.ask("gone.rs", 9).gone, None);
}

#[test]
fn what_is_not_committed_is_seen() {
    let repo = Repo::with(&["clean", "dirty", "staged", "folder/in", "removed", "touched"]);
    repo.write("dirty", "other\n");
    repo.write("staged", "other\n");
    repo.git(0, &["add", "staged"]);
    repo.write("folder/in", "other\n");
    repo.write("untracked", "new\n");
    std::fs::remove_file(repo.root.join("removed")).unwrap();
    let text = std::fs::read(repo.root.join("touched")).unwrap();
    std::fs::write(repo.root.join("touched"), text).unwrap();
    for (path, uncommitted) in [
        ("clean", false),
        ("dirty", true),
        ("staged", true),
        ("folder", true),
        ("folder/in", true),
        ("untracked", false),
        ("touched", false),
    ] {
        assert_eq!(repo.ask(path, 2).uncommitted, uncommitted, "{path}");
    }
    assert_eq!(repo.ask("untracked", 2).committed, None);
    let removed = repo.ask("removed", 2);
    assert!(!removed.exists && removed.committed.is_some() && removed.gone.is_none());
}

#[test]
fn odd_names_are_names() {
    let names = [
        "-dash.rs",
        "--help",
        "with space.rs",
        "quo\"te'.rs",
        "ünï-文.rs",
        "glob*?[a].rs",
        ":(top)x.rs",
        ":!x",
        "new\nline.rs",
        "tab\there",
        "back\\slash",
        "M",
        "dir with space/-x/*",
    ];
    let repo = Repo::with(&names);
    // Would be matched by the pattern, were it one.
    repo.change(3, "globXYa.rs");
    let questions: Vec<PathQuestion> = names.iter().map(|name| question(name, 2)).collect();
    let first = repo.answers(&questions);
    repo.git(0, &["config", "core.quotePath", "true"]);
    for (name, answer) in names.iter().zip(&first.paths) {
        let answer = answer.as_ref().unwrap();
        assert_eq!(answer.commits, Some(0), "{name}");
        assert!(answer.exists && answer.committed.is_some() && !answer.uncommitted, "{name}");
    }
    for name in names {
        repo.change(4, name);
    }
    let second = repo.answers(&questions);
    for (name, answer) in names.iter().zip(&second.paths) {
        assert_eq!(answer.as_ref().unwrap().commits, Some(1), "{name}");
    }
    let ids = repo.ids(&names);
    for (name, (id, answer)) in names.iter().zip(ids.iter().zip(&second.paths)) {
        assert_eq!(*id, answer.as_ref().unwrap().committed, "{name}");
    }
}

#[test]
fn paths_that_lead_out_are_not_followed() {
    let repo = Repo::with(&["a"]);
    std::fs::write(repo.beside("secret"), "x").unwrap();
    for path in ["../secret", "/etc/passwd", "a/../../secret", ""] {
        let answer = repo.ask(path, 0);
        let is_root = path.is_empty();
        assert_eq!(answer.exists, is_root, "{path}");
    }
    assert_eq!(repo.ids(&["../secret", "/etc/passwd"]), [None, None]);
}

#[test]
fn recorded_ids_make_history_needless() {
    let repo = Repo::with(&["a", "folder/b", "folder/c"]);
    let ids = repo.ids(&["a", "folder/", "none"]);
    let (a, folder) = (ids[0].clone().unwrap(), ids[1].clone().unwrap());
    assert_eq!(ids[2], None);
    repo.change(3, "a");
    repo.change(3, "folder/b");
    repo.write("a", "first text of a\nwith a second line\n");
    repo.write("folder/b", "first text of folder/b\nwith a second line\n");
    repo.commit(4);
    let given = repo.answers(&[seen("a", 2, &a), seen("folder/", 2, &folder), question("a", 2)]);
    let answers: Vec<&PathAnswer> = given.paths.iter().flatten().collect();
    assert_eq!((answers[0].commits, answers[1].commits), (None, None));
    assert_eq!(answers[1].content.as_deref(), Some(folder.as_str()));
    assert_eq!(answers[2].commits, Some(2));
    // What is on disk and not committed has an id as well.
    repo.write("a", "other\n");
    let dirty = repo.ids(&["a"])[0].clone().unwrap();
    let given = repo.answers(&[seen("a", 2, &dirty)]);
    let answer = given.paths[0].as_ref().unwrap();
    assert_eq!(answer.content.as_deref(), Some(dirty.as_str()));
    assert!(answer.uncommitted);
}

#[test]
fn every_kind_of_head_is_read() {
    let repo = Repo::with(&["a"]);
    repo.change(3, "a");
    let head = repo.git(0, &["rev-parse", "HEAD"]);
    let check = |root: &Path, what: &str| {
        let history = GitHistory { root: root.to_owned(), ..repo.history() };
        let given = given(history.ask(&[question("a", 2)], WAIT));
        assert_eq!(given.head.as_deref(), Some(head.as_str()), "{what}");
        assert_eq!(given.paths[0].as_ref().unwrap().commits, Some(1), "{what}");
    };
    check(&repo.root, "loose");
    repo.git(0, &["pack-refs", "--all"]);
    check(&repo.root, "packed");
    let tree = repo.beside("tree");
    repo.git(0, &["worktree", "add", "-q", "-b", "other", tree.to_str().unwrap()]);
    check(&tree, "worktree");
    git_in(&tree, 0, &["checkout", "-q", "--detach"]);
    check(&tree, "detached");
    let clone = repo.beside("clone");
    repo.git(0, &["clone", "-q", ".", clone.to_str().unwrap()]);
    check(&clone, "clone");
    // Only newer ones know the other way to keep references.
    let tables = repo.beside("tables");
    let cloned = Command::new("git")
        .args(["clone", "-q", "--ref-format=reftable", "."])
        .arg(&tables)
        .current_dir(&repo.root)
        .output()
        .unwrap();
    if cloned.status.success() {
        check(&tables, "reftable");
    }
}

#[test]
fn a_store_below_the_top_of_its_repository_names_paths_from_itself() {
    let repo = Repo::with(&["part/src/a", "part/src/old", "src/a"]);
    repo.change(3, "part/src/a");
    repo.git(4, &["mv", "part/src/old", "part/src/new"]);
    repo.commit(4);
    let history = GitHistory { root: repo.root.join("part"), ..repo.history() };
    let given = given(history.ask(&[question("src/a", 2), question("src/old", 2)], WAIT));
    assert_eq!(given.paths[0].as_ref().unwrap().commits, Some(1));
    let gone = given.paths[1].as_ref().unwrap().gone.clone().unwrap();
    assert_eq!(gone.renamed_to.as_deref(), Some("src/new"));
}

#[test]
fn a_shallow_clone_says_what_it_can_not_know() {
    let repo = Repo::with(&["a", "b"]);
    repo.change(3, "a");
    repo.change(4, "b");
    let source = format!("file://{}", repo.root.display());
    let clone = repo.beside("clone");
    repo.git(0, &["clone", "-q", "--depth=2", &source, clone.to_str().unwrap()]);
    let history = GitHistory { root: clone, ..repo.history() };
    let id = repo.ids(&["a"])[0].clone().unwrap();
    let questions = [question("a", 2), question("b", 2), seen("a", 2, &id), question("a", 3)];
    let given = given(history.ask(&questions, WAIT));
    let answers: Vec<(Option<u32>, bool)> =
        given.paths.iter().flatten().map(|a| (a.commits, a.cut_off)).collect();
    assert_eq!(answers[0], (Some(0), true));
    assert_eq!(answers[1], (Some(1), false));
    assert_eq!(given.paths[2].as_ref().unwrap().content.as_deref(), Some(id.as_str()));
    assert!(given.incomplete.unwrap().contains("shallow"));
}

#[test]
fn before_the_first_commit_nothing_is_known_and_nothing_fails() {
    let repo = Repo::empty();
    repo.write("a", "text\n");
    let id = repo.ids(&["a", "."])[0].clone().unwrap();
    let given = repo.answers(&[question("a", 2), seen("a", 2, &id), question("none", 2)]);
    assert_eq!((given.head, given.incomplete), (None, None));
    let a = given.paths[0].clone().unwrap();
    assert!(a.exists && a.committed.is_none() && a.commits.is_none() && !a.uncommitted);
    assert_eq!(given.paths[1].as_ref().unwrap().content, Some(id));
    assert!(!given.paths[2].as_ref().unwrap().exists);
}
