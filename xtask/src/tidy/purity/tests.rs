//! What core and engine may not name.

use super::check;
use crate::tidy::shown;
use crate::tidy::tree::Tree;

#[track_caller]
fn check_source(source: &str, want: &[&str]) {
    let path = "crates/core/src/a.rs";
    let want: Vec<_> =
        want.iter().map(|it| it.replacen(':', ": not allowed in a pure crate: ", 1)).collect();
    let want: Vec<_> = want.iter().map(|it| format!("{path}:{it}")).collect();
    assert_eq!(shown(&check(&Tree::of(&[(path, source)]))), want, "{source}");
}

#[test]
fn modules_that_reach_outside() {
    check_source("use std::fs;\nlet a = std::env::var(b);", &["1:`std::fs`", "2:`std::env`"]);
    check_source("use std::fs::File;", &["1:`std::fs`"]);
    check_source(
        "use std::{\n    collections::{BTreeMap, env},\n    process,\n};",
        &["3:`std::process`"],
    );
    check_source("use std::{fs, thread};", &["1:`std::fs`", "1:`std::thread`"]);
}

#[test]
fn clocks() {
    check_source("use std::time::SystemTime;", &["1:`SystemTime`"]);
    check_source("let now = jiff::Timestamp::now();", &["1:`Timestamp::now`"]);
    check_source("let now = Instant::now();", &["1:`Instant::now`"]);
}

#[test]
fn pure_code_passes() {
    check_source("use std::{fmt, str};\nuse std::fmt;\nlet a = my::fs();", &[]);
    check_source("// std::fs is not for us\nlet a = \"std::env\";", &[]);
    check_source("fn decide(now: Timestamp) {}", &[]);
}

#[test]
fn tests_may_do_more() {
    check_source("#[cfg(test)]\nmod tests {\n    use std::fs;\n}\n", &[]);
    let files =
        [("crates/core/src/a/tests.rs", "use std::fs;"), ("crates/store/src/a.rs", "use std::fs;")];
    assert_eq!(shown(&check(&Tree::of(&files))), [""; 0]);
}
