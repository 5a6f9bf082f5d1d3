//! What is decided on the server for a store whose truth is in git waits there, and is written by the rules of the
//! repository (R433).

use oldhand_pg::access::Access;
use oldhand_store::port::{FileWrite, Plan, Vault};
use oldhand_testkit::postgres::Programs;

use crate::Test;
use crate::world::{Repository, World, local_vault};

pub(crate) const TESTS: &[Test] = &[
    ("pulling::what_is_decided_on_the_server_comes_to_a_branch", comes_to_a_branch),
    ("pulling::the_gate_of_the_repository_stops_what_clashes_by_now", gate_stops),
    ("pulling::after_months_what_fits_is_written_and_the_rest_is_told", after_months),
];

/// Copies what a person did in a checkout of their own as a decision on the server: its files and events.
fn decide_there(world: &World, store: i32, from: &Repository<'_>, args: &[&str]) {
    let kinds = oldhand_core::kind::Kinds::default();
    let before = local_vault(from.layout(), &kinds);
    let (old, known) = (before.scan().expect("readable"), before.events().expect("readable").len());
    from.oldhand(args);
    let after = local_vault(from.layout(), &kinds);
    let new = after.scan().expect("readable");
    let old_hash =
        |path: &str| old.stored.iter().find(|it| it.path == path).map(|stored| stored.hash);
    let mut files: Vec<FileWrite> = Vec::new();
    for stored in &new.stored {
        if old_hash(&stored.path) != Some(stored.hash) {
            files.push(FileWrite {
                path: stored.path.clone(),
                id: stored.memory.id.clone(),
                before: old_hash(&stored.path),
                after: Some(stored.text.clone()),
                memory: None,
            });
        }
    }
    let events = after.events().expect("readable").split_off(known);
    let plan = Plan { files, events };
    let access = Access::new(&world.bed.database, world.bed.caller(&[store]));
    let vault = world.bed.vault(&access, store);
    drop(vault.write(&mut || Ok(plan.clone())).expect("it waits").settle());
}

fn waiting(world: &World, store: i32) -> i64 {
    let access = Access::new(&world.bed.database, world.bed.caller(&[store]));
    access.sync_state(store).expect("readable").waiting
}

/// A second checkout, as the server's own view of the repository.
fn clone<'w>(repository: &Repository<'w>, name: &str) -> Repository<'w> {
    let root = repository.world.folder.path().join(name);
    repository.git(&["clone", "-q", ".", root.to_str().expect("UTF-8")]);
    Repository { world: repository.world, root }
}

fn comes_to_a_branch(programs: &Programs) {
    let world = World::new(programs);
    let store = world.store("pay", "repository", "git");
    let repository = world.repository("pay");
    repository.reference("Staging host", "db-2");
    repository.reference("Staging queue", "q-7");
    repository.commit("one");
    repository.connect("pay");
    let there = clone(&repository, "there");
    decide_there(&world, store, &there, &["retire", "staging-host", "--reason", "it is gone"]);
    decide_there(
        &world,
        store,
        &there,
        &["apply", "staging-queue", "--effect", "positive", "--task", "A-1"],
    );
    decide_there(&world, store, &there, &["add", "reference", "--title", "New", "--text", "n-1"]);
    // The mirror is what the repository has, until it comes from there.
    repository.is_mirrored(store);
    assert_eq!(waiting(&world, store), 3);
    assert!(repository.sync(&["status"]).contains("3 changes wait"));
    repository.git(&["switch", "-q", "-c", "from-the-server"]);
    let said = repository.sync(&["pull"]);
    assert_eq!(said.matches("written:").count(), 3, "{said}");
    assert!(repository.oldhand(&["show", "staging-host", "--json"]).contains("retired"));
    assert!(repository.oldhand(&["show", "new", "--json"]).contains("n-1"));
    // Written once, however often it is asked for.
    let said = repository.sync(&["pull"]);
    assert_eq!(said.matches("there:").count(), 3, "{said}");
    assert_eq!(waiting(&world, store), 3, "nothing has come back yet");
    repository.commit("what was decided");
    repository.git(&["switch", "-q", "main"]);
    repository.git(&["merge", "-q", "--no-edit", "from-the-server"]);
    repository.sync(&["push"]);
    repository.is_mirrored(store);
    assert_eq!(waiting(&world, store), 0, "it came with the push");
    assert!(repository.sync(&["pull"]).contains("nothing waits"));
}

fn gate_stops(programs: &Programs) {
    let world = World::new(programs);
    let store = world.store("pay", "repository", "git");
    let repository = world.repository("pay");
    repository.reference("Staging host", "db-2");
    repository.commit("one");
    repository.connect("pay");
    let there = clone(&repository, "there");
    let mysql =
        ["add", "decision", "--title", "Use MySQL", "--decision", "Use MySQL for all orders"];
    decide_there(&world, store, &there, &mysql);
    let postgresql = "Use PostgreSQL for all orders, never MySQL";
    repository.oldhand(&["add", "decision", "--title", "Use PostgreSQL", "--decision", postgresql]);
    repository.commit("decided here");
    let said = repository.sync_says(&["pull"]);
    assert!(said.code == 1 && said.out.contains("stopped:"), "{said:?}");
    assert!(repository.oldhand_says(&["show", "use-mysql"]).code != 0);
    assert!(repository.oldhand(&["pending"]).contains("Use MySQL"));
    // It waits once.
    let said = repository.sync_says(&["pull"]);
    assert!(said.out.contains("there:") || said.out.contains("stopped:"), "{said:?}");
    assert_eq!(
        std::fs::read_dir(repository.root.join(".oldhand/pending")).expect("one").count(),
        1
    );
    repository.commit("what waits");
    repository.sync(&["push"]);
    repository.is_mirrored(store);
}

fn after_months(programs: &Programs) {
    let world = World::new(programs);
    let store = world.store("pay", "repository", "git");
    let repository = world.repository("pay");
    repository.reference("Staging host", "db-2");
    repository.reference("Staging queue", "q-7");
    repository.commit("one");
    repository.connect("pay");
    let there = clone(&repository, "there");
    decide_there(&world, store, &there, &["retire", "staging-host", "--reason", "it is gone"]);
    decide_there(&world, store, &there, &["retire", "staging-queue", "--reason", "it is gone"]);
    let path = repository.root.join(".oldhand/reference/staging-host.md");
    let text = std::fs::read_to_string(&path).expect("readable").replace("db-2", "db-22");
    std::fs::write(&path, &text).expect("written");
    let said = repository.sync_says(&["pull"]);
    assert_eq!(said.code, 1, "{said:?}");
    assert!(said.out.contains("stale: ") && said.out.contains("written: "), "{said:?}");
    assert_eq!(std::fs::read_to_string(&path).expect("readable"), text, "nothing is overwritten");
    assert!(repository.oldhand(&["show", "staging-queue", "--json"]).contains("retired"));
    assert_eq!(waiting(&world, store), 1, "what does not fit waits no more");
}
