//! What is typed seldom: notes of a session, what is collected, the map of modules, how recall does.

use oldhand_app::architecture::{MapStanding, MapVerdict};
use oldhand_app::eval::Report;
use oldhand_app::gc::Collected;
use oldhand_screen::{Screen, Tone, bar};
use oldhand_sessions::architecture::SECTIONS;
use oldhand_sessions::notes::{Item, ItemState, NoteKind, Notes};
use oldhand_text::strings::{capitalised, counted};

use super::{Deed, since, state};

/// What is open stands out; what is done is there to be looked up.
pub(crate) fn notes(notes: &Notes, whose: &str, screen: &Screen) -> String {
    if notes.is_empty() {
        let none = screen.dim(&format!("no notes of {whose}"));
        return format!("{none}\n{}", screen.next("oldhand note remaining \"…\"", "writes one"));
    }
    let open = screen.dim(&format!("{} open", notes.open()));
    let head = screen.parts(&[screen.title(&capitalised(whose)), open]);
    let objective = screen.facts(&[("objective", screen.paint(Tone::Plain, &notes.objective))]);
    let row = |item: &Item| {
        let (mark, tone) = match (item.standing, item.kind) {
            (ItemState::Dropped, _) => ("–", Tone::Dim),
            (ItemState::Closed, _) | (_, NoteKind::Done) => ("✓", Tone::Good),
            (_, NoteKind::Error) => ("✗", Tone::Bad),
            (_, NoteKind::Question) => ("?", Tone::Warn),
            (_, NoteKind::Remaining) => ("○", Tone::Plain),
        };
        let told = if item.is_open() { Tone::Plain } else { Tone::Dim };
        vec![
            screen.dim(&format!("{:>3}", item.number)),
            screen.paint(tone, mark),
            screen.paint(told, &item.line()),
        ]
    };
    let rows = screen.table(notes.items.iter().map(row).collect(), 2);
    let first = notes.items.iter().find(|item| item.is_open());
    let next = first.map(|item| {
        let (verb, what) = match item.kind {
            NoteKind::Error => ("fix", "says how it was fixed"),
            NoteKind::Question => ("answer", "answers it"),
            _ => ("done", "says that it is done"),
        };
        screen.next(&format!("oldhand note {verb} {}", item.number), what)
    });
    format!("{head}\n{objective}\n{rows}\n{}", next.unwrap_or_default())
}

pub(crate) fn collected(collected: &Collected, screen: &Screen) -> String {
    let done = [
        ("archived", &collected.archived),
        ("deleted", &collected.deleted),
        ("past retention", &collected.expired),
    ];
    let left = [
        ("wait for you", &collected.waiting),
        ("due for a review", &collected.review_due),
        ("without a date", &collected.undated),
    ];
    let fact = |(label, ids): &(&'static str, &Vec<String>)| (*label, ids.join(", "));
    let is_idle = done.iter().all(|(_, ids)| ids.is_empty());
    let verb = match (is_idle, collected.dry_run) {
        (true, _) => "nothing to collect",
        (false, true) => "would collect",
        (false, false) => "collected",
    };
    let hint = match (collected.more, collected.waiting.is_empty()) {
        (true, _) => Some("there is more: `oldhand gc` again".to_owned()),
        (_, false) => Some("`oldhand gc --purge <id>` deletes one for good".to_owned()),
        _ => None,
    };
    let facts = done.iter().chain(&left).map(fact).collect();
    Deed { hint, ..Deed::about(verb, "").with_facts(facts) }.people(screen)
}

/// The map itself, as somebody wrote it down.
pub(crate) fn map(standing: &MapStanding, screen: &Screen) -> String {
    let Some(stored) = &standing.stored else { return String::new() };
    let memory = &stored.memory;
    let facts = [
        state(memory.state, screen),
        since(memory.updated_at.or(memory.created_at), screen),
        screen.dim(memory.id.as_str()),
    ];
    let mut out = format!("{}\n{}\n", screen.title(&memory.title), screen.parts(&facts));
    for (name, heading) in SECTIONS {
        let text = memory.content.text(name).unwrap_or("None recorded.");
        out.push_str(&format!("\n{}\n{}", screen.title(heading), screen.body(text, 2)));
    }
    out + "\n"
}

/// Whether it still fits. `drift` is what has changed since, in facts.
pub(crate) fn standing(
    standing: &MapStanding,
    drift: Vec<(&str, String)>,
    screen: &Screen,
) -> String {
    let (mark, tone, said) = match standing.verdict() {
        MapVerdict::Current => {
            let modules = counted(standing.modules, "module", "modules");
            ("✓", Tone::Good, format!("the map is current: {modules}"))
        }
        MapVerdict::Missing => ("!", Tone::Warn, "no module is mapped yet".to_owned()),
        MapVerdict::Unknown => ("!", Tone::Warn, "not compared with the code".to_owned()),
        MapVerdict::Drifted => {
            ("!", Tone::Warn, format!("changed since: {}", standing.drift.counts()))
        }
    };
    let line = screen.item(&screen.paint(tone, mark), &screen.paint(tone, &said), 0);
    let painted = drift.into_iter().map(|(label, text)| (label, screen.paint(Tone::Plain, &text)));
    let drift = screen.facts(&painted.collect::<Vec<_>>());
    line + &drift + &standing.verdict().hint().map(|hint| screen.hint(hint)).unwrap_or_default()
}

/// The share of what was looked for that came, and how often silence was right and wrong.
pub(crate) fn evaluation(report: &Report, screen: &Screen) -> String {
    let Some(recall) = report.engines.first() else { return String::new() };
    let percent = |share: f64| format!("{:>3.0} %", share * 100.0);
    let measured = |share: Option<f64>| share.map_or_else(|| screen.dim("    –"), percent);
    let head: Vec<String> =
        ["", "questions", "", "found in 5", "first", "silent rightly", "wrongly"]
            .map(|it| screen.dim(it))
            .to_vec();
    let of_all = recall.groups.len() == 2;
    let rows = recall.groups.iter().take(if of_all { 1 } else { usize::MAX }).map(|group| {
        let [first, in_five, ..] = group.scores.unwrap_or_default();
        let has_gold = group.scores.is_some();
        let found = |share: f64| measured(has_gold.then_some(share));
        vec![
            screen.paint(Tone::Plain, &group.category),
            format!("{:>9}", group.answerable + group.unanswerable),
            screen.command(&bar(in_five)),
            found(in_five),
            found(first),
            measured(group.abstained),
            measured(group.silenced),
        ]
    });
    let rows: Vec<Vec<String>> = std::iter::once(head).chain(rows).collect();
    let documents = screen.dim(&counted(report.documents, "memory", "memories"));
    let head = screen.parts(&[screen.title(&report.source), documents]);
    let mut out = format!("{head}\n\n{}", screen.table(rows, 0));
    if let Some(mean) = recall.groups.first().and_then(|all| all.tokens_mean) {
        let tokens = screen.facts(&[("tokens", format!("{mean:.0} per answer"))]);
        out.push_str(&format!("\n{tokens}"));
    }
    out + &screen
        .hint("`--json` has every measure, and `oldhand why <id> \"…\"` explains one answer")
}
