//! What every vault keeps, whatever it is made of: one suite that each implementation passes.

use oldhand_core::codec::markdown;
use oldhand_core::event::{Event, EventType};
use oldhand_core::kind::{Kind, Kinds};
use oldhand_core::memory::{Memory, MemoryId};
use oldhand_store::failure::{Failure, StoreErrorKind};
use oldhand_store::port::{FileWrite, Plan, Vault};
use oldhand_text::hash::ContentHash;

/// One promise, on a vault of its own.
pub type VaultCase = fn(&dyn Vault);

/// Makes an empty vault and hands it to a case. Each case gets one of its own.
pub type Make<'m> = &'m dyn Fn(&dyn Fn(&dyn Vault));

/// Every case, with its name: a failure says which promise was broken.
pub const VAULT_CASES: &[(&str, VaultCase)] = &[
    ("nothing is found in an empty vault", empty),
    ("what was written is found by id, path, kind and hash", written_is_found),
    ("a write is applied whole or not at all", all_or_nothing),
    ("a decision on an old version is a conflict", stale_is_a_conflict),
    ("a refused decision changes nothing", refused_changes_nothing),
    ("replaced and removed versions are kept", versions_are_kept),
    ("events are in order, each of one write, with an id of its own", events_are_in_order),
    ("a plan leads nowhere but into a folder of memories", plans_stay_inside),
    ("a visit sees every file once, by path", visits_see_all),
    ("a view is replaced only as it was seen", views_are_compared),
];

pub fn vault(make: Make<'_>) {
    for (name, case) in VAULT_CASES {
        make(&|vault| {
            let kept = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| case(vault)));
            assert!(kept.is_ok(), "broken: {name}");
        });
    }
}

/// A memory's file and the event of its creation.
pub fn creation(title: &str) -> (FileWrite, Event) {
    let kinds = Kinds::default();
    let mut memory = Memory::new(MemoryId::of_title(title), Kind::Reference, title);
    memory.title = title.to_owned();
    let path = format!("{}/{}.md", kinds.spec(&memory.kind).folder, memory.id);
    let text = markdown::render(&memory, &kinds);
    let event = Event::new(EventType::Created, memory.id.as_str(), jiff::Timestamp::UNIX_EPOCH);
    let file = FileWrite {
        path,
        id: memory.id.clone(),
        before: None,
        after: Some(text),
        memory: Some(memory),
    };
    (file, event)
}

fn write(vault: &dyn Vault, plan: Plan) -> Result<(), Failure> {
    vault.write(&mut || Ok(plan.clone())).map(|pending| drop(pending.settle()))
}

fn put(vault: &dyn Vault, title: &str) -> FileWrite {
    let (file, event) = creation(title);
    write(vault, Plan::one(file.clone(), event)).expect("a new file is written");
    file
}

fn empty(vault: &dyn Vault) {
    let id = MemoryId::of_title("nothing");
    assert!(vault.find(&id).expect("readable").is_none());
    assert!(vault.find_raw(&id).expect("readable").is_none());
    assert!(vault.scan().expect("readable").stored.is_empty());
    assert!(vault.ids().expect("readable").is_empty());
    assert!(vault.events().expect("readable").is_empty());
    assert!(vault.pending().expect("readable").is_empty());
    assert!(vault.kept("no hash").expect("readable").is_none());
}

fn written_is_found(vault: &dyn Vault) {
    let file = put(vault, "Use cents");
    let found = vault.find(&file.id).expect("readable").expect("found by id");
    assert_eq!((Some(found.text), Some(found.hash)), (file.after.clone(), file.hash()));
    assert_eq!(found.memory.title, "Use cents");
    assert!(vault.find_at(&file.path).expect("readable").is_some());
    assert!(vault.read_raw(&file.path).expect("readable").is_some());
    let kinds = Kinds::default();
    let spec = kinds.spec(&Kind::Reference);
    assert_eq!(vault.scan_kind(&spec).expect("readable").stored.len(), 1);
    assert_eq!(vault.count_files(&spec.folder, 9).expect("countable"), 1);
    assert_eq!(vault.ids().expect("readable"), [file.id.to_string()]);
}

fn all_or_nothing(vault: &dyn Vault) {
    let there = put(vault, "There already");
    let (fresh, event) = creation("Fresh");
    let clash = FileWrite { before: None, ..there.clone() };
    let plan = Plan { files: vec![fresh.clone(), clash], events: vec![event] };
    assert!(write(vault, plan).is_err());
    assert!(vault.find(&fresh.id).expect("readable").is_none());
    assert_eq!(vault.events().expect("readable").len(), 1);
}

fn stale_is_a_conflict(vault: &dyn Vault) {
    let file = put(vault, "Use cents");
    let stale = FileWrite { before: Some(ContentHash::of(b"older")), ..file };
    let event = Event::new(EventType::Updated, stale.id.as_str(), jiff::Timestamp::UNIX_EPOCH);
    match write(vault, Plan::one(stale, event)) {
        Err(Failure::Store(error)) => assert_eq!(error.kind, StoreErrorKind::Conflict),
        other => panic!("expected a conflict, got {:?}", other.err()),
    }
}

fn refused_changes_nothing(vault: &dyn Vault) {
    let refusal = oldhand_core::refusal::Refusal::new(oldhand_core::refusal::Code::State, "no");
    let refused = vault.write(&mut || Err(refusal.clone().into())).err();
    assert!(matches!(refused, Some(Failure::Refused(_))));
    empty(vault);
}

fn versions_are_kept(vault: &dyn Vault) {
    let file = put(vault, "Use cents");
    let text = file.after.clone().expect("a text");
    let changed = format!("{text}\nMore.\n");
    let update = FileWrite { before: file.hash(), after: Some(changed), ..file.clone() };
    let event = |kind| Event::new(kind, file.id.as_str(), jiff::Timestamp::UNIX_EPOCH);
    write(vault, Plan::one(update.clone(), event(EventType::Updated))).expect("updated");
    let removal = FileWrite { before: update.hash(), after: None, memory: None, ..file.clone() };
    write(vault, Plan::one(removal, event(EventType::Collected))).expect("removed");
    assert!(vault.find(&file.id).expect("readable").is_none());
    for version in [file.hash(), update.hash()] {
        let hash = version.expect("a hash").to_string();
        assert!(vault.kept(&hash).expect("readable").is_some(), "{hash} is gone");
    }
}

fn events_are_in_order(vault: &dyn Vault) {
    let first = put(vault, "First");
    put(vault, "Second");
    let events = vault.events().expect("readable");
    let titles: Vec<&str> = events.iter().map(|event| event.memory.as_str()).collect();
    assert_eq!(titles, ["first", "second"]);
    assert!(events.iter().all(|event| !event.id.is_empty() && !event.write.is_empty()));
    assert_ne!(events[0].write, events[1].write);
    let own = vault.events_of(first.id.as_str()).expect("readable");
    assert_eq!(own, events[..1]);
    let mut visited = Vec::new();
    vault.visit_events(&mut |event| visited.push(event)).expect("readable");
    assert_eq!(visited, events);
}

fn plans_stay_inside(vault: &dyn Vault) {
    let (file, event) = creation("Use cents");
    for path in ["../outside.md", "use-cents.md", "references/other.md"] {
        let file = FileWrite { path: path.to_owned(), ..file.clone() };
        assert!(write(vault, Plan::one(file, event.clone())).is_err(), "{path} was taken");
    }
    empty(vault);
}

fn visits_see_all(vault: &dyn Vault) {
    let mut paths = vec![put(vault, "B").path, put(vault, "A").path, put(vault, "C").path];
    paths.sort();
    let mut seen = Vec::new();
    vault
        .visit(&mut |visit| {
            seen.push(visit.file.expect("readable").path);
            assert_eq!((visit.done, visit.of), (seen.len(), 3));
        })
        .expect("readable");
    assert_eq!(seen, paths);
}

fn views_are_compared(vault: &dyn Vault) {
    for page in ["DECISIONS.md", ".github/copilot-instructions.md"] {
        assert_eq!(vault.read_page(page).expect("readable"), None);
        vault.write_page(page, None, "one").expect("new");
        assert!(vault.write_page(page, Some("other"), "two").is_err());
        vault.write_page(page, Some("one"), "two").expect("as it was seen");
        assert_eq!(vault.read_page(page).expect("readable").as_deref(), Some("two"));
    }
}
