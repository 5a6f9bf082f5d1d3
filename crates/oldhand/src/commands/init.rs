//! `oldhand init`: a store in this repository.

use oldhand_core::trust::Record;
use oldhand_store::layout::{Layout, STORE_FOLDER};
use oldhand_store::locate::{Located, is_open_to_all};
use wire::setup::MadeStore;

use super::prelude::*;
use oldhand_desk::config::file::NEW;
use oldhand_screen::Screen;

pub(super) fn run(desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let layout = layout(desk)?;
    // A store that is there may be of a newer version: its settings are read before it is touched.
    let existing = desk.env.disk.stat(&layout.root)?.is_some();
    let resolved = desk.resolve(existing.then_some(&layout))?;
    let (kinds, commits_index) = (&resolved.settings.kinds, resolved.settings.views.index);
    let made = oldhand_store::vault::init(desk.env.disk, &layout, kinds, NEW, commits_index)?;
    if !existing
        && !desk.flags.global
        && let Err(fail) = desk.record_trust(&layout, Record::Made)
    {
        let why = fail.message();
        io.note("note", &format!("`oldhand trust` will ask whether you accept this store: {why}"));
    }
    let merges = super::install::driver::beside(desk, false).map(|_| {
        "set up git in this clone to merge memories by fields: `oldhand uninstall git` reverts it"
    });
    let root = layout.root.display().to_string();
    let (told, hint) = match made.is_empty() {
        true => (format!("there is a store already: {root}"), None),
        false => (
            format!("made a store: {root}"),
            Some(
                "write something down with `oldhand remember \"we decided …\"`, and commit `.oldhand/`",
            ),
        ),
    };
    let lines = || [Some(told.as_str()), merges].into_iter().flatten();
    let agent = || {
        let lines: String = lines().map(|line| format!("{line}\n")).collect();
        lines + &hint.map(|hint| format!("hint: {hint}\n")).unwrap_or_default()
    };
    let people = |screen: &Screen| {
        let lines: String = lines().map(|line| screen.done(line)).collect();
        lines + &hint.map(|hint| screen.hint(hint)).unwrap_or_default()
    };
    desk.present(io, "init", MadeStore::of(&root, &made), (agent, people))?;
    let is_new = !made.is_empty() && !desk.flags.global;
    desk.remark(io, "note", is_new.then(|| super::import::line_about(desk)).flatten());
    Ok(DONE)
}

fn layout(desk: &Desk<'_>) -> Result<Layout, Fail> {
    if desk.flags.global {
        return desk.user_layout();
    }
    match desk.located()? {
        Located::Missing { repository } if is_open_to_all(&repository) => {
            let message = format!("everybody can write to `{}`", repository.display());
            Err(Fail::usage(message, "make a store in a folder of your own"))
        }
        Located::Missing { repository } => {
            Ok(Layout { root: repository.join(STORE_FOLDER), repository })
        }
        _ => desk.layout(),
    }
}
