//! What is near a text, by whatever index there is.

use oldhand_core::recall::query::Query;
use oldhand_core::recall::rank::Candidate;

use crate::failure::Failure;
use crate::port::index::{Ask, Index, Narrow};
use crate::port::{Measure, Near, NearAsk};

pub fn near(index: &dyn Index, ask: &NearAsk<'_>) -> Result<Vec<Near>, Failure> {
    let query = Query::new(ask.text, &[]);
    let near = |one: Candidate| Near { path: one.path, meaning: one.features.dense.map(f64::from) };
    let mut found = Vec::new();
    for (at, narrow) in ask.within.iter().enumerate() {
        let semantic = at == 0 && ask.by != Measure::Words;
        let looked = index.look(&Ask { query: &query, narrow, semantic, top: ask.top })?;
        found.extend(looked.candidates.into_iter().map(near));
    }
    Ok(found)
}

/// The files of an id or alias, in whatever state.
pub fn named(index: &dyn Index, name: &str) -> Result<Vec<String>, Failure> {
    let words = vec![vec![format!("id:{}", name.to_lowercase())]];
    let cards = index.cards(&Narrow { words, states: Vec::new() })?;
    Ok(cards.into_iter().map(|card| card.path).collect())
}
