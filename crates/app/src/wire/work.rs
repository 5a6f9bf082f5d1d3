//! Answers about pieces of work: tasks, their summaries, handoffs and the check of one.

use oldhand_core::task::Outcome;
use oldhand_sessions::anchor::Anchor;
use oldhand_sessions::completion::change::{Diff, FileChange};
use oldhand_sessions::completion::docs::DocToCheck;
use oldhand_sessions::conformance::{Point, Verdict};
use oldhand_sessions::summary::Summary;
use serde_json::{Map, Value, json};

use super::learn::LearnedLesson;
use super::memory::UsedMemory;
use crate::complete::{Completed, TaskSummary};
use crate::handoff::Handoff;
use crate::prelude::*;
use crate::usage::TaskEnded;
use crate::work::Work;
use crate::written::Written;

answers! {
    /// `task start`.
    StartedTask<'a>(task: &'a str, not_ended: Option<&'a str>, anchor: Option<&'a Anchor>) {
        task: &'a str = task,
        /// A task that was under way and is not ended.
        not_ended: Option<&'a str> = not_ended,
        #[serde(skip_serializing_if = "Option::is_none")]
        anchor: Option<&'a Anchor> = anchor,
    }

    /// `task show`.
    CurrentTask<'a>(task: Option<&'a str>, served: &'a [String]) {
        task: Option<&'a str> = task,
        served: &'a [String] = served,
    }

    /// A memory whose use was not counted.
    UncountedUse<'a>(id: &'a str, why: &'a str) {
        id: &'a str = id,
        why: &'a str = why,
    }

    /// How a task ended, and what its memories did.
    EndedTask<'a>(task: &'a str, outcome: Outcome, ended: &'a TaskEnded) {
        task: &'a str = task,
        outcome: &'static str = outcome.as_str(),
        used: Vec<UsedMemory<'a>> = ended.used.iter().map(UsedMemory::of).collect(),
        told_before: &'a [String] = &ended.told,
        not_in_store: &'a [String] = &ended.gone,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        not_counted: Vec<UncountedUse<'a>> =
            ended.refused.iter().map(|(id, why)| UncountedUse::of(id, why)).collect(),
        learned: Vec<LearnedLesson<'a>> =
            ended.learned.iter().map(|one| LearnedLesson::of(one, task)).collect(),
        /// The id of the summary, where one was written.
        #[serde(skip_serializing_if = "Option::is_none")]
        summary: Option<&'a str> = None,
        #[serde(skip_serializing_if = "Option::is_none")]
        docs_to_check: Option<&'a [DocToCheck]> = None,
    }

    ChangedFile<'a>(file: &'a FileChange) {
        path: &'a str = &file.path,
        added: usize = file.added,
        removed: usize = file.removed,
        kind: &'static str = file.kind.as_str(),
    }

    /// What git says of a piece of work.
    CodeChange<'a>(diff: Option<&'a Diff>) {
        base: Option<&'a str> = diff.and_then(|diff| diff.base.as_deref()),
        branch: Option<&'a str> = diff.map(|diff| diff.branch.as_str()),
        files: Vec<ChangedFile<'a>> =
            diff.iter().flat_map(|diff| &diff.files).map(ChangedFile::of).collect(),
    }

    /// Where a summary was written; null when it was only shown.
    WrittenSummary<'a>(written: Option<&'a Written>) {
        action: Option<&'static str> = written.map(|it| it.action.as_str()),
        id: Option<&'a str> = written.map(|it| it.memory.id.as_str()),
        path: Option<&'a str> = written.map(|it| it.path.as_str()),
    }

    /// `summary`.
    TaskSummaryAnswer<'a>(summary: &'a TaskSummary<'_>, done: &'a Completed, dry_run: bool) {
        task: &'a str = summary.end.task,
        #[serde(flatten)]
        written: WrittenSummary<'a> = WrittenSummary::of((!dry_run).then_some(&done.summary)),
        outcome: &'static str = done.ending().as_str(),
        scale: &'static str = summary.work.scale().as_str(),
        summary: Map<String, Value> = fields_of(&done.told()),
        markdown: String = done.told().render(),
        #[serde(flatten)]
        code: CodeChange<'a> = CodeChange::of(summary.work.diff.as_ref()),
        ended: Option<EndedTask<'a>> = {
            let ended = done.ended.as_ref().filter(|_| !dry_run).zip(done.ending().of_task());
            ended.map(|(ended, outcome)| EndedTask::of(summary.end.task, outcome, ended))
        },
        learned: Vec<LearnedLesson<'a>> = {
            let learned = done.learned.iter().filter(|_| !dry_run);
            learned.map(|one| LearnedLesson::of(one, summary.end.task)).collect()
        },
        docs_to_check: &'a [DocToCheck] = &summary.docs,
        dry_run: bool = dry_run,
    }

    /// `handoff`.
    HandoffAnswer<'a>(handoff: &'a Handoff<'_>, written: Option<&'a Written>) {
        from: &'a str = &handoff.from,
        to: &'a str = &handoff.to,
        task: Option<&'a str> = handoff.task,
        #[serde(flatten)]
        written: WrittenSummary<'a> = WrittenSummary::of(written),
        summary: Map<String, Value> = fields_of(&handoff.summary),
        markdown: String = handoff.summary.render(),
        #[serde(flatten)]
        code: CodeChange<'a> = CodeChange::of(handoff.work.diff.as_ref()),
        dry_run: bool = written.is_none(),
    }

    /// `check-task`.
    CheckedTask<'a>(task: Option<&'a str>, work: &'a Work, points: &'a [Point]) {
        task: Option<&'a str> = task,
        since: Option<String> = work.since.map(format_instant),
        #[serde(flatten)]
        code: CodeChange<'a> = CodeChange::of(work.diff.as_ref()),
        passed: bool = points.iter().all(|point| point.verdict != Verdict::Failed),
        points: &'a [Point] = points,
    }
}

impl<'a> EndedTask<'a> {
    pub fn with_summary(mut self, summary: &'a TaskSummary<'_>, written: &'a Written) -> Self {
        self.summary = Some(written.memory.id.as_str());
        self.docs_to_check = Some(&summary.docs);
        self
    }
}

/// The sections of a summary by their names.
fn fields_of(summary: &Summary) -> Map<String, Value> {
    let value = |value: &FieldValue| match value {
        FieldValue::List(items) => json!(items),
        other => json!(other.plain()),
    };
    summary.content.iter().map(|(name, it)| (name.to_owned(), value(it))).collect()
}
