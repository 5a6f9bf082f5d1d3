//! Which edges pass.

use super::check;
use crate::tidy::shown;
use crate::workspace::{Dependency, Member, Workspace};

/// A workspace of `from` and of everything it might name, where `from` has one dependency.
#[track_caller]
fn check_edge(from: &str, to: &str, dev: bool, want: &[&str]) {
    let member = |name: &str| Member {
        name: name.to_owned(),
        folder: name.to_owned(),
        dependencies: Vec::new(),
    };
    let names =
        ["oldhand-core", "oldhand-index", "oldhand-store", "oldhand", "oldhand-testkit", "xtask"];
    let mut workspace = Workspace { members: names.map(member).into(), target: "target".into() };
    let member = workspace.members.iter_mut().find(|it| it.name == from).expect("a member");
    member.dependencies.push(Dependency { name: to.to_owned(), dev });
    assert_eq!(shown(&check(&workspace)), want);
}

#[test]
fn downwards_is_allowed() {
    check_edge("oldhand-index", "oldhand-core", false, &[]);
    check_edge("oldhand", "oldhand-store", false, &[]);
    check_edge("oldhand-testkit", "oldhand-store", false, &[]);
}

#[test]
fn upwards_is_not() {
    check_edge(
        "oldhand-index",
        "oldhand-store",
        false,
        &["oldhand-index/Cargo.toml:1: forbidden dependency: `oldhand-index` -> `oldhand-store`"],
    );
    check_edge(
        "xtask",
        "oldhand-core",
        true,
        &["xtask/Cargo.toml:1: forbidden dev-dependency: `xtask` -> `oldhand-core`"],
    );
}

#[test]
fn the_testkit_is_for_tests() {
    check_edge("oldhand", "oldhand-testkit", true, &[]);
    check_edge(
        "oldhand",
        "oldhand-testkit",
        false,
        &["oldhand/Cargo.toml:1: forbidden dependency: `oldhand` -> `oldhand-testkit`"],
    );
}

#[test]
fn packages_are_listed_for_core_alone() {
    check_edge("oldhand-core", "serde", false, &[]);
    check_edge("oldhand-core", "proptest", true, &[]);
    check_edge("oldhand-store", "libc", false, &[]);
    check_edge(
        "oldhand-core",
        "libc",
        false,
        &["oldhand-core/Cargo.toml:1: package is not on the list of core: `libc`"],
    );
    check_edge(
        "oldhand-core",
        "proptest",
        false,
        &["oldhand-core/Cargo.toml:1: package is not on the list of core: `proptest`"],
    );
}

#[test]
fn a_new_crate_needs_a_row() {
    let member = Member {
        name: "oldhand-new".into(),
        folder: "crates/new".into(),
        dependencies: Vec::new(),
    };
    let workspace = Workspace { members: vec![member], target: "target".into() };
    let want = [
        "crates/new/Cargo.toml:1: crate has no row in the dependency edges of tidy: `oldhand-new`",
    ];
    assert_eq!(shown(&check(&workspace)), want);
}
