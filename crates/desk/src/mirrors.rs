//! Copies of the stores of a team server on this machine: where they are, what is known of each, and in which
//! repositories they count. `oldhand-team sync mirror` writes them, everybody else only reads.

use std::path::{Path, PathBuf};

use oldhand_core::refusal::{Code, Refusal};
use oldhand_store::disk::Disk;
use oldhand_store::layout::Layout;
use oldhand_text::hash::ContentHash;
use serde::{Deserialize, Serialize};

use crate::config::file::ConfigFile;
use crate::desk::Desk;
use crate::failure::Fail;

/// What is known of a copy; the file is written last.
pub const STATE_FILE: &str = "mirror.json";
const STATE_BYTES_MAX: u64 = 4 * 1024 * 1024;
/// More stores than an organisation and its teams have.
const MIRRORS_MAX: usize = 32;

/// One copy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MirrorState {
    /// The address of the server.
    pub server: String,
    /// The name of the store there.
    pub store: String,
    /// `org` or `team`.
    pub level: String,
    /// The ids of the repositories of that server: elsewhere nothing of it counts.
    pub repositories: Vec<String>,
    pub revision: i64,
    /// The number of the last event.
    pub events: i64,
    pub at: String,
}

#[derive(Debug, Clone)]
pub struct Mirror {
    pub layout: Layout,
    pub state: MirrorState,
}

impl Mirror {
    /// How people and agents read where it comes from.
    pub fn label(&self) -> String {
        label(&self.state.level, &self.state.store)
    }
}

/// The name of a store of that level.
pub fn label(level: &str, store: &str) -> String {
    let level = if level == "org" { "organisation" } else { "team" };
    format!("{level} {store}")
}

impl Desk<'_> {
    pub fn mirrors_home(&self) -> Result<PathBuf, Fail> {
        Ok(self.home("XDG_DATA_HOME", ".local/share")?.join("oldhand/mirrors"))
    }

    /// Where the copy of a store is.
    pub fn mirror_place(&self, server: &str, store: &str) -> Result<Layout, Fail> {
        let key = ContentHash::of(format!("{server}\n{store}").as_bytes());
        let root = self.mirrors_home()?.join(&key.to_string()[..16]);
        Ok(Layout { repository: root.clone(), root })
    }

    /// Every copy on this machine.
    pub fn mirrors(&self) -> Vec<Mirror> {
        self.mirrors_home().map(|home| all(self.env.disk, &home)).unwrap_or_default()
    }

    /// The copies that count beside a store: those of a server that knows its repository.
    pub fn mirrors_beside(&self, layout: &Layout) -> Vec<Mirror> {
        let all = if self.ground.has_files() { self.mirrors() } else { Vec::new() };
        if all.is_empty() || all.iter().any(|mirror| mirror.layout.root == layout.root) {
            return Vec::new();
        }
        let id = repository_id(self.env.disk, layout);
        let counts =
            |mirror: &Mirror| mirror.state.repositories.iter().any(|it| Some(it) == id.as_ref());
        all.into_iter().filter(counts).collect()
    }
}

/// What every write to a copy is refused with.
pub(crate) fn only_read(mirror: &Mirror) -> Refusal {
    let message = format!("this is a copy of `{}`, which is only read", mirror.state.store);
    let hint = format!("change it on the team server, `{}`", mirror.state.server);
    Refusal::new(Code::State, message).with_hint(hint)
}

/// The id of a repository in its configuration.
fn repository_id(disk: &dyn Disk, layout: &Layout) -> Option<String> {
    let entries = ConfigFile::read(disk, &layout.config()).ok()?.entries();
    let (_, id) = entries.into_iter().find(|(key, _)| key == TEAM_ID)?;
    Some(id.to_string()).filter(|id| !id.is_empty())
}

/// The key of the id by which a server knows a repository.
pub const TEAM_ID: &str = "team.id";

/// Every copy, in the order of their names. What can't be read is none.
fn all(disk: &dyn Disk, home: &Path) -> Vec<Mirror> {
    let Ok(mut names) = disk.list(home) else { return Vec::new() };
    names.sort_by(|one, other| one.path.cmp(&other.path));
    let mut mirrors = Vec::new();
    for entry in names.into_iter().filter(|entry| entry.is_directory).take(MIRRORS_MAX) {
        let state = disk.read(&entry.path.join(STATE_FILE), STATE_BYTES_MAX);
        let state = state.ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let layout = Layout { repository: entry.path.clone(), root: entry.path };
        mirrors.extend(state.map(|state| Mirror { layout, state }));
    }
    mirrors
}
