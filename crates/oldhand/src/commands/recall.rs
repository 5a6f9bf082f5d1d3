//! `oldhand recall`: the few memories that a task needs.

use std::collections::BTreeSet;

use oldhand_app::Engine;
use oldhand_app::list::Filter;
use oldhand_app::recall::{Recalled, Request};
use oldhand_core::kind::Kind;
use oldhand_core::recall::query::{Intent, intent};
use oldhand_core::recall::rank::Scored;
use oldhand_core::state::State;
use oldhand_text::problem::Problem;
use oldhand_text::strings::{normalise_tag, visible_line};
use oldhand_text::time::parse_instant;
use serde_json::{Map, Value, json};

use crate::cli::{Disclosure, FilterFlags, RecallArgs};
use crate::desk::Desk;
use crate::failure::{DONE, Fail, Outcome};
use crate::format::columns;
use crate::printer::Io;
use crate::reading::Reading;
use crate::receipt::Receipt;

/// A longer task is a file, not a task.
const TASK_BYTES_MAX: u64 = 1024 * 1024;
/// Candidates that an explanation shows.
const EXPLAINED: usize = 15;

pub(super) fn run(args: &RecallArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let task = task(&args.task, io)?;
    if task.trim().is_empty() && args.path.is_empty() && !args.full_read {
        return Err(Fail::usage(
            "there is nothing to recall for",
            "say the task in a few words, for example `oldhand recall \"round the total\"`",
        ));
    }
    desk.read(|reading| {
        let request = request(args, &task, reading)?;
        let recalled = recall(reading, &request)?;
        if let Some(receipts) = &reading.receipts {
            let current = || desk.current_task(args.session.as_deref());
            let for_task = args.for_task.clone().or_else(current);
            let left = receipts.leave(&Receipt {
                at: desk.now,
                session: args.session.as_deref(),
                task: for_task.as_deref(),
                by: reading.engine.by,
                query: &task,
                paths: &args.path,
                bundle: &recalled.bundle,
            });
            let session = args.session.as_deref();
            let left = left.and_then(|()| receipts.note_given(session, &recalled.bundle));
            if let (Err(error), Some(_)) = (left, session) {
                io.note("warning", &format!("no receipt could be left: {error}"));
            }
        }
        if desk.flags.json {
            let mut object = recalled.bundle.to_json();
            if args.explain {
                object.insert("explained".into(), explained_json(&recalled));
            }
            io.json("recall", object)?;
        } else {
            io.text(&recalled.bundle.to_text())?;
            if args.explain {
                io.text(&explained_text(&recalled))?;
            }
        }
        Ok(DONE)
    })
}

/// A question about decisions looks at decisions first, a question about everything at the index
/// (R284).
pub(crate) fn recall(reading: &Reading<'_>, request: &Request) -> Result<Recalled, Fail> {
    let engine = reading.engine;
    let wanted = intent(&request.text);
    if wanted == Intent::Overview && !request.full_read {
        let overview = Request { full_read: true, pointers_only: true, ..request.clone() };
        return Ok(engine.recall(reading.index, &overview)?);
    }
    if wanted == Intent::Decisions && request.filter.kinds.is_empty() {
        let mut narrowed = request.clone();
        narrowed.filter.kinds = vec![Kind::Decision];
        let recalled = engine.recall(reading.index, &narrowed)?;
        if !recalled.bundle.is_empty() {
            return Ok(recalled);
        }
    }
    Ok(engine.recall(reading.index, request)?)
}

fn task(words: &[String], io: &mut Io<'_>) -> Result<String, Fail> {
    if words != ["-"] {
        return Ok(words.join(" "));
    }
    let bytes = crate::read_limited(&mut io.stdin, TASK_BYTES_MAX)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn request(args: &RecallArgs, task: &str, reading: &Reading<'_>) -> Result<Request, Fail> {
    let as_of = match &args.as_of {
        None => None,
        Some(text) => Some(parse_instant(text).ok_or_else(|| {
            Problem::new("--as-of", "a date such as `2026-06-01`, or an instant", text)
                .with_fix("write the day as year-month-day")
        })?),
    };
    let served_before = match (&args.session, &reading.receipts) {
        (Some(session), Some(receipts)) => receipts.given_to(session),
        _ => BTreeSet::new(),
    };
    let mut filter = filter(&args.filter, reading.engine)?;
    filter.level.clone_from(&args.decision_level);
    Ok(Request {
        text: task.to_owned(),
        paths: args.path.clone(),
        filter,
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

/// The flags that several commands share.
pub(super) fn filter(flags: &FilterFlags, engine: &Engine<'_>) -> Result<Filter, Fail> {
    let kinds = &engine.settings.kinds;
    let kind = |name: &String| -> Result<Kind, Fail> { Ok(kinds.parse(name)?) };
    let state = |name: &String| -> Result<State, Fail> { Ok(State::parse(name)?) };
    Ok(Filter {
        kinds: flags.kind.iter().map(kind).collect::<Result<_, _>>()?,
        states: flags.state.iter().map(state).collect::<Result<_, _>>()?,
        tags: flags.tag.iter().map(|tag| normalise_tag(tag)).collect(),
        domain: flags.domain.clone(),
        scope: flags.scope.clone(),
        legacy: flags.legacy.clone(),
        ..Filter::default()
    })
}

fn explained_json(recalled: &Recalled) -> Value {
    recalled.ranked.iter().take(EXPLAINED).map(|scored| Value::Object(parts_json(scored))).collect()
}

pub(super) fn parts_json(scored: &Scored) -> Map<String, Value> {
    // Adding nothing makes -0 a 0.
    let round = |number: f64| (number * 1000.0).round() / 1000.0 + 0.0;
    let (features, parts) = (&scored.candidate.features, &scored.parts);
    let object = json!({
        "id": scored.candidate.card.id,
        "score": round(scored.score),
        "relevance": round(scored.relevance),
        "confidence": round(scored.confidence),
        "is_relevant": scored.is_relevant,
        "words": scored.candidate.matched,
        "bm25": round(f64::from(features.lexical)),
        "coverage": round(f64::from(features.coverage)),
        "title_coverage": round(f64::from(features.title_coverage)),
        "telling_coverage": round(f64::from(features.telling_coverage)),
        "passages": scored.candidate.card.passages,
        "cosine": features.dense.map(|dense| round(f64::from(dense))),
        "parts": {
            "words": round(parts.lexical),
            "meaning": round(parts.dense),
            "neighbour": round(parts.neighbour),
            "recency": round(parts.recency),
            "trust": round(parts.trust),
            "proximity": round(parts.proximity),
        },
    });
    match object {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

fn explained_text(recalled: &Recalled) -> String {
    let mut out = String::from("\nhow this came about:\n");
    for step in &recalled.bundle.steps {
        out.push_str(&format!("  {}\n", step.line()));
    }
    let words: Vec<&str> = recalled.query.words.iter().map(|word| word.text.as_str()).collect();
    out.push_str(&format!("  words: {}\n\n", words.join(" ")));
    let mut rows = vec![heads()];
    rows.extend(recalled.ranked.iter().take(EXPLAINED).map(row));
    out.push_str(&columns(&rows));
    out
}

pub(super) fn heads() -> Vec<String> {
    ["score", "words", "meaning", "recency", "trust", "near", "confidence", "fits", "id"]
        .map(str::to_owned)
        .to_vec()
}

pub(super) fn row(scored: &Scored) -> Vec<String> {
    let parts = &scored.parts;
    let number = |number: f64| format!("{:.3}", number + 0.0);
    vec![
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
}
