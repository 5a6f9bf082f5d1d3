//! Sessions: notes that are not lost or mixed, budgets that hold, conversations that are compacted.

mod budgets;
mod conversations;
mod parallel;
mod tasks;
