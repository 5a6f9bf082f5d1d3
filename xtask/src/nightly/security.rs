//! The public corpora of attacks: a script shows them to the real program, and its tables go into docs/security.md.

use std::path::Path;
use std::process::Command;

use super::Night;
use super::children::{End, run_until, tail};
use super::record::Record;
use crate::failure::Failure;
use crate::process::{capture, cargo};

const PAGE: &str = "docs/security.md";
const BEGIN: &str = "<!-- numbers -->\n";
const END: &str = "<!-- end of numbers -->";

/// Where the corpora are: a folder with one folder per corpus, and optionally `samples` and `plain` with labelled lines.
const VARIABLE: &str = "OLDHAND_CORPORA";
/// Beside the corpora: lines with and without a secret.
const LABELLED: [&str; 2] = ["samples", "plain"];

pub(super) fn build(night: &Night) -> Result<(), Failure> {
    corpora()?;
    let words = [
        "build",
        "--profile",
        "ci",
        "-p",
        "oldhand",
        "-p",
        "oldhand-text",
        "--bin",
        "oldhand",
        "--example",
        "secrets",
    ];
    capture(cargo(&night.root, &words))?;
    let built = crate::workspace::Workspace::load(&night.root)?.binary("ci");
    night.keep(&built.with_file_name("examples").join("secrets"), "secrets")?;
    night.keep(&built, "oldhand")
}

fn corpora() -> Result<String, Failure> {
    std::env::var(VARIABLE).map_err(|_| {
        Failure::new("the corpora are not here")
            .hint(format!("name their folder in `{VARIABLE}`, see evals/security"))
    })
}

pub(super) fn run(night: &Night, record: &mut Record) -> Result<(), Failure> {
    record.unit = "corpora";
    let corpora = corpora()?;
    let mut command = Command::new("python3");
    command
        .arg(night.root.join("evals/security/measure.py"))
        .arg("--program")
        .arg(night.bin("oldhand"));
    command.arg("--scanner").arg(night.bin("secrets")).args([
        "--corpora",
        &corpora,
        "--limit",
        "100",
    ]);
    for kind in LABELLED {
        let files =
            std::fs::read_dir(Path::new(&corpora).join(kind)).into_iter().flatten().flatten();
        let files: Vec<_> = files.map(|entry| entry.path()).collect();
        if !files.is_empty() {
            command.arg(format!("--{kind}")).args(files);
        }
    }
    let log = night.folder.join("security.log");
    match run_until(command, night.until, &log)? {
        End::Exited(status) if status.success() => {}
        _ => {
            return Err(Failure::new(format!(
                "the corpora were not read to their end: {}",
                tail(&log)?
            )));
        }
    }
    let is_corpus =
        |path: &Path| path.is_dir() && !LABELLED.iter().any(|name| path.ends_with(name));
    let entries = std::fs::read_dir(&corpora)?.flatten();
    record.tried = entries.filter(|entry| is_corpus(&entry.path())).count() as u64;
    record
        .notes
        .push(format!("The tables are in [security.md]({}).", PAGE.trim_start_matches("docs/")));
    let tables = std::fs::read_to_string(&log)?;
    let page = night.root.join(PAGE);
    let text = std::fs::read_to_string(&page)?;
    std::fs::write(page, between(&text, &tables)?)?;
    Ok(())
}

/// The page with new tables between its two marks.
pub(super) fn between(text: &str, tables: &str) -> Result<String, Failure> {
    let parts =
        text.split_once(BEGIN).and_then(|(head, rest)| Some((head, rest.split_once(END)?.1)));
    let (head, rest) =
        parts.ok_or_else(|| Failure::new(format!("`{PAGE}` has no place for the numbers")))?;
    Ok(format!("{head}{BEGIN}\n{}\n{END}{rest}", tables.trim()))
}
