//! `oldhand list`: what there is, filtered.

use oldhand_app::Engine;
use oldhand_app::list::{Filter, Listing};
use oldhand_core::kind::Kind;
use oldhand_core::state::{RecordStatus, State};
use oldhand_text::strings::normalise_tag;
use serde_json::{Map, Value, json};

use crate::cli::ListArgs;
use crate::desk::Desk;
use crate::failure::{DONE, Fail, Outcome};
use crate::format::{columns, counted, list_row};
use crate::printer::Io;

pub(super) fn run(args: &ListArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        let listing = engine.list(&filter(args, engine)?)?;
        if desk.flags.json {
            io.json("list", to_json(&listing))?;
        } else {
            tell(&listing, io)?;
        }
        for unreadable in &listing.unreadable {
            io.note(
                "warning",
                &format!("could not read `{}`: {}", unreadable.path, unreadable.why),
            );
        }
        Ok(DONE)
    })
}

fn filter(args: &ListArgs, engine: &Engine<'_>) -> Result<Filter, Fail> {
    let kinds = &engine.settings.kinds;
    let kind = |name: &String| -> Result<Kind, Fail> { Ok(kinds.parse(name)?) };
    let state = |name: &String| -> Result<State, Fail> { Ok(State::parse(name)?) };
    Ok(Filter {
        kinds: args.kind.iter().map(kind).collect::<Result<_, _>>()?,
        states: args.state.iter().map(state).collect::<Result<_, _>>()?,
        status: args.status.as_deref().map(RecordStatus::parse).transpose()?,
        tags: args.tag.iter().map(|tag| normalise_tag(tag)).collect(),
        domain: args.domain.clone(),
        level: args.level.clone(),
        scope: args.scope.clone(),
        path: args.path.clone(),
        legacy: args.legacy.clone(),
        limit: args.limit,
    })
}

fn to_json(listing: &Listing) -> Map<String, Value> {
    let memories: Vec<Value> = listing
        .stored
        .iter()
        .map(|stored| {
            let memory = &stored.memory;
            json!({
                "id": memory.id.as_str(),
                "aliases": memory.aliases,
                "type": memory.kind.as_str(),
                "title": memory.title,
                "state": memory.state,
                "record_status": memory.record_status(),
                "scope": memory.scope.to_string(),
                "origin": memory.origin,
                "domain": memory.domain,
                "level": memory.level,
                "tags": memory.tags,
                "updated_at": memory.updated_at.map(oldhand_text::time::format_instant),
                "path": stored.path,
                "hash": stored.hash.short(),
            })
        })
        .collect();
    let mut object = Map::new();
    object.insert("memories".into(), Value::Array(memories));
    object.insert("total".into(), json!(listing.total));
    object
}

fn tell(listing: &Listing, io: &mut Io<'_>) -> std::io::Result<()> {
    if listing.total == 0 {
        return io.text("no memories match\n");
    }
    let rows: Vec<Vec<String>> =
        listing.stored.iter().map(|stored| list_row(&stored.memory)).collect();
    io.text(&columns(&rows))?;
    let shown = listing.stored.len();
    if shown < listing.total {
        io.text(&format!(
            "{shown} of {} shown; `--limit 0` shows all\n",
            counted(listing.total, "memory", "memories")
        ))?;
    }
    Ok(())
}
