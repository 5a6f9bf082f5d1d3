//! Where a memory applies; the narrowest that is true.

use std::fmt;

use oldhand_text::problem::Problem;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Scope {
    Global,
    #[default]
    Project,
    Component(String),
    Mission(String),
    Task(String),
    Agent(String),
}

impl Scope {
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let (word, rest) = text.split_once(':').unwrap_or((text, ""));
        match (word.trim(), rest.trim()) {
            ("global", "") => Ok(Self::Global),
            ("project", "") => Ok(Self::Project),
            ("component", path) if is_relative_path(path) => {
                Ok(Self::Component(path.trim_end_matches('/').to_owned()))
            }
            ("mission", id) if !id.is_empty() => Ok(Self::Mission(id.to_owned())),
            ("task", id) if !id.is_empty() => Ok(Self::Task(id.to_owned())),
            ("agent", agent) if !agent.is_empty() => Ok(Self::Agent(agent.to_owned())),
            _ => Err(Problem::new(
                "scope",
                "`global`, `project`, `component:<path>`, `mission:<id>`, `task:<id>` or \
                 `agent:<type>`",
                text.trim(),
            )),
        }
    }

    /// The folder that all these files share, or the whole project.
    pub fn narrowest_for(files: &[&str]) -> Self {
        let mut folders = files.iter().map(|file| folder_of(file));
        let Some(mut common) = folders.next() else { return Self::Project };
        for folder in folders {
            let shared = common.iter().zip(&folder).take_while(|(a, b)| a == b).count();
            common.truncate(shared);
        }
        if common.is_empty() { Self::Project } else { Self::Component(common.join("/")) }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Global => f.write_str("global"),
            Self::Project => f.write_str("project"),
            Self::Component(path) => write!(f, "component:{path}"),
            Self::Mission(id) => write!(f, "mission:{id}"),
            Self::Task(id) => write!(f, "task:{id}"),
            Self::Agent(agent) => write!(f, "agent:{agent}"),
        }
    }
}

fn folder_of(file: &str) -> Vec<&str> {
    let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    folder.split('/').filter(|part| !part.is_empty()).collect()
}

/// A path inside the repository: no root, no parent, no empty text.
pub fn is_relative_path(path: &str) -> bool {
    !path.is_empty()
        && !path.starts_with('/')
        && !path.contains(['\0', '\n'])
        && path.split('/').all(|part| part != "..")
}
