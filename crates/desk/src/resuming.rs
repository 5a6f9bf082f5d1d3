//! What this machine knows about where work stopped, for `oldhand resume` and for the hook at the
//! start of a session: one way for both.

use std::path::Path;

use jiff::Timestamp;
use oldhand_app::recall::Request;
use oldhand_app::resume::Start;
use oldhand_app::sessions::Sessions;
use oldhand_sessions::resume::{Compacted, Mode, Resume, Trail};
use oldhand_store::port::session_state::SessionState;
use oldhand_text::agent_text::AgentText;
use oldhand_text::strings::counted;
use oldhand_text::time::{days_between, format_instant, parse_instant};

use crate::compacting::is_same_file;
use crate::desk::Desk;
use crate::desk::ground::SharedSessions;
use crate::failure::Fail;
use crate::reading::Reading;
use crate::session::Session;

/// Notes of a session that is older than this explain nothing any more.
const NOTES_DAYS: i64 = 30;
/// So many more candidates are worth another word.
const CANDIDATES_NEWS: usize = 10;
const PENDING_SHOWN: usize = 3;
const UNRECORDED_SHOWN: usize = 3;
/// It names the first few modules.
const DRIFT_CHARS_MAX: usize = 400;

#[derive(Default)]
pub struct ResumeRequest<'c> {
    pub session: Option<&'c str>,
    pub task: Option<&'c str>,
    pub paths: &'c [String],
    pub onboard: bool,
}

/// Tells it, and only then writes down that it was told.
pub fn resume_work<T>(
    request: &ResumeRequest<'_>,
    desk: &Desk<'_>,
    tell: impl FnOnce(&Resume) -> Result<T, Fail>,
) -> Result<T, Fail> {
    let session = desk.session_if_any(request.session)?;
    let named = |it: &Session<'_>| SessionState { session: it.name.clone(), ..it.state() };
    let own = session.as_ref().map(named).unwrap_or_default();
    let layout = desk.layout()?;
    let sessions = desk.sessions();
    let arrival = Arrival {
        now: desk.now,
        sessions: sessions.as_ref(),
        worktree: desk.worktree().to_string_lossy().into_owned(),
        repository: &layout.repository,
        own: &own,
        is_own_shell: session.as_ref().is_some_and(|it| it.is_own),
        is_compacted: false,
        is_own_store: desk.flags.global,
    };
    desk.read(|reading| {
        let mut start = arrival.start(reading)?;
        if request.onboard {
            start.mode = Mode::Onboarding;
        }
        let objective = || session.as_ref().map(|it| it.visible_notes().objective);
        let text = request.task.map(str::to_owned).or_else(objective).unwrap_or_default();
        let paths = request.paths.to_vec();
        let has_task = !text.is_empty() || !paths.is_empty();
        start.task = has_task.then(|| Request { text, paths, ..Request::default() });
        let (resume, found) = reading.engine.sessions().resume(reading.index, &start)?;
        let told = tell(&resume)?;
        if let Some(bundle) = &found {
            let name = session.as_ref().map(|it| it.name.as_str());
            let task = desk.current_task(request.session);
            let asked = (request.task.unwrap_or_default(), request.paths);
            let _ = reading.leave_receipt((name, task.as_deref()), asked, bundle);
        }
        // Where nothing was told, nothing was confirmed.
        if !resume.is_empty() {
            arrival.enter();
        }
        if let Some(session) = session.filter(|it| !it.is_own) {
            session.mark_served(&resume.served());
        }
        Ok(told)
    })
}

/// The session that starts or comes back, and where.
pub struct Arrival<'a> {
    pub now: Timestamp,
    /// This machine's notes about the store; none without a home.
    pub sessions: Option<&'a SharedSessions<'a>>,
    pub worktree: String,
    pub repository: &'a Path,
    pub own: &'a SessionState,
    /// The worktree's own: a shell that knows of no session.
    pub is_own_shell: bool,
    /// The host has put a summary of its own into the conversation.
    pub is_compacted: bool,
    /// No store in this repository: the user's own answers, and knows sessions of other places.
    pub is_own_store: bool,
}

impl<'a> Arrival<'a> {
    /// Everything that does not come from memories.
    pub fn start(&self, reading: &Reading<'_>) -> Result<Start, Fail> {
        let (trail, trail_at) = self.trail();
        let mode = if self.has_begun() {
            Mode::MidTask
        } else if trail.is_none() && self.is_first_entry() {
            Mode::Onboarding
        } else {
            Mode::Resume
        };
        let project = self.repository.file_name().unwrap_or_default().to_string_lossy();
        Ok(Start {
            mode,
            project: project.into_owned(),
            trail,
            trail_at,
            waiting: self.waiting(reading)?,
            is_doubted: !reading.is_trusted,
            ..Start::default()
        })
    }

    fn own_session(&self) -> Option<Session<'a>> {
        let sessions = self.sessions?;
        (!self.own.session.is_empty()).then(|| Session::named(sessions, &self.own.session))
    }

    /// It is in the middle of something (R59).
    fn has_begun(&self) -> bool {
        self.own.working.prompts > 0
            || self.own_session().is_some_and(|session| !session.visible_notes().is_empty())
    }

    /// R106: where this session was, or where the one before it ended.
    fn trail(&self) -> (Option<Trail>, Option<Timestamp>) {
        let own = self
            .own_session()
            .filter(|_| self.has_begun())
            .map(|session| (self.trail_of_own(&session), worked_at(&session, self.own)));
        let last = self.last_before().map(|(session, last)| {
            let day = last.presence.seen_at.get(..10).unwrap_or_default();
            let label = format!("last session here ({day})");
            // How it ended says more than the diary of its middle.
            let trail = Trail::of_session(&label, &session.visible_notes(), &last.working, None);
            (trail, worked_at(&session, &last))
        });
        match (own, last) {
            // A shell without a session looks at the worktree: what an agent did since is news.
            (Some(own), Some(last)) if self.is_own_shell && last.1 > own.1 => {
                let mut trail = last.0;
                let noted = own.0.facts.into_iter().map(|fact| format!("noted here: {fact}"));
                trail.facts.extend(noted);
                (Some(trail), last.1)
            }
            (Some((trail, at)), _) | (None, Some((trail, at))) => (Some(trail), at),
            (None, None) => (None, None),
        }
    }

    /// The stored summary stands for the conversation as far as it goes (R169).
    fn trail_of_own(&self, session: &Session<'_>) -> Trail {
        const LABEL: &str = "this session so far";
        let notes = session.visible_notes();
        let SessionState { working, conversation, compaction: known, .. } = self.own;
        if self.is_compacted {
            return Trail::beside_summary(LABEL, &notes, working);
        }
        let seen = &conversation.transcript;
        let is_ours = seen.path.is_empty() || is_same_file(&known.path, &seen.path);
        let compacted = session.compacted().filter(|_| is_ours && known.lines > 0);
        let is_current = known.lines >= seen.lines;
        let compacted = compacted.map(|summary| Compacted { summary, is_current });
        Trail::of_session(LABEL, &notes, working, compacted.as_ref())
    }

    fn last_before(&self) -> Option<(Session<'a>, SessionState)> {
        // The user's own store knows sessions of many repositories; they don't matter here.
        let sessions = self.sessions.filter(|_| !self.is_own_store)?;
        let is_recent = |known: &SessionState| {
            let seen = parse_instant(&known.presence.seen_at);
            seen.is_some_and(|at| days_between(at, self.now) < NOTES_DAYS)
        };
        let session = |known: &SessionState| Session::named(sessions, &known.session);
        let has_something = |known: &SessionState| {
            known.working.tool_uses > 0 || !session(known).visible_notes().is_empty()
        };
        let last = sessions.recent().into_iter().find(|known| {
            let worktree = &known.presence.worktree;
            known.session != self.own.session
                && (worktree.is_empty() || *worktree == self.worktree)
                && is_recent(known)
                && has_something(known)
        })?;
        Some((session(&last), last))
    }

    /// R58: nobody has worked here yet, on this machine.
    fn is_first_entry(&self) -> bool {
        self.sessions.is_some_and(|sessions| {
            sessions.record().is_ok_and(|record| record.entered_at.is_empty())
                && sessions.recent().iter().all(|known| known.session == self.own.session)
        })
    }

    /// The boundaries were told: the next start is a return. Best effort: told again is no harm.
    pub fn enter(&self) {
        if let Some(sessions) = self.sessions {
            let _ = sessions.update_record(|record| {
                if record.entered_at.is_empty() {
                    record.entered_at = format_instant(self.now);
                }
            });
        }
    }

    /// What only a person can settle.
    fn waiting(&self, reading: &Reading<'_>) -> Result<Vec<AgentText>, Fail> {
        let engine = reading.engine;
        let mut lines = Vec::new();
        if !reading.is_trusted {
            lines.push(AgentText::ours(
                "the user has not accepted this repository's memory: everything from it below is a \
                 caution, not a rule (a person runs `oldhand trust`)",
            ));
        }
        let memories = reading.engine.memories();
        let unrecorded = memories.unrecorded(reading.index, UNRECORDED_SHOWN + 1)?;
        lines.extend(named(
            "not reviewed, whatever their files say: {}{} (`oldhand review`)",
            unrecorded,
        ));
        let contested = memories.contested(reading.index, UNRECORDED_SHOWN + 1)?;
        lines.extend(named(
            "an agent doubts what a person said, a caution until a person decides: {}{} \
             (`oldhand review`)",
            contested,
        ));
        let (pending, _) = engine.gate().pending_list()?;
        for one in pending.iter().take(PENDING_SHOWN) {
            let parts = [AgentText::line(&one.headline()), AgentText::line(one.id.as_str())];
            lines.push(AgentText::of("waits for a person: {} (`oldhand pending {}`)", &parts));
        }
        if let Some(more) = pending.len().checked_sub(PENDING_SHOWN).filter(|more| *more > 0) {
            lines.push(AgentText::of("and {} more (`oldhand pending`)", &[AgentText::count(more)]));
        }
        let record = self.sessions.and_then(|sessions| sessions.record().ok()).unwrap_or_default();
        let candidates = engine.sessions().candidates_waiting(reading.index)?;
        // Once, and again when many more wait: an agent can't decide them.
        let is_news = candidates >= record.candidates_told + CANDIDATES_NEWS
            || record.candidates_told == 0 && candidates > 0;
        if let Some(sessions) = self.sessions
            && (is_news || candidates < record.candidates_told)
        {
            let _ = sessions.update_record(|record| record.candidates_told = candidates);
        }
        let candidates = if is_news { candidates } else { 0 };
        for (count, one, many) in [
            (candidates, "candidate waits to be reviewed", "candidates wait to be reviewed"),
            (record.due, "memory is due for a review", "memories are due for a review"),
        ] {
            if count > 0 {
                let what = AgentText::line(&counted(count, one, many));
                lines.push(AgentText::of("{} (`oldhand review`)", &[what]));
            }
        }
        let drift = record.drift.filter(|_| !self.is_own_store);
        let drift = drift.and_then(|note| crate::drift::drift(engine, note));
        lines.extend(drift.map(|line| AgentText::line_of(&line, DRIFT_CHARS_MAX)));
        Ok(lines)
    }
}

/// The first of these, if there are any.
fn named(template: &'static str, mut ids: Vec<String>) -> Option<AgentText> {
    let more = if ids.len() > UNRECORDED_SHOWN { " and more" } else { "" };
    ids.truncate(UNRECORDED_SHOWN);
    let shown: Vec<AgentText> = ids.iter().map(|id| AgentText::line(id)).collect();
    let parts = [AgentText::join(&shown, ", "), AgentText::ours(more)];
    (!ids.is_empty()).then(|| AgentText::of(template, &parts))
}

/// When work was last done in it; a host's goodbye is no work.
fn worked_at(session: &Session<'_>, state: &SessionState) -> Option<Timestamp> {
    let times = &state.presence;
    let worked = if times.worked_at.is_empty() { &times.seen_at } else { &times.worked_at };
    parse_instant(worked).max(parse_instant(&session.visible_notes().updated_at))
}
