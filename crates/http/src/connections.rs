//! Accepts connections, up to a limit, and closes those that send nothing.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
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
    /// Connections at the same time; another one takes the place of one that nothing was done for.
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
    let strangers = Arc::new(Strangers::default());
    let accepting = accept_all(&listener, (&places, &strangers), &router, &ending);
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

/// Connections that nothing was done for yet, or whose last request was refused, the oldest first.
/// When all places are taken, one of these gives up its own: whoever sends nothing, or knows no
/// token, keeps nobody out.
#[derive(Default)]
struct Strangers(Mutex<Waiting>);

#[derive(Default)]
struct Waiting {
    next: u64,
    ends: BTreeMap<u64, CancellationToken>,
}

impl Strangers {
    fn with<T>(&self, change: impl FnOnce(&mut Waiting) -> T) -> T {
        // Nothing in here panics half-way.
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn add(&self, end: &CancellationToken) -> u64 {
        self.with(|waiting| {
            waiting.next += 1;
            waiting.ends.insert(waiting.next, end.clone());
            waiting.next
        })
    }

    fn remove(&self, number: u64) {
        self.with(|waiting| waiting.ends.remove(&number));
    }

    fn close_oldest(&self) {
        let oldest = self.with(|waiting| waiting.ends.pop_first());
        oldest.into_iter().for_each(|(_, end)| end.cancel());
    }
}

async fn accept_all(
    listener: &TcpListener,
    (places, strangers): (&Arc<Semaphore>, &Arc<Strangers>),
    router: &Router,
    ending: &CancellationToken,
) {
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(_) => {
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        if places.available_permits() == 0 {
            strangers.close_oldest();
        }
        let Ok(place) = places.clone().acquire_owned().await else { return };
        let (router, ending) = (router.clone(), ending.clone());
        tokio::spawn(connection(stream, router, ending, (place, strangers.clone())));
    }
}

async fn connection(
    stream: TcpStream,
    router: Router,
    ending: CancellationToken,
    (place, strangers): (OwnedSemaphorePermit, Arc<Strangers>),
) {
    let end = CancellationToken::new();
    let number = Arc::new(AtomicU64::new(strangers.add(&end)));
    let router = TowerToHyperService::new(router);
    let service = service_fn(|request| {
        strangers.remove(number.load(Ordering::Relaxed));
        let answered = router.call(request);
        let (strangers, number, end) = (&strangers, &number, &end);
        async move {
            let answered = answered.await;
            if answered.as_ref().is_ok_and(|it: &Response| it.status().is_client_error()) {
                number.store(strangers.add(end), Ordering::Relaxed);
            }
            answered
        }
    });
    // If this fails, answers only arrive later.
    let _ = stream.set_nodelay(true);
    let stream = TokioIo::new(Stall::new(stream, WRITE_TIMEOUT));
    let serving = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT)
        .max_header_size(HEADER_BYTES_MAX)
        .max_buf_size(2 * HEADER_BYTES_MAX)
        .serve_connection(stream, service);
    let mut serving = std::pin::pin!(serving);
    // An error means that the client hung up or doesn't speak HTTP: nobody is left to answer.
    tokio::select! {
        _ = serving.as_mut() => {}
        () = end.cancelled() => {}
        () = ending.cancelled() => {
            serving.as_mut().graceful_shutdown();
            let _ = serving.await;
        }
    }
    strangers.remove(number.load(Ordering::Relaxed));
    drop(place);
}
