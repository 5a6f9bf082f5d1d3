//! The MCP server: what agents ask for, answered from the same store by the same rules as commands.

mod args;
mod judge;
mod pages;
mod prelude;
mod prompts;
mod recall;
mod remember;
mod resources;
mod resume;
mod review;
mod table;
mod token;

use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, TryLockError};
use std::time::Duration;

use jiff::Timestamp;
use oldhand_core::recall::places::Places;
use oldhand_mcp::{
    Answer, Call, Caller, HttpOptions, Mistake, Page, Port, PromptSpec, Template, ToolSpec,
};
use oldhand_store::memory::MemorySessions;
use oldhand_store::ulid::{Entropy, SystemEntropy, ulid};
use oldhand_text::agent_text::{AgentData, AgentText};
use oldhand_text::hint::NextStep;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::cli::McpArgs;
use oldhand_desk::crash;
use oldhand_desk::desk::{AGENT_VARIABLES, Desk, GlobalFlags};
use oldhand_desk::desks::{Desks, FileDesks};
use oldhand_desk::failure::{DONE, Fail, Outcome};
use oldhand_desk::printer::Io;
use oldhand_desk::session::SESSION_VARIABLES;

/// After this long without a call, the server is idle.
const QUIET: Duration = Duration::from_millis(60);
const UNNAMED: &str = "unnamed";

/// The hint of a refusal that has none.
const RETRY_HINT: &str = "call again with values as expected; nothing was written";
const NO_STORE: &str = "This folder has no memory yet. Tell me that `oldhand init` makes one.";

/// Each call is answered at a desk of its own, so it sees what others have written.
pub struct MemoryServer {
    desks: Box<dyn Desks>,
    flags: GlobalFlags,
    agent: Option<String>,
    /// What a search may give of an answer that others share.
    places: Places,
    /// What each connection was given. It gets that again only by id.
    served: MemorySessions,
    /// Only one `rest` at a time.
    resting: Mutex<()>,
    is_warm: AtomicBool,
    /// The number of calls so far.
    calls: AtomicU64,
}

pub(crate) fn run(args: &McpArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let mut desks = FileDesks::of(desk.env);
    let mut flags = GlobalFlags { json: false, ..desk.flags.clone() };
    if flags.directory.is_none() && desk.layout().is_err() {
        flags.directory = desk.env.named_project(None);
    }
    let agent = args.agent.clone().or_else(|| desk.env.var("OLDHAND_AGENT").map(str::to_owned));
    if let Some(agent) = &agent {
        // What is for agents of another type is not for this one.
        desks.vars.insert("OLDHAND_AGENT".to_owned(), agent.clone());
    }
    let server = |desks| {
        let server = MemoryServer::over(Box::new(desks), MemorySessions::default());
        Arc::new(MemoryServer { flags, agent, ..server })
    };
    let Some(address) = &args.http else {
        oldhand_mcp::serve_stdio(server(desks))?;
        return Ok(DONE);
    };
    // A server for many clients belongs to no session, even if it was started in an agent's shell.
    for name in SESSION_VARIABLES.iter().chain(AGENT_VARIABLES.iter().map(|(name, _)| name)) {
        desks.vars.remove(*name);
    }
    let path = match &args.token_file {
        Some(path) => desk.env.current_dir.join(path),
        None => desk.state_home()?.join("oldhand/mcp-token"),
    };
    let options = HttpOptions {
        address: listening(address, args.allow_remote)?,
        token: token::read(desk, &path)?,
        hosts: args.allow_host.clone(),
        origins: args.allow_origin.clone(),
    };
    // One server serves one project, whatever folders its clients are in.
    let store = desk.layout().map(|layout| layout.root.display().to_string());
    let store = store.unwrap_or_else(|_| "none here yet".to_owned());
    let served = oldhand_mcp::serve_http(server(desks), options, |address| {
        io.note("serving", &format!("http://{address}/mcp"));
        if address.ip().is_unspecified() {
            io.note("note", "clients use a name of this machine that `--allow-host` allows");
        }
        io.note("store", &store);
        io.note("token", &format!("in {}", path.display()));
    });
    match served {
        Ok(()) => Ok(DONE),
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
            Err(Fail::usage(error.to_string(), "see `oldhand mcp --help`"))
        }
        Err(error) => Err(error.into()),
    }
}

/// Refuses an address that other machines can reach, unless that is allowed.
fn listening(text: &str, allow_remote: bool) -> Result<SocketAddr, Fail> {
    let text = text.replace("localhost", "127.0.0.1");
    let address: SocketAddr = text.parse().map_err(|_| {
        let message = format!("`--http`: expected an address and a port, found `{text}`");
        Fail::usage(message, "for example `--http 127.0.0.1:8631`")
    })?;
    if !address.ip().is_loopback() && !allow_remote {
        let message = format!("`{address}` can be reached by other machines");
        let hint = "listen on 127.0.0.1, or say `--allow-remote` if that is meant";
        return Err(Fail::usage(message, hint));
    }
    Ok(address)
}

impl MemoryServer {
    /// `served` may be shared with other servers of the same connections.
    pub fn over(desks: Box<dyn Desks>, served: MemorySessions) -> Self {
        Self {
            desks,
            flags: GlobalFlags::default(),
            agent: None,
            places: Places::All,
            served,
            resting: Mutex::default(),
            is_warm: AtomicBool::default(),
            calls: AtomicU64::default(),
        }
    }

    #[must_use]
    pub fn with_places(self, places: Places) -> Self {
        Self { places, ..self }
    }

    /// One call: the settings, the store and the time as they are now.
    fn at_desk<T>(
        &self,
        caller: &Caller,
        job: impl FnOnce(&Desk<'_>) -> Result<T, Fail>,
    ) -> Result<T, Mistake> {
        let mut flags = self.flags.clone();
        if let Some(folder) = caller.roots.iter().find_map(|root| self.desks.folder_of(root)) {
            flags.directory = Some(folder);
        }
        let (mut job, mut done) = (Some(job), None);
        self.desks.at(flags, Some(self.actor(caller)), &mut |desk| {
            let (mut flags, host) = (desk.flags.clone(), desk.host.clone());
            // Without a project's store, the user's own store answers.
            let is_named = flags.directory.is_some() || desk.env.var("OLDHAND_ROOT").is_some();
            if !is_named && !flags.global && desk.layout().is_err() {
                flags.global = desk.made_user_layout().is_some();
            }
            let desk = Desk { flags, host, ..*desk };
            let Some(job) = job.take() else { return };
            done = Some(crash::caught(|| job(&desk)).unwrap_or_else(|why| {
                // The server logs to standard error; the client only learns that the call failed.
                Io::real().note("error[INTERNAL_ERROR]", &Fail::Bug(why.clone()).message());
                std::panic::resume_unwind(Box::new(why))
            }));
        });
        done.expect("a desk calls its job before it returns").map_err(mistake)
    }

    /// Waits until no call came in for a while.
    fn wait_for_quiet(&self) {
        loop {
            let seen = self.calls.load(Ordering::Relaxed);
            std::thread::sleep(QUIET);
            if self.calls.load(Ordering::Relaxed) == seen {
                return;
            }
        }
    }

    /// The name in the log, which is never that of a person.
    fn actor(&self, caller: &Caller) -> String {
        let client = if caller.client.trim().is_empty() { UNNAMED } else { caller.client.trim() };
        match self.agent_of(caller) {
            Some(agent) => format!("mcp:{client}:{agent}"),
            None => format!("mcp:{client}"),
        }
    }

    fn agent_of<'a>(&'a self, caller: &'a Caller) -> Option<&'a str> {
        caller.agent.as_deref().or(self.agent.as_deref())
    }
}

fn has_no_store(desk: &Desk<'_>) -> bool {
    !desk.flags.global && desk.layout().is_err()
}

/// What a tool says. Some hosts show their model the text, others the data, so both are rendered.
struct ToolAnswer {
    text: AgentText,
    data: AgentData,
}

impl ToolAnswer {
    /// Fields without a value are left out: models pay for them.
    fn of(text: AgentText, answer: &impl Serialize) -> Self {
        let mut data = serde_json::to_value(answer).unwrap_or_default();
        drop_nulls(&mut data);
        Self { text, data: AgentData::of(data) }
    }
}

fn drop_nulls(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|_, value| !value.is_null());
            fields.values_mut().for_each(drop_nulls);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_nulls),
        _ => {}
    }
}

/// Notes about the pages that were updated after a write.
fn notes_text(notes: &[String]) -> AgentText {
    notes.iter().map(|note| AgentText::of("note: {}\n", &[AgentText::line(note)])).collect()
}

/// A step as a call of a tool, where there is one: not every agent has a shell.
fn as_call(step: &NextStep) -> String {
    match step {
        NextStep::List => "`recall` without arguments".to_owned(),
        NextStep::Show(id) => format!("`recall` with ids [\"{id}\"]"),
        NextStep::Update(id) => format!("`remember` with id \"{id}\""),
        NextStep::RequestReview(id) => format!("`review` with id \"{id}\" and a reason"),
        NextStep::Pending => "`review`".to_owned(),
        NextStep::StandBeside(ids) => format!("`beside` {ids:?} and `because`"),
        NextStep::Refine(id) => format!("`refines` [\"{id}\"] and `because`"),
        NextStep::Apply => "`feedback`".to_owned(),
        other => other.command(),
    }
}

/// A failure for an agent, as text and as data.
fn mistake(fail: Fail) -> Mistake {
    let is_refusal = matches!(fail, Fail::Refused(_) | Fail::Usage { .. });
    let (text, json) = fail.tell(|hint| match hint.is_empty() && is_refusal {
        true => RETRY_HINT.to_owned(),
        false => hint.worded(as_call),
    });
    let structured = AgentData::of(json).into_value();
    Mistake { text: AgentText::lines(&text).into_string(), structured }
}

impl Port for MemoryServer {
    fn name(&self) -> &str {
        "oldhand"
    }

    fn version(&self) -> &str {
        env!("CARGO_PKG_VERSION")
    }

    fn instructions(&self) -> &str {
        table::INSTRUCTIONS
    }

    fn wants_roots(&self) -> bool {
        self.desks.wants_folders(&self.flags)
    }

    fn connection(&self) -> String {
        let random = SystemEntropy.next();
        format!("mcp-{}", ulid(Timestamp::now(), random).to_lowercase())
    }

    fn tools(&self) -> Vec<ToolSpec> {
        table::tools()
    }

    fn call(&self, call: &Call<'_>) -> Result<Answer, Mistake> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        let told = self.at_desk(call.caller, |desk| match call.tool {
            "recall" => self.recall(call, desk),
            "remember" => self.remember(call, desk),
            "check" => self.check(call, desk),
            "feedback" => self.feedback(call, desk),
            "resume" => self.resume(call, desk),
            "review" => self.review(call, desk),
            other => Err(Fail::usage(format!("there is no tool `{other}`"), "see tools/list")),
        });
        told.map(|ToolAnswer { text, data }| Answer {
            text: text.into_string(),
            structured: data.into_value(),
        })
    }

    /// Embeds what was just written, so that the next question doesn't have to; and loads the index
    /// into memory after the first question.
    fn rest(&self, caller: &Caller, may_have_written: bool) {
        if !may_have_written && self.is_warm.swap(true, Ordering::Relaxed) {
            return;
        }
        let _alone = match self.resting.try_lock() {
            Ok(alone) => alone,
            Err(TryLockError::Poisoned(alone)) => alone.into_inner(),
            Err(TryLockError::WouldBlock) => return,
        };
        if may_have_written {
            self.wait_for_quiet();
        }
        // Best effort: the next recall does what is missing.
        let _ = self.at_desk(caller, |desk| {
            desk.read(|reading| {
                let filled = reading.index.fill_all(true, &mut |_, _| false);
                reading.index.warm_up();
                Ok(filled?)
            })
        });
    }

    fn resources(&self, caller: &Caller, cursor: Option<&str>) -> Result<Page, Mistake> {
        self.at_desk(caller, |desk| {
            if has_no_store(desk) {
                // Hosts ask this in every folder, right after connecting.
                return Ok(Page::default());
            }
            resources::list(desk, cursor)
        })
    }

    fn templates(&self) -> &'static [Template] {
        table::TEMPLATES
    }

    fn read(&self, caller: &Caller, uri: &str) -> Result<Option<String>, Mistake> {
        let text = self.at_desk(caller, |desk| resources::read(desk, uri))?;
        Ok(text.map(AgentText::into_string))
    }

    fn prompts(&self) -> &'static [PromptSpec] {
        table::PROMPTS
    }

    fn prompt(
        &self,
        caller: &Caller,
        name: &str,
        arguments: &Map<String, Value>,
    ) -> Result<Option<String>, Mistake> {
        let text = self.at_desk(caller, |desk| {
            if has_no_store(desk) && table::PROMPTS.iter().any(|spec| spec.name == name) {
                return Ok(Some(AgentText::ours(NO_STORE)));
            }
            self.prompt_text(name, arguments, desk)
        })?;
        Ok(text.map(AgentText::into_string))
    }

    fn complete(&self, caller: &Caller, argument: &str, typed: &str) -> Vec<String> {
        if argument != "id" {
            return Vec::new();
        }
        // An error would only interrupt whoever is typing.
        self.at_desk(caller, |desk| resources::complete(desk, typed)).unwrap_or_default()
    }
}
