//! What becomes of each record of an import, by what the store has of earlier ones.

use std::collections::{HashMap, HashSet, VecDeque};

use oldhand_text::time::days_after;

use super::arrive::{Arrival, Arriving};
use super::batch::ImportStep;
use super::gone::{Missing, rename};
use super::links::link;
use super::report::{Fate, Item, SourceReport};
use super::run::{ImportOptions, ImportRun, Permit, Read, Take};
use super::shelf::{Known, Shelf, TextKey};
use crate::context::Exchange;
use crate::prelude::*;

/// Below it, equal words under two titles may be two things.
const TEXT_CHARS_MIN: usize = 80;

pub(super) struct Deciding<'a, 'o> {
    pub(super) exchange: Exchange<'a>,
    pub(super) options: &'o ImportOptions<'o>,
    pub(super) shelf: Shelf,
    pub(super) whole: Vec<bool>,
    pub(super) reports: Vec<SourceReport>,
    pub(super) steps: VecDeque<ImportStep>,
    /// Source and key of everything that the sources still have.
    pub(super) met: HashSet<(String, String)>,
    /// Ids that this run gives.
    pub(super) planned: HashSet<String>,
    /// How many of a source found no room, by the setting that says so.
    pub(super) left_out: BTreeMap<(usize, String), usize>,
}

impl<'a> Deciding<'a, '_> {
    pub(super) fn arrive(&mut self, read: Vec<Read>) -> Vec<Arriving> {
        let mut arriving = Vec::new();
        for Read { source, is_whole } in read {
            let mut report = SourceReport {
                from: source.from.clone(),
                records: source.records.len() + source.refused.len(),
                notes: source.notes,
                settings: source.settings,
                ..SourceReport::default()
            };
            for (fate, passed) in [(Fate::Skipped, source.skipped), (Fate::Refused, source.refused)]
            {
                for one in passed {
                    self.met.insert((source.from.clone(), one.source.clone()));
                    report.items.push(Item::new(fate, &one.source, one.reason));
                }
            }
            let how = Arrival {
                from: &source.from,
                source: self.reports.len(),
                redacts: self.options.redacts,
                line_of: self.options.line_of,
            };
            for mut record in source.records {
                let mut number = 2;
                let key = record.key.clone();
                while !self.met.insert((source.from.clone(), record.key.clone())) {
                    record.key = format!("{key}#{number}");
                    number += 1;
                }
                let key = record.key.clone();
                match self.exchange.arriving(record, &how) {
                    Ok(one) => arriving.push(one),
                    Err(why) => report.items.push(Item::new(Fate::Refused, &key, why)),
                }
            }
            self.reports.push(report);
            self.whole.push(is_whole);
        }
        arriving
    }

    pub(super) fn decide(mut self, arriving: Vec<Arriving>) -> Result<ImportRun<'a>> {
        let mut missing = self.missing();
        let mut kept = self.match_known(arriving, &mut missing);
        self.name(&mut kept);
        let linked = link(&mut kept, &self.shelf, self.options.accepts);
        for (source, note) in linked.notes {
            let notes = &mut self.reports[source].notes;
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        self.accept(&mut kept);
        self.tell_left_out();
        let permit = self.options.permit();
        for mut one in kept {
            let life = &self.exchange.settings.life;
            let now = self.exchange.now;
            one.settle_state(now, |state| match state {
                State::Provisional => Some(days_after(now, life.provisional_review_days)),
                State::Stable => Some(days_after(now, life.stable_review_days)),
                _ => None,
            });
            one.seal();
            self.steps.push_back(match one.known_as.clone() {
                Some(id) => ImportStep::Update { id, one: Box::new(one), permit },
                None => ImportStep::New(Box::new(one)),
            });
        }
        let met: HashSet<&str> = self.steps.iter().filter_map(ImportStep::known).collect();
        let mut superseded = Vec::new();
        for one in linked.superseded.into_iter().filter(|it| !met.contains(it.old.as_str())) {
            let state = self.shelf.maker(&one.old).map(|known| known.state);
            match state.is_some_and(|it| permit.ends(it)) {
                true => superseded.push(ImportStep::Supersede { id: one.old, by: one.new, permit }),
                false if state.is_some_and(State::is_active) => {
                    self.reports[one.source].notes.push(one.claim);
                }
                false => {}
            }
        }
        self.steps.extend(superseded);
        self.tell_missing(missing);
        let Self { exchange, reports, steps, shelf, .. } = self;
        Ok(ImportRun {
            exchange,
            reports,
            steps,
            rivals: None,
            bound: Vec::new(),
            declined: None,
            ids: shelf.ids,
        })
    }

    /// The table of what becomes of a record; those that are written as memories go on.
    fn match_known(
        &mut self,
        arriving: Vec<Arriving>,
        missing: &mut Vec<Missing>,
    ) -> Vec<Arriving> {
        let mut kept: Vec<Arriving> = Vec::new();
        let mut texts: HashMap<TextKey, usize> = HashMap::new();
        let moved = self.moved(&arriving, missing);
        let known_as = |one: &Arriving, shelf: &Shelf| {
            let elsewhere = || shelf.find(moved.get(&one.source)?, &one.key);
            shelf.find(one.from(), &one.key).or_else(elsewhere).cloned()
        };
        if !moved.is_empty() {
            let known = arriving.iter().filter_map(|one| known_as(one, &self.shelf));
            let met: HashSet<MemoryId> = known.map(|known| known.id).collect();
            missing.retain(|it| !met.contains(&it.known.id));
        }
        for mut one in arriving {
            let source = one.source;
            if let Some(known) = known_as(&one, &self.shelf) {
                texts.entry(one.text).or_insert(usize::MAX);
                match self.course_of(&mut one, &known) {
                    Course::Told(item) if known.from != one.from() => {
                        self.steps.push_back(rename(&one, &known, item));
                    }
                    Course::Told(item) => self.reports[source].items.push(item),
                    Course::Planned(step) => self.steps.push_back(step),
                    Course::Written => kept.push(one),
                }
                continue;
            }
            if let Some(step) = self.take_renamed(&one, missing) {
                self.steps.push_back(step);
                continue;
            }
            let is_long = said_chars(&one.memory) >= TEXT_CHARS_MIN;
            let in_run = texts.get(&one.text).and_then(|at| kept.get_mut(*at));
            if let Some(first) = in_run.filter(|it| is_long || it.memory.title == one.memory.title)
            {
                let id = first.known_as.as_ref().map(ToString::to_string);
                let item =
                    Item::new(Fate::Joined, &one.key, format!("the same text as {}", first.key));
                crate::twin::add_new(&mut first.memory.sources, &one.memory.evidence);
                first.links.append(&mut one.links);
                self.reports[source].items.push(Item { id, ..item });
                continue;
            }
            let twin = self.shelf.twin(&one.text);
            if let Some(twin) = twin.filter(|it| is_long || it.title == one.memory.title) {
                let reference = one.memory.evidence.first().cloned().unwrap_or_default();
                let id = twin.id.clone();
                let step = ImportStep::Join {
                    id,
                    path: twin.path.clone(),
                    reference,
                    key: one.key,
                    source,
                };
                self.steps.push_back(step);
                continue;
            }
            texts.insert(one.text, kept.len());
            kept.push(one);
        }
        kept
    }

    fn course_of(&mut self, one: &mut Arriving, known: &Known) -> Course {
        let item = |fate| known.item(fate, &one.key);
        let (id, options, source) = (known.id.clone(), self.options, one.source);
        let is_same = known.hash == one.hash();
        if !known.state.is_active() {
            if !is_same {
                let (key, state) = (&one.key, known.state);
                let note = format!("{key} has changed; `{id}` is {state} here and stays so");
                self.reports[source].notes.push(note);
            }
            return Course::Told(item(Fate::Unchanged));
        }
        if is_same {
            let is_raised = options.accepts && known.state == State::Candidate && !known.is_held;
            let is_moved = known.from != one.from();
            let unchanged = item(if is_moved { Fate::Moved } else { Fate::Unchanged });
            return match is_raised && self.has_room(source, &known.kind) {
                true => Course::Planned(ImportStep::Raise { id, one: Box::new(one.clone()) }),
                false => Course::Told(unchanged),
            };
        }
        let Some(obstacle) = Obstacle::of(known, one) else {
            one.known_as = Some(id);
            return Course::Written;
        };
        if obstacle.gives_way_to(options.permit()) {
            one.known_as = Some(id);
            return Course::Written;
        }
        if options.take == Some(Take::Ours) {
            let hash = one.hash().to_owned();
            let (from, key) = (one.from().to_owned(), one.key.clone());
            return Course::Planned(ImportStep::Settle { id, source, hash, from, key });
        }
        Course::Told(item(Fate::Diverged).because(obstacle.reason(&id)))
    }

    /// The slug of the title, or the first numbered one that nobody has.
    fn name(&mut self, kept: &mut [Arriving]) {
        for one in kept.iter_mut().filter(|one| one.known_as.is_none()) {
            let base = one.memory.id.clone();
            let mut number = 2;
            while self.shelf.ids.contains(one.memory.id.as_str())
                || !self.planned.insert(one.memory.id.to_string())
            {
                one.memory.id = base.numbered(number);
                number += 1;
            }
        }
    }

    /// A person vouches for what is not held and fits; the newest first, where not all fits.
    fn accept(&mut self, kept: &mut [Arriving]) {
        if !self.options.accepts {
            return;
        }
        let mut order: Vec<usize> = (0..kept.len()).collect();
        order.sort_by_key(|at| std::cmp::Reverse(kept[*at].memory.created_at));
        for at in order {
            let one = &mut kept[at];
            if !self.options.keeps_state {
                one.kept_state = None;
            }
            let is_over = one.ending.is_some() || one.memory.superseded_by.is_some();
            let stays = one.kept_state == Some(State::Candidate);
            if one.held.is_some() || is_over || stays {
                continue;
            }
            // What is served already takes no more room than it has.
            if one.known_as.is_some() || self.has_room(one.source, &one.memory.kind) {
                one.is_accepted = true;
                let accepted = format!("accepted:{}", self.exchange.by);
                let evidence = std::mem::take(&mut one.evidence).into_iter().chain([accepted]);
                crate::twin::add_new(&mut one.memory.evidence, &evidence.collect::<Vec<_>>());
            }
        }
    }

    /// Takes a place among the kept memories of a kind, if one is left; whoever gets none is counted.
    fn has_room(&mut self, source: usize, kind: &Kind) -> bool {
        let spec = self.exchange.settings.kinds.spec(kind);
        let (max, key) = match spec.max_retained {
            0 => {
                let max = self.exchange.settings.write.memories_per_kind_max;
                (max, "limits.max_memories_per_kind".to_owned())
            }
            most => (most, format!("kinds.{kind}.max_retained")),
        };
        let active = self.shelf.active.entry(kind.to_string()).or_default();
        if max == 0 || *active < max {
            *active += 1;
            return true;
        }
        *self.left_out.entry((source, key)).or_default() += 1;
        false
    }

    fn tell_left_out(&mut self) {
        for ((source, key), count) in std::mem::take(&mut self.left_out) {
            let memories = counted(count, "memory stays a candidate", "memories stay candidates");
            self.reports[source].notes.push(format!("{memories}: `{key}` is reached"));
        }
    }
}

/// What keeps a changed record from replacing the words of its memory.
#[derive(Clone, Copy)]
pub(super) enum Obstacle {
    /// Its new words would not be served on arrival, and the memory is.
    Held,
    /// Its fields are not those of the memory, which has a place and a life.
    OtherKind,
    Edited,
    /// Nothing from outside leaves the candidates without a person.
    Approved,
}

impl Obstacle {
    pub(super) fn of(known: &Known, one: &Arriving) -> Option<Self> {
        let is_approved = known.state != State::Candidate;
        let is_other_kind = one.memory.kind != known.kind;
        Some(match () {
            () if is_approved && one.held.is_some() => Self::Held,
            () if is_other_kind && (is_approved || !known.is_pristine) => Self::OtherKind,
            () if !known.is_pristine => Self::Edited,
            () if is_approved => Self::Approved,
            () => return None,
        })
    }

    pub(super) fn gives_way_to(self, permit: Permit) -> bool {
        let is_taken = permit.take == Some(Take::Theirs);
        match self {
            Self::Held | Self::OtherKind => false,
            Self::Edited => is_taken,
            Self::Approved => is_taken || permit.accepts,
        }
    }

    pub(super) fn reason(self, id: &MemoryId) -> String {
        let by_hand =
            format!("`oldhand edit {id}` takes what you want of it, `--take ours` none of it");
        let take = "`--take theirs` or `--take ours` settles it";
        match self {
            Self::Held => format!("its new text would be held; {by_hand}"),
            Self::OtherKind => format!("it is of another kind there now; {by_hand}"),
            Self::Edited => format!("it was edited here; {take}"),
            Self::Approved => format!("a person approved other words; {take}"),
        }
    }
}

/// What becomes of a record whose memory is here.
enum Course {
    Told(Item),
    Planned(ImportStep),
    /// As an update of that memory.
    Written,
}

/// How much a memory says below its title.
fn said_chars(memory: &Memory) -> usize {
    let content = memory.content.iter().map(|(_, value)| value.plain().len());
    content.sum::<usize>() + memory.sections.iter().map(|(_, text)| text.len()).sum::<usize>()
}
