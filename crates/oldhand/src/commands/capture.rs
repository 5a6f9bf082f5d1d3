//! `oldhand capture`: from transcripts and drafts to memories, by hand or by the agent at hand.

use std::path::Path;

use oldhand_app::settings::Settings;
use oldhand_core::policy::IMPORT_BYTES_MAX;
use oldhand_judge::capture::candidate::{Check, LifecycleEvent};
use oldhand_judge::capture::drafter::{self, Source};
use oldhand_judge::capture::triage::{Hit, Rules, Triage, triage};
use oldhand_judge::capture::verify::{self, Class};
use oldhand_sessions::conversation::Working;
use oldhand_store::session::staging::Staging;
use oldhand_transcripts::Turn;
use wire::capture::{
    CapturedSentence, CapturedSentences, CategoryCheck, SavedDrafts, TriageAnswer, VerifiedDraft,
};

use super::prelude::*;
use oldhand_app::record::parse_record;
use oldhand_desk::conversation::Conversation;
use oldhand_desk::drafts::handover::without_secrets;
use oldhand_desk::drafts::save::{self, DraftOutcome};

const NOTHING: &str = "nothing worth keeping was said\n";

pub(super) fn run(action: &CaptureAction, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    match action {
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

fn triage_of(turns: &[Turn], settings: &Settings) -> Triage {
    triage(turns, &Rules::of(&settings.kinds, &settings.capture.thresholds))
}

/// R238: a block of JSON with lower-case names, or the same for people.
fn show(source: &str, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let turns = Conversation::read(source, desk, io)?.turns;
    let resolved = desk.resolve(desk.layout().ok().as_ref())?;
    let mut found = triage_of(&turns, &resolved.settings);
    for hit in &mut found.hits {
        hit.text = without_secrets(std::mem::take(&mut hit.text));
    }
    let mut working = Working::default();
    working.absorb(&turns);
    let answer = TriageAnswer::of(&found, working.activity(), &resolved.settings);
    desk.print(io, "triage", answer, || {
        if found.hits.is_empty() {
            return NOTHING.to_owned();
        }
        let row = |hit: &Hit| {
            let (score, line) = (format!("{:.2}", hit.score), format!("line {}", hit.line));
            [hit.kind.to_string(), score, line, visible_line(&hit.text)]
        };
        table(found.hits.iter().map(row))
    })
}

fn from(
    source: &str,
    session: Option<&str>,
    dry_run: bool,
    desk: &Desk<'_>,
    io: &mut Io<'_>,
) -> Outcome {
    let turns = Conversation::read(source, desk, io)?.turns;
    let stem = Path::new(source).file_stem().map(|it| it.to_string_lossy().into_owned());
    let session = session.map(str::to_owned).or(stem).unwrap_or_default();
    desk.work(|engine| {
        let source = Source { session: &session, host: "", is_typed: false };
        let mut captured = Vec::new();
        for hit in &triage_of(&turns, engine.settings).hits {
            captured.push(capture_one(hit, &turns, &source, engine, dry_run)?);
        }
        desk.print(io, "capture", CapturedSentences::of(&captured), || {
            if captured.is_empty() {
                return NOTHING.to_owned();
            }
            let row = |one: &CapturedSentence| {
                let title = visible_line(one.title.as_deref().unwrap_or_default());
                [one.result.clone(), one.category.clone().unwrap_or_default(), title]
            };
            table(captured.iter().map(row))
        })
    })
}

fn capture_one(
    hit: &Hit,
    turns: &[Turn],
    source: &Source<'_>,
    engine: &Engine<'_>,
    dry_run: bool,
) -> Result<CapturedSentence, Fail> {
    let (line, category) = (hit.line, hit.kind.to_string());
    let Some(draft) = drafter::draft(hit, turns, source) else {
        let result = "withheld: it holds a secret".to_owned();
        return Ok(CapturedSentence { category: None, line, title: None, result, id: None });
    };
    let (result, id) = if dry_run {
        ("would be a candidate".to_owned(), None)
    } else {
        match oldhand_desk::drafts::written(engine.learning().capture(&draft))? {
            Ok(done) => (done.action.as_str().to_owned(), Some(done.memory.id.to_string())),
            Err(why) => (why, None),
        }
    };
    let title = Some(draft.title().unwrap_or_default().to_owned());
    Ok(CapturedSentence { category: Some(category), line, title, result, id: Some(id) })
}

/// One line of result (R253); exit 1 when a draft was not saved.
fn save(staging: &Path, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let sessions = desk.own_file_sessions()?;
    let staging = sessions.named_staging(&desk.current_dir().join(staging))?;
    // An agent's drafts are an agent's word, whoever starts this.
    let (host, flags) = (Some("capture".to_owned()), desk.flags.clone());
    Desk { host, flags, ..*desk }.work(|engine| {
        let outcomes = save::save_all(engine, &staging)?;
        let is_fine = outcomes.iter().all(DraftOutcome::is_fine);
        tick_off(&sessions, &staging, &outcomes);
        let results = outcomes.iter().map(DraftOutcome::answer).collect();
        desk.print(io, "capture", SavedDrafts::of(results, is_fine), || {
            let lines: Vec<String> = outcomes.iter().map(DraftOutcome::line).collect();
            let text = if lines.is_empty() { "no drafts".to_owned() } else { lines.join("; ") };
            format!("memory: {text}\n")
        })?;
        let doubtful = outcomes.iter().filter(|it| !it.doubts.is_empty());
        let doubts = doubtful.map(|it| format!("{}: {}", it.category, it.doubts.join("; ")));
        desk.remark(io, "note", doubts);
        Ok(if is_fine { DONE } else { FINDING })
    })
}

/// What was drafted is no longer owed. Best effort: what stays is a candidate that has a twin.
fn tick_off(sessions: &dyn SessionStore, staging: &Staging<'_>, outcomes: &[DraftOutcome]) {
    let Some(session) = save::session_of(staging) else { return };
    let is_done =
        |category: &str| outcomes.iter().any(|it| it.is_fine() && it.category == category);
    let _ = sessions.update(session.as_str(), |state| {
        state.capture.owed.retain(|owed| !is_done(&owed.category));
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
        let check = engine.learning().candidate_check(&kind, &new_info, event)?;
        let answer = CategoryCheck::of(&kind, &check);
        desk.print(io, "candidate", answer, || check_text(&check))
    })
}

fn check_text(check: &Check) -> String {
    let candidate = check.candidate.as_deref().unwrap_or("none");
    let mut out = format!("candidate: {candidate}\npossible: {}\n", check.structural.as_str());
    for veto in &check.vetoes {
        out.push_str(&format!("not allowed: {} ({})\n", veto.action.as_str(), veto.why));
    }
    out.extend(check.hints.iter().map(|hint| format!("- {hint}\n")));
    out
}

/// R250: PASS, or what was never said.
fn verify(draft: &str, context: &str, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let folder = desk.current_dir();
    let resolved = desk.resolve(desk.layout().ok().as_ref())?;
    let text = read_text(draft, &folder, IMPORT_BYTES_MAX, io)?;
    let draft = parse_record(&save::record_of(&text), &resolved.settings.kinds)?;
    let excerpt = read_text(context, &folder, IMPORT_BYTES_MAX, io)?;
    let doubts = verify::verify(&draft, &excerpt);
    let passes = verify::passes(&doubts);
    let verdict = if passes { "PASS" } else { "BLOCK" };
    desk.print(io, "verify", VerifiedDraft::of(verdict, &doubts), || {
        let mut out = format!("{verdict}: {}\n", counted(doubts.len(), "doubt", "doubts"));
        for doubt in &doubts {
            let class = if doubt.class == Class::Blocking { "blocks" } else { "advises" };
            out.push_str(&format!("- {class}: {}\n", visible_line(&doubt.to_string())));
        }
        out
    })?;
    Ok(if passes { DONE } else { FINDING })
}
