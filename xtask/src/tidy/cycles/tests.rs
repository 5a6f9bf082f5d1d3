//! Which modules name which, and the cycles that this makes.

use crate::tidy::shown;
use crate::tidy::tree::Tree;

#[track_caller]
fn check(files: &[(&str, &str)], want: &[&str]) {
    assert_eq!(shown(&super::check(&Tree::of(files))), want);
}

#[test]
fn a_cycle_is_shown_with_an_example_for_each_edge() {
    check(
        &[
            ("crates/x/src/lib.rs", "mod a; mod b; mod c; use a::A;"),
            ("crates/x/src/a.rs", "use crate::b::B;"),
            ("crates/x/src/b/deep.rs", "\nfn f() { super::super::c::g() }"),
            ("crates/x/src/c.rs", "use super::{other, a::{self, b}};\nuse crate::a;"),
        ],
        &["crates/x/src/a.rs:1: modules of `x` form a cycle: a -> b -> c -> a
    a -> b at crates/x/src/a.rs:1, 1 in all
    b -> c at crates/x/src/b/deep.rs:2, 1 in all
    c -> a at crates/x/src/c.rs:1, 2 in all"],
    );
}

#[test]
fn what_is_inside_of_a_module_or_a_test_is_no_edge() {
    check(
        &[
            ("crates/x/src/a.rs", "use crate::b;\nmod b;\nmod c;"),
            ("crates/x/src/a/c.rs", "use super::b; use crate::a::b;"),
            ("crates/x/src/b.rs", "// crate::a\n#[cfg(test)]\nmod tests {\n use crate::a;\n}"),
            ("crates/x/src/b/tests.rs", "use crate::a;"),
            ("crates/y/src/b.rs", "use crate::a; use x::a;"),
        ],
        &[],
    );
}

#[test]
fn what_the_root_passes_on_belongs_to_its_module() {
    check(
        &[
            ("crates/x/src/lib.rs", "mod a; mod b; pub use a::{A, Other};"),
            ("crates/x/src/a.rs", "use crate::b::B;"),
            ("crates/x/src/b.rs", "use crate::A;"),
        ],
        &["crates/x/src/a.rs:1: modules of `x` form a cycle: a -> b -> a
    a -> b at crates/x/src/a.rs:1, 1 in all
    b -> a at crates/x/src/b.rs:1, 1 in all"],
    );
}

#[test]
fn every_cycle_is_named_until_none_is_left() {
    let files = [
        ("crates/x/src/a.rs", "use crate::{b, c};"),
        ("crates/x/src/b.rs", "use crate::a;"),
        ("crates/x/src/c.rs", "use crate::a;"),
    ];
    let found = shown(&super::check(&Tree::of(&files)));
    let cycles: Vec<&str> =
        found.iter().filter_map(|it| it.lines().next()?.rsplit(": ").next()).collect();
    assert_eq!(cycles, ["a -> b -> a", "a -> c -> a"]);
}
