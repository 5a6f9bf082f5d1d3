//! What cargo says about the workspace: its members, what they depend on, and where builds go.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::failure::Failure;
use crate::process;

#[derive(Debug)]
pub(crate) struct Workspace {
    pub(crate) members: Vec<Member>,
    pub(crate) target: PathBuf,
}

#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) name: String,
    /// Relative to the root, with forward slashes: `crates/core`.
    pub(crate) folder: String,
    pub(crate) dependencies: Vec<Dependency>,
}

#[derive(Debug)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// Only tests see it. Build dependencies count as normal ones: they run before the crate exists.
    pub(crate) dev: bool,
}

impl Workspace {
    pub(crate) fn load(root: &Path) -> Result<Workspace, Failure> {
        const QUESTION: &[&str] = &["metadata", "--format-version", "1", "--no-deps"];
        let offline = process::capture(process::cargo(root, &[QUESTION, &["--offline"]].concat()));
        let json = match offline {
            Ok(json) => json,
            Err(_) => process::capture(process::cargo(root, QUESTION))?,
        };
        Workspace::parse(&json)
            .ok_or_else(|| Failure::new("could not read what `cargo metadata` printed"))
    }

    fn parse(json: &str) -> Option<Workspace> {
        let value: Value = serde_json::from_str(json).ok()?;
        let root = value["workspace_root"].as_str()?;
        let packages = value["packages"].as_array()?;
        let members =
            packages.iter().map(|package| parse_member(package, root)).collect::<Option<_>>()?;
        Some(Workspace { members, target: value["target_directory"].as_str()?.into() })
    }

    /// The program, once it is built with this profile.
    pub(crate) fn binary(&self, profile: &str) -> PathBuf {
        self.target.join(profile).join(format!("oldhand{}", std::env::consts::EXE_SUFFIX))
    }
}

fn parse_member(package: &Value, root: &str) -> Option<Member> {
    let manifest = package["manifest_path"].as_str()?.strip_prefix(root)?;
    let folder = manifest.strip_suffix("Cargo.toml")?.replace('\\', "/");
    let dependencies =
        package["dependencies"].as_array()?.iter().map(parse_dependency).collect::<Option<_>>()?;
    Some(Member {
        name: package["name"].as_str()?.to_owned(),
        folder: folder.trim_matches('/').to_owned(),
        dependencies,
    })
}

fn parse_dependency(dependency: &Value) -> Option<Dependency> {
    Some(Dependency {
        name: dependency["name"].as_str()?.to_owned(),
        dev: dependency["kind"] == "dev",
    })
}

#[cfg(test)]
mod tests;
