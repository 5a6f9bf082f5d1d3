//! The same random operations on the simulated and on the real disk: the same results, the same
//! errors, the same trees. Error kinds differ between systems, so Linux only.
#![cfg(target_os = "linux")]

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use oldhand_store::disk::{Disk, NodeKind, RealDisk};

use super::super::SimDisk;
use super::super::crash::Random;

/// Few names and shallow, so that operations meet each other.
const PATHS: [&str; 10] = ["a", "b", "c", "d", "d/a", "d/b", "e", "e/a", "e/d", "missing/a"];

fn step(disk: &dyn Disk, choice: usize, one: &Path, other: &Path) -> Result<Vec<u8>, ErrorKind> {
    let nothing = |result: io::Result<()>| result.map(|()| Vec::new());
    let result = match choice {
        0 => nothing(disk.make_dir(one)),
        1 => nothing(disk.create(one, b"created")),
        2 => nothing(disk.append(one, b"appended")),
        3 | 4 => nothing(disk.rename(one, other)),
        5 => nothing(disk.rename_new(one, other)),
        6 | 7 => nothing(disk.exchange(one, other)),
        8 => nothing(disk.remove(one)),
        9 => disk.read(one, 20),
        10 => disk.read_tail(one, 3),
        11 => nothing(disk.sync_file(one)),
        12 => nothing(disk.sync_dir(one)),
        _ => disk.list(one).map(|all| all.iter().flat_map(|entry| entry.name.bytes()).collect()),
    };
    result.map_err(|error| error.kind())
}

/// Every path with its bytes, or `None` for a directory.
fn tree(disk: &dyn Disk, root: &Path) -> Vec<(PathBuf, Option<Vec<u8>>)> {
    let mut found = Vec::new();
    let mut open = vec![root.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in disk.list(&directory).unwrap() {
            let relative = entry.path.strip_prefix(root).unwrap().to_owned();
            if disk.stat(&entry.path).unwrap().unwrap().kind == NodeKind::Directory {
                open.push(entry.path);
                found.push((relative, None));
            } else {
                found.push((relative, Some(disk.read(&entry.path, u64::MAX - 1).unwrap())));
            }
        }
    }
    found
}

#[test]
fn without_a_crash_it_does_what_the_real_disk_does() {
    for seed in 0..40 {
        let mut random = Random(seed);
        let directory = tempfile::tempdir().unwrap();
        let simulated = SimDisk::new();
        simulated.load_real(directory.path(), directory.path());
        for number in 0..120 {
            let choice = random.below(14);
            let one = directory.path().join(PATHS[random.below(PATHS.len())]);
            let other = directory.path().join(PATHS[random.below(PATHS.len())]);
            let nested = one.starts_with(&other) || other.starts_with(&one);
            if nested && (5..=7).contains(&choice) {
                // The kernel's word for "inside itself" is also its word for "unsupported", so
                // that the real disk tries its fallbacks, which fail in ways of their own.
                continue;
            }
            let real = step(&RealDisk, choice, &one, &other);
            let ours = step(&simulated, choice, &one, &other);
            let context = format!("seed {seed}, step {number}: {choice} {one:?} {other:?}");
            assert_eq!(ours, real, "{context}");
            let trees = [&RealDisk as &dyn Disk, &simulated].map(|d| tree(d, directory.path()));
            assert_eq!(trees[1], trees[0], "{context}");
        }
    }
}
