//! `oldhand render`: the derived pages anew.

use oldhand_core::views::View;
use serde_json::{Map, json};

use crate::cli::RenderArgs;
use crate::desk::Desk;
use crate::failure::{DONE, Outcome};
use crate::printer::Io;

pub(super) fn run(args: &RenderArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        let mut views = Vec::new();
        for name in &args.view {
            views.push(View::parse(name)?);
        }
        if views.is_empty() {
            views = engine.wanted_views();
        }
        let rendered = engine.render(&views)?;
        if desk.flags.json {
            let mut object = Map::new();
            object.insert("pages".into(), json!(rendered.pages));
            object.insert("imported".into(), json!(rendered.imported));
            object.insert("notes".into(), json!(rendered.notes));
            io.json("render", object)?;
            return Ok(DONE);
        }
        for id in &rendered.imported {
            io.text(&format!("took in an edit of `{id}`\n"))?;
        }
        for page in &rendered.pages {
            io.text(&format!("made `{page}` anew\n"))?;
        }
        if rendered.pages.is_empty() {
            io.text("every page is up to date\n")?;
        }
        for note in &rendered.notes {
            io.note("note", note);
        }
        Ok(DONE)
    })
}
