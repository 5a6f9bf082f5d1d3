//! The frontmatter: the keys of the start with what both sides changed, in the order of the file.

use oldhand_core::codec::fields::{FIELDS, HEAD_FIELDS};
use oldhand_core::kind::Kind;
use oldhand_core::yaml::{Yaml, write_entry};

use crate::page::{Key, Page};
use crate::rules::{Rule, life_rank};
use crate::{Merge, Three, lines};

/// One unit: a state without its reason and date would be half a move.
const LIFE: &[&str] = &[
    "state",
    "prev_state",
    "state_reason",
    "superseded_by",
    "review_after",
    "retired_at",
    "retired_reason",
    "archived_at",
    "archived_reason",
];
const VERIFIED: &[&str] = &["verified_at", "verified_commit"];

impl<'a> Merge<'a> {
    pub(crate) fn frontmatter(&mut self) -> String {
        let (life, verified) = (self.life(), self.verified());
        let mut out = String::new();
        for name in self.key_order() {
            let lead = self.versions.each(|page| page.key(&name).map(|key| key.lead));
            // Where a version lacks the key, its comment is as it was.
            let was = lead.base.unwrap_or_default();
            let lead = lead.map(|lead| lead.unwrap_or(was));
            out.push_str(&self.by_lines(lead));
            let raw = |page: &Page<'_>| page.key(&name).map_or("", |key| key.raw).to_owned();
            let entry = match name.as_str() {
                life_key if LIFE.contains(&life_key) => raw(life),
                key if VERIFIED.contains(&key) => raw(verified),
                "status" => self.status(life),
                _ => self.entry(&name),
            };
            out.push_str(&entry);
        }
        let after = self.versions.each(|page| Some(page.after_keys));
        out + &self.by_lines(after.map(Option::unwrap_or_default))
    }

    fn by_lines(&mut self, texts: Three<&str>) -> String {
        let (text, conflicts) = lines::merge(texts, self.size);
        self.conflicts += conflicts;
        text
    }

    fn entry(&mut self, name: &str) -> String {
        let keys = self.versions.each(|page| page.key(name));
        let raws = keys.map(|key| key.map_or("", |key| key.raw));
        let values = self.versions.each(|page| page.value(name));
        let both_changed = raws.base != raws.ours && raws.base != raws.theirs;
        let adds_up = Rule::of(name) == Rule::Count && both_changed;
        if !adds_up && let Some(settled) = raws.settled() {
            return (*settled).to_owned();
        }
        if !adds_up && let Some(settled) = values.settled() {
            return settled.map(|value| self.written(name, value)).unwrap_or_default();
        }
        // A comment can't be merged with the value beside it.
        let has_comment = raws.pair().into_iter().any(|raw| raw.contains(" #"));
        let combined = if has_comment { None } else { self.combine(name, values) };
        match combined {
            Some(Some(value)) => self.written(name, &value),
            Some(None) => String::new(),
            None => self.conflict(raws),
        }
    }

    /// In the bytes of a version that says the same, else in our style.
    fn written(&self, name: &str, value: &Yaml) -> String {
        let Three { base, ours, theirs } = self.versions.each(|page| page.key(name));
        let says_it = |key: &Option<&'a Key<'a>>| key.is_some_and(|key| key.value == *value);
        let mut sides = [ours, theirs];
        sides.sort_by_key(|key| key.map(|key| key.raw));
        let known = [base].into_iter().chain(sides).find(says_it).flatten();
        known.map_or_else(|| write_entry(name, value), |key| key.raw.to_owned())
    }

    /// The status of a decision and its state go together.
    fn status(&mut self, life: &Page<'_>) -> String {
        let entry = self.entry("status");
        let written = |status: &str| write_entry("status", &Yaml::text(status));
        if self.start.kind() != Kind::Decision {
            return entry;
        }
        let is_over = life.text("state") == Some("superseded");
        let says_so = entry == written("superseded");
        match life.text("status") {
            _ if is_over == says_so => entry,
            _ if is_over => written("superseded"),
            Some(status) if status != "superseded" => written(status),
            _ => written("accepted"),
        }
    }

    /// The side whose state, with all that belongs to it, is taken.
    fn life(&mut self) -> &'a Page<'a> {
        let Three { ours, theirs, .. } = *self.versions;
        if let Some(settled) = self.settled_unit(LIFE) {
            return settled;
        }
        let by_text = || unit(theirs, LIFE).cmp(&unit(ours, LIFE));
        let order = life_rank(ours).cmp(&life_rank(theirs));
        let order = order.then(self.age.reverse()).then_with(by_text);
        let [kept, other] = if order.is_le() { [ours, theirs] } else { [theirs, ours] };
        let [kept_state, state] = [kept, other].map(|it| it.text("state").unwrap_or_default());
        if kept_state == state {
            let base = self.versions.base.and_then(|base| base.text("state"));
            if base.is_some_and(|base| base != state) {
                self.note(&format!("both moved it to {state}: the later move was kept"));
            }
        } else {
            let mut both = [kept, other];
            both.sort_by_key(|page| std::cmp::Reverse(life_rank(page)));
            let [weaker, stronger] = both.map(|page| page.text("state").unwrap_or("no state"));
            self.note(&format!("{weaker} and {stronger}: {kept_state} was kept"));
        }
        kept
    }

    fn verified(&self) -> &'a Page<'a> {
        if let Some(settled) = self.settled_unit(VERIFIED) {
            return settled;
        }
        let Three { ours, theirs, .. } = *self.versions;
        let rank = |page: &'a Page<'a>| (page.instant("verified_at"), unit(page, VERIFIED));
        if rank(ours) >= rank(theirs) { ours } else { theirs }
    }

    fn settled_unit(&self, names: &[&str]) -> Option<&'a Page<'a>> {
        let Three { ours, theirs, .. } = *self.versions;
        let units = self.versions.each(|page| Some(unit(page, names)));
        if units.base == units.theirs || units.ours == units.theirs {
            return Some(ours);
        }
        (units.base == units.ours).then_some(theirs)
    }

    /// The keys of the start, and new ones behind the nearest that comes before them in a file of
    /// ours; those that nobody knows at the end.
    fn key_order(&self) -> Vec<String> {
        let own = self.start.kind().fields().iter().map(|field| field.name.as_ref());
        let (head, rest) = FIELDS.split_at(HEAD_FIELDS);
        let [head, rest] = [head, rest].map(|fields| fields.iter().map(|field| field.key));
        let usual: Vec<&str> =
            ["id", "type"].into_iter().chain(head).chain(own).chain(rest).collect();
        let rank = |name: &str| usual.iter().position(|it| *it == name).unwrap_or(usual.len());
        let mut names: Vec<String> = self.start.keys.iter().map(|key| key.name.clone()).collect();
        let sides = [self.versions.ours, self.versions.theirs];
        let mut new: Vec<&str> =
            sides.iter().flat_map(|page| &page.keys).map(|key| key.name.as_str()).collect();
        new.retain(|name| self.start.key(name).is_none());
        new.sort_by_key(|name| (rank(name), *name));
        new.dedup();
        for name in new {
            let at = rank(name);
            let before = names.iter().enumerate().filter(|(_, it)| rank(it) < at);
            let near = before.max_by_key(|(_, it)| rank(it)).map_or(0, |(place, _)| place + 1);
            let place = if at == usual.len() { names.len() } else { near };
            names.insert(place, name.to_owned());
        }
        names
    }
}

/// The values of some keys as texts that can be compared.
fn unit(page: &Page<'_>, names: &[&str]) -> Vec<Option<String>> {
    names.iter().map(|name| page.value(name).map(Yaml::plain)).collect()
}
