//! Accepts connections, up to a limit, and closes those that send nothing.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

use super::endpoint::Endpoint;
use super::reply::Refusal;
use super::stall::Stall;
use crate::caught::{BROKEN_OFF, awaited};

/// More wait in the system's queue.
const CONNECTIONS_MAX: u32 = 256;
const HEADER_BYTES_MAX: usize = 32 * 1024;
/// Also the idle time between two requests.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);
/// Most likely the process has no file descriptors left: retrying at once doesn't help.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Runs until `ending` is cancelled and the last connection is done.
pub(super) async fn serve(
    listener: TcpListener,
    endpoint: Arc<Endpoint>,
    ending: CancellationToken,
) {
    let places = Arc::new(Semaphore::new(CONNECTIONS_MAX as usize));
    let accepting = accept_all(&listener, &places, &endpoint, &ending);
    tokio::select! {
        () = accepting => {}
        () = ending.cancelled() => {}
    }
    drop(listener);
    // All permits are free once the last connection is done.
    let _ = places.acquire_many(CONNECTIONS_MAX).await;
}

async fn accept_all(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
    endpoint: &Arc<Endpoint>,
    ending: &CancellationToken,
) {
    while let Ok(place) = places.clone().acquire_owned().await {
        match listener.accept().await {
            Ok((stream, _)) => {
                tokio::spawn(connection(stream, endpoint.clone(), ending.clone(), place));
            }
            Err(_) => tokio::time::sleep(ACCEPT_PAUSE).await,
        }
    }
}

async fn connection(
    stream: TcpStream,
    endpoint: Arc<Endpoint>,
    ending: CancellationToken,
    place: OwnedSemaphorePermit,
) {
    // If this fails, answers only arrive later.
    let _ = stream.set_nodelay(true);
    let stream = TokioIo::new(Stall::new(stream, WRITE_TIMEOUT));
    let answering = service_fn(move |request| {
        let endpoint = endpoint.clone();
        async move {
            let broken = |_| Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, BROKEN_OFF).into();
            Ok::<_, Infallible>(awaited(endpoint.answer(request)).await.unwrap_or_else(broken))
        }
    });
    let serving = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT)
        .max_header_size(HEADER_BYTES_MAX)
        .max_buf_size(2 * HEADER_BYTES_MAX)
        .serve_connection(stream, answering);
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
