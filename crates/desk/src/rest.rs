//! What a process does for the others that lasts: it gives way to them, and gives back what it does
//! not need for now.

/// Whatever this thread does from now on, it does with a tenth of what others get.
pub fn give_way() {
    // Elsewhere this concerns the whole process. Best effort: without it, others wait a little.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(10);
}

/// Memory that was freed, and the weights of the model.
pub fn give_back() {
    oldhand_minilm::release();
    trim();
}

/// Memory that was freed: what the whole store was read for would stay with the process.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "a call of the C library without arguments that matter")]
pub fn trim() {
    // SAFETY: it takes no pointer, and may be called at any time from any thread.
    unsafe { libc::malloc_trim(0) };
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn trim() {}
