//! The regular look at what time does: one plan, one write, one line. It runs when a session or a
//! task starts; nobody has to remember it.

use oldhand_core::lifecycle::{self};
use oldhand_core::policy::TITLE_CHARS_MAX;
use oldhand_core::recall::card::body_text;
use oldhand_core::sessions::{Collection, collection, over_window};
use oldhand_store::port::Scan;
use oldhand_text::time::days_between;

use crate::context::Upkeep;
use crate::prelude::*;

/// What one sweep did, by ids.
#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Swept {
    pub decayed: Vec<Decayed>,
    /// Candidates with enough evidence.
    pub promoted: Vec<String>,
    /// Candidates that nobody confirmed in their time.
    pub faded: Vec<String>,
    /// Notes of sessions that became memories of their own.
    #[serde(rename = "notes_kept")]
    pub kept_notes: Vec<String>,
    pub expired: Vec<String>,
    pub over_window: Vec<String>,
    pub purged: Vec<String>,
    /// Nothing is done to these: somebody should look.
    pub review_due: Vec<String>,
    pub late_reviews: Vec<String>,
    pub urgent_reviews: Vec<String>,
    /// More was to be done than one write takes.
    pub more: bool,
}

/// A memory that lost standing with time.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Decayed {
    pub id: String,
    pub reason: String,
}

/// Files that one sweep changes at once, fewer than are kept for undo.
const BATCH_MAX: usize = 150;

struct Known {
    stored: Stored,
    signals: Signals,
    /// A person has looked at it.
    is_seen: bool,
}

impl<'a> Upkeep<'a> {
    pub fn sweep(&self) -> WriteResult<'a, Swept> {
        self.sweep_watched(&mut |_, _| {})
    }

    /// `progress` is told how many files were read, and of how many.
    pub fn sweep_watched(&self, progress: &mut dyn FnMut(usize, usize)) -> WriteResult<'a, Swept> {
        self.write(&mut || self.decide_sweep(progress))
    }

    fn decide_sweep(&self, progress: &mut dyn FnMut(usize, usize)) -> Decided<Swept> {
        let mut swept = Swept::default();
        let mut plan = Plan::default();
        let mut by_memory = self.events_by_memory()?;
        let tasks = by_memory.remove("").unwrap_or_default();
        let mut known: Vec<Known> = Vec::new();
        let mut scan = Scan::default();
        self.vault.visit(&mut |visit| {
            progress(visit.done, visit.of);
            scan.stored.extend(visit.file);
        })?;
        // One id, two files, one history: a person has to say which of them it belongs to.
        let doubled = doubled(&scan);
        for stored in scan.stored {
            if stored.problems.is_empty() && !doubled.contains(&stored.memory.id) {
                let events = by_memory.remove(stored.memory.id.as_str()).unwrap_or_default();
                let signals = Signals::fold(&stored.memory, &events, &self.settings.trust);
                let is_seen = events.iter().any(Event::is_persons_move);
                known.push(Known { stored, signals, is_seen });
            }
        }
        for one in &known {
            if plan.files.len() >= BATCH_MAX {
                swept.more = true;
                break;
            }
            if one.stored.memory.kind != Kind::SessionSummary {
                self.sweep_one(one, &mut swept, &mut plan)?;
            }
        }
        self.sweep_sessions(&known, &tasks, &mut swept, &mut plan)?;
        Ok((swept, plan))
    }

    fn sweep_one(&self, one: &Known, swept: &mut Swept, plan: &mut Plan) -> Result<()> {
        let memory = &one.stored.memory;
        let id = memory.id.to_string();
        match memory.state {
            State::UnderReview => {
                let since = one.signals.under_review_since.or(memory.updated_at);
                let waits = since.map_or(0, |since| days_between(since, self.now));
                if waits >= self.settings.review.urgent_days {
                    swept.urgent_reviews.push(id);
                } else if waits >= self.settings.review.reminder_days {
                    swept.late_reviews.push(id);
                }
            }
            State::Candidate => self.sweep_candidate(one, swept, plan)?,
            state if state.is_served() => {
                let life = self.life_of(memory, &one.signals);
                if let Ok(transition) = lifecycle::transition(life, &Request::Sweep) {
                    self.life().step(&one.stored, &Request::Sweep, &one.signals)?.add_to(plan);
                    swept.decayed.push(Decayed { id, reason: transition.reason });
                } else if self.due(memory, &one.signals).is_some() {
                    swept.review_due.push(id);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn sweep_candidate(&self, one: &Known, swept: &mut Swept, plan: &mut Plan) -> Result<()> {
        let memory = &one.stored.memory;
        if self.writing().promotes_by_itself(memory) {
            match self.life().step(&one.stored, &Request::by_evidence(), &one.signals) {
                Ok(step) => {
                    step.add_to(plan);
                    swept.promoted.push(memory.id.to_string());
                    return Ok(());
                }
                // Too little evidence, or its place is taken: `doctor` names both, and the
                // others don't wait.
                Err(Failure::Refused(_)) => {}
                Err(error) => return Err(error),
            }
        }
        let days = self.settings.sweep.candidate_days;
        let heard = memory.updated_at.max(memory.created_at);
        let age = heard.map_or(0, |heard| days_between(heard, self.now));
        if memory.origin == Origin::Capture && !one.is_seen && days > 0 && age >= days {
            let request = Request::Retire(format!("nobody confirmed it in {days} days"));
            self.life().step(&one.stored, &request, &one.signals)?.add_to(plan);
            swept.faded.push(memory.id.to_string());
        }
        Ok(())
    }

    fn sweep_sessions(
        &self,
        known: &[Known],
        tasks: &[Event],
        swept: &mut Swept,
        plan: &mut Plan,
    ) -> Result<()> {
        let spec = self.settings.kinds.spec(&Kind::SessionSummary);
        let is_open = |memory: &Memory| memory.kind == Kind::SessionSummary && memory.is_active();
        // R147: what was used again in other tasks, or called the most useful, is worth keeping.
        let is_worth = |one: &Known| {
            one.signals.most_useful
                || one.signals.used_in.len() >= self.settings.sweep.promote_tasks
        };
        let mut rest = Vec::new();
        for one in known.iter().filter(|one| is_open(&one.stored.memory)) {
            if plan.files.len() + 2 > BATCH_MAX {
                swept.more = true;
                return Ok(());
            }
            if is_worth(one) {
                swept.kept_notes.push(self.keep_notes(one, plan)?);
            } else {
                rest.push(one);
            }
        }
        let all: Vec<Memory> = rest.iter().map(|one| one.stored.memory.clone()).collect();
        let over = over_window(&all, spec.max_retained);
        let newest = all.iter().max_by_key(|it| (it.created_at, it.id.clone())).map(|it| &it.id);
        let purges = self.purge_is_due(tasks, &all);
        for one in &rest {
            let memory = &one.stored.memory;
            let id = memory.id.to_string();
            let age = memory.created_at.map_or(0, |at| days_between(at, self.now));
            let reason = if over.iter().any(|it| it.id == memory.id) {
                swept.over_window.push(id);
                format!("rolling window: limit exceeded, {} are kept", spec.max_retained)
            } else if collection(memory, &spec, &self.settings.gc, self.now)
                == Some(Collection::Expire)
            {
                swept.expired.push(id);
                format!("retention: older than {} days", spec.retention_days)
            } else if purges && Some(&memory.id) != newest && age >= self.settings.sweep.purge_days
            {
                swept.purged.push(id);
                "notes that nobody used again".to_owned()
            } else {
                continue;
            };
            self.life().step(&one.stored, &Request::Retire(reason), &one.signals)?.add_to(plan);
        }
        if !swept.purged.is_empty() {
            let reason = format!("{PURGED} {}", swept.purged.len());
            plan.events.push(Event { reason, ..Event::new(EventType::Swept, "", self.now) });
        }
        Ok(())
    }

    /// R150: weekly, or after ten tasks.
    fn purge_is_due(&self, tasks: &[Event], sessions: &[Memory]) -> bool {
        let policy = &self.settings.sweep;
        let is_purge = |event: &&Event| {
            event.event_type == EventType::Swept && event.reason.starts_with(PURGED)
        };
        let last = tasks.iter().rev().find(is_purge).map(|event| event.at);
        let since = last.or_else(|| sessions.iter().filter_map(|it| it.created_at).min());
        let Some(since) = since else { return false };
        let is_end = |it: &&Event| it.event_type == EventType::Task && it.at >= since;
        let ended = tasks.iter().filter(is_end).count();
        (policy.purge_days > 0 && days_between(since, self.now) >= policy.purge_days)
            || (policy.purge_tasks > 0 && ended >= policy.purge_tasks)
    }

    /// The notes become a reference of their own, which takes the place of the session's summary.
    fn keep_notes(&self, one: &Known, plan: &mut Plan) -> Result<String> {
        let session = &one.stored.memory;
        let title = shorten(&format!("Notes: {}", session.title), TITLE_CHARS_MAX);
        let mut memory = Memory::new(MemoryId::of_title(&title), Kind::Reference, &title);
        memory.origin = Origin::Capture;
        memory.state = Origin::Capture.entry_state();
        memory.state_reason = Some(match one.signals.most_useful {
            true => "called the most useful of its task".to_owned(),
            false => format!("used in {} tasks", one.signals.used_in.len()),
        });
        memory.created_at = Some(whole_seconds(self.now));
        memory.updated_at = memory.created_at;
        memory.tags.clone_from(&session.tags);
        memory.scope = session.scope.clone();
        memory.domain.clone_from(&session.domain);
        memory.related_files.clone_from(&session.related_files);
        memory.evidence = one.signals.used_in.iter().map(|task| format!("task:{task}")).collect();
        memory.evidence.push(format!("session:{}", session.id));
        memory.sources = vec![one.stored.path.clone()];
        memory.supersedes = vec![session.id.to_string()];
        let body = body_text(session, &self.settings.kinds);
        let text = body.split_once('\n').map_or("", |(_, rest)| rest).trim();
        let text = format!("\n{text}").replace("\n## ", "\n### ").trim().to_owned();
        memory.content.set("text", FieldValue::Text(text));
        memory.id = self.free_id(&memory.id, &plan.files)?;
        let (written, more) = self.writing().plan_new(memory, &plan.files)?;
        plan.extend(more);
        let request = Request::Supersede {
            by: written.memory.id.to_string(),
            by_active: true,
            reason: "its notes are kept as a memory of their own".to_owned(),
        };
        self.life().step(&one.stored, &request, &one.signals)?.add_to(plan);
        Ok(written.memory.id.to_string())
    }
}

fn doubled(scan: &Scan) -> BTreeSet<MemoryId> {
    let mut seen = BTreeSet::new();
    let ids = scan.stored.iter().map(|stored| &stored.memory.id);
    ids.filter(|id| !seen.insert(*id)).cloned().collect()
}

/// How the log says that notes were purged.
const PURGED: &str = "purged";
