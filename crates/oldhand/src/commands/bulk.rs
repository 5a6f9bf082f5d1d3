//! One command about many memories: those that were named, or all of one source. What will happen is told
//! first.

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
            return Ok(Self { ids: names.to_vec(), held: Vec::new(), is_many: names.len() > 1 });
        };
        let filter = Filter { states, source: Some(source.to_owned()), ..Filter::default() };
        let stored = engine.memories().list(&filter)?.stored;
        let (held, free): (Vec<&Memory>, Vec<&Memory>) =
            stored.iter().map(|it| &it.memory).partition(|memory| is_held(memory));
        let ids = |of: Vec<&Memory>| of.iter().map(|it| it.id.to_string()).collect();
        let chosen = Self { ids: ids(free), held: ids(held), is_many: true };
        if chosen.ids.is_empty() && chosen.held.is_empty() {
            let message = format!("no memory came from `{source}`");
            let hint = "`oldhand show <id> --raw` has the source of one in `imported`";
            return Err(Refusal::new(Code::NotFound, message).with_hint(hint).into());
        }
        Ok(chosen)
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
        let summary = format!("{verb} {count}: {}", named.join(", "));
        if desk.env.interactive && !desk.flags.json {
            return Ok(io.confirm(&format!("{summary}? [y/N] "))?);
        }
        io.note("note", &format!("nothing was changed; `--yes` would {summary}"));
        Ok(false)
    }

    /// Does it for each; what is refused is told, and the others go on.
    pub(super) fn each(
        &self,
        desk: &Desk<'_>,
        io: &mut Io<'_>,
        mut job: impl FnMut(&str, &mut Io<'_>) -> Outcome,
    ) -> Outcome {
        if let ([id], false) = (self.ids.as_slice(), self.is_many) {
            return job(id, io);
        }
        let mut refused = Vec::new();
        for id in &self.ids {
            if let Err(fail) = job(id, io) {
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
