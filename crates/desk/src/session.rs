//! The session that a command belongs to, and its working notes. Sessions that run at the same time
//! never see each other's notes.

use std::path::PathBuf;

use oldhand_app::sessions::{NotesError, Sessions};
use oldhand_core::refusal::{Code, Refusal};
use oldhand_sessions::notes::{NOTES_MAX, Notes, What};
use oldhand_sessions::summary::Summary;
use oldhand_store::disk::Held;
use oldhand_store::failure::StoreError;
use oldhand_store::port::session::{SessionId, StoreRecord};
use oldhand_store::port::session_state::SessionState;
use oldhand_text::hash::ContentHash;
use oldhand_text::problem::Problem;
use oldhand_text::strings::visible_line;
use rustix::fs::Access;

use crate::desk::Desk;
use crate::desk::ground::SharedSessions;
use crate::failure::Fail;

/// By these a shell knows the session that opened it, ours first.
pub const SESSION_VARIABLES: &[&str] =
    &["OLDHAND_SESSION", "CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID"];
const NAME_CHARS_MAX: usize = 200;

/// A session, or a subagent of it.
#[derive(Clone)]
pub struct Session<'a> {
    pub name: String,
    /// Empty unless a hook was called for a subagent.
    pub agent: String,
    /// Nobody named one: it is the worktree's own.
    pub is_own: bool,
    pub store: SharedSessions<'a>,
    pub worktree: String,
}

impl<'a> Desk<'a> {
    /// The folder that is checked out here: two worktrees of one repository are two places of work.
    pub fn worktree(&self) -> PathBuf {
        self.ground.worktree(self)
    }

    /// What this machine keeps about the sessions of the store; none without a store or a home.
    pub fn sessions(&self) -> Option<SharedSessions<'a>> {
        self.own_sessions().ok()
    }

    /// The tasks under way and what else belongs to the store as a whole. Without a home there is
    /// nothing; what can't be read is an error.
    pub fn record(&self) -> Result<StoreRecord, Fail> {
        let record = self.sessions().map(|sessions| sessions.record()).transpose()?;
        Ok(record.unwrap_or_default())
    }

    /// The same where there must be one.
    pub fn own_sessions(&self) -> Result<SharedSessions<'a>, Fail> {
        let layout = self.layout()?;
        self.ground.sessions(self, &layout).ok_or_else(no_folder)
    }

    /// The session that was named, that opened this shell, or that is alone here; else the
    /// worktree's own.
    pub fn session(&self, given: Option<&str>) -> Result<Session<'a>, Fail> {
        let store = self.own_sessions()?;
        let worktree = self.worktree().to_string_lossy().into_owned();
        let named = given
            .map(str::to_owned)
            .or_else(|| SESSION_VARIABLES.iter().find_map(|it| self.env.var(it).map(str::to_owned)))
            .or_else(|| self.only_live(&store, &worktree));
        let is_own = named.is_none();
        let here = || format!("here-{}", ContentHash::of(worktree.as_bytes()).short());
        let name = named.unwrap_or_else(here);
        if name.trim().is_empty() || name.chars().count() > NAME_CHARS_MAX {
            let expected = "the name of a session, at most 200 characters";
            let problem = Problem::new("--session", expected, &name);
            return Err(problem.with_fix("`oldhand notes --all` lists the sessions here").into());
        }
        Ok(Session { is_own, worktree, ..Session::named(&store, &name) })
    }

    /// The same, and this machine must know it.
    pub fn known_session(&self, given: Option<&str>) -> Result<Session<'a>, Fail> {
        let session = self.session(given)?;
        if given.is_some() && !session.store.knows(&session.name) {
            let message = format!("there is no session `{}` here", session.name);
            let hint = "`oldhand notes --all` lists the sessions that this machine knows";
            return Err(Refusal::new(Code::NotFound, message).with_hint(hint).into());
        }
        Ok(session)
    }

    /// The same; none on a machine that keeps no notes, unless the session was named.
    pub fn session_if_any(&self, given: Option<&str>) -> Result<Option<Session<'a>>, Fail> {
        match self.known_session(given) {
            Err(fail) if given.is_some() => Err(fail),
            session => Ok(session.ok()),
        }
    }

    /// An agent's shell that does not know its session: hooks do, where there is but one.
    fn only_live(&self, store: &SharedSessions<'_>, worktree: &str) -> Option<String> {
        self.agent()?;
        let mut live = store.recent().into_iter().filter(|known| {
            known.presence.worktree == worktree
                && !known.presence.host.is_empty()
                && !known.settlement.is_over
                && !known.is_idle(self.now)
        });
        let only = live.next()?;
        live.next().is_none().then_some(only.session)
    }
}

impl<'a> Session<'a> {
    pub fn named(store: &SharedSessions<'a>, name: &str) -> Self {
        let (agent, worktree) = (String::new(), String::new());
        Self { name: name.to_owned(), agent, is_own: false, store: store.clone(), worktree }
    }

    fn id(&self) -> SessionId<'_> {
        SessionId { session: &self.name, agent: &self.agent }
    }

    /// Notes that can't be read are an error: they are not the same as no notes.
    pub fn notes(&self) -> Result<Notes, Fail> {
        self.store.notes(&self.name).map_err(usage)
    }

    /// The notes as far as they can be read, for an answer that is useful without them.
    pub fn visible_notes(&self) -> Notes {
        self.store.notes(&self.name).unwrap_or_default()
    }

    /// What hooks know of it; nothing where there are none.
    pub fn state(&self) -> SessionState {
        self.store.load(self.id()).unwrap_or_default()
    }

    pub fn update_state<T>(
        &self,
        change: impl FnOnce(&mut SessionState) -> T,
    ) -> Result<T, StoreError> {
        self.store.update(self.id(), change)
    }

    /// Locks what takes time and must not be done twice.
    pub fn hold_work(&self) -> Result<Box<dyn Held>, StoreError> {
        self.store.hold_work(self.id())
    }

    /// So that hooks don't tell these again. Best effort: told twice is no harm.
    pub fn mark_served(&self, ids: &[String]) {
        let _ = self.store.give(&self.name, ids);
    }

    /// The summary to which its conversation was last compacted (R169).
    pub fn compacted(&self) -> Option<Summary> {
        let summary = Summary::parse(&self.store.summary(&self.name)?);
        Some(summary).filter(|summary| !summary.is_empty())
    }

    /// In words: the worktree's own session has no name that people know.
    pub fn label(&self) -> String {
        match self.is_own {
            true => "this worktree".to_owned(),
            false => format!("session `{}`", visible_line(&self.name)),
        }
    }

    /// Durable when it returns. All lines of one call are one write.
    pub fn append(&self, now: jiff::Timestamp, news: Vec<What>) -> Result<Notes, Fail> {
        self.update_notes(now, |_| Ok(news))
    }

    /// The same, decided by the notes as they are at this moment: nobody else writes in between.
    pub fn update_notes(
        &self,
        now: jiff::Timestamp,
        decide: impl FnOnce(&Notes) -> Result<Vec<What>, Fail>,
    ) -> Result<Notes, Fail> {
        let mut has_news = false;
        let decide = |notes: &Notes| {
            let news = decide(notes)?;
            has_news = !news.is_empty();
            Ok(news)
        };
        match self.store.update_notes(&self.name, now, decide) {
            Ok(()) => {}
            Err(NotesError::Full) => {
                let message = format!("{} already has {NOTES_MAX} notes", self.label());
                let hint = "review them with `oldhand notes`, then `oldhand notes discard`";
                return Err(Refusal::new(Code::Validation, message).with_hint(hint).into());
            }
            Err(NotesError::Other(Fail::Store(error))) => return Err(usage(error)),
            Err(NotesError::Other(fail)) => return Err(fail),
        }
        if has_news {
            // So that the session is listed with its time, also where no hook is. Best effort: the
            // notes themselves are written.
            let _ = self.update_state(|state| {
                state.see(now);
                if state.presence.worktree.is_empty() {
                    state.presence.worktree.clone_from(&self.worktree);
                }
            });
        }
        self.notes()
    }
}

impl Desk<'_> {
    /// Why nothing can be kept of sessions on this machine: hooks then do nothing, and say nothing.
    pub fn state_trouble(&self) -> Option<(PathBuf, String)> {
        let folder = self.layout().ok().and_then(|layout| self.state_folder(&layout));
        let Some(folder) = folder else {
            return Some((PathBuf::from("state"), no_folder().message()));
        };
        let there = folder.ancestors().find(|it| it.symlink_metadata().is_ok())?;
        let is_folder = there.is_dir();
        let access = rustix::fs::access(there, Access::WRITE_OK | Access::EXEC_OK);
        match access {
            _ if !is_folder => {
                Some((folder.clone(), format!("`{}` is not a folder", there.display())))
            }
            Ok(()) => None,
            Err(error) => Some((folder.clone(), format!("can't be written: {error}"))),
        }
    }
}

pub(crate) fn no_folder() -> Fail {
    Fail::usage(
        "there is no folder for this machine's own notes",
        "set `HOME` or `XDG_STATE_HOME` to a folder of yours",
    )
}

/// The store's own hints are about memories.
fn usage(error: StoreError) -> Fail {
    let hint = match error.op {
        "read" => "make the file readable, or move it away",
        _ => "make the folder writable, or set `XDG_STATE_HOME` to another one",
    };
    Fail::usage(error.to_string(), hint)
}
