//! The words of one sentence as the gate reads them: lower-cased, stemmed, and weighed by how much
//! they say about the subject. It knows no negation and no lexicon.

use rust_stemmers::{Algorithm, Stemmer};

use oldhand_text::terms;

/// A longer sentence is prose, not a claim; what follows is not read.
const WORDS_MAX: usize = 80;

/// One word and what it is worth.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Word {
    /// Lower-cased, without apostrophes.
    pub text: String,
    pub stem: String,
    /// Punctuation that parts clauses stands before it.
    pub is_after_break: bool,
    pub is_capital: bool,
    pub is_all_capitals: bool,
    /// 0 for a function word, 1 for a word that names a matter, 2 for a name from code.
    weight: f64,
}

impl Word {
    pub(super) fn is(&self, words: &[&str]) -> bool {
        words.contains(&self.text.as_str())
    }

    pub(super) fn weight(&self) -> f64 {
        self.weight
    }

    /// A verb of making and keeping that says little about what the sentence is about.
    pub(super) fn is_light(&self) -> bool {
        LIGHT.binary_search(&self.stem.as_str()).is_ok()
    }
}

pub(super) fn words_of(sentence: &str) -> Vec<Word> {
    let mut scan = Scan::default();
    let characters: Vec<char> = sentence.chars().collect();
    for (at, &character) in characters.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| characters.get(at)).copied().unwrap_or(' ');
        let after = characters.get(at + 1).copied().unwrap_or(' ');
        scan.take(before, character, after);
        if scan.words.len() >= WORDS_MAX {
            break;
        }
    }
    scan.end_word();
    scan.words
}

#[derive(Default)]
struct Scan {
    words: Vec<Word>,
    word: String,
    is_after_break: bool,
}

impl Scan {
    fn take(&mut self, before: char, character: char, after: char) {
        let is_inside = before.is_alphanumeric() && after.is_alphanumeric();
        match character {
            _ if character.is_alphanumeric() || character == '_' => {
                // `30s` and `10MB` are a number and its unit; `s3` is a name.
                if character.is_alphabetic() && is_number(&self.word) {
                    self.end_word();
                }
                self.word.push(character);
            }
            // A date or a range is one word.
            '-' | '/' if before.is_ascii_digit() && after.is_ascii_digit() => {
                self.word.push(character)
            }
            '.' | ':' if is_inside => self.word.push(character),
            // A thousand with its separator.
            ',' if before.is_ascii_digit() && after.is_ascii_digit() => {}
            '\'' | '\u{2019}' if is_inside => self.word.push('\''),
            '+' | '#' if !self.word.is_empty() => self.word.push(character),
            '%' | '<' | '>' | '\u{2264}' | '\u{2265}' => {
                self.end_word();
                self.word.push(character);
                self.end_word();
            }
            ',' | ';' | ':' | '(' | ')' | '\u{2013}' | '\u{2014}' => {
                self.end_word();
                self.is_after_break = true;
            }
            _ => self.end_word(),
        }
    }

    fn end_word(&mut self) {
        let written = std::mem::take(&mut self.word);
        let written = written.trim_end_matches('\'');
        let bare = written.strip_suffix("'s").unwrap_or(written);
        if bare.is_empty() {
            return;
        }
        let letters = || bare.chars().filter(|c| c.is_alphabetic());
        let is_all_capitals = letters().count() > 1 && letters().all(char::is_uppercase);
        let text: String =
            bare.chars().filter(|c| *c != '\'').flat_map(char::to_lowercase).collect();
        let stem = stem_of(&text);
        let is_camel = bare.starts_with(char::is_lowercase) && bare.contains(char::is_uppercase);
        // `terms` takes `get` for filler of a question; in capitals it is a method of HTTP.
        let weight = match () {
            () if is_camel || bare.contains('_') => 2.0,
            () if is_all_capitals && text.len() > 2 => 1.0,
            () => weight_of(&text, &stem),
        };
        self.words.push(Word {
            stem,
            is_after_break: std::mem::take(&mut self.is_after_break),
            is_capital: bare.starts_with(char::is_uppercase),
            is_all_capitals,
            weight,
            text,
        });
    }
}

fn weight_of(text: &str, stem: &str) -> f64 {
    if terms::is_common(text) || EMPTY.binary_search(&stem).is_ok() {
        return 0.0;
    }
    if GENERIC.binary_search(&stem).is_ok() { 0.5 } else { 1.0 }
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// The stem, with the irregular forms and the short forms of the trade brought to one.
fn stem_of(text: &str) -> String {
    let plain = match SAME.binary_search_by_key(&text, |(from, _)| from) {
        Ok(at) => SAME[at].1,
        Err(_) => text,
    };
    if plain.len() < 3 || !plain.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return plain.to_owned();
    }
    Stemmer::create(Algorithm::English).stem(plain).into_owned()
}

/// Other spellings and irregular forms of a word; `production` must not meet `product` in its stem.
/// Sorted.
#[rustfmt::skip]
const SAME: &[(&str, &str)] = &[
    ("apis", "api"), ("app", "application"), ("apps", "application"), ("args", "argument"),
    ("async", "asynchronous"), ("auth", "authentication"), ("authenticated", "authenticate"),
    ("behaviour", "behavior"), ("built", "build"), ("catalog", "catalogue"),
    ("catalogs", "catalogue"), ("chose", "choose"), ("chosen", "choose"), ("colour", "color"),
    ("config", "configuration"), ("configs", "configuration"), ("db", "database"),
    ("dbs", "database"), ("dependencies", "dependency"), ("deps", "dependency"),
    ("dev", "development"), ("doc", "documentation"), ("docs", "documentation"),
    ("e-mail", "mail"), ("email", "mail"), ("emails", "mail"), ("env", "environment"),
    ("envs", "environment"), ("fe", "frontend"), ("froze", "freeze"), ("frozen", "freeze"),
    ("gave", "give"), ("given", "give"), ("got", "get"), ("held", "hold"), ("identifier", "id"),
    ("identifiers", "id"), ("ids", "id"), ("info", "information"), ("initialise", "initialize"),
    ("js", "javascript"), ("k8s", "kubernetes"), ("keeping", "keep"), ("kept", "keep"),
    ("lib", "library"), ("libs", "library"), ("licence", "license"), ("licences", "license"),
    ("licensed", "license"), ("licenses", "license"), ("logged", "log"), ("logging", "log"),
    ("logs", "log"), ("made", "make"), ("max", "maximum"), ("maximal", "maximum"),
    ("min", "minimum"), ("minimal", "minimum"), ("msg", "message"), ("msgs", "message"),
    ("normalise", "normalize"), ("param", "parameter"), ("params", "parameter"),
    ("perms", "permission"), ("persist", "store"), ("persisted", "store"), ("persisting", "store"),
    ("persists", "store"), ("postgres", "postgresql"), ("pr", "pullrequest"), ("prod", "prodenv"),
    ("production", "prodenv"), ("prs", "pullrequest"), ("pushed", "push"), ("pushes", "push"),
    ("py", "python"), ("ran", "run"), ("repo", "repository"), ("repos", "repository"),
    ("save", "store"), ("saved", "store"), ("saves", "store"), ("saving", "store"),
    ("sent", "send"), ("serialise", "serialize"), ("serialised", "serialize"),
    ("settings", "setting"), ("spec", "specification"), ("specs", "specification"),
    ("spent", "spend"), ("stored", "store"), ("sync", "synchronous"), ("taken", "take"),
    ("threw", "throw"), ("thrown", "throw"), ("tokens", "token"), ("took", "take"),
    ("ts", "typescript"), ("uis", "ui"), ("urls", "url"), ("written", "write"), ("wrote", "write"),
];

/// Stems that carry no matter of their own. Sorted.
#[rustfmt::skip]
const EMPTY: &[&str] = &[
    "abl", "accord", "achiev", "actual", "addit", "adopt", "allow", "alreadi", "also", "alway",
    "anoth", "appear", "appli", "approach", "appropri", "avail", "becom", "best", "better",
    "capabl", "certain", "choos", "chosen", "come", "consid", "consist", "current", "decid",
    "decis", "direct", "easi", "easili", "eith", "either", "els", "enabl", "enough", "ensur",
    "entir", "etc", "exact", "exampl", "exist", "favor", "favour", "feel", "final", "find", "fine",
    "follow", "forbidden", "form", "front", "general", "given", "good", "happen", "henceforth",
    "howev", "includ", "instead", "introduc", "involv", "keep", "lead", "least", "longer",
    "mainli", "make", "mandatori", "mean", "mere", "most", "need", "new", "non", "now", "occur",
    "onli", "overal", "own", "part", "particular", "per", "permit", "pick", "possibl", "prefer",
    "present", "prohibit", "propos", "provid", "purpos", "rather", "reason", "regard", "remain",
    "requir", "respect", "select", "sever", "shall", "sinc", "singl", "specif", "stay", "still",
    "straight", "suit", "support", "take", "thing", "thu", "togeth", "toward", "use", "usual",
    "various", "via", "way", "whole", "within",
];

/// Stems that name a matter only together with others. Sorted.
#[rustfmt::skip]
const GENERIC: &[&str] = &[
    "applic", "area", "aspect", "call", "case", "chang", "code", "compon", "content", "core",
    "current", "data", "default", "detail", "element", "entri", "everi", "everyth", "file",
    "first", "function", "implement", "inform", "input", "instanc", "item", "kind", "list",
    "logic", "modul", "name", "number", "object", "other", "output", "piece", "place", "point",
    "process", "project", "second", "section", "servic", "set", "setup", "side", "step", "stuff",
    "system", "target", "task", "team", "tool", "valu", "work",
];

/// Stems of verbs that every decision uses. Sorted.
#[rustfmt::skip]
const LIGHT: &[&str] = &[
    "accept", "add", "appear", "ask", "build", "call", "carri", "chang", "contain", "creat",
    "deliv", "execut", "expos", "give", "go", "handl", "have", "hold", "host", "implement",
    "includ", "keep", "kept", "let", "live", "load", "manag", "move", "perform", "place", "produc",
    "provid", "publish", "put", "reach", "read", "receiv", "remov", "repres", "return", "run",
    "save", "send", "serv", "set", "ship", "show", "store", "swap", "switch", "take", "use",
    "want", "work", "write", "written",
];

#[cfg(test)]
#[test]
fn the_tables_are_sorted() {
    assert!(SAME.is_sorted_by_key(|(from, _)| from));
    assert!([EMPTY, GENERIC, LIGHT].iter().all(|list| list.is_sorted()));
}
