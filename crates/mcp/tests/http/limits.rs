//! So much and no more.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Instant;

use oldhand_mcp::MESSAGE_BYTES_MAX;
use serde_json::json;

use crate::client::{Ask, Open, begin_session, initialize, modern};
use crate::fake::{PATIENCE, start};

fn discover() -> Ask {
    modern("server/discover", json!({}))
}

/// Bytes that never become a message, until all are sent or nobody takes them any more.
pub(crate) fn pour(stream: &mut TcpStream, bytes: usize, is_chunked: bool) {
    let piece = vec![b' '; 64 * 1024];
    let mut sent = 0;
    while sent < bytes {
        let written = if is_chunked {
            stream
                .write_all(b"10000\r\n")
                .and_then(|()| stream.write_all(&piece))
                .and_then(|()| stream.write_all(b"\r\n"))
        } else {
            stream.write_all(&piece)
        };
        match written {
            Ok(()) => sent += piece.len(),
            Err(error) => {
                assert!(matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::ConnectionReset));
                return;
            }
        }
    }
    if is_chunked {
        let _ = stream.write_all(b"0\r\n\r\n");
    }
}

/// The answer comes although the sender does not look before all is sent.
pub(crate) fn check_too_large(address: SocketAddr, bytes: usize, is_chunked: bool) {
    let framing = if is_chunked {
        "Transfer-Encoding: chunked\r\n".to_owned()
    } else {
        format!("Content-Length: {bytes}\r\n")
    };
    let mut stream = Ask::post("").begin(address, framing);
    pour(&mut stream, bytes, is_chunked);
    let told = Open::of(stream).read().is(413).has_code(-32600);
    assert!(told.text().contains(&MESSAGE_BYTES_MAX.to_string()));
}

#[test]
fn a_message_may_be_so_large() {
    let server = start();
    let message = initialize("large").to_string();
    let padded = |length: usize| message.clone() + &" ".repeat(length - message.len());
    Ask::post(padded(MESSAGE_BYTES_MAX)).send(server.address).is(200);
    Ask::post(padded(MESSAGE_BYTES_MAX + 1)).send(server.address).is(413).has_code(-32600);
    for is_chunked in [false, true] {
        check_too_large(server.address, 16 * 1024 * 1024, is_chunked);
    }
}

#[test]
fn a_message_may_have_so_many_values() {
    let server = start();
    let echo = |value| modern("tools/call", json!({ "name": "echo", "arguments": { "a": value } }));
    let told = echo(json!(vec![0; 20_000])).send(server.address).is(413).has_code(-32600);
    assert!(told.text().contains("20000 values"), "{}", told.text());
    echo(json!(vec![0; 19_000])).send(server.address).is(200);
    echo(json!("\\\",[{".repeat(100_000))).send(server.address).is(200);
}

#[test]
fn who_asks_before_sending_too_much_need_not_send() {
    let server = start();
    let framing = "Content-Length: 99999999999\r\nExpect: 100-continue\r\n".to_owned();
    Open::of(Ask::post("").begin(server.address, framing)).read().is(413);
}

#[test]
fn headers_may_be_so_large() {
    let server = start();
    let with = |length| discover().with("X-Long", &"x".repeat(length));
    with(16 * 1024).send(server.address).is(200);
    with(33 * 1024).send(server.address).is(431);
}

#[test]
fn so_many_sessions() {
    let server = start();
    let first = begin_session(server.address, "first");
    for _ in 1..128 {
        Ask::message(&initialize("many")).send(server.address).is(200);
    }
    let told = Ask::message(&initialize("more")).send(server.address).is(503);
    assert!(told.header("retry-after").is_some());
    assert!(told.text().contains("DELETE"), "{}", told.text());
    discover().send(server.address).is(200);
    Ask::new("DELETE").with("Mcp-Session-Id", &first).send(server.address).is(204);
    Ask::message(&initialize("more")).send(server.address).is(200);
}

/// Asks until it is so: what other connections sent may still be on its way.
#[track_caller]
fn becomes(address: SocketAddr, status: u16) {
    let began = Instant::now();
    while discover().send(address).status != status {
        assert!(began.elapsed() < PATIENCE, "never {status}");
        std::thread::yield_now();
    }
}

#[test]
fn so_many_requests_at_once() {
    let server = start();
    let call = json!({ "name": "slow", "arguments": { "steps": 100_000 } });
    let call = modern("tools/call", call);
    let open: Vec<Open> = (0..64).map(|_| call.open(server.address)).collect();
    becomes(server.address, 503);
    let told = discover().send(server.address).is(503);
    assert!(told.header("retry-after").is_some());
    let cancel = json!({
        "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 7 },
    });
    let cancel = Ask::message(&cancel).with("MCP-Protocol-Version", "2026-07-28");
    let cancel = cancel.with("Mcp-Method", "notifications/cancelled");
    cancel.send(server.address).is(202);
    drop(open);
    becomes(server.address, 200);
}

/// R546: half-open connections make room for whoever asks something, the oldest first.
#[test]
fn who_sends_nothing_keeps_nobody_out() {
    let server = start();
    let connect = |_| TcpStream::connect(server.address).unwrap();
    let mut silent: Vec<TcpStream> = (0..300).map(connect).collect();
    discover().send(server.address).is(200);
    // Nobody waited until their time was over.
    silent[250].set_nonblocking(true).unwrap();
    let young = silent[250].read(&mut [0]);
    assert!(young.is_err_and(|error| error.kind() == ErrorKind::WouldBlock));
    silent[0].set_read_timeout(Some(PATIENCE)).unwrap();
    assert!(matches!(silent[0].read(&mut [0]), Ok(0) | Err(_)));
}

#[test]
fn who_listens_takes_no_place_from_those_who_ask() {
    let server = start();
    let mut open = Vec::new();
    // One session may have a few dozen only: the oldest make room.
    for _ in 0..8 {
        let session = begin_session(server.address, "listener");
        let listen = Ask::new("GET").with("Mcp-Session-Id", &session);
        for _ in 0..16 {
            let mut one = listen.open(server.address);
            assert_eq!(one.line(), "HTTP/1.1 200 OK");
            open.push(one);
        }
    }
    let session = begin_session(server.address, "late");
    let listen = Ask::new("GET").with("Mcp-Session-Id", &session);
    let told = listen.send(server.address).is(503);
    assert!(told.header("retry-after").is_some());
    discover().send(server.address).is(200);
}
