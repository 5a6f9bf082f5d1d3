//! Random moves of files and directories, cut off at random moments: whatever survives, every
//! durable file is found once, and a crash state is a proper tree.

use std::collections::BTreeMap;
use std::path::PathBuf;

use oldhand_store::disk::{Disk, NodeKind};

use super::super::SimDisk;
use super::super::crash::Random;
use super::{disk_with, path};

const PATHS: [&str; 12] =
    ["/a", "/b", "/d", "/d/a", "/d/b", "/d/d", "/d/d/a", "/e", "/e/a", "/e/d", "/e/d/a", "/new"];

fn step(disk: &SimDisk, random: &mut Random) {
    let one = path(PATHS[random.below(PATHS.len())]);
    let other = path(PATHS[random.below(PATHS.len())]);
    // Most of them fail, since nothing is there: the disk takes care of what is possible.
    let _ = match random.below(8) {
        0 => disk.make_dir(one),
        1 => disk.sync_dir(one),
        2 | 3 => disk.rename_new(one, other),
        4 | 5 => disk.exchange(one, other),
        _ => match disk.stat(other).unwrap().map(|stat| stat.kind) {
            // To replace a file is to lose it, rightly.
            Some(NodeKind::File) => Ok(()),
            _ => disk.rename(one, other),
        },
    };
}

/// In every state of every moment.
fn assert_all_kept(disk: &SimDisk, expected: &[&[u8]], states: u64) {
    for operation in 0..=disk.operations() {
        for seed in 0..states {
            let files = disk.after_crash(operation, seed).files();
            let context = format!("operation {operation}, seed {seed}: {files:?}");
            assert_eq!(contents(&files), expected, "{context}");
        }
    }
}

fn contents(files: &BTreeMap<PathBuf, Vec<u8>>) -> Vec<&[u8]> {
    let mut contents: Vec<_> = files.values().map(Vec::as_slice).collect();
    contents.sort();
    contents
}

#[test]
fn no_order_of_moves_loses_a_durable_file() {
    let files: [(&str, &[u8]); 4] = [("a", b"1"), ("d/a", b"2"), ("d/d/a", b"3"), ("e/a", b"4")];
    let mut total = 0;
    for seed in 0..60 {
        let mut random = Random(seed);
        let disk = disk_with(&files);
        for _ in 0..150 {
            step(&disk, &mut random);
        }
        total += disk.operations();
        assert_all_kept(&disk, &[b"1", b"2", b"3", b"4"], 20);
    }
    assert!(total > 1_000, "only {total} operations went through");
}

#[test]
fn directories_never_end_up_inside_each_other() {
    let disk = disk_with(&[("f", b"1")]);
    disk.make_dir(path("/a")).unwrap();
    disk.make_dir(path("/b")).unwrap();
    disk.rename(path("/f"), path("/b/f")).unwrap();
    disk.rename(path("/a"), path("/b/a")).unwrap();
    disk.rename(path("/b/a"), path("/a")).unwrap();
    disk.rename(path("/b"), path("/a/b")).unwrap();
    assert_all_kept(&disk, &[b"1"], 1_000);
}

#[test]
fn a_new_directory_takes_its_durable_file_only_to_where_it_can_be_found() {
    let disk = disk_with(&[("f", b"1")]);
    disk.make_dir(path("/a")).unwrap();
    disk.rename(path("/f"), path("/a/f")).unwrap();
    disk.make_dir(path("/b")).unwrap();
    disk.rename(path("/a"), path("/b/a")).unwrap();
    disk.sync_dir(path("/b")).unwrap();
    assert_all_kept(&disk, &[b"1"], 1_000);
}

#[test]
fn a_file_is_lost_with_its_new_directory_only_before_it_had_a_durable_name() {
    for named in [false, true] {
        let disk = disk_with(&[("tmp/x", b"")]);
        disk.create(path("/tmp/f"), b"1").unwrap();
        disk.sync_file(path("/tmp/f")).unwrap();
        if named {
            disk.sync_dir(path("/tmp")).unwrap();
        }
        disk.make_dir(path("/new")).unwrap();
        disk.rename(path("/tmp/f"), path("/new/f")).unwrap();
        disk.sync_dir(path("/new")).unwrap();
        let state = disk.after_crash_dropping_all(disk.operations());
        assert_eq!(state.stat(path("/new/f")).unwrap().is_some(), named);
    }
}
