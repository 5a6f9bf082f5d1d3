//! Completions for shells.

use clap_complete::Shell;
use wire::program::Completions;

use super::prelude::*;

pub(super) fn run(shell: Shell, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut crate::command(), "oldhand", &mut script);
    let script = String::from_utf8_lossy(&script);
    let answer = Completions { shell: shell.to_string(), script: &script };
    desk.verbatim(io, "completions", &answer, || script.to_string())
}
