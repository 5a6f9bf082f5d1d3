//! Deeds: each is the command of the same name, with what a page was filled in with. The rules, the
//! gate and the log are the commands'.

use std::collections::BTreeMap;

use oldhand_app::pending::pending_name;
use oldhand_app::undo::LAST_WRITE;
use oldhand_core::content::FieldValue;
use oldhand_desk::desk::{Desk, GlobalFlags};
use oldhand_desk::failure::Fail;
use oldhand_desk::rest::trim;
use oldhand_store::ulid::ulid;
use oldhand_text::strings::visible;
use oldhand_ui::house::Answer;
use oldhand_ui::house::store::Undo;
use oldhand_ui::{Deed, Done, Several, Verbs};
use serde_json::{Map, Value, json};

use super::house::Household;
use crate::cli::*;
use crate::fields::{ContentFlags, FieldFlags, StandingFlags};

impl Verbs for Household {
    fn act(&self, deed: &Deed, seen: Option<&str>) -> Answer<Done> {
        self.act_as_part(deed, seen, None)
    }

    fn act_on_several(&self, deeds: &[(Deed, String)]) -> Answer<Several> {
        let write = self.at_desk(|desk| Ok(ulid(desk.now, desk.env.entropy.next())))?;
        let act = |(deed, seen): &(Deed, String)| self.act_as_part(deed, Some(seen), Some(&write));
        Ok(Several { answers: deeds.iter().map(act).collect(), write })
    }

    fn undo_preview(&self) -> Answer<Undo> {
        self.at_desk(undo_preview)
    }
}

/// Decided as it would be, and not done.
pub(super) fn undo_preview(desk: &Desk<'_>) -> Result<Undo, Fail> {
    let undone = desk.work(|engine| Ok(engine.preview().trail().undo()?.answer))?;
    trim();
    Ok(Undo { write: undone.write, ..Undo::of(undone.steps) })
}

/// What must be as it was shown: the memory, what waits in `pending/`, or the last write.
fn shown(deed: &Deed) -> Option<String> {
    match deed {
        Deed::Resolve { pending, .. } | Deed::Promote { pending, .. } if !pending.is_empty() => {
            Some(pending_name(pending))
        }
        Deed::Undo => Some(LAST_WRITE.to_owned()),
        other => other.id().map(str::to_owned),
    }
}

fn given(text: &str) -> Option<String> {
    Some(text.trim().to_owned()).filter(|it| !it.is_empty())
}

fn command_of(deed: &Deed) -> Command {
    match deed.clone() {
        Deed::Review { id, decision, reason, more } => Command::Review(ReviewArgs {
            name: Some(id),
            guidance: given(&more).filter(|_| decision == "reinstate"),
            by_memory: given(&more).filter(|_| decision == "supersede"),
            decision: Some(decision),
            reason,
            role: None,
            all: false,
            yes: false,
            kind: None,
            source: None,
            request: false,
            archive: false,
            plain: true,
            limit: 0,
        }),
        Deed::Resolve { pending, resolution, reason } => Command::Resolve(ResolveArgs {
            name: pending,
            follow: resolution == "follow",
            supersede: resolution == "supersede",
            keep_both: resolution == "keep_both",
            reason,
        }),
        Deed::Promote { id, reason, .. } => Command::Promote(PromoteArgs {
            names: vec![id],
            source: None,
            to: None,
            role: None,
            reason,
            incidents: 0,
            yes: true,
        }),
        Deed::Supersede { id, by, reason } => Command::Supersede(Box::new(SupersedeArgs {
            name: id,
            by_memory: Some(by),
            because: reason,
            ..SupersedeArgs::default()
        })),
        Deed::Retire { id, reason } => {
            Command::Retire(RetireArgs { names: vec![id], source: None, reason, yes: true })
        }
        Deed::Restore { id, version } => {
            Command::Restore(RestoreArgs { name: id, version: given(&version) })
        }
        Deed::Archive { id, reason } => Command::Archive(ReasonArgs { name: id, reason }),
        Deed::Verify { id } | Deed::Update { id, .. } => Command::Verify(NameArgs { name: id }),
        Deed::Apply { id, effect, task, notes } => Command::Apply(ApplyArgs {
            name: id,
            effect,
            task: given(&task),
            surface: None,
            applied_by: String::new(),
            followup: None,
            notes,
            with: None,
        }),
        Deed::Add { text, kind } => Command::Remember(Box::new(RememberArgs {
            text: vec![text],
            kind: given(&kind),
            fields: FieldFlags::default(),
            standing: StandingFlags::default(),
        })),
        Deed::Undo => Command::Undo(UndoArgs::default()),
    }
}

impl Household {
    fn act_as_part(&self, deed: &Deed, seen: Option<&str>, of: Option<&str>) -> Answer<Done> {
        let (command, input) = match deed {
            Deed::Update { id, fields, lists, note } => self.update(id, fields, lists, note)?,
            other => (command_of(other), Vec::new()),
        };
        let flags = GlobalFlags {
            seen: shown(deed).zip(seen.map(str::to_owned)),
            batch: of.map(str::to_owned),
            ..GlobalFlags::default()
        };
        let json = self.command_json_with(command, flags, &input)?;
        let answer: Value = serde_json::from_str(&json).unwrap_or_default();
        Ok(Done { said: said(deed, &answer), json })
    }

    /// Only what says something else than before is changed. A form shows hidden characters, so what
    /// it sends back unchanged is compared as it was shown.
    fn update(
        &self,
        id: &str,
        fields: &BTreeMap<String, String>,
        lists: &BTreeMap<String, Vec<String>>,
        note: &str,
    ) -> Answer<(Command, Vec<u8>)> {
        let memory = self.at_desk(|desk| desk.work(|engine| Ok(engine.get(id)?.memory)))?;
        let mut record = Map::new();
        let mut content = Map::new();
        for (name, text) in fields {
            let old = match name.as_str() {
                "title" => memory.title.as_str(),
                _ => memory.content.text(name).unwrap_or_default(),
            };
            if text.trim() == visible(old).trim() {
                continue;
            }
            let place = if name == "title" { &mut record } else { &mut content };
            place.insert(name.clone(), text.trim().into());
        }
        for (name, items) in lists {
            let old: Vec<String> = memory.content.list(name).iter().map(|it| visible(it)).collect();
            let is_list = matches!(memory.content.get(name), None | Some(FieldValue::List(_)));
            if *items != old && is_list {
                content.insert(name.clone(), json!(items));
            }
        }
        record.insert("category".to_owned(), memory.kind.as_str().into());
        record.insert("content".to_owned(), content.into());
        let args = UpdateArgs {
            name: id.to_owned(),
            from: Some("-".to_owned()),
            if_match: None,
            note: given(note),
            kind: None,
            fields: FieldFlags::default(),
            standing: StandingFlags::default(),
            content: ContentFlags::default(),
        };
        Ok((Command::Update(Box::new(args)), Value::from(record).to_string().into_bytes()))
    }
}

/// One line for people about what was done.
fn said(deed: &Deed, answer: &Value) -> String {
    let text = |key: &str| answer[key].as_str().unwrap_or_default();
    let id = Some(text("id")).filter(|it| !it.is_empty()).or(deed.id()).unwrap_or_default();
    match deed {
        Deed::Review { decision, .. } if text("action") == "waiting" => {
            format!("{decision}: {id} waits, {}", text("missing"))
        }
        Deed::Review { decision, .. } => {
            let (done, state) = (past(decision), text("state").replace('_', " "));
            match done.to_lowercase() == state {
                true => format!("{done} {id}"),
                false => format!("{done} {id}, which is {state} now"),
            }
        }
        Deed::Promote { .. } if text("action") == "waiting" => {
            format!("{id} waits, {}", text("missing"))
        }
        Deed::Promote { .. } => format!("{id} is {}", text("state")),
        Deed::Resolve { resolution, .. } => match resolution.as_str() {
            "supersede" => "Settled: the proposal holds".to_owned(),
            "keep_both" => "Settled: both hold".to_owned(),
            _ => "Settled: nothing changes, and the proposal is gone".to_owned(),
        },
        Deed::Supersede { by, .. } => format!("{id} gave way to {by}"),
        Deed::Undo => {
            let steps = answer["undone"].as_array().into_iter().flatten();
            let steps = steps.filter_map(|it| it.as_str().map(str::to_owned));
            let undone = Undo::of(steps.collect());
            undone.steps.join(", ") + &undone.behind()
        }
        Deed::Apply { effect, .. } => format!("recorded a {effect} use of {id}"),
        Deed::Add { .. } => format!("remembered {id}"),
        Deed::Update { .. } => format!("saved {id}"),
        Deed::Retire { .. } => format!("retired {id}"),
        Deed::Restore { .. } => format!("restored {id}"),
        Deed::Archive { .. } => format!("archived {id}"),
        Deed::Verify { .. } => format!("{id} still holds"),
    }
}

fn past(decision: &str) -> &'static str {
    match decision {
        "promote" => "Promoted",
        "keep" => "Kept",
        "reinstate" => "Reinstated",
        "reject" => "Rejected",
        "supersede" => "Superseded",
        "archive" => "Archived",
        _ => "Decided",
    }
}
