//! Dates as people and data sets write them: what our own files would not hold, but a document may.

use jiff::Timestamp;
use jiff::civil::{self, Date};
use jiff::tz::TimeZone;
use oldhand_text::time::{parse_instant, whole_seconds};

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// An instant as our files write it, or a day with the month's name, with or without a time:
/// `8 May, 2023`, `March-15-2024`, `1:56 pm on 8 May, 2023`.
pub(crate) fn parse(text: &str) -> Option<Timestamp> {
    parse_instant(text).map(whole_seconds).or_else(|| parse_words(text))
}

fn parse_words(text: &str) -> Option<Timestamp> {
    let lower = text.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric() && c != ':').filter(|w| !w.is_empty()).collect();
    let number = |word: &&str| word.parse::<i16>().ok();
    let year = words.iter().filter(|word| word.len() == 4).find_map(number)?;
    let day = words.iter().filter(|word| word.len() <= 2).find_map(number)?;
    let month = words.iter().find_map(|word| month(word))?;
    let date = Date::new(year, month, i8::try_from(day).ok()?).ok()?;
    let time = words.iter().find_map(|word| word.split_once(':')).map_or(
        Some(civil::Time::midnight()),
        |(hours, minutes)| {
            let is_afternoon = words.contains(&"pm");
            let is_half_day = is_afternoon || words.contains(&"am");
            let hours: i8 = hours.parse().ok()?;
            // Twelve is where both halves of the day begin.
            let hours = if is_half_day && hours == 12 { 0 } else { hours };
            let hours = if is_afternoon { hours.checked_add(12)? } else { hours };
            civil::Time::new(hours, minutes.get(..2)?.parse().ok()?, 0, 0).ok()
        },
    )?;
    date.to_datetime(time).to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp())
}

fn month(word: &str) -> Option<i8> {
    let at = MONTHS.iter().position(|name| word.starts_with(name))?;
    i8::try_from(at + 1).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use oldhand_text::time::format_instant;

    #[track_caller]
    fn check(text: &str, want: Option<&str>) {
        assert_eq!(parse(text).map(format_instant).as_deref(), want, "{text}");
    }

    #[test]
    fn days_and_times_are_read_in_many_orders() {
        check("2024-03-15", Some("2024-03-15T00:00:00Z"));
        check("2024-03-15T10:20:30.5+02:00", Some("2024-03-15T08:20:30Z"));
        check("March-15-2024", Some("2024-03-15T00:00:00Z"));
        check("8 May, 2023", Some("2023-05-08T00:00:00Z"));
        check("1:56 pm on 8 May, 2023", Some("2023-05-08T13:56:00Z"));
        check("12:05 am on 1 June, 2023", Some("2023-06-01T00:05:00Z"));
        check("12:05 pm on 1 June, 2023", Some("2023-06-01T12:05:00Z"));
    }

    #[test]
    fn what_is_no_day_is_none() {
        for text in ["", "yesterday", "31 February 2024", "13:00 pm on 1 May 2024", "5 2024", "é:é"]
        {
            check(text, None);
        }
    }
}
