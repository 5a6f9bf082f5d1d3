//! Where a command works: the store that was meant, the settings in force, and who is asking.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use oldhand_app::sessions::Sessions;
use oldhand_app::transfer::reason_of;
use oldhand_app::{Done, Engine};
use oldhand_core::actor::Via;
use oldhand_core::origin::Origin;
use oldhand_store::failure::Failure;
use oldhand_store::layout::Layout;
use oldhand_store::locate::Located;
use oldhand_store::port::Unsettled;
use oldhand_text::problem::Problem;

use crate::config::Resolved;
use crate::crash;
use crate::env::Env;
use crate::failure::Fail;
use crate::lasting::Lasting;
use crate::looks::Looks;
use crate::printer::Io;
use ground::{Ground, OpenedStore};

pub mod ground;

#[derive(Debug, Clone, Default)]
pub struct GlobalFlags {
    /// `-C`.
    pub directory: Option<PathBuf>,
    pub json: bool,
    pub global: bool,
    pub by: Option<String>,
    /// `KEY=VALUE` settings for this command.
    pub overrides: Vec<String>,
    pub looks: Looks,
    /// The name that git gives whoever types this, for commands that write.
    pub author: Option<String>,
    /// As in `Engine`: a write is refused if it has changed since.
    pub seen: Option<(String, String)>,
    /// As in `Engine`: what is undone together with other writes.
    pub batch: Option<String>,
}

pub struct Desk<'a> {
    pub env: &'a Env<'a>,
    pub flags: GlobalFlags,
    pub now: Timestamp,
    /// The host whose hook this is, or the client that asks: never a person's word.
    pub host: Option<String>,
    /// Set in a process that answers many times.
    pub lasting: Option<&'a Lasting>,
    /// Where the stores are.
    pub ground: &'a dyn Ground,
}

/// Who writes, if nothing says a name.
pub const SOMEBODY: &str = "somebody";

/// Variables that agents set in their shells, with the agent: what such a shell writes is its word.
pub const AGENT_VARIABLES: &[(&str, &str)] = &[
    ("CLAUDECODE", "claude-code"),
    ("CODEX_SANDBOX", "codex"),
    ("CODEX_SANDBOX_NETWORK_DISABLED", "codex"),
    ("CODEX_THREAD_ID", "codex"),
    ("CODEX_CI", "codex"),
    ("COPILOT_CLI", "copilot"),
    ("GEMINI_CLI", "gemini"),
    ("CURSOR_AGENT", "cursor"),
    ("OPENCODE", "opencode"),
];

impl<'a> Desk<'a> {
    pub fn current_dir(&self) -> PathBuf {
        let here = &self.env.current_dir;
        self.flags.directory.as_ref().map_or_else(|| here.clone(), |it| here.join(it))
    }

    pub fn user_layout(&self) -> Result<Layout, Fail> {
        self.ground.own(self)
    }

    pub fn made_user_layout(&self) -> Option<Layout> {
        let is_made = |own: &Layout| self.ground.is_made(self, own).unwrap_or(false);
        self.user_layout().ok().filter(is_made)
    }

    pub fn located(&self) -> Result<Located, Fail> {
        self.ground.located(self)
    }

    /// The store that is meant; it must exist.
    pub fn layout(&self) -> Result<Layout, Fail> {
        if self.flags.global {
            return self.user_layout();
        }
        match self.located()? {
            Located::Store { root, repository } => Ok(Layout { root, repository }),
            Located::Foreign { root } => Err(foreign_store(&root)),
            Located::Missing { repository } => {
                let message = format!("there is no store in `{}`", repository.display());
                Err(Fail::usage(message, "make one with `oldhand init`"))
            }
        }
    }

    /// The settings for a store, or without one.
    pub fn resolve(&self, layout: Option<&Layout>) -> Result<Resolved, Fail> {
        self.ground.resolve(self, layout)
    }

    /// The same, read again only when something has changed.
    pub fn settled(&self, layout: &Layout) -> Result<Arc<Resolved>, Fail> {
        self.ground.settled(self, layout)
    }

    /// What is claimed of the origin counts as far as the channel allows: where no person is known,
    /// nothing is a person's word.
    pub fn origin(&self, given: Option<&str>) -> Result<Origin, Problem> {
        let claimed = given.or(self.env.var("OLDHAND_ORIGIN")).map(Origin::parse).transpose()?;
        let claimed = claimed.unwrap_or(Origin::User);
        let is_persons = matches!(claimed, Origin::User | Origin::Gate);
        Ok(if is_persons && !self.via().is_person() { Origin::Agent } else { claimed })
    }

    /// The agent that opened this shell.
    pub fn agent(&self) -> Option<&'static str> {
        let known = AGENT_VARIABLES.iter().find(|(name, _)| self.env.var(name).is_some());
        known.map(|(_, agent)| *agent)
    }

    /// How the caller is known, whatever name it gives.
    pub fn via(&self) -> Via {
        self.ground.via(self)
    }

    pub fn by(&self, resolved: &Resolved) -> String {
        self.ground.by(self, resolved)
    }

    /// The session that was named or that opened this shell; none for the worktree's own.
    pub fn session_name(&self, given: Option<&str>) -> Option<String> {
        self.session(given).ok().filter(|session| !session.is_own).map(|session| session.name)
    }

    pub fn current_task(&self, session: Option<&str>) -> Option<String> {
        self.sessions()?.current_task(self.session_name(session).as_deref())
    }

    /// Whether this is a person's word. `--by` alone makes nobody a person.
    pub fn is_person(&self) -> Result<bool, Problem> {
        Ok(self.via().is_person() && self.origin(None)? == Origin::User)
    }

    /// Remarks beside an answer, for people: in JSON they are part of the answer.
    pub fn remark<T: AsRef<str>>(
        &self,
        io: &mut Io<'_>,
        kind: &str,
        remarks: impl IntoIterator<Item = T>,
    ) {
        if !self.flags.json {
            remarks.into_iter().for_each(|remark| io.note(kind, remark.as_ref()));
        }
    }

    pub fn work<T>(&self, job: impl FnOnce(&Engine<'_>) -> Result<T, Fail>) -> Result<T, Fail> {
        self.work_in(self.ready_layout()?, job)
    }

    /// The store that is meant; the user's own is made first where it is missing.
    pub fn ready_layout(&self) -> Result<Layout, Fail> {
        let layout = self.layout()?;
        if self.flags.global {
            self.make_user_store(&layout)?;
        }
        Ok(layout)
    }

    /// The user's own store is made when it is first used: nobody reviews it in a repository.
    pub fn make_user_store(&self, layout: &Layout) -> Result<(), Fail> {
        self.ground.make_own(self, layout)
    }

    /// The same where a memory is: in the project's store, or in one beside it.
    pub fn work_on<T>(
        &self,
        id: &str,
        job: impl FnOnce(&Engine<'_>) -> Result<T, Fail>,
    ) -> Result<T, Fail> {
        let mut layout = self.layout()?;
        let beside = self.beside(&layout);
        let has = |it: &Layout| self.work_in(it.clone(), |engine| Ok(engine.get(id).is_ok()));
        if !beside.is_empty() && !has(&layout)? {
            for it in beside {
                if has(&it.layout)? {
                    layout = it.layout;
                    break;
                }
            }
        }
        self.work_in(layout, job)
    }

    pub fn work_in<T>(
        &self,
        layout: Layout,
        job: impl FnOnce(&Engine<'_>) -> Result<T, Fail>,
    ) -> Result<T, Fail> {
        let resolved = self.resolve(Some(&layout))?;
        let (by, via, is_person) = (self.by(&resolved), self.via(), self.is_person()?);
        let (mut job, mut done) = (Some(job), None);
        self.ground.work(self, &layout, &resolved, &mut |place| {
            let seen = self.flags.seen.as_ref().map(|(id, hash)| (id.as_str(), hash.as_str()));
            let batch = self.flags.batch.as_deref();
            let engine = self.engine(place, &resolved, (&by, &via, is_person));
            done = job.take().map(|job| job(&Engine { seen, batch, ..engine }));
        })?;
        done.expect("a ground calls its job before it returns")
    }

    pub(crate) fn engine<'e>(
        &self,
        place: OpenedStore<'e>,
        resolved: &'e Resolved,
        (by, via, is_person): (&'e str, &'e Via, bool),
    ) -> Engine<'e> {
        Engine {
            vault: place.vault,
            code: place.code,
            nearby: place.nearby,
            above: place.above,
            settings: &resolved.settings,
            by,
            via,
            is_person,
            is_preview: false,
            batch: None,
            seen: None,
            now: self.now,
        }
    }
}

/// A path as memories name it: relative to the repository, with links resolved.
pub fn below(root: &Path, path: &Path) -> Option<String> {
    let is_plain = |it: &&Path| !it.components().any(|part| part == Component::ParentDir);
    let below = path.strip_prefix(root).ok().filter(is_plain).map(Path::to_owned);
    let below = below.or_else(|| {
        let root = std::fs::canonicalize(root).ok()?;
        let parent = std::fs::canonicalize(path.parent()?).ok();
        let real = parent.and_then(|parent| Some(parent.join(path.file_name()?)));
        real.as_deref().unwrap_or(path).strip_prefix(root).ok().map(Path::to_owned)
    })?;
    let text = below.to_string_lossy().replace('\\', "/");
    (!text.is_empty() && is_plain(&below.as_path())).then_some(text)
}

/// Somebody else may have written it, so it must be named explicitly.
fn foreign_store(root: &Path) -> Fail {
    let repository = root.parent().unwrap_or(root).display();
    let message =
        format!("`{}` is another user's, or in a folder that all can write to", root.display());
    let hint = format!("if you trust whoever made it, set `OLDHAND_ROOT={repository}`");
    Fail::usage(message, &hint)
}

/// Prints the answer, and only then brings the derived pages up to date. What is acknowledged stays
/// so, whatever breaks behind it.
pub fn acknowledge<T, R>(
    engine: &Engine<'_>,
    io: &mut Io<'_>,
    Done { answer, pending }: Done<'_, T>,
    tell: impl FnOnce(T, &mut Io<'_>) -> Result<R, Fail>,
) -> Result<R, Fail> {
    let told = tell(answer, io).and_then(|told| {
        io.flush()?;
        Ok(told)
    });
    let ((), notes) = settled(engine, Done { answer: (), pending });
    notes.iter().for_each(|note| io.note("note", note));
    told
}

/// The answer of a write, and notes about the pages that follow from it.
pub fn settled<T>(engine: &Engine<'_>, done: Done<'_, T>) -> (T, Vec<String>) {
    let notes = crash::caught(|| follow_up(engine, done.pending));
    (done.answer, notes.unwrap_or_else(|why| vec![Fail::Bug(why).message()]))
}

fn follow_up(engine: &Engine<'_>, pending: Option<Box<dyn Unsettled + '_>>) -> Vec<String> {
    let mut notes = pending.map(|pending| pending.settle()).unwrap_or_default();
    let mut views = engine.exchange().wanted_views();
    // Under `example_only` the log is written only when somebody asks for it (R98).
    if engine.settings.write.decisions_example_only {
        views.clear();
    }
    let blocks = engine.exchange().wanted_blocks();
    if views.is_empty() && blocks.is_empty() {
        return notes;
    }
    match engine.exchange().render(&views, &blocks) {
        Ok(rendered) => {
            let edits = rendered.imported.iter();
            notes.extend(edits.map(|id| format!("took in an edit of `{id}` made in a view")));
            notes.extend(rendered.notes);
        }
        Err(Failure::Refused(refusal)) => {
            notes.push(format!("the views are as they were: {}", reason_of(&refusal)));
        }
        Err(error) => notes.push(format!("the views are as they were: {error}")),
    }
    notes
}
