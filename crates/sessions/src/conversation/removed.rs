//! What a command deletes. Only what it names: a folder holds its files, and one `*` may stand for
//! anything.

use super::exact::path_text;

/// The paths that `rm` and `git rm` are given.
pub(super) fn removes(command: &str, root: &str) -> Vec<String> {
    if !command.contains("rm ") {
        return Vec::new();
    }
    command.split(['&', ';', '|', '\n']).flat_map(|part| of_part(part, root)).collect()
}

fn of_part(part: &str, root: &str) -> Vec<String> {
    let words: Vec<&str> = part.split_whitespace().collect();
    let names = match words.as_slice() {
        ["rm", names @ ..] | ["git" | "sudo", "rm", names @ ..] => names,
        _ => return Vec::new(),
    };
    // `git rm --cached` leaves the file where it is.
    if names.contains(&"--cached") {
        return Vec::new();
    }
    let is_path = |it: &&&str| !it.starts_with('-') && !it.contains(['>', '<', '$']);
    let text = |name: &&str| path_text(name.trim_matches(['"', '\'']), root);
    names.iter().filter(is_path).map(text).collect()
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
