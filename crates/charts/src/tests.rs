//! Every chart: what it draws as text, and what holds for any values.

mod any;
mod drawn;
