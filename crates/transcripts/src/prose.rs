//! Texts that a session puts down for people to read: a plan, a question with its options, an issue,
//! the host's own summary. They are no speech, and nobody's sentences are looked for in them.

use super::slim::{Slim, cut};

#[derive(Debug, Clone, PartialEq)]
pub enum Prose {
    Plan(String),
    Questions(Vec<Question>),
    Issue {
        title: String,
        body: String,
    },
    /// What the host keeps of a conversation that grew too long.
    Summary(String),
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Question {
    pub header: String,
    pub text: String,
    pub choices: Vec<Choice>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Choice {
    pub label: String,
    pub description: String,
}

/// A plan or a summary; more than that nobody reads.
const BYTES_MAX: usize = 32 * 1024;
const QUESTIONS_MAX: usize = 8;

impl Prose {
    pub(super) fn plan(text: &str) -> Option<Self> {
        kept(text).map(Self::Plan)
    }

    pub(super) fn summary(text: &str) -> Option<Self> {
        kept(text).map(Self::Summary)
    }

    /// `name` in lower case.
    pub(super) fn of_tool(name: &str, input: &Slim) -> Option<Self> {
        match name {
            "exitplanmode" => Self::plan(input.get("plan").words()),
            "askuserquestion" => {
                let questions = input.get("questions").items().iter().take(QUESTIONS_MAX);
                let questions: Vec<Question> = questions.filter_map(question).collect();
                (!questions.is_empty()).then_some(Self::Questions(questions))
            }
            name if name.contains("create_issue") || name.contains("save_issue") => {
                let title = kept(input.get("title").words())?;
                let body = kept(input.any(&["description", "body"]).words()).unwrap_or_default();
                Some(Self::Issue { title, body })
            }
            _ => None,
        }
    }
}

fn question(value: &Slim) -> Option<Question> {
    let choice = |value: &Slim| {
        let description = kept(value.get("description").words()).unwrap_or_default();
        Some(Choice { label: kept(value.get("label").words())?, description })
    };
    Some(Question {
        header: kept(value.get("header").words()).unwrap_or_default(),
        text: kept(value.get("question").words())?,
        choices: value
            .get("options")
            .items()
            .iter()
            .take(QUESTIONS_MAX)
            .filter_map(choice)
            .collect(),
    })
}

fn kept(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| cut(text, BYTES_MAX).into_owned())
}
