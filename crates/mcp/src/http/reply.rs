//! What is sent back: bodies that keep their place, and the headers that all answers carry.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::response::Response;
use http::StatusCode;
use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, CACHE_CONTROL, HeaderValue, VARY,
    X_CONTENT_TYPE_OPTIONS,
};
use http_body::Frame;
use http_body_util::BodyExt;
use tokio::sync::OwnedSemaphorePermit;
use tokio_util::sync::WaitForCancellationFutureOwned;

/// A permit that is free again when its last owner is dropped.
pub(super) type Seat = Arc<OwnedSemaphorePermit>;

/// Keeps the permit until the last byte of the body is sent.
pub(super) fn hold(reply: Response, place: Seat) -> Response {
    let held = move |error| {
        let _held = &place;
        error
    };
    reply.map(|body| Body::new(body.map_err(held)))
}

/// A stream that ends when the server shuts down.
pub(super) struct Listening {
    pub(super) body: Body,
    pub(super) end: Pin<Box<WaitForCancellationFutureOwned>>,
}

impl HttpBody for Listening {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        match self.end.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(None),
            Poll::Pending => Pin::new(&mut self.body).poll_frame(context),
        }
    }
}

pub(super) fn preflight_reply() -> Response {
    let mut reply = Response::new(Body::empty());
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
pub(super) fn finish(reply: &mut Response, origin: Option<HeaderValue>) {
    let headers = reply.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    let Some(origin) = origin else { return };
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("mcp-session-id"));
    headers.insert(VARY, HeaderValue::from_static("Origin"));
}
