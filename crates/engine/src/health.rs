//! How the memory is doing: each indicator with its reason and the one command that helps.

use jiff::Timestamp;
use oldhand_core::event::EventType;
use oldhand_core::fresh::Verdict;
use oldhand_core::kind::Kind;
use oldhand_core::lifecycle::Standing;
use oldhand_core::memory::Memory;
use oldhand_core::signals::Signals;
use oldhand_core::state::{RecordStatus, State};
use oldhand_core::text::counted;
use oldhand_core::time::days_between;

use crate::failure::Failure;
use crate::port::{Plan, Stored};
use crate::review::entered;
use crate::{Done, Engine};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    Healthy,
    Watch,
    NeedsAttention,
}

impl Status {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Healthy => "healthy",
            Self::Watch => "watch",
            Self::NeedsAttention => "needs attention",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Indicator {
    pub name: &'static str,
    pub status: Status,
    pub reason: String,
    /// Empty while nothing has to be done.
    pub command: String,
}

#[derive(Debug, Clone, Default)]
pub struct Health {
    pub indicators: Vec<Indicator>,
    /// Why the archive should be looked through now (R115 to R118).
    pub archive_review: Vec<String>,
}

impl Health {
    pub fn status(&self) -> Status {
        self.indicators.iter().map(|one| one.status).max().unwrap_or(Status::Healthy)
    }
}

/// How the log names a look through the archive.
const ARCHIVE_REVIEW: &str = "archive review";
/// Archived memories whose references are looked for in one go.
const ARCHIVED_MAX: usize = 50;

/// Everything an indicator may ask.
struct Facts {
    known: Vec<(Stored, Signals)>,
    late: Vec<(String, i64)>,
    waiting: usize,
    last_archived: Option<Timestamp>,
    last_review: Option<Timestamp>,
    first_event: Option<Timestamp>,
}

impl Facts {
    fn of(&self, kind: Kind, status: RecordStatus) -> impl Iterator<Item = &(Stored, Signals)> {
        self.known.iter().filter(move |(stored, _)| {
            stored.memory.kind == kind && stored.memory.record_status() == status
        })
    }

    fn in_use(&self) -> impl Iterator<Item = &(Stored, Signals)> {
        self.known.iter().filter(|(stored, _)| stored.memory.state.is_served())
    }
}

impl<'a> Engine<'a> {
    pub fn health(&self) -> Result<Health, Failure> {
        let facts = self.facts()?;
        let indicators = vec![
            self.decisions(&facts),
            self.sessions(&facts),
            self.archived_constraints(&facts),
            self.bloat(&facts),
            self.contradictions(&facts),
            self.reviews(&facts),
            self.stale(&facts),
            self.unused(&facts),
        ];
        let mut health = Health { indicators, archive_review: Vec::new() };
        health.archive_review = self.archive_review_reasons(&facts, &health);
        Ok(health)
    }

    fn facts(&self) -> Result<Facts, Failure> {
        let (pending, odd) = self.pending_list()?;
        let mut by_memory = self.events_by_memory()?;
        let own = by_memory.get("").cloned().unwrap_or_default();
        let all = || by_memory.values().flatten();
        let first_event = all().map(|event| event.at).min();
        let last_archived =
            all().filter(|event| event.to == Some(State::Archived)).map(|event| event.at).max();
        let is_review = |event: &&oldhand_core::event::Event| {
            event.event_type == EventType::Reviewed && event.reason == ARCHIVE_REVIEW
        };
        let last_review = own.iter().filter(is_review).map(|event| event.at).max();
        let (mut known, mut late) = (Vec::new(), Vec::new());
        for stored in self.vault.scan()?.stored {
            let events = by_memory.remove(stored.memory.id.as_str()).unwrap_or_default();
            let signals = Signals::fold(&stored.memory, &events, &self.settings.trust);
            if stored.memory.state == State::UnderReview {
                let since = entered(&events, State::UnderReview).or(stored.memory.updated_at);
                let days = since.map_or(0, |since| days_between(since, self.now));
                late.push((stored.memory.id.to_string(), days));
            }
            known.push((stored, signals));
        }
        let waiting = pending.len() + odd.len() + late.len();
        Ok(Facts { known, late, waiting, last_archived, last_review, first_event })
    }

    /// R151, R152
    fn decisions(&self, facts: &Facts) -> Indicator {
        let policy = &self.settings.health;
        let active = facts.of(Kind::Decision, RecordStatus::Active).count();
        let archived = facts.of(Kind::Decision, RecordStatus::Archived).count();
        let recent = facts
            .last_archived
            .is_some_and(|at| days_between(at, self.now) <= policy.archive_review_days);
        let (status, reason) = if active >= policy.decisions_max && archived == 0 {
            (
                Status::NeedsAttention,
                format!("{active} active decisions, and nothing was ever archived"),
            )
        } else if active > policy.decisions_max && !recent {
            let days = policy.archive_review_days;
            (
                Status::NeedsAttention,
                format!("{active} active decisions, none archived for {days} days"),
            )
        } else {
            (
                Status::Healthy,
                format!(
                    "{}, {archived} archived",
                    counted(active, "active decision", "active decisions")
                ),
            )
        };
        indicator("decisions", status, reason, "oldhand review --archive")
    }

    /// R153
    fn sessions(&self, facts: &Facts) -> Indicator {
        let policy = &self.settings.health;
        let open = facts.of(Kind::SessionSummary, RecordStatus::Active).count();
        let status = match open {
            n if n <= policy.sessions_healthy => Status::Healthy,
            n if n <= policy.sessions_max => Status::Watch,
            _ => Status::NeedsAttention,
        };
        let reason = counted(open, "open session summary", "open session summaries");
        indicator("sessions", status, reason, "oldhand sweep")
    }

    /// R154
    fn archived_constraints(&self, facts: &Facts) -> Indicator {
        let kinds = [Kind::Decision, Kind::Constraint];
        let archived = facts.known.iter().filter(|(it, _)| {
            it.memory.state == State::Archived && kinds.contains(&it.memory.kind)
        });
        let still: Vec<(&Memory, Vec<String>)> = archived
            .take(ARCHIVED_MAX)
            .filter_map(|(stored, _)| match self.references(&stored.memory) {
                Standing::Referenced(places) => Some((&stored.memory, places)),
                _ => None,
            })
            .collect();
        let (status, reason) = match still.first() {
            None => (Status::Healthy, "nothing archived is still referenced".to_owned()),
            Some((memory, places)) => (
                Status::NeedsAttention,
                format!(
                    "{} archived and still referenced, such as `{}` in {}",
                    still.len(),
                    memory.id,
                    places.join(", ")
                ),
            ),
        };
        let id = still.first().map(|(memory, _)| memory.id.to_string()).unwrap_or_default();
        indicator("archived constraints", status, reason, &format!("oldhand unarchive {id}"))
    }

    fn bloat(&self, facts: &Facts) -> Indicator {
        let active = facts.known.iter().filter(|(it, _)| it.memory.is_active()).count();
        let candidates =
            facts.known.iter().filter(|(it, _)| it.memory.state == State::Candidate).count();
        let max = self.settings.health.memories_max;
        let status = if active > max { Status::NeedsAttention } else { Status::Healthy };
        let active = counted(active, "active memory", "active memories");
        let reason = format!("{active}, {candidates} of them candidates");
        indicator("memory bloat", status, reason, "oldhand review")
    }

    fn contradictions(&self, facts: &Facts) -> Indicator {
        let open: Vec<(&Memory, u32)> = facts
            .known
            .iter()
            .filter(|(it, signals)| it.memory.is_active() && signals.open_contradictions > 0)
            .map(|(it, signals)| (&it.memory, signals.open_contradictions))
            .collect();
        let total: u32 = open.iter().map(|(_, count)| count).sum();
        let status = match total as usize {
            0 => Status::Healthy,
            n if n < self.settings.health.contradictions_max => Status::Watch,
            _ => Status::NeedsAttention,
        };
        let worst =
            open.iter().max_by_key(|(memory, count)| (*count, std::cmp::Reverse(&memory.id)));
        let reason = match worst {
            None => "no open contradiction".to_owned(),
            Some((memory, count)) => {
                let open = counted(total as usize, "open contradiction", "open contradictions");
                format!("{open}, most of `{}` ({count})", memory.id)
            }
        };
        let id = worst.map(|(memory, _)| memory.id.to_string()).unwrap_or_default();
        indicator("contradictions", status, reason, &format!("oldhand why {id}"))
    }

    fn reviews(&self, facts: &Facts) -> Indicator {
        let policy = &self.settings.review;
        let oldest =
            facts.late.iter().max_by_key(|(id, days)| (*days, std::cmp::Reverse(id.clone())));
        let days = oldest.map_or(0, |(_, days)| *days);
        let status =
            if days >= policy.urgent_days || facts.waiting > self.settings.health.waiting_max {
                Status::NeedsAttention
            } else if days >= policy.reminder_days {
                Status::Watch
            } else {
                Status::Healthy
            };
        let waiting = counted(facts.waiting, "waits for a person", "wait for a person");
        let reason = match oldest {
            Some((id, days)) if *days > 0 => {
                format!("{waiting}, `{id}` for {days} days")
            }
            _ => waiting,
        };
        indicator("waiting reviews", status, reason, "oldhand review")
    }

    fn stale(&self, facts: &Facts) -> Indicator {
        let bound: Vec<&Stored> = facts
            .in_use()
            .map(|(stored, _)| stored)
            .filter(|stored| stored.memory.refresh_tier == Some(2))
            .collect();
        let report = self.fresh(&bound);
        let stale = report
            .memories
            .iter()
            .filter(|one| !matches!(one.verdict, Verdict::Fresh | Verdict::Unbound))
            .count();
        let share = percent(stale, bound.len());
        let max = self.settings.health.stale_percent_max;
        let status = if share > max { Status::NeedsAttention } else { Status::Healthy };
        let reason = format!("{stale} of {} bound to code may be stale", bound.len());
        indicator("stale share", status, reason, "oldhand fresh")
    }

    fn unused(&self, facts: &Facts) -> Indicator {
        let policy = &self.settings.health;
        let is_old = |memory: &Memory| {
            memory
                .created_at
                .is_some_and(|at| days_between(at, self.now) >= policy.unused_after_days)
        };
        let old: Vec<&(Stored, Signals)> =
            facts.in_use().filter(|(it, _)| is_old(&it.memory)).collect();
        let unused: Vec<&Memory> = old
            .iter()
            .filter(|(_, signals)| signals.reuse_count == 0)
            .map(|(stored, _)| &stored.memory)
            .collect();
        let share = percent(unused.len(), old.len());
        let status =
            if share > policy.unused_percent_max { Status::Watch } else { Status::Healthy };
        let days = policy.unused_after_days;
        let (some, all) = (unused.len(), old.len());
        let reason = format!("{some} of {all} older than {days} days were never used");
        let oldest = unused.iter().min_by_key(|it| (it.created_at, &it.id));
        let id = oldest.map(|it| it.id.to_string()).unwrap_or_default();
        indicator("unused share", status, reason, &format!("oldhand why {id}"))
    }

    fn archive_review_reasons(&self, facts: &Facts, health: &Health) -> Vec<String> {
        let policy = &self.settings.health;
        let mut reasons = Vec::new();
        let decisions: Vec<&(Stored, Signals)> =
            facts.of(Kind::Decision, RecordStatus::Active).collect();
        let days = facts.last_review.map(|at| days_between(at, self.now));
        // Looked at a moment ago: what is there is meant to be there.
        if days.is_some_and(|days| days < 1) {
            return reasons;
        }
        if decisions.len() > policy.decisions_max {
            reasons.push(format!("more than {} decisions are active", policy.decisions_max));
        }
        let bytes: usize = decisions.iter().map(|(stored, _)| stored.text.len()).sum();
        if bytes > policy.decisions_bytes_max {
            let (kib, max) = (bytes / 1024, policy.decisions_bytes_max / 1024);
            reasons.push(format!("the active decisions have {kib} KiB, more than {max}"));
        }
        for one in &health.indicators {
            if one.status == Status::NeedsAttention {
                reasons.push(format!("`{}` needs attention", one.name));
            }
        }
        let since = facts.last_review.or(facts.first_event);
        let age = since.map_or(0, |at| days_between(at, self.now));
        if age >= policy.archive_review_days && !decisions.is_empty() {
            reasons.push(format!("the last look through the archive is {age} days ago"));
        }
        reasons
    }

    /// R129: a review of the archive has read both, the active log and the archive, in full.
    pub fn archive_review(&self) -> Result<Done<'a, Vec<Stored>>, Failure> {
        self.write(&mut || {
            let spec = self.settings.kinds.spec(&Kind::Decision);
            let mut all = self.vault.scan_kind(&spec)?.stored;
            all.retain(|stored| stored.memory.record_status() != RecordStatus::Retired);
            all.sort_by(|a, b| {
                let key = |it: &Stored| (it.memory.record_status(), it.memory.id.clone());
                key(a).cmp(&key(b))
            });
            let mut event = oldhand_core::event::Event::new(EventType::Reviewed, "", self.now);
            event.by = self.by.to_owned();
            event.reason = ARCHIVE_REVIEW.to_owned();
            Ok((all, Plan { files: Vec::new(), events: vec![event] }))
        })
    }
}

fn percent(part: usize, whole: usize) -> usize {
    (part * 100).checked_div(whole).unwrap_or(0)
}

fn indicator(name: &'static str, status: Status, reason: String, command: &str) -> Indicator {
    let command = if status == Status::Healthy { String::new() } else { command.trim().to_owned() };
    Indicator { name, status, reason, command }
}
