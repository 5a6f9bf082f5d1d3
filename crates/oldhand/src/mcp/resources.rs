//! Memories as resources: `oldhand://memory/<id>` and the registry, by page.

use oldhand_core::memory::MemoryId;
use oldhand_core::recall::rank::Candidate;
use oldhand_core::state::State;
use oldhand_mcp::{Listed, Page};
use oldhand_store::port::index::Narrow;

use super::pages;
use super::prelude::*;
use oldhand_desk::reading::Reading;

const MEMORY: &str = "oldhand://memory/";
const REGISTRY: &str = "oldhand://registry";
const PAGE: usize = 50;
const REGISTRY_PAGE: usize = 200;
const COMPLETIONS: usize = 100;

/// The registry first, then every memory that recall serves, by id.
pub(super) fn list(desk: &Desk<'_>, cursor: Option<&str>) -> Result<Page, Fail> {
    desk.read(|reading| {
        let cards = served(reading)?;
        let mut room = 0..PAGE;
        let part = pages::page(&cards, cursor, id_of, |_| room.next().is_some())?;
        let mut listed = Vec::new();
        if cursor.is_none() {
            listed.push(Listed {
                uri: REGISTRY.to_owned(),
                name: "registry".to_owned(),
                title: "Everything that is remembered, one line per memory".to_owned(),
            });
        }
        listed.extend(part.items.iter().map(|it| Listed {
            uri: format!("{MEMORY}{}", it.card.id),
            name: it.card.id.clone(),
            title: AgentText::line(&it.card.title).into_string(),
        }));
        Ok(Page { listed, next: part.next })
    })
}

pub(super) fn read(desk: &Desk<'_>, uri: &str) -> Result<Option<AgentText>, Fail> {
    if let Some(id) = uri.strip_prefix(MEMORY) {
        return memory(desk, id);
    }
    let Some(rest) = uri.strip_prefix(REGISTRY) else { return Ok(None) };
    match (rest, rest.strip_prefix("?cursor=")) {
        ("", _) => registry(desk, None).map(Some),
        (_, Some(cursor)) => registry(desk, Some(cursor)).map(Some),
        _ => Ok(None),
    }
}

/// As its file has it, rendered. Who names it may read it in any state: the frontmatter says which.
fn memory(desk: &Desk<'_>, id: &str) -> Result<Option<AgentText>, Fail> {
    let Ok(id) = MemoryId::parse(id) else { return Ok(None) };
    desk.read(|reading| {
        let narrow = Narrow {
            words: vec![vec![format!("id:{}", id.as_str().to_lowercase())]],
            states: State::ALL.to_vec(),
        };
        for candidate in reading.index.cards(&narrow)? {
            if let Some(stored) = reading.index.read(&candidate)? {
                return Ok(Some(AgentText::body(&stored.text)));
            }
        }
        Ok(None)
    })
}

fn registry(desk: &Desk<'_>, cursor: Option<&str>) -> Result<AgentText, Fail> {
    desk.read(|reading| {
        let cards = served(reading)?;
        let mut room = 0..REGISTRY_PAGE;
        let part = pages::page(&cards, cursor, id_of, |_| room.next().is_some())?;
        let mut text = AgentText::default();
        for it in part.items {
            let values = [&it.card.id, &it.card.kind, &it.card.title];
            text.add("- {} ({}): {}\n", &values.map(|value| AgentText::line(value)));
        }
        if let Some(next) = part.next {
            let [registry, next] = [REGISTRY, &next].map(AgentText::line);
            let parts = [AgentText::count(cards.len()), registry, next];
            text.add("\n{} in all; next: {}?cursor={}\n", &parts);
        }
        Ok(text)
    })
}

pub(super) fn complete(desk: &Desk<'_>, typed: &str) -> Result<Vec<String>, Fail> {
    let typed = typed.to_lowercase();
    desk.read(|reading| {
        let cards = served(reading)?;
        let ids = cards.iter().map(id_of).filter(|id| id.starts_with(&typed));
        Ok(ids.take(COMPLETIONS).map(str::to_owned).collect())
    })
}

fn served(reading: &Reading<'_>) -> Result<Vec<Candidate>, Fail> {
    Ok(reading.index.cards(&Narrow { words: Vec::new(), states: State::served() })?)
}

fn id_of(candidate: &Candidate) -> &str {
    &candidate.card.id
}
