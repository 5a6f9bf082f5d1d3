//! Files and disks that are not as they should be: a clear error or a named finding, and nothing
//! lost.

use std::io;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::Duration;

use oldhand_store::disk::{DirEntry, Disk, Held, RealDisk, Stat};

use crate::program::Ran;
use crate::scratch::Scratch;

/// A disk that can be read and nothing else.
struct ReadOnlyDisk;

fn read_only<T>() -> io::Result<T> {
    Err(io::Error::from(io::ErrorKind::ReadOnlyFilesystem))
}

impl Disk for ReadOnlyDisk {
    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        RealDisk.read(path, limit)
    }
    fn read_tail(&self, path: &Path, bytes: u64) -> io::Result<Vec<u8>> {
        RealDisk.read_tail(path, bytes)
    }
    fn list(&self, directory: &Path) -> io::Result<Vec<DirEntry>> {
        RealDisk.list(directory)
    }
    fn stat(&self, path: &Path) -> io::Result<Option<Stat>> {
        RealDisk.stat(path)
    }
    fn make_dir(&self, path: &Path) -> io::Result<()> {
        if path.is_dir() { Ok(()) } else { read_only() }
    }
    fn create(&self, _: &Path, _: &[u8]) -> io::Result<()> {
        read_only()
    }
    fn append(&self, _: &Path, _: &[u8]) -> io::Result<()> {
        read_only()
    }
    fn truncate(&self, _: &Path, _: u64) -> io::Result<()> {
        read_only()
    }
    fn sync_file(&self, _: &Path) -> io::Result<()> {
        read_only()
    }
    fn sync_dir(&self, _: &Path) -> io::Result<()> {
        read_only()
    }
    fn sync_filesystem(&self, _: &Path) -> io::Result<()> {
        read_only()
    }
    fn rename(&self, _: &Path, _: &Path) -> io::Result<()> {
        read_only()
    }
    fn rename_new(&self, _: &Path, _: &Path) -> io::Result<()> {
        read_only()
    }
    fn exchange(&self, _: &Path, _: &Path) -> io::Result<()> {
        read_only()
    }
    fn remove(&self, _: &Path) -> io::Result<()> {
        read_only()
    }
    fn remove_dir(&self, _: &Path) -> io::Result<()> {
        read_only()
    }
    fn lock(&self, _: &Path, _: Duration) -> io::Result<Box<dyn Held>> {
        read_only()
    }
}

#[track_caller]
fn check(ran: &Ran, code: u8, words: &[&str]) {
    let said =
        format!("{}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert_eq!(ran.code, code, "{said}");
    for word in words {
        assert!(said.contains(word), "`{word}` is not in: {said}");
    }
}

fn store() -> Scratch {
    let store = Scratch::new();
    store.ok(&["add", "reference", "--title", "Staging", "--text", "db-2"]);
    store
}

#[test]
fn a_read_only_disk_can_be_read() {
    let store = store();
    let on = |args: &[&str]| store.run_on(&ReadOnlyDisk, args, b"");
    check(&on(&["list"]), 0, &["staging"]);
    check(&on(&["show", "staging"]), 0, &["db-2"]);
    check(&on(&["history", "staging"]), 0, &["created"]);
    check(&on(&["doctor"]), 0, &["no problems found"]);
    check(&on(&["remember", "It is read-only"]), 2, &["the disk is read-only", "hint: "]);
    check(&on(&["update", "staging", "--text", "db-3"]), 2, &["the disk is read-only"]);
    check(&on(&["config", "set", "views.decisions", "true"]), 2, &["the disk is read-only"]);
    check(&store.run(&["show", "staging"]), 0, &["db-2"]);
}

/// What an interrupted write left can't be completed there, and the store is read all the same.
#[test]
fn a_read_only_disk_after_a_crash() {
    let store = store();
    std::fs::write(store.store().join("local/tmp/left-0.part"), "left").unwrap();
    check(&store.run_on(&ReadOnlyDisk, &["list"], b""), 0, &["staging"]);
}

#[test]
fn a_linked_store_is_refused() {
    let store = store();
    let elsewhere = Scratch::new();
    std::fs::remove_dir_all(elsewhere.store()).unwrap();
    symlink(store.store(), elsewhere.store()).unwrap();
    for command in [&["list"][..], &["remember", "x"], &["doctor"]] {
        check(&elsewhere.run(command), 2, &["symbolic link", "hint: "]);
    }
}

#[test]
fn a_linked_memory_is_never_followed() {
    let store = store();
    let secret = store.repository().join("secret.md");
    std::fs::write(&secret, "---\ntitle: Secret\n---\n## Decision\nhidden\n").unwrap();
    symlink(&secret, store.store().join("reference/linked.md")).unwrap();
    check(&store.run(&["show", "linked"]), 2, &["symbolic link"]);
    check(&store.run(&["list"]), 0, &["staging", "could not read `reference/linked.md`"]);
    check(&store.run(&["update", "linked", "--text", "x"]), 2, &["symbolic link"]);
    check(&store.run(&["doctor"]), 1, &["reference/linked.md", "is a symbolic link"]);
    assert!(std::fs::read_to_string(secret).unwrap().contains("hidden"));
}

#[test]
fn a_pipe_in_place_of_a_memory_does_not_hang() {
    let store = store();
    let pipe = store.store().join("reference/pipe.md");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    if !made.is_ok_and(|status| status.success()) {
        return;
    }
    check(&store.run(&["list"]), 0, &["staging", "not a regular file"]);
    check(&store.run(&["show", "pipe"]), 2, &["not a regular file"]);
}

#[test]
fn what_is_too_large_is_refused() {
    let store = store();
    let body = "x".repeat(5 * 1024 * 1024);
    let record = format!(
        "{{\"category\":\"reference\",\"title\":\"Large\",\"content\":{{\"text\":\"{body}\"}}}}"
    );
    check(&store.run_on(&RealDisk, &["add", "--from", "-"], record.as_bytes()), 2, &["more than"]);
    let record = format!(
        "{{\"category\":\"reference\",\"title\":\"Large\",\"content\":{{\"text\":\"{}\"}}}}",
        &body[..2 * 1024 * 1024]
    );
    let ran = store.run_on(&RealDisk, &["add", "--from", "-"], record.as_bytes());
    check(&ran, 1, &["content.text", "1 MiB", "hint: "]);
    std::fs::write(store.store().join("reference/large.md"), &body).unwrap();
    check(&store.run(&["list"]), 0, &["staging", "could not read `reference/large.md`"]);
    check(&store.run(&["doctor"]), 1, &["reference/large.md", "at most 1048576"]);
    assert_eq!(std::fs::read(store.store().join("reference/large.md")).unwrap().len(), body.len());
}

#[test]
fn bytes_that_are_no_text() {
    let store = store();
    let file = store.store().join("reference/bytes.md");
    std::fs::write(&file, b"---\ntitle: \xff\xfe\n---\n").unwrap();
    check(
        &store.run(&["show", "bytes"]),
        1,
        &["line 2: the file is not UTF-8", "hint: save the file as UTF-8"],
    );
    check(&store.run(&["doctor"]), 1, &["reference/bytes.md"]);
    check(&store.run(&["retire", "bytes"]), 1, &["not UTF-8"]);
    assert_eq!(std::fs::read(file).unwrap(), b"---\ntitle: \xff\xfe\n---\n");
}

/// A view is read to be imported and written back: it is text, or it is left alone.
#[test]
fn a_view_that_is_no_text_is_left_alone() {
    let store = store();
    store.ok(&["add", "decision", "--title", "Use cents", "--decision", "Integers only"]);
    store.ok(&["render", "--view", "decisions"]);
    let view = store.repository().join("DECISIONS.md");
    let mut bytes = std::fs::read(&view).unwrap();
    let at = bytes.windows(8).position(|it| it == b"Integers").unwrap();
    bytes[at] = 0xE9;
    std::fs::write(&view, &bytes).unwrap();
    let before = store.snapshot();
    let offset = format!("`DECISIONS.md` is not UTF-8: byte {at} fits no character");
    check(
        &store.run(&["render", "--view", "decisions"]),
        1,
        &[&offset, "hint: nothing was changed"],
    );
    assert_eq!(std::fs::read(&view).unwrap(), bytes);
    assert_eq!(store.snapshot(), before);
    // The page for readers is made from the memories again.
    std::fs::write(store.store().join("index.md"), b"\xff\xfe").unwrap();
    store.ok(&["update", "use-cents", "--tags", "money"]);
    store.ok(&["render"]);
    let index = std::fs::read_to_string(store.store().join("index.md")).unwrap();
    assert!(index.contains("use-cents") && !index.contains('\u{FFFD}'), "{index}");
}

#[test]
fn settings_that_are_no_text_are_left_alone() {
    let store = store();
    let file = store.store().join("config.toml");
    let bytes = b"# caf\xe9\n[capture]\nmode = \"off\"\n";
    std::fs::write(&file, bytes).unwrap();
    let set = ["config", "set", "capture.mode", "off"];
    check(&store.run(&set), 2, &["UTF-8", "other bytes at offset 5", "hint: "]);
    assert_eq!(std::fs::read(&file).unwrap(), bytes);
}

/// The log comes with the repository: what it names can't lead out of the store.
#[test]
fn a_forged_log_writes_nothing_elsewhere() {
    let store = store();
    let victim = store.repository().join("victim.md");
    std::fs::write(&victim, "mine").unwrap();
    let hash = oldhand_text::hash::ContentHash::of(b"mine");
    let line = format!(
        "{{\"id\":\"zzzz\",\"at\":\"2026-11-15T12:00:00Z\",\"type\":\"created\",\"memory\":\"victim\",\
         \"path\":\"../victim.md\",\"write\":\"w\",\"after\":\"{hash}\"}}\n"
    );
    let log = store.log();
    let mut text = std::fs::read_to_string(&log).unwrap();
    text.push_str(&line);
    std::fs::write(&log, text).unwrap();
    check(&store.run(&["undo"]), 1, &["error["]);
    assert_eq!(std::fs::read_to_string(victim).unwrap(), "mine");
}
