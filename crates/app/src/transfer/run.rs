//! An import of foreign sources: what becomes of each record is decided against the store as it is now, and
//! written in batches, each of them one write.

use std::collections::{HashSet, VecDeque};

use oldhand_exchange::record::Source;

use super::batch::ImportStep;
use super::decide::Deciding;
use super::report::SourceReport;
use super::rivals::Rivals;
use crate::context::Exchange;
use crate::gate::Proposal;
use crate::prelude::*;

/// How a diverged memory is settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Take {
    Theirs,
    Ours,
}

pub struct ImportOptions<'o> {
    /// A person vouches for the sources.
    pub accepts: bool,
    /// With it: the states of the source are kept.
    pub keeps_state: bool,
    pub redacts: bool,
    pub take: Option<Take>,
    pub retires_gone: bool,
    /// The places that were named; without one all were looked at.
    pub named: &'o [String],
    /// Only sources of this format were read.
    pub only: Option<&'o str>,
    /// Whether anything is at the place of a source.
    pub is_there: &'o dyn Fn(&str) -> bool,
    /// The line of a file on which a rule finds a secret.
    pub line_of: &'o dyn Fn(&str, &str) -> Option<usize>,
}

/// What a person lets an import replace.
#[derive(Debug, Clone, Copy)]
pub(super) struct Permit {
    pub take: Option<Take>,
    pub accepts: bool,
}

impl Permit {
    /// Whether a record that supersedes a memory of this state takes it out of force.
    pub(super) fn ends(self, state: State) -> bool {
        state == State::Candidate || state == State::Provisional && self.accepts
    }
}

impl ImportOptions<'_> {
    pub(super) fn permit(&self) -> Permit {
        Permit { take: self.take, accepts: self.accepts }
    }
}

/// A source, and whether all of its place was read: only then something can be gone.
pub struct Read {
    pub source: Source,
    pub is_whole: bool,
}

/// Whether a root is one of the places that were named, or below one; without a name everything is.
pub fn covers(named: &[String], root: &str) -> bool {
    let is_below = |label: &String| {
        let below = root.strip_prefix(label.as_str());
        label.is_empty() || below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    named.is_empty() || named.iter().any(is_below)
}

pub struct ImportRun<'a> {
    pub(super) exchange: Exchange<'a>,
    pub reports: Vec<SourceReport>,
    pub(super) steps: VecDeque<ImportStep>,
    /// What is in force, for the gate; loaded by the first batch.
    pub(super) rivals: Option<Rivals>,
    /// What this run brings into force.
    pub(super) bound: Vec<(Memory, Proposal)>,
    /// Versions of records that a person did not want; looked up by the first clash.
    pub(super) declined: Option<HashSet<String>>,
    /// Ids that were in the store, or are written by this run.
    pub(super) ids: HashSet<String>,
}

/// Memories that become durable together.
const BATCH: usize = 500;

impl<'a> Exchange<'a> {
    pub fn import_sources(
        &self,
        read: Vec<Read>,
        options: &ImportOptions<'_>,
    ) -> Result<ImportRun<'a>> {
        self.refuse_machine(options.accepts, options.take)?;
        let mut deciding = Deciding {
            exchange: *self,
            options,
            shelf: self.shelf()?,
            whole: Vec::new(),
            reports: Vec::new(),
            steps: VecDeque::new(),
            met: HashSet::new(),
            planned: HashSet::new(),
            left_out: BTreeMap::new(),
        };
        let arriving = deciding.arrive(read);
        deciding.decide(arriving)
    }
}

impl Exchange<'_> {
    pub(super) fn refuse_machine(&self, accepts: bool, take: Option<Take>) -> Result<()> {
        if accepts && !self.is_person {
            return refuse(Code::State, "only a person vouches for a source", ASK_A_PERSON);
        }
        if take.is_some() && !self.is_person {
            let message = "only a person settles what differs between a source and the store";
            return refuse(Code::State, message, ASK_A_PERSON);
        }
        Ok(())
    }
}

impl<'a> ImportRun<'a> {
    /// How many writes are still to come.
    pub fn left(&self) -> usize {
        self.steps.len()
    }

    /// Writes the next batch; `None` when everything is written.
    pub fn next_batch(&mut self) -> Option<WriteResult<'a, ()>> {
        if self.steps.is_empty() {
            return None;
        }
        let count = self.steps.len().min(BATCH);
        let steps: Vec<ImportStep> = self.steps.drain(..count).collect();
        let exchange = self.exchange;
        let mut told = Vec::new();
        let done = exchange.write_scanned(&mut || {
            let (items, plan) = self.plan(&steps)?;
            told = items;
            Ok(((), plan))
        });
        if done.is_ok() {
            told.into_iter().for_each(|(source, item)| self.reports[source].items.push(item));
        }
        Some(done)
    }
}
