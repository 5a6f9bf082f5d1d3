//! Answers of the MCP tools, as data. Agents pay for every field: one without a value is left out.

use oldhand_core::event::Effect;

use super::check::OpenQuestion;
use super::memory::NamedMemory;
use super::pending::PendingMatter;
use crate::gate::{Conflict, Judged};
use crate::prelude::*;
use crate::usage::Used;
use crate::written::Written;

/// Left-out memories that an answer names.
const LEFT_SHOWN: usize = 5;

answers! {
    /// `check`
    CheckedProposal<'a>(judged: &'a Judged, ways_on: &'a str) {
        verdict: &'a str = judged.verdict().as_str(),
        conflicts: Vec<ConflictFound<'a>> = judged.conflicts.iter().map(ConflictFound::of).collect(),
        /// Some clients show their model nothing but the data.
        hint: Option<&'a str> = (!judged.conflicts.is_empty()).then_some(ways_on),
        questions: Option<Vec<OpenQuestion<'a>>> =
            some_of(judged.questions.iter().map(OpenQuestion::of)),
        compared: usize = judged.compared,
        related: Option<Vec<NamedMemory<'a>>> =
            some_of(judged.related.iter().map(NamedMemory::from)),
        unreadable: Option<Vec<&'a str>> = some_of(judged.unreadable.iter().map(String::as_str)),
    }

    ConflictFound<'a>(conflict: &'a Conflict) {
        id: &'a str = conflict.memory.id.as_str(),
        title: &'a str = &conflict.memory.title,
        date: String = conflict.date(),
        decided: &'a str = &conflict.clash.theirs,
        proposed: &'a str = &conflict.clash.ours,
        why: String = conflict.why(),
    }

    /// `remember`
    RememberedMemory<'a>(written: &'a Written) {
        action: &'a str = written.action.as_str(),
        id: &'a str = written.memory.id.as_str(),
        r#type: &'a str = written.memory.kind.as_str(),
        state: &'a str = written.memory.state.as_str(),
        path: &'a str = &written.path,
        related: Option<Vec<NamedMemory<'a>>> =
            some_of(written.related.iter().map(|one| NamedMemory::of(&one.id, &one.title))),
        warnings: Option<Vec<&'a str>> = some_of(written.warnings.iter().map(String::as_str)),
    }

    /// `remember` with the kind `note`
    NotedLine<'a>(number: usize, sort: &'a str) {
        action: &'a str = "noted",
        note: usize = number,
        sort: &'a str = sort,
    }

    /// `recall`
    RecalledMemories<'a>(bundle: &'a Bundle) {
        memories: Vec<RecalledMemory<'a>> = {
            let settled = bundle.memories.iter().map(RecalledMemory::of);
            let unsettled = bundle.cautions.iter().map(RecalledMemory::of);
            settled.chain(unsettled.map(|it| RecalledMemory { caution: Some(true), ..it })).collect()
        },
        warnings: Option<Vec<String>> = {
            let freshness = bundle.freshness.iter().map(|warning| warning.line());
            some_of(freshness.chain(bundle.warnings.iter().cloned()))
        },
        left_out: Option<Vec<LeftOut<'a>>> =
            some_of(bundle.dropped.iter().filter(|one| one.fits).take(LEFT_SHOWN).map(LeftOut::of)),
        left_out_more: Option<usize> = {
            let fitting = bundle.dropped.iter().filter(|one| one.fits).count();
            fitting.checked_sub(LEFT_SHOWN).filter(|more| *more > 0)
        },
    }

    LeftOut<'a>(dropped: &'a Dropped) {
        id: &'a str = &dropped.id,
        reason: &'a str = &dropped.reason,
    }

    /// `recall` without a question.
    RegistryPage<'a> {
        memories: Vec<RecalledMemory<'a>>,
        total: usize,
        next: Option<&'a str>,
    }

    /// `review` of something in `pending/`.
    WaitingMatter<'a> {
        #[serde(flatten)]
        matter: PendingMatter<'a>,
        id: &'a str,
        report: &'a str,
    }

    /// `review` with a reason: the memory is under review now.
    DoubtedMemory<'a> {
        id: &'a str,
        state: &'a str,
    }

    /// `review`: what the list says of each.
    WaitingLine<'a> {
        id: String,
        cause: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        r#type: Option<String>,
        title: String,
    }
}

/// `review`: what waits, and how much does in all where not everything may be shown.
#[derive(Debug, Clone, Serialize)]
pub struct WaitingList<T> {
    pub waiting: Vec<T>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<usize>,
}

/// `feedback`
#[derive(Debug, Clone, Serialize)]
pub struct RecordedUse<'a> {
    id: &'a str,
    effect: Effect,
    state: State,
    trust: f64,
    /// The other side of a contradiction.
    others: Option<Vec<RecordedUse<'a>>>,
}

impl<'a> RecordedUse<'a> {
    pub fn of_all(used: &'a [Used]) -> Option<Self> {
        let mut all = used.iter().map(|used| {
            let (id, state) = (used.memory.id.as_str(), used.memory.state);
            Self { id, effect: used.effect, state, trust: used.signals.trust, others: None }
        });
        let first = all.next()?;
        Some(Self { others: some_of(all), ..first })
    }
}

/// A page has id and type, a search also the title, a whole memory all of it.
#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecalledMemory<'a> {
    id: &'a str,
    r#type: &'a str,
    title: Option<&'a str>,
    state: Option<&'a str>,
    origin: Option<&'a str>,
    store: Option<&'a str>,
    superseded_by: Option<&'a str>,
    scope: Option<&'a str>,
    trust: Option<f64>,
    freshness: Option<&'a str>,
    text: Option<&'a str>,
    caution: Option<bool>,
}

impl<'a> RecalledMemory<'a> {
    fn of(entry: &'a Entry) -> Self {
        let card = &entry.card;
        let (state, origin) = card.told_standing();
        let title = Some(card.title.as_str());
        if entry.text.is_empty() {
            let state = Some(state).filter(|state| *state != State::Stable.as_str());
            return Self { title, state, ..Self::in_page(card) };
        }
        let is_doubtful = !matches!(entry.freshness.as_str(), "" | "unbound" | "fresh");
        Self {
            title,
            state: Some(state),
            origin: Some(origin),
            store: card.store(),
            superseded_by: card.superseded_by.as_deref(),
            scope: Some(card.scope.as_str()).filter(|scope| *scope != "project"),
            trust: Some(card.trust),
            freshness: is_doubtful.then_some(&entry.freshness),
            text: Some(&entry.text),
            ..Self::in_page(card)
        }
    }

    pub fn in_page(card: &'a Card) -> Self {
        Self { id: &card.id, r#type: &card.kind, ..Self::default() }
    }
}

/// A list that is left out while it is empty.
fn some_of<T>(items: impl Iterator<Item = T>) -> Option<Vec<T>> {
    Some(items.collect::<Vec<T>>()).filter(|items| !items.is_empty())
}
