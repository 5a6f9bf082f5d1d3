//! Code of other languages inside a command. Nobody reads Python here: a word of writing beside the
//! name of a store is enough.

/// Calls and modes that write, in lower case.
const WRITING: &[&str] = &[
    "write",
    "unlink",
    "remove",
    "rmtree",
    "rmdir",
    "rename",
    "truncate",
    "mkdir",
    "makedirs",
    "touch(",
    "copyfile",
    "copytree",
    "copy(",
    "copy2",
    "cpsync",
    "move(",
    ".dump(",
    "appendfile",
    "rmsync",
    "rm(",
    "'w'",
    "\"w\"",
    "'wb'",
    "\"wb\"",
    "'a'",
    "\"a\"",
    "'x'",
    "'r+",
    "\"r+",
    "'w+",
    "\"w+",
    "file_put_contents",
    "rm -",
    "rm ",
    "symlink",
    "os.replace",
    "fs.cp",
    ">>",
    "> ",
    "\">",
    "'>",
    "delete",
    "inplace",
    "'a+",
    "\"a+",
];

const REMOVING: &[&str] =
    &["unlink", "remove", "rmtree", "rmdir", "rmsync", "rm(", "rm -", "delete"];

/// What reads or only prints, although a word of writing is in it.
const HARMLESS: &[&str] =
    &["stdout.write", "stderr.write", "=> ", "-> ", ">= ", "> 0", "writeln!", "console.", "wrote"];

pub(super) fn writes(code: &str) -> bool {
    let mut code = code.to_ascii_lowercase();
    for harmless in HARMLESS {
        if code.contains(harmless) {
            code = code.replace(harmless, " ");
        }
    }
    WRITING.iter().any(|word| code.contains(word))
}

pub(super) fn removes(code: &str) -> bool {
    let code = code.to_ascii_lowercase();
    REMOVING.iter().any(|word| code.contains(word))
}

/// `[IO.File]::WriteAllText(…)`
pub(super) fn calls_files(code: &str) -> bool {
    let code = code.to_ascii_lowercase();
    let is_file = code.contains("[io.") || code.contains("[system.io");
    is_file
        && ["::write", "::append", "::delete", "::move", "::copy", "::create", "::replace"]
            .iter()
            .any(|call| code.contains(call))
}

/// Whether a command that is too long or too deep to be read could write.
pub(super) fn mentions_writing(text: &str) -> bool {
    const PROGRAMS: &[&str] = &[
        "rm", "mv", "cp", "tee", "dd", "sed", "touch", "truncate", "install", "unlink", "rsync",
        "perl", "python", "python3", "node", "ln", "git", "rmdir", "mkdir", "patch",
    ];
    text.contains('>')
        || text
            .split(|c: char| !c.is_ascii_alphanumeric())
            .any(|word| PROGRAMS.contains(&word.to_ascii_lowercase().as_str()))
}
