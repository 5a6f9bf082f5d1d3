//! The inbox: what must be decided, one item at a time, with what is known about it beside it.

mod view;

use axum::Router;
use axum::extract::Query;
use axum::response::Response;
use axum::routing::get;

use crate::app::App;
use crate::frame::{Visit, show, twin};
use crate::house::inbox::{Inbox, InboxAsk};

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/review", get(page)).route("/review.json", get(json))
}

async fn page(visit: Visit, Query(ask): Query<InboxAsk>) -> Response {
    let asked = ask.clone();
    let title = |inbox: &Inbox| {
        let waiting: usize = inbox.causes.iter().map(|(_, count)| count).sum();
        if waiting == 0 { "Inbox".to_owned() } else { format!("Inbox ({waiting})") }
    };
    let view = move |inbox: &Inbox, scene: &crate::frame::Scene| view::view(inbox, &ask, scene);
    show(visit, title, move |house| house.inbox(&asked), view).await
}

async fn json(visit: Visit) -> Response {
    twin(visit, |house| house.inbox_json()).await
}
