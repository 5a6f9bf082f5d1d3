//! Every package as a person without a toolchain gets it: installed into an empty folder, with an empty home, used for
//! a first memory and its recall, and removed without a trace.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use super::release::Release;
use crate::failure::Failure;
use crate::process::{self, program};

/// One way to get the program: what it needs, how it is installed and removed again.
struct Trial {
    name: &'static str,
    tool: &'static str,
    /// Installs below the prefix and says where the program is.
    install: fn(&Place<'_>) -> Result<PathBuf, Failure>,
    remove: fn(&Place<'_>) -> Result<(), Failure>,
}

const TRIALS: &[Trial] = &[
    Trial { name: "install.sh", tool: "sh", install: with_script, remove: without_script },
    Trial { name: "wheel", tool: "python3", install: with_pip, remove: without_pip },
    Trial { name: "npx", tool: "npm", install: with_npx, remove: nothing_installed },
    Trial { name: "npm", tool: "npm", install: with_npm, remove: without_npm },
    Trial { name: "deb", tool: "dpkg-deb", install: with_dpkg, remove: without_dpkg },
];

struct Place<'a> {
    release: &'a Release,
    packages: &'a Path,
    /// What is installed goes below it.
    prefix: &'a Path,
    /// An empty home, with the caches of the installers.
    home: &'a Path,
}

pub(super) fn run(release: &Release, packages: &Path) -> Result<(), Failure> {
    for trial in TRIALS {
        if !process::is_there(trial.tool) {
            println!("not run: {}, there is no {} here", trial.name, trial.tool);
            continue;
        }
        let scratch = tempfile::tempdir()?;
        let (prefix, home) = (scratch.path().join("prefix"), scratch.path().join("home"));
        fs::create_dir_all(&prefix)?;
        fs::create_dir_all(&home)?;
        let place = Place { release, packages, prefix: &prefix, home: &home };
        let start = Instant::now();
        try_one(trial, &place)
            .map_err(|failure| failure.hint(format!("package: `{}`", trial.name)))?;
        println!("{}: works, {:.1} s", trial.name, start.elapsed().as_secs_f64());
    }
    if release.glibc.is_none() && release.target.npm_os == "linux" {
        return alone(&release.binary)
            .map_err(|failure| failure.hint("the program alone, in an empty root"));
    }
    Ok(())
}

/// The tour, in a root with nothing in it but the program and git: a program that brings its C library needs no more.
fn alone(binary: &Path) -> Result<(), Failure> {
    let enter: &[&str] =
        if is_root() { &["chroot"] } else { &["unshare", "--map-root-user", "--root"] };
    if !process::is_there(enter[0]) || !process::is_there("ldd") {
        println!("not run: the program alone, there is no {} or ldd here", enter[0]);
        return Ok(());
    }
    let root = tempfile::tempdir()?;
    let put = |from: &str, to: &str| -> Result<(), Failure> {
        let to = root.path().join(to.trim_start_matches('/'));
        fs::create_dir_all(to.parent().unwrap_or(root.path()))?;
        fs::copy(from, to)?;
        Ok(())
    };
    let git = process::capture(program(root.path(), "sh", &["-c", "command -v git"]))?;
    let needs = process::capture(program(root.path(), "ldd", &[git.trim()]))?;
    for library in needs.split_whitespace().filter(|word| word.starts_with('/')) {
        put(library, library)?;
    }
    put(git.trim(), "bin/git")?;
    put(&binary.to_string_lossy(), "bin/oldhand")?;
    // Not a device: who is not root can't make one, and an empty file reads the same.
    for name in ["dev/null", "tmp/.keep", "home/.keep"] {
        super::stage::put(&root.path().join(name), b"")?;
    }
    let mut command = Command::new(enter[0]);
    command.args(&enter[1..]).arg(root.path()).args(["/bin/oldhand", "tour"]);
    let path = std::env::var_os("PATH").unwrap_or_default();
    command.env_clear().env("PATH", path).env("HOME", "/home");
    let said = process::capture(command)?;
    println!("the program alone, in an empty root: works, {} lines of tour", said.lines().count());
    Ok(())
}

fn try_one(trial: &Trial, place: &Place<'_>) -> Result<(), Failure> {
    let program = (trial.install)(place)?;
    first_memory(place, &program)?;
    (trial.remove)(place)?;
    let left = files(place.prefix)?;
    if left.iter().any(|path| path.to_string_lossy().contains("oldhand")) {
        let left: Vec<String> = left.iter().map(|path| path.display().to_string()).collect();
        return Err(Failure::new(format!("left after removal: {}", left.join(", "))));
    }
    Ok(())
}

/// The first minute of a new user: a store, a memory, a question in other words.
fn first_memory(place: &Place<'_>, program: &Path) -> Result<(), Failure> {
    let work = place.home.join("shop");
    fs::create_dir_all(&work)?;
    let run = |words: &[&str]| {
        let mut command = clean(place, &program.to_string_lossy());
        command.args(words).current_dir(&work);
        process::capture(command)
    };
    let version = run(&["--version"])?;
    if version.trim() != format!("oldhand {}", place.release.version) {
        return Err(Failure::new(format!("another version was installed: {version}")));
    }
    let mut git = clean(place, "git");
    git.args(["init", "--quiet"]).current_dir(&work);
    process::run(git)?;
    run(&["init"])?;
    run(&["remember", "We decided to keep money in integer cents, because floats lose pennies"])?;
    let found = run(&["recall", "which number type do prices have"])?;
    if !found.contains("integer cents") {
        return Err(Failure::new(format!("recall did not find the memory: {found}")));
    }
    Ok(())
}

/// A command that knows nothing of this machine but where programs are.
fn clean(place: &Place<'_>, name: &str) -> Command {
    let mut command = Command::new(name);
    command.env_clear().env("HOME", place.home).env("LANG", "C.UTF-8");
    for kept in ["PATH", "SSL_CERT_FILE", "TMPDIR"] {
        if let Some(value) = std::env::var_os(kept) {
            command.env(kept, value);
        }
    }
    command
}

fn with_script(place: &Place<'_>) -> Result<PathBuf, Failure> {
    process::capture(script(place, &[])?)?;
    Ok(place.prefix.join("bin/oldhand"))
}

fn without_script(place: &Place<'_>) -> Result<(), Failure> {
    process::capture(script(place, &["--uninstall"])?).map(drop)
}

fn script(place: &Place<'_>, words: &[&str]) -> Result<Command, Failure> {
    let mut command = clean(place, "sh");
    let packages = fs::canonicalize(place.packages)?;
    command.arg(packages.join("install.sh")).args(words).env("OLDHAND_PREFIX", place.prefix);
    command.env("OLDHAND_BASE_URL", format!("file://{}", packages.display()));
    Ok(command)
}

/// An environment of its own, from the wheel alone.
fn with_pip(place: &Place<'_>) -> Result<PathBuf, Failure> {
    let mut command = clean(place, "python3");
    command.args(["-m", "venv"]).arg(place.prefix);
    process::capture(command)?;
    pip(
        place,
        &["install", "--no-index", "--find-links", &place.packages.to_string_lossy(), "oldhand"],
    )?;
    Ok(place.prefix.join("bin/oldhand"))
}

fn without_pip(place: &Place<'_>) -> Result<(), Failure> {
    pip(place, &["uninstall", "--yes", "oldhand"])
}

fn pip(place: &Place<'_>, words: &[&str]) -> Result<(), Failure> {
    let mut command = clean(place, &place.prefix.join("bin/python").to_string_lossy());
    command.args(["-m", "pip", "--quiet", "--disable-pip-version-check"]).args(words);
    process::capture(command).map(drop)
}

/// `npx` fetches both packages from a registry: a small one, of the packages made here.
fn with_npx(place: &Place<'_>) -> Result<PathBuf, Failure> {
    let script = place.home.join("npx-oldhand");
    let registry = place.release.root.join("tools/release/registry.py");
    let text = format!(
        "#!/bin/sh\nexec python3 '{}' '{}' npx --yes oldhand@{} \"$@\"\n",
        registry.display(),
        fs::canonicalize(place.packages)?.display(),
        place.release.version
    );
    super::stage::put(&script, text.as_bytes())?;
    super::stage::make_executable(&script)?;
    Ok(script)
}

fn nothing_installed(_: &Place<'_>) -> Result<(), Failure> {
    Ok(())
}

fn with_npm(place: &Place<'_>) -> Result<PathBuf, Failure> {
    npm(place, &["install", "oldhand"])?;
    Ok(place.prefix.join("bin/oldhand"))
}

fn without_npm(place: &Place<'_>) -> Result<(), Failure> {
    npm(place, &["uninstall", "oldhand"])
}

fn npm(place: &Place<'_>, words: &[&str]) -> Result<(), Failure> {
    let mut command = clean(place, "python3");
    command.arg(place.release.root.join("tools/release/registry.py"));
    command.arg(fs::canonicalize(place.packages)?);
    command.args(["npm", "--global", "--no-audit", "--no-fund", "--prefix"]).arg(place.prefix);
    command.args(words);
    process::capture(command).map(drop)
}

/// `dpkg` with a root and a database of its own. Who is not root can only unpack.
fn with_dpkg(place: &Place<'_>) -> Result<PathBuf, Failure> {
    let package = fs::read_dir(place.packages)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| path.extension().is_some_and(|extension| extension == "deb"))
        .ok_or_else(|| Failure::new("there is no Debian package"))?;
    if is_root() {
        let database = place.prefix.join("var/lib/dpkg");
        for folder in ["info", "updates"] {
            fs::create_dir_all(database.join(folder))?;
        }
        fs::write(database.join("status"), "")?;
        // The C library of this machine is not in that root.
        dpkg(place, &["--force-depends", "--install", &package.to_string_lossy()])?;
    } else {
        let mut command = clean(place, "dpkg-deb");
        command.arg("--extract").arg(package).arg(place.prefix);
        process::capture(command)?;
    }
    Ok(place.prefix.join("usr/bin/oldhand"))
}

fn without_dpkg(place: &Place<'_>) -> Result<(), Failure> {
    if is_root() {
        return dpkg(place, &["--purge", "oldhand"]);
    }
    Ok(fs::remove_dir_all(place.prefix.join("usr"))?)
}

fn dpkg(place: &Place<'_>, words: &[&str]) -> Result<(), Failure> {
    let mut command = clean(place, "dpkg");
    command.arg(format!("--root={}", place.prefix.display())).args(words);
    process::capture(command).map(drop)
}

fn is_root() -> bool {
    nix::unistd::geteuid().is_root()
}

/// Every file and link below a folder; nothing if it is gone.
fn files(folder: &Path) -> Result<BTreeSet<PathBuf>, Failure> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        if !folder.exists() {
            continue;
        }
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                waiting.push(entry.path());
            }
            found.insert(entry.path());
        }
    }
    Ok(found)
}
