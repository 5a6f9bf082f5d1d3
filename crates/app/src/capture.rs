//! What sessions leave behind. Nothing here is more than a candidate unless it was verified.

use oldhand_core::kind::KindSpec;
use oldhand_core::kind::schema::{Shape, main_field};
use oldhand_core::policy::TITLE_CHARS_MAX;
use oldhand_core::recall::card::body_text;
use oldhand_judge::capture::candidate::{Action, Check, LifecycleEvent, check, choose, resolve};
use oldhand_sessions::notes::{Item, NoteKind};

use crate::context::Learning;
use crate::gate::Wanted;
use crate::prelude::*;
use crate::update::{as_change, grow_lists};
use crate::written::{self, Written, unchanged};

/// Modules that one session may add to the map.
const MODULES_MAX: usize = 5;
/// Folders that are no modules of their own.
const NO_MODULES: &[&str] = &["docs", "doc", "test", "tests", "fixtures", "examples", "scripts"];

impl<'a> Learning<'a> {
    /// A draft that nobody has looked at: a candidate, or one more piece of evidence for one.
    pub fn capture(&self, draft: &Draft) -> WriteResult<'a, Written> {
        let draft = Draft { unverified: true, ..draft.clone() };
        self.write(&mut || self.writing().decide_create(&draft, Origin::Capture))
    }

    /// What a person picked or approved in a session: their own word, in the words of the agent that
    /// asked.
    pub fn capture_chosen(&self, draft: &Draft) -> WriteResult<'a, Written> {
        self.write(&mut || self.writing().decide_create(draft, Origin::Capture))
    }

    /// R147: makes a memory of a note that is worth more than its session. Without a kind, what broke
    /// and was fixed is a lesson, and what was left undone is a debt.
    pub fn keep_note(
        &self,
        item: &Item,
        kind: Option<Kind>,
        session: Option<&str>,
        origin: Origin,
    ) -> WriteResult<'a, Written> {
        let kind = kind.unwrap_or(match item.kind {
            NoteKind::Error => Kind::Lesson,
            NoteKind::Remaining if item.is_open() => Kind::TechDebt,
            _ => Kind::Reference,
        });
        let mut draft = Draft::titled(kind.clone(), &shorten(&item.text, TITLE_CHARS_MAX));
        if let Some(session) = session {
            draft.set("evidence", Yaml::list(&[format!("session:{session}")]));
        }
        put_note(&mut draft, item, &self.settings.kinds.spec(&kind));
        self.writing().create(&draft, origin)
    }

    /// The summary of a session under an id of its own: told again, it is changed.
    pub fn capture_session(&self, draft: &Draft, id: &str) -> WriteResult<'a, Written> {
        let draft = Draft { unverified: true, id: Some(id.to_owned()), ..draft.clone() };
        self.write(&mut || {
            let there = match MemoryId::parse(id) {
                Ok(id) => self.vault.find(&id)?,
                Err(_) => None,
            };
            let Some(stored) = there else {
                return self.writing().decide_create(&draft, Origin::Capture);
            };
            // What a person has judged, whatever they decided, stays as it is.
            if stored.memory.state == State::Candidate {
                let went_on = Some("the session went on");
                let (written, plan) =
                    self.writing().decide_update(&stored, &as_change(&draft), went_on)?;
                if crate::twin::says_more(&stored.memory, &written.memory) {
                    return Ok((written, plan));
                }
            }
            Ok(unchanged(&stored))
        })
    }

    /// Drafts for modules that were worked in and that no map has; nothing where there is no map.
    pub fn unmapped(&self, files: &[String], evidence: &str) -> Result<Vec<Draft>> {
        let mut maps = self.stored_of(&Kind::Architecture)?;
        maps.retain(|stored| stored.memory.is_active());
        if maps.is_empty() {
            return Ok(Vec::new());
        }
        maps.extend(self.waiting_of(&[Kind::Architecture])?);
        let known: Vec<String> =
            maps.iter().map(|map| body_text(&map.memory, &self.settings.kinds)).collect();
        let mut modules: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for file in files {
            let Some((module, name)) = file.rsplit_once('/') else { continue };
            let is_hidden =
                module.split('/').any(|part| part.starts_with('.') || NO_MODULES.contains(&part));
            let is_mapped = known.iter().any(|map| map.contains(module));
            if !is_hidden && !is_mapped {
                modules.entry(module).or_default().push(name);
            }
        }
        let modules = modules.into_iter().take(MODULES_MAX);
        Ok(modules.map(|(module, names)| map_draft(module, &names, evidence)).collect())
    }

    /// R245: what a draft of this kind meets.
    pub fn candidate_check(
        &self,
        kind: &Kind,
        new_info: &str,
        event: Option<LifecycleEvent>,
    ) -> Result<Check> {
        let kinds = std::slice::from_ref(kind);
        let wanted = Wanted { text: new_info, kinds, domain: None, by: Measure::Words };
        let near = self.gate().relatives(&wanted)?.stored.into_iter().map(|(stored, _)| stored);
        let is_settled = |stored: &Stored| stored.memory.state != State::Candidate;
        let near = near.filter(is_settled).chain(self.gate().waiting_relatives(new_info, kind)?);
        let known: Vec<Memory> = near.map(|stored| stored.memory).collect();
        Ok(check(kind, choose(new_info, kind, &known), event))
    }

    /// A draft that was verified: checked, resolved by the table, written. Nobody is asked (R257);
    /// a conflict with what was decided stops it like any other write.
    pub fn save_draft(&self, staged: &Staged) -> WriteResult<'a, Saved> {
        let kind = staged.draft.kind.clone().unwrap_or(Kind::Reference);
        self.write(&mut || {
            let check = self.candidate_check(&kind, &staged.new_info, staged.event)?;
            let (action, why) = resolve(&check, staged.judged);
            let (written, plan) = match (action, check.candidate.as_deref()) {
                (Action::Noop, _) => return Ok((Saved::left(check, why), Plan::default())),
                (Action::Update, Some(id)) => self.decide_renewal(staged, id)?,
                (Action::Delete, Some(id)) => {
                    let stored = self.get(id)?;
                    self.need_person("retire", &stored.memory)?;
                    self.life().plan_move(&stored, &Request::Retire(reason_of(staged)))?
                }
                _ => self.writing().decide_create(&staged.draft, Origin::Capture)?,
            };
            let action = match written.action {
                written::Action::Moved => "retired",
                other => other.as_str(),
            };
            let (action, id) = (action.to_owned(), Some(written.memory.id.to_string()));
            Ok((Saved { check, action, id, why: why.to_owned() }, plan))
        })
    }

    /// R249: lists grow, tags are merged, texts are replaced, and the change is written down.
    fn decide_renewal(&self, staged: &Staged, id: &str) -> Decided<Written> {
        let stored = self.get(id)?;
        let mut draft = as_change(&staged.draft);
        if staged.judged == Some(Action::Delete) {
            // What should go, and may not, is noted: its text is not what a farewell says.
            draft.content.retain(|(_, value)| value.is_list());
        }
        grow_lists(&mut draft, &stored.memory);
        let summary = Some(staged.summary.as_str()).filter(|it| !it.trim().is_empty());
        self.writing().decide_update(&stored, &draft, summary.or(Some("captured from a session")))
    }
}

fn put_note(draft: &mut Draft, item: &Item, spec: &KindSpec) {
    let has_outcome = !item.outcome.is_empty();
    if spec.kind == Kind::Lesson && has_outcome {
        draft.set_content("summary", FieldValue::Text(item.text.clone()));
        draft.set_content("guidance", FieldValue::Text(item.outcome.clone()));
        draft.set_content("lesson_type", FieldValue::Text("failure_lesson".to_owned()));
        return;
    }
    let Some(main) = main_field(&spec.fields) else { return };
    let text = if spec.kind == Kind::Runbook && has_outcome {
        draft.set_content("symptoms", FieldValue::List(vec![item.text.clone()]));
        item.outcome.clone()
    } else {
        item.line()
    };
    let value = match main.shape {
        Shape::List | Shape::Steps => FieldValue::List(vec![text]),
        _ => FieldValue::Text(text),
    };
    draft.set_content(&main.name, value);
}

fn map_draft(module: &str, names: &[&str], evidence: &str) -> Draft {
    let mut draft = Draft::titled(Kind::Architecture, &format!("Module {module}"));
    let item = format!("`{module}`: {}", names.join(", "));
    draft.set_content("module_map", FieldValue::Text(item));
    draft.set("related_files", Yaml::list(&[format!("{module}/")]));
    draft.set("evidence", Yaml::list(&[evidence.to_owned()]));
    draft
}

/// A draft with what its author thinks should become of it.
#[derive(Debug, Clone)]
pub struct Staged {
    pub draft: Draft,
    pub judged: Option<Action>,
    pub event: Option<LifecycleEvent>,
    /// What is new, in a sentence: what is there is compared with it.
    pub new_info: String,
    /// For the history of what is changed.
    pub summary: String,
}

/// What became of it (R253).
#[derive(Debug, Clone)]
pub struct Saved {
    pub check: Check,
    /// `created`, `updated`, `retired`, or `unchanged`.
    pub action: String,
    pub id: Option<String>,
    pub why: String,
}

impl Saved {
    fn left(check: Check, why: &str) -> Self {
        Self { check, action: "unchanged".to_owned(), id: None, why: why.to_owned() }
    }
}

fn reason_of(staged: &Staged) -> String {
    let said = [&staged.summary, &staged.new_info].into_iter().find(|it| !it.trim().is_empty());
    said.map_or("captured from a session", |it| it.trim()).to_owned()
}
