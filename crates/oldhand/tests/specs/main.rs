//! Runs the specifications in `specs/`: one test per file, named by its path, so that they run in
//! parallel and `cargo test -p oldhand --test specs trust/who` runs one of them.
//! `OLDHAND_UPDATE=1` rewrites the expected lines that no longer match.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[expect(dead_code, reason = "the other integration tests use the rest of it")]
#[path = "../it/program.rs"]
mod program;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};
use oldhand_store::disk::RealDisk;
use oldhand_testkit::spec::{Invocation, Output, run_file};

use crate::program::{World, run};

fn main() -> ExitCode {
    let update = std::env::var_os("OLDHAND_UPDATE").is_some();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specs").canonicalize().unwrap();
    let mut files = Vec::new();
    markdown_files(&folder, &mut files);
    // What lies directly in `specs` is about the specifications.
    files.retain(|file| file.parent() != Some(&folder));
    files.sort();
    assert!(!files.is_empty(), "no specifications in `{}`", folder.display());
    let trials = files.into_iter().map(|file| trial(&folder, file, update)).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// Named `trust/who` for `specs/trust/who.md`.
fn trial(folder: &Path, file: PathBuf, update: bool) -> Trial {
    let name = file.strip_prefix(folder).unwrap().with_extension("").display().to_string();
    Trial::test(name, move || match run_file(&file, &program, update) {
        Ok(_) => Ok(()),
        Err(mismatches) => Err(mismatches.into()),
    })
}

/// Every Markdown file below the folder.
fn markdown_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            markdown_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            files.push(path);
        }
    }
}

fn program(invocation: &Invocation<'_>) -> Output {
    let mut vars: BTreeMap<String, String> = invocation.env.iter().cloned().collect();
    vars.insert("HOME".to_owned(), invocation.home.display().to_string());
    vars.entry("USER".to_owned()).or_insert_with(|| "ada".to_owned());
    let world = World {
        disk: &RealDisk,
        vars,
        current_dir: invocation.cwd,
        now: invocation.now,
        seed: invocation.seed,
    };
    let args: Vec<&str> = invocation.args.iter().map(String::as_str).collect();
    let ran = run(&world, &args, invocation.stdin);
    Output { stdout: ran.stdout, stderr: ran.stderr, code: ran.code }
}
