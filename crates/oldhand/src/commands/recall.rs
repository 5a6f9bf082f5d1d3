//! `oldhand recall`: the few memories that a task needs; `oldhand receipts`: what was served to whom;
//! `oldhand why`: why a memory was served, or was not, and how it came to its state.

use oldhand_app::list::Filter;
use oldhand_app::recall::{Recalled, Request};
use oldhand_app::sessions::told_whole;
use oldhand_core::recall::rank::Scored;
use serde_json::Value;
use wire::recall::{EXPLAINED_MAX, LifeStory, Mention, Recall, WhyServed};
use wire::setup::ServedReceipts;

use super::list::filter;
use super::prelude::*;
use super::stats::RECEIPTS;
use crate::people::Answered;
use oldhand_desk::format::columns;
use oldhand_desk::reading::Reading;
use oldhand_screen::Screen;

/// A longer task is a file, not a task.
const TASK_BYTES_MAX: u64 = 1024 * 1024;

pub(super) fn recall(args: &RecallArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
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
        let session = args.session.as_deref();
        let for_task = args.for_task.clone().or_else(|| desk.current_task(session));
        let asked = (task.as_str(), args.path.as_slice());
        let mut left =
            reading.leave_receipt((session, for_task.as_deref()), asked, &recalled.bundle);
        if let (Some(session), Some(sessions)) = (session, &reading.sessions) {
            left = left.and_then(|()| sessions.give(session, &told_whole(&recalled.bundle)));
        }
        if let (Err(error), Some(_)) = (left, session) {
            io.note("warning", &format!("could not write the receipt: {error}"));
        }
        let ranked = args.explain.then_some(recalled.ranked.as_slice());
        let more = || if args.explain { explained(&recalled) } else { String::new() };
        // Silence numbers nothing: the list before it still counts.
        if !recalled.bundle.is_empty() {
            let served = recalled.bundle.memories.iter().chain(&recalled.bundle.cautions);
            desk.keep_list(served.map(|entry| entry.card.id.as_str()));
        }
        let agent = || {
            let mut text = recalled.bundle.to_text();
            text.push(&AgentText::body(&more()));
            text
        };
        let people = |screen: &Screen| people::recall(&recalled.bundle, screen) + &more();
        desk.present(io, "recall", Recall::of(&recalled.bundle, ranked), (agent, people))
    })
}

fn request(args: &RecallArgs, task: &str, reading: &Reading<'_>) -> Result<Request, Fail> {
    let as_of = |text: &String| {
        parse_instant(text).ok_or_else(|| {
            Problem::new("--as-of", "a date such as `2026-06-01`, or an instant", text)
                .with_fix("write the day as year-month-day")
        })
    };
    let known = args.session.as_ref().zip(reading.sessions.as_ref());
    let served_before = known.map(|(session, sessions)| sessions.given_to(session));
    let level = args.decision_level.clone();
    Ok(Request {
        text: task.to_owned(),
        paths: args.path.clone(),
        filter: Filter { level, ..filter(&args.filter, reading.engine)? },
        pointers_only: args.level == Disclosure::Index,
        budget_tokens: args.budget,
        items_max: args.limit,
        served_before: served_before.unwrap_or_default(),
        as_of: args.as_of.as_ref().map(as_of).transpose()?,
        keywords_only: args.keywords,
        full_read: args.full_read,
        related: args.related,
        quick: false,
    })
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

pub(super) fn weighed<'s>(ranked: impl Iterator<Item = &'s Scored>) -> String {
    let heads =
        ["score", "words", "names", "meaning", "recency", "trust", "near", "chance", "fits", "id"];
    let row = |Scored { score, parts, confidence, is_relevant, candidate, .. }: &Scored| {
        let [words, names, meaning] = [parts.lexical, parts.names, parts.dense];
        let [recency, trust, near] = [parts.recency, parts.trust, parts.proximity];
        let numbers = [*score, words, names, meaning, recency, trust, near, *confidence];
        let numbers = numbers.map(|number| format!("{:.3}", number + 0.0));
        let fits = if *is_relevant { "yes" } else { "no" }.to_owned();
        numbers.into_iter().chain([fits, visible_line(&candidate.card.id)]).collect()
    };
    let rows: Vec<Vec<String>> =
        std::iter::once(heads.map(str::to_owned).to_vec()).chain(ranked.map(row)).collect();
    columns(&rows)
}

pub(super) fn receipts(args: &ReceiptsArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.layout()?;
    let newest = desk.sessions().map(|it| it.receipts(args.session.as_deref(), args.limit));
    let newest = newest.unwrap_or_default();
    let answer = ServedReceipts::of(&newest);
    if newest.is_empty() {
        return desk.print(io, "receipts", answer, || "no receipts\n".to_owned());
    }
    let of = |it: &Value| (it.clone(), asked(&it["query"], &it["paths"]));
    let people =
        |screen: &Screen| people::receipts(&newest.iter().map(of).collect::<Vec<_>>(), screen);
    let agent = || newest.iter().map(receipt_text).collect::<String>();
    desk.present(io, "receipts", answer, (agent, people))
}

/// The task, or the paths where there was none.
pub(super) fn asked(query: &Value, paths: &Value) -> String {
    let paths = paths.as_array().into_iter().flatten().filter_map(Value::as_str);
    match (query.as_str().unwrap_or_default().trim(), paths.collect::<Vec<_>>().as_slice()) {
        ("", []) => "everything".to_owned(),
        ("", paths) => paths.join(", "),
        (query, _) => query.to_owned(),
    }
}

fn receipt_text(receipt: &Value) -> String {
    let text = |key: &str| receipt[key].as_str().unwrap_or_default();
    let session = Some(text("session")).filter(|it| !it.is_empty());
    let session = session.map(|it| format!(" session {it}")).unwrap_or_default();
    let mut out = format!(
        "{}{session} level {} ({}), {} of {} tokens\n  for: {}\n",
        text("at"),
        receipt["level"],
        text("method"),
        receipt["tokens"],
        receipt["budget"],
        shorten(&visible_line(&asked(&receipt["query"], &receipt["paths"])), 100),
    );
    for one in receipt["served"].as_array().into_iter().flatten() {
        let field = |key: &str| one[key].as_str().unwrap_or_default();
        out.push_str(&format!("  {} ({})\n", field("id"), visible_line(field("reason"))));
    }
    if receipt["served"].as_array().is_none_or(Vec::is_empty) {
        out.push_str("  nothing\n");
    }
    out
}

const MENTIONS: usize = 5;

pub(super) fn why(args: &WhyArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.read(|reading| {
        let memory = reading.engine.get(&args.name)?.memory;
        let question = args.question.join(" ");
        if question.trim().is_empty() && args.path.is_empty() {
            return by_receipts(memory.id.as_str(), reading, desk, io);
        }
        let request = Request { text: question, paths: args.path.clone(), ..Request::default() };
        let recalled = reading.recall(&request)?;
        let explained = recalled.explain(memory.id.as_str());
        let answer = WhyServed::of(&explained, &recalled);
        let people = |screen: &Screen| people::rank(&memory, &explained, &recalled, screen);
        let agent = || {
            let mut text = format!("{}: {}\n", memory.id, explained.why);
            text.push_str(&facts(&[
                ("state", memory.state.to_string()),
                ("place", explained.rank.map(|rank| rank.to_string()).unwrap_or_default()),
            ]));
            for step in &recalled.bundle.steps {
                text.push_str(&format!("  {}\n", step.line()));
            }
            if explained.scored.is_some() {
                text.push('\n');
                text.push_str(&weighed(explained.scored.iter()));
            }
            text
        };
        desk.present(io, "why", answer, (agent, people))
    })
}

/// Without a question: its whole life, and when it was last given to somebody.
fn by_receipts(id: &str, reading: &Reading<'_>, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let receipts = reading.sessions.as_ref().map(|it| it.receipts(None, RECEIPTS));
    let receipts = receipts.unwrap_or_default();
    let mentions = receipts.iter().filter_map(|it| Mention::of(it, id)).take(MENTIONS);
    let mentions: Vec<Mention> = mentions.collect();
    let story = reading.engine.trail().story(id)?;
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let answered = |one: &Mention| Answered {
        at: word(&one.at),
        what: one.what,
        reason: word(&one.reason),
        asked: asked(&one.query, &one.paths),
    };
    let people = |screen: &Screen| {
        people::life(&story, &mentions.iter().map(answered).collect::<Vec<_>>(), screen)
    };
    let agent = || {
        let mut text = format!("{id}: {}\n", visible_line(&story.stored.memory.title));
        for sentence in &story.sentences {
            text.push_str(&format!("  {sentence}\n"));
        }
        text.push_str(match mentions.is_empty() {
            true => "  No answer on this machine had to do with it.\n",
            false => "answers on this machine:\n",
        });
        for one in &mentions {
            text.push_str(&format!("  {} {}: {}\n", word(&one.at), one.what, word(&one.reason)));
            let what = visible_line(&asked(&one.query, &one.paths));
            text.push_str(&format!("    for: {what}\n"));
        }
        text
    };
    desk.present(io, "why", LifeStory::of(&story, &mentions), (agent, people))
}
