//! A server over HTTP, and connections to it that are kept: just enough of HTTP for this.

use std::fs::OpenOptions;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::OpenOptionsExt;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::super::path_text;
use super::super::store::Store;
use super::talk;
use crate::failure::Failure;

const TOKEN: &str = "bench-8f1c0b6a2d9e4735a1c86f0e9b24d7f3";
const LOOPBACK: &str = "127.0.0.1:";
const PATIENCE: Duration = Duration::from_secs(30);

pub(super) struct Host {
    child: Child,
    address: String,
}

impl Host {
    pub(super) fn start(store: &Store) -> Result<Self, Failure> {
        let file = store.folder.join("token");
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true).mode(0o600);
        options.open(&file)?.write_all(TOKEN.as_bytes())?;
        let (listen, file) = (format!("{LOOPBACK}0"), path_text(&file));
        let mut command = store.command(&["mcp", "--http", &listen, "--token-file", &file]);
        let mut child = command.stderr(Stdio::piped()).spawn()?;
        let Some(stderr) = child.stderr.take() else {
            return Err(Failure::new("the server has no standard error"));
        };
        // From here on it is ended with this value, whatever happens.
        let mut host = Self { child, address: String::new() };
        let mut stderr = BufReader::new(stderr);
        host.address = listening(&mut stderr)?;
        // What else it says must not fill the pipe.
        std::thread::spawn(move || io::copy(&mut stderr, &mut io::sink()));
        Ok(host)
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// A whole request; `headers` are lines with their ends.
    pub(super) fn request(&self, headers: &str, body: &Value) -> String {
        let body = body.to_string();
        format!(
            "POST /mcp HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {TOKEN}\r\n\
             Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
             {headers}Content-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        )
    }

    pub(super) fn connect(&self) -> io::Result<Connection> {
        let stream = TcpStream::connect(&self.address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        Ok(Connection { stream: BufReader::with_capacity(64 * 1024, stream) })
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn listening(stderr: &mut impl BufRead) -> Result<String, Failure> {
    let mut said = String::new();
    let mut line = String::new();
    while stderr.read_line(&mut line)? > 0 {
        if let Some(at) = line.find(LOOPBACK) {
            let port = line[at + LOOPBACK.len()..].chars().take_while(char::is_ascii_digit);
            return Ok(format!("{LOOPBACK}{}", port.collect::<String>()));
        }
        said.push_str(&line);
        line.clear();
    }
    Err(Failure::new("the server did not listen").hint(format!("it said\n{said}")))
}

/// The headers of a request of the stateless version.
pub(super) fn stateless_headers(method: &str, tool: &str) -> String {
    let version = talk::STATELESS;
    let name = if tool.is_empty() { String::new() } else { format!("Mcp-Name: {tool}\r\n") };
    format!("MCP-Protocol-Version: {version}\r\nMcp-Method: {method}\r\n{name}")
}

pub(super) struct Connection {
    stream: BufReader<TcpStream>,
}

pub(super) struct Reply {
    pub status: u16,
    /// The session that the server opened.
    pub session: Option<String>,
    pub body: Vec<u8>,
}

impl Connection {
    /// Returns when all of the reply is there: the connection is free again.
    pub(super) fn send(&mut self, request: &str) -> io::Result<Reply> {
        self.stream.get_mut().write_all(request.as_bytes())?;
        let mut line = String::new();
        self.line(&mut line)?;
        let status = line.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
        let mut reply = Reply { status, session: None, body: Vec::new() };
        let (mut length, mut is_chunked) = (0, false);
        loop {
            self.line(&mut line)?;
            let Some((name, value)) = line.split_once(':') else { break };
            let value = value.trim();
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.parse().unwrap_or(0),
                "transfer-encoding" => is_chunked = value.eq_ignore_ascii_case("chunked"),
                "mcp-session-id" => reply.session = Some(value.to_owned()),
                _ => {}
            }
        }
        if is_chunked {
            while self.chunk(&mut reply.body)? {}
        } else {
            self.take(length, &mut reply.body)?;
        }
        Ok(reply)
    }

    fn chunk(&mut self, body: &mut Vec<u8>) -> io::Result<bool> {
        let mut line = String::new();
        self.line(&mut line)?;
        let size = line.split(';').next().unwrap_or_default();
        let size = usize::from_str_radix(size.trim(), 16).map_err(io::Error::other)?;
        self.take(size, body)?;
        self.line(&mut line)?;
        Ok(size > 0)
    }

    fn take(&mut self, size: usize, body: &mut Vec<u8>) -> io::Result<()> {
        let start = body.len();
        body.resize(start + size, 0);
        self.stream.read_exact(&mut body[start..])
    }

    fn line(&mut self, line: &mut String) -> io::Result<()> {
        line.clear();
        if self.stream.read_line(line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        line.truncate(line.trim_end().len());
        Ok(())
    }

    /// The answer, and how long it took.
    pub(super) fn ask(&mut self, request: &str) -> Result<(Duration, Value), Failure> {
        let start = Instant::now();
        let reply = self.send(request)?;
        let elapsed = start.elapsed();
        let answer = answer(&reply)?;
        talk::result(&answer)?;
        Ok((elapsed, answer))
    }
}

/// The message in a reply, plain or as an event.
fn answer(reply: &Reply) -> Result<Value, Failure> {
    let text = String::from_utf8_lossy(&reply.body);
    let events = text.lines().filter_map(|line| line.strip_prefix("data:"));
    let found = std::iter::once(text.as_ref())
        .chain(events)
        .filter_map(|text| serde_json::from_str::<Value>(text.trim()).ok())
        .find(|message| message.is_object() && message["method"].is_null());
    found.ok_or_else(|| Failure::new(format!("no answer: status {}, `{text}`", reply.status)))
}
