//! The specifications in `specs/`: Markdown that people read, run command by command.
//! `OLDHAND_UPDATE=1` rewrites what they expect.

use std::path::{Path, PathBuf};

use oldhand_store::disk::RealDisk;
use oldhand_testkit::spec::{Invocation, Output, run_file};

use crate::program::{World, run};

fn program(invocation: &Invocation<'_>) -> Output {
    let mut vars: std::collections::BTreeMap<String, String> =
        invocation.env.iter().cloned().collect();
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

fn spec_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            spec_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            files.push(path);
        }
    }
    files.sort();
}

#[test]
fn every_specification_holds() {
    let update = std::env::var_os("OLDHAND_UPDATE").is_some();
    let mut files = Vec::new();
    spec_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specs"), &mut files);
    assert!(!files.is_empty());
    let failures: Vec<String> =
        files.iter().filter_map(|file| run_file(file, &program, update).err()).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
