//! `oldhand health`: how the memory is doing.

use oldhand_app::health::{Health, Indicator, Status};

use super::prelude::*;

pub(super) fn run(desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        let health = engine.care().health()?;
        desk.print(io, "health", &health, || text(&health))?;
        Ok(if health.status == Status::NeedsAttention { FINDING } else { DONE })
    })
}

fn text(health: &Health) -> String {
    let row = |one: &Indicator| {
        let way = if one.command.is_empty() { "" } else { " -> " };
        let reason = format!("{}{way}{}", one.reason, one.command);
        [one.name.to_owned(), one.status.as_str().to_owned(), reason]
    };
    let mut text = table(health.indicators.iter().map(row));
    if !health.archive_review.is_empty() {
        let why = health.archive_review.join("; ");
        text.push_str(&format!("archive review due: {why} -> oldhand review --archive\n"));
    }
    text
}
