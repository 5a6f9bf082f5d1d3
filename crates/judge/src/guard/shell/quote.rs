//! One word of a shell command: quotes, escapes, variables and what is put in by other commands.

use super::{DEPTH_MAX, Dialect, EXPANDED_BYTES_MAX, Reader, Step, UNKNOWN};

impl Reader<'_> {
    /// Always goes at least one byte ahead unless the text is at its end.
    pub(super) fn word(&mut self) -> String {
        let from = self.at;
        let mut word: Vec<u8> = Vec::new();
        while self.at < self.text.len() {
            let byte = self.peek(0);
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')' => {
                    break;
                }
                b'\'' => self.single(&mut word),
                b'"' => self.double(&mut word),
                b'`' if self.dialect == Dialect::Posix => self.backticks(&mut word),
                _ if self.is_escape(byte) => {
                    // A line that goes on.
                    if self.peek(1) != b'\n' {
                        word.push(self.peek(1));
                    }
                    self.at += 2;
                }
                b'$' => self.dollar(&mut word),
                _ => {
                    word.push(byte);
                    self.at += 1;
                }
            }
        }
        if self.at == from {
            // A stray bracket or sign: a word of its own, or nobody would ever get past it.
            word.push(self.peek(0));
            self.at += 1;
        }
        self.at = self.at.min(self.text.len());
        String::from_utf8_lossy(&word).into_owned()
    }

    fn is_escape(&self, byte: u8) -> bool {
        match self.dialect {
            Dialect::Posix => byte == b'\\',
            Dialect::PowerShell => byte == b'`',
        }
    }

    fn single(&mut self, word: &mut Vec<u8>) {
        self.at += 1;
        let rest = &self.text[self.at..];
        let length = rest.iter().position(|it| *it == b'\'').unwrap_or(rest.len());
        word.extend_from_slice(&rest[..length]);
        self.at = (self.at + length + 1).min(self.text.len());
    }

    fn double(&mut self, word: &mut Vec<u8>) {
        self.at += 1;
        while self.at < self.text.len() {
            match self.peek(0) {
                b'"' => break,
                b'$' => self.dollar(word),
                b'`' if self.dialect == Dialect::Posix => self.backticks(word),
                byte if self.is_escape(byte)
                    && matches!(self.peek(1), b'"' | b'\\' | b'$' | b'`') =>
                {
                    word.push(self.peek(1));
                    self.at += 2;
                }
                byte => {
                    word.push(byte);
                    self.at += 1;
                }
            }
        }
        self.at = (self.at + 1).min(self.text.len());
    }

    fn dollar(&mut self, word: &mut Vec<u8>) {
        match self.peek(1) {
            b'(' => {
                self.at += 1;
                self.nested(b')');
                word.push(UNKNOWN as u8);
            }
            b'{' => self.braced(word),
            b'\'' => self.ansi(word),
            b'"' => {
                self.at += 1;
                self.double(word);
            }
            byte if byte.is_ascii_alphabetic() || byte == b'_' => {
                // PowerShell: `$env:USERPROFILE`.
                let has_colons = self.dialect == Dialect::PowerShell;
                let is_name = |it: &&u8| {
                    it.is_ascii_alphanumeric() || **it == b'_' || (**it == b':' && has_colons)
                };
                let rest = &self.text[self.at + 1..];
                let length = rest.iter().take_while(is_name).count();
                let name = String::from_utf8_lossy(&rest[..length]).into_owned();
                self.at += 1 + length;
                self.value(&name, word);
            }
            byte if byte.is_ascii_digit() || b"@*#?!-$".contains(&byte) => {
                self.at += 2;
                self.value(&char::from(byte).to_string(), word);
            }
            _ => {
                word.push(b'$');
                self.at += 1;
            }
        }
    }

    fn value(&mut self, name: &str, word: &mut Vec<u8>) {
        let Some(value) = self.variables.get(name) else {
            match name.to_ascii_lowercase().as_str() {
                "home" | "env:userprofile" | "env:home" if word.is_empty() => word.push(b'~'),
                "pwd" if word.is_empty() => word.push(b'.'),
                _ => {
                    word.push(UNKNOWN as u8);
                    // So that `$name = value` finds its name.
                    if self.dialect == Dialect::PowerShell && self.peek(0) == b' ' {
                        word.extend_from_slice(name.as_bytes());
                    }
                }
            }
            return;
        };
        self.expanded += value.len();
        if self.expanded > EXPANDED_BYTES_MAX {
            self.is_cut = true;
            word.push(UNKNOWN as u8);
        } else {
            word.extend_from_slice(value.as_bytes());
        }
    }

    /// `${name}`, `${name:-value}`
    fn braced(&mut self, word: &mut Vec<u8>) {
        let rest = &self.text[self.at + 2..];
        let Some(length) = rest.iter().position(|it| *it == b'}') else {
            self.at = self.text.len();
            return;
        };
        let inner = String::from_utf8_lossy(&rest[..length]).into_owned();
        self.at += 2 + length + 1;
        let is_name = |it: &u8| it.is_ascii_alphanumeric() || *it == b'_';
        let name_length = inner.bytes().take_while(is_name).count();
        let (name, operation) = inner.split_at(name_length);
        let default = [":-", "-", ":=", "="].iter().find_map(|it| operation.strip_prefix(it));
        match default {
            Some(default) if !self.variables.contains_key(name) => {
                let bare = default.bytes().filter(|it| !matches!(it, b'"' | b'\''));
                word.extend(bare);
            }
            _ => self.value(name, word),
        }
    }

    /// `$'\x2eoldhand'`
    fn ansi(&mut self, word: &mut Vec<u8>) {
        self.at += 2;
        while self.at < self.text.len() && self.peek(0) != b'\'' {
            if self.peek(0) != b'\\' {
                word.push(self.peek(0));
                self.at += 1;
                continue;
            }
            let (radix, skipped, digits_max) = match self.peek(1) {
                b'x' => (16, 2, 2),
                b'u' => (16, 2, 4),
                b'U' => (16, 2, 8),
                b'0'..=b'7' => (8, 1, 3),
                other => {
                    word.push(if other == b'n' { b'\n' } else { other });
                    self.at += 2;
                    continue;
                }
            };
            let rest = self.text.get(self.at + skipped..).unwrap_or(&[]);
            let is_digit = |it: &&u8| char::from(**it).is_digit(radix);
            let digits: Vec<u8> =
                rest.iter().take(digits_max).take_while(is_digit).copied().collect();
            let code = u32::from_str_radix(&String::from_utf8_lossy(&digits), radix);
            if let Some(character) = code.ok().and_then(char::from_u32) {
                word.extend_from_slice(character.to_string().as_bytes());
            }
            self.at += skipped + digits.len();
        }
        self.at = (self.at + 1).min(self.text.len());
    }

    /// The old form of `$(…)`, in which a backslash protects a further backtick.
    fn backticks(&mut self, word: &mut Vec<u8>) {
        self.at += 1;
        let mut inner = Vec::new();
        while self.at < self.text.len() && self.peek(0) != b'`' {
            if self.peek(0) == b'\\' && matches!(self.peek(1), b'`' | b'\\' | b'$') {
                self.at += 1;
            }
            inner.push(self.peek(0));
            self.at += 1;
        }
        self.at = (self.at + 1).min(self.text.len());
        word.push(UNKNOWN as u8);
        if self.depth >= DEPTH_MAX {
            self.is_cut = true;
            return;
        }
        let mut reader = Reader {
            text: &inner,
            at: 0,
            dialect: self.dialect,
            variables: self.variables,
            steps: Vec::new(),
            documents: Vec::new(),
            depth: self.depth + 1,
            expanded: self.expanded,
            is_cut: false,
        };
        reader.all();
        let (steps, expanded, is_cut) = (reader.steps, reader.expanded, reader.is_cut);
        self.expanded = expanded;
        self.is_cut |= is_cut;
        self.steps.push(Step::Enter);
        self.steps.extend(steps);
        self.steps.push(Step::Leave);
    }
}
