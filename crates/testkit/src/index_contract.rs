//! What every index and every `Nearby` keeps, whatever it is made of: one suite for each port, which
//! each implementation passes.

use jiff::Timestamp;
use oldhand_core::codec::markdown;
use oldhand_core::event::{Event, EventType};
use oldhand_core::kind::{Kind, Kinds};
use oldhand_core::memory::{Memory, MemoryId};
use oldhand_core::recall::query::Query;
use oldhand_core::recall::rank::Candidate;
use oldhand_core::state::State;
use oldhand_store::port::index::{Ask, Index, Looked, Narrow, Semantic};
use oldhand_store::port::{FileWrite, Measure, NearAsk, Nearby, Plan, Vault};

/// A store, and ways to ask its index.
pub trait IndexBed {
    fn vault(&self) -> &dyn Vault;
    /// Puts a file in place without a write, as an editor would.
    fn put(&self, path: &str, text: &str);
    /// Opens the index as a command does.
    fn with_index(&self, ask: &mut dyn FnMut(&dyn Index));
}

/// A store, and what asks for its neighbours.
pub struct NearbyBed<'b> {
    pub vault: &'b dyn Vault,
    pub nearby: &'b dyn Nearby,
}

/// One promise, on a store of its own.
type IndexCase = fn(&dyn IndexBed);
type NearbyCase = fn(NearbyBed<'_>);

/// Makes an empty store and hands it to a case. Each case gets one of its own.
pub type MakeIndex<'m> = &'m dyn Fn(&dyn Fn(&dyn IndexBed));
pub type MakeNearby<'m> = &'m dyn Fn(&dyn Fn(NearbyBed<'_>));

/// Every case, with its name: a failure says which promise was broken.
const INDEX_CASES: &[(&str, IndexCase)] = &[
    ("nothing is found in an empty store", empty),
    ("words find what has them, in any form", words_find),
    ("a title counts, and so does the share of the words", words_are_measured),
    ("filters and states narrow every answer alike", filters_narrow),
    ("the newest come first, ties by id", newest_first),
    ("rows are listed by path, and files that can't be read are named", rows_by_path),
    ("what is read is the file of this moment", read_is_current),
    ("a change by whatever hand is found", changes_are_found),
    ("a name leads to what has it as an alias", aliases_lead),
    ("without a model meaning is off, and says why only when asked", meaning_is_off),
];

const NEARBY_CASES: &[(&str, NearbyCase)] = &[
    ("what shares words is near, within what was asked for", shared_words_are_near),
    ("an alias leads to its file, whatever its case", aliased_files),
    ("rows are those of the index, and follow every write", rows_follow),
];

pub fn index(make: MakeIndex<'_>) {
    for (name, case) in INDEX_CASES {
        make(&|bed| keeps(name, || case(bed)));
    }
}

pub fn nearby(make: MakeNearby<'_>) {
    for (name, case) in NEARBY_CASES {
        make(&|bed| keeps(name, || case(bed)));
    }
}

fn keeps(name: &str, case: impl FnOnce()) {
    let kept = std::panic::catch_unwind(std::panic::AssertUnwindSafe(case));
    assert!(kept.is_ok(), "broken: {name}");
}

fn memory(title: &str, text: &str) -> Memory {
    let mut memory = Memory::new(MemoryId::of_title(title), Kind::Reference, title);
    memory.sections = vec![("Notes".to_owned(), text.to_owned())];
    memory.state = State::Stable;
    memory
}

fn path_of(memory: &Memory) -> String {
    format!("{}/{}.md", Kinds::default().spec(&memory.kind).folder, memory.id)
}

fn put(vault: &dyn Vault, memory: Memory) -> FileWrite {
    let mut event =
        Event::new(EventType::Created, memory.id.as_str(), memory.created_at.unwrap_or_default());
    event.path = path_of(&memory);
    event.to = Some(memory.state);
    let file = FileWrite {
        path: path_of(&memory),
        id: memory.id.clone(),
        before: None,
        after: Some(markdown::render(&memory, &Kinds::default())),
        memory: Some(memory),
    };
    write(vault, Plan::one(file.clone(), event));
    file
}

fn write(vault: &dyn Vault, plan: Plan) {
    let written = vault.write(&mut || Ok(plan.clone()));
    drop(written.expect("a write").settle());
}

fn remove(vault: &dyn Vault, file: &FileWrite) {
    let hash = file.hash().expect("a text");
    let mut event = Event::new(EventType::Collected, file.id.as_str(), Timestamp::UNIX_EPOCH);
    event.path.clone_from(&file.path);
    write(vault, Plan::one(FileWrite::removal(&file.path, &file.id, hash), event));
}

fn look(index: &dyn Index, text: &str) -> Looked {
    let (query, narrow) = (Query::new(text, &[]), Narrow::default());
    index.look(&Ask { query: &query, narrow: &narrow, semantic: false, top: 10 }).expect("a look")
}

fn ids(mut candidates: Vec<Candidate>) -> Vec<String> {
    candidates.sort_by(|a, b| a.card.id.cmp(&b.card.id));
    in_order(&candidates)
}

fn in_order(candidates: &[Candidate]) -> Vec<String> {
    candidates.iter().map(|one| one.card.id.clone()).collect()
}

/// Three memories, of which two speak of money.
fn fill(vault: &dyn Vault) {
    put(vault, memory("Integer cents", "We store each amount of money as an integer."));
    put(vault, memory("Rounding", "Money is rounded half to even, never truncated."));
    put(vault, memory("Queue of jobs", "A worker takes one job from the queue."));
}

fn empty(bed: &dyn IndexBed) {
    bed.with_index(&mut |index| {
        let looked = look(index, "money");
        assert!(looked.candidates.is_empty());
        assert_eq!((looked.size.memories, looked.size.bytes), (0, 0));
        let any = Narrow::default();
        assert!(index.newest(&any, 9).expect("readable").is_empty());
        assert!(index.cards(&any).expect("readable").is_empty());
        assert_eq!(index.count(&any).expect("readable"), 0);
        assert!(index.rows(&any).expect("readable").is_some_and(|rows| rows.listed.is_empty()));
        assert_eq!(index.facts().expect("readable").memories, 0);
        assert!(index.notes().is_empty());
    });
}

fn words_find(bed: &dyn IndexBed) {
    fill(bed.vault());
    bed.with_index(&mut |index| {
        let found = |text: &str| ids(look(index, text).candidates);
        assert_eq!(found("money"), ["integer-cents", "rounding"]);
        assert_eq!(found("rounding"), ["rounding"]);
        assert_eq!(found("storing integers"), ["integer-cents"]);
        assert!(found("kubernetes").is_empty());
        assert_eq!(look(index, "kubernetes").size.memories, 3);
    });
}

fn words_are_measured(bed: &dyn IndexBed) {
    fill(bed.vault());
    bed.with_index(&mut |index| {
        let candidates = look(index, "integer cents").candidates;
        let [one] = candidates.as_slice() else { panic!("found {candidates:?}") };
        assert_eq!((one.features.coverage, one.features.title_coverage), (1.0, 1.0));
        assert_eq!(one.matched, ["integer", "cents"]);
        assert!(one.features.lexical > 0.0 && one.features.dense.is_none());
        assert_eq!(one.path, "reference/integer-cents.md");
        for one in look(index, "money queue").candidates {
            assert!(one.features.coverage > 0.0 && one.features.coverage < 1.0);
        }
    });
}

fn filters_narrow(bed: &dyn IndexBed) {
    fill(bed.vault());
    let mut tagged = memory("Old money", "Money was a float once.");
    tagged.tags = vec!["billing".to_owned()];
    tagged.state = State::Superseded;
    put(bed.vault(), tagged);
    bed.with_index(&mut |index| {
        let check = |words: &[&[&str]], states: &[State], want: &[&str]| {
            let words = words.iter().map(|group| group.iter().map(|it| (*it).to_owned()).collect());
            let narrow = Narrow { words: words.collect(), states: states.to_vec() };
            assert_eq!(in_order(&index.cards(&narrow).expect("readable")), want);
            assert_eq!(index.count(&narrow).expect("readable"), want.len());
            assert_eq!(ids(index.newest(&narrow, 9).expect("readable")), want);
            let rows = index.rows(&narrow).expect("readable").expect("up to date").listed;
            assert_eq!(rows.iter().map(|row| row.id()).collect::<Vec<_>>(), want);
            let query = Query::new("money worker", &[]);
            let ask = Ask { query: &query, narrow: &narrow, semantic: false, top: 9 };
            assert_eq!(ids(index.look(&ask).expect("readable").candidates), want);
        };
        let all = ["integer-cents", "old-money", "queue-of-jobs", "rounding"];
        check(&[], &[], &all);
        check(&[&["kind:reference"]], &[], &all);
        check(&[&["kind:decision"]], &[], &[]);
        check(&[&["tag:billing"]], &[], &["old-money"]);
        check(&[], &[State::Superseded], &["old-money"]);
        check(&[&["kind:reference"], &["tag:billing"]], &[State::Stable], &[]);
        check(&[&["id:rounding", "id:old-money"]], &[], &["old-money", "rounding"]);
    });
}

fn newest_first(bed: &dyn IndexBed) {
    for (title, second) in [("Old", 10), ("B", 20), ("A", 20), ("New", 30)] {
        let mut memory = memory(title, "text");
        memory.created_at = Timestamp::from_second(second).ok();
        put(bed.vault(), memory);
    }
    bed.with_index(&mut |index| {
        let newest = |limit| in_order(&index.newest(&Narrow::default(), limit).expect("readable"));
        assert_eq!(newest(9), ["new", "a", "b", "old"]);
        assert_eq!(newest(2), ["new", "a"]);
        assert!(newest(0).is_empty());
    });
}

fn rows_by_path(bed: &dyn IndexBed) {
    fill(bed.vault());
    bed.put("reference/broken.md", "---\nkind: [\n---\n");
    bed.with_index(&mut |index| {
        let rows = index.rows(&Narrow::default()).expect("readable").expect("up to date");
        let paths: Vec<&str> = rows.listed.iter().map(|row| row.path.as_str()).collect();
        let want = ["integer-cents", "queue-of-jobs", "rounding"];
        assert_eq!(paths, want.map(|id| format!("reference/{id}.md")));
        assert!(rows.listed.iter().all(|row| row.row.state() == State::Stable));
        assert!(rows.log.first_event().is_some());
        let unread: Vec<&str> = rows.unreadable.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(unread, ["reference/broken.md"]);
        let notes = index.notes();
        assert!(notes.iter().any(|note| note.contains("`reference/broken.md`")), "{notes:?}");
    });
}

fn read_is_current(bed: &dyn IndexBed) {
    let file = put(bed.vault(), memory("Integer cents", "We store money as an integer."));
    bed.with_index(&mut |index| {
        let one = index.cards(&Narrow::default()).expect("readable").remove(0);
        let stored = index.read(&one).expect("readable").expect("there");
        assert_eq!(Some(stored.text), file.after);
        bed.put(
            &file.path,
            &file.after.clone().expect("a text").replace("integer", "whole number"),
        );
        let stored = index.read(&one).expect("readable").expect("there");
        assert!(stored.text.contains("whole number"));
    });
    bed.with_index(&mut |index| {
        let one = index.cards(&Narrow::default()).expect("readable").remove(0);
        let file = bed.vault().read_raw(&file.path).expect("readable").expect("there");
        let id = MemoryId::of_title("Integer cents");
        let removal = FileWrite::removal(&file.path, &id, file.hash);
        let event = Event::new(EventType::Collected, id.as_str(), Timestamp::UNIX_EPOCH);
        write(bed.vault(), Plan::one(removal, event));
        assert!(index.read(&one).expect("readable").is_none());
    });
}

fn changes_are_found(bed: &dyn IndexBed) {
    let found = |text: &str| {
        let mut found = Vec::new();
        bed.with_index(&mut |index| found = ids(look(index, text).candidates));
        found
    };
    fill(bed.vault());
    assert_eq!(found("queue"), ["queue-of-jobs"]);
    let file = put(bed.vault(), memory("Second queue", "Slow jobs wait in it."));
    assert_eq!(found("queue"), ["queue-of-jobs", "second-queue"]);
    let text = file.after.clone().expect("a text").replace("Slow jobs", "Payments");
    bed.put(&file.path, &text);
    assert_eq!(found("payments"), ["second-queue"]);
    assert!(found("slow").is_empty());
    bed.put("reference/by-hand.md", &text.replace("second-queue", "by-hand"));
    assert_eq!(found("payments"), ["by-hand", "second-queue"]);
    let hash = oldhand_text::hash::ContentHash::of(text.as_bytes());
    remove(bed.vault(), &FileWrite { after: Some(text), before: Some(hash), ..file });
    assert_eq!(found("payments"), ["by-hand"]);
}

fn aliases_lead(bed: &dyn IndexBed) {
    let mut named = memory("Integer cents", "We store money as an integer.");
    named.aliases = vec!["ADR-7".to_owned()];
    put(bed.vault(), named);
    bed.with_index(&mut |index| {
        for (word, want) in
            [("id:adr-7", 1), ("id:integer-cents", 1), ("series:adr", 1), ("id:adr-8", 0)]
        {
            let narrow = Narrow { words: vec![vec![word.to_owned()]], states: Vec::new() };
            assert_eq!(index.count(&narrow).expect("readable"), want, "{word}");
        }
    });
}

fn meaning_is_off(bed: &dyn IndexBed) {
    fill(bed.vault());
    bed.with_index(&mut |index| {
        let (query, narrow) = (Query::new("money", &[]), Narrow::default());
        for semantic in [false, true] {
            let ask = Ask { query: &query, narrow: &narrow, semantic, top: 9 };
            let Semantic::Off { why } = index.look(&ask).expect("readable").semantic else {
                panic!("measured without a model");
            };
            assert_eq!(!why.is_empty(), semantic);
        }
    });
}

fn near(bed: &NearbyBed<'_>, text: &str, within: &[Narrow]) -> Vec<String> {
    let ask = NearAsk { text, within, top: 9, by: Measure::Words };
    let mut paths: Vec<String> =
        bed.nearby.near(&ask).expect("near").into_iter().map(|one| one.path).collect();
    paths.sort();
    paths
}

fn shared_words_are_near(bed: NearbyBed<'_>) {
    fill(bed.vault);
    let mut old = memory("Old money", "Money was a float once.");
    old.state = State::Superseded;
    put(bed.vault, old);
    let stable = Narrow { words: Vec::new(), states: vec![State::Stable] };
    let money = ["reference/integer-cents.md", "reference/rounding.md"];
    assert_eq!(near(&bed, "money in a column", std::slice::from_ref(&stable)), money);
    let gone = Narrow { words: Vec::new(), states: vec![State::Superseded] };
    let all = near(&bed, "money in a column", &[stable, gone]);
    assert_eq!(
        all,
        ["reference/integer-cents.md", "reference/old-money.md", "reference/rounding.md"]
    );
    assert!(near(&bed, "kubernetes", &[Narrow::default()]).is_empty());
}

fn aliased_files(bed: NearbyBed<'_>) {
    let mut named = memory("Integer cents", "We store money as an integer.");
    named.aliases = vec!["ADR-7".to_owned()];
    put(bed.vault, named);
    let aliased = |names: &[&str]| bed.nearby.aliased(names).expect("readable").expect("indexed");
    assert_eq!(aliased(&["adr-7"]), ["reference/integer-cents.md"]);
    assert_eq!(aliased(&["nothing", "ADR-7"]), ["reference/integer-cents.md"]);
    assert!(aliased(&["adr-8"]).is_empty());
}

fn rows_follow(bed: NearbyBed<'_>) {
    let paths = || {
        let rows = bed.nearby.rows(&Narrow::default(), true).expect("readable").expect("indexed");
        rows.listed.into_iter().map(|row| row.path).collect::<Vec<_>>()
    };
    assert!(paths().is_empty());
    fill(bed.vault);
    assert_eq!(paths().len(), 3);
    let file = put(bed.vault, memory("Another", "text"));
    assert_eq!(paths()[0], file.path);
    remove(bed.vault, &file);
    assert_eq!(paths().len(), 3);
}
