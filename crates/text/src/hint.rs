//! What to do next. A hint is a sentence with typed steps in it; each surface words the steps for
//! its users, and the default wording is the command line's.

use std::fmt;

/// Something that the program can do next. The text is an id, unless the variant says otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NextStep {
    Apply,
    Archive(String),
    ChangeKind {
        id: String,
        kind: String,
    },
    Doctor,
    Edit(String),
    Export,
    Import,
    List,
    Pending,
    Promote(String),
    RecordDecision,
    /// Repeat the write, which adds to this memory.
    Refine(String),
    Reject(String),
    Render,
    RequestReview(String),
    Restore(String),
    Retire(String),
    Show(String),
    /// Repeat the write, which holds beside these memories.
    StandBeside(Vec<String>),
    Supersede(String),
    /// By a memory that is there already.
    SupersedeBy(String),
    /// Set this key to true.
    SwitchOn(String),
    TaskEnd,
    Unarchive(String),
    Undo,
    Update(String),
    Why(String),
}

impl NextStep {
    /// As a command that can be typed.
    pub fn command(&self) -> String {
        let command = match self {
            Self::StandBeside(ids) => {
                let beside = ids.join(" --beside ");
                return format!("`--beside {beside} --because \"…\"`");
            }
            Self::Refine(id) => return format!("`--refines {id} --because \"…\"`"),
            Self::Apply => "apply",
            Self::Archive(id) => &format!("archive {id}"),
            Self::ChangeKind { id, kind } => &format!("update {id} --kind {kind}"),
            Self::Doctor => "doctor",
            Self::Edit(id) => &format!("edit {id}"),
            Self::Export => "export",
            Self::Import => "import",
            Self::List => "list",
            Self::Pending => "pending",
            Self::Promote(id) => &format!("promote {id} --by <name> --reason \"…\""),
            Self::RecordDecision => "add decision --into-log",
            Self::Reject(id) => &format!("review {id} --decision reject"),
            Self::Render => "render",
            Self::RequestReview(id) => &format!("review {id} --request --reason \"…\""),
            Self::Restore(id) => &format!("restore {id}"),
            Self::Retire(id) => &format!("retire {id}"),
            Self::Show(id) => &format!("show {id}"),
            Self::Supersede(id) => &format!("supersede {id}"),
            Self::SupersedeBy(id) => &format!("supersede {id} --by-memory <new>"),
            Self::SwitchOn(key) => &format!("config set {key} true"),
            Self::TaskEnd => "task end",
            Self::Unarchive(id) => &format!("unarchive {id}"),
            Self::Undo => "undo",
            Self::Update(id) => &format!("update {id}"),
            Self::Why(id) => &format!("why {id}"),
        };
        format!("`oldhand {command}`")
    }
}

/// A sentence with `{}` for each of its steps.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Hint {
    text: String,
    steps: Vec<NextStep>,
}

impl Hint {
    pub fn with_steps<const N: usize>(text: impl Into<String>, steps: [NextStep; N]) -> Self {
        Self { text: text.into(), steps: steps.into() }
    }

    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// For a surface that has words of its own for a step.
    pub fn worded(&self, words: impl Fn(&NextStep) -> String) -> String {
        let mut parts = self.text.splitn(self.steps.len() + 1, "{}");
        let mut out = parts.next().unwrap_or_default().to_owned();
        for (step, text) in self.steps.iter().zip(parts) {
            out += &words(step);
            out += text;
        }
        out
    }
}

impl<T: Into<String>> From<T> for Hint {
    fn from(text: T) -> Self {
        Self { text: text.into(), steps: Vec::new() }
    }
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.worded(NextStep::command))
    }
}

#[cfg(test)]
mod tests;
