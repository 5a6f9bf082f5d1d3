//! Random input for [`oldhand_fuzz::mcp_lines`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| oldhand_fuzz::mcp_lines(bytes));
