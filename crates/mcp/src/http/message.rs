//! Reads one message: checks its headers, limits its size and time, and answers one that can't be
//! read.

use std::time::Duration;

use axum::body::{Body, HttpBody};
use bytes::Bytes;
use http::StatusCode;
use http::header::{ACCEPT, CONTENT_TYPE, EXPECT, HeaderMap, HeaderName};
use http_body_util::BodyExt;
use oldhand_http::Refusal;
use rmcp::model::{
    ClientJsonRpcMessage, ErrorCode, ErrorData, JsonRpcMessage, ServerJsonRpcMessage,
};

use crate::MESSAGE_BYTES_MAX;
use crate::mistake::{Read, read_message, too_long};

const BODY_TIMEOUT: Duration = Duration::from_secs(30);
/// How long the rest of a refused body is read and dropped, so that its sender gets to read why.
const LINGER: Duration = Duration::from_secs(5);

/// Wrong params are answered with 200: clients don't read the body of a 400.
fn wrong(error: &ServerJsonRpcMessage) -> Refusal {
    let is_answer = matches!(error, JsonRpcMessage::Error(error)
        if error.id.is_some() && error.error.code == ErrorCode::INVALID_PARAMS);
    let status = if is_answer { StatusCode::OK } else { StatusCode::BAD_REQUEST };
    of_message(status, error)
}

/// A JSON-RPC error, for a message that is not passed on.
fn of_message(status: StatusCode, error: &ServerJsonRpcMessage) -> Refusal {
    Refusal::of_json(status, crate::mistake::to_bytes(error).unwrap_or_default())
}

/// Answers come as JSON or as a stream: a client must be able to read both.
pub(super) fn takes_answers(headers: &HeaderMap) -> Result<(), Refusal> {
    let has = |name: HeaderName, part: &str| {
        // A list may be split over several headers, and case doesn't matter.
        let mut values = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
        values.any(|value| value.to_ascii_lowercase().contains(part))
    };
    if !has(ACCEPT, "application/json") || !has(ACCEPT, "text/event-stream") {
        let text = "expected the header `Accept: application/json, text/event-stream`";
        return Err(Refusal::new(StatusCode::NOT_ACCEPTABLE, text));
    }
    if !has(CONTENT_TYPE, "application/json") {
        let text = "expected the header `Content-Type: application/json`";
        return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, text));
    }
    Ok(())
}

/// The message, and its bytes for the layer below, which reads them again.
pub(super) async fn read(body: &mut Body) -> Result<(Bytes, Box<ClientJsonRpcMessage>), Refusal> {
    let Ok(bytes) = tokio::time::timeout(BODY_TIMEOUT, collect(body)).await else {
        let text = "the message took too long to arrive; send it again";
        return Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, text));
    };
    let bytes = bytes?;
    match read_message(&bytes) {
        Read::Message(message) => Ok((without_mark(bytes), message)),
        Read::TooMuch(error) => Err(of_message(StatusCode::PAYLOAD_TOO_LARGE, &error)),
        Read::Wrong(error) => Err(wrong(&error)),
        Read::Nothing => {
            let text = "expected one JSON-RPC 2.0 message; got none, or a notification whose \
                        params can't be read";
            let error = ErrorData::invalid_request(text, None);
            Err(wrong(&JsonRpcMessage::error(error, None)))
        }
    }
}

/// A client that is still sending would lose the answer if the connection were closed.
pub(super) fn linger(headers: &HeaderMap, mut body: Body) {
    // With `Expect` the client waits before it sends the body.
    if body.is_end_stream() || headers.contains_key(EXPECT) {
        return;
    }
    tokio::spawn(tokio::time::timeout(LINGER, async move {
        while let Some(Ok(_)) = body.frame().await {}
    }));
}

/// At most the size of one message, whatever `Content-Length` says.
async fn collect(body: &mut Body) -> Result<Bytes, Refusal> {
    let too_large = || of_message(StatusCode::PAYLOAD_TOO_LARGE, &too_long(&[], &[]));
    if body.size_hint().lower() > MESSAGE_BYTES_MAX as u64 {
        return Err(too_large());
    }
    // Copied, because a frame that is kept pins the whole buffer that it was read into.
    let mut bytes = Vec::new();
    while let Some(frame) = body.frame().await {
        let Ok(frame) = frame else {
            let text = "the message broke off; send it again";
            return Err(Refusal::new(StatusCode::BAD_REQUEST, text));
        };
        let Ok(data) = frame.into_data() else { continue };
        if bytes.len() + data.len() > MESSAGE_BYTES_MAX {
            return Err(too_large());
        }
        bytes.extend_from_slice(&data);
    }
    Ok(bytes.into())
}

/// The SDK refuses a byte order mark.
fn without_mark(bytes: Bytes) -> Bytes {
    let rest = bytes.strip_prefix("\u{FEFF}".as_bytes()).map(|rest| bytes.slice_ref(rest));
    rest.unwrap_or(bytes)
}
