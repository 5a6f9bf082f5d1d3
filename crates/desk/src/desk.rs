//! Where a command works: the store that was meant, the settings in force, and who is asking.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use oldhand_app::sessions::Sessions;
use oldhand_app::transfer::reason_of;
use oldhand_app::{Done, Engine};
use oldhand_core::actor::Via;
use oldhand_core::origin::Origin;
use oldhand_core::trust::StoreTrust;
use oldhand_store::code::Repository;
use oldhand_store::failure::Failure;
use oldhand_store::history::GitHistory;
use oldhand_store::layout::Layout;
use oldhand_store::locate::{Located, locate, locate_given, user_store};
use oldhand_store::port::{Nearby, Unsettled};
use oldhand_store::vault::{LocalVault, Opening};
use oldhand_text::hash::ContentHash;
use oldhand_text::problem::Problem;

use crate::config::file::ConfigFile;
use crate::config::{Inputs, Resolved, resolve};
use crate::crash;
use crate::env::Env;
use crate::failure::Fail;
use crate::lasting::Lasting;
use crate::looks::Looks;
use crate::neighbours::Neighbours;
use crate::printer::Io;

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
}

pub struct Desk<'a> {
    pub env: &'a Env<'a>,
    pub flags: GlobalFlags,
    pub now: Timestamp,
    /// The host whose hook this is, or the client that asks: never a person's word.
    pub host: Option<String>,
    /// Set in a process that answers many times.
    pub lasting: Option<&'a Lasting>,
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

    fn home(&self, variable: &str, below_home: &str) -> Result<PathBuf, Fail> {
        if let Some(path) = self.env.var(variable).filter(|path| Path::new(path).is_absolute()) {
            return Ok(PathBuf::from(path));
        }
        let home = self.env.var("HOME").map(|home| Path::new(home).join(below_home));
        home.ok_or_else(|| {
            let message = format!("neither `{variable}` nor `HOME` is set");
            Fail::usage(message, "set one of them to a folder of yours")
        })
    }

    pub(crate) fn data_home(&self) -> Result<PathBuf, Fail> {
        self.home("XDG_DATA_HOME", ".local/share")
    }

    pub fn user_layout(&self) -> Result<Layout, Fail> {
        Ok(user_store(&self.data_home()?))
    }

    pub fn made_user_layout(&self) -> Option<Layout> {
        let is_made =
            |own: &Layout| self.env.disk.stat(&own.root).is_ok_and(|found| found.is_some());
        self.user_layout().ok().filter(is_made)
    }

    pub fn user_config_path(&self) -> Result<PathBuf, Fail> {
        Ok(self.home("XDG_CONFIG_HOME", ".config")?.join("oldhand/config.toml"))
    }

    pub fn located(&self) -> Result<Located, Fail> {
        let directory = self.current_dir();
        if !directory.is_dir() {
            let message = format!("there is no folder `{}`", directory.display());
            return Err(Fail::usage(message, "check what follows `-C`"));
        }
        Ok(match self.env.var("OLDHAND_ROOT").filter(|_| self.flags.directory.is_none()) {
            Some(root) => locate_given(&self.env.current_dir.join(root)),
            None => locate(&directory, self.env.var("HOME").map(Path::new)),
        })
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
        let user = self.user_config()?;
        let read = |it: &Layout| ConfigFile::read(self.env.disk, &it.config());
        let store = layout.map(read).transpose()?;
        self.resolve_files(user.as_ref(), layout.zip(store.as_ref()))
    }

    /// The same, read again only when their files have changed.
    pub fn settled(&self, layout: &Layout) -> Result<Arc<Resolved>, Fail> {
        let (Some(lasting), Ok(user)) = (self.lasting, self.user_config_path()) else {
            return Ok(Arc::new(self.resolve(Some(layout))?));
        };
        let files = [user.as_path(), &layout.config(), &self.trust_file(layout)?];
        lasting.settings(files, || self.resolve(Some(layout)))
    }

    /// The same, with a file that is not written yet.
    pub fn resolve_with(
        &self,
        layout: Option<&Layout>,
        new: &ConfigFile,
    ) -> Result<Resolved, Fail> {
        match layout {
            Some(layout) => self.resolve_files(self.user_config()?.as_ref(), Some((layout, new))),
            None => self.resolve_files(Some(new), None),
        }
    }

    fn user_config(&self) -> Result<Option<ConfigFile>, Fail> {
        // Without a home there is no user's configuration.
        let Ok(path) = self.user_config_path() else { return Ok(None) };
        // A link is fine here: it is the user's own folder, and dotfiles are often linked.
        let path = std::fs::canonicalize(&path).unwrap_or(path);
        ConfigFile::read(self.env.disk, &path).map(Some)
    }

    fn resolve_files(
        &self,
        user: Option<&ConfigFile>,
        store: Option<(&Layout, &ConfigFile)>,
    ) -> Result<Resolved, Fail> {
        let trust = store.map_or(StoreTrust::Own, |(layout, _)| self.store_trust(layout, user));
        let store = store.map(|(_, file)| file);
        let variable = |name: &str| self.env.var(name).map(str::to_owned);
        let flags = &self.flags.overrides;
        resolve(&Inputs { user, store, trust, variable: &variable, flags }).map_err(Fail::Config)
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
        let is_ci = || self.env.var("CI").is_some_and(|it| it != "false" && it != "0");
        match (&self.host, self.agent()) {
            (Some(host), _) => match host.strip_prefix("mcp:") {
                Some(client) => Via::Mcp(client.to_owned()),
                None => Via::Hook(host.clone()),
            },
            (None, Some(agent)) => Via::Agent(agent.to_owned()),
            (None, None) if is_ci() => Via::Ci,
            (None, None) if self.env.interactive => Via::Terminal,
            (None, None) => Via::Shell,
        }
    }

    pub fn by(&self, resolved: &Resolved) -> String {
        let configured = Some(resolved.program.user_name.as_str()).filter(|it| !it.is_empty());
        let login = || self.env.var("USER").or(self.env.var("LOGNAME"));
        let named = self.host.as_deref().or(self.flags.by.as_deref());
        let author = self.flags.author.as_deref();
        named.or(configured).or(author).or_else(login).unwrap_or(SOMEBODY).to_owned()
    }

    /// The name that commits here carry. An agent's shell has the same settings, and is nobody's word.
    pub fn git_author(&self) -> Option<String> {
        let layout = self.layout().ok().filter(|_| self.via().is_person())?;
        let places = [
            "HOME",
            "XDG_CONFIG_HOME",
            "GIT_CONFIG_GLOBAL",
            "GIT_CONFIG_SYSTEM",
            "GIT_CONFIG_NOSYSTEM",
        ];
        let places: Vec<(&str, &str)> =
            places.iter().filter_map(|name| Some((*name, self.env.var(name)?))).collect();
        self.repository(&layout).history.user_name(&places)
    }

    /// Where what can be made again is kept: the search index, answers of git. Without a home
    /// nothing is kept.
    pub fn cache_folder(&self, layout: &Layout) -> Option<PathBuf> {
        self.home("XDG_CACHE_HOME", ".cache").ok().map(|home| own_folder(&home, layout))
    }

    pub fn state_folder(&self, layout: &Layout) -> Option<PathBuf> {
        self.state_home().ok().map(|home| own_folder(&home, layout))
    }

    pub fn state_home(&self) -> Result<PathBuf, Fail> {
        self.home("XDG_STATE_HOME", ".local/state")
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

    pub fn vault<'v>(
        &'v self,
        layout: Layout,
        resolved: &'v Resolved,
    ) -> Result<LocalVault<'v>, Failure> {
        let index = self.cache_folder(&layout);
        LocalVault::open(Opening {
            disk: self.env.disk,
            layout,
            kinds: &resolved.settings.kinds,
            entropy: self.env.entropy,
            now: self.now,
            lock_wait: resolved.lock_wait(),
            index,
            commits_index: resolved.settings.views.index,
        })
    }

    pub fn repository(&self, layout: &Layout) -> Repository {
        let root = layout.repository.clone();
        let history = GitHistory {
            root: root.clone(),
            search_path: self.env.var("PATH").map(Into::into),
            cache: self.cache_folder(layout),
        };
        Repository { root, history }
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
        if self.env.disk.stat(&layout.root)?.is_none() {
            let kinds = self.resolve(None)?.settings.kinds;
            let new = crate::config::file::NEW;
            oldhand_store::vault::init(self.env.disk, layout, &kinds, new, false)?;
        }
        Ok(())
    }

    /// The same where a memory is: in the project's store, or in the user's own beside it.
    pub fn work_on<T>(
        &self,
        id: &str,
        job: impl FnOnce(&Engine<'_>) -> Result<T, Fail>,
    ) -> Result<T, Fail> {
        let mut layout = self.layout()?;
        if let Some(own) = self.own_beside(&layout) {
            let has = |it: &Layout| self.work_in(it.clone(), |engine| Ok(engine.get(id).is_ok()));
            if !has(&layout)? && has(&own)? {
                layout = own;
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
        let code = self.repository(&layout);
        let (cache, root) = (self.cache_folder(&layout), layout.root.clone());
        let vault = self.vault(layout, &resolved)?;
        let (by, via) = (self.by(&resolved), self.via());
        let neighbours = Neighbours {
            vault: &vault,
            cache,
            resolved: &resolved,
            warm: self.lasting.map(|it| &it.warm),
            known: Default::default(),
        };
        let engine = Engine {
            vault: &vault,
            code: &code,
            // A disk that is not the machine's own has no index.
            nearby: root.is_dir().then_some(&neighbours as &dyn Nearby),
            settings: &resolved.settings,
            by: &by,
            via: &via,
            is_person: self.is_person()?,
            is_preview: false,
            batch: None,
            seen: self.flags.seen.as_ref().map(|(id, hash)| (id.as_str(), hash.as_str())),
            now: self.now,
        };
        job(&engine)
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

fn own_folder(home: &Path, layout: &Layout) -> PathBuf {
    let root = std::fs::canonicalize(&layout.root).unwrap_or_else(|_| layout.root.clone());
    let key = ContentHash::of(root.to_string_lossy().as_bytes());
    home.join("oldhand").join(&key.to_string()[..16])
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
