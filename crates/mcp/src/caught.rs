//! Turns a panic in a call into an internal error, so that the server keeps running.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

use rmcp::model::ErrorData;

#[cfg(not(panic = "unwind"))]
compile_error!("a panic must cost one call, not the server: build with `panic = \"unwind\"`");

pub(crate) const BROKEN_OFF: &str = "the request failed inside the server, which goes on; look \
                                     whether it was done before you try again";

/// The reason is only in the server's log.
pub(crate) fn broken_off() -> ErrorData {
    ErrorData::internal_error(BROKEN_OFF, None)
}

pub(crate) fn caught<T>(job: impl FnOnce() -> T) -> Result<T, ErrorData> {
    // Locks are released while unwinding, so no state is left half changed.
    catch_unwind(AssertUnwindSafe(job)).map_err(|_| broken_off())
}

/// The same for a future.
pub(crate) async fn awaited<F: Future>(future: F) -> Result<F::Output, ErrorData> {
    let mut future = pin!(future);
    std::future::poll_fn(|context| match caught(|| future.as_mut().poll(context)) {
        Ok(Poll::Pending) => Poll::Pending,
        Ok(Poll::Ready(done)) => Poll::Ready(Ok(done)),
        Err(broken) => Poll::Ready(Err(broken)),
    })
    .await
}
