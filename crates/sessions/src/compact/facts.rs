//! What of a session must survive letter by letter: paths, commands, error texts, numbers.

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sort {
    Path,
    Command,
    Error,
    Number,
}

impl Sort {
    pub const ALL: [Self; 4] = [Self::Path, Self::Command, Self::Error, Self::Number];

    /// Its plural has an `s`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Command => "command",
            Self::Error => "error",
            Self::Number => "number",
        }
    }
}

/// Something exact that was said or done.
///
/// Its text is on one line, with single spaces and nothing invisible, and the folder of the project
/// is taken off: `cd <root> && x` is `x`, `<root>/a` is `a`. A path has no slash at its end. A command
/// of more than 200 characters, an error of more than 500 and a path of more than 300 lose their
/// middle, where a `…` stands. Everything else is letter by letter as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    pub sort: Sort,
    pub text: String,
    /// The line of the transcript where it came up first.
    pub line: usize,
}
