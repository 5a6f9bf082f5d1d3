//! Names as people type them: a part of an id or a title, or `@1` from the last list. Agents and CI
//! write ids out.

use oldhand_core::actor::Via;

use super::prelude::*;
use oldhand_desk::listed::PLACE;

/// What a name stands for.
enum Named<'c> {
    Memory(&'c mut String),
    /// A proposal that waits.
    Matter(&'c mut String),
}

/// Replaces what was typed by the id that is meant. A name that is one stays as it is.
pub(super) fn settle_names(
    command: &mut Command,
    desk: &Desk<'_>,
    io: &mut Io<'_>,
) -> Result<(), Fail> {
    let is_reading = is_reading(command);
    // A program, and a script that writes, name what they mean: nobody sees what was taken.
    let is_watched = desk.env.interactive || desk.screen().is_some();
    let is_typed = matches!(desk.via(), Via::Terminal | Via::Shell) && !desk.flags.json;
    if !is_typed || !(is_reading || is_watched) {
        return Ok(());
    }
    for name in names(command) {
        let (name, is_memory) = match name {
            Named::Memory(name) => (name, true),
            Named::Matter(name) => (name, false),
        };
        if let Some(meant) = meant(name, is_memory, is_watched, desk)? {
            if !is_reading {
                io.note("note", &format!("`{name}` is `{meant}`"));
            }
            *name = meant;
        }
    }
    Ok(())
}

/// `None` where the name is one already, or where the command itself says what is wrong with it.
fn meant(
    name: &str,
    is_memory: bool,
    is_watched: bool,
    desk: &Desk<'_>,
) -> Result<Option<String>, Fail> {
    let is_place = |rest: &str| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit());
    if name.strip_prefix(PLACE).is_some_and(is_place) {
        return desk.listed(name).map(Some).ok_or_else(|| {
            let message = format!("`{name}` is not in the last list of this terminal");
            Fail::usage(message, "`oldhand list` numbers memories, `oldhand review` what waits")
        });
    }
    if desk.layout().is_err() {
        return Ok(None);
    }
    desk.work(|engine| {
        let is_known = match is_memory {
            true => !matches!(engine.look_up(name), Ok(None)),
            false => engine.gate().get_pending(name).is_ok(),
        };
        let memories = engine.memories();
        Ok(match (is_known, is_memory) {
            (true, _) => None,
            (false, false) => memories.meant_matter(name)?,
            // A script may ask for many that are not there: it doesn't wait for every file.
            (false, true) => match memories.meant_by_id(name)? {
                None if is_watched => memories.meant_by_title(name)?,
                found => found,
            },
        })
    })
}

/// Everything in a command that names a memory or what waits.
fn names(command: &mut Command) -> Vec<Named<'_>> {
    match command {
        Command::Show(args) => memories([&mut args.name]),
        Command::Why(args) => memories([&mut args.name]),
        Command::Update(args) => memories([&mut args.name]),
        Command::Forget(args) => memories([&mut args.name]),
        Command::Restore(args) => memories([&mut args.name]),
        Command::Archive(args) => memories([&mut args.name]),
        Command::Edit(args)
        | Command::Unarchive(args)
        | Command::History(args)
        | Command::Verify(args) => memories([&mut args.name]),
        Command::Supersede(args) => {
            memories([&mut args.name].into_iter().chain(&mut args.by_memory))
        }
        Command::Apply(args) => memories([&mut args.name].into_iter().chain(&mut args.with)),
        Command::Review(args) => memories(args.name.iter_mut().chain(&mut args.by_memory)),
        Command::Retire(args) => memories(&mut args.names),
        Command::Promote(args) => memories(&mut args.names),
        Command::Fresh(args) => memories(&mut args.names),
        Command::Export(args) => memories(&mut args.names),
        Command::Search(args) if args.links && args.what.len() == 1 => memories(&mut args.what),
        Command::Pending { name } => name.iter_mut().map(Named::Matter).collect(),
        Command::Resolve(args) => vec![Named::Matter(&mut args.name)],
        _ => Vec::new(),
    }
}

fn memories<'c>(names: impl IntoIterator<Item = &'c mut String>) -> Vec<Named<'c>> {
    names.into_iter().map(Named::Memory).collect()
}

/// Whether a command leaves every memory as it is.
pub(super) fn is_reading(command: &Command) -> bool {
    match command {
        Command::Review(args) => args.decision.is_none() && !args.request,
        Command::Export(args) => args.to.is_none(),
        other => matches!(
            other,
            Command::Recall(_)
                | Command::Search(_)
                | Command::Index(_)
                | Command::Why(_)
                | Command::Receipts(_)
                | Command::Hook { .. }
                | Command::Mcp(_)
                | Command::Log(_)
                | Command::Reindex
                | Command::Stats
                | Command::Status
                | Command::Check(_)
                | Command::Pending { .. }
                | Command::Resume(_)
                | Command::Window(_)
                | Command::Compact(_)
                | Command::CheckTask(_)
                | Command::Health
                | Command::MergeFile(_)
                | Command::Show(_)
                | Command::List(_)
                | Command::History(_)
                | Command::Fresh(_)
                | Command::Config(_)
                | Command::Eval(_)
                | Command::Tour
                | Command::Help { .. }
                | Command::Completions { .. }
                | Command::Man { .. }
        ),
    }
}
