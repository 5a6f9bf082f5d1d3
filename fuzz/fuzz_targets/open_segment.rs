//! Random input for [`oldhand_fuzz::open_segment`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| oldhand_fuzz::open_segment(bytes));
