//! A server in a process of its own: how it begins and ends, and what it costs.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use oldhand_mcp::{HttpOptions, serve_http};
use serde_json::json;

use crate::client::{Ask, begin_session, in_session, modern, request};
use crate::fake::{Fake, options, start};
#[cfg(target_os = "linux")]
use crate::limits::check_too_large;

const CHILD: &str = "OLDHAND_MCP_TEST_CHILD";

/// Does nothing by itself: other tests start this program again, for this one alone.
#[test]
fn child() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let (fake, _news) = Fake::new();
    serve_http(Arc::new(fake), options(), |address| println!("\nserves {address}")).unwrap();
}

struct Served {
    child: Child,
    address: SocketAddr,
}

impl Served {
    fn start() -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "life::child", "--nocapture"])
            .env(CHILD, "1")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut said = lines.map_while(Result::ok);
        let address = said.find_map(|line| line.strip_prefix("serves ")?.parse().ok()).unwrap();
        // What it says at its end has nowhere to go, and it must not stop for that.
        std::thread::spawn(move || said.count());
        Self { child, address }
    }

    fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    }

    /// Did it end well, and how long did that take?
    fn ends(&mut self, most_seconds: u64) {
        let began = Instant::now();
        assert!(self.child.wait().unwrap().success());
        assert!(began.elapsed().as_secs() < most_seconds, "{:?}", began.elapsed());
    }

    #[cfg(target_os = "linux")]
    fn most_resident_kib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn signals_end_it() {
    for signal in ["-TERM", "-INT"] {
        let mut served = Served::start();
        let session = begin_session(served.address, "idle");
        let mut listening = Ask::new("GET").with("Mcp-Session-Id", &session).open(served.address);
        assert_eq!(listening.line(), "HTTP/1.1 200 OK");
        served.signal(signal);
        served.ends(4);
    }
}

#[test]
fn what_runs_may_end() {
    let mut served = Served::start();
    let call = json!({ "name": "slow", "arguments": { "steps": 100 }, "progressToken": 1 });
    let mut open = modern("tools/call", call).open(served.address);
    open.line_with("data:");
    served.signal("-TERM");
    assert!(open.line_with(r#"data: {"jsonrpc":"2.0","id":7"#).contains("structuredContent"));
    served.ends(5);
}

#[test]
fn what_runs_too_long_is_cut_off() {
    let mut served = Served::start();
    let call = json!({ "name": "slow", "arguments": { "steps": 100_000 }, "progressToken": 1 });
    let mut open = modern("tools/call", call).open(served.address);
    open.line_with("data:");
    served.signal("-TERM");
    served.ends(9);
}

/// One that panics costs one answer; its session and everybody else are served on.
#[test]
fn a_panic_is_an_internal_error() {
    let mut served = Served::start();
    let (one, other) = (begin_session(served.address, "one"), begin_session(served.address, "two"));
    let call = |name: &str| json!({ "name": name, "arguments": {} });
    // More than there are threads and turns: none is lost.
    for _ in 0..20 {
        let broken = request("tools/call", call("panic"));
        let told = in_session(&one, &broken).send(served.address).is(200).has_code(-32603);
        assert_eq!(told.message()["id"], 7);
        modern("tools/call", call("panic")).send(served.address).has_code(-32603);
        let list = request("resources/templates/list", json!({}));
        in_session(&one, &list).send(served.address).is(200).has_code(-32603);
        for session in [&one, &other] {
            let told = in_session(session, &request("tools/call", call("echo")));
            assert!(told.send(served.address).is(200).message()["result"].is_object());
        }
    }
    served.signal("-TERM");
    served.ends(5);
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_too_large_is_not_kept() {
    let served = Served::start();
    modern("server/discover", json!({})).send(served.address).is(200);
    let before = served.most_resident_kib();
    for is_chunked in [false, true] {
        check_too_large(served.address, 100 * 1024 * 1024, is_chunked);
    }
    let grown_kib = served.most_resident_kib() - before;
    assert!(grown_kib < 32 * 1024, "{grown_kib} KiB more");
}

#[test]
fn an_address_in_use_is_named() {
    let server = start();
    let taken = HttpOptions { address: server.address, ..options() };
    let (fake, _news) = Fake::new();
    let error = serve_http(Arc::new(fake), taken, |_| panic!("it listens")).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::AddrInUse);
    assert!(error.to_string().contains(&server.address.to_string()), "{error}");
}

#[track_caller]
fn check_refused(options: HttpOptions, word: &str) {
    let (fake, _news) = Fake::new();
    let error = serve_http(Arc::new(fake), options, |_| panic!("it listens")).unwrap_err();
    assert!(error.to_string().contains(word), "{error}");
}

#[test]
fn options_that_protect_nothing_are_refused() {
    check_refused(HttpOptions { token: String::new(), ..options() }, "token");
    check_refused(HttpOptions { token: "a b".into(), ..options() }, "token");
    check_refused(HttpOptions { hosts: vec!["http://a/".into()], ..options() }, "`http://a/`");
    check_refused(HttpOptions { origins: vec!["*".into()], ..options() }, "`*`");
}
