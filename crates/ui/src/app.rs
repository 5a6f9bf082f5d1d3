//! What every handler gets: the house, the door, and who asks.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio_util::sync::CancellationToken;

use crate::house::{Answer, House, Trouble};

pub(crate) fn state_word(house: &dyn House) -> String {
    let mut hasher = DefaultHasher::new();
    house.state_of_store().hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

#[derive(Clone)]
pub(crate) struct App(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) house: Arc<dyn House>,
    pub(crate) ending: CancellationToken,
    /// Requests so far: a server that nobody asks ends.
    pub(crate) requests: AtomicU64,
}

impl App {
    pub(crate) fn note_request(&self) {
        self.0.requests.fetch_add(1, Ordering::Relaxed);
    }

    /// Another word whenever the store may have changed.
    pub(crate) async fn state(&self) -> Answer<String> {
        self.ask(|house| Ok(state_word(house))).await
    }

    /// Asks the house on a thread that may block.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&dyn House) -> Answer<T> + Send + 'static,
    ) -> Answer<T> {
        let house = self.0.house.clone();
        let asked = tokio::task::spawn_blocking(move || question(house.as_ref())).await;
        asked.unwrap_or_else(|_| {
            Err(Trouble {
                code: "INTERNAL_ERROR".to_owned(),
                message: "this is a bug in oldhand: the page could not be made".to_owned(),
                hint: "the terminal that runs `oldhand ui` says more".to_owned(),
                ..Trouble::default()
            })
        })
    }
}
