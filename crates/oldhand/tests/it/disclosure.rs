//! What is opened for an answer: the few memories that fit, and all decisions only when a new one is
//! recorded.

use std::path::PathBuf;

use oldhand_store::disk::RealDisk;
use oldhand_testkit::fault::{Counted, Fault, FaultDisk, FaultPlan, Mode};

use crate::scratch::Scratch;

const DECISIONS: usize = 40;

fn store() -> Scratch {
    let store = Scratch::new();
    let folder = store.store().join("decisions");
    std::fs::create_dir_all(&folder).unwrap();
    for number in 0..DECISIONS {
        let text = format!(
            "---\ntype: decision\ntitle: Module {number} owns table {number}\nstate: stable\norigin: user\n\
             updated_at: 2026-06-01\n---\n\n## Decision\nRows of table{number} are written by module{number}.\n"
        );
        std::fs::write(folder.join(format!("module-{number}-owns-table-{number}.md")), text)
            .unwrap();
    }
    // The first question makes the index, from all that there is.
    store.ok(&["--config", "recall.model=keywords", "recall", "table7"]);
    store
}

/// How many decisions a command opens.
#[track_caller]
fn opened(store: &Scratch, args: &[&str]) -> usize {
    let plan = FaultPlan { nth: 0, fault: Fault::Eio, mode: Mode::Once, counted: Counted::Every };
    let disk = FaultDisk::new(RealDisk, plan);
    let mut all = vec!["--config", "recall.model=keywords"];
    all.extend(args);
    let ran = store.run_on(&disk, &all, b"");
    assert_eq!(ran.code, 0, "{args:?}: {}", String::from_utf8_lossy(&ran.stderr));
    let mut read: Vec<PathBuf> = disk.files_read();
    read.retain(|path| path.starts_with(store.store().join("decisions")));
    read.sort();
    read.dedup();
    read.len()
}

/// R16: the frontmatter of all decisions is read while a new decision is recorded, and then only.
#[test]
fn all_decisions_are_read_only_when_one_is_recorded() {
    let store = store();
    for asking in [
        &["recall", "which module writes table7"][..],
        &["recall", "penguins"],
        &["show", "module-7-owns-table-7"],
        &["add", "reference", "--title", "Staging host", "--text", "db-2 in the Frankfurt rack"],
        &["update", "staging-host", "--tags", "ops"],
        &["note", "remaining", "table7 is next"],
    ] {
        let opened = opened(&store, asking);
        assert!(opened < DECISIONS / 2, "{asking:?} opened {opened}");
    }
    let recording =
        ["add", "decision", "--title", "Sort by name", "--decision", "Lists are sorted by name"];
    assert!(opened(&store, &recording) >= DECISIONS);
}
