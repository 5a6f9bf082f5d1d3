//! `oldhand fresh`: whether memories still fit the code they rest on. It tells and never fails for
//! what it finds.

use oldhand_app::fresh::{Checked, FreshReport};
use oldhand_app::list::Filter;
use oldhand_core::fresh::{CHECKED_TIER, PathVerdict, Verdict, render_section};
use oldhand_store::port::Stored;

use super::list::warn_unreadable;
use super::prelude::*;

pub(super) fn run(args: &FreshArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        let stored = if args.names.is_empty() {
            let listing = engine.memories().list(&Filter::default())?;
            warn_unreadable(&listing, io);
            let is_wanted = |it: &Stored| args.all || it.memory.refresh_tier == Some(CHECKED_TIER);
            listing.stored.into_iter().filter(is_wanted).collect()
        } else {
            let found = args.names.iter().map(|name| engine.get(name));
            found.collect::<Result<Vec<Stored>, _>>()?
        };
        let report = engine.memories().fresh(&stored.iter().collect::<Vec<_>>());
        desk.print(io, "fresh", &report, || text(&report, !args.names.is_empty()))
    })
}

/// The table, then what recall would say; every path when memories were named.
fn text(report: &FreshReport, is_named: bool) -> String {
    if report.memories.is_empty() {
        return "nothing to check\n".to_owned();
    }
    let row =
        |checked: &Checked| [checked.verdict.to_string(), checked.id.clone(), summary(checked)];
    let mut text = String::new();
    if is_named {
        let path = |path: &PathVerdict| [format!("  {}", path.verdict), path.reason.clone()];
        for checked in &report.memories {
            text.push_str(&table([row(checked)]));
            text.push_str(&table(checked.paths.iter().map(path)));
        }
    } else {
        text = table(report.memories.iter().map(row));
    }
    let section = render_section(&report.warnings);
    if !section.is_empty() {
        text.push_str(&format!("\n{section}"));
    }
    let stale = report.memories.iter().find(|checked| checked.verdict >= Verdict::Drifted);
    text + &stale.map(hint).unwrap_or_default()
}

fn hint(stale: &Checked) -> String {
    let id = &stale.id;
    match stale.verdict {
        Verdict::Drifted => {
            format!(
                "hint: when it still holds, `oldhand verify {id}`; otherwise \
                 `oldhand update {id} …`\n"
            )
        }
        _ => format!(
            "hint: name where the code is now: `oldhand update {id} --depends-on <path> …`\n"
        ),
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
