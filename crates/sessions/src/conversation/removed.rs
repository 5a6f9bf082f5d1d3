//! Which files a command deletes: those it names, those in a folder it names, and one `*`.

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
}
