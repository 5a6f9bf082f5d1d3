//! `oldhand check`: does a proposal clash with what was decided? Nothing is written.

use oldhand_app::Engine;
use oldhand_app::gate::{Conflict, Judged, Proposal};
use oldhand_core::kind::Kind;
use oldhand_core::memory::{Memory, MemoryId};
use oldhand_core::policy::MEMORY_BYTES_MAX;
use oldhand_text::strings::{counted, visible_line};
use oldhand_text::time::format_day;
use serde_json::{Map, Value, json};

use crate::cli::CheckArgs;
use crate::desk::Desk;
use crate::failure::{DONE, FINDING, Fail, Outcome, TROUBLE};
use crate::printer::Io;

pub(super) fn run(args: &CheckArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        let mut proposal = proposal(args, engine, desk, io)?;
        proposal.paths.extend(args.path.iter().cloned());
        if let Some(domain) = &args.domain {
            proposal.domain = Some(domain.clone());
        }
        if proposal.statement.is_empty() {
            return Err(Fail::usage(
                "could not judge: the proposal says nothing that could be compared",
                "say what you are about to decide, for example `oldhand check \"use MySQL\"`",
            ));
        }
        let judged = engine.check(&proposal)?;
        let exit = if !judged.conflicts.is_empty() {
            FINDING
        } else if !judged.unreadable.is_empty() {
            TROUBLE
        } else {
            DONE
        };
        if desk.flags.json {
            io.json("check", to_json(&proposal, &judged, exit))?;
        } else {
            tell(&proposal, &judged, &ways_on(&judged), io)?;
        }
        Ok(exit)
    })
}

fn proposal(
    args: &CheckArgs,
    engine: &Engine<'_>,
    desk: &Desk<'_>,
    io: &mut Io<'_>,
) -> Result<Proposal, Fail> {
    let kinds = &engine.settings.kinds;
    let text = match &args.from {
        Some(source) => crate::input::read_text(source, &desk.current_dir(), MEMORY_BYTES_MAX, io)?,
        None if args.proposal == ["-"] => {
            crate::input::read_text("-", &desk.current_dir(), MEMORY_BYTES_MAX, io)?
        }
        None => return Ok(Proposal::of_text(&args.proposal.join(" "))),
    };
    // A record says more than its text: its title, its decision, its domain and its paths.
    let looks_like_record =
        text.trim_start().starts_with(['{', '-', '#']) || text.contains("\n## ");
    let draft = match crate::input::parse_record(&text, kinds) {
        Ok(draft) if looks_like_record => draft,
        Err(error) if args.from.is_some() && looks_like_record => return Err(error),
        _ => return Ok(Proposal::of_text(&text)),
    };
    let kind = draft.kind.clone().unwrap_or(Kind::Decision);
    let title = draft.title().unwrap_or_default().to_owned();
    let mut memory = Memory::new(MemoryId::of_title(&title), kind, &title);
    draft.apply_to(&mut memory)?;
    let mut proposal = Proposal::of_memory(&memory);
    // A draft is in no store: a memory of the same name is one that it must agree with.
    proposal.except.clone_from(&memory.supersedes);
    if proposal.statement.is_empty() {
        let mut of_text = Proposal::of_text(&text);
        (of_text.domain, of_text.paths) = (proposal.domain, proposal.paths);
        return Ok(of_text);
    }
    Ok(proposal)
}

/// What a person can do about a clash.
fn ways_on(judged: &Judged) -> String {
    let Some(first) = judged.conflicts.first() else { return String::new() };
    format!(
        "follow what was decided, or reverse it with a reason:\n  \
         oldhand supersede {} --title \"…\" --because \"…\"\n\
         a write that clashes waits in `pending/`, where a person may also let both hold\n",
        first.memory.id
    )
}

pub(crate) fn tell(
    proposal: &Proposal,
    judged: &Judged,
    ways_on: &str,
    io: &mut Io<'_>,
) -> std::io::Result<()> {
    let compared = judged.compared;
    if judged.conflicts.is_empty() {
        let what = counted(compared, "decision or constraint", "decisions and constraints");
        let word = if judged.unreadable.is_empty() { "clear" } else { "unknown" };
        let mut line = format!("{word}: compared with {what}");
        if judged.in_domain > 0 {
            line.push_str(&format!(", {} of the same domain", judged.in_domain));
        }
        io.text(&format!("{line}\n"))?;
    } else {
        io.text(&format!("conflict: {}\n", visible_line(&proposal.title)))?;
    }
    for conflict in &judged.conflicts {
        let memory = &conflict.memory;
        io.text(&format!(
            "\n{}  {} ({})\n",
            conflict.date(),
            visible_line(&memory.title),
            memory.id
        ))?;
        io.text(&format!("  decided   {}\n", visible_line(&conflict.clash.theirs)))?;
        io.text(&format!("  proposed  {}\n", visible_line(&conflict.clash.ours)))?;
        io.text(&format!("  why       {}\n", visible_line(&conflict.clash.sentence())))?;
    }
    if !judged.conflicts.is_empty() {
        io.text(&format!("\n{ways_on}"))?;
    }
    for memory in &judged.related {
        io.text(&format!("related: {} ({})\n", visible_line(&memory.title), memory.id))?;
    }
    for memory in &judged.earlier {
        let day = memory.archived_at.or(memory.updated_at).map(format_day).unwrap_or_default();
        let why = memory.state_reason.as_deref().unwrap_or("no reason was given");
        io.text(&format!(
            "earlier: {} ({}), {} {day}: {}\n",
            visible_line(&memory.title),
            memory.id,
            memory.state,
            visible_line(why)
        ))?;
    }
    for path in &judged.unreadable {
        io.note("warning", &format!("`{path}` can't be read: what it says was not compared"));
    }
    Ok(())
}

fn to_json(proposal: &Proposal, judged: &Judged, exit: u8) -> Map<String, Value> {
    let verdict = match exit {
        DONE => "clear",
        FINDING => "conflict",
        _ => "unknown",
    };
    let earlier: Vec<Value> = judged
        .earlier
        .iter()
        .map(|memory| {
            json!({"id": memory.id.as_str(), "title": memory.title, "state": memory.state,
                   "reason": memory.state_reason})
        })
        .collect();
    let mut object = Map::new();
    object.insert("verdict".into(), json!(verdict));
    object.insert("proposal".into(), json!(proposal.title));
    object.insert("domain".into(), json!(proposal.domain));
    let conflicts: Vec<Value> = judged.conflicts.iter().map(conflict_json).collect();
    object.insert("conflicts".into(), Value::Array(conflicts));
    let related: Vec<Value> = judged
        .related
        .iter()
        .map(|memory| json!({"id": memory.id.as_str(), "title": memory.title}))
        .collect();
    object.insert("related".into(), Value::Array(related));
    object.insert("earlier".into(), Value::Array(earlier));
    object.insert("compared".into(), json!(judged.compared));
    object.insert("in_domain".into(), json!(judged.in_domain));
    object.insert("unreadable".into(), json!(judged.unreadable));
    object
}

fn conflict_json(conflict: &Conflict) -> Value {
    let memory = &conflict.memory;
    let terms: Vec<Value> = conflict
        .clash
        .terms
        .iter()
        .map(|(ours, theirs)| json!({"proposed": ours, "decided": theirs}))
        .collect();
    json!({
        "id": memory.id.as_str(),
        "title": memory.title,
        "type": memory.kind.as_str(),
        "date": conflict.date(),
        "domain": memory.domain,
        "cause": conflict.clash.why.as_str(),
        "why": conflict.clash.sentence(),
        "decided": conflict.clash.theirs,
        "proposed": conflict.clash.ours,
        "terms": terms,
        "score": (conflict.clash.score * 1000.0).round() / 1000.0,
        "options": ["follow", "supersede", "keep_both"],
    })
}
