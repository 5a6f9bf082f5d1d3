//! Instants as charts need them: seconds of the Unix epoch, the names of days, and ticks.

/// Seconds since the Unix epoch.
pub type Moment = i64;

pub(crate) const DAY: i64 = 86_400;
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Year, month and day of a day number, in the proleptic Gregorian calendar (Hinnant's
/// `civil_from_days`).
pub(crate) fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days.saturating_add(719_468);
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}

fn month_name(month: i64) -> &'static str {
    usize::try_from(month - 1).ok().and_then(|at| MONTHS.get(at)).copied().unwrap_or("?")
}

/// `2026-11-18`, in UTC.
pub fn day_name(at: Moment) -> String {
    let (year, month, day) = civil(at.div_euclid(DAY));
    format!("{year:04}-{month:02}-{day:02}")
}

/// A month as a number that grows with time.
pub(crate) fn month_of(at: Moment) -> i64 {
    let (year, month, _) = civil(at.div_euclid(DAY));
    year.saturating_mul(12).saturating_add(month)
}

/// A few instants between two, with short names: days, months or years, whatever fits.
pub(crate) fn ticks(from: Moment, to: Moment, most: usize) -> Vec<(Moment, String)> {
    let (first, last) = (from.div_euclid(DAY), to.div_euclid(DAY));
    let days = last.saturating_sub(first).max(1);
    let most = i64::try_from(most.max(1)).unwrap_or(i64::MAX);
    let step = [1, 2, 7, 14].into_iter().find(|step| days / step < most);
    if let Some(step) = step {
        let named = |day: i64| {
            let (_, month, date) = civil(day);
            (day.saturating_mul(DAY), format!("{date} {}", month_name(month)))
        };
        return (first + 1..=last).rev().step_by(step as usize).map(named).collect();
    }
    let starts_month = |day: &i64| civil(*day).2 == 1;
    // Older than any repository: the walk below would only be a way to burn time.
    let first = first.max(last.saturating_sub(366 * 60));
    let months: Vec<i64> = (first + 1..=last).filter(starts_month).collect();
    let step = (months.len() as i64).div_euclid(most).saturating_add(1);
    let named = |day: i64| {
        let (year, month, _) = civil(day);
        let name = match month {
            1 => year.to_string(),
            month if step < 12 => month_name(month).to_owned(),
            month => format!("{} {year}", month_name(month)),
        };
        (day.saturating_mul(DAY), name)
    };
    months.into_iter().rev().step_by(step as usize).map(named).collect()
}
