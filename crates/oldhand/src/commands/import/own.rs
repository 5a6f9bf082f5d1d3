//! Our own JSON lines and Markdown come back byte for byte; so do JSON records that no format knows.

use oldhand_app::transfer::{Imported, Incoming, Record, reason_of};
use oldhand_store::failure::Failure;
use serde_json::Value;

use super::super::prelude::*;

/// Memories that become durable together.
const BATCH: usize = 500;

pub(super) struct OwnImport<'a> {
    engine: &'a Engine<'a>,
    batch: Vec<Incoming>,
    pub total: Imported,
}

impl<'a> OwnImport<'a> {
    pub(super) fn new(engine: &'a Engine<'a>) -> Self {
        Self { engine, batch: Vec::new(), total: Imported::default() }
    }

    pub(super) fn text(&mut self, name: &str, text: &str, io: &mut Io<'_>) -> Result<(), Fail> {
        let trimmed = text.trim_start();
        if !trimmed.starts_with(['{', '[']) {
            let record = self.engine.exchange().record_of_markdown(stem(name), text);
            return self.take(name, record, io);
        }
        for (number, value) in (1..).zip(json_values(trimmed)) {
            let name = format!("{name}:{number}");
            match value {
                Ok(value) => self.take(&name, self.engine.exchange().record_of_json(&value), io)?,
                Err(error) => self.total.refuse(&name, format!("not JSON: {error}")),
            }
        }
        Ok(())
    }

    fn take(
        &mut self,
        name: &str,
        record: Result<Record, Failure>,
        io: &mut Io<'_>,
    ) -> Result<(), Fail> {
        match record {
            Ok(record) => self.batch.push(Incoming { source: name.to_owned(), record }),
            Err(Failure::Refused(refusal)) => self.total.refuse(name, reason_of(&refusal)),
            Err(other) => return Err(other.into()),
        }
        self.flush(BATCH, io)
    }

    /// Writes the batch once it has `at_least` records.
    pub(super) fn flush(&mut self, at_least: usize, io: &mut Io<'_>) -> Result<(), Fail> {
        if self.batch.len() < at_least {
            return Ok(());
        }
        let done = self.engine.exchange().import(&std::mem::take(&mut self.batch))?;
        self.total.extend(acknowledge(self.engine, io, done, |imported, _| Ok(imported))?);
        Ok(())
    }
}

/// A list, one object, or one object per line.
fn json_values(text: &str) -> Vec<Result<Value, serde_json::Error>> {
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Array(items)) => items.into_iter().map(Ok).collect(),
        Ok(single) => vec![Ok(single)],
        Err(_) => text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .map(serde_json::from_str::<Value>)
            .collect(),
    }
}

fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Whether a text is one of our own: a memory with its id and state, or an export.
pub(super) fn is_own(text: &str) -> bool {
    let text = text.trim_start_matches('\u{FEFF}');
    if let Some(rest) = text.strip_prefix("---") {
        let front = rest.split_once("\n---").map_or("", |(front, _)| front);
        return ["\nid:", "\nstate:", "\ncreated_at:"].iter().all(|key| front.contains(key));
    }
    let first = text.trim_start().lines().next().unwrap_or_default();
    first.starts_with('{')
        && (first.contains("\"oldhand.memory/1\"") || first.contains("\"markdown\":"))
}
