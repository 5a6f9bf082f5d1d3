//! The inbox: what must be decided, one item at a time, with what is known about it beside it.

mod view;

use std::collections::BTreeMap;

use axum::Router;
use axum::extract::Query;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use http::StatusCode;
use oldhand_text::strings::visible;
use serde_json::json;

use crate::app::App;
use crate::doing::{Posted, told, with_outcome};
use crate::frame::{Visit, show, twin};
use crate::house::Trouble;
use crate::house::deeds::Deed;
use crate::house::inbox::{Inbox, InboxAsk};
use crate::parts::{counted, inside};
use crate::reply::json_text;

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
/// marked, with its reason. Undo takes back all of them.
async fn decide_several(visit: Visit, posted: Posted) -> Response {
    let marked =
        posted.fields.iter().filter_map(|(name, hash)| Some((name.strip_prefix("mark-")?, hash)));
    let deed = |(id, hash): (&str, &String)| {
        let (decision, reason) = (posted.field("decision"), posted.field("reason"));
        let (id, more) = (id.to_owned(), String::new());
        (Deed::Review { id, decision, reason, more }, hash.clone())
    };
    let deeds: Vec<(Deed, String)> = marked.map(deed).collect();
    let ids: Vec<String> =
        deeds.iter().filter_map(|(deed, _)| deed.id().map(str::to_owned)).collect();
    if ids.is_empty() {
        let trouble = Trouble {
            code: "USAGE_ERROR".to_owned(),
            message: "nothing is marked".to_owned(),
            hint: "mark what you want to decide over in the queue; nothing was changed".to_owned(),
            ..Trouble::default()
        };
        return told(visit, &trouble, &posted).await;
    }
    let several = match visit.app.ask(move |house| house.act_on_several(&deeds)).await {
        Ok(several) => several,
        Err(trouble) => return told(visit, &trouble, &posted).await,
    };
    let (mut done, mut refused) = (BTreeMap::new(), BTreeMap::new());
    for (id, answer) in ids.into_iter().zip(several.answers) {
        match answer {
            Ok(it) => drop(done.insert(id, it.said)),
            Err(trouble) => drop(refused.insert(id, trouble.message)),
        }
    }
    if visit.wants_parts {
        let shown = |all: BTreeMap<String, String>| -> BTreeMap<String, String> {
            all.into_iter().map(|(id, text)| (id, visible(&text))).collect()
        };
        let answer = json!({ "done": shown(done), "refused": shown(refused), "of": several.write });
        return json_text(StatusCode::OK, answer.to_string());
    }
    after_several(visit, &posted, (done, refused), &several.write).await
}

type ById = BTreeMap<String, String>;

/// The inbox as it is now, with what came of each.
async fn after_several(
    mut visit: Visit,
    posted: &Posted,
    (done, refused): (ById, ById),
    write: &str,
) -> Response {
    let outcome = match (done.len(), refused.len()) {
        (1, 0) => done.into_values().collect(),
        (all, 0) => counted(all, "item decided", "items decided"),
        (all, more) => format!("{all} decided, {more} refused"),
    };
    let back = posted.field("back");
    let back = inside(&back);
    if refused.is_empty() {
        return Redirect::to(&with_outcome(back, &outcome, write)).into_response();
    }
    let ask = back.parse().ok().and_then(|uri| Query::<InboxAsk>::try_from_uri(&uri).ok());
    // Where nothing was decided there is nothing to take back; each row says why.
    let said = (!outcome.starts_with("0 ")).then_some(outcome);
    let of = Some(write.to_owned());
    let ask = InboxAsk { said, of, ..ask.map(|Query(ask)| ask).unwrap_or_default() };
    visit.here = back.to_owned();
    let tried = Tried { refused, reason: posted.field("reason") };
    let mut response = inbox(visit, ask, tried).await;
    *response.status_mut() = StatusCode::CONFLICT;
    response
}

#[cfg(test)]
mod tests;
