//! Sessions: notes that are not lost or mixed, budgets that hold, conversations that are compacted,
//! and the session store under kills, power cuts and failing disks.

mod budgets;
mod conversations;
#[cfg(target_os = "linux")]
mod killed;
mod parallel;
mod store;
mod tasks;
