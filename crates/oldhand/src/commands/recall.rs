//! `oldhand recall`: the few memories that a task needs.

use std::collections::BTreeSet;

use oldhand_app::list::Filter;
use oldhand_app::recall::{Recalled, Request};
use oldhand_app::sessions::{Receipt, Sessions, told_whole};
use oldhand_core::recall::rank::Scored;
use oldhand_store::failure::StoreError;
use oldhand_text::problem::Problem;
use oldhand_text::time::parse_instant;
use wire::recall::{EXPLAINED_MAX, Recall};

use super::list::filter;
use super::prelude::*;
use crate::cli::{Disclosure, RecallArgs};
use oldhand_desk::reading::Reading;

/// A longer task is a file, not a task.
const TASK_BYTES_MAX: u64 = 1024 * 1024;

pub(super) fn run(args: &RecallArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let task = match args.task.as_slice() {
        [only] if only == "-" => {
            let bytes = oldhand_desk::input::read_limited(&mut io.stdin, TASK_BYTES_MAX)?;
            String::from_utf8_lossy(&bytes).into_owned()
        }
        words => words.join(" "),
    };
    if task.trim().is_empty() && args.path.is_empty() && !args.full_read {
        return Err(Fail::usage(
            "there is nothing to recall for",
            "say the task in a few words, for example `oldhand recall \"round the total\"`",
        ));
    }
    desk.read(|reading| {
        let recalled = reading.recall(&request(args, &task, reading)?)?;
        let left = leave_receipt(args, &task, &recalled, (desk, reading));
        if let (Err(error), Some(_)) = (left, &args.session) {
            io.note("warning", &format!("could not write the receipt: {error}"));
        }
        let ranked = args.explain.then_some(recalled.ranked.as_slice());
        desk.print(io, "recall", &Recall::of(&recalled.bundle, ranked), || {
            let mut text = recalled.bundle.to_text().into_string();
            if args.explain {
                text.push_str(&explained(&recalled));
            }
            text
        })?;
        Ok(DONE)
    })
}

fn request(args: &RecallArgs, task: &str, reading: &Reading<'_>) -> Result<Request, Fail> {
    let as_of = match &args.as_of {
        None => None,
        Some(text) => Some(parse_instant(text).ok_or_else(|| {
            Problem::new("--as-of", "a date such as `2026-06-01`, or an instant", text)
                .with_fix("write the day as year-month-day")
        })?),
    };
    let served_before = match (&args.session, &reading.sessions) {
        (Some(session), Some(sessions)) => sessions.given_to(session),
        _ => BTreeSet::new(),
    };
    let level = args.decision_level.clone();
    Ok(Request {
        text: task.to_owned(),
        paths: args.path.clone(),
        filter: Filter { level, ..filter(&args.filter, reading.engine)? },
        pointers_only: args.level == Disclosure::Index,
        budget_tokens: args.budget,
        items_max: args.limit,
        served_before,
        as_of,
        keywords_only: args.keywords,
        full_read: args.full_read,
        related: args.related,
        quick: false,
    })
}

fn leave_receipt(
    args: &RecallArgs,
    task: &str,
    recalled: &Recalled,
    (desk, reading): (&Desk<'_>, &Reading<'_>),
) -> Result<(), StoreError> {
    let Some(sessions) = &reading.sessions else { return Ok(()) };
    let session = args.session.as_deref();
    sessions.leave_receipt(&Receipt {
        at: desk.now,
        session,
        task: args.for_task.clone().or_else(|| desk.current_task(session)).as_deref(),
        by: reading.engine.by,
        query: task,
        paths: &args.path,
        bundle: &recalled.bundle,
    })?;
    session.map_or(Ok(()), |session| sessions.give(session, &told_whole(&recalled.bundle)))
}

fn explained(recalled: &Recalled) -> String {
    let mut out = String::from("\nhow this came about:\n");
    for step in &recalled.bundle.steps {
        out.push_str(&format!("  {}\n", step.line()));
    }
    let words: Vec<&str> = recalled.query.words.iter().map(|word| word.text.as_str()).collect();
    out.push_str(&format!("  words: {}\n\n", words.join(" ")));
    out + &weighed(recalled.ranked.iter().take(EXPLAINED_MAX))
}

/// How candidates were weighed, as a table.
pub(super) fn weighed<'s>(ranked: impl Iterator<Item = &'s Scored>) -> String {
    let heads =
        ["score", "words", "meaning", "recency", "trust", "near", "confidence", "fits", "id"];
    let number = |number: f64| format!("{:.3}", number + 0.0);
    let row = |scored: &Scored| {
        let parts = &scored.parts;
        [
            number(scored.score),
            number(parts.lexical),
            number(parts.dense),
            number(parts.recency),
            number(parts.trust),
            number(parts.proximity),
            number(scored.confidence),
            if scored.is_relevant { "yes" } else { "no" }.to_owned(),
            visible_line(&scored.candidate.card.id),
        ]
    };
    table(std::iter::once(heads.map(str::to_owned)).chain(ranked.map(row)))
}
