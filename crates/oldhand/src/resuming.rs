//! What this machine knows about where work stopped, for `oldhand resume` and for the hook at the
//! start of a session: one way for both.

use std::path::Path;

use jiff::Timestamp;
use oldhand_app::recall::Request;
use oldhand_app::resume::Start;
use oldhand_sessions::resume::{Compacted, Mode, Resume, Trail};
use oldhand_text::agent_text::AgentText;
use oldhand_text::time::{days_between, format_instant, parse_instant};

use crate::compacting::is_same_file;
use crate::desk::Desk;
use crate::failure::Fail;
use crate::hook::state::{self, SessionState};
use crate::reading::Reading;
use crate::receipt::{Receipt, Receipts};
use crate::session::Session;

/// Notes of a session that is older than this explain nothing any more.
const NOTES_DAYS: i64 = 30;
const PENDING_SHOWN: usize = 3;
const UNRECORDED_SHOWN: usize = 3;
/// It names the first few modules.
const DRIFT_CHARS_MAX: usize = 400;

/// Somebody who wants to know where work stopped.
#[derive(Default)]
pub(crate) struct ResumeRequest<'c> {
    pub session: Option<&'c str>,
    pub task: Option<&'c str>,
    pub paths: &'c [String],
    pub onboard: bool,
}

/// Tells it, and only then writes down that it was told.
pub(crate) fn resume_work(
    request: &ResumeRequest<'_>,
    desk: &Desk<'_>,
    tell: impl FnOnce(&Resume) -> Result<(), Fail>,
) -> Result<(), Fail> {
    // Without a home there is no session to be known.
    let session = match desk.known_session(request.session) {
        Ok(session) => Some(session),
        Err(fail) if request.session.is_some() => return Err(fail),
        Err(_) => None,
    };
    let own = match &session {
        Some(session) => SessionState { session: session.name.clone(), ..session.state() },
        None => SessionState::default(),
    };
    let layout = desk.layout()?;
    let folder = desk.state_folder(&layout);
    let comer = Comer {
        now: desk.now,
        folder: folder.as_deref(),
        worktree: desk.worktree().to_string_lossy().into_owned(),
        repository: &layout.repository,
        own: &own,
        is_own_shell: session.as_ref().is_some_and(|it| it.is_own),
        is_own_store: desk.flags.global,
    };
    desk.read(|reading| {
        let mut start = comer.start(reading)?;
        if request.onboard {
            start.mode = Mode::Onboarding;
        }
        let objective = session.as_ref().map(|it| it.visible_notes().objective).unwrap_or_default();
        start.task = question(request, &objective);
        let (resume, found) = reading.engine.resume(reading.index, &start)?;
        tell(&resume)?;
        if let (Some(bundle), Some(receipts)) = (&found, &reading.receipts) {
            // The answer is worth as much without it.
            let _ = receipts.leave(&Receipt {
                at: desk.now,
                session: session.as_ref().map(|it| it.name.as_str()),
                task: desk.current_task(request.session).as_deref(),
                by: reading.engine.by,
                query: request.task.unwrap_or_default(),
                paths: request.paths,
                bundle,
            });
        }
        // Where nothing was told, nothing was confirmed.
        if !resume.is_empty() {
            comer.enter();
        }
        if let (Some(session), Some(folder)) = (session.filter(|it| !it.is_own), &folder) {
            mark_served(&session, folder, &resume.served());
        }
        Ok(())
    })
}

/// The task that was named, or what the session's anchor says it is for.
fn question(request: &ResumeRequest<'_>, objective: &str) -> Option<Request> {
    let text = request.task.unwrap_or(objective).to_owned();
    let has_task = !text.is_empty() || !request.paths.is_empty();
    has_task.then(|| Request { text, paths: request.paths.to_vec(), ..Request::default() })
}

/// So that hooks don't tell it again. Best effort: told twice is no harm.
pub(crate) fn mark_served(session: &Session, folder: &Path, ids: &[String]) {
    let _ = state::update(folder, &session.name, "", |state| state.serve(ids));
}

/// Who comes, and where.
pub(crate) struct Comer<'a> {
    pub now: Timestamp,
    /// This machine's own notes about the store; without a home there are none.
    pub folder: Option<&'a Path>,
    pub worktree: String,
    pub repository: &'a Path,
    /// The session that comes, as far as it is known.
    pub own: &'a SessionState,
    /// It is the worktree's own: a shell that knows of no session.
    pub is_own_shell: bool,
    /// No store in this repository: your own one answers, and knows sessions of other places.
    pub is_own_store: bool,
}

impl Comer<'_> {
    /// Everything that does not come from memories.
    pub(crate) fn start(&self, reading: &Reading<'_>) -> Result<Start, Fail> {
        let (trail, trail_at) = self.trail();
        let is_own = self.has_begun();
        let mode = if is_own {
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

    fn own_session(&self) -> Option<Session> {
        let folder = self.folder?;
        (!self.own.session.is_empty()).then(|| Session::of_hook(folder, &self.own.session))
    }

    /// It is in the middle of something (R59).
    fn has_begun(&self) -> bool {
        self.own.working.prompts > 0
            || self.own_session().is_some_and(|session| !session.visible_notes().is_empty())
    }

    /// R106: where this session was, or where the one before it ended.
    fn trail(&self) -> (Option<Trail>, Option<Timestamp>) {
        let own = self.own_session().filter(|_| self.has_begun()).map(|session| {
            let trail = trail_of(&session, self.own, "this session so far");
            (trail, worked_at(&session, self.own))
        });
        let last = self.last_before().map(|(folder, last)| {
            let day = last.seen_at.get(..10).unwrap_or_default();
            let session = Session::of_hook(folder, &last.session);
            let trail = trail_of(&session, &last, &format!("last session here ({day})"));
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

    /// The session that worked in this worktree before.
    fn last_before(&self) -> Option<(&Path, SessionState)> {
        // Your own store knows the sessions of many repositories: none of their business here.
        let folder = self.folder.filter(|_| !self.is_own_store)?;
        let is_recent = |known: &SessionState| {
            parse_instant(&known.seen_at).is_some_and(|at| days_between(at, self.now) < NOTES_DAYS)
        };
        let has_something = |known: &SessionState| {
            known.working.tool_uses > 0
                || !Session::of_hook(folder, &known.session).visible_notes().is_empty()
        };
        let last = state::known(folder).into_iter().find(|known| {
            known.session != self.own.session
                && known.agent.is_empty()
                && (known.worktree.is_empty() || known.worktree == self.worktree)
                && is_recent(known)
                && has_something(known)
        })?;
        Some((folder, last))
    }

    /// R58: nobody has worked here yet, on this machine.
    fn is_first_entry(&self) -> bool {
        self.folder.is_some_and(|folder| {
            !folder.join("entered").exists()
                && state::known(folder).iter().all(|known| known.session == self.own.session)
        })
    }

    /// The boundaries were told: from now on it is a return. Best effort: told again is no harm.
    pub(crate) fn enter(&self) {
        if let Some(folder) = self.folder {
            let _ = state::write_own(&folder.join("entered"), &format_instant(self.now));
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
        lines.extend(unrecorded(reading)?);
        let (pending, _) = engine.pending_list()?;
        for one in pending.iter().take(PENDING_SHOWN) {
            let parts = [AgentText::line(&one.headline()), AgentText::line(one.id.as_str())];
            lines.push(AgentText::of("waits for a person: {} (`oldhand pending {}`)", &parts));
        }
        if let Some(more) = pending.len().checked_sub(PENDING_SHOWN).filter(|more| *more > 0) {
            lines.push(AgentText::of("and {} more (`oldhand pending`)", &[AgentText::count(more)]));
        }
        let waiting = engine.candidates_waiting(reading.index)?;
        if waiting > 0 {
            let what = if waiting == 1 { "candidate waits" } else { "candidates wait" };
            let parts = [AgentText::count(waiting), AgentText::ours(what)];
            lines.push(AgentText::of("{} {} to be reviewed (`oldhand review`)", &parts));
        }
        let receipts = self.folder.map(|folder| Receipts::new(folder.to_owned()));
        let due = receipts.map(|it| it.due()).unwrap_or_default();
        if due > 0 {
            let what = if due == 1 { "memory is" } else { "memories are" };
            let parts = [AgentText::count(due), AgentText::ours(what)];
            lines.push(AgentText::of("{} {} due for a review (`oldhand review`)", &parts));
        }
        let folder = self.folder.filter(|_| !self.is_own_store);
        let drift = folder.and_then(|folder| crate::architecture::drift(engine, folder));
        lines.extend(drift.map(|line| AgentText::line_of(&line, DRIFT_CHARS_MAX)));
        Ok(lines)
    }
}

/// Files that claim a standing which the log does not carry.
fn unrecorded(reading: &Reading<'_>) -> Result<Option<AgentText>, Fail> {
    let mut ids = reading.engine.unrecorded(reading.index, UNRECORDED_SHOWN + 1)?;
    let more = if ids.len() > UNRECORDED_SHOWN { " and more" } else { "" };
    ids.truncate(UNRECORDED_SHOWN);
    let named: Vec<AgentText> = ids.iter().map(|id| AgentText::line(id)).collect();
    let line = AgentText::of(
        "not reviewed, whatever their files say: {}{} (`oldhand review`)",
        &[AgentText::join(&named, ", "), AgentText::ours(more)],
    );
    Ok((!ids.is_empty()).then_some(line))
}

/// The stored summary stands for the conversation as far as it goes (R169).
fn trail_of(session: &Session, state: &SessionState, label: &str) -> Trail {
    let path = &state.transcript.path;
    let is_ours = path.is_empty() || is_same_file(&state.compacted_path, path);
    let compacted = session.compacted().filter(|_| is_ours && state.compacted_lines > 0);
    let is_current = state.compacted_lines >= state.transcript.lines;
    let compacted = compacted.map(|summary| Compacted { summary, is_current });
    Trail::of_session(label, &session.visible_notes(), &state.working, compacted.as_ref())
}

/// When work was last done in it, which a host's goodbye is not.
fn worked_at(session: &Session, state: &SessionState) -> Option<Timestamp> {
    let worked = if state.worked_at.is_empty() { &state.seen_at } else { &state.worked_at };
    parse_instant(worked).max(parse_instant(&session.visible_notes().updated_at))
}
