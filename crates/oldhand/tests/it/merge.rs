//! Merges in real git, with the real program as driver: two clones of one bare repository (R332 R334).

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::scratch::temp_dir;

mod recorded;

struct Team {
    folder: tempfile::TempDir,
}

/// One clone, and who works in it.
struct Clone<'t> {
    team: &'t Team,
    who: &'static str,
    at: PathBuf,
}

/// A file of a decision, to be changed by hand: the driver is about files.
const CENTS: &str = "---\nid: use-cents\ntype: decision\ntitle: Use cents\nstatus: accepted\n\
    state: stable\nscope: project\ntags: [money]\norigin: user\ncreated_at: 2026-05-01T08:00:00Z\n\
    updated_at: 2026-05-01T08:00:00Z\n---\n\n## Context\nMoney was a float.\n\n## Decision\n\
    Integers.\n\n## Consequences\n- The API sends cents\n";
const FILE: &str = ".oldhand/decisions/use-cents.md";

impl Team {
    /// A repository with a store and one decision, cloned twice.
    fn new() -> Self {
        let team = Self { folder: temp_dir() };
        let bin = team.path("bin");
        std::fs::create_dir_all(&bin).unwrap();
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_oldhand"), bin.join("oldhand")).unwrap();
        let bare = Clone { team: &team, who: "root", at: team.path("") };
        bare.git(&["init", "-q", "--bare", "-b", "main", "origin.git"]);
        let ada = team.clone_of("ada");
        ada.oldhand(&["init"]);
        ada.write(FILE, CENTS);
        ada.commit("a store");
        ada.git(&["push", "-q", "origin", "HEAD:main"]);
        team.clone_of("grace").oldhand(&["install", "git"]);
        team
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn clone_of(&self, who: &'static str) -> Clone<'_> {
        let root = Clone { team: self, who: "root", at: self.path("") };
        root.git(&["clone", "-q", "origin.git", who]);
        self.at(who)
    }

    fn at(&self, who: &'static str) -> Clone<'_> {
        Clone { team: self, who, at: self.path(who) }
    }

    /// The clones of the two, each with a change that is committed; ada's is pushed.
    fn with(&self, ada: &[(&str, &str)], grace: &[(&str, &str)]) -> [Clone<'_>; 2] {
        let clones = [self.at("ada"), self.at("grace")];
        for (clone, edits) in clones.iter().zip([ada, grace]) {
            clone.edit(FILE, edits);
            clone.commit("a change");
        }
        clones[0].git(&["push", "-q", "origin", "HEAD:main"]);
        clones[1].git(&["fetch", "-q"]);
        clones
    }
}

impl Clone<'_> {
    fn command(&self, program: &Path) -> Command {
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new(program);
        command.current_dir(&self.at).env_clear().stdin(std::process::Stdio::null());
        command.env("PATH", format!("{}:{path}", self.team.path("bin").display()));
        for (name, value) in [
            ("USER", self.who),
            ("GIT_AUTHOR_NAME", self.who),
            ("GIT_COMMITTER_NAME", self.who),
            ("GIT_AUTHOR_EMAIL", "a@example.org"),
            ("GIT_COMMITTER_EMAIL", "a@example.org"),
            ("GIT_CONFIG_NOSYSTEM", "1"),
            ("GIT_EDITOR", "true"),
            ("OLDHAND_TRUST", "1"),
        ] {
            command.env(name, value);
        }
        command.env("HOME", self.team.folder.path());
        command
    }

    fn try_git(&self, args: &[&str]) -> Output {
        self.command(Path::new("git")).args(args).output().unwrap()
    }

    #[track_caller]
    fn git(&self, args: &[&str]) -> String {
        told(&self.try_git(args), args)
    }

    #[track_caller]
    fn oldhand(&self, args: &[&str]) -> String {
        let program = Path::new(env!("CARGO_BIN_EXE_oldhand"));
        told(&self.command(program).args(args).output().unwrap(), args)
    }

    /// Also with findings.
    fn doctor(&self) -> serde_json::Value {
        let program = Path::new(env!("CARGO_BIN_EXE_oldhand"));
        let output = self.command(program).args(["doctor", "--json"]).output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.at.join(path)).unwrap()
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.at.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn edit(&self, path: &str, edits: &[(&str, &str)]) {
        let text = edits.iter().fold(self.read(path), |text, (from, to)| {
            assert!(text.contains(from), "{from} is not in\n{text}");
            text.replacen(from, to, 1)
        });
        self.write(path, &text);
    }

    fn commit(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", message]);
    }

    /// The decision without markers, with all of these texts.
    #[track_caller]
    fn has(&self, texts: &[&str]) {
        let text = self.read(FILE);
        assert!(!text.contains("<<<<<<<"), "{text}");
        texts.iter().for_each(|it| assert!(text.contains(it), "`{it}` is missing:\n{text}"));
        self.oldhand(&["show", "use-cents"]);
    }
}

#[track_caller]
fn told(output: &Output, args: &[&str]) -> String {
    let [out, error] = [&output.stdout, &output.stderr].map(|it| String::from_utf8_lossy(it));
    assert!(output.status.success(), "{}: {out}{error}", args.join(" "));
    out.into_owned()
}

const LATER: (&str, &str) = ("updated_at: 2026-05-01", "updated_at: 2026-05-02");
const LATEST: (&str, &str) = ("updated_at: 2026-05-01", "updated_at: 2026-05-03");
const ADA: &[(&str, &str)] = &[LATER, ("[money]", "[api, money]"), ("Integers.", "Only integers.")];
const GRACE: &[(&str, &str)] =
    &[LATEST, ("[money]", "[money, reports]"), ("sends cents\n", "sends cents\n- Divide late\n")];
/// What both changes come to.
const BOTH: &[&str] =
    &["tags: [api, money, reports]", "Only integers.", "- Divide late", "updated_at: 2026-05-03"];

#[test]
fn both_add_and_change_different_fields() {
    let team = Team::new();
    let [ada, grace] = [team.at("ada"), team.at("grace")];
    let decide = |clone: &Clone<'_>, title: &str, text: &str| {
        clone.oldhand(&["add", "decision", "--title", title, "--decision", text]);
    };
    decide(&ada, "Queues are bounded", "At most a thousand jobs wait");
    decide(&grace, "Logs are lines", "One JSON object per line");
    let [_, grace] = team.with(ADA, GRACE);
    grace.git(&["merge", "-q", "origin/main"]);
    grace.has(BOTH);
    let list = grace.oldhand(&["list"]);
    assert!(list.contains("queues-are-bounded") && list.contains("logs-are-lines"), "{list}");
    // Only the decision that was written by hand, as before.
    let findings = grace.doctor()["findings"].clone();
    assert!(findings.as_array().unwrap().len() == 1, "{findings}");
    assert!(findings[0]["what"].as_str().unwrap().contains("the log does not carry"), "{findings}");
}

#[test]
fn every_way_to_merge_gives_the_same() {
    let team = Team::new();
    let [_, grace] = team.with(ADA, GRACE);
    let start = grace.git(&["rev-parse", "HEAD"]);
    let start = start.trim();
    let theirs = "origin/main";
    let pick = ["cherry-pick", theirs];
    let (squash, rebase) = (["merge", "-q", "--squash", theirs], ["rebase", "-q", theirs]);
    let mut results = Vec::new();
    for way in [&["merge", "-q", theirs][..], &pick, &squash, &rebase] {
        grace.git(way);
        grace.has(BOTH);
        results.push(grace.read(FILE));
        grace.git(&["reset", "-q", "--hard", start]);
    }
    // Changes that were put away come back onto a file that moved on.
    grace.git(&["reset", "-q", "--hard", "HEAD~"]);
    grace.edit(FILE, GRACE);
    grace.git(&["stash", "-q"]);
    grace.git(&["merge", "-q", theirs]);
    grace.git(&["stash", "pop", "-q"]);
    results.push(grace.read(FILE));
    results.iter().for_each(|it| assert_eq!(*it, results[0]));
    // A work tree of its own, where the merge happens without a checkout too.
    grace.git(&["reset", "-q", "--hard", start]);
    grace.git(&["worktree", "add", "-q", "../beside", "HEAD"]);
    let beside = Clone { at: team.path("beside"), ..team.at("grace") };
    beside.git(&["merge", "-q", theirs]);
    assert_eq!(beside.read(FILE), results[0]);
    let tree = grace.git(&["merge-tree", "--write-tree", "HEAD", theirs]);
    assert_eq!(grace.git(&["show", &format!("{}:{FILE}", tree.trim())]), results[0]);
}

#[test]
fn the_same_words_conflict_and_the_rest_is_merged() {
    let team = Team::new();
    let [_, grace] = team.with(
        &[LATER, ("Integers.", "Never floats.")],
        &[LATEST, ("Integers.", "Big integers."), ("[money]", "[api]")],
    );
    let merge = grace.try_git(&["merge", "-q", "origin/main"]);
    assert_eq!(merge.status.code(), Some(1));
    let text = grace.read(FILE);
    let wanted = "## Decision\n<<<<<<< ours\nBig integers.\n||||||| base\nIntegers.\n=======\n\
        Never floats.\n>>>>>>> theirs\n";
    assert!(text.contains(wanted), "{text}");
    assert!(text.contains("tags: [api]\n") && text.contains("updated_at: 2026-05-03"), "{text}");
    assert_eq!(text.matches("<<<<<<<").count(), 1, "{text}");
    // `doctor` names it, and it is a memory again when a person has chosen.
    let findings = grace.doctor()["findings"].to_string();
    assert!(findings.contains("merge conflict"), "{findings}");
    grace.write(FILE, &text.replace(wanted, "## Decision\nBig integers.\n"));
    grace.commit("chosen");
    grace.has(&["Big integers."]);
}

#[test]
fn renamed_added_twice_and_reverted() {
    let team = Team::new();
    let [ada, grace] = [team.at("ada"), team.at("grace")];
    let candidate = CENTS.replace("use-cents", "odd").replace("state: stable", "state: candidate");
    ada.write(".oldhand/candidates/odd.md", &candidate);
    ada.commit("a candidate");
    ada.git(&["push", "-q", "origin", "HEAD:main"]);
    grace.git(&["pull", "-q", "origin", "main"]);
    // One promotes it, the other says more.
    ada.git(&["mv", ".oldhand/candidates/odd.md", ".oldhand/decisions/odd.md"]);
    ada.edit(".oldhand/decisions/odd.md", &[("state: candidate", "state: stable"), LATER]);
    grace.edit(".oldhand/candidates/odd.md", &[("Money was", "Once money was"), LATEST]);
    grace.write(".oldhand/candidates/new.md", &candidate.replace("id: odd", "id: new"));
    // Both write down the same.
    let twice = CENTS.replace("use-cents", "twice");
    ada.write(".oldhand/decisions/twice.md", &twice.replace("[money]", "[api]"));
    grace.write(".oldhand/decisions/twice.md", &twice);
    [&ada, &grace].iter().for_each(|clone| clone.commit("a change"));
    ada.git(&["push", "-q", "origin", "HEAD:main"]);
    grace.git(&["fetch", "-q"]);
    grace.git(&["merge", "-q", "origin/main"]);
    let odd = grace.read(".oldhand/decisions/odd.md");
    assert!(odd.contains("state: stable") && odd.contains("Once money was"), "{odd}");
    assert!(grace.read(".oldhand/decisions/twice.md").contains("tags: [api, money]"));
    // The folder of candidates was not renamed with the last of them.
    assert!(grace.at.join(".oldhand/candidates/new.md").exists());
    grace.edit(FILE, GRACE);
    grace.commit("more");
    grace.edit(FILE, &[("Integers.", "Only integers.")]);
    grace.commit("still more");
    grace.git(&["revert", "--no-edit", "HEAD~"]);
    let text = grace.read(FILE);
    assert!(text.contains("Only integers.") && !text.contains("Divide late"), "{text}");
}

#[test]
fn criss_cross_and_octopus() {
    let team = Team::new();
    let [ada, grace] = team.with(ADA, GRACE);
    // Each merges the other's first change, and then goes on.
    grace.git(&["push", "-q", "origin", "HEAD:grace"]);
    ada.git(&["fetch", "-q"]);
    ada.git(&["merge", "-q", "origin/grace"]);
    grace.git(&["merge", "-q", "origin/main"]);
    ada.edit(FILE, &[("a float", "a float once")]);
    grace.edit(FILE, &[("- Divide late", "- Divide very late")]);
    [&ada, &grace].iter().for_each(|clone| clone.commit("more"));
    ada.git(&["push", "-q", "origin", "HEAD:main"]);
    grace.git(&["fetch", "-q"]);
    grace.git(&["merge", "-q", "origin/main"]);
    grace.has(&["a float once", "- Divide very late", "Only integers."]);
    for (branch, tag) in [("one", "one, "), ("two", "two, ")] {
        grace.git(&["checkout", "-q", "-b", branch, "main"]);
        grace.edit(FILE, &[("tags: [", &format!("tags: [{tag}"))]);
        grace.commit(branch);
    }
    grace.git(&["checkout", "-q", "main"]);
    // Three heads at once: git's own script asks no driver, refuses, and has changed nothing.
    assert!(!grace.try_git(&["merge", "-q", "one", "two"]).status.success());
    grace.git(&["reset", "-q", "--hard"]);
    grace.has(&["tags: [api, money, reports]"]);
    ["one", "two"].iter().for_each(|branch| drop(grace.git(&["merge", "-q", branch])));
    grace.has(&["tags: [api, money, one, reports, two]"]);
}

#[test]
fn a_missing_program_loses_nothing() {
    let team = Team::new();
    let [_, grace] = team.with(ADA, GRACE);
    std::fs::remove_file(team.path("bin/oldhand")).unwrap();
    assert!(!grace.try_git(&["merge", "-q", "origin/main"]).status.success());
    let text = grace.read(FILE);
    let all = ["[api, money]", "[money, reports]", "Only integers.", "- Divide late", "<<<<<<<"];
    all.iter().for_each(|it| assert!(text.contains(it), "`{it}` is missing:\n{text}"));
    // A driver that breaks stops the merge, and nothing has changed.
    grace.git(&["merge", "--abort"]);
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_oldhand"), team.path("bin/oldhand")).unwrap();
    let broken = "merge.oldhand.driver=oldhand merge-file --no-such-flag %O %A %B";
    let merge = grace.try_git(&["-c", broken, "merge", "-q", "origin/main"]);
    assert!(!merge.status.success());
    assert_eq!(grace.git(&["status", "--porcelain"]), "");
    grace.git(&["merge", "-q", "origin/main"]);
    grace.has(BOTH);
}

#[test]
fn odd_paths_and_line_breaks() {
    let team = Team::new();
    let [ada, grace] = [team.at("ada"), team.at("grace")];
    let file = ".oldhand/decisions/a 'quoted' \"name\" $(id).md";
    ada.write(file, CENTS);
    ada.commit("an odd name");
    ada.git(&["push", "-q", "origin", "HEAD:main"]);
    grace.git(&["pull", "-q", "origin", "main"]);
    grace.git(&["config", "core.autocrlf", "true"]);
    grace.git(&["rm", "-q", "--cached", "-r", "."]);
    grace.git(&["reset", "-q", "--hard"]);
    assert!(grace.read(file).contains("\r\n"));
    ada.edit(file, ADA);
    let [from, to] = ["sends cents\r\n", "sends cents\r\n- Divide late\r\n"];
    grace.edit(file, &[LATEST, ("[money]", "[money, reports]"), (from, to)]);
    [&ada, &grace].iter().for_each(|clone| clone.commit("a change"));
    ada.git(&["push", "-q", "origin", "HEAD:main"]);
    grace.git(&["fetch", "-q"]);
    grace.git(&["merge", "-q", "origin/main"]);
    let text = grace.read(file);
    BOTH.iter().for_each(|it| assert!(text.contains(it), "`{it}` is missing:\n{text}"));
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
    assert!(!grace.git(&["show", &format!("HEAD:{file}")]).contains('\r'));
}

#[test]
fn installed_taken_out_and_named() {
    let team = Team::new();
    let [ada, grace] = [team.at("ada"), team.at("grace")];
    let driver = |clone: &Clone<'_>| clone.try_git(&["config", "merge.oldhand.driver"]).stdout;
    // `init` has set it up, and says so only once.
    assert!(String::from_utf8(driver(&ada)).unwrap().contains("oldhand merge-file"));
    assert!(!ada.oldhand(&["init"]).contains("git"));
    let attributes = grace.read(".oldhand/.gitattributes");
    assert!(attributes.lines().any(|line| line == "*/*.md merge=oldhand"), "{attributes}");
    grace.oldhand(&["uninstall", "git"]);
    assert_eq!(driver(&grace), b"");
    let notes = grace.doctor()["notes"].to_string();
    assert!(notes.contains("oldhand install git"), "{notes}");
    grace.oldhand(&["install", "git", "--global"]);
    assert!(!grace.doctor()["notes"].to_string().contains("oldhand install git"));
    grace.oldhand(&["uninstall", "git", "--global"]);
    // An older store gets the line of the driver.
    grace.write(".oldhand/.gitattributes", "events/*.jsonl merge=union");
    let repaired = grace.doctor()["repaired"].to_string();
    assert!(repaired.contains(".gitattributes"), "{repaired}");
    let attributes = grace.read(".oldhand/.gitattributes");
    assert!(attributes.starts_with("events/*.jsonl merge=union\n*/*.md merge=oldhand\n"));
    // A driver of somebody else is theirs.
    grace.git(&["config", "merge.oldhand.driver", "true"]);
    grace.oldhand(&["init"]);
    assert_eq!(driver(&grace), b"true\n");
}
