//! Which files a command deletes or takes back: those it names, those in a folder it names, and one `*`.

use super::exact::path_text;
use oldhand_text::command_line::commands;

/// The paths that `rm` and `git rm` are given.
pub(super) fn removes(line: &str, root: &str) -> Vec<String> {
    let mut found = Vec::new();
    for command in commands(line) {
        let words: Vec<&str> = command.words.iter().map(String::as_str).collect();
        let (["rm", names @ ..] | ["git" | "sudo", "rm", names @ ..]) = words.as_slice() else {
            continue;
        };
        // `git rm --cached` leaves the file where it is.
        if !names.contains(&"--cached") {
            let paths = names.iter().filter(|it| !it.starts_with('-') && !it.contains('$'));
            found.extend(paths.map(|path| path_text(path, root)));
        }
    }
    found
}

pub(super) fn is_removed(given: &str, path: &str) -> bool {
    let (head, tail) =
        given.split_once('*').map_or((given, None), |(head, tail)| (head, Some(tail)));
    path.strip_prefix(head).is_some_and(|rest| match tail {
        None => rest.is_empty() || rest.starts_with('/') && !head.is_empty(),
        Some(tail) => rest.ends_with(tail) && !rest.contains('/'),
    })
}

/// What a git command undoes of the work.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reverted {
    Nothing,
    Paths(Vec<String>),
    /// All that was not committed.
    Everything,
    /// The last commit is none any more; its changes are still there.
    Commit,
}

/// The first of these on a command line.
pub(super) fn reverts(line: &str) -> Reverted {
    let all = commands(line);
    let found = all.iter().map(|command| match command.git_verb() {
        Some(verb) => reverted(verb, &command.words),
        None => Reverted::Nothing,
    });
    found.into_iter().find(|it| *it != Reverted::Nothing).unwrap_or(Reverted::Nothing)
}

fn reverted(verb: &str, words: &[String]) -> Reverted {
    let rest = words.iter().position(|word| word == verb).map_or(words, |at| &words[at + 1..]);
    let has = |flag: &str| rest.iter().any(|word| word == flag);
    let paths = |words: &[String]| {
        let named = words.iter().filter(|it| !it.starts_with('-') && !it.contains('$'));
        let named: Vec<String> = named.map(|it| it.trim_start_matches("./").to_owned()).collect();
        match named.iter().any(|it| matches!(it.as_str(), "" | "." | ":/")) {
            true => Reverted::Everything,
            false if named.is_empty() => Reverted::Nothing,
            false => Reverted::Paths(named),
        }
    };
    match verb {
        "checkout" => match rest.iter().position(|word| word == "--") {
            Some(at) => paths(&rest[at + 1..]),
            // A branch, unless it is the folder.
            None if has(".") => Reverted::Everything,
            None => Reverted::Nothing,
        },
        // `--staged` alone leaves the files as they are.
        "restore" if !has("--staged") || has("--worktree") => paths(rest),
        "stash" => match rest.first().map(String::as_str) {
            None | Some("push" | "save" | "-u" | "-a" | "-q" | "--include-untracked" | "--all") => {
                Reverted::Everything
            }
            Some(_) => Reverted::Nothing,
        },
        "reset" if has("--hard") => Reverted::Everything,
        "reset" if rest.iter().any(|it| it.starts_with("HEAD~") || it.starts_with("HEAD^")) => {
            Reverted::Commit
        }
        _ => Reverted::Nothing,
    }
}

/// Whether a path, as a tool wrote it, is the one that a command names, or lies in it.
pub(super) fn is_within(given: &str, path: &str) -> bool {
    let given = given.trim_end_matches('/');
    let tail = |path: &str| path == given || path.starts_with(&format!("{given}/"));
    tail(path) || path.match_indices('/').any(|(at, _)| tail(&path[at + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_rm_names_is_gone() {
        let check = |command: &str, path: &str, want: bool| {
            let found = removes(command, "/r").iter().any(|it| is_removed(it, path));
            assert_eq!(found, want, "{command}: {path}");
        };
        check("rm -f /r/a.txt b.txt", "a.txt", true);
        check("cargo test && git rm src/b.rs", "src/b.rs", true);
        check("rm -rf docs 2>/dev/null; ls", "docs/a.md", true);
        check("rm -f out/test-*.json", "out/test-1.json", true);
        check("rm -f out/test-*.json", "out/deep/test-1.json", false);
        check("rm docs", "docs.md", false);
        check("git rm --cached a.txt", "a.txt", false);
        check("echo rm a.txt", "a.txt", false);
    }

    #[test]
    fn git_takes_back_what_it_names() {
        let paths = |all: &[&str]| Reverted::Paths(all.iter().map(|it| (*it).to_owned()).collect());
        let check = |line: &str, want: Reverted| assert_eq!(reverts(line), want, "{line}");
        check("git checkout -- src/a.rs b.rs", paths(&["src/a.rs", "b.rs"]));
        check("cd x && git checkout HEAD~1 -- ./a.rs", paths(&["a.rs"]));
        check("git restore a.rs", paths(&["a.rs"]));
        check("git restore --staged a.rs", Reverted::Nothing);
        check("git checkout main", Reverted::Nothing);
        check("git checkout .", Reverted::Everything);
        check("git stash && cargo test", Reverted::Everything);
        check("git stash pop", Reverted::Nothing);
        check("git reset --hard HEAD~1", Reverted::Everything);
        check("git reset --soft HEAD~1", Reverted::Commit);
        check("git reset a.rs", Reverted::Nothing);
        for (given, path, want) in [
            ("src/a.rs", "/home/x/src/a.rs", true),
            ("src", "src/a.rs", true),
            ("a.rs", "ba.rs", false),
        ] {
            assert_eq!(is_within(given, path), want, "{given}: {path}");
        }
    }
}
