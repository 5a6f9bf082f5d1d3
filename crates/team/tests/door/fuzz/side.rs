//! A tenant with stores, memories and somebody who may do everything, and all that another one could steal from it.

use jiff::{Timestamp, ToSpan as _};
use oldhand_pg::access::{Access, Caller};
use oldhand_pg::admin::{NewCredential, NewStore};
use oldhand_team::door::COOKIE_NAME;
use oldhand_team::door::key::{self, Use};
use oldhand_team::door::tickets::Guest;
use oldhand_team::visitor::Scope;
use oldhand_text::hash::ContentHash;
use serde_json::{Value, json};

use crate::bed::{Bed, Open};
use crate::client::{Answer, post_form as post, send};

pub(crate) const STORES: [&str; 4] = ["pay", "rules", "web", "own"];

pub(crate) struct Side {
    pub(crate) mark: &'static str,
    pub(crate) address: String,
    pub(crate) token: String,
    pub(crate) cookie: String,
    pub(crate) form_token: String,
    pub(crate) session: String,
    /// Hashes, ids of pending proposals, tokens, events and sessions, heads, names: all but what proves who asks.
    pub(crate) loot: Vec<String>,
}

impl Side {
    pub(crate) fn new(bed: &Bed, open: &Open, tenant: &str, mark: &'static str) -> Self {
        let tenant = bed.create_tenant(tenant);
        let access =
            Access::new(&bed.database, Caller { tenant, stores: Vec::new(), principal: None });
        let ada = access.create_principal("person", "ada").expect("made");
        access.set_admin(ada, true).expect("set");
        access.create_principal("agent", &format!("bot of {tenant}")).expect("made");
        for (name, level, truth) in [
            ("pay", "repository", "server"),
            ("rules", "org", "server"),
            ("web", "repository", "git"),
            ("own", "person", "server"),
        ] {
            let store = access.create_store(&NewStore { name, level, truth }).expect("a store");
            access.grant(store, ada, "maintainer").expect("granted");
        }
        let (token, id) = (key::new_token().expect("made"), key::uuid().expect("made"));
        let (hash, scopes) = (bed.key().hash(Use::Token, &token), Scope::ALL.map(Scope::name));
        let expires_at = Timestamp::now() + 24.hours();
        let (credential, hash) = (id.as_str(), &hash[..]);
        let new = NewCredential {
            credential,
            principal: ada,
            hash,
            scopes: &scopes,
            stores: None,
            expires_at,
        };
        access.create_credential(&new).expect("made");
        let ticket = open.door.tickets.issue(Guest { tenant, principal: ada }).expect("made");
        let origin = [("origin", &*open.address)];
        let entered = post(&format!("{}/enter", open.address), &origin, &[("ticket", &*ticket)]);
        let (cookie, _) = entered.cookie(COOKIE_NAME).expect("a cookie");
        let cookie = format!("{COOKIE_NAME}={cookie}");
        let mut side = Self {
            mark,
            address: open.address.clone(),
            token,
            cookie,
            form_token: String::new(),
            session: String::new(),
            loot: vec![format!("bot of {tenant}")],
        };
        side.furnish();
        side
    }

    /// As JSON, with the token.
    pub(crate) fn send(
        &self,
        method: &str,
        path: &str,
        more: &[(&str, &str)],
        body: &Value,
    ) -> Answer {
        let bearer = format!("Bearer {}", self.token);
        let base = [("authorization", bearer.as_str()), ("content-type", "application/json")];
        let body = if body.is_null() { String::new() } else { body.to_string() };
        send(method, &format!("{}{path}", self.address), &[&base, more].concat(), &body)
    }

    #[track_caller]
    fn must(&self, method: &str, path: &str, body: &Value, status: u16) -> String {
        let answer = self.send(method, path, &[], body);
        assert_eq!(answer.status, status, "{method} {path}: {}", answer.body);
        answer.body
    }

    fn furnish(&mut self) {
        let mark = self.mark;
        for (store, number) in
            ["pay", "rules", "own"].iter().flat_map(|it| [(it, 0), (it, 1), (it, 2)])
        {
            let text = format!("{mark} keeps number {number} of {store} in a box");
            let fact = json!({ "category": "reference", "title": format!("Fact {number}"),
                               "content": { "text": text }, "tags": ["boxes"] });
            self.must("POST", &format!("/v1/memories?store={store}"), &fact, 200);
        }
        let decision = |of: &str| {
            json!({ "category": "decision", "title": format!("Use {of} for storage"),
            "content": { "decision": format!("Use {of} for the storage of orders."),
                         "rationale": format!("{mark} knows it.") }, "domain": "storage" })
        };
        self.must("POST", "/v1/memories?store=pay", &decision("PostgreSQL"), 200);
        self.must("POST", "/v1/memories?store=pay", &decision("MySQL"), 409);
        let text = format!(
            "---\nid: fact-0\ntype: reference\ntitle: Fact 0\nstate: stable\nscope: project\norigin: user\n\
             created_at: 2026-01-01T12:00:00Z\nupdated_at: 2026-01-01T12:00:00Z\n---\n\n{mark} has a web.\n"
        );
        let hash = ContentHash::of(text.as_bytes()).to_string();
        self.must("POST", "/v1/sync/web/texts", &json!({ "texts": [text] }), 200);
        let digest = ContentHash::of(mark.as_bytes()).to_string();
        let (repository, commit) = (&digest[..26], &digest[..40]);
        let files = json!([{ "path": "reference/fact-0.md", "hash": hash }]);
        let push = json!({ "repository": repository, "base": null, "commit": commit, "files": files,
                           "logs": [], "config": "", "code": [] });
        self.must("POST", "/v1/sync/web/push", &push, 200);
        self.loot.extend([repository.to_owned(), commit.to_owned(), hash]);
        let doubted = json!({ "id": "fact-1", "reason": format!("{mark} doubts it") });
        self.must("POST", "/v1/review/request?store=pay", &doubted, 200);
        let task = json!({ "task": "T-1", "objective": format!("{mark} wants it") });
        self.must("POST", "/v1/tasks?store=pay", &task, 200);
        for (method, path) in [
            ("GET", "/v1/memories?store=pay"),
            ("GET", "/v1/memories/fact-0?store=pay"),
            ("GET", "/v1/memories/fact-0?store=rules"),
            ("GET", "/v1/history/fact-0?store=pay"),
            ("GET", "/v1/pending?store=pay"),
            ("GET", "/v1/review?store=pay"),
            ("GET", "/v1/tokens?all=true"),
            ("GET", "/v1/audit"),
            ("GET", "/v1/sync/pay/files"),
            ("GET", "/v1/sync/pay/log"),
        ] {
            let body = self.must(method, path, &Value::Null, 200);
            scrape(&serde_json::from_str(&body).expect("JSON"), &mut self.loot);
        }
        let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": { "name": "probe", "version": "1" } } });
        let accept = ("accept", "application/json, text/event-stream");
        let greeted = self.send("POST", "/mcp/token", &[accept], &hello);
        self.session = greeted.header("mcp-session-id").to_owned();
        let page = self.page("GET", "/review", "");
        let form =
            page.body.split("name=\"token\" value=\"").nth(1).and_then(|it| it.split('"').next());
        self.form_token = form.expect("a form").to_owned();
        self.loot.extend([self.session.clone(), self.form_token.clone()]);
        self.loot.retain(|it| !it.contains(mark));
        self.loot.sort();
        self.loot.dedup();
        assert!(self.loot.len() > 20, "{:?}", self.loot);
    }

    /// In the browser, in the store `pay`.
    pub(crate) fn page(&self, method: &str, path: &str, form: &str) -> Answer {
        let cookies = format!("{}; oldhand-store=706179", self.cookie);
        let kind = "application/x-www-form-urlencoded";
        let headers = [("cookie", &*cookies), ("origin", &self.address), ("content-type", kind)];
        send(method, &format!("{}{path}", self.address), &headers, form)
    }

    /// The files of all stores, by their hashes, and who may come in.
    pub(crate) fn snapshot(&self) -> Vec<String> {
        let files = STORES.map(|store| {
            let read = self.must("GET", &format!("/v1/sync/{store}/files"), &Value::Null, 200);
            let read: Value = serde_json::from_str(&read).expect("JSON");
            read["files"].to_string()
        });
        let access =
            STORES.map(|it| self.must("GET", &format!("/v1/access/{it}"), &Value::Null, 200));
        let tokens = self.must("GET", "/v1/tokens?all=true", &Value::Null, 200);
        let stores = self.must("GET", "/v1/stores", &Value::Null, 200);
        [&files[..], &access[..], &[tokens, stores]].concat()
    }
}

/// Everything that looks like a name that a program gives.
fn scrape(said: &Value, loot: &mut Vec<String>) {
    match said {
        Value::String(text) => {
            let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte);
            let is_long = (8..=80).contains(&text.len());
            if is_long && text.bytes().all(is_name) && text.bytes().any(|it| it.is_ascii_digit()) {
                loot.push(text.clone());
            }
        }
        Value::Array(all) => all.iter().for_each(|it| scrape(it, loot)),
        Value::Object(all) => all.values().for_each(|it| scrape(it, loot)),
        _ => {}
    }
}
