//! One `config.toml`: read as flat keys, and changed without touching what people wrote around it.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use oldhand_store::disk::Disk;
use oldhand_store::failure::StoreError;
use oldhand_text::problem::Problem;
use toml_edit::{DocumentMut, Item, Table, TableLike, Value};

use super::Setting;
use crate::env::Env;
use crate::failure::Fail;

const CONFIG_BYTES_MAX: u64 = 256 * 1024;

pub const NEW: &str =
    "# oldhand: settings of this store; `oldhand config list` shows every key\nformat = 1\n";

#[derive(Debug, Clone)]
pub struct ConfigFile {
    pub path: PathBuf,
    document: DocumentMut,
}

impl ConfigFile {
    /// A missing file is an empty one.
    pub fn read(disk: &dyn Disk, path: &Path) -> Result<Self, Fail> {
        let bytes = disk.read(path, CONFIG_BYTES_MAX).or_else(|error| match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => Ok(Vec::new()),
            _ => Err(StoreError::io("read", path, error)),
        })?;
        Self::parse(path, bytes)
    }

    pub fn parse(path: &Path, bytes: Vec<u8>) -> Result<Self, Fail> {
        // A change writes the whole file back, so every byte of it must be understood.
        let text = String::from_utf8(bytes).map_err(|error| {
            let found = format!("other bytes at offset {}", error.utf8_error().valid_up_to());
            let problem = Problem::new(&path.display().to_string(), "UTF-8", &found);
            Fail::Config(vec![problem.with_fix("save it as UTF-8 in an editor that can read it")])
        })?;
        let document = text.parse::<DocumentMut>().map_err(|error| {
            let at = error.span().map_or(0, |span| span.start.min(text.len()));
            let line = text[..at].matches('\n').count() + 1;
            let message = error.message().lines().next().unwrap_or_default();
            let found = format!("line {line}: {message}");
            let problem = Problem::new(&path.display().to_string(), "TOML", &found);
            Fail::Config(vec![problem.with_fix("fix the file in an editor")])
        })?;
        Ok(Self { path: path.to_owned(), document })
    }

    pub fn entries(&self) -> Vec<(String, Setting)> {
        let mut entries = Vec::new();
        flatten("", self.document.as_table(), &mut entries);
        entries
    }

    /// The names of the tables below a table, empty ones included.
    pub fn tables_below(&self, name: &str) -> Vec<String> {
        let table = self.document.as_table().get(name).and_then(Item::as_table);
        let entries = table.into_iter().flat_map(Table::iter);
        let tables = entries.filter(|(_, item)| item.is_table_like());
        tables.map(|(name, _)| name.to_owned()).collect()
    }

    pub fn set(&mut self, key: &str, value: &Setting) {
        let (tables, last) = key.rsplit_once('.').unwrap_or(("", key));
        let mut table: &mut dyn TableLike = self.document.as_table_mut();
        for part in tables.split('.').filter(|part| !part.is_empty()) {
            let item = table.entry(part).or_insert_with(|| {
                let mut new = Table::new();
                new.set_implicit(true);
                Item::Table(new)
            });
            match item.as_table_like_mut() {
                Some(inner) => table = inner,
                None => return,
            }
        }
        let mut new = to_toml(value);
        // A comment behind the old value stays behind the new one.
        if let Some(old) = table.get(last).and_then(Item::as_value) {
            *new.decor_mut() = old.decor().clone();
        }
        table.insert(last, Item::Value(new));
    }

    pub fn unset(&mut self, key: &str) -> bool {
        let (tables, last) = key.rsplit_once('.').unwrap_or(("", key));
        let mut table: &mut dyn TableLike = self.document.as_table_mut();
        for part in tables.split('.').filter(|part| !part.is_empty()) {
            match table.get_mut(part).and_then(Item::as_table_like_mut) {
                Some(inner) => table = inner,
                None => return false,
            }
        }
        table.remove(last).is_some()
    }

    pub fn write(&self, env: &Env<'_>) -> Result<(), StoreError> {
        replace(env, &self.path, self.document.to_string().as_bytes())
    }
}

/// A whole file in place of what was there, on disk before this returns.
pub fn replace(env: &Env<'_>, path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let failed = |error| StoreError::io("write", path, error);
    let disk = env.disk;
    let folder = path.parent().unwrap_or(Path::new("."));
    let part = path.with_extension(format!("{:x}.part", env.entropy.next()));
    make_dirs(disk, folder).map_err(failed)?;
    disk.create(&part, bytes).map_err(failed)?;
    disk.sync_file(&part).map_err(failed)?;
    disk.rename(&part, path).map_err(failed)?;
    disk.sync_dir(folder).map_err(failed)
}

fn make_dirs(disk: &dyn Disk, folder: &Path) -> std::io::Result<()> {
    if disk.stat(folder)?.is_some() {
        return Ok(());
    }
    if let Some(parent) = folder.parent() {
        make_dirs(disk, parent)?;
    }
    disk.make_dir(folder)
}

fn flatten(prefix: &str, table: &Table, entries: &mut Vec<(String, Setting)>) {
    for (name, item) in table {
        let full = if prefix.is_empty() { name.to_owned() } else { format!("{prefix}.{name}") };
        match item {
            Item::Table(inner) => flatten(&full, inner, entries),
            Item::Value(Value::InlineTable(inner)) => {
                flatten(&full, &inner.clone().into_table(), entries)
            }
            Item::Value(value) => entries.push((full, from_toml(value))),
            Item::None | Item::ArrayOfTables(_) => {
                entries.push((full, Setting::Text("a list of tables".to_owned())))
            }
        }
    }
}

fn from_toml(value: &Value) -> Setting {
    match value {
        Value::Boolean(flag) => Setting::Flag(*flag.value()),
        Value::Integer(number) => Setting::Number(*number.value()),
        Value::Float(number) => Setting::Fraction(*number.value()),
        Value::String(text) => Setting::Text(text.value().clone()),
        Value::Array(items) => {
            let text = |it: &Value| it.as_str().map_or_else(|| it.to_string(), str::to_owned);
            Setting::List(items.iter().map(text).collect())
        }
        other => Setting::Text(other.to_string().trim().to_owned()),
    }
}

fn to_toml(value: &Setting) -> Value {
    match value {
        Setting::Flag(flag) => (*flag).into(),
        Setting::Number(number) => (*number).into(),
        Setting::Fraction(number) => (*number).into(),
        Setting::Text(text) => text.as_str().into(),
        Setting::List(items) => Value::Array(items.iter().map(String::as_str).collect()),
    }
}
