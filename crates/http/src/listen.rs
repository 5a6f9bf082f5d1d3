//! Listening and shutting down.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use tokio::net::TcpListener;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::connections::{self, Limits};

/// How long running requests may continue after a signal to end.
const END_GRACE: Duration = Duration::from_secs(5);

/// Listens on an address, or says why that is not possible.
pub async fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    TcpListener::bind(address).await.map_err(|error| not_listening(address, &error))
}

/// Serves until `end`, then cancels `ending` and lets running requests finish. Returns the deadline
/// for everything that is still running.
pub async fn serve_until(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    ending: CancellationToken,
    end: impl Future<Output = ()>,
) -> Instant {
    let serving = tokio::spawn(connections::serve(listener, router, limits, ending.clone()));
    end.await;
    ending.cancel();
    let deadline = Instant::now() + END_GRACE;
    // Requests that are not done by then are cut off.
    let _ = tokio::time::timeout_at(deadline, serving).await;
    deadline
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
pub fn end_signal() -> io::Result<impl Future<Output = ()>> {
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
