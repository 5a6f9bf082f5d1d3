//! An export that comes home: its companion says what each record was, see `oldhand_exchange::companion`.

use oldhand_core::event::Verdict;
use oldhand_core::imported;
use oldhand_exchange::companion::{Back, Line, Returned};

use super::report::{Fate, Item, SourceReport};
use super::run::{Take, covers};
use super::shelf::Known;
use super::{Incoming, Record};
use crate::context::Exchange;
use crate::prelude::*;

/// Memories that become durable together.
const BATCH: usize = 500;

/// What a person says about an export that comes home.
#[derive(Debug, Clone, Copy, Default)]
pub struct HomecomingOptions {
    pub accepts: bool,
    pub take: Option<Take>,
    pub retires_gone: bool,
}

/// Whether a memory has these values already: the change was taken in before.
fn says_it(memory: &Memory, draft: &Draft) -> bool {
    let mut changed = memory.clone();
    draft.apply_to(&mut changed).is_ok() && changed == *memory
}

impl Exchange<'_> {
    /// Whether every memory of a companion went out from this store. A companion is a file like any other,
    /// and could be forged: only the log knows the bytes that were here.
    pub fn went_out_from_here(&self, lines: &[Line]) -> Result<bool> {
        let hash = |line: &Line| {
            ContentHash::of(line.markdown().unwrap_or_default().as_bytes()).to_string()
        };
        let mut open: BTreeSet<String> = lines.iter().map(hash).collect();
        self.vault.visit_events(&mut |event| {
            if let Some(after) = &event.after {
                open.remove(after);
            }
        })?;
        Ok(open.is_empty())
    }

    /// Takes back what an export brings: what is missing whole, what somebody changed as an update.
    pub fn take_back(
        &self,
        from: String,
        returned: &Returned,
        how: &HomecomingOptions,
    ) -> Result<SourceReport> {
        self.refuse_machine(how.accepts, how.take)?;
        let records = returned.back.len();
        let mut report = SourceReport { from, records, ..SourceReport::default() };
        if how.accepts {
            self.take_over(returned, &mut report)?;
        }
        let mut missing = Vec::new();
        for back in &returned.back {
            let (Back::Same { id, .. } | Back::Changed { id, .. } | Back::Gone { id }) = back;
            let memory_id = MemoryId::parse(id)?;
            let there = self.vault.find(&memory_id)?;
            let own = |text: &String| Incoming {
                source: id.clone(),
                record: Record::Own { text: text.clone(), id: memory_id.clone() },
            };
            let is_told = |fate| report.of(fate).any(|it| it.id.as_deref() == Some(id.as_str()));
            let is_done = is_told(Fate::Updated) || is_told(Fate::Held);
            match (back, there) {
                (Back::Gone { .. }, None) => {}
                (Back::Gone { .. }, Some(there)) => self.take_gone(&there, how, &mut report)?,
                // Told as refused, below.
                (Back::Same { .. }, Some(_))
                    if is_done || returned.refused.iter().any(|it| it.source == *id) => {}
                (Back::Same { .. }, Some(there)) => {
                    report.items.push(Item::of(Fate::Unchanged, id, &there.memory));
                }
                (Back::Same { text, .. }, None) => missing.push(own(text)),
                (Back::Changed { draft, .. }, Some(there)) if says_it(&there.memory, draft) => {
                    report.items.push(Item::of(Fate::Unchanged, id, &there.memory));
                }
                (Back::Changed { text, draft, .. }, Some(there))
                    if how.take != Some(Take::Theirs)
                        && there.text != *text
                        && self.is_touched(&there, text, draft)? =>
                {
                    self.keep_apart(&there, (text, draft), how, &mut report)?;
                }
                (Back::Changed { text, draft, .. }, there) => {
                    if there.is_none() {
                        self.take_missing(&[own(text)], &mut report)?;
                    }
                    self.take_change(id, draft, &mut report)?;
                }
            }
        }
        for batch in missing.chunks(BATCH) {
            self.take_missing(batch, &mut report)?;
        }
        let refused = returned.refused.iter();
        report.items.extend(refused.map(|it| Item::new(Fate::Refused, &it.source, &*it.reason)));
        Ok(report)
    }

    /// What an earlier import took from these files without the companion gives way to the memories that the
    /// companion holds, as if a person had vouched for it at first.
    fn take_over(&self, returned: &Returned, report: &mut SourceReport) -> Result<()> {
        let place = |from: &str| from.split_once(':').map_or("", |it| it.1).to_owned();
        let (from, label) = (report.from.clone(), [place(&report.from)]);
        let known = self.shelf()?.known.into_iter();
        let known = known.filter(|it| it.state == State::Candidate && it.is_pristine);
        let taken: Vec<Known> = known.filter(|it| covers(&label, &place(&it.from))).collect();
        for part in taken.chunks(BATCH) {
            let mut items = Vec::new();
            let done = self.write(&mut || {
                let mut plan = Plan::default();
                items = Vec::new();
                for known in part {
                    let (item, more) = self.plan_take_over(known, returned, &from)?;
                    items.push(item);
                    plan.extend(more);
                }
                Ok(((), plan))
            })?;
            report.notes.extend(done.pending.map(|it| it.settle()).unwrap_or_default());
            report.items.append(&mut items);
        }
        Ok(())
    }

    fn plan_take_over(&self, known: &Known, returned: &Returned, from: &str) -> Decided<Item> {
        let stored = self.get(known.id.as_str())?;
        let name = known.id.as_str();
        if known.is_held {
            let why = format!("`oldhand promote {name}` is the only way on");
            let item = Item::of(Fate::Held, name, &stored.memory).because(why);
            return Ok((item, Plan::default()));
        }
        let whole = returned.back.iter().find_map(|back| match back {
            Back::Same { id, text } | Back::Changed { id, text, .. } if id == name => Some(text),
            _ => None,
        });
        let Some(text) = whole else {
            let request = Request::Retire(format!("accepted whole with {from}"));
            let (written, plan) = self.life().plan_move(&stored, &request)?;
            let why = "retired: its memory was accepted whole";
            return Ok((Item::of(Fate::Gone, name, &written.memory).because(why), plan));
        };
        let memory = self.read_own(&known.id, text)?;
        let spec = self.settings.kinds.spec(&memory.kind);
        let path = format!("{}/{name}.md", memory.folder(&spec.folder));
        let is_moved = path != stored.path;
        let before = Some(stored.hash).filter(|_| !is_moved);
        let file = file_of(&path, memory.clone(), before, text.clone());
        let mut event = self.file_event(EventType::Reviewed, &memory, &file);
        event.before = Some(stored.hash.to_string());
        (event.from, event.to) = (Some(stored.memory.state), Some(memory.state));
        event.decision = Some(Verdict::Promote);
        event.reason = format!("accepted with {from}");
        let mut plan = Plan::default();
        if is_moved {
            plan.files.push(FileWrite::removal(&stored.path, &known.id, stored.hash));
            event.moved_from.clone_from(&stored.path);
        }
        plan.add(file, event);
        Ok((Item::of(Fate::Updated, name, &memory).because("accepted"), plan))
    }

    fn take_gone(
        &self,
        there: &Stored,
        how: &HomecomingOptions,
        report: &mut SourceReport,
    ) -> Result<()> {
        let id = there.memory.id.to_string();
        if !how.retires_gone || !there.memory.is_active() {
            report.items.push(Item::of(Fate::Gone, &id, &there.memory));
            return Ok(());
        }
        let reason = format!("gone from {}", report.from);
        report.items.push(match self.life().retire(&id, &reason) {
            Ok(done) => {
                report.notes.extend(done.pending.map(|it| it.settle()).unwrap_or_default());
                Item::of(Fate::Gone, &id, &done.answer.memory).because("retired")
            }
            Err(Failure::Refused(refusal)) => {
                Item::new(Fate::Refused, &id, super::reason_of(&refusal))
            }
            Err(other) => return Err(other),
        });
        Ok(())
    }

    /// Both sides changed the same words: what is here stays, and a person may say that it shall.
    fn keep_apart(
        &self,
        there: &Stored,
        (went_out, draft): (&str, &Draft),
        how: &HomecomingOptions,
        report: &mut SourceReport,
    ) -> Result<()> {
        let id = &there.memory.id;
        let mut exported = self.read_own(id, went_out)?;
        draft.apply_to(&mut exported)?;
        let reference = format!("export:{}#{id}", report.from);
        let mark = imported::declined(&reference, &write::wrote(&exported));
        let item = |fate| Item::of(fate, id.as_str(), &there.memory);
        if self.declined()?.contains(&mark) {
            report.items.push(item(Fate::Unchanged));
            return Ok(());
        }
        if how.take != Some(Take::Ours) {
            let why =
                "changed both here and in the export; `--take theirs` or `--take ours` settles it";
            report.items.push(item(Fate::Diverged).because(why));
            return Ok(());
        }
        let done = self.write(&mut || {
            let mut event = self.event(EventType::Conflict, &there.memory, &there.path);
            event.reason = format!("kept as it is here, not as in {}", report.from);
            event.fields = vec![mark.clone()];
            Ok(((), Plan { files: Vec::new(), events: vec![event] }))
        })?;
        report.notes.extend(done.pending.map(|it| it.settle()).unwrap_or_default());
        report.items.push(item(Fate::Updated).because("kept as it is here"));
        Ok(())
    }

    /// Whether what was changed in an export was changed here too.
    fn is_touched(&self, there: &Stored, went_out: &str, draft: &Draft) -> Result<bool> {
        let (now, before) = (&there.memory, &self.read_own(&there.memory.id, went_out)?);
        let content =
            draft.content.iter().any(|(name, _)| now.content.get(name) != before.content.get(name));
        let of = |memory: &Memory, heading: &str| {
            memory.sections.iter().find(|it| it.0 == heading).map(|it| it.1.clone())
        };
        let sections =
            draft.sections.iter().any(|(heading, _)| of(now, heading) != of(before, heading));
        let is_front = |key: &str| draft.front.iter().any(|(known, _)| known == key);
        let fields = oldhand_core::codec::fields::FIELDS.iter();
        let front =
            fields.filter(|it| is_front(it.key)).any(|it| (it.get)(now) != (it.get)(before));
        Ok(content || sections || front)
    }

    fn take_missing(&self, batch: &[Incoming], report: &mut SourceReport) -> Result<()> {
        let done = self.import(batch)?;
        report.notes.extend(done.pending.map(|it| it.settle()).unwrap_or_default());
        report.items.extend(done.answer.report(String::new()).items);
        Ok(())
    }

    fn take_change(&self, id: &str, draft: &Draft, report: &mut SourceReport) -> Result<()> {
        report.items.push(match self.take_edit(id, draft, "changed in an export") {
            Ok(()) => Item { id: Some(id.to_owned()), ..Item::new(Fate::Updated, id, "") },
            Err(Failure::Refused(refusal)) => {
                Item::new(Fate::Refused, id, super::reason_of(&refusal))
            }
            Err(Failure::Stopped(stop)) => {
                let (why, waits) = (stop.pending.headline(), &stop.pending.id);
                Item::new(Fate::Refused, id, format!("{why}; it waits as `{waits}`"))
            }
            Err(other) => return Err(other),
        });
        Ok(())
    }
}
