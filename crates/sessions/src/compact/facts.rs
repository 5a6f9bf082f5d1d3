//! What must survive verbatim: paths, commands, error texts, numbers.

use oldhand_text::word::words;

words! {
    /// The plural of each word has an `s`.
    Sort, "sort" {
        Path = "path",
        Command = "command",
        Error = "error",
        Number = "number",
    }
}

/// Something exact that was said or done.
///
/// Its text is on one line, with single spaces and nothing invisible, and the folder of the project
/// is taken off: `cd <root> && x` is `x`, `<root>/a` is `a`. A path has no slash at its end. A command
/// of more than 200 characters, an error of more than 500 and a path of more than 300 lose their
/// middle, where a `…` stands. Everything else is verbatim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    pub sort: Sort,
    pub text: String,
    /// The line of the transcript where it came up first.
    pub line: usize,
}
