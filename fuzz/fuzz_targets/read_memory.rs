//! Random input for [`oldhand_fuzz::read_memory`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| oldhand_fuzz::read_memory(bytes));
