//! What happens in the made-up project, read from its tables and put in order.

use oldhand_core::content::FieldValue;
use oldhand_core::draft::Draft;
use oldhand_core::kind::Kind;
use oldhand_core::yaml::Yaml;

const MEMORIES: &str = include_str!("../../../../assets/demo/memories.txt");
const SESSIONS: &str = include_str!("../../../../assets/demo/sessions.txt");
const CODE: &str = include_str!("../../../../assets/demo/code.txt");

/// One memory, and what becomes of it.
pub(super) struct Row<'s> {
    kind: Kind,
    days: i64,
    pub by: &'s str,
    path: &'s str,
    pub fates: Vec<Fate<'s>>,
    pub title: &'s str,
    text: &'s str,
    why: &'s str,
}

#[derive(PartialEq)]
pub(super) enum Fate<'s> {
    Used {
        helped: bool,
        task: String,
    },
    Canonical,
    /// An agent asks for its promotion.
    Asked,
    Candidate,
    /// It is against something, and waits for a person.
    Clash,
    Review(&'s str),
    Rejected(&'s str),
    Archived(&'s str),
    Retired(&'s str),
    Superseded {
        by: &'s str,
        reason: &'s str,
    },
}

pub(super) struct SessionRow<'s> {
    pub days: i64,
    pub host: &'s str,
    goal: &'s str,
    pub prompts: Vec<&'s str>,
    pub completed: &'s str,
    pub next: &'s str,
    pub failure: &'s str,
}

pub(super) enum Happening<'s> {
    Commit {
        by: &'s str,
        subject: &'s str,
        paths: Vec<&'s str>,
    },
    /// With the one that it supersedes.
    Write(&'s Row<'s>, Option<&'s Row<'s>>),
    Befall(&'s Row<'s>, &'s Fate<'s>),
    Session(&'s SessionRow<'s>, usize),
}

pub(super) struct Script {
    memories: Vec<Row<'static>>,
    sessions: Vec<SessionRow<'static>>,
}

pub(super) fn is_agent(name: &str) -> bool {
    matches!(name, "claude-code" | "codex")
}

fn lines(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split('|').map(str::trim).collect())
}

impl Script {
    pub(super) fn read() -> Self {
        let at =
            |parts: &[&'static str], number: usize| parts.get(number).copied().unwrap_or_default();
        let memory = |parts: Vec<&'static str>| Row {
            kind: kind_of(at(&parts, 0)),
            days: at(&parts, 1).parse().unwrap_or_default(),
            by: at(&parts, 2),
            path: at(&parts, 3),
            fates: fates(at(&parts, 4), at(&parts, 5)),
            title: at(&parts, 5),
            text: at(&parts, 6),
            why: at(&parts, 7),
        };
        let session = |parts: Vec<&'static str>| SessionRow {
            days: at(&parts, 0).parse().unwrap_or_default(),
            host: at(&parts, 1),
            goal: at(&parts, 2),
            prompts: at(&parts, 3).split(';').collect(),
            completed: at(&parts, 4),
            next: at(&parts, 5),
            failure: at(&parts, 6),
        };
        Self {
            memories: lines(MEMORIES).map(memory).collect(),
            sessions: lines(SESSIONS).map(session).collect(),
        }
    }

    /// Everything, with the hours before now at which it happens, the oldest first.
    pub(super) fn steps(&self) -> Vec<(i64, Happening<'_>)> {
        let mut steps = Vec::new();
        for (number, parts) in lines(CODE).enumerate() {
            let [days, by, subject, paths] = parts[..] else { continue };
            let days: i64 = days.parse().unwrap_or_default();
            let paths = paths.split(' ').collect();
            steps.push((hours(days, number) + 3, Happening::Commit { by, subject, paths }));
        }
        for (number, row) in self.memories.iter().enumerate() {
            let begun = hours(row.days, number);
            let replaces = |it: &&Row<'_>| {
                it.fates
                    .iter()
                    .any(|fate| matches!(fate, Fate::Superseded { by, .. } if *by == row.title))
            };
            let old = self.memories.iter().find(replaces);
            steps.push((begun, Happening::Write(row, old)));
            let count = i64::try_from(row.fates.len()).unwrap_or(1) + 1;
            for (number, fate) in (1..).zip(&row.fates) {
                steps.push((begun - begun * number / count, Happening::Befall(row, fate)));
            }
        }
        for (number, row) in self.sessions.iter().enumerate() {
            steps.push((hours(row.days, number), Happening::Session(row, number)));
        }
        steps.sort_by_key(|(hours, _)| std::cmp::Reverse(*hours));
        steps
    }
}

/// Work happens by day, and not all of it at once.
fn hours(days: i64, number: usize) -> i64 {
    days * 24 + i64::try_from(number % 7).unwrap_or_default() + 1
}

fn kind_of(letter: &str) -> Kind {
    match letter {
        "d" => Kind::Decision,
        "c" => Kind::Constraint,
        "p" => Kind::Preference,
        "r" => Kind::Runbook,
        "t" => Kind::TechDebt,
        "l" => Kind::Lesson,
        "a" => Kind::Architecture,
        _ => Kind::Reference,
    }
}

fn fates<'s>(words: &'s str, title: &str) -> Vec<Fate<'s>> {
    let mut fates = Vec::new();
    for word in words.split(',').filter(|word| !word.is_empty()) {
        let (name, rest) = word.split_once(':').unwrap_or((word, ""));
        let uses: i64 = name.parse().unwrap_or_default();
        for number in 0..uses.abs() {
            let task = format!(
                "FW-{}",
                200 + (title.len() * 7 + fates.len() * 31) % 700
                    + usize::try_from(number).unwrap_or_default()
            );
            fates.push(Fate::Used { helped: uses > 0, task });
        }
        fates.extend(match name {
            "can" => Some(Fate::Canonical),
            "appr" => Some(Fate::Asked),
            "cand" => Some(Fate::Candidate),
            "clash" => Some(Fate::Clash),
            "rev" => Some(Fate::Review(rest)),
            "rej" => Some(Fate::Rejected(rest)),
            "arc" => Some(Fate::Archived(rest)),
            "ret" => Some(Fate::Retired(rest)),
            "sup" => rest.split_once(':').map(|(by, reason)| Fate::Superseded { by, reason }),
            _ => None,
        });
    }
    fates
}

impl Row<'_> {
    pub(super) fn reason(&self) -> &str {
        let reason = self.fates.iter().find_map(|fate| match fate {
            Fate::Superseded { reason, .. } => Some(*reason),
            _ => None,
        });
        reason.unwrap_or("it was replaced")
    }

    pub(super) fn draft(&self) -> Draft {
        let mut draft = Draft::titled(self.kind.clone(), self.title);
        let text = |text: &str| FieldValue::Text(text.to_owned());
        let list = |text: &str| {
            FieldValue::List(text.split(';').map(|item| item.trim().to_owned()).collect())
        };
        let (main, why) = match self.kind {
            Kind::Decision => (("decision", text(self.text)), Some(("rationale", list(self.why)))),
            Kind::Constraint => (("rule", text(self.text)), Some(("impact", list(self.why)))),
            Kind::Preference => (("value", text(self.text)), Some(("reason", text(self.why)))),
            Kind::Runbook => (("steps", list(self.text)), Some(("trigger", text(self.why)))),
            Kind::TechDebt => {
                (("description", text(self.text)), Some(("reason_deferred", text(self.why))))
            }
            Kind::Lesson => (("summary", text(self.text)), Some(("applies_when", text(self.why)))),
            Kind::Architecture => (("module_map", text(self.text)), None),
            _ => (("text", text(self.text)), None),
        };
        draft.set_content(main.0, main.1);
        if let Some((name, value)) = why.filter(|_| !self.why.is_empty()) {
            draft.set_content(name, value);
        }
        let is_heard = |fate: &Fate<'_>| matches!(fate, Fate::Candidate | Fate::Rejected(_));
        draft.unverified = self.fates.iter().any(is_heard);
        draft.set("scope", Yaml::text("project"));
        if let Some(tag) = self.path.split('/').next().filter(|tag| !tag.is_empty()) {
            draft.set("tags", Yaml::list(&[tag]));
        }
        if self.path.contains('.') {
            draft.set("related_files", Yaml::list(&[self.path]));
            let paths = Yaml::map([("code_paths", Yaml::list(&[self.path]))]);
            draft.set("depends_on", paths);
            draft.set("refresh_tier", Yaml::literal(2));
        }
        if !self.why.is_empty() && matches!(self.kind, Kind::Lesson) {
            let said = format!("session:{}-{:02}", self.by, self.days % 40);
            draft.set("evidence", Yaml::list(&[&said]));
            draft.set("sources", Yaml::list(&[&said]));
        }
        draft
    }
}

impl SessionRow<'_> {
    pub(super) fn summary(&self, task: &str) -> Draft {
        let mut draft = Draft::titled(Kind::SessionSummary, self.goal);
        let list = |text: &str| FieldValue::List(vec![text.to_owned()]);
        draft.set_content("goal", FieldValue::Text(self.goal.to_owned()));
        draft.set_content("completed", list(self.completed));
        if !self.next.is_empty() {
            draft.set_content("next_actions", list(self.next));
        }
        let outcome = if self.failure.is_empty() { "success" } else { "partial" };
        draft.set_content("outcome", FieldValue::Text(outcome.to_owned()));
        draft.set("scope", Yaml::text("project"));
        draft.set("evidence", Yaml::list(&[format!("task:{task}")]));
        draft
    }
}
