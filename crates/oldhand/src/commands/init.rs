//! `oldhand init`: a store in this repository.

use oldhand_core::trust::Record;
use oldhand_store::layout::{Layout, STORE_FOLDER};
use oldhand_store::locate::{Located, is_open_to_all};
use wire::setup::MadeStore;

use super::prelude::*;
use oldhand_desk::config::file::NEW;

pub(super) fn run(desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let layout = layout(desk)?;
    // A store that is there may be of a newer version: its settings are read before it is touched.
    let existing = desk.env.disk.stat(&layout.root)?.is_some();
    let resolved = desk.resolve(existing.then_some(&layout))?;
    let made = oldhand_store::vault::init(desk.env.disk, &layout, &resolved.settings.kinds, NEW)?;
    if !existing
        && !desk.flags.global
        && let Err(fail) = desk.record_trust(&layout, Record::Made)
    {
        let why = fail.message();
        io.note("note", &format!("`oldhand trust` will ask whether you accept this store: {why}"));
    }
    let root = layout.root.display().to_string();
    desk.print(io, "init", MadeStore::of(&root, &made), || {
        if made.is_empty() {
            return format!("there is a store already: {root}\n");
        }
        format!(
            "made a store: {root}\nhint: write something down with `oldhand remember \"we decided …\"`, \
             and commit `.oldhand/`\n"
        )
    })?;
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
