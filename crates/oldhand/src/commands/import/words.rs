//! What an import tells people.

use std::collections::BTreeMap;

use oldhand_app::transfer::report::{Fate, Item, SourceReport};
use oldhand_core::state::State;
use oldhand_exchange::formats::{Format, Root};
use oldhand_screen::Screen;
use wire::import::ImportReport;

use super::super::prelude::*;

/// Names in one line.
const NAMES_MAX: usize = 20;
/// Sources in the line of `init`.
const FOUND_MAX: usize = 4;

const FATES: &[(Fate, &str)] = &[
    (Fate::Created, "created"),
    (Fate::Updated, "updated"),
    (Fate::Unchanged, "unchanged"),
    (Fate::Joined, "joined"),
    (Fate::Moved, "moved"),
    (Fate::Diverged, "diverged"),
    (Fate::Held, "held"),
    (Fate::Refused, "refused"),
    (Fate::Skipped, "skipped"),
    (Fate::Gone, "gone"),
];

pub(super) fn tell(
    reports: &[SourceReport],
    args: &ImportArgs,
    desk: &Desk<'_>,
    io: &mut Io<'_>,
) -> Outcome {
    let text = || {
        let one = |it| if is_own(it) { own_text(it, args.dry_run) } else { text(it) };
        reports.iter().map(one).collect::<String>()
    };
    let people =
        |screen: &Screen| reports.iter().map(|it| deed(it, args.dry_run).people(screen)).collect();
    desk.present(io, "import", ImportReport::of(reports), (text, people))?;
    for report in reports {
        if is_own(report) {
            let refused = report.of(Fate::Refused);
            desk.remark(io, "refused", refused.map(|it| format!("{}: {}", it.source, it.reason)));
        }
        desk.remark(io, "note", report.notes.iter().map(|note| visible_line(note)));
        let settings = report.settings.iter().map(|it| format!("`{it}` sets what was set there"));
        desk.remark(io, "setting", settings);
    }
    let created = |state: fn(State) -> bool| {
        let items = reports.iter().filter(|it| !is_own(it)).flat_map(|it| it.of(Fate::Created));
        items.filter(|item| item.state.is_some_and(state)).count()
    };
    let raised =
        reports.iter().flat_map(|it| it.of(Fate::Updated)).filter(|it| it.reason == "accepted");
    let vouched = created(State::is_served) + raised.count();
    if args.accept && vouched > 0 {
        let memories = counted(vouched, "memory", "memories");
        let whom = "that anybody with write access to its source may have written";
        desk.remark(io, "note", [format!("you vouch for {memories} {whom}")]);
    }
    if args.dry_run {
        desk.remark(io, "note", ["nothing was written"]);
    } else if created(|state| state == State::Candidate) > 0 {
        desk.remark(io, "next", [next(reports, args)]);
    }
    Ok(DONE)
}

fn is_own(report: &SourceReport) -> bool {
    report.from.starts_with("own:")
}

fn own_text(report: &SourceReport, is_preview: bool) -> String {
    let created = counted(report.of(Fate::Created).count(), "memory", "memories");
    let unchanged = match report.of(Fate::Unchanged).count() {
        0 => String::new(),
        count => format!(", {count} were there already"),
    };
    let verb = if is_preview { "would import" } else { "imported" };
    format!("{verb} {created}{unchanged}\n")
}

fn next(reports: &[SourceReport], args: &ImportArgs) -> String {
    let mut froms = reports.iter().filter(|it| it.of(Fate::Created).next().is_some());
    let review = match (froms.next(), froms.next()) {
        (Some(one), None) => {
            format!("oldhand review --source {}", oldhand_text::strings::typed(&one.from))
        }
        _ => "oldhand review".to_owned(),
    };
    format!("`{review}`, or `oldhand import {} --accept --by <name>`", again(args))
}

/// The sources of this command and how they are read, as somebody would type them.
fn again(args: &ImportArgs) -> String {
    let typed = |it: &String| oldhand_text::strings::typed(it).to_string();
    let mut words: Vec<String> = args.sources.iter().map(typed).collect();
    if args.sources.is_empty() {
        words.push("--all".to_owned());
    }
    words.extend(args.user.then(|| "--user".to_owned()));
    let said = [("--from", &args.from), ("--project", &args.project)];
    words.extend(
        said.iter().filter_map(|(flag, it)| Some(format!("{flag} {}", typed(it.as_ref()?)))),
    );
    words.join(" ")
}

fn header(report: &SourceReport) -> String {
    let (format, root) = report.from.split_once(':').unwrap_or(("", &report.from));
    let records = counted(report.records, "record", "records");
    format!("{format}  {}  {records}\n", visible_line(root))
}

fn text(report: &SourceReport) -> String {
    let mut text = header(report);
    for (word, count, told) in fates(report) {
        text.push_str(format!("  {word:<10} {count}  {told}").trim_end());
        text.push('\n');
    }
    text
}

/// What became of the records: a word, how many, and which.
fn fates(report: &SourceReport) -> Vec<(&'static str, usize, String)> {
    let mut told = Vec::new();
    for (fate, word) in FATES {
        let items: Vec<&Item> = report.of(*fate).collect();
        let which = match fate {
            Fate::Created => by_kind(&items),
            Fate::Unchanged => String::new(),
            _ => names(&items),
        };
        told.push((*word, items.len(), which));
    }
    told.retain(|(_, count, _)| *count > 0);
    told
}

fn deed(report: &SourceReport, is_preview: bool) -> Deed<'static> {
    let (format, root) = report.from.split_once(':').unwrap_or(("", &report.from));
    let did = fates(report);
    let verb = match did.iter().all(|(word, ..)| *word == "unchanged") {
        _ if is_preview => "would import",
        true => "unchanged",
        false => "imported",
    };
    let records = format!("{}, {format}", counted(report.records, "record", "records"));
    let mut facts = if is_own(report) { Vec::new() } else { vec![("source", records)] };
    facts.extend(did.into_iter().map(|(word, count, which)| match which.as_str() {
        "" => (word, count.to_string()),
        _ => (word, format!("{count}: {which}")),
    }));
    Deed::about(verb, visible_line(root)).with_facts(facts)
}

/// `candidates: 3 reference, 1 runbook; superseded: 1 decision`
fn by_kind(items: &[&Item]) -> String {
    let mut states: BTreeMap<State, BTreeMap<String, usize>> = BTreeMap::new();
    for item in items {
        if let (Some(state), Some(kind)) = (item.state, &item.kind) {
            *states.entry(state).or_default().entry(kind.to_string()).or_default() += 1;
        }
    }
    let part = |(state, kinds): (State, BTreeMap<String, usize>)| {
        let mut kinds: Vec<(String, usize)> = kinds.into_iter().collect();
        kinds.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let kinds: Vec<String> =
            kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        let state =
            if state == State::Candidate { "candidates".to_owned() } else { state.to_string() };
        format!("{state}: {}", kinds.join(", "))
    };
    states.into_iter().map(part).collect::<Vec<_>>().join("; ")
}

fn names(items: &[&Item]) -> String {
    let name = |item: &&Item| {
        // These are followed by a command about the memory, which has a name of its own.
        let needs_id = matches!(item.fate, Fate::Gone | Fate::Held);
        let id = item.id.as_ref().filter(|id| needs_id && **id != item.source);
        let id = id.map(|id| format!(" (id {id})")).unwrap_or_default();
        let reason =
            if item.reason.is_empty() { String::new() } else { format!(": {}", item.reason) };
        visible_line(&format!("{}{id}{reason}", item.source))
    };
    let mut told: Vec<String> = items.iter().take(NAMES_MAX).map(name).collect();
    if items.len() > NAMES_MAX {
        told.push(format!("and {} more", items.len() - NAMES_MAX));
    }
    told.join(", ")
}

pub(super) fn found_text(reports: &[SourceReport], args: &ImportArgs) -> String {
    let rows = reports.iter().map(|it| {
        let (format, root) = it.from.split_once(':').unwrap_or(("", &it.from));
        [format.to_owned(), visible_line(root), counted(it.records, "record", "records")]
    });
    let again = again(args);
    let hint =
        format!("`oldhand import {again}` takes them as candidates; name a path to take one");
    format!("{}hint: {hint}\n", table(rows))
}

/// `found CLAUDE.md, 12 decision records, …`
pub(super) fn found_line(found: &[(&'static Format, Root)]) -> Option<String> {
    let (records, others): (Vec<_>, Vec<_>) = found.iter().partition(|it| it.0.name == "adr");
    let records: usize = records.iter().map(|(_, root)| root.files.len()).sum();
    let records = counted(records, "decision record", "decision records");
    let one = |(_, root): &&(&'static Format, Root)| match root.files.as_slice() {
        [file] => file.clone(),
        _ => root.path.clone(),
    };
    let mut told: Vec<String> = others.iter().map(one).collect();
    if others.len() < found.len() {
        told.insert(0, records);
    }
    if told.len() > FOUND_MAX {
        let more = told.split_off(FOUND_MAX).len();
        told.push(format!("and {more} more"));
    }
    let found = visible_line(&told.join(", "));
    (!told.is_empty()).then(|| format!("found {found}: `oldhand import` shows them"))
}
