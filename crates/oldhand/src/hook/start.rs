//! What a session begins with, within 500 and 1,500 tokens: what always holds, where the last one
//! ended, and what waits for a person. Nothing when there is nothing.

use std::collections::BTreeSet;

use oldhand_core::kind::Kind;
use oldhand_core::memory::Memory;
use oldhand_core::recall::bundle::{Dropped, framed, pointer};
use oldhand_core::scope::Scope;
use oldhand_core::state::State;
use oldhand_core::text::{counted, visible_line};
use oldhand_core::time::{days_between, parse_instant};
use oldhand_core::tokens;
use oldhand_engine::list::Filter;
use oldhand_engine::recall::{Brief, Shelf};
use oldhand_hosts::answer::{Answer, context_chars_max};
use oldhand_hosts::payload::Start;

use super::state::{self, Held, SessionState};
use super::{Call, Told, frame};
use crate::failure::Fail;
use crate::reading::Reading;
use crate::receipt::Receipts;

/// R57 and following: what is always loaded, and where the last session ended.
const ALWAYS_TOKENS: usize = 500;
const LAST_TOKENS: usize = 1_500;
const SUBAGENT_TOKENS: usize = 500;
/// Notes of a session that is older than this explain nothing any more.
const NOTES_DAYS: i64 = 30;
const PENDING_SHOWN: usize = 3;
const LEFT_SHOWN: usize = 5;

/// The pieces of a beginning, in the order in which they are told.
#[derive(Default)]
struct Opening {
    notes: String,
    waiting: Vec<String>,
    always: Brief,
    last: Brief,
    /// Ids alone.
    is_pointing: bool,
}

impl Call<'_> {
    pub(super) fn session_start(&self) -> Result<Told, Fail> {
        let mut held = self.state()?;
        self.touch(&mut held.state);
        // What was injected is gone from the conversation; what is replayed is still there.
        if self.payload.start != Start::Resumed {
            held.state.served.clear();
            held.state.asked.clear();
        }
        // A conversation that was begun without us, or under another name: what was said before is
        // known to whoever said it.
        if self.payload.start == Start::Resumed
            && held.state.transcript.path.is_empty()
            && let Ok(news) = self.news(&held.state)
        {
            held.state.take_in(&news);
        }
        if let Err(why) = self.may_inject() {
            held.save()?;
            return Ok(Told::nothing(why));
        }
        let opening = self.read(|reading| self.opening(reading, &held.state))?;
        let told = self.tell(&opening, &mut held);
        held.save()?;
        Ok(told)
    }

    /// A subagent begins with nothing but its order: what binds everybody binds it.
    pub(super) fn subagent_start(&self) -> Result<Told, Fail> {
        if let Err(why) = self.may_inject() {
            return Ok(Told::nothing(why));
        }
        let mut held = self.state()?;
        self.touch(&mut held.state);
        let shelves = [
            shelf(&[Kind::Constraint], 5, "it binds everybody"),
            shelf(&[Kind::Preference], 5, "it is how work is done here"),
        ];
        let served = held.state.served_set();
        let told = self.read(|reading| {
            let brief = reading.engine.brief(reading.index, &shelves, SUBAGENT_TOKENS, &served)?;
            Ok(self.serve_brief(&brief, &mut held, "this project"))
        })?;
        held.save()?;
        Ok(told)
    }

    fn opening(&self, reading: &Reading<'_>, own: &SessionState) -> Result<Opening, Fail> {
        let (engine, index) = (reading.engine, reading.index);
        let served = own.served_set();
        // R49, R104: what was decided, and how it is built, before anything is begun.
        let everywhere =
            Filter { scope: Some(Scope::Global.to_string()), ..kinds(&[Kind::Preference]) };
        let always = [
            Shelf { filter: everywhere, limit: 5, reason: "it holds everywhere" },
            shelf(&[Kind::Preference], 5, "it is how work is done here"),
            shelf(&[Kind::Constraint], 5, "it binds everybody"),
            shelf(&[Kind::Decision], 3, "it is among the newest decisions"),
        ];
        let always = engine.brief(index, &always, ALWAYS_TOKENS, &served)?;
        let told: BTreeSet<String> =
            always.entries.iter().map(|it| it.card.id.clone()).chain(served).collect();
        let notes = self.notes(own);
        let summaries = if notes.is_empty() { 1 } else { 0 };
        let last = [
            shelf(&[Kind::SessionSummary], summaries, "it is the last session"),
            shelf(&[Kind::Architecture], 1, "it maps the modules"),
            shelf(&[Kind::Decision], 5, "it is among the newest decisions"),
        ];
        let room = LAST_TOKENS.saturating_sub(tokens::count(&notes));
        let last = engine.brief(index, &last, room, &told)?;
        let waiting = self.waiting(reading)?;
        Ok(Opening { notes, waiting, always, last, is_pointing: self.is_pointing() })
    }

    /// R106: where this session was, or where the one before it ended.
    fn notes(&self, own: &SessionState) -> String {
        if own.working.prompts > 0 {
            let notes = own.working.notes(LAST_TOKENS / 2);
            return titled("this session so far", &notes);
        }
        // Your own store knows the sessions of many repositories: none of their business here.
        let Some(folder) = self.folder.as_ref().filter(|_| !self.is_own_store) else {
            return String::new();
        };
        let is_recent = |known: &SessionState| {
            parse_instant(&known.seen_at)
                .is_some_and(|at| days_between(at, self.desk.now) < NOTES_DAYS)
        };
        let last = state::known(folder).into_iter().find(|known| {
            known.session != own.session
                && known.agent.is_empty()
                && known.working.tool_uses > 0
                && is_recent(known)
        });
        match last {
            Some(last) => {
                let what =
                    format!("last session here ({})", &last.seen_at[..last.seen_at.len().min(10)]);
                titled(&what, &last.working.notes(LAST_TOKENS / 2))
            }
            None => String::new(),
        }
    }

    /// What only a person can settle.
    fn waiting(&self, reading: &Reading<'_>) -> Result<Vec<String>, Fail> {
        let engine = reading.engine;
        let mut lines = Vec::new();
        let (pending, _) = engine.pending_list()?;
        for one in pending.iter().take(PENDING_SHOWN) {
            lines.push(format!(
                "waits for a person: {} (`oldhand pending {}`)",
                visible_line(&one.headline()),
                one.id
            ));
        }
        if let Some(more) = pending.len().checked_sub(PENDING_SHOWN).filter(|more| *more > 0) {
            lines.push(format!("and {more} more (`oldhand pending`)"));
        }
        let candidates = engine.vault.scan_candidates()?.stored;
        // Nobody has to judge what a session was about.
        let is_waiting = |memory: &Memory| {
            memory.state == State::Candidate && memory.kind != Kind::SessionSummary
        };
        let waiting = candidates.iter().filter(|it| is_waiting(&it.memory)).count();
        if waiting > 0 {
            let what = counted(waiting, "candidate waits", "candidates wait");
            lines.push(format!("{what} to be reviewed (`oldhand review`)"));
        }
        let due = self.folder.clone().map(|folder| Receipts::new(folder).due()).unwrap_or_default();
        if due > 0 {
            let what = counted(due, "memory is", "memories are");
            lines.push(format!("{what} due for a review (`oldhand review`)"));
        }
        Ok(lines)
    }

    fn tell(&self, opening: &Opening, held: &mut Held) -> Told {
        let has_memories = !opening.always.entries.is_empty() || !opening.last.entries.is_empty();
        if !has_memories && opening.notes.is_empty() && opening.waiting.is_empty() {
            return Told::nothing("there is nothing to begin with");
        }
        let chars_max = context_chars_max(self.payload.dialect);
        // What does not fit the host goes from the end: the newest decisions first.
        for last in (0..=opening.last.entries.len()).rev() {
            let text = framed(&opening.text(last));
            if !frame::fits(&text, chars_max) {
                continue;
            }
            let entries = opening.always.entries.iter().chain(&opening.last.entries[..last]);
            let served: Vec<String> = entries.map(|it| it.card.id.clone()).collect();
            if !opening.is_pointing {
                held.state.serve(&served);
            }
            return Told {
                tokens: tokens::count(&text),
                note: format!("began with {}", counted(served.len(), "memory", "memories")),
                answer: Some(Answer::Context(text)),
                served,
                captured: Vec::new(),
            };
        }
        Told::nothing("the beginning is longer than the host takes")
    }
}

impl Opening {
    fn text(&self, last: usize) -> String {
        let mut out = String::new();
        for line in &self.waiting {
            out.push_str(&format!("- {line}\n"));
        }
        out.push_str(&self.notes);
        for entry in self.always.entries.iter().chain(&self.last.entries[..last]) {
            let whole = || entry.fenced();
            out.push_str(&if self.is_pointing { pointer(&entry.card) } else { whole() });
        }
        let warnings: Vec<_> =
            self.always.freshness.iter().chain(&self.last.freshness).cloned().collect();
        if !warnings.is_empty() {
            out.push_str("freshness_warnings:\n");
            out.push_str(&oldhand_core::fresh::render_section(&warnings));
        }
        let cut = self.last.entries[last..].iter().map(|it| it.card.id.clone());
        let left: Vec<String> = self.dropped().map(|it| it.id.clone()).chain(cut).collect();
        if !left.is_empty() {
            let shown = left[..left.len().min(LEFT_SHOWN)].join(", ");
            out.push_str(&format!("also there (`oldhand show <id>`): {shown}\n"));
        }
        out.push_str("`oldhand recall \"<task>\"` finds what a task needs; `oldhand check \"<proposal>\"` before a decision.\n");
        out
    }

    /// Left out for want of room, each once.
    fn dropped(&self) -> impl Iterator<Item = &Dropped> {
        let told: BTreeSet<&str> = self
            .always
            .entries
            .iter()
            .chain(&self.last.entries)
            .map(|it| it.card.id.as_str())
            .collect();
        let mut met = BTreeSet::new();
        self.always
            .dropped
            .iter()
            .chain(&self.last.dropped)
            .filter(move |one| !told.contains(one.id.as_str()) && met.insert(one.id.as_str()))
    }
}

fn titled(what: &str, notes: &str) -> String {
    if notes.trim().is_empty() { String::new() } else { format!("{what}:\n{}\n", notes.trim_end()) }
}

fn kinds(kinds: &[Kind]) -> Filter {
    Filter { kinds: kinds.to_vec(), ..Filter::default() }
}

fn shelf(of: &[Kind], limit: usize, reason: &'static str) -> Shelf {
    Shelf { filter: kinds(of), limit, reason }
}
