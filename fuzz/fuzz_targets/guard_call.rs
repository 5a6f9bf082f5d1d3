//! Random input for [`oldhand_fuzz::guard_call`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| oldhand_fuzz::guard_call(bytes));
