//! `oldhand merge-file`: git's merge driver for memories. It needs no store, and whatever goes wrong
//! ends with a code above 128, at which git stops and changes nothing.

use std::path::Path;

use oldhand_core::policy::IMPORT_BYTES_MAX;
use oldhand_merge::{Merged, Three, merge};

use super::prelude::*;
use oldhand_desk::env::Env;

/// Git takes up to 128 for a conflict, with whatever stands in the file: ours, without markers.
pub(crate) const STOP: u8 = 200;

pub(crate) fn run(args: &MergeFileArgs, env: &Env<'_>, io: &mut Io<'_>) -> u8 {
    match merge_files(args, env, io) {
        Ok(0) => DONE,
        Ok(_) => FINDING,
        Err(why) => {
            io.note("error", &format!("could not merge: {why}"));
            STOP
        }
    }
}

/// How many conflicts are left.
fn merge_files(args: &MergeFileArgs, env: &Env<'_>, io: &mut Io<'_>) -> std::io::Result<usize> {
    let read = |path: &Path| env.disk.read(&env.current_dir.join(path), IMPORT_BYTES_MAX);
    let [base, ours, theirs] = [&args.base, &args.ours, &args.theirs].map(|path| read(path));
    let [base, ours, theirs] = [base?, ours?, theirs?];
    let versions = Three { base: &base[..], ours: &ours[..], theirs: &theirs[..] };
    let Merged { bytes, conflicts, notes } = merge(versions, &args.path, args.marker_size);
    match &args.output {
        Some(output) => replace(&env.current_dir.join(output), &bytes, env)?,
        None => {
            io.stdout.write_all(&bytes)?;
            io.stdout.flush()?;
        }
    }
    notes.iter().for_each(|note| io.note("note", &visible_line(note)));
    Ok(conflicts)
}

/// Written beside it and renamed: a full disk leaves the file as it was.
fn replace(path: &Path, bytes: &[u8], env: &Env<'_>) -> std::io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    let written = env.disk.create(&part, bytes).and_then(|()| env.disk.rename(&part, path));
    if written.is_err() {
        // What is left of it; that it can't be removed either is not the error that matters.
        let _ = env.disk.remove(&part);
    }
    written
}
