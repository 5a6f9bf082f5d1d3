//! What a replay reached of the things that readers listed beforehand: a reminder behind each, and
//! captures from the lines in which it is discussed. Whether a capture says it, somebody must read.

use std::collections::BTreeMap;
use std::path::Path;

use oldhand_desk::evaluate::table;
use serde_json::{Map, Value};

use super::Said;
use super::script::Script;
use crate::failure::Fail;
use crate::lines::required;
use crate::set::each_object;

/// One thing that a reader would have kept.
pub(super) struct Thing {
    pub session: String,
    from: usize,
    to: usize,
    /// The line after which a reader could know it.
    settled_at: usize,
    importance: u64,
}

/// The things of one split.
pub(super) fn read(file: &Path, split: &str) -> Result<Vec<Thing>, Fail> {
    let mut things = Vec::new();
    each_object(file, |object, _| {
        if required(object, "split")? == split {
            things.push(thing(object)?);
        }
        Ok(())
    })?;
    if things.is_empty() {
        let why = format!("nothing in `{}` has the split `{split}`", file.display());
        return Err(Fail::new(why, "`--split dev`, or `test` when you are done"));
    }
    Ok(things)
}

fn thing(object: &Map<String, Value>) -> Result<Thing, String> {
    let number = |name: &str| {
        let value = object.get(name).and_then(Value::as_u64);
        value.ok_or_else(|| format!("`{name}` is no number"))
    };
    let line = |name: &str| number(name).map(|it| usize::try_from(it).unwrap_or(usize::MAX));
    Ok(Thing {
        session: required(object, "session")?,
        from: line("line_from")?,
        to: line("line_to")?,
        settled_at: line("settled_at")?,
        importance: number("importance")?,
    })
}

/// `captured`: the session and the line that each capture came from.
pub(super) fn report(
    things: &[Thing],
    scripts: &[Script],
    said: &[Said],
    captured: &[(String, usize)],
) -> String {
    let mut reminders: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for one in said.iter().filter(|it| super::is_reminder(&it.context)) {
        reminders.entry(&one.session).or_default().push(one.line);
    }
    let of = |thing: &Thing| reminders.get(thing.session.as_str()).cloned().unwrap_or_default();
    let is_behind = |it: &&&Thing| of(it).iter().any(|line| *line >= it.settled_at);
    // The agent keeps it before the turn ends.
    let turn_ends = |session: &str, line: usize| {
        let script = scripts.iter().find(|it| it.session == session);
        let steps = script.into_iter().flat_map(|it| &it.steps);
        let mut prompts = steps.filter(|it| it.event == "UserPromptSubmit").map(|it| it.line);
        prompts.find(|prompt| *prompt > line).unwrap_or(usize::MAX)
    };
    let is_in_turn =
        |it: &&&Thing| of(it).iter().any(|line| turn_ends(&it.session, *line) >= it.settled_at);
    let is_near = |it: &&&Thing| {
        captured.iter().any(|(session, line)| {
            *session == it.session && (it.from..=it.to.max(it.settled_at)).contains(line)
        })
    };
    let row = |name: &str, things: &[&Thing]| {
        let share =
            |count: usize| format!("{count} ({:.2})", count as f64 / things.len().max(1) as f64);
        vec![
            name.to_owned(),
            things.len().to_string(),
            share(things.iter().filter(is_behind).count()),
            share(things.iter().filter(is_in_turn).count()),
            share(things.iter().filter(is_near).count()),
        ]
    };
    let all: Vec<&Thing> = things.iter().collect();
    let weighty: Vec<&Thing> = things.iter().filter(|it| it.importance >= 2).collect();
    let head = ["things", "count", "reminder behind", "to the end of its turn", "capture near"];
    let head = head.map(str::to_owned).to_vec();
    table(vec![head, row("all", &all), row("important", &weighty)])
}
