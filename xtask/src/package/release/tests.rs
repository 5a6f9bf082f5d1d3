//! What a program needs of a system is read from its bytes.

use super::*;

#[track_caller]
fn check(program: &[u8], want: Option<(u32, u32)>) {
    assert_eq!(glibc_floor(program), want);
}

#[test]
fn the_newest_symbol_sets_the_floor() {
    check(b"\0GLIBC_2.2.5\0GLIBC_2.34\0GLIBC_2.9\0", Some((2, 34)));
}

#[test]
fn a_program_without_versions_has_none() {
    check(b"\0GLIBC_PRIVATE\0musl\0", None);
}

/// This test needs a loader; of its headers, one names it.
#[test]
fn a_program_that_needs_a_loader_says_so() {
    let own = fs::read(std::env::current_exe().unwrap()).unwrap();
    assert!(has_loader(&own));
    let mut other = own.clone();
    let first = usize::from(own[32]);
    for at in (first..own.len()).step_by(56).take(usize::from(own[56])) {
        if other[at..at + 4] == [3, 0, 0, 0] {
            other[at] = 4;
        }
    }
    assert!(!has_loader(&other));
}
