//! `oldhand architecture`: the map of modules, what has changed since, and bringing it up to date.

use oldhand_app::architecture::{DraftedMap, MapChange, MapRequest, MapStanding, MapVerdict};
use oldhand_app::written::{Action, Written};
use oldhand_screen::Screen;
use oldhand_sessions::architecture::drift::Drift;
use oldhand_sessions::architecture::{SECTIONS, shown};
use wire::architecture::{
    Architecture, ArchitectureChange, ArchitectureDraft, UpdatedArchitecture,
};

use super::prelude::*;
use oldhand_desk::drift::repository_name;

pub(super) fn run(args: &ArchitectureArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    if desk.flags.global {
        return Err(Fail::usage(
            "an architecture is that of one repository, and your own store has none",
            "leave `--global` out",
        ));
    }
    let repository = repository_name(&desk.layout()?);
    desk.work(|engine| {
        let sessions = engine.sessions();
        match &args.action {
            None => {
                let standing = sessions.architecture(&repository, &sessions.tree())?;
                let people =
                    |screen: &Screen| people::map(&standing, screen) + &seen(&standing, screen);
                let answer = Architecture::of(&standing);
                desk.present(io, "architecture", answer, (|| map_text(&standing), people))
            }
            Some(ArchitectureAction::Draft) => {
                let drafted = sessions.draft_architecture(&sessions.tree())?;
                let answer = ArchitectureDraft::of(&drafted);
                desk.print(io, "architecture-draft", answer, || draft_text(&drafted))
            }
            Some(ArchitectureAction::Update(args)) => update(args, engine, &repository, desk, io),
            Some(ArchitectureAction::Check) => {
                let standing = sessions.architecture(&repository, &sessions.tree())?;
                let answer = Architecture::of(&standing);
                let people = |screen: &Screen| seen(&standing, screen);
                let forms = (|| standing_text(&standing), people);
                desk.present(io, "architecture-check", answer, forms)?;
                Ok(match standing.verdict() {
                    MapVerdict::Current => DONE,
                    MapVerdict::Unknown => TROUBLE,
                    MapVerdict::Missing | MapVerdict::Drifted => FINDING,
                })
            }
        }
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
    let tree = engine.sessions().tree();
    if args.dry_run {
        let change = engine.sessions().preview_architecture(&request, &tree)?;
        let answer = ArchitectureChange::of(&change);
        return desk.print(io, "architecture-change", answer, || change_text(&change));
    }
    let done = engine.sessions().update_architecture(&request, &tree)?;
    acknowledge(engine, io, done, |update, io| {
        let answer = UpdatedArchitecture::of(&update);
        match &update.written {
            Some(written) => {
                map_deed(written, &update.drift).tell(("architecture-update", answer), desk, io)?
            }
            None => desk.print(io, "architecture-update", answer, || {
                "unchanged: no folder here holds source\n".to_owned()
            })?,
        };
        desk.remark(io, "warning", update.written.iter().flat_map(|it| &it.warnings));
        Ok(DONE)
    })?;
    if let Some(sessions) = desk.sessions() {
        // Best effort: a note about another map is not believed anyway.
        let _ = sessions.update_record(|record| record.drift = None);
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
    let said = given.into_iter().filter_map(|(name, text)| Some((name, text.clone()?)));
    let sections: Vec<(&str, String)> = said.collect();
    if let Some((name, text)) = sections.iter().find(|(_, text)| text.trim().is_empty()) {
        let flag = name.replace('_', "-");
        return Err(Problem::new(name, "a text", text)
            .with_fix(format!("say it, as in `--{flag} \"…\"`, or leave `--{flag}` out")));
    }
    Ok(sections)
}

fn map_text(standing: &MapStanding) -> String {
    let Some(stored) = &standing.stored else { return standing_text(standing) };
    let memory = &stored.memory;
    let day = memory.updated_at.or(memory.created_at).map(format_day).unwrap_or_default();
    let title = visible_line(&memory.title);
    let mut out = format!("{title} ({}, {}, {day})\n", memory.id, memory.state);
    for (name, heading) in SECTIONS {
        let text = memory.content.text(name).unwrap_or("None recorded.");
        out.push_str(&format!("\n## {heading}\n\n{}\n", visible(text)));
    }
    format!("{out}\n{}", standing_text(standing))
}

fn draft_text(drafted: &DraftedMap) -> String {
    let mut out = String::new();
    for (name, heading) in SECTIONS {
        let text = match (*name, drafted.section(name)) {
            ("module_map", Some("")) => "no folder here holds source".to_owned(),
            (_, Some("")) => "none found".to_owned(),
            (_, Some(text)) => visible(text),
            (_, None) => "open: for somebody who knows the code".to_owned(),
        };
        out.push_str(&format!("## {heading}\n\n{text}\n\n"));
    }
    out + "hint: nothing was written; `oldhand architecture update` does\n"
}

fn map_deed<'a>(written: &'a Written, drift: &Drift) -> Deed<'a> {
    let memory = &written.memory;
    let verb = match written.action {
        Action::Created => "created",
        Action::Unchanged => "unchanged",
        _ => "updated",
    };
    let mut facts = vec![
        ("id", memory.id.to_string()),
        ("state", format!("{}, scope {}", memory.state, memory.scope)),
        ("file", written.path.clone()),
    ];
    if written.action != Action::Unchanged {
        facts.extend(drift_facts(drift));
    }
    Deed { facts, hint: open_hint(written), ..Deed::of(verb, memory) }
}

/// Sections that only somebody who knows the code can write.
fn open_hint(written: &Written) -> Option<String> {
    let open = ["interfaces", "data_flow"].into_iter();
    let open = open.filter(|name| written.memory.content.text(name).is_none());
    let flags: Vec<String> =
        open.map(|name| format!("--{} \"…\"", name.replace('_', "-"))).collect();
    if written.action == Action::Unchanged || flags.is_empty() {
        return None;
    }
    Some(format!("still open: `oldhand architecture update {}`", flags.join(" ")))
}

fn change_text(change: &MapChange) -> String {
    let title = visible_line(&change.title);
    if change.changed.is_empty() {
        return format!("unchanged: {title}\n");
    }
    let verb = if change.stored.is_some() { "would update" } else { "would create" };
    let mut out = format!("{verb}: {title}\n{}", facts(&drift_facts(&change.drift)));
    let differs = |text: &str, other: &str, mark: &str| {
        let is_new = |line: &&str| !other.lines().any(|known| known == *line);
        let lines = text.lines().filter(is_new);
        lines.map(|line| format!("{mark} {}\n", visible_line(line))).collect::<String>()
    };
    for (name, before, after) in &change.changed {
        let heading = SECTIONS.iter().find(|(known, _)| known == name).map_or("", |(_, it)| it);
        let (gone, new) = (differs(before, after, "-"), differs(after, before, "+"));
        out.push_str(&format!("\n## {heading}\n{gone}{new}"));
    }
    out
}

fn standing_text(standing: &MapStanding) -> String {
    let verdict = standing.verdict();
    let hint = verdict.hint().unwrap_or_default();
    match verdict {
        MapVerdict::Missing => format!("there is no architecture map yet\nhint: {hint}\n"),
        MapVerdict::Unknown => format!("not compared: {hint}\n"),
        MapVerdict::Current => {
            let modules = counted(standing.modules, "module", "modules");
            format!("the map is current: {modules}\n")
        }
        MapVerdict::Drifted => {
            let rows = facts(&drift_facts(&standing.drift));
            format!("changed since: {}\n{rows}hint: {hint}\n", standing.drift.counts())
        }
    }
}

fn seen(standing: &MapStanding, screen: &Screen) -> String {
    people::standing(standing, drift_facts(&standing.drift), screen)
}

fn drift_facts(drift: &Drift) -> Vec<(&'static str, String)> {
    let new = drift.new.iter().map(|path| ("new", shown(path)));
    let arrow = |(from, to): &(String, String)| format!("{} -> {}", shown(from), shown(to));
    let moved = drift.moved.iter().map(|pair| ("moved", arrow(pair)));
    let removed = drift.removed.iter().map(|path| ("removed", shown(path)));
    new.chain(moved).chain(removed).collect()
}
