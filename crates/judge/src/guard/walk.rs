//! Follows a command from step to step: the folder it is in, the links it makes, and the commands
//! inside of commands. What each program writes is asked for elsewhere.

use std::collections::BTreeMap;

use super::place::{self, Deed, Places, Target};
use super::programs::{self, Meaning};
use super::shell::{self, Dialect, Simple, Step};
use super::{glob, script};

/// A longer command is read up to here; behind it only words are looked for.
const COMMAND_BYTES_MAX: usize = 256 * 1024;

/// How deep `sh -c` and `xargs` may be nested.
const DEPTH_MAX: usize = 6;

/// How many steps of a pipeline are remembered.
const PIPED_MAX: usize = 6;

/// How many links of a command's own are remembered.
const LINKS_MAX: usize = 32;

/// A longer text in code is no path.
const PIECE_BYTES_MAX: usize = 1024;

pub(super) struct Walk<'a> {
    places: &'a Places<'a>,
    cwd: String,
    start: String,
    variables: BTreeMap<String, String>,
    /// Links that the command itself makes: nobody can follow them on the disk yet.
    links: Vec<(String, String)>,
    depth: usize,
}

impl<'a> Walk<'a> {
    pub(super) fn new(places: &'a Places<'a>, cwd: &str) -> Self {
        Self {
            places,
            cwd: cwd.to_owned(),
            start: cwd.to_owned(),
            variables: BTreeMap::new(),
            links: Vec::new(),
            depth: 0,
        }
    }

    pub(super) fn judge(&mut self, command: &str) -> Option<Target> {
        let mut cut = command.len().min(COMMAND_BYTES_MAX);
        while !command.is_char_boundary(cut) {
            cut -= 1;
        }
        let (head, rest) = command.split_at(cut);
        if let Some(target) = self.script(head, Dialect::Posix) {
            return Some(target);
        }
        // Hosts on Windows hand their lines to PowerShell without saying so.
        if is_windows(head) {
            let mut walk = Self::new(self.places, &self.start);
            if let Some(target) = walk.script(head, Dialect::PowerShell) {
                return Some(target);
            }
        }
        self.roughly(rest)
    }

    fn script(&mut self, text: &str, dialect: Dialect) -> Option<Target> {
        let read = shell::read(text, dialect, &mut self.variables);
        let mut folders = Vec::new();
        let mut pipeline: Vec<&Simple> = Vec::new();
        for step in &read.steps {
            match step {
                Step::Enter => folders.push(self.cwd.clone()),
                Step::Leave => self.cwd = folders.pop().unwrap_or_else(|| self.start.clone()),
                Step::Run(simple) => {
                    if !simple.is_piped {
                        pipeline.clear();
                    }
                    if let Some(target) = self.simple(simple, &pipeline) {
                        return Some(target);
                    }
                    // What comes through a pipe was named shortly before.
                    if pipeline.len() == PIPED_MAX {
                        pipeline.remove(0);
                    }
                    pipeline.push(simple);
                }
            }
        }
        if dialect == Dialect::PowerShell && script::calls_files(text) && self.places.is_named(text)
        {
            return Some(somewhere());
        }
        if read.is_cut { self.roughly(text) } else { None }
    }

    fn simple(&mut self, simple: &Simple, before: &[&Simple]) -> Option<Target> {
        let written = simple.writes.iter().flat_map(|path| glob::braces(path));
        for path in written {
            if let Some(target) = self.target(&path, Deed::Write) {
                return Some(target);
            }
        }
        let words: Vec<String> = simple.words.iter().flat_map(|word| glob::braces(word)).collect();
        self.words(&words, simple.input.as_deref(), before)
    }

    fn words(
        &mut self,
        words: &[String],
        input: Option<&str>,
        before: &[&Simple],
    ) -> Option<Target> {
        if self.depth >= DEPTH_MAX {
            return self.roughly(&words.join(" "));
        }
        match programs::meaning(words, input) {
            Meaning::Nothing => None,
            Meaning::Folder(path) => {
                self.cwd =
                    if path == "-" { self.start.clone() } else { place::join(&self.cwd, &path) };
                None
            }
            Meaning::Link { target, name } => {
                let found = self.target(&name, Deed::Write);
                let at = place::join(&self.cwd, &name);
                self.links.truncate(LINKS_MAX);
                self.links.push((at, place::join(&self.cwd, &target)));
                found
            }
            Meaning::Paths(paths) => paths.iter().find_map(|(path, deed)| self.target(path, *deed)),
            Meaning::Commands { text, arguments } => {
                for (at, argument) in arguments.iter().enumerate() {
                    self.variables.insert(at.to_string(), argument.clone());
                }
                if let Some(rest) = arguments.get(1..).filter(|rest| !rest.is_empty()) {
                    self.variables.insert("@".to_owned(), rest.join(" "));
                }
                self.deeper(|walk| walk.script(&text, Dialect::Posix))
            }
            Meaning::PowerShell(text) => {
                self.deeper(|walk| walk.script(&text, Dialect::PowerShell))
            }
            Meaning::PipedCommands => {
                let text = before.last().map(|it| output_of(it))?;
                self.deeper(|walk| walk.script(&text, Dialect::Posix))
            }
            Meaning::Code(code) => self.code(&code),
            Meaning::Each(words) => {
                let words = self.with_piped(words, input, before);
                self.deeper(|walk| walk.words(&words, None, &[]))
            }
            Meaning::Further(commands) => {
                commands.iter().find_map(|words| self.deeper(|walk| walk.words(words, None, &[])))
            }
        }
    }

    fn deeper(&mut self, judge: impl FnOnce(&mut Self) -> Option<Target>) -> Option<Target> {
        self.depth += 1;
        let found = judge(self);
        self.depth -= 1;
        found
    }

    /// The words of `xargs` with those that come through the pipe, as far as they name a store.
    fn with_piped(
        &self,
        mut words: Vec<String>,
        input: Option<&str>,
        before: &[&Simple],
    ) -> Vec<String> {
        let said = before.iter().flat_map(|it| it.words.iter().skip(1).map(String::as_str));
        let piped = said.chain(input.iter().flat_map(|it| it.split_whitespace()));
        let named: Vec<String> = piped
            .filter(|it| self.places.target(&self.cwd, it, Deed::Write).is_some())
            .map(str::to_owned)
            .collect();
        if let Some(first) = named.first() {
            words.iter_mut().for_each(|it| *it = it.replace("{}", first));
        }
        words.extend(named);
        words
    }

    /// Code of another language: a word of writing, and a text that is a path in a store or a
    /// command that writes there. A text that only mentions a store is none.
    fn code(&mut self, code: &str) -> Option<Target> {
        if !script::writes(code) {
            return None;
        }
        if self.places.target(&self.cwd, ".", Deed::Write).is_some() {
            return Some(somewhere());
        }
        let deed = if script::removes(code) { Deed::Remove } else { Deed::Write };
        let pieces = code.split(['"', '\'', '`', '<', '>', '{', '}', '(', ')', ',']);
        let places = self.places;
        for piece in pieces.filter(|it| it.len() < PIECE_BYTES_MAX && places.is_named(it)) {
            if let Some(target) = self.places.target(&self.cwd, piece, deed) {
                return Some(target);
            }
            if piece.trim().contains(char::is_whitespace)
                && let Some(target) = self.deeper(|walk| walk.script(piece, Dialect::Posix))
            {
                return Some(target);
            }
        }
        None
    }

    /// For what can't be read word by word: errs on the side of the store.
    fn roughly(&self, text: &str) -> Option<Target> {
        (self.places.is_named(text) && script::mentions_writing(text)).then(somewhere)
    }

    fn target(&self, path: &str, deed: Deed) -> Option<Target> {
        if let Some(target) = self.places.target(&self.cwd, path, deed) {
            return Some(target);
        }
        let full = place::join(&self.cwd, path);
        let (link, to) = self.links.iter().find(|(link, _)| full.starts_with(link.as_str()))?;
        let rest = &full[link.len()..];
        let is_below = rest.is_empty() || rest.starts_with('/') || link.ends_with('/');
        is_below.then(|| self.places.target(&self.cwd, &format!("{to}/{rest}"), deed))?
    }
}

fn somewhere() -> Target {
    Target { shown: place::STORE.to_owned(), inside: String::new(), deed: Deed::Write }
}

/// What `echo` and `cat` hand to a shell behind them.
fn output_of(simple: &Simple) -> String {
    match simple.words.first().map(String::as_str) {
        Some("echo" | "printf") => simple.words[1..].join(" "),
        _ => simple.input.clone().unwrap_or_default(),
    }
}

/// Signs of PowerShell: its commands, and backslashes that are no escapes.
fn is_windows(command: &str) -> bool {
    let lower = command.to_ascii_lowercase();
    let signs =
        [".oldhand\\", "\\.oldhand", ":\\", "[io.", "[system.io", "-item", "-content", "out-file"];
    signs.iter().any(|sign| lower.contains(sign))
}
