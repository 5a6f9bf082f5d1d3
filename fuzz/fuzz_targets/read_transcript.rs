//! Random input for [`oldhand_fuzz::read_transcript`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| oldhand_fuzz::read_transcript(bytes));
