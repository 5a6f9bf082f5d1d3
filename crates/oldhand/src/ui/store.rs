//! Store: doctor, undo, hosts, the index and the settings.

use std::collections::BTreeMap;

use oldhand_app::sessions::Sessions as _;
use oldhand_text::strings::visible_line;
use oldhand_ui::house::Answer;
use oldhand_ui::house::store::{Diagnosis, HostRow, Setting, Store, StorePage, Undo};
use oldhand_ui::parts::number;
use serde_json::Value;

use super::act::undo_preview;
use super::house::Household;
use crate::cli::Command;
use crate::commands::install::set_up_hosts;
use oldhand_desk::desk::Desk;
use oldhand_desk::failure::Fail;

impl StorePage for Household {
    fn store(&self, checks: bool) -> Answer<Store> {
        let diagnosis = checks.then(|| self.diagnosis()).transpose()?;
        self.at_desk(|desk| {
            let layout = desk.layout()?;
            let cards = self.cards(desk)?;
            // Both look at the whole store: at every card, and at every event.
            let undo = self.worked_out("undo", desk, cards.mark(), || undo(desk))?;
            let key = format!("{} {}", cards.mark(), self.aside.batches());
            let index = self.worked_out("index", desk, &key, || index(desk))?;
            let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
            cards.all.iter().for_each(|it| *kinds.entry(&it.kind).or_default() += 1);
            Ok(Store {
                root: layout.root.display().to_string(),
                memories: cards.all.len(),
                tokens: cards.all.iter().map(|it| u64::from(it.tokens)).sum(),
                kinds: kinds.into_iter().map(|(kind, count)| (kind.to_owned(), count)).collect(),
                index: (*index).clone(),
                settings: settings(desk)?,
                hosts: hosts(desk),
                undo: (*undo).clone(),
                diagnosis,
            })
        })
    }

    fn store_json(&self) -> Answer<String> {
        self.command_json(Command::Stats)
    }
}

impl Household {
    fn diagnosis(&self) -> Answer<Diagnosis> {
        let text = self.command_json(Command::Doctor)?;
        let json: Value = serde_json::from_str(&text).unwrap_or_default();
        let word = |value: &Value| visible_line(value.as_str().unwrap_or_default());
        let list = |key: &str| json[key].as_array().cloned().unwrap_or_default();
        let count = |key: &str| json[key].as_u64().and_then(|it| usize::try_from(it).ok());
        let hosts = list("hosts");
        let hosts = hosts.iter().map(|it| format!("the hook for {} answers", word(it)));
        Ok(Diagnosis {
            memories: count("memories").unwrap_or_default(),
            events: count("events").unwrap_or_default(),
            findings: list("findings")
                .iter()
                .map(|it| ["path", "what", "hint"].map(|key| word(&it[key])))
                .collect(),
            repaired: list("repaired").iter().map(word).collect(),
            notes: hosts.chain(list("notes").iter().map(word)).collect(),
        })
    }
}

fn index(desk: &Desk<'_>) -> Result<Vec<(&'static str, String)>, Fail> {
    desk.read(|reading| {
        let facts = reading.index.facts()?;
        let place = if facts.is_kept { "on disk" } else { "nowhere: every answer rebuilds it" };
        let mut rows = vec![
            ("Memories", number(facts.memories as u64)),
            ("By meaning", format!("{} ({})", number(facts.embedded as u64), facts.model)),
            ("Segments", facts.segments.to_string()),
            ("Size", format!("{} KiB", number(facts.bytes.div_ceil(1024)))),
            ("Kept", place.to_owned()),
        ];
        rows.extend(reading.index.notes().into_iter().map(|note| ("Note", note)));
        Ok(rows)
    })
}

fn settings(desk: &Desk<'_>) -> Result<Vec<Setting>, Fail> {
    let resolved = desk.resolve(Some(&desk.layout()?))?;
    let setting = |key: &oldhand_desk::config::keys::Key| {
        let (value, source) = resolved.get(key);
        Setting {
            key: key.name.clone(),
            value: visible_line(&value.to_string()),
            source: source.to_string(),
            meaning: key.meaning.to_string(),
            is_default: value.to_json() == key.default.to_json(),
        }
    };
    Ok(resolved.keys.iter().map(setting).collect())
}

/// Those that are set up, and those that the log knows.
fn hosts(desk: &Desk<'_>) -> Vec<HostRow> {
    let mut rows: BTreeMap<String, HostRow> = BTreeMap::new();
    for (host, found) in set_up_hosts(desk) {
        let problem = found.err().map(|it| it.to_string()).unwrap_or_default();
        let name = host.name.to_owned();
        let row = HostRow { name: name.clone(), problem, is_set_up: true, ..HostRow::default() };
        rows.insert(name, row);
    }
    for line in desk.sessions().map(|it| it.hook_lines()).unwrap_or_default() {
        let Some(name) = line["host"].as_str().filter(|it| !it.is_empty()) else { continue };
        let row = rows.entry(name.to_owned()).or_default();
        name.clone_into(&mut row.name);
        row.calls += 1;
        row.trouble += usize::from(line["trouble"] == true);
    }
    rows.into_values().collect()
}

fn undo(desk: &Desk<'_>) -> Result<Undo, Fail> {
    match undo_preview(desk) {
        Err(Fail::Refused(refusal)) => Ok(Undo { refusal: refusal.message, ..Undo::default() }),
        other => other,
    }
}
