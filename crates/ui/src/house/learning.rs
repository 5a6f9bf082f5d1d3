//! What the page `learning` asks for.

use super::Answer;
use super::Named;
use oldhand_charts::funnel::Funnel;
use oldhand_charts::health::HealthLine;

pub trait LearningPage {
    fn learning(&self, host: Option<&str>) -> Answer<Learning>;
    fn learning_json(&self, host: Option<&str>) -> Answer<String>;
}

#[derive(Debug, Clone, Default)]
pub struct Learning {
    pub funnel: Funnel,
    pub hosts: Vec<String>,
    /// Why candidates were rejected, with the candidates.
    pub rejected: Vec<(String, Vec<Named>)>,
    pub triggers: Vec<Trigger>,
    pub lessons: Vec<LessonGroup>,
    /// The indicator of `health` about memories that were never used.
    pub unused: (String, String),
    pub health: HealthLine,
}

/// Trouble that came back.
#[derive(Debug, Clone, Default)]
pub struct Trigger {
    /// `failure`, `concern` and so on.
    pub what: String,
    pub word: String,
    pub tasks: Vec<String>,
}

#[derive(Debug, Clone, Default)]
pub struct LessonGroup {
    pub state: String,
    pub count: usize,
    /// On average.
    pub trust: f64,
}
