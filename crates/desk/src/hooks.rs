//! `oldhand hook`: what hosts call at their events. It answers in the host's own words, in
//! milliseconds, and never gets in the way: whatever breaks, the exit code is 0, standard output
//! holds the protocol alone, and the reason goes to the log.

mod compact;
pub mod deadline;
mod log;
mod nudge;
mod opened;
mod payload;
mod prelude;
mod serve;
mod settle;
mod start;
mod stop;
mod tool;
mod transcript;
mod waiting;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use jiff::Timestamp;
use oldhand_hosts::answer::Answer;
use oldhand_hosts::dialect::Dialect;
use oldhand_hosts::payload::{Event, Payload};
use oldhand_store::layout::Layout;

use crate::crash;
use crate::desk::ground::SharedSessions;
use crate::desk::{Desk, GlobalFlags};
use crate::env::Env;
use crate::failure::Fail;
use crate::files::Files;
use crate::printer::Io;
use crate::session::Session;
use log::LogLine;
use opened::{Call, Reply};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HookArgs {
    pub host: String,
    /// The event, where the host's payload does not name it.
    pub event: Option<String>,
}

/// Always 0: a hook that fails must not stop anybody's work.
pub fn run(args: &HookArgs, env: &Env<'_>, now: Timestamp, io: &mut Io<'_>) -> u8 {
    let begun = Instant::now();
    let dialect = match Dialect::parse(&args.host) {
        Ok(dialect) => dialect,
        Err(problem) => {
            io.note("oldhand hook", &problem.to_string());
            return 0;
        }
    };
    let mut line = LogLine { at: now, host: dialect.as_str(), ..LogLine::default() };
    let replied = crash::caught_fail(|| reply(args, dialect, env, now, (io, &mut line)));
    let (reply, call) = match replied {
        Ok(replied) => replied,
        Err(fail) => {
            line.is_trouble = true;
            // It may have failed before the log's place was known.
            let desk = desk_in(None, dialect, env, now);
            let folder = || crash::caught(|| store_here(&desk)?.1).ok().flatten();
            line.sessions = line.sessions.take().or_else(|| desk.file_sessions(folder()));
            (Reply::nothing(fail.message()), None)
        }
    };
    let answer = match line.event {
        Some(event) => reply.answer.clone().unwrap_or(Answer::Silence).as_taken(dialect, event),
        None => Answer::Silence,
    };
    // One write. If the host is gone, nobody reads it.
    let text = answer.render(dialect, &line.event_name);
    let _ = io.text(&text).and_then(|()| io.flush());
    deadline::answered();
    line.finish(&reply, begun.elapsed());
    let note = match call.map(|call| crash::caught_fail(|| settle::chores(&call))) {
        Some(Err(fail)) => {
            line.is_trouble = true;
            fail.message()
        }
        Some(Ok(refused)) if !refused.is_empty() => format!("not written: {}", refused.join("; ")),
        _ => return 0,
    };
    line.finish(&Reply::nothing(note), begun.elapsed());
    0
}

fn reply<'a>(
    args: &HookArgs,
    dialect: Dialect,
    env: &'a Env<'a>,
    now: Timestamp,
    (io, line): (&mut Io<'_>, &mut LogLine<'a>),
) -> Result<(Reply, Option<Call<'a>>), Fail> {
    let payload = payload::read(dialect, args.event.as_deref(), &mut io.stdin);
    let mut payload = payload.map_err(|why| Fail::usage(why, ""))?;
    if payload.session.is_empty() {
        // A host that names no session gets one per day, so that repeats of a day are known.
        payload.session = format!("{}-{}", dialect.as_str(), oldhand_text::time::format_day(now));
    }
    line.about(&payload);
    let desk = desk_in(env.named_project(payload.cwd.as_deref()), dialect, env, now);
    // Known before anything can fail: settings that can't be read are in the log as well.
    let here = store_here(&desk);
    line.sessions = desk.file_sessions(here.as_ref().and_then(|(_, folder)| folder.clone()));
    let denied = tool::guarded(&payload, &desk, here.as_ref().map(|(layout, _)| layout));
    // A bug behind the guard does not open the store either.
    let call = crash::caught_fail(|| open(desk, payload, here));
    if let Some(reason) = denied
        // Settings that can't be read don't open the store to everybody.
        && !matches!(&call, Ok(Some(call)) if !call.hooks().enabled)
    {
        if let Ok(Some(call)) = &call {
            line.sessions = Some(call.files.clone());
        }
        let note = "a write into the store past oldhand".to_owned();
        return Ok((Reply { answer: Some(Answer::Deny(reason)), note, ..Reply::default() }, None));
    }
    let Some(call) = call? else {
        return Ok((Reply::nothing("there is no store here"), None));
    };
    line.sessions = Some(call.files.clone());
    deadline::log_to(call.files.folder().to_owned(), line.unfinished());
    let hooks = call.hooks();
    if !hooks.enabled {
        return Ok((Reply::nothing("hooks are switched off (`hooks.enabled`)"), None));
    }
    deadline::set(match call.payload.event {
        // Nobody types meanwhile: there is time to build an index, or to read a long transcript.
        Event::SessionStart | Event::Stop | Event::BeforeCompact => {
            hooks.deadline_ms.max(deadline::LONG_MS)
        }
        _ => hooks.deadline_ms,
    });
    let reply = answer(&call)?;
    Ok((reply, Some(call)))
}

fn answer(call: &Call<'_>) -> Result<Reply, Fail> {
    match call.payload.event {
        Event::SessionStart => start::session_start(call),
        Event::Prompt => serve::prompt(call),
        Event::BeforeTool => tool::before_tool(call),
        Event::ToolFailed => tool::tool_failed(call),
        Event::AfterTool => nudge::after_tool(call),
        Event::BeforeCompact => stop::before_compact(call),
        Event::SubagentStart => start::subagent_start(call),
        // What it said to its caller is in the caller's conversation.
        Event::SubagentStop => {
            Ok(Reply::nothing("what a subagent says is captured from its caller"))
        }
        Event::Stop => stop::stop(call),
        Event::SessionEnd => stop::session_end(call),
    }
}

fn desk_in<'a>(
    directory: Option<PathBuf>,
    dialect: Dialect,
    env: &'a Env<'a>,
    now: Timestamp,
) -> Desk<'a> {
    let flags = GlobalFlags { directory, ..GlobalFlags::default() };
    Desk { env, flags, now, host: Some(dialect.as_str().to_owned()), lasting: None, ground: &Files }
}

/// A store, and this machine's folder for its sessions.
type StoreHere = (Layout, Option<PathBuf>);

/// The project's store, looked up once: it takes a dozen reads of the disk.
fn store_here(desk: &Desk<'_>) -> Option<StoreHere> {
    let layout = desk.layout().ok()?;
    let folder = desk.state_folder(&layout);
    Some((layout, folder))
}

/// `None` where there is neither a project's store nor one of the user.
fn open<'a>(
    mut desk: Desk<'a>,
    payload: Payload,
    here: Option<StoreHere>,
) -> Result<Option<Call<'a>>, Fail> {
    let is_own = here.is_none();
    let (layout, folder) = match here {
        Some(here) => here,
        None => {
            let own = desk.user_layout()?;
            if desk.env.disk.stat(&own.root)?.is_none() {
                return Ok(None);
            }
            desk.flags.global = true;
            let folder = desk.state_folder(&own);
            (own, folder)
        }
    };
    let resolved = desk.resolve(Some(&layout))?;
    let Some(files) = desk.file_sessions(folder) else {
        let message = "there is no folder for this machine's own notes";
        return Err(Fail::usage(message, "set `HOME`"));
    };
    let agent = payload.agent.clone().unwrap_or_default();
    let store: SharedSessions<'a> = Arc::new(files.clone());
    let session = Session { agent, ..Session::named(&store, &payload.session) };
    Ok(Some(Call { payload, session, files, desk, layout, resolved, is_own }))
}
