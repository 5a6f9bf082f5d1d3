//! `oldhand export`: JSON lines, or the Markdown files into a folder.

use std::path::Path;

use oldhand_store::failure::StoreError;
use oldhand_store::port::Stored;
use wire::program::ExportedFolder;

use super::prelude::*;
use crate::cli::{ExportArgs, ExportFormat};

pub(super) fn run(args: &ExportArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        let stored = chosen(args, engine, io)?;
        match (args.format, &args.to) {
            (ExportFormat::Json, None) => {
                for object in engine.export_all(&stored)? {
                    io.json("memory", object)?;
                }
            }
            (ExportFormat::Markdown, Some(folder)) => {
                write_files(&desk.current_dir().join(folder), &stored)?;
                let count = counted(stored.len(), "memory", "memories");
                let (folder, written) = (folder.display().to_string(), stored.len());
                let text = format!("wrote {count} into {folder}\n");
                desk.print(io, "export", &ExportedFolder { folder, written }, || text)?;
            }
            (ExportFormat::Json, Some(_)) => {
                return Err(Fail::usage(
                    "JSON goes to standard output",
                    "use `> FILE` instead of `--to`",
                ));
            }
            (ExportFormat::Markdown, None) => {
                return Err(Fail::usage("Markdown goes into a folder", "name it with `--to DIR`"));
            }
        }
        Ok(DONE)
    })
}

fn chosen(args: &ExportArgs, engine: &Engine<'_>, io: &mut Io<'_>) -> Result<Vec<Stored>, Fail> {
    if args.names.is_empty() {
        let scan = engine.vault.scan()?;
        for unreadable in &scan.unreadable {
            io.note("warning", &format!("left out `{}`: {}", unreadable.path, unreadable.why));
        }
        return Ok(scan.stored);
    }
    args.names.iter().map(|name| Ok(engine.get(name)?)).collect()
}

/// Nothing that is there is overwritten.
fn write_files(folder: &Path, stored: &[Stored]) -> Result<(), Fail> {
    if std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()) {
        let message = format!("`{}` is not empty", folder.display());
        return Err(Fail::usage(
            message,
            "name a folder that is new or empty: nothing is overwritten",
        ));
    }
    for stored in stored {
        let path = folder.join(&stored.path);
        let failed = |error| StoreError::io("write", &path, error);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(failed)?;
        }
        let mut file =
            std::fs::OpenOptions::new().write(true).create_new(true).open(&path).map_err(failed)?;
        std::io::Write::write_all(&mut file, stored.text.as_bytes()).map_err(failed)?;
    }
    Ok(())
}
