//! The requests of `/v1` as lines of a command. What is asked for is checked by the command; here only the form of a
//! body is.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;

/// A command as it is typed, and what it reads.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Line {
    pub words: Vec<String>,
    pub input: Vec<u8>,
    pub elsewhere: Option<AskedElsewhere>,
}

/// Other repositories are asked too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedElsewhere {
    /// Memories in the whole answer, if somebody says how many.
    pub limit: Option<usize>,
}

/// A request, as far as a command is made of it.
pub struct Asked<'r> {
    /// What the address names behind the route.
    pub id: &'r str,
    pub query: &'r BTreeMap<String, String>,
    pub body: &'r [u8],
    /// The hash that the memory must have.
    pub if_match: Option<&'r str>,
}

/// What is wrong with the form of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misshapen {
    pub status: u16,
    pub message: String,
    pub hint: String,
}

impl Misshapen {
    pub fn new(message: impl Into<String>, hint: &str) -> Self {
        Self { status: 400, message: message.into(), hint: hint.to_owned() }
    }
}

pub type Lined = Result<Line, Misshapen>;

impl Line {
    fn of(words: &[&str]) -> Self {
        Self { words: words.iter().map(|it| (*it).to_owned()).collect(), ..Self::default() }
    }

    /// In one word with its value, which may begin with anything.
    fn set(mut self, flag: &str, value: Option<impl ToString>) -> Self {
        self.words.extend(value.map(|value| format!("--{flag}={}", value.to_string())));
        self
    }

    /// The same with a limit.
    pub(crate) fn limited(&self, limit: usize) -> Self {
        let mut line = self.clone();
        line.words.insert(1, format!("--limit={limit}"));
        line
    }

    fn each(self, flag: &str, values: &[String]) -> Self {
        values.iter().fold(self, |line, value| line.set(flag, Some(value)))
    }

    fn flag(mut self, flag: &str, is_set: bool) -> Self {
        self.words.extend(is_set.then(|| format!("--{flag}")));
        self
    }

    /// What is no flag comes last, whatever it begins with.
    fn about(mut self, names: &[&str]) -> Self {
        self.words.push("--".to_owned());
        self.words.extend(names.iter().map(|it| (*it).to_owned()));
        self
    }
}

impl Asked<'_> {
    fn body<T: DeserializeOwned>(&self) -> Result<T, Misshapen> {
        serde_json::from_slice(self.body).map_err(|error| {
            let hint = "send one JSON object with the fields of docs/team/README.md";
            Misshapen::new(format!("the body can't be read: {error}"), hint)
        })
    }

    /// Those parameters that the route knows, each as the flag of that name. Others are refused: a filter that is
    /// mistyped would find too much.
    fn filtered(&self, line: Line, known: &[&str]) -> Lined {
        let mut line = line;
        for (name, value) in self.query.iter().filter(|(name, _)| *name != "store") {
            if !known.contains(&name.as_str()) {
                let message = format!("there is no parameter `{name}` here");
                let hint = format!("use `store`, `{}`", known.join("`, `"));
                return Err(Misshapen::new(message, &hint));
            }
            line = line.set(name, Some(value));
        }
        Ok(line)
    }

    fn word(&self, name: &str) -> Option<&str> {
        self.query.get(name).map(String::as_str)
    }
}

const FILTERS: [&str; 6] = ["kind", "domain", "tag", "scope", "state", "limit"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
#[derive(Default)]
struct Recall {
    task: String,
    paths: Vec<String>,
    kinds: Vec<String>,
    states: Vec<String>,
    tags: Vec<String>,
    domain: Option<String>,
    level: Option<String>,
    budget: Option<u32>,
    limit: Option<usize>,
    as_of: Option<String>,
    for_task: Option<String>,
    session: Option<String>,
    explain: bool,
    related: bool,
    reach: Option<String>,
}

pub(crate) fn recall(asked: &Asked<'_>) -> Lined {
    let it: Recall = asked.body()?;
    let elsewhere = match it.reach.as_deref() {
        None | Some("here") => None,
        Some("elsewhere") => Some(AskedElsewhere { limit: it.limit }),
        Some(other) => {
            let message = format!("`reach`: expected `here` or `elsewhere`, found `{other}`");
            return Err(Misshapen::new(message, "leave it out for `here`"));
        }
    };
    // Otherwise the places are shared out, and each part has a limit of its own.
    let limit = if elsewhere.is_none() { it.limit } else { None };
    let line = Line { elsewhere, ..Line::of(&["recall"]) };
    let line = line.each("path", &it.paths).each("kind", &it.kinds).each("state", &it.states);
    let line = line.each("tag", &it.tags).set("domain", it.domain).set("level", it.level);
    let line = line.set("budget", it.budget).set("limit", limit).set("as-of", it.as_of);
    let line = line.set("task", it.for_task).set("session", it.session);
    let line = line.flag("explain", it.explain).flag("related", it.related);
    Ok(if it.task.is_empty() { line } else { line.about(&[&it.task]) })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Check {
    proposal: String,
    #[serde(default)]
    paths: Vec<String>,
    domain: Option<String>,
}

pub(crate) fn check(asked: &Asked<'_>) -> Lined {
    let it: Check = asked.body()?;
    let line = Line::of(&["check"]).each("path", &it.paths).set("domain", it.domain);
    Ok(line.about(&[&it.proposal]))
}

pub(crate) fn search(asked: &Asked<'_>) -> Lined {
    let Some(words) = asked.word("q").filter(|it| !it.trim().is_empty()) else {
        return Err(Misshapen::new("`q` is missing", "say what to look for, as in `?q=invoice`"));
    };
    let mut query = asked.query.clone();
    query.remove("q");
    let rest = Asked { query: &query, ..*asked };
    Ok(rest.filtered(Line::of(&["search"]), &FILTERS)?.about(&[words]))
}

pub(crate) fn list(asked: &Asked<'_>) -> Lined {
    asked.filtered(
        Line::of(&["list"]),
        &[&FILTERS[..], &["path", "status", "level", "source"]].concat(),
    )
}

pub(crate) fn show(asked: &Asked<'_>) -> Lined {
    Ok(asked.filtered(Line::of(&["show"]), &[])?.about(&[asked.id]))
}

pub(crate) fn history(asked: &Asked<'_>) -> Lined {
    Ok(asked.filtered(Line::of(&["history"]), &[])?.about(&[asked.id]))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Why {
    id: String,
    #[serde(default)]
    question: String,
    #[serde(default)]
    paths: Vec<String>,
}

pub(crate) fn why(asked: &Asked<'_>) -> Lined {
    let it: Why = asked.body()?;
    let line = Line::of(&["why"]).each("path", &it.paths);
    Ok(if it.question.is_empty() {
        line.about(&[&it.id])
    } else {
        line.about(&[&it.id, &it.question])
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Said {
    text: String,
    kind: Option<String>,
}

/// What somebody says, in their own words, or a whole record.
pub(crate) fn add(asked: &Asked<'_>) -> Lined {
    let it: serde_json::Map<String, serde_json::Value> = asked.body()?;
    if it.contains_key("text") && !it.contains_key("category") {
        let said: Said = asked.body()?;
        return Ok(Line::of(&["remember"]).set("kind", said.kind).about(&[&said.text]));
    }
    let input = asked.body.to_vec();
    Ok(Line { input, ..Line::of(&["add", "--from=-"]) })
}

/// Some fields of a memory, as a record without the others.
pub(crate) fn change(asked: &Asked<'_>) -> Lined {
    let Some(hash) = asked.if_match else {
        let hint = "send `If-Match` with the `ETag` of the memory as you read it";
        let message = "`If-Match` is missing".to_owned();
        return Err(Misshapen { status: 428, message, hint: hint.to_owned() });
    };
    let _: serde_json::Map<String, serde_json::Value> = asked.body()?;
    let line = Line::of(&["update", "--from=-"]).set("if-match", Some(hash));
    Ok(Line { input: asked.body.to_vec(), ..line.about(&[asked.id]) })
}

pub(crate) fn inbox(asked: &Asked<'_>) -> Lined {
    asked.filtered(Line::of(&["review"]), &["limit", "source"])
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Review {
    id: String,
    decision: String,
    reason: Option<String>,
    role: Option<String>,
    guidance: Option<String>,
    by_memory: Option<String>,
}

pub(crate) fn review(asked: &Asked<'_>) -> Lined {
    let it: Review = asked.body()?;
    let line = Line::of(&["review"]).set("decision", Some(it.decision)).set("reason", it.reason);
    let line = line.set("role", it.role).set("guidance", it.guidance);
    Ok(line.set("by-memory", it.by_memory).about(&[&it.id]))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    id: String,
    reason: String,
}

/// An agent that doubts a memory asks a person to look at it.
pub(crate) fn request(asked: &Asked<'_>) -> Lined {
    let it: Request = asked.body()?;
    let line = Line::of(&["review", "--request"]).set("reason", Some(it.reason));
    Ok(line.about(&[&it.id]))
}

pub(crate) fn pending(asked: &Asked<'_>) -> Lined {
    let line = asked.filtered(Line::of(&["pending"]), &[])?;
    Ok(if asked.id.is_empty() { line } else { line.about(&[asked.id]) })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Resolve {
    pending: String,
    resolution: Resolution,
    reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Resolution {
    Follow,
    Supersede,
    KeepBoth,
}

pub(crate) fn resolve(asked: &Asked<'_>) -> Lined {
    let it: Resolve = asked.body()?;
    let flag = match it.resolution {
        Resolution::Follow => "follow",
        Resolution::Supersede => "supersede",
        Resolution::KeepBoth => "keep-both",
    };
    let line = Line::of(&["resolve"]).flag(flag, true).set("reason", it.reason);
    Ok(line.about(&[&it.pending]))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Promote {
    id: String,
    to: Option<String>,
    role: Option<String>,
    reason: Option<String>,
    incidents: Option<u32>,
}

pub(crate) fn promote(asked: &Asked<'_>) -> Lined {
    let it: Promote = asked.body()?;
    let line = Line::of(&["promote"]).set("to", it.to).set("role", it.role);
    Ok(line.set("reason", it.reason).set("incidents", it.incidents).about(&[&it.id]))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Apply {
    id: String,
    effect: String,
    task: Option<String>,
    surface: Option<String>,
    followup: Option<String>,
    notes: Option<String>,
    with: Option<String>,
}

pub(crate) fn apply(asked: &Asked<'_>) -> Lined {
    let it: Apply = asked.body()?;
    let line = Line::of(&["apply"]).set("effect", Some(it.effect)).set("task", it.task);
    let line = line.set("surface", it.surface).set("followup", it.followup);
    Ok(line.set("notes", it.notes).set("with", it.with).about(&[&it.id]))
}

pub(crate) fn task(asked: &Asked<'_>) -> Lined {
    asked.filtered(Line::of(&["task", "show"]), &[])
}

/// A task begins, or ends with an outcome.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Task {
    task: String,
    objective: Option<String>,
    #[serde(default)]
    plan: Vec<String>,
    session: Option<String>,
    outcome: Option<String>,
    #[serde(default)]
    paths: Vec<String>,
    #[serde(default)]
    used: Vec<String>,
    #[serde(default)]
    most_useful: Vec<String>,
    notes: Option<String>,
}

pub(crate) fn tasks(asked: &Asked<'_>) -> Lined {
    let it: Task = asked.body()?;
    let Some(outcome) = it.outcome else {
        let line = Line::of(&["task", "start"]).set("objective", it.objective);
        let line = line.each("plan", &it.plan).set("session", it.session);
        return Ok(line.about(&[&it.task]));
    };
    let line = Line::of(&["task", "end"]).set("outcome", Some(outcome)).set("notes", it.notes);
    let line = line.each("path", &it.paths).each("used", &it.used);
    let line = line.each("most-useful", &it.most_useful).set("session", it.session);
    Ok(line.about(&[&it.task]))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Asked, Lined, Misshapen};

    fn line(of: fn(&Asked<'_>) -> Lined, body: &str) -> Result<Vec<String>, Misshapen> {
        let query = BTreeMap::new();
        let asked = Asked { id: "an-id", query: &query, body: body.as_bytes(), if_match: None };
        of(&asked).map(|line| line.words)
    }

    #[test]
    fn nothing_that_is_said_becomes_a_flag() {
        let words = line(super::recall, r#"{"task":"--by=mallory","paths":["--json","-C/"]}"#);
        assert_eq!(words.unwrap(), ["recall", "--path=--json", "--path=-C/", "--", "--by=mallory"]);
        let words = line(super::add, r#"{"text":"--kind=decision"}"#);
        assert_eq!(words.unwrap(), ["remember", "--", "--kind=decision"]);
    }

    #[test]
    fn a_field_that_is_not_known_is_named() {
        let refused = line(super::check, r#"{"proposal":"x","repo":"y"}"#).unwrap_err();
        assert!(refused.message.contains("`repo`"), "{}", refused.message);
        let refused = line(super::change, "{}").unwrap_err();
        assert_eq!((refused.status, refused.message.as_str()), (428, "`If-Match` is missing"));
    }
}
