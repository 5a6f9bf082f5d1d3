//! `oldhand undo`: the last write taken back.

use serde_json::{Map, json};

use crate::desk::{Desk, acknowledge};
use crate::failure::{DONE, Outcome};
use crate::printer::Io;

pub(super) fn run(desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        let done = engine.undo()?;
        acknowledge(engine, io, done, |undone, io| {
            if desk.flags.json {
                let mut object = Map::new();
                object.insert("undone".into(), json!(undone.steps));
                return io.json("undo", object);
            }
            undone.steps.iter().try_for_each(|step| io.text(&format!("{step}\n")))?;
            io.text("hint: `oldhand undo` again brings it back\n")
        })?;
        Ok(DONE)
    })
}
