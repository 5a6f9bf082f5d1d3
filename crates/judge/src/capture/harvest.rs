//! What a person chose or a model wrote down while a session worked: answers to an agent's questions,
//! approved plans, issues, commits with a reason, and the host's summary of a long conversation.
//! Nothing is worded anew: a field holds what stands there, shortened.

mod commit;
mod exchange;
mod outline;

#[cfg(test)]
mod tests;

use oldhand_core::content::{Alternative, FieldValue};
use oldhand_core::draft::Draft;
use oldhand_core::evidence;
use oldhand_core::kind::Kind;
use oldhand_core::policy::TITLE_CHARS_MAX;
use oldhand_core::yaml::Yaml;
use oldhand_text::secrets;
use oldhand_text::strings::{capitalised, normalise_line, shorten};
use oldhand_text::table;
use oldhand_transcripts::{Prose, Question, ToolResult, ToolUse, Turn};

use self::outline::Outline;
use super::drafter::{Source, field_value, plain};
use crate::guess;

/// Something that stands in a session already.
#[derive(Debug, Clone, PartialEq)]
pub struct Harvested {
    pub line: usize,
    pub kind: Kind,
    pub title: String,
    pub fields: Vec<(&'static str, String)>,
    /// What was not chosen, and what speaks for it.
    pub others: Vec<(String, String)>,
    /// A person picked or approved it.
    pub is_chosen: bool,
    /// What the person typed to choose it; empty where the host reports the choice itself.
    pub typed: String,
    /// The commit that it came with.
    pub commit: Option<String>,
}

/// A field of a memory is no place for a document.
const FIELD_CHARS_MAX: usize = 700;
/// A bullet that says less explains nothing.
const WORDS_MIN: usize = 10;

/// In the order of the lines.
pub fn harvest(turns: &[Turn]) -> Vec<Harvested> {
    let mut found = Vec::new();
    for (at, turn) in turns.iter().enumerate().filter(|(_, turn)| !turn.is_sidechain) {
        match &turn.prose {
            Some(Prose::Plan(text)) => found.extend(plan(text, turn.line)),
            Some(Prose::Summary(text)) => found.extend(summary(text, turn.line)),
            _ => {}
        }
        found.extend(exchange::answered(turns, at));
        for used in &turn.uses {
            let result =
                || turns[at..].iter().flat_map(|it| &it.results).find(|it| it.id == used.id);
            if used.prose.is_none() && used.command.is_none() {
                continue;
            }
            if let Some(result) = result().filter(|it| !it.is_error) {
                found.extend(of_tool(used, result, turn.line));
            }
        }
    }
    found
}

fn of_tool(used: &ToolUse, result: &ToolResult, line: usize) -> Vec<Harvested> {
    match &used.prose {
        Some(Prose::Plan(text)) if result.text.contains("approved") => {
            plan(text, line).into_iter().collect()
        }
        Some(Prose::Questions(questions)) => {
            questions.iter().filter_map(|one| answer(one, &result.text, line)).collect()
        }
        Some(Prose::Issue { title, body }) => vec![issue(title, body, line)],
        Some(_) => Vec::new(),
        None => {
            let command = used.command.as_deref().unwrap_or_default();
            let made = commit::of_command(command, &result.text).into_iter();
            made.map(|one| one.harvested(line)).chain(commit::issue(command, line)).collect()
        }
    }
}

/// Questions about what to do next settle nothing.
const PASSING: &str = "should i commit|should i push|commit this|commit now|proceed|continue|go ahead|\
     right now|what next|next step|ready to|start with";

/// `"question"="answer"` in what the host reports.
fn answer(question: &Question, reported: &str, line: usize) -> Option<Harvested> {
    let (_, rest) = reported.split_once(&format!("\"{}\"=\"", question.text))?;
    let answer = rest.split("\", \"").next()?.split("\". You can").next()?;
    let answer = answer.trim_end_matches('"');
    let asked = question.text.to_lowercase();
    if answer.trim().is_empty() || table::phrases(PASSING).any(|it| asked.contains(it)) {
        return None;
    }
    let is_picked = |label: &str| answer.split(", ").any(|one| one == label) || answer == label;
    let (picked, others): (Vec<_>, Vec<_>) =
        question.choices.iter().partition(|it| is_picked(&it.label));
    let bare = |label: &str| label.replace("(Recommended)", "").trim().to_owned();
    let said = match picked.as_slice() {
        [] => plain(answer),
        picked => {
            let told = |description: &str| match description.trim() {
                "" => String::new(),
                text => format!(": {text}"),
            };
            let one = |it: &&oldhand_transcripts::Choice| {
                format!("{}{}", bare(&it.label), told(&it.description))
            };
            picked.iter().map(one).collect::<Vec<_>>().join("; ")
        }
    };
    let choice = bare(answer);
    let title = match question.header.as_str() {
        "" => format!("{} {choice}", question.text),
        header => format!("{header}: {choice}"),
    };
    Some(Harvested {
        fields: vec![("decision", said), ("context", plain(&question.text))],
        others: others.iter().map(|it| (bare(&it.label), it.description.clone())).collect(),
        is_chosen: true,
        ..Harvested::of(line, Kind::Decision, &title)
    })
}

const WHY_HEADINGS: &str = "context|goal|problem|background|motivation|why|overview|summary";
const HOW_HEADINGS: &str = "approach|solution|design|decision|strategy|proposal|key decision";

/// What it is for and how it goes about it; the steps are in the code by now.
fn plan(text: &str, line: usize) -> Option<Harvested> {
    let outline = Outline::of(text);
    let title = outline.title()?;
    let title = title.strip_prefix("Plan:").or_else(|| title.strip_prefix("Plan for"));
    let title = plain(title.unwrap_or(outline.title()?));
    let (why, how) = (outline.section(WHY_HEADINGS), outline.section(HOW_HEADINGS));
    let (decision, context) = match (how, why) {
        (Some(how), why) => (format!("{title}. {how}"), why.unwrap_or_default()),
        (None, Some(why)) => (format!("{title}. {why}"), String::new()),
        (None, None) => return None,
    };
    Some(Harvested {
        fields: vec![("decision", decision), ("context", context)],
        is_chosen: true,
        ..Harvested::of(line, Kind::Decision, &title)
    })
}

fn issue(title: &str, body: &str, line: usize) -> Harvested {
    let title = plain(title);
    let about = Outline::of(body).opening();
    let description = if about.is_empty() { title.clone() } else { format!("{title}. {about}") };
    Harvested {
        fields: vec![("description", description)],
        ..Harvested::of(line, Kind::TechDebt, &title)
    }
}

const ERRORS: &str = "errors and fixes|problem solving|problems solved|root cause";
const CONCEPTS: &str = "key technical concepts|key concepts|key learnings";
const DECISIONS: &str = "decision";
/// A person set something right.
const CORRECTING: &str = "user feedback|user pointed|user corrected|user correctly|user rejected|\
     user asked|user wanted|user preferred|user clarified|user requested|user insisted|user said";
/// Words of somebody who explains.
const EXPLAINING: &str = "because|root cause|caused by|the cause|so that|instead of|rather than|\
     must not|must be|never|the reason|otherwise|due to|only works|doesn't work|does not|deliberately";

/// Of a long summary only what explains: the rest is a diary.
fn summary(text: &str, line: usize) -> Vec<Harvested> {
    // Models think aloud before the summary itself.
    let text = text.split_once("\nSummary:").map_or(text, |(_, summary)| summary);
    let outline = Outline::of(text);
    let mut found = Vec::new();
    for (heading, bullet) in outline.bullets() {
        let heading = heading.to_lowercase();
        let is_in =
            |headings: &'static str| table::phrases(headings).any(|it| heading.contains(it));
        let lower = bullet.text.to_lowercase();
        let explains = table::phrases(EXPLAINING).any(|it| lower.contains(it));
        let whole =
            format!("{} {lower}", bullet.name.as_deref().unwrap_or_default().to_lowercase());
        let corrects = table::phrases(CORRECTING).any(|it| whole.contains(it));
        let is_long = bullet.text.split_whitespace().count() >= WORDS_MIN;
        let Some(name) = bullet.name.as_deref().filter(|_| is_long) else { continue };
        // A name that says nothing alone: what it is about stands behind it.
        let words = name.split_whitespace().count();
        let title = match words < 3 || name.to_lowercase().starts_with("user ") {
            true => guess::title(&bullet.text),
            false => name.to_owned(),
        };
        let mut one = if is_in(DECISIONS) || is_in(ERRORS) && corrects {
            Harvested::of(line, Kind::Decision, &title)
        } else if is_in(ERRORS) && explains {
            Harvested::of(line, Kind::Runbook, &title)
        } else if is_in(CONCEPTS) && explains {
            Harvested::of(line, Kind::Reference, &title)
        } else {
            continue;
        };
        one.fields = match one.kind {
            Kind::Runbook => vec![("symptoms", name.to_owned()), ("steps", bullet.text.clone())],
            Kind::Reference => vec![("text", format!("{name}: {}", bullet.text))],
            _ => vec![("decision", format!("{name}: {}", bullet.text))],
        };
        found.push(one);
    }
    found
}

impl Harvested {
    fn of(line: usize, kind: Kind, title: &str) -> Self {
        let title = shorten(&capitalised(&plain(title)), TITLE_CHARS_MAX);
        let (fields, others) = (Vec::new(), Vec::new());
        let typed = String::new();
        Self { line, kind, title, fields, others, is_chosen: false, typed, commit: None }
    }

    /// Recognises what was taken over before.
    pub fn mark(&self) -> String {
        normalise_line(&format!("{}\n{}", self.kind, self.title)).to_lowercase()
    }

    /// Nothing when it holds a secret.
    pub fn draft(&self, source: &Source<'_>) -> Option<Draft> {
        let mut draft = Draft::titled(self.kind.clone(), &self.title);
        let mut said = self.title.clone();
        for (field, value) in self.fields.iter().filter(|(_, value)| !value.trim().is_empty()) {
            let value = shorten(value, FIELD_CHARS_MAX);
            said = format!("{said}\n{value}");
            draft.set_content(field, field_value(&self.kind, field, &value));
        }
        if !self.others.is_empty() {
            let others = self.others.iter().map(|(name, why)| Alternative::new(name, why));
            draft.set_content("alternatives", FieldValue::Alternatives(others.collect()));
        }
        if !secrets::scan(&said).is_empty() {
            return None;
        }
        let place = evidence::of_sentence(source.session, self.line, source.is_typed);
        let commit = self.commit.iter().map(|hash| format!("commit:{hash}"));
        let evidence: Vec<String> = std::iter::once(place).chain(commit).collect();
        draft.set("evidence", Yaml::list(&evidence));
        if !source.host.is_empty() {
            draft.set("sources", Yaml::list(&[format!("session:{}", normalise_line(source.host))]));
        }
        Some(draft)
    }
}
