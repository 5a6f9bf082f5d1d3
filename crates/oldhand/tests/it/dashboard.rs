//! The dashboard over a real store: what its forms do is what the commands do, and what commands do
//! meanwhile shows. Who may ask is tested beside the pages.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use oldhand_store::disk::RealDisk;
use serde_json::Value;

use crate::scratch::Scratch;

const CANDIDATES: &[u8] = br#"{"task_id": "T1", "memory_candidates": ["Retry uploads once"]}"#;
const LESSON: &str = "retry-uploads-once";

struct Served {
    child: Child,
    host: String,
    cookie: String,
    token: String,
}

impl Served {
    fn new(scratch: &Scratch) -> Self {
        let mut child =
            scratch.program(&["ui", "--no-open"]).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let (base, ticket) = line.trim().split_once("/enter#").unwrap();
        let host = base.strip_prefix("http://").unwrap().to_owned();
        let mut served = Self { child, host, cookie: String::new(), token: String::new() };
        let (status, head, _) = served.send("POST", "/enter", &format!("ticket={ticket}"));
        assert_eq!(status, 303, "{head}");
        let cookie = head.lines().find_map(|it| it.strip_prefix("set-cookie: ")).unwrap();
        served.cookie = cookie.split(';').next().unwrap().to_owned();
        let page = served.page("/");
        let (_, rest) = page.split_once("name=\"form-token\" content=\"").unwrap();
        served.token = rest.split('"').next().unwrap().to_owned();
        served
    }

    /// Status, head and body.
    fn send(&self, method: &str, target: &str, body: &str) -> (u16, String, String) {
        let port = self.host.rsplit_once(':').unwrap().1;
        let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
        let request = format!(
            "{method} {target} HTTP/1.1\r\nHost: {0}\r\nOrigin: http://{0}\r\nCookie: {1}\r\n\
             Sec-Fetch-Site: same-origin\r\nContent-Type: application/x-www-form-urlencoded\r\n\
             Connection: close\r\nContent-Length: {2}\r\n\r\n{body}",
            self.host,
            self.cookie,
            body.len()
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, head.to_owned(), body.to_owned())
    }

    #[track_caller]
    fn page(&self, target: &str) -> String {
        let (status, _, body) = self.send("GET", target, "");
        assert_eq!(status, 200, "{target}: {body}");
        body
    }

    /// Fills in a form: the status, and where it leads or what it says.
    fn fill(&self, verb: &str, fields: &[(&str, &str)]) -> (u16, String) {
        let fields: String = fields
            .iter()
            .map(|(name, value)| format!("&{name}={}", value.replace(' ', "+")))
            .collect();
        let body = format!("token={}&back=%2Freview{fields}", self.token);
        let (status, head, body) = self.send("POST", &format!("/do/{verb}"), &body);
        let place = head.lines().find_map(|it| it.strip_prefix("location: "));
        (status, place.map_or(body, str::to_owned))
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn with_work() -> Scratch {
    let scratch = Scratch::new();
    scratch.ok(&["add", "decision", "--title", "Use PostgreSQL", "--decision", "PostgreSQL"]);
    let clash = ["add", "decision", "--title", "Use MySQL", "--decision", "MySQL"];
    assert_eq!(scratch.run(&clash).code, 1);
    assert_eq!(scratch.run_on(&RealDisk, &["learn"], CANDIDATES).code, 0);
    scratch
}

fn shown(scratch: &Scratch, id: &str) -> Value {
    scratch.json(&["show", id])
}

/// R343
#[test]
fn what_waits_is_decided_by_forms() {
    let scratch = with_work();
    let served = Served::new(&scratch);
    let inbox = served.page("/review");
    assert!(inbox.contains("Use MySQL") && inbox.contains("Retry uploads once"), "{inbox}");
    let item = served.page(&format!("/review?at={LESSON}"));
    let hash = shown(&scratch, LESSON)["hash"].as_str().unwrap().to_owned();
    assert!(item.contains(&hash), "the form carries what was shown");
    let decision = [("id", LESSON), ("if_match", &hash), ("decision", "promote")];
    let (status, told) =
        served.fill("review", &[&decision[..], &[("reason", "seen twice")]].concat());
    assert_eq!(status, 303, "{told}");
    assert!(told.starts_with("/review?said=Promoted"), "{told}");
    assert_eq!(shown(&scratch, LESSON)["state"], "provisional");
    let history = scratch.json(&["history", LESSON]);
    let last = history["events"].as_array().unwrap().last().unwrap();
    assert_eq!((&last["by"], &last["reason"]), (&"ada".into(), &"seen twice".into()));

    let conflict = [("pending", "conflict-use-mysql"), ("resolution", "follow"), ("reason", "")];
    assert_eq!(served.fill("resolve", &conflict).0, 303);
    assert!(served.page("/review").contains("Nothing waits for a decision"));

    assert!(served.page("/undo").contains("conflict-use-mysql"));
    assert_eq!(served.fill("undo", &[]).0, 303);
    assert!(served.page("/review").contains("Use MySQL"));
}

/// R344, R346
#[test]
fn what_changed_meanwhile_is_not_decided_over() {
    let scratch = with_work();
    let served = Served::new(&scratch);
    let hash = shown(&scratch, LESSON)["hash"].as_str().unwrap().to_owned();
    scratch.ok(&["update", LESSON, "--tags", "uploads"]);
    let fields =
        [("id", LESSON), ("if_match", &hash), ("decision", "reject"), ("reason", "my words")];
    let (status, told) = served.fill("review", &fields);
    assert_eq!(status, 412, "{told}");
    assert!(told.contains("OCC_CONFLICT") && told.contains("my words"), "{told}");
    assert_eq!(shown(&scratch, LESSON)["state"], "candidate");
    let without_reason = [("id", LESSON), ("decision", "reject"), ("reason", "")];
    assert_eq!(served.fill("review", &without_reason).0, 422);
    assert_eq!(served.fill("retire", &[("id", "nobody"), ("reason", "x")]).0, 404);
}

/// R346, R364: both sides were read as they were, so the proposal must be the one that was shown.
#[test]
fn a_conflict_that_changed_meanwhile_is_not_settled() {
    let scratch = with_work();
    let served = Served::new(&scratch);
    let item = served.page("/review?at=pending%3Aconflict-use-mysql");
    assert!(item.contains("<mark>PostgreSQL</mark>") && item.contains("<mark>MySQL</mark>"));
    assert_eq!(item.matches("<mark>").count(), 2, "only what the verdict names");
    let (_, rest) = item.split_once("name=\"if_match\" value=\"").unwrap();
    let hash = rest.split('"').next().unwrap();
    let file = scratch.repository().join(".oldhand/pending/conflict-use-mysql.md");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("MySQL", "MariaDB")).unwrap();
    let fields = [
        ("pending", "conflict-use-mysql"),
        ("if_match", hash),
        ("resolution", "supersede"),
        ("reason", "my words"),
    ];
    let (status, told) = served.fill("resolve", &fields);
    assert_eq!(status, 412, "{told}");
    assert!(told.contains("OCC_CONFLICT") && told.contains("my words"), "{told}");
    assert_eq!(shown(&scratch, "use-postgresql")["state"], "stable");
    assert!(served.page("/conflicts").contains("MariaDB"), "it still waits");
}

/// R346: who approves has read who else did.
#[test]
fn an_approval_is_given_to_the_request_that_was_shown() {
    let scratch = crate::life::approved_once();
    let served = Served::new(&scratch);
    let item = served.page("/review?at=pending%3Apromote-sort-by-name");
    assert!(item.contains("formaction=\"/do/promote\"") && item.contains("bob"), "{item}");
    let (_, rest) = item.split_once("name=\"if_match\" value=\"").unwrap();
    let hash = rest.split('"').next().unwrap();
    let vote = |hash: &str| {
        let (id, pending) = (("id", "sort-by-name"), ("pending", "promote-sort-by-name"));
        served.fill("promote", &[id, pending, ("if_match", hash), ("reason", "proven")])
    };
    let (status, told) = vote(&"0".repeat(hash.len()));
    assert_eq!(status, 412, "{told}");
    let (status, told) = vote(hash);
    assert_eq!(status, 303, "{told}");
    assert_eq!(shown(&scratch, "sort-by-name")["state"], "canonical");
}

/// R366
#[test]
fn each_marked_item_is_answered_by_itself() {
    let scratch = with_work();
    let more = br#"{"task_id": "T2", "memory_candidates": ["Write dates in full"]}"#;
    assert_eq!(scratch.run_on(&RealDisk, &["learn"], more).code, 0);
    let served = Served::new(&scratch);
    let hash = |id: &str| shown(&scratch, id)["hash"].as_str().unwrap().to_owned();
    let (stale, fresh) = (hash(LESSON), hash("write-dates-in-full"));
    scratch.ok(&["update", LESSON, "--tags", "uploads"]);
    let fields = [
        ("mark-retry-uploads-once", &*stale),
        ("mark-write-dates-in-full", &fresh),
        ("decision", "reject"),
        ("reason", "my words"),
    ];
    let (status, told) = served.fill("several", &fields);
    assert_eq!(status, 409, "{told}");
    assert_eq!(shown(&scratch, "write-dates-in-full")["state"], "rejected");
    assert_eq!(shown(&scratch, LESSON)["state"], "candidate");
    assert!(told.contains("1 decided, 1 refused") && told.contains("my words"), "{told}");
    let (_, row) = told.split_once("data-part=\"row-retry-uploads-once\"").unwrap();
    let row = row.split_once("</li>").unwrap().0;
    assert!(row.contains("checked") && row.contains("has changed"), "{row}");

    let fields =
        [("mark-retry-uploads-once", &*hash(LESSON)), ("decision", "reject"), ("reason", "x")];
    let (status, told) = served.fill("several", &fields);
    assert_eq!(status, 303, "{told}");
    assert!(told.starts_with("/review?said=Rejected"), "{told}");
    let nothing = [("decision", "reject"), ("reason", "x")];
    assert_eq!(served.fill("several", &nothing).0, 422);
}

const BOTH: [&str; 2] = [LESSON, "write-dates-in-full"];

/// Both rejected by one form; where it leads.
fn both_rejected(scratch: &Scratch, served: &Served) -> String {
    let hash = |id: &str| shown(scratch, id)["hash"].as_str().unwrap().to_owned();
    let marks = BOTH.map(|id| (format!("mark-{id}"), hash(id)));
    let mut fields: Vec<(&str, &str)> =
        marks.iter().map(|(name, hash)| (name.as_str(), hash.as_str())).collect();
    fields.extend([("decision", "reject"), ("reason", "not ours")]);
    let (status, place) = served.fill("several", &fields);
    assert_eq!(status, 303, "{place}");
    place
}

/// The address of undo on the page to which a form led.
fn way_back(served: &Served, place: &str) -> String {
    let page = served.page(place);
    let (_, rest) = page.split_once("href=\"/undo?").unwrap();
    format!("/undo?{}", rest.split('"').next().unwrap().replace("&amp;", "&"))
}

fn states(scratch: &Scratch) -> [String; 2] {
    BOTH.map(|id| shown(scratch, id)["state"].as_str().unwrap().to_owned())
}

/// R491
#[test]
fn a_decision_over_several_is_undone_as_one() {
    let scratch = with_work();
    let more = br#"{"task_id": "T2", "memory_candidates": ["Write dates in full"]}"#;
    assert_eq!(scratch.run_on(&RealDisk, &["learn"], more).code, 0);
    let served = Served::new(&scratch);
    let place = both_rejected(&scratch, &served);
    assert_eq!(states(&scratch), ["rejected", "rejected"]);
    let page = served.page(&way_back(&served, &place));
    assert!(BOTH.iter().all(|id| page.contains(id)), "{page}");
    let (_, rest) = page.split_once("name=\"if_match\" value=\"").unwrap();
    let write = rest.split('"').next().unwrap().to_owned();
    assert_eq!(served.fill("undo", &[("if_match", &write)]).0, 303);
    assert_eq!(states(&scratch), ["candidate", "candidate"]);

    // What somebody else writes meanwhile is not undone in its place, on either page.
    let place = both_rejected(&scratch, &served);
    let address = way_back(&served, &place);
    let page = served.page(&address);
    let (_, rest) = page.split_once("name=\"if_match\" value=\"").unwrap();
    let write = rest.split('"').next().unwrap().to_owned();
    scratch.ok(&["add", "reference", "--title", "Staging", "--text", "db-2"]);
    let (status, told) = served.fill("undo", &[("if_match", &write)]);
    assert_eq!(status, 412, "{told}");
    assert!(
        told.contains("something else was written since") && told.contains("staging"),
        "{told}"
    );
    let (status, _, told) = served.send("GET", &address, "");
    assert_eq!(status, 412, "{told}");
    assert!(
        told.contains("something else was written since") && told.contains("staging"),
        "{told}"
    );
    assert_eq!(states(&scratch), ["rejected", "rejected"]);
    assert_eq!(shown(&scratch, "staging")["state"], "stable");
}

/// R347
#[test]
fn what_would_be_refused_is_shown_as_such() {
    let scratch = with_work();
    let served = Served::new(&scratch);
    let item = served.page(&format!("/review?at={LESSON}"));
    let button = |verb: &str| {
        let (_, rest) = item.split_once(&format!("value=\"{verb}\"")).unwrap();
        rest.split_once('>').unwrap().0.to_owned()
    };
    assert!(!button("promote").contains("disabled"), "{}", button("promote"));
    assert!(button("reinstate").contains("disabled"), "{}", button("reinstate"));
    assert!(button("reinstate").contains("title="), "with the reason");
}

#[test]
fn fields_are_edited_and_the_command_line_is_seen() {
    let scratch = with_work();
    let served = Served::new(&scratch);
    let page = served.page("/m/use-postgresql");
    assert!(page.contains("Use PostgreSQL") && page.contains("name=\"field-decision\""), "{page}");
    let hash = shown(&scratch, "use-postgresql")["hash"].as_str().unwrap().to_owned();
    let fields = [
        ("id", "use-postgresql"),
        ("if_match", &hash),
        ("field-title", "Use PostgreSQL"),
        ("field-decision", "PostgreSQL for everything"),
        ("list-consequences", "one%0Atwo"),
    ];
    let (status, told) = served.fill("update", &fields);
    assert_eq!(status, 303, "{told}");
    let content = &shown(&scratch, "use-postgresql")["content"];
    assert_eq!(content["decision"], "PostgreSQL for everything");
    assert_eq!(content["consequences"], serde_json::json!(["one", "two"]));
    scratch.ok(&["remember", "The staging host is db-2"]);
    assert!(served.page("/memories").contains("staging host"));
}

#[test]
fn a_twin_is_what_the_command_answers() {
    let scratch = with_work();
    let served = Served::new(&scratch);
    let same = |target: &str, args: &[&str]| {
        let page: Value = serde_json::from_str(&served.page(target)).unwrap();
        assert_eq!(page, scratch.json(args), "{target}");
    };
    same("/memories.json", &["list", "--limit", "100"]);
    same("/m/use-postgresql.json", &["show", "use-postgresql"]);
    same("/review.json", &["review", "--limit", "100"]);
    let (status, _, body) = served.send("GET", "/m/nobody.json", "");
    assert_eq!(status, 404);
    assert!(
        body.contains("\"schema\":\"oldhand.error/1\"") || body.contains("NOT_FOUND"),
        "{body}"
    );
}

#[test]
fn words_are_found_as_the_command_finds_them() {
    let scratch = with_work();
    scratch.ok(&["remember", "The staging host is db-2 and has a replica"]);
    scratch.ok(&["remember", "Production runs on db-1"]);
    let served = Served::new(&scratch);
    let found = |page: &str| {
        let ids = page.split("href=\"/m/").skip(1).map(|it| it.split('"').next().unwrap());
        ids.map(str::to_owned).collect::<std::collections::BTreeSet<_>>()
    };
    for words in ["staging", "db-", "HOST replica", "replica postgresql", "of no memory"] {
        let page = served.page(&format!("/memories?state=all&q={}", words.replace(' ', "+")));
        let listed = scratch.json(&["search", words, "--limit", "0"]);
        let ids = listed["memories"].as_array().unwrap().iter();
        let ids = ids.map(|it| it["id"].as_str().unwrap().to_owned()).collect();
        assert_eq!(found(&page), ids, "{words}");
    }
    scratch.ok(&["remember", "A second staging host is db-3"]);
    assert_eq!(found(&served.page("/memories?q=staging")).len(), 2, "also what came meanwhile");
}

#[test]
fn a_question_embeds_behind_its_answer() {
    let scratch = Scratch::new();
    std::fs::create_dir_all(scratch.store().join("reference")).unwrap();
    for number in 0..20 {
        let text = format!(
            "---\ntype: reference\ntitle: Fact number {number}\nstate: stable\nscope: project\n\
             origin: user\n---\n\nFact {number} tells how the deployment of that number behaves.\n"
        );
        std::fs::write(scratch.store().join(format!("reference/fact-{number}.md")), text).unwrap();
    }
    let served = Served::new(&scratch);
    let partly = "0 of 20 memories were searched by meaning";
    let first = served.page("/ask?q=how+does+the+deployment+behave");
    assert!(first.contains(partly), "{first}");
    // It takes as long as it takes; a page that never changes ends this test by its time limit.
    while served.page("/ask?q=how+does+the+deployment+behave").contains("searched by meaning,") {
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    assert!(served.page("/store").contains("20 (minilm"), "and the store says so");
}
