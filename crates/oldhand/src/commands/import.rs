//! `oldhand import`: what other tools wrote, and our own exports.

mod companion;
mod find;
mod own;
mod places;
mod words;

use oldhand_app::transfer::companion::HomecomingOptions;
use oldhand_app::transfer::report::{Fate, SourceReport};
use oldhand_app::transfer::run::{ImportOptions, Read, Take, covers};
use oldhand_core::policy::IMPORT_BYTES_MAX;
use oldhand_exchange::companion::{Returned, SUFFIX};
use oldhand_exchange::files::{Content, Files, SourceFile};
use oldhand_exchange::formats::{self, FORMATS};
use oldhand_exchange::record::{Foreign, Passed, Source};
use oldhand_exchange::{With, World};
use wire::import::ImportReport;

use self::companion::{Home, Homecoming};
use self::find::Finder;
use self::own::OwnImport;
use super::export_as;
use super::prelude::*;
use oldhand_app::Done;

/// What is found in the repository, and in what was named.
struct Found {
    files: Files,
    /// The sources that were named, as their paths are called here.
    named: Vec<String>,
    /// Ours, as a name and a text.
    own: Vec<(String, String)>,
    /// Exports of ours, before they are looked at and after.
    exports: Vec<Homecoming>,
    home: Vec<(String, Returned)>,
    notes: Vec<String>,
}

pub(super) fn run(args: &ImportArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    if args.block {
        return export_as::take_blocks(&args.sources, desk, io);
    }
    if args.from.as_deref() == Some("list") {
        let names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
        return desk.print(io, "import", ImportReport::of(&[]), || names.join("\n") + "\n");
    }
    refuse_unknown(args.from.as_deref())?;
    if args.accept && desk.flags.by.is_none() {
        let hint = "say who vouches for the source with `--by NAME`";
        return Err(Fail::usage("`--accept` needs a name", hint));
    }
    desk.work(|engine| {
        // However many writes it takes, it is undone as one.
        let batch = oldhand_store::ulid::ulid(desk.now, desk.env.entropy.next());
        let whole = Engine { batch: Some(&batch), ..*engine };
        let engine = &Engine { is_preview: args.dry_run, ..whole };
        let mut found = find(args, engine, desk, io)?;
        let mut reads = read(args, &mut found, engine, desk)?;
        if args.sources.is_empty() && !args.all {
            return match reads.is_empty() {
                true => nothing(args, &found.notes, desk, io),
                false => look(&reads, &found, args, desk, io),
            };
        }
        let mut reports = own(&found, engine, io)?;
        let how = HomecomingOptions {
            accepts: args.accept,
            take: taken(args),
            retires_gone: args.retire_gone,
        };
        for (from, returned) in &found.home {
            reports.push(engine.exchange().take_back(from.clone(), returned, &how)?);
            acknowledge(engine, io, Done { answer: (), pending: None }, |(), _| Ok(()))?;
        }
        let repository = desk.located()?.repository();
        let is_there = |place: &str| find::is_there(place, &repository, desk);
        // Of your own store: what it has of other repositories is not looked for here.
        let is_at_home = |place: &str| !place.starts_with("~/") || is_there(place);
        let taking = Taking { args, found: &found, is_there: &is_there };
        let personal = take_personal(&mut reads, args.user);
        reports.extend(foreign(reads, taking, engine, desk, io)?);
        if !personal.is_empty() {
            let own = desk.user_layout()?;
            desk.make_user_store(&own)?;
            reports.extend(desk.work_in(own, |engine| {
                let preview = engine.preview();
                let engine = if args.dry_run { &preview } else { engine };
                foreign(personal, Taking { is_there: &is_at_home, ..taking }, engine, desk, io)
            })?);
        }
        let Some(first) = reports.first_mut() else {
            return nothing(args, &found.notes, desk, io);
        };
        first.notes.extend(found.notes.iter().cloned());
        words::tell(&reports, args, desk, io)?;
        let is_finding =
            |it: &SourceReport| it.of(Fate::Refused).chain(it.of(Fate::Diverged)).next().is_some();
        Ok(if reports.iter().any(is_finding) { FINDING } else { DONE })
    })
}

/// One line about what an import would find here; nothing is written, and trouble is no trouble.
pub(super) fn line_about(desk: &Desk<'_>) -> Option<String> {
    let repository = desk.located().ok()?.repository();
    let mut finder = Finder::new(desk, repository);
    finder.look_around().ok()?;
    let files = Files::new(finder.read());
    words::found_line(&formats::find(&files, None))
}

/// The pages of Markdown below a folder that say something, with their texts.
pub(super) fn pages_with(
    said: &str,
    folder: &str,
    desk: &Desk<'_>,
) -> Result<Vec<(String, String)>, Fail> {
    Finder::new(desk, folder.into()).pages_with(said)
}

fn taken(args: &ImportArgs) -> Option<Take> {
    args.take.map(|take| match take {
        TakeChoice::Theirs => Take::Theirs,
        TakeChoice::Ours => Take::Ours,
    })
}

fn refuse_unknown(format: Option<&str>) -> Result<(), Fail> {
    let Some(name) = format else { return Ok(()) };
    if FORMATS.iter().any(|format| format.name == name) {
        return Ok(());
    }
    let names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
    Err(oldhand_text::word::unknown("from", &names, name).into())
}

fn find(
    args: &ImportArgs,
    engine: &Engine<'_>,
    desk: &Desk<'_>,
    io: &mut Io<'_>,
) -> Result<Found, Fail> {
    let mut finder = Finder::new(desk, desk.located()?.repository());
    let (mut named, mut own) = (Vec::new(), Vec::new());
    if args.sources.is_empty() {
        finder.look_around()?;
    }
    if args.user {
        finder.look_at_home()?;
    }
    for source in &args.sources {
        if source == "-" && args.from.is_some() {
            let hint =
                "put it into a file and name that: a later import knows its records by the file";
            return Err(Fail::usage("`--from` does not read standard input", hint));
        }
        if source == "-" {
            let text = read_text(source, &desk.current_dir(), IMPORT_BYTES_MAX, io)?;
            own.push((source.clone(), text));
        } else {
            let path = desk.current_dir().join(source);
            named.push(match finder.name(&path) {
                Ok(label) => label,
                // What was there once has left memories.
                Err(fail) => {
                    let label = finder.label_of_missing(&path);
                    let is_gone = label.as_deref().map(|it| engine.exchange().has_imports_of(it));
                    label.filter(|_| matches!(is_gone, Some(Ok(true)))).ok_or(fail)?
                }
            });
            let beside = desk.current_dir().join(format!("{source}{SUFFIX}"));
            if beside.is_file() {
                finder.name(&beside)?;
            }
        }
    }
    let mut files = finder.read();
    let exports = match args.from {
        None => companion::take_out(&mut files),
        Some(_) => Vec::new(),
    };
    if !args.sources.is_empty() && args.from.is_none() {
        files.retain(|file| match text_of(file).filter(|text| own::is_own(text)) {
            Some(text) => {
                own.push((file.path.clone(), text.to_owned()));
                false
            }
            None => true,
        });
    }
    let (files, home) = (Files::new(files), Vec::new());
    Ok(Found { files, named, own, exports, home, notes: finder.notes })
}

fn text_of(file: &SourceFile) -> Option<&str> {
    match &file.content {
        Content::Bytes(bytes) => std::str::from_utf8(bytes).ok(),
        Content::Tables(_) => None,
    }
}

/// The sources of every format, and what was named and is of none.
fn read(
    args: &ImportArgs,
    found: &mut Found,
    engine: &Engine<'_>,
    desk: &Desk<'_>,
) -> Result<Vec<Read>, Fail> {
    let repository = desk.located()?.repository();
    let folder = repository.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let has = |what: WithChoice| args.with.contains(&what);
    let world = World {
        kinds: &engine.settings.kinds,
        now: desk.now,
        project: args.project.as_deref().unwrap_or(&folder),
        worktree: &repository.display().to_string(),
        with: With {
            issues: has(WithChoice::Issues),
            prompts: has(WithChoice::Prompts),
            sensitive: has(WithChoice::Sensitive),
            drawers: has(WithChoice::Drawers),
        },
    };
    let mut reads = Vec::new();
    for export in std::mem::take(&mut found.exports) {
        match export.welcome(args, engine, &world)? {
            Home::Believed { from, returned, new } => {
                found.home.push((from, *returned));
                reads.extend((!new.source.records.is_empty()).then_some(*new));
            }
            Home::Doubted { files, note } => {
                found.files = Files::new(found.files.iter().cloned().chain(files).collect());
                found.notes.push(note);
            }
        }
    }
    let mut taken = std::collections::BTreeSet::new();
    let only = args.from.as_deref();
    let roots = match only {
        _ if found.named.is_empty() => formats::find(&found.files, only),
        Some(only) => formats::find_as(&found.files, only, &found.named),
        None => formats::find_named(&found.files),
    };
    for (format, root) in roots {
        taken.extend(root.files.iter().cloned());
        let source = format.read(&root, &found.files, &world);
        reads.push(Read { source, is_whole: covers(&found.named, &root.path) });
    }
    // JSON that was named and that no format knows has the fields of a memory.
    for file in found.named.iter().filter_map(|label| found.files.get(label)) {
        let text = text_of(file).filter(|text| text.trim_start().starts_with(['{', '[']));
        if let Some(text) = text.filter(|_| only.is_none() && !taken.contains(&file.path)) {
            found.own.push((file.path.clone(), text.to_owned()));
        }
    }
    Ok(reads)
}

/// What is about a person leaves the sources; it comes back for their own store, if they want that.
fn take_personal(reads: &mut [Read], is_wanted: bool) -> Vec<Read> {
    let mut personal = Vec::new();
    for read in reads {
        let source = &mut read.source;
        let (own, rest): (Vec<Foreign>, Vec<Foreign>) =
            std::mem::take(&mut source.records).into_iter().partition(|it| it.is_personal);
        source.records = rest;
        if own.is_empty() {
            continue;
        }
        if is_wanted {
            let source = Source { from: source.from.clone(), records: own, ..Source::default() };
            personal.push(Read { source, is_whole: read.is_whole });
            continue;
        }
        let reason = "it is about you; `--user` takes it into your own store".to_owned();
        let passed = own.into_iter().map(|it| Passed { source: it.key, reason: reason.clone() });
        source.skipped.extend(passed);
    }
    personal
}

fn own(found: &Found, engine: &Engine<'_>, io: &mut Io<'_>) -> Result<Vec<SourceReport>, Fail> {
    if found.own.is_empty() {
        return Ok(Vec::new());
    }
    let mut import = OwnImport::new(engine);
    for (name, text) in &found.own {
        import.text(name, text, io)?;
    }
    import.flush(1, io)?;
    let from = match found.own.as_slice() {
        [(name, _)] => format!("own:{name}"),
        _ => format!("own:{}", found.named.join(" ")),
    };
    Ok(vec![import.total.report(from)])
}

/// What an import of other tools' records goes by.
#[derive(Clone, Copy)]
struct Taking<'t> {
    args: &'t ImportArgs,
    found: &'t Found,
    /// Whether anything is at the place of a source.
    is_there: &'t dyn Fn(&str) -> bool,
}

fn foreign(
    reads: Vec<Read>,
    Taking { args, found, is_there }: Taking<'_>,
    engine: &Engine<'_>,
    desk: &Desk<'_>,
    io: &mut Io<'_>,
) -> Result<Vec<SourceReport>, Fail> {
    // What is ours is written by now: nothing that can fail comes after it without need.
    let is_done = reads.is_empty() && !found.own.is_empty();
    if is_done && found.named.iter().all(|place| is_there(place)) {
        return Ok(Vec::new());
    }
    let line_of = |place: &str, rule: &str| {
        let path = place.rsplit_once(':').map_or(place, |(path, _)| path);
        let file = found.files.get(place).or_else(|| found.files.get(path))?;
        let findings = oldhand_text::secrets::scan(text_of(file)?);
        findings.iter().find(|it| it.rule == rule).map(|it| it.line)
    };
    let options = ImportOptions {
        accepts: args.accept,
        keeps_state: args.keep_state,
        redacts: args.redact,
        take: taken(args),
        retires_gone: args.retire_gone,
        named: &found.named,
        only: args.from.as_deref(),
        is_there,
        line_of: &line_of,
    };
    let mut run = engine.exchange().import_sources(reads, &options)?;
    let (total, mut progress) = (run.left(), desk.progress("importing"));
    while let Some(done) = run.next_batch() {
        acknowledge(engine, io, done?, |(), _| Ok(()))?;
        progress.at(total - run.left(), total);
    }
    Ok(run.reports)
}

/// Without a source, what is here is told.
fn look(
    reads: &[Read],
    found: &Found,
    args: &ImportArgs,
    desk: &Desk<'_>,
    io: &mut Io<'_>,
) -> Outcome {
    let report = |read: &Read| {
        let source = &read.source;
        SourceReport {
            from: source.from.clone(),
            records: source.records.len() + source.refused.len(),
            settings: source.settings.clone(),
            ..SourceReport::default()
        }
    };
    let reports: Vec<SourceReport> = reads.iter().map(report).collect();
    desk.print(io, "import", ImportReport::of(&reports), || words::found_text(&reports, args))?;
    desk.remark(io, "note", &found.notes);
    Ok(DONE)
}

fn nothing(args: &ImportArgs, notes: &[String], desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.remark(io, "note", notes);
    let (message, hint) = match args.sources.as_slice() {
        [] => (
            "nothing to import was found here",
            "name a file or a folder; `--from list` names the formats",
        ),
        _ if args.from.is_some() => (
            "nothing of that format was found in what you named",
            "leave out `--from` to have its format found; `--from list` names them all",
        ),
        _ => ("nothing to import was found in what you named", "say its format with `--from`"),
    };
    io.note("error", message);
    io.note("hint", hint);
    Ok(TROUBLE)
}
