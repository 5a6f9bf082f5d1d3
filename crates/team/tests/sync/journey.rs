//! A team's day with a server of its own: a repository is pushed and asked, what the organisation rules binds in another
//! one, and what a person decides on the server comes back on a branch (R431 R433 R434).

use oldhand_team::visitor::Role;
use oldhand_testkit::postgres::{Durability, Programs};
use serde_json::{Value, json};

use crate::Test;
use crate::client::{Answer, ask};
use crate::process::Process;
use crate::world::{READER, WRITER, World};

pub(crate) const TESTS: &[Test] = &[
    ("journey::a_team_works_with_a_real_server", day),
    ("journey::an_address_of_a_database_is_not_shown", not_shown),
];

/// It may hold a password, whole or in parts.
fn not_shown(_: &Programs) {
    for database in ["host=db password=pa55 w0rd", "postgres://ada:pa55w0rd@db:port/x"] {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_oldhand-team"));
        command.env_clear().args(["serve", "--database", database, "--key-file", "none"]);
        let output = command.output().expect("the program starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains("`--database`"), "{said}");
        assert!(!said.contains("pa55") && !said.contains("w0rd"), "{said}");
    }
}

struct Asking<'w> {
    server: &'w Process,
    token: &'w str,
}

impl Asking<'_> {
    fn send(
        &self,
        method: &str,
        path: &str,
        more: &[(&str, &str)],
        body: Option<&Value>,
    ) -> Answer {
        let bearer = format!("Bearer {}", self.token);
        let headers = [&[("authorization", bearer.as_str())], more].concat();
        ask(method, &format!("{}{path}", self.server.address), &headers, body)
    }

    #[track_caller]
    fn post(&self, path: &str, body: &Value) -> Value {
        self.send("POST", path, &[], Some(body)).must_be(200).json()
    }

    /// One tool over MCP, in a session of its own.
    fn tool(&self, path: &str, tool: &str, arguments: &Value) -> Value {
        let accept = ("accept", "application/json, text/event-stream");
        let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": { "name": "probe", "version": "1" } } });
        let greeted = self.send("POST", path, &[accept], Some(&hello)).must_be(200);
        let session = greeted.header("mcp-session-id");
        let headers = [accept, ("mcp-session-id", session), ("mcp-protocol-version", "2025-06-18")];
        let params = json!({ "name": tool, "arguments": arguments });
        let call = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params });
        let answer = self.send("POST", path, &headers, Some(&call)).must_be(200).body;
        // As one event of a stream, or as it is.
        let text = answer.lines().find_map(|it| it.strip_prefix("data: ")).unwrap_or(&answer);
        let answer: Value = serde_json::from_str(text).expect("JSON");
        answer["result"].clone()
    }
}

fn day(programs: &Programs) {
    let mut world = World::with(programs, Durability::Full);
    let ines = world.person("person", "ines", Role::Maintainer);
    world.people.push(ines);
    let (store, _) =
        (world.store("pay", "repository", "git"), world.store("rules", "org", "server"));
    let shop_store = world.store("shop", "repository", "git");
    let server = Process::start(&world);
    world.address = server.address.clone();
    let pay = world.repository("pay");
    pay.reference("Staging host", "The staging host of payments is db-2");
    pay.commit("one");
    pay.connect("pay");
    pay.is_mirrored(store);
    // What was pushed is asked for.
    let reader = Asking { server: &server, token: world.token(READER) };
    let question = json!({ "task": "which staging host do payments use?" });
    let found = reader.post("/v1/recall?store=pay", &question);
    assert_eq!(found["memories"][0]["id"], "staging-host", "{found}");
    let question = json!({ "query": "which staging host do payments use?" });
    let found = reader.tool("/mcp/token/pay", "recall", &question);
    assert_eq!(found["structuredContent"]["memories"][0]["id"], "staging-host", "{found}");
    // A person of the organisation rules over REST, and it binds in another repository.
    let person = Asking { server: &server, token: world.token("ines") };
    let rule = json!({ "category": "constraint", "title": "No MySQL",
                       "content": { "rule": "Never use MySQL for orders" } });
    person.post("/v1/memories?store=rules", &rule);
    let shop = world.repository("shop");
    shop.reference("Shop host", "db-3");
    shop.commit("one");
    shop.connect("shop");
    shop.is_mirrored(shop_store);
    assert!(shop.sync(&["mirror"]).contains("org `rules`: 1 memories"));
    let checked = shop.oldhand_says(&["check", "Use MySQL for orders"]);
    assert!(checked.code == 1 && checked.out.contains("no-mysql"), "{checked:?}");
    // What a person decides over REST waits, and comes by pull as a change on a branch.
    let decided = json!({ "id": "staging-host", "decision": "archive", "reason": "it is gone" });
    let bot = Asking { server: &server, token: world.token(WRITER) };
    bot.send("POST", "/v1/review?store=pay", &[], Some(&decided)).must_be(403);
    person.post("/v1/review?store=pay", &decided);
    pay.is_mirrored(store);
    said_to_wait(&reader);
    pay.git(&["switch", "-q", "-c", "from-the-server"]);
    let said = pay.sync(&["pull"]);
    assert_eq!(said.matches("written:").count(), 1, "{said}");
    let shown: Value =
        serde_json::from_str(&pay.oldhand(&["show", "staging-host", "--json"])).expect("JSON");
    assert!(shown.to_string().contains("archived"), "{shown}");
    assert!(pay.git(&["status", "--porcelain"]).contains(".oldhand/"), "as files to commit");
    pay.commit("decided on the server");
    pay.sync(&["push"]);
    pay.is_mirrored(store);
    assert!(pay.sync(&["status"]).contains("0 changes wait"));
    let shown = reader.send("GET", "/v1/memories/staging-host?store=pay", &[], None).must_be(200);
    assert!(shown.json().get("waits_for_repository").is_none(), "{}", shown.body);
}

/// The server shows what git has, and says beside it that a decision waits (R486).
fn said_to_wait(reader: &Asking<'_>) {
    let reviewed = json!(["reviewed"]);
    let get = |path: &str| reader.send("GET", path, &[], None).must_be(200).json();
    let shown = get("/v1/memories/staging-host?store=pay");
    assert_eq!(shown["waits_for_repository"], reviewed, "{shown}");
    let listed = get("/v1/memories?store=pay");
    assert_eq!(listed["memories"][0]["waits_for_repository"], reviewed, "{listed}");
    let question = json!({ "task": "which staging host do payments use?" });
    let found = reader.post("/v1/recall?store=pay", &question);
    assert_eq!(found["memories"][0]["waits_for_repository"], reviewed, "{found}");
    let question = json!({ "query": "which staging host do payments use?" });
    let found = reader.tool("/mcp/token/pay", "recall", &question);
    let memory = &found["structuredContent"]["memories"][0];
    assert_eq!(memory["waits_for_repository"], reviewed, "{found}");
    let text = found["content"][0]["text"].as_str().expect("a text");
    assert!(text.contains("waits for the repository: `staging-host` (reviewed)"), "{text}");
}
