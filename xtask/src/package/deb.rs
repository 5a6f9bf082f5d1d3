//! The Debian package.

use std::fs;
use std::path::Path;

use super::release::{Effort, Release, SUMMARY};
use super::stage::{copy, put};
use crate::failure::Failure;
use crate::process::{self, program};

pub(super) fn make(release: &Release, stage: &Path, out: &Path) -> Result<(), Failure> {
    let Some(arch) = release.target.deb else { return Ok(()) };
    let scratch = tempfile::tempdir()?;
    let tree = scratch.path().join("tree");
    copy(stage, &tree.join("usr"))?;
    let share = tree.join("usr/share");
    // Debian keeps completions of zsh for packages in a folder of its own, and compresses pages.
    fs::rename(share.join("zsh/site-functions"), share.join("zsh/vendor-completions"))?;
    let documents = share.join("doc/oldhand");
    for name in ["LICENSE-APACHE", "LICENSE-MIT", "LICENSE-MODEL", "README.md", "CHANGELOG.md"] {
        fs::remove_file(documents.join(name))?;
    }
    put(&documents.join("copyright"), COPYRIGHT.as_bytes())?;
    put(&documents.join("changelog"), changelog(release)?.as_bytes())?;
    compress(&documents, "changelog")?;
    compress(&share.join("man/man1"), "*.1")?;
    put(&tree.join("DEBIAN/control"), control(release, arch, &tree)?.as_bytes())?;
    let file = out.join(format!("oldhand_{}_{arch}.deb", release.version));
    let (kind, level) =
        if release.effort == Effort::Quick { ("-Zgzip", "-z1") } else { ("-Zxz", "-z6") };
    let (tree, file) = (tree.to_string_lossy(), file.to_string_lossy());
    let words = ["--root-owner-group", kind, level, "--build", &tree, &file];
    let mut command = program(scratch.path(), "dpkg-deb", &words);
    command.env("SOURCE_DATE_EPOCH", release.epoch.to_string());
    process::capture(command).map(drop)
}

fn compress(folder: &Path, files: &str) -> Result<(), Failure> {
    process::run(program(folder, "sh", &["-c", &format!("gzip -9n {files}")]))
}

fn control(release: &Release, arch: &str, tree: &Path) -> Result<String, Failure> {
    let size = process::capture(program(tree, "du", &["-sk", "usr"]))?;
    let size = size.split_whitespace().next().unwrap_or("0").to_owned();
    let needs = match release.glibc {
        Some((major, minor)) => {
            format!("Depends: libc6 (>= {major}.{minor}), libgcc-s1 (>= 4.2)\n")
        }
        None => String::new(),
    };
    let (version, repository) = (&release.version, &release.repository);
    Ok(format!(
        "Package: oldhand\n\
         Version: {version}\n\
         Architecture: {arch}\n\
         Maintainer: {MAINTAINER}\n\
         Installed-Size: {size}\n\
         {needs}Recommends: git\n\
         Section: devel\n\
         Priority: optional\n\
         Homepage: {repository}\n\
         Description: memory for AI coding agents, in your repository\n \
         oldhand keeps what was decided, what must never be done and how failures were\n \
         fixed as reviewed Markdown next to the code. Agents recall it by words and by\n \
         meaning; contradictions are stopped. Nothing leaves the machine.\n"
    ))
}

const MAINTAINER: &str = "The oldhand developers <oldhand@users.noreply.github.com>";

fn changelog(release: &Release) -> Result<String, Failure> {
    let date = format!("@{}", release.epoch);
    let mut command = program(&release.root, "date", &["--utc", "--rfc-email", "--date", &date]);
    command.env("LC_ALL", "C");
    let date = process::capture(command)?;
    Ok(format!(
        "oldhand ({}) unstable; urgency=medium\n\n  * {SUMMARY}.\n    See {}/blob/v{}/CHANGELOG.md\n\n -- {MAINTAINER}  {}\n",
        release.version,
        release.repository,
        release.version,
        date.trim()
    ))
}

/// Debian has both licences on every machine.
const COPYRIGHT: &str = "\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: oldhand

Files: *
Copyright: 2026 The oldhand authors
License: Expat or Apache-2.0

License: Apache-2.0
 On Debian systems, the full text of the Apache License 2.0 is in
 /usr/share/common-licenses/Apache-2.0. The embedding model inside, from
 all-MiniLM-L6-v2, is under it too.

License: Expat
 Permission is hereby granted, free of charge, to any person obtaining a copy of
 this software and associated documentation files (the \"Software\"), to deal in
 the Software without restriction, including without limitation the rights to
 use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of
 the Software, and to permit persons to whom the Software is furnished to do so,
 subject to the following conditions:
 .
 The above copyright notice and this permission notice shall be included in all
 copies or substantial portions of the Software.
 .
 THE SOFTWARE IS PROVIDED \"AS IS\", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
 IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS
 FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
 COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER
 IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
 CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
";
