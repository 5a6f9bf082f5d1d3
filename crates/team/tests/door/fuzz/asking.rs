//! Random requests: every route and tool, with what the asker has and what it stole from its rival.

use oldhand_team::admin::routes::NEEDS;
use oldhand_team::door::Way;
use oldhand_team::routes::ROUTES;
use serde_json::{Map, Value, json};

use super::side::{STORES, Side};
use crate::client::Answer;

pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// xorshift64*.
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next()).expect("64 bits") % end
    }

    fn one<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.below(of.len())]
    }
}

/// A request, and how its asker shows who it is.
#[derive(Debug)]
pub(crate) enum Wish {
    Rest { method: &'static str, path: String, if_match: Option<String>, body: Value },
    Mcp { method: &'static str, path: String, session: String, body: Value },
    Page { method: &'static str, path: String, form: String },
}

/// What a field of a body may be.
#[derive(Clone, Copy)]
enum Of {
    Id,
    Ids,
    Text,
    Number,
    Flag,
    Stolen,
    Word(&'static [&'static str]),
}

type Fields = &'static [(&'static str, Of)];
const EFFECTS: Of = Of::Word(&["positive", "negative", "neutral"]);
const DECISIONS: Of = Of::Word(&["promote", "keep", "reinstate", "reject", "supersede", "archive"]);
const RESOLUTIONS: Of = Of::Word(&["follow", "supersede", "keep_both"]);
const REACHES: Of = Of::Word(&["here", "elsewhere"]);
const KINDS: Of = Of::Word(&["decision", "reference", "lesson"]);

/// The fields of each body; the first is always there, the second nearly always.
const BODIES: &[(&str, Fields)] = &[
    (
        "/v1/recall",
        &[
            ("task", Of::Text),
            ("reach", REACHES),
            ("for_task", Of::Stolen),
            ("session", Of::Stolen),
            ("limit", Of::Number),
            ("explain", Of::Flag),
            ("related", Of::Flag),
            ("as_of", Of::Stolen),
        ],
    ),
    ("/v1/check", &[("proposal", Of::Text), ("paths", Of::Ids)]),
    ("/v1/why", &[("id", Of::Id), ("question", Of::Text)]),
    ("/v1/memories", &[("text", Of::Text), ("kind", KINDS)]),
    (
        "/v1/review",
        &[("id", Of::Id), ("decision", DECISIONS), ("reason", Of::Text), ("by_memory", Of::Id)],
    ),
    ("/v1/review/request", &[("id", Of::Id), ("reason", Of::Text)]),
    ("/v1/resolve", &[("pending", Of::Stolen), ("resolution", RESOLUTIONS), ("reason", Of::Text)]),
    ("/v1/promote", &[("id", Of::Id), ("to", Of::Word(&["canonical"])), ("reason", Of::Text)]),
    ("/v1/apply", &[("id", Of::Id), ("effect", EFFECTS), ("task", Of::Stolen), ("with", Of::Id)]),
    (
        "/v1/tasks",
        &[
            ("task", Of::Stolen),
            ("objective", Of::Text),
            ("session", Of::Stolen),
            ("outcome", Of::Word(&["success", "failure"])),
            ("used", Of::Ids),
        ],
    ),
    ("/v1/sync/{store}/lacking", &[("hashes", Of::Ids)]),
    ("/v1/sync/{store}/read", &[("hashes", Of::Ids)]),
    ("/v1/sync/{store}/texts", &[("texts", Of::Ids)]),
    ("/v1/access/{store}", &[("principal", Of::Stolen), ("role", Of::Word(&["reader", "writer"]))]),
    ("/v1/tokens", &[("scopes", Of::Ids), ("principal", Of::Stolen)]),
    ("/v1/erase", &[("store", Of::Word(&STORES)), ("memory", Of::Id)]),
];

const TOOLS: &[(&str, Fields)] = &[
    (
        "recall",
        &[("query", Of::Text), ("reach", REACHES), ("ids", Of::Ids), ("session", Of::Stolen)],
    ),
    ("check", &[("proposal", Of::Text)]),
    ("remember", &[("text", Of::Text), ("kind", KINDS), ("id", Of::Id), ("hash", Of::Stolen)]),
    ("feedback", &[("id", Of::Id), ("effect", EFFECTS), ("task", Of::Stolen)]),
    ("review", &[("id", Of::Id), ("reason", Of::Text)]),
    ("resume", &[("session", Of::Stolen), ("cursor", Of::Stolen)]),
];

const PAGES: &[&str] = &[
    "",
    "today.json",
    "memories",
    "memories.json",
    "m/{id}",
    "s/{id}",
    "review",
    "review.json",
    "sessions",
    "sessions.json",
    "learning",
    "learning.json",
    "conflicts",
    "conflicts.json",
    "code",
    "code.json",
    "store",
    "store.json",
    "undo",
    "ask?q=box+number",
    "ask.json?q=box+number",
    "memories?q={id}",
    "{id}",
];
const DEEDS: &[&str] = &[
    "do/review",
    "do/resolve",
    "do/retire",
    "do/undo",
    "do/several",
    "do/promote",
    "do/{id}",
    "ask/question",
    "store/doctor",
    "theme",
    "{id}",
];
/// Those that answer for as long as somebody listens; the session of another is refused before.
fn is_stream(method: &str, path: &str) -> bool {
    method == "GET" && path.starts_with("/mcp")
}

struct Chance<'r> {
    random: &'r mut Random,
    own: &'r Side,
    rival: &'r Side,
}

impl Chance<'_> {
    fn stolen(&mut self) -> String {
        let loot = if self.random.below(5) > 0 { &self.rival.loot } else { &self.own.loot };
        loot[self.random.below(loot.len())].clone()
    }

    fn id(&mut self) -> String {
        let known =
            ["fact-0", "fact-1", "fact-2", "use-postgresql-for-storage", "use-mysql-for-storage"];
        match self.random.below(3) {
            0 => self.stolen(),
            _ => self.random.one(&known).to_owned(),
        }
    }

    fn text(&mut self) -> String {
        let words =
            ["box", "number", "orders", "storage", "PostgreSQL", "keeps", "web", "wants", "MARK"];
        let mut text = self.own.mark.to_owned();
        for _ in 0..2 + self.random.below(6) {
            text.push(' ');
            text.push_str(self.random.one(&words));
        }
        if self.random.below(4) == 0 {
            text.push(' ');
            text.push_str(&self.stolen());
        }
        text
    }

    fn value(&mut self, of: Of) -> Value {
        match of {
            Of::Id => json!(self.id()),
            Of::Ids => json!([self.id(), self.stolen(), self.stolen()]),
            Of::Text => json!(self.text()),
            Of::Number => json!(1 + self.random.below(50)),
            Of::Flag => json!(self.random.below(2) == 0),
            Of::Stolen => json!(self.stolen()),
            Of::Word(words) => json!(self.random.one(words)),
        }
    }

    fn object(&mut self, fields: Fields) -> Map<String, Value> {
        let mut object = Map::new();
        for (place, (name, of)) in fields.iter().enumerate() {
            let is_there = match place {
                0 => true,
                1 => self.random.below(8) > 0,
                _ => self.random.below(3) == 0,
            };
            if is_there {
                object.insert((*name).to_owned(), self.value(*of));
            }
        }
        object
    }

    fn body(&mut self, method: &str, path: &str) -> Value {
        let nothing = method == "GET" || method == "DELETE";
        match path {
            _ if nothing => Value::Null,
            "/v1/memories" if self.random.below(2) == 0 => {
                let title = format!("Fact {}", self.random.below(9));
                json!({ "category": "reference", "title": title, "content": { "text": self.text() },
                        "supersedes": [self.id()] })
            }
            "/v1/memories/{id}" => json!({ "content": { "text": self.text() } }),
            "/v1/sync/{store}/push" => json!({
                "repository": self.stolen(), "base": self.stolen(), "commit": self.stolen(),
                "reset": self.random.below(2) == 0,
                "files": [{ "path": "reference/fact-0.md", "hash": self.stolen() }],
                "logs": [self.stolen()], "config": "", "code": [[self.stolen(), self.stolen()]],
            }),
            "/v1/sync/{store}/outcomes" => json!({ "outcomes": [
                { "seq": self.random.below(20), "outcome": "written", "note": self.text() }] }),
            _ => {
                let fields = BODIES.iter().find(|it| it.0 == path).map_or(&[][..], |it| it.1);
                Value::Object(self.object(fields))
            }
        }
    }

    fn store(&mut self) -> String {
        match self.random.below(12) {
            0 => self.stolen(),
            _ => self.random.one(&STORES).to_owned(),
        }
    }

    fn rest(&mut self, method: &'static str, pattern: &'static str) -> Wish {
        let body = self.body(method, pattern);
        let path = pattern.replace("{id}", &encoded(&self.id()));
        let path = path.replace("{store}", &encoded(&self.store()));
        let mut path = path.replace("{principal}", &encoded(&self.stolen()));
        // Administration names no store here.
        let names_store =
            !["/v1/sync", "/v1/tokens", "/v1/audit", "/v1/access", "/v1/erase", "/v1/export"]
                .iter()
                .any(|it| pattern.starts_with(it));
        path.push('?');
        if names_store {
            path.push_str(&format!("store={}&", encoded(&self.store())));
        }
        match pattern {
            "/v1/search" => path.push_str("q=box+number&"),
            "/v1/tokens" => path.push_str("all=true&"),
            _ if pattern.ends_with("/log")
                || pattern.ends_with("/changes")
                || pattern == "/v1/audit" =>
            {
                path.push_str(&format!("after={}&", self.random.below(60)));
            }
            "/v1/memories" if method == "GET" && self.random.below(3) == 0 => {
                path.push_str(&format!("source={}&", encoded(&self.stolen())));
            }
            _ => {}
        }
        let if_match = (method == "PATCH").then(|| format!("\"{}\"", self.stolen()));
        Wish::Rest { method, path, if_match, body }
    }

    fn mcp(&mut self, method: &'static str, pattern: &'static str, is_reading: bool) -> Wish {
        let path = pattern.replace("{id}", &encoded(&self.store()));
        // Their session, or one's own.
        let theirs = method == "DELETE" || is_stream(method, &path) || self.random.below(6) == 0;
        let session = if theirs { &self.rival.session } else { &self.own.session }.clone();
        let message = |method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params });
        let body = match self.random.below(8) {
            _ if method != "POST" => Value::Null,
            0 => message("resources/list", json!({ "cursor": self.stolen() })),
            1 => message("resources/list", json!({})),
            2 => message(
                "resources/read",
                json!({ "uri": format!("oldhand://memory/{}", self.id()) }),
            ),
            3 => message(
                "completion/complete",
                json!({
                "ref": { "type": "ref/resource", "uri": "oldhand://memory/{id}" },
                "argument": { "name": "id", "value": self.random.one(&["f", "u", "fact-"]) } }),
            ),
            _ => {
                let tools = if is_reading { &TOOLS[..2] } else { TOOLS };
                let (tool, fields) = tools[self.random.below(tools.len())];
                let mut arguments = self.object(fields);
                arguments.insert("store".to_owned(), json!(self.store()));
                message("tools/call", json!({ "name": tool, "arguments": arguments }))
            }
        };
        Wish::Mcp { method, path, session, body }
    }

    fn page(&mut self, method: &'static str, pattern: &'static str) -> Wish {
        let pages = if method == "GET" { PAGES } else { DEEDS };
        let page = self.random.one(pages).replace("{id}", &encoded(&self.id()));
        let path = pattern.replace("{*page}", &page).replace("{id}", &encoded(&self.store()));
        let side = if self.random.below(3) == 0 { self.rival } else { self.own };
        let (token, id) = (encoded(&side.form_token), encoded(&self.id()));
        let (decision, text) = (self.value(DECISIONS), encoded(&self.text()));
        let decision = decision.as_str().unwrap_or_default();
        let form = format!(
            "token={token}&id={id}&decision={decision}&reason={text}&question={text}&back=%2F"
        );
        Wish::Page { method, path, form: if method == "GET" { String::new() } else { form } }
    }
}

impl Wish {
    /// `is_reading`: nothing is changed by it.
    pub(crate) fn random(random: &mut Random, own: &Side, rival: &Side, is_reading: bool) -> Self {
        let (mut chance, count) = (Chance { random, own, rival }, ROUTES.len() + NEEDS.len());
        loop {
            // Tools are one route, and much of what is asked.
            let at = chance.random.below(count + 8);
            let (way, method, path) =
                match (ROUTES.get(at), NEEDS.get(at.wrapping_sub(ROUTES.len()))) {
                    (Some(route), _) => (route.way, route.method, route.path),
                    (None, Some((method, path, _))) => (Way::Rest, *method, *path),
                    (None, None) => (Way::McpToken, "POST", "/mcp/token"),
                };
            let reads = ["/v1/recall", "/v1/check", "/v1/why"].contains(&path);
            if is_reading && method != "GET" && !reads && !path.starts_with("/mcp/token") {
                continue;
            }
            return match way {
                Way::Rest => chance.rest(method, path),
                Way::Mcp | Way::McpToken => chance.mcp(method, path, is_reading),
                Way::Browser => chance.page(method, path),
            };
        }
    }

    pub(crate) fn ask(&self, asker: &Side) -> Answer {
        match self {
            Self::Rest { method, path, if_match, body } => {
                let tag = if_match.as_deref().map(|it| ("if-match", it));
                asker.send(method, path, tag.as_slice(), body)
            }
            Self::Mcp { method, path, session, body } => {
                let headers = [
                    ("accept", "application/json, text/event-stream"),
                    ("mcp-session-id", session),
                    ("mcp-protocol-version", "2025-06-18"),
                ];
                asker.send(method, path, &headers, body)
            }
            Self::Page { method, path, form } => asker.page(method, path, form),
        }
    }
}

fn encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte.is_ascii_alphanumeric() || b"-._".contains(&byte) {
            true => char::from(byte).to_string(),
            false => format!("%{byte:02X}"),
        })
        .collect()
}
