//! How the memory is doing: each indicator with its reason and the one command that helps.

use oldhand_core::fresh::Verdict;
use oldhand_core::lifecycle::Standing;
use oldhand_core::recall::row::{ARCHIVE_REVIEW, Flag, LogFacts};
use oldhand_core::state::RecordStatus;
use oldhand_text::time::days_between;

use crate::context::Care;
use crate::fresh::Checked;
use crate::gate::GATED;
use crate::prelude::*;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Status {
    #[default]
    Healthy,
    Watch,
    #[serde(rename = "needs attention")]
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

    fn of(needs_attention: bool, is_watched: bool) -> Self {
        match needs_attention {
            true => Self::NeedsAttention,
            false if is_watched => Self::Watch,
            false => Self::Healthy,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Indicator {
    pub name: &'static str,
    pub status: Status,
    pub reason: String,
    /// Empty while nothing has to be done.
    pub command: String,
}

#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Health {
    /// The worst of the indicators.
    pub status: Status,
    pub indicators: Vec<Indicator>,
    /// Why the archive should be looked through now (R115 to R118).
    pub archive_review: Vec<String>,
}

/// Archived memories whose references are looked for in one go.
const ARCHIVED_MAX: usize = 50;

struct Facts {
    known: Vec<Listed>,
    /// Under review: their ids, and for how many days.
    late: Vec<(String, i64)>,
    /// Proposals and requests, and memories that `review` lists.
    waiting: (usize, usize),
    /// What clashes and is in force, by the name under which it waits.
    unsettled: Vec<MemoryId>,
    log: LogFacts,
}

impl Facts {
    fn of(&self, kind: Kind, status: RecordStatus) -> impl Iterator<Item = &Listed> {
        self.known
            .iter()
            .filter(move |one| one.row.is(&kind) && one.row.state().record_status() == status)
    }

    fn in_use(&self) -> impl Iterator<Item = &Listed> {
        self.known.iter().filter(|one| one.row.state().is_served())
    }
}

impl<'a> Care<'a> {
    pub fn health(&self) -> Result<Health> {
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
        let archive_review = self.archive_review_reasons(&facts, &indicators);
        let status = indicators.iter().map(|one| one.status).max().unwrap_or_default();
        Ok(Health { status, indicators, archive_review })
    }

    fn facts(&self) -> Result<Facts> {
        let (pending, odd) = self.gate().pending_list()?;
        let rows = self.rows(None)?;
        let under_review = rows.listed.iter().filter(|it| it.row.state() == State::UnderReview);
        let days = |it: &Listed| it.row.under_review_since().map_or(0, |at| self.days_since(at));
        let late = under_review.map(|one| (one.id().to_owned(), days(one))).collect();
        let waiting = (pending.len() + odd.len(), self.upkeep().count_waiting(&rows.listed));
        let unsettled = self.gate().unsettled()?.into_iter().map(|(name, _)| name).collect();
        Ok(Facts { known: rows.listed, late, waiting, unsettled, log: rows.log })
    }

    fn days_since(&self, at: Timestamp) -> i64 {
        days_between(at, self.now)
    }

    /// The files behind some rows; one that is gone or can't be read is for `doctor`.
    fn files<'f>(&self, rows: impl Iterator<Item = &'f Listed>) -> Vec<Stored> {
        rows.filter_map(|one| self.vault.find_at(&one.path).ok().flatten()).collect()
    }

    /// R151, R152
    fn decisions(&self, facts: &Facts) -> Indicator {
        let policy = &self.settings.health;
        let active = facts.of(Kind::Decision, RecordStatus::Active).count();
        let archived = facts.of(Kind::Decision, RecordStatus::Archived).count();
        let days = policy.archive_review_days;
        let is_recent = facts.log.last_archived().is_some_and(|at| self.days_since(at) <= days);
        let is_late = active > policy.decisions_max && !is_recent;
        let never = active >= policy.decisions_max && archived == 0;
        let status = Status::of(never || is_late, false);
        let count = counted(active, "active decision", "active decisions");
        let reason = match never {
            true => format!("{count}, and nothing was ever archived"),
            false if is_late => format!("{count}, none archived for {days} days"),
            false => format!("{count}, {archived} archived"),
        };
        indicator("decisions", status, reason, "oldhand review --archive")
    }

    /// R153
    fn sessions(&self, facts: &Facts) -> Indicator {
        let policy = &self.settings.health;
        let open = facts.of(Kind::SessionSummary, RecordStatus::Active).count();
        let status = Status::of(open > policy.sessions_max, open > policy.sessions_healthy);
        let reason = counted(open, "open session summary", "open session summaries");
        indicator("sessions", status, reason, "oldhand sweep")
    }

    /// R154
    fn archived_constraints(&self, facts: &Facts) -> Indicator {
        let archived = facts.known.iter().filter(|it| it.row.state() == State::Archived);
        let archived = archived.filter(|it| GATED.iter().any(|kind| it.row.is(kind)));
        let archived = self.files(archived.take(ARCHIVED_MAX));
        let still =
            archived.iter().filter_map(|stored| match self.life().references(&stored.memory) {
                Standing::Referenced(places) => Some((&stored.memory.id, places)),
                _ => None,
            });
        let still: Vec<(&MemoryId, Vec<String>)> = still.collect();
        let name = "archived constraints";
        let Some((id, places)) = still.first() else {
            let reason = "nothing archived is still referenced".to_owned();
            return indicator(name, Status::Healthy, reason, "");
        };
        let (count, places) = (still.len(), places.join(", "));
        let reason = format!("{count} archived and still referenced, such as `{id}` in {places}");
        indicator(name, Status::NeedsAttention, reason, &format!("oldhand unarchive {id}"))
    }

    fn bloat(&self, facts: &Facts) -> Indicator {
        let active = facts.known.iter().filter(|it| it.row.state().is_active()).count();
        let candidates = facts.known.iter().filter(|it| it.row.state() == State::Candidate).count();
        let max = self.settings.health.memories_max;
        let status = Status::of(active > max, false);
        let active = counted(active, "active memory", "active memories");
        let reason = format!("{active}, {candidates} of them candidates");
        indicator("memory bloat", status, reason, "oldhand review")
    }

    fn contradictions(&self, facts: &Facts) -> Indicator {
        let active = facts.known.iter().filter(|it| it.row.state().is_active());
        let open = active.map(|it| (it.id(), it.row.open_contradictions()));
        let open: Vec<(&str, u32)> = open.filter(|(_, count)| *count > 0).collect();
        let reported: u32 = open.iter().map(|(_, count)| count).sum();
        let total = reported as usize + facts.unsettled.len();
        let is_bad = total > 0 && total >= self.settings.health.contradictions_max;
        let status = Status::of(is_bad, total > 0);
        let worst = open.iter().max_by_key(|(id, count)| (*count, std::cmp::Reverse(*id)));
        let count = counted(total, "open contradiction", "open contradictions");
        let (reason, command) = match (facts.unsettled.first(), worst) {
            (Some(name), _) => {
                (format!("{count}, such as `{name}`"), format!("oldhand pending {name}"))
            }
            (None, Some((id, most))) => {
                (format!("{count}, most of `{id}` ({most})"), format!("oldhand why {id}"))
            }
            (None, None) => ("no open contradiction".to_owned(), String::new()),
        };
        indicator("contradictions", status, reason, &command)
    }

    fn reviews(&self, facts: &Facts) -> Indicator {
        let policy = &self.settings.review;
        let oldest =
            facts.late.iter().max_by_key(|(id, days)| (*days, std::cmp::Reverse(id.clone())));
        let days = oldest.map_or(0, |(_, days)| *days);
        let (pending, listed) = facts.waiting;
        let all = pending + listed;
        let is_bad = days >= policy.urgent_days || all > self.settings.health.waiting_max;
        let status = Status::of(is_bad, days >= policy.reminder_days);
        let mut reason = counted(all, "waits for a person", "wait for a person");
        if all > 0 {
            reason.push_str(&format!(": {pending} pending, {listed} to review"));
        }
        if let Some((id, days)) = oldest.filter(|(_, days)| *days > 0) {
            reason.push_str(&format!(", `{id}` for {days} days"));
        }
        indicator("waiting reviews", status, reason, "oldhand review")
    }

    fn stale(&self, facts: &Facts) -> Indicator {
        let bound = self.files(facts.in_use().filter(|one| one.row.has(Flag::Bound)));
        let report = self.memories().fresh(&bound.iter().collect::<Vec<_>>());
        let is_stale = |it: &&Checked| !matches!(it.verdict, Verdict::Fresh | Verdict::Unbound);
        let stale = report.memories.iter().filter(is_stale).count();
        let share = percent(stale, bound.len());
        let max = self.settings.health.stale_percent_max;
        let status = Status::of(share > max, false);
        let reason = match bound.len() {
            0 => "no memory in use names code".to_owned(),
            all => format!("{stale} of {all} bound to code may be stale"),
        };
        indicator("stale share", status, reason, "oldhand fresh")
    }

    fn unused(&self, facts: &Facts) -> Indicator {
        let policy = &self.settings.health;
        let days = policy.unused_after_days;
        let is_old =
            |it: &&Listed| it.row.created_at().is_some_and(|at| self.days_since(at) >= days);
        let old: Vec<&Listed> = facts.in_use().filter(is_old).collect();
        let unused: Vec<&&Listed> = old.iter().filter(|it| it.row.reuses() == 0).collect();
        let share = percent(unused.len(), old.len());
        let status = Status::of(false, share > policy.unused_percent_max);
        let (some, all) = (unused.len(), old.len());
        let reason = match all {
            0 => format!("no memory in use is older than {days} days"),
            _ => format!("{some} of {all} older than {days} days were never used"),
        };
        let oldest = unused.iter().min_by_key(|it| (it.row.created_at(), it.id()));
        let id = oldest.map(|it| it.id()).unwrap_or_default();
        indicator("unused share", status, reason, &format!("oldhand why {id}"))
    }

    fn archive_review_reasons(&self, facts: &Facts, indicators: &[Indicator]) -> Vec<String> {
        let policy = &self.settings.health;
        let mut reasons = Vec::new();
        let decisions: Vec<&Listed> = facts.of(Kind::Decision, RecordStatus::Active).collect();
        let last_review = facts.log.last_archive_review();
        // Looked at a moment ago: what is there is meant to be there.
        if last_review.is_some_and(|at| self.days_since(at) < 1) {
            return reasons;
        }
        if decisions.len() > policy.decisions_max {
            reasons.push(format!("more than {} decisions are active", policy.decisions_max));
        }
        let bytes: usize = decisions.iter().map(|one| one.row.bytes as usize).sum();
        if bytes > policy.decisions_bytes_max {
            let (kib, max) = (bytes / 1024, policy.decisions_bytes_max / 1024);
            reasons.push(format!("the active decisions have {kib} KiB, more than {max}"));
        }
        let bad = indicators.iter().filter(|one| one.status == Status::NeedsAttention);
        reasons.extend(bad.map(|one| format!("`{}` needs attention", one.name)));
        let since = last_review.or(facts.log.first_event());
        let age = since.map_or(0, |at| self.days_since(at));
        if age >= policy.archive_review_days && !decisions.is_empty() {
            reasons.push(format!("the last look through the archive is {age} days ago"));
        }
        reasons
    }

    /// R129: a review of the archive has read both, the active log and the archive, in full.
    pub fn archive_review(&self) -> WriteResult<'a, Vec<Stored>> {
        self.write(&mut || {
            let mut all = self.stored_of(&Kind::Decision)?;
            all.retain(|stored| stored.memory.record_status() != RecordStatus::Retired);
            all.sort_by_key(|it| (it.memory.record_status(), it.memory.id.clone()));
            let event = Event::new(EventType::Reviewed, "", self.now);
            let event = Event { reason: ARCHIVE_REVIEW.to_owned(), ..event };
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
