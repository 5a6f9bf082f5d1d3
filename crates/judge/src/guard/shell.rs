//! A small reader of shell commands: words as the shell would hand them on, redirections, and what
//! runs inside of what. It knows no program. Where it can't know, a word holds `UNKNOWN`.

mod quote;

use std::collections::BTreeMap;

use super::place::UNKNOWN;

/// How deep `$(…)` and the like may be nested.
const DEPTH_MAX: usize = 12;

/// A value is put in where a variable is named; doubling it over and over must end.
const EXPANDED_BYTES_MAX: usize = 256 * 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    Run(Simple),
    /// What changes until `Leave`, as the folder, is undone there.
    Enter,
    Leave,
}

/// One program with its words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Simple {
    pub words: Vec<String>,
    /// The files that redirections write.
    pub writes: Vec<String>,
    /// What it reads: a here-document or a here-string.
    pub input: Option<String>,
    /// Its input is the output of the step before.
    pub is_piped: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    Posix,
    /// A backslash is a part of paths, a backtick escapes.
    PowerShell,
}

pub(super) struct Script {
    pub steps: Vec<Step>,
    /// It was nested too deep to be read to the end.
    pub is_cut: bool,
}

pub(super) fn read(
    text: &str,
    dialect: Dialect,
    variables: &mut BTreeMap<String, String>,
) -> Script {
    let mut reader = Reader {
        text: text.as_bytes(),
        at: 0,
        dialect,
        variables,
        steps: Vec::new(),
        documents: Vec::new(),
        depth: 0,
        expanded: 0,
        is_cut: false,
    };
    reader.all();
    Script { steps: reader.steps, is_cut: reader.is_cut }
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    dialect: Dialect,
    variables: &'a mut BTreeMap<String, String>,
    steps: Vec<Step>,
    /// Here-documents whose text begins behind the line: the step, and the word that ends it.
    documents: Vec<(usize, Vec<u8>)>,
    depth: usize,
    expanded: usize,
    is_cut: bool,
}

impl Reader<'_> {
    fn all(&mut self) {
        while self.at < self.text.len() {
            self.commands(None);
            // A closing bracket too many.
            self.at += 1;
        }
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    /// Reads up to the closing byte, which is left, or to the end.
    fn commands(&mut self, close: Option<u8>) {
        let mut simple = Simple::default();
        let mut documents: Vec<Vec<u8>> = Vec::new();
        while self.at < self.text.len() {
            let byte = self.peek(0);
            if Some(byte) == close || (byte == b')' && close.is_none()) {
                break;
            }
            match byte {
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'\\' if self.peek(1) == b'\n' => self.at += 2,
                b'#' => self.skip_line(),
                b'\n' | b';' | b'&' | b'|' if !self.is_redirect() => {
                    let is_pipe = byte == b'|' && self.peek(1) != b'|';
                    self.end(&mut simple, &mut documents);
                    simple.is_piped = is_pipe;
                    self.at += 1;
                    if byte == b'\n' {
                        self.read_documents();
                    } else if matches!((byte, self.peek(0)), (b'|', b'|' | b'&') | (b'&', b'&')) {
                        self.at += 1;
                    }
                }
                b'(' => {
                    self.end(&mut simple, &mut documents);
                    self.nested(b')');
                }
                b'<' | b'>' | b'&' => self.redirect(&mut simple, &mut documents),
                b'0'..=b'9' if self.is_numbered_redirect() => {
                    while self.peek(0).is_ascii_digit() {
                        self.at += 1;
                    }
                    self.redirect(&mut simple, &mut documents);
                }
                _ => {
                    let word = self.word();
                    simple.words.push(word);
                }
            }
        }
        self.end(&mut simple, &mut documents);
    }

    /// `(…)` and `$(…)`, with the opening bracket at hand.
    fn nested(&mut self, close: u8) {
        self.at += 1;
        if self.depth >= DEPTH_MAX {
            self.is_cut = true;
            return;
        }
        self.depth += 1;
        self.steps.push(Step::Enter);
        self.commands(Some(close));
        self.steps.push(Step::Leave);
        self.at += 1;
        self.depth -= 1;
    }

    fn end(&mut self, simple: &mut Simple, documents: &mut Vec<Vec<u8>>) {
        let simple = std::mem::take(simple);
        let waiting = std::mem::take(documents);
        if simple.words.is_empty() && simple.writes.is_empty() && waiting.is_empty() {
            return;
        }
        self.assign(&simple);
        let step = self.steps.len();
        self.documents.extend(waiting.into_iter().map(|end| (step, end)));
        self.steps.push(Step::Run(simple));
    }

    /// Remembers `name=value`, and the first word in a store that a loop goes through.
    fn assign(&mut self, simple: &Simple) {
        let words = simple.words.as_slice();
        let is_store = |it: &&String| it.to_ascii_lowercase().contains("oldhand");
        if let ([keyword, read, .., name], true) = (words, simple.is_piped)
            && keyword == "while"
            && read == "read"
            && let Some(Step::Run(before)) = self.steps.last()
            && let Some(value) = before.words.iter().find(is_store)
        {
            self.variables.insert(name.clone(), value.clone());
            return;
        }
        if let [keyword, name, word_in, values @ ..] = words
            && keyword == "for"
            && word_in == "in"
        {
            if let Some(value) = values.iter().find(is_store).or(values.first()) {
                self.variables.insert(name.clone(), value.clone());
            }
            return;
        }
        let declares = ["export", "local", "declare", "readonly", "typeset", "set"];
        let is_declaration = words.first().is_some_and(|it| declares.contains(&it.as_str()));
        for word in words.iter().skip(usize::from(is_declaration)) {
            match assignment(word) {
                Some((name, value)) => {
                    self.variables.insert(name.to_owned(), value.to_owned());
                }
                None if is_declaration => {}
                None => break,
            }
        }
        // PowerShell: `$name = value`, where the name was read as its value.
        if let ([name, sign, value, ..], Dialect::PowerShell) = (words, self.dialect)
            && sign == "="
            && let Some(name) = name.strip_prefix(UNKNOWN)
        {
            self.variables.insert(name.to_owned(), value.clone());
        }
    }

    fn skip_line(&mut self) {
        while self.at < self.text.len() && self.peek(0) != b'\n' {
            self.at += 1;
        }
    }

    /// `&>` and `&>>` write; other `&` end a command.
    fn is_redirect(&self) -> bool {
        self.peek(0) == b'&' && self.peek(1) == b'>'
    }

    fn is_numbered_redirect(&self) -> bool {
        let digits = self.text[self.at..].iter().take(4).take_while(|it| it.is_ascii_digit());
        matches!(self.peek(digits.count()), b'<' | b'>')
    }

    fn redirect(&mut self, simple: &mut Simple, documents: &mut Vec<Vec<u8>>) {
        let from = self.at;
        while matches!(self.peek(0), b'<' | b'>' | b'&' | b'|') && self.at - from < 3 {
            self.at += 1;
        }
        let operator = &self.text[from..self.at];
        if matches!(operator, b"<" | b">") && self.peek(0) == b'(' {
            // `<(…)` is a word whose commands run.
            self.nested(b')');
            simple.words.push(UNKNOWN.to_string());
            return;
        }
        let is_document = operator == b"<<";
        if is_document && self.peek(0) == b'-' {
            self.at += 1;
        }
        self.skip_blanks();
        if is_document {
            documents.push(self.document_end());
            return;
        }
        let word = self.word();
        if operator == b"<<<" {
            simple.input = Some(word);
        } else if operator.contains(&b'>') {
            let is_number = word.bytes().all(|it| it.is_ascii_digit() || it == b'-');
            if !(operator.ends_with(b"&") && is_number) {
                simple.writes.push(word);
            }
        }
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(0), b' ' | b'\t') {
            self.at += 1;
        }
    }

    /// The word that ends a here-document: quotes only say that nothing is put in.
    fn document_end(&mut self) -> Vec<u8> {
        let from = self.at;
        while !matches!(
            self.peek(0),
            0 | b' ' | b'\t' | b'\n' | b';' | b'|' | b'&' | b'>' | b'<' | b')'
        ) {
            self.at += 1;
        }
        let word = &self.text[from..self.at];
        word.iter().copied().filter(|it| !matches!(it, b'\'' | b'"' | b'\\')).collect()
    }

    fn read_documents(&mut self) {
        for (step, end) in std::mem::take(&mut self.documents) {
            let from = self.at;
            let mut to = self.text.len();
            while self.at < self.text.len() {
                let line_from = self.at;
                self.skip_line();
                let line = self.text[line_from..self.at].trim_ascii();
                self.at += 1;
                if line == end.as_slice() {
                    to = line_from;
                    break;
                }
            }
            self.at = self.at.min(self.text.len());
            let body = String::from_utf8_lossy(&self.text[from..to]).into_owned();
            if let Some(Step::Run(simple)) = self.steps.get_mut(step) {
                simple.input = Some(body);
            }
        }
    }
}

/// `name=value`
pub(super) fn assignment(word: &str) -> Option<(&str, &str)> {
    let (name, value) = word.split_once('=')?;
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    is_name.then_some((name, value))
}
