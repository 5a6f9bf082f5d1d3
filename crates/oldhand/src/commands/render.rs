//! `oldhand render`: rebuilds the derived pages.

use oldhand_core::views::View;

use super::prelude::*;

pub(super) fn run(views: &[String], desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        let named = views.iter().map(|name| View::parse(name));
        let mut views = named.collect::<Result<Vec<_>, _>>()?;
        if views.is_empty() {
            views = engine.exchange().wanted_views();
        }
        let rendered = engine.exchange().render(&views)?;
        desk.print(io, "render", &rendered, || {
            let edits = rendered.imported.iter().map(|id| format!("took in an edit of `{id}`\n"));
            let pages = rendered.pages.iter().map(|page| format!("rebuilt `{page}`\n"));
            let text: String = edits.chain(pages).collect();
            if rendered.pages.is_empty() { text + "every page is up to date\n" } else { text }
        })?;
        desk.remark(io, "note", &rendered.notes);
        Ok(DONE)
    })
}
