//! Recall: find, rank, load, check, pack. One step down at a time, each logged; no memory file is
//! changed, and nothing is decided about what was found.

use oldhand_core::fresh::Warning;
use oldhand_core::lifecycle::Standing;
use oldhand_core::recall::bundle::{self};
use oldhand_core::recall::card::body_text;
use oldhand_core::recall::chain::Level;
use oldhand_core::recall::pack::{
    Item, Packed, Room, SERVED_BEFORE, below_the_first, is_caution, pack, served_text,
};
use oldhand_core::recall::query::{Intent, Query, intent};
use oldhand_core::recall::rank::{Ranking, Scored, selective_score};
use oldhand_store::port::index::Semantic;

use crate::context::Memories;
use crate::filter::Filter;
use crate::gate::is_gated;
use crate::prelude::*;

mod brief;
pub(crate) mod find;
mod named;
mod past;
mod reason;
mod standing;

pub(crate) use brief::rule_of;
pub use brief::{Brief, Shelf};
use find::{Chosen, Found, Hunt};
pub use reason::Explained;

#[derive(Debug, Clone, Default)]
pub struct Request {
    pub text: String,
    /// The paths being modified.
    pub paths: Vec<String>,
    pub filter: Filter,
    /// Titles alone, within the index's budget.
    pub pointers_only: bool,
    pub budget_tokens: Option<usize>,
    pub items_max: Option<usize>,
    /// Ids that this session has seen.
    pub served_before: BTreeSet<String>,
    pub as_of: Option<Timestamp>,
    /// Words alone.
    pub keywords_only: bool,
    /// Everything, newest first, instead of what fits (R137).
    pub full_read: bool,
    /// Follow `related_to` from what is served, one step.
    pub related: bool,
    /// One look at the index, and no step down the chain: for those who can't wait, and who would
    /// rather hear nothing.
    pub quick: bool,
}

impl Request {
    /// More than can be served is loaded, so that what does not fit gives way to what does.
    fn loaded(&self, items: usize) -> usize {
        if self.quick && !self.full_read {
            items.saturating_add(self.served_before.len().min(LOADED_MAX))
        } else {
            items.saturating_mul(2).max(LOADED_MAX)
        }
    }

    fn query(&self) -> Query {
        if self.quick {
            Query::brief(&self.text, &self.paths)
        } else {
            Query::new(&self.text, &self.paths)
        }
    }
}

pub struct Recalled {
    pub query: Query,
    pub bundle: Bundle,
    /// Every candidate, best first, served or not.
    pub ranked: Vec<Scored>,
    pub semantic: Semantic,
}

/// Memories that are read for an answer, when there is no reason to read more.
const LOADED_MAX: usize = 20;

/// A candidate with its file.
struct Loaded {
    scored: Scored,
    reason: String,
    stored: Stored,
    text: String,
    /// The verdict in a word, and what it costs to tell, once its freshness was checked.
    freshness: String,
    tokens: usize,
}

impl Loaded {
    fn card(&self) -> &Card {
        &self.scored.candidate.card
    }

    fn item(&self) -> Item {
        Item { card: self.card().clone(), text: self.text.clone(), tokens: self.tokens }
    }

    fn entry(&self) -> Entry {
        Entry {
            card: self.card().clone(),
            score: self.scored.score,
            reason: self.reason.clone(),
            freshness: self.freshness.clone(),
            tokens: self.tokens,
            text: self.text.clone(),
        }
    }
}

impl Memories<'_> {
    /// Recall as every surface asks for it: a question about decisions looks at decisions first, a
    /// question about everything at the registry (R284).
    pub fn recall_by_intent(&self, index: &dyn Index, request: &Request) -> Result<Recalled> {
        let wanted = intent(&request.text);
        if wanted == Intent::Overview && !request.full_read {
            let overview = Request { full_read: true, pointers_only: true, ..request.clone() };
            return self.recall(index, &overview);
        }
        if wanted == Intent::Decisions && request.filter.kinds.is_empty() {
            let mut narrowed = request.clone();
            narrowed.filter.kinds = vec![Kind::Decision];
            let recalled = self.recall(index, &narrowed)?;
            if !recalled.bundle.is_empty() {
                return Ok(recalled);
            }
        }
        self.recall(index, request)
    }

    pub fn recall(&self, index: &dyn Index, request: &Request) -> Result<Recalled> {
        let hunt = Self::hunt(index, request)?;
        let mut found = self.find(&hunt)?;
        let mut dropped = std::mem::take(&mut found.dropped);
        let mut warnings = std::mem::take(&mut found.warnings);
        let whole = self.room(request);
        let around = bundle::AROUND_TOKENS
            + bundle::cost_of_remarks(&warnings)
            + bundle::cost_of_remarks(&index.notes());
        let room = Room { tokens: whole.tokens.saturating_sub(around), ..whole };
        let mut chosen = std::mem::take(&mut found.chosen);
        chosen.truncate(request.loaded(room.items));
        let (candidates, few) = candidates(&chosen, found.level, request, room);
        let lay_out = |chosen: &[Chosen], room: Room| self.lay_out(chosen, &hunt, &found, room);
        let mut laid = lay_out(&candidates[..few], room)?;
        let is_short = few < candidates.len() && laid.packed.served() < room.items;
        if is_short {
            laid = lay_out(&candidates, room)?;
        }
        let doubles = self.doubles(&laid.dropped);
        if !doubles.is_empty() {
            // To say so costs room too.
            let tokens = room.tokens.saturating_sub(bundle::cost_of_remarks(&doubles));
            let looked = if is_short { &candidates[..] } else { &candidates[..few] };
            laid = lay_out(looked, Room { tokens, ..room })?;
            warnings.extend(doubles);
        }
        let unseen = not_looked_at(&chosen, &laid.looked, request, room);
        let LaidOut { mut loaded, mut freshness, packed, dropped: gone, .. } = laid;
        dropped.extend(gone);
        dropped.extend(packed.dropped.into_iter().map(|(at, why)| left_out(&loaded[at], why)));
        dropped.extend(unseen);
        if request.pointers_only {
            loaded.iter_mut().for_each(|one| one.text.clear());
        }
        let memories: Vec<Entry> = packed.memories.iter().map(|at| loaded[*at].entry()).collect();
        let cautions: Vec<Entry> = packed.cautions.iter().map(|at| loaded[*at].entry()).collect();
        let served = keep_about(&mut freshness, memories.iter().chain(&cautions));
        // What was weak by itself may have come along a link.
        dropped.retain(|one| !served.contains(one.id.as_str()));
        warnings.extend(index.notes());
        let bundle = Bundle {
            level: found.level,
            steps: found.steps,
            memories,
            cautions,
            freshness,
            warnings,
            dropped,
            budget_tokens: whole.tokens,
            used_tokens: packed.used_tokens,
        };
        Ok(Recalled { query: hunt.query, bundle, ranked: found.ranked, semantic: found.semantic })
    }

    fn lay_out(
        &self,
        chosen: &[Chosen],
        hunt: &Hunt<'_>,
        found: &Found,
        room: Room,
    ) -> Result<LaidOut> {
        let (index, request, narrow) = (hunt.index, hunt.request, &found.narrow);
        let (mut loaded, mut dropped) = (Vec::new(), Vec::new());
        for (scored, reason) in chosen {
            match self.load(index, scored.clone(), reason.clone(), narrow)? {
                Ok(one) => loaded.push(one),
                Err(gone) => dropped.push(gone),
            }
        }
        leave_other_modules(&mut loaded, &mut dropped, &request.filter);
        if request.related {
            self.follow_links(index, &mut loaded, narrow)?;
        }
        if found.level == Level::Keyword {
            self.put_in_order(&mut loaded, request, &hunt.query);
        }
        self.doubt_unsettled(&mut loaded)?;
        let freshness = self.check_freshness(&mut loaded, request.pointers_only);
        let items: Vec<Item> = loaded.iter().map(Loaded::item).collect();
        let policy = &self.settings.recall;
        let has_cautions = items.iter().any(|item| is_caution(&item.card, policy));
        let heading = if has_cautions { bundle::CAUTION_TOKENS } else { 0 };
        let room = Room { tokens: room.tokens.saturating_sub(heading), ..room };
        let given = loaded.iter().map(Loaded::card).filter(|card| is_given(card, request));
        let given: BTreeSet<String> = given.map(|card| card.id.clone()).collect();
        let packed = pack(&items, &given, room, policy);
        let looked = chosen.iter().map(|(scored, _)| place(scored)).collect();
        Ok(LaidOut { looked, loaded, freshness, packed, dropped })
    }

    /// What would have been served if two files had not the same id: whoever asks must know that it is there.
    fn doubles(&self, dropped: &[Dropped]) -> Vec<String> {
        let ids: BTreeSet<&str> = dropped.iter().map(|it| it.id.as_str()).collect();
        let ambiguous =
            ids.into_iter().filter_map(|id| match self.vault.find(&MemoryId::parse(id).ok()?) {
                Err(Failure::Refused(it)) if it.code == Code::Ambiguous => Some(it.message),
                _ => None,
            });
        ambiguous.map(|message| format!("{message}: neither is served")).collect()
    }

    /// Of two that exclude each other neither is served as settled before a person has decided.
    fn doubt_unsettled(&self, loaded: &mut [Loaded]) -> Result<()> {
        let is_known =
            |one: &Loaded| is_gated(&one.stored.memory.kind) && one.card().store().is_none();
        if !loaded.iter().any(is_known) {
            return Ok(());
        }
        let unsettled = self.gate().unsettled()?;
        for one in loaded.iter_mut().filter(|one| is_known(one)) {
            let card = &mut one.scored.candidate.card;
            if unsettled.iter().any(|(_, ids)| ids.contains(&card.id)) {
                card.contradictions = card.contradictions.max(1);
            }
        }
        Ok(())
    }

    fn room(&self, request: &Request) -> Room {
        let policy = &self.settings.recall;
        let (tokens, items) = match request.pointers_only {
            true => (policy.index_tokens, usize::MAX),
            // Cut by its tokens, not by its number (R137, R159).
            false if request.full_read => (policy.budget_tokens, usize::MAX),
            false => (policy.budget_tokens, policy.items_max),
        };
        let (tokens, items) =
            (request.budget_tokens.unwrap_or(tokens), request.items_max.unwrap_or(items));
        Room { tokens, items }
    }

    /// The file is the truth: what the index said of it is held against it before it is served.
    fn load(
        &self,
        index: &dyn Index,
        mut scored: Scored,
        reason: String,
        narrow: &Narrow,
    ) -> Result<Result<Loaded, Dropped>> {
        let card = &scored.candidate.card;
        let gone = |reason: String| Dropped::of(card, reason, false);
        let stored = match index.read(&scored.candidate) {
            Ok(Some(stored)) => stored,
            Ok(None) => return Ok(Err(gone("its file is gone".to_owned()))),
            Err(Failure::Refused(refusal)) => return Ok(Err(gone(refusal.message))),
            Err(error) => return Err(error),
        };
        let state = stored.memory.state;
        let is_contested = card.contested && state == State::UnderReview;
        if !narrow.states.is_empty() && !narrow.states.contains(&state) && !is_contested {
            return Ok(Err(gone(format!("it is {state} now"))));
        }
        let memory = &stored.memory;
        if let Some(other) = self.is_for_others(&memory.scope, narrow) {
            return Ok(Err(gone(format!("it is for agents of the type `{other}`"))));
        }
        let durable = self.settings.kinds.spec(&memory.kind).durable;
        let text = body_text(memory, &self.settings.kinds);
        let text = served_text(text, memory.description.as_deref(), durable);
        let (trust, contradictions, doubted) = (card.trust, card.contradictions, card.doubted);
        let evidence = u32::try_from(memory.evidence.len()).unwrap_or(u32::MAX);
        let mut signals = Signals::start(evidence, memory.origin, &self.settings.trust);
        (signals.trust, signals.contradiction_count) = (trust, contradictions);
        (signals.is_contested, signals.is_hand_edited) = (is_contested, card.hand_edited);
        // What it says of itself now may be news to the index.
        signals.is_recorded =
            !card.unrecorded && card.state == state && card.origin == memory.origin;
        // As of an earlier day any state may come: the answer has the one of that day.
        let state_then = narrow.states.is_empty().then_some(card.state);
        let (is_own, from) = (card.is_own, card.from.clone());
        let passages_mark = card.passages_mark.clone();
        let now = Card::of(memory, &signals, &text, stored.text.len());
        let state = state_then.unwrap_or(state);
        scored.candidate.card = Card { is_own, from, doubted, state, passages_mark, ..now };
        Ok(Ok(Loaded { scored, reason, stored, text, freshness: String::new(), tokens: 0 }))
    }

    /// Memories that a served one names as related, one step and no further (R14).
    fn follow_links(
        &self,
        index: &dyn Index,
        loaded: &mut Vec<Loaded>,
        narrow: &Narrow,
    ) -> Result<()> {
        let mut known: BTreeSet<String> = loaded.iter().map(|one| one.card().id.clone()).collect();
        let mut links: Vec<(String, String)> = Vec::new();
        for card in loaded.iter().map(Loaded::card) {
            let names = card.related_to.iter().take(self.settings.recall.related_max);
            links.extend(names.map(|name| (card.id.clone(), name.clone())));
        }
        for (from, name) in links {
            for candidate in find::named(index, &name, &narrow.states)? {
                if !known.insert(candidate.card.id.clone()) {
                    continue;
                }
                let scored = find::unscored(candidate);
                let reason = format!("related to `{from}`");
                loaded.extend(self.load(index, scored, reason, narrow)?);
            }
        }
        Ok(())
    }

    /// When keyword matches exceed the budget of a selective read, they are ranked by the plain score
    /// of match and recency (R138, R144, R145).
    fn put_in_order(&self, loaded: &mut [Loaded], request: &Request, query: &Query) {
        let tokens: usize = loaded.iter().map(|one| card_cost(one.card(), request)).sum();
        if tokens <= self.room(request).tokens {
            return;
        }
        let ranking = self.ranking(query, false, false);
        let referenced = self.referenced(loaded);
        let score = |one: &Loaded| {
            selective_score(&one.scored, referenced.contains(&one.card().id), ranking)
        };
        loaded.sort_by(|a, b| score(b).total_cmp(&score(a)));
    }

    /// Which of these still bind the code: only asked when it decides something (R143).
    fn referenced(&self, loaded: &[Loaded]) -> BTreeSet<String> {
        let bound = loaded.iter().filter(|one| one.card().has_constraints);
        let referenced = bound.filter(|one| {
            matches!(self.life().standing(&one.stored.memory), Standing::Referenced(_))
        });
        referenced.map(|one| one.card().id.clone()).collect()
    }

    fn ranking<'r>(&'r self, query: &'r Query, semantic: bool, unasked: bool) -> Ranking<'r> {
        let (policy, now) = (&self.settings.recall, self.now.as_second());
        Ranking { query, policy, now, semantic, doubted: false, unasked, background: 0.0 }
    }

    /// One check for the whole answer: sets the verdict of each, and with it what it costs.
    fn check_freshness(&self, loaded: &mut [Loaded], pointers_only: bool) -> Vec<Warning> {
        let stored: Vec<&Stored> = loaded.iter().map(|one| &one.stored).collect();
        let report = self.fresh(&stored);
        for (one, checked) in loaded.iter_mut().zip(&report.memories) {
            one.freshness = checked.verdict.to_string();
            let tokens = match pointers_only {
                true => bundle::pointer(one.card()).tokens(),
                false => bundle::cost(one.card(), &one.freshness, &one.text),
            };
            one.tokens = tokens + bundle::cost_of_warnings(&report.warnings, &one.card().id);
        }
        report.warnings
    }
}

struct LaidOut {
    looked: BTreeSet<(usize, String)>,
    loaded: Vec<Loaded>,
    freshness: Vec<Warning>,
    packed: Packed,
    dropped: Vec<Dropped>,
}

/// More than fit by their number: some say the same as others, or are too long.
const SPARE: usize = 3;

/// Those that are worth a look, and how many of them will do in most cases. Where the order is not
/// settled before they are read, that is all of them.
fn candidates(
    chosen: &[Chosen],
    level: Level,
    request: &Request,
    room: Room,
) -> (Vec<Chosen>, usize) {
    let is_settled = level != Level::Keyword && !request.related && request.filter.legacy.is_none();
    if !is_settled || room.items == usize::MAX {
        return (chosen.to_vec(), chosen.len());
    }
    let new: Vec<_> = chosen.iter().filter(|one| !is_served(one, request)).cloned().collect();
    let few = new.len().min(room.items.saturating_add(SPARE));
    (new, few)
}

fn is_served((scored, _): &Chosen, request: &Request) -> bool {
    is_given(&scored.candidate.card, request)
}

fn is_given(card: &Card, request: &Request) -> bool {
    let (version, before) = (version_of(card), &request.served_before);
    let prefix = &version[..=card.id.len()];
    let next = before.range(prefix.to_owned()..).next();
    let is_versioned = next.is_some_and(|it| it.starts_with(prefix));
    before.contains(&card.id) && (before.contains(&version) || !is_versioned)
}

/// What `served_before` may have beside an id: with it, a text that was written since is news.
pub fn version_of(card: &Card) -> String {
    format!("{}@{}", card.id, card.passages_mark)
}

/// Two stores may have the same id.
fn place(scored: &Scored) -> (usize, String) {
    (scored.candidate.store, scored.candidate.card.id.clone())
}

/// The answer is full without them.
fn not_looked_at(
    chosen: &[Chosen],
    looked: &BTreeSet<(usize, String)>,
    request: &Request,
    room: Room,
) -> Vec<Dropped> {
    let limit = below_the_first(room.items);
    let others = chosen.iter().filter(|(scored, _)| !looked.contains(&place(scored)));
    let dropped = others.map(|one| {
        let why = if is_served(one, request) { SERVED_BEFORE } else { &limit };
        Dropped::of(&one.0.candidate.card, why.to_owned(), true)
    });
    dropped.collect()
}

fn left_out(one: &Loaded, why: String) -> Dropped {
    Dropped::of(one.card(), why, true)
}

/// What a memory costs before its text is at hand.
fn card_cost(card: &Card, request: &Request) -> usize {
    if request.pointers_only {
        bundle::pointer(card).tokens()
    } else {
        bundle::cost(card, "", "") + card.tokens as usize
    }
}

/// Work on an old module looks into the archive for that module alone (R127).
fn is_of_another_module(one: &Loaded, filter: &Filter) -> bool {
    let memory = &one.stored.memory;
    let (states, legacy) = (vec![memory.state], filter.legacy.clone());
    !memory.is_active() && !Filter { states, legacy, ..Filter::default() }.matches(memory)
}

fn leave_other_modules(loaded: &mut Vec<Loaded>, dropped: &mut Vec<Dropped>, filter: &Filter) {
    for one in loaded.extract_if(.., |one| is_of_another_module(one, filter)) {
        let reason = format!("{}, and about another module", one.card().state);
        dropped.push(Dropped::of(one.card(), reason, false));
    }
}

/// The ids of these; a warning about a memory that was left out would only confuse, a remark about
/// all of them stays.
fn keep_about<'e>(
    freshness: &mut Vec<Warning>,
    entries: impl Iterator<Item = &'e Entry>,
) -> BTreeSet<&'e str> {
    let served: BTreeSet<&str> = entries.map(|entry| entry.card.id.as_str()).collect();
    freshness.retain(|it| it.memory.is_empty() || served.contains(it.memory.as_str()));
    served
}
