//! Documents that are generated from the program and committed. `cargo xtask docs` rewrites them.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod answers;
mod pages;
mod pictures;
mod schemas;

use std::path::{Path, PathBuf};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

fn is_update() -> bool {
    std::env::var_os("OLDHAND_UPDATE").is_some()
}
