//! The registry: which memories there are, in a few tokens each. An id is a slug of its title, so
//! that ids alone tell what there is.

use oldhand_core::recall::rank::Candidate;
use oldhand_text::tokens;

use crate::context::Sessions;
use crate::filter::Filter;
use crate::prelude::*;

/// As much as fits, and what that costs.
pub struct Registry {
    pub text: String,
    /// By id.
    pub shown: Vec<Candidate>,
    /// How many match, shown or not.
    pub total: usize,
    pub tokens: usize,
}

impl Sessions<'_> {
    /// By kind and domain. `is_long` adds titles and levels; a budget of 0 is no limit.
    pub fn registry(
        &self,
        index: &dyn Index,
        filter: &Filter,
        is_long: bool,
        budget: Option<usize>,
    ) -> Result<Registry> {
        let mut cards = index.cards(&filter.listed())?;
        let budget = match budget.unwrap_or(self.settings.recall.index_tokens) {
            0 => usize::MAX,
            budget => budget,
        };
        let mut groups: BTreeMap<(&str, String), Vec<&Candidate>> = BTreeMap::new();
        for one in &cards {
            let domain = one.card.domain.clone().unwrap_or_default().to_lowercase();
            groups.entry((&one.card.kind, domain)).or_default().push(one);
        }
        let (mut text, mut shown) = (String::new(), Vec::new());
        for ((kind, domain), members) in groups {
            let of = if domain.is_empty() { String::new() } else { format!(" · {domain}") };
            let mut block = format!("{}{of}\n", visible_line(kind));
            for one in members {
                let line = if is_long { long_line(one) } else { format!("{}\n", one.card.id) };
                let cost = tokens::count(&text) + tokens::count(&block) + tokens::count(&line);
                if cost <= budget {
                    block.push_str(&line);
                    shown.push(one.card.id.clone());
                }
            }
            if block.lines().count() > 1 {
                text.push_str(&block);
            }
        }
        let (total, tokens) = (cards.len(), tokens::count(&text));
        cards.retain(|one| shown.contains(&one.card.id));
        Ok(Registry { text, shown: cards, total, tokens })
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
