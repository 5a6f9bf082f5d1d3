//! Packages for people without a toolchain, all made from one built program: an archive, a wheel, npm packages, a
//! Debian package, a Homebrew formula, and the lists that say what they hold.

mod archive;
mod check;
mod deb;
mod lists;
mod npm;
mod release;
mod stage;
mod wheel;

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::process::{self, cargo};
use crate::workspace::Workspace;
use release::{Effort, Release};
pub(crate) use stage::copy;

#[derive(Default)]
struct Wanted {
    target: Option<String>,
    binary: Option<PathBuf>,
    out: Option<PathBuf>,
    is_checked: bool,
}

/// `--target TRIPLE` builds for another machine, `--binary FILE` takes a program that is there already, `--out DIR`
/// says where the packages go, `--check` installs each one into an empty folder, uses it and removes it. `--lists DIR`
/// makes no package: it writes the lists of those in the folder.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    if let [flag, folder] = arguments
        && flag == "--lists"
    {
        let facts = release::facts(root)?;
        return lists::gather(&facts.version, &facts.repository, Path::new(folder));
    }
    let wanted = parse(arguments)?;
    let workspace = Workspace::load(root)?;
    let triple = wanted.target.clone().unwrap_or_else(|| release::HOST.to_owned());
    let binary = match &wanted.binary {
        Some(file) => std::path::absolute(file)?,
        None => build(root, &workspace, (&triple, wanted.target.as_deref()))?,
    };
    let effort = if wanted.is_checked { Effort::Quick } else { Effort::Small };
    let release = Release::read(root, &triple, binary, effort)?;
    let folder = if wanted.is_checked { "package-check" } else { "package" };
    let out = wanted.out.unwrap_or_else(|| workspace.target.join(folder).join(&triple));
    make(&release, &out)?;
    if wanted.is_checked { check::run(&release, &out) } else { Ok(()) }
}

fn parse(arguments: &[String]) -> Result<Wanted, Failure> {
    let mut wanted = Wanted::default();
    let mut rest = arguments.iter();
    while let Some(flag) = rest.next() {
        if flag == "--check" {
            wanted.is_checked = true;
            continue;
        }
        let unknown = || Failure::new(format!("unexpected argument: `{flag}`"));
        let slot = match flag.as_str() {
            "--target" => &mut None,
            "--binary" => &mut wanted.binary,
            "--out" => &mut wanted.out,
            _ => {
                return Err(
                    unknown().hint("known: --target, --binary, --out, --check; alone: --lists")
                );
            }
        };
        let value = rest.next().ok_or_else(|| Failure::new(format!("`{flag}` needs a value")))?;
        *slot = Some(PathBuf::from(value));
        if flag == "--target" {
            wanted.target = Some(value.clone());
        }
    }
    Ok(wanted)
}

/// What the linker of the toolchain for x86-64 can do for a smaller file: functions of the same code become one, and
/// addresses that are set at the start are listed in bits. The C library of who runs it would have to know that list,
/// so it is for a program that brings its own.
const SMALLER: [&str; 4] =
    ["-C", "link-arg=-Wl,--icf=all", "-C", "link-arg=-Wl,-z,pack-relative-relocs"];

/// A program for Linux brings its C library, so that it runs on any: that takes a flag of the last step alone.
fn build(
    root: &Path,
    workspace: &Workspace,
    (triple, target): (&str, Option<&str>),
) -> Result<PathBuf, Failure> {
    let mut words = vec!["rustc", "--release", "--locked", "-p", "oldhand", "--bin", "oldhand"];
    words.extend(target.iter().flat_map(|target| ["--target", target]));
    if triple.contains("linux") {
        words.extend(["--", "-C", "target-feature=+crt-static"]);
    }
    if triple.starts_with("x86_64-unknown-linux") {
        words.extend(SMALLER);
    }
    process::run(cargo(root, &words)).map_err(|failure| match target {
        Some(target) => failure.hint(format!("`rustup target add {target}` adds what is missing")),
        None => failure.hint("it needs `libc.a`: `libc6-dev` of Debian, `glibc-static` of Fedora"),
    })?;
    Ok(match target {
        Some(target) => workspace.target.join(target).join("release/oldhand"),
        None => workspace.binary("release"),
    })
}

/// Everything that a release of one target publishes, into an emptied folder.
fn make(release: &Release, out: &Path) -> Result<(), Failure> {
    if out.exists() {
        fs::remove_dir_all(out)?;
    }
    fs::create_dir_all(out)?;
    let scratch = tempfile::tempdir()?;
    let stage = stage::fill(release, &scratch.path().join("stage"))?;
    archive::make(release, &stage, out)?;
    for (what, tool, make) in [
        ("the wheel", "python3", wheel::make as Maker),
        ("the npm packages", "npm", npm::make as Maker),
        ("the Debian package", "dpkg-deb", deb::make as Maker),
    ] {
        if process::is_there(tool) {
            make(release, &stage, out)?;
        } else {
            println!("not made: {what}, there is no {tool} here");
        }
    }
    lists::write(release, &stage, out)?;
    for entry in fs::read_dir(out)? {
        let entry = entry?;
        println!("{:>10}  {}", entry.metadata()?.len(), entry.file_name().to_string_lossy());
    }
    Ok(())
}

/// Where the sources are, as the program's manifest says.
pub(crate) fn repository(root: &Path) -> Result<String, Failure> {
    Ok(release::facts(root)?.repository)
}

/// Gets the release, the staged files and the folder that the package goes into.
type Maker = fn(&Release, &Path, &Path) -> Result<(), Failure>;
