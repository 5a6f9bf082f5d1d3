//! One row per host: how it is found, and what oldhand writes into which of its files. Everything
//! that differs between hosts is a value here; `edit` changes the files.

use serde_json::Value;

use crate::dialect::Dialect;
use crate::parts::Part;

mod hooks;
mod rows;

pub use hooks::HookSet;
pub(crate) use rows::{plain_server, stdio_server};

/// A host that oldhand can be set up in.
pub struct Host {
    /// What is typed: `claude-code`.
    pub name: &'static str,
    pub title: &'static str,
    /// The host is installed if one of these programs is on `PATH`.
    pub programs: &'static [&'static str],
    /// Its folder in the user's home. If it exists, the host is installed.
    pub folder: Folder,
    /// Its folder in a repository.
    pub project_folder: &'static str,
    /// The variable that moves this folder.
    pub moved_by: Option<Moved>,
    pub pieces: &'static [Piece],
    /// What to do or know after the setup.
    pub after: &'static str,
}

/// `$CODEX_HOME` is the folder itself, `$GEMINI_CLI_HOME` the one that contains `.gemini`.
pub struct Moved {
    pub variable: &'static str,
    pub below: &'static str,
}

/// Where a host keeps its files.
pub enum Folder {
    Home(&'static str),
    /// Below `$XDG_CONFIG_HOME`.
    Config(&'static str),
}

/// Where a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    /// Below the host's folder, the user's or the repository's.
    Both(&'static str),
    /// Only below the user's.
    Own(&'static str),
    Config(&'static str),
    /// In the home, or in the host's folder if a variable moves that.
    HomeUnlessMoved(&'static str),
    /// Below the root of the repository.
    Project(&'static str),
}

/// One place where oldhand appears in a host.
pub struct Piece {
    /// Of those in scope: the first that exists, otherwise the first.
    pub at: &'static [At],
    pub form: Form,
}

/// How oldhand appears there.
pub enum Form {
    Hooks(&'static HookSet),
    /// This entry in a JSON object of MCP servers. It starts `oldhand mcp`.
    JsonServer {
        keys: &'static [&'static str],
        entry: fn() -> Value,
    },
    /// `[mcp_servers.oldhand]` in TOML.
    TomlServer,
    /// A whole file of ours.
    Text(Part),
    /// The folder that Claude Code takes the plugin from; the file is where it is switched on.
    ClaudePlugin,
}

impl Form {
    pub fn is_server(&self) -> bool {
        matches!(self, Self::JsonServer { .. } | Self::TomlServer)
    }
}

/// One key in the settings of a host that switches all hooks off.
pub struct Switch {
    pub files: &'static [&'static str],
    pub key: &'static str,
}

impl Host {
    pub fn switch(&self) -> Option<Switch> {
        let files = &["settings.json", "settings.local.json"];
        (self.name == "claude-code").then_some(Switch { files, key: "disableAllHooks" })
    }

    /// Whether it calls hooks. The others can only use the server.
    pub fn has_hooks(&self) -> bool {
        Dialect::parse(self.name).is_ok()
    }
}

/// Every host, in display order.
pub const HOSTS: &[Host] = rows::HOSTS;

/// By its name, or by the name of its program: `claude` is `claude-code`.
pub fn find(name: &str) -> Option<&'static Host> {
    HOSTS.iter().find(|host| host.name == name || host.programs.contains(&name))
}

#[cfg(test)]
mod tests;
