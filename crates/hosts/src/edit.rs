//! Edits people's files: only our entries change, everything else keeps its bytes. If one file
//! can't be parsed, nothing is changed anywhere.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use oldhand_text::problem::Problem;

use crate::parts::Part;
use crate::plugin::{Bundle, bundle};
use crate::table::{At, Folder, Form, Host, Piece};

mod document;
mod hooks;
mod server;
mod splice;
mod toml;

/// Where things are on this machine, and what to set up.
#[derive(Debug, Clone)]
pub struct SetupTarget<'a> {
    pub home: &'a str,
    pub config_home: &'a str,
    pub data_home: &'a str,
    /// The host's own folder, if a variable moves it.
    pub moved: Option<String>,
    /// The repository, to change its files instead of the user's.
    pub project: Option<&'a str>,
    pub with_mcp: bool,
    pub as_plugin: bool,
}

/// One file before and after; `None` is no file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub path: String,
    pub before: Option<String>,
    pub after: Option<String>,
    /// Which of our entries change.
    pub what: Vec<&'static str>,
    /// Everything in it was written by oldhand, so it needs no backup.
    pub is_ours: bool,
}

pub type Read<'r> = dyn Fn(&str) -> Result<Option<String>, Problem> + 'r;

/// What has to change so that oldhand is set up in this host.
pub fn install(
    host: &Host,
    place: &SetupTarget<'_>,
    read: &Read<'_>,
) -> Result<Vec<Change>, Problem> {
    changes(host, place, read, |piece| {
        let is_wanted = is_wanted(host, piece, place);
        // The other way of setting up would answer every event a second time.
        (is_wanted || !piece.form.is_server()).then_some(is_wanted)
    })
}

/// What has to change so that nothing of oldhand is left in this host.
pub fn uninstall(
    host: &Host,
    place: &SetupTarget<'_>,
    read: &Read<'_>,
) -> Result<Vec<Change>, Problem> {
    changes(host, place, read, |_| Some(false))
}

/// `wants` returns whether a piece should exist, or `None` to leave it unchanged.
fn changes(
    host: &Host,
    place: &SetupTarget<'_>,
    read: &Read<'_>,
    wants: impl Fn(&Piece) -> Option<bool>,
) -> Result<Vec<Change>, Problem> {
    let mut edits = Edits { host, place, read, files: BTreeMap::new() };
    for piece in host.pieces {
        if let (Some(path), Some(is_wanted)) = (edits.path(piece)?, wants(piece)) {
            edits.set(&path, piece, is_wanted)?;
        }
    }
    let mut changes: Vec<Change> = edits.files.into_values().collect();
    changes.retain(|change| change.before != change.after);
    for change in &mut changes {
        change.what.dedup();
        change.is_ours |= change.before.is_none();
    }
    Ok(changes)
}

/// Whether a file of settings has this key with `true`.
pub fn is_on(path: &str, text: &str, key: &str) -> bool {
    let document = document::Document::open(path, Some(text));
    document.and_then(|it| it.value_at(&[key])).is_ok_and(|value| value == Some(true.into()))
}

/// Whether there is anything to set up in this host.
pub fn has_pieces(host: &Host, place: &SetupTarget<'_>) -> bool {
    host.pieces.iter().any(|piece| {
        is_wanted(host, piece, place)
            && piece.at.iter().any(|at| resolve(host, place, *at).is_some())
    })
}

/// The host's folder in the user's home.
pub fn own_folder(host: &Host, place: &SetupTarget<'_>) -> String {
    match (&place.moved, &host.folder) {
        (Some(moved), _) => moved.clone(),
        (None, Folder::Home(below)) => join(place.home, below),
        (None, Folder::Config(below)) => join(place.config_home, below),
    }
}

/// The folder that Claude Code takes the plugin from. It is not in `oldhand`: that is the user's
/// own store.
pub fn plugin_folder(place: &SetupTarget<'_>) -> String {
    join(place.data_home, "oldhand-plugins/claude-code")
}

fn is_wanted(host: &Host, piece: &Piece, place: &SetupTarget<'_>) -> bool {
    match piece.form {
        Form::ClaudePlugin => place.as_plugin,
        Form::Hooks(_) | Form::Text(_) => !place.as_plugin,
        // The plugin brings its own entry. A host with hooks needs no tools unless somebody asks
        // for them: every session pays for their descriptions.
        Form::JsonServer { .. } | Form::TomlServer => {
            (place.with_mcp || !host.has_hooks()) && !place.as_plugin
        }
    }
}

/// The path, if it belongs to this scope.
fn resolve(host: &Host, place: &SetupTarget<'_>, at: At) -> Option<String> {
    Some(match (place.project, at) {
        (Some(project), At::Project(below)) => join(project, below),
        (Some(project), At::Both(below)) => join(&join(project, host.project_folder), below),
        (Some(_), _) | (None, At::Project(_)) => return None,
        (None, At::Both(below) | At::Own(below)) => join(&own_folder(host, place), below),
        (None, At::Config(below)) => join(place.config_home, below),
        (None, At::HomeUnlessMoved(below)) => {
            join(place.moved.as_deref().unwrap_or(place.home), below)
        }
    })
}

fn join(folder: &str, below: &str) -> String {
    format!("{}/{below}", folder.trim_end_matches('/'))
}

/// The files of one host, changed piece by piece before anything is written.
struct Edits<'a> {
    host: &'a Host,
    place: &'a SetupTarget<'a>,
    read: &'a Read<'a>,
    files: BTreeMap<String, Change>,
}

impl Edits<'_> {
    /// The first of a piece's files that exists, or the first.
    fn path(&mut self, piece: &Piece) -> Result<Option<String>, Problem> {
        let places = piece.at.iter().filter_map(|at| resolve(self.host, self.place, *at));
        let paths: Vec<String> = places.collect();
        for path in &paths {
            if paths.len() > 1 && self.file(path)?.after.is_some() {
                return Ok(Some(path.clone()));
            }
        }
        Ok(paths.into_iter().next())
    }

    fn file(&mut self, path: &str) -> Result<&mut Change, Problem> {
        Ok(match self.files.entry(path.to_owned()) {
            Entry::Occupied(file) => file.into_mut(),
            Entry::Vacant(free) => {
                let (path, before) = (path.to_owned(), (self.read)(path)?);
                let after = before.clone();
                free.insert(Change { path, before, after, what: Vec::new(), is_ours: false })
            }
        })
    }

    fn edit(
        &mut self,
        path: &str,
        what: &'static str,
        change: impl FnOnce(&str, Option<&str>) -> Result<Option<String>, Problem>,
    ) -> Result<(), Problem> {
        let file = self.file(path)?;
        let after = change(path, file.after.as_deref())?;
        if after != file.after {
            // A file is deleted only if everything in it was ours.
            file.is_ours = after.is_none();
            file.after = after;
            file.what.push(what);
        }
        Ok(())
    }

    /// Adds a piece, or removes it.
    fn set(&mut self, path: &str, piece: &Piece, is_wanted: bool) -> Result<(), Problem> {
        match &piece.form {
            Form::Hooks(set) => {
                let set = is_wanted.then_some(*set);
                self.edit(path, "hooks", |path, text| hooks::set(path, text, set))
            }
            Form::JsonServer { keys, entry } => {
                let entry = is_wanted.then(entry);
                self.edit(path, "MCP server", |path, text| server::set(path, text, keys, entry))
            }
            Form::TomlServer => {
                self.edit(path, "MCP server", |path, text| toml::set(path, text, is_wanted))
            }
            Form::Text(part) => self.set_text(path, part, is_wanted),
            Form::ClaudePlugin => self.set_plugin(path, is_wanted),
        }
    }

    fn set_text(&mut self, path: &str, part: &Part, is_wanted: bool) -> Result<(), Problem> {
        let wanted = is_wanted.then_some(part.text);
        let file = self.file(path)?;
        let before = file.before.as_deref();
        if before == wanted {
            return Ok(());
        }
        // Somebody else's file of that name stays.
        if let Some(text) = before.filter(|text| !text.contains(part.mark)) {
            let found = text.lines().next().unwrap_or("an empty file");
            let problem = Problem::new(path, "a file of oldhand or none", found)
                .with_fix("move that file away, then run the command again");
            return if is_wanted { Err(problem) } else { Ok(()) };
        }
        file.is_ours = before.is_none_or(|text| text == part.text);
        file.after = wanted.map(str::to_owned);
        file.what.push(part.what);
        Ok(())
    }

    /// Writes only the folder: Claude Code takes a plugin in by its own commands, which also write
    /// its settings. Settings alone were not enough for 2.1.197.
    fn set_plugin(&mut self, settings: &str, is_wanted: bool) -> Result<(), Problem> {
        let folder = plugin_folder(self.place);
        // The server's file goes too: it may have been wanted then.
        let with_mcp = self.place.with_mcp || !is_wanted;
        for (below, text) in bundle(Bundle::ClaudeCode, env!("CARGO_PKG_VERSION"), with_mcp) {
            let file = self.file(&join(&folder, &below))?;
            file.is_ours = true;
            let after = is_wanted.then_some(text);
            if file.after != after {
                file.after = after;
                file.what.push("plugin");
            }
        }
        if is_wanted { Ok(()) } else { self.edit(settings, "plugin", server::remove_plugin) }
    }
}

#[cfg(test)]
mod tests;
