//! A panic is a bug of ours. It costs whoever asked their answer, and nobody anything else: it is
//! caught at the edge of each command, hook and call, and told there in that surface's own way.

use std::any::Any;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::{Mutex, PoisonError};

use crate::failure::Fail;

/// The first panic that nobody has caught yet, with its place: the ones behind it only pass it on.
static FIRST: Mutex<String> = Mutex::new(String::new());

/// Nothing is printed where it happens. Only the real program does this.
pub fn listen() {
    std::panic::set_hook(Box::new(|info: &PanicHookInfo<'_>| {
        let mut first = FIRST.lock().unwrap_or_else(PoisonError::into_inner);
        if first.is_empty() {
            let at = info.location().map(|at| format!(" ({at})")).unwrap_or_default();
            *first = format!("{}{at}", said(info.payload()));
        }
    }));
}

/// `Err` is what the panic said.
pub fn caught<T>(job: impl FnOnce() -> T) -> Result<T, String> {
    // What was shared is only locks, caches and streams, and each is left as after a kill.
    catch_unwind(AssertUnwindSafe(job)).map_err(|payload| {
        let first = std::mem::take(&mut *FIRST.lock().unwrap_or_else(PoisonError::into_inner));
        if first.is_empty() { said(&*payload) } else { first }
    })
}

/// The same for a job that can fail: a panic is [`Fail::Bug`].
pub fn caught_fail<T>(job: impl FnOnce() -> Result<T, Fail>) -> Result<T, Fail> {
    caught(job).unwrap_or_else(|why| Err(Fail::Bug(why)))
}

fn said(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no reason").to_owned()
}
