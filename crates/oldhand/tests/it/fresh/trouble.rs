//! Nobody to ask, too little time, a cache that lies, a repository that means harm.

use std::time::{Duration, Instant};

use oldhand_core::fresh::{Answers, PathAnswer, PathQuestion};
use oldhand_store::history::GitHistory;
use oldhand_store::port::CodeHistory;

use super::repo::{Repo, WAIT, given, question, seen};

#[test]
fn nobody_to_ask_is_told_apart() {
    let repo = Repo::with(&["a"]);
    let ask = |history: GitHistory| history.ask(&[question("a", 0)], WAIT);
    let without_git =
        GitHistory { search_path: Some("/nowhere:relative:".into()), ..repo.history() };
    assert_eq!(ask(without_git), Answers::Skipped("git not available".to_owned()));
    assert_eq!(
        ask(GitHistory { search_path: None, ..repo.history() }),
        Answers::Skipped("git not available".to_owned())
    );
    let plain = repo.beside("plain");
    std::fs::create_dir(&plain).unwrap();
    assert_eq!(
        ask(GitHistory { root: plain, ..repo.history() }),
        Answers::Skipped("not a git repository".to_owned())
    );
    std::fs::write(repo.root.join(".git/config"), "[core\nbroken").unwrap();
    assert_eq!(ask(repo.history()), Answers::Skipped("git could not read it".to_owned()));
}

/// A program that never ends is ended, and the answer says that it is none.
#[cfg(unix)]
#[test]
fn time_is_a_limit() {
    use std::os::unix::fs::PermissionsExt;
    let repo = Repo::with(&["a"]);
    let folder = repo.beside("bin");
    std::fs::create_dir(&folder).unwrap();
    let program = folder.join("git");
    std::fs::write(&program, "#!/bin/sh\nexec sleep 60\n").unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let slow = GitHistory { search_path: Some(folder.into()), ..repo.history() };
    let start = Instant::now();
    let within = Duration::from_millis(150);
    let given = given(slow.ask(&[question("a", 0), question("b", 0)], within));
    assert_eq!(given.paths, [None, None]);
    assert_eq!(given.incomplete.as_deref(), Some("git took longer than 150 ms"));
    assert_eq!(slow.snapshot(&["a".to_owned()], within).ids, [None]);
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn the_cache_answers_only_what_still_holds() {
    let mut repo = Repo::with(&["a", "b", "folder/c"]);
    repo.change(3, "a");
    let cache = repo.beside("cache");
    repo.cache = Some(cache.clone());
    let questions = [question("a", 2), question("b", 2), question("folder", 2), question("no", 2)];
    let first = repo.answers(&questions);
    assert_eq!(repo.answers(&questions), first);
    // Old enough to be relied on: from now on no child is needed, so a broken one changes nothing.
    std::thread::sleep(Duration::from_millis(2_100));
    assert_eq!(repo.answers(&questions), first);
    let config = std::fs::read(repo.root.join(".git/config")).unwrap();
    std::fs::write(repo.root.join(".git/config"), "[core\nbroken").unwrap();
    assert_eq!(repo.answers(&questions), first);
    std::fs::write(repo.root.join(".git/config"), config).unwrap();
    repo.write("b", "other\n");
    repo.write("folder/c", "other\n");
    let dirty = repo.answers(&questions);
    let flags: Vec<bool> = dirty.paths.iter().flatten().map(|a| a.uncommitted).collect();
    assert_eq!(flags, [false, true, true, false]);
    repo.commit(4);
    let counts: Vec<Option<u32>> =
        repo.answers(&questions).paths.iter().flatten().map(|a| a.commits).collect();
    assert_eq!(counts, [Some(1), Some(1), Some(1), None]);
    // Other times are other questions.
    assert_eq!(repo.ask("a", 9).commits, Some(0));
    let file = cache.join("freshness.json");
    for damage in ["", "{", "[]", "{\"version\":9,\"entries\":[]}", "\u{0}\u{1}"] {
        std::fs::write(&file, damage).unwrap();
        assert_eq!(repo.ask("a", 2).commits, Some(1), "{damage:?}");
    }
    // A cache that can't be kept is none.
    std::fs::remove_dir_all(&cache).unwrap();
    std::fs::write(&cache, "a file").unwrap();
    assert_eq!(repo.ask("a", 2).commits, Some(1));
}

/// What was counted at an earlier commit is counted on, unless history itself has changed.
#[test]
fn counts_go_on_from_an_earlier_commit() {
    let mut repo = Repo::with(&["a", "b", "folder/c", "d"]);
    repo.cache = Some(repo.beside("cache"));
    let questions = [question("a", 2), question("b", 2), question("folder", 2), question("d", 2)];
    let check = |repo: &Repo, want: [u32; 4], what: &str| {
        for cache in [repo.cache.clone(), None] {
            let history = GitHistory { cache, ..repo.history() };
            let given = given(history.ask(&questions, WAIT));
            let counts: Vec<Option<u32>> =
                given.paths.iter().flatten().map(|answer| answer.commits).collect();
            assert_eq!(counts, want.map(Some), "{what}");
        }
    };
    repo.change(3, "a");
    check(&repo, [1, 0, 0, 0], "first");
    repo.change(4, "a");
    repo.change(5, "folder/new");
    check(&repo, [2, 0, 1, 0], "two commits later");
    repo.git(5, &["checkout", "-q", "-b", "side", "HEAD~2"]);
    check(&repo, [1, 0, 0, 0], "back in time");
    repo.change(6, "b");
    repo.git(7, &["checkout", "-q", "main"]);
    repo.git(7, &["merge", "-q", "--no-ff", "-m", "merge", "side"]);
    check(&repo, [2, 1, 1, 0], "after a merge");
    repo.git(8, &["reset", "-q", "--hard", "HEAD~1"]);
    repo.change(8, "d");
    check(&repo, [2, 0, 1, 1], "after a rewrite");
    repo.git(9, &["commit", "-q", "--amend", "-m", "other words"]);
    repo.git(9, &["reflog", "expire", "--expire=now", "--all"]);
    repo.git(9, &["gc", "-q", "--prune=now"]);
    check(&repo, [2, 0, 1, 1], "after what was counted is gone");
}

/// The count of a path is the same whatever is asked for beside it.
#[test]
fn many_paths_are_counted_as_one_is() {
    let names: Vec<String> = (0..20).map(|n| format!("top{}/sub/f{n}", n % 3)).collect();
    let files: Vec<&str> = names.iter().map(String::as_str).collect();
    let repo = Repo::with(&files);
    for (at, name) in names.iter().enumerate() {
        for step in 0..at % 4 {
            repo.change(3 + step as i64, name);
        }
    }
    let questions: Vec<PathQuestion> = names.iter().map(|name| question(name, 2)).collect();
    for (at, answer) in repo.answers(&questions).paths.iter().flatten().enumerate() {
        assert_eq!(answer.commits, Some((at % 4) as u32), "{at}");
        assert_eq!(repo.ask(&names[at], 2).commits, answer.commits, "{at}");
    }
}

/// Whatever a repository's own configuration names, nothing of it is run.
#[cfg(unix)]
#[test]
fn a_hostile_repository_runs_nothing() {
    use std::os::unix::fs::PermissionsExt;
    let repo = Repo::with(&["a", "b", "gone"]);
    let trace = repo.beside("trace");
    let program = repo.beside("evil");
    std::fs::write(&program, format!("#!/bin/sh\ntouch '{}'\ncat\n", trace.display())).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let evil = program.to_str().unwrap();
    repo.change(3, "a");
    repo.git(4, &["rm", "-q", "gone"]);
    repo.commit(4);
    std::fs::create_dir_all(repo.root.join(".git/hooks")).unwrap();
    for hook in ["post-index-change", "post-checkout", "fsmonitor-watchman"] {
        std::fs::copy(&program, repo.root.join(".git/hooks").join(hook)).unwrap();
    }
    for (key, value) in [
        ("filter.evil.clean", evil),
        ("filter.evil.smudge", evil),
        ("filter.evil.required", "true"),
        ("filter.other.process", evil),
        ("diff.external", evil),
        ("diff.evil.textconv", evil),
        ("diff.evil.command", evil),
        ("core.fsmonitor", evil),
        ("core.pager", evil),
        ("core.sshCommand", evil),
        ("core.alternateRefsCommand", evil),
        ("gpg.program", evil),
        ("log.showSignature", "true"),
        ("log.follow", "true"),
        ("diff.relative", "true"),
        ("diff.renames", "copies"),
        ("diff.noprefix", "true"),
        ("log.showRoot", "false"),
        ("color.ui", "always"),
    ] {
        repo.git(0, &["config", key, value]);
    }
    std::fs::create_dir_all(repo.root.join(".git/info")).unwrap();
    std::fs::write(
        repo.root.join(".git/info/attributes"),
        "* filter=evil diff=evil\nb filter=other\n",
    )
    .unwrap();
    repo.write("a", "other, and not committed\n");
    repo.write("b", "other, and not committed\n");
    let id = "0".repeat(40);
    let given = repo.answers(&[
        seen("a", 2, &id),
        seen("b", 2, &id),
        question("gone", 2),
        question(".", 0),
    ]);
    assert!(!trace.exists(), "something was run");
    assert_eq!(given.incomplete, None);
    let answers: Vec<&PathAnswer> = given.paths.iter().flatten().collect();
    assert_eq!(answers[0].commits, Some(1));
    assert!(answers[0].uncommitted && answers[1].uncommitted);
    assert!(answers[2].gone.is_some());
    assert_eq!(answers[3].commits, Some(3));
    assert!(repo.ids(&["a", "b", "."]).iter().all(Option::is_some));
    assert!(!trace.exists(), "something was run");
}
