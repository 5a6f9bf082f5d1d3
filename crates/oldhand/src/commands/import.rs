//! `oldhand import`: our own JSON lines and Markdown, and records that other tools wrote.

use std::path::{Path, PathBuf};

use oldhand_app::Engine;
use oldhand_app::transfer::{Imported, Incoming, reason_of};
use oldhand_store::failure::{Failure, StoreError};
use serde_json::{Map, Value, json};

use crate::cli::ImportArgs;
use crate::desk::{Desk, acknowledge};
use crate::failure::{DONE, FINDING, Fail, Outcome};
use crate::format::counted;
use crate::printer::Io;

/// Memories that become durable together.
const BATCH: usize = 500;
/// Files that one import looks at.
const FILES_MAX: usize = 200_000;

pub(super) fn run(args: &ImportArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        let mut total = Imported::default();
        for source in &args.sources {
            import_source(source, engine, desk, io, &mut total)?;
        }
        tell(&total, desk, io)?;
        Ok(if total.refused.is_empty() { DONE } else { FINDING })
    })
}

fn import_source(
    source: &str,
    engine: &Engine<'_>,
    desk: &Desk<'_>,
    io: &mut Io<'_>,
    total: &mut Imported,
) -> Result<(), Fail> {
    let folder = desk.current_dir();
    let path = folder.join(source);
    let mut batch = Vec::new();
    if source != "-" && path.is_dir() {
        let mut files = Vec::new();
        markdown_files(&path, &mut files)?;
        for file in files {
            let name = file.strip_prefix(&folder).unwrap_or(&file).display().to_string();
            let text = match crate::input::read_import(&file.display().to_string(), &folder, io) {
                Ok(text) => text,
                Err(Fail::Refused(refusal)) => {
                    total.refused.push((name, refusal.to_string()));
                    continue;
                }
                Err(other) => return Err(other),
            };
            take(engine.incoming_markdown(&name, &stem(&file), &text), &name, &mut batch, total)?;
            flush(engine, io, &mut batch, BATCH, total)?;
        }
        return flush(engine, io, &mut batch, 1, total);
    }
    let text = crate::input::read_import(source, &folder, io)?;
    let trimmed = text.trim_start();
    if trimmed.starts_with(['{', '[']) {
        for (number, value) in json_values(trimmed).into_iter().enumerate() {
            let name = format!("{source}:{}", number + 1);
            match value {
                Ok(value) => take(engine.incoming_json(&name, &value), &name, &mut batch, total)?,
                Err(error) => total.refused.push((name, format!("not JSON: {error}"))),
            }
            flush(engine, io, &mut batch, BATCH, total)?;
        }
    } else {
        take(engine.incoming_markdown(source, &stem(&path), &text), source, &mut batch, total)?;
    }
    flush(engine, io, &mut batch, 1, total)
}

fn take(
    incoming: Result<Incoming, Failure>,
    name: &str,
    batch: &mut Vec<Incoming>,
    total: &mut Imported,
) -> Result<(), Fail> {
    match incoming {
        Ok(incoming) => batch.push(incoming),
        Err(Failure::Refused(refusal)) => {
            total.refused.push((name.to_owned(), reason_of(&refusal)))
        }
        Err(other) => return Err(other.into()),
    }
    Ok(())
}

/// Writes the batch once it has `at_least` records.
fn flush(
    engine: &Engine<'_>,
    io: &mut Io<'_>,
    batch: &mut Vec<Incoming>,
    at_least: usize,
    total: &mut Imported,
) -> Result<(), Fail> {
    if batch.len() < at_least {
        return Ok(());
    }
    let done = engine.import(batch)?;
    batch.clear();
    let imported = acknowledge(engine, io, done, |_, _| Ok(()))?;
    total.created.extend(imported.created);
    total.unchanged.extend(imported.unchanged);
    total.refused.extend(imported.refused);
    Ok(())
}

/// A list, one object, or one object a line.
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

fn tell(total: &Imported, desk: &Desk<'_>, io: &mut Io<'_>) -> std::io::Result<()> {
    if desk.flags.json {
        let refused: Vec<Value> = total
            .refused
            .iter()
            .map(|(source, reason)| json!({"source": source, "reason": reason}))
            .collect();
        let mut object = Map::new();
        object.insert("created".into(), json!(total.created));
        object.insert("unchanged".into(), json!(total.unchanged));
        object.insert("refused".into(), Value::Array(refused));
        return io.json("import", object);
    }
    io.text(&format!("imported {}", counted(total.created.len(), "memory", "memories")))?;
    if !total.unchanged.is_empty() {
        io.text(&format!(", {} were there already", total.unchanged.len()))?;
    }
    io.text("\n")?;
    for (source, reason) in &total.refused {
        io.note("refused", &format!("{source}: {reason}"));
    }
    Ok(())
}
