//! What is under way for one client: requests without an answer, and lines that it has not taken.
//! While there is much of either, nothing more is read. So nothing piles up, and nothing is dropped.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rmcp::model::RequestId;
use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use crate::MESSAGE_BYTES_MAX;

/// Requests and lines together. A request that waits takes some tens of kilobytes.
const UNDER_WAY_MAX: usize = 256;
/// The bytes of both. The last message that was let in may exceed it.
const BYTES_MAX: usize = 4 * MESSAGE_BYTES_MAX;
/// With so much to write, no further call begins: its answer would have to wait as well.
const LINE_BYTES_MAX: usize = 2 * MESSAGE_BYTES_MAX;

/// How long a client may keep us waiting.
#[derive(Debug)]
pub(crate) struct Patience {
    /// It takes nothing, and nothing more can be read.
    pub stuck: Duration,
    /// It takes nothing, and has closed our input.
    pub last_words: Duration,
    /// Calls that go on behind the end of the input. Longer than a write waits for the store's lock.
    pub end: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { stuck: seconds(60), last_words: seconds(10), end: seconds(40) }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Flow {
    state: Mutex<State>,
    changed: Notify,
    patience: Patience,
    /// Nothing more is read or waited for.
    pub(crate) ended: CancellationToken,
}

#[derive(Debug)]
struct State {
    /// By id, with their bytes.
    asked: HashMap<RequestId, usize>,
    asked_bytes: usize,
    lines: usize,
    line_bytes: usize,
    /// When a line was taken, or the first one came that is not taken yet.
    since: Instant,
    is_gone: bool,
}

impl Default for State {
    fn default() -> Self {
        let (asked, since) = (HashMap::new(), Instant::now());
        Self { asked, asked_bytes: 0, lines: 0, line_bytes: 0, since, is_gone: false }
    }
}

impl Flow {
    #[cfg(test)]
    pub(crate) fn with_patience(patience: Patience) -> Self {
        Self { patience, ..Self::default() }
    }

    /// Each change is one step: a state that a panic left behind is still right.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A request came in. `false` where its id is that of another one that is under way.
    pub(crate) fn ask(&self, id: &RequestId, bytes: usize) -> bool {
        let mut state = self.state();
        if state.asked.contains_key(id) {
            return false;
        }
        state.asked.insert(id.clone(), bytes);
        state.asked_bytes += bytes;
        true
    }

    /// It has its answer, or was taken back.
    pub(crate) fn settle(&self, id: &RequestId) {
        let mut state = self.state();
        if let Some(bytes) = state.asked.remove(id) {
            state.asked_bytes -= bytes;
        }
        drop(state);
        self.changed.notify_waiters();
    }

    pub(crate) fn queue(&self, bytes: usize) {
        let mut state = self.state();
        if state.lines == 0 {
            state.since = Instant::now();
        }
        state.lines += 1;
        state.line_bytes += bytes;
    }

    pub(crate) fn take(&self, bytes: usize) {
        let mut state = self.state();
        state.lines = state.lines.saturating_sub(1);
        state.line_bytes = state.line_bytes.saturating_sub(bytes);
        state.since = Instant::now();
        drop(state);
        self.changed.notify_waiters();
    }

    pub(crate) fn go(&self) {
        self.state().is_gone = true;
        self.changed.notify_waiters();
    }

    /// Until one more message may be read. `false` when the client has gone.
    pub(crate) async fn room(&self) -> bool {
        self.until(State::has_room, Some(self.patience.stuck), None).await
    }

    /// Until one more call may begin, or news of one may be sent. `false` when nobody would read it.
    pub(crate) async fn room_to_write(&self) -> bool {
        self.until(|state| state.line_bytes < LINE_BYTES_MAX, None, None).await
    }

    /// Until all is answered and taken that was asked before the input ended. `false` when that
    /// takes too long.
    pub(crate) async fn drained(&self, ended: Instant) -> bool {
        let limit = ended + self.patience.end;
        self.until(State::is_empty, Some(self.patience.last_words), Some(limit)).await
    }

    /// `patience` is for a client that takes no line.
    async fn until(
        &self,
        is_met: impl Fn(&State) -> bool,
        patience: Option<Duration>,
        limit: Option<Instant>,
    ) -> bool {
        loop {
            // It counts from here on what changes, not from where it is waited for.
            let mut changed = std::pin::pin!(self.changed.notified());
            changed.as_mut().enable();
            let limit = {
                let state = self.state();
                if is_met(&state) || state.is_gone {
                    return !state.is_gone;
                }
                let stuck = patience.filter(|_| state.lines > 0).map(|it| state.since + it);
                stuck.into_iter().chain(limit).min()
            };
            match limit {
                None => changed.await,
                Some(limit) if limit <= Instant::now() => return false,
                Some(limit) => {
                    // Then it is looked at again: the limit may have moved.
                    let _ = timeout_at(limit, changed).await;
                }
            }
        }
    }
}

impl State {
    fn has_room(&self) -> bool {
        self.asked.len() + self.lines < UNDER_WAY_MAX
            && self.asked_bytes + self.line_bytes < BYTES_MAX
    }

    fn is_empty(&self) -> bool {
        self.asked.is_empty() && self.lines == 0
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use rmcp::model::RequestId;
    use tokio::time::{Instant, timeout};

    use super::{BYTES_MAX, Flow, LINE_BYTES_MAX, Patience, UNDER_WAY_MAX};

    fn id(number: usize) -> RequestId {
        RequestId::Number(i64::try_from(number).unwrap())
    }

    fn run(job: impl Future<Output = ()>) {
        tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(job);
    }

    /// Short, for those who would wait for ever.
    fn impatient() -> Arc<Flow> {
        let short = Duration::from_millis(50);
        Arc::new(Flow::with_patience(Patience { stuck: short, last_words: short, end: short }))
    }

    async fn waits(flow: &Flow) -> bool {
        timeout(Duration::from_millis(20), flow.room()).await.is_err()
    }

    #[test]
    fn requests_and_lines_are_bounded_together() {
        run(async {
            let flow = Flow::default();
            (0..UNDER_WAY_MAX - 1).for_each(|number| assert!(flow.ask(&id(number), 1)));
            assert!(!flow.ask(&id(0), 1), "it is under way");
            assert!(flow.room().await);
            flow.queue(10);
            assert!(waits(&flow).await);
            flow.settle(&id(0));
            assert!(flow.room().await);
            flow.queue(10);
            assert!(waits(&flow).await);
            flow.take(10);
            assert!(flow.room().await);
        });
    }

    #[test]
    fn bytes_are_bounded() {
        run(async {
            let flow = Flow::default();
            flow.ask(&id(1), BYTES_MAX);
            assert!(waits(&flow).await);
            assert!(flow.room_to_write().await, "or it would never be answered");
            flow.settle(&id(1));
            flow.queue(LINE_BYTES_MAX);
            assert!(flow.room().await);
            assert!(timeout(Duration::from_millis(20), flow.room_to_write()).await.is_err());
            flow.go();
            assert!(!flow.room_to_write().await);
        });
    }

    #[test]
    fn who_takes_nothing_is_given_up() {
        run(async {
            let flow = impatient();
            flow.queue(BYTES_MAX);
            assert!(!flow.room().await, "nothing can be read, and nothing is taken");
            assert!(!flow.drained(Instant::now()).await);
        });
    }

    #[test]
    fn calls_have_time_and_the_end_is_an_end() {
        run(async {
            let flow = impatient();
            flow.ask(&id(1), BYTES_MAX);
            let settled = flow.clone();
            tokio::spawn(async move {
                tokio::time::sleep(Duration::from_millis(200)).await;
                settled.settle(&id(1));
            });
            assert!(flow.room().await, "who reads all is not stuck, however long a call takes");
            flow.ask(&id(2), 1);
            assert!(!flow.drained(Instant::now()).await, "behind the end it has so long");
            flow.settle(&id(2));
            assert!(flow.drained(Instant::now()).await);
        });
    }
}
