//! A client that says exactly what it is told to, over one connection a request.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};

use serde_json::{Value, json};

use crate::fake::{PATIENCE, TOKEN};

#[derive(Clone)]
pub(crate) struct Ask {
    method: &'static str,
    target: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Ask {
    pub(crate) fn new(method: &'static str) -> Self {
        let ask = Self { method, target: "/mcp".into(), headers: Vec::new(), body: Vec::new() };
        ask.with("Host", "127.0.0.1")
            .with("Authorization", &format!("Bearer {TOKEN}"))
            .with("Accept", "application/json, text/event-stream")
            .with("Connection", "close")
    }

    pub(crate) fn post(body: impl AsRef<[u8]>) -> Self {
        let body = body.as_ref().to_vec();
        Self { body, ..Self::new("POST").with("Content-Type", "application/json") }
    }

    pub(crate) fn message(message: &Value) -> Self {
        Self::post(message.to_string())
    }

    /// In place of what was there under that name.
    pub(crate) fn with(self, name: &str, value: &str) -> Self {
        let mut ask = self.without(name);
        ask.headers.push((name.into(), value.into()));
        ask
    }

    pub(crate) fn also(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(one, _)| !one.eq_ignore_ascii_case(name));
        self
    }

    pub(crate) fn to(self, target: &str) -> Self {
        Self { target: target.into(), ..self }
    }

    pub(crate) fn open(&self, address: SocketAddr) -> Open {
        let mut stream = self.begin(address, self.framing());
        stream.write_all(&self.body).unwrap();
        Open { reader: BufReader::new(stream) }
    }

    /// The head is sent, with these lines at its end.
    pub(crate) fn begin(&self, address: SocketAddr, framing: String) -> TcpStream {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut head = format!("{} {} HTTP/1.1\r\n", self.method, self.target);
        for (name, value) in &self.headers {
            head += &format!("{name}: {value}\r\n");
        }
        stream.write_all(format!("{head}{framing}\r\n").as_bytes()).unwrap();
        stream
    }

    pub(crate) fn send(&self, address: SocketAddr) -> Told {
        self.open(address).read()
    }

    fn framing(&self) -> String {
        match self.body.len() {
            0 => String::new(),
            length => format!("Content-Length: {length}\r\n"),
        }
    }
}

/// An answer on its way.
pub(crate) struct Open {
    reader: BufReader<TcpStream>,
}

impl Open {
    pub(crate) fn of(stream: TcpStream) -> Self {
        Self { reader: BufReader::new(stream) }
    }

    pub(crate) fn line(&mut self) -> String {
        let mut line = String::new();
        self.reader.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// The line that begins so.
    pub(crate) fn line_with(&mut self, start: &str) -> String {
        loop {
            let mut line = String::new();
            assert_ne!(self.reader.read_line(&mut line).unwrap(), 0, "no `{start}`");
            if line.starts_with(start) {
                return line.trim_end().to_owned();
            }
        }
    }

    pub(crate) fn read(mut self) -> Told {
        let status = self.line().split(' ').nth(1).unwrap().parse().unwrap();
        let mut headers = Vec::new();
        loop {
            let line = self.line();
            let Some((name, value)) = line.split_once(':') else { break };
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let mut told = Told { status, headers, body: Vec::new() };
        match (told.header("transfer-encoding"), told.header("content-length")) {
            (Some("chunked"), _) => told.body = self.chunks(),
            (_, Some(length)) => {
                told.body = vec![0; length.parse().unwrap()];
                self.reader.read_exact(&mut told.body).unwrap();
            }
            _ => {}
        }
        told
    }

    fn chunks(&mut self) -> Vec<u8> {
        let mut body = Vec::new();
        loop {
            let length = usize::from_str_radix(&self.line(), 16).unwrap();
            let mut chunk = vec![0; length + 2];
            self.reader.read_exact(&mut chunk).unwrap();
            body.extend_from_slice(&chunk[..length]);
            if length == 0 {
                return body;
            }
        }
    }
}

pub(crate) struct Told {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Told {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(one, _)| one == name);
        found.map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    /// All messages of a stream, or the one of a plain answer.
    pub(crate) fn messages(&self) -> Vec<Value> {
        let text = self.text();
        let parse = |text: &str| serde_json::from_str(text).unwrap();
        match self.header("content-type") {
            Some("text/event-stream") => {
                text.lines().filter_map(|line| line.strip_prefix("data:")).map(parse).collect()
            }
            _ => vec![parse(&text)],
        }
    }

    pub(crate) fn message(&self) -> Value {
        self.messages().pop().unwrap()
    }

    #[track_caller]
    pub(crate) fn is(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", self.text());
        self
    }

    /// An error of the protocol, with this code.
    #[track_caller]
    pub(crate) fn has_code(self, code: i64) -> Self {
        assert_eq!(self.message()["error"]["code"], code, "{}", self.text());
        self
    }
}

pub(crate) fn request(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params })
}

pub(crate) fn initialize(client: &str) -> Value {
    let info = json!({ "name": client, "version": "1" });
    let params = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info });
    request("initialize", params)
}

/// A session that is ready; its id.
pub(crate) fn begin_session(address: SocketAddr, client: &str) -> String {
    let told = Ask::message(&initialize(client)).send(address).is(200);
    let session = told.header("mcp-session-id").unwrap().to_owned();
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    Ask::message(&ready).with("Mcp-Session-Id", &session).send(address).is(202);
    session
}

pub(crate) fn in_session(session: &str, message: &Value) -> Ask {
    Ask::message(message).with("Mcp-Session-Id", session).with("MCP-Protocol-Version", "2025-06-18")
}

pub(crate) const MODERN: &str = "2026-07-28";

/// A request of the stateless protocol, with the headers that it needs.
pub(crate) fn modern(method: &str, params: Value) -> Ask {
    modern_of(MODERN, method, params)
}

pub(crate) fn modern_of(version: &str, method: &str, mut params: Value) -> Ask {
    let mut meta = json!({
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "modern", "version": "1" },
    });
    if let Some(token) = params.get("progressToken").cloned() {
        meta["progressToken"] = token;
    }
    params["_meta"] = meta;
    let name = params.get("name").and_then(Value::as_str).map(str::to_owned);
    let ask = Ask::message(&request(method, params))
        .with("MCP-Protocol-Version", version)
        .with("Mcp-Method", method);
    match name {
        Some(name) => ask.with("Mcp-Name", &name),
        None => ask,
    }
}
