//! Repositories for the tests of freshness, with commits at known times.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use oldhand_core::fresh::{Answers, Given, PathAnswer, PathQuestion};
use oldhand_store::history::GitHistory;
use oldhand_store::port::CodeHistory;

pub(super) const WAIT: Duration = Duration::from_secs(30);

/// A repository whose commits have the times they are given.
pub(super) struct Repo {
    _folder: tempfile::TempDir,
    pub(super) root: PathBuf,
    pub(super) cache: Option<PathBuf>,
}

impl Repo {
    pub(super) fn empty() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        let root = base.join("repository");
        std::fs::create_dir(&root).unwrap();
        let repo = Self { _folder: folder, root, cache: None };
        repo.git(0, &["init", "-q", "-b", "main", "--template="]);
        repo
    }

    /// With one commit on day 1 that has these files.
    pub(super) fn with(files: &[&str]) -> Self {
        let repo = Self::empty();
        for file in files {
            repo.write(file, &format!("first text of {file}\nwith a second line\n"));
        }
        repo.commit(1);
        repo
    }

    pub(super) fn beside(&self, name: &str) -> PathBuf {
        self.root.parent().unwrap().join(name)
    }

    pub(super) fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(super) fn change(&self, day: i64, path: &str) {
        let text = std::fs::read_to_string(self.root.join(path)).unwrap_or_default();
        self.write(path, &format!("{text}changed on day {day}\n"));
        self.commit(day);
    }

    pub(super) fn commit(&self, day: i64) {
        self.git(day, &["add", "-A"]);
        self.git(day, &["commit", "-q", "--allow-empty", "-m", "change"]);
    }

    pub(super) fn git(&self, day: i64, args: &[&str]) -> String {
        git_in(&self.root, day, args)
    }

    pub(super) fn history(&self) -> GitHistory {
        GitHistory {
            root: self.root.clone(),
            search_path: std::env::var_os("PATH"),
            cache: self.cache.clone(),
        }
    }

    pub(super) fn answers(&self, questions: &[PathQuestion]) -> Given {
        given(self.history().ask(questions, WAIT))
    }

    /// About one path since a day.
    pub(super) fn ask(&self, path: &str, since_day: i64) -> PathAnswer {
        self.answers(&[question(path, since_day)]).paths.remove(0).unwrap()
    }

    pub(super) fn ids(&self, paths: &[&str]) -> Vec<Option<String>> {
        let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
        self.history().snapshot(&paths, WAIT).ids
    }
}

pub(super) fn git_in(folder: &Path, day: i64, args: &[&str]) -> String {
    let time = format!("{} +0000", seconds(day) + 3600);
    let output = Command::new("git")
        .args(args)
        .current_dir(folder)
        .env("GIT_AUTHOR_DATE", &time)
        .env("GIT_COMMITTER_DATE", &time)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .envs(["GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"].map(|name| (name, "Ada")))
        .envs(["GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"].map(|name| (name, "ada@example.org")))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {}: {said}", args.join(" "));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// The start of a day, counted from 1 January 2026.
pub(super) fn seconds(day: i64) -> i64 {
    1_767_225_600 + day * 86_400
}

pub(super) fn question(path: &str, since_day: i64) -> PathQuestion {
    let since = jiff::Timestamp::from_second(seconds(since_day)).unwrap();
    PathQuestion { path: path.to_owned(), since, seen: None }
}

pub(super) fn seen(path: &str, since_day: i64, id: &str) -> PathQuestion {
    PathQuestion { seen: Some(id[..12].to_owned()), ..question(path, since_day) }
}

#[track_caller]
pub(super) fn given(answers: Answers) -> Given {
    match answers {
        Answers::Given(given) => given,
        Answers::Skipped(why) => panic!("skipped: {why}"),
    }
}
