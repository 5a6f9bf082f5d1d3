//! Changing what is there: some fields, or the whole file after an editor.

use oldhand_core::codec::markdown::{Origin as At, Parsed};
use oldhand_core::pending::{Action as Proposed, PENDING_FOLDER};
use oldhand_judge::gate::Statement;
use oldhand_text::hash::matches_seen;

use crate::context::Writing;
use crate::gate::{against, is_gated, said};
use crate::prelude::*;
use crate::written::{Action, Written};

/// Which memory, what about it, and which version the caller has seen.
pub struct UpdateRequest<'r> {
    pub name: &'r str,
    pub draft: &'r Draft,
    /// Lists in the draft are added to what is there instead of replacing it.
    pub grow: bool,
    pub summary: Option<&'r str>,
    /// Another kind than it has.
    pub kind: Option<&'r Kind>,
    pub if_match: Option<&'r str>,
}

impl<'a> Writing<'a> {
    pub fn update(&self, request: &UpdateRequest<'_>) -> WriteResult<'a, Written> {
        self.write_to(request.name, &mut |stored| {
            refuse_stale(&RawFile::of(&stored), request.if_match)?;
            let mut draft = request.draft.clone();
            if request.grow {
                grow_lists(&mut draft, &stored.memory);
            }
            let Some(kind) = request.kind else {
                return self.decide_update(&stored, &draft, request.summary);
            };
            draft.kind = None;
            match stored.memory.kind == *kind {
                true => self.decide_update(&stored, &draft, request.summary),
                false => self.decide_kind(&stored, kind, request, &draft),
            }
        })
    }

    pub(crate) fn decide_update(
        &self,
        stored: &Stored,
        draft: &Draft,
        summary: Option<&str>,
    ) -> Decided<Written> {
        let (written, plan) = self.decide_update_passed(stored, draft, summary)?;
        self.gate_change(stored, &plan)?;
        Ok((written, plan))
    }

    /// A decision that says something else now must get past the others again.
    fn gate_change(&self, stored: &Stored, plan: &Plan) -> Result<()> {
        for file in &plan.files {
            let (Some(new), Some(text)) = (&file.memory, &file.after) else { continue };
            self.refuse_release(&stored.memory, new)?;
            if !self.is_person && new.scope == Scope::Global && stored.memory.scope != new.scope {
                let message = format!("only a person lifts `{}` to all projects", new.id);
                return refuse(Code::State, message, ASK_A_PERSON);
            }
            if new.is_active() && claims_anew(&stored.memory, new) {
                self.gate().refuse_turned(&stored.memory, new, text)?;
                self.gate().pass_gate(new, Proposed::Update, text)?.settled()?;
            }
            self.propose_rewording(&stored.memory, new, text)?;
        }
        Ok(())
    }

    /// What a person said goes on in a person's words: a machine's change of them waits for one.
    fn propose_rewording(&self, old: &Memory, new: &Memory, text: &str) -> Result<()> {
        let changed = reworded(old, new);
        // What a session did is no statement of anybody's.
        let is_statement = self.settings.kinds.spec(&old.kind).durable;
        if self.is_person || changed.is_empty() || !is_statement || !is_persons(old) {
            return Ok(());
        }
        let why = format!("a person said it; only a person changes its {}", changed.join(", "));
        let itself = against(old, why, said(new), said(old));
        Err(self.gate().stop(new, Proposed::Update, text, vec![itself])?)
    }

    /// What a person said or vouched for is taken out of force by a person alone.
    fn refuse_release(&self, old: &Memory, new: &Memory) -> Result<()> {
        let is_vouched =
            old.state != State::Provisional || matches!(old.origin, Origin::User | Origin::Gate);
        let is_released = is_gated(&old.kind) && self.gate().binds(old) && !self.gate().binds(new);
        if self.is_person || !is_vouched || !is_released {
            return Ok(());
        }
        let message = format!("`{}` would no longer be in force: only a person does that", old.id);
        refuse(Code::State, message, ASK_A_PERSON)
    }

    /// An update that a person has let pass, or that no gate is about.
    pub(crate) fn decide_update_passed(
        &self,
        stored: &Stored,
        draft: &Draft,
        summary: Option<&str>,
    ) -> Decided<Written> {
        let writer = self.writer(stored.memory.origin);
        let exists = |path: &str| self.code.exists(path);
        let mut new = write::update(&stored.memory, draft, summary, writer, &exists)?;
        // A file that is gone and no longer named is nothing that the memory rests on.
        let is_dropped = |path: &String| {
            stored.memory.related_files.contains(path) && !new.related_files.contains(path)
        };
        if draft.get("depends_on").is_none() {
            let paths = new.depends_on.code_paths.iter().filter(|path| !is_dropped(path));
            new.depends_on.code_paths = paths.cloned().collect();
        }
        self.bind(&mut new);
        self.record_seen(&mut new);
        let entries = new.changes.len().saturating_sub(stored.memory.changes.len()).max(1);
        let fields = new.changes.iter().rev().take(entries);
        let fields: Vec<String> = fields.filter_map(|change| change.field.clone()).collect();
        if self.is_revived(&stored.memory, &new) {
            return self.revived(stored, new, fields);
        }
        let file = self.rewritten(stored, new)?;
        self.updated(stored, file, fields, summary.unwrap_or_default())
    }

    /// R223: what had faded or was thrown out holds again when something new speaks for it. Of what
    /// binds, only a person says so.
    fn is_revived(&self, old: &Memory, new: &Memory) -> bool {
        matches!(old.state, State::Decayed | State::Rejected)
            && new.evidence.iter().any(|one| !old.evidence.contains(one))
            && (self.is_person || !is_gated(&old.kind))
    }

    fn revived(&self, stored: &Stored, new: Memory, fields: Vec<String>) -> Decided<Written> {
        let event = Event { fields, ..self.event(EventType::Updated, &new, &stored.path) };
        let signals = self.signals(&new)?;
        let revive = Request::Revive { has_new_evidence: true };
        let step = self.life().step_with(stored, new, &revive, &signals)?;
        let mut plan = Plan { events: vec![event], ..Plan::default() };
        let memory = step.add_to(&mut plan);
        let file = plan.files.last().expect("the memory is written");
        Ok((Written::new(Action::Updated, memory, file), plan))
    }

    pub(crate) fn updated(
        &self,
        stored: &Stored,
        file: FileWrite,
        mut fields: Vec<String>,
        reason: &str,
    ) -> Decided<Written> {
        let memory = file.memory.clone().unwrap_or_else(|| stored.memory.clone());
        let mut event = self.file_event(EventType::Updated, &memory, &file);
        fields.sort();
        fields.dedup();
        event.fields = fields;
        event.reason = reason.to_owned();
        let written = Written::new(Action::Updated, memory, &file);
        Ok((written, Plan::one(file, event)))
    }

    /// The text of a memory's file, even if it can't be read as a memory.
    pub fn raw(&self, name: &str) -> Result<RawFile> {
        match self.get(name) {
            Ok(stored) => Ok(RawFile::of(&stored)),
            Err(Failure::Refused(refusal)) if refusal.code == Code::Unreadable => {
                let id = MemoryId::parse(name)?;
                self.vault.find_raw(&id)?.ok_or(Failure::Refused(refusal))
            }
            Err(other) => Err(other),
        }
    }

    /// Replaces the whole text with an edited one. The same rules apply.
    pub fn replace_text(&self, name: &str, text: &str, seen: &str) -> WriteResult<'a, Written> {
        self.write(&mut || {
            write::refuse_secret("text", text)?;
            let raw = self.raw(name)?;
            refuse_stale(&raw, Some(seen))?;
            let edited = self.parse_edited(&raw, text)?;
            match self.get(name) {
                Ok(stored) if stored.problems.is_empty() => {
                    let (written, plan) = self.decide_replace(&stored, text, edited)?;
                    self.gate_change(&stored, &plan)?;
                    Ok((written, plan))
                }
                // There was nothing to compare with: what is valid now is the new beginning.
                _ => self.mend(raw, text, edited),
            }
        })
    }

    fn parse_edited(&self, raw: &RawFile, text: &str) -> Result<Parsed> {
        let (folder, stem) = raw.path.split_once('/').unwrap_or(("", &raw.path));
        let at = At { stem: stem.trim_end_matches(".md"), folder };
        let parsed = markdown::parse(text, at, &self.settings.kinds).map_err(|error| {
            Refusal::new(Code::Validation, format!("the edited text is no memory: {error}"))
                .with_hint(error.hint())
        })?;
        refuse_invalid(parsed.problems.clone())?;
        Ok(parsed)
    }

    fn decide_replace(&self, stored: &Stored, text: &str, parsed: Parsed) -> Decided<Written> {
        let edited = parsed.memory;
        // An editor shows what the tool owns; changes to those are refused by the rules, and what
        // is unchanged is no wish.
        let mut draft = Draft::of_memory(&edited);
        draft.front.retain(|(key, _)| {
            !matches!(key.as_str(), "updated_at" | "times_updated" | "review_after")
        });
        draft.id = parsed.declared_id.or(Some(stored.memory.id.to_string()));
        let writer = self.writer(stored.memory.origin);
        let exists = |path: &str| self.code.exists(path);
        // Decides, and makes the history; the edited text is the base that it is put into.
        let mut new = write::update(&stored.memory, &draft, None, writer, &exists)?;
        drop_removed(&edited, &mut new);
        self.record_seen(&mut new);
        let base = Stored { text: text.to_owned(), memory: edited, ..stored.clone() };
        let fields =
            new.changes.iter().rev().filter_map(|change| change.field.clone()).take(20).collect();
        let mut file = self.rewritten(&base, new)?;
        file.before = Some(stored.hash);
        self.updated(stored, file, fields, "edited")
    }

    fn mend(&self, raw: RawFile, text: &str, parsed: Parsed) -> Decided<Written> {
        refuse_invalid(write::check(&parsed.memory, &self.settings.kinds))?;
        refuse_large(text)?;
        let RawFile { path, text: old, hash } = raw;
        let memory = parsed.memory;
        let file = file_of(&path, memory.clone(), Some(hash), text.to_owned());
        let (problems, declared_id) = (Vec::new(), None);
        let stored = Stored { path, text: old, hash, memory, problems, declared_id };
        self.updated(&stored, file, Vec::new(), "fixed")
    }
}

/// A person stated it, let it pass, or vouched for it as it stands.
pub(crate) fn is_persons(memory: &Memory) -> bool {
    // Nothing from outside is served before a person has approved it.
    let is_foreign = matches!(memory.origin, Origin::Import | Origin::External);
    matches!(memory.origin, Origin::User | Origin::Gate)
        || matches!(memory.state, State::Stable | State::Canonical)
        || is_foreign && memory.state == State::Provisional
}

/// What reads differently now. Tags, paths, evidence and links may grow by whoever knows more.
fn reworded(old: &Memory, new: &Memory) -> Vec<String> {
    let mut changed: Vec<String> = [
        ("title", old.title != new.title),
        ("description", old.description != new.description),
        ("scope", old.scope != new.scope),
        ("domain", old.domain != new.domain),
        ("level", old.level != new.level),
        ("audience", old.audience != new.audience),
        ("confidence", old.confidence != new.confidence),
        ("sections", old.sections != new.sections),
        ("keys", old.extra != new.extra),
    ]
    .into_iter()
    .filter(|(_, is_changed)| *is_changed)
    .map(|(name, _)| name.to_owned())
    .collect();
    let names = old.content.iter().chain(new.content.iter()).map(|(name, _)| name.to_owned());
    let fields: BTreeSet<String> = names.collect();
    changed.extend(fields.into_iter().filter(|it| old.content.get(it) != new.content.get(it)));
    changed
}

/// What it claims is another thing, or it binds again.
fn claims_anew(old: &Memory, new: &Memory) -> bool {
    let status = |memory: &Memory| memory.content.text("status").map(str::to_owned);
    is_gated(&new.kind)
        && (Statement::of_memory(old) != Statement::of_memory(new)
            || status(old) != status(new)
            || old.content.flag("active") != new.content.flag("active"))
}

/// A memory as a draft for another store, with changes.
pub fn lifted(memory: &Memory, changes: &Draft) -> Draft {
    let mut draft = Draft::of_memory(memory);
    draft.front.retain(|(key, _)| !is_owned(key));
    for (key, value) in &changes.front {
        draft.set(key, value.clone());
    }
    for (name, value) in &changes.content {
        draft.set_content(name, value.clone());
    }
    draft
}

/// What a draft changes about a memory that is there: its name, its kind and its title stay.
pub(crate) fn as_change(draft: &Draft) -> Draft {
    let mut change = Draft { id: None, kind: None, ..draft.clone() };
    change.front.retain(|(key, _)| !is_owned(key) && key != "title");
    change
}

/// Keys that a draft of a whole memory carries and that no update may set.
pub(crate) fn is_owned(key: &str) -> bool {
    oldhand_core::draft::is_owned_by_tool(key)
        || matches!(key, "updated_at" | "times_updated" | "review_after" | "origin" | "created_at")
}

/// Taking a line out of the text is a wish as well.
fn drop_removed(edited: &Memory, new: &mut Memory) {
    let names = new.content.iter().map(|(name, _)| name.to_owned());
    let removed: Vec<String> = names.filter(|name| edited.content.get(name).is_none()).collect();
    for name in removed {
        new.content.set(&name, FieldValue::Text(String::new()));
    }
    new.extra = edited.extra.clone();
    new.sections = edited.sections.clone();
}

/// R265: the hash that the caller has seen must be the one that is there.
pub(crate) fn refuse_stale(file: &RawFile, seen: Option<&str>) -> Result<(), Refusal> {
    let name = stem(&file.path);
    match seen {
        Some(seen) if !matches_seen(seen, file.text.as_bytes()) => {
            let (seen, found) = (seen.trim(), file.hash.short());
            let message = format!("`{name}` has changed: expected hash `{seen}`, found `{found}`");
            let text = "nothing was written; read it again with {}, then repeat";
            let step = match file.path.starts_with(PENDING_FOLDER) {
                true => NextStep::Pending,
                false => NextStep::Show(name.to_owned()),
            };
            let hint = Hint::with_steps(text, [step]);
            refuse(Code::Occ, message, hint)
        }
        _ => Ok(()),
    }
}

pub(crate) fn grow_lists(draft: &mut Draft, memory: &Memory) {
    let of_memory = Draft::of_memory(memory);
    for (key, value) in &mut draft.front {
        if let (Some(given), Some(mut all)) = (as_list(value), of_memory.get(key).and_then(as_list))
        {
            all.extend(given);
            *value = Yaml::list(&all);
        }
    }
    for (name, value) in &mut draft.content {
        match (memory.content.get(name), value) {
            (Some(FieldValue::List(there)), FieldValue::List(given)) => grow(there, given),
            (Some(FieldValue::Alternatives(there)), FieldValue::Alternatives(given)) => {
                grow(there, given);
            }
            _ => {}
        }
    }
}

/// What is there, then what is new.
fn grow<T: Clone + PartialEq>(there: &[T], given: &mut Vec<T>) {
    let new: Vec<T> = given.drain(..).filter(|item| !there.contains(item)).collect();
    *given = there.iter().cloned().chain(new).collect();
}

fn as_list(value: &Yaml) -> Option<Vec<String>> {
    if matches!(value, Yaml::List(_)) { value.as_texts() } else { None }
}
