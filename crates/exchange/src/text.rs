//! What every format does with text: bytes to characters, headings to titles, words to dates, and whether
//! a passage says anything. Nothing here knows a format.

use jiff::Timestamp;
use oldhand_core::codec::sections::Outside;
use oldhand_judge::guess;
use oldhand_text::sentence;
use oldhand_text::strings::{normalise_body, normalise_line};
use oldhand_text::time::parse_instant;

/// Bytes of a file as text with `\n` at the ends of lines: UTF-8, or UTF-16 with its byte order mark.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Decoded {
    pub text: String,
    /// How many NUL characters were dropped.
    pub nuls: usize,
    /// Some bytes were no characters, and are replaced.
    pub is_damaged: bool,
}

pub fn decode(bytes: &[u8]) -> Decoded {
    let wide = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
        let text: String =
            char::decode_utf16(units).map(|it| it.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
        let is_damaged = bytes.len() % 2 == 1 || text.contains(char::REPLACEMENT_CHARACTER);
        (text, is_damaged)
    };
    let (text, is_damaged) = match bytes {
        [0xFF, 0xFE, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => wide(rest, u16::from_be_bytes),
        _ => {
            let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
            let text = String::from_utf8_lossy(bytes);
            let is_damaged = matches!(text, std::borrow::Cow::Owned(_));
            (text.into_owned(), is_damaged)
        }
    };
    let nuls = text.matches('\0').count();
    let text = text.replace('\0', "").replace("\r\n", "\n").replace('\r', "\n");
    Decoded { text, nuls, is_damaged }
}

/// A heading as a title: without numbers, emoji, emphasis and a last colon.
pub fn heading_title(heading: &str) -> String {
    let line = normalise_line(&heading.replace("**", "").replace("__", ""));
    let mut bare = line.trim_matches(is_ornament);
    let after_number = bare.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let is_number =
        after_number.len() < bare.len() && bare.starts_with(|c: char| c.is_ascii_digit());
    // `1. Setup`, `2.1 Setup`, `3) Setup`; a year or `2 phases` is no number of a heading.
    let number = &bare[..bare.len() - after_number.len()];
    let marked = after_number.strip_prefix(')').unwrap_or(after_number);
    let has_mark = number.contains('.') || marked.len() < after_number.len();
    if is_number && has_mark && marked.starts_with([' ', '\t']) {
        bare = marked;
    }
    let bare = bare.trim_matches(is_ornament).trim_end_matches(':').trim_end();
    if sentence::has_words(bare) { bare.to_owned() } else { line }
}

/// Symbols and blanks around a heading.
fn is_ornament(character: char) -> bool {
    character.is_whitespace()
        || matches!(character, '\u{2190}'..='\u{2BFF}' | '\u{1F000}'..='\u{1FAFF}' | '\u{FE0F}'
            | '\u{200D}' | '\u{20E3}' | '#')
}

/// The title of a section: a heading of one word gets the page's title before it.
pub fn section_title(page: &str, heading: &str) -> String {
    let title = heading_title(heading);
    if title.contains(' ') || page.is_empty() { title } else { format!("{page}: {title}") }
}

/// A title for text that has none: of its first line of prose.
pub fn guessed_title(text: &str) -> String {
    let mut outside = Outside::default();
    let is_prose = |line: &&str| outside.passes(line) && sentence::has_words(line);
    let first =
        text.lines().find(is_prose).or_else(|| text.lines().find(|it| sentence::has_words(it)));
    guess::title(first.unwrap_or_default())
}

/// The lines of a text with whether they are outside of fences and comments.
pub fn marked_lines(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut outside = Outside::default();
    text.lines().map(move |line| (line, outside.passes(line)))
}

/// The level and text of a heading that begins with `#`; a line in bold is none.
pub fn heading(line: &str) -> Option<(usize, &str)> {
    sentence::heading(line)
        .filter(|(level, text)| *level < sentence::BOLD_LEVEL && !text.is_empty())
}

/// The first level-1 heading, and the text without its line when nothing stands above it but blanks.
pub fn titled(text: &str) -> (Option<&str>, String) {
    let at = marked_lines(text)
        .position(|(line, is_plain)| is_plain && matches!(heading(line), Some((1, _))));
    let Some(at) = at else { return (None, normalise_body(text)) };
    let title = text.lines().nth(at).and_then(heading).map(|(_, title)| title);
    let rest: Vec<&str> =
        text.lines().enumerate().filter(|(line, _)| *line != at).map(|(_, line)| line).collect();
    (title, normalise_body(&rest.join("\n")))
}

/// A date of the source: an instant, a day, a day with a time (UTC), `M/D/YYYY`, or seconds or
/// milliseconds since 1970. A placeholder is no date.
pub fn date(text: &str) -> Option<Timestamp> {
    any_date(text, |one, two| [two, one])
}

/// The same where `3/4/2026` is the third of April.
pub fn date_day_first(text: &str) -> Option<Timestamp> {
    any_date(text, |one, two| [one, two])
}

fn any_date(text: &str, day_and_month: fn(u8, u8) -> [u8; 2]) -> Option<Timestamp> {
    let text = text.trim().trim_matches(['"', '\'', '`', '*']).trim();
    if let Some(instant) = parse_instant(text) {
        return Some(instant);
    }
    if text.len() >= 9 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return text.parse().ok().and_then(epoch);
    }
    let (day, time) = text.split_once([' ', 'T']).unwrap_or((text, ""));
    if let Some((month, rest)) = day.split_once('/') {
        let (second, year) = rest.split_once('/')?;
        let [day, month] = day_and_month(month.parse().ok()?, second.parse().ok()?);
        let year: u16 = year.trim_end_matches(',').parse().ok().filter(|year| *year >= 1900)?;
        let day = format!("{year:04}-{month:02}-{day:02}");
        return parse_instant(&format!("{day} {time}")).or_else(|| parse_instant(&day));
    }
    // A time that is no time, such as `10:30 UTC`, leaves the day.
    (day.len() == 10 && !time.is_empty()).then(|| parse_instant(day)).flatten()
}

/// Seconds since 1970, or milliseconds from 1e11 on.
pub fn epoch(number: f64) -> Option<Timestamp> {
    if !number.is_finite() || number < 0.0 {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "within the range of instants, or refused")]
    let millis = if number >= 1e11 { number as i64 } else { (number * 1000.0) as i64 };
    Timestamp::from_millisecond(millis).ok()
}

/// A date at the beginning of a line, in brackets or not, and what stands behind it and its mark.
pub fn leading_date(line: &str) -> Option<(Timestamp, &str)> {
    let line = line.trim_start();
    let marks = [' ', ':', '-', '–', '—', '|', '\t'];
    let closed = |close: char| {
        let (inner, rest) = line[1..].split_once(close)?;
        Some((date(inner)?, rest.trim_start_matches(marks)))
    };
    match line.chars().next()? {
        '[' => closed(']'),
        '(' => closed(')'),
        first if first.is_ascii_digit() => {
            let is_part = |c: char| {
                c.is_ascii_digit() || matches!(c, '-' | '/' | ':' | '.' | 'T' | 'Z' | '+')
            };
            let word = |text: &str| text.find(|c| !is_part(c)).unwrap_or(text.len());
            let end = word(line);
            let day = line[..end].trim_end_matches(['-', ':', '.']);
            let rest = &line[end..];
            let clock =
                rest.strip_prefix(' ').map(|it| it[..word(it)].trim_end_matches([':', '-', '.']));
            let timed = clock.filter(|it| it.contains(':')).and_then(|clock| {
                let instant = parse_instant(&format!("{day} {clock}"))?;
                Some((instant, &rest[1 + clock.len()..]))
            });
            let (instant, rest) = match timed {
                Some(found) => found,
                None if day.len() >= 8 && day.contains(['-', '/']) => {
                    (date(day)?, &line[day.len()..])
                }
                None => return None,
            };
            Some((instant, rest.trim_start_matches(marks)))
        }
        _ => None,
    }
}

/// Why a passage says nothing: `empty`, `placeholder` or `only links`.
pub fn says_nothing(text: &str) -> Option<&'static str> {
    let plain = without_comments(text);
    let mut lines =
        plain.lines().map(|line| sentence::without_item_mark(line.trim()).trim()).peekable();
    let lines: Vec<&str> = lines.by_ref().filter(|line| !is_blank_word(line)).collect();
    if lines.is_empty() {
        return Some("empty");
    }
    if lines.iter().all(|line| is_placeholder(line)) {
        return Some("placeholder");
    }
    lines.iter().all(|line| is_inner_link(line)).then_some("only links")
}

/// What an export writes where the format wants a text and none was recorded.
pub const NOT_RECORDED: &str = "not recorded";

/// Whether a value such as `None` stands for nothing.
pub fn is_blank_word(text: &str) -> bool {
    let bare = text.trim_matches(['*', '-', '_', '+', '.', ' ', '\t']).to_lowercase();
    matches!(bare.as_str(), "" | "none" | "n/a" | "none recorded" | NOT_RECORDED | "n.a")
}

/// `[How value is measured]`, `{short title}`: what a template asks for.
pub fn is_placeholder(line: &str) -> bool {
    let line = line.trim();
    let within = |open: char, close: char| {
        let inner = line.strip_prefix(open).and_then(|it| it.strip_suffix(close));
        inner.is_some_and(|it| !it.contains([open, close]) && it.trim().chars().count() > 1)
    };
    within('[', ']') || within('{', '}')
}

/// A link into the page itself.
fn is_inner_link(line: &str) -> bool {
    let link = || line.strip_prefix('[')?.strip_suffix(')')?.split_once("](");
    link().is_some_and(|(_, target)| target.starts_with('#'))
}

/// The text without its HTML comments; one that is never closed stays.
pub fn without_comments(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once("<!--") {
        let Some((_, after)) = comment.split_once("-->") else { break };
        plain.push_str(before);
        rest = after;
    }
    plain + rest
}

/// How many characters of prose a text has: no headings, comments, fences and links to pages.
pub fn prose_chars(text: &str) -> usize {
    let plain = without_comments(text);
    let prose = marked_lines(&plain).filter(|(line, is_plain)| {
        *is_plain && heading(line).is_none() && !line.trim_start().starts_with('@')
    });
    prose.map(|(line, _)| line.trim().chars().count()).sum()
}

/// Lines that only continue the one before are joined by a blank; paragraphs, items and code stay.
pub fn joined_lines(text: &str) -> String {
    let is_own = |line: &str| {
        let bare = line.trim_start();
        bare.is_empty()
            || sentence::item(bare).is_some()
            || bare.starts_with(['#', '>', '|', '`', '~', '<'])
    };
    let mut joined = String::with_capacity(text.len());
    let mut goes_on = false;
    for (line, is_plain) in marked_lines(text) {
        let continues = goes_on && is_plain && !is_own(line);
        if !joined.is_empty() {
            joined.push(if continues { ' ' } else { '\n' });
        }
        joined.push_str(if continues { line.trim_start() } else { line });
        goes_on = is_plain && !line.trim().is_empty() && heading(line).is_none();
    }
    normalise_body(&joined)
}

/// A comma text as its parts; a comma inside of braces belongs to the pattern.
pub fn comma_parts(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0_usize;
    for character in text.chars() {
        match character {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        match parts.last_mut() {
            Some(part) if character != ',' || depth > 0 => part.push(character),
            _ => parts.push(String::new()),
        }
    }
    let parts = parts.iter().map(|part| part.trim().trim_matches(['"', '\'']).to_owned());
    parts.filter(|part| !part.is_empty()).collect()
}
