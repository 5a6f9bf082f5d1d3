//! What is sent back: refusals that say what to do next, and the headers that all answers carry.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, CACHE_CONTROL, CONTENT_TYPE, HeaderName,
    HeaderValue, RETRY_AFTER, VARY, X_CONTENT_TYPE_OPTIONS,
};
use http::{Response, StatusCode};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Frame};
use rmcp::model::ServerJsonRpcMessage;
use serde_json::json;
use tokio::sync::OwnedSemaphorePermit;
use tokio_util::sync::WaitForCancellationFutureOwned;

const RETRY_AFTER_SECONDS: HeaderValue = HeaderValue::from_static("5");
const JSON: HeaderValue = HeaderValue::from_static("application/json");

pub(super) type Reply = Response<BoxBody<Bytes, Infallible>>;
/// A permit that is free again when its last owner is dropped.
pub(super) type Seat = Arc<OwnedSemaphorePermit>;

/// Keeps the permit until the last byte of the body is sent.
pub(super) fn hold(reply: Reply, place: Seat) -> Reply {
    let held = move |never: Infallible| {
        let _held = &place;
        never
    };
    reply.map(|body| body.map_err(held).boxed())
}

/// A stream that ends when the server shuts down.
pub(super) struct Listening {
    pub(super) body: BoxBody<Bytes, Infallible>,
    pub(super) end: Pin<Box<WaitForCancellationFutureOwned>>,
}

impl Body for Listening {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match self.end.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(None),
            Poll::Pending => Pin::new(&mut self.body).poll_frame(context),
        }
    }
}

/// An error response that says what to do next.
#[derive(Debug)]
pub(super) struct Refusal {
    status: StatusCode,
    body: Vec<u8>,
    header: Option<(HeaderName, HeaderValue)>,
}

impl Refusal {
    pub(super) fn new(status: StatusCode, text: &str) -> Self {
        let body = json!({ "error": text }).to_string().into_bytes();
        Self { status, body, header: None }
    }

    pub(super) fn busy(text: &str) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, text).with(RETRY_AFTER, RETRY_AFTER_SECONDS)
    }

    /// A JSON-RPC error, for a message that is not passed on.
    pub(super) fn of_message(status: StatusCode, error: &ServerJsonRpcMessage) -> Self {
        let body = crate::mistake::to_bytes(error).unwrap_or_default();
        Self { status, body, header: None }
    }

    pub(super) fn with(self, name: HeaderName, value: HeaderValue) -> Self {
        Self { header: Some((name, value)), ..self }
    }
}

impl From<Refusal> for Reply {
    fn from(refusal: Refusal) -> Self {
        let mut reply = Response::new(Full::from(refusal.body).boxed());
        *reply.status_mut() = refusal.status;
        reply.headers_mut().insert(CONTENT_TYPE, JSON);
        reply.headers_mut().extend(refusal.header);
        reply
    }
}

pub(super) fn preflight_reply() -> Reply {
    let mut reply = Response::new(Full::default().boxed());
    *reply.status_mut() = StatusCode::NO_CONTENT;
    let headers = reply.headers_mut();
    let methods = HeaderValue::from_static("POST, GET, DELETE");
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, methods);
    let allowed = HeaderValue::from_static(
        "authorization, content-type, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, \
         last-event-id",
    );
    headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, allowed);
    headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    reply
}

/// `origin` is an allowed one.
pub(super) fn finish(reply: &mut Reply, origin: Option<HeaderValue>) {
    let headers = reply.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    let Some(origin) = origin else { return };
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("mcp-session-id"));
    headers.insert(VARY, HeaderValue::from_static("Origin"));
}
