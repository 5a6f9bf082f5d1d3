//! What of a text tells something: its words, its exact values, and the sentence of an answer that says
//! most, since agents begin with courtesies and announcements.

use std::collections::BTreeSet;

use oldhand_judge::capture::sentence::Sentence;
use oldhand_judge::capture::verify::claims::{bare, is_date, is_path, is_version};
use oldhand_text::table;

/// How sentences begin that say what is still to come.
const ANNOUNCEMENTS: &str = "let me|now let|i'll|i will|let's|now i'll";
/// How sentences begin that introduce, agree or praise.
const FILLERS: &str = "here's|here is|here are|now i|great|perfect|excellent|good|you're right|\
    you were right|looking at|i see|i understand|sure|of course|if you|next,|first,";
const RESULTS: &str = "pass|fixed|now|added|created|pushed|merged|committed|removed|moved|works|\
    fails|failed|because|replaced|released|updated|renamed|opened";
const NEWS_MIN: usize = 2;
const SENTENCE_CHARS_MAX: usize = 400;
/// A list begins this near behind the line that announces it.
const ROWS_MAX: usize = 2;

/// `None` where no sentence says anything. `whole` is the text that the sentences were taken from.
pub(super) fn best<'t>(
    whole: &'t str,
    own: &[Sentence<'t>],
    question: Option<&str>,
) -> Option<&'t str> {
    let scored = own.iter().enumerate().rev().filter_map(|(at, sentence)| {
        let text =
            joined(whole, own, at).filter(|_| !sentence.is_heading && !sentence.is_question)?;
        let (news, lower) = (news(text), text.to_lowercase());
        let says = news + exact(text).min(1) >= NEWS_MIN;
        let score = score(&lower, news, question) - (at as i64).min(12) / 2;
        (says && !table::begins(ANNOUNCEMENTS, &lower)).then_some((score, text))
    });
    // Of equals the last one counts, which is the first of the text.
    scored.max_by_key(|(score, _)| *score).map(|(_, text)| text)
}

/// The first sentence that is no announcement, however little it says: `Yes.` answers a question.
pub(super) fn first<'t>(own: &[Sentence<'t>]) -> Option<&'t str> {
    let says = |it: &&Sentence<'t>| !it.is_question && !it.is_heading && !it.text.ends_with(':');
    own.iter().find(says).map(|it| it.text)
}

/// What ends with a colon goes on in the item behind it.
fn joined<'t>(whole: &'t str, own: &[Sentence<'t>], at: usize) -> Option<&'t str> {
    let sentence = own.get(at)?;
    if !sentence.text.trim_end_matches(['*', '_']).ends_with(':') {
        return Some(sentence.text);
    }
    let next = own.get(at + 1)?;
    if next.is_heading || next.row > sentence.row + ROWS_MAX {
        return None;
    }
    let offset = |part: &str| (part.as_ptr() as usize).checked_sub(whole.as_ptr() as usize);
    let text = whole.get(offset(sentence.text)?..offset(next.text)? + next.text.len())?;
    (text.len() <= SENTENCE_CHARS_MAX).then_some(text)
}

fn score(lower: &str, news: usize, question: Option<&str>) -> i64 {
    let shared = question.map_or(0, |question| shared(question, lower));
    let sum = news.min(12) + 2 * exact(lower).min(4) + 3 * shared.min(4);
    let result = if table::holds(RESULTS, lower) { 4 } else { 0 };
    let filler = if table::begins(FILLERS, lower) { 6 } else { 0 };
    sum as i64 + result - filler
}

/// Words that are in any sentence of a conversation about work.
const EMPTY: &str = "about after again ahead all also and any are been before being both but can \
    could did does doing done each fine for from get give going good great had has have her here \
    his how into its just know let lets like look looks make may more most much need not now off \
    okay one only other our out over perfect please right see shall should some sure take tell \
    than thank thanks that the them then there these they thing things this those too try very \
    want was way well were what when where which who why will with would yes yet you your i'll \
    i'm i've it's let's here's that's you're what's don't";

/// Words of reports that say only that there is one.
const REPORT: &str = "complete completed change changes changed everything summary picture ready \
    work works working fix fixed made following found finished task result results update updated \
    clear full understand committed";

/// In lower case, each as often as it stands there.
pub(super) fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    let is_inner = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
    text.split(move |c: char| !is_inner(c)).filter_map(|word| {
        let word = word.trim_matches('\'').to_lowercase();
        let is_long = word.chars().count() > 2 || !word.is_ascii();
        (is_long && !table::has(EMPTY, &word)).then_some(word)
    })
}

/// How many distinct words say what something is about. Scripts without blanks count by letters.
pub(super) fn weight(text: &str) -> usize {
    const LETTERS_PER_WORD: usize = 2;
    let words: BTreeSet<String> = words(text).take(64).collect();
    let of = |word: &String| match word.is_ascii() {
        true => 1,
        false => (word.chars().filter(|c| *c > '\u{2e80}').count() / LETTERS_PER_WORD).max(1),
    };
    words.iter().map(of).sum()
}

/// The same without the words of any report.
fn news(text: &str) -> usize {
    let words: BTreeSet<String> = words(text).take(64).collect();
    words.iter().filter(|word| !table::has(REPORT, word)).count()
}

fn exact(text: &str) -> usize {
    let of_word = |word: &&str| {
        let plain = bare(word);
        word.contains('`')
            || plain.contains("://")
            || is_path(plain)
            || is_version(plain)
            || plain.bytes().any(|b| b.is_ascii_digit())
    };
    text.split_whitespace().filter(of_word).count()
}

pub(super) fn shared(one: &str, other: &str) -> usize {
    let known: BTreeSet<String> = words(one).collect();
    words(other).collect::<BTreeSet<_>>().intersection(&known).count()
}

/// It links a name with its value, or stands before a noun.
fn is_link(word: &str) -> bool {
    table::has("is of to at in on by be as for from = : was than", &word.to_lowercase())
}

fn is_empty_word(word: &str) -> bool {
    let lower = word.to_lowercase();
    lower.len() < 2 || is_link(&lower) || lower == "an" || table::has(EMPTY, &lower)
}

/// A number, version, date or setting: what can't be guessed again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Value {
    pub text: String,
    pub snippet: String,
}

const VALUE_CHARS_MAX: usize = 60;
const UNIT_CHARS_MAX: usize = 12;

/// The values of one sentence, which must be one line already.
pub(super) fn values(sentence: &str) -> Vec<Value> {
    if !sentence.bytes().any(|b| b.is_ascii_digit()) {
        return Vec::new();
    }
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let mut found: Vec<Value> = Vec::new();
    for (at, raw) in words.iter().enumerate() {
        let word = plain(raw);
        if !is_value(word, at.checked_sub(1).map(|before| words[before])) {
            continue;
        }
        let mut snippet = vec![name(&words[..at]), word.to_owned(), unit(raw, words.get(at + 1))];
        snippet.retain(|it| !it.is_empty());
        let snippet = snippet.join(" ");
        if snippet.chars().count() <= 3 * VALUE_CHARS_MAX && !found.iter().any(|it| it.text == word)
        {
            found.push(Value { text: word.to_owned(), snippet });
        }
    }
    found
}

/// `port`, `port =` or `timeout of` before a value. A mark that ends a part of the sentence ends the
/// name too.
fn name(before: &[&str]) -> String {
    let ends = |word: &str| word.ends_with([',', ';', '.', '!', '?', ')']);
    let (link, rest) = match before {
        [rest @ .., link] if is_link(link) => (*link, rest),
        _ => ("", before),
    };
    let Some(raw) = rest.last().filter(|raw| !ends(raw)) else { return String::new() };
    let name = plain(raw);
    let is_name = !is_empty_word(name) && name.chars().any(char::is_alphabetic);
    let is_marked = link.is_empty() && raw.ends_with(['=', ':']);
    let mark = if is_marked { &raw[raw.len() - 1..] } else { "" };
    if is_name { format!("{name}{mark} {link}").trim_end().to_owned() } else { String::new() }
}

fn unit(raw: &str, next: Option<&&str>) -> String {
    let is_end = raw.ends_with([',', ';', '.', '!', '?', ')', ':']) || raw.contains('=');
    let unit = next.map(|it| plain(it)).unwrap_or_default();
    let is_word = unit.chars().all(char::is_alphabetic) && !unit.ends_with("ly");
    let is_unit = is_word && unit.chars().count() <= UNIT_CHARS_MAX && !is_empty_word(unit);
    if is_end || !is_unit { String::new() } else { unit.to_owned() }
}

/// Without the marks around it; a sign before a number belongs to it.
fn plain(raw: &str) -> &str {
    bare(raw).trim_matches(['`', '"', '\''])
}

/// A number of two digits or more, one with a unit or a point, a version, a date, `key=1`, and one
/// digit behind `=` or `:`. Names with digits in them are no numbers.
fn is_value(word: &str, before: Option<&str>) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    if digits == 0 || word.len() > VALUE_CHARS_MAX {
        return false;
    }
    if is_version(word) || is_date(word) {
        return true;
    }
    if word.contains("://") || is_path(word) {
        return false;
    }
    let setting =
        word.split_once('=').filter(|(name, value)| !name.is_empty() && !value.is_empty());
    if let Some((_, value)) = setting {
        return value.starts_with(|c: char| c.is_ascii_digit());
    }
    let number = word.trim_start_matches(['-', '+', '~', '$', '€', '#']);
    let starts = number.starts_with(|c: char| c.is_ascii_digit());
    let is_named = before.is_some_and(|it| it.ends_with(['=', ':']));
    starts && (digits > 1 || is_named || word.chars().count() > digits && !number.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use oldhand_judge::capture::sentence::sentences;
    use oldhand_transcripts::{Turn, Voice};

    #[track_caller]
    fn check(text: &str, want: Option<&str>) {
        let turn = Turn { line: 1, voice: Voice::Agent, text: text.to_owned(), ..Turn::default() };
        let turns = [turn];
        let found = best(&turns[0].text, &sentences(&turns), None);
        assert_eq!(found.map(oldhand_text::strings::normalise_line).as_deref(), want);
    }

    #[test]
    fn the_sentence_that_tells_most_is_taken() {
        check("Done.", None);
        check("Here's a summary of the changes:", None);
        check("Now I have a complete picture. You were right to flag that.", None);
        check(
            "Here's a summary of the changes:\n\n- moved the cache to port 6380\n- wrote a test",
            Some("moved the cache to port 6380"),
        );
        check(
            "Committed as `6fe5d8cb`:\n- the parser",
            Some("Committed as `6fe5d8cb`: - the parser"),
        );
        check(
            "Great idea! The comment said something else. The wrapper now sources `.env` before `run.sh`.",
            Some("The wrapper now sources `.env` before `run.sh`."),
        );
    }

    #[test]
    fn a_value_comes_with_its_name_and_unit() {
        let check = |sentence: &str, want: &[&str]| {
            let found: Vec<String> = values(sentence).into_iter().map(|it| it.snippet).collect();
            assert_eq!(found, want, "{sentence}");
        };
        check("move it to the invoice total, 19 percent, then", &["19 percent"]);
        check("the cache is on port 6380, not here", &["port 6380"]);
        check("set port = 8080 there", &["port = 8080"]);
        check("a timeout of 30 seconds", &["timeout of 30 seconds"]);
        check("\"line below\" but ENTIRE_LOCAL_DEV=1 on", &["ENTIRE_LOCAL_DEV=1"]);
        check("the repository for the 0.4.3 release", &["0.4.3 release"]);
        check("retries: 3", &["retries: 3"]);
    }
}
