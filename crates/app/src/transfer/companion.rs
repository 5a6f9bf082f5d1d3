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
                (Back::Same { .. }, Some(there)) => {
                    report.items.push(Item::of(Fate::Unchanged, id, &there.memory));
                }
                (Back::Same { text, .. }, None) => missing.push(own(text)),
                (Back::Changed { draft, .. }, Some(there)) if says_it(&there.memory, draft) => {
                    report.items.push(Item::of(Fate::Unchanged, id, &there.memory));
                }
                (Back::Changed { text, .. }, Some(there)) if there.text != *text => {
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

    fn take_missing(&self, batch: &[Incoming], report: &mut SourceReport) -> Result<()> {
        let done = self.import(batch)?;
        report.notes.extend(done.pending.map(|it| it.settle()).unwrap_or_default());
        report.items.extend(done.answer.report(String::new()).items);
        Ok(())
    }

    fn take_change(&self, id: &str, draft: &Draft, report: &mut SourceReport) -> Result<()> {
        let kind = self.get(id)?.memory.kind;
        let spec = self.settings.kinds.spec(&kind);
        let is_known = |name: &str| spec.fields.iter().any(|field| field.name == name);
        if draft.content.iter().any(|(name, _)| !is_known(name)) {
            let why = format!(
                "the format does not tell the parts of a {kind} apart; change it with `oldhand update {id}`"
            );
            report.items.push(Item::new(Fate::Refused, id, why));
            return Ok(());
        }
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
