//! Completions for shells, and manual pages: what a package brings along, made from the help texts.

use std::path::Path;

use clap_complete::Shell;
use wire::program::{Completions, ExportedFolder};

use super::export::write_files;
use super::prelude::*;

pub(super) fn run(shell: Shell, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut crate::command(), "oldhand", &mut script);
    let script = String::from_utf8_lossy(&script);
    let answer = Completions { shell: shell.to_string(), script: &script };
    desk.verbatim(io, "completions", &answer, || script.to_string())
}

/// `oldhand.1` and `oldhand-<command>.1`, as `man oldhand-recall` looks for them.
pub(super) fn write_manual(out: &Path, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let pages = manual(crate::command());
    let folder = desk.current_dir().join(out);
    write_files(&folder, pages.iter().map(|(name, text)| (name.as_str(), text.as_str())), desk)?;
    let folder = folder.display().to_string();
    let text = format!("wrote {} into {folder}\n", counted(pages.len(), "page", "pages"));
    desk.print(io, "man", &ExportedFolder { folder, written: pages.len() }, || text)
}

fn manual(mut command: clap::Command) -> Vec<(String, String)> {
    command.build();
    let mut pages = Vec::new();
    let mut waiting = vec![command];
    while let Some(command) = waiting.pop() {
        waiting.extend(command.get_subcommands().cloned());
        // Built commands carry their full name: `oldhand-config-set`.
        let name = command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned();
        let mut page = Vec::new();
        clap_mangen::Man::new(command.display_name(name.clone()))
            .render(&mut page)
            .expect("a page is written to memory");
        pages.push((format!("{name}.1"), String::from_utf8_lossy(&page).into_owned()));
    }
    pages.sort();
    pages
}
