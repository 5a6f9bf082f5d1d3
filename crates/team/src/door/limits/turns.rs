//! Whose call runs next: so many at the same time, tenants in turn, and a part of the places kept free for the others.
//! It counts and decides, and knows neither calls nor clocks.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use tokio::time::Instant;

/// A tenant that asked so long ago counts as one that asks: places are kept free for it.
const STAYS: Duration = Duration::from_secs(10);

pub(super) struct Turns<T> {
    /// Calls at the same time.
    calls: usize,
    running: usize,
    /// Those that asked a moment ago, run or wait.
    tenants: BTreeMap<i32, Tenant<T>>,
    turn: u64,
    /// Whether somebody still waits with this ticket.
    is_wanted: fn(&T) -> bool,
}

struct Tenant<T> {
    running: usize,
    waiting: VecDeque<T>,
    asked: Instant,
    /// When it got a place for the last time.
    turn: u64,
}

impl<T> Turns<T> {
    pub(super) fn new(calls: usize, is_wanted: fn(&T) -> bool) -> Self {
        Self { calls: calls.max(1), running: 0, tenants: BTreeMap::new(), turn: 0, is_wanted }
    }

    /// How many calls of one tenant may run: all if nobody else asks. Otherwise a quarter is kept free, and at least one
    /// place, so that whoever asks little finds one.
    fn share(&self) -> usize {
        match self.tenants.len() {
            0 | 1 => self.calls,
            _ => (self.calls - (self.calls / 4).max(1)).max(1),
        }
    }

    /// Puts a ticket in the line of its tenant, or gives it back if `most` wait there.
    pub(super) fn ask(&mut self, of: i32, ticket: T, most: usize, now: Instant) -> Result<(), T> {
        self.tenants.retain(|_, it| {
            it.running > 0
                || !it.waiting.is_empty()
                || now.saturating_duration_since(it.asked) < STAYS
        });
        let new = Tenant { running: 0, waiting: VecDeque::new(), asked: now, turn: self.turn };
        let tenant = self.tenants.entry(of).or_insert(new);
        tenant.asked = now;
        tenant.waiting.retain(self.is_wanted);
        if tenant.waiting.len() >= most {
            return Err(ticket);
        }
        tenant.waiting.push_back(ticket);
        Ok(())
    }

    /// The next that may run: of a tenant that has fewest running, and among these of the one whose turn is longest ago.
    pub(super) fn next(&mut self) -> Option<(i32, T)> {
        let share = self.share();
        while self.running < self.calls {
            let waiting = self.tenants.iter_mut();
            let waiting = waiting.filter(|(_, it)| it.running < share && !it.waiting.is_empty());
            let (of, tenant) = waiting.min_by_key(|(_, it)| (it.running, it.turn))?;
            let ticket = tenant.waiting.pop_front().filter(self.is_wanted);
            let Some(ticket) = ticket else { continue };
            self.turn += 1;
            tenant.turn = self.turn;
            tenant.running += 1;
            self.running += 1;
            return Some((*of, ticket));
        }
        None
    }

    /// A call of this tenant is over.
    pub(super) fn end(&mut self, of: i32) {
        self.running = self.running.saturating_sub(1);
        if let Some(tenant) = self.tenants.get_mut(&of) {
            tenant.running = tenant.running.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests;
