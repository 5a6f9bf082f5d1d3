//! The dashboard: pages in a browser on this machine. This crate knows HTTP and HTML; the content
//! comes through [`House`], in plain values. It knows no store and no clock.

mod app;
mod assets;
mod doing;
mod door;
mod entry;
mod frame;
pub mod house;
mod keys;
mod links;
pub mod markdown;
mod news;
mod pages;
pub mod parts;
mod reply;
mod serve;
mod tree;

pub use door::Random;
pub use house::deeds::{Deed, Done, Several, Verbs};
pub use house::{Frame, House, Moment, Trouble};
pub use serve::{Address, Opened, UiOptions, Visiting, pages_of, serve_ui};
