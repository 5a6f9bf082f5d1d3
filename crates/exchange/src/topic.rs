//! What a passage is by its heading, and how its text fills a record of that kind.

use oldhand_core::codec::sections::marker_width;
use oldhand_core::kind::{Kind, Kinds};
use oldhand_judge::guess;
use oldhand_text::strings::normalise_body;

use crate::record::Foreign;
use crate::text::{self, marked_lines};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topic {
    Constraint,
    /// With the field that the text is.
    Architecture(&'static str),
    Preference,
    /// A runbook when it has steps, else a lesson.
    Trouble,
    /// A runbook when it has steps, else a reference.
    Procedure,
    Debt,
    /// Its entries or items are decisions.
    Decisions,
    Reference,
}

/// The first row with a whole word or phrase of the heading decides.
const ROWS: &[(&str, Topic)] = &[
    (
        "never|must|don't|do not|forbidden|constraint|constraints|non-negotiable|boundaries|security|\
         safety|permissions|guardrails|out of scope",
        Topic::Constraint,
    ),
    (
        "architecture|architectural|structure|layout|modules|components|directories",
        Topic::Architecture("module_map"),
    ),
    (
        "style|convention|conventions|preference|preferences|formatting|naming|lint|guideline|\
         guidelines|standards|practices|patterns|tone",
        Topic::Preference,
    ),
    (
        "troubleshooting|debugging|error|errors|incident|incidents|gotcha|gotchas|pitfall|pitfalls|\
         known issues",
        Topic::Trouble,
    ),
    (
        "release|deploy|deployment|rollback|migration|migrations|publish|publishing|setup|install|\
         installation|onboarding",
        Topic::Procedure,
    ),
    ("data flow", Topic::Architecture("data_flow")),
    ("interfaces|api", Topic::Architecture("interfaces")),
    ("dependencies|stack|technologies|services", Topic::Architecture("external_dependencies")),
    ("debt|todo|todos|deferred|known limitations", Topic::Debt),
    ("decision|decisions", Topic::Decisions),
];

pub fn of_heading(heading: &str) -> Option<Topic> {
    let lower = heading.to_lowercase().replace('’', "'");
    let spaced: String = lower
        .chars()
        .map(|c| if c.is_alphanumeric() || matches!(c, '-' | '\'') { c } else { ' ' })
        .collect();
    let words = format!(" {} ", spaced.split_whitespace().collect::<Vec<_>>().join(" "));
    let fits = |row: &&(&str, Topic)| row.0.split('|').any(|it| words.contains(&format!(" {it} ")));
    ROWS.iter().find(fits).map(|(_, topic)| *topic)
}

/// Fills a record with a text about this, under this heading.
pub fn fill(record: &mut Foreign, topic: Topic, heading: &str, body: &str, kinds: &Kinds) {
    let steps = match topic {
        Topic::Trouble | Topic::Procedure => Steps::read(body),
        _ => None,
    };
    if let Some(steps) = steps {
        return steps.fill(record, kinds);
    }
    let (kind, field) = match topic {
        Topic::Constraint => (Kind::Constraint, "rule"),
        Topic::Architecture(field) => (Kind::Architecture, field),
        Topic::Preference => (Kind::Preference, "value"),
        Topic::Trouble => (Kind::Lesson, "summary"),
        Topic::Debt => (Kind::TechDebt, "description"),
        Topic::Decisions => (Kind::Decision, "decision"),
        Topic::Procedure | Topic::Reference => (Kind::Reference, "text"),
    };
    record.draft.kind = Some(kind);
    match topic {
        Topic::Constraint => record.set_text("kind", "policy"),
        Topic::Preference => record.set_text("topic", text::heading_title(heading)),
        Topic::Trouble => record.set_text("lesson_type", "failure_lesson"),
        _ => {}
    }
    record.set_field(field, body, kinds);
}

/// Fills a record with text that no table knows: of the kind it most likely is.
pub fn fill_guessed(record: &mut Foreign, body: &str, kinds: &Kinds) {
    fill_kind(record, guess::kind(body, None).kind, body, kinds);
}

/// The kind that a short note is, if that is sure; else it only tells something.
pub fn sure_kind(text: &str) -> Kind {
    let guess = guess::kind(text, None);
    if guess.is_sure { guess.kind } else { Kind::Reference }
}

/// Fills a record of a kind that the format knows.
pub fn fill_kind(record: &mut Foreign, kind: Kind, body: &str, kinds: &Kinds) {
    if kind == Kind::Runbook
        && let Some(steps) = Steps::read(body)
    {
        return steps.fill(record, kinds);
    }
    match kind {
        Kind::Preference => {
            let topic = record.draft.title().map_or_else(|| guess::title(body), str::to_owned);
            record.set_text("topic", topic);
        }
        Kind::Lesson if record.value("lesson_type").is_none() => {
            record.set_text("lesson_type", guess::lesson_type(body).0);
        }
        _ => {}
    }
    record.draft.kind = Some(kind);
    record.set_main(body, kinds);
}

/// A numbered list of two or more, and what stands around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Steps {
    pub above: String,
    pub steps: Vec<String>,
    pub below: String,
}

impl Steps {
    pub fn read(body: &str) -> Option<Self> {
        let lines: Vec<(&str, bool)> = marked_lines(body).collect();
        let number = |at: usize| {
            let (line, is_plain) = lines[at];
            let digits = line.find(|c: char| !c.is_ascii_digit()).filter(|end| *end > 0)?;
            let number: usize = line[..digits].parse().ok()?;
            marker_width(line).filter(|_| is_plain).map(|_| number)
        };
        let first = (0..lines.len()).find(|at| number(*at).is_some())?;
        let is_heading = |at: &usize| lines[*at].1 && text::heading(lines[*at].0).is_some();
        let end = (first..lines.len()).find(is_heading).unwrap_or(lines.len());
        let mut starts = vec![first];
        for at in first + 1..end {
            // A list that begins anew is another one.
            match number(at) {
                Some(it) if it <= 1 && number(first) == Some(1) => break,
                Some(_) => starts.push(at),
                None => {}
            }
        }
        if starts.len() < 2 {
            return None;
        }
        let last = *starts.last()?;
        let is_out = |at: &usize| {
            let (line, is_plain) = lines[*at];
            let follows_blank = lines[*at - 1].0.trim().is_empty();
            number(*at).is_some()
                || follows_blank
                    && is_plain
                    && !line.trim().is_empty()
                    && !line.starts_with([' ', '\t'])
        };
        let stop = (last + 1..end).find(is_out).unwrap_or(end);
        let joined = |lines: &[(&str, bool)]| {
            normalise_body(&lines.iter().map(|(line, _)| *line).collect::<Vec<_>>().join("\n"))
        };
        let ends = starts.iter().skip(1).copied().chain([stop]);
        let steps = starts.iter().zip(ends).map(|(from, to)| {
            let width = marker_width(lines[*from].0).unwrap_or(0);
            let more = lines[from + 1..to].iter().map(|(line, _)| dedented(line, width));
            let own = std::iter::once(&lines[*from].0[width..]).chain(more);
            normalise_body(&own.collect::<Vec<_>>().join("\n"))
        });
        Some(Self {
            above: joined(&lines[..first]),
            steps: steps.collect(),
            below: joined(&lines[stop..]),
        })
    }

    fn fill(self, record: &mut Foreign, kinds: &Kinds) {
        record.draft.kind = Some(Kind::Runbook);
        record.set_field("trigger", &self.above, kinds);
        record.set_list("steps", self.steps);
        if !self.below.is_empty() {
            record.add_section("Notes", &self.below, kinds);
        }
    }
}

/// A line without up to so many blanks at its start.
pub fn dedented(line: &str, width: usize) -> &str {
    let blanks = line.len() - line.trim_start_matches(' ').len();
    &line[blanks.min(width)..]
}

/// The items of the lists at the margin, and the text that is in none of them.
pub fn items(body: &str) -> (Vec<String>, String) {
    let (mut items, mut others): (Vec<String>, Vec<&str>) = (Vec::new(), Vec::new());
    let mut width = None;
    let mut after_blank = false;
    for (line, is_plain) in marked_lines(body) {
        let is_blank = line.trim().is_empty();
        let own = if is_plain { marker_width(line) } else { None };
        let is_inner = line.starts_with([' ', '\t'])
            || is_blank
            || !after_blank && text::heading(line).is_none();
        match (own, width, items.last_mut()) {
            (Some(own), ..) => {
                width = Some(own);
                items.push(line[own..].to_owned());
            }
            (None, Some(width), Some(item)) if is_inner || !is_plain => {
                item.push('\n');
                item.push_str(dedented(line, width));
            }
            _ => {
                width = None;
                others.push(line);
            }
        }
        after_blank = is_blank;
    }
    let items = items.iter().map(|item| normalise_body(item)).filter(|item| !item.is_empty());
    (items.collect(), normalise_body(&others.join("\n")))
}
