//! What a release is: its version, where its program runs, and what it needs there.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::failure::Failure;
use crate::process;

/// What `cargo build` without a target builds for.
pub(super) const HOST: &str = if cfg!(target_os = "macos") {
    if cfg!(target_arch = "aarch64") { "aarch64-apple-darwin" } else { "x86_64-apple-darwin" }
} else if cfg!(target_arch = "aarch64") {
    "aarch64-unknown-linux-gnu"
} else {
    "x86_64-unknown-linux-gnu"
};

/// How each packager calls a target.
pub(super) struct Target {
    pub(super) triple: &'static str,
    pub(super) npm_os: &'static str,
    pub(super) npm_cpu: &'static str,
    /// The architecture in the tag of a wheel.
    pub(super) wheel: &'static str,
    pub(super) deb: Option<&'static str>,
}

pub(super) const TARGETS: &[Target] = &[
    linux("x86_64-unknown-linux-gnu", "x64", "x86_64", "amd64"),
    linux("aarch64-unknown-linux-gnu", "arm64", "aarch64", "arm64"),
    mac("x86_64-apple-darwin", "x64", "macosx_10_12_x86_64"),
    mac("aarch64-apple-darwin", "arm64", "macosx_11_0_arm64"),
];

const fn linux(
    triple: &'static str,
    npm_cpu: &'static str,
    wheel: &'static str,
    deb: &'static str,
) -> Target {
    Target { triple, npm_os: "linux", npm_cpu, wheel, deb: Some(deb) }
}

const fn mac(triple: &'static str, npm_cpu: &'static str, wheel: &'static str) -> Target {
    Target { triple, npm_os: "darwin", npm_cpu, wheel, deb: None }
}

/// How hard the packages are compressed: a test takes the time of a user's machine, a release that of one machine.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Effort {
    Quick,
    Small,
}

pub(super) struct Release {
    pub(super) root: PathBuf,
    pub(super) version: String,
    pub(super) repository: String,
    pub(super) target: &'static Target,
    pub(super) binary: PathBuf,
    /// The oldest C library that the program runs with; none if it brings its own.
    pub(super) glibc: Option<(u32, u32)>,
    pub(super) effort: Effort,
    /// The time of the commit, so that the same commit gives the same packages.
    pub(super) epoch: u64,
}

/// One sentence, in every registry.
pub(super) const SUMMARY: &str =
    "Memory for AI coding agents, kept as reviewed Markdown in your repository";

impl Release {
    pub(super) fn read(
        root: &Path,
        triple: &str,
        binary: PathBuf,
        effort: Effort,
    ) -> Result<Release, Failure> {
        let target = TARGETS.iter().find(|target| target.triple == triple).ok_or_else(|| {
            let known: Vec<&str> = TARGETS.iter().map(|target| target.triple).collect();
            Failure::new(format!("no packages are made for this target: `{triple}`"))
                .hint(format!("known: {}", known.join(", ")))
        })?;
        let bytes = fs::read(&binary).map_err(|error| {
            Failure::new(format!("could not read the program `{}`: {error}", binary.display()))
        })?;
        let Facts { version, repository } = facts(root)?;
        Ok(Release {
            root: root.to_owned(),
            version,
            repository,
            target,
            binary,
            glibc: if has_loader(&bytes) { glibc_floor(&bytes) } else { None },
            effort,
            epoch: epoch(root),
        })
    }

    /// `oldhand-0.2.0-x86_64-unknown-linux-gnu`: the name of the archive and of the folder in it.
    pub(super) fn stem(&self) -> String {
        format!("oldhand-{}-{}", self.version, self.target.triple)
    }

    /// `linux-x64`, as npm names a platform.
    pub(super) fn platform(&self) -> String {
        format!("{}-{}", self.target.npm_os, self.target.npm_cpu)
    }
}

/// What the manifest says of the program.
pub(super) struct Facts {
    pub(super) version: String,
    pub(super) repository: String,
}

pub(super) fn facts(root: &Path) -> Result<Facts, Failure> {
    let words = ["metadata", "--format-version", "1", "--no-deps", "--offline"];
    let json = process::capture(process::cargo(root, &words))?;
    let all: Value =
        serde_json::from_str(&json).map_err(|error| Failure::new(error.to_string()))?;
    let mut packages = all["packages"].as_array().into_iter().flatten();
    let package = packages
        .find(|package| package["name"] == "oldhand")
        .ok_or_else(|| Failure::new("the workspace has no package `oldhand`"))?;
    let text = |key: &str| {
        package[key].as_str().map(str::to_owned).ok_or_else(|| {
            Failure::new(format!("`crates/oldhand/Cargo.toml` says nothing of: `{key}`"))
        })
    };
    Ok(Facts { version: text("version")?, repository: text("repository")? })
}

fn epoch(root: &Path) -> u64 {
    let set = std::env::var("SOURCE_DATE_EPOCH").ok();
    let said = set.or_else(|| {
        process::capture(process::program(root, "git", &["log", "-1", "--format=%ct"])).ok()
    });
    said.and_then(|said| said.trim().parse().ok()).unwrap_or(0)
}

/// Whether the program asks the system to load libraries for it: an ELF file of 64 bits says so in a header of its own.
pub(super) fn has_loader(program: &[u8]) -> bool {
    const INTERPRETER: u64 = 3;
    let number = |at: usize, length: usize| {
        let bytes = program.get(at..at + length).unwrap_or_default();
        bytes.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte))
    };
    let (first, size, count) = (number(32, 8) as usize, number(54, 2) as usize, number(56, 2));
    let headers = (0..count as usize).map(|at| number(first.saturating_add(at * size), 4));
    !program.starts_with(b"\x7fELF") || headers.into_iter().any(|kind| kind == INTERPRETER)
}

/// The newest version of the C library that a symbol of the program names, as `objdump -T` shows them.
pub(super) fn glibc_floor(program: &[u8]) -> Option<(u32, u32)> {
    const MARK: &[u8] = b"GLIBC_";
    let starts = program.windows(MARK.len()).enumerate().filter(|(_, window)| *window == MARK);
    let versions = starts.filter_map(|(at, _)| {
        let rest = &program[at + MARK.len()..];
        let end = rest.iter().position(|byte| !matches!(byte, b'0'..=b'9' | b'.'))?;
        let text = std::str::from_utf8(&rest[..end]).ok()?;
        let (major, minor) = text.split_once('.')?;
        let minor = minor.split('.').next()?;
        Some((major.parse().ok()?, minor.parse().ok()?))
    });
    versions.max()
}

#[cfg(test)]
mod tests;
