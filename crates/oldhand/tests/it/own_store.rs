//! The program's own decisions are kept by the program, and are in order.

use std::path::Path;

use crate::scratch::{Scratch, copy_tree};

#[test]
fn our_own_store_is_well() {
    let scratch = Scratch::new();
    std::fs::remove_dir_all(scratch.store()).unwrap();
    copy_tree(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.oldhand"), &scratch.store());
    // Each clone builds its own page.
    scratch.ok(&["render"]);
    let diagnosis = scratch.json(&["doctor"]);
    assert_eq!(diagnosis["findings"], serde_json::json!([]), "{diagnosis}");
    assert_eq!(diagnosis["repaired"], serde_json::json!([]), "{diagnosis}");
    assert!(diagnosis["memories"].as_u64().is_some_and(|count| count > 5));
}
