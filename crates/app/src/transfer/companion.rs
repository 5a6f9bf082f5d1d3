//! An export that comes home: its companion says what each record was, see `oldhand_exchange::companion`.

use oldhand_exchange::companion::{Back, Line, Returned};

use super::report::{Fate, Item, SourceReport};
use super::{Incoming, Record};
use crate::context::Exchange;
use crate::prelude::*;

/// Memories that become durable together.
const BATCH: usize = 500;

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
    pub fn take_back(&self, from: String, returned: &Returned) -> Result<SourceReport> {
        let records = returned.back.len();
        let mut report = SourceReport { from, records, ..SourceReport::default() };
        let mut missing = Vec::new();
        for back in &returned.back {
            let (Back::Same { id, .. } | Back::Changed { id, .. } | Back::Gone { id }) = back;
            let memory_id = MemoryId::parse(id)?;
            let there = self.vault.find(&memory_id)?;
            let own = |text: &String| Incoming {
                source: id.clone(),
                record: Record::Own { text: text.clone(), id: memory_id.clone() },
            };
            match (back, there) {
                (Back::Gone { .. }, None) => {}
                (Back::Gone { .. }, Some(there)) => {
                    report.items.push(Item::of(Fate::Gone, id, &there.memory));
                }
                // Told as refused, below.
                (Back::Same { .. }, Some(_))
                    if returned.refused.iter().any(|it| it.source == *id) => {}
                (Back::Same { .. }, Some(there)) => {
                    report.items.push(Item::of(Fate::Unchanged, id, &there.memory));
                }
                (Back::Same { text, .. }, None) => missing.push(own(text)),
                (Back::Changed { draft, .. }, Some(there)) if says_it(&there.memory, draft) => {
                    report.items.push(Item::of(Fate::Unchanged, id, &there.memory));
                }
                (Back::Changed { text, draft, .. }, Some(there))
                    if there.text != *text && self.is_touched(&there, text, draft)? =>
                {
                    let why = "changed both here and in the export";
                    report.items.push(Item::of(Fate::Diverged, id, &there.memory).because(why));
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
