//! Memories that were asked for by name: whole, with what the code says about them.

use oldhand_core::recall::bundle::{
    AROUND_TOKENS, CAUTION_TOKENS, cost, cost_of_remarks, cost_of_warnings,
};
use oldhand_core::recall::chain::Level;
use oldhand_core::recall::pack::{Left, is_caution};

use super::{Loaded, find};
use crate::context::Memories;
use crate::prelude::*;

impl Memories<'_> {
    /// In the order of the names, in whatever state; what is not there is named in the warnings.
    pub fn recall_named(
        &self,
        index: &dyn Index,
        names: &[String],
        budget_tokens: Option<usize>,
    ) -> Result<Bundle> {
        let narrow = Narrow { words: Vec::new(), states: State::ALL.to_vec() };
        let (mut loaded, mut warnings): (Vec<Loaded>, Vec<String>) = (Vec::new(), Vec::new());
        let mut met = BTreeSet::new();
        for name in names {
            let candidates = find::named(index, name.trim(), &narrow.states)?;
            if candidates.is_empty() {
                warnings.push(format!("there is no memory `{}`", name.trim()));
            }
            for candidate in candidates {
                if !met.insert((candidate.store, candidate.card.id.clone())) {
                    continue;
                }
                let scored = find::unscored(candidate);
                match self.load(index, scored, "asked for by name".to_owned(), &narrow)? {
                    Ok(one) => {
                        let card = &one.scored.candidate.card;
                        if let Some(successor) = &card.superseded_by {
                            let (id, what) = (&card.id, "was superseded by");
                            warnings.push(format!("`{id}` {what} `{successor}`"));
                        }
                        loaded.push(one);
                    }
                    Err(gone) => warnings.push(format!("`{}`: {}", gone.id, gone.reason)),
                }
            }
        }
        warnings.extend(index.notes());
        let budget = budget_tokens.unwrap_or(self.settings.recall.budget_tokens);
        Ok(self.fill_named(loaded, warnings, budget))
    }

    fn fill_named(&self, loaded: Vec<Loaded>, warnings: Vec<String>, budget: usize) -> Bundle {
        let policy = &self.settings.recall;
        let (mut freshness, verdicts) = self.freshness(&loaded);
        let (mut memories, mut cautions, mut dropped) = (Vec::new(), Vec::new(), Vec::new());
        let mut used = 0;
        let room =
            budget.saturating_sub(AROUND_TOKENS + CAUTION_TOKENS + cost_of_remarks(&warnings));
        for (one, verdict) in loaded.into_iter().zip(verdicts) {
            let card = one.scored.candidate.card;
            let text = one.text.clone();
            let warned = cost_of_warnings(&freshness, &card.id);
            let tokens = cost(&card, &verdict, &text) + warned;
            if used + tokens > room {
                let left = Left::Budget { needs: tokens, left: room - used };
                let (id, title) = (card.id, card.title);
                dropped.push(Dropped { id, title, reason: left.reason(), fits: true });
                continue;
            }
            used += tokens;
            let list = if is_caution(&card, policy) { &mut cautions } else { &mut memories };
            let (score, reason) = (0.0, one.reason);
            list.push(Entry { card, score, reason, freshness: verdict, tokens, text });
        }
        let served: BTreeSet<&str> =
            memories.iter().chain(&cautions).map(|entry: &Entry| entry.card.id.as_str()).collect();
        freshness.retain(|warning| super::is_about(warning, &served));
        Bundle {
            level: Level::Titles,
            steps: Vec::new(),
            memories,
            cautions,
            freshness,
            warnings,
            dropped,
            budget_tokens: budget,
            used_tokens: used,
        }
    }
}
