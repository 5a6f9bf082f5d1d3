//! Turns a panic in a call into an internal error, so that the server keeps running.

use std::panic::{AssertUnwindSafe, catch_unwind};

use oldhand_http::BROKEN_OFF;
use rmcp::model::ErrorData;

#[cfg(not(panic = "unwind"))]
compile_error!("a panic must cost one call, not the server: build with `panic = \"unwind\"`");

/// The reason is only in the server's log.
pub(crate) fn broken_off() -> ErrorData {
    ErrorData::internal_error(BROKEN_OFF, None)
}

pub(crate) fn caught<T>(job: impl FnOnce() -> T) -> Result<T, ErrorData> {
    // Locks are released while unwinding, so no state is left half changed.
    catch_unwind(AssertUnwindSafe(job)).map_err(|_| broken_off())
}
