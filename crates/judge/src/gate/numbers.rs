//! Amounts, limits and versions in a sentence, in one unit for each dimension.

use super::words::Word;

/// What is counted or measured.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Unit {
    Seconds,
    Bytes,
    Percent,
    /// The stem of the noun that is counted; empty when none follows.
    Count(String),
    /// The stem of what has the version.
    Version(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    Exact,
    AtMost,
    AtLeast,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Amount {
    pub value: f64,
    pub unit: Unit,
    pub bound: Bound,
    /// As written, for people.
    pub text: String,
    /// Words that it is made of.
    pub words: std::ops::Range<usize>,
}

impl Amount {
    /// Both can hold: the same value, or a value within the other's limit.
    pub(super) fn agrees(&self, other: &Self) -> bool {
        let is_same =
            (self.value - other.value).abs() <= 0.035 * self.value.abs().max(other.value.abs());
        match (self.bound, other.bound) {
            (Bound::AtMost, Bound::AtLeast) => self.value >= other.value,
            (Bound::AtLeast, Bound::AtMost) => self.value <= other.value,
            (Bound::Exact, Bound::AtMost) => self.value <= other.value,
            (Bound::Exact, Bound::AtLeast) => self.value >= other.value,
            (Bound::AtMost, Bound::Exact) => self.value >= other.value,
            (Bound::AtLeast, Bound::Exact) => self.value <= other.value,
            _ if matches!(self.unit, Unit::Version(_)) => self.value == other.value,
            _ => is_same,
        }
    }
}

pub(super) fn amounts_of(words: &[Word]) -> Vec<Amount> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        match amount_at(words, at) {
            Some(amount) => {
                at = amount.words.end;
                found.push(amount);
            }
            None => at += 1,
        }
    }
    found
}

fn amount_at(words: &[Word], at: usize) -> Option<Amount> {
    let before = at.checked_sub(1).map(|at| &words[at]);
    if let Some(version) = before.and_then(|before| version_at(words, before, at)) {
        return Some(version);
    }
    // `32-bit` is a name.
    let is_name = words.get(at + 1).is_some_and(|next| next.is(&["bit"]));
    let value = value_of(&words[at].text).or_else(|| one_unit(words, at));
    let value = value.filter(|_| !is_name)?;
    let mut end = at + 1;
    let (factor, unit) = match words.get(end) {
        Some(next) if !next.is_after_break => match unit_of(&next.text) {
            Some(known) => {
                end += 1;
                known
            }
            None if next.weight() > 0.0 && value_of(&next.text).is_none() => {
                end += 1;
                (1.0, Unit::Count(next.stem.clone()))
            }
            None => (1.0, Unit::Count(String::new())),
        },
        _ => (1.0, Unit::Count(String::new())),
    };
    // A bare 2024 is a year.
    if unit == Unit::Count(String::new()) && (1900.0..2100.0).contains(&value) {
        return None;
    }
    // `one` and `two` without a noun are mostly no amounts.
    if unit == Unit::Count(String::new())
        && !words[at].text.starts_with(|c: char| c.is_ascii_digit())
    {
        return None;
    }
    let text: Vec<&str> = words[at..end].iter().map(|word| word.text.as_str()).collect();
    Some(Amount {
        value: value * factor,
        unit,
        bound: bound(words, at, end),
        text: text.join(" "),
        words: at..end,
    })
}

/// `an hour` is one.
fn one_unit(words: &[Word], at: usize) -> Option<f64> {
    let next = words.get(at + 1)?;
    let is_one =
        words[at].is(&["a", "an"]) && next.is(&["minute", "hour", "day", "week", "month", "year"]);
    is_one.then_some(1.0)
}

/// `Rust 1.75`, `Node 22`, `version is 1.91`: a number right behind a name is its version.
fn version_at(words: &[Word], before: &Word, at: usize) -> Option<Amount> {
    let text = words[at].text.strip_prefix('v').unwrap_or(&words[at].text);
    let has_point = text.contains('.');
    let value = version_value(text)?;
    let follows_unit =
        words.get(at + 1).is_some_and(|next| !next.is_after_break && unit_of(&next.text).is_some());
    let is_named =
        before.is_capital && !words[at].is_after_break && before.weight() > 0.0 && at > 1
            || before.is(&["version"]);
    if follows_unit || !(is_named || has_point && before.is(&["is"])) {
        return None;
    }
    let name =
        if is_named && !before.is(&["version"]) { before.stem.clone() } else { String::new() };
    let bound = bound(words, at, at + 1);
    let from = if name.is_empty() { at } else { at - 1 };
    let written: Vec<&str> = words[from..=at].iter().map(|word| word.text.as_str()).collect();
    Some(Amount {
        value,
        unit: Unit::Version(name),
        bound,
        text: written.join(" "),
        words: at..at + 1,
    })
}

/// Up to three parts, each below ten thousand, as one number that keeps their order.
fn version_value(text: &str) -> Option<f64> {
    let mut value = 0.0;
    let mut parts = 0;
    for part in text.split('.') {
        value = value * 10_000.0 + f64::from(part.parse::<u16>().ok()?);
        parts += 1;
    }
    (1..=3).contains(&parts).then(|| value * [1e8, 1e4, 1.0][parts - 1])
}

fn value_of(text: &str) -> Option<f64> {
    const NAMED: &[(&str, f64)] = &[
        ("zero", 0.0),
        ("one", 1.0),
        ("two", 2.0),
        ("three", 3.0),
        ("four", 4.0),
        ("five", 5.0),
        ("six", 6.0),
        ("seven", 7.0),
        ("eight", 8.0),
        ("nine", 9.0),
        ("ten", 10.0),
        ("twelve", 12.0),
        ("twenty", 20.0),
        ("thirty", 30.0),
        ("hundred", 100.0),
        ("thousand", 1000.0),
        ("once", 1.0),
        ("twice", 2.0),
    ];
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        return text.parse().ok().filter(|value: &f64| value.is_finite());
    }
    NAMED.iter().find(|(name, _)| *name == text).map(|(_, value)| *value)
}

fn unit_of(text: &str) -> Option<(f64, Unit)> {
    let seconds = |factor| Some((factor, Unit::Seconds));
    let bytes = |factor| Some((factor, Unit::Bytes));
    match text {
        "ms" | "millisecond" | "milliseconds" => seconds(0.001),
        "s" | "sec" | "secs" | "second" | "seconds" => seconds(1.0),
        "min" | "mins" | "minute" | "minutes" => seconds(60.0),
        "h" | "hour" | "hours" => seconds(3600.0),
        "d" | "day" | "days" => seconds(86_400.0),
        "week" | "weeks" => seconds(604_800.0),
        // 30 days and 365 days: what people mean by them in a retention rule.
        "month" | "months" => seconds(2_592_000.0),
        "year" | "years" => seconds(31_536_000.0),
        "byte" | "bytes" => bytes(1.0),
        "kb" | "kib" => bytes(1e3),
        "mb" | "mib" => bytes(1e6),
        "gb" | "gib" => bytes(1e9),
        "tb" | "tib" => bytes(1e12),
        "%" | "percent" => Some((1.0, Unit::Percent)),
        _ => None,
    }
}

fn bound(words: &[Word], start: usize, end: usize) -> Bound {
    let before: Vec<&str> =
        words[start.saturating_sub(5)..start].iter().map(|w| w.text.as_str()).collect();
    let after: Vec<&str> = words.iter().skip(end).take(2).map(|w| w.text.as_str()).collect();
    let stands = |phrase: &[&str]| before.windows(phrase.len()).any(|window| window == phrase);
    let limits = |word: &str| {
        ["maximum", "max", "limit", "limited", "below", "under", "within", "\u{2264}", "<"]
            .contains(&word)
    };
    if stands(&["at", "most"])
        || stands(&["up", "to"])
        || stands(&["more", "than"]) && stands(&["no"])
        || stands(&["longer", "than"])
        || stands(&["less", "than"])
        || before.iter().any(|word| limits(word))
        || words.iter().any(|word| word.is(&["maximum", "max"]))
    {
        return Bound::AtMost;
    }
    let needs = |word: &str| ["minimum", "min", "least", "\u{2265}", ">"].contains(&word);
    let continues = after.first().is_some_and(|word| ["and", "or"].contains(word))
        && after
            .get(1)
            .is_some_and(|word| ["later", "newer", "more", "higher", "above"].contains(word));
    if before.iter().any(|word| needs(word)) || continues || stands(&["more", "than"]) {
        return Bound::AtLeast;
    }
    Bound::Exact
}

#[cfg(test)]
mod tests {
    use super::super::words::words_of;
    use super::*;

    #[track_caller]
    fn check(sentence: &str, want: &[(f64, Bound)]) {
        let found: Vec<(f64, Bound)> =
            amounts_of(&words_of(sentence)).iter().map(|it| (it.value, it.bound)).collect();
        assert_eq!(found, want, "{sentence}");
    }

    #[test]
    fn amounts_have_one_unit() {
        check("timeout is 30 seconds", &[(30.0, Bound::Exact)]);
        check("a timeout of 1.5 min", &[(90.0, Bound::Exact)]);
        check("wait 250ms", &[(0.25, Bound::Exact)]);
        check("retry at most three times", &[(3.0, Bound::AtMost)]);
        check("uploads up to 10MB", &[(1e7, Bound::AtMost)]);
        check("no more than 1,000 rows", &[(1000.0, Bound::AtMost)]);
        check("coverage of at least 80 %", &[(80.0, Bound::AtLeast)]);
        check("one of them", &[]);
    }

    #[test]
    fn versions_keep_their_order() {
        let of = |sentence: &str| amounts_of(&words_of(sentence))[0].value;
        assert!(of("Support Python 3.8") < of("Support Python 3.11"));
        assert!(of("Use Node 18") < of("Use Node 22"));
        assert!(of("the minimum version is 1.75") < of("the minimum version is 1.91"));
    }
}
