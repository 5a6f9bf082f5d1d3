//! `recall`: three levels through one call. The index tells ids, a search tells a line each, and the
//! few that matter come whole.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use oldhand_app::list::Filter;
use oldhand_app::recall::{Request, version_of};
use oldhand_app::sessions::{Sessions, told_whole};
use oldhand_app::wire::agent::{RecalledMemories, RecalledMemory, RegistryPage};
use oldhand_core::recall::bundle::{Bundle, Dropped};
use oldhand_core::recall::card::Card;
use oldhand_core::recall::pack::SERVED_BEFORE;
use oldhand_core::recall::rank::Candidate;
use oldhand_core::refusal::{Code, Refusal};
use oldhand_core::state::State;
use oldhand_mcp::Watch;
use oldhand_store::port::index::Semantic;

use super::pages;
use super::prelude::*;
use super::table::LEVELS;
use oldhand_desk::reading::Reading;
use oldhand_desk::session::Session;

const FOUND_MAX: usize = 20;
/// More ids than this are no question.
const IDS_MAX: usize = 50;
/// How long somebody who follows the progress waits for an index that is being built.
const PATIENCE: Duration = Duration::from_secs(5);
/// Less than this is left to the way of an ordinary recall.
const MISSING_MANY: usize = 64;

struct Wish<'a> {
    query: &'a str,
    ids: Vec<String>,
    paths: Vec<String>,
    level: &'static str,
    budget: Option<usize>,
    cursor: Option<&'a str>,
    kinds: Vec<String>,
    states: Vec<String>,
}

impl<'a> Wish<'a> {
    fn read(args: &Args<'a>) -> Result<Self, Fail> {
        let query = args.text("query")?.unwrap_or_default();
        let (ids, paths) = (args.texts("ids")?, args.texts("paths")?);
        let asks = !query.is_empty() || !ids.is_empty() || !paths.is_empty();
        let level = args.choice("level", LEVELS)?;
        let level = level.unwrap_or(if asks { "full" } else { "index" });
        let (kinds, states) = (args.texts("kinds")?, args.texts("states")?);
        let has_more = !query.is_empty() || !paths.is_empty() || level != "full";
        if !ids.is_empty() && (has_more || !kinds.is_empty() || !states.is_empty()) {
            let message = "`ids` gives these, whole: nothing else narrows or finds beside it";
            return Err(Fail::usage(message, "leave all but `ids` and `budget` out"));
        }
        if ids.len() > IDS_MAX {
            let hint = format!("ask for {IDS_MAX} at a time");
            return Err(Fail::usage(format!("`ids` has {} names", ids.len()), hint));
        }
        if !asks && level != "index" {
            let message = format!("`level` of {level} needs `query`, `paths` or `ids`");
            return Err(Fail::usage(message, "say what the task is in `query`"));
        }
        let cursor = args.text("cursor")?;
        if cursor.is_some() && asks {
            let hint = "leave `query`, `paths` and `ids` out to go on with the index";
            return Err(Fail::usage("`cursor` goes on with the index, not with a search", hint));
        }
        let budget = args.number("budget", 50)?;
        Ok(Self { query, ids, paths, level, budget, cursor, kinds, states })
    }

    fn filter(&self, reading: &Reading<'_>) -> Result<Filter, Problem> {
        let kinds = &reading.engine.settings.kinds;
        let kind = |name: &String| kinds.parse(name).map_err(|it| of("kinds", it));
        let state = |name: &String| State::parse(name).map_err(|it| of("states", it));
        Ok(Filter {
            kinds: self.kinds.iter().map(kind).collect::<Result<_, _>>()?,
            states: self.states.iter().map(state).collect::<Result<_, _>>()?,
            ..Filter::default()
        })
    }
}

/// Under the name that the field has here, and always with a fix.
fn of(field: &str, mut problem: Problem) -> Problem {
    problem.field = field.to_owned();
    if problem.fix.is_empty() {
        problem.fix = format!("say one of these, or leave `{field}` out");
    }
    problem
}

impl MemoryServer {
    pub(super) fn recall(&self, call: &Call<'_>, desk: &Desk<'_>) -> Result<ToolAnswer, Fail> {
        let wish = Wish::read(&Args::of(call)?)?;
        desk.read(|reading| {
            let bundle = if !wish.ids.is_empty() {
                by_name(&wish, reading)?
            } else if wish.query.is_empty() && wish.paths.is_empty() {
                return index_page(&wish, reading);
            } else {
                self.search(&wish, call, desk, reading)?
            };
            self.leave(&bundle, &wish, call, (desk, reading));
            Ok(answer(&bundle, &wish))
        })
    }

    fn search(
        &self,
        wish: &Wish<'_>,
        call: &Call<'_>,
        desk: &Desk<'_>,
        reading: &Reading<'_>,
    ) -> Result<Bundle, Fail> {
        let is_full = wish.level == "full";
        let connection = call.caller.connection.as_deref();
        let places = if is_full { reading.engine.settings.recall.items_max } else { FOUND_MAX };
        let request = Request {
            text: wish.query.to_owned(),
            paths: wish.paths.clone(),
            filter: wish.filter(reading)?,
            pointers_only: !is_full,
            budget_tokens: wish.budget,
            items_max: Some(self.places.of(places)),
            served_before: if is_full { self.told(connection, desk) } else { Default::default() },
            ..Request::default()
        };
        let mut recalled = reading.recall(&request)?;
        let is_partial = matches!(recalled.semantic, Semantic::Partial { embedded, of } if of - embedded > MISSING_MANY);
        if is_partial && complete(reading, call.watch)? {
            recalled = reading.recall(&request)?;
        }
        if wish.level == "search" {
            keep_to_budget(&mut recalled.bundle);
        }
        Ok(recalled.bundle)
    }

    /// What this connection was given, with the version of each, and what hooks have told the session.
    fn told(&self, connection: Option<&str>, desk: &Desk<'_>) -> BTreeSet<String> {
        let mut told = connection.map(|it| self.served.given_to(it)).unwrap_or_default();
        told.extend(hosts_session(desk).into_iter().flat_map(|it| it.store.given_to(&it.name)));
        told
    }

    /// Remembers what this connection was given, and leaves a receipt.
    fn leave(
        &self,
        bundle: &Bundle,
        wish: &Wish<'_>,
        call: &Call<'_>,
        (desk, reading): (&Desk<'_>, &Reading<'_>),
    ) {
        // Nobody has read it.
        if call.watch.is_cancelled() {
            return;
        }
        let connection = call.caller.connection.as_deref();
        // An overview gives ids alone: those were not told.
        let told = told_whole(bundle);
        if let Some(session) = hosts_session(desk) {
            session.mark_served(&told);
        }
        if let Some(connection) = connection {
            let entries = bundle.memories.iter().chain(&bundle.cautions);
            let versions = entries.filter(|it| told.contains(&it.card.id));
            let versions = versions.map(|it| version_of(&it.card));
            let given: Vec<String> = versions.chain(told.iter().cloned()).collect();
            let _ = self.served.give(connection, &given);
        }
        let task = desk.current_task(None);
        let asked = (wish.query, wish.paths.as_slice());
        let _ = reading.leave_receipt((connection, task.as_deref()), asked, bundle);
    }
}

fn by_name(wish: &Wish<'_>, reading: &Reading<'_>) -> Result<Bundle, Fail> {
    let bundle = reading.engine.memories().recall_named(reading.index, &wish.ids, wish.budget)?;
    if bundle.is_empty() && bundle.dropped.is_empty() {
        let hint = "recall with `query` finds by words; recall without arguments lists all ids";
        let refusal = Refusal::new(Code::NotFound, bundle.warnings.join("; "));
        return Err(refusal.with_hint(hint).into());
    }
    Ok(bundle)
}

/// The session that the host has opened, where its hooks tell memories too.
fn hosts_session<'a>(desk: &Desk<'a>) -> Option<Session<'a>> {
    desk.session(None).ok().filter(|session| !session.is_own)
}

/// Embeds what has no vectors yet, as long as somebody follows it. True when there is more to find.
fn complete(reading: &Reading<'_>, watch: &dyn Watch) -> Result<bool, Fail> {
    if !watch.is_followed() {
        return Ok(false);
    }
    let begun = Instant::now();
    let filled = reading.index.fill_all(true, &mut |done, total| {
        watch.progress(done, total, "reading memories by meaning");
        !watch.is_cancelled() && begun.elapsed() < PATIENCE
    })?;
    Ok(filled > 0)
}

fn answer(bundle: &Bundle, wish: &Wish<'_>) -> ToolAnswer {
    let mut text = match wish.level {
        "search" if !bundle.is_empty() => {
            bundle.memories.iter().chain(&bundle.cautions).map(|entry| line(&entry.card)).collect()
        }
        _ => bundle.to_text(),
    };
    let hint = hint(bundle);
    if hint.is_empty() {
        return ToolAnswer::of(text, &RecalledMemories::of(bundle));
    }
    text.add("{}\n", std::slice::from_ref(&hint));
    let ToolAnswer { text, data } = ToolAnswer::of(text, &RecalledMemories::of(bundle));
    ToolAnswer { text, data: data.with("hint", &hint) }
}

/// What to do next, also for those who are shown the data alone.
fn hint(bundle: &Bundle) -> AgentText {
    let left =
        |reason: &str| bundle.dropped.iter().any(|one| one.fits && one.reason.starts_with(reason));
    let mut hints = Vec::new();
    if left(SERVED_BEFORE) {
        hints.push("recall with `ids` gives again what was served before");
    }
    if left("over budget") {
        hints.push("a larger `budget` gives what did not fit");
    }
    if !bundle.cautions.is_empty() {
        hints.push("`caution` is not settled: weigh it before you rely on it");
    }
    if bundle.is_empty() && hints.is_empty() {
        hints.push("nothing in memory fits this");
    }
    AgentText::join(&hints.into_iter().map(AgentText::ours).collect::<Vec<_>>(), "; ")
}

/// A line tells more than the id that recall has counted.
fn keep_to_budget(bundle: &mut Bundle) {
    let mut left = bundle.budget_tokens;
    for entries in [&mut bundle.memories, &mut bundle.cautions] {
        for entry in entries.extract_if(.., |entry| {
            let needs = line(&entry.card).tokens();
            let is_over = needs > left;
            left = if is_over { 0 } else { left - needs };
            is_over
        }) {
            let (id, title) = (entry.card.id, entry.card.title);
            let reason = "over budget".to_owned();
            bundle.dropped.push(Dropped { id, title, reason, fits: true });
        }
    }
}

fn line(card: &Card) -> AgentText {
    let [id, kind, title] = [&card.id, &card.kind, &card.title].map(|it| AgentText::line(it));
    match card.told_standing() {
        ("stable", _) => AgentText::of("{} ({}): {}\n", &[id, kind, title]),
        (state, _) => {
            let state = AgentText::ours(state);
            AgentText::of("{} ({}, {}): {}\n", &[id, kind, state, title])
        }
    }
}

/// The registry by page: ids tell what they are about, for a handful of tokens each.
fn index_page(wish: &Wish<'_>, reading: &Reading<'_>) -> Result<ToolAnswer, Fail> {
    let mut narrow = wish.filter(reading)?.narrow();
    if narrow.states.is_empty() {
        narrow.states = State::served();
    }
    let cards = reading.index.cards(&narrow)?;
    let budget = wish.budget.unwrap_or(reading.engine.settings.recall.index_tokens);
    let (mut used, mut text) = (0, AgentText::default());
    let take = |candidate: &Candidate| {
        let card = &candidate.card;
        let line =
            AgentText::of("{} ({})\n", &[&card.id, &card.kind].map(|it| AgentText::line(it)));
        used += line.tokens();
        let fits = used <= budget || text.is_empty();
        if fits {
            text.push(&line);
        }
        fits
    };
    let page = pages::page(&cards, wish.cursor, |it| it.card.id.as_str(), take)?;
    match &page.next {
        Some(next) => {
            let parts = [AgentText::count(cards.len()), AgentText::line(next)];
            text.add("{} in all; the next page: cursor {}\n", &parts);
        }
        None if text.is_empty() => text.push_ours("nothing is remembered yet\n"),
        None => {}
    }
    let memories = page.items.iter().map(|it| RecalledMemory::in_page(&it.card)).collect();
    let answer = RegistryPage { memories, total: cards.len(), next: page.next.as_deref() };
    Ok(ToolAnswer::of(text, &answer))
}
