//! The wheel that `pip install oldhand` and `uvx oldhand` take: the program as a script of an environment.

use std::path::Path;

use super::release::{Effort, Release, SUMMARY};
use crate::failure::Failure;
use crate::process::{self, program};

pub(super) fn make(release: &Release, stage: &Path, out: &Path) -> Result<(), Failure> {
    let level = if release.effort == Effort::Quick { "1" } else { "9" };
    let script = release.root.join("tools/release/wheel.py");
    let words = [
        script.to_string_lossy().into_owned(),
        stage.display().to_string(),
        release.version.clone(),
        tag(release),
        SUMMARY.to_owned(),
        release.repository.clone(),
        level.to_owned(),
        release.epoch.to_string(),
        out.display().to_string(),
    ];
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    process::run(program(&release.root, "python3", &words))
}

/// Where pip installs it: with every C library if the program brings its own.
fn tag(release: &Release) -> String {
    let arch = release.target.wheel;
    if release.target.npm_os != "linux" {
        return arch.to_owned();
    }
    match release.glibc {
        None => format!("manylinux_2_17_{arch}.manylinux2014_{arch}.musllinux_1_1_{arch}"),
        Some((major, minor)) => format!("manylinux_{major}_{minor}_{arch}"),
    }
}
