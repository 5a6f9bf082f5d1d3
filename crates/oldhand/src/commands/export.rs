//! `oldhand export`: JSON lines, or the Markdown files into a folder; `oldhand plugin`: the files of a
//! plugin; `oldhand render`: rebuilds the derived pages.

use std::path::Path;

use oldhand_core::state::State;
use oldhand_core::views::View;
use oldhand_core::views::block::BlockPage;
use oldhand_hosts::plugin::{Bundle, bundle};
use oldhand_screen::Screen;
use oldhand_text::word::unknown;
use wire::program::ExportedFolder;
use wire::setup::WrittenPlugin;

use super::export_as;
use super::prelude::*;

pub(super) fn export(args: &ExportArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    if let Some(format) = &args.as_format {
        return export_as::run(format, args, desk, io);
    }
    desk.work(|engine| {
        let stored = chosen(args, engine, io)?;
        match (args.format, &args.to) {
            (ExportFormat::Json, None) => {
                for object in engine.exchange().export_all(&stored)? {
                    io.json("memory", object)?;
                }
            }
            (ExportFormat::Markdown, Some(folder)) => {
                let files = stored.iter().map(|it| (it.path.as_str(), it.text.as_str()));
                write_files(&desk.current_dir().join(folder), files, desk)?;
                let count = counted(stored.len(), "memory", "memories");
                let (folder, written) = (folder.display().to_string(), stored.len());
                let text = format!("wrote {count} into {folder}\n");
                let facts = vec![("folder", folder.clone())];
                let deed = Deed::about("wrote", count).with_facts(facts);
                let people = |screen: &Screen| deed.people(screen);
                desk.present(io, "export", &ExportedFolder { folder, written }, (|| text, people))?;
            }
            (ExportFormat::Json, Some(_)) => {
                let hint = "use `> FILE` instead of `--to`";
                return Err(Fail::usage("JSON goes to standard output", hint));
            }
            (ExportFormat::Markdown, None) => {
                return Err(Fail::usage("Markdown goes into a folder", "name it with `--to DIR`"));
            }
        }
        Ok(DONE)
    })
}

pub(super) fn chosen(
    args: &ExportArgs,
    engine: &Engine<'_>,
    io: &mut Io<'_>,
) -> Result<Vec<Stored>, Fail> {
    if args.names.is_empty() {
        let scan = engine.vault.scan()?;
        for unreadable in &scan.unreadable {
            io.note("warning", &format!("left out `{}`: {}", unreadable.path, unreadable.why));
        }
        return narrowed(args, scan.stored);
    }
    narrowed(args, args.names.iter().map(|name| engine.get(name)).collect::<Result<_, _>>()?)
}

/// By `--state` and `--source`.
fn narrowed(args: &ExportArgs, mut stored: Vec<Stored>) -> Result<Vec<Stored>, Fail> {
    if !args.state.iter().any(|word| word == "all") && !args.state.is_empty() {
        let states = args.state.iter().map(|word| State::parse(word));
        let states = states.collect::<Result<Vec<_>, _>>()?;
        stored.retain(|it| states.contains(&it.memory.state));
    }
    if let Some(source) = &args.source {
        stored.retain(|it| oldhand_app::filter::is_of_source(&it.memory, source));
    }
    Ok(stored)
}

/// Nothing that is there is overwritten.
pub(super) fn write_files<'f>(
    folder: &Path,
    files: impl Iterator<Item = (&'f str, &'f str)>,
    desk: &Desk<'_>,
) -> Result<(), Fail> {
    if std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()) {
        let message = format!("`{}` is not empty", folder.display());
        let hint = "name a folder that is new or empty: nothing is overwritten";
        return Err(Fail::usage(message, hint));
    }
    for (below, text) in files {
        let path = folder.join(below);
        let failed = |error| StoreError::io("write", &path, error);
        if let Some(above) = path.parent() {
            std::fs::create_dir_all(above).map_err(failed)?;
        }
        desk.env.disk.create(&path, text.as_bytes()).map_err(failed)?;
    }
    Ok(())
}

pub(super) fn plugin(args: &PluginArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let kind = match args.kind {
        PluginKind::ClaudeCode => Bundle::ClaudeCode,
        PluginKind::AgentPlugin => Bundle::AgentPlugin,
        PluginKind::Gemini => Bundle::Gemini,
        PluginKind::Codex => Bundle::Codex,
    };
    let folder = desk.current_dir().join(&args.out);
    let files = bundle(kind, env!("CARGO_PKG_VERSION"), args.with_mcp);
    write_files(&folder, files.iter().map(|(path, text)| (path.as_str(), text.as_str())), desk)?;
    let shown = folder.display().to_string();
    let paths = files.iter().map(|(path, _)| path.as_str()).collect();
    desk.print(io, "plugin", WrittenPlugin::of(&shown, paths), || {
        format!("wrote {} into {shown}\n", counted(files.len(), "file", "files"))
    })
}

pub(super) fn render(views: &[String], desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        let (mut named, mut blocks) = (Vec::new(), Vec::new());
        for name in views {
            match BlockPage::parse(name) {
                Ok(page) => blocks.push(page),
                Err(_) => named.push(parse_view(name)?),
            }
        }
        if views.is_empty() {
            (named, blocks) = (engine.exchange().wanted_views(), engine.exchange().wanted_blocks());
        }
        let rendered = engine.exchange().render(&named, &blocks)?;
        desk.print(io, "render", &rendered, || {
            let edits = rendered.imported.iter().map(|id| format!("took in an edit of `{id}`\n"));
            let pages = rendered.pages.iter().map(|page| format!("rebuilt `{page}`\n"));
            let text: String = edits.chain(pages).collect();
            if rendered.pages.is_empty() { text + "every page is up to date\n" } else { text }
        })?;
        desk.remark(io, "note", &rendered.notes);
        Ok(if rendered.left.is_empty() { DONE } else { FINDING })
    })
}

fn parse_view(name: &str) -> Result<View, Problem> {
    View::parse(name).map_err(|_| {
        let known: Vec<&str> = View::WORDS.iter().chain(BlockPage::WORDS).copied().collect();
        unknown("view", &known, name)
    })
}
