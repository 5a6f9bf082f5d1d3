//! Accepts connections, up to a limit, and closes those that send nothing.

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tower_http::catch_panic::CatchPanicLayer;

use crate::refusal::Refusal;
use crate::stall::Stall;

/// How much of the machine a server takes.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Connections at the same time; more wait in the system's queue.
    pub connections: u32,
}

const HEADER_BYTES_MAX: usize = 32 * 1024;
/// Also the idle time between two requests.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);
/// Most likely the process has no file descriptors left: retrying at once doesn't help.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Runs until `ending` is cancelled and the last connection is done.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    ending: CancellationToken,
) {
    let router = router.layer(CatchPanicLayer::custom(broken_off));
    let places = Arc::new(Semaphore::new(limits.connections as usize));
    let accepting = accept_all(&listener, &places, &router, &ending);
    tokio::select! {
        () = accepting => {}
        () = ending.cancelled() => {}
    }
    drop(listener);
    // All permits are free once the last connection is done.
    let _ = places.acquire_many(limits.connections).await;
}

/// The reason is only in the server's log.
fn broken_off(_: Box<dyn Any + Send>) -> Response {
    Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, crate::BROKEN_OFF).into_response()
}

async fn accept_all(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
    router: &Router,
    ending: &CancellationToken,
) {
    while let Ok(place) = places.clone().acquire_owned().await {
        match listener.accept().await {
            Ok((stream, _)) => {
                tokio::spawn(connection(stream, router.clone(), ending.clone(), place));
            }
            Err(_) => tokio::time::sleep(ACCEPT_PAUSE).await,
        }
    }
}

async fn connection(
    stream: TcpStream,
    router: Router,
    ending: CancellationToken,
    place: OwnedSemaphorePermit,
) {
    // If this fails, answers only arrive later.
    let _ = stream.set_nodelay(true);
    let stream = TokioIo::new(Stall::new(stream, WRITE_TIMEOUT));
    let serving = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT)
        .max_header_size(HEADER_BYTES_MAX)
        .max_buf_size(2 * HEADER_BYTES_MAX)
        .serve_connection(stream, TowerToHyperService::new(router));
    let mut serving = std::pin::pin!(serving);
    // An error means that the client hung up or doesn't speak HTTP: nobody is left to answer.
    tokio::select! {
        _ = serving.as_mut() => {}
        () = ending.cancelled() => {
            serving.as_mut().graceful_shutdown();
            let _ = serving.await;
        }
    }
    drop(place);
}
