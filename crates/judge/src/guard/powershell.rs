//! The commands of PowerShell and of the old Windows shell that write files.

use super::place::Deed;
use super::programs::Meaning;
use super::writers::Paths;

/// What the words without a name are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Words {
    FirstWritten,
    AllRemoved,
    SecondWritten,
    FirstRemovedSecondWritten,
}

const COMMANDS: &[(&str, Words)] = &[
    ("set-content", Words::FirstWritten),
    ("add-content", Words::FirstWritten),
    ("clear-content", Words::FirstWritten),
    ("out-file", Words::FirstWritten),
    ("new-item", Words::FirstWritten),
    ("export-csv", Words::FirstWritten),
    ("export-clixml", Words::FirstWritten),
    ("ac", Words::FirstWritten),
    ("clc", Words::FirstWritten),
    ("ni", Words::FirstWritten),
    ("md", Words::FirstWritten),
    ("remove-item", Words::AllRemoved),
    ("ri", Words::AllRemoved),
    ("del", Words::AllRemoved),
    ("erase", Words::AllRemoved),
    ("rd", Words::AllRemoved),
    ("copy-item", Words::SecondWritten),
    ("cpi", Words::SecondWritten),
    ("copy", Words::SecondWritten),
    ("xcopy", Words::SecondWritten),
    ("robocopy", Words::SecondWritten),
    ("move-item", Words::FirstRemovedSecondWritten),
    ("mi", Words::FirstRemovedSecondWritten),
    ("rename-item", Words::FirstRemovedSecondWritten),
    ("rni", Words::FirstRemovedSecondWritten),
];

pub(super) fn paths(program: &str, args: &[String]) -> Paths {
    let Some((_, words)) = COMMANDS.iter().find(|(name, _)| *name == program) else {
        return Vec::new();
    };
    let deed = match words {
        Words::AllRemoved | Words::FirstRemovedSecondWritten => Deed::Remove,
        Words::FirstWritten | Words::SecondWritten => Deed::Write,
    };
    let mut paths = Vec::new();
    let mut plain: Vec<&str> = Vec::new();
    let mut has_path = false;
    let mut rest = args.iter();
    while let Some(word) = rest.next() {
        let name = word.to_ascii_lowercase();
        match name.as_str() {
            "-path" | "-literalpath" | "-filepath" | "-lp" => {
                has_path = true;
                if *words != Words::SecondWritten {
                    paths.extend(list(rest.next()).map(|it| (it, deed)));
                } else {
                    rest.next();
                }
            }
            "-destination" | "-dest" | "-newname" => {
                paths.extend(list(rest.next()).map(|it| (it, Deed::Write)));
            }
            "-value" | "-encoding" | "-filter" | "-include" | "-exclude" | "-itemtype"
            | "-name" | "-inputobject" | "-width" => {
                rest.next();
            }
            _ if name.starts_with('-') || (name.starts_with('/') && name.len() <= 3) => {}
            _ => plain.push(word),
        }
    }
    // What was named is no longer among the words.
    let (first, second) =
        if has_path { (None, plain.first()) } else { (plain.first(), plain.get(1)) };
    let of =
        |word: Option<&&str>| list(word.map(|it| (*it).to_owned()).as_ref()).collect::<Vec<_>>();
    match words {
        Words::FirstWritten => paths.extend(of(first).into_iter().map(|it| (it, deed))),
        Words::AllRemoved => {
            paths.extend(plain.iter().flat_map(|it| of(Some(it))).map(|it| (it, deed)));
        }
        Words::SecondWritten => paths.extend(of(second).into_iter().map(|it| (it, deed))),
        Words::FirstRemovedSecondWritten => {
            paths.extend(of(first).into_iter().map(|it| (it, deed)));
            paths.extend(of(second).into_iter().map(|it| (it, Deed::Write)));
        }
    }
    paths
}

/// `a,b` are two.
fn list(word: Option<&String>) -> impl Iterator<Item = String> {
    let words: Vec<String> =
        word.map(|it| it.split(',').map(str::to_owned).collect()).unwrap_or_default();
    words.into_iter()
}

/// `powershell -Command …`: the rest of the line.
pub(super) fn inner(args: &[String], input: Option<&str>) -> Meaning {
    let is_command = |it: &String| {
        let name = it.to_ascii_lowercase();
        name == "-c" || (name.len() > 3 && "-command".starts_with(&name))
    };
    let at = args.iter().position(is_command).map(|at| at + 1);
    // Without an option the words are the command.
    let at = at.or_else(|| args.iter().position(|it| !it.starts_with('-')));
    match (at, input) {
        (Some(at), _) => Meaning::PowerShell(args[at..].join(" ")),
        (None, Some(text)) => Meaning::PowerShell(text.to_owned()),
        (None, None) => Meaning::Nothing,
    }
}
