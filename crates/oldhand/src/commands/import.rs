//! `oldhand import`: our own JSON lines and Markdown, and records that other tools wrote.

use std::path::{Path, PathBuf};

use oldhand_app::transfer::{Imported, Incoming, Record, reason_of};
use oldhand_core::policy::IMPORT_BYTES_MAX;
use oldhand_store::failure::Failure;
use serde_json::Value;

use super::prelude::*;

/// Memories that become durable together.
const BATCH: usize = 500;
/// Files that one import looks at.
const FILES_MAX: usize = 200_000;

pub(super) fn run(args: &ImportArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        let mut import = Import { engine, batch: Vec::new(), total: Imported::default() };
        for source in &args.sources {
            import.source(source, &desk.current_dir(), io)?;
            import.flush(1, io)?;
        }
        let total = import.total;
        desk.print(io, "import", &total, || {
            let created = counted(total.created.len(), "memory", "memories");
            let unchanged = match total.unchanged.len() {
                0 => String::new(),
                count => format!(", {count} were there already"),
            };
            format!("imported {created}{unchanged}\n")
        })?;
        let refused = total.refused.iter().map(|one| format!("{}: {}", one.source, one.reason));
        desk.remark(io, "refused", refused);
        Ok(if total.refused.is_empty() { DONE } else { FINDING })
    })
}

struct Import<'a> {
    engine: &'a Engine<'a>,
    batch: Vec<Incoming>,
    total: Imported,
}

impl Import<'_> {
    fn source(&mut self, source: &str, folder: &Path, io: &mut Io<'_>) -> Result<(), Fail> {
        let path = folder.join(source);
        if source != "-" && path.is_dir() {
            return self.folder(&path, folder, io);
        }
        let text = read_text(source, folder, IMPORT_BYTES_MAX, io)?;
        let trimmed = text.trim_start();
        if !trimmed.starts_with(['{', '[']) {
            let record = self.engine.exchange().record_of_markdown(&stem(&path), &text);
            return self.take(source, record, io);
        }
        for (number, value) in (1..).zip(json_values(trimmed)) {
            let name = format!("{source}:{number}");
            match value {
                Ok(value) => self.take(&name, self.engine.exchange().record_of_json(&value), io)?,
                Err(error) => self.total.refuse(&name, format!("not JSON: {error}")),
            }
        }
        Ok(())
    }

    fn folder(&mut self, path: &Path, folder: &Path, io: &mut Io<'_>) -> Result<(), Fail> {
        let mut files = Vec::new();
        markdown_files(path, &mut files)?;
        for file in files {
            let name = file.strip_prefix(folder).unwrap_or(&file).display().to_string();
            match read_text(&file.display().to_string(), folder, IMPORT_BYTES_MAX, io) {
                Ok(text) => {
                    let record = self.engine.exchange().record_of_markdown(&stem(&file), &text);
                    self.take(&name, record, io)?;
                }
                Err(Fail::Refused(refusal)) => self.total.refuse(&name, refusal.to_string()),
                Err(other) => return Err(other),
            }
        }
        Ok(())
    }

    fn take(
        &mut self,
        name: &str,
        record: Result<Record, Failure>,
        io: &mut Io<'_>,
    ) -> Result<(), Fail> {
        match record {
            Ok(record) => self.batch.push(Incoming { source: name.to_owned(), record }),
            Err(Failure::Refused(refusal)) => self.total.refuse(name, reason_of(&refusal)),
            Err(other) => return Err(other.into()),
        }
        self.flush(BATCH, io)
    }

    /// Writes the batch once it has `at_least` records.
    fn flush(&mut self, at_least: usize, io: &mut Io<'_>) -> Result<(), Fail> {
        if self.batch.len() < at_least {
            return Ok(());
        }
        let done = self.engine.exchange().import(&std::mem::take(&mut self.batch))?;
        self.total.extend(acknowledge(self.engine, io, done, |imported, _| Ok(imported))?);
        Ok(())
    }
}

/// A list, one object, or one object per line.
fn json_values(text: &str) -> Vec<Result<Value, serde_json::Error>> {
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Array(items)) => items.into_iter().map(Ok).collect(),
        Ok(single) => vec![Ok(single)],
        Err(_) => text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .map(serde_json::from_str::<Value>)
            .collect(),
    }
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// In order of their names; links are not followed.
fn markdown_files(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Fail> {
    let failed = |error| StoreError::io("list", folder, error);
    let mut entries: Vec<std::fs::DirEntry> =
        std::fs::read_dir(folder).map_err(failed)?.collect::<Result<_, _>>().map_err(failed)?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let kind = entry.file_type().map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') || name == "local" && folder.join("events").is_dir() {
            continue;
        }
        if kind.is_dir() {
            markdown_files(&entry.path(), files)?;
        } else if kind.is_file()
            && name.ends_with(".md")
            && !is_about_the_folder(&name)
            && files.len() < FILES_MAX
        {
            files.push(entry.path());
        }
    }
    Ok(())
}

/// Pages about the records beside them are no records.
fn is_about_the_folder(name: &str) -> bool {
    let stem = name.trim_end_matches(".md").to_lowercase();
    matches!(stem.as_str(), "readme" | "index" | "template" | "adr-template")
}
