//! What a text names so exactly that it can be looked up: paths, identifiers, versions, numbers,
//! commands, quotes, names.

use super::Class;
use super::heard::{Heard, is_mark};
use super::numbers::{self, Number};
use oldhand_text::sentence::without_item_mark;
use oldhand_text::{table, terms};

pub(super) type Take<'a> = dyn FnMut(Class, &'static str, &str) + 'a;

/// Programs whose name is no English word that begins a sentence.
const PROGRAMS: &str = "cargo npm npx yarn pnpm bun git gh docker docker-compose kubectl helm \
     pip pip3 python python3 node curl wget ssh psql terraform brew apt apt-get sudo systemctl \
     mvn gradle ./gradlew rustup uv poetry pytest oldhand redis-cli aws gcloud rm cp mv chmod \
     sed grep bash sh";

const STRONG_WORDS: &[&str] = &["always", "never", "all", "only", "every", "none"];

/// Endings by which a name without a folder is a file.
const ENDINGS: &str = "rs toml md json jsonl yaml yml py js jsx mjs ts tsx vue go java kt c cc h cpp \
     hpp cs rb php sh sql html css lock txt log env ini cfg conf xml proto swift csv tf";

pub(super) fn check(heard: &Heard, text: &str, take: &mut Take<'_>) {
    let mut prose = String::with_capacity(text.len());
    for (at, piece) in text.split('`').enumerate() {
        // Between backticks; an odd one at the end opens nothing.
        if at % 2 == 1 && span(heard, piece, take) {
            // What stands on both sides of it does not belong together.
            prose.push('\n');
        } else {
            prose.push_str(piece);
            prose.push(' ');
        }
    }
    quotes(heard, text, take);
    for line in prose.lines() {
        let line = without_item_mark(line.trim_start());
        command_line(heard, line, take);
        words(heard, line, take);
    }
}

/// A path as it is, or by its name alone.
pub(super) fn path(heard: &Heard, path: &str, take: &mut Take<'_>) {
    let bare = path.trim_start_matches("./").trim_end_matches('/');
    let name = bare.rsplit(['/', '\\']).next().unwrap_or(bare);
    if heard.has_word(bare) {
        return;
    }
    let is_named = name != bare && name.chars().count() > 2 && heard.has_word(name);
    take(if is_named { Class::Advisory } else { Class::Blocking }, "path", path);
}

/// Looks a code span up as a whole; false when its words should be looked at as prose.
fn span(heard: &Heard, span: &str, take: &mut Take<'_>) -> bool {
    let code = span.trim();
    let command = code.strip_prefix("$ ").unwrap_or(code).trim();
    let first = command.split_whitespace().next().unwrap_or_default();
    if command.contains(char::is_whitespace) {
        let what = if table::has(PROGRAMS, first) || code.starts_with("$ ") {
            "command"
        } else {
            "identifier"
        };
        if !heard.has(command) {
            take(Class::Blocking, what, command);
        }
        return true;
    }
    if code.chars().count() < 2 || code.starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    if is_path(code) {
        path(heard, code, take);
    } else {
        identifier(heard, code, take);
    }
    true
}

fn identifier(heard: &Heard, name: &str, take: &mut Take<'_>) {
    let bare = name.trim_end_matches("()");
    if heard.has_word(bare) {
        return;
    }
    let class = if heard.has_letters(bare) { Class::Advisory } else { Class::Blocking };
    take(class, "identifier", name);
}

/// Text in double quotes on one line: several words must have been said like that.
fn quotes(heard: &Heard, text: &str, take: &mut Take<'_>) {
    for line in text.lines() {
        let pieces: Vec<&str> = line.split(['"', '“', '”', '„']).collect();
        // Every other piece is quoted; a mark without its partner quotes nothing.
        let quoted = pieces.iter().skip(1).step_by(2).take((pieces.len() - 1) / 2);
        for quote in quoted.map(|quote| quote.trim()).filter(|quote| !quote.is_empty()) {
            let is_long = quote.split_whitespace().count() > 1;
            if !heard.has(quote.trim_end_matches(['.', ',', '!', '?'])) {
                take(if is_long { Class::Blocking } else { Class::Advisory }, "quote", quote);
            }
        }
    }
}

/// `$ make all` as a whole; `cargo test …` by its first two words, since prose may follow.
fn command_line(heard: &Heard, line: &str, take: &mut Take<'_>) {
    if let Some(command) = line.strip_prefix("$ ") {
        if !heard.has(command) {
            take(Class::Blocking, "command", command.trim());
        }
        return;
    }
    let mut words = line.split_whitespace();
    let (Some(program), Some(next)) = (words.next(), words.next()) else { return };
    let is_word = next.starts_with(|c: char| c.is_ascii_lowercase() || c == '-');
    if !table::has(PROGRAMS, program) || !is_word || terms::is_common(next) {
        return;
    }
    let command =
        format!("{program} {}", next.trim_end_matches(['.', ',', ';', ':', '!', '?', ')']));
    if !heard.has(&command) {
        take(Class::Blocking, "command", &command);
    }
}

fn words(heard: &Heard, line: &str, take: &mut Take<'_>) {
    let mut is_start = true;
    let mut from = 0;
    for raw in line.split_inclusive(|c: char| c.is_whitespace() || is_mark(c)) {
        let behind = from + raw.len();
        let word = bare(raw);
        if !word.is_empty() {
            // With the word behind it, which may be its unit.
            let wide_end =
                line[behind..].find(char::is_whitespace).map_or(line.len(), |it| behind + it);
            if !exact_claim(heard, word, take) {
                number_claims(heard, &line[from..wide_end], raw.len(), take);
                word_claim(heard, word, is_start, take);
            }
            is_start = raw.trim_end().ends_with(['.', '!', '?', ':', ';']);
        }
        from = behind;
    }
}

pub fn bare(raw: &str) -> &str {
    let is_edge = |c: char| c.is_whitespace() || is_mark(c) || ",;:!?()[]{}<>|=#~".contains(c);
    let word = raw.trim_matches(is_edge);
    word.trim_end_matches(|c: char| c == '.' || is_edge(c))
}

/// Looks up what is compared letter by letter, with the numbers that are in it; false for a word of
/// prose.
fn exact_claim(heard: &Heard, word: &str, take: &mut Take<'_>) -> bool {
    if word.contains("://") {
        if !heard.has(word) {
            take(Class::Blocking, "url", word);
        }
    } else if is_path(word) {
        path(heard, without_line(word), take);
    } else if is_version(word) {
        let number = word.trim_start_matches('v');
        if ![number, word, &format!("v{word}")].iter().any(|said| heard.has_word(said)) {
            take(Class::Blocking, "version", word);
        }
    } else if is_date(word) {
        if !heard.has_word(word) {
            let is_day_said = heard.has_number(word[8..].trim_start_matches('0'), "");
            take(if is_day_said { Class::Advisory } else { Class::Blocking }, "date", word);
        }
    } else if is_identifier(word) {
        identifier(heard, word, take);
    } else {
        return false;
    }
    true
}

/// The numbers that begin within the first `length` bytes.
fn number_claims(heard: &Heard, wide: &str, length: usize, take: &mut Take<'_>) {
    let own = numbers::claimed(&wide[..length]).len();
    for number in numbers::claimed(wide).into_iter().take(own) {
        let Number { value, unit, suffix } = &number;
        let is_said = if suffix.is_empty() {
            heard.has_number(value, unit)
        } else {
            heard.has_word(&format!("{value}{suffix}")) || heard.has_number(value, "")
        };
        if !is_said {
            let gap = if unit.is_empty() { "" } else { " " };
            take(Class::Blocking, "number", &format!("{value}{suffix}{gap}{unit}"));
        }
    }
}

fn word_claim(heard: &Heard, word: &str, is_start: bool, take: &mut Take<'_>) {
    if STRONG_WORDS.contains(&word.to_lowercase().as_str()) && !heard.has_word(word) {
        take(Class::Advisory, "strong word", word);
    }
    let capitals = word.chars().filter(|c| c.is_uppercase()).count();
    let is_name = word.starts_with(char::is_uppercase) && word.chars().count() > 1;
    // The first word of a sentence has its capital from there.
    if is_name && (!is_start || capitals > 1) && !heard.has_word(word) && !heard.has_any_stem(word)
    {
        take(Class::Advisory, "name", word);
    }
}

/// `src/a.rs:12` without its line.
pub fn without_line(path: &str) -> &str {
    let is_line = |it: &str| !it.is_empty() && it.bytes().all(|b| b.is_ascii_digit());
    match path.rsplit_once(':') {
        Some((path, line)) if is_line(line) => path,
        _ => path,
    }
}

/// `and/or` and `TCP/IP` are words; a path has an ending, a beginning or more than one slash.
pub fn is_path(word: &str) -> bool {
    let path = without_line(word);
    let has_ending = has_file_ending(path);
    let slashes = path.matches(['/', '\\']).count();
    let has_letters = path.chars().any(char::is_alphabetic);
    let is_rooted = ["/", "./", "../", "~/"].iter().any(|it| path.starts_with(it));
    // `10/20/30` is none.
    has_letters
        && !path.contains("//")
        && (has_ending && path.len() > 3 || slashes > 1 || (is_rooted && path.len() > 3))
}

pub(crate) fn has_file_ending(path: &str) -> bool {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    table::has(ENDINGS, &ending.to_ascii_lowercase())
}

pub fn is_version(word: &str) -> bool {
    let number = word.strip_prefix('v').unwrap_or(word);
    // `1.2.3-beta` too.
    let number = number.split(['-', '+']).next().unwrap_or(number);
    let parts: Vec<&str> = number.split('.').collect();
    let is_numeric =
        parts.iter().all(|it| !it.is_empty() && it.bytes().all(|b| b.is_ascii_digit()));
    is_numeric && (parts.len() > 2 || (word.starts_with('v') && !parts.is_empty()))
}

pub fn is_date(word: &str) -> bool {
    let bytes = word.as_bytes();
    let is_digit = |at: usize| bytes[at].is_ascii_digit();
    bytes.len() == 10
        && bytes[4] == b'-'
        && bytes[7] == b'-'
        && [0, 1, 2, 3, 5, 6, 8, 9].into_iter().all(is_digit)
}

/// `snake_case`, `camelCase`, `CONST_CASE`, `a::b`, `dotted.name`, `call()`, `--flag`, `sha256`.
fn is_identifier(word: &str) -> bool {
    let characters: Vec<char> = word.chars().collect();
    let inner = |sign: char| {
        characters
            .windows(3)
            .any(|it| it[1] == sign && it[0].is_alphanumeric() && it[2].is_alphanumeric())
    };
    let has_letter = characters.iter().any(|c| c.is_alphabetic());
    let is_camel = characters.windows(2).any(|it| it[0].is_lowercase() && it[1].is_uppercase());
    // `e.g` and `i.e` have single letters only.
    let is_dotted = inner('.') && word.split('.').any(|it| it.chars().count() > 1);
    let starts_with_digit = characters.first().is_some_and(char::is_ascii_digit);
    let is_mixed = !starts_with_digit
        && characters.iter().all(|c| c.is_alphanumeric())
        && characters.iter().any(char::is_ascii_digit);
    let is_flag = word.starts_with("--") && characters.len() > 3;
    has_letter
        && (inner('_')
            || is_camel
            || word.contains("::")
            || (is_dotted && !starts_with_digit)
            || word.ends_with("()")
            || is_flag
            || is_mixed)
}
