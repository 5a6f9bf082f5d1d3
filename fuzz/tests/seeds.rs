//! Every check over its seeds, and over each of them cut short and with bytes changed: what a fuzzer does for hours,
//! for a second.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::print_stdout, reason = "a failure says which seed was read")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use oldhand_fuzz::{TARGETS, Target};

const SEED_BYTES_MAX: usize = 2 * 1024;
const CUTS: usize = 16;
const CHANGED: u64 = 48;
/// Bytes that mean something to one of the readers.
const TELLING: &[u8] = b"\"\\{}[]\n\r\0 \xFF`'$<>|&;:-#a";

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The names in a folder of this crate, without their extensions.
fn names(inner: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(folder().join(inner)).unwrap();
    entries.map(|it| it.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned()).collect()
}

fn run(name: &str) {
    let Target { check, .. } = TARGETS.iter().find(|target| target.name == name).unwrap();
    let mut paths: Vec<_> = fs::read_dir(folder().join("seeds").join(name)).unwrap().collect();
    paths.sort_by_key(|entry| entry.as_ref().unwrap().file_name());
    for entry in paths {
        let path = entry.unwrap().path();
        let seed = fs::read(&path).unwrap();
        assert!(seed.len() <= SEED_BYTES_MAX, "too long for a seed: {}", path.display());
        println!("{}", path.display());
        check(&seed);
        // It stands for megabytes: once is enough.
        if path.ends_with("slow") {
            continue;
        }
        for cut in 0..CUTS {
            check(&seed[..seed.len() * cut / CUTS]);
        }
        for number in 0..CHANGED {
            check(&changed(&seed, number));
        }
    }
}

/// The seed with a few bytes replaced, the same ones for the same number.
fn changed(seed: &[u8], number: u64) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    let mut state = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    for _ in 0..=number % 4 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let at = usize::try_from(state % seed.len().max(1) as u64).unwrap();
        if let Some(byte) = bytes.get_mut(at) {
            *byte = TELLING[usize::from((state >> 32) as u8) % TELLING.len()];
        }
    }
    bytes
}

#[test]
fn every_target_has_seeds_and_a_program() {
    let targets: BTreeSet<String> = TARGETS.iter().map(|target| target.name.to_owned()).collect();
    assert_eq!(names("seeds"), targets);
    assert_eq!(names("fuzz_targets"), targets);
    let manifest = fs::read_to_string(folder().join("Cargo.toml")).unwrap();
    for name in targets {
        assert!(manifest.contains(&format!("name = \"{name}\"")), "no program for {name}");
        assert!(!names(&format!("seeds/{name}")).is_empty(), "no seeds for {name}");
    }
}

#[test]
fn guard_call() {
    run("guard_call");
}

#[test]
fn hook_payload() {
    run("hook_payload");
}

#[test]
fn mcp_lines() {
    run("mcp_lines");
}

#[test]
fn open_segment() {
    run("open_segment");
}

#[test]
fn read_memory() {
    run("read_memory");
}

#[test]
fn read_pages() {
    run("read_pages");
}

#[test]
fn read_record() {
    run("read_record");
}

#[test]
fn read_transcript() {
    run("read_transcript");
}
