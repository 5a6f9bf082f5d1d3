//! Everything that the program logs, kept, so that a test can look for what must not be there.

use std::io;
use std::sync::{Mutex, PoisonError};

static KEPT: Mutex<Vec<u8>> = Mutex::new(Vec::new());

struct Kept;

impl io::Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        KEPT.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// From now on, for the whole process.
pub(crate) fn keep() {
    tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_ansi(false)
        .with_writer(|| Kept)
        .init();
}

pub(crate) fn text() -> String {
    let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    String::from_utf8_lossy(&kept).into_owned()
}
