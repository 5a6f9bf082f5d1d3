//! A change to a memory that is there: what may change, what may only grow, what never changes.

use std::collections::BTreeSet;

use jiff::Timestamp;

use super::{
    Writer, normalise, refuse_invalid, refuse_newer, refuse_secrets, refuse_stored_secrets,
};
use crate::codec::fields::{self, FIELDS};
use crate::draft::{Draft, is_owned_by_tool};
use crate::kind::Kind;
use crate::lifecycle::Transition;
use crate::memory::{Change, Memory};
use crate::policy::{CHANGE_SUMMARY_CHARS_MAX, CHANGES_MAX, TAGS_MAX};
use crate::refusal::{Code, Refusal};
use crate::state::State;
use oldhand_text::hint::{Hint, NextStep};
use oldhand_text::strings::{normalise_line, shorten};
use oldhand_text::time::{format_instant, whole_seconds};

const CHANGE_VALUE_CHARS_MAX: usize = 200;

/// The memory after the update; `exists` tells whether a path of the repository is there.
pub fn update(
    old: &Memory,
    draft: &Draft,
    summary: Option<&str>,
    writer: Writer<'_>,
    exists: &dyn Fn(&str) -> bool,
) -> Result<Memory, Refusal> {
    refuse_newer(old)?;
    refuse_inactive(old)?;
    refuse_immutable(old, draft)?;
    refuse_secrets(draft)?;
    if let Some(summary) = summary {
        super::refuse_secret("summary", summary)?;
    }
    let mut new = old.clone();
    draft.apply_to(&mut new)?;
    new.origin = old.origin;
    // What the code looked like is the tool's to say, not a draft's.
    new.depends_on.seen.clone_from(&old.depends_on.seen);
    normalise(&mut new);
    refuse_lost_tags(old, &new)?;
    refuse_lost_files(old, &new, exists)?;
    refuse_status_superseded(old, &new)?;
    let given = given_changes(old, draft)?;
    let mut entries = entries_for(old, &new, writer.now);
    if let Some(summary) = summary.map(brief_summary).filter(|summary| !summary.is_empty()) {
        match entries.first_mut() {
            Some(first) => first.summary = summary,
            None => {
                let date = format_instant(writer.now);
                entries.push(Change { date, summary, ..Change::default() });
            }
        }
    }
    if given.is_empty() && entries.is_empty() {
        return Err(
            merge("changes", "nothing would change").with_hint("say what should be different")
        );
    }
    record(&mut new, given.into_iter().chain(entries));
    new.times_updated = new.times_updated.saturating_add(1);
    new.updated_at = Some(whole_seconds(writer.now));
    refuse_invalid(&new, writer.kinds)?;
    refuse_stored_secrets(&new, &Draft::of_memory(old))?;
    Ok(new)
}

pub fn record_move(memory: &mut Memory, transition: &Transition, now: Timestamp) {
    let (from, to) = (transition.from, transition.to);
    let entry = entry(now, "state", Some(from.to_string()), Some(to.to_string()));
    let summary = match brief_summary(&transition.reason) {
        blank if blank.is_empty() => format!("{to} from {from}"),
        reason => reason,
    };
    record(memory, [Change { summary, ..entry }]);
}

pub(super) fn record_kind(memory: &mut Memory, old: &Kind, now: Timestamp) {
    let new = memory.kind.to_string();
    record(memory, [entry(now, "type", Some(old.to_string()), Some(new))]);
}

/// The newest stay; the event log keeps all (R264).
fn record(memory: &mut Memory, entries: impl IntoIterator<Item = Change>) {
    memory.changes.extend(entries);
    let excess = memory.changes.len().saturating_sub(CHANGES_MAX);
    memory.changes.drain(..excess);
}

fn brief_summary(text: &str) -> String {
    shorten(&normalise_line(text), CHANGE_SUMMARY_CHARS_MAX)
}

fn merge(field: &str, why: &str) -> Refusal {
    Refusal::new(Code::Merge, format!("`{field}`: {why}"))
}

fn refuse_inactive(old: &Memory) -> Result<(), Refusal> {
    if old.is_active() {
        return Ok(());
    }
    let message = format!("could not update `{}`: it is {}", old.id, old.state);
    let id = old.id.to_string();
    let hint = match old.state {
        State::Retired => Hint::with_steps("bring it back first with {}", [NextStep::Restore(id)]),
        State::Archived => {
            Hint::with_steps("bring it back first with {}", [NextStep::Unarchive(id)])
        }
        _ => "write a new memory instead".into(),
    };
    Err(Refusal::new(Code::State, message).with_hint(hint))
}

/// R259, R260: what the tool owns may be given back as it was, not otherwise.
fn refuse_immutable(old: &Memory, draft: &Draft) -> Result<(), Refusal> {
    if let Some(kind) = draft.kind.as_ref().filter(|kind| **kind != old.kind) {
        let why = format!("it is `{}` and can't become `{kind}`", old.kind);
        let step = NextStep::ChangeKind { id: old.id.to_string(), kind: kind.to_string() };
        return Err(merge("category", &why).with_hint(Hint::with_steps("{} changes it", [step])));
    }
    if let Some(id) = draft.id.as_deref().filter(|id| *id != old.id.as_str())
        && !old.aliases.iter().any(|alias| alias == id)
    {
        let why = format!("it is `{}` for life, found `{id}`", old.id);
        return Err(merge("id", &why).with_hint("add the other name with `--alias`"));
    }
    if let Some(status) = draft.record_status.as_deref()
        && status != old.record_status().as_str()
    {
        let why =
            format!("it is `{}` and can't become `{status}` by an update", old.record_status());
        let id = || old.id.to_string();
        let steps = [
            NextStep::Retire(id()),
            NextStep::Restore(id()),
            NextStep::Archive(id()),
            NextStep::Unarchive(id()),
        ];
        return Err(
            merge("record_status", &why).with_hint(Hint::with_steps("use {}, {}, {} or {}", steps))
        );
    }
    for key in ["created_at", "schema_version", "state"] {
        let Some(given) = draft.get(key).filter(|given| !given.is_null()) else { continue };
        let mut copy = old.clone();
        let field = fields::find(key);
        let is_same = field.is_some_and(|field| {
            (field.set)(&mut copy, given).is_ok() && (field.get)(&copy) == (field.get)(old)
        });
        if !is_same {
            let why = format!("it never changes by an update, found `{}`", given.describe());
            return Err(merge(key, &why).with_hint(format!("leave `{key}` out")));
        }
    }
    Ok(())
}

/// R261: tags only grow, except for a swap at the limit.
fn refuse_lost_tags(old: &Memory, new: &Memory) -> Result<(), Refusal> {
    let is_placeholder = |tag: &&String| *tag == crate::policy::TAG_FALLBACK;
    let lost = old.tags.iter().filter(|tag| !new.tags.contains(tag) && !is_placeholder(tag));
    let lost: Vec<&str> = lost.map(String::as_str).collect();
    let added = new.tags.iter().any(|tag| !old.tags.contains(tag));
    let swap = old.tags.len() >= TAGS_MAX && added && new.tags.len() <= TAGS_MAX;
    if lost.is_empty() || swap {
        return Ok(());
    }
    let why =
        format!("tags only grow below {TAGS_MAX}; these would be lost: `{}`", lost.join("`, `"));
    Err(merge("tags", &why).with_hint("give the old tags too"))
}

/// R262: a reference goes only when the file is gone.
fn refuse_lost_files(
    old: &Memory,
    new: &Memory,
    exists: &dyn Fn(&str) -> bool,
) -> Result<(), Refusal> {
    let dropped = old.related_files.iter().filter(|file| !new.related_files.contains(file));
    let lost: Vec<&str> = dropped.map(String::as_str).filter(|file| exists(file)).collect();
    if lost.is_empty() {
        return Ok(());
    }
    let why = format!("these files are still there: `{}`", lost.join("`, `"));
    Err(merge("related_files", &why).with_hint("give the old paths too"))
}

fn refuse_status_superseded(old: &Memory, new: &Memory) -> Result<(), Refusal> {
    let status = new.content.text("status");
    if new.kind == Kind::Decision
        && status == Some("superseded")
        && old.content.text("status") != status
    {
        return Err(Refusal::new(Code::State, "a decision is superseded by another one")
            .with_hint(Hint::with_steps("use {}", [NextStep::SupersedeBy(old.id.to_string())])));
    }
    Ok(())
}

/// R263: a given history must begin with the one that is there; what follows is new.
fn given_changes(old: &Memory, draft: &Draft) -> Result<Vec<Change>, Refusal> {
    let Some(given) = draft.get("changes") else { return Ok(Vec::new()) };
    let given = fields::changes_of(given)?;
    let Some(new) = given.strip_prefix(old.changes.as_slice()) else {
        if given.is_empty() {
            return Ok(given);
        }
        return Err(merge("changes", "entries that are there can't be edited or taken out")
            .with_hint("leave `changes` out, or add to its end"));
    };
    let brief = |it: &Change| Change { summary: brief_summary(&it.summary), ..it.clone() };
    Ok(new.iter().map(brief).collect())
}

/// One entry for each field that differs.
fn entries_for(old: &Memory, new: &Memory, now: Timestamp) -> Vec<Change> {
    // Without the ids that the tool records beside the paths.
    let [old, new] = [old, new].map(|memory| {
        let mut copy = memory.clone();
        copy.depends_on.seen.clear();
        copy
    });
    let mut entries = Vec::new();
    for field in FIELDS.iter().filter(|field| !is_owned_by_tool(field.key)) {
        let (was, is) = ((field.get)(&old), (field.get)(&new));
        if was != is {
            entries.push(entry(now, field.key, was.map(|v| v.plain()), is.map(|v| v.plain())));
        }
    }
    let names = old.content.iter().chain(new.content.iter()).map(|(name, _)| name);
    for name in names.collect::<BTreeSet<&str>>() {
        let (was, is) = (old.content.get(name), new.content.get(name));
        if was != is {
            let field = format!("content.{name}");
            entries.push(entry(now, &field, was.map(|v| v.plain()), is.map(|v| v.plain())));
        }
    }
    let others = [("extra", old.extra != new.extra), ("sections", old.sections != new.sections)];
    let changed = others.into_iter().filter(|(_, is_changed)| *is_changed);
    entries.extend(changed.map(|(field, _)| entry(now, field, None, None)));
    entries
}

fn entry(now: Timestamp, field: &str, was: Option<String>, is: Option<String>) -> Change {
    // What was taken out because it was a secret does not stay in the history of the file.
    let keep = |value: Option<String>| {
        let value = value.filter(|value| oldhand_text::secrets::scan(value).is_empty())?;
        Some(shorten(&normalise_line(&value), CHANGE_VALUE_CHARS_MAX))
    };
    Change {
        date: format_instant(now),
        summary: brief_summary(&format!("changed {field}")),
        field: Some(field.to_owned()),
        old_value: keep(was),
        new_value: keep(is),
    }
}
