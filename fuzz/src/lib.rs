//! Checks of everything that reads what others wrote: each takes any bytes, and panics where a promise is broken.
//! A fuzzer feeds them (`fuzz_targets/`), and a test runs them over the seeds (`tests/seeds.rs`).

mod guard_call;
mod hook_payload;
mod mcp_lines;
mod open_segment;
mod read_memory;
mod read_pages;
mod read_record;
mod read_transcript;

pub use guard_call::guard_call;
pub use hook_payload::hook_payload;
pub use mcp_lines::mcp_lines;
pub use open_segment::open_segment;
pub use read_memory::read_memory;
pub use read_pages::read_pages;
pub use read_record::read_record;
pub use read_transcript::read_transcript;

/// One check. Its name is that of its seeds' folder and of its file in `fuzz_targets/`.
pub struct Target {
    pub name: &'static str,
    pub check: fn(&[u8]),
}

pub const TARGETS: &[Target] = &[
    Target { name: "guard_call", check: guard_call },
    Target { name: "hook_payload", check: hook_payload },
    Target { name: "mcp_lines", check: mcp_lines },
    Target { name: "open_segment", check: open_segment },
    Target { name: "read_memory", check: read_memory },
    Target { name: "read_pages", check: read_pages },
    Target { name: "read_record", check: read_record },
    Target { name: "read_transcript", check: read_transcript },
];
