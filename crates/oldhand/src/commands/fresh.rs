//! `oldhand fresh`: whether memories still fit the code they rest on. It tells and never fails for
//! what it finds.

use oldhand_app::Engine;
use oldhand_app::fresh::{Checked, FreshReport};
use oldhand_app::list::Filter;
use oldhand_core::fresh::{CHECKED_TIER, PathVerdict, Verdict, render_section};
use oldhand_store::port::Stored;
use serde_json::{Map, Value, json};

use crate::cli::FreshArgs;
use crate::desk::Desk;
use crate::failure::{DONE, Fail, Outcome};
use crate::format::{columns, counted};
use crate::printer::Io;

pub(super) fn run(args: &FreshArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        let stored = wanted(args, engine, io)?;
        let stored: Vec<&Stored> = stored.iter().collect();
        let report = engine.fresh(&stored);
        if desk.flags.json {
            io.json("fresh", to_json(&report))?;
        } else {
            tell(&report, !args.names.is_empty(), io)?;
        }
        Ok(DONE)
    })
}

fn wanted(args: &FreshArgs, engine: &Engine<'_>, io: &mut Io<'_>) -> Result<Vec<Stored>, Fail> {
    if !args.names.is_empty() {
        let found: Result<Vec<Stored>, _> =
            args.names.iter().map(|name| engine.get(name)).collect();
        return Ok(found?);
    }
    let listing = engine.list(&Filter::default())?;
    for unreadable in &listing.unreadable {
        io.note("warning", &format!("could not read `{}`: {}", unreadable.path, unreadable.why));
    }
    let is_wanted = |stored: &Stored| args.all || stored.memory.refresh_tier == Some(CHECKED_TIER);
    Ok(listing.stored.into_iter().filter(is_wanted).collect())
}

fn to_json(report: &FreshReport) -> Map<String, Value> {
    let memory = |checked: &Checked| {
        let mut object = Map::new();
        object.insert("id".into(), json!(checked.id.as_str()));
        object.insert("file".into(), json!(checked.file));
        object.insert("verdict".into(), json!(checked.verdict));
        if let Some(reason) = checked.reason {
            object.insert("reason".into(), json!(reason));
        }
        object.insert("paths".into(), json!(checked.paths));
        Value::Object(object)
    };
    let mut object = Map::new();
    object.insert("memories".into(), report.memories.iter().map(memory).collect());
    object.insert("warnings".into(), json!(report.warnings));
    object
}

/// The table, then what recall would say; every path when memories were named.
fn tell(report: &FreshReport, is_named: bool, io: &mut Io<'_>) -> std::io::Result<()> {
    if report.memories.is_empty() {
        return io.text("nothing to check\n");
    }
    let row = |checked: &Checked| {
        vec![checked.verdict.to_string(), checked.id.to_string(), summary(checked)]
    };
    if is_named {
        for checked in &report.memories {
            io.text(&columns(&[row(checked)]))?;
            let path =
                |path: &PathVerdict| vec![format!("  {}", path.verdict), path.reason.clone()];
            io.text(&columns(&checked.paths.iter().map(path).collect::<Vec<_>>()))?;
        }
    } else {
        io.text(&columns(&report.memories.iter().map(row).collect::<Vec<_>>()))?;
    }
    let section = render_section(&report.warnings);
    if !section.is_empty() {
        io.text(&format!("\n{section}"))?;
    }
    let is_stale = |checked: &&Checked| checked.verdict >= Verdict::Drifted;
    match report.memories.iter().find(is_stale) {
        Some(stale) => io.text(&format!("hint: {}\n", hint(stale))),
        None => Ok(()),
    }
}

fn hint(stale: &Checked) -> String {
    let id = &stale.id;
    match stale.verdict {
        Verdict::Drifted => {
            format!("when it still holds, `oldhand verify {id}`; otherwise `oldhand update {id} …`")
        }
        _ => format!("name where the code is now: `oldhand update {id} --depends-on <path> …`"),
    }
}

fn summary(checked: &Checked) -> String {
    if let Some(reason) = checked.reason {
        return reason.to_owned();
    }
    let all = checked.paths.len();
    let counted_as = |from: Verdict| checked.paths.iter().filter(|p| p.verdict >= from).count();
    match (counted_as(Verdict::Drifted), counted_as(Verdict::Unknown)) {
        (0, 0) => counted(all, "path", "paths"),
        (0, unknown) => format!("{unknown} of {} not known", counted(all, "path", "paths")),
        (stale, _) => format!("{stale} of {} {}", counted(all, "path", "paths"), how(checked)),
    }
}

fn how(checked: &Checked) -> &'static str {
    let is_any = |verdict: fn(Verdict) -> bool| checked.paths.iter().any(|p| verdict(p.verdict));
    let is_changed = is_any(|verdict| verdict == Verdict::Drifted);
    match (is_changed, is_any(|verdict| verdict > Verdict::Drifted)) {
        (true, true) => "changed or gone",
        (false, true) => "gone",
        _ => "changed",
    }
}
