//! The inbox: the queue by cause, and one item with what is known about it.

use oldhand_app::Engine;
use oldhand_app::pending::{PendingFile, pending_name, waiting_name};
use oldhand_app::review::queue::{QueueFilter, pending_cause};
use oldhand_app::review::sides;
use oldhand_app::review::{Inbox as Waiting, Item as WaitingItem};
use oldhand_core::event::{Effect, EventType};
use oldhand_core::pending::{Matter, Pending};
use oldhand_core::policy::FRESH_WAIT;
use oldhand_store::port::{Measure, NearAsk, Stored};
use oldhand_text::strings::shorten;
use oldhand_ui::house::inbox::{
    Commit, Inbox, InboxAsk, InboxPage, Item, NearMemory, PendingItem, QueueRow, Sides,
};
use oldhand_ui::house::memory::Verb;
use oldhand_ui::house::{Answer, Named};

use super::house::{Household, moment};
use super::memory::{fields_of, view_of};
use super::shelf::Cards;
use crate::cli::{Command, ReviewArgs};
use oldhand_desk::desk::Desk;
use oldhand_desk::failure::Fail;

const ROWS_SHOWN: usize = 100;
const NEAR_SHOWN: usize = 6;
const COMMITS_SHOWN: usize = 5;
const NEAR_CHARS: usize = 160;

impl InboxPage for Household {
    fn inbox(&self, ask: &InboxAsk) -> Answer<Inbox> {
        self.at_desk(|desk| {
            let cards = self.cards(desk)?;
            let kept = self.kept_inbox(desk)?;
            let mut page = desk.work(|engine| {
                let mut inbox = kept.lock();
                // A few files that are edited in place go unnoticed by the stamp of the store.
                (inbox.pending, inbox.odd) = engine.gate().pending_list()?;
                let queue = engine
                    .upkeep()
                    .queue(&mut inbox, &filter(ask), ROWS_SHOWN, |id| cards.get(id))?;
                let rows = queue.pending.iter().map(|it| pending_row(it, engine));
                let rows = rows.chain(queue.items.iter().map(|it| memory_row(it, engine)));
                let mut page = Inbox {
                    causes: inbox
                        .counts()
                        .iter()
                        .map(|it| (it.cause.to_owned(), it.count))
                        .collect(),
                    rows: rows.collect(),
                    more: queue.more,
                    roles: queue.roles,
                    kinds: queue.kinds,
                    origins: queue.origins,
                    item: None,
                    unread: inbox.odd.clone(),
                    reasons: self.log(engine, desk)?.reasons.clone(),
                };
                let first = page.rows.first().map(|row| row.key.clone());
                let key = ask.at.clone().filter(|it| !it.is_empty()).or(first);
                page.item = key.map(|key| item(&key, &inbox, engine)).transpose()?.flatten();
                Ok::<_, Fail>(page)
            })?;
            if let Some(memory) = page.item.as_mut().and_then(|item| item.memory.as_mut()) {
                self.add_links(memory, desk)?;
            }
            if let Some(item) = &mut page.item {
                let key = item.memory.as_ref().map_or("", |memory| memory.hash.as_str());
                let known = self.worked_out("near", desk, key, || near(item, &cards, desk))?;
                item.near = known.to_vec();
                let known = self.worked_out("commits", desk, key, || commits(item, desk))?;
                item.commits = known.to_vec();
            }
            Ok(page)
        })
    }

    fn inbox_json(&self) -> Answer<String> {
        self.command_json(Command::Review(ReviewArgs {
            name: None,
            decision: None,
            reason: String::new(),
            role: None,
            guidance: None,
            by_memory: None,
            all: false,
            yes: false,
            kind: None,
            source: None,
            request: false,
            archive: false,
            plain: true,
            limit: ROWS_SHOWN,
        }))
    }
}

/// What is proposed, or shall rise.
fn title_of(pending: &Pending) -> String {
    match &pending.matter {
        Matter::Conflict { title, .. } => title.clone(),
        Matter::Approval { .. } => pending.headline(),
    }
}

fn filter(ask: &InboxAsk) -> QueueFilter<'_> {
    fn given(text: &Option<String>) -> Option<&str> {
        text.as_deref().filter(|it| !it.is_empty())
    }
    QueueFilter {
        cause: given(&ask.cause),
        kind: given(&ask.kind),
        role: given(&ask.role),
        origin: given(&ask.origin),
        session: given(&ask.session),
    }
}

fn pending_row(pending: &Pending, engine: &Engine<'_>) -> QueueRow {
    let cause = pending_cause(pending);
    QueueRow {
        key: pending_name(pending.id.as_str()),
        cause: cause.to_owned(),
        title: title_of(pending),
        kind: cause.to_owned(),
        state: "conflict".to_owned(),
        since: Some(moment(pending.at, engine.now)),
        ..QueueRow::default()
    }
}

fn memory_row(item: &WaitingItem, engine: &Engine<'_>) -> QueueRow {
    let memory = &item.stored.memory;
    QueueRow {
        key: memory.id.to_string(),
        cause: item.cause.as_str().to_owned(),
        title: memory.title.clone(),
        kind: memory.kind.to_string(),
        state: memory.state.as_str().to_owned(),
        since: item.since.map(|at| moment(at, engine.now)),
        role: item.role.to_string(),
        trust: Some(item.signals.trust),
        hash: Some(item.stored.hash.to_string()),
    }
}

/// The item as its file is now; nothing for what no longer waits.
fn item(key: &str, inbox: &Waiting, engine: &Engine<'_>) -> Result<Option<Item>, Fail> {
    if let Some(name) = waiting_name(key) {
        if !inbox.pending.iter().any(|it| it.id.as_str() == name) {
            return Ok(None);
        }
        return Ok(Some(pending_item(key, &engine.gate().get_pending(name)?, engine)));
    }
    let Some(stored) = engine.look_up(key)? else { return Ok(None) };
    let Some(found) = engine.upkeep().item_of(stored)? else { return Ok(None) };
    let id = found.stored.memory.id.as_str();
    let events = engine.vault.events_of(id)?;
    let is_failed = |it: &&oldhand_core::event::Event| {
        it.event_type == EventType::Applied
            && matches!(it.effect, Some(Effect::Negative | Effect::Contradiction))
    };
    let failed = events
        .iter()
        .filter(is_failed)
        .map(|event| (moment(event.at, engine.now), oldhand_app::history::describe(event)));
    let verdicts = engine.upkeep().offered_verdicts(id).into_iter();
    let verbs = verdicts.map(|it| Verb { name: it.what.as_str(), refused: it.refused });
    Ok(Some(Item {
        key: id.to_owned(),
        cause: found.cause.as_str().to_owned(),
        since: found.since.map(|at| moment(at, engine.now)),
        role: found.role.to_string(),
        pending: None,
        memory: Some(view_of(&found.stored, engine)?),
        failed: failed.collect(),
        near: Vec::new(),
        commits: Vec::new(),
        verbs: verbs.collect(),
    }))
}

fn pending_item(key: &str, (pending, file): &PendingFile, engine: &Engine<'_>) -> Item {
    let mut one = PendingItem {
        hash: file.hash.to_string(),
        name: pending.id.to_string(),
        title: title_of(pending),
        by: pending.via.beside(&pending.by),
        at: moment(pending.at, engine.now),
        ..PendingItem::default()
    };
    let named = |id: &str, title: &str| Named { id: id.to_owned(), title: title.to_owned() };
    match &pending.matter {
        Matter::Conflict { memory, title, against, proposal, .. } => {
            one.is_conflict = true;
            one.memory = named(memory, title);
            one.sides = against
                .iter()
                .map(|it| {
                    let marked = sides::Sides::of(it);
                    Sides {
                        decided: named(&it.id, &it.title),
                        date: it.date.clone(),
                        why: it.why.clone(),
                        theirs: marked.decided,
                        ours: marked.proposed,
                    }
                })
                .collect();
            let path = format!("decisions/{memory}.md");
            let kinds = &engine.settings.kinds;
            let parsed = Stored::parse(&path, proposal.clone().into_bytes(), kinds).ok();
            one.proposal = parsed.map(|it| fields_of(&it.memory, engine)).unwrap_or_default();
        }
        Matter::Approval { memory, to, reason, votes } => {
            one.memory = named(memory, "");
            one.to = to.as_str().to_owned();
            one.reason = reason.clone();
            let vote = |it: &oldhand_core::pending::Vote| {
                (it.by.clone(), it.role.clone(), moment(it.at, engine.now))
            };
            one.votes = votes.iter().map(vote).collect();
        }
    }
    let offers = engine.upkeep().offers_on(pending).unwrap_or_default().into_iter();
    let verbs = offers.map(|offer| Verb {
        name: offer.verb.as_str(),
        refused: offer.would.err().map(|refusal| refusal.message),
    });
    Item {
        key: key.to_owned(),
        cause: pending_cause(pending).to_owned(),
        since: Some(one.at.clone()),
        pending: Some(one),
        verbs: verbs.collect(),
        ..Item::default()
    }
}

/// What happened last to the code that it names.
fn commits(item: &Item, desk: &Desk<'_>) -> Result<Vec<Commit>, Fail> {
    let Some(memory) = &item.memory else { return Ok(Vec::new()) };
    let paths: Vec<String> = memory.code.iter().map(|it| it.path.clone()).collect();
    if paths.is_empty() {
        return Ok(Vec::new());
    }
    desk.work(|engine| {
        let history = engine.code.history();
        let last = history.map(|it| it.last_commits(&paths, COMMITS_SHOWN, FRESH_WAIT));
        let told = |it: oldhand_store::port::Commit| {
            let at = it.at.map(|at| moment(at, engine.now));
            Commit { id: it.id, at, by: it.by, subject: it.subject }
        };
        Ok(last.unwrap_or_default().into_iter().map(told).collect())
    })
}

/// What is near it, the nearest first.
fn near(item: &Item, cards: &Cards, desk: &Desk<'_>) -> Result<Vec<NearMemory>, Fail> {
    let Some(memory) = &item.memory else { return Ok(Vec::new()) };
    let texts = memory.fields.iter().map(|field| field.text.as_str());
    let text: String =
        std::iter::once(memory.title.as_str()).chain(texts).collect::<Vec<_>>().join("\n");
    // Its beginning tells what it is about; a whole page takes the model a fifth of a second.
    let text = shorten(&text, NEAR_CHARS);
    desk.work(|engine| {
        let Some(nearby) = engine.nearby else { return Ok(Vec::new()) };
        let within = [oldhand_store::port::index::Narrow::default()];
        let ask =
            NearAsk { text: &text, within: &within, top: NEAR_SHOWN + 1, by: Measure::Meaning };
        let mut found = nearby.near(&ask)?;
        found.sort_by(|a, b| b.meaning.unwrap_or(0.0).total_cmp(&a.meaning.unwrap_or(0.0)));
        let others = found.into_iter().filter_map(|it| {
            let id = oldhand_store::port::stem_of(&it.path).to_owned();
            let card = cards.get(&id).filter(|_| id != memory.id)?;
            let (title, state) = (card.title.clone(), card.state.as_str().to_owned());
            Some(NearMemory { memory: Named { id, title }, state, likeness: it.meaning })
        });
        Ok(others.take(NEAR_SHOWN).collect())
    })
}
