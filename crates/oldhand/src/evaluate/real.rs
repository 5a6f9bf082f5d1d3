//! The recall that people get, asked by the evaluation. The only file that knows both.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use oldhand_app::recall::Request;
use oldhand_store::index::Embedder;
use oldhand_store::locate::locate_given;

use super::{Answer, Question, Recaller};
use crate::commands::recall::recall;
use crate::config::Resolved;
use crate::desk::Desk;
use crate::failure::Fail;
use crate::reading::{Pace, Place, Reading};

pub(crate) struct Real<'a> {
    desk: &'a Desk<'a>,
    resolved: Resolved,
    meaning: Result<&'a dyn Embedder, &'a String>,
    /// Stores whose memories are all embedded.
    ready: BTreeSet<PathBuf>,
    /// A scratch store keeps its index beside it, so that nothing of it is left.
    is_scratch: bool,
    /// As a hook asks, who can't wait.
    pub is_quick: bool,
}

impl<'a> Real<'a> {
    pub(crate) fn new(
        desk: &'a Desk<'a>,
        resolved: Resolved,
        meaning: Result<&'a dyn Embedder, &'a String>,
        is_scratch: bool,
    ) -> Self {
        Self { desk, resolved, meaning, ready: BTreeSet::new(), is_scratch, is_quick: false }
    }

    fn open<T>(
        &self,
        store: &Path,
        job: impl FnOnce(&Reading<'_>) -> Result<T, Fail>,
    ) -> Result<T, Fail> {
        let layout = locate_given(store).layout().ok_or_else(|| {
            Fail::usage(format!("there is no store in `{}`", store.display()), "name another")
        })?;
        let cache = if self.is_scratch {
            Some(layout.repository.join("index"))
        } else {
            self.desk.cache_folder(&layout)
        };
        let place = Place {
            layout,
            beside: None,
            cache,
            resolved: &self.resolved,
            pace: if self.is_quick { Pace::Quick } else { Pace::Once },
        };
        self.desk.read_at(place, self.meaning, job)
    }
}

impl Recaller for Real<'_> {
    fn ask(&mut self, scope_store: &Path, query: &Question) -> Result<Answer, Fail> {
        if !self.ready.contains(scope_store) {
            self.open(scope_store, |reading| Ok(reading.index.fill_all(&mut |_, _| true)?))?;
            self.ready.insert(scope_store.to_owned());
        }
        let start = Instant::now();
        // Opened anew for each question: that is what a process does.
        let mut answer =
            self.open(scope_store, |reading| recall_in(reading, query, self.is_quick))?;
        answer.micros = u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX);
        Ok(answer)
    }
}

/// Without a trace: no receipt is left, so that a question changes no later answer.
fn recall_in(reading: &Reading<'_>, question: &Question, quick: bool) -> Result<Answer, Fail> {
    let request = Request { text: question.text.clone(), quick, ..Request::default() };
    let recalled = recall(reading, &request)?;
    let served = recalled.bundle.memories.iter().chain(&recalled.bundle.cautions);
    let stale = served.filter(|entry| !matches!(entry.freshness.as_str(), "fresh" | "unbound"));
    Ok(Answer {
        ranking: recalled
            .ranked
            .iter()
            .take(question.depth)
            .map(|scored| scored.candidate.card.id.clone())
            .collect(),
        silent: recalled.bundle.is_empty(),
        tokens: recalled.bundle.used_tokens,
        stale: stale.count(),
        micros: 0,
    })
}
