//! The ground of the program: stores are files on this machine, their history is git's, and who asks is told by the
//! terminal and the environment.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use oldhand_app::Above;
use oldhand_core::actor::Via;
use oldhand_core::trust::StoreTrust;
use oldhand_store::code::Repository;
use oldhand_store::failure::Failure;
use oldhand_store::history::GitHistory;
use oldhand_store::index::{CheckPolicy, Embedder, FillPolicy, IndexOpening, LocalIndex, Opened};
use oldhand_store::layout::Layout;
use oldhand_store::locate::{Located, locate, locate_given, user_store};
use oldhand_store::port::Nearby;
use oldhand_store::session::FileSessions;
use oldhand_store::vault::{LocalVault, Opening};
use oldhand_text::hash::ContentHash;

use crate::config::file::ConfigFile;
use crate::config::{Inputs, Resolved, resolve};
use crate::desk::ground::{Ground, OpenedStore, ReadingOf, SharedSessions};
use crate::desk::ground::{Pace, ReadingPlace};
use crate::desk::{Desk, SOMEBODY};
use crate::failure::Fail;
use crate::meaning::Comparing;
use crate::mirrors::only_read;
use crate::neighbours::Neighbours;
use crate::session::no_folder;

/// See the head of this file.
pub struct Files;

impl Ground for Files {
    fn has_files(&self) -> bool {
        true
    }

    fn located(&self, desk: &Desk<'_>) -> Result<Located, Fail> {
        let directory = desk.current_dir();
        if !directory.is_dir() {
            let message = format!("there is no folder `{}`", directory.display());
            return Err(Fail::usage(message, "check what follows `-C`"));
        }
        Ok(match desk.env.var("OLDHAND_ROOT").filter(|_| desk.flags.directory.is_none()) {
            Some(root) => locate_given(&desk.env.current_dir.join(root)),
            None => locate(&directory, desk.env.var("HOME").map(Path::new)),
        })
    }

    fn own(&self, desk: &Desk<'_>) -> Result<Layout, Fail> {
        Ok(user_store(&desk.data_home()?))
    }

    fn is_made(&self, desk: &Desk<'_>, layout: &Layout) -> Result<bool, Fail> {
        Ok(desk.env.disk.stat(&layout.root)?.is_some())
    }

    fn make_own(&self, desk: &Desk<'_>, own: &Layout) -> Result<(), Fail> {
        if desk.env.disk.stat(&own.root)?.is_none() {
            let kinds = desk.resolve(None)?.settings.kinds;
            let new = crate::config::file::NEW;
            oldhand_store::vault::init(desk.env.disk, own, &kinds, new, false)?;
        }
        Ok(())
    }

    fn resolve(&self, desk: &Desk<'_>, layout: Option<&Layout>) -> Result<Resolved, Fail> {
        let user = desk.user_config()?;
        let read = |it: &Layout| ConfigFile::read(desk.env.disk, &it.config());
        let store = layout.map(read).transpose()?;
        desk.resolve_files(user.as_ref(), layout.zip(store.as_ref()))
    }

    fn settled(&self, desk: &Desk<'_>, layout: &Layout) -> Result<Arc<Resolved>, Fail> {
        let (Some(lasting), Ok(user)) = (desk.lasting, desk.user_config_path()) else {
            return Ok(Arc::new(desk.resolve(Some(layout))?));
        };
        let files = [user.as_path(), &layout.config(), &desk.trust_file(layout)?];
        lasting.settings(files, || desk.resolve(Some(layout)))
    }

    fn via(&self, desk: &Desk<'_>) -> Via {
        let is_ci = || desk.env.var("CI").is_some_and(|it| it != "false" && it != "0");
        match (&desk.host, desk.agent()) {
            (Some(host), _) => match host.strip_prefix("mcp:") {
                Some(client) => Via::Mcp(client.to_owned()),
                None => Via::Hook(host.clone()),
            },
            (None, Some(agent)) => Via::Agent(agent.to_owned()),
            (None, None) if is_ci() => Via::Ci,
            (None, None) if desk.env.interactive => Via::Terminal,
            (None, None) => Via::Shell,
        }
    }

    fn by(&self, desk: &Desk<'_>, resolved: &Resolved) -> String {
        let configured = Some(resolved.program.user_name.as_str()).filter(|it| !it.is_empty());
        let login = || desk.env.var("USER").or(desk.env.var("LOGNAME"));
        let named = desk.host.as_deref().or(desk.flags.by.as_deref());
        let author = desk.flags.author.as_deref();
        named.or(configured).or(author).or_else(login).unwrap_or(SOMEBODY).to_owned()
    }

    fn sessions<'a>(&self, desk: &Desk<'a>, layout: &Layout) -> Option<SharedSessions<'a>> {
        let sessions = desk.file_sessions(desk.state_folder(layout))?;
        Some(Arc::new(sessions))
    }

    fn worktree(&self, desk: &Desk<'_>) -> PathBuf {
        let here = desk.current_dir();
        let here = std::fs::canonicalize(&here).unwrap_or(here);
        let is_top = |folder: &&Path| folder.join(".git").exists();
        let store = || desk.layout().ok().map(|layout| layout.repository);
        here.ancestors().find(is_top).map(Path::to_owned).or_else(store).unwrap_or(here)
    }

    fn branch(&self, desk: &Desk<'_>, layout: &Layout) -> Option<String> {
        desk.repository(layout).branch()
    }

    /// The folders of the store and the files of its log, by size and time. Best effort: a folder that
    /// can't be read is as if it were not there.
    fn stamp(&self, _: &Desk<'_>, layout: &Layout) -> String {
        use std::os::unix::fs::MetadataExt;
        let mut stamp = String::new();
        let mut add = |path: &Path| {
            if let Ok(meta) = path.symlink_metadata() {
                let (len, at, nanos) = (meta.len(), meta.mtime(), meta.mtime_nsec());
                let _ = write!(stamp, "{} {len} {at}.{nanos};", path.display());
            }
        };
        let entries = |folder: &Path| {
            let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
            let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
            paths.sort();
            paths
        };
        entries(&layout.root).iter().for_each(|path| add(path));
        entries(&layout.events()).iter().for_each(|path| add(path));
        stamp
    }

    fn work(
        &self,
        desk: &Desk<'_>,
        layout: &Layout,
        resolved: &Resolved,
        job: &mut dyn FnMut(OpenedStore<'_>),
    ) -> Result<(), Fail> {
        let code = desk.repository(layout);
        let vault = desk.vault(layout.clone(), resolved)?;
        let neighbours = Neighbours {
            vault: &vault,
            cache: desk.cache_folder(layout),
            resolved,
            warm: desk.lasting.map(|it| &it.warm),
            known: Default::default(),
            comparing: Comparing::by(resolved.model()),
        };
        // A disk that is not the machine's own has no index.
        let nearby = layout.root.is_dir().then_some(&neighbours as &dyn Nearby);
        let beside = desk.mirrors_beside(layout);
        let beside = beside.into_iter().map(|it| {
            let label = it.label();
            Ok((label, desk.vault(it.layout, resolved)?))
        });
        let beside = beside.collect::<Result<Vec<_>, Failure>>()?;
        let above: Vec<Above<'_>> =
            beside.iter().map(|(label, vault)| Above { label, vault }).collect();
        job(OpenedStore { vault: &vault, code: &code, nearby, above: &above });
        Ok(())
    }

    fn read(
        &self,
        desk: &Desk<'_>,
        place: &ReadingPlace<'_>,
        meaning: Result<&dyn Embedder, &String>,
        job: &mut dyn FnMut(ReadingOf<'_>),
    ) -> Result<(), Fail> {
        let ReadingPlace { layout, beside, cache, resolved, pace } = place;
        let window = match pace {
            Pace::Once => resolved.program.check.window,
            Pace::Often | Pace::Aside => CheckPolicy::OFTEN_WINDOW,
            Pace::Quick => CheckPolicy::SMALL_WINDOW,
        };
        let open = |layout: &Layout| desk.vault(layout.clone(), resolved);
        let others = beside.iter().map(|it| open(&it.layout));
        let others = others.collect::<Result<Vec<_>, Failure>>()?;
        let is_own = desk.user_layout().is_ok_and(|own| own.root == layout.root);
        let vault = open(layout)?;
        let is_doubted = !resolved.trust.is_trusted();
        let cache = cache.clone();
        let mut vaults = vec![Opened { vault: &vault, cache, is_own, from: None, is_doubted }];
        for (vault, it) in others.iter().zip(beside) {
            let cache = desk.cache_folder(&it.layout);
            let from = (!it.above.is_empty()).then(|| Arc::from(it.above.as_str()));
            vaults.push(Opened { vault, cache, is_own: it.is_own, from, is_doubted: false });
        }
        let above: Vec<Above<'_>> = others
            .iter()
            .zip(beside)
            .filter(|(_, it)| !it.is_own)
            .map(|(vault, it)| Above { label: &it.above, vault })
            .collect();
        let index = LocalIndex::open(IndexOpening {
            vaults,
            embedder: meaning.ok(),
            why_no_meaning: meaning.err().cloned().unwrap_or_default(),
            fill: match pace {
                Pace::Once | Pace::Often => FillPolicy::SOME,
                Pace::Aside => FillPolicy::NONE,
                Pace::Quick => FillPolicy::FEW,
            },
            build_max: usize::MAX,
            trust: &resolved.settings.trust,
            check: CheckPolicy { window, ..resolved.program.check },
            warm: desk.lasting.map(|it| &it.warm),
        })?;
        let code = desk.repository(layout);
        let place = OpenedStore { vault: &vault, code: &code, nearby: None, above: &above };
        job(ReadingOf { place, index: &index });
        Ok(())
    }
}

/// What only makes sense where stores are files: hooks, `init`, `install`, `trust`, `config`.
impl<'a> Desk<'a> {
    pub(crate) fn home(&self, variable: &str, below_home: &str) -> Result<PathBuf, Fail> {
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

    pub fn user_config_path(&self) -> Result<PathBuf, Fail> {
        Ok(self.home("XDG_CONFIG_HOME", ".config")?.join("oldhand/config.toml"))
    }

    /// The settings with a file that is not written yet.
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

    pub fn file_sessions(&self, folder: Option<PathBuf>) -> Option<FileSessions<'a>> {
        folder.map(|folder| FileSessions::new(self.env.disk, folder))
    }

    /// The sessions of the store that is meant, with their folder.
    pub fn own_file_sessions(&self) -> Result<FileSessions<'a>, Fail> {
        let layout = self.layout()?;
        self.file_sessions(self.state_folder(&layout)).ok_or_else(no_folder)
    }

    pub fn vault<'v>(
        &'v self,
        layout: Layout,
        resolved: &'v Resolved,
    ) -> Result<LocalVault<'v>, Failure> {
        let index = self.cache_folder(&layout);
        let mirrors = self.mirrors_home().is_ok_and(|home| layout.root.starts_with(home));
        let mirror = self.mirrors().into_iter().filter(|_| mirrors);
        let mirror = mirror.into_iter().find(|mirror| mirror.layout.root == layout.root);
        let vault = LocalVault::open(Opening {
            disk: self.env.disk,
            layout,
            kinds: &resolved.settings.kinds,
            entropy: self.env.entropy,
            now: self.now,
            lock_wait: resolved.lock_wait(),
            index,
            commits_index: resolved.settings.views.index,
        })?;
        Ok(match mirror {
            Some(mirror) => vault.refusing(only_read(&mirror)),
            None => vault,
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
}

fn own_folder(home: &Path, layout: &Layout) -> PathBuf {
    let root = std::fs::canonicalize(&layout.root).unwrap_or_else(|_| layout.root.clone());
    let key = ContentHash::of(root.to_string_lossy().as_bytes());
    home.join("oldhand").join(&key.to_string()[..16])
}
