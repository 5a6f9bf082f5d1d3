//! A server over streamable HTTP, for many clients: how it listens and shuts down. `gate` decides
//! who may send requests, `endpoint` handles them.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use oldhand_http::{Limits, bind, end_signal, serve_until};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::port::Port;
use endpoint::Endpoint;
use gate::Gate;

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
    let endpoint = Arc::new(Endpoint::new(port, gate, ending.clone()));
    let answering = endpoint.clone();
    let router = Router::new().fallback(move |request: Request| {
        let endpoint = answering.clone();
        async move { endpoint.answer(request).await }
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
