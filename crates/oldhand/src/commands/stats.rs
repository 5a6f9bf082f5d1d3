//! `oldhand stats`: numbers about the store, its index, and what hooks did with them.

mod hooks;

use std::collections::BTreeMap;

use oldhand_core::event::EventType;
use oldhand_store::port::index::{Index, IndexFacts, Narrow};
use serde_json::{Map, Value, json};

use self::hooks::HookStats;
use crate::desk::Desk;
use crate::failure::{DONE, Fail, Outcome};
use crate::format::{columns, counted, facts};
use crate::hook::log;
use crate::printer::Io;
use crate::reading::Reading;

pub(super) fn run(desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.read(|reading| {
        let stats = Stats::of(reading, desk)?;
        if desk.flags.json {
            io.json("stats", stats.into_json())?;
        } else {
            io.text(&stats.text())?;
        }
        Ok(DONE)
    })
}

struct Stats {
    memories: usize,
    tokens: u64,
    /// By kind: how many, and what they cost.
    kinds: BTreeMap<String, (usize, u64)>,
    states: BTreeMap<String, usize>,
    index: IndexFacts,
    /// Uses that were recorded.
    used: usize,
    hooks: HookStats,
}

impl Stats {
    fn of(reading: &Reading<'_>, desk: &Desk<'_>) -> Result<Self, Fail> {
        let cards = reading.index.cards(&Narrow::default())?;
        let mut kinds: BTreeMap<String, (usize, u64)> = BTreeMap::new();
        let mut states: BTreeMap<String, usize> = BTreeMap::new();
        for one in &cards {
            let kind = kinds.entry(one.card.kind.clone()).or_default();
            kind.0 += 1;
            kind.1 += u64::from(one.card.tokens);
            *states.entry(one.card.state.to_string()).or_default() += 1;
        }
        let lines = desk.state_folder(&desk.layout()?).map(|folder| log::lines(&folder));
        let rows = reading.index.rows(&Narrow::default())?;
        let used = match rows {
            Some(rows) => rows.log.uses,
            None => {
                let events = reading.engine.vault.events()?;
                events.iter().filter(|it| it.event_type == EventType::Applied).count()
            }
        };
        Ok(Self {
            memories: cards.len(),
            tokens: kinds.values().map(|(_, tokens)| tokens).sum(),
            kinds,
            states,
            index: reading.index.facts()?,
            used,
            hooks: HookStats::of(&lines.unwrap_or_default()),
        })
    }

    fn into_json(self) -> Map<String, Value> {
        let kinds: Map<String, Value> = self
            .kinds
            .into_iter()
            .map(|(kind, (count, tokens))| (kind, json!({"memories": count, "tokens": tokens})))
            .collect();
        let mut object = Map::new();
        object.insert("memories".into(), json!(self.memories));
        object.insert("tokens".into(), json!(self.tokens));
        object.insert("kinds".into(), json!(kinds));
        object.insert("states".into(), json!(self.states));
        object.insert(
            "index".into(),
            json!({
                "memories": self.index.memories,
                "embedded": self.index.embedded,
                "segments": self.index.segments,
                "bytes": self.index.bytes,
                "model": self.index.model,
                "is_kept": self.index.is_kept,
            }),
        );
        object.insert("used".into(), json!(self.used));
        object.insert("hooks".into(), self.hooks.to_json());
        object
    }

    fn text(&self) -> String {
        let memories = counted(self.memories, "memory", "memories");
        let mut out = format!("{memories}, {} tokens in all\n", self.tokens);
        let rows: Vec<Vec<String>> = self
            .kinds
            .iter()
            .map(|(kind, (count, tokens))| {
                vec![format!("  {kind}"), count.to_string(), format!("{tokens} tokens")]
            })
            .collect();
        out.push_str(&columns(&rows));
        let states: Vec<String> =
            self.states.iter().map(|(state, count)| format!("{count} {state}")).collect();
        let index = format!(
            "{}, {} by meaning ({}), {} bytes in {}",
            counted(self.index.memories, "memory", "memories"),
            self.index.embedded,
            self.index.model,
            self.index.bytes,
            counted(self.index.segments, "segment", "segments")
        );
        out.push_str(&facts(&[
            ("states", states.join(", ")),
            ("index", index),
            ("used", counted(self.used, "time", "times")),
        ]));
        out.push_str(&self.hooks.text());
        out
    }
}
