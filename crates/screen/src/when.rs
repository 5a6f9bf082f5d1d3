//! Dates as people say them.

use jiff::Timestamp;

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
const WEEK: i64 = 7 * DAY;
const MONTH: i64 = 30 * DAY;
const YEAR: i64 = 365 * DAY;

/// `3 days ago`, `in 2 weeks`, `just now`.
pub fn ago(then: Timestamp, now: Timestamp) -> String {
    let seconds = now.as_second() - then.as_second();
    let (size, unit) = match seconds.abs() {
        it if it < MINUTE => return "just now".to_owned(),
        it if it < HOUR => (it / MINUTE, "minute"),
        it if it < DAY => (it / HOUR, "hour"),
        it if it < 2 * WEEK => (it / DAY, "day"),
        it if it < 2 * MONTH => (it / WEEK, "week"),
        it if it < 2 * YEAR => (it / MONTH, "month"),
        it => (it / YEAR, "year"),
    };
    let plural = if size == 1 { "" } else { "s" };
    match seconds > 0 {
        true if (size, unit) == (1, "day") => "yesterday".to_owned(),
        false if (size, unit) == (1, "day") => "tomorrow".to_owned(),
        true => format!("{size} {unit}{plural} ago"),
        false => format!("in {size} {unit}{plural}"),
    }
}
