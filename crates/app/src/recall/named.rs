//! Memories that were asked for by name: whole, with what the code says about them.

use oldhand_core::recall::bundle::{AROUND_TOKENS, CAUTION_TOKENS, cost_of_remarks};
use oldhand_core::recall::chain::Level;
use oldhand_core::recall::pack::{is_caution, over_budget};

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
                        let card = one.card();
                        if let Some(by) = &card.superseded_by {
                            warnings.push(format!("`{}` was superseded by `{by}`", card.id));
                        }
                        loaded.push(one);
                    }
                    Err(gone) => warnings.push(format!("`{}`: {}", gone.id, gone.reason)),
                }
            }
        }
        self.doubt_unsettled(&mut loaded)?;
        warnings.extend(index.notes());
        let budget = budget_tokens.unwrap_or(self.settings.recall.budget_tokens);
        Ok(self.fill_named(loaded, warnings, budget))
    }

    fn fill_named(&self, mut loaded: Vec<Loaded>, warnings: Vec<String>, budget: usize) -> Bundle {
        let mut freshness = self.check_freshness(&mut loaded, false);
        let (mut memories, mut cautions, mut dropped) = (Vec::new(), Vec::new(), Vec::new());
        let mut used = 0;
        let room =
            budget.saturating_sub(AROUND_TOKENS + CAUTION_TOKENS + cost_of_remarks(&warnings));
        for one in &loaded {
            if used + one.tokens > room {
                dropped.push(super::left_out(one, over_budget(one.tokens, room - used)));
                continue;
            }
            used += one.tokens;
            let is_caution = is_caution(one.card(), &self.settings.recall);
            let list = if is_caution { &mut cautions } else { &mut memories };
            list.push(one.entry());
        }
        super::keep_about(&mut freshness, memories.iter().chain(&cautions));
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
