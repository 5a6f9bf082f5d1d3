//! Why a text can't be read as a memory, and what to do about it.

use oldhand_text::hint::{Hint, NextStep};

/// Why a text is no memory. A wrong value in a readable file is a `Problem` instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct CodecError {
    pub line: usize,
    pub message: String,
    pub cause: Cause,
}

/// What a caller may want to branch on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// What the file said is gone.
    Emptied,
    Frontmatter,
    MergeConflict,
    Encoding,
    Size,
    Json,
}

impl CodecError {
    pub fn new(cause: Cause, line: usize, message: impl Into<String>) -> Self {
        Self { line, message: message.into(), cause }
    }

    /// The next safe step for this cause.
    pub fn hint(&self) -> Hint {
        let text = match self.cause {
            Cause::Emptied => {
                return Hint::with_steps("{} names the version to restore", [NextStep::Doctor]);
            }
            Cause::Frontmatter => "fix the lines between the two `---` in an editor",
            Cause::MergeConflict => {
                "choose between the two sides in an editor and take out the marker lines"
            }
            Cause::Encoding => "save the file as UTF-8",
            Cause::Size => "keep the long text in a document of its own and point at it",
            Cause::Json => {
                let text = "check the text with a JSON tool; {} shows the shape";
                return Hint::with_steps(text, [NextStep::Export]);
            }
        };
        text.into()
    }
}
