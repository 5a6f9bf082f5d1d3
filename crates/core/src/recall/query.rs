//! What is asked: the task in words, the paths at hand, and the words that are looked for.

use oldhand_text::strings::middle_cut;
use oldhand_text::table;
use oldhand_text::terms::{self, Form};

/// More words than this add noise, and time.
pub const QUERY_GROUPS_MAX: usize = 64;
/// A prompt may hold a pasted log; its beginning and its end say what is wanted.
pub const QUERY_BYTES_MAX: usize = 16 * 1024;

/// Words of a brief query that are embedded.
const BRIEF_WORDS: usize = 12;

/// One word of the query with the terms that stand for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Word {
    pub text: String,
    pub terms: Vec<(u64, Form)>,
    /// It came from a path at hand, not from the words.
    pub from_path: bool,
    /// It is a word of everyday work, such as `fix` or `test`.
    pub everyday: bool,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Query {
    /// The task, cut to what is looked at.
    pub text: String,
    pub paths: Vec<String>,
    /// The words that count, each once, in the order of the text.
    pub words: Vec<Word>,
    /// Only its telling words are embedded.
    pub is_brief: bool,
}

impl Query {
    pub fn new(text: &str, paths: &[String]) -> Self {
        let text = middle_cut(text.trim(), QUERY_BYTES_MAX);
        let mut words = words_of(&text, false);
        let is_rare = |word: &Word| !terms::is_common(&word.text);
        // A query of nothing but common words still asks for something.
        if words.iter().any(is_rare) {
            words.retain(is_rare);
        }
        let modules: Vec<&str> = paths.iter().flat_map(|path| modules_of(path)).collect();
        for word in words_of(&modules.join(" "), true) {
            if words.iter().all(|known| known.terms[0] != word.terms[0]) {
                words.push(word);
            }
        }
        keep_the_telling(&mut words);
        Self { text, paths: paths.to_vec(), words, is_brief: false }
    }

    /// For a quick answer: embedding takes time per word, so only words that name something count.
    pub fn brief(text: &str, paths: &[String]) -> Self {
        Self { is_brief: true, ..Self::new(text, paths) }
    }

    /// What is embedded: the task and the paths being modified (R82).
    pub fn semantic_text(&self) -> String {
        if !self.is_brief {
            let lines = std::iter::once(&self.text).chain(&self.paths).map(String::as_str);
            return lines.collect::<Vec<_>>().join("\n");
        }
        let mut words: Vec<&Word> = self.words.iter().filter(|it| !it.from_path).collect();
        let is_telling = |word: &&Word| !word.everyday;
        if words.len() > BRIEF_WORDS && words.iter().filter(|it| is_telling(it)).count() > 2 {
            words.retain(is_telling);
        }
        words.truncate(BRIEF_WORDS);
        words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
    }

    /// It names something in particular.
    pub fn is_specific(&self) -> bool {
        self.words.iter().any(|word| !word.everyday && !terms::is_common(&word.text))
    }
}

/// Folders that every project has say nothing about the module.
const PLAIN_FOLDERS: &[&str] =
    &["src", "lib", "app", "crates", "packages", "internal", "pkg", "test", "tests", "main", "mod"];

/// The modules that a path affects: its folders and its file's stem (R132).
pub fn modules_of(path: &str) -> impl Iterator<Item = &str> {
    let parts = path.trim_start_matches("./").split('/');
    let stems = parts.map(|part| part.split_once('.').map_or(part, |(stem, _)| stem));
    stems.filter(|part| part.len() > 1 && !PLAIN_FOLDERS.contains(part))
}

/// What kind of answer a question wants (R284).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Intent {
    Overview,
    Decisions,
    Anything,
}

const OVERVIEW: &str = "what do you remember|what do you know about this project|\
    what do we remember|what is remembered|what's remembered|what is in memory|what's in memory|\
    what have you remembered";
const DECISIONS: &str = "what did we decide|what was decided|what have we decided|which decision|\
    what decision|decision about|decision on|decisions about|decisions on|did we decide";

pub fn intent(text: &str) -> Intent {
    let lower = text.to_lowercase();
    let plain = lower.trim().trim_end_matches(['?', '!', '.', ' ']);
    match () {
        // A question about one thing is no question about everything.
        () if table::phrases(OVERVIEW).any(|phrase| phrase == plain) => Intent::Overview,
        () if table::holds(DECISIONS, plain) => Intent::Decisions,
        () => Intent::Anything,
    }
}

fn words_of(text: &str, from_path: bool) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut last = None;
    terms::each_term(text, &mut |term, form, start| {
        // `line 12` names no more than `line`.
        let is_count = term.len() < 3 && term.bytes().all(|byte| byte.is_ascii_digit());
        let everyday = is_count || terms::is_everyday(term);
        let key = (terms::key(term, form), form);
        match (form, words.last_mut()) {
            // Another form of the word at the same place.
            (Form::Exact, Some(word)) if last == Some(start) => {
                word.text = term.to_owned();
                word.everyday |= everyday;
                word.terms.push(key);
            }
            _ => words.push(Word { text: term.to_owned(), terms: vec![key], from_path, everyday }),
        }
        last = Some(start);
    });
    let mut seen = std::collections::BTreeSet::new();
    words.retain(|word| seen.insert(word.terms[0].0));
    words
}

/// Of a long prompt, identifiers stay before words, and words before those of everyday work.
fn keep_the_telling(words: &mut Vec<Word>) {
    let rank = |word: &Word| match word.terms[0].1 {
        Form::Whole => 0,
        _ if word.everyday => 2,
        _ => 1,
    };
    let mut order: Vec<usize> = (0..words.len()).collect();
    order.sort_by_key(|at| (rank(&words[*at]), *at));
    order.truncate(QUERY_GROUPS_MAX);
    order.sort_unstable();
    *words = order.into_iter().map(|at| words[at].clone()).collect();
}

#[cfg(test)]
mod tests;
