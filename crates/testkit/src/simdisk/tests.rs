//! The model's own tests: protocols known to be wrong are caught, the right one never is, and
//! without a crash the disk does what the real one does.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

use oldhand_store::disk::{Disk, NodeKind};

use super::SimDisk;

mod differential;
mod moves;

const OLD: &[u8] = b"the old version";
const NEW: &[u8] = b"the new version, somewhat longer";

fn path(text: &str) -> &Path {
    Path::new(text)
}

/// A disk with these files, durable, and nothing in its log.
fn disk_with(files: &[(&str, &[u8])]) -> SimDisk {
    let real = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        let at = real.path().join(name);
        std::fs::create_dir_all(at.parent().unwrap()).unwrap();
        std::fs::write(at, bytes).unwrap();
    }
    let disk = SimDisk::new();
    disk.load_real(real.path(), path("/"));
    disk
}

/// What is found at a path over many states of the last moment, and how often.
fn found(disk: &SimDisk, at: &str, states: u64) -> BTreeMap<Option<Vec<u8>>, u64> {
    let mut found = BTreeMap::new();
    for seed in 0..states {
        let state = disk.after_crash(disk.operations(), seed);
        *found.entry(state.read(path(at), 1 << 20).ok()).or_default() += 1;
    }
    found
}

fn some(bytes: &[u8]) -> Option<Vec<u8>> {
    Some(bytes.to_vec())
}

#[test]
fn a_file_written_in_place_and_called_done_is_lost_in_some_states() {
    let disk = SimDisk::new();
    disk.create(path("/a"), NEW).unwrap();
    let found = found(&disk, "/a", 2_000);
    assert!(found.contains_key(&None), "the name is lost");
    assert!(found.contains_key(&some(b"")), "the bytes are lost");
    assert!(found.contains_key(&some(&[0; NEW.len()])), "all zeros");
    assert!(found.contains_key(&some(&[0xFF; NEW.len()])), "all garbage");
    assert!(found.contains_key(&some(&NEW[..9])), "cut off in the middle");
    assert!(found[&some(NEW)] > 200, "and often enough it is all there");
}

#[test]
fn a_rename_without_a_synced_directory_loses_the_name() {
    let disk = disk_with(&[("a", OLD)]);
    disk.create(path("/tmp"), NEW).unwrap();
    disk.sync_file(path("/tmp")).unwrap();
    disk.rename(path("/tmp"), path("/a")).unwrap();
    let found = found(&disk, "/a", 1_000);
    assert_eq!(found.len(), 2, "one version or the other, never a mixture: {found:?}");
    assert!(found[&some(OLD)] > 100 && found[&some(NEW)] > 100, "{found:?}");
}

#[test]
fn a_rename_before_its_bytes_are_synced_leaves_a_torn_file() {
    let disk = disk_with(&[("a", OLD)]);
    disk.create(path("/tmp"), NEW).unwrap();
    disk.rename(path("/tmp"), path("/a")).unwrap();
    disk.sync_dir(path("/")).unwrap();
    let found = found(&disk, "/a", 1_000);
    assert!(found.contains_key(&some(b"")), "{found:?}");
    assert!(!found.contains_key(&some(OLD)), "the name was durable");
}

#[test]
fn the_full_protocol_is_never_lost_or_torn() {
    let disk = disk_with(&[("notes/a", OLD), ("tmp/keep", b"")]);
    disk.create(path("/tmp/1"), NEW).unwrap();
    disk.sync_file(path("/tmp/1")).unwrap();
    disk.rename(path("/tmp/1"), path("/notes/a")).unwrap();
    disk.sync_dir(path("/notes")).unwrap();
    assert_eq!(found(&disk, "/notes/a", 10_000), BTreeMap::from([(some(NEW), 10_000)]));
    for operation in 0..disk.operations() {
        for seed in 0..500 {
            let state = disk.after_crash(operation, seed);
            let bytes = state.read(path("/notes/a"), 1 << 20).unwrap();
            assert!(bytes == OLD || bytes == NEW, "operation {operation}, seed {seed}");
        }
    }
}

#[test]
fn an_exchange_keeps_exactly_one_of_two_versions_at_each_name() {
    let disk = disk_with(&[("a", OLD), ("tmp/b", b"")]);
    disk.create(path("/tmp/a"), NEW).unwrap();
    disk.sync_file(path("/tmp/a")).unwrap();
    disk.sync_dir(path("/tmp")).unwrap();
    disk.exchange(path("/tmp/a"), path("/a")).unwrap();
    let mut swapped = 0;
    for seed in 0..1_000 {
        let state = disk.after_crash(disk.operations(), seed);
        let both = ["/a", "/tmp/a"].map(|at| state.read(path(at), 1 << 20).unwrap());
        assert!(both == [OLD, NEW] || both == [NEW, OLD], "seed {seed}: {both:?}");
        swapped += u64::from(both[0] == NEW);
    }
    assert!((100..900).contains(&swapped), "{swapped}");
}

#[test]
fn an_append_keeps_its_synced_prefix_and_may_tear_the_rest() {
    let disk = SimDisk::new();
    disk.append(path("/log"), b"first\n").unwrap();
    disk.sync_file(path("/log")).unwrap();
    disk.sync_dir(path("/")).unwrap();
    disk.append(path("/log"), b"second\n").unwrap();
    let found = found(&disk, "/log", 2_000);
    for bytes in found.keys() {
        let bytes = bytes.as_ref().expect("the name is durable");
        assert!(bytes.starts_with(b"first\n") && bytes.len() <= 13, "{bytes:?}");
    }
    for form in ["first\n", "first\nsec", "first\nsec\0\0\0\0", "first\nsecond\n"] {
        assert!(found.contains_key(&some(form.as_bytes())), "{form:?} never came up");
    }
}

#[test]
fn a_synced_file_does_not_survive_its_unsynced_directory() {
    let disk = SimDisk::new();
    disk.make_dir(path("/new")).unwrap();
    disk.create(path("/new/a"), NEW).unwrap();
    disk.sync_file(path("/new/a")).unwrap();
    disk.sync_dir(path("/new")).unwrap();
    assert!(found(&disk, "/new/a", 100).contains_key(&None));
    disk.sync_dir(path("/")).unwrap();
    assert_eq!(found(&disk, "/new/a", 100), BTreeMap::from([(some(NEW), 100)]));
}

#[test]
fn a_move_never_loses_a_durable_file() {
    let disk = disk_with(&[("a", OLD), ("b", NEW)]);
    disk.make_dir(path("/new")).unwrap();
    disk.make_dir(path("/new/deep")).unwrap();
    disk.rename(path("/a"), path("/new/deep/a")).unwrap();
    disk.rename(path("/b"), path("/a")).unwrap();
    disk.rename(path("/a"), path("/c")).unwrap();
    disk.sync_dir(path("/new/deep")).unwrap();
    disk.rename(path("/new/deep/a"), path("/new/a")).unwrap();
    for operation in 0..=disk.operations() {
        for seed in 0..500 {
            let files = disk.after_crash(operation, seed).files();
            let mut contents: Vec<_> = files.values().map(Vec::as_slice).collect();
            contents.sort();
            assert_eq!(contents, [NEW, OLD], "operation {operation}, seed {seed}: {files:?}");
        }
    }
}

#[test]
fn unrelated_changes_survive_without_each_other() {
    let disk = disk_with(&[("old", OLD)]);
    disk.create(path("/new"), NEW).unwrap();
    disk.sync_file(path("/new")).unwrap();
    disk.remove(path("/old")).unwrap();
    let states = (0..200).map(|seed| disk.after_crash(3, seed).files());
    let mut counts: Vec<_> = states.map(|files| files.len()).collect();
    counts.sort();
    counts.dedup();
    assert_eq!(counts, [0, 1, 2], "also the later removal without the earlier creation");
}

#[test]
fn a_synced_directory_takes_along_what_its_names_came_from() {
    let disk = disk_with(&[("one/x", b""), ("two/x", b""), ("three/x", b"")]);
    disk.create(path("/one/a"), b"").unwrap();
    disk.create(path("/one/other"), b"").unwrap();
    disk.rename(path("/one/a"), path("/two/a")).unwrap();
    disk.rename(path("/two/a"), path("/three/a")).unwrap();
    disk.sync_dir(path("/three")).unwrap();
    let state = disk.after_crash_dropping_all(disk.operations());
    assert_eq!(state.stat(path("/one/a")).unwrap(), None);
    assert_eq!(state.stat(path("/two/a")).unwrap(), None);
    assert!(state.stat(path("/three/a")).unwrap().is_some());
    assert_eq!(state.stat(path("/one/other")).unwrap(), None, "nothing synced depends on it");
}

#[test]
fn a_synced_filesystem_is_durable_below_its_root() {
    let disk = disk_with(&[("store/x", b"")]);
    disk.make_dir(path("/store/new")).unwrap();
    disk.create(path("/store/new/a"), NEW).unwrap();
    disk.create(path("/elsewhere"), NEW).unwrap();
    disk.sync_filesystem(path("/store")).unwrap();
    let state = disk.after_crash_dropping_all(disk.operations());
    assert_eq!(state.read(path("/store/new/a"), 1 << 20).unwrap(), NEW);
    assert_eq!(state.stat(path("/elsewhere")).unwrap(), None);
}

#[test]
fn the_extremes_are_the_durable_disk_and_the_one_seen() {
    let disk = disk_with(&[("a", OLD)]);
    disk.append(path("/a"), NEW).unwrap();
    disk.rename(path("/a"), path("/b")).unwrap();
    let only = |at: &str, bytes: Vec<u8>| BTreeMap::from([(path(at).to_owned(), bytes)]);
    assert_eq!(disk.after_crash_dropping_all(2).files(), only("/a", OLD.to_vec()));
    assert_eq!(disk.after_crash_keeping_all(2).files(), only("/b", [OLD, NEW].concat()));
    assert_eq!(disk.after_crash_keeping_all(2).files(), disk.files());
    assert_eq!(disk.after_crash_keeping_all(1).files(), only("/a", [OLD, NEW].concat()));
    assert_eq!(disk.after_crash_keeping_all(0).files(), only("/a", OLD.to_vec()));
}

#[test]
fn a_crashed_disk_is_durable_and_crashes_again() {
    let disk = SimDisk::new();
    disk.create(path("/a"), NEW).unwrap();
    let again = disk.after_crash_keeping_all(1);
    assert_eq!(again.operations(), 0);
    again.remove(path("/a")).unwrap();
    assert_eq!(again.after_crash_dropping_all(1).files(), disk.files());
    assert_eq!(disk.files().len(), 1, "the two are not connected");
}

#[test]
fn every_moment_of_a_long_log_is_recalled_in_any_order() {
    let disk = SimDisk::new();
    for number in 0..300 {
        disk.create(path(&format!("/{number}")), b"x").unwrap();
    }
    for operation in (0..=300).chain((0..=300).rev()).chain([63, 200, 64, 130, 129, 131]) {
        assert_eq!(disk.after_crash_keeping_all(operation).files().len(), operation);
        assert_eq!(disk.after_crash_dropping_all(operation).files().len(), 0);
    }
}

#[test]
fn a_lock_is_held_until_dropped_and_makes_its_file() {
    let disk = SimDisk::new();
    let held = disk.lock(path("/lock"), Duration::ZERO).unwrap();
    let refused = disk.clone().lock(path("/lock"), Duration::from_secs(9)).err().unwrap();
    assert_eq!(refused.kind(), ErrorKind::WouldBlock);
    drop(held);
    assert!(disk.lock(path("/lock"), Duration::ZERO).is_ok());
    assert_eq!(disk.stat(path("/lock")).unwrap().unwrap().kind, NodeKind::File);
    assert_eq!(disk.operations(), 1, "only the first made the file");
}
