//! What answers at `/mcp`. The message of a request that was let in is read and checked here within limits, and
//! then the SDK handles it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::{Body, HttpBody};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::header::{AUTHORIZATION, HeaderMap};
use http::request::Parts;
use http::{Method, Request, StatusCode};
use http_body_util::{Empty, Full};
use oldhand_http::Refusal;
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, JsonRpcMessage};
use rmcp::transport::streamable_http_server::session::SessionManager;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::sync::{Mutex, Semaphore};
use tokio_util::sync::CancellationToken;

use super::idle::Heard;
use super::message::{linger, read, takes_answers};
use super::reply::{Listening, Seat, finish, hold};
use crate::MESSAGE_BYTES_MAX;
use crate::port::{Guest, Port};
use crate::server::{Server, Turns};

/// Running or queued requests. Listening streams are counted separately.
const REQUESTS_MAX: usize = 64;
/// Incoming bodies. Counted separately, so that a cancellation gets through when all requests are
/// taken.
const BODIES_MAX: usize = 64;
const STREAMS_MAX: usize = 128;
const SESSIONS_MAX: usize = 128;
const SESSION: &str = "mcp-session-id";
const SESSION_IDLE: Duration = Duration::from_secs(30 * 60);
/// How long an answer is kept for a client that reconnects.
const ANSWERED_TTL: Duration = Duration::from_secs(5);

/// Requests that were let in are answered here.
pub struct Endpoint {
    protocol: StreamableHttpService<Server, LocalSessionManager>,
    sessions: Arc<LocalSessionManager>,
    heard: Heard,
    /// Sessions begin one at a time, so that their count stays right.
    beginning: Mutex<()>,
    requests: Arc<Semaphore>,
    bodies: Semaphore,
    streams: Arc<Semaphore>,
    ending: CancellationToken,
}

impl Endpoint {
    /// `ending` ends streams.
    pub fn new(port: Arc<dyn Port>, ending: CancellationToken) -> Self {
        let mut sessions = LocalSessionManager::default();
        sessions.session_config.keep_alive = Some(SESSION_IDLE);
        sessions.session_config.completed_cache_ttl = ANSWERED_TTL;
        // No empty event at the start of a stream: older clients take it for a message.
        sessions.session_config.sse_retry = None;
        let sessions = Arc::new(sessions);
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(true)
            .with_json_response(true)
            .with_sse_retry(None)
            // The gate has checked the host and the origin.
            .disable_allowed_hosts()
            .disable_allowed_origins()
            .with_max_request_body_bytes(MESSAGE_BYTES_MAX);
        let turns = Arc::new(Turns::default());
        let new_server = move || Ok(Server::new(port.clone(), turns.clone(), None));
        Self {
            protocol: StreamableHttpService::new(new_server, sessions.clone(), config),
            sessions,
            heard: Heard::default(),
            beginning: Mutex::new(()),
            requests: Arc::new(Semaphore::new(REQUESTS_MAX)),
            bodies: Semaphore::new(BODIES_MAX),
            streams: Arc::new(Semaphore::new(STREAMS_MAX)),
            ending,
        }
    }

    /// Cancels everything that is still running.
    pub fn stop(&self) {
        self.protocol.config.cancellation_token.cancel();
    }

    /// A message, a stream or the end of a session: POST, GET or DELETE.
    pub async fn answer(&self, request: Request<Body>) -> Response {
        let (parts, body) = request.into_parts();
        let mut reply = if !self.knows(&parts).await {
            linger(&parts.headers, body);
            let text = "this session is over; start again with `initialize`";
            Refusal::new(StatusCode::NOT_FOUND, text).into_response()
        } else if parts.method == Method::DELETE {
            gone(self.pass(parts, Empty::new()).await)
        } else if parts.method == Method::POST {
            self.post(parts, body).await
        } else {
            self.listen(parts).await
        };
        finish(&mut reply, None);
        reply
    }

    /// Whether the request has no session, or one that exists and is theirs.
    async fn knows(&self, parts: &Parts) -> bool {
        let Some(session) = parts.headers.get(SESSION) else { return true };
        let Ok(session) = session.to_str() else { return false };
        let owner = owner(parts);
        let is_there = self.sessions.sessions.read().await.contains_key(session);
        let is_theirs = is_there && self.heard.is_of(session, &owner);
        if is_theirs {
            self.heard.note(session, &owner, Instant::now());
        }
        is_theirs
    }

    async fn post(&self, mut parts: Parts, mut body: Body) -> Response {
        let (bytes, message) = match self.read(&parts.headers, &mut body).await {
            Ok(read) => read,
            Err(refusal) => {
                linger(&parts.headers, body);
                return refusal.into_response();
            }
        };
        let JsonRpcMessage::Request(request) = *message else {
            return self.pass(parts, Full::new(bytes)).await;
        };
        let is_beginning = matches!(request.request, ClientRequest::InitializeRequest(_));
        // Its arguments may be large, and the SDK parses them again.
        drop(request);
        let Ok(place) = self.requests.clone().try_acquire_owned() else {
            return Refusal::busy("too many requests are at work; try again in a few seconds")
                .into_response();
        };
        let place: Seat = Arc::new(place);
        // The request keeps its place too: it continues when its client is gone.
        parts.extensions.insert(place.clone());
        let reply = if is_beginning {
            self.begin(parts, bytes).await
        } else {
            self.pass(parts, Full::new(bytes)).await
        };
        hold(reply, place)
    }

    async fn begin(&self, parts: Parts, bytes: Bytes) -> Response {
        let _alone = self.beginning.lock().await;
        let there: Vec<String> =
            self.sessions.sessions.read().await.keys().map(ToString::to_string).collect();
        let silent = self.heard.most_silent(&there, Instant::now());
        if there.len() >= SESSIONS_MAX {
            let Some(silent) = silent else {
                let text = "too many sessions are at work; end one with DELETE, or try again later";
                return Refusal::busy(text).into_response();
            };
            // If its client comes back, it gets 404 and starts over.
            let _ = self.sessions.close_session(&silent.into()).await;
        }
        let owner = owner(&parts);
        let reply = self.pass(parts, Full::new(bytes)).await;
        if let Some(session) = reply.headers().get(SESSION).and_then(|it| it.to_str().ok()) {
            self.heard.note(session, &owner, Instant::now());
        }
        reply
    }

    async fn listen(&self, parts: Parts) -> Response {
        let Ok(place) = self.streams.clone().try_acquire_owned() else {
            return Refusal::busy("too many streams are open; close one, or try again later")
                .into_response();
        };
        let reply = self.pass(parts, Empty::new()).await;
        let end = Box::pin(self.ending.clone().cancelled_owned());
        hold(reply.map(|body| Body::new(Listening { body, end })), Arc::new(place))
    }

    /// Hands the request to the SDK, without the token.
    async fn pass<B>(&self, mut parts: Parts, body: B) -> Response
    where
        B: HttpBody<Data = Bytes, Error = std::convert::Infallible> + Send + 'static,
    {
        parts.headers.remove(AUTHORIZATION);
        self.protocol.handle(Request::from_parts(parts, body)).await.map(Body::new)
    }

    async fn read(
        &self,
        headers: &HeaderMap,
        body: &mut Body,
    ) -> Result<(Bytes, Box<ClientJsonRpcMessage>), Refusal> {
        takes_answers(headers)?;
        let Ok(_place) = self.bodies.try_acquire() else {
            let text = "too many messages are coming in; try again in a few seconds";
            return Err(Refusal::busy(text));
        };
        read(body).await
    }
}

/// Some clients accept only 200 and 204 as the end of a session.
fn gone(mut reply: Response) -> Response {
    if reply.status() == StatusCode::ACCEPTED {
        *reply.status_mut() = StatusCode::NO_CONTENT;
    }
    reply
}

/// Whose sessions a request may use.
fn owner(parts: &Parts) -> String {
    parts.extensions.get().map_or_else(String::new, |guest: &Guest| guest.owner.clone())
}
