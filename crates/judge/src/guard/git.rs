//! What git writes besides its own: commands that replace or remove files of the tree. Commits,
//! merges and branches bring whole versions of a store along, which is how stores travel.

use super::patch;
use super::place::{self, Deed};
use super::writers::{Args, Paths};

const GLOBAL_VALUED: &[&str] = &["-C", "-c", "--git-dir", "--work-tree", "--namespace"];

pub(super) fn paths(args: &[String], input: Option<&str>) -> Paths {
    let mut folder = ".".to_owned();
    let mut rest = args;
    let command = loop {
        match rest {
            [option, value, tail @ ..] if GLOBAL_VALUED.contains(&option.as_str()) => {
                if option == "-C" {
                    folder = place::join(&folder, value);
                }
                rest = tail;
            }
            [option, tail @ ..] if option.starts_with('-') => rest = tail,
            [command, tail @ ..] => {
                rest = tail;
                break command.as_str();
            }
            [] => return Vec::new(),
        }
    };
    let named = of_command(command, rest, input);
    named.into_iter().map(|(path, deed)| (place::join(&folder, &path), deed)).collect()
}

fn of_command(command: &str, rest: &[String], input: Option<&str>) -> Paths {
    let has = |names: &[&str]| rest.iter().any(|it| names.contains(&it.as_str()));
    let operands = |deed: Deed| -> Paths {
        let args =
            Args::new(rest, &["-s", "--source", "-e", "--exclude", "-b", "-B", "-m", "--message"]);
        args.operands.iter().map(|path| (pathspec(path), deed)).collect()
    };
    match command {
        "checkout" | "mv" | "checkout-index" => operands(Deed::Write),
        // Only what is staged, not the file.
        "restore" if has(&["--staged", "-S"]) && !has(&["--worktree", "-W"]) => Vec::new(),
        "restore" => operands(Deed::Write),
        "rm" if has(&["--cached", "-n", "--dry-run"]) => Vec::new(),
        "clean" if has(&["-n", "--dry-run"]) || is_dry(rest) => Vec::new(),
        "rm" | "clean" => operands(Deed::Remove),
        "stash" if has(&["push", "-p"]) => operands(Deed::Write),
        "apply" | "am" => {
            let directory = rest.iter().filter_map(|it| it.strip_prefix("--directory="));
            let mut paths = patch::paths(input.unwrap_or_default());
            paths.extend(directory.map(|it| (it.to_owned(), Deed::Write)));
            paths
        }
        "clone" | "init" | "worktree" | "submodule" => operands(Deed::Write),
        "archive" | "format-patch" | "bundle" | "diff" | "log" => {
            let args = Args::new(rest, &["-o", "--output", "--output-directory"]);
            let outputs = ["-o", "--output", "--output-directory"];
            args.values(&outputs).map(|it| (it.to_owned(), Deed::Write)).collect()
        }
        _ => Vec::new(),
    }
}

fn is_dry(rest: &[String]) -> bool {
    rest.iter().any(|it| it.starts_with('-') && !it.starts_with("--") && it.contains('n'))
}

/// `:(top).oldhand` and `:/.oldhand` are paths too; `:!.oldhand` leaves it out.
fn pathspec(path: &str) -> String {
    if path.starts_with(":!") || path.starts_with(":^") || path.starts_with(":(exclude)") {
        return ".".to_owned();
    }
    let bare = match path.strip_prefix(":(") {
        Some(rest) => rest.split_once(')').map_or(rest, |(_, path)| path),
        None => path.strip_prefix(":/").unwrap_or(path),
    };
    bare.to_owned()
}
