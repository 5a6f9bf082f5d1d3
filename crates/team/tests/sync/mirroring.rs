//! The stores of the organisation are copied to a machine: there they are read, bind, and can't be written (R434).

use oldhand_core::actor::Via;
use oldhand_core::event::{Event, EventType};
use oldhand_core::kind::{Kind, Kinds};
use oldhand_core::memory::{Memory, MemoryId};
use oldhand_core::origin::Origin;
use oldhand_core::state::State;
use oldhand_pg::access::Access;
use oldhand_store::port::{FileWrite, Plan, Vault};
use oldhand_testkit::postgres::Programs;

use crate::Test;
use crate::world::{READER, World};

pub(crate) const TESTS: &[Test] =
    &[("mirroring::what_the_organisation_decided_binds_in_a_repository", binds)];

/// A constraint of a person, in force on the server.
fn constraint(world: &World, store: i32, title: &str, rule: &str) {
    let kinds = Kinds::default();
    let mut memory = Memory::new(MemoryId::of_title(title), Kind::Constraint, title);
    memory.title = title.to_owned();
    memory.origin = Origin::User;
    memory.state = State::Canonical;
    memory.created_at = Some(world.now());
    memory.updated_at = memory.created_at;
    memory.content.set("rule", oldhand_core::content::FieldValue::text(rule));
    let text = oldhand_core::codec::markdown::render(&memory, &kinds);
    let path = format!("{}/{}.md", kinds.spec(&memory.kind).folder, memory.id);
    let mut event = Event::new(EventType::Created, memory.id.as_str(), world.now());
    (event.by, event.via, event.origin) = ("ines".to_owned(), Via::Terminal, Some(Origin::User));
    (event.path, event.to) = (path.clone(), Some(State::Canonical));
    let hash = oldhand_text::hash::ContentHash::of(text.as_bytes());
    event.after = Some(hash.to_string());
    let (id, after) = (memory.id.clone(), Some(text));
    let plan = Plan::one(FileWrite { path, id, before: None, after, memory: None }, event);
    let access = Access::new(&world.bed.database, world.bed.caller(&[store]));
    let vault = world.bed.vault(&access, store);
    drop(vault.write(&mut || Ok(plan.clone())).expect("written").settle());
}

fn binds(programs: &Programs) {
    let world = World::new(programs);
    let rules = world.store("rules", "org", "server");
    world.store("pay", "repository", "git");
    world.store("shop", "repository", "git");
    constraint(&world, rules, "No MySQL", "Never use MySQL for orders");
    let pay = world.repository("pay");
    pay.reference("Staging host", "db-2");
    pay.commit("one");
    pay.connect("pay");
    let shop = world.repository("shop");
    shop.reference("Shop host", "db-3");
    shop.commit("one");
    // Not known to the server yet: nothing of it counts there.
    let said = shop.sync_at(&world.address, READER, &["mirror"]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(said.out.contains("org `rules`: 1 memories"), "{said:?}");
    assert!(!shop.oldhand(&["recall", "MySQL orders"]).contains("Never use MySQL"));
    shop.connect("shop");
    let said = shop.sync_at(&world.address, READER, &["mirror"]);
    assert!(said.code == 0 && said.out.contains("0 changed"), "{said:?}");
    let said = shop.oldhand(&["recall", "MySQL orders"]);
    assert!(said.contains("Never use MySQL") && said.contains("organisation rules"), "{said}");
    let said = shop.oldhand_says(&["check", "Use MySQL for orders"]);
    assert!(said.out.contains("no-mysql") || said.out.contains("No MySQL"), "{said:?}");
    let mysql = ["add", "decision", "--title", "MySQL", "--decision", "Use MySQL for orders"];
    let said = shop.oldhand_says(&mysql);
    assert!(said.code == 1 && said.err.contains("CONFLICT"), "{said:?}");
    assert!(said.err.contains("organisation rules"), "{said:?}");
    // Only read.
    let said = shop.oldhand_says(&["retire", "no-mysql", "--reason", "not here"]);
    assert!(said.code == 1 && said.err.contains("which is only read"), "{said:?}");
    let said = start(&shop.root, &world);
    assert!(said.contains("No MySQL") || said.contains("Never use MySQL"), "{said}");
    // What is taken back on the server is taken back here.
    let access = Access::new(&world.bed.database, world.bed.caller(&[rules]));
    let vault = world.bed.vault(&access, rules);
    let stored = vault.scan().expect("readable").stored.pop().expect("one");
    let file = FileWrite::removal(&stored.path, &stored.memory.id, stored.hash);
    let event = Event::new(EventType::Collected, stored.memory.id.as_str(), world.now());
    let plan = Plan::one(file, event);
    drop(vault.write(&mut || Ok(plan.clone())).expect("written").settle());
    assert!(shop.sync(&["mirror"]).contains("0 memories, 1 changed"));
    assert!(!shop.oldhand(&["recall", "MySQL orders"]).contains("Never use MySQL"));
    shop.oldhand(&mysql);
}

/// What a session-start hook tells, in process.
fn start(root: &std::path::Path, world: &World) -> String {
    let payload = serde_json::json!({
        "session_id": "s1", "hook_event_name": "SessionStart", "source": "startup",
        "cwd": root, "transcript_path": "",
    });
    crate::world::hook(world, root, &payload.to_string())
}
