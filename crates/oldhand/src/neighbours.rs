//! What is near a text in the store that is written to, asked from the search index. It is opened
//! when it is asked, which only writes of decisions and of new memories do.

use std::cell::RefCell;

use oldhand_core::recall::query::Query;
use oldhand_engine::failure::Failure;
use oldhand_engine::index::{Ask, Index, Narrow};
use oldhand_engine::port::{Measure, Near, NearAsk, Nearby};
use oldhand_index::Vector;
use oldhand_local::index::{Embedder, IndexOpening, LocalIndex, Opened, Warm};
use oldhand_local::vault::LocalVault;

use crate::config::Resolved;
use crate::meaning::{self, Meaning};

/// Memories without vectors that are embedded on the way.
const FILL_MAX: usize = 32;

pub(crate) struct Neighbours<'a> {
    pub vault: &'a LocalVault<'a>,
    pub cache: Option<std::path::PathBuf>,
    pub resolved: &'a Resolved,
    pub warm: Option<&'a Warm>,
    /// The gate and the look for a twin ask the same question.
    pub last: RefCell<Option<Answered>>,
    /// The text that was measured last, with its vector.
    pub first: RefCell<Option<(String, Vector)>>,
}

/// A question, and what was near.
pub(crate) struct Answered {
    text: String,
    within: Vec<Narrow>,
    by: Measure,
    near: Vec<Near>,
}

impl Answered {
    fn answers(&self, ask: &NearAsk<'_>) -> bool {
        self.text == ask.text && self.within == ask.within && self.by == ask.by
    }
}

impl Nearby for Neighbours<'_> {
    fn near(&self, ask: &NearAsk<'_>) -> Result<Vec<Near>, Failure> {
        if let Some(last) = self.last.borrow().as_ref().filter(|last| last.answers(ask)) {
            return Ok(last.near.clone());
        }
        let near = self.look(ask)?;
        *self.last.borrow_mut() = Some(Answered {
            text: ask.text.to_owned(),
            within: ask.within.to_vec(),
            by: ask.by,
            near: near.clone(),
        });
        Ok(near)
    }

    fn meaning(&self, one: &str, other: &str) -> Option<f64> {
        let model = meaning::open(self.resolved.model()).ok();
        let model = model.filter(|it| matches!(it, Meaning::Sentences(_)))?;
        // One proposal is held against many.
        let mut first = self.first.borrow_mut();
        if first.as_ref().is_none_or(|(text, _)| text != one) {
            *first = Some((one.to_owned(), model.embed(one)));
        }
        let (_, vector) = first.as_ref()?;
        Some(meaning::cosine(vector, &model.embed(other)))
    }
}

impl Neighbours<'_> {
    fn look(&self, ask: &NearAsk<'_>) -> Result<Vec<Near>, Failure> {
        // Also where words are enough: recall and writes share one index, and with it the journal
        // that tells what changed.
        let meaning = meaning::open(self.resolved.model());
        let (embedder, why_no_meaning) = match &meaning {
            Ok(meaning) => (Some(meaning as &dyn Embedder), String::new()),
            Err(why) => (None, why.clone()),
        };
        let index = LocalIndex::open(IndexOpening {
            vaults: vec![Opened {
                vault: self.vault,
                cache: self.cache.clone(),
                is_doubted: false,
            }],
            embedder,
            why_no_meaning,
            // In the lock nobody waits: what has no vector yet is compared by its words.
            fill_max: if ask.by == Measure::MeaningOfAll { FILL_MAX } else { 0 },
            trust: &self.resolved.settings.trust,
            check: self.resolved.check_policy(),
            warm: self.warm,
        })?;
        let query = Query::new(ask.text, &[]);
        // The scale of a likeness is the sentence model's; another one's would be misread.
        let is_sentences = matches!(meaning, Ok(Meaning::Sentences(_)));
        let near = |one: oldhand_core::recall::rank::Candidate| Near {
            path: one.path,
            meaning: one.features.dense.filter(|_| is_sentences).map(f64::from),
        };
        let mut found = Vec::new();
        for (at, narrow) in ask.within.iter().enumerate() {
            let semantic = at == 0 && ask.by != Measure::Words;
            let looked = index.look(&Ask { query: &query, narrow, semantic, top: ask.top })?;
            found.extend(looked.candidates.into_iter().map(near));
        }
        Ok(found)
    }
}
