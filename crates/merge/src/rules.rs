//! What becomes of a key that both sides changed. One table; a key that is not in it is a text,
//! and its lines stand between markers.

use std::cmp::Ordering;

use oldhand_core::origin::Origin;
use oldhand_core::policy::{CHANGES_MAX, RELATED_TO_MAX, TAG_FALLBACK, TAGS_MAX};
use oldhand_core::state::State;
use oldhand_core::yaml::Yaml;
use oldhand_text::time::parse_instant;

use crate::page::Page;
use crate::{Merge, Three};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    /// Markers, unless it is a list.
    Words,
    Tags,
    /// What one side took out stays: evidence is not withdrawn by a merge.
    Union,
    /// At most so many, those of the base first.
    Few(usize),
    DependsOn,
    Changes,
    Earlier,
    Later,
    /// A limit in time: without one it holds longest.
    Longer,
    Count,
    Smaller,
    Active,
    /// The first of these words.
    First(&'static [&'static str]),
    Origin,
    Imported,
}

const SEVERITY: &[&str] = &["critical", "high", "medium", "low"];
const STRENGTH: &[&str] = &["strong", "default", "soft"];
/// Of decisions, then of debts: what ends goes before what continues.
const STATUS: &[&str] = &[
    "superseded",
    "deprecated",
    "accepted",
    "proposed",
    "resolved",
    "wont_fix",
    "in_progress",
    "open",
];

static RULES: &[(&str, Rule)] = &[
    ("tags", Rule::Tags),
    ("aliases", Rule::Union),
    ("evidence", Rule::Union),
    ("sources", Rule::Union),
    ("related_to", Rule::Few(RELATED_TO_MAX)),
    ("depends_on", Rule::DependsOn),
    ("changes", Rule::Changes),
    ("created_at", Rule::Earlier),
    ("updated_at", Rule::Later),
    ("expires", Rule::Longer),
    ("times_updated", Rule::Count),
    ("confidence", Rule::Smaller),
    ("refresh_tier", Rule::Smaller),
    ("active", Rule::Active),
    ("severity", Rule::First(SEVERITY)),
    ("priority", Rule::First(SEVERITY)),
    ("strength", Rule::First(STRENGTH)),
    ("status", Rule::First(STATUS)),
    ("origin", Rule::Origin),
    ("imported", Rule::Imported),
];

impl Rule {
    pub(crate) fn of(name: &str) -> Self {
        RULES.iter().find(|(known, _)| *known == name).map_or(Self::Words, |(_, rule)| *rule)
    }
}

/// The strongest first: what ends recall goes before what continues it, and what names a
/// successor before all.
const LIVES: [State; 10] = [
    State::Superseded,
    State::Rejected,
    State::Retired,
    State::Archived,
    State::UnderReview,
    State::Decayed,
    State::Canonical,
    State::Stable,
    State::Provisional,
    State::Candidate,
];

/// Where a page's state stands among them; the smaller is the stronger.
pub(crate) fn life_rank(page: &Page<'_>) -> usize {
    let state = page.text("state").and_then(|text| State::parse(text).ok());
    state.and_then(|state| LIVES.iter().position(|it| *it == state)).unwrap_or(LIVES.len())
}

/// A value that a merge gives, `None` where the key goes.
type Value = Option<Yaml>;

impl Merge<'_> {
    /// `None` where only a person can tell.
    pub(crate) fn combine(&mut self, name: &str, values: Three<Option<&Yaml>>) -> Option<Value> {
        let rule = Rule::of(name);
        match rule {
            Rule::Words => self.list(name, values, false, usize::MAX),
            Rule::Tags => self.list(name, values, false, TAGS_MAX).map(tidy_tags),
            Rule::Union => self.list(name, values, true, usize::MAX),
            Rule::Few(most) => self.list(name, values, false, most),
            Rule::DependsOn => self.depends_on(values),
            Rule::Changes => changes(values),
            Rule::Count => count(values),
            Rule::Active => {
                let off = |value: Option<&Yaml>| value.and_then(Yaml::as_bool) == Some(false);
                let kept = if off(values.ours) { values.theirs } else { values.ours };
                Some(kept.cloned())
            }
            Rule::Longer if values.ours.is_none() || values.theirs.is_none() => Some(None),
            _ => match (values.ours, values.theirs) {
                (Some(ours), Some(theirs)) => {
                    let order = self.compare(rule, ours, theirs)?;
                    Some(Some(if order.is_le() { ours } else { theirs }.clone()))
                }
                // One side took out what the other changed.
                (kept, other) => Some(kept.or(other).cloned()),
            },
        }
    }

    /// The smaller of the two is taken.
    fn compare(&self, rule: Rule, ours: &Yaml, theirs: &Yaml) -> Option<Ordering> {
        let instants = || {
            let read = |value: &Yaml| value.as_text().and_then(parse_instant);
            Some(read(ours)?.cmp(&read(theirs)?))
        };
        let by_rule = match rule {
            Rule::Earlier => instants()?,
            Rule::Later | Rule::Longer => instants()?.reverse(),
            Rule::Imported => {
                let Three { ours: one, theirs: other, .. } = &self.versions;
                let read = |value: &Yaml, page: &Page<'_>| {
                    let at = value.text_at("at").or_else(|| page.text("updated_at"));
                    at.and_then(parse_instant)
                };
                read(theirs, other).cmp(&read(ours, one))
            }
            Rule::Smaller => {
                let number = |value: &Yaml| value.as_text()?.parse::<f64>().ok();
                number(ours)?.partial_cmp(&number(theirs)?)?
            }
            Rule::First(words) => {
                let place = |value: &Yaml| words.iter().position(|it| Some(*it) == value.as_text());
                place(ours)?.cmp(&place(theirs)?)
            }
            Rule::Origin => {
                let rank = |value: &Yaml| {
                    let origin = Origin::parse(value.as_text()?).ok()?;
                    let begins = LIVES.iter().position(|it| *it == origin.entry_state());
                    let is_persons = origin == Origin::User && self.same_texts();
                    Some((!is_persons, std::cmp::Reverse(begins)))
                };
                rank(ours)?.cmp(&rank(theirs)?)
            }
            _ => return None,
        };
        Some(by_rule.then_with(|| ours.plain().cmp(&theirs.plain())))
    }

    /// Both sides say the same in the same words.
    fn same_texts(&self) -> bool {
        let words = |page: &Page<'_>| -> Vec<String> {
            let blocks = page.blocks.iter().map(|block| format!("{}{}", block.head, block.core));
            page.text("title").map(str::to_owned).into_iter().chain(blocks).collect()
        };
        words(self.versions.ours) == words(self.versions.theirs)
    }

    fn list(
        &mut self,
        name: &str,
        values: Three<Option<&Yaml>>,
        keeps: bool,
        most: usize,
    ) -> Option<Value> {
        let is_list = |value: Option<&Yaml>| matches!(value, Some(Yaml::List(_)) | None);
        let one = Rule::of(name) == Rule::Words;
        if one && !(is_list(values.ours) && is_list(values.theirs) && is_list(values.base)) {
            return None;
        }
        let lists = values.try_map(texts)?;
        let merged = self.texts(name, lists, keeps, most);
        Some((!merged.is_empty()).then(|| Yaml::list(&merged)))
    }

    /// What both kept of the base, and what each added.
    fn texts(
        &mut self,
        name: &str,
        lists: Three<Vec<String>>,
        keeps: bool,
        most: usize,
    ) -> Vec<String> {
        let Three { base, ours, theirs } = lists;
        let added = |side: &[String]| -> Vec<String> {
            side.iter().filter(|it| !base.contains(it)).cloned().collect()
        };
        let mut new = self.in_order(added(&ours), added(&theirs));
        let is_kept = |it: &&String| keeps || (ours.contains(it) && theirs.contains(it));
        let mut merged: Vec<String> = base.iter().filter(is_kept).cloned().collect();
        if merged.len() + new.len() > most {
            new.sort();
        }
        for item in new {
            if !merged.contains(&item) {
                merged.push(item);
            }
        }
        if merged.len() > most {
            let over = merged.split_off(most).join("`, `");
            self.note(&format!("{name}: at most {most} fit: `{over}` was left out"));
        }
        merged
    }

    fn depends_on(&mut self, values: Three<Option<&Yaml>>) -> Option<Value> {
        let part = |key: &str| values.try_map(|value| texts(value.and_then(|it| it.get(key))));
        let mut merged = Vec::new();
        for key in ["code_paths", "decisions"] {
            merged.push((key, self.texts(key, part(key)?, false, usize::MAX)));
        }
        merged.push(("seen", seen(part("seen")?)));
        // A key that this version does not know is nothing to decide about here.
        let is_known = |value: Option<&Yaml>| match value {
            Some(Yaml::Map(entries)) => {
                entries.iter().all(|(key, _)| merged.iter().any(|(known, _)| known == key))
            }
            other => other.is_none(),
        };
        if !(is_known(values.ours) && is_known(values.theirs)) {
            return None;
        }
        merged.retain(|(_, list)| !list.is_empty());
        let map = merged.iter().map(|(key, list)| (*key, Yaml::list(list)));
        Some((!merged.is_empty()).then(|| Yaml::map(map)))
    }
}

fn texts(value: Option<&Yaml>) -> Option<Vec<String>> {
    value.map_or_else(|| Some(Vec::new()), Yaml::as_texts)
}

/// In their normal form: sorted, and the fallback only where there is no other.
fn tidy_tags(tags: Value) -> Value {
    let mut tags = texts(tags.as_ref()).unwrap_or_default();
    tags.sort();
    if tags.len() > 1 {
        tags.retain(|tag| tag != TAG_FALLBACK);
    }
    if tags.is_empty() {
        tags.push(TAG_FALLBACK.to_owned());
    }
    Some(Yaml::list(&tags))
}

/// The content of each path as it was seen; where the sides disagree it is unknown, not wrong.
fn seen(lists: Three<Vec<String>>) -> Vec<String> {
    let path = |seen: &str| seen.rsplit_once('@').map_or(seen, |(path, _)| path).to_owned();
    let find = |list: &[String], wanted: &str| list.iter().find(|it| path(it) == wanted).cloned();
    let mut paths: Vec<String> = Vec::new();
    let added = lists.ours.iter().chain(&lists.theirs).map(|it| path(it));
    let mut added: Vec<String> = added.collect();
    added.sort();
    for path in lists.base.iter().map(|it| path(it)).chain(added) {
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    let of = |path: &String| lists.as_ref().map(|list| find(list, path)).settled().cloned()?;
    paths.iter().filter_map(of).collect()
}

/// Every entry of both, by date, then by text.
fn changes(values: Three<Option<&Yaml>>) -> Option<Value> {
    let entries = |value: Option<&Yaml>| match value {
        None => Some(Vec::new()),
        Some(Yaml::List(entries)) => Some(entries.clone()),
        Some(_) => None,
    };
    let mut merged: Vec<Yaml> = Vec::new();
    for entry in entries(values.ours)?.into_iter().chain(entries(values.theirs)?) {
        if !merged.contains(&entry) {
            merged.push(entry);
        }
    }
    merged.sort_by_cached_key(|entry| {
        let date = entry.text_at("date").unwrap_or_default();
        (parse_instant(date), date.to_owned(), entry.plain())
    });
    let newest = merged.split_off(merged.len().saturating_sub(CHANGES_MAX));
    Some((!newest.is_empty()).then_some(Yaml::List(newest)))
}

/// The base and both differences: two changes are two, also if both sides counted to the same.
fn count(values: Three<Option<&Yaml>>) -> Option<Value> {
    let number = |value: Option<&Yaml>| match value {
        None => Some(0),
        Some(value) => value.as_text()?.parse::<u32>().ok(),
    };
    let Three { base, ours, theirs } = values.try_map(number)?;
    let sum = i64::from(ours) + i64::from(theirs) - i64::from(base);
    Some(Some(Yaml::literal(sum.clamp(0, i64::from(u32::MAX)))))
}
