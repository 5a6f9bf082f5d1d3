//! `oldhand architecture`: the map of modules, what has changed since, and bringing it up to date.

use oldhand_app::Engine;
use oldhand_app::architecture::{Drafted, MapChange, MapRequest, Standing};
use oldhand_app::create::{Action, Written};
use oldhand_core::memory::Memory;
use oldhand_sessions::architecture::drift::Drift;
use oldhand_sessions::architecture::{SECTIONS, shown};
use oldhand_text::problem::Problem;
use oldhand_text::strings::{counted, visible, visible_line};
use oldhand_text::time::format_day;
use serde_json::{Map, Value, json};

use super::written::to_json;
use crate::architecture::{forget_drift, repository_name};
use crate::cli::{ArchitectureAction, ArchitectureArgs, MapUpdateArgs};
use crate::desk::{Desk, acknowledge};
use crate::failure::{DONE, FINDING, Fail, Outcome, TROUBLE};
use crate::format::facts;
use crate::printer::Io;

const NO_MAP: &str = "there is no architecture map yet";
const HOW_TO_BEGIN: &str =
    "`oldhand architecture draft` shows one, `oldhand architecture update` writes it";
const HOW_TO_CATCH_UP: &str = "`oldhand architecture update` brings the map up to date";
const UNSEEN: &str =
    "the repository has no files, too many, or none that can be seen; nothing is said to be gone";
const OPEN: &str = "open: for somebody who knows the code";

pub(super) fn run(args: &ArchitectureArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    if desk.flags.global {
        return Err(Fail::usage(
            "an architecture is that of one repository, and your own store has none",
            "leave `--global` out",
        ));
    }
    let repository = repository_name(&desk.layout()?);
    desk.work(|engine| match &args.action {
        None => show(engine, &repository, desk, io),
        Some(ArchitectureAction::Draft) => draft(engine, desk, io),
        Some(ArchitectureAction::Update(args)) => update(args, engine, &repository, desk, io),
        Some(ArchitectureAction::Check) => check(engine, &repository, desk, io),
    })
}

fn show(engine: &Engine<'_>, repository: &str, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let standing = engine.architecture(repository, &engine.tree())?;
    if desk.flags.json {
        io.json("architecture", standing_json(&standing))?;
        return Ok(DONE);
    }
    let Some(stored) = &standing.stored else {
        io.text(&format!("{NO_MAP}\nhint: {HOW_TO_BEGIN}\n"))?;
        return Ok(DONE);
    };
    let memory = &stored.memory;
    let day = memory.updated_at.or(memory.created_at).map(format_day).unwrap_or_default();
    io.text(&format!(
        "{} ({}, {}, {day})\n",
        visible_line(&memory.title),
        memory.id,
        memory.state
    ))?;
    for (name, heading) in SECTIONS {
        let text = memory.content.text(name).unwrap_or("None recorded.");
        io.text(&format!("\n## {heading}\n\n{}\n", visible(text)))?;
    }
    io.text("\n")?;
    tell_standing(&standing, io)?;
    Ok(DONE)
}

fn draft(engine: &Engine<'_>, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let drafted = engine.draft_architecture(&engine.tree())?;
    if desk.flags.json {
        io.json("architecture-draft", drafted_json(&drafted))?;
        return Ok(DONE);
    }
    for (name, heading) in SECTIONS {
        let text = match (*name, section(&drafted, name)) {
            ("module_map", Some("")) => "no folder here holds source".to_owned(),
            (_, Some("")) => "none found".to_owned(),
            (_, Some(text)) => visible(text),
            (_, None) => OPEN.to_owned(),
        };
        io.text(&format!("## {heading}\n\n{text}\n\n"))?;
    }
    io.text("hint: nothing was written; `oldhand architecture update` does\n")?;
    Ok(DONE)
}

/// What a draft has of a section; none for those that the files don't tell.
fn section<'d>(drafted: &'d Drafted, name: &str) -> Option<&'d str> {
    match name {
        "module_map" => Some(&drafted.module_map),
        "external_dependencies" => Some(&drafted.external_dependencies),
        "known_debt" => Some(&drafted.known_debt),
        _ => None,
    }
}

fn check(engine: &Engine<'_>, repository: &str, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let standing = engine.architecture(repository, &engine.tree())?;
    if desk.flags.json {
        io.json("architecture-check", standing_json(&standing))?;
    } else {
        tell_standing(&standing, io)?;
    }
    Ok(match verdict(&standing) {
        "current" => DONE,
        "unknown" => TROUBLE,
        _ => FINDING,
    })
}

fn update(
    args: &MapUpdateArgs,
    engine: &Engine<'_>,
    repository: &str,
    desk: &Desk<'_>,
    io: &mut Io<'_>,
) -> Outcome {
    let sections = sections(args)?;
    let request = MapRequest { repository, sections: &sections, origin: desk.origin(None)? };
    let tree = engine.tree();
    if args.dry_run {
        let change = engine.preview_architecture(&request, &tree)?;
        if desk.flags.json {
            io.json("architecture-change", change_json(&change))?;
        } else {
            tell_change(&change, io)?;
        }
        return Ok(DONE);
    }
    let done = engine.update_architecture(&request, &tree)?;
    acknowledge(engine, io, done, |update, io| match &update.written {
        written if desk.flags.json => {
            let nothing = || Map::from_iter([("action".to_owned(), json!("unchanged"))]);
            let mut object = written.as_ref().map_or_else(nothing, to_json);
            object.insert("drift".into(), drift_json(&update.drift));
            io.json("architecture-update", object)
        }
        Some(written) => tell_written(written, &update.drift, io),
        None => io.text("unchanged: no folder here holds source\n"),
    })?;
    if let Some(folder) = desk.state_folder(&desk.layout()?) {
        forget_drift(&folder);
    }
    Ok(DONE)
}

fn sections(args: &MapUpdateArgs) -> Result<Vec<(&'static str, String)>, Problem> {
    let given = [
        ("module_map", &args.module_map),
        ("interfaces", &args.interfaces),
        ("data_flow", &args.data_flow),
        ("external_dependencies", &args.external_dependencies),
        ("known_debt", &args.known_debt),
    ];
    let mut sections = Vec::new();
    for (name, text) in given {
        let Some(text) = text else { continue };
        if text.trim().is_empty() {
            let flag = name.replace('_', "-");
            return Err(Problem::new(name, "a text", text)
                .with_fix(format!("say it, as in `--{flag} \"…\"`, or leave `--{flag}` out")));
        }
        sections.push((name, text.clone()));
    }
    Ok(sections)
}

fn tell_written(written: &Written, drift: &Drift, io: &mut Io<'_>) -> std::io::Result<()> {
    let memory: &Memory = &written.memory;
    let verb = match written.action {
        Action::Created => "created",
        Action::Unchanged => "unchanged",
        _ => "updated",
    };
    io.text(&format!("{verb}: {}\n", visible_line(&memory.title)))?;
    let mut lines = vec![
        ("id", memory.id.to_string()),
        ("state", format!("{}, scope {}", memory.state, memory.scope)),
        ("file", written.path.clone()),
    ];
    if written.action != Action::Unchanged {
        lines.extend(drift_facts(drift));
    }
    io.text(&facts(&lines))?;
    let open: Vec<&str> = SECTIONS
        .iter()
        .filter(|(name, _)| matches!(*name, "interfaces" | "data_flow"))
        .filter(|(name, _)| memory.content.text(name).is_none())
        .map(|(name, _)| *name)
        .collect();
    if written.action != Action::Unchanged && !open.is_empty() {
        let flags: Vec<String> =
            open.iter().map(|name| format!("--{} \"…\"", name.replace('_', "-"))).collect();
        io.text(&format!("hint: still open: `oldhand architecture update {}`\n", flags.join(" ")))?;
    }
    written.warnings.iter().for_each(|warning| io.note("warning", warning));
    Ok(())
}

fn tell_change(change: &MapChange, io: &mut Io<'_>) -> std::io::Result<()> {
    let title = visible_line(&change.title);
    if change.changed.is_empty() {
        return io.text(&format!("unchanged: {title}\n"));
    }
    let verb = if change.stored.is_some() { "would update" } else { "would create" };
    io.text(&format!("{verb}: {title}\n{}", drift_rows(&change.drift)))?;
    for (name, before, after) in &change.changed {
        let heading = SECTIONS.iter().find(|(known, _)| known == name).map_or("", |(_, it)| it);
        io.text(&format!("\n## {heading}\n"))?;
        let differs = |text: &str, other: &str, mark: &str| {
            let is_new = |line: &&str| !other.lines().any(|known| known == *line);
            let lines = text.lines().filter(is_new);
            lines.map(|line| format!("{mark} {}\n", visible_line(line))).collect::<String>()
        };
        io.text(&differs(before, after, "-"))?;
        io.text(&differs(after, before, "+"))?;
    }
    Ok(())
}

/// `unknown` where not all files could be seen, and those that were are mapped.
fn verdict(standing: &Standing) -> &'static str {
    match standing.map() {
        None => "missing",
        Some(_) if !standing.drift.is_empty() => "drifted",
        Some(_) if !standing.is_whole => "unknown",
        Some(_) => "current",
    }
}

fn tell_standing(standing: &Standing, io: &mut Io<'_>) -> std::io::Result<()> {
    match verdict(standing) {
        "missing" => return io.text(&format!("{NO_MAP}\nhint: {HOW_TO_BEGIN}\n")),
        "unknown" => return io.text(&format!("not compared: {UNSEEN}\n")),
        "current" => {
            let modules = counted(standing.modules, "module", "modules");
            return io.text(&format!("the map is current: {modules}\n"));
        }
        _ => {}
    }
    io.text(&format!("changed since: {}\n", standing.drift.counts()))?;
    io.text(&drift_rows(&standing.drift))?;
    io.text(&format!("hint: {HOW_TO_CATCH_UP}\n"))
}

fn drift_rows(drift: &Drift) -> String {
    facts(&drift_facts(drift))
}

fn drift_facts(drift: &Drift) -> Vec<(&'static str, String)> {
    let new = drift.new.iter().map(|path| ("new", shown(path)));
    let moved = drift.moved.iter();
    let moved = moved.map(|(from, to)| ("moved", format!("{} -> {}", shown(from), shown(to))));
    let removed = drift.removed.iter().map(|path| ("removed", shown(path)));
    new.chain(moved).chain(removed).collect()
}

fn drift_json(drift: &Drift) -> Value {
    let moved: Vec<Value> =
        drift.moved.iter().map(|(from, to)| json!({"from": from, "to": to})).collect();
    json!({"new": drift.new, "moved": moved, "removed": drift.removed})
}

fn standing_json(standing: &Standing) -> Map<String, Value> {
    let verdict = verdict(standing);
    let mut object = Map::new();
    object.insert("verdict".into(), json!(verdict));
    let stored = standing.stored.as_ref();
    object.insert("id".into(), json!(stored.map(|it| it.memory.id.as_str())));
    if let Some(stored) = stored {
        let memory = &stored.memory;
        object.insert("title".into(), json!(memory.title));
        object.insert("state".into(), json!(memory.state));
        object.insert("path".into(), json!(stored.path));
        let section =
            |(name, _): &(&str, &str)| ((*name).to_owned(), json!(memory.content.text(name)));
        object.insert("sections".into(), Value::Object(SECTIONS.iter().map(section).collect()));
    }
    object.insert("modules".into(), json!(standing.modules));
    object.insert("drift".into(), drift_json(&standing.drift));
    let hint = match verdict {
        "missing" => HOW_TO_BEGIN,
        "drifted" => HOW_TO_CATCH_UP,
        "unknown" => UNSEEN,
        _ => return object,
    };
    object.insert("hint".into(), json!(hint));
    object
}

fn drafted_json(drafted: &Drafted) -> Map<String, Value> {
    let mut sections = Map::new();
    let mut open = Vec::new();
    for (name, _) in SECTIONS {
        match section(drafted, name) {
            Some(text) => drop(sections.insert((*name).to_owned(), json!(text))),
            None => open.push(*name),
        }
    }
    let mut object = Map::new();
    object.insert("modules".into(), json!(drafted.modules));
    object.insert("sections".into(), Value::Object(sections));
    object.insert("open".into(), json!(open));
    object
}

fn change_json(change: &MapChange) -> Map<String, Value> {
    let action = match (&change.stored, change.changed.is_empty()) {
        (_, true) => "unchanged",
        (Some(_), false) => "update",
        (None, false) => "create",
    };
    let section = |(name, before, after): &(String, String, String)| {
        (name.clone(), json!({"before": before, "after": after}))
    };
    let mut object = Map::new();
    object.insert("action".into(), json!(action));
    object.insert("id".into(), json!(change.stored.as_ref().map(|it| it.memory.id.as_str())));
    object.insert("title".into(), json!(change.title));
    object.insert("drift".into(), drift_json(&change.drift));
    object.insert("changed".into(), Value::Object(change.changed.iter().map(section).collect()));
    object
}
