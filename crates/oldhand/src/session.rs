//! The session that a command belongs to, and its working notes: one file a session, to which lines
//! are only added. Sessions that run at the same time never see each other's notes.

use std::fs::OpenOptions;
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use oldhand_core::refusal::{Code, Refusal};
use oldhand_sessions::conversation::Working;
use oldhand_sessions::notes::{Line, NOTES_MAX, Notes, What};
use oldhand_sessions::summary::Summary;
use oldhand_text::hash::ContentHash;
use oldhand_text::strings::visible_line;
use oldhand_text::time::{format_instant, minutes_between, parse_instant};

use crate::desk::Desk;
use crate::failure::Fail;
use crate::hook::state::{self, SessionState};

/// By these a shell knows the session that opened it, ours first.
pub(crate) const SESSION_VARIABLES: &[&str] =
    &["OLDHAND_SESSION", "CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID"];
/// A session that nobody heard of for so long is over.
pub(crate) const IDLE_MINUTES: i64 = 6 * 60;
/// A file of notes is read no further.
const NOTES_BYTES_MAX: u64 = 4 * 1024 * 1024;
const NAME_CHARS_MAX: usize = 200;

#[derive(Debug, Clone)]
pub(crate) struct Session {
    pub name: String,
    /// Nobody named one: it is the worktree's own.
    pub is_own: bool,
    folder: PathBuf,
    worktree: String,
}

impl Desk<'_> {
    /// The folder that is checked out here: two worktrees of one repository are two places of work.
    pub(crate) fn worktree(&self) -> PathBuf {
        let here = self.current_dir();
        let here = std::fs::canonicalize(&here).unwrap_or(here);
        let is_top = |folder: &&Path| folder.join(".git").exists();
        let store = || self.layout().ok().map(|layout| layout.repository);
        here.ancestors().find(is_top).map(Path::to_owned).or_else(store).unwrap_or(here)
    }

    /// This machine's own notes about the store.
    pub(crate) fn notes_folder(&self) -> Result<PathBuf, Fail> {
        let layout = self.layout()?;
        self.state_folder(&layout).ok_or_else(|| {
            Fail::usage(
                "there is no place for this machine's own notes",
                "set `HOME` or `XDG_STATE_HOME` to a folder of yours",
            )
        })
    }

    /// The session that was named, that opened this shell, or that is alone here; else the
    /// worktree's own.
    pub(crate) fn session(&self, given: Option<&str>) -> Result<Session, Fail> {
        let folder = self.notes_folder()?;
        let worktree = self.worktree().to_string_lossy().into_owned();
        let named = given
            .map(str::to_owned)
            .or_else(|| SESSION_VARIABLES.iter().find_map(|it| self.env.var(it).map(str::to_owned)))
            .or_else(|| self.only_live(&folder, &worktree));
        if let Some(name) = named {
            if name.trim().is_empty() || name.chars().count() > NAME_CHARS_MAX {
                let expected = "the name of a session, at most 200 characters";
                let problem = oldhand_text::problem::Problem::new("--session", expected, &name);
                return Err(problem
                    .with_fix("`oldhand notes --all` lists the sessions here")
                    .into());
            }
            return Ok(Session { name, is_own: false, folder, worktree });
        }
        let mark = ContentHash::of(worktree.as_bytes()).to_string();
        let name = format!("here-{}", &mark[..12]);
        Ok(Session { name, is_own: true, folder, worktree })
    }

    /// The same, and somebody must have heard of it.
    pub(crate) fn known_session(&self, given: Option<&str>) -> Result<Session, Fail> {
        let session = self.session(given)?;
        if given.is_some() && !session.is_known() {
            let message = format!("there is no session `{}` here", session.name);
            let hint = "`oldhand notes --all` lists the sessions that this machine knows";
            return Err(Refusal::new(Code::NotFound, message).with_hint(hint).into());
        }
        Ok(session)
    }

    /// An agent's shell that does not know its session: hooks do, where there is but one.
    fn only_live(&self, folder: &Path, worktree: &str) -> Option<String> {
        self.agent()?;
        let mut live = state::known(folder).into_iter().filter(|known| {
            let seen = parse_instant(&known.seen_at);
            known.worktree == worktree
                && !known.host.is_empty()
                && !known.is_over
                && seen.is_some_and(|at| minutes_between(at, self.now) < IDLE_MINUTES)
        });
        let only = live.next()?;
        live.next().is_none().then_some(only.session)
    }
}

impl Session {
    pub(crate) fn of_hook(folder: &Path, session: &str) -> Self {
        Self {
            name: session.to_owned(),
            is_own: false,
            folder: folder.to_owned(),
            worktree: String::new(),
        }
    }

    fn notes_path(&self) -> PathBuf {
        state::path_of(&self.folder, &self.name, "notes.jsonl")
    }

    fn is_known(&self) -> bool {
        self.notes_path().exists() || state::path_of(&self.folder, &self.name, "json").exists()
    }

    /// A file that can't be read is not one without notes: nothing is decided by it.
    pub(crate) fn notes(&self) -> Result<Notes, Fail> {
        let path = self.notes_path();
        let mut text = Vec::new();
        let read = std::fs::File::open(&path)
            .and_then(|file| file.take(NOTES_BYTES_MAX).read_to_end(&mut text));
        match read {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                let message = format!("could not read `{}`: {error}", path.display());
                Err(Fail::usage(message, "make the file readable, or move it away"))
            }
            _ => Ok(Notes::read(&String::from_utf8_lossy(&text))),
        }
    }

    /// What can be seen of them, for an answer that is worth something without.
    pub(crate) fn visible_notes(&self) -> Notes {
        self.notes().unwrap_or_default()
    }

    /// What hooks know of it; nothing where there are none.
    pub(crate) fn state(&self) -> SessionState {
        state::look(&self.folder, &self.name, "").unwrap_or_default()
    }

    pub(crate) fn working(&self) -> Working {
        self.state().working
    }

    /// What its conversation was last compacted to (R169).
    pub(crate) fn compacted(&self) -> Option<Summary> {
        let path = state::path_of(&self.folder, &self.name, "summary.md");
        let mut text = String::new();
        std::fs::File::open(path).ok()?.take(NOTES_BYTES_MAX).read_to_string(&mut text).ok()?;
        Some(Summary::parse(&text)).filter(|summary| !summary.is_empty())
    }

    pub(crate) fn keep_compacted(&self, summary: &Summary) -> Result<(), Fail> {
        let path = state::path_of(&self.folder, &self.name, "summary.md");
        if let Some(folder) = path.parent() {
            std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        }
        Ok(replace(&path, &summary.render())?)
    }

    /// In words: nobody has ever typed the name of a worktree's own session.
    pub(crate) fn label(&self) -> String {
        if self.is_own {
            "this worktree".to_owned()
        } else {
            format!("session `{}`", visible_line(&self.name))
        }
    }

    /// On disk when it returns. All lines of one call are one write.
    pub(crate) fn append(&self, now: jiff::Timestamp, news: Vec<What>) -> Result<Notes, Fail> {
        self.update(now, |_| Ok(news))
    }

    /// The same by what the notes say at this moment: nobody else writes in between.
    pub(crate) fn update(
        &self,
        now: jiff::Timestamp,
        decide: impl FnOnce(&Notes) -> Result<Vec<What>, Fail>,
    ) -> Result<Notes, Fail> {
        let _lock =
            state::lock(&self.folder, &self.name, "notes.lock").map_err(|it| self.told(&it))?;
        let notes = self.notes()?;
        let news = decide(&notes)?;
        if news.is_empty() {
            return Ok(notes);
        }
        let more = news.iter().filter(|it| matches!(it, What::Note { .. } | What::Step { .. }));
        if more.count() > 0 && notes.items.len() + news.len() > NOTES_MAX {
            let message = format!("{} has {NOTES_MAX} notes already", self.label());
            let hint = "look them through: `oldhand notes`, then `oldhand notes discard`";
            return Err(Refusal::new(Code::Validation, message).with_hint(hint).into());
        }
        let at = format_instant(now);
        let written = match news.as_slice() {
            // Everything was looked through: the file begins anew, and never fills up for good.
            [What::Reviewed { through, kept }] if *through >= notes.last => {
                self.begin_anew(&at, What::Reviewed { kept: kept.clone(), through: notes.last })
            }
            _ => self.write(&at, news),
        };
        written.map_err(|error| self.told(&error))?;
        self.introduce(&at);
        self.notes()
    }

    fn told(&self, error: &std::io::Error) -> Fail {
        let path = self.notes_path();
        let message = format!("could not write `{}`: {error}", path.display());
        Fail::usage(message, "make the folder writable, or set `XDG_STATE_HOME` to another one")
    }

    fn begin_anew(&self, at: &str, what: What) -> std::io::Result<()> {
        let mut text = serde_json::to_string(&Line { at: at.to_owned(), what })?;
        text.push('\n');
        replace(&self.notes_path(), &text)
    }

    fn write(&self, at: &str, news: Vec<What>) -> std::io::Result<()> {
        let mut bytes = Vec::new();
        for what in news {
            serde_json::to_writer(&mut bytes, &Line { at: at.to_owned(), what })?;
            bytes.push(b'\n');
        }
        let path = self.notes_path();
        let is_new = !path.exists();
        let mut file =
            OpenOptions::new().create(true).append(true).read(true).mode(0o600).open(&path)?;
        if !is_new && !ends_whole(&mut file)? {
            // A line that was cut off ends here, and the next one is whole.
            bytes.insert(0, b'\n');
        }
        if file.metadata()?.len() + bytes.len() as u64 > NOTES_BYTES_MAX {
            return Err(std::io::Error::other("it is full; `oldhand notes discard` makes room"));
        }
        file.write_all(&bytes)?;
        file.sync_data()?;
        if is_new { sync_folder(&path) } else { Ok(()) }
    }

    /// So that the session is listed with its time, also where no hook is.
    fn introduce(&self, at: &str) {
        // Best effort: the notes themselves are written.
        let _ = state::update(&self.folder, &self.name, "", |state| {
            if state.started_at.is_empty() {
                state.started_at = at.to_owned();
            }
            state.seen_at = at.to_owned();
            if state.worktree.is_empty() {
                state.worktree.clone_from(&self.worktree);
            }
        });
    }
}

/// In one step, and on disk when it returns.
fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    let part = path.with_extension("part");
    // What an interrupted command left would keep its own rights.
    let _ = std::fs::remove_file(&part);
    let mut options = OpenOptions::new();
    let mut file = options.write(true).create_new(true).mode(0o600).open(&part)?;
    file.write_all(text.as_bytes())?;
    file.sync_data()?;
    std::fs::rename(part, path)?;
    sync_folder(path)
}

/// A name is on disk when its folder is.
fn sync_folder(path: &Path) -> std::io::Result<()> {
    match path.parent() {
        Some(folder) => std::fs::File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}

fn ends_whole(file: &mut std::fs::File) -> std::io::Result<bool> {
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(true);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last[0] == b'\n')
}
