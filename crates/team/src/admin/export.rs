//! A store as files and events, which the plain program opens: leaving is a feature.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Component, Path};

use jiff::tz::TimeZone;
use oldhand_core::event::Event;
use oldhand_core::kind::Kinds;
use oldhand_store::disk::RealDisk;
use oldhand_store::layout::{Layout, STORE_FOLDER};
use oldhand_store::port::Vault as _;
use serde_json::{Value as Json, json};

use super::Trouble;
use super::deeds::{Administrator, vault};

const CONFIG: &str =
    "# oldhand: settings of this store; `oldhand config list` shows every key\nformat = 1\n";
/// Whose file of the log the exported events are in: a name as every checkout has one.
const WRITER: &str = "0server0";

/// A part of an export.
pub enum Piece {
    /// Below the store.
    File {
        path: String,
        text: String,
    },
    Event(Box<Event>),
}

impl Administrator<'_> {
    /// Everything of a store, piece by piece, with a line in the audit.
    pub fn export(
        &self,
        store: &str,
        see: &mut dyn FnMut(Piece) -> Result<(), Trouble>,
    ) -> Result<Json, Trouble> {
        let at = self.store_named(store)?;
        let access = self.with_stores(vec![at.store]);
        access.audit("export", &json!({ "store": at.store }))?;
        let kinds = Kinds::default();
        let vault = vault(&access, at.store, &kinds);
        let (mut files, mut events, mut trouble) = (0, 0, None);
        vault.each_raw(&mut |raw| {
            files += 1;
            let piece = Piece::File { path: raw.path, text: raw.text };
            trouble = trouble.take().or_else(|| see(piece).err());
        })?;
        vault.each_version(&mut |hash, text| {
            let piece = Piece::File { path: format!("local/kept/{hash}.md"), text };
            trouble = trouble.take().or_else(|| see(piece).err());
        })?;
        vault.visit_events(&mut |event| {
            events += 1;
            trouble = trouble.take().or_else(|| see(Piece::Event(Box::new(event))).err());
        })?;
        match trouble {
            None => Ok(json!({ "store": store, "files": files, "events": events })),
            Some(trouble) => Err(trouble),
        }
    }

    /// The same as a folder with a store in it. A folder that has one already is refused.
    pub fn export_to(&self, store: &str, folder: &Path) -> Result<Json, Trouble> {
        let root = folder.join(STORE_FOLDER);
        if root.exists() {
            let message = format!("there is a store already: `{}`", root.display());
            return Err(Trouble::asked(message, "name a new folder"));
        }
        self.store_named(store)?;
        let layout = Layout { root: root.clone(), repository: folder.to_owned() };
        oldhand_store::vault::init(&RealDisk, &layout, &Kinds::default(), CONFIG, false)
            .map_err(|error| Trouble::World(error.to_string()))?;
        let mut logs = BTreeMap::new();
        let mut answer = self.export(store, &mut |piece| match piece {
            Piece::File { path, text } => write_file(&root, &path, &text),
            Piece::Event(event) => write_event(&root, &mut logs, &event),
        })?;
        for (_, mut log) in logs {
            log.flush().map_err(|error| Trouble::World(error.to_string()))?;
        }
        answer["folder"] = json!(root.display().to_string());
        Ok(answer)
    }
}

fn failed(path: &Path, error: &std::io::Error) -> Trouble {
    Trouble::World(format!("could not write `{}`: {error}", path.display()))
}

fn write_file(root: &Path, name: &str, text: &str) -> Result<(), Trouble> {
    let is_inside = Path::new(name).components().all(|it| matches!(it, Component::Normal(_)));
    if !is_inside {
        return Err(Trouble::World(format!("`{name}` is no place in a store")));
    }
    let path = root.join(name);
    let folder = path.parent().unwrap_or(root);
    std::fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
    std::fs::write(&path, text).map_err(|error| failed(&path, &error))
}

fn write_event(
    root: &Path,
    logs: &mut BTreeMap<String, BufWriter<File>>,
    event: &Event,
) -> Result<(), Trouble> {
    let month = event.at.to_zoned(TimeZone::UTC).strftime("%Y-%m").to_string();
    let path = root.join("events").join(format!("{month}.{WRITER}.jsonl"));
    let line = event.to_line().map_err(|error| Trouble::World(error.to_string()))?;
    let wrote = || {
        if !logs.contains_key(&month) {
            let file = File::options().create(true).append(true).open(&path)?;
            logs.insert(month.clone(), BufWriter::new(file));
        }
        logs.get_mut(&month).map_or(Ok(()), |log| log.write_all(line.as_bytes()))
    };
    let mut wrote = wrote;
    wrote().map_err(|error| failed(&path, &error))
}
