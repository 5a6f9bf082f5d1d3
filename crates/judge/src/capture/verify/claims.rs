//! What can be looked up: paths, identifiers, versions, numbers, commands, quotes and names.

use super::heard::{Heard, Number, claimed_numbers, is_mark};
use super::{Class, Doubt};
use oldhand_text::sentence::{sentences, without_item_mark};
use oldhand_text::strings::shorten;
use oldhand_text::time::parse_instant;
use oldhand_text::{table, terms};

/// With fewer of its telling words in what was said, a sentence is not supported.
const SUPPORT_MIN: f64 = 0.4;
const SENTENCE_WORDS_MIN: usize = 4;
const SHOWN_CHARS: usize = 100;

/// Programs whose name is no English word that begins a sentence.
const PROGRAMS: &str = "cargo npm npx yarn pnpm bun git gh docker docker-compose kubectl helm \
     pip pip3 python python3 node curl wget ssh psql terraform brew apt apt-get sudo systemctl \
     mvn gradle ./gradlew rustup uv poetry pytest oldhand redis-cli aws gcloud rm cp mv chmod \
     sed grep bash sh";

const STRONG_WORDS: &str = "always never all only every none";

/// Endings by which a name without a folder is a file.
const ENDINGS: &str = "rs toml md json jsonl yaml yml py js jsx mjs ts tsx vue go java kt c cc h cpp \
     hpp cs rb php sh sql html css lock txt log env ini cfg conf xml proto swift csv tf";

/// Looks up what the texts of a draft name, and keeps what was not said.
pub(super) struct Claims<'a> {
    pub(super) heard: &'a Heard,
    /// Where the text stands that is looked at.
    pub(super) field: &'a str,
    pub(super) doubts: Vec<Doubt>,
}

impl Claims<'_> {
    pub(super) fn need(&mut self, is_said: bool, class: Class, what: &'static str, value: &str) {
        if !is_said {
            let (field, value) = (self.field.to_owned(), value.to_owned());
            self.doubts.push(Doubt { class, field, what, value });
        }
    }

    /// What a text names, and whether its sentences have words that were said.
    pub(super) fn prose(&mut self, text: &str) {
        self.names(text);
        for sentence in text.lines().flat_map(sentences) {
            let (part, count) = self.heard.support(sentence);
            let is_supported = count < SENTENCE_WORDS_MIN || part >= SUPPORT_MIN;
            let shown = shorten(sentence, SHOWN_CHARS);
            self.need(is_supported, Class::Advisory, "sentence", &shown);
        }
    }

    pub(super) fn names(&mut self, text: &str) {
        let mut prose = String::with_capacity(text.len());
        for (at, piece) in text.split('`').enumerate() {
            // Between backticks; an odd one at the end opens nothing.
            if at % 2 == 1 && self.span(piece) {
                // What stands on both sides of it does not belong together.
                prose.push('\n');
            } else {
                prose.push_str(piece);
                prose.push(' ');
            }
        }
        self.quotes(text);
        for line in prose.lines() {
            let line = without_item_mark(line.trim_start());
            self.command_line(line);
            self.words(line);
        }
    }

    /// A path as it is, or by its name alone.
    pub(super) fn path(&mut self, path: &str) {
        let bare = path.trim_start_matches("./").trim_end_matches('/');
        let name = bare.rsplit(['/', '\\']).next().unwrap_or(bare);
        let is_named = name != bare && name.chars().count() > 2 && self.heard.has_word(name);
        let class = if is_named { Class::Advisory } else { Class::Blocking };
        self.need(self.heard.has_word(bare), class, "path", path);
    }

    /// Looks a code span up as a whole; false when its words should be looked at as prose.
    fn span(&mut self, span: &str) -> bool {
        let code = span.trim();
        let command = code.strip_prefix("$ ").unwrap_or(code).trim();
        if let Some((first, _)) = command.split_once(char::is_whitespace) {
            let is_command = table::has(PROGRAMS, first) || code.starts_with("$ ");
            let what = if is_command { "command" } else { "identifier" };
            self.need(self.heard.has(command), Class::Blocking, what, command);
        } else if code.chars().count() < 2 || code.starts_with(|c: char| c.is_ascii_digit()) {
            return false;
        } else if is_path(code) {
            self.path(code);
        } else {
            self.identifier(code);
        }
        true
    }

    fn identifier(&mut self, name: &str) {
        let bare = name.trim_end_matches("()");
        let is_spelled = self.heard.has_letters(bare);
        let class = if is_spelled { Class::Advisory } else { Class::Blocking };
        self.need(self.heard.has_word(bare), class, "identifier", name);
    }

    /// Text in double quotes on one line: several words must have been said like that.
    fn quotes(&mut self, text: &str) {
        for line in text.lines() {
            let pieces: Vec<&str> = line.split(['"', '“', '”', '„']).collect();
            // Every other piece is quoted; a mark without its partner quotes nothing.
            let quoted = pieces.iter().skip(1).step_by(2).take((pieces.len() - 1) / 2);
            for quote in quoted.map(|quote| quote.trim()).filter(|quote| !quote.is_empty()) {
                let is_long = quote.contains(char::is_whitespace);
                let class = if is_long { Class::Blocking } else { Class::Advisory };
                let is_said = self.heard.has(quote.trim_end_matches(['.', ',', '!', '?']));
                self.need(is_said, class, "quote", quote);
            }
        }
    }

    /// `$ make all` as a whole; `cargo test …` by its first two words, since prose may follow.
    fn command_line(&mut self, line: &str) {
        if let Some(command) = line.strip_prefix("$ ") {
            self.need(self.heard.has(command), Class::Blocking, "command", command.trim());
            return;
        }
        let mut words = line.split_whitespace();
        let (Some(program), Some(next)) = (words.next(), words.next()) else { return };
        let is_word = next.starts_with(|c: char| c.is_ascii_lowercase() || c == '-');
        if table::has(PROGRAMS, program) && is_word && !terms::is_common(next) {
            let next = next.trim_end_matches(['.', ',', ';', ':', '!', '?', ')']);
            let command = format!("{program} {next}");
            self.need(self.heard.has(&command), Class::Blocking, "command", &command);
        }
    }

    fn words(&mut self, line: &str) {
        let mut is_start = true;
        let mut from = 0;
        for raw in line.split_inclusive(|c: char| c.is_whitespace() || is_mark(c)) {
            let behind = from + raw.len();
            let word = bare(raw);
            if !word.is_empty() {
                // With the word behind it, which may be its unit.
                let wide_end =
                    line[behind..].find(char::is_whitespace).map_or(line.len(), |it| behind + it);
                if !self.exact(word) {
                    self.numbers(&line[from..wide_end], raw.len());
                    self.word(word, is_start);
                }
                is_start = raw.trim_end().ends_with(['.', '!', '?', ':', ';']);
            }
            from = behind;
        }
    }

    /// Looks up what is compared letter by letter, with the numbers that are in it; false for a
    /// word of prose.
    fn exact(&mut self, word: &str) -> bool {
        let heard = self.heard;
        if word.contains("://") {
            self.need(heard.has(word), Class::Blocking, "url", word);
        } else if is_path(word) {
            self.path(without_line(word));
        } else if is_version(word) {
            let spellings = [word.trim_start_matches('v'), word, &format!("v{word}")];
            let is_said = spellings.iter().any(|said| heard.has_word(said));
            self.need(is_said, Class::Blocking, "version", word);
        } else if is_date(word) {
            let is_day_said = heard.has_number(word[8..].trim_start_matches('0'), "");
            let class = if is_day_said { Class::Advisory } else { Class::Blocking };
            self.need(heard.has_word(word), class, "date", word);
        } else if is_identifier(word) {
            self.identifier(word);
        } else {
            return false;
        }
        true
    }

    /// The numbers that begin within the first `length` bytes.
    fn numbers(&mut self, wide: &str, length: usize) {
        let own = claimed_numbers(&wide[..length]).len();
        for Number { value, unit, suffix } in claimed_numbers(wide).into_iter().take(own) {
            let is_said = if suffix.is_empty() {
                self.heard.has_number(&value, unit)
            } else {
                self.heard.has_word(&format!("{value}{suffix}"))
                    || self.heard.has_number(&value, "")
            };
            let shown = format!("{value}{suffix} {unit}");
            self.need(is_said, Class::Blocking, "number", shown.trim_end());
        }
    }

    fn word(&mut self, word: &str, is_start: bool) {
        let heard = self.heard;
        if table::has(STRONG_WORDS, &word.to_lowercase()) {
            self.need(heard.has_word(word), Class::Advisory, "strong word", word);
        }
        let capitals = word.chars().filter(|c| c.is_uppercase()).count();
        let is_name = word.starts_with(char::is_uppercase) && word.chars().count() > 1;
        // The first word of a sentence has its capital from there.
        if is_name && (!is_start || capitals > 1) {
            let is_said = heard.has_word(word) || heard.has_any_stem(word);
            self.need(is_said, Class::Advisory, "name", word);
        }
    }
}

pub fn bare(raw: &str) -> &str {
    let is_edge = |c: char| c.is_whitespace() || is_mark(c) || ",;:!?()[]{}<>|=#~".contains(c);
    let word = raw.trim_matches(is_edge);
    word.trim_end_matches(|c: char| c == '.' || is_edge(c))
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
    matches!(word.as_bytes(), [_, _, _, _, b'-', _, _, b'-', _, _]) && parse_instant(word).is_some()
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
