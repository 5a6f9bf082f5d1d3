//! Work beside the pages, by a thread that gives way to everybody else: what a question lacked is
//! embedded behind its answer, and what nobody needs any more is given back.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use oldhand_desk::rest::{give_back, give_way};

use super::house::Household;

/// After this long without a page, the server is at rest.
const QUIET: Duration = Duration::from_secs(1);

pub(super) struct Aside {
    stirred: SyncSender<()>,
    /// Until the thread has it.
    listener: Mutex<Option<Receiver<()>>>,
    /// Memories that can be served are not embedded yet.
    is_lacking: AtomicBool,
    batches: AtomicUsize,
}

impl Default for Aside {
    fn default() -> Self {
        let (stirred, listener) = sync_channel(1);
        let listener = Mutex::new(Some(listener));
        Self { stirred, listener, is_lacking: AtomicBool::default(), batches: AtomicUsize::new(0) }
    }
}

impl Aside {
    /// A page was asked for.
    pub(super) fn stir(&self) {
        // One that waits already is enough.
        let _ = self.stirred.try_send(());
    }

    pub(super) fn lack_vectors(&self) {
        self.is_lacking.store(true, Ordering::Relaxed);
        self.stir();
    }

    /// Another number whenever more may be embedded.
    pub(super) fn batches(&self) -> usize {
        self.batches.load(Ordering::Relaxed)
    }

    /// Ends with the household.
    pub(super) fn run_beside(household: &Arc<Household>) {
        let listener = &household.aside.listener;
        let listener = listener.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(listener) = listener else { return };
        household.aside.stir();
        let household = Arc::downgrade(household);
        std::thread::spawn(move || {
            give_way();
            while listener.recv().is_ok() {
                if let Some(household) = household.upgrade() {
                    household.embed_missing();
                }
                match listener.recv_timeout(QUIET) {
                    Err(RecvTimeoutError::Timeout) => give_back(),
                    // Somebody is still at it.
                    _ => household.upgrade().iter().for_each(|it| it.aside.stir()),
                }
            }
        });
    }
}

impl Household {
    fn embed_missing(&self) {
        let mut before = usize::MAX;
        // Where they become no fewer, the index can't be kept, or somebody else is at it.
        while self.aside.is_lacking.swap(false, Ordering::Relaxed)
            && let Some(missing) = self.embed_some().filter(|it| (1..before).contains(it))
        {
            before = missing;
            self.aside.is_lacking.store(true, Ordering::Relaxed);
        }
    }

    /// How many were missing before; `None` if there is no telling.
    fn embed_some(&self) -> Option<usize> {
        let done = self.at_desk(|desk| {
            desk.read(|reading| {
                let missing = reading.index.unembedded();
                reading.index.fill_all(false, &mut |_, _| false)?;
                reading.index.warm_up();
                Ok(missing)
            })
        });
        self.aside.batches.fetch_add(1, Ordering::Relaxed);
        done.ok()
    }
}
