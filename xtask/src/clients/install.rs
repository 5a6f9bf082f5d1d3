//! Clients from the registries, below `target/clients`: the scripts are copied there, because Node looks for
//! packages beside the script. What was installed stays until its pins change.

use std::fs;
use std::path::{Path, PathBuf};

use super::Runtime;
use crate::failure::Failure;
use crate::process::{self, program};

/// What the inspector and the conformance suite ask for.
const NODE_MIN: (u32, u32) = (22, 19);
/// What earlier runs leave in a folder of ours.
const MADE: &[&str] = &["__pycache__", "node_modules", "target", "venv"];
/// The pins of which the folder holds the packages.
const STAMP: &str = ".installed";

/// Brings the scripts and pins of `from` up to date in `to`.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let name = entry.file_name();
        if MADE.iter().any(|made| name == *made) {
            continue;
        }
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &to.join(name))?;
        } else {
            fs::copy(entry.path(), to.join(name))?;
        }
    }
    Ok(())
}

/// Installs what the client needs, and gives the interpreter for its script.
pub(super) fn ready(folder: &Path, name: &str, runtime: Runtime) -> Result<PathBuf, Failure> {
    let own = folder.join(name);
    if runtime == Runtime::Cargo {
        let words = ["build", "--quiet", "--locked", "--target-dir", "target"];
        process::run(program(&own, "cargo", &words))?;
        return Ok(own.join("target/debug/day-rust"));
    }
    if runtime == Runtime::Python {
        return with_pip(&own);
    }
    with_npm(&own)?;
    if runtime == Runtime::Node || is_new(folder) {
        return Ok("node".into());
    }
    // Compiled programs are on npm too, for the platforms that have one.
    let node = folder.join("node");
    with_npm(&node)?;
    let node = node.join("node_modules/.bin/node");
    if !process::works(program(folder, &node.to_string_lossy(), &["--version"])) {
        let (major, minor) = NODE_MIN;
        return Err(Failure::new(format!("`{name}` needs Node {major}.{minor} or newer"))
            .hint(format!("install it, or leave `{name}` out with `--only`")));
    }
    Ok(node)
}

fn with_pip(folder: &Path) -> Result<PathBuf, Failure> {
    need(folder, "python3", "python")?;
    let venv = folder.join("venv");
    let python = venv.join("bin/python");
    // An upgrade of the system's Python breaks what was made with the old one.
    let works = process::works(program(folder, &python.to_string_lossy(), &["--version"]));
    once(folder, "requirements.txt", works, || {
        let _ = fs::remove_dir_all(&venv);
        process::run(program(folder, "python3", &["-m", "venv", "venv"])).map_err(|failure| {
            failure.hint("some distributions have it apart: install `python3-venv`")
        })?;
        let words = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"];
        let words = [&words[..], &["requirements.txt"]].concat();
        process::run(program(folder, &python.to_string_lossy(), &words))
    })?;
    Ok(python)
}

pub(crate) fn with_npm(folder: &Path) -> Result<(), Failure> {
    need(folder, "npm", "typescript,inspector,conformance")?;
    let works = folder.join("node_modules").is_dir();
    once(folder, "package.json", works, || {
        let _ = fs::remove_dir_all(folder.join("node_modules"));
        // Scripts of packages are not run: nothing here needs to be compiled.
        let flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel", "error"];
        let is_locked = folder.join("package-lock.json").is_file();
        let verb = if is_locked { &["ci"][..] } else { &["install", "--no-package-lock"] };
        process::run(program(folder, "npm", &[verb, &flags[..]].concat()))
    })
}

/// Runs `install` unless the folder holds what `pins` names.
fn once(
    folder: &Path,
    pins: &str,
    works: bool,
    install: impl FnOnce() -> Result<(), Failure>,
) -> Result<(), Failure> {
    let (pins, stamp) = (fs::read_to_string(folder.join(pins))?, folder.join(STAMP));
    if works && fs::read_to_string(&stamp).is_ok_and(|installed| installed == pins) {
        return Ok(());
    }
    println!("installing: {}", folder.display());
    // Half an installation has no stamp.
    let _ = fs::remove_file(&stamp);
    install()?;
    Ok(fs::write(stamp, pins)?)
}

fn need(folder: &Path, tool: &str, clients: &str) -> Result<(), Failure> {
    if process::works(program(folder, tool, &["--version"])) {
        return Ok(());
    }
    Err(Failure::new(format!("{tool} is not installed"))
        .hint(format!("install it, or name with `--only` others than {clients}")))
}

fn is_new(folder: &Path) -> bool {
    let said = process::capture(program(folder, "node", &["--version"]));
    said.ok().and_then(|said| version(&said)).is_some_and(|version| version >= NODE_MIN)
}

/// Major and minor of `v22.19.0`.
pub(super) fn version(said: &str) -> Option<(u32, u32)> {
    let mut parts = said.trim().strip_prefix('v')?.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}
