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
use hyper::body::{Body, Frame, SizeHint};
use rmcp::model::ServerJsonRpcMessage;
use serde_json::json;
use tokio::sync::OwnedSemaphorePermit;
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

const RETRY_AFTER_SECONDS: HeaderValue = HeaderValue::from_static("5");
const JSON: HeaderValue = HeaderValue::from_static("application/json");

pub(super) type Reply = Response<Held>;
/// A permit that is free again when its last owner is dropped.
pub(super) type Seat = Arc<OwnedSemaphorePermit>;

/// A body that keeps its permit until its last byte is sent.
pub(super) struct Held {
    body: BoxBody<Bytes, Infallible>,
    _place: Option<Seat>,
    /// Ends a stream when the server shuts down.
    end: Option<Pin<Box<WaitForCancellationFutureOwned>>>,
}

impl Held {
    pub(super) fn new(body: BoxBody<Bytes, Infallible>) -> Self {
        Self { body, _place: None, end: None }
    }

    pub(super) fn with_place(self, place: Seat) -> Self {
        Self { _place: Some(place), ..self }
    }

    pub(super) fn until(self, ending: CancellationToken) -> Self {
        Self { end: Some(Box::pin(ending.cancelled_owned())), ..self }
    }
}

impl Body for Held {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let is_over = self.end.as_mut().is_some_and(|end| end.as_mut().poll(context).is_ready());
        if is_over {
            self.end = None;
            self.body = Full::default().boxed();
        }
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
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
        let mut reply = Response::new(Held::new(Full::from(refusal.body).boxed()));
        *reply.status_mut() = refusal.status;
        reply.headers_mut().insert(CONTENT_TYPE, JSON);
        reply.headers_mut().extend(refusal.header);
        reply
    }
}

pub(super) fn preflight_reply() -> Reply {
    let mut reply = Response::new(Held::new(Full::default().boxed()));
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
