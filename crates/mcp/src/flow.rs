//! What is in progress for one client: unanswered requests and unread lines. While there is too
//! much of either, nothing more is read, so memory stays bounded and nothing is dropped.

use std::collections::HashMap;
use std::time::Duration;

use rmcp::model::RequestId;
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use crate::MESSAGE_BYTES_MAX;

/// Requests and lines together. A waiting request takes some tens of kilobytes.
const UNDER_WAY_MAX: usize = 256;
/// The bytes of both. The last message may exceed it.
const BYTES_MAX: usize = 4 * MESSAGE_BYTES_MAX;
/// With this much to write no further call starts, as its answer would have to wait.
const LINE_BYTES_MAX: usize = 2 * MESSAGE_BYTES_MAX;

/// How long the server waits for a client.
#[derive(Debug)]
pub(crate) struct Patience {
    /// That reads nothing while the flow is full.
    pub stuck: Duration,
    /// That reads nothing after it closed our input.
    pub last_words: Duration,
    /// For calls after the end of the input. Longer than a write waits for the store's lock.
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
    state: watch::Sender<State>,
    patience: Patience,
    /// Cancelled when the connection is over.
    pub(crate) ended: CancellationToken,
}

#[derive(Debug, Default)]
struct State {
    /// By id, with their bytes.
    asked: HashMap<RequestId, usize>,
    lines: usize,
    line_bytes: usize,
    /// When the last line was read, or when the first unread one was queued.
    since: Option<Instant>,
    is_gone: bool,
}

impl Flow {
    #[cfg(test)]
    pub(crate) fn with_patience(patience: Patience) -> Self {
        Self { patience, ..Self::default() }
    }

    /// Adds a request. Returns `false` if its id is already in progress.
    pub(crate) fn ask(&self, id: &RequestId, bytes: usize) -> bool {
        self.state.send_if_modified(|state| {
            let is_new = !state.asked.contains_key(id);
            if is_new {
                state.asked.insert(id.clone(), bytes);
            }
            is_new
        })
    }

    /// Removes a request that was answered or cancelled.
    pub(crate) fn settle(&self, id: &RequestId) {
        self.state.send_if_modified(|state| state.asked.remove(id).is_some());
    }

    pub(crate) fn queue(&self, bytes: usize) {
        self.state.send_modify(|state| {
            if state.lines == 0 {
                state.since = Some(Instant::now());
            }
            state.lines += 1;
            state.line_bytes += bytes;
        });
    }

    pub(crate) fn take(&self, bytes: usize) {
        self.state.send_modify(|state| {
            state.lines = state.lines.saturating_sub(1);
            state.line_bytes = state.line_bytes.saturating_sub(bytes);
            state.since = Some(Instant::now());
        });
    }

    pub(crate) fn go(&self) {
        self.state.send_modify(|state| state.is_gone = true);
    }

    /// Waits until one more message may be read. Returns `false` if the client is gone.
    pub(crate) async fn room(&self) -> bool {
        self.until(State::has_room, Some(self.patience.stuck), None).await
    }

    /// Waits until one more call may start. Returns `false` if the client is gone.
    pub(crate) async fn room_to_write(&self) -> bool {
        self.until(|state| state.line_bytes < LINE_BYTES_MAX, None, None).await
    }

    /// Waits until everything is answered and read. Returns `false` if that takes too long.
    pub(crate) async fn drained(&self, ended: Instant) -> bool {
        let limit = ended + self.patience.end;
        self.until(State::is_empty, Some(self.patience.last_words), Some(limit)).await
    }

    /// `patience` is for a client that reads no line.
    async fn until(
        &self,
        is_met: impl Fn(&State) -> bool,
        patience: Option<Duration>,
        limit: Option<Instant>,
    ) -> bool {
        let mut states = self.state.subscribe();
        loop {
            let limit = {
                let state = states.borrow_and_update();
                if is_met(&state) || state.is_gone {
                    return !state.is_gone;
                }
                let since = state.since.filter(|_| state.lines > 0);
                let stuck = since.zip(patience).map(|(since, patience)| since + patience);
                stuck.into_iter().chain(limit).min()
            };
            // The limit may have moved, so the state is checked again after both.
            let _ = match limit {
                None => states.changed().await,
                Some(limit) if limit <= Instant::now() => return false,
                Some(limit) => timeout_at(limit, states.changed()).await.unwrap_or(Ok(())),
            };
        }
    }
}

impl State {
    fn has_room(&self) -> bool {
        self.asked.len() + self.lines < UNDER_WAY_MAX
            && self.asked.values().sum::<usize>() + self.line_bytes < BYTES_MAX
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
