//! A test file that nobody declares as a module never runs, and nothing else would say so.

use super::tree::{Tree, is_test_file};
use super::{Violation, rust};

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (path, _) in tree.files("rs").filter(|(path, _)| is_test_file(path)) {
        let Some((name, parents)) = declaration(path) else { continue };
        let declares = |parent: &String| {
            let code = rust::split(tree.text(parent).unwrap_or_default()).code;
            rust::declares_module(&rust::tokens(&code), &name)
        };
        if !parents.iter().any(declares) {
            let message =
                format!("test file is forgotten, write `mod {name};` in `{}`", parents[0]);
            violations.push(Violation::new(path, 1, message));
        }
    }
    violations
}

/// The name under which a file must be declared and the files that may do so; nothing for a file that is a root.
fn declaration(path: &str) -> Option<(String, Vec<String>)> {
    let (folder, file) = path.rsplit_once('/')?;
    let stem = file.strip_suffix(".rs")?;
    if matches!(stem, "main" | "lib") || folder.ends_with("/tests") && !folder.contains("/src/") {
        // cargo finds the roots: `main.rs`, `lib.rs`, and every file directly in a crate's `tests`.
        return None;
    }
    if stem == "mod" {
        let (folder, name) = folder.rsplit_once('/')?;
        return Some((name.to_owned(), parents(folder)));
    }
    Some((stem.to_owned(), parents(folder)))
}

/// The files that may hold the module whose children are in `folder`.
fn parents(folder: &str) -> Vec<String> {
    if folder.ends_with("/src") {
        return vec![format!("{folder}/lib.rs"), format!("{folder}/main.rs")];
    }
    let is_target = folder
        .rsplit_once('/')
        .is_some_and(|(above, _)| above.ends_with("/tests") && !above.contains("/src/"));
    if is_target {
        return vec![format!("{folder}/main.rs")];
    }
    vec![format!("{folder}.rs"), format!("{folder}/mod.rs")]
}

#[cfg(test)]
mod tests;
