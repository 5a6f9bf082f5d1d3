//! A stream that says when the store has changed: by a decision here, by a command, or by an editor.
//! The page offers to reload, unless it shows that state already; nothing moves under the reader.

use std::convert::Infallible;
use std::time::Duration;

use axum::Router;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio_stream::wrappers::ReceiverStream;

use crate::app::App;
use crate::frame::Visit;

const LOOK_EVERY: Duration = Duration::from_secs(2);

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/news", get(news))
}

async fn news(visit: Visit) -> Response {
    let (sender, receiver) = tokio::sync::mpsc::channel::<Result<Event, Infallible>>(1);
    tokio::spawn(async move {
        let app = visit.app;
        let mut last = String::new();
        loop {
            let now = app.state().await.unwrap_or_else(|_| last.clone());
            if now != last {
                last = now;
                let news = Event::default().event("state").data(&last);
                if sender.send(Ok(news)).await.is_err() {
                    return;
                }
            }
            tokio::select! {
                () = tokio::time::sleep(LOOK_EVERY) => {}
                () = sender.closed() => return,
                () = app.0.ending.cancelled() => return,
            }
        }
    });
    Sse::new(ReceiverStream::new(receiver)).keep_alive(KeepAlive::default()).into_response()
}
