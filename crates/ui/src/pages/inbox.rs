//! The inbox: what must be decided, one item at a time, with what is known about it beside it.

mod view;

use std::collections::BTreeMap;

use axum::Router;
use axum::extract::Query;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use http::StatusCode;

use crate::app::App;
use crate::doing::{Posted, told, with_outcome};
use crate::frame::{Visit, show, twin};
use crate::house::Trouble;
use crate::house::deeds::Deed;
use crate::house::inbox::{Inbox, InboxAsk};
use crate::parts::{counted, inside};

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/review", get(page))
        .route("/review.json", get(json))
        .route("/do/several", post(decide_several))
}

/// What was refused of a decision over several items, by key, and the reason that was typed.
#[derive(Default)]
struct Tried {
    refused: BTreeMap<String, String>,
    reason: String,
}

async fn page(visit: Visit, Query(ask): Query<InboxAsk>) -> Response {
    inbox(visit, ask, Tried::default()).await
}

async fn inbox(visit: Visit, ask: InboxAsk, tried: Tried) -> Response {
    let asked = ask.clone();
    let title = |inbox: &Inbox| {
        let waiting: usize = inbox.causes.iter().map(|(_, count)| count).sum();
        if waiting == 0 { "Inbox".to_owned() } else { format!("Inbox ({waiting})") }
    };
    let view =
        move |inbox: &Inbox, scene: &crate::frame::Scene| view::view(inbox, &ask, &tried, scene);
    show(visit, title, move |house| house.inbox(&asked), view).await
}

async fn json(visit: Visit) -> Response {
    twin(visit, |house| house.inbox_json()).await
}

/// One decision over everything that is marked, each answered by itself: what is refused stays
/// marked, with its reason.
async fn decide_several(mut visit: Visit, posted: Posted) -> Response {
    let marked =
        posted.fields.iter().filter_map(|(name, hash)| Some((name.strip_prefix("mark-")?, hash)));
    let (decision, reason) = (posted.field("decision"), posted.field("reason"));
    let (mut said, mut refused) = (Vec::new(), BTreeMap::new());
    for (id, hash) in marked {
        let (id, hash) = (id.to_owned(), hash.clone());
        let (decision, reason, more) = (decision.clone(), reason.clone(), String::new());
        let deed = Deed::Review { id: id.clone(), decision, reason, more };
        match visit.app.ask(move |house| house.act(&deed, Some(&hash))).await {
            Ok(done) => said.push(done.said),
            Err(trouble) => {
                refused.insert(id, trouble.message);
            }
        }
    }
    let outcome = match (said.as_slice(), refused.len()) {
        ([], 0) => {
            let trouble = Trouble {
                code: "USAGE_ERROR".to_owned(),
                message: "nothing is marked".to_owned(),
                hint: "mark what you want to decide over in the queue; nothing was changed"
                    .to_owned(),
                ..Trouble::default()
            };
            return told(visit, &trouble, &posted).await;
        }
        ([one], 0) => one.clone(),
        (all, 0) => format!(
            "{}; undo takes back the last",
            counted(all.len(), "item decided", "items decided")
        ),
        (all, more) => format!("{} decided, {more} refused", all.len()),
    };
    let back = posted.field("back");
    let back = inside(&back);
    if refused.is_empty() {
        return Redirect::to(&with_outcome(back, "said", &outcome)).into_response();
    }
    let ask = back.parse().ok().and_then(|uri| Query::<InboxAsk>::try_from_uri(&uri).ok());
    // Where nothing was decided there is nothing to take back; each row says why.
    let said = (!said.is_empty()).then_some(outcome);
    let ask = InboxAsk { said, ..ask.map(|Query(ask)| ask).unwrap_or_default() };
    visit.here = back.to_owned();
    let mut response = inbox(visit, ask, Tried { refused, reason }).await;
    *response.status_mut() = StatusCode::CONFLICT;
    response
}
