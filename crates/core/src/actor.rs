//! How a command reached the program. A name is a claim; the channel is observed, so rules about
//! people go by the channel alone.

use std::fmt;

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Via {
    /// Events of before this was recorded, or of a later version.
    #[default]
    Unknown,
    Terminal,
    /// A command without a terminal in which no agent is known: a person's script or pipe.
    Shell,
    /// A shell that an agent has opened, with the agent's name.
    Agent(String),
    /// A client of the MCP server, as it calls itself.
    Mcp(String),
    Hook(String),
    Ci,
}

impl Via {
    /// Nobody but a person can have typed it, as far as the program can see.
    pub fn is_person(&self) -> bool {
        matches!(self, Self::Terminal | Self::Shell)
    }

    pub fn is_unknown(&self) -> bool {
        *self == Self::Unknown
    }

    /// The program knows that it was no person. Events of unknown origin are neither.
    pub fn is_machine(&self) -> bool {
        !self.is_person() && !self.is_unknown()
    }

    /// A name with its channel, as people read it.
    pub fn beside(&self, name: &str) -> String {
        match self {
            Self::Unknown => name.to_owned(),
            // The name says it all.
            Self::Mcp(_) if name == self.to_string() => name.to_owned(),
            Self::Hook(host) if name == host => format!("{name} (hook)"),
            via => format!("{name} ({via})"),
        }
    }
}

impl fmt::Display for Via {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => Ok(()),
            Self::Terminal => f.write_str("terminal"),
            Self::Shell => f.write_str("shell"),
            Self::Agent(name) => write!(f, "agent:{name}"),
            Self::Mcp(name) => write!(f, "mcp:{name}"),
            Self::Hook(name) => write!(f, "hook:{name}"),
            Self::Ci => f.write_str("ci"),
        }
    }
}

impl From<String> for Via {
    fn from(text: String) -> Self {
        match text.split_once(':').unwrap_or((&text, "")) {
            ("terminal", "") => Self::Terminal,
            ("shell", "") => Self::Shell,
            ("ci", "") => Self::Ci,
            ("agent", name) => Self::Agent(name.to_owned()),
            ("mcp", name) => Self::Mcp(name.to_owned()),
            ("hook", name) => Self::Hook(name.to_owned()),
            _ => Self::Unknown,
        }
    }
}

impl From<Via> for String {
    fn from(via: Via) -> Self {
        via.to_string()
    }
}

#[cfg(test)]
mod tests;
