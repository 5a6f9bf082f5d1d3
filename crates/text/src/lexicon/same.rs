//! Words that are taken for one: spellings, short forms, irregular forms, numbers, and, for
//! likeness alone, words for the same deed.

use std::collections::HashMap;
use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};

/// The stem of a lower-case word, with its other forms brought to one.
pub fn stem_of(word: &str) -> String {
    let stem = english(word);
    form_of(word, &stem).map_or(stem, str::to_owned)
}

/// The stem that a word stands for when two texts are compared: words for the same deed are one.
pub fn plain<'a>(word: &str, stem: &'a str) -> &'a str {
    let stem = form_of(word, stem).unwrap_or(stem);
    DEED_STEMS.get(stem).map_or(stem, String::as_str)
}

fn form_of(word: &str, stem: &str) -> Option<&'static str> {
    FORM_STEMS.get(word).or_else(|| FORM_STEMS.get(stem)).map(String::as_str)
}

/// The stem of a lower-case English word; other words are their own stem.
pub(crate) fn english(word: &str) -> String {
    if is_stemmed(word) {
        return Stemmer::create(Algorithm::English).stem(word).into_owned();
    }
    word.to_owned()
}

pub(crate) fn is_stemmed(word: &str) -> bool {
    word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_lowercase())
}

type Stems = HashMap<String, String>;

/// From a form or its stem to the stem that it is taken for.
static FORM_STEMS: LazyLock<Stems> = LazyLock::new(|| stems(FORMS));
static DEED_STEMS: LazyLock<Stems> = LazyLock::new(|| stems(DEEDS));

fn stems(rows: &[(&str, &str)]) -> Stems {
    let forms = rows.iter().flat_map(|(word, forms)| forms.split(' ').map(move |it| (it, word)));
    let stem = |form: &str| form.strip_prefix('=').map_or_else(|| english(form), str::to_owned);
    forms.map(|(form, word)| (stem(form), english(word))).collect()
}

/// A word and its other forms, which count with all their endings; `=` marks one whose stem means
/// something else: `production` must not meet `product`.
#[rustfmt::skip]
const FORMS: &[(&str, &str)] = &[
    ("application", "app"), ("argument", "arg"), ("asynchronous", "async"),
    ("authentication", "auth"), ("behavior", "behaviour"), ("build", "built"),
    ("catalogue", "catalog"), ("choose", "chose chosen"), ("color", "colour"),
    ("configuration", "config conf"), ("database", "db dbs"), ("dependency", "dep"),
    ("development", "dev"), ("directory", "dir"), ("documentation", "doc"), ("environment", "env"),
    ("freeze", "froze frozen"), ("frontend", "fe"), ("get", "got"), ("give", "gave given"),
    ("hold", "held"), ("id", "=identifier =identifiers"), ("information", "info"),
    ("initialize", "initialise"), ("javascript", "js"), ("keep", "kept"),
    ("kubernetes", "k8s kube"), ("library", "lib"), ("license", "licence"), ("login", "signin"),
    ("mail", "email"), ("maximum", "max =maximal"), ("message", "msg"),
    ("millisecond", "ms"), ("minimum", "min =minimal"), ("mongodb", "mongo"),
    ("normalize", "normalise"), ("package", "pkg"), ("parameter", "param"), ("permission", "perm"),
    ("postgresql", "postgres"), ("prodenv", "prod =production"), ("pullrequest", "pr prs"),
    ("python", "py"), ("repository", "repo"), ("run", "ran"), ("second", "sec"), ("send", "sent"),
    ("serialize", "serialise"), ("specification", "spec"), ("spend", "spent"), ("staging", "stg"),
    ("store", "save =persist =persists =persisted =persisting"), ("synchronous", "sync"),
    ("take", "taken took"), ("throw", "threw thrown"), ("typescript", "ts"), ("variable", "var"),
    ("write", "written wrote"),
    ("0", "zero"), ("1", "one"), ("2", "two twice"), ("3", "three"), ("4", "four"), ("5", "five"),
    ("6", "six"), ("7", "seven"), ("8", "eight"), ("9", "nine"), ("10", "ten"), ("11", "eleven"),
    ("12", "twelve"), ("15", "fifteen"), ("20", "twenty"), ("30", "thirty"), ("40", "forty"),
    ("50", "fifty"), ("60", "sixty"), ("100", "hundred"), ("1000", "thousand"),
];

/// A word and others for the same deed. Who decides between two of them means a difference, so that
/// the gate does not read these.
#[rustfmt::skip]
const DEEDS: &[(&str, &str)] = &[
    ("again", "anew"), ("allow", "permit"), ("build", "compile"), ("call", "invoke"),
    ("change", "modify edit alter"), ("check", "verify validate ensure"), ("choose", "pick select"),
    ("configuration", "setting"), ("copy", "duplicate"), ("count", "number"),
    ("create", "make generate produce"), ("day", "daily"), ("directory", "folder"),
    ("expire", "expiry"), ("fail", "break broke failure"), ("fast", "quick faster"),
    ("fetch", "retrieve obtain"), ("fix", "mend repair cure"), ("forbid", "ban prohibit disallow"),
    ("give", "provide"), ("go", "golang"), ("group", "batch bulk"), ("happen", "occur"),
    ("large", "big huge"), ("limit", "cap restrict"), ("many", "several multiple"),
    ("merge", "combine"), ("mistake", "accident"), ("new", "newest latest"),
    ("often", "frequently"), ("old", "legacy outdated"), ("prefer", "favour"), ("reach", "arrive"),
    ("reason", "cause"), ("reject", "refuse decline"), ("remove", "delete drop erase"),
    ("replace", "substitute"), ("require", "need must"), ("rule", "policy"), ("run", "execute"),
    ("send", "dispatch transmit"), ("separate", "split isolate"), ("small", "tiny little"),
    ("start", "begin launch"), ("store", "keep hold"), ("update", "upgrade"),
    ("use", "utilise employ"), ("wait", "hang"), ("whole", "entire full"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_taken_for_one_other() {
        for (stems, rows) in [(&FORM_STEMS, FORMS), (&DEED_STEMS, DEEDS)] {
            let forms: usize = rows.iter().map(|(_, forms)| forms.split(' ').count()).sum();
            assert_eq!(stems.len(), forms, "a form is listed twice");
            assert!(stems.values().all(|to| !stems.contains_key(to)));
        }
    }
}
