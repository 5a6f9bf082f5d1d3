//! A server over streamable HTTP, for many clients: how it listens and shuts down. `gate` decides
//! who may send requests, `endpoint` handles them.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::port::Port;
use endpoint::Endpoint;
use gate::Gate;

mod connections;
mod endpoint;
mod gate;
mod idle;
mod message;
mod names;
mod reply;
mod stall;

/// How long running requests may continue after a signal to end.
const END_GRACE: Duration = Duration::from_secs(5);

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
    let listener = TcpListener::bind(options.address)
        .await
        .map_err(|error| not_listening(options.address, &error))?;
    let address = listener.local_addr()?;
    let gate = Gate::new(address, options)?;
    let ending = CancellationToken::new();
    let endpoint = Arc::new(Endpoint::new(port, gate, ending.clone()));
    let end = end_signal()?;
    let serving = tokio::spawn(connections::serve(listener, endpoint.clone(), ending.clone()));
    ready(address);
    end.await;
    ending.cancel();
    let deadline = Instant::now() + END_GRACE;
    // Requests that are not done by then are cut off.
    let _ = tokio::time::timeout_at(deadline, serving).await;
    endpoint.stop();
    Ok(deadline)
}

fn not_listening(address: SocketAddr, error: &io::Error) -> io::Error {
    let why = match error.kind() {
        io::ErrorKind::AddrInUse => "another process does; choose another port",
        io::ErrorKind::AddrNotAvailable => "this machine has no such address",
        io::ErrorKind::PermissionDenied => "not permitted; choose a port above 1023",
        _ => &error.to_string(),
    };
    io::Error::new(error.kind(), format!("could not listen on {address}: {why}"))
}

/// Signals count from this call on, not from the first poll.
fn end_signal() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}
