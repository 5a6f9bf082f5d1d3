//! Branches that remembered something merge as a forge merges them: in git alone, without our
//! attributes and without our program.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::scratch::{Scratch, copy_tree};

const PAIRS: usize = 100;
/// Meaning is no matter here, and its model takes time to load.
const WORDS_ALONE: [&str; 2] = ["--config", "recall.model=keywords"];

#[track_caller]
fn git(folder: &Path, args: &[&str]) -> String {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=ada", "-c", "user.email=ada@example.com"]);
    command.args(["-c", "commit.gpgsign=false", "-c", "core.fsync=none"]).args(args);
    command.current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null");
    let output = command.output().expect("git");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {}: {text}{error}", args.join(" "));
    text.trim().to_owned()
}

struct Repository {
    scratch: Scratch,
    added: usize,
    random: u64,
}

impl Repository {
    fn new() -> Self {
        let scratch = Scratch::new();
        let root = scratch.repository();
        git(&root, &["init", "-q", "-b", "main"]);
        std::fs::remove_file(scratch.store().join(".gitattributes")).unwrap();
        let mut repository = Self { scratch, added: 0, random: 7 };
        repository.add(&root, 2);
        repository.commit(&root);
        repository
    }

    fn root(&self) -> PathBuf {
        self.scratch.repository()
    }

    fn below(&mut self, end: usize) -> usize {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.random >> 33) as usize % end
    }

    /// Nothing that sounds like anything else: no memory is taken for another one's twin.
    fn words(&mut self, count: usize) -> String {
        let mut letter = || char::from(b'a' + self.below(26) as u8);
        let words = (0..count).map(|_| (0..8).map(|_| letter()).collect::<String>());
        words.collect::<Vec<_>>().join(" ")
    }

    /// New memories of several kinds, on whatever is checked out there.
    fn add(&mut self, folder: &Path, most: usize) {
        for _ in 0..=self.below(most) {
            self.added += 1;
            let (title, text) = (self.words(3), self.words(6));
            let (kind, field) = match self.below(3) {
                0 => ("reference", "--text"),
                1 => ("preference", "--value"),
                _ => ("constraint", "--rule"),
            };
            let folder = folder.to_str().unwrap();
            let mut args = vec!["-C", folder, "add", kind, "--title", &title, field, &text];
            args.extend(WORDS_ALONE);
            self.scratch.ok(&args);
        }
    }

    fn commit(&self, folder: &Path) {
        git(folder, &["add", "-A"]);
        git(folder, &["commit", "-q", "-m", "remembered"]);
    }

    fn remember_on(&mut self, folder: &Path, branch: &str, from: &str) {
        git(folder, &["checkout", "-q", "-b", branch, from]);
        self.add(folder, 3);
        self.commit(folder);
    }

    /// Two branches, in one of the ways in which people make them; their names.
    fn pair(&mut self, number: usize) -> [String; 2] {
        let root = self.root();
        let [one, other] = ["a", "b"].map(|name| format!("{name}{number}"));
        git(&root, &["checkout", "-q", "main"]);
        match number % 5 {
            // One after the other in one checkout.
            0 => {
                self.remember_on(&root, &one, "main");
                self.remember_on(&root, &other, "main");
            }
            // What was remembered before there was a branch moves to it.
            1 => {
                for branch in [&one, &other] {
                    self.add(&root, 2);
                    git(&root, &["checkout", "-q", "-b", branch]);
                    self.add(&root, 2);
                    self.commit(&root);
                    git(&root, &["checkout", "-q", "main"]);
                }
            }
            // In a linked worktree, at the same time.
            2 => {
                let tree = root.with_file_name(format!("worktree{number}"));
                git(&root, &["worktree", "add", "-q", "-b", &other, tree.to_str().unwrap()]);
                self.remember_on(&root, &one, "main");
                self.add(&tree, 3);
                self.commit(&tree);
                git(&root, &["worktree", "remove", "--force", tree.to_str().unwrap()]);
            }
            // On top of the other, which is squashed into `main` meanwhile.
            3 => {
                let stacked = format!("base{number}");
                self.remember_on(&root, &stacked, "main");
                self.remember_on(&root, &other, &stacked);
                let tree = format!("{stacked}^{{tree}}");
                let squashed = git(&root, &["commit-tree", &tree, "-p", "main", "-m", "squashed"]);
                git(&root, &["branch", &one, &squashed]);
            }
            // In a copy of the folder.
            _ => {
                let copy = root.with_file_name(format!("copy{number}"));
                copy_tree(&root, &copy);
                self.remember_on(&root, &one, "main");
                self.remember_on(&copy, &other, "main");
                git(&root, &["fetch", "-q", copy.to_str().unwrap(), &format!("{other}:{other}")]);
                std::fs::remove_dir_all(copy).unwrap();
            }
        }
        [one, other]
    }
}

#[test]
fn branches_that_remembered_something_never_conflict() {
    let mut repository = Repository::new();
    let root = repository.root();
    let mut merged = "main".to_owned();
    for number in 0..PAIRS {
        let [one, other] = repository.pair(number);
        let tree = git(&root, &["merge-tree", "--write-tree", &one, &other]);
        // Everything that was ever remembered, merged in turn, in one branch too.
        for branch in [&one, &other] {
            let all = git(&root, &["merge-tree", "--write-tree", &merged, branch]);
            let parents = ["-p", &merged, "-p", branch, "-m", "merged"];
            merged = git(&root, &[&["commit-tree", &all], &parents[..]].concat());
        }
        assert!(!tree.contains('\n'), "pair {number}: {tree}");
    }
    // Nothing was lost on the way: no event has the id of another one.
    git(&root, &["checkout", "-q", "-B", "all", &merged]);
    let diagnosis = repository.scratch.json(&["doctor"]);
    assert_eq!(diagnosis["memories"], repository.added, "{diagnosis}");
    assert_eq!(diagnosis["events"], repository.added, "{diagnosis}");
}

/// The same lines in any files and any order say the same.
#[test]
fn files_and_lines_have_no_order() {
    let scratch = Scratch::new();
    scratch.ok(&["add", "constraint", "--title", "Retry uploads", "--rule", "Retry once"]);
    let id = "retry-uploads";
    for (task, effect) in [("t1", "positive"), ("t2", "positive"), ("t3", "contradiction")] {
        scratch.ok(&["apply", id, "--effect", effect, "--task", task]);
    }
    scratch.ok(&["review", id, "--request", "--reason", "it failed"]);
    let keep = ["review", id, "--decision", "reinstate", "--reason", "checked", "--by", "ada"];
    scratch.ok(&[&keep[..], &["--guidance", "Retry twice"]].concat());
    scratch.ok(&["apply", id, "--effect", "negative", "--task", "t4"]);
    scratch.ok(&["retire", id, "--reason", "gone"]);
    scratch.ok(&["undo"]);
    let said = || ["show", "history", "why"].map(|command| scratch.json(&[command, id]));
    let before = said();
    let text = std::fs::read_to_string(scratch.log()).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    assert!(lines.len() >= 9, "{text}");
    std::fs::remove_file(scratch.log()).unwrap();
    for turn in 0..8 {
        let at = turn % lines.len();
        lines.rotate_left(at);
        lines.reverse();
        lines.swap(0, at);
        let files = ["2026-11", "2026-11.0abc", "2027-01.9zzz"];
        for (number, name) in files.iter().enumerate() {
            // Some lines are in two files, as after a merge of a copy.
            let part = lines.iter().enumerate().filter(|(at, _)| at % 3 == number || at % 4 == 1);
            let part: String = part.map(|(_, line)| format!("{line}\n")).collect();
            std::fs::write(scratch.store().join(format!("events/{name}.jsonl")), part).unwrap();
        }
        assert_eq!(said(), before, "turn {turn}");
        assert_eq!(scratch.json(&["doctor"])["findings"], serde_json::json!([]), "turn {turn}");
    }
}

/// A store of an earlier version moves over with its next write, and says so once.
#[test]
fn an_old_store_moves_over_once() {
    let scratch = Scratch::new();
    let (root, store) = (scratch.repository(), scratch.store());
    scratch.ok(&["remember", "We keep money in cents"]);
    std::fs::rename(scratch.log(), store.join("events/2026-11.jsonl")).unwrap();
    std::fs::remove_file(store.join("local/writers.json")).unwrap();
    std::fs::write(store.join(".gitignore"), "/local/\n").unwrap();
    git(&root, &["init", "-q"]);
    git(&root, &["add", "-A"]);
    git(&root, &["commit", "-q", "-m", "old"]);
    let old = std::fs::read(store.join("events/2026-11.jsonl")).unwrap();
    let told = |words: &str| {
        let ran = scratch.run(&["remember", words]);
        assert_eq!(ran.code, 0);
        String::from_utf8(ran.stderr).unwrap()
    };
    let notice = told("The tests run before every commit");
    assert_eq!(notice.lines().count(), 1, "{notice}");
    assert!(notice.contains("`git rm --cached .oldhand/index.md`"), "{notice}");
    assert_eq!(told("Deploys happen on weekdays"), "");
    assert_eq!(std::fs::read(store.join("events/2026-11.jsonl")).unwrap(), old);
    assert_eq!(std::fs::read_dir(store.join("events")).unwrap().count(), 2);
    assert_eq!(scratch.json(&["doctor"])["events"], 3);
    git(&root, &["rm", "-q", "--cached", ".oldhand/index.md"]);
    assert_eq!(scratch.json(&["doctor"])["notes"], serde_json::json!([]));
    // What a program of that version would have appended to is still its own file.
    let newest = scratch.log();
    assert!(newest.ends_with("2026-11.jsonl"), "{}", newest.display());
}
