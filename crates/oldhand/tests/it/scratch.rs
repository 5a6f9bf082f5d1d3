//! Scratch repositories, and what a store says at one moment.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use jiff::Timestamp;
use oldhand_store::disk::{Disk, RealDisk};
use serde_json::Value;

use crate::program::{Ran, World, run};

pub(crate) const NOW: &str = "2026-11-15T12:00:00Z";

/// Which round of `cargo xtask nightly` this is: each one tries other stores and other power cuts. Zero everywhere else.
pub(crate) fn round() -> usize {
    std::env::var("OLDHAND_ROUND").ok().and_then(|value| value.parse().ok()).unwrap_or(0)
}

/// Memories that the rounds of a night differ by.
pub(crate) fn fill(store: &Scratch) {
    let count = round() * 5 % 32;
    if count > 0 {
        let file = store.repository().join("round.jsonl");
        std::fs::write(file, records(count).replace("Fact", "Remark")).unwrap();
        store.ok(&["import", "round.jsonl"]);
    }
    // A view is one more file that a write changes.
    if round() % 2 == 1 {
        store.ok(&["config", "set", "views.decisions", "true"]);
    }
}

/// A repository with a store, in memory where the machine has such a place: these tests are about
/// order, not about the speed of a disk.
pub(crate) struct Scratch {
    folder: tempfile::TempDir,
    pub now: Timestamp,
}

impl Scratch {
    pub(crate) fn new() -> Self {
        let scratch = Self::empty();
        scratch.ok(&["init"]);
        scratch
    }

    /// Without a store.
    pub(crate) fn empty() -> Self {
        let scratch = Self { folder: temp_dir(), now: NOW.parse().unwrap() };
        std::fs::create_dir(scratch.repository()).unwrap();
        scratch
    }

    /// The same files in another folder.
    pub(crate) fn copy(&self) -> Self {
        let copy = Self { folder: temp_dir(), now: self.now };
        copy_tree(&self.repository(), &copy.repository());
        copy
    }

    pub(crate) fn repository(&self) -> PathBuf {
        self.folder.path().join("repository")
    }

    pub(crate) fn store(&self) -> PathBuf {
        self.repository().join(".oldhand")
    }

    /// The file of the log that sorts last.
    pub(crate) fn log(&self) -> PathBuf {
        let files = std::fs::read_dir(self.store().join("events")).unwrap();
        files.map(|entry| entry.unwrap().path()).max().unwrap()
    }

    pub(crate) fn vars(&self) -> BTreeMap<String, String> {
        let home = self.folder.path().display().to_string();
        [
            ("HOME", home.as_str()),
            ("USER", "ada"),
            ("OLDHAND_LIMITS_MAX_MEMORIES_PER_KIND", "0"),
            ("OLDHAND_TRUST", "1"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into()
    }

    pub(crate) fn run_on(&self, disk: &dyn Disk, args: &[&str], stdin: &[u8]) -> Ran {
        let world = World {
            disk,
            vars: self.vars(),
            current_dir: &self.repository(),
            now: self.now,
            seed: u64::from_le_bytes(std::array::from_fn(|_| fastrand())),
        };
        run(&world, args, stdin)
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.run_on(&RealDisk, args, b"")
    }

    #[track_caller]
    pub(crate) fn ok(&self, args: &[&str]) -> String {
        let ran = self.run(args);
        let text = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert_eq!(ran.code, 0, "oldhand {}: {text}", args.join(" "));
        String::from_utf8(ran.stdout).unwrap()
    }

    #[track_caller]
    pub(crate) fn json(&self, args: &[&str]) -> Value {
        let mut args = args.to_vec();
        args.push("--json");
        serde_json::from_slice(&self.run(&args).stdout).unwrap()
    }

    /// The real program in this repository.
    pub(crate) fn program(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_oldhand"));
        command.args(args).current_dir(self.repository()).env_clear().envs(self.vars());
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.stdin(std::process::Stdio::null());
        command
    }

    /// Everything that is remembered, without the times.
    #[track_caller]
    pub(crate) fn snapshot(&self) -> Snapshot {
        let ran = self.run(&["export"]);
        assert_eq!(String::from_utf8_lossy(&ran.stderr), "");
        assert_eq!(ran.code, 0);
        let mut snapshot = Snapshot::new();
        for line in String::from_utf8(ran.stdout).unwrap().lines() {
            let memory: Value = serde_json::from_str(line).unwrap();
            let said = [
                "state",
                "title",
                "tags",
                "times_updated",
                "content",
                "superseded_by",
                "supersedes",
            ];
            let said: Vec<String> = said.iter().map(|key| memory[key].to_string()).collect();
            snapshot.insert(memory["path"].as_str().unwrap().to_owned(), said.join(" "));
        }
        snapshot
    }

    /// Nothing is left for a person to decide, and the store can be written.
    #[track_caller]
    pub(crate) fn assert_healthy(&self, when: &str) {
        let diagnosis = self.json(&["doctor"]);
        assert_eq!(diagnosis["findings"], serde_json::json!([]), "{when}: {diagnosis}");
        let ran = self.run(&["remember", "The next command works"]);
        assert_eq!(ran.code, 0, "{when}: {}", String::from_utf8_lossy(&ran.stderr));
        let left = std::fs::read_dir(self.store().join("local/tmp")).unwrap().count();
        assert_eq!(left, 0, "{when}: leftovers");
    }
}

pub(crate) type Snapshot = BTreeMap<String, String>;

pub(crate) fn temp_dir() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    let builder = tempfile::Builder::new();
    match builder.tempdir_in(memory) {
        Ok(folder) => folder,
        Err(_) => builder.tempdir().unwrap(),
    }
}

pub(crate) fn copy_tree(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_tree(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// A byte that differs between calls and processes.
fn fastrand() -> u8 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(0u8) as u8
}

/// Records for a bulk import, as JSON lines.
pub(crate) fn records(count: usize) -> String {
    (0..count)
        .map(|number| {
            format!(
                "{{\"category\":\"reference\",\"title\":\"Fact number {number}\",\"tags\":[\"bulk\"],\
                 \"content\":{{\"text\":\"Fact {number} of many.\"}}}}\n"
            )
        })
        .collect()
}
