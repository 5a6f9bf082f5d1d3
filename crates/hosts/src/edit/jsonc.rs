//! JSON as people keep it, with comments and trailing commas, read with the place of everything in
//! the text. Nothing is ever written from this tree: changes are cut into the text itself.

/// Deeper than any configuration, and shallow enough for the stack.
const DEPTH_MAX: usize = 128;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    pub start: usize,
    pub end: usize,
    pub kind: Kind,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    Object(Vec<Member>),
    Array(Vec<Node>),
    /// A word, a number or a text: what stands in the file is JSON already.
    Scalar,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Member {
    pub key: String,
    pub start: usize,
    pub value: Node,
}

/// What is wrong, and on which line.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Wrong {
    pub line: usize,
    pub what: String,
}

impl Node {
    pub(super) fn members(&self) -> &[Member] {
        match &self.kind {
            Kind::Object(members) => members,
            _ => &[],
        }
    }

    pub(super) fn items(&self) -> &[Node] {
        match &self.kind {
            Kind::Array(items) => items,
            _ => &[],
        }
    }

    /// The last one counts when a key stands twice, as every reader of JSON has it.
    pub(super) fn get(&self, key: &str) -> Option<&Member> {
        self.members().iter().rev().find(|member| member.key == key)
    }

    pub(super) fn at<'n>(&'n self, keys: &[&str]) -> Option<&'n Node> {
        keys.iter().try_fold(self, |node, key| node.get(key).map(|member| &member.value))
    }

    pub(super) fn value(&self, text: &str) -> serde_json::Value {
        match &self.kind {
            Kind::Object(members) => serde_json::Value::Object(
                members
                    .iter()
                    .map(|member| (member.key.clone(), member.value.value(text)))
                    .collect(),
            ),
            Kind::Array(items) => items.iter().map(|item| item.value(text)).collect(),
            // The reader has let it through, so only a number too large for a float fails here.
            Kind::Scalar => serde_json::from_str(&text[self.start..self.end]).unwrap_or_default(),
        }
    }
}

/// The root of a document, which must hold one value.
pub(super) fn parse(text: &str) -> Result<Node, Wrong> {
    let mut reader = Reader { text, at: 0 };
    if text.starts_with('\u{feff}') {
        reader.at = '\u{feff}'.len_utf8();
    }
    reader.trivia()?;
    let root = reader.node(0)?;
    reader.trivia()?;
    match reader.peek() {
        None => Ok(root),
        Some(_) => Err(reader.wrong("something after the end of the document")),
    }
}

/// Where blanks and comments that begin here end.
pub(super) fn after_trivia(text: &str, at: usize) -> usize {
    let mut reader = Reader { text, at };
    match reader.trivia() {
        Ok(()) => reader.at,
        Err(_) => at,
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn wrong(&self, what: &str) -> Wrong {
        let before = &self.text.as_bytes()[..self.at.min(self.text.len())];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        Wrong { line, what: what.to_owned() }
    }

    fn trivia(&mut self) -> Result<(), Wrong> {
        loop {
            while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
                self.at += 1;
            }
            if self.rest().starts_with("//") {
                self.at += self.rest().find('\n').unwrap_or(self.rest().len());
            } else if self.rest().starts_with("/*") {
                match self.rest().find("*/") {
                    Some(end) => self.at += end + 2,
                    None => return Err(self.wrong("a comment without an end")),
                }
            } else {
                return Ok(());
            }
        }
    }

    fn node(&mut self, depth: usize) -> Result<Node, Wrong> {
        let start = self.at;
        let kind = match self.peek() {
            _ if depth > DEPTH_MAX => return Err(self.wrong("too many levels")),
            Some(b'{') => Kind::Object(self.members(depth)?),
            Some(b'[') => Kind::Array(self.items(depth)?),
            Some(b'"') => {
                self.string()?;
                Kind::Scalar
            }
            Some(_) => {
                self.word()?;
                Kind::Scalar
            }
            None => return Err(self.wrong("the text ends where a value should be")),
        };
        Ok(Node { start, end: self.at, kind })
    }

    fn members(&mut self, depth: usize) -> Result<Vec<Member>, Wrong> {
        let mut members = Vec::new();
        self.at += 1;
        loop {
            self.trivia()?;
            if self.closes(b'}', "a key or `}`")? {
                return Ok(members);
            }
            let start = self.at;
            if self.peek() != Some(b'"') {
                return Err(self.wrong("a key should begin with a quotation mark"));
            }
            let key = self.string()?;
            self.trivia()?;
            if self.peek() != Some(b':') {
                return Err(self.wrong("a colon should follow the key"));
            }
            self.at += 1;
            self.trivia()?;
            members.push(Member { key, start, value: self.node(depth + 1)? });
            self.separator(b'}')?;
        }
    }

    fn items(&mut self, depth: usize) -> Result<Vec<Node>, Wrong> {
        let mut items = Vec::new();
        self.at += 1;
        loop {
            self.trivia()?;
            if self.closes(b']', "a value or `]`")? {
                return Ok(items);
            }
            items.push(self.node(depth + 1)?);
            self.separator(b']')?;
        }
    }

    fn closes(&mut self, bracket: u8, expected: &str) -> Result<bool, Wrong> {
        match self.peek() {
            Some(byte) if byte == bracket => {
                self.at += 1;
                Ok(true)
            }
            Some(_) => Ok(false),
            None => Err(self.wrong(&format!("the text ends where {expected} should be"))),
        }
    }

    fn separator(&mut self, bracket: u8) -> Result<(), Wrong> {
        self.trivia()?;
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                Ok(())
            }
            Some(byte) if byte == bracket => Ok(()),
            Some(_) => Err(self.wrong("a comma is missing")),
            None => Err(self.wrong("a bracket is never closed")),
        }
    }

    fn string(&mut self) -> Result<String, Wrong> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => self.at += 2,
                Some(b'\n') | None => return Err(self.wrong("a text without an end")),
                Some(_) => self.at += 1,
            }
        }
        self.at += 1;
        let raw = self.text.get(start..self.at);
        raw.and_then(|raw| serde_json::from_str(raw).ok())
            .ok_or_else(|| self.wrong("a text that is no JSON text"))
    }

    fn word(&mut self) -> Result<(), Wrong> {
        let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.');
        let length = self.rest().find(|c| !is_word(c)).unwrap_or(self.rest().len());
        let word = &self.rest()[..length];
        if serde_json::from_str::<serde_json::Value>(word).is_err() {
            return Err(self.wrong("something that is no JSON value"));
        }
        self.at += length;
        Ok(())
    }
}
