//! `oldhand capture`: from transcripts and drafts to memories, by hand or by the agent at hand.

use std::path::Path;

use oldhand_app::settings::Settings;
use oldhand_core::policy::IMPORT_BYTES_MAX;
use oldhand_judge::capture::candidate::LifecycleEvent;
use oldhand_judge::capture::drafter::{self, Source};
use oldhand_judge::capture::triage::{Hit, Rules, Triage, triage};
use oldhand_judge::capture::verify::{self, Class, Doubt};
use oldhand_text::strings::{counted, visible_line};
use oldhand_transcripts::{Turn, Voice};
use serde_json::{Map, Value, json};

use crate::capture::save;
use crate::capture::staging::Staging;
use crate::cli::{CaptureAction, CaptureArgs};
use crate::conversation::Conversation;
use crate::desk::Desk;
use crate::failure::{DONE, FINDING, Fail, Outcome};
use crate::format::columns;
use crate::hook::state;
use crate::input::{parse_record, read_text};
use crate::printer::Io;

pub(super) fn run(args: &CaptureArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    match &args.action {
        CaptureAction::Triage { transcript } => show(transcript, desk, io),
        CaptureAction::From { transcript, session, dry_run } => {
            from(transcript, session.as_deref(), *dry_run, desk, io)
        }
        CaptureAction::Save { staging } => save(staging, desk, io),
        CaptureAction::Check { category, new_info, lifecycle_event } => {
            check(category, new_info, lifecycle_event.as_deref(), desk, io)
        }
        CaptureAction::Verify { draft, context } => verify(draft, context, desk, io),
    }
}

fn read_turns(source: &str, desk: &Desk<'_>, io: &mut Io<'_>) -> Result<Vec<Turn>, Fail> {
    Ok(Conversation::read(source, desk, io)?.turns)
}

fn looked_through(turns: &[Turn], settings: &Settings) -> Triage {
    triage(turns, &Rules::of(&settings.kinds, &settings.capture.thresholds))
}

/// R238: a block of JSON with lower-case names, or the same for people.
fn show(source: &str, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let turns = read_turns(source, desk, io)?;
    let layout = desk.layout().ok();
    let resolved = desk.resolve(layout.as_ref())?;
    let mut found = looked_through(&turns, &resolved.settings);
    for hit in &mut found.hits {
        if let Some(finding) = oldhand_text::secrets::scan(&hit.text).first() {
            hit.text = format!("[withheld: {}]", finding.rule);
        }
    }
    let mut working = oldhand_sessions::conversation::Working::default();
    working.absorb(&turns);
    if desk.flags.json {
        let mut object = Map::new();
        object.insert("categories".into(), categories(&found, &resolved.settings));
        object.insert("hits".into(), found.hits.iter().map(hit_json).collect());
        object.insert("activity".into(), json!(rounded(working.activity())));
        io.json("triage", object)?;
        return Ok(DONE);
    }
    if found.hits.is_empty() {
        io.text("nothing worth keeping was said\n")?;
    }
    let rows: Vec<Vec<String>> = found
        .hits
        .iter()
        .map(|hit| {
            vec![
                hit.kind.to_string(),
                format!("{:.2}", hit.score),
                format!("line {}", hit.line),
                visible_line(&hit.text),
            ]
        })
        .collect();
    io.text(&columns(&rows))?;
    Ok(DONE)
}

fn rounded(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}

fn categories(found: &Triage, settings: &Settings) -> Value {
    found
        .scores
        .iter()
        .map(|(kind, score)| {
            json!({
                "category": kind.as_str(),
                "score": rounded(*score),
                "description": settings.kinds.spec(kind).told,
                "triggered": found.hits.iter().any(|hit| hit.kind == *kind),
            })
        })
        .collect()
}

fn hit_json(hit: &Hit) -> Value {
    json!({
        "category": hit.kind.as_str(),
        "score": rounded(hit.score),
        "explicit": hit.explicit,
        "line": hit.line,
        "voice": if hit.voice == Voice::Person { "person" } else { "agent" },
        "text": hit.text,
        "because": hit.because,
    })
}

fn from(
    source: &str,
    session: Option<&str>,
    dry_run: bool,
    desk: &Desk<'_>,
    io: &mut Io<'_>,
) -> Outcome {
    let turns = read_turns(source, desk, io)?;
    let stem = Path::new(source).file_stem().map(|it| it.to_string_lossy().into_owned());
    let session = session.map(str::to_owned).or(stem).unwrap_or_default();
    desk.work(|engine| {
        let found = looked_through(&turns, engine.settings);
        let source = Source { session: &session, host: "", is_typed: false };
        let mut results: Vec<Value> = Vec::new();
        for hit in &found.hits {
            let Some(draft) = drafter::draft(hit, &turns, &source) else {
                results.push(json!({"line": hit.line, "result": "withheld: it holds a secret"}));
                continue;
            };
            let title = draft.title().unwrap_or_default().to_owned();
            let (result, id) = if dry_run {
                ("would be a candidate".to_owned(), None)
            } else {
                match crate::hook::written(engine.capture(&draft))? {
                    Ok(done) => (done.action.as_str().to_owned(), Some(done.memory.id.to_string())),
                    Err(why) => (why, None),
                }
            };
            results.push(json!({
                "category": hit.kind.as_str(),
                "line": hit.line,
                "title": title,
                "result": result,
                "id": id,
            }));
        }
        if desk.flags.json {
            let mut object = Map::new();
            object.insert("captured".into(), Value::Array(results));
            io.json("capture", object)?;
            return Ok(DONE);
        }
        if results.is_empty() {
            io.text("nothing worth keeping was said\n")?;
        }
        let text = |one: &Value, key: &str| one[key].as_str().unwrap_or_default().to_owned();
        let rows: Vec<Vec<String>> = results
            .iter()
            .map(|one| {
                vec![text(one, "result"), text(one, "category"), visible_line(&text(one, "title"))]
            })
            .collect();
        io.text(&columns(&rows))?;
        Ok(DONE)
    })
}

/// One line of result (R253); exit 1 when a draft was not saved.
fn save(staging: &Path, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let layout = desk.layout()?;
    let Some(folder) = desk.state_folder(&layout) else {
        return Err(Fail::usage("there is no staging area", "set `HOME` to a folder of yours"));
    };
    let staging = Staging::named(&folder, &desk.current_dir().join(staging))?;
    // An agent's drafts are an agent's word, whoever starts this.
    let flags = desk.flags.clone();
    let agents = Desk {
        env: desk.env,
        flags,
        now: desk.now,
        host: Some("capture".to_owned()),
        lasting: None,
    };
    agents.work(|engine| {
        let outcomes = save::save_all(engine, &staging)?;
        let is_fine = outcomes.iter().all(save::Outcome::is_fine);
        tick_off(&folder, &staging, &outcomes);
        if desk.flags.json {
            let mut object = Map::new();
            let results: Vec<Value> = outcomes.iter().map(save::Outcome::to_json).collect();
            object.insert("results".into(), Value::Array(results));
            object.insert(
                "status".into(),
                json!(if is_fine { "success" } else { "partial_failure" }),
            );
            io.json("capture", object)?;
        } else {
            let lines: Vec<String> = outcomes.iter().map(save::Outcome::line).collect();
            let text = if lines.is_empty() { "no drafts".to_owned() } else { lines.join("; ") };
            io.text(&format!("memory: {text}\n"))?;
            for outcome in outcomes.iter().filter(|it| !it.doubts.is_empty()) {
                io.note("note", &format!("{}: {}", outcome.category, outcome.doubts.join("; ")));
            }
        }
        Ok(if is_fine { DONE } else { FINDING })
    })
}

/// What was drafted is no longer owed. Best effort: what stays is a candidate that has a twin.
fn tick_off(folder: &Path, staging: &Staging, outcomes: &[save::Outcome]) {
    let data = staging.read("triage-data.json").ok();
    let data: Option<Value> = data.and_then(|text| serde_json::from_str(&text).ok());
    let Some(session) = data.as_ref().and_then(|data| data["session"].as_str()) else { return };
    let is_done =
        |category: &str| outcomes.iter().any(|it| it.is_fine() && it.category == category);
    let _ = state::update(folder, session, "", |state| {
        state.owed.retain(|owed| !is_done(&owed.category));
    });
}

fn check(
    category: &str,
    new_info: &str,
    event: Option<&str>,
    desk: &Desk<'_>,
    io: &mut Io<'_>,
) -> Outcome {
    let new_info = match new_info {
        "-" => read_text("-", &desk.current_dir(), IMPORT_BYTES_MAX, io)?,
        text => text.to_owned(),
    };
    let event = event.map(LifecycleEvent::parse).transpose()?;
    desk.work(|engine| {
        let kind = engine.settings.kinds.parse(category)?;
        let check = engine.candidate_check(&kind, &new_info, event)?;
        let mut object = Map::new();
        object.insert("category".into(), json!(kind.as_str()));
        if let Value::Object(fields) = check.to_json() {
            object.extend(fields);
        }
        if desk.flags.json {
            io.json("candidate", object)?;
            return Ok(DONE);
        }
        let candidate = check.candidate.as_deref().unwrap_or("none");
        io.text(&format!("candidate: {candidate}\npossible: {}\n", check.structural.as_str()))?;
        for veto in &check.vetoes {
            io.text(&format!("not allowed: {} ({})\n", veto.action.as_str(), veto.why))?;
        }
        for hint in &check.hints {
            io.text(&format!("- {hint}\n"))?;
        }
        Ok(DONE)
    })
}

/// R250: PASS, or what was never said.
fn verify(draft: &str, context: &str, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let folder = desk.current_dir();
    let layout = desk.layout().ok();
    let resolved = desk.resolve(layout.as_ref())?;
    let text = read_text(draft, &folder, IMPORT_BYTES_MAX, io)?;
    let draft = parse_record(&save::record_of(&text), &resolved.settings.kinds)?;
    let excerpt = read_text(context, &folder, IMPORT_BYTES_MAX, io)?;
    let doubts = verify::verify(&draft, &excerpt);
    let passes = verify::passes(&doubts);
    let verdict = if passes { "PASS" } else { "BLOCK" };
    if desk.flags.json {
        let mut object = Map::new();
        object.insert("verdict".into(), json!(verdict));
        object.insert("doubts".into(), doubts.iter().map(doubt_json).collect());
        io.json("verify", object)?;
    } else {
        let count = counted(doubts.len(), "doubt", "doubts");
        io.text(&format!("{verdict}: {count}\n"))?;
        for doubt in &doubts {
            let class = if doubt.class == Class::Blocking { "blocks" } else { "advises" };
            io.text(&format!("- {class}: {}\n", visible_line(&doubt.to_string())))?;
        }
    }
    Ok(if passes { DONE } else { FINDING })
}

fn doubt_json(doubt: &Doubt) -> Value {
    json!({
        "class": if doubt.class == Class::Blocking { "blocking" } else { "advisory" },
        "field": doubt.field,
        "what": doubt.what,
        "value": doubt.value,
    })
}
