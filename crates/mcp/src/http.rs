//! A server over streamable HTTP, for many clients: how it listens and shuts down. `gate` decides
//! who may send requests, `endpoint` handles them.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use http::Method;
use oldhand_http::{Limits, bind, end_signal, serve_until};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::port::Port;
pub use endpoint::Endpoint;
use gate::Gate;
use message::linger;
use reply::{finish, preflight_reply};

mod endpoint;
mod gate;
mod idle;
mod message;
mod reply;

const LIMITS: Limits = Limits { connections: 256 };

#[derive(Debug, Clone)]
pub struct HttpOptions {
    pub address: SocketAddr,
    /// Required in each request as `Authorization: Bearer`.
    pub token: String,
    /// Allowed names in `Host`, in addition to loopback.
    pub hosts: Vec<String>,
    /// Web origins that may send requests.
    pub origins: Vec<String>,
}

/// Runs until a signal to end. `ready` gets the address once connections are accepted.
pub fn serve_http(
    port: Arc<dyn Port>,
    options: HttpOptions,
    ready: impl FnOnce(SocketAddr),
) -> io::Result<()> {
    let runtime = crate::stdio::runtime()?;
    let deadline = runtime.block_on(serve(port, options, ready))?;
    // A write that nobody waits for still gets the rest of the time.
    runtime.shutdown_timeout(deadline.saturating_duration_since(Instant::now()));
    Ok(())
}

/// Returns the deadline for everything that is still running.
async fn serve(
    port: Arc<dyn Port>,
    options: HttpOptions,
    ready: impl FnOnce(SocketAddr),
) -> io::Result<Instant> {
    let listener = bind(options.address).await?;
    let address = listener.local_addr()?;
    let gate = Gate::new(address, options)?;
    let ending = CancellationToken::new();
    let (gate, endpoint) = (Arc::new(gate), Arc::new(Endpoint::new(port, ending.clone())));
    let answering = endpoint.clone();
    let router = Router::new().fallback(move |request: Request| {
        let (gate, endpoint) = (gate.clone(), answering.clone());
        async move { answer(&gate, &endpoint, request).await }
    });
    let end = end_signal()?;
    let end = async {
        ready(address);
        end.await;
    };
    let deadline = serve_until(listener, router, LIMITS, ending, end).await;
    endpoint.stop();
    Ok(deadline)
}

/// The server of one user: the gate lets in whoever has its token.
async fn answer(gate: &Gate, endpoint: &Endpoint, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let (origin, admitted) = match gate.address(&parts) {
        Ok(origin) => (origin.clone(), gate.admit(&parts, origin.is_some())),
        Err(refusal) => (None, Err(refusal)),
    };
    let mut reply = match admitted {
        Err(refusal) => {
            linger(&parts.headers, body);
            refusal.into_response()
        }
        Ok(()) if parts.method == Method::OPTIONS => preflight_reply(),
        Ok(()) => endpoint.answer(Request::from_parts(parts, body)).await,
    };
    finish(&mut reply, origin);
    reply
}
