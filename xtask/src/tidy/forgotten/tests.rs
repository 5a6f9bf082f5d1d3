//! Which test files must be declared, and where.

use super::check;
use crate::tidy::shown;
use crate::tidy::tree::Tree;

#[track_caller]
fn check_files(files: &[(&str, &str)], want: &[&str]) {
    assert_eq!(shown(&check(&Tree::of(files))), want);
}

#[test]
fn tests_beside_a_module_are_declared_by_it() {
    check_files(&[("c/src/a.rs", "#[cfg(test)]\nmod tests;"), ("c/src/a/tests.rs", "")], &[]);
    check_files(&[("c/src/a/mod.rs", "mod tests;"), ("c/src/a/tests.rs", "")], &[]);
    check_files(
        &[("c/src/a.rs", "// mod tests;"), ("c/src/a/tests.rs", "")],
        &["c/src/a/tests.rs:1: test file is forgotten, write `mod tests;` in `c/src/a.rs`"],
    );
}

#[test]
fn tests_of_a_crate_are_declared_by_its_root() {
    check_files(
        &[("c/src/main.rs", "mod tests;"), ("c/src/tests.rs", "mod b;"), ("c/src/tests/b.rs", "")],
        &[],
    );
    check_files(
        &[("c/src/lib.rs", "mod tests;"), ("c/src/tests.rs", ""), ("c/src/tests/b.rs", "")],
        &["c/src/tests/b.rs:1: test file is forgotten, write `mod b;` in `c/src/tests.rs`"],
    );
}

#[test]
fn integration_tests_are_declared_by_their_main() {
    check_files(
        &[
            ("c/tests/it/main.rs", "mod a;"),
            ("c/tests/it/a.rs", "mod b;"),
            ("c/tests/it/a/b.rs", ""),
        ],
        &[],
    );
    check_files(
        &[("c/tests/it/main.rs", ""), ("c/tests/it/a.rs", "")],
        &["c/tests/it/a.rs:1: test file is forgotten, write `mod a;` in `c/tests/it/main.rs`"],
    );
    check_files(&[("c/tests/it/main.rs", "mod a;"), ("c/tests/it/a/mod.rs", "")], &[]);
}

#[test]
fn cargo_finds_the_rest() {
    check_files(&[("c/tests/a.rs", "")], &[]);
}
