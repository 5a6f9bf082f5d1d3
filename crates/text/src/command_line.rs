//! The one reader of shell command lines: the simple commands of a line, with quotes taken off. It
//! runs nothing: variables, patterns and `$(…)` stay as they are written.

/// Subshells nested deeper than this share one folder.
const SUBSHELLS_MAX: usize = 64;

/// Longer than any path that a system takes.
const FOLDER_BYTES_MAX: usize = 4096;

/// One simple command of a line: a program with its arguments.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Command {
    pub words: Vec<String>,
    /// The files that its redirections write.
    pub writes: Vec<String>,
    /// The text of its here-document or here-string.
    pub input: Option<String>,
    /// The folder that earlier `cd` commands lead to; empty: where the line starts.
    pub folder: String,
}

pub fn commands(line: &str) -> Vec<Command> {
    let mut reader = Reader::new(line.as_bytes());
    reader.read();
    reader.commands
}

impl Command {
    /// `git -C folder -c key=value commit`: the verb comes behind git's own flags.
    pub fn git_verb(&self) -> Option<&str> {
        let mut words = self.words.iter().map(String::as_str);
        if words.next() != Some("git") {
            return None;
        }
        loop {
            match words.next()? {
                "-C" | "-c" => {
                    words.next();
                }
                flag if flag.starts_with('-') => {}
                verb => return Some(verb),
            }
        }
    }

    /// The flags of `gh issue create`, or of the same for another forge and for pull requests.
    pub fn created_on_forge(&self, what: &[&str]) -> Option<&[String]> {
        match self.words.as_slice() {
            [program, thing, verb, flags @ ..]
                if matches!(program.as_str(), "gh" | "glab")
                    && what.contains(&thing.as_str())
                    && verb == "create" =>
            {
                Some(flags)
            }
            _ => None,
        }
    }
}

/// What git prints of a commit that it made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Committed<'a> {
    pub branch: &'a str,
    pub hash: &'a str,
    pub subject: &'a str,
}

impl<'a> Committed<'a> {
    /// `[main 1a2b3c4] subject`
    pub fn of(printed: &'a str) -> Option<Self> {
        let line = |line: &'a str| line.trim().strip_prefix('[')?.split_once("] ");
        let (place, subject) = printed.lines().find_map(line)?;
        let mut words = place.split_whitespace();
        let (branch, hash) = (words.next()?, words.next_back()?);
        let is_hash = hash.len() >= 7 && hash.bytes().all(|it| it.is_ascii_hexdigit());
        is_hash.then_some(Self { branch, hash, subject })
    }
}

/// The first word of a line without its quotes, and how many bytes it takes with them.
pub fn first_word(line: &[u8]) -> (String, usize) {
    let mut reader = Reader::new(line);
    (reader.word(), reader.at)
}

/// `path` as seen from `folder`, dots included.
pub fn join(folder: &str, path: &str) -> String {
    let is_drive = path.as_bytes().get(1) == Some(&b':');
    if folder.is_empty() || path.starts_with(['/', '\\', '~']) || is_drive {
        return path.to_owned();
    }
    format!("{}/{path}", folder.trim_end_matches('/'))
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    commands: Vec<Command>,
    current: Command,
    /// Here-documents that begin at the next line: the index of their command, and their last line.
    documents: Vec<(usize, String)>,
    /// The folder of each open subshell.
    folders: Vec<String>,
}

impl<'a> Reader<'a> {
    fn new(text: &'a [u8]) -> Self {
        Self {
            text,
            at: 0,
            commands: Vec::new(),
            current: Command::default(),
            documents: Vec::new(),
            folders: vec![String::new()],
        }
    }

    /// The byte so far ahead, 0 behind the end.
    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn read(&mut self) {
        while self.at < self.text.len() {
            match self.peek(0) {
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'#' => self.skip_line(),
                b'&' if self.peek(1) == b'>' => self.redirect(),
                byte @ (b'\n' | b';' | b'&' | b'|' | b'(' | b')') => {
                    self.at += 1;
                    self.finish();
                    match byte {
                        b'\n' => self.read_documents(),
                        b'(' if self.folders.len() < SUBSHELLS_MAX => {
                            self.folders.push(self.folder().to_owned());
                        }
                        b')' if self.folders.len() > 1 => drop(self.folders.pop()),
                        _ => {}
                    }
                }
                _ if self.is_redirect() => self.redirect(),
                _ => {
                    let word = self.word();
                    self.current.words.push(word);
                }
            }
        }
        self.finish();
    }

    fn folder(&self) -> &str {
        self.folders.last().map_or("", String::as_str)
    }

    fn finish(&mut self) {
        let mut command = std::mem::take(&mut self.current);
        if command == Command::default() {
            return;
        }
        command.folder = self.folder().to_owned();
        let next = match command.words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            ["popd"] | ["cd", "-"] => Some(String::new()),
            ["cd"] => Some("~".to_owned()),
            ["cd" | "pushd" | "chdir" | "Set-Location", .., path] => {
                Some(join(&command.folder, path))
            }
            _ => None,
        };
        let next = next.filter(|it| it.len() <= FOLDER_BYTES_MAX);
        if let (Some(next), Some(folder)) = (next, self.folders.last_mut()) {
            *folder = next;
        }
        self.commands.push(command);
    }

    fn skip_line(&mut self) {
        while self.at < self.text.len() && self.peek(0) != b'\n' {
            self.at += 1;
        }
    }

    /// `<` or `>`, perhaps behind a number.
    fn is_redirect(&self) -> bool {
        let digits = self.text[self.at..].iter().take(4).take_while(|it| it.is_ascii_digit());
        matches!(self.peek(digits.count()), b'<' | b'>')
    }

    fn redirect(&mut self) {
        while self.peek(0).is_ascii_digit() {
            self.at += 1;
        }
        let from = self.at;
        while matches!(self.peek(0), b'<' | b'>' | b'&' | b'|') && self.at - from < 3 {
            self.at += 1;
        }
        let operator = &self.text[from..self.at];
        // `<(…)`: what is inside is read as commands of its own.
        if self.peek(0) == b'(' {
            return;
        }
        if operator == b"<<" && self.peek(0) == b'-' {
            self.at += 1;
        }
        while matches!(self.peek(0), b' ' | b'\t') {
            self.at += 1;
        }
        if matches!(self.peek(0), b'\n' | 0) {
            return;
        }
        let word = self.word();
        match operator {
            b"<<<" => self.current.input = Some(word),
            b"<<" => {
                self.current.input = Some(String::new());
                self.documents.push((self.commands.len(), word));
            }
            _ if !operator.contains(&b'>') => {}
            // `2>&1` is no file.
            [.., b'&'] if word.bytes().all(|it| it.is_ascii_digit() || it == b'-') => {}
            _ => self.current.writes.push(word),
        }
    }

    fn read_documents(&mut self) {
        for (command, end) in std::mem::take(&mut self.documents) {
            let mut lines = self.text[self.at..].split_inclusive(|byte| *byte == b'\n');
            let body = lines.by_ref().take_while(|line| line.trim_ascii() != end.as_bytes());
            let body = body.collect::<Vec<_>>().concat();
            self.at = self.text.len() - lines.map(<[u8]>::len).sum::<usize>();
            if let Some(command) = self.commands.get_mut(command) {
                command.input = Some(String::from_utf8_lossy(&body).into_owned());
            }
        }
    }

    /// One word without its quotes. Takes at least one byte.
    fn word(&mut self) -> String {
        let from = self.at;
        let mut word: Vec<u8> = Vec::new();
        let mut quote = None;
        while self.at < self.text.len() {
            let (byte, next) = (self.peek(0), self.peek(1));
            match (quote, byte) {
                (Some(open), _) if byte == open => quote = None,
                (None, b'\'' | b'"') => quote = Some(byte),
                (None, b' ' | b'\t' | b'\r' | b'\n') => break,
                (None, b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')') if self.at > from => break,
                (None | Some(b'"'), b'`') => self.copy_through(b'`', b'`', &mut word),
                (None | Some(b'"'), b'$') if next == b'(' => {
                    word.push(b'$');
                    self.at += 1;
                    self.copy_through(b'(', b')', &mut word);
                }
                // A line that goes on.
                (None, b'\\') if next == b'\n' => self.at += 1,
                // Windows: before anything but a sign of the shell it divides a path.
                (None, b'\\') if is_escaped(next) => {
                    word.push(next);
                    self.at += 1;
                }
                (Some(b'"'), b'\\') if matches!(next, b'"' | b'\\' | b'$' | b'`') => {
                    word.push(next);
                    self.at += 1;
                }
                _ => word.push(byte),
            }
            self.at += 1;
        }
        self.at = self.at.min(self.text.len());
        String::from_utf8_lossy(&word).into_owned()
    }

    /// Copies from the opening sign to the one that closes it, and stops there.
    fn copy_through(&mut self, open: u8, close: u8, word: &mut Vec<u8>) {
        let from = self.at;
        let mut depth = 0_usize;
        while self.at < self.text.len() {
            let byte = self.peek(0);
            if byte == close && self.at > from {
                depth -= 1;
            } else if byte == open {
                depth += 1;
            }
            word.push(byte);
            if depth == 0 {
                return;
            }
            self.at += 1;
        }
    }
}

fn is_escaped(byte: u8) -> bool {
    byte.is_ascii_whitespace() || b"'\"`\\$;&|<>()[]{}*?#!~".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::commands;

    #[track_caller]
    fn check(line: &str, want: &str) {
        let shown: Vec<String> = commands(line)
            .iter()
            .map(|it| {
                let folder = Some(&it.folder).filter(|it| !it.is_empty());
                let folder = folder.map(|it| format!("{it}: ")).unwrap_or_default();
                let writes: String = it.writes.iter().map(|it| format!(" > [{it}]")).collect();
                let input = it.input.as_ref().map(|it| format!(" < [{it}]")).unwrap_or_default();
                let words: Vec<String> = it.words.iter().map(|it| format!("[{it}]")).collect();
                format!("{folder}{}{writes}{input}", words.join(" "))
            })
            .collect();
        assert_eq!(shown.join("\n"), want, "{line}");
    }

    #[test]
    fn quotes_and_escapes_are_taken_off() {
        check("a 'b c' \"d \\\" e\" f\\ g h''i", "[a] [b c] [d \" e] [f g] [hi]");
        check("del .oldhand\\x C:\\a\\.b", "[del] [.oldhand\\x] [C:\\a\\.b]");
        check("rm \"$(x \"y\" z)/a\" `b c`/d $E", "[rm] [$(x \"y\" z)/a] [`b c`/d] [$E]");
        check("a\\\nb 'open", "[ab] [open]");
    }

    #[test]
    fn commands_are_divided_where_a_shell_divides_them() {
        check("a; b && c | d & e\nf # g", "[a]\n[b]\n[c]\n[d]\n[e]\n[f]");
        check("a 2>&1 >b 2>> c &> d <e", "[a] > [b] > [c] > [d]");
        check("cat <<'E' > f\nrm x; y\nE\ng", "[cat] > [f] < [rm x; y\n]\n[g]");
        check("sh <<< 'a b'", "[sh] < [a b]");
    }

    #[test]
    fn folders_follow_cd() {
        check(
            "cd a && b; (cd c; d); (e); cd -; f",
            "[cd] [a]\na: [b]\na: [cd] [c]\na/c: [d]\na: [e]\na: [cd] [-]\n[f]",
        );
        check("cd /a; b", "[cd] [/a]\n/a: [b]");
    }
}
