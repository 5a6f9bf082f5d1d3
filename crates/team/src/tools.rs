//! The tools over MCP: those of the program, each with the store that it is about, and `recall` with its reach.

use std::sync::Arc;
use std::time::Instant;

use oldhand::MemoryServer;
use oldhand_core::recall::places::Places;
use oldhand_desk::desk::{Desk, GlobalFlags};
use oldhand_desk::desks::Desks;
use oldhand_mcp::{
    Answer, Call, Caller, Guest, Mistake, Page, Port, PromptSpec, Template, ToolSpec,
};
use oldhand_pg::admin::StoreAccess;
use oldhand_pg::database::Database;
use oldhand_store::memory::MemorySessions;
use serde_json::{Map, Value, json};

use crate::answers::Told;
use crate::asking::{store_of, told};
use crate::desks::PgDesks;
use crate::door::refusal::Refusal;
use crate::door::rights::{Need, may};
use crate::ground::Reach;
use crate::metrics::Metrics;
use crate::visitor::Visitor;
use crate::waiting::mark;

const STORE: &str = "store";
const REACH: &str = "reach";

pub struct TeamPort {
    database: Database,
    metrics: Arc<Metrics>,
    /// What each connection was given.
    served: MemorySessions,
    /// What the tools say about themselves, which is the same in every store.
    spoken: MemoryServer,
}

/// Who asks, and the store of the address.
struct Seat {
    visitor: Arc<Visitor>,
    store: Option<String>,
}

struct NoDesks;

impl Desks for NoDesks {
    fn at(&self, _: GlobalFlags, _: Option<String>, _: &mut dyn FnMut(&Desk<'_>)) {}
}

/// What a tool needs in its store.
pub fn need_of(tool: &str) -> Need {
    match tool {
        "recall" | "check" | "resume" => Need::READ,
        // What only a person decides waits for one: see `request_review`.
        _ => Need::WRITE,
    }
}

impl TeamPort {
    pub fn new(database: Database, metrics: Arc<Metrics>) -> Self {
        let served = MemorySessions::default();
        let spoken = MemoryServer::over(Box::new(NoDesks), served.clone());
        Self { database, metrics, served, spoken }
    }

    pub(crate) fn guest(visitor: Arc<Visitor>, store: Option<String>) -> Guest {
        let owner = format!("{} {}", visitor.tenant, visitor.principal);
        Guest { owner, visitor: Arc::new(Seat { visitor, store }) }
    }

    /// The store that is meant, if the caller may do that there.
    fn asked<'c>(
        &self,
        caller: &'c Caller,
        store: Option<&str>,
        need: Need,
    ) -> Result<(&'c Arc<Visitor>, &'c StoreAccess), Mistake> {
        let seat = caller.guest.as_ref().and_then(|it| it.visitor.downcast_ref::<Seat>());
        let seat = seat.ok_or_else(|| mistake(&told(&Refusal::NotThere)))?;
        let visitor = &seat.visitor;
        let here: &StoreAccess =
            store_of(visitor, store.or(seat.store.as_deref())).map_err(|told| mistake(&told))?;
        may(visitor, Some(&here.name), need).map_err(|refusal| mistake(&told(&refusal)))?;
        Ok((visitor, here))
    }

    fn server(
        &self,
        caller: &Caller,
        store: Option<&str>,
        (need, reach): (Need, Reach),
    ) -> Result<MemoryServer, Mistake> {
        let (visitor, here) = self.asked(caller, store, need)?;
        let desks = PgDesks { reach, ..PgDesks::new(&self.database, visitor, here) };
        Ok(MemoryServer::over(Box::new(desks), self.served.clone()))
    }

    fn reader(&self, caller: &Caller) -> Result<MemoryServer, Mistake> {
        self.server(caller, None, (Need::READ, Reach::Here))
    }
}

fn mistake(told: &Told) -> Mistake {
    let structured: Value = serde_json::from_str(&told.json).unwrap_or_default();
    let word = |key: &str| structured[key].as_str().unwrap_or_default().to_owned();
    let text = format!("error[{}]: {}\nhint: {}\n", word("code"), word("message"), word("hint"));
    Answer { text, structured }
}

/// An argument of ours, which the tools don't know.
fn taken(arguments: &mut Map<String, Value>, name: &str) -> Result<Option<String>, Mistake> {
    match arguments.remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => {
            let message = format!("`{name}`: expected a text, found `{other}`");
            Err(mistake(&wrong(&message)))
        }
    }
}

fn wrong(message: &str) -> Told {
    let hint = "call again with values as expected; nothing was written";
    Told::error(http::StatusCode::BAD_REQUEST, "USAGE_ERROR", message, hint)
}

impl Port for TeamPort {
    fn name(&self) -> &str {
        self.spoken.name()
    }

    fn version(&self) -> &str {
        self.spoken.version()
    }

    fn instructions(&self) -> &str {
        self.spoken.instructions()
    }

    fn wants_roots(&self) -> bool {
        false
    }

    fn connection(&self) -> String {
        self.spoken.connection()
    }

    fn tools(&self) -> Vec<ToolSpec> {
        let mut tools = self.spoken.tools();
        for tool in &mut tools {
            let Some(fields) = tool.input.get_mut("properties").and_then(Value::as_object_mut)
            else {
                continue;
            };
            let what = "name of the store; only if there is more than one";
            fields.insert(STORE.to_owned(), json!({ "type": "string", "description": what }));
            if tool.name == "recall" {
                let what = "elsewhere: also cautions from other repositories";
                let words = ["here", "elsewhere"];
                let field = json!({ "type": "string", "enum": words, "description": what });
                fields.insert(REACH.to_owned(), field);
            }
        }
        tools
    }

    fn call(&self, call: &Call<'_>) -> Result<Answer, Mistake> {
        let mut arguments = call.arguments.clone();
        let store = taken(&mut arguments, STORE)?;
        let reach = match call.tool {
            "recall" => taken(&mut arguments, REACH)?,
            _ => None,
        };
        if let Some(other) = reach.as_deref().filter(|it| !["here", "elsewhere"].contains(it)) {
            let message = format!("`reach`: expected `here` or `elsewhere`, found `{other}`");
            return Err(mistake(&wrong(&message)));
        }
        let need = need_of(call.tool);
        let server = |reach| self.server(call.caller, store.as_deref(), (need, reach));
        let arguments = &arguments;
        let ask = |reach, places| {
            // What a connection was given of one store says nothing about another.
            let store = store.as_deref().unwrap_or_default();
            let of = |name: &String| format!("{name} {reach:?} {store}");
            let connection = call.caller.connection.as_ref().map(of);
            let caller = &Caller { connection, ..call.caller.clone() };
            let call = Call { arguments: arguments.clone(), caller, ..*call };
            server(reach)?.with_places(places).call(&call)
        };
        let asks_words = ["query", "paths"].iter().any(|name| arguments.contains_key(*name));
        let elsewhere = match reach.as_deref() {
            Some("elsewhere") if asks_words => Some(ask(Reach::Elsewhere, Places::Elsewhere)?),
            _ => None,
        };
        let found = elsewhere.as_ref().and_then(|it| it.structured["memories"].as_array());
        let found = found.map_or(0, Vec::len);
        let began = Instant::now();
        let mut here = ask(Reach::Here, Places::Beside(found))?;
        if call.tool == "recall" {
            self.metrics.recalled(&here.structured, began.elapsed());
        }
        let (visitor, store) = self.asked(call.caller, store.as_deref(), need)?;
        let waiting = mark(&mut here.structured, (&self.database, visitor, store));
        here.text.extend(waiting);
        Ok(match elsewhere {
            Some(elsewhere) if found > 0 => beside(here, elsewhere),
            _ => here,
        })
    }

    /// The worker embeds.
    fn rest(&self, _: &Caller, _: bool) {}

    fn resources(&self, caller: &Caller, cursor: Option<&str>) -> Result<Page, Mistake> {
        self.reader(caller)?.resources(caller, cursor)
    }

    fn templates(&self) -> &'static [Template] {
        self.spoken.templates()
    }

    fn read(&self, caller: &Caller, uri: &str) -> Result<Option<String>, Mistake> {
        self.reader(caller)?.read(caller, uri)
    }

    fn prompts(&self) -> &'static [PromptSpec] {
        self.spoken.prompts()
    }

    fn prompt(
        &self,
        caller: &Caller,
        name: &str,
        arguments: &Map<String, Value>,
    ) -> Result<Option<String>, Mistake> {
        self.reader(caller)?.prompt(caller, name, arguments)
    }

    fn complete(&self, caller: &Caller, argument: &str, typed: &str) -> Vec<String> {
        self.reader(caller).map(|it| it.complete(caller, argument, typed)).unwrap_or_default()
    }
}

/// What other repositories remember stands below, apart.
fn beside(here: Answer, elsewhere: Answer) -> Answer {
    let found = elsewhere.structured["memories"].clone();
    let head = "\nFrom other repositories, as `store` says: weigh it, it binds nobody here.\n";
    let (text, mut structured) = (here.text + head + &elsewhere.text, here.structured);
    structured["elsewhere"] = found;
    Answer { text, structured }
}
