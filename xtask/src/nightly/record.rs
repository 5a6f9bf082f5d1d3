//! What one part has done so far, in a file of its own: it is written after every round, so that nothing is lost when
//! the night ends early.

use std::path::PathBuf;
use std::time::Instant;

use serde_json::{Value, json};

use super::Night;
use crate::bench::measure::of_children;
use crate::failure::Failure;
use crate::process::{capture, program};

pub(super) struct Record {
    file: PathBuf,
    begun: Instant,
    commit: String,
    date: String,
    /// How many were tried, of what, and how many there should be.
    pub tried: u64,
    pub unit: &'static str,
    pub goal: Option<u64>,
    /// What broke a promise: each with what is needed to see it again.
    pub findings: Vec<String>,
    /// Sentences below the table.
    pub notes: Vec<String>,
    /// The first row is the header.
    pub table: Vec<Vec<String>>,
    why_not_run: Option<String>,
}

impl Record {
    pub(super) fn new(night: &Night, part: &str) -> Self {
        let said = |name: &str, words: &[&str]| {
            let text = capture(program(&night.root, name, words)).unwrap_or_default();
            text.trim().to_owned()
        };
        Self {
            file: night.folder.join(format!("{part}.json")),
            begun: Instant::now(),
            commit: said("git", &["rev-parse", "--short=12", "HEAD"]),
            date: said("date", &["-u", "+%Y-%m-%d %H:%M UTC"]),
            tried: 0,
            unit: "",
            goal: None,
            findings: Vec::new(),
            notes: Vec::new(),
            table: Vec::new(),
            why_not_run: None,
        }
    }

    pub(super) fn is_done(&self) -> bool {
        self.goal.is_some_and(|goal| self.tried >= goal)
    }

    pub(super) fn not_run(mut self, why: &str) -> Result<(), Failure> {
        self.why_not_run = Some(why.to_owned());
        self.save()
    }

    pub(super) fn save(&self) -> Result<(), Failure> {
        let value: Value = json!({
            "date": self.date, "commit": self.commit,
            "minutes": self.begun.elapsed().as_secs_f64() / 60.0,
            "cpu_minutes": of_children()?.cpu.as_secs_f64() / 60.0,
            "tried": self.tried, "unit": self.unit, "goal": self.goal,
            "findings": self.findings, "notes": self.notes, "table": self.table,
            "not_run": self.why_not_run,
        });
        // Replaced as a whole: the report may be read at any time.
        let part = self.file.with_extension("part");
        std::fs::write(&part, format!("{value:#}\n"))?;
        std::fs::rename(part, &self.file)?;
        Ok(())
    }
}
