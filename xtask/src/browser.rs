//! Journeys through the dashboard in a real browser, as `tests/browser` has them: Debian's chromium, driven by a
//! pinned Playwright. Without a browser they are named as not run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::clients::install;
use crate::failure::Failure;
use crate::process::{self, cargo, program};
use crate::workspace::Workspace;

/// What distributions call it; `OLDHAND_CHROMIUM` names another.
const BROWSERS: &[&str] =
    &["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/// `--binary FILE` uses a program that is there already; `--only NAME`, `--corpus FILE`, `--sizes N,N` and
/// `--pictures FOLDER` go to the journeys.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    let Some(browser) = find(root) else {
        return Err(Failure::new("no chromium was found")
            .hint("`apt-get install chromium`, or set `OLDHAND_CHROMIUM`"));
    };
    let at = arguments.iter().position(|argument| argument == "--binary");
    let binary = at.and_then(|at| arguments.get(at + 1));
    let workspace = Workspace::load(root)?;
    let folder = workspace.target.join("browser");
    install::copy(&root.join("tests/browser"), &folder)?;
    install::with_npm(&folder)?;
    let binary = match binary {
        Some(file) => std::path::absolute(file)?,
        None => {
            process::run(cargo(root, &["build", "--release"]))?;
            workspace.binary("release")
        }
    };
    let mut command = Command::new("node");
    command.arg(folder.join("main.mjs")).arg(binary).arg(browser).current_dir(root);
    let is_ours = |number: usize| at.is_some_and(|at| number == at || number == at + 1);
    command.args(
        arguments.iter().enumerate().filter(|(number, _)| !is_ours(*number)).map(|(_, it)| it),
    );
    process::run(command)
        .map_err(|failure| failure.hint("`--only NAME` runs those whose name has these words"))
}

pub(crate) fn find(root: &Path) -> Option<PathBuf> {
    let named = std::env::var("OLDHAND_CHROMIUM").ok();
    let names = named.iter().map(String::as_str).chain(BROWSERS.iter().copied());
    let found =
        names.into_iter().find(|name| process::works(program(root, name, &["--version"])))?;
    let path = process::capture(program(root, "sh", &["-c", "command -v \"$0\"", found])).ok()?;
    Some(PathBuf::from(path.trim()))
}

/// The names of the journeys, for whoever can't run them.
pub(crate) fn names(root: &Path) -> Result<Vec<String>, Failure> {
    let name = |line: &str| Some(line.strip_prefix("  [\"")?.split_once('"')?.0.to_owned());
    let mut names = Vec::new();
    for file in ["journeys.mjs", "inbox.mjs"] {
        let text = fs::read_to_string(root.join("tests/browser").join(file))?;
        names.extend(text.lines().filter_map(name));
    }
    Ok(names)
}
