//! What is kept between pages: the cards of the index as long as it is the same, and what waits as
//! long as no file of the store has changed.

use std::any::Any;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oldhand_app::Engine;
use oldhand_app::health::Health;
use oldhand_app::review::Inbox;
use oldhand_app::review::queue::CauseCount;
use oldhand_core::event::Event;
use oldhand_core::recall::card::Card;
use oldhand_store::port::index::Narrow;

use super::house::Household;
use oldhand_desk::desk::Desk;
use oldhand_desk::failure::Fail;
use oldhand_desk::rest::trim;

#[derive(Default)]
pub(super) struct Kept {
    cards: Option<Arc<Cards>>,
    health: Option<(String, Health)>,
    log: Option<(String, Arc<Digest>)>,
    /// By id, for one minute.
    verdicts: (i64, BTreeMap<String, String>),
    /// What a page worked out, with what it came from.
    pages: BTreeMap<&'static str, (String, Arc<dyn Any + Send + Sync>)>,
}

/// What pages need of the whole log.
#[derive(Default)]
pub(super) struct Digest {
    /// The last events, oldest first.
    pub(super) last: VecDeque<Event>,
    /// For each verdict or resolution the last reasons, the newest first.
    pub(super) reasons: BTreeMap<String, Vec<String>>,
}

const LAST_EVENTS: usize = 20;
const REASONS: usize = 9;

impl Digest {
    fn take(&mut self, event: Event) {
        if let Some(verdict) = event.decision.filter(|_| !event.reason.is_empty()) {
            let reasons = self.reasons.entry(verdict.as_str().to_owned()).or_default();
            reasons.retain(|reason| *reason != event.reason);
            reasons.insert(0, event.reason.clone());
            reasons.truncate(REASONS);
        }
        self.last.push_back(event);
        if self.last.len() > LAST_EVENTS {
            self.last.pop_front();
        }
    }
}

/// The inbox, and how many items it has by cause.
pub(super) struct KeptInbox {
    pub(super) counts: Vec<CauseCount>,
    inbox: Mutex<Inbox>,
}

impl KeptInbox {
    pub(super) fn lock(&self) -> MutexGuard<'_, Inbox> {
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Every memory of the store in any state, as the index knows it.
#[derive(Default)]
pub(super) struct Cards {
    /// By id.
    pub(super) all: Vec<Card>,
    /// Of the index that they come from.
    mark: String,
}

impl Cards {
    /// Another word whenever they may be others.
    pub(super) fn mark(&self) -> &str {
        &self.mark
    }

    pub(super) fn get(&self, id: &str) -> Option<&Card> {
        self.all.binary_search_by(|card| card.id.as_str().cmp(id)).ok().map(|at| &self.all[at])
    }

    /// The title, or nothing for what is gone.
    pub(super) fn title(&self, id: &str) -> String {
        self.get(id).map(|card| card.title.clone()).unwrap_or_default()
    }
}

impl Household {
    /// Whole also after a panic: what is kept is put in last.
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn cards(&self, desk: &Desk<'_>) -> Result<Arc<Cards>, Fail> {
        // One page at a time: the first of them may have to build the index.
        let _one = self.loading.lock().unwrap_or_else(PoisonError::into_inner);
        desk.read(|reading| {
            let mark = reading.index.mark();
            if let Some(cards) = self.kept().cards.as_ref().filter(|kept| kept.mark == mark) {
                return Ok(Arc::clone(cards));
            }
            let found = reading.index.cards(&Narrow::default())?;
            // What is in reach from other stores is not of this one.
            let all = found.into_iter().filter(|it| it.store == 0).map(|it| it.card);
            let cards = Arc::new(Cards { all: all.collect(), mark });
            reading.index.warm_up();
            self.kept().cards = Some(Arc::clone(&cards));
            trim();
            Ok(cards)
        })
    }

    pub(super) fn known_verdicts(&self, minute: i64) -> BTreeMap<String, String> {
        let kept = self.kept();
        if kept.verdicts.0 == minute { kept.verdicts.1.clone() } else { BTreeMap::new() }
    }

    pub(super) fn keep_verdicts(&self, minute: i64, verdicts: &BTreeMap<String, String>) {
        self.kept().verdicts = (minute, verdicts.clone());
    }

    /// The log is read again only when it has changed.
    pub(super) fn log(&self, engine: &Engine<'_>, desk: &Desk<'_>) -> Result<Arc<Digest>, Fail> {
        let stamp = stamp(desk)?;
        if let Some((_, digest)) = self.kept().log.as_ref().filter(|(it, _)| *it == stamp) {
            return Ok(Arc::clone(digest));
        }
        let mut digest = Digest::default();
        engine.vault.visit_events(&mut |event| digest.take(event))?;
        let digest = Arc::new(digest);
        self.kept().log = Some((stamp, Arc::clone(&digest)));
        Ok(digest)
    }

    /// What `make` works out, once for each state of the store and each `key`. Time passes too, so
    /// it counts for an hour at most.
    pub(super) fn worked_out<T: Send + Sync + 'static>(
        &self,
        page: &'static str,
        desk: &Desk<'_>,
        key: &str,
        make: impl FnOnce() -> Result<T, Fail>,
    ) -> Result<Arc<T>, Fail> {
        let hour = desk.now.as_second() / 3600;
        let key = format!("{hour} {key} {}", stamp(desk)?);
        let known = self.kept().pages.get(page).filter(|(it, _)| *it == key).map(|it| it.1.clone());
        if let Some(known) = known.and_then(|it| it.downcast::<T>().ok()) {
            return Ok(known);
        }
        let made = Arc::new(make()?);
        self.kept().pages.insert(page, (key, made.clone()));
        Ok(made)
    }

    /// What waits, as long as no file of the store has changed. The cards come first: they bring
    /// the index up to date, and the inbox of a large store is read from it.
    pub(super) fn kept_inbox(&self, desk: &Desk<'_>) -> Result<Arc<KeptInbox>, Fail> {
        let cards = self.cards(desk)?;
        self.worked_out("inbox", desk, cards.mark(), || {
            let inbox = desk.work(|engine| Ok(engine.upkeep().inbox()?))?;
            Ok(KeptInbox { counts: inbox.counts(), inbox: Mutex::new(inbox) })
        })
    }

    /// Health looks at many files and asks git, so it counts for ten minutes.
    pub(super) fn health(&self, engine: &Engine<'_>, desk: &Desk<'_>) -> Result<Health, Fail> {
        let stamp = format!("{} {}", engine.now.as_second() / 600, stamp(desk)?);
        if let Some((_, health)) = self.kept().health.as_ref().filter(|(it, _)| *it == stamp) {
            return Ok(health.clone());
        }
        let health = engine.care().health()?;
        self.kept().health = Some((stamp, health.clone()));
        Ok(health)
    }
}

/// Another word whenever something may have changed in the store.
pub(super) fn stamp(desk: &Desk<'_>) -> Result<String, Fail> {
    Ok(desk.ground.stamp(desk, &desk.layout()?))
}
