//! `oldhand hook`: what hosts call at their events. It answers in the host's own words, in
//! milliseconds, and never gets in the way: whatever breaks, the exit code is 0, standard output
//! holds the protocol alone, and the reason goes to the log.

mod compact;
pub(crate) mod deadline;
mod frame;
pub(crate) mod log;
mod payload;
mod serve;
mod settle;
mod start;
pub(crate) mod state;
mod stop;
mod tool;
mod transcript;

use std::path::{Path, PathBuf};
use std::time::Instant;

use jiff::Timestamp;
use oldhand_core::policy::InjectMode;
use oldhand_hosts::answer::{Answer, takes_context};
use oldhand_hosts::dialect::Dialect;
use oldhand_hosts::payload::{Event, Payload};
use oldhand_store::failure::Failure;
use oldhand_store::layout::Layout;

use crate::Env;
use crate::cli::GlobalFlags;
use crate::config::Resolved;
use crate::crash;
use crate::desk::Desk;
use crate::failure::Fail;
use crate::printer::Io;
use crate::reading::{Pace, Place, Reading};
use state::SessionState;

/// What is typed after `oldhand hook`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct HookArgs {
    pub host: String,
    /// The event, where the host's payload does not name it.
    pub event: Option<String>,
}

/// What a hook came to, for its host and for the log.
#[derive(Debug, Default)]
pub(crate) struct Told {
    pub answer: Option<Answer>,
    /// Ids that were put into the conversation.
    pub served: Vec<String>,
    /// Ids of what was captured, or what became of it.
    pub captured: Vec<String>,
    pub tokens: usize,
    /// Why nothing was said, or what was done.
    pub note: String,
}

impl Told {
    fn nothing(note: impl Into<String>) -> Self {
        Self { note: note.into(), ..Self::default() }
    }

    /// What the next step came to; the same note twice is said once.
    fn add(&mut self, next: Self) {
        self.answer = self.answer.take().or(next.answer);
        self.served.extend(next.served);
        self.captured.extend(next.captured);
        self.tokens += next.tokens;
        if self.note.is_empty() {
            self.note = next.note;
        } else if !next.note.is_empty() && !self.note.contains(&next.note) {
            self.note = format!("{}; {}", self.note, next.note);
        }
    }
}

/// One call of a hook, with everything that it needs to look at memory.
pub(crate) struct Call<'a> {
    pub desk: Desk<'a>,
    pub payload: Payload,
    pub layout: Layout,
    pub resolved: Resolved,
    /// Receipts, session states, staging and the log; without a home there is none.
    pub folder: Option<PathBuf>,
    /// There is no store in this repository: your own one answers, and nothing is captured.
    pub is_own_store: bool,
}

/// Always 0: a hook that fails must not stop anybody's work.
pub(crate) fn run(args: &HookArgs, env: &Env<'_>, now: Timestamp, io: &mut Io<'_>) -> u8 {
    let begun = Instant::now();
    let dialect = match Dialect::parse(&args.host) {
        Ok(dialect) => dialect,
        Err(problem) => {
            io.note("oldhand hook", &problem.to_string());
            return 0;
        }
    };
    let mut line = log::Line::new(dialect, now);
    let said = crash::caught(|| told(args, dialect, env, now, (io, &mut line)));
    let (told, call) = match said.unwrap_or_else(|why| Err(Fail::Bug(why))) {
        Ok(told) => told,
        Err(fail) => {
            line.is_trouble = true;
            // It may have broken before it was known where to write that down.
            let folder =
                || crash::caught(|| Found::at(&plain_desk(dialect, None, env, now)).folder);
            line.folder = line.folder.take().or_else(|| folder().ok().flatten());
            (Told::nothing(fail.message()), None)
        }
    };
    let answer = told.answer.clone().unwrap_or(Answer::Silence);
    let answer = match line.event {
        Some(event) => answer.as_taken(dialect, event),
        None => Answer::Silence,
    };
    // One write, and nobody to tell when the host has gone.
    let text = answer.render(dialect, &line.event_name);
    let _ = io.text(&text).and_then(|()| io.flush());
    deadline::answered();
    line.finish(&told, begun.elapsed());
    let chores = call.map(|call| crash::caught(|| call.chores()));
    match chores.map(|done| done.unwrap_or_else(|why| Err(Fail::Bug(why)))) {
        Some(Err(fail)) => {
            line.is_trouble = true;
            line.finish(&Told::nothing(fail.message()), begun.elapsed());
        }
        Some(Ok(refused)) if !refused.is_empty() => {
            let note = format!("not written: {}", refused.join("; "));
            line.finish(&Told::nothing(note), begun.elapsed());
        }
        _ => {}
    }
    0
}

fn told<'a>(
    args: &HookArgs,
    dialect: Dialect,
    env: &'a Env<'a>,
    now: Timestamp,
    (io, line): (&mut Io<'_>, &mut log::Line),
) -> Result<(Told, Option<Call<'a>>), Fail> {
    let payload = payload::read(dialect, args.event.as_deref(), &mut io.stdin);
    let mut payload = payload.map_err(|why| Fail::usage(why, ""))?;
    if payload.session.is_empty() {
        // A host that names no session: one a day, so that a day's repeats are known.
        payload.session = format!("{}-{}", dialect.as_str(), oldhand_text::time::format_day(now));
    }
    line.about(&payload);
    let desk = desk_of(&payload, env, now);
    // Known before anything can break: settings that can't be read are told in the log as well.
    let found = Found::at(&desk);
    line.folder.clone_from(&found.folder);
    let denied = tool::guarded(&payload, &desk, found.layout.as_ref());
    // A bug behind the guard does not open the store either.
    let call = crash::caught(|| call(desk, payload, found));
    let call = call.unwrap_or_else(|why| Err(Fail::Bug(why)));
    if let Some(reason) = denied
        // Settings that can't be read don't open the store to everybody.
        && !matches!(&call, Ok(Some(call)) if !call.resolved.settings.hooks.enabled)
    {
        if let Ok(Some(call)) = &call {
            line.folder.clone_from(&call.folder);
        }
        let note = "a write into the store past oldhand".to_owned();
        let told = Told { answer: Some(Answer::Deny(reason)), note, ..Told::default() };
        return Ok((told, None));
    }
    let Some(call) = call? else {
        return Ok((Told::nothing("there is no store here"), None));
    };
    line.folder.clone_from(&call.folder);
    if let Some(folder) = &call.folder {
        deadline::log_to(log::path(folder), line.unfinished());
    }
    let hooks = &call.resolved.settings.hooks;
    if !hooks.enabled {
        return Ok((Told::nothing("hooks are switched off (`hooks.enabled`)"), None));
    }
    deadline::set(match call.payload.event {
        // Nobody types meanwhile: time enough to make an index, or to read a long transcript.
        Event::SessionStart | Event::Stop | Event::BeforeCompact => {
            hooks.deadline_ms.max(deadline::LONG_MS)
        }
        _ => hooks.deadline_ms,
    });
    let told = call.answer()?;
    Ok((told, Some(call)))
}

/// The folder of the session, or the project that the host names, or where we were started.
fn desk_of<'a>(payload: &Payload, env: &'a Env<'a>, now: Timestamp) -> Desk<'a> {
    let named = payload.cwd.iter().map(String::as_str);
    let variables = ["CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CURSOR_PROJECT_DIR"];
    let directory = named
        .chain(variables.iter().filter_map(|name| env.var(name)))
        .map(PathBuf::from)
        .find(|folder| folder.is_absolute() && folder.is_dir())
        // A store that is named outright is meant, wherever the session is.
        .filter(|_| env.var("OLDHAND_ROOT").is_none());
    plain_desk(payload.dialect, directory, env, now)
}

fn plain_desk<'a>(
    dialect: Dialect,
    directory: Option<PathBuf>,
    env: &'a Env<'a>,
    now: Timestamp,
) -> Desk<'a> {
    let (json, global, by, overrides) = (false, false, None, Vec::new());
    let flags = GlobalFlags { directory, json, global, by, overrides };
    Desk { env, flags, now, host: Some(dialect.as_str().to_owned()), lasting: None }
}

/// The project's store and what this machine knows of it: looked for once, which takes a dozen looks
/// at the disk.
struct Found {
    layout: Option<Layout>,
    folder: Option<PathBuf>,
}

impl Found {
    fn at(desk: &Desk<'_>) -> Self {
        let layout = desk.layout().ok();
        let folder = layout.as_ref().and_then(|layout| desk.state_folder(layout));
        Self { layout, folder }
    }
}

/// `None` where there is nothing to remember with.
fn call<'a>(mut desk: Desk<'a>, payload: Payload, found: Found) -> Result<Option<Call<'a>>, Fail> {
    let is_own_store = found.layout.is_none();
    let (layout, folder) = match found.layout {
        Some(layout) => (layout, found.folder),
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
    Ok(Some(Call { desk, payload, layout, resolved, folder, is_own_store }))
}

impl Call<'_> {
    fn answer(&self) -> Result<Told, Fail> {
        match self.payload.event {
            Event::SessionStart => self.session_start(),
            Event::Prompt => self.prompt(),
            Event::BeforeTool => self.before_tool(),
            Event::ToolFailed => self.tool_failed(),
            Event::AfterTool => Ok(Told::nothing("the tool did what it should")),
            Event::BeforeCompact => self.before_compact(),
            Event::SubagentStart => self.subagent_start(),
            Event::SubagentStop => Ok(self.subagent_stop()),
            Event::Stop => self.stop(),
            Event::SessionEnd => self.session_end(),
        }
    }

    /// Whether hooks may add anything by themselves (R45).
    fn may_inject(&self) -> Result<(), &'static str> {
        let hooks = &self.resolved.settings.hooks;
        if hooks.mode == InjectMode::Explicit {
            return Err("memory is loaded only when asked for (`recall.mode` is explicit)");
        }
        if hooks.inject_max == 0 {
            return Err("nothing is added to prompts (`recall.max_inject` is 0)");
        }
        // What can't be told must not count as told.
        if !takes_context(self.payload.dialect, self.payload.event) {
            return Err("this host takes no context here");
        }
        Ok(())
    }

    /// An id is all that is told (R45).
    fn is_pointing(&self) -> bool {
        self.resolved.settings.hooks.mode == InjectMode::Pointers
    }

    /// Opens the store, your own beside it, and their index.
    fn read<T>(&self, job: impl FnOnce(&Reading<'_>) -> Result<T, Fail>) -> Result<T, Fail> {
        let desk = &self.desk;
        let beside = desk.own_beside(&self.layout);
        let meaning = crate::meaning::open(self.resolved.model());
        let place = Place {
            layout: self.layout.clone(),
            beside,
            cache: desk.cache_folder(&self.layout),
            resolved: &self.resolved,
            pace: Pace::Quick,
        };
        desk.read_at(place, meaning.as_ref().map(|it| it as _), job)
    }

    /// A path as memories name it: below the repository.
    fn relative(&self, path: &str) -> Option<String> {
        let root = &self.layout.repository;
        let path = Path::new(path);
        let whole =
            if path.is_absolute() { path.to_owned() } else { self.desk.current_dir().join(path) };
        let below = whole.strip_prefix(root).ok().map(Path::to_owned).or_else(|| {
            // The host may name the folder through a link.
            let real = std::fs::canonicalize(root).ok()?;
            let parent = std::fs::canonicalize(whole.parent()?).ok()?;
            Some(parent.join(whole.file_name()?).strip_prefix(real).ok()?.to_owned())
        })?;
        let text = below.to_string_lossy().replace('\\', "/");
        (!text.is_empty() && !text.split('/').any(|part| part == "..")).then_some(text)
    }

    fn own_folder(&self) -> Result<&Path, Fail> {
        self.folder.as_deref().ok_or_else(|| {
            Fail::usage("there is no folder for this machine's own notes", "set `HOME`")
        })
    }

    fn agent(&self) -> &str {
        self.payload.agent.as_deref().unwrap_or_default()
    }

    /// What is known of this session, without a wait.
    fn look(&self) -> Result<SessionState, Fail> {
        let known = state::look(self.own_folder()?, &self.payload.session, self.agent());
        Ok(known.unwrap_or_default())
    }

    /// Changes it, in a moment in which nobody else does.
    fn update<T>(&self, change: impl FnOnce(&mut SessionState) -> T) -> Result<T, Fail> {
        Ok(state::update(self.own_folder()?, &self.payload.session, self.agent(), change)?)
    }

    /// What takes time and must not be done twice; see `state::work`.
    fn work(&self) -> Result<std::fs::File, Fail> {
        Ok(state::work(self.own_folder()?, &self.payload.session, self.agent())?)
    }
}

/// What a write came to, its leftovers done as well: what it did, or why a rule said no. Trouble with
/// the disk or the lock is neither, and ends what was begun: nothing is ticked off.
pub(crate) fn written<T>(
    done: Result<oldhand_app::Done<'_, T>, Failure>,
) -> Result<Result<T, String>, Fail> {
    match done {
        Ok(done) => {
            if let Some(pending) = done.pending {
                pending.settle();
            }
            Ok(Ok(done.answer))
        }
        Err(failure @ Failure::Store(_)) => Err(failure.into()),
        Err(failure) => Ok(Err(why(&failure))),
    }
}

/// A refusal is an answer like any other: it is written down and nobody is bothered.
pub(crate) fn why(failure: &Failure) -> String {
    match failure {
        Failure::Refused(refusal) => refusal.to_string(),
        Failure::Stopped(stop) => {
            let pending = &stop.pending;
            format!("{} (`oldhand pending {}`)", pending.headline(), pending.id)
        }
        Failure::Store(error) => error.to_string(),
    }
}
