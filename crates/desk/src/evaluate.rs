//! The recall that people get, asked the questions of an evaluation. The measurements that only
//! developers run are in `oldhand-devtools`, which uses what is public here.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use oldhand_app::eval::metrics::Group;
use oldhand_app::eval::{ALL, Answer, Asked, EngineReport, Question, RECALL, Report};
use oldhand_app::recall::{Recalled, Request};
use oldhand_store::failure::StoreError;
use oldhand_store::index::Embedder;
use oldhand_store::locate::locate_given;
use oldhand_text::strings::{counted, visible_line};
use serde_json::json;

use crate::config::Resolved;
use crate::desk::Desk;
use crate::desk::ground::{Pace, ReadingPlace};
use crate::failure::Fail;
use crate::format::columns;
use crate::printer::Io;
use crate::reading::Reading;

/// Unknown ids that are named; the rest is counted.
const NAMED_MAX: usize = 5;

pub struct Recaller<'a> {
    pub desk: &'a Desk<'a>,
    pub resolved: &'a Resolved,
    pub meaning: Result<&'a dyn Embedder, &'a String>,
    pub is_quick: bool,
    /// A scratch store keeps its index beside it, so that nothing of it is left.
    pub is_scratch: bool,
    /// Stores whose memories are all embedded.
    pub ready: BTreeSet<PathBuf>,
}

impl Recaller<'_> {
    /// `store` is the folder of a store: `.oldhand`, or the user's own.
    pub fn answer(
        &mut self,
        store: &Path,
        question: &Question,
    ) -> Result<(Answer, Recalled), Fail> {
        if !self.ready.contains(store) {
            self.open(store, |reading| Ok(reading.index.fill_all(true, &mut |_, _| true)?))?;
            self.ready.insert(store.to_owned());
        }
        let start = Instant::now();
        // Opened again for each question: that is what a process does.
        let (mut answer, recalled) =
            self.open(store, |reading| recall_in(reading, question, self.is_quick))?;
        answer.micros = u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX);
        Ok((answer, recalled))
    }

    fn open<T>(
        &self,
        store: &Path,
        job: impl FnOnce(&Reading<'_>) -> Result<T, Fail>,
    ) -> Result<T, Fail> {
        let no_store = || format!("there is no store in `{}`", store.display());
        let found = locate_given(store).layout();
        let layout = found.ok_or_else(|| Fail::usage(no_store(), "name another"))?;
        let cache = match self.is_scratch {
            true => Some(layout.repository.join("index")),
            false => self.desk.cache_folder(&layout),
        };
        let pace = if self.is_quick { Pace::Quick } else { Pace::Once };
        let place =
            ReadingPlace { layout, beside: Vec::new(), cache, resolved: self.resolved, pace };
        self.desk.read_at(place, self.meaning, job)
    }
}

/// Leaves no receipt, so that a question changes no later answer.
fn recall_in(
    reading: &Reading<'_>,
    question: &Question,
    quick: bool,
) -> Result<(Answer, Recalled), Fail> {
    let request = Request { text: question.text.clone(), quick, ..Request::default() };
    let recalled = reading.recall(&request)?;
    let served = recalled.bundle.memories.iter().chain(&recalled.bundle.cautions);
    let stale = served.filter(|entry| !matches!(entry.freshness.as_str(), "fresh" | "unbound"));
    let ranked = recalled.ranked.iter().take(question.depth);
    let answer = Answer {
        ranking: ranked.map(|scored| scored.candidate.card.id.clone()).collect(),
        silent: recalled.bundle.is_empty(),
        tokens: recalled.bundle.used_tokens,
        stale: stale.count(),
        micros: 0,
    };
    Ok((answer, recalled))
}

/// Minutes of asking shall not end in a mistyped folder.
pub fn check_folder(file: &Path) -> Result<(), String> {
    match file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) if !folder.is_dir() => {
            Err(format!("there is no folder `{}`", folder.display()))
        }
        _ => Ok(()),
    }
}

/// Writes what recall ranked, one line per question, for tools that do their own scoring.
pub fn write_run(path: &Path, asked: &[Asked<'_>]) -> Result<(), StoreError> {
    let line = |asked: &Asked<'_>| {
        let line = json!({"id": asked.question.id, "ranking": asked.answers[0].ranking});
        format!("{line}\n")
    };
    let lines: String = asked.iter().map(line).collect();
    std::fs::write(path, lines).map_err(|error| StoreError::io("write", path, error))
}

pub fn note_unknown(unknown: &[String], io: &mut Io<'_>) {
    if !unknown.is_empty() {
        let count = counted(unknown.len(), "gold id was", "gold ids were");
        let some: Vec<&str> = unknown.iter().take(NAMED_MAX).map(String::as_str).collect();
        io.note("warning", &format!("{count} not found: `{}`", some.join("`, `")));
    }
}

pub fn report_text(report: &Report) -> String {
    let mut out = format!(
        "{}: {} in {}",
        visible_line(&report.source),
        counted(report.documents, "document", "documents"),
        counted(report.scopes, "scope", "scopes"),
    );
    if let Some(all) = report.engines.first().and_then(|recall| recall.groups.first()) {
        let questions = counted(all.answerable, "question", "questions");
        out.push_str(&format!(", {questions} and {} without an answer", all.unanswerable));
    }
    out.push_str("\n\nFound: the share of the gold within the first 1, 5 and 10; all of it within 5 and 10\n\n");
    out.push_str(&found_table(report));
    out.push_str(
        "\nServed: `abstained` of the questions without an answer got nothing, `silenced` of the others too\n\n",
    );
    out.push_str(&served_table(report));
    out
}

/// Engines below each other in each category: that is what one compares.
fn found_table(report: &Report) -> String {
    let header = ["category", "by", "n", "R@1", "R@5", "R@10", "all@5", "all@10", "MRR", "nDCG@10"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    for (engine, group) in by_category(report) {
        let Some(scores) = group.scores else { continue };
        let counted = [&group.category, engine.name, &group.answerable.to_string()];
        let mut row = counted.map(str::to_owned).to_vec();
        row.extend(scores.map(|value| format!("{value:.3}")));
        rows.push(row);
    }
    table(rows)
}

/// By category for recall alone: other rankings serve no text.
fn served_table(report: &Report) -> String {
    let header = "category,by,n,abstained,silenced,tokens,stale,p50 ms,p95 ms,max ms";
    let mut rows = vec![header.split(',').map(str::to_owned).collect()];
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let share = |value: Option<f64>| or_dash(value.map(|value| format!("{value:.3}")));
    for (engine, group) in by_category(report) {
        if engine.name != RECALL && group.category != ALL {
            continue;
        }
        let latency = group.latency_ms;
        let mut row = vec![
            group.category.clone(),
            engine.name.to_owned(),
            (group.answerable + group.unanswerable).to_string(),
            share(group.abstained),
            share(group.silenced),
            or_dash(group.tokens_mean.map(|mean| format!("{mean:.0}"))),
            or_dash(group.stale_served.map(|count| count.to_string())),
        ];
        row.extend([latency.p50, latency.p95, latency.max].map(|value| format!("{value:.1}")));
        rows.push(row);
    }
    table(rows)
}

fn by_category(report: &Report) -> impl Iterator<Item = (&EngineReport, &Group)> {
    // A single category says what all of them say.
    let count = match report.engines.first().map_or(0, |engine| engine.groups.len()) {
        2 => 1,
        count => count,
    };
    let at = move |at: usize| report.engines.iter().map(move |it| (it, &it.groups[at]));
    (0..count).flat_map(at)
}

/// Two columns of words, then numbers, aligned to the right. A repeated category is left blank.
pub fn table(mut rows: Vec<Vec<String>>) -> String {
    let count = rows.first().map_or(0, Vec::len);
    for at in 2..count {
        let width = rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
        for row in &mut rows {
            row[at] = format!("{:>width$}", row[at]);
        }
    }
    let mut last = String::new();
    for row in &mut rows {
        let category = visible_line(&row[0]);
        row[0] = if category == last { String::new() } else { category.clone() };
        last = category;
    }
    columns(&rows)
}
