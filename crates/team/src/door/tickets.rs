//! Tickets that let one browser in, once and for a minute: for a server without an identity provider, on this machine.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use oldhand_http::headers::is_same;

use super::key;

const TTL: Duration = Duration::from_secs(60);

/// Whom a ticket lets in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guest {
    pub tenant: i32,
    pub principal: i32,
}

#[derive(Default)]
pub struct Tickets(Mutex<Vec<(String, Guest, Instant)>>);

impl Tickets {
    pub fn issue(&self, guest: Guest) -> std::io::Result<String> {
        let ticket = key::random()?;
        let mut tickets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        tickets.push((ticket.clone(), guest, Instant::now() + TTL));
        Ok(ticket)
    }

    pub fn take(&self, said: &str) -> Option<Guest> {
        let now = Instant::now();
        let mut tickets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        tickets.retain(|(.., until)| *until > now);
        let at = tickets.iter().position(|(it, ..)| is_same(said.as_bytes(), it.as_bytes()))?;
        Some(tickets.remove(at).1)
    }
}
