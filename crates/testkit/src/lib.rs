//! What the tests of the other crates stand on: disks that fail, a program killed at any disk
//! change, a vault in memory, and the runner of `specs/`. Only ever a dev-dependency; it knows nothing of memories.

pub mod contract;
pub mod fault;
#[cfg(target_os = "linux")]
pub mod kill;
pub mod memory_vault;
pub mod session_contract;
pub mod simdisk;
pub mod spec;
