//! What is in every package, laid out as below `/usr`: the program, manual pages, completions, licences.

use std::fs;
use std::path::{Path, PathBuf};

use super::release::Release;
use crate::failure::Failure;
use crate::process::{self, program};

/// A shell, and where its completions are looked for.
const COMPLETIONS: &[(&str, &str)] = &[
    ("bash", "share/bash-completion/completions/oldhand"),
    ("fish", "share/fish/vendor_completions.d/oldhand.fish"),
    ("zsh", "share/zsh/site-functions/_oldhand"),
];

/// A file of the repository, and its name in `share/doc/oldhand`.
const DOCUMENTS: &[(&str, &str)] = &[
    ("LICENSE-APACHE", "LICENSE-APACHE"),
    ("LICENSE-MIT", "LICENSE-MIT"),
    ("assets/minilm/LICENSE", "LICENSE-MODEL"),
    ("CHANGELOG.md", "CHANGELOG.md"),
    ("README.md", "README.md"),
];

pub(super) fn fill(release: &Release, stage: &Path) -> Result<PathBuf, Failure> {
    let binary = stage.join("bin/oldhand");
    put(&binary, &fs::read(&release.binary)?)?;
    make_executable(&binary)?;
    // A program for another machine says the same as the one that this machine can run.
    let speaker = speaker(release)?;
    let speaker = speaker.to_string_lossy();
    for (shell, below) in COMPLETIONS {
        let script = process::capture(program(stage, &speaker, &["completions", shell]))?;
        put(&stage.join(below), script.as_bytes())?;
    }
    let pages = stage.join("share/man/man1");
    process::capture(program(stage, &speaker, &["man", "--out", &pages.to_string_lossy()]))?;
    for (from, name) in DOCUMENTS {
        put(&stage.join("share/doc/oldhand").join(name), &fs::read(release.root.join(from))?)?;
    }
    Ok(stage.to_owned())
}

/// A program that runs here: the packaged one, or for another machine the one that `OLDHAND_SPEAKER` names.
pub(super) fn speaker(release: &Release) -> Result<PathBuf, Failure> {
    if let Some(named) = std::env::var_os("OLDHAND_SPEAKER") {
        return Ok(std::path::absolute(named)?);
    }
    let binary = release.binary.to_string_lossy();
    if process::works(program(&release.root, &binary, &["--version"])) {
        return Ok(release.binary.clone());
    }
    Err(Failure::new(format!("this machine can't run `{binary}`, which writes the manual pages"))
        .hint("set `OLDHAND_SPEAKER` to a program of the same version that runs here"))
}

pub(super) fn put(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    Ok(fs::write(path, bytes)?)
}

pub(super) fn make_executable(path: &Path) -> Result<(), Failure> {
    use std::os::unix::fs::PermissionsExt;
    Ok(fs::set_permissions(path, fs::Permissions::from_mode(0o755))?)
}

/// Copies a folder of the stage, with the permissions of its files.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
