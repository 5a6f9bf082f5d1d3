//! The npm packages: one per platform with the program, and `oldhand`, which depends on all of them and of which npm
//! installs the one that fits.

use std::path::Path;

use serde_json::{Value, json};

use super::release::{Release, SUMMARY, TARGETS};
use super::stage::{copy, make_executable, put};
use crate::failure::Failure;
use crate::process::{self, program};

pub(super) fn make(release: &Release, stage: &Path, out: &Path) -> Result<(), Failure> {
    let scratch = tempfile::tempdir()?;
    let platform = scratch.path().join("platform");
    copy(stage, &platform)?;
    write_json(&platform, &platform_package(release))?;
    let about = format!("# oldhand\n\nThe program `oldhand` for {}.\n", release.platform());
    put(&platform.join("README.md"), about.as_bytes())?;

    let main = scratch.path().join("main");
    let scripts = release.root.join("tools/release/npm");
    copy(&scripts, &main)?;
    make_executable(&main.join("bin/oldhand"))?;
    for name in ["README.md", "LICENSE-APACHE", "LICENSE-MIT"] {
        std::fs::copy(release.root.join(name), main.join(name))?;
    }
    write_json(&main, &main_package(release))?;
    for folder in [platform, main] {
        let out = out.to_string_lossy();
        let words = ["pack", "--silent", "--ignore-scripts", "--pack-destination", &out];
        process::capture(program(&folder, "npm", &words))?;
    }
    Ok(())
}

fn write_json(folder: &Path, package: &Value) -> Result<(), Failure> {
    let text = format!("{package:#}\n");
    put(&folder.join("package.json"), text.as_bytes())
}

fn platform_package(release: &Release) -> Value {
    let mut package = common(release, &scoped(&release.platform()));
    package["os"] = json!([release.target.npm_os]);
    package["cpu"] = json!([release.target.npm_cpu]);
    if release.glibc.is_some() {
        package["libc"] = json!(["glibc"]);
    }
    // Plug'n'Play keeps packages zipped, and a program can't be run from a zip.
    package["preferUnplugged"] = json!(true);
    package
}

fn main_package(release: &Release) -> Value {
    let mut package = common(release, "oldhand");
    let mut platforms: Vec<String> =
        TARGETS.iter().map(|target| format!("{}-{}", target.npm_os, target.npm_cpu)).collect();
    platforms.sort();
    platforms.dedup();
    package["optionalDependencies"] =
        platforms.iter().map(|platform| (scoped(platform), json!(release.version))).collect();
    package["bin"] = json!({ "oldhand": "bin/oldhand" });
    package["scripts"] = json!({ "postinstall": "node install.js" });
    package["engines"] = json!({ "node": ">=18" });
    package["mcpName"] = json!("io.github.oldhand/oldhand");
    package
}

fn common(release: &Release, name: &str) -> Value {
    json!({
        "name": name,
        "version": release.version,
        "description": SUMMARY,
        "license": "MIT OR Apache-2.0",
        "repository": { "type": "git", "url": format!("git+{}.git", release.repository) },
    })
}

fn scoped(platform: &str) -> String {
    format!("@oldhand/{platform}")
}
