//! `oldhand export --as`: memories as other tools keep them, and the managed block of pages that agents read.

use std::collections::BTreeMap;
use std::path::Path;

use oldhand_app::block::{BlockOutcome, edited};
use oldhand_app::export::ExportedAs;
use oldhand_core::views::block::BlockPage;
use oldhand_desk::desk::below;
use oldhand_exchange::companion;
use oldhand_exchange::record::Passed;
use oldhand_exchange::write::{self, WRITERS, Writer};
use oldhand_screen::Screen;
use oldhand_text::strings::typed;
use oldhand_text::word::unknown;
use wire::program::{ExportFormats, ExportedFormat, LeftOut, WrittenBlock};

use super::export::{chosen, write_files};
use super::prelude::*;

/// Names in one line of the answer.
const NAMES_MAX: usize = 20;

/// The formats that are a block in a page.
const BLOCKS: [(&str, BlockPage); 4] = [
    ("agents-md", BlockPage::Agents),
    ("claude-md", BlockPage::Claude),
    ("gemini-md", BlockPage::Gemini),
    ("copilot", BlockPage::Copilot),
];

pub(super) fn run(format: &str, args: &ExportArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    if let Some((_, page)) = BLOCKS.iter().find(|(name, _)| *name == format) {
        return block(*page, args, desk, io);
    }
    let names: Vec<&str> =
        BLOCKS.iter().map(|(name, _)| *name).chain(WRITERS.iter().map(|it| it.name)).collect();
    if format == "list" {
        let text = names.iter().map(|name| format!("{name}\n")).collect::<String>();
        let answer = ExportFormats { formats: names };
        return desk.print(io, "export", &answer, || text);
    }
    let Some(writer) = write::find(format) else {
        return Err(unknown("--as", &names, format).into());
    };
    if args.nested {
        let hint = "leave it out, or write `agents-md`, `claude-md` or `gemini-md`";
        return Err(Fail::usage("`--nested` is about blocks in pages", hint));
    }
    let Some(to) = &args.to else {
        let kind = if writer.is_file { "file" } else { "folder" };
        let message = format!("{format} goes into a {kind}");
        return Err(Fail::usage(message, "name one that is new with `--to`"));
    };
    desk.work(|engine| {
        let mut stored = chosen(args, engine, io)?;
        if args.state.is_empty() && args.names.is_empty() {
            stored.retain(|it| it.memory.state.is_served());
        }
        let exported = engine.exchange().export_as(writer, &stored)?;
        let companion = (!args.bare).then(|| companion_of(writer, to));
        let job = Job { writer, exported, to, companion };
        write_all(&job, desk)?;
        tell(&job, desk, io)
    })
}

struct Job<'a> {
    writer: &'static Writer,
    exported: ExportedAs,
    to: &'a Path,
    companion: Option<String>,
}

/// The companion first: what has none would come back as something else.
fn write_all(job: &Job<'_>, desk: &Desk<'_>) -> Result<(), Fail> {
    let exported = &job.exported;
    let target = desk.current_dir().join(job.to);
    let texts = exported.files.iter().map(|(path, text)| (path.as_str(), text.as_str()));
    if !job.writer.is_file {
        let whole = exported.companion.as_str();
        let companion = job.companion.as_ref().map(|_| (companion::NAME, whole));
        return write_files(&target, companion.into_iter().chain(texts), desk);
    }
    let whole = exported.companion.as_str();
    let beside = job.companion.as_ref().map(|it| (desk.current_dir().join(it), whole));
    let files = texts.map(|(_, text)| (target.clone(), text));
    for (path, text) in beside.into_iter().chain(files) {
        if std::fs::symlink_metadata(&path).is_ok() {
            let message = format!("`{}` is there already", path.display());
            return Err(Fail::usage(message, "name a new file: nothing is overwritten"));
        }
        let failed = |error| StoreError::io("write", &path, error);
        desk.env.disk.create(&path, text.as_bytes()).map_err(failed)?;
    }
    Ok(())
}

fn companion_of(writer: &Writer, to: &Path) -> String {
    match writer.is_file {
        true => format!("{}{}", to.display(), companion::SUFFIX),
        false => to.join(companion::NAME).display().to_string(),
    }
}

fn tell(job: &Job<'_>, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let Job { writer, exported, to, companion } = job;
    let answer = ExportedFormat {
        format: writer.name,
        target: to.display().to_string(),
        written: exported.written(),
        in_other_words: exported.instead.values().sum(),
        companion: companion.clone(),
        left_out: named(&exported.left_out),
        refused: named(&exported.refused),
    };
    desk.present(
        io,
        "export",
        &answer,
        (|| text(job), |screen: &Screen| deed(job).people(screen)),
    )?;
    let refused = exported.refused.iter().map(|it| format!("{}: {}", it.source, it.reason));
    desk.remark(io, "refused", refused);
    Ok(if exported.refused.is_empty() { DONE } else { FINDING })
}

fn named(all: &[Passed]) -> Vec<LeftOut<'_>> {
    all.iter().map(|it| LeftOut { id: &it.source, reason: &it.reason }).collect()
}

fn text(Job { writer, exported, to, companion }: &Job<'_>) -> String {
    let (target, count) = (to.display(), counted(exported.written(), "memory", "memories"));
    let mut text = format!("wrote {count} as {} into {target}\n", writer.name);
    for (label, count, what) in parts(exported) {
        text.push_str(&format!("  {label}  {count}  {what}\n"));
    }
    text.extend(companion.iter().map(|it| format!("  kept whole in {it}\n")));
    text + &format!("back: `oldhand import {}`\n", typed(&target.to_string()))
}

fn deed(Job { writer, exported, to, companion }: &Job<'_>) -> Deed<'static> {
    let count = counted(exported.written(), "memory", "memories");
    let target = to.display().to_string();
    let place = if writer.is_file { "file" } else { "folder" };
    let hint = format!("`oldhand import {}` brings them back", typed(&target));
    let mut facts = vec![(place, target)];
    let parts = parts(exported).into_iter();
    facts.extend(parts.map(|(label, count, what)| (label, format!("{count}: {what}"))));
    facts.extend(companion.iter().map(|it| ("kept whole in", it.clone())));
    let deed = Deed::about("wrote", format!("{count} as {}", writer.name)).with_facts(facts);
    Deed { hint: Some(hint), ..deed }
}

/// How the memories left: in which way, how many, and which.
fn parts(exported: &ExportedAs) -> Vec<(&'static str, usize, String)> {
    let mut parts = Vec::new();
    let mut line = |label: &'static str, count: usize, what: Vec<String>| {
        if count > 0 {
            parts.push((label, count, what.join(", ")));
        }
    };
    let same = exported.same.iter().map(|(kind, count)| format!("{kind} {count}"));
    line("as they are", exported.same.values().sum(), same.collect());
    let instead = exported.instead.iter();
    let instead = instead.map(|((kind, to), count)| format!("{kind} {count} as {to}"));
    line("in other words", exported.instead.values().sum(), instead.collect());
    let mut reasons: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for it in &exported.left_out {
        reasons.entry(&it.reason).or_default().push(it.source.clone());
    }
    for (reason, mut names) in reasons {
        let count = names.len();
        names.truncate(NAMES_MAX);
        names.extend((count > NAMES_MAX).then(|| format!("and {} more", count - NAMES_MAX)));
        line("left out", count, vec![format!("{reason}: {}", names.join(", "))]);
    }
    parts
}

fn block(page: BlockPage, args: &ExportArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let narrows = !args.names.is_empty() || args.source.is_some() || !args.state.is_empty();
    if narrows || args.bare {
        let message = "a block shows what binds in the whole project";
        return Err(Fail::usage(message, "leave out names, `--source`, `--state` and `--bare`"));
    }
    let name = match &args.to {
        Some(to) => in_repository(&to.display().to_string(), desk)?,
        None => page.file_name().to_owned(),
    };
    if args.nested && page == BlockPage::Copilot {
        let message = "Copilot reads one page for the whole repository";
        return Err(Fail::usage(message, "leave out `--nested`"));
    }
    desk.work(|engine| {
        let mut pages = vec![(name.clone(), engine.exchange().write_block(&name, args.force)?)];
        if args.nested {
            pages.extend(engine.exchange().write_nested_blocks(page, args.force)?);
        }
        for (page, outcome) in &pages {
            let answer = WrittenBlock { page, outcome };
            desk.print(io, "export", &answer, || match outcome {
                BlockOutcome::Written => format!("wrote the block of `{page}`\n"),
                BlockOutcome::Unchanged => format!("the block of `{page}` is up to date\n"),
                BlockOutcome::Elsewhere => format!(
                    "`{page}` brings in `AGENTS.md`, which has the block: nothing was written\n"
                ),
                BlockOutcome::Edited => String::new(),
            })?;
        }
        let left = pages.iter().filter(|(_, outcome)| *outcome == BlockOutcome::Edited);
        let left: Vec<String> = left.map(|(page, _)| edited(page)).collect();
        desk.remark(io, "note", &left);
        Ok(if left.is_empty() { DONE } else { FINDING })
    })
}

/// `import --block`: what was changed between the marks becomes of the memories.
pub(super) fn take_blocks(pages: &[String], desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let mut is_left = false;
    for page in pages {
        let name = in_repository(page, desk)?;
        is_left |= desk.work(|engine| {
            let rendered = engine.exchange().take_block(&name)?;
            desk.print(io, "render", &rendered, || {
                let edits =
                    rendered.imported.iter().map(|id| format!("took in an edit of `{id}`\n"));
                let pages = rendered.pages.iter().map(|page| format!("rebuilt `{page}`\n"));
                let text: String = edits.chain(pages).collect();
                match text.is_empty() && rendered.left.is_empty() {
                    true => format!("the block of `{name}` has no edits\n"),
                    false => text,
                }
            })?;
            desk.remark(io, "note", &rendered.notes);
            Ok(!rendered.left.is_empty())
        })?;
    }
    Ok(if is_left { FINDING } else { DONE })
}

fn in_repository(path: &str, desk: &Desk<'_>) -> Result<String, Fail> {
    let root = desk.located()?.repository().to_owned();
    below(&root, &desk.current_dir().join(path)).ok_or_else(|| {
        let message = format!("`{path}` is not a page of this repository");
        Fail::usage(message, "a block is kept in a page inside of the repository")
    })
}
