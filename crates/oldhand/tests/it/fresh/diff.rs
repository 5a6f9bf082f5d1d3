//! What a piece of work changed, as git has it: every kind of change, odd names, the commit that
//! it counts from, and a repository that means harm.

use oldhand_sessions::completion::change::{Diff, NoDiff};
use oldhand_store::history::GitHistory;

use super::repo::{Repo, seconds};

fn lines(diff: &Diff) -> Vec<String> {
    diff.files.iter().map(|file| file.line()).collect()
}

#[track_caller]
fn diff(repo: &Repo, since: Option<&str>) -> Diff {
    repo.history().diff(since).unwrap()
}

#[test]
fn committed_staged_changed_and_untracked_are_one_change_r172() {
    let long: String = (0..30).map(|number| format!("line {number}\n")).collect();
    let repo = Repo::with(&["kept", "edited", "staged", "gone"]);
    repo.write("old/name.rs", &long);
    repo.commit(2);
    repo.change(3, "edited");
    repo.write("staged", "other\n");
    repo.git(4, &["add", "staged"]);
    std::fs::remove_file(repo.root.join("gone")).unwrap();
    repo.git(4, &["mv", "old/name.rs", "name.rs"]);
    repo.write("new/a.rs", "one\ntwo\n");
    repo.write("new/binary", "\0\u{1}");
    repo.write(".oldhand/events/2026-01.jsonl", "{}\n");
    repo.write(".gitignore", "ignored\n");
    repo.write("ignored", "x\n");
    let found = diff(&repo, Some("HEAD~1"));
    assert_eq!(
        lines(&found),
        [
            ".gitignore (new, +1)",
            "edited (+1 -0)",
            "gone (deleted, -2)",
            "name.rs (renamed from old/name.rs, +0 -0)",
            "new/a.rs (new, +2)",
            "new/binary (new, +0)",
            "staged (+1 -2)",
        ]
    );
    assert_eq!(found.subjects, ["change"]);
    assert_eq!(found.branch, "main");
    assert_eq!(found.base_time.unwrap().as_second(), seconds(2) + 3600);
}

#[cfg(unix)]
#[test]
fn names_are_names_and_links_are_not_followed() {
    let repo = Repo::with(&["a"]);
    let odd =
        ["with space", "tab\there", "line\nbreak", "ünï", "-dash", "*", ":(top)x", "\"quoted\""];
    for name in odd {
        repo.write(name, "x\n");
    }
    std::os::unix::fs::symlink("/etc/passwd", repo.root.join("link")).unwrap();
    let untracked = diff(&repo, None);
    for name in odd {
        let file = untracked.files.iter().find(|file| file.path == name);
        assert_eq!(file.map(|file| file.added), Some(1), "{name:?}");
    }
    let link = untracked.files.iter().find(|file| file.path == "link").unwrap();
    assert_eq!(link.added, 0);
    repo.commit(2);
    let committed = diff(&repo, Some("HEAD~1"));
    for name in odd {
        let file = committed.files.iter().find(|file| file.path == name);
        assert_eq!(file.map(|file| file.added), Some(1), "{name:?}");
    }
}

#[test]
fn it_counts_from_where_the_branch_left_the_main_one() {
    let repo = Repo::with(&["a"]);
    let on_main = diff(&repo, None);
    assert_eq!((on_main.base.clone(), on_main.files.len()), (on_main.head, 0));
    repo.git(2, &["checkout", "-q", "-b", "feature"]);
    repo.change(2, "b");
    repo.git(3, &["checkout", "-q", "main"]);
    repo.change(3, "c");
    repo.git(4, &["checkout", "-q", "feature"]);
    // What came to the main branch meanwhile is none of this work, however it is asked for.
    for since in [None, Some("main")] {
        let found = diff(&repo, since);
        assert_eq!(lines(&found), ["b (new, +1)"], "{since:?}");
        assert_eq!(found.base, on_main.base, "{since:?}");
    }
    repo.git(5, &["checkout", "-q", "--detach"]);
    assert_eq!(diff(&repo, Some("main")).branch, "");
}

/// The base was written on one day and committed on another; the work's own commit on a third.
fn begun(base: i64, committed: i64, work: i64) -> i64 {
    let repo = Repo::with(&["a"]);
    let commit = |day: i64, authored: i64, name: &str| {
        repo.write(name, "x\n");
        repo.git(day, &["add", "-A"]);
        let authored = format!("--date=@{}", seconds(authored));
        repo.git(day, &["commit", "-q", "-m", name, &authored]);
    };
    commit(committed, base, "b");
    repo.git(committed + 1, &["checkout", "-q", "-b", "feature"]);
    commit(committed + 1, work, "c");
    diff(&repo, Some("main")).base_time.unwrap().as_second()
}

#[test]
fn work_that_was_rebased_is_older_than_its_base_r175() {
    assert_eq!(begun(2, 5, 3), seconds(3));
    assert_eq!(begun(2, 5, 6), seconds(5) + 3600, "nothing was rebased");
}

#[test]
fn a_commit_of_long_ago_does_not_open_the_window_r175() {
    assert_eq!(begun(4, 5, 1), seconds(4), "brought here by a cherry-pick");
    assert_eq!(begun(5, 5, 1), seconds(5));
}

#[test]
fn a_store_in_a_folder_knows_its_folder_alone() {
    let repo = Repo::with(&["app/Cargo.toml", "app/src/a.rs", "other/b.rs"]);
    repo.write("app/Cargo.toml", "[dependencies]\nserde = \"1\"\n");
    repo.change(2, "other/b.rs");
    repo.write("app/new/c.rs", "x\n");
    repo.write("other/d.rs", "x\n");
    let history = GitHistory { root: repo.root.join("app"), ..repo.history() };
    let found = history.diff(Some("HEAD~1")).unwrap();
    assert_eq!(lines(&found), ["Cargo.toml (+2 -2)", "new/c.rs (new, +1)"]);
    assert_eq!(found.manifests.len(), 1);
    assert!(found.manifests[0].before.starts_with("first text"), "{:?}", found.manifests);
    assert!(found.manifests[0].after.contains("serde"), "{:?}", found.manifests);
}

#[test]
fn without_a_commit_everything_is_new() {
    let repo = Repo::empty();
    repo.write("src/a.rs", "x\n");
    repo.git(1, &["add", "-A"]);
    repo.write("b", "y\n");
    let found = diff(&repo, None);
    assert_eq!(lines(&found), ["b (new, +1)", "src/a.rs (new, +1)"]);
    assert_eq!((found.base, found.head), (None, None));
    assert_eq!(repo.history().diff(Some("HEAD")), Err(NoDiff::UnknownRevision));
}

#[test]
fn nobody_to_ask_and_nothing_to_find_are_told_apart() {
    let repo = Repo::with(&["a"]);
    for since in ["nowhere", "", "--help", "HEAD:a", "a..b", "x\ny"] {
        assert_eq!(repo.history().diff(Some(since)), Err(NoDiff::UnknownRevision), "{since:?}");
    }
    let without_git = GitHistory { search_path: None, ..repo.history() };
    assert_eq!(without_git.diff(None), Err(NoDiff::NoRepository));
    let plain = repo.beside("plain");
    std::fs::create_dir(&plain).unwrap();
    let outside = GitHistory { root: plain, ..repo.history() };
    assert_eq!(outside.diff(None), Err(NoDiff::NoRepository));
    std::fs::write(repo.root.join(".git/config"), "[core\nbroken").unwrap();
    assert!(repo.history().diff(Some("HEAD")).is_err());
}

#[test]
fn nothing_of_the_repository_s_own_is_run() {
    let repo = Repo::with(&["a.txt"]);
    let mark = repo.beside("ran");
    let harm = format!("touch {}", mark.display());
    for key in [
        "diff.external",
        "diff.harm.command",
        "diff.harm.textconv",
        "filter.harm.clean",
        "filter.harm.smudge",
        "filter.harm.process",
        "core.fsmonitor",
        "core.pager",
    ] {
        repo.git(2, &["config", key, &harm]);
    }
    repo.write(".gitattributes", "*.txt diff=harm filter=harm\n");
    repo.write("a.txt", "other\n");
    let _ = repo.history().diff(None);
    let found = diff(&repo, Some("HEAD"));
    assert!(found.files.iter().any(|file| file.path == "a.txt"), "{:?}", found.files);
    assert!(!mark.exists(), "something of the repository ran");
}
