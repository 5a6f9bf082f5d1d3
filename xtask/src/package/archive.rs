//! The archive that `install.sh`, `cargo binstall` and Homebrew fetch. The same commit gives the same bytes.

use std::path::Path;

use super::release::{Effort, Release};
use super::stage;
use crate::failure::Failure;
use crate::process::{self, program};

pub(super) fn make(release: &Release, staged: &Path, out: &Path) -> Result<(), Failure> {
    let stem = release.stem();
    let scratch = tempfile::tempdir()?;
    stage::copy(staged, &scratch.path().join(&stem))?;
    let level = if release.effort == Effort::Quick { "-1" } else { "-9" };
    let script = "tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=\"@$1\" -cf - \"$2\" | gzip -n \"$3\" >\"$4\"";
    let file = out.join(format!("{stem}.tar.gz"));
    let words =
        ["-c", script, "sh", &release.epoch.to_string(), &stem, level, &file.to_string_lossy()];
    process::run(program(scratch.path(), "sh", &words))
}
