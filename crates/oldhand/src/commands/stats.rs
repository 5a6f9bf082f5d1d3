//! `oldhand stats`: numbers about the store and its index.

use std::collections::BTreeMap;

use oldhand_engine::index::{Index, Narrow};
use serde_json::{Map, json};

use crate::desk::Desk;
use crate::failure::{DONE, Outcome};
use crate::format::{columns, counted, facts};
use crate::printer::Io;

pub(super) fn run(desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.read(|reading| {
        let cards = reading.index.cards(&Narrow::default())?;
        let mut kinds: BTreeMap<String, (usize, u64)> = BTreeMap::new();
        let mut states: BTreeMap<String, usize> = BTreeMap::new();
        let mut tokens: u64 = 0;
        for one in &cards {
            let kind = kinds.entry(one.card.kind.clone()).or_default();
            kind.0 += 1;
            kind.1 += u64::from(one.card.tokens);
            tokens += u64::from(one.card.tokens);
            *states.entry(one.card.state.to_string()).or_default() += 1;
        }
        let index = reading.index.facts()?;
        if desk.flags.json {
            let mut object = Map::new();
            object.insert("memories".into(), json!(cards.len()));
            object.insert("tokens".into(), json!(tokens));
            let kinds: Map<_, _> = kinds
                .into_iter()
                .map(|(kind, (count, tokens))| (kind, json!({"memories": count, "tokens": tokens})))
                .collect();
            object.insert("kinds".into(), json!(kinds));
            object.insert("states".into(), json!(states));
            object.insert(
                "index".into(),
                json!({
                    "memories": index.memories,
                    "embedded": index.embedded,
                    "segments": index.segments,
                    "bytes": index.bytes,
                    "model": index.model,
                    "is_kept": index.is_kept,
                }),
            );
            io.json("stats", object)?;
            return Ok(DONE);
        }
        let memories = counted(cards.len(), "memory", "memories");
        io.text(&format!("{memories}, {tokens} tokens in all\n"))?;
        let rows: Vec<Vec<String>> = kinds
            .into_iter()
            .map(|(kind, (count, tokens))| {
                vec![format!("  {kind}"), count.to_string(), format!("{tokens} tokens")]
            })
            .collect();
        io.text(&columns(&rows))?;
        let states: Vec<String> =
            states.into_iter().map(|(state, count)| format!("{count} {state}")).collect();
        io.text(&facts(&[
            ("states", states.join(", ")),
            (
                "index",
                format!(
                    "{} memories, {} by meaning ({}), {} bytes in {}",
                    index.memories,
                    index.embedded,
                    index.model,
                    index.bytes,
                    counted(index.segments, "segment", "segments")
                ),
            ),
        ]))?;
        Ok(DONE)
    })
}
