//! What a person chose or a model wrote down while a session worked: answers to an agent's questions,
//! approved plans, issues, commits and review answers with a reason, an agent's conclusions, and the
//! host's summary of a long conversation.
//! Nothing is worded anew: a field holds what stands there, shortened.

mod commit;
mod exchange;
mod forge;
mod outline;
mod report;
mod summary;
mod units;
mod wish;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use oldhand_core::content::{Alternative, FieldValue};
use oldhand_core::draft::Draft;
use oldhand_core::evidence;
use oldhand_core::kind::Kind;
use oldhand_core::policy::TITLE_CHARS_MAX;
use oldhand_core::yaml::Yaml;
use oldhand_text::secrets;
use oldhand_text::strings::{capitalised, normalise_line, shorten};
use oldhand_text::table;
use oldhand_text::terms::{self, Form};
use oldhand_transcripts::{Prose, Question, ToolResult, ToolUse, Turn};

pub(super) use self::units::names_code;

use self::outline::Outline;
use super::drafter::{Source, field_value, plain};

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
    /// Of what one message reports, the best first: the first that is new will do.
    pub is_report: bool,
}

const STEM_MIN: usize = 3;
const ALIKE_TENTHS: usize = 6;
/// A field of a memory is no place for a document.
const FIELD_CHARS_MAX: usize = 700;

/// In the order of the lines. `is_over`: nobody will answer the last message any more.
pub fn harvest(turns: &[&Turn], is_over: bool) -> Vec<Harvested> {
    let mut found = Vec::new();
    for (at, turn) in turns.iter().enumerate().filter(|(_, turn)| !turn.is_sidechain) {
        match &turn.prose {
            Some(Prose::Plan(text)) => found.extend(plan(text, turn.line)),
            Some(Prose::Summary(text)) => found.extend(summary::summary(text, turn.line)),
            _ => {}
        }
        found.extend(exchange::answered(turns, at).or_else(|| wish::wished(turn)));
        found.extend(report::concluded(turns, at, is_over));
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
            let made = made.map(|one| one.harvested(line)).chain(commit::issue(command, line));
            made.chain(forge::written(command, line)).collect()
        }
    }
}

/// Questions about what to do next settle nothing.
const PASSING: &str = "should i commit|should i push|commit this|commit now|proceed|continue|go ahead|\
     right now|what next|do next|next step|ready to|start with|be committed";

/// `"question"="answer"` in what the host reports.
fn answer(question: &Question, reported: &str, line: usize) -> Option<Harvested> {
    let (_, rest) = reported.split_once(&format!("\"{}\"=\"", question.text))?;
    let answer = rest.split("\", \"").next()?.split("\". You can").next()?;
    let answer = answer.trim_end_matches('"');
    let asked = format!("{}\n{}", question.header, question.text).to_lowercase();
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

/// A plan that says less is a list of steps.
const PLAN_WORDS_MIN: usize = 20;
/// What holds once it is carried out, wherever in the plan it stands.
const PLAN_RULES_MAX: usize = 4;

/// What it is for and how it goes about it; the steps are in the code by now.
fn plan(text: &str, line: usize) -> Option<Harvested> {
    let outline = Outline::of(text);
    let title = outline.title()?;
    let title = title.strip_prefix("Plan:").or_else(|| title.strip_prefix("Plan for"));
    let title = plain(title.unwrap_or(outline.title()?));
    let title =
        title.trim_end_matches("Implementation Plan").trim_end_matches([' ', '-', ':', '—']);
    // What somebody thinks of a change settles nothing.
    if title.is_empty() || title.to_lowercase().starts_with("review") {
        return None;
    }
    let (why, how) = (outline.section(WHY_HEADINGS), outline.section(HOW_HEADINGS));
    let (decision, context) = match (how, why) {
        (Some(how), why) => (format!("{title}. {how}"), why.unwrap_or_default()),
        (None, Some(why)) => (format!("{title}. {why}"), String::new()),
        (None, None) => return None,
    };
    if decision.split_whitespace().chain(context.split_whitespace()).count() < PLAN_WORDS_MIN {
        return None;
    }
    let mut fields = vec![("decision", decision), ("context", context)];
    let rules = units::units(text).into_iter();
    let rules = rules
        .filter(|it| it.explains() && !fields.iter().any(|(_, known)| known.contains(&it.text)));
    let rules: Vec<String> = rules.take(PLAN_RULES_MAX).map(|it| it.text).collect();
    fields.extend(rules.into_iter().map(|rule| ("consequences", rule)));
    Some(Harvested { fields, is_chosen: true, ..Harvested::of(line, Kind::Decision, title) })
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

impl Harvested {
    fn of(line: usize, kind: Kind, title: &str) -> Self {
        let title = shorten(&capitalised(&plain(title)), TITLE_CHARS_MAX);
        let (fields, others) = (Vec::new(), Vec::new());
        let typed = String::new();
        let (is_chosen, is_report, commit) = (false, false, None);
        Self { line, kind, title, fields, others, is_chosen, typed, commit, is_report }
    }

    /// Recognises what was taken over before.
    pub fn mark(&self) -> String {
        normalise_line(&format!("{}\n{}", self.kind, self.title)).to_lowercase()
    }

    /// Its telling words as numbers, in order: two texts that share most of them say the same.
    pub fn words(&self) -> Vec<u32> {
        let fields = self.fields.iter().map(|(_, value)| value.as_str());
        let said = fields.fold(self.title.clone(), |said, value| format!("{said}\n{value}"));
        let mut words = BTreeSet::new();
        terms::each_term(&said, &mut |term, form, _| {
            if form == Form::Stem && term.len() >= STEM_MIN && !terms::is_common(term) {
                words.insert((terms::key(term, form) >> 32) as u32);
            }
        });
        words.into_iter().collect()
    }

    /// Whether the words of one are nearly all among those of the other.
    pub fn is_alike(words: &[u32], others: &[u32]) -> bool {
        let shared = words.iter().filter(|word| others.binary_search(word).is_ok()).count();
        let fewer = words.len().min(others.len());
        fewer > 0 && shared * 10 >= fewer * ALIKE_TENTHS
    }

    /// Nothing when it holds a secret.
    pub fn draft(&self, source: &Source<'_>) -> Option<Draft> {
        let mut draft = Draft::titled(self.kind.clone(), &self.title);
        let mut said = self.title.clone();
        for (field, value) in self.fields.iter().filter(|(_, value)| !value.trim().is_empty()) {
            let value = shorten(value, FIELD_CHARS_MAX);
            said = format!("{said}\n{value}");
            match (field_value(&self.kind, field, &value), draft.get_content(field)) {
                (FieldValue::List(more), Some(FieldValue::List(known))) => {
                    let all = known.iter().cloned().chain(more).collect();
                    draft.set_content(field, FieldValue::List(all));
                }
                (value, _) => draft.set_content(field, value),
            }
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
