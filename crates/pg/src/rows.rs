//! What rows hold, as values.

use oldhand_core::event::Event;
use tokio_postgres::Row;

use crate::error::PgError;

/// An event as its row has it.
pub(crate) fn event_of(row: &Row) -> Result<Event, PgError> {
    let body: String = row.get("body");
    serde_json::from_str(&body).map_err(|error| {
        PgError::refused(format!("event {} can't be read: {error}", row.get::<_, i64>("seq")))
    })
}
