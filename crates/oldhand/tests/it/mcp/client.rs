//! A small client: it sends what it is told and reads what comes, and never waits for ever.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use serde_json::{Value, json};

use crate::scratch::Scratch;

const PATIENCE: Duration = Duration::from_secs(60);
pub(super) const NEWEST_WITH_HANDSHAKE: &str = "2025-11-25";

pub(super) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    next: u64,
    /// What came that was no answer.
    pub notes: Vec<Value>,
}

impl Client {
    /// A server in that repository, and nothing said yet.
    pub(super) fn start(scratch: &Scratch) -> Self {
        Self::of(scratch.program(&["mcp"]))
    }

    pub(super) fn of(mut command: std::process::Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines() {
                let Ok(line) = line else { return };
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        Self { child, input, lines, next: 0, notes: Vec::new() }
    }

    /// The same after the handshake.
    pub(super) fn new(scratch: &Scratch) -> Self {
        let mut client = Self::start(scratch);
        client.shake_hands(NEWEST_WITH_HANDSHAKE, "claude-code");
        client
    }

    pub(super) fn shake_hands(&mut self, version: &str, name: &str) -> Value {
        let answer = self.ask(
            "initialize",
            json!({"protocolVersion": version, "capabilities": {},
                   "clientInfo": {"name": name, "version": "1.0"}}),
        );
        self.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        answer
    }

    pub(super) fn send(&mut self, line: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line).unwrap();
        input.write_all(b"\n").unwrap();
        input.flush().unwrap();
    }

    pub(super) fn say(&mut self, message: &Value) {
        self.send(message.to_string().as_bytes());
    }

    /// The next line, whatever it is.
    #[track_caller]
    pub(super) fn hear(&mut self) -> Value {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => serde_json::from_str(&line).unwrap_or_else(|_| panic!("no JSON: {line}")),
            Err(RecvTimeoutError::Timeout) => panic!("no answer"),
            Err(RecvTimeoutError::Disconnected) => panic!("the server has ended"),
        }
    }

    #[track_caller]
    pub(super) fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        self.answer_to(id)
    }

    /// Sends a request; its number.
    pub(super) fn begin(&mut self, method: &str, params: Value) -> u64 {
        self.next += 1;
        let id = self.next;
        self.say(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    #[track_caller]
    pub(super) fn answer_to(&mut self, id: u64) -> Value {
        loop {
            let message = self.hear();
            if message["id"] == id {
                return message;
            }
            self.notes.push(message);
        }
    }

    /// The result of a tool that did what it should.
    #[track_caller]
    pub(super) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.try_call(tool, arguments);
        assert_ne!(result["isError"], true, "{tool}: {result}");
        result
    }

    #[track_caller]
    pub(super) fn try_call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.ask("tools/call", json!({"name": tool, "arguments": arguments}));
        assert!(answer["error"].is_null(), "{tool}: {answer}");
        answer["result"].clone()
    }

    /// The data of a refusal.
    #[track_caller]
    pub(super) fn refused(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.try_call(tool, arguments);
        assert_eq!(result["isError"], true, "{tool}: {result}");
        assert!(result["content"][0]["text"].as_str().unwrap().contains("error["), "{result}");
        result["structuredContent"].clone()
    }

    pub(super) fn resident_kb(&self) -> u64 {
        let status = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(status).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }

    pub(super) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Closes its input; how it ended, and what it said on standard error.
    pub(super) fn end(mut self) -> (Option<i32>, String) {
        drop(self.input.take());
        let mut stderr = String::new();
        let mut pipe = self.child.stderr.take().unwrap();
        std::io::Read::read_to_string(&mut pipe, &mut stderr).unwrap();
        (self.child.wait().unwrap().code(), stderr)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // A test that failed leaves no server behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(super) fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap()
}

/// The store's lock, held until it is dropped or unlocked.
pub(super) fn locked(scratch: &Scratch) -> std::fs::File {
    let path = scratch.store().join("local/lock");
    let lock = std::fs::OpenOptions::new().read(true).write(true).open(path).unwrap();
    lock.lock().unwrap();
    lock
}
