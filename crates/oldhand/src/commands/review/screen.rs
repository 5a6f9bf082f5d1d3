//! The inbox on a whole screen: the same inbox, verbs and decisions as everywhere, as plain values for
//! `oldhand-tui`.

use std::collections::BTreeMap;
use std::time::Instant;

use jiff::{SignedDuration, Timestamp};
use oldhand_app::pending::pending_name;
use oldhand_app::review::sides::{Piece, Sides};
use oldhand_app::review::verbs::{Choice, Offer, Verb};
use oldhand_app::review::{Cause, Item};
use oldhand_app::undo::LAST_WRITE;
use oldhand_core::fresh;
use oldhand_core::pending::{Matter, Pending};
use oldhand_core::policy::FRESH_WAIT;
use oldhand_core::state::State;
use oldhand_desk::desk::settled;
use oldhand_store::ulid::ulid;
use oldhand_text::strings::sentence_case;
use oldhand_text::time::{days_between, hours_between};
use oldhand_tui::item::{self, Part, Row, Sheet, Side};
use oldhand_tui::model::Decision;
use oldhand_tui::screen::House;

use crate::commands::prelude::*;

/// More than anybody goes through in one sitting; the rest follows when these are decided.
const ROWS_MAX: usize = 500;
const COMMITS_SHOWN: usize = 5;

pub(super) struct Screen<'d> {
    pub desk: &'d Desk<'d>,
    /// Only these, where not everything was asked for.
    pub name: Option<&'d str>,
    pub source: Option<&'d str>,
    pub started: Instant,
    /// The hash of each file as it was shown.
    pub seen: BTreeMap<String, String>,
    /// What undo may take back: the last decision over several, and what was shown last.
    pub own: Option<String>,
    pub previewed: Option<String>,
}

pub(super) fn run(name: Option<&str>, source: Option<&str>, desk: &Desk<'_>) -> Outcome {
    let (by, has_colour) =
        desk.work(|engine| Ok((engine.by.to_owned(), desk.env.var("NO_COLOR").is_none())))?;
    let (started, seen) = (Instant::now(), BTreeMap::new());
    let mut screen = Screen { desk, name, source, started, seen, own: None, previewed: None };
    oldhand_tui::screen::run(by, has_colour, &mut screen)?;
    Ok(DONE)
}

impl Screen<'_> {
    /// A new look at the store, at the time that it is now.
    fn with<T>(&self, job: impl FnOnce(&Engine<'_>) -> Result<T, Fail>) -> Result<T, Fail> {
        let passed = SignedDuration::try_from(self.started.elapsed()).unwrap_or_default();
        let now = self.desk.now.saturating_add(passed).unwrap_or(self.desk.now);
        let desk = Desk { now, flags: self.desk.flags.clone(), host: None, ..*self.desk };
        desk.work(job)
    }

    fn memory_sheet(&mut self, id: &str) -> Result<Option<Sheet>, Fail> {
        let found = self.with(|engine| {
            let Some(item) = engine.upkeep().item_of(engine.get(id)?)? else { return Ok(None) };
            let offers = engine.upkeep().offers(&item)?;
            let mut parts = facts_of(&item, engine);
            parts.extend(content_of(&item.stored.memory));
            parts.extend(ground_of(&item.stored, engine));
            let story = engine.trail().story(id)?.sentences;
            parts.push(Part::Heading("History".to_owned()));
            parts.extend(story.iter().map(|it| Part::Point(visible_line(it))));
            let verbs = verbs(&offers, engine)?;
            let title = visible_line(&item.stored.memory.title);
            Ok(Some((Sheet { id: id.to_owned(), title, parts, verbs }, item.stored.hash)))
        })?;
        Ok(found.map(|(sheet, hash)| {
            self.seen.insert(id.to_owned(), hash.to_string());
            sheet
        }))
    }

    fn pending_sheet(&mut self, id: &str) -> Result<Option<Sheet>, Fail> {
        let (sheet, seen) = self.with(|engine| {
            let (pending, raw) = engine.gate().get_pending(id)?;
            let mut seen = vec![(id.to_owned(), raw.hash.to_string())];
            let said = visible_line(&pending.via.beside(&pending.by));
            let mut parts =
                vec![Part::Fact("proposed", format!("{} by {said}", format_day(pending.at)))];
            match &pending.matter {
                Matter::Conflict { proposal, .. } => {
                    parts.extend(sides_of(&pending));
                    parts.push(Part::Heading("Proposal".to_owned()));
                    let body = proposal.splitn(3, "---\n").nth(2).unwrap_or(proposal);
                    parts.push(Part::Text(visible(body.trim())));
                }
                Matter::Approval { memory, to, reason, .. } => {
                    let stored = engine.get(memory)?;
                    seen.push((memory.clone(), stored.hash.to_string()));
                    parts.push(Part::Fact("to", to.to_string()));
                    parts.push(Part::Fact("because", visible_line(reason)));
                    parts.extend(content_of(&stored.memory));
                    parts.extend(ground_of(&stored, engine));
                }
            }
            let verbs = verbs(&engine.upkeep().offers_on(&pending)?, engine)?;
            let title = visible_line(&pending.headline());
            Ok((Sheet { id: id.to_owned(), title, parts, verbs }, seen))
        })?;
        self.seen.extend(seen);
        Ok(Some(sheet))
    }

    /// `part_of` names the decision over several that this is a part of.
    fn choose(&self, id: &str, decision: &Decision, part_of: Option<&str>) -> Result<String, Fail> {
        self.with(|engine| {
            let pending = engine.gate().get_pending(id).ok().map(|(pending, _)| pending);
            let (verbs, subject) = match pending.as_ref().map(|it| &it.matter) {
                Some(Matter::Conflict { .. }) => (Verb::OVER_CONFLICT, id),
                Some(Matter::Approval { memory, .. }) => (Verb::OVER_REQUEST, memory.as_str()),
                None => (Verb::OVER_MEMORY, id),
            };
            let Some(verb) = verbs.iter().copied().find(|verb| verb.key() == decision.key) else {
                let message = format!("`{}` decides nothing over `{id}`", decision.key);
                return Err(Fail::usage(message, "it is of another sort"));
            };
            let name = if matches!(verb, Verb::Decide(_)) { subject } else { id };
            let (reason, more) = (decision.reason.as_str(), decision.more.as_deref());
            let shown = match verb {
                Verb::Decide(_) => name.to_owned(),
                Verb::Settle(_) => pending_name(name),
            };
            let seen = self.seen.get(name).map(|hash| (shown.as_str(), hash.as_str()));
            let engine = &Engine { seen, batch: part_of, ..*engine };
            let choice = Choice { name, verb, reason, more };
            let (chosen, _) = settled(engine, engine.upkeep().choose(&choice)?);
            Ok(chosen.sentence())
        })
    }
}

impl House for Screen<'_> {
    fn rows(&mut self) -> Result<Vec<Row>, String> {
        let (name, source) = (self.name, self.source);
        let rows = self.with(|engine| {
            let mut inbox = match name {
                Some(name) => engine.upkeep().inbox_of(name)?,
                None => engine.upkeep().inbox()?,
            };
            if let Some(source) = source {
                engine.upkeep().keep_of_source(&mut inbox, source)?;
            }
            let items = engine.upkeep().items(&mut inbox, ROWS_MAX)?;
            let pending = inbox.pending.iter().map(|one| pending_row(one, engine.now));
            let items = items.iter().map(|item| item_row(item, engine.now));
            let mut rows: Vec<Row> = pending.chain(items).collect();
            rows.sort_by_key(|row| GROUPS.iter().position(|group| *group == row.group));
            Ok(rows)
        });
        rows.map_err(Fail::message)
    }

    fn sheet(&mut self, id: &str) -> Result<Option<Sheet>, String> {
        let is_pending = self.with(|engine| Ok(engine.gate().get_pending(id).is_ok()));
        let sheet = match is_pending {
            Ok(true) => self.pending_sheet(id),
            Ok(false) => self.memory_sheet(id),
            Err(fail) => Err(fail),
        };
        match sheet {
            Err(Fail::Refused(refusal)) if refusal.code == Code::NotFound => Ok(None),
            other => other.map_err(Fail::message),
        }
    }

    fn decide(&mut self, decision: &Decision) -> Vec<(String, item::Outcome)> {
        let name = || ulid(self.desk.now, self.desk.env.entropy.next());
        let together = (decision.ids.len() > 1).then(name);
        let one = |id: &String| {
            let outcome = match self.choose(id, decision, together.as_deref()) {
                Ok(said) => item::Outcome::Done(said),
                Err(Fail::Refused(refusal)) if refusal.code == Code::Occ => {
                    item::Outcome::Stale(refusal.message)
                }
                Err(fail) => item::Outcome::Refused(visible_line(&fail.message())),
            };
            (id.clone(), outcome)
        };
        let outcomes: Vec<_> = decision.ids.iter().map(one).collect();
        if outcomes.iter().any(|(_, it)| matches!(it, item::Outcome::Done(_))) {
            self.own = together;
        }
        outcomes
    }

    fn undo(&mut self, is_preview: bool) -> Result<Vec<String>, String> {
        let write = if is_preview { self.own.take() } else { self.previewed.take() };
        let undone = self.with(|engine| {
            let engine = if is_preview { engine.preview() } else { *engine };
            let seen = write.as_deref().map(|write| (LAST_WRITE, write));
            let engine = Engine { seen, ..engine };
            Ok(settled(&engine, engine.trail().undo()?).0)
        });
        let undone = undone.map_err(Fail::message)?;
        self.previewed = is_preview.then_some(undone.write);
        Ok(undone.steps.iter().map(|step| visible_line(step)).collect())
    }

    fn edit(&mut self, id: &str) -> Result<String, String> {
        let is_pending = self.with(|engine| Ok(engine.gate().get_pending(id).is_ok()));
        if is_pending.map_err(Fail::message)? {
            return Err(
                "a proposal is decided as it is; follow it, and write what you mean".to_owned()
            );
        }
        let (mut said, mut noted) = (Vec::new(), Vec::new());
        let mut io = Io::new(std::io::empty(), &mut said, &mut noted);
        let args = NameArgs { name: id.to_owned() };
        crate::commands::change::edit(&args, self.desk, &mut io).map_err(Fail::message)?;
        drop(io);
        let first = String::from_utf8_lossy(&said).lines().next().unwrap_or_default().to_owned();
        Ok(first)
    }
}

/// In the order in which they are gone through.
const GROUPS: &[&str] =
    &["Conflicts", "Approvals", "Unrecorded", "Under review", "Ready", "Candidates", "Due"];

fn pending_row(pending: &Pending, now: Timestamp) -> Row {
    let (group, mark) = match pending.matter {
        Matter::Conflict { .. } => (GROUPS[0], '≠'),
        Matter::Approval { .. } => (GROUPS[1], '✓'),
    };
    let (id, title) = (pending.id.to_string(), visible_line(&pending.headline()));
    Row { id, group, mark, title, age: age(Some(pending.at), now), ..Row::default() }
}

fn item_row(item: &Item, now: Timestamp) -> Row {
    let memory = &item.stored.memory;
    let group = match item.cause {
        Cause::Unrecorded => "Unrecorded",
        Cause::UnderReview => "Under review",
        Cause::Ready => "Ready",
        Cause::Candidate => "Candidates",
        Cause::ReviewDue => "Due",
    };
    Row {
        id: memory.id.to_string(),
        group,
        mark: mark(memory.state),
        title: visible_line(&memory.title),
        kind: memory.kind.to_string(),
        age: age(item.since, now),
        role: item.role.to_string(),
        trust: Some(item.signals.trust),
    }
}

fn mark(state: State) -> char {
    match state {
        State::Candidate => '○',
        State::Provisional => '◐',
        State::Stable => '●',
        State::Canonical => '◉',
        State::UnderReview => '▲',
        State::Decayed => '◌',
        State::Superseded => '→',
        State::Rejected => '✗',
        State::Retired => '▬',
        State::Archived => '□',
    }
}

fn age(since: Option<Timestamp>, now: Timestamp) -> String {
    let Some(since) = since else { return String::new() };
    match days_between(since, now) {
        0 => match hours_between(since, now) {
            ..=0 => "now".to_owned(),
            hours => format!("{hours}h"),
        },
        days @ 1..=99 => format!("{days}d"),
        days => format!("{}mo", days / 30),
    }
}

fn facts_of(item: &Item, engine: &Engine<'_>) -> Vec<Part> {
    let (memory, signals) = (&item.stored.memory, &item.signals);
    let state = format!("{} {}, trust {}", mark(memory.state), memory.state, signals.trust);
    let kind = format!("{}, {}, from {}", memory.kind, memory.scope, memory.origin);
    let uses = format!("{} helped, {} failed", signals.successful_reuses, signals.failed_reuses);
    let mut parts = vec![Part::Fact("state", state), Part::Fact("kind", kind)];
    let reason = memory.state_reason.as_deref().map(visible_line);
    parts.extend(reason.map(|reason| Part::Fact("because", reason)));
    if signals.reuse_count > 0 {
        parts.push(Part::Fact("uses", uses));
    }
    let due = item.since.filter(|_| item.cause == Cause::ReviewDue);
    parts.extend(due.map(|due| {
        Part::Fact("due", format!("{}, {} ago", format_day(due), age(Some(due), engine.now)))
    }));
    parts.push(Part::Fact("reviewer", item.role.to_string()));
    parts
}

fn content_of(memory: &oldhand_core::memory::Memory) -> Vec<Part> {
    let mut parts = Vec::new();
    for (name, value) in memory.content.iter() {
        parts.push(Part::Heading(sentence_case(name)));
        parts.push(Part::Text(visible(value.plain().trim())));
    }
    if !memory.evidence.is_empty() {
        parts.push(Part::Heading("Evidence".to_owned()));
        parts.extend(memory.evidence.iter().map(|it| Part::Point(visible_line(it))));
    }
    parts
}

/// The code that a memory rests on, and what happened to it last.
fn ground_of(stored: &Stored, engine: &Engine<'_>) -> Vec<Part> {
    let paths: Vec<String> = stored.memory.paths().into_iter().map(str::to_owned).collect();
    if paths.is_empty() {
        return Vec::new();
    }
    let mut parts = vec![Part::Heading("Code".to_owned())];
    let report = engine.memories().fresh(&[stored]);
    let judged: Vec<&fresh::PathVerdict> =
        report.memories.iter().flat_map(|it| &it.paths).collect();
    for path in &paths {
        let verdict = judged.iter().find(|it| it.path == *path);
        let said = verdict.map(|it| format!(": {}", it.verdict)).unwrap_or_default();
        parts.push(Part::Point(visible_line(&format!("{path}{said}"))));
    }
    let commits = engine.code.history();
    let commits = commits.map(|it| it.last_commits(&paths, COMMITS_SHOWN, FRESH_WAIT));
    for commit in commits.unwrap_or_default() {
        let day = commit.at.map(format_day).unwrap_or_default();
        let line = format!("{} {day} {}: {}", commit.id, commit.by, commit.subject);
        parts.push(Part::Text(visible_line(&line)));
    }
    parts
}

fn sides_of(pending: &Pending) -> Vec<Part> {
    let Matter::Conflict { against, .. } = &pending.matter else { return Vec::new() };
    let pieces = |pieces: Vec<Piece>| {
        pieces.into_iter().map(|(text, clashes)| (visible_line(&text), clashes)).collect()
    };
    let mut parts = Vec::new();
    for one in against {
        let sides = Sides::of(one);
        parts.push(Part::Heading(visible_line(&one.title)));
        parts.push(Part::Sides {
            decided: Side {
                heading: format!("decided {} · {}", one.date, one.id),
                pieces: pieces(sides.decided),
            },
            proposed: Side { heading: "proposed".to_owned(), pieces: pieces(sides.proposed) },
        });
        parts.push(Part::Fact("why", visible_line(&one.why)));
    }
    parts
}

fn verbs(offers: &[Offer], engine: &Engine<'_>) -> Result<Vec<item::Verb>, Fail> {
    let verb = |offer: &Offer| {
        Ok(item::Verb {
            key: offer.verb.key(),
            name: offer.verb.as_str(),
            question: offer.verb.question(),
            would: offer.would.clone().map_err(|refusal| visible_line(&refusal.message)),
            reasons: engine
                .upkeep()
                .reasons_for(offer.verb)?
                .iter()
                .map(|it| visible_line(it))
                .collect(),
        })
    };
    offers.iter().map(verb).collect()
}
