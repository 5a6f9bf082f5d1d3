//! Which memory a person means by a part of its id, alias or title.

use crate::context::Memories;
use crate::prelude::*;

/// Names that an error lists.
const NAMED_MAX: usize = 5;
/// One letter fits everything.
const PART_CHARS_MIN: usize = 2;

impl Memories<'_> {
    /// The only id that fits, by the names of files alone; none where nothing does.
    pub fn meant_by_id(&self, part: &str) -> Result<Option<String>> {
        let ids = self.vault.ids()?;
        Ok(only(part, ids.iter().map(|id| (id.as_str(), id.as_str())))?)
    }

    /// The same by aliases and titles, for which every file is read.
    pub fn meant_by_title(&self, part: &str) -> Result<Option<String>> {
        let mut names: Vec<(String, String)> = Vec::new();
        self.vault.visit(&mut |visit| {
            let Ok(Stored { memory, .. }) = visit.file else { return };
            let id = memory.id.to_string();
            names.extend(memory.aliases.into_iter().map(|alias| (id.clone(), alias)));
            names.push((id, memory.title));
        })?;
        Ok(only(part, names.iter().map(|(id, name)| (id.as_str(), name.as_str())))?)
    }

    /// The same for what waits in `pending/`.
    pub fn meant_matter(&self, part: &str) -> Result<Option<String>> {
        let (waiting, _) = self.gate().pending_list()?;
        let names: Vec<(String, String)> =
            waiting.iter().map(|one| (one.id.to_string(), one.id.to_string())).collect();
        Ok(only(part, names.iter().map(|(id, name)| (id.as_str(), name.as_str())))?)
    }
}

/// The one whose name is, begins with, or has in it what was typed, in this order; refused where it
/// fits several.
pub fn only<'n>(
    part: &str,
    names: impl Iterator<Item = (&'n str, &'n str)>,
) -> Result<Option<String>, Refusal> {
    let wanted = part.trim().to_lowercase();
    if wanted.chars().count() < PART_CHARS_MIN {
        return Ok(None);
    }
    let names: Vec<(&str, String)> = names.map(|(id, name)| (id, name.to_lowercase())).collect();
    let fits: [fn(&str, &str) -> bool; 3] = [
        |name, part| name == part,
        |name, part| name.starts_with(part),
        |name, part| name.contains(part),
    ];
    for fit in fits {
        let found = names.iter().filter(|(_, name)| fit(name, &wanted)).map(|(id, _)| *id);
        let found: BTreeSet<&str> = found.collect();
        match found.len() {
            0 => {}
            1 => return Ok(found.first().map(|id| (*id).to_owned())),
            count => return Err(several(part, &found, count)),
        }
    }
    Ok(None)
}

fn several(part: &str, found: &BTreeSet<&str>, count: usize) -> Refusal {
    let named: Vec<String> = found.iter().take(NAMED_MAX).map(|id| format!("`{id}`")).collect();
    let more = match count.saturating_sub(NAMED_MAX) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let message = format!("`{part}` fits several: {}{more}", named.join(", "));
    Refusal::new(Code::Ambiguous, message).with_hint("type more of the one you mean")
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: &[(&str, &str)] = &[
        ("use-cents", "use-cents"),
        ("use-cents", "Use integer cents"),
        ("use-cents-in-tests", "use-cents-in-tests"),
        ("adr-one", "ADR-029"),
        ("queue", "The queue is a table"),
    ];

    #[track_caller]
    fn check(part: &str, want: Result<Option<&str>, &str>) {
        let found = only(part, NAMES.iter().copied()).map_err(|refusal| refusal.message);
        assert_eq!(found, want.map(|it| it.map(str::to_owned)).map_err(str::to_owned), "{part}");
    }

    #[test]
    fn a_part_is_enough_where_it_fits_one() {
        check("adr-029", Ok(Some("adr-one")));
        check("que", Ok(Some("queue")));
        check("is a TABLE", Ok(Some("queue")));
        check("in-tests", Ok(Some("use-cents-in-tests")));
        // What is written out means itself, whatever begins with it.
        check("use-cents", Ok(Some("use-cents")));
        check("nowhere", Ok(None));
        check("u", Ok(None));
        check(" ", Ok(None));
    }

    #[test]
    fn what_fits_several_is_refused_with_their_names() {
        check("use-c", Err("`use-c` fits several: `use-cents`, `use-cents-in-tests`"));
        let many: Vec<String> = (0..7).map(|at| format!("memory-{at}")).collect();
        let refused = only("mem", many.iter().map(|it| (it.as_str(), it.as_str()))).unwrap_err();
        assert!(refused.message.ends_with("`memory-4` and 2 more"), "{}", refused.message);
    }
}
