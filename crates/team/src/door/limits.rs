//! How much one token and one tenant get: requests a minute, and calls at the same time. Counted in this process.
//!
//! A call is work for a processor, here and in the database, so no more run at the same time than there are
//! processors. Who asks much waits behind itself.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::{Instant, timeout};

use super::refusal::Refusal;

mod turns;

use turns::Turns;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LimitSettings {
    pub token_per_minute: u32,
    pub tenant_per_minute: u32,
    /// Calls at the same time.
    pub calls: usize,
    /// Calls of one tenant that may wait; more are refused at once.
    pub tenant_waiting: usize,
    pub wait: Duration,
}

impl Default for LimitSettings {
    fn default() -> Self {
        Self {
            token_per_minute: 600,
            tenant_per_minute: 6_000,
            // Of two, one is for whoever comes beside another.
            calls: std::thread::available_parallelism().map_or(2, |it| it.get().max(2)),
            tenant_waiting: 256,
            wait: Duration::from_secs(20),
        }
    }
}

/// Buckets that are kept; full ones are dropped first, which forgets nothing.
const BUCKETS_MAX: usize = 10_000;

/// Fills evenly; a minute's worth may be used at once.
#[derive(Debug, Clone, Copy)]
struct Bucket {
    left: f64,
    at: Instant,
}

impl Bucket {
    fn full(per_minute: u32, now: Instant) -> Self {
        Self { left: f64::from(per_minute), at: now }
    }

    /// Fills up until now.
    fn fill(&mut self, per_minute: u32, now: Instant) {
        let most = f64::from(per_minute);
        let gained = (now - self.at).as_secs_f64() * most / 60.0;
        *self = Self { left: (self.left + gained).min(most), at: now };
    }

    /// Seconds until there is one.
    fn wait(&self, per_minute: u32) -> u64 {
        let missing = (1.0 - self.left).max(0.0);
        (missing * 60.0 / f64::from(per_minute.max(1))).ceil().max(1.0) as u64
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Who {
    Token(i32, String),
    Tenant(i32),
}

pub struct Limits {
    settings: LimitSettings,
    buckets: Mutex<HashMap<Who, Bucket>>,
    places: Arc<Places>,
}

struct Places(Mutex<Turns<oneshot::Sender<Admission>>>);

/// A call that may run, until this is dropped.
pub struct Admission {
    places: Arc<Places>,
    tenant: i32,
}

impl Places {
    fn turns(&self) -> MutexGuard<'_, Turns<oneshot::Sender<Admission>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives away what is free.
    fn give(self: &Arc<Self>) {
        loop {
            let next = self.turns().next();
            let Some((tenant, ticket)) = next else { return };
            // Whoever has gone away meanwhile drops the place, which gives it to the next.
            drop(ticket.send(Admission { places: self.clone(), tenant }));
        }
    }
}

impl Drop for Admission {
    fn drop(&mut self) {
        self.places.turns().end(self.tenant);
        self.places.give();
    }
}

impl Limits {
    pub fn new(settings: LimitSettings) -> Self {
        let turns = Turns::new(settings.calls, |ticket| !oneshot::Sender::is_closed(ticket));
        Self { settings, buckets: Mutex::default(), places: Arc::new(Places(Mutex::new(turns))) }
    }

    /// Counts a request. `token` is whatever stands for the one who asks.
    pub fn count(&self, tenant: i32, token: &str, now: Instant) -> Result<(), Refusal> {
        let LimitSettings { token_per_minute, tenant_per_minute, .. } = self.settings;
        let asked = [
            (Who::Token(tenant, token.to_owned()), token_per_minute, "this token asks too often"),
            (Who::Tenant(tenant), tenant_per_minute, "your organisation asks too often"),
        ];
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() > BUCKETS_MAX {
            let most = f64::from(token_per_minute.min(tenant_per_minute));
            let is_old = |it: &Bucket| now - it.at > Duration::from_secs(60) || it.left >= most;
            buckets.retain(|_, it| !is_old(it));
        }
        for (who, per_minute, what) in &asked {
            let new = Bucket::full(*per_minute, now);
            let bucket = buckets.entry(who.clone()).or_insert(new);
            bucket.fill(*per_minute, now);
            if bucket.left < 1.0 {
                return Err(Refusal::Busy { seconds: bucket.wait(*per_minute), what });
            }
        }
        for (who, ..) in &asked {
            if let Some(bucket) = buckets.get_mut(who) {
                bucket.left -= 1.0;
            }
        }
        Ok(())
    }

    /// Waits until a call of this tenant may run.
    pub async fn place(&self, tenant: i32) -> Result<Admission, Refusal> {
        let busy = |what| Refusal::Busy { seconds: 2, what };
        let (ticket, place) = oneshot::channel();
        let asked =
            self.places.turns().ask(tenant, ticket, self.settings.tenant_waiting, Instant::now());
        asked.map_err(|_| busy("too many requests of your organisation wait"))?;
        self.places.give();
        let given = timeout(self.settings.wait, place).await.ok().and_then(Result::ok);
        given.ok_or_else(|| busy("the server is busy"))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::Instant;

    use super::{LimitSettings, Limits};
    use crate::door::refusal::Refusal;

    fn limits() -> Limits {
        Limits::new(LimitSettings {
            token_per_minute: 6,
            tenant_per_minute: 9,
            calls: 3,
            tenant_waiting: 1,
            wait: Duration::from_secs(5),
        })
    }

    #[test]
    fn a_token_and_a_tenant_have_a_rate() {
        let (limits, start) = (limits(), Instant::now());
        let ask =
            |tenant, token, after| limits.count(tenant, token, start + Duration::from_secs(after));
        for _ in 0..6 {
            assert_eq!(ask(1, "a", 0), Ok(()));
        }
        let Err(Refusal::Busy { seconds, .. }) = ask(1, "a", 0) else { panic!("refused") };
        assert_eq!(seconds, 10, "six a minute");
        for _ in 0..3 {
            assert_eq!(ask(1, "b", 0), Ok(()), "what was refused is not counted");
        }
        assert!(ask(1, "b", 0).is_err(), "nine of the tenant");
        assert_eq!(ask(2, "a", 0), Ok(()), "another tenant has its own");
        assert_eq!(ask(1, "a", 10), Ok(()));
        assert!(ask(1, "a", 10).is_err());
    }

    /// R488.
    #[tokio::test(start_paused = true)]
    async fn a_noisy_tenant_waits_behind_itself() {
        let limits = limits();
        drop(limits.place(2).await.expect("nobody is there"));
        let (one, two) =
            (limits.place(1).await.expect("free"), limits.place(1).await.expect("free"));
        let waiting = limits.place(1);
        tokio::pin!(waiting);
        assert!(still_waits(&mut waiting).await, "the third place is kept for others");
        let Err(Refusal::Busy { .. }) = limits.place(1).await else { panic!("no room to wait") };
        let other = limits.place(2).await.expect("the other tenant has a place");
        drop((one, two));
        drop(waiting.await.expect("its turn"));
        drop(other);
    }

    /// R488.
    #[tokio::test(start_paused = true)]
    async fn whoever_gives_up_leaves_no_place_taken() {
        let limits = limits();
        let mut all = Vec::new();
        for _ in 0..3 {
            all.push(limits.place(1).await.expect("free"));
        }
        let Err(Refusal::Busy { seconds: 2, .. }) = limits.place(1).await else {
            panic!("nothing came free in time")
        };
        {
            let waiting = limits.place(1);
            tokio::pin!(waiting);
            assert!(still_waits(&mut waiting).await);
            // It is given a place, and its client goes away before it hears of it.
            all.pop();
        }
        all.push(limits.place(1).await.expect("the place came back"));
        all.clear();
        for _ in 0..3 {
            all.push(limits.place(1).await.expect("free"));
        }
    }

    async fn still_waits<F: Future + Unpin>(future: &mut F) -> bool {
        tokio::time::timeout(Duration::from_millis(1), future).await.is_err()
    }
}
