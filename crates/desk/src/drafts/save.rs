//! Taking in what agents drafted: read, check, verify, decide, write; one process, one line of
//! result. A draft that is wrong stops itself and no other.

use oldhand_app::Engine;
use oldhand_app::capture::{Saved, Staged};
use oldhand_app::record::json_refusal;
use oldhand_app::wire::capture::SavedDraft;
use oldhand_core::draft::Draft;
use oldhand_core::draft::json as record;
use oldhand_core::kind::Kinds;
use oldhand_core::yaml::Yaml;
use oldhand_judge::capture::candidate::{Action, LifecycleEvent};
use oldhand_judge::capture::verify::{self, Class, Doubt};
use oldhand_store::session::staging::Staging;
use oldhand_text::strings::visible_line;
use oldhand_text::word::words;
use serde_json::{Map, Value, json};

use super::written;
use crate::failure::Fail;

pub struct DraftOutcome {
    pub category: String,
    title: String,
    fate: Fate,
    why: String,
    saved: Option<Saved>,
    /// Doubts that don't stop it.
    pub doubts: Vec<String>,
}

words! {
    Fate, "result" {
        Saved = "saved",
        /// The agent found nothing worth keeping.
        Noop = "noop",
        /// Something in it was not said.
        Blocked = "blocked",
        /// There is no excerpt to compare it with (R244).
        Skipped = "skipped",
        Refused = "refused",
    }
}

const CONFIDENCE_MAX: f64 = 0.85;

/// Keys that are about the draft and not about the memory.
const OWN_KEYS: &[&str] = &[
    "intended_action",
    "new_info_summary",
    "change_summary",
    "lifecycle_event",
    "lifecycle_hints",
    "action",
    "noop_reason",
];

/// Store trouble ends the whole: what is left is still in the staging area.
pub fn save_all(engine: &Engine<'_>, staging: &Staging<'_>) -> Result<Vec<DraftOutcome>, Fail> {
    let names = staging.drafts()?;
    let data = match staging.read("triage-data.json") {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
        read => read.unwrap_or_default(),
    };
    let evidence = session_in(&data).map(|session| format!("transcript:{session}"));
    let mut outcomes = Vec::new();
    for name in names {
        let category = name.trim_start_matches("draft-").trim_end_matches(".json").to_owned();
        let outcome = save_one(engine, staging, (&name, evidence.as_deref()), &category)?;
        if outcome.is_fine() {
            staging.remove(&name);
        }
        outcomes.push(outcome);
    }
    Ok(outcomes)
}

pub fn session_of(staging: &Staging<'_>) -> Option<String> {
    session_in(&staging.read("triage-data.json").ok()?)
}

fn session_in(data: &str) -> Option<String> {
    let data: Value = serde_json::from_str(data).ok()?;
    data["session"].as_str().map(str::to_owned)
}

fn save_one(
    engine: &Engine<'_>,
    staging: &Staging<'_>,
    (name, evidence): (&str, Option<&str>),
    category: &str,
) -> Result<DraftOutcome, Fail> {
    let ended = |title: &str, fate: Fate, why: String| {
        let (category, title) = (category.to_owned(), title.to_owned());
        DraftOutcome { category, title, fate, why, saved: None, doubts: Vec::new() }
    };
    let read = staging.read(name).map_err(|error| error.to_string());
    let mut draft = match read.and_then(|text| parse(&text, category, &engine.settings.kinds)) {
        Ok(Ok(staged)) => staged,
        Ok(Err(noop_reason)) => return Ok(ended("", Fate::Noop, noop_reason)),
        Err(why) => return Ok(ended("", Fate::Refused, format!("`{name}`: {why}"))),
    };
    let title = draft.draft.title().unwrap_or_default().to_owned();
    if let Some(evidence) = evidence.filter(|_| draft.draft.get("evidence").is_none()) {
        draft.draft.set("evidence", Yaml::list(&[evidence.to_owned()]));
    }
    let Ok(excerpt) = staging.read(&format!("context-{category}.txt")) else {
        let why = format!("there is no `context-{category}.txt` to compare it with");
        return Ok(ended(&title, Fate::Skipped, why));
    };
    // The excerpt's tags are escaped for its readers; the draft quotes what was said.
    let doubts = verify::verify(&draft.draft, &excerpt.replace("&lt;", "<"));
    let said = |class: Class| -> Vec<String> {
        doubts.iter().filter(|doubt| doubt.class == class).map(Doubt::to_string).collect()
    };
    let outcome = if !verify::passes(&doubts) {
        ended(&title, Fate::Blocked, said(Class::Blocking).join("; "))
    } else {
        match written(engine.learning().save_draft(&draft))? {
            Ok(saved) => {
                let why = saved.why.clone();
                DraftOutcome { saved: Some(saved), ..ended(&title, Fate::Saved, why) }
            }
            Err(why) => ended(&title, Fate::Refused, why),
        }
    };
    Ok(DraftOutcome { doubts: said(Class::Advisory), ..outcome })
}

/// The record in a draft that an agent wrote.
pub fn record_of(text: &str) -> String {
    let Ok(mut object) = serde_json::from_str::<Map<String, Value>>(text.trim()) else {
        return text.to_owned();
    };
    object.retain(|key, _| !OWN_KEYS.contains(&key.as_str()));
    Value::Object(object).to_string()
}

/// The draft, or why the agent found nothing worth keeping. Models wrap JSON into fences; the category
/// is the file's, whatever the draft says.
fn parse(text: &str, category: &str, kinds: &Kinds) -> Result<Result<Staged, String>, String> {
    let bare = text.trim();
    let bare = bare.strip_prefix("```json").or_else(|| bare.strip_prefix("```")).unwrap_or(bare);
    let bare = bare.trim().strip_suffix("```").unwrap_or(bare).trim();
    let value: Value = serde_json::from_str(bare).map_err(|error| format!("no JSON: {error}"))?;
    let Value::Object(mut object) = value else { return Err("no JSON object".to_owned()) };
    let said = |object: &Map<String, Value>, key: &str| {
        object.get(key).and_then(Value::as_str).unwrap_or_default().trim().to_owned()
    };
    if said(&object, "action").eq_ignore_ascii_case("noop") {
        return Ok(Err(said(&object, "noop_reason")));
    }
    let hints = object.get("lifecycle_hints").and_then(Value::as_array);
    let hint = hints.and_then(|hints| hints.first()).and_then(Value::as_str).map(str::to_owned);
    let event = Some(said(&object, "lifecycle_event")).filter(|it| !it.is_empty()).or(hint);
    let (judged, info) = (said(&object, "intended_action"), said(&object, "new_info_summary"));
    let summary = said(&object, "change_summary");
    // An earlier form of these drafts kept its fields one level deeper.
    if let Some(Value::Object(partial)) = object.remove("partial_content") {
        object.extend(partial);
    }
    object.retain(|key, _| !OWN_KEYS.contains(&key.as_str()));
    object.insert("category".into(), json!(category));
    // Only a person may claim more (R268), and no person has looked at it.
    if object.get("confidence").and_then(Value::as_f64).is_some_and(|it| it > CONFIDENCE_MAX) {
        object.insert("confidence".into(), json!(CONFIDENCE_MAX));
    }
    let mut draft: Draft = record::draft_of(&Value::Object(object), kinds)
        .map_err(|error| json_refusal(error).to_string())?;
    draft.id = None;
    Ok(Ok(Staged {
        judged: Action::judged(&judged),
        event: event.and_then(|event| LifecycleEvent::parse(&event).ok()),
        new_info: if info.is_empty() { draft.title().unwrap_or_default().to_owned() } else { info },
        summary,
        draft,
    }))
}

impl DraftOutcome {
    pub fn is_fine(&self) -> bool {
        matches!(self.fate, Fate::Saved | Fate::Noop)
    }

    /// R253: what was done and why, in a few words.
    pub fn line(&self) -> String {
        let (category, why) = (&self.category, visible_line(&self.why));
        match (&self.saved, self.fate) {
            (Some(saved), _) => {
                let id = saved.id.as_deref().unwrap_or("nothing");
                format!("{category} {} {id} ({why})", saved.action)
            }
            (None, Fate::Noop) if why.is_empty() => format!("{category} nothing to save"),
            (None, Fate::Noop) => format!("{category} nothing to save ({why})"),
            (None, Fate::Blocked) => format!("{category} BLOCKED: {why}"),
            (None, fate) => format!("{category} {fate}: {why}"),
        }
    }

    pub fn answer(&self) -> SavedDraft<'_> {
        let saved = self.saved.as_ref();
        SavedDraft {
            category: &self.category,
            title: &self.title,
            result: self.fate.as_str(),
            action: saved.map(|it| it.action.as_str()),
            id: saved.and_then(|it| it.id.as_deref()),
            why: self.why.clone(),
            verification: match self.fate {
                Fate::Saved => Some("PASS"),
                Fate::Blocked => Some("BLOCK"),
                _ => None,
            },
            doubts: &self.doubts,
            check: saved.map(|it| &it.check),
        }
    }
}
