//! The pages. Each has a file: its routes and its view. To add one, add the
//! file, its values and its trait below `house`, its routes and, once it answers, its link.

pub(crate) mod ask;
#[cfg(test)]
pub(crate) mod checked;
pub(crate) mod code;
pub(crate) mod conflicts;
pub(crate) mod inbox;
pub(crate) mod learning;
pub(crate) mod memories;
pub(crate) mod memory;
pub(crate) mod sessions;
pub(crate) mod store;
pub(crate) mod today;

use axum::Router;

use crate::app::App;

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .merge(today::routes())
        .merge(inbox::routes())
        .merge(memories::routes())
        .merge(memory::routes())
        .merge(ask::routes())
        .merge(sessions::routes())
        .merge(code::routes())
        .merge(learning::routes())
        .merge(conflicts::routes())
        .merge(store::routes())
}
