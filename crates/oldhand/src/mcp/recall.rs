//! `recall`: three levels through one call. The index tells ids, a search tells a line each, and the
//! few that matter come whole.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use oldhand_app::list::Filter;
use oldhand_app::recall::Request;
use oldhand_app::sessions::{Receipt, Sessions, told_whole};
use oldhand_core::kind::Kind;
use oldhand_core::recall::bundle::{Bundle, Dropped, Entry};
use oldhand_core::recall::card::Card;
use oldhand_core::recall::pack::SERVED_BEFORE;
use oldhand_core::recall::rank::Candidate;
use oldhand_core::state::State;
use oldhand_mcp::{Call, Watch};
use oldhand_store::port::index::{Index, Semantic};
use oldhand_text::agent_text::{AgentData, AgentText};
use oldhand_text::problem::Problem;
use serde_json::{Map, Value, json};

use super::args::Args;
use super::pages;
use super::{MemoryServer, Told};
use oldhand_desk::desk::Desk;
use oldhand_desk::failure::Fail;
use oldhand_desk::reading::Reading;
use oldhand_desk::session::Session;

const FIELDS: &[&str] = &["query", "ids", "paths", "level", "kinds", "states", "budget", "cursor"];
/// Memories of one search.
const FOUND_MAX: usize = 20;
/// More ids than this are no question any more.
const IDS_MAX: usize = 50;
/// One who follows the progress waits so long for an index that is on its way.
const PATIENCE: Duration = Duration::from_secs(5);
/// Left-out memories that an answer names.
const LEFT_SHOWN: usize = 5;
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
        let level = args.choice("level", &["index", "search", "full"])?;
        let level = level.unwrap_or(if asks { "full" } else { "index" });
        let (kinds, states) = (args.texts("kinds")?, args.texts("states")?);
        if !ids.is_empty() {
            let has_more = !query.is_empty() || !paths.is_empty() || level != "full";
            if has_more || !kinds.is_empty() || !states.is_empty() {
                let message = "`ids` gives these, whole: nothing else narrows or finds beside it";
                return Err(Fail::usage(message, "leave all but `ids` and `budget` out"));
            }
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
        Ok(Self {
            query,
            ids,
            paths,
            level,
            budget: args.number("budget", 50)?,
            cursor,
            kinds,
            states,
        })
    }

    fn filter(&self, reading: &Reading<'_>) -> Result<Filter, Fail> {
        let kinds = &reading.engine.settings.kinds;
        let kind = |name: &String| -> Result<Kind, Fail> {
            Ok(kinds.parse(name).map_err(|it| of("kinds", it))?)
        };
        let state = |name: &String| -> Result<State, Fail> {
            Ok(State::parse(name).map_err(|it| of("states", it))?)
        };
        Ok(Filter {
            kinds: self.kinds.iter().map(kind).collect::<Result<_, _>>()?,
            states: self.states.iter().map(state).collect::<Result<_, _>>()?,
            ..Filter::default()
        })
    }
}

/// Under the name that the field has here, and never without a way on.
fn of(field: &str, mut problem: Problem) -> Problem {
    problem.field = field.to_owned();
    if problem.fix.is_empty() {
        problem.fix = format!("say one of these, or leave `{field}` out");
    }
    problem
}

impl MemoryServer {
    pub(super) fn recall(&self, call: &Call<'_>, desk: &Desk<'_>) -> Result<Told, Fail> {
        let args = Args::new(&call.arguments, FIELDS)?;
        let wish = Wish::read(&args)?;
        desk.read(|reading| {
            if !wish.ids.is_empty() {
                return self.by_name(&wish, call, desk, reading);
            }
            if wish.query.is_empty() && wish.paths.is_empty() {
                return index_page(&wish, reading);
            }
            self.search(&wish, call, desk, reading)
        })
    }

    fn by_name(
        &self,
        wish: &Wish<'_>,
        call: &Call<'_>,
        desk: &Desk<'_>,
        reading: &Reading<'_>,
    ) -> Result<Told, Fail> {
        let bundle = reading.engine.recall_named(reading.index, &wish.ids, wish.budget)?;
        if bundle.is_empty() && bundle.dropped.is_empty() {
            return Err(oldhand_core::refusal::Refusal::new(
                oldhand_core::refusal::Code::NotFound,
                bundle.warnings.join("; "),
            )
            .with_hint("recall with `query` finds by words; recall without arguments lists all ids")
            .into());
        }
        self.leave(&bundle, wish, call, (desk, reading));
        Ok(answer(&bundle, wish))
    }

    fn search(
        &self,
        wish: &Wish<'_>,
        call: &Call<'_>,
        desk: &Desk<'_>,
        reading: &Reading<'_>,
    ) -> Result<Told, Fail> {
        let is_full = wish.level == "full";
        let connection = call.caller.connection.as_deref();
        let request = Request {
            text: wish.query.to_owned(),
            paths: wish.paths.clone(),
            filter: wish.filter(reading)?,
            pointers_only: !is_full,
            budget_tokens: wish.budget,
            items_max: (!is_full).then_some(FOUND_MAX),
            served_before: if is_full { self.told(connection, desk) } else { Default::default() },
            ..Request::default()
        };
        let mut recalled = reading.recall(&request)?;
        if is_on_its_way(&recalled.semantic) && complete(reading, call.watch)? {
            recalled = reading.recall(&request)?;
        }
        if wish.level == "search" {
            keep_to_budget(&mut recalled.bundle);
        }
        self.leave(&recalled.bundle, wish, call, (desk, reading));
        Ok(answer(&recalled.bundle, wish))
    }

    /// What this connection was given, and what hooks have told the session.
    fn told(&self, connection: Option<&str>, desk: &Desk<'_>) -> BTreeSet<String> {
        let mut told = connection.map(|it| self.served.given_to(it)).unwrap_or_default();
        told.extend(hosts_session(desk).into_iter().flat_map(|it| it.store.given_to(&it.name)));
        told
    }

    /// What was given is not given again on this connection, and the receipt tells of it.
    fn leave(
        &self,
        bundle: &Bundle,
        wish: &Wish<'_>,
        call: &Call<'_>,
        (desk, reading): (&Desk<'_>, &Reading<'_>),
    ) {
        // Nobody has heard it.
        if call.watch.is_cancelled() {
            return;
        }
        let connection = call.caller.connection.as_deref();
        // An overview gives ids alone: those were not told.
        let told = told_whole(bundle);
        tell_hooks(desk, &told);
        if let Some(connection) = connection {
            let _ = self.served.give(connection, &told);
        }
        let Some(sessions) = &reading.sessions else { return };
        // The answer is worth as much without it.
        let _ = sessions.leave_receipt(&Receipt {
            at: desk.now,
            session: connection,
            task: desk.current_task(None).as_deref(),
            by: reading.engine.by,
            query: wish.query,
            paths: &wish.paths,
            bundle,
        });
    }
}

/// The session that the host has opened, where its hooks tell memories too.
fn hosts_session<'a>(desk: &Desk<'a>) -> Option<Session<'a>> {
    desk.session(None).ok().filter(|session| !session.is_own)
}

fn tell_hooks(desk: &Desk<'_>, ids: &[String]) {
    if let Some(session) = hosts_session(desk) {
        // Best effort: told twice is no harm.
        let _ = session.store.give(&session.name, ids);
    }
}

fn is_on_its_way(semantic: &Semantic) -> bool {
    matches!(semantic, Semantic::Partial { embedded, of } if of - embedded > MISSING_MANY)
}

/// Embeds what has no vectors yet, as long as somebody follows it. True when there is more to find.
fn complete(reading: &Reading<'_>, watch: &dyn Watch) -> Result<bool, Fail> {
    if !watch.is_followed() {
        return Ok(false);
    }
    let begun = Instant::now();
    let filled = reading.index.fill_all(&mut |done, total| {
        watch.progress(done, total, "reading memories by meaning");
        !watch.is_cancelled() && begun.elapsed() < PATIENCE
    })?;
    Ok(filled > 0)
}

fn answer(bundle: &Bundle, wish: &Wish<'_>) -> Told {
    let mut text = match wish.level {
        "search" => search_text(bundle),
        _ => bundle.to_text(),
    };
    let hint = hint(bundle);
    let mut data = AgentData::of(Value::Object(structured(bundle)));
    if !hint.is_empty() {
        text.add("{}\n", std::slice::from_ref(&hint));
        data = data.with("hint", &hint);
    }
    Told { text, data }
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

fn search_text(bundle: &Bundle) -> AgentText {
    if bundle.is_empty() {
        return bundle.to_text();
    }
    bundle.memories.iter().chain(&bundle.cautions).map(|entry| line(&entry.card)).collect()
}

/// One memory in one line.
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

/// Nothing is said that would be empty: models pay for it.
fn structured(bundle: &Bundle) -> Map<String, Value> {
    let mut object = Map::new();
    let settled = bundle.memories.iter().map(entry_json);
    let unsettled = bundle.cautions.iter().map(|entry| {
        let mut object = entry_json(entry);
        object["caution"] = json!(true);
        object
    });
    object.insert("memories".into(), settled.chain(unsettled).collect());
    let freshness = bundle.freshness.iter().map(|warning| warning.line());
    let warnings: Vec<String> = freshness.chain(bundle.warnings.iter().cloned()).collect();
    if !warnings.is_empty() {
        object.insert("warnings".into(), json!(warnings));
    }
    let fitting = || bundle.dropped.iter().filter(|one| one.fits);
    let left: Vec<Value> =
        fitting().take(LEFT_SHOWN).map(|one| json!({"id": one.id, "reason": one.reason})).collect();
    if !left.is_empty() {
        object.insert("left_out".into(), Value::Array(left));
        let more = fitting().count().saturating_sub(LEFT_SHOWN);
        if more > 0 {
            object.insert("left_out_more".into(), json!(more));
        }
    }
    object
}

fn entry_json(entry: &Entry) -> Value {
    if entry.text.is_empty() {
        return Value::Object(line_json(&entry.card));
    }
    let mut object = card_json(&entry.card);
    object.insert("trust".into(), json!(entry.card.trust));
    if !matches!(entry.freshness.as_str(), "" | "unbound" | "fresh") {
        object.insert("freshness".into(), json!(entry.freshness));
    }
    object.insert("text".into(), json!(entry.text));
    Value::Object(object)
}

/// As much as a line says.
fn line_json(card: &Card) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("id".into(), json!(card.id));
    object.insert("type".into(), json!(card.kind));
    object.insert("title".into(), json!(*AgentText::line(&card.title)));
    let (state, _) = card.told_standing();
    if state != State::Stable.as_str() {
        object.insert("state".into(), json!(state));
    }
    object
}

fn card_json(card: &Card) -> Map<String, Value> {
    let mut object = line_json(card);
    let (state, origin) = card.told_standing();
    object.insert("state".into(), json!(state));
    object.insert("origin".into(), json!(origin));
    if card.is_own {
        object.insert("store".into(), json!("own"));
    }
    if let Some(successor) = &card.superseded_by {
        object.insert("superseded_by".into(), json!(successor));
    }
    if card.scope != "project" {
        object.insert("scope".into(), json!(card.scope));
    }
    object
}

/// The registry: ids tell what they are about, for a handful of tokens each.
fn index_page(wish: &Wish<'_>, reading: &Reading<'_>) -> Result<Told, Fail> {
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
    let memories: Vec<Value> =
        page.items.iter().map(|it| json!({"id": it.card.id, "type": it.card.kind})).collect();
    let mut object = Map::new();
    object.insert("memories".into(), Value::Array(memories));
    object.insert("total".into(), json!(cards.len()));
    match &page.next {
        Some(next) => {
            let parts = [AgentText::count(cards.len()), AgentText::line(next)];
            text.add("{} in all; the next page: cursor {}\n", &parts);
            object.insert("next".into(), json!(next));
        }
        None if text.is_empty() => text.push_ours("nothing is remembered yet\n"),
        None => {}
    }
    Ok(Told { text, data: AgentData::of(Value::Object(object)) })
}
