//! Links, machine paths and the crate list.

use super::{check_crate_list, check_links, check_machine_paths, resolve};
use crate::tidy::shown;
use crate::tidy::tree::Tree;
use crate::workspace::{Member, Workspace};

#[track_caller]
fn check_link(text: &str, dead: &[&str]) {
    let tree = Tree::of(&[("README.md", ""), ("docs/cli.md", ""), ("docs/formats/memory.md", "")]);
    let want: Vec<_> = dead
        .iter()
        .map(|it| format!("docs/cli.md:{}`", it.replacen(':', ": link leads nowhere: `", 1)))
        .collect();
    assert_eq!(shown(&check_links(&tree, "docs/cli.md", text)), want, "{text}");
}

#[track_caller]
fn check_machine(line: &str, want: usize) {
    assert_eq!(check_machine_paths("a.md", line).len(), want, "{line}");
}

#[track_caller]
fn check_map(text: &str, want: &[&str]) {
    let member = |folder: &str| Member {
        name: folder.into(),
        folder: folder.into(),
        dependencies: Vec::new(),
    };
    let workspace =
        Workspace { members: ["crates/core", "xtask"].map(member).into(), target: "target".into() };
    assert_eq!(shown(&check_crate_list(&Tree::of(&[("ARCHITECTURE.md", text)]), &workspace)), want);
}

#[test]
fn links_are_seen_from_their_file() {
    check_link(
        "[a](cli.md) [b](formats/memory.md#top) [c](../README.md) [d](formats/) [e](/README.md)",
        &[],
    );
    check_link("[a](README.md)\n[b](../docs/gone.md#x)", &["1:README.md", "2:../docs/gone.md#x"]);
    check_link("[a](../../elsewhere.md)", &["1:../../elsewhere.md"]);
    check_link("[label]: gone.md \"title\"", &["1:gone.md"]);
}

#[test]
fn links_elsewhere_and_code_are_left_alone() {
    check_link("[a](https://example.org/x.md) [b](#here) [c](mailto:a@example.org)", &[]);
    check_link("`[a](gone.md)`\n```\n[a](gone.md)\n```\n[b](gone.md)", &["5:gone.md"]);
}

#[test]
fn paths_are_folded() {
    let check = |folder: &str, target: &str, want: Option<&str>| {
        assert_eq!(resolve(folder, target).as_deref(), want, "{folder} {target}");
    };
    check("", "a.md", Some("a.md"));
    check("docs/x", "./../a.md", Some("docs/a.md"));
    check("docs", "..", Some(""));
    check("", "../a.md", None);
}

#[test]
fn paths_of_one_machine() {
    check_machine("see /home/ada/x", 1);
    check_machine("`/root/x` and /work/y", 2);
    check_machine("~/work/x, docs/work/x, $HOME/work/x, https://example.org/home/x", 0);
    check_machine("the work/home balance", 0);
}

#[test]
fn the_crate_list_equals_the_workspace() {
    check_map(
        "# A\n\n## Crates\n\n- `crates/core` is pure\n- `xtask` is ours\n\n## Next\n- `crates/gone`\n",
        &[],
    );
    check_map(
        "## Crates\n- `crates/core`\n- `crates/gone`\n",
        &[
            "ARCHITECTURE.md:3: no crate of the workspace: `crates/gone`",
            "ARCHITECTURE.md:1: `## Crates` has no line that starts with - `xtask`",
        ],
    );
    check_map(
        "# A\n",
        &[
            "ARCHITECTURE.md:1: `## Crates` has no line that starts with - `crates/core`",
            "ARCHITECTURE.md:1: `## Crates` has no line that starts with - `xtask`",
        ],
    );
}
