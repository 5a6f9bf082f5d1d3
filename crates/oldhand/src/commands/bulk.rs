//! One command about many memories: those that were named, all of one source, or all that wait. What will
//! happen is told first.

use std::collections::BTreeMap;

use oldhand_app::filter::{Filter, is_held};
use oldhand_core::memory::Memory;
use oldhand_core::state::State;

use super::prelude::*;

/// Ids in a summary.
const NAMED_MAX: usize = 20;

/// Those that are meant, each once.
pub(super) struct Chosen {
    pub ids: Vec<String>,
    /// Of the source, but only a person who names them can have them.
    pub held: Vec<String>,
    /// How many of each kind, where nobody named them.
    kinds: BTreeMap<String, usize>,
    is_many: bool,
}

impl Chosen {
    /// By name, or of a source in one of these states.
    pub(super) fn of(
        names: &[String],
        source: Option<&str>,
        states: Vec<State>,
        engine: &Engine<'_>,
    ) -> Result<Self, Fail> {
        let Some(source) = source else {
            if names.is_empty() {
                let fix = "name one, or all of an import with `--source`";
                return Err(Problem::new("name", "the id of a memory", "nothing")
                    .with_fix(fix)
                    .into());
            }
            let mut ids = Vec::new();
            for name in names {
                // Whoever is asked about several must know that they are there.
                let id = engine.get(name)?.memory.id.to_string();
                ids.extend((!ids.contains(&id)).then_some(id));
            }
            let is_many = ids.len() > 1;
            return Ok(Self { ids, held: Vec::new(), kinds: BTreeMap::new(), is_many });
        };
        let filter = Filter { states, source: Some(source.to_owned()), ..Filter::default() };
        let stored = engine.memories().list(&filter)?.stored;
        let chosen = Self::among(stored.iter().map(|it| &it.memory));
        if chosen.ids.is_empty() && chosen.held.is_empty() {
            let message = format!("no memory came from `{source}`");
            let hint = "`oldhand show <id> --raw` has the source of one in `imported`";
            return Err(Refusal::new(Code::NotFound, message).with_hint(hint).into());
        }
        Ok(chosen)
    }

    /// All of these.
    pub(super) fn among<'m>(memories: impl Iterator<Item = &'m Memory>) -> Self {
        let (held, free): (Vec<&Memory>, Vec<&Memory>) = memories.partition(|it| is_held(it));
        let mut kinds = BTreeMap::new();
        free.iter().for_each(|it| *kinds.entry(it.kind.to_string()).or_default() += 1);
        let ids = |of: Vec<&Memory>| of.iter().map(|it| it.id.to_string()).collect();
        Self { ids: ids(free), held: ids(held), kinds, is_many: true }
    }

    /// Those that are held count like the others, for what does not serve them.
    pub(super) fn with_held(mut self) -> Self {
        self.ids.append(&mut self.held);
        self
    }

    /// Asks, where many are meant; without a terminal nobody is asked, and nothing is done.
    pub(super) fn is_confirmed(
        &self,
        verb: &str,
        yes: bool,
        desk: &Desk<'_>,
        io: &mut Io<'_>,
    ) -> Result<bool, Fail> {
        if yes || !self.is_many {
            return Ok(true);
        }
        let mut named: Vec<&str> = self.ids.iter().take(NAMED_MAX).map(String::as_str).collect();
        let more = self.ids.len().saturating_sub(NAMED_MAX);
        let rest = format!("and {more} more");
        if more > 0 {
            named.push(&rest);
        }
        let count = counted(self.ids.len(), "memory", "memories");
        let kinds: Vec<String> = self.kinds.iter().map(|(kind, n)| format!("{n} {kind}")).collect();
        let kinds = match self.kinds.len() {
            0 => String::new(),
            _ => format!(" ({})", kinds.join(", ")),
        };
        let summary = format!("{verb} {count}{kinds}: {}", named.join(", "));
        if desk.env.interactive && !desk.flags.json {
            return Ok(io.confirm(&format!("{summary}? [y/N] "))?);
        }
        io.note("note", &format!("nothing was changed; `--yes` would {summary}"));
        Ok(false)
    }

    /// Does it for each; what is refused is told, and the others go on.
    pub(super) fn each(
        &self,
        engine: &Engine<'_>,
        desk: &Desk<'_>,
        io: &mut Io<'_>,
        mut job: impl FnMut(&Engine<'_>, &str, &mut Io<'_>) -> Outcome,
    ) -> Outcome {
        if let ([id], false) = (self.ids.as_slice(), self.is_many) {
            return job(engine, id, io);
        }
        let batch = oldhand_store::ulid::ulid(desk.now, desk.env.entropy.next());
        let engine = Engine { batch: Some(&batch), ..*engine };
        let mut refused = Vec::new();
        for id in &self.ids {
            if let Err(fail) = job(&engine, id, io) {
                refused.push(format!("{id}: {}", fail.message()));
            }
        }
        desk.remark(io, "refused", &refused);
        let held =
            |id: &String| format!("`{id}` is held: `oldhand show {id}`, then promote it by name");
        desk.remark(io, "note", self.held.iter().map(held));
        Ok(if refused.is_empty() { DONE } else { FINDING })
    }
}
