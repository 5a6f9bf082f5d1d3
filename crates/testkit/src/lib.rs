//! What the tests of the other crates stand on: disks that fail, a program killed at any disk
//! change, a vault and an index in memory, the contracts of the ports, a PostgreSQL of a test's own,
//! and the runner of `specs/`.
//! Only ever a dev-dependency.

pub mod contract;
pub mod fault;
pub mod index_contract;
#[cfg(target_os = "linux")]
pub mod kill;
pub mod memory_index;
pub mod memory_vault;
pub mod session_contract;
pub mod simdisk;
pub mod small_disk;
pub mod spec;
pub mod with_postgres;

pub use oldhand_postgres as postgres;
