//! The server of the dashboard: loopback only, under a name of this run, until a signal or an hour
//! without a request.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use http::{Method, StatusCode};
use oldhand_http::{Limits, Refusal, bind, end_signal, serve_until};
use tokio::runtime::Builder;
use tokio_util::sync::CancellationToken;
use tower_http::compression::CompressionLayer;
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::timeout::{RequestBodyTimeoutLayer, TimeoutLayer};

use crate::app::{App, Inner};
use crate::door::{Door, Random, Session};
use crate::house::House;
use crate::{assets, doing, entry, frame, news, pages, reply};

const LIMITS: Limits = Limits { connections: 32 };
const BODY_BYTES_MAX: usize = 1024 * 1024;
const BODY_TIMEOUT: Duration = Duration::from_secs(30);
/// A page that takes longer is given up; a stream of news begins at once.
const PAGE_TIMEOUT: Duration = Duration::from_secs(60);
/// Without a request for so long, the server ends.
const IDLE_MAX: Duration = Duration::from_secs(60 * 60);
/// Pages that are made at the same time; more are queued. Few, because each thread holds on to
/// memory that it once needed.
const THREADS_MAX: usize = 2;

/// Under which name the dashboard is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Address {
    /// `oh-<random>.localhost`: cookies of a name that nobody else serves reach nobody else.
    OwnName,
    /// `127.0.0.1`, for browsers that can't resolve the other.
    PlainHost,
}

pub struct UiOptions {
    /// 0 picks a free one.
    pub port: u16,
    pub address: Address,
    pub random: Random,
}

/// The running server, for whoever started it.
pub struct Opened {
    door: Arc<Door>,
    base: String,
    ending: CancellationToken,
}

impl Opened {
    /// An address that lets one browser in, within a minute.
    pub fn new_address(&self) -> String {
        format!("{}{}#{}", self.base, entry::PATH, self.door.new_ticket())
    }

    pub fn stop(&self) {
        self.ending.cancel();
    }
}

/// Runs until a signal to end, until `Opened::stop`, or until nobody has asked for an hour.
pub fn serve_ui(
    house: Arc<dyn House>,
    options: UiOptions,
    ready: impl FnOnce(Opened),
) -> io::Result<()> {
    let runtime = Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .max_blocking_threads(THREADS_MAX)
        .build()?;
    let deadline = runtime.block_on(async move {
        let listener = bind(SocketAddr::from((Ipv4Addr::LOCALHOST, options.port))).await?;
        let port = listener.local_addr()?.port();
        let name = match options.address {
            Address::OwnName => format!("oh-{:016x}.localhost", (options.random)() as u64),
            Address::PlainHost => Ipv4Addr::LOCALHOST.to_string(),
        };
        let host = format!("{name}:{port}");
        let door = Arc::new(Door::new(&host, options.random).expect("our own name is one"));
        let ending = CancellationToken::new();
        let requests = AtomicU64::new(0);
        let app = App(Arc::new(Inner { house, ending: ending.clone(), requests }));
        let stopping = CancellationToken::new();
        let end = ended(app.clone(), stopping.clone(), end_signal()?);
        let guarded = (app.clone(), door.clone());
        let router = router()
            .merge(sealed(entry::routes(door.clone())))
            .layer(from_fn_with_state(guarded, guard))
            .layer(from_fn(reply::seal))
            .with_state(app);
        ready(Opened { door, base: format!("http://{host}"), ending: stopping });
        io::Result::Ok(serve_until(listener, router, LIMITS, ending, end).await)
    })?;
    runtime.shutdown_timeout(deadline.saturating_duration_since(tokio::time::Instant::now()));
    Ok(())
}

async fn ended(app: App, stopping: CancellationToken, signal: impl Future<Output = ()>) {
    let idle = async {
        loop {
            let seen = app.0.requests.load(Ordering::Relaxed);
            tokio::time::sleep(IDLE_MAX).await;
            if app.0.requests.load(Ordering::Relaxed) == seen {
                return;
            }
        }
    };
    tokio::select! {
        () = signal => {}
        () = stopping.cancelled() => {}
        () = idle => {}
    }
}

/// Whoever a server with a door of its own has let in; it puts one into each request.
#[derive(Debug, Clone)]
pub struct Visiting {
    /// What every form of the pages brings along. It is the same as long as they are signed in.
    pub form_token: String,
}

/// The pages of a house for a server with a door of its own. `ending` ends streams.
pub fn pages_of(house: Arc<dyn House>, ending: CancellationToken) -> Router {
    let app = App(Arc::new(Inner { house, ending, requests: AtomicU64::new(0) }));
    router().layer(from_fn(with_session)).layer(from_fn(reply::seal)).with_state(app)
}

async fn with_session(mut request: Request, next: Next) -> Response {
    let Some(visiting) = request.extensions().get::<Visiting>().cloned() else {
        return Refusal::new(StatusCode::UNAUTHORIZED, "nobody has let this request in")
            .into_response();
    };
    let session = Session::of_guest(visiting.form_token, request.headers());
    request.extensions_mut().insert(session);
    next.run(request).await
}

fn router() -> Router<App> {
    let pages = Router::new()
        .merge(assets::routes())
        .merge(frame::routes())
        .merge(doing::routes())
        .merge(pages::routes())
        .layer(TimeoutLayer::with_status_code(StatusCode::GATEWAY_TIMEOUT, PAGE_TIMEOUT))
        .merge(news::routes())
        .fallback(frame::nothing_here);
    sealed(pages)
}

/// Within the limits of every request.
fn sealed(router: Router<App>) -> Router<App> {
    router
        .layer(CompressionLayer::new())
        .layer(DefaultBodyLimit::disable())
        .layer(RequestBodyLimitLayer::new(BODY_BYTES_MAX))
        .layer(RequestBodyTimeoutLayer::new(BODY_TIMEOUT))
}

pub(crate) async fn guard(
    State((app, door)): State<(App, Arc<Door>)>,
    request: Request,
    next: Next,
) -> Response {
    let (mut parts, body) = request.into_parts();
    if let Err(refusal) = door.admit(&parts) {
        return refusal.into_response();
    }
    let path = parts.uri.path();
    let is_open = path == entry::PATH || assets::is_one(path);
    match door.session(&parts.headers) {
        Some(session) => {
            parts.extensions.insert(session);
        }
        None if is_open => {}
        None if parts.method == Method::GET => return entry::closed(),
        None => {
            let text = "this browser was not let in; open the address that `oldhand ui` prints";
            return Refusal::new(StatusCode::UNAUTHORIZED, text).into_response();
        }
    }
    app.note_request();
    next.run(Request::from_parts(parts, body)).await
}
