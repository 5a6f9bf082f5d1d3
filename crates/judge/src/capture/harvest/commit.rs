//! A commit whose message explains, and an issue that was opened on the command line.

use oldhand_core::kind::Kind;
use oldhand_text::command_line::{self, Committed};
use oldhand_text::table;

use super::super::drafter::plain;
use super::Harvested;

pub(super) struct Commit {
    subject: String,
    body: String,
    hash: Option<String>,
}

/// A body that says less explains nothing.
const BODY_WORDS_MIN: usize = 12;
const LIST_MIN: usize = 3;
/// What the diff does not tell: why, and what was not done.
const WHYS: &str = "because|since |otherwise|so that|cannot|can't|root cause|caused by|instead of|\
     rather than|unreliable|backward|must not|must never|deliberately|intentionally";
/// Lines that tools put below a message.
const TRAILERS: &str =
    "co-authored-by:|signed-off-by:|🤖|generated with|entire-|change-id:|fixes #";

/// The commit that a command made, if its message explains anything.
pub(super) fn of_command(line: &str, printed: &str) -> Option<Commit> {
    if !line.contains("commit") {
        return None;
    }
    let message = command_line::commands(line).iter().find_map(|command| {
        (command.git_verb() == Some("commit")).then(|| message(&command.words, line))?
    })?;
    let mut lines = message.lines().map(str::trim);
    let subject = lines.by_ref().find(|line| !line.is_empty())?.to_owned();
    let is_trailer = |line: &&str| table::begins(TRAILERS, &line.to_lowercase());
    let body: Vec<&str> = lines.filter(|line| !is_trailer(line)).collect();
    // A list of changes is a diary, with a reason here and there.
    let (is_list, body) = (is_list(&body), plain(body.join(" ").trim()));
    let explains = !is_list
        && body.split_whitespace().count() >= BODY_WORDS_MIN
        && table::holds(WHYS, &body.to_lowercase())
        && !subject.to_lowercase().starts_with("merge ");
    explains.then(|| Commit {
        subject,
        body,
        hash: Committed::of(printed).map(|it| it.hash.to_owned()),
    })
}

fn is_list(body: &[&str]) -> bool {
    body.iter().filter(|line| line.starts_with("- ") || line.starts_with("* ")).count() >= LIST_MIN
}

/// `-m` as often as it is given, or the text of a here-document.
fn message(words: &[String], line: &str) -> Option<String> {
    if let Some(text) = here_document(line) {
        return Some(text);
    }
    let mut parts = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-m" | "--message" | "-am" => parts.extend(words.next().cloned()),
            word => parts.extend(word.strip_prefix("--message=").map(str::to_owned)),
        }
    }
    (!parts.is_empty()).then(|| parts.join("\n\n"))
}

/// What stands behind `<<EOF`, up to its end.
pub(super) fn here_document(line: &str) -> Option<String> {
    let (mark, text) = line.split_once("<<")?.1.split_once('\n')?;
    let mark = mark.trim().trim_start_matches('-').trim_matches(['\'', '"']);
    Some(text.lines().take_while(|it| it.trim() != mark).collect::<Vec<_>>().join("\n"))
}

impl Commit {
    pub(super) fn harvested(self, line: usize) -> Harvested {
        // `fix(store): …`: the kind of change is no part of what it says.
        let said = match self.subject.split_once(": ") {
            Some((kind, rest)) if !kind.contains(' ') => rest,
            _ => &self.subject,
        };
        let title = plain(said);
        Harvested {
            fields: vec![("decision", format!("{title}. {}", self.body))],
            commit: self.hash,
            ..Harvested::of(line, Kind::Decision, &title)
        }
    }
}

/// `gh issue create --title … --body …`
pub(super) fn issue(line: &str, at: usize) -> Option<Harvested> {
    command_line::commands(line).iter().find_map(|command| {
        let flags = command.created_on_forge(&["issue"])?;
        let value = |names: [&str; 2]| {
            let found = flags.iter().position(|flag| names.contains(&flag.as_str()));
            found.and_then(|at| flags.get(at + 1)).map(String::as_str)
        };
        let title = value(["--title", "-t"])?;
        let body = value(["--body", "-b"]).or(value(["--description", "-d"])).unwrap_or_default();
        Some(super::issue(title, body, at))
    })
}
