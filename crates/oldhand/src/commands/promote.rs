//! `oldhand promote`: one state up.

use oldhand_app::promote::{Ask, Promoted};
use oldhand_core::memory::Memory;
use oldhand_core::reviewer::Role;
use oldhand_core::state::State;
use oldhand_text::problem::Problem;
use oldhand_text::strings::visible_line;
use oldhand_text::time::format_day;
use serde_json::{Map, Value, json};

use super::pending::pending_json;
use crate::cli::PromoteArgs;
use crate::desk::{Desk, acknowledge};
use crate::failure::{DONE, FINDING, Outcome};
use crate::format::facts;
use crate::printer::Io;

pub(super) fn run(args: &PromoteArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let role = role(args.role.as_deref())?;
    let to = args.to.as_deref().map(State::parse).transpose()?;
    desk.work(|engine| {
        let ask = Ask {
            approver: engine.is_person.then_some(engine.by),
            role,
            reason: &args.reason,
            incidents: args.incidents,
            to,
        };
        let done = engine.promote(&args.name, &ask)?;
        let promoted = acknowledge(engine, io, done, |promoted, io| {
            tell(promoted, "promote", desk.flags.json, io)
        })?;
        Ok(exit_of(&promoted))
    })
}

pub(super) fn role(text: Option<&str>) -> Result<Option<Role>, Problem> {
    text.map(Role::parse).transpose()
}

/// What waits is no failure of the command, and not what was asked for either.
pub(super) fn exit_of(promoted: &Promoted) -> u8 {
    match promoted {
        Promoted::Moved(_) => DONE,
        Promoted::Waiting { .. } => FINDING,
    }
}

/// What is put away has no date to be looked at.
fn look_again(memory: &Memory) -> String {
    let due = memory.review_after.filter(|_| memory.state.is_served());
    due.map(format_day).unwrap_or_default()
}

pub(super) fn tell(
    promoted: &Promoted,
    schema: &str,
    json: bool,
    io: &mut Io<'_>,
) -> std::io::Result<()> {
    match promoted {
        Promoted::Moved(memory) if json => {
            let mut object = Map::new();
            object.insert("action".into(), json!("moved"));
            object.insert("id".into(), json!(memory.id.as_str()));
            object.insert("state".into(), json!(memory.state));
            let due = memory.review_after.map(oldhand_text::time::format_instant);
            object.insert("review_after".into(), json!(due));
            io.json(schema, object)
        }
        Promoted::Moved(memory) => {
            io.text(&format!("{}: {}\n", memory.state, visible_line(&memory.title)))?;
            io.text(&facts(&[("id", memory.id.to_string()), ("look again", look_again(memory))]))
        }
        Promoted::Waiting { memory, pending, missing } if json => {
            let mut object = Map::new();
            object.insert("action".into(), json!("waiting"));
            object.insert("id".into(), json!(memory.id.as_str()));
            object.insert("state".into(), json!(memory.state));
            object.insert("missing".into(), json!(missing));
            object.insert("request".into(), Value::Object(pending_json(pending)));
            io.json(schema, object)
        }
        Promoted::Waiting { memory, pending, missing } => {
            io.text(&format!("waits: {}\n", visible_line(&memory.title)))?;
            io.text(&facts(&[
                ("id", memory.id.to_string()),
                ("state", memory.state.to_string()),
                ("missing", missing.clone()),
                ("request", pending.id.to_string()),
            ]))
        }
    }
}
