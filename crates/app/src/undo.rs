//! Taking back writes: what they replaced is kept, and put back by another write.

use oldhand_core::codec::markdown::Origin as At;
use oldhand_store::port::id_of_path;

use crate::context::Trail;
use crate::pending::waiting_name;
use crate::prelude::*;

/// Fewer than the replaced versions that are kept.
pub const STEPS_MAX: usize = 50;

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Undone {
    /// What was taken back, one line per memory.
    #[serde(rename = "undone")]
    pub steps: Vec<String>,
    /// The write, or the writes of one command, that this is about.
    #[serde(skip)]
    pub write: String,
}

/// As [`Engine::seen`] names the last write: it is undone only if it is still the last one.
pub const LAST_WRITE: &str = "write:last";

impl<'a> Trail<'a> {
    /// The last write, whatever it was: a second time, it is there again.
    pub fn undo(&self) -> WriteResult<'a, Undone> {
        self.take_back_of(&|groups| groups.last().cloned().into_iter().collect())
    }

    /// So many of the last writes that still stand, in one write.
    pub fn undo_steps(&self, steps: usize) -> WriteResult<'a, Undone> {
        self.take_back_of(&|groups| {
            let standing = standing(groups);
            let first = standing.len().saturating_sub(steps);
            standing[first..].to_vec()
        })
    }

    fn take_back_of(
        &self,
        choose: &dyn for<'e> Fn(&[Group<'e>]) -> Vec<Group<'e>>,
    ) -> WriteResult<'a, Undone> {
        self.write(&mut || {
            let events = self.vault.events()?;
            let chosen = choose(&groups(&events));
            if chosen.is_empty() {
                let hint = Hint::with_steps("{} shows all memories", [NextStep::List]);
                return refuse(Code::NotFound, "there is nothing to undo", hint);
            }
            for last in chosen.iter().filter_map(|group| group.iter().rfind(|it| is_change(it))) {
                if last.event_type == EventType::Adopted {
                    let message =
                        format!("the last change, of `{}`, was made by hand", last.memory);
                    let hint =
                        "take it back in your editor or with git; undo knows only its own writes";
                    return refuse(Code::State, message, hint);
                }
            }
            // Each by itself: what an agent added to a person's memory does not make it the agent's.
            chosen.iter().flatten().try_for_each(|event| self.refuse_persons(event))?;
            let write = chosen.last().and_then(|group| group.first()).map_or("", |it| unit(it));
            let write = write.to_owned();
            let mut plan = Plan::default();
            let mut steps = Vec::new();
            for event in &folded(chosen.into_iter().flatten()) {
                if let Some((files, undone, step)) = self.take_back(event)? {
                    plan.files.extend(files);
                    plan.events.push(undone);
                    steps.push(step);
                }
            }
            Ok((Undone { steps, write: write.clone() }, plan))
        })
    }

    /// Whoever was shown the last write, or made it, must not take back somebody else's.
    pub(crate) fn refuse_other_write(&self, shown: &str) -> Result<()> {
        let events = self.vault.events()?;
        let last =
            groups(&events).pop().and_then(|group| group.into_iter().rfind(|it| is_change(it)));
        let message = match last {
            Some(last) if unit(last) == shown => return Ok(()),
            Some(last) => format!(
                "something else was written since, by {}: {} `{}`",
                last.via.beside(&last.by),
                last.event_type,
                last.memory
            ),
            None => "there is nothing to undo any more".to_owned(),
        };
        let hint = "nothing was undone; look at what undo would take back now, and ask again";
        refuse(Code::Occ, message, hint)
    }

    /// Taking back is a write like the one that it takes back: what a person did, a person undoes.
    fn refuse_persons(&self, event: &Event) -> Result<()> {
        if self.is_person || event.via.is_machine() {
            return Ok(());
        }
        let message = format!("the last change, of `{}`, was made by a person", event.memory);
        refuse(Code::State, message, ASK_A_PERSON)
    }

    fn take_back(&self, event: &Event) -> Result<Option<(Vec<FileWrite>, Event, String)>> {
        if event.before.is_none() && event.after.is_none() {
            return Ok(None);
        }
        let gone = |hash: &str| {
            let message =
                format!("the version {} of `{}` is no longer kept here", short(hash), event.memory);
            Refusal::new(Code::NotFound, message)
                .with_hint("git may still have it: `git log -- .oldhand`")
        };
        let text = match &event.before {
            Some(hash) => Some(self.vault.kept(hash)?.ok_or_else(|| gone(hash))?),
            None => None,
        };
        // The log comes with the repository, and anybody may have written this line.
        let outside = |path: &str| {
            let message = format!("the log names a file outside of the store: `{path}`");
            Refusal::new(Code::Path, message)
                .with_hint("look at the last lines of `events/` before you go on")
        };
        let id = id_of_path(&event.path).ok_or_else(|| outside(&event.path))?;
        let memory = text.as_deref().and_then(|text| {
            let folder = event.path.split('/').next().unwrap_or_default();
            let at = At { stem: id.as_str(), folder };
            markdown::parse(text, at, &self.settings.kinds).ok().map(|parsed| parsed.memory)
        });
        let mut undone = Event {
            path: event.path.clone(),
            before: event.after.clone(),
            after: event.before.clone(),
            from: event.to,
            to: event.from,
            reason: format!("took back: {}", event.event_type),
            ..Event::new(EventType::Undone, &event.memory, self.now)
        };
        let step = match waiting_name(&event.memory) {
            Some(waiting) if event.after.is_some() => format!("`{waiting}` no longer waits"),
            Some(waiting) => format!("`{waiting}` waits again"),
            None => format!("{} `{}`", self.describe(event), event.memory),
        };
        let file = FileWrite {
            path: event.path.clone(),
            id,
            before: event.after.as_deref().and_then(ContentHash::parse),
            after: text,
            memory,
        };
        let now = self.vault.read_raw(&file.path)?.map(|raw| raw.hash);
        if now != file.before {
            let message = format!("`{}` was changed since, and undo would lose that", event.memory);
            let id = || event.memory.clone();
            let steps = [NextStep::Show(id()), NextStep::Update(id())];
            let hint = Hint::with_steps("look at it with {}; {} changes it back", steps);
            return refuse(Code::State, message, hint);
        }
        if event.moved_from.is_empty() {
            return Ok(Some((vec![file], undone, step)));
        }
        // It goes back to where it was (R207).
        undone.moved_from.clone_from(&event.path);
        undone.path.clone_from(&event.moved_from);
        let leaving = FileWrite { after: None, memory: None, ..file.clone() };
        let arriving = FileWrite { path: event.moved_from.clone(), before: None, ..file };
        if !arriving.is_inside() || !self.is_home(&arriving.path) {
            return Err(outside(&event.moved_from).into());
        }
        Ok(Some((vec![leaving, arriving], undone, step)))
    }

    fn describe(&self, event: &Event) -> &'static str {
        let (would, did) = match event.event_type {
            EventType::Created => ("takes back the creation of", "took back the creation of"),
            // Several writes, of which the first made it.
            EventType::Updated | EventType::Moved if event.before.is_none() => {
                ("takes back the creation of", "took back the creation of")
            }
            EventType::Moved => ("takes back the move of", "took back the move of"),
            EventType::Undone if event.after.is_none() => ("brings back", "brought back"),
            EventType::Undone if event.before.is_none() => {
                ("takes back again the creation of", "took back again the creation of")
            }
            EventType::Undone => {
                ("changes again what was undone of", "changed again what was undone of")
            }
            EventType::Collected => ("brings back the collected", "brought back the collected"),
            _ => ("takes back the last change of", "took back the last change of"),
        };
        if self.is_preview { would } else { did }
    }

    /// Files move between `candidates/` and the folder of their kind, and nowhere else.
    pub(crate) fn is_home(&self, path: &str) -> bool {
        let folder = path.split('/').next().unwrap_or_default();
        folder == CANDIDATES_FOLDER || self.settings.kinds.iter().any(|it| it.folder == folder)
    }
}

/// What is undone together: one write, or all writes of one command.
fn unit(event: &Event) -> &str {
    if event.batch.is_empty() { &event.write } else { &event.batch }
}

/// The events of one write, or of one command about many memories.
type Group<'e> = Vec<&'e Event>;

/// A use that was recorded has happened: only what changed a file can be taken back.
fn is_change(event: &Event) -> bool {
    !event.write.is_empty() && event.before != event.after
}

/// What was written, command by command, the last at the end.
fn groups(events: &[Event]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut last = Vec::new();
    for (number, event) in events.iter().enumerate().filter(|(_, it)| !it.write.is_empty()) {
        let at = *places.entry(unit(event)).or_insert(groups.len());
        if at == groups.len() {
            groups.push(Vec::new());
            last.push(0);
        }
        groups[at].push(event);
        if is_change(event) {
            last[at] = number;
        }
    }
    // A command of several writes counts where its last one does.
    let mut sorted: Vec<(usize, Group<'_>)> = last.into_iter().zip(groups).collect();
    sorted.retain(|(_, group)| group.iter().any(|it| is_change(it)));
    sorted.sort_by_key(|(last, _)| *last);
    sorted.into_iter().map(|(_, group)| group).collect()
}

/// Those that nothing has taken back.
fn standing<'e>(groups: &[Group<'e>]) -> Vec<Group<'e>> {
    let mut standing: Vec<Group<'e>> = Vec::new();
    for group in groups {
        let is_undo = group.iter().all(|it| it.event_type == EventType::Undone);
        let undone = standing.len().min(if is_undo { STEPS_MAX } else { 0 });
        let taken = (1..=undone).find(|steps| {
            let last = standing[standing.len() - steps..].iter().flatten().copied();
            let before = versions(last).into_iter().map(|(id, [from, to])| (id, [to, from]));
            before.collect::<BTreeMap<_, _>>() == versions(group.iter().copied())
        });
        match taken {
            Some(steps) => standing.truncate(standing.len() - steps),
            None => standing.push(group.clone()),
        }
    }
    standing
}

/// The version of each memory before these events, and after them.
fn versions<'e>(events: impl Iterator<Item = &'e Event>) -> BTreeMap<String, [Option<String>; 2]> {
    let changed = folded(events).into_iter().filter(|it| it.before != it.after);
    changed.map(|it| (it.memory, [it.before, it.after])).collect()
}

/// A file that was changed twice goes back to where it was before both.
fn folded<'e>(events: impl Iterator<Item = &'e Event>) -> Vec<Event> {
    let mut folded: Vec<Event> = Vec::new();
    for event in events {
        let goes_on = |it: &&mut Event| {
            it.memory == event.memory && it.after.is_some() && it.after == event.before
        };
        let Some(first) = folded.iter_mut().find(goes_on) else {
            folded.push(event.clone());
            continue;
        };
        let moved_from = match first.moved_from.is_empty() {
            true => event.moved_from.clone(),
            false => std::mem::take(&mut first.moved_from),
        };
        let (before, from) = (first.before.take(), first.from.or(event.from));
        *first = Event { before, from, moved_from, ..event.clone() };
    }
    folded
}

fn short(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}
