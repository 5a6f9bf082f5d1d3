//! `oldhand index`: the registry in a few tokens each. An id is a slug of its title, so that ids
//! alone tell what there is.

use std::collections::BTreeMap;

use oldhand_core::recall::rank::Candidate;
use oldhand_core::state::State;
use oldhand_store::port::index::Index;
use oldhand_text::strings::visible_line;
use oldhand_text::tokens;
use serde_json::{Map, Value, json};

use crate::cli::IndexArgs;
use crate::desk::Desk;
use crate::failure::{DONE, Outcome};
use crate::format::counted;
use crate::printer::Io;

use super::recall::filter;

pub(super) fn run(args: &IndexArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.read(|reading| {
        let mut filter = filter(&args.filter, reading.engine)?;
        filter.level.clone_from(&args.level);
        filter.path.clone_from(&args.path);
        let mut narrow = filter.narrow();
        if narrow.states.is_empty() {
            narrow.states = State::ALL.iter().copied().filter(|it| it.is_active()).collect();
        }
        let cards = reading.index.cards(&narrow)?;
        let budget = args.budget.unwrap_or(reading.engine.settings.recall.index_tokens);
        let budget = if budget == 0 { usize::MAX } else { budget };
        let page = Page::fill(&cards, args.long, budget);
        if desk.flags.json {
            io.json("index", page.to_json(&cards))?;
        } else {
            io.text(&page.text)?;
            io.text(&page.footer(cards.len()))?;
        }
        for note in reading.index.notes() {
            io.note("note", &note);
        }
        Ok(DONE)
    })
}

/// As much as fits, and what that costs.
struct Page {
    text: String,
    shown: Vec<String>,
    tokens: usize,
}

impl Page {
    fn fill(cards: &[Candidate], long: bool, budget: usize) -> Self {
        let mut groups: BTreeMap<(String, String), Vec<&Candidate>> = BTreeMap::new();
        for one in cards {
            let domain = one.card.domain.clone().unwrap_or_default().to_lowercase();
            groups.entry((one.card.kind.clone(), domain)).or_default().push(one);
        }
        let mut page = Self { text: String::new(), shown: Vec::new(), tokens: 0 };
        for ((kind, domain), members) in groups {
            let of = if domain.is_empty() { String::new() } else { format!(" · {domain}") };
            let mut block = format!("{}{of}\n", visible_line(&kind));
            for one in members {
                let line = if long { long_line(one) } else { format!("{}\n", one.card.id) };
                let cost = tokens::count(&page.text) + tokens::count(&block) + tokens::count(&line);
                if cost > budget {
                    continue;
                }
                block.push_str(&line);
                page.shown.push(one.card.id.clone());
            }
            if block.lines().count() > 1 {
                page.text.push_str(&block);
            }
        }
        page.tokens = tokens::count(&page.text);
        page
    }

    fn footer(&self, total: usize) -> String {
        let shown = self.shown.len();
        if total == 0 {
            return "no memories match\n".to_owned();
        }
        let memories = counted(total, "memory", "memories");
        let part = if shown < total {
            format!("{shown} of {memories} shown: filter, or `--budget 0` for all")
        } else {
            memories
        };
        format!("\n{part}, {} tokens\n", self.tokens)
    }

    fn to_json(&self, cards: &[Candidate]) -> Map<String, Value> {
        let memories: Vec<Value> = cards
            .iter()
            .filter(|one| self.shown.contains(&one.card.id))
            .map(|one| {
                let card = &one.card;
                json!({
                    "id": card.id,
                    "type": card.kind,
                    "domain": card.domain,
                    "level": card.level,
                    "title": card.title,
                    "state": card.state,
                    "scope": card.scope,
                    "tags": card.tags,
                    "tokens": card.tokens,
                })
            })
            .collect();
        let mut object = Map::new();
        object.insert("memories".into(), Value::Array(memories));
        object.insert("total".into(), json!(cards.len()));
        object.insert("tokens".into(), json!(self.tokens));
        object
    }
}

fn long_line(one: &Candidate) -> String {
    let card = &one.card;
    let level = card.level.as_deref().map(|level| format!(" [{level}]")).unwrap_or_default();
    let state = match card.state {
        State::Stable => String::new(),
        state => format!(" ({state})"),
    };
    format!("{}{level}: {}{state}\n", card.id, visible_line(&card.title))
}
