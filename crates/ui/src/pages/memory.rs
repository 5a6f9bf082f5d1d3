//! One memory: what it says, whether it can be trusted, who got it, what it rests on, and what can
//! be done about it.

mod view;

use axum::Router;
use axum::extract::{Path, Query};
use axum::response::Response;
use axum::routing::get;
use serde::Deserialize;

use crate::app::App;
use crate::frame::{Visit, show, twin};
use crate::house::memory::MemoryView;

pub(crate) use view::{edit_form, fields_view};

#[derive(Deserialize)]
pub(crate) struct Said {
    pub(crate) said: Option<String>,
}

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/m/{id}", get(page))
}

async fn page(visit: Visit, Path(id): Path<String>, Query(said): Query<Said>) -> Response {
    // An id has no dot, so this is its twin.
    if let Some(id) = id.strip_suffix(".json").map(str::to_owned) {
        return twin(visit, move |house| house.memory_json(&id)).await;
    }
    let title = |memory: &MemoryView| memory.title.clone();
    let ask = move |house: &dyn crate::house::House| house.memory(&id);
    show(visit, title, ask, move |memory, scene| view::view(memory, &said, scene)).await
}
