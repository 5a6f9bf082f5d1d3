//! Amounts, limits and versions in a sentence, in one unit for each dimension.

use std::ops::Range;

use oldhand_text::lexicon::words::{Word, has_phrase};

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
    pub words: Range<usize>,
}

impl Amount {
    fn new(words: &[Word], range: Range<usize>, value: f64, unit: Unit) -> Self {
        // A version is shown with the name before it.
        let is_named = matches!(&unit, Unit::Version(name) if !name.is_empty());
        let shown = &words[range.start - usize::from(is_named)..range.end];
        let text = shown.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
        Self { value, unit, bound: bound(words, &range), text, words: range }
    }

    /// Both can hold: the same value, or a value within the other's limit.
    pub(super) fn agrees(&self, other: &Self) -> bool {
        match (self.bound, other.bound) {
            (Bound::AtMost, Bound::AtLeast | Bound::Exact) | (Bound::Exact, Bound::AtLeast) => {
                self.value >= other.value
            }
            (Bound::AtLeast, Bound::AtMost | Bound::Exact) | (Bound::Exact, Bound::AtMost) => {
                self.value <= other.value
            }
            _ if matches!(self.unit, Unit::Version(_)) => self.value == other.value,
            _ => {
                let largest = self.value.abs().max(other.value.abs());
                (self.value - other.value).abs() <= 0.035 * largest
            }
        }
    }
}

pub(super) fn amounts_of(words: &[Word]) -> Vec<Amount> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let amount = version_at(words, at).or_else(|| amount_at(words, at));
        at = amount.as_ref().map_or(at + 1, |amount| amount.words.end);
        found.extend(amount);
    }
    found
}

fn amount_at(words: &[Word], at: usize) -> Option<Amount> {
    let next = words.get(at + 1);
    // `an hour` is one.
    let is_one =
        words[at].is("a an") && next.is_some_and(|it| it.is("minute hour day week month year"));
    let value = if is_one { 1.0 } else { value_of(&words[at])? };
    // `32-bit` is a name.
    if next.is_some_and(|it| it.is("bit")) {
        return None;
    }
    let counted = |noun: &Word| {
        let is_noun = noun.weight > 0.0 && value_of(noun).is_none();
        is_noun.then(|| (1.0, Unit::Count(noun.stem.clone())))
    };
    let next = next.filter(|it| !it.is_after_break);
    let unit = next.and_then(|it| unit_of(&it.text).or_else(|| counted(it)));
    let is_written = words[at].text.starts_with(|c: char| c.is_ascii_digit());
    // A bare 2024 is a year, and `one` without a noun is mostly no amount.
    if unit.is_none() && (!is_written || (1900.0..2100.0).contains(&value)) {
        return None;
    }
    let range = at..at + 1 + usize::from(unit.is_some());
    let (factor, unit) = unit.unwrap_or((1.0, Unit::Count(String::new())));
    Some(Amount::new(words, range, value * factor, unit))
}

/// `Rust 1.75`, `Node 22`, `version is 1.91`: a number right behind a name is its version.
fn version_at(words: &[Word], at: usize) -> Option<Amount> {
    let before = &words[at.checked_sub(1)?];
    let text = words[at].text.strip_prefix('v').unwrap_or(&words[at].text);
    let value = version_value(text)?;
    let has_unit =
        words.get(at + 1).is_some_and(|next| !next.is_after_break && unit_of(&next.text).is_some());
    let is_labelled = before.is("version");
    let is_named = !is_labelled
        && before.is_capital
        && !words[at].is_after_break
        && before.weight > 0.0
        && at > 1;
    let is_version = is_named || is_labelled || text.contains('.') && before.is("is");
    if has_unit || !is_version {
        return None;
    }
    let name = if is_named { before.stem.clone() } else { String::new() };
    Some(Amount::new(words, at..at + 1, value, Unit::Version(name)))
}

/// Up to three parts, each below ten thousand, as one number that keeps their order.
fn version_value(text: &str) -> Option<f64> {
    let mut value = 0.0;
    for part in text.split('.') {
        value = value * 10_000.0 + f64::from(part.parse::<u16>().ok()?);
    }
    Some(value * [1e8, 1e4, 1.0].get(text.matches('.').count())?)
}

/// Number words have their digits as their stem.
fn value_of(word: &Word) -> Option<f64> {
    let is_number = word.stem.starts_with(|c: char| c.is_ascii_digit());
    word.stem.parse().ok().filter(|value: &f64| is_number && value.is_finite())
}

fn unit_of(text: &str) -> Option<(f64, Unit)> {
    let (factor, unit) = match text {
        "ms" | "millisecond" | "milliseconds" => (0.001, Unit::Seconds),
        "s" | "sec" | "secs" | "second" | "seconds" => (1.0, Unit::Seconds),
        "min" | "mins" | "minute" | "minutes" => (60.0, Unit::Seconds),
        "h" | "hour" | "hours" => (3600.0, Unit::Seconds),
        "d" | "day" | "days" => (86_400.0, Unit::Seconds),
        "week" | "weeks" => (604_800.0, Unit::Seconds),
        // 30 days and 365 days: what people mean by them in a retention rule.
        "month" | "months" => (2_592_000.0, Unit::Seconds),
        "year" | "years" => (31_536_000.0, Unit::Seconds),
        "byte" | "bytes" => (1.0, Unit::Bytes),
        "kb" | "kib" => (1e3, Unit::Bytes),
        "mb" | "mib" => (1e6, Unit::Bytes),
        "gb" | "gib" => (1e9, Unit::Bytes),
        "tb" | "tib" => (1e12, Unit::Bytes),
        "%" | "percent" => (1.0, Unit::Percent),
        _ => return None,
    };
    Some((factor, unit))
}

const LIMITS: &str = "maximum max limit limited below under within \u{2264} <";
const NEEDS: &str = "minimum min least \u{2265} >";

fn bound(words: &[Word], amount: &Range<usize>) -> Bound {
    let before = &words[amount.start.saturating_sub(5)..amount.start];
    let has = |list: &str| before.iter().any(|word| word.is(list));
    let is_more = has_phrase(before, "more than");
    if has_phrase(before, "at most|up to|longer than|less than")
        || is_more && has("no")
        || has(LIMITS)
        || words.iter().any(|word| word.is("maximum max"))
    {
        return Bound::AtMost;
    }
    let goes_on = matches!(&words[amount.end..], [join, more, ..]
        if join.is("and or") && more.is("later newer more higher above"));
    if has(NEEDS) || goes_on || is_more { Bound::AtLeast } else { Bound::Exact }
}

/// Two texts that are the same but for two numbers or more speak of two things: `Alpha 1 uses queue 7`
/// and `Alpha 2 uses queue 14`. One of the numbers is a name.
pub fn names_apart(one: &str, other: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let is_number = |word: &str| word.chars().all(|c| c.is_ascii_digit());
    let (ours, theirs) = (words(one), words(other));
    let differing = || ours.iter().zip(&theirs).filter(|(a, b)| a != b);
    let pairs: std::collections::BTreeSet<_> = differing().collect();
    ours.len() == theirs.len()
        && pairs.len() > 1
        && differing().all(|(a, b)| is_number(a) && is_number(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use oldhand_text::lexicon::words::words_of;

    #[test]
    fn numbers_that_name_are_no_values() {
        assert!(names_apart("Alpha 1 uses queue 7", "Alpha 2 uses queue 14"));
        assert!(names_apart("Use port 8000 for api 0", "Use port 8010 for api 1"));
        assert!(!names_apart("Use port 8000 for the api", "Use port 8010 for the api"));
        assert!(!names_apart("Use port 8000 for api 0", "Use port 8010 for app 1"));
    }

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
