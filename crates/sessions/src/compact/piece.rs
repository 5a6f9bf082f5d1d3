//! What may go into a summary, piece by piece, and what it weighs.

use super::check::{Fact, Sort};
use oldhand_text::{secrets, tokens};

#[derive(Debug, Clone)]
pub(super) enum Body {
    /// An item of its own; shorter ways to say it follow.
    Line(Vec<String>),
    /// One name among those that share a folder and a mark: `src/: a.rs, b.rs (edited)`.
    Member { head: String, name: String, tail: &'static str },
}

/// What is taken before its section has its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Urgency {
    /// Before anything else, in the order of the pieces.
    Vital,
    Topic,
    Usual,
}

#[derive(Debug, Clone)]
pub(super) struct Piece<'t> {
    pub section: &'static str,
    pub body: Body,
    /// All of what it was taken from: what is left of a secret that was cut looks like none.
    pub origins: [&'t str; 2],
    pub order: usize,
    /// The higher, the sooner it is taken within its section.
    pub priority: usize,
    pub urgency: Urgency,
    /// What it keeps verbatim.
    pub facts: Vec<Fact>,
}

impl<'t> Piece<'t> {
    pub(super) fn line(section: &'static str, text: String, origin: &'t str) -> Self {
        Self {
            section,
            body: Body::Line(vec![text]),
            origins: [origin, ""],
            order: 0,
            priority: 0,
            urgency: Urgency::Usual,
            facts: Vec::new(),
        }
    }

    pub(super) fn path(section: &'static str, path: &str, line: usize, tail: &'static str) -> Self {
        let (head, name) = split(path);
        let body = Body::Member { head: head.to_owned(), name: name.to_owned(), tail };
        Self { body, ..Self::line(section, String::new(), "") }.exact(Sort::Path, path, line)
    }

    /// In its place, and sooner the newer it is.
    pub(super) fn at(self, order: usize) -> Self {
        Self { order, priority: order, ..self }
    }

    pub(super) fn vital(self, is_vital: bool) -> Self {
        let urgency = if is_vital { Urgency::Vital } else { self.urgency };
        Self { urgency, ..self }
    }

    /// `line` is where it came up first.
    pub(super) fn exact(mut self, sort: Sort, text: &str, line: usize) -> Self {
        self.facts.push(Fact { sort, text: text.to_owned(), line });
        self
    }

    /// Sooner than anything by its line alone.
    pub(super) fn sooner(self, is_sooner: bool) -> Self {
        let more = if is_sooner { SOONER } else { 0 };
        Self { priority: self.priority + more, ..self }
    }

    pub(super) fn shorter(mut self, text: String) -> Self {
        if let Body::Line(texts) = &mut self.body {
            texts.push(text);
        }
        self
    }

    pub(super) fn text(&self) -> String {
        match &self.body {
            Body::Line(texts) => texts.first().cloned().unwrap_or_default(),
            Body::Member { head, name, .. } if head.is_empty() => name.clone(),
            Body::Member { head, name, .. } => format!("{head}/{name}"),
        }
    }

    /// What each way to say it weighs; of a member of a folder the name alone.
    pub(super) fn weights(&self) -> Vec<u64> {
        match &self.body {
            Body::Line(texts) => texts.iter().map(|text| item_weight(text)).collect(),
            Body::Member { head, name, .. } => {
                let tick = if head.is_empty() { "`" } else { "" };
                vec![tokens::weight(&format!("{NAME_END}{tick}{name}{tick}"))]
            }
        }
    }

    pub(super) fn has_secret(&self) -> bool {
        self.origins.iter().any(|it| !it.is_empty() && !secrets::scan(it).is_empty())
            || !secrets::scan(&self.text()).is_empty()
    }
}

pub(super) const SOONER: usize = 1 << 40;
/// Between the folder and its files, and between files.
const FOLDER_END: &str = "/: ";
pub(super) const NAME_END: &str = ", ";

/// A path as the folder with its mark and the name. One whose parts could be taken for something
/// else stands alone, between backticks.
fn split(path: &str) -> (&str, &str) {
    let is_odd = path.contains([',', '`', '(', ')', ':']) || path.contains(char::is_whitespace);
    match path.rsplit_once('/') {
        Some((folder, name)) if !is_odd && !folder.is_empty() && !name.is_empty() => (folder, name),
        _ => ("", path),
    }
}

/// An item of several names, as it is written.
pub(super) fn group(head: &str, names: &[&str], tail: &str) -> String {
    let mark = if tail.is_empty() { String::new() } else { format!(" ({tail})") };
    if head.is_empty() {
        let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        return format!("{}{mark}", quoted.join(NAME_END));
    }
    match names {
        [only] => format!("{head}/{only}{mark}"),
        names => format!("{head}{FOLDER_END}{}{mark}", names.join(NAME_END)),
    }
}

/// The paths of an item that `group` wrote; none of any other.
pub(super) fn ungroup(item: &str) -> (Vec<String>, &str) {
    let (names, tail) = match item.strip_suffix(')').and_then(|it| it.rsplit_once(" (")) {
        Some((names, tail)) if !tail.contains(['(', '`', '/']) => (names, tail),
        _ => (item, ""),
    };
    if names.starts_with('`') && names.ends_with('`') && names.len() > 2 {
        let quoted = names[1..names.len() - 1].split("`, `");
        return (quoted.map(str::to_owned).collect(), tail);
    }
    match names.split_once(FOLDER_END) {
        Some((folder, names)) if !folder.contains(char::is_whitespace) => {
            let names = names.split(NAME_END).filter(|it| !it.contains(char::is_whitespace));
            (names.map(|name| format!("{folder}/{name}")).collect(), tail)
        }
        None if names.contains('/') && !names.contains(char::is_whitespace) => {
            (vec![names.to_owned()], tail)
        }
        _ => (Vec::new(), tail),
    }
}

pub(super) fn item_weight(text: &str) -> u64 {
    tokens::weight(&format!("\n- {text}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_come_back_from_their_groups_r167() {
        for (head, names, tail) in [
            ("src", vec!["a.rs", "b.rs"], "edited"),
            ("", vec!["/etc"], ""),
            ("crates/core/src", vec!["a.rs"], ""),
            ("", vec!["my file, 2 (copy).txt", "Makefile"], "written"),
        ] {
            let item = group(head, &names, tail);
            let slash = if head.is_empty() { "" } else { "/" };
            let want: Vec<String> = names.iter().map(|it| format!("{head}{slash}{it}")).collect();
            assert_eq!(ungroup(&item), (want, tail), "{item}");
        }
        assert_eq!(ungroup("fixed the parser: it was wrong").0, Vec::<String>::new());
    }
}
