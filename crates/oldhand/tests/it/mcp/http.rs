//! The program as a server over HTTP: its token, its address, its end. The door itself is tested
//! beside the protocol.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use crate::scratch::Scratch;

struct Served {
    child: Child,
    address: String,
    token_path: PathBuf,
}

impl Served {
    fn new(scratch: &Scratch, more: &[&str]) -> Self {
        let mut args = vec!["mcp", "--http", "127.0.0.1:0"];
        args.extend(more);
        let mut child = scratch.program(&args).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let mut told = || lines.next().unwrap().unwrap();
        let serving = told();
        let address = serving.strip_prefix("serving: http://").unwrap();
        let address = address.strip_suffix("/mcp").unwrap().to_owned();
        assert_eq!(told(), format!("store: {}", scratch.store().display()));
        let token_path = told().strip_prefix("token: in ").unwrap().into();
        Self { child, address, token_path }
    }

    fn token(&self) -> String {
        std::fs::read_to_string(&self.token_path).unwrap().trim().to_owned()
    }

    /// Status and body of a request of the stateless revision.
    fn ask(&self, token: &str, method: &str, mut params: Value) -> (u16, Value) {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": "curl", "version": "8"},
        });
        let name = params["name"].as_str().map(|name| format!("Mcp-Name: {name}\r\n"));
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let body = body.to_string();
        let request = format!(
            "POST /mcp HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
             MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: {method}\r\n{}\
             Connection: close\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
            name.unwrap_or_default(),
            body.len()
        );
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
        let body = answer.split_once("\r\n\r\n").unwrap().1;
        (status, serde_json::from_str(body).unwrap_or_default())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_token_is_made_for_the_user_alone_and_kept() {
    let scratch = Scratch::new();
    let served = Served::new(&scratch, &[]);
    let mode = std::fs::metadata(&served.token_path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let token = served.token();
    assert!(token.len() >= 32, "{token}");
    assert_eq!(served.ask("wrong", "tools/list", json!({})).0, 401);
    let (status, list) = served.ask(&token, "tools/list", json!({}));
    assert_eq!((status, list["result"]["tools"].as_array().unwrap().len()), (200, 6), "{list}");
    assert_eq!(Served::new(&scratch, &[]).token(), token, "the next server has the same");
}

#[test]
fn a_token_that_others_can_read_or_guess_is_refused() {
    let scratch = Scratch::new();
    let path = scratch.repository().join("token");
    let path = path.to_str().unwrap();
    for (text, mode, said) in [
        ("0123456789abcdef0123456789abcdef", 0o644, "can be read by others"),
        ("short", 0o600, "16 to 512"),
        ("two words that are long enough", 0o600, "16 to 512"),
    ] {
        std::fs::write(path, text).unwrap();
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
        let done = scratch
            .program(&["mcp", "--http", "127.0.0.1:0", "--token-file", path])
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(done.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(said) && stderr.contains("hint:"), "{stderr}");
        assert!(!stderr.contains(text), "{stderr}");
    }
}

/// Requests that stand for themselves: nothing is kept between them, and uses have a task all the
/// same.
#[test]
fn a_stateless_day() {
    let scratch = Scratch::new();
    let served = Served::new(&scratch, &[]);
    let token = served.token();
    let call = |tool: &str, arguments: Value| {
        let (status, answer) =
            served.ask(&token, "tools/call", json!({"name": tool, "arguments": arguments}));
        assert_eq!(status, 200, "{answer}");
        answer["result"].clone()
    };
    let made = call("remember", json!({"kind": "decision", "text": "Use cents for money"}));
    let id = made["structuredContent"]["id"].clone();
    for _ in 0..2 {
        let found = call("recall", json!({"query": "which unit does money have"}));
        assert_eq!(found["structuredContent"]["memories"][0]["id"], id, "{found}");
    }
    let helped = call("feedback", json!({"id": id, "effect": "positive"}));
    assert_eq!(helped["structuredContent"]["trust"], 0.5, "{helped}");
    let history = scratch.json(&["history", id.as_str().unwrap()]).to_string();
    assert!(history.contains("mcp:curl"), "{history}");
}

#[test]
fn an_address_that_is_taken_or_wrong_is_named() {
    let scratch = Scratch::new();
    let served = Served::new(&scratch, &[]);
    for (args, said) in [
        (vec!["mcp", "--http", &served.address], "another process does"),
        (vec!["mcp", "--http", "8631"], "an address and a port"),
        (vec!["mcp", "--http", "0.0.0.0:0"], "--allow-remote"),
        (vec!["mcp", "--http", "127.0.0.1:0", "--allow-host", "a b"], "expected a host"),
        (vec!["mcp", "--http", "127.0.0.1:0", "--allow-origin", "app"], "expected an origin"),
    ] {
        let done = scratch.program(&args).output().unwrap();
        let stderr = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(done.status.code(), Some(2), "{args:?}: {stderr}");
        assert!(stderr.contains(said), "{args:?}: {stderr}");
    }
}
