//! One memory: its text as fields, its life, links, code, answers and versions.

use jiff::Timestamp;
use oldhand_app::Engine;
use oldhand_app::history::describe;
use oldhand_app::offers::Move;
use oldhand_app::sessions::Sessions;
use oldhand_app::versions::FileChange;
use oldhand_core::content::FieldValue;
use oldhand_core::kind::schema::Shape;
use oldhand_core::memory::Memory;
use oldhand_store::port::Stored;
use oldhand_text::strings::{sentence_case, shorten};
use oldhand_text::time::parse_instant;
use oldhand_text::tokens;
use oldhand_ui::house::memory::{
    CodePath, DiffLine, Field, Linked, MemoryPage, MemoryView, ServedIn, Verb, Version,
};
use oldhand_ui::house::{Answer, Named};
use serde_json::Value;
use similar::{ChangeTag, TextDiff};

use super::house::{Household, moment};
use super::values::{life_charts, links_chart};
use crate::cli::{Command, ShowArgs};
use oldhand_desk::desk::Desk;
use oldhand_desk::failure::Fail;

const ANSWERS_SHOWN: usize = 20;
const VERSIONS_SHOWN: usize = 20;
/// Of all versions together.
const DIFF_LINES_MAX: usize = 400;
const DIFF_CHARS_MAX: usize = 200;
/// Of all fields together.
const TEXT_CHARS_MAX: usize = 16_000;
const EVIDENCE_SHOWN: usize = 50;
const QUERY_CHARS_MAX: usize = 160;

impl MemoryPage for Household {
    fn memory(&self, id: &str) -> Answer<MemoryView> {
        self.at_desk(|desk| {
            let mut view = desk.work(|engine| {
                let stored = engine.get(id)?;
                let mut view = view_of(&stored, engine)?;
                let changes = engine.trail().changes(&stored, VERSIONS_SHOWN)?;
                let mut room = DIFF_LINES_MAX;
                let versions = changes.iter().map(|it| version(it, &mut room, engine.now));
                view.versions = versions.collect();
                let moves = engine.upkeep().offered_moves(&view.id);
                view.verbs = moves.into_iter().map(|it| verb(it.what, it.refused)).collect();
                if stored.memory.is_active() {
                    view.verbs.push(Verb { name: "supersede", refused: None });
                }
                Ok::<_, Fail>(view)
            })?;
            let waits = desk.ground.waiting_for(&desk.layout()?, &view.id)?;
            if !waits.is_empty() {
                view.facts.push(("Waits for the repository", waits.join(", ")));
            }
            self.add_links(&mut view, desk)?;
            view.answers = answers(&view.id, desk);
            Ok(view)
        })
    }

    fn memory_json(&self, id: &str) -> Answer<String> {
        self.command_json(Command::Show(ShowArgs { name: id.to_owned(), raw: false }))
    }
}

fn verb(what: Move, refused: Option<String>) -> Verb {
    let name = match what {
        Move::Promote => "promote",
        Move::Verify => "verify",
        Move::Archive => "archive",
        Move::Retire => "retire",
        Move::Restore => "restore",
    };
    Verb { name, refused }
}

/// What the file and the log say of it.
pub(super) fn view_of(stored: &Stored, engine: &Engine<'_>) -> Result<MemoryView, Fail> {
    let (memory, now) = (&stored.memory, engine.now);
    let id = memory.id.as_str();
    let story = engine.trail().story(id)?;
    let line = engine.trail().life_line(id)?;
    let (life, trust_curve) = life_charts(&line, engine.settings, now.as_second());
    let signals = &story.signals;
    let uses = match signals.reuse_count {
        0 => "never used".to_owned(),
        uses => format!(
            "{uses}, helped {}, failed {}",
            signals.successful_reuses, signals.failed_reuses
        ),
    };
    let mut facts = vec![
        ("Origin", memory.origin.as_str().to_owned()),
        ("Scope", memory.scope.to_string()),
        ("Used", uses),
        ("Tokens", tokens::count(&stored.text).to_string()),
        ("File", stored.path.clone()),
    ];
    facts.extend(memory.domain.clone().map(|it| ("Domain", it)));
    facts.extend(memory.level.clone().map(|it| ("Level", it)));
    if !memory.aliases.is_empty() {
        facts.push(("Also called", memory.aliases.join(", ")));
    }
    let checked = engine.memories().fresh(&[stored]);
    let paths = checked.memories.into_iter().flat_map(|it| it.paths);
    let code = paths.map(|it| CodePath {
        path: it.path,
        verdict: it.verdict.as_str().to_owned(),
        reason: it.reason,
    });
    Ok(MemoryView {
        id: id.to_owned(),
        title: memory.title.clone(),
        kind: memory.kind.to_string(),
        state: memory.state.as_str().to_owned(),
        state_reason: memory.state_reason.clone(),
        hash: stored.hash.to_string(),
        trust: signals.trust,
        fields: fields_of(memory, engine),
        facts,
        tags: memory.tags.iter().filter(|it| *it != "untagged").cloned().collect(),
        created: memory.created_at.map(|at| moment(at, now)),
        updated: memory.updated_at.map(|at| moment(at, now)),
        review: memory.review_after.map(|at| moment(at, now)),
        evidence: first_of(&memory.evidence, EVIDENCE_SHOWN),
        life,
        trust_curve,
        story: story.sentences,
        code: code.collect(),
        ..MemoryView::default()
    })
}

/// Those that are shown, and how many are not.
fn first_of(all: &[String], shown: usize) -> Vec<String> {
    let more = all.len().saturating_sub(shown);
    let rest = (more > 0).then(|| format!("… {more} more"));
    all.iter().take(shown).cloned().chain(rest).collect()
}

/// The fields of its kind in their order, then what else the file has.
pub(super) fn fields_of(memory: &Memory, engine: &Engine<'_>) -> Vec<Field> {
    let spec = engine.settings.kinds.spec(&memory.kind);
    let mut fields: Vec<Field> = spec
        .fields
        .iter()
        .map(|field| {
            let value = memory.content.get(&field.name);
            let (text, is_list) = match value {
                Some(FieldValue::List(items)) => (items.join("\n"), true),
                Some(FieldValue::Alternatives(all)) => {
                    let each =
                        all.iter().map(|it| format!("{}: {}", it.option, it.rejected_reason));
                    (each.collect::<Vec<_>>().join("\n"), true)
                }
                Some(other) => (other.plain(), false),
                None => (String::new(), matches!(field.shape, Shape::List | Shape::Steps)),
            };
            let is_plain = matches!(field.shape, Shape::Text | Shape::List | Shape::Steps);
            let name = if is_plain { field.name.to_string() } else { String::new() };
            Field { name, label: sentence_case(&field.name), text, is_list, is_cut: false }
        })
        .collect();
    fields.extend(memory.sections.iter().map(|(heading, text)| Field {
        name: String::new(),
        label: heading.clone(),
        text: text.clone(),
        ..Field::default()
    }));
    if let Some(text) = &memory.description {
        let label = "Description".to_owned();
        fields.insert(0, Field { label, text: text.clone(), ..Field::default() });
    }
    cut(&mut fields);
    fields
}

/// A file has up to 1 MiB, and a page shows its text twice. What was cut can't be changed in a form:
/// the rest would be lost.
fn cut(fields: &mut [Field]) {
    let mut room = TEXT_CHARS_MAX;
    for field in fields {
        match field.text.char_indices().nth(room).map(|(at, _)| at) {
            Some(at) => {
                field.text.truncate(at);
                (field.is_cut, field.name) = (true, String::new());
                room = 0;
            }
            None => room -= field.text.chars().count(),
        }
    }
}

impl Household {
    /// What it hangs together with, two steps around.
    pub(super) fn add_links(&self, view: &mut MemoryView, desk: &Desk<'_>) -> Result<(), Fail> {
        let around =
            desk.read(|reading| Ok(reading.engine.memories().around(reading.index, &view.id)?))?;
        let of = |id: &str| around.memories.iter().find(|it| it.id == id);
        for link in &around.links {
            let (other, relation) = match (link.from == view.id, link.to == view.id) {
                (true, _) => (of(&link.to), link.link.as_str().to_owned()),
                (_, true) => (of(&link.from), format!("{} this", link.link)),
                _ => continue,
            };
            let Some(other) = other else { continue };
            view.linked.push(Linked {
                relation,
                memory: Named { id: other.id.clone(), title: other.title.clone() },
                state: other.state.as_str().to_owned(),
            });
        }
        view.links = links_chart(&around);
        Ok(())
    }
}

/// The last answers of this machine that had it, or left it out.
fn answers(id: &str, desk: &Desk<'_>) -> Vec<ServedIn> {
    let receipts = desk.sessions().map(|it| it.receipts(None, usize::MAX)).unwrap_or_default();
    let entry = |receipt: &Value, key: &str| {
        let mut all = receipt[key].as_array().into_iter().flatten();
        all.find(|it| it["id"] == id).cloned()
    };
    let told = receipts.iter().filter_map(|receipt| {
        let served = entry(receipt, "served");
        let is_served = served.is_some();
        let found = served.or_else(|| entry(receipt, "dropped"))?;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let at = receipt["at"].as_str().and_then(parse_instant)?;
        Some(ServedIn {
            at: moment(at, desk.now),
            session: receipt["session"].as_str().map(str::to_owned),
            query: shorten(&text(&receipt["query"]), QUERY_CHARS_MAX),
            is_served,
            reason: text(&found["reason"]),
        })
    });
    told.take(ANSWERS_SHOWN).collect()
}

fn version(change: &FileChange, room: &mut usize, now: Timestamp) -> Version {
    let event = &change.event;
    let before = match (&change.before, &event.before) {
        // It was made then.
        (None, None) => Some(""),
        (text, _) => text.as_deref(),
    };
    let after = match (&change.after, &event.after) {
        (None, None) => Some(""),
        (text, _) => text.as_deref(),
    };
    Version {
        at: moment(event.at, now),
        by: event.via.beside(&event.by),
        what: describe(event),
        diff: before.zip(after).map(|(before, after)| diff(before, after, room)),
    }
}

/// As many lines as there is room for, and then that there are more.
fn diff(before: &str, after: &str, room: &mut usize) -> Vec<DiffLine> {
    let diff = TextDiff::from_lines(before, after);
    let lines = diff.grouped_ops(3).into_iter().flatten().flat_map(|op| {
        let changes: Vec<DiffLine> = diff
            .iter_changes(&op)
            .map(|change| DiffLine {
                sign: match change.tag() {
                    ChangeTag::Insert => '+',
                    ChangeTag::Delete => '-',
                    ChangeTag::Equal => ' ',
                },
                text: shorten(change.value().trim_end_matches('\n'), DIFF_CHARS_MAX),
            })
            .collect();
        changes
    });
    let mut lines: Vec<DiffLine> = lines.take(*room + 1).collect();
    if lines.len() > *room {
        let text = "… more lines".to_owned();
        lines.truncate(*room);
        lines.push(DiffLine { sign: ' ', text });
    }
    *room = room.saturating_sub(lines.len());
    lines
}
