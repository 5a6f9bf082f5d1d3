//! Reading and writing instants. The clock itself is a parameter everywhere.

use jiff::{Timestamp, tz::TimeZone};

/// The first instant that four digits of a year can tell: 0000-01-01.
const FIRST_SECOND: i64 = -62_167_219_200;

/// An instant with offset, a date and time without one (taken as UTC), or a bare date, which means
/// the start of that day, UTC.
pub fn parse_instant(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    let in_utc = || TimeZone::UTC.to_timestamp(text.parse().ok()?).ok();
    let instant: Option<Timestamp> = text.parse().ok().or_else(in_utc);
    instant.filter(|instant| instant.as_second() >= FIRST_SECOND)
}

/// The way every file and answer writes an instant: UTC, whole seconds.
pub fn format_instant(instant: Timestamp) -> String {
    instant.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

pub fn format_day(instant: Timestamp) -> String {
    instant.strftime("%Y-%m-%d").to_string()
}

pub fn format_month(instant: Timestamp) -> String {
    instant.strftime("%Y-%m").to_string()
}

/// Whole seconds: what a file can hold, so that a value read back equals the value written.
pub fn whole_seconds(instant: Timestamp) -> Timestamp {
    Timestamp::from_second(instant.as_second()).unwrap_or(instant)
}

pub fn minutes_between(earlier: Timestamp, later: Timestamp) -> i64 {
    later.duration_since(earlier).as_mins()
}

pub fn hours_between(earlier: Timestamp, later: Timestamp) -> i64 {
    (later.as_second() - earlier.as_second()).div_euclid(3600)
}

pub fn days_between(earlier: Timestamp, later: Timestamp) -> i64 {
    hours_between(earlier, later).div_euclid(24)
}

/// How long ago it was, in the largest unit that says something: `3 days ago`.
pub fn ago(instant: Timestamp, now: Timestamp) -> String {
    let seconds = now.as_second() - instant.as_second();
    let unit = |size: i64, one: &str| match seconds / size {
        1 => format!("1 {one} ago"),
        many => format!("{many} {one}s ago"),
    };
    match seconds {
        ..-60 => format!("on {}", format_day(instant)),
        -60..60 => "just now".to_owned(),
        60..3_600 => unit(60, "minute"),
        3_600..86_400 => unit(3_600, "hour"),
        86_400..5_184_000 => unit(86_400, "day"),
        5_184_000..63_072_000 => unit(2_629_800, "month"),
        _ => unit(31_557_600, "year"),
    }
}

pub fn days_after(instant: Timestamp, days: i64) -> Timestamp {
    Timestamp::from_second(instant.as_second().saturating_add(days.saturating_mul(86_400)))
        .unwrap_or(Timestamp::MAX)
}
