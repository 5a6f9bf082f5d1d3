//! Random input for [`oldhand_fuzz::hook_payload`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| oldhand_fuzz::hook_payload(bytes));
