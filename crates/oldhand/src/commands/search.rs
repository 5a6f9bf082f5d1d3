//! `oldhand search`: the three modes: by field, by text, along the links.

use oldhand_app::search::{Match, Mode};
use oldhand_core::recall::rank::Candidate;
use oldhand_core::state::State;
use oldhand_text::strings::{shorten, visible_line};
use serde_json::{Map, Value, json};

use crate::cli::{SearchArgs, SearchMode};
use crate::desk::Desk;
use crate::failure::{DONE, Outcome};
use crate::format::{columns, counted};
use crate::printer::Io;

use super::recall::filter;

pub(super) fn run(args: &SearchArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.read(|reading| {
        let mut narrow = filter(&args.filter, reading.engine)?.narrow();
        if narrow.states.is_empty() {
            // Following links leads to what was superseded too: it says so.
            let any = args.mode == SearchMode::Links;
            narrow.states =
                State::ALL.iter().copied().filter(|state| any || state.is_active()).collect();
        }
        let mode = match args.mode {
            SearchMode::Frontmatter => Mode::Frontmatter,
            SearchMode::Content => Mode::Content,
            SearchMode::Links => Mode::Links,
        };
        let found = reading.engine.search(reading.index, mode, &args.what.join(" "), &narrow)?;
        let total = found.len();
        let limit = if args.limit == 0 { usize::MAX } else { args.limit };
        let shown: Vec<Match> = found.into_iter().take(limit).collect();
        if desk.flags.json {
            io.json("search", to_json(&shown, total))?;
        } else if shown.is_empty() {
            io.text("no memories match\n")?;
        } else {
            io.text(&columns(&shown.iter().map(row).collect::<Vec<_>>()))?;
            if shown.len() < total {
                let all = counted(total, "memory", "memories");
                io.text(&format!("{} of {all} shown; `--limit 0` shows all\n", shown.len()))?;
            }
        }
        Ok(DONE)
    })
}

fn row(found: &Match) -> Vec<String> {
    let card = &found.candidate.card;
    vec![
        card.kind.clone(),
        card.id.clone(),
        marked(&found.candidate),
        shorten(&visible_line(&found.place), 100),
    ]
}

fn marked(candidate: &Candidate) -> String {
    match candidate.card.state {
        State::Stable => String::new(),
        state => format!("[{state}]"),
    }
}

fn to_json(found: &[Match], total: usize) -> Map<String, Value> {
    let memories: Vec<Value> = found
        .iter()
        .map(|one| {
            let card = &one.candidate.card;
            json!({
                "id": card.id,
                "type": card.kind,
                "title": card.title,
                "state": card.state,
                "superseded_by": card.superseded_by,
                "place": one.place,
            })
        })
        .collect();
    let mut object = Map::new();
    object.insert("memories".into(), Value::Array(memories));
    object.insert("total".into(), json!(total));
    object
}
